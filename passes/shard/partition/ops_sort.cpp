//===- ops_sort.cpp - sorts along a sharded dimension -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the axes of the sorted dimension can go to another one, each device sorts lines. Where they cannot, a power of
// two of blocks is sorted by a bitonic network whose places are devices (Batcher, "Sorting networks and their
// applications", 1968), if that moves fewer bytes than the whole dimension has:
//  1. Each device sorts its block.
//  2. In groups of 2, 4, .. blocks each block meets another: first its mirror image in the group, backwards, then the
//     one a quarter of the group away, an eighth, .. until its neighbour. Of each two elements the lower block keeps
//     the one that comes first.
//  3. After each size of groups a device sorts its block: what else has to change lies within it.
// The place that an element had decides between equal ones, so that the order is a stable sort's. Padding has the last
// places, and stays behind all elements. Integers that are sorted alone need no places, as equal ones are the same:
// padding is the last of all numbers.
//===-----------------------------------------------------------------------------===//
#include "dialects/stablehlo/sorts.h"
#include "llvm/Support/MathExtras.h"
#include "passes/builders/inline_region.h"
#include "passes/shard/partition/partitioner.h"
#include "passes/shard/partition/reshard.h"
#include "passes/shard/partition/window.h"
#include "passes/shard/rule_builder.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

namespace hlo = tpuc::stablehlo;

class BlockSort {
 public:
  BlockSort(hlo::SortOp op, Partitioner &p)
      : op(op), p(p), emit(p.emit), order(op.getComparator().front()), shape(shapeOf(op.getInputs()[0])) {
    dim = hlo::sortedDim(op);
  }

  // Whether exchanges of blocks move fewer bytes than `choice`, in which a device has whole lines.
  bool plan(const Choice &choice) {
    layout = p.wanted(op.getInputs()[0]);
    if (layout.isUnsharded()) layout = p.current(op.getInputs()[0]).layout;
    layout.unreduced.clear();
    const DimLayout &along = layout.dims[dim];
    if (along.axes.empty() || !llvm::isPowerOf2_64(along.parts()) ||
        along.block * along.parts() > std::numeric_limits<int32_t>::max() || !builders::isElementwiseRegion(order) ||
        !builders::capturesOf(order).empty())
      return false;
    findPlaces();
    return bytes() < bytesOf(choice);
  }

  void run() {
    for (Value input : op.getInputs()) values.push_back(p.get(input, layout));
    if (!places)
      values[0] =
          p.maskPadding(values[0], layout, shape, {dim}, emit.neutral(*last, typeOf(values[0]).getElementType()));
    if (addsPlaces) values.push_back(placesOf());
    sortBlocks();
    for (int64_t group = 2; group <= layout.dims[dim].parts(); group *= 2) {
      meet([=](int64_t i) { return i ^ (group - 1); }, /*backwards=*/true);
      for (int64_t away = group / 4; away > 0; away /= 2) meet([=](int64_t i) { return i ^ away; }, false);
      sortBlocks();
    }
    for (auto [result, value] : llvm::zip(op->getResults(), values)) p.set(result, value, layout);
  }

 private:
  bool isPadded() const { return layout.dims[dim].block * layout.dims[dim].parts() != shape[dim]; }

  // An input that has them already, or one more; none where equal elements are the same.
  void findPlaces() {
    for (auto [i, input] : llvm::enumerate(op.getInputs())) {
      auto iota = input.getDefiningOp<hlo::IotaOp>();
      Type element = typeOf(input).getElementType();
      if (iota && static_cast<int64_t>(iota.getIotaDimension()) == dim && element.isInteger() &&
          element.getIntOrFloatBitWidth() >= 32)
        places = i;
    }
    if (places || (last = lastOf())) return;
    places = op.getInputs().size();
    addsPlaces = true;
  }

  // The reducer to whose neutral element all others compare first: where the comparator asks whether one of two
  // integers is less, or greater, than the other.
  std::optional<Reducer> lastOf() {
    if (op.getInputs().size() != 1 || order.getOperations().size() != 2) return std::nullopt;
    auto compare = dyn_cast<hlo::CompareOp>(order.front());
    if (!compare || order.getTerminator()->getOperand(0) != compare.getResult()) return std::nullopt;
    const bool isLess = compare.getComparisonDirection() == hlo::ComparisonDirection::LT;
    const bool isStrict = isLess || compare.getComparisonDirection() == hlo::ComparisonDirection::GT;
    Value a = order.getArgument(0), b = order.getArgument(1);
    const bool isForward = compare.getLhs() == a && compare.getRhs() == b;
    const bool isBackward = compare.getLhs() == b && compare.getRhs() == a;
    if (!isStrict || !(isForward || isBackward) || !typeOf(op.getInputs()[0]).getElementType().isInteger())
      return std::nullopt;
    return isLess == isForward ? Reducer::Min : Reducer::Max;
  }

  // What a device receives: a block of each array whenever it meets another.
  int64_t bytes() {
    const int64_t sizes = llvm::Log2_64(layout.dims[dim].parts()), meetings = sizes * (sizes + 1) / 2;
    int64_t elements = 1, received = 0;
    for (int64_t size : layout.localShape()) elements *= size;
    constexpr int64_t kPlaceBytes = 4;
    if (addsPlaces) received += meetings * elements * kPlaceBytes;
    for (auto [input, result] : llvm::zip_equal(op.getInputs(), op->getResults()))
      received += p.bytesTo(input, layout) + p.bytesFrom(result, layout) +
                  meetings * elements * shard::bytesOf(typeOf(input).getElementType());
    return received;
  }

  // What a device gets. Its own block is no part of that.
  int64_t bytesOf(const Choice &choice) {
    const size_t count = op.getInputs().size();
    int64_t elements = 1, received = 0;
    for (int64_t size : layout.localShape()) elements *= size;
    for (size_t i = 0; i < count; ++i) {
      Value input = op.getInputs()[i];
      if (const int64_t gathered = p.bytesTo(input, choice.layouts[i]))
        received += gathered - elements * shard::bytesOf(typeOf(input).getElementType());
      received += p.bytesFrom(op->getResult(i), choice.layouts[count + i]);
    }
    return received;
  }

  Value placesOf() {
    const DimLayout &along = layout.dims[dim];
    auto type = RankedTensorType::get(layout.localShape(), emit.builder.getI32Type());
    Value begin = emit.perIndex(layout.mesh, along.axes, [&](int64_t i) { return i * along.block; });
    return emit.create<hlo::AddOp>(emit.create<hlo::IotaOp>(type, dim), emit.broadcast(begin, type, {}));
  }

  Value compared(ArrayRef<Value> a, ArrayRef<Value> b) {
    SmallVector<Value> arguments;
    for (size_t i = 0; i < op.getInputs().size(); ++i) llvm::append_values(arguments, a[i], b[i]);
    return builders::inlineElementwise(emit.builder, order, arguments)[0];
  }

  // Whether a comes before b, of single elements or of arrays of them.
  Value before(ArrayRef<Value> a, ArrayRef<Value> b) {
    Value first = compared(a, b);
    if (!places) return first;
    using hlo::ComparisonDirection;
    Value ahead = emit.compare(a[*places], b[*places], ComparisonDirection::LT);
    Value isTie = emit.create<hlo::NotOp>(compared(b, a));
    first = emit.create<hlo::OrOp>(first, emit.create<hlo::AndOp>(isTie, ahead));
    if (!isPadded()) return first;
    RankedTensorType type = typeOf(a[*places]);
    Value end = emit.splat(type, IntegerAttr::get(type.getElementType(), shape[dim]));
    Value both = emit.create<hlo::AndOp>(emit.compare(a[*places], end, ComparisonDirection::LT),
                                         emit.compare(b[*places], end, ComparisonDirection::LT));
    return emit.select(both, first, ahead);
  }

  void sortBlocks() {
    auto made = emit.create<hlo::SortOp>(TypeRange(ValueRange(values)), values, emit.builder.getI64IntegerAttr(dim),
                                         emit.builder.getBoolAttr(false));
    OpBuilder::InsertionGuard guard(emit.builder);
    SmallVector<Type> types;
    for (Value value : values) types.append(2, RankedTensorType::get({}, typeOf(value).getElementType()));
    Block *block =
        emit.builder.createBlock(&made.getComparator(), {}, types, SmallVector<Location>(types.size(), emit.location));
    SmallVector<Value> a, b;
    for (size_t i = 0; i < values.size(); ++i) {
      a.push_back(block->getArgument(2 * i));
      b.push_back(block->getArgument(2 * i + 1));
    }
    emit.create<hlo::ReturnOp>(before(a, b));
    values.assign(made->result_begin(), made->result_end());
  }

  // Both devices compare the same elements in the same order, so that each element stays with one of them.
  void meet(llvm::function_ref<int64_t(int64_t)> other, bool backwards) {
    const DimLayout &along = layout.dims[dim];
    Emitter::Pairs parts;
    for (int64_t i = 0; i < along.parts(); ++i) parts.push_back({other(i), i});
    const Emitter::Pairs pairs = onMesh(layout.mesh, along.axes, parts);
    Value lower = emit.compare(emit.perIndex(layout.mesh, along.axes, [&](int64_t i) { return i < other(i) ? 1 : 0; }),
                               emit.scalar(1), hlo::ComparisonDirection::EQ);
    SmallVector<Value> theirs, low, high;
    for (Value own : values) {
      Value their = emit.permute(own, layout.mesh, pairs);
      theirs.push_back(backwards ? emit.reverse(their, dim) : their);
      low.push_back(emit.select(lower, own, theirs.back()));
      high.push_back(emit.select(lower, theirs.back(), own));
    }
    Value swaps = before(high, low);
    for (auto [own, their] : llvm::zip_equal(values, theirs)) own = emit.select(swaps, their, own);
  }

  hlo::SortOp op;
  Partitioner &p;
  Emitter &emit;
  Block &order;
  ArrayRef<int64_t> shape;
  int64_t dim = 0;
  Layout layout;
  std::optional<size_t> places;  // which array has the elements' places
  bool addsPlaces = false;
  std::optional<Reducer> last;
  SmallVector<Value> values;
};

LogicalResult sort(Operation *op, Partitioner &p) {
  std::optional<Factors> factors = p.factorsOf(op);
  if (!factors) return p.replicate(op);
  BlockSort own(cast<hlo::SortOp>(op), p);
  if (!own.plan(p.choose(op, *factors))) return p.byFactors(op, *factors);
  own.run();
  return success();
}

}  // namespace

void addSort(Handlers &handlers) { handlers["stablehlo.sort"] = sort; }

}  // namespace tpuc::shard
