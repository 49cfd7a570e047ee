//===- ops_fourier.cpp - Fourier transforms along sharded dimensions ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A transform of several dimensions is one of each in turn.
//  1. Along a dimension that lies whole, each device transforms its lines.
//  2. The axes of one that does not go to another dimension (all_to_all) before.
//  3. Where there is no other, n = P m elements in P blocks, m a multiple of P, are transformed in four steps (Bailey,
//     "FFTs in external or hierarchical memory", 1990): for j = p m + q and k = r + P s,
//       X[k] = sum over q of w_m^(q s) w_n^(q r) (sum over p of w_P^(p r) x[j]).
//     The inner sums need all p of some q, the outer ones all q of one r: an all_to_all each, and one for the order.
//  4. n = 2 h real numbers from h + 1 complex ones are the two parts of h complex ones, the transform of
//       Z[k] = (X[k] + conj X[h - k]) / 2 + i w_n^k (X[k] - conj X[h - k]) / 2,
//     of which each device gets its k and h - k from those that have them.
//===-----------------------------------------------------------------------------===//
#include <numbers>

#include "passes/shard/partition/partitioner.h"
#include "passes/shard/partition/reshard.h"
#include "passes/shard/partition/window.h"
#include "passes/shard/rule_builder.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

namespace hlo = tpuc::stablehlo;
using hlo::FftType;

class Fourier {
 public:
  Fourier(hlo::FftOp op, Partitioner &p)
      : op(op),
        p(p),
        emit(p.emit),
        kind(op.getFftType()),
        shape(shapeOf(op.getOperand())),
        rank(shape.size()),
        first(rank - op.getFftLength().size()) {}

  // Whether a transformed dimension is sharded that can stay so, or whose axes can go to another one.
  bool plan() {
    layout = p.wanted(op.getOperand());
    if (layout.isUnsharded()) layout = p.current(op.getOperand()).layout;
    layout.unreduced.clear();
    if (typeOf(op.getOperand()).getNumElements() == 0 || typeOf(op.getResult()).getNumElements() == 0) return false;
    for (int64_t dim = first; dim < rank; ++dim)
      if (!layout.dims[dim].axes.empty() && (otherFor(dim) || inFourSteps(dim) || inPairs(dim))) return true;
    return false;
  }

  void run() {
    value = p.get(op.getOperand(), layout);
    for (int64_t dim : order()) {
      if (!layout.dims[dim].axes.empty()) {
        std::optional<int64_t> other = otherFor(dim);
        if (!other && inFourSteps(dim)) {
          lineInBlocks(dim);
          continue;
        }
        if (!other && inPairs(dim)) {
          pairsInBlocks(dim);
          continue;
        }
        bringWhole(dim, other);
      }
      value = lines(value, dim, kindOn(dim), lengthOf(dim));
      shape[dim] = layout.dims[dim].block = typeOf(value).getDimSize(dim);
    }
    p.set(op.getResult(), value, layout);
  }

 private:
  // Those that lie whole first, as they take the others' axes. Of real numbers the last dimension is halved at first,
  // or doubled at last.
  SmallVector<int64_t> order() const {
    SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(first, rank));
    llvm::stable_sort(dims, [&](int64_t a, int64_t b) {
      auto turn = [&](int64_t dim) {
        if (dim == rank - 1 && kind == FftType::RFFT) return -1;
        if (dim == rank - 1 && kind == FftType::IRFFT) return 2;
        return layout.dims[dim].axes.empty() ? 0 : 1;
      };
      return turn(a) < turn(b);
    });
    return dims;
  }

  FftType kindOn(int64_t dim) const {
    if (dim == rank - 1) return kind;
    return kind == FftType::RFFT || kind == FftType::FFT ? FftType::FFT : FftType::IFFT;
  }
  int64_t lengthOf(int64_t dim) { return op.getFftLength()[dim - first]; }

  DimLayout moved(int64_t dim, int64_t other) const {
    DimLayout to = layout.dims[other];
    for (Axis axis : layout.dims[dim].axes) sdy::appendAxis(to.axes, axis);
    to.block = divideUp(shape[other], to.parts());
    return to;
  }

  // Where the axes of a dimension may go: one that they divide, else one that leaves nobody without elements.
  std::optional<int64_t> otherFor(int64_t dim) const {
    std::optional<int64_t> found;
    for (int64_t other = 0; other < rank; ++other) {
      if (other == dim) continue;
      const int64_t parts = layout.dims[other].parts() * layout.dims[dim].parts();
      if (shape[other] % parts == 0 && shape[other] > 0) return other;
      if (!found && divideUp(shape[other], divideUp(shape[other], parts)) == parts && shape[other] >= parts)
        found = other;
    }
    return found;
  }

  bool inFourSteps(int64_t dim) const {
    const DimLayout &along = layout.dims[dim];
    return kindOn(dim) != FftType::IRFFT && along.block * along.parts() == shape[dim] &&
           along.block % along.parts() == 0;
  }

  // Windows over a dimension of h elements in blocks: a block ahead; h - k for each k in it (backwards; none for k =
  // 0); and element h, for the first device.
  Window ahead(const DimLayout &along) const {
    return {layout.mesh, along.axes, [block = along.block](int64_t i) { return i * block; }, along.block};
  }
  Window back(const DimLayout &along) const {
    const int64_t half = along.block * along.parts();
    return {layout.mesh, along.axes, [half, block = along.block](int64_t i) { return half - (i + 1) * block + 1; },
            along.block};
  }
  Window end(const DimLayout &along) const {
    const int64_t half = along.block * along.parts();
    return {layout.mesh, along.axes, [=](int64_t i) { return i == 0 ? half : half + 1; }, 1};
  }

  // Whether the ranges and three exchanges are fewer bytes than the whole dimension.
  bool inPairs(int64_t dim) {
    const DimLayout &source = layout.dims[dim];
    const int64_t parts = source.parts(), half = lengthOf(dim) / 2, size = shape[dim];
    if (kindOn(dim) != FftType::IRFFT || lengthOf(dim) % 2 != 0 || size != half + 1 || half % (parts * parts) != 0)
      return false;
    const DimLayout along{source.axes, half / parts};
    int64_t received = receivedBy(source, size, ahead(along)) + receivedBy(along, half, back(along)) +
                       receivedBy(source, size, end(along)) + 3 * (along.block - along.block / parts);
    // Where the result is to be whole, half as many numbers of twice the size.
    if (p.askedFor(op.getResult()).dims[dim].axes.empty()) received += half - along.block;
    return received < (parts - 1) * source.block;
  }

  Value transposed(Value from, ArrayRef<int64_t> dims) {
    SmallVector<int64_t> sizes;
    for (int64_t dim : dims) sizes.push_back(typeOf(from).getDimSize(dim));
    return emit.create<hlo::TransposeOp>(typeOf(from).clone(sizes), from, dims);
  }

  void bringWhole(int64_t dim, std::optional<int64_t> other) {
    Layout next = layout;
    if (other) next.dims[*other] = moved(dim, *other);
    next.dims[dim] = {{}, shape[dim]};
    p.noteMove(op.getOperand(), typeOf(value).clone(shape), layout, next);
    value = reshard(emit, value, shape, layout, next);
    layout = next;
  }

  // The lines along a dimension, which go last for it.
  Value lines(Value from, int64_t dim, FftType how, int64_t length) {
    auto dims = llvm::to_vector(llvm::seq<int64_t>(0, typeOf(from).getRank()));
    std::swap(dims[dim], dims.back());
    Value last = dim + 1 == typeOf(from).getRank() ? from : transposed(from, dims);
    SmallVector<int64_t> sizes(typeOf(last).getShape());
    sizes.back() = how == FftType::RFFT ? length / 2 + 1 : length;
    Type element = typeOf(from).getElementType();
    if (how == FftType::RFFT) element = ComplexType::get(element);
    if (how == FftType::IRFFT) element = cast<ComplexType>(element).getElementType();
    Value done = emit.create<hlo::FftOp>(RankedTensorType::get(sizes, element), last,
                                         hlo::FftTypeAttr::get(emit.builder.getContext(), how),
                                         emit.builder.getDenseI64ArrayAttr({length}));
    return dim + 1 == typeOf(from).getRank() ? done : transposed(done, dims);
  }

  // w_n^(q r) at [.., r, q', ..], dims `dim` and after it, where q = c m / P + q' on device c.
  Value turns(RankedTensorType type, int64_t dim, const DimLayout &along, int64_t n, FftType how) {
    Type real = cast<ComplexType>(type.getElementType()).getElementType();
    const int64_t own = along.block / along.parts();
    auto places = RankedTensorType::get({along.parts(), own}, emit.builder.getI32Type());
    Value begin = emit.perIndex(layout.mesh, along.axes, [&](int64_t i) { return i * own; });
    Value q = emit.create<hlo::AddOp>(emit.create<hlo::IotaOp>(places, 1), emit.broadcast(begin, places, {}));
    Value product = emit.convert(emit.create<hlo::MulOp>(q, emit.create<hlo::IotaOp>(places, 0)), real);
    const double step = (how == FftType::IFFT ? 2 : -2) * std::numbers::pi / static_cast<double>(n);
    Value factor = emit.splat(typeOf(product), FloatAttr::get(real, step));
    Value angle = emit.create<hlo::MulOp>(product, factor);
    Value turn = emit.create<hlo::ComplexOp>(RankedTensorType::get(places.getShape(), type.getElementType()),
                                             emit.create<hlo::CosineOp>(angle), emit.create<hlo::SineOp>(angle));
    return emit.broadcast(turn, type, {dim, dim + 1});
  }

  // The transform of a line of complex numbers that lies in blocks along `along`.
  Value fourSteps(Value from, int64_t dim, const DimLayout &along, FftType how) {
    const int64_t parts = along.parts(), own = along.block / parts, n = along.block * parts;
    SmallVector<int64_t> apart(typeOf(from).getShape()), together(apart);
    apart[dim] = parts;
    apart.insert(apart.begin() + dim + 1, own);
    auto exchanged = [&](Value from) { return emit.allToAll(from, dim, dim, layout.mesh, along.axes); };
    Value inner = lines(exchanged(emit.reshape(from, apart)), dim, how, parts);
    Value turned = emit.create<hlo::MulOp>(inner, turns(typeOf(inner), dim, along, n, how));
    Value outer = lines(emit.reshape(exchanged(turned), together), dim, how, along.block);
    auto dims = llvm::to_vector(llvm::seq<int64_t>(0, rank + 1));
    std::swap(dims[dim], dims[dim + 1]);
    return emit.reshape(transposed(exchanged(emit.reshape(outer, apart)), dims), together);
  }

  void lineInBlocks(int64_t dim) {
    const bool isReal = kindOn(dim) == FftType::RFFT;
    if (isReal) value = emit.convert(value, ComplexType::get(typeOf(value).getElementType()));
    value = fourSteps(value, dim, layout.dims[dim], isReal ? FftType::FFT : kindOn(dim));
    if (isReal) halve(dim);
  }

  // k of each element of the device's block.
  Value placesOf(const DimLayout &along) {
    auto line = RankedTensorType::get({along.block}, emit.builder.getI32Type());
    Value begin = emit.perIndex(layout.mesh, along.axes, [&](int64_t i) { return i * along.block; });
    return emit.create<hlo::AddOp>(emit.create<hlo::IotaOp>(line, 0), emit.broadcast(begin, line, {}));
  }

  // Z of step 4, twice as large, from X[k] and X[h - k]; X[h] stands apart. Of it and of X[0] the imaginary part is no
  // part of the transform.
  Value pairs(Value own, Value other, Value end, int64_t dim, const DimLayout &along, int64_t n) {
    RankedTensorType type = typeOf(own);
    Type real = cast<ComplexType>(type.getElementType()).getElementType();
    const RankedTensorType parts = RankedTensorType::get(type.getShape(), real);
    Value k = placesOf(along);
    Value isFirst = emit.compare(k, emit.zeros(typeOf(k)), hlo::ComparisonDirection::EQ);
    isFirst = emit.broadcast(isFirst, RankedTensorType::get(type.getShape(), emit.builder.getI1Type()), {dim});
    auto same = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    other = emit.select(isFirst, emit.broadcast(end, type, same), other);
    auto cleared = [&](Value from, bool negated) {
      Value imaginary = emit.create<hlo::ImagOp>(parts, from);
      if (negated) imaginary = emit.create<hlo::NegOp>(imaginary);
      imaginary = emit.select(isFirst, emit.zeros(parts), imaginary);
      return emit.create<hlo::ComplexOp>(type, emit.create<hlo::RealOp>(parts, from), imaginary);
    };
    Value a = cleared(own, /*negated=*/false), b = cleared(other, /*negated=*/true);
    Value angle = emit.convert(k, real);
    angle = emit.create<hlo::MulOp>(
        angle, emit.splat(typeOf(angle), FloatAttr::get(real, 2 * std::numbers::pi / static_cast<double>(n))));
    auto turns = RankedTensorType::get({along.block}, type.getElementType());  // i w_n^k
    Value turn = emit.create<hlo::ComplexOp>(turns, emit.create<hlo::NegOp>(emit.create<hlo::SineOp>(angle)),
                                             emit.create<hlo::CosineOp>(angle));
    Value turned = emit.create<hlo::MulOp>(emit.create<hlo::SubtractOp>(a, b), emit.broadcast(turn, type, {dim}));
    return emit.create<hlo::AddOp>(emit.create<hlo::AddOp>(a, b), turned);
  }

  void pairsInBlocks(int64_t dim) {
    const int64_t n = lengthOf(dim), half = n / 2;
    const DimLayout source = layout.dims[dim];
    const DimLayout along{source.axes, half / source.parts()};
    Value own = window(emit, value, dim, source, shape[dim], ahead(along));
    Value other = emit.reverse(window(emit, own, dim, along, half, back(along)), dim);
    Value last = window(emit, value, dim, source, shape[dim], end(along));
    Value z = fourSteps(pairs(own, other, last, dim, along, n), dim, along, FftType::IFFT);
    SmallVector<int64_t> apart(typeOf(z).getShape()), together(apart);
    apart.insert(apart.begin() + dim + 1, 1);
    together[dim] *= 2;
    Type real = cast<ComplexType>(typeOf(z).getElementType()).getElementType();
    const RankedTensorType parts = RankedTensorType::get(typeOf(z).getShape(), real);
    Value even = emit.reshape(emit.create<hlo::RealOp>(parts, z), apart);
    Value odd = emit.reshape(emit.create<hlo::ImagOp>(parts, z), apart);
    Value twice = emit.reshape(emit.concatenate({even, odd}, dim + 1), together);
    value = emit.create<hlo::MulOp>(twice, emit.splat(typeOf(twice), FloatAttr::get(real, 0.5)));
    layout.dims[dim].block = 2 * along.block;
    shape[dim] = n;
  }

  // The first half of what real numbers become; the others are its conjugates.
  void halve(int64_t dim) {
    const int64_t size = shape[dim] / 2 + 1;
    DimLayout &along = layout.dims[dim];
    const DimLayout source = along;
    const int64_t block = divideUp(size, along.parts());
    value = window(emit, value, dim, source, shape[dim],
                   {layout.mesh, along.axes, [=](int64_t i) { return i * block; }, block});
    along.block = block;
    shape[dim] = size;
  }

  hlo::FftOp op;
  Partitioner &p;
  Emitter &emit;
  const FftType kind;
  SmallVector<int64_t> shape;
  const int64_t rank, first;
  Layout layout;
  Value value;
};

// Batches that lie along axes stay as they are; where those are all, each device has its own.
LogicalResult fourier(Operation *op, Partitioner &p) {
  Fourier own(cast<hlo::FftOp>(op), p);
  if (!own.plan()) return p.byFactors(op);
  own.run();
  return success();
}

}  // namespace

void addFourier(Handlers &handlers) { handlers["stablehlo.fft"] = fourier; }

}  // namespace tpuc::shard
