// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers and scatters at indices that the program computes from constants and counting alone (jax.image.resize,
// jnp.triu_indices, x[:, np.array([..])]).
//
//  1. The dims of the operand that are indexed, neighbours of which one element is taken each, become one.
//  2. Indices that step evenly, each a number of times: a gather is a slice whose elements are repeated, a scatter that
//     adds is a sum over those that are, put in their places by a pad.
//  3. A scatter at other places, each of them once, is a gather of its updates: of each place the one that it gets.
#include "mlir/IR/Matchers.h"
#include "passes/analysis/known_elements.h"
#include "passes/analysis/scan.h"
#include "passes/builders/build.h"
#include "passes/decompose/passes.h"

using namespace mlir;

namespace tpuc::decompose {
using namespace builders;
#define GEN_PASS_DEF_EXPANDKNOWNINDICESPASS
#include "passes/decompose/passes.h.inc"
namespace {

constexpr int64_t kMostIndices = 1 << 16;
// Places of the operand for each update up to which all of it is read and written, instead of row by row.
constexpr int64_t kMostPlacesPerUpdate = 4;

// Index j is first + j / repeat * step.
struct Steps {
  int64_t first = 0, step = 1, count = 0, repeat = 1;

  static std::optional<Steps> of(ArrayRef<int64_t> indices) {
    const auto n = static_cast<int64_t>(indices.size());
    Steps out{indices[0]};
    while (out.repeat < n && indices[out.repeat] == indices[0]) ++out.repeat;
    if (n % out.repeat) return std::nullopt;
    out.count = n / out.repeat;
    if (out.count > 1) out.step = indices[out.repeat] - indices[0];
    for (int64_t j = 0; j < n; ++j)
      if (indices[j] != out.first + j / out.repeat * out.step) return std::nullopt;
    return out;
  }
  int64_t least() const { return std::min(first, first + (count - 1) * step); }
};

// What a gather and a scatter have in common: windows that are one element of neighbouring dims, and all of the others.
class KnownIndices {
 public:
  KnownIndices(Operation *op, Value operand, Value indices, int64_t vectorDim, ArrayRef<int64_t> indexed,
               ArrayRef<int64_t> collapsed)
      : b_(op),
        build_{b_, op->getLoc()},
        shape_(typeOf(operand).getShape()),
        indices_(indices),
        vectorDim_(vectorDim),
        indexed_(indexed),
        collapsed_(collapsed) {}

  // The dims that are indexed as one, and the places in it, which `clamps` brings into range; nothing where they are
  // not known.
  bool read(bool clamps) {
    if (indexed_.empty() || collapsed_.size() != indexed_.size() || llvm::is_contained(shape_, 0)) return false;
    SmallVector<int64_t> dims(indexed_);
    llvm::sort(dims);
    first_ = dims.front();
    if (!llvm::equal(dims, llvm::seq<int64_t>(first_, first_ + static_cast<int64_t>(dims.size()))) ||
        dims != SmallVector<int64_t>(collapsed_))
      return false;
    auto known = analysis::knownIntegers(indices_, kMostIndices);
    if (!known || known->size() < 2) return false;  // one element is as soon picked (expand_picks.cpp)
    RankedTensorType type = typeOf(indices_);
    const auto components = static_cast<int64_t>(indexed_.size());
    if (vectorDim_ < type.getRank() - 1) return false;  // the vectors lie across
    for (size_t i = 0; i < known->size(); i += components) {
      int64_t place = 0;
      for (int64_t d : dims) {
        int64_t at = (*known)[i + (llvm::find(indexed_, d) - indexed_.begin())];
        if (clamps) at = std::clamp<int64_t>(at, 0, shape_[d] - 1);
        if (at < 0 || at >= shape_[d]) return false;
        place = place * shape_[d] + at;
      }
      places_.push_back(place);
    }
    joined_.assign(shape_.begin(), shape_.begin() + first_);
    joined_.push_back(1);
    for (int64_t d : dims) joined_.back() *= shape_[d];
    if (placeCount() > std::numeric_limits<int32_t>::max()) return false;  // no index of 32 bits
    joined_.append(shape_.begin() + first_ + components, shape_.end());
    return true;
  }

 protected:
  int64_t placeCount() const { return joined_[first_]; }
  // The joined shape with another extent of the dim that is indexed.
  SmallVector<int64_t> with(int64_t extent) const {
    SmallVector<int64_t> out(joined_);
    out[first_] = extent;
    return out;
  }
  // Which entry of places_ each place of the dim is, -1 where none; nothing where two name the same place.
  std::optional<SmallVector<int64_t>> updateOfPlaces() const {
    SmallVector<int64_t> out(placeCount(), -1);
    for (auto [i, place] : llvm::enumerate(places_)) {
      if (out[place] >= 0) return std::nullopt;
      out[place] = static_cast<int64_t>(i);
    }
    return out;
  }
  Value constant(ArrayRef<int64_t> values) {
    auto type = RankedTensorType::get({static_cast<int64_t>(values.size())}, b_.getI32Type());
    SmallVector<int32_t> words(values.begin(), values.end());
    return stablehlo::ConstantOp::create(b_, build_.loc,
                                         cast<ElementsAttr>(DenseElementsAttr::get(type, ArrayRef(words))));
  }
  // `v` has the joined shape: its elements at `numbers` along the indexed dim.
  Value gathered(Value v, ArrayRef<int64_t> numbers) {
    SmallVector<int64_t> offset, sizes(typeOf(v).getShape());
    for (int64_t d = 0; d < static_cast<int64_t>(sizes.size()); ++d)
      if (d != first_) offset.push_back(d);
    sizes[first_] = 1;
    auto dims = stablehlo::GatherDimensionNumbersAttr::get(b_.getContext(), offset, {first_}, {}, {}, {first_}, 1);
    return stablehlo::GatherOp::create(b_, build_.loc, typeOf(v).clone(with(static_cast<int64_t>(numbers.size()))), v,
                                       constant(numbers), dims, b_.getDenseI64ArrayAttr(sizes), b_.getBoolAttr(false));
  }
  Value reversed(Value v) {
    return stablehlo::ReverseOp::create(b_, build_.loc, v.getType(), v, b_.getDenseI64ArrayAttr({first_}));
  }
  // The dims of a gather's result, or of a scatter's updates, in the order of the joined shape. `window`: those that
  // belong to windows. The others belong to the indices. The joined shape has one dim for them, the indexed one, so
  // they stand together in its place.
  SmallVector<int64_t> orderOf(int64_t rank, ArrayRef<int64_t> window) const {
    SmallVector<int64_t> order(window.take_front(first_));
    for (int64_t d = 0; d < rank; ++d)
      if (!llvm::is_contained(window, d)) order.push_back(d);
    llvm::append_range(order, window.drop_front(first_));
    return order;
  }

  OpBuilder b_;
  Build build_;
  ArrayRef<int64_t> shape_;
  Value indices_;
  int64_t vectorDim_;
  ArrayRef<int64_t> indexed_, collapsed_;
  int64_t first_ = 0;                     // the dim that is indexed, in the joined shape
  SmallVector<int64_t> joined_, places_;  // the operand's shape; where its elements are taken or put
};

class KnownGather : KnownIndices {
 public:
  explicit KnownGather(stablehlo::GatherOp op)
      : KnownIndices(op, op.getOperand(), op.getStartIndices(), op.getDimensionNumbers().getIndexVectorDim(),
                     op.getDimensionNumbers().getStartIndexMap(), op.getDimensionNumbers().getCollapsedSliceDims()),
        op_(op) {}

  void rewrite() {
    auto numbers = op_.getDimensionNumbers();
    if (!numbers.getOperandBatchingDims().empty() || !takesAll() || !read(/*clamps=*/true)) return;
    const auto steps = Steps::of(places_);
    if (!steps && indexed_.size() == 1) return;  // as it is
    Value v = build_.reshape(op_.getOperand(), joined_);
    v = steps ? stepped(v, *steps) : gathered(v, places_);
    // The dims of indices take the place of the one that was indexed.
    RankedTensorType type = typeOf(op_);
    SmallVector<int64_t> order = orderOf(type.getRank(), numbers.getOffsetDims()), back(order.size());
    for (auto [i, d] : llvm::enumerate(order)) back[d] = static_cast<int64_t>(i);
    v = build_.reshape(v, llvm::map_to_vector(order, [&](int64_t d) { return type.getDimSize(d); }));
    op_.replaceAllUsesWith(llvm::is_sorted(back) ? v : build_.transpose(v, back));
    op_.erase();
  }

 private:
  bool takesAll() {
    return llvm::all_of(llvm::enumerate(op_.getSliceSizes()), [&](auto it) {
      const bool isIndexed = llvm::is_contained(indexed_, static_cast<int64_t>(it.index()));
      return it.value() == (isIndexed ? 1 : shape_[it.index()]);
    });
  }
  Value stepped(Value v, const Steps &steps) {
    SmallVector<int64_t> start(joined_.size(), 0), limit(joined_), stride(joined_.size(), 1);
    start[first_] = steps.least();
    limit[first_] = steps.least() + (steps.count - 1) * std::abs(steps.step) + 1;
    stride[first_] = std::max<int64_t>(std::abs(steps.step), 1);
    v = build_.slice(v, start, limit, stride);
    if (steps.step < 0) v = reversed(v);
    if (steps.repeat == 1) return v;
    SmallVector<int64_t> shape = with(steps.count), dims;
    for (int64_t d = 0; d < static_cast<int64_t>(shape.size()); ++d) dims.push_back(d + (d > first_));
    shape.insert(shape.begin() + first_ + 1, steps.repeat);
    return build_.reshape(build_.broadcast(v, shape, dims), with(steps.count * steps.repeat));
  }

  stablehlo::GatherOp op_;
};

class KnownScatter : KnownIndices {
 public:
  explicit KnownScatter(stablehlo::ScatterOp op)
      : KnownIndices(op, op.getInputs()[0], op.getScatterIndices(), op.getScatterDimensionNumbers().getIndexVectorDim(),
                     op.getScatterDimensionNumbers().getScatterDimsToOperandDims(),
                     op.getScatterDimensionNumbers().getInsertedWindowDims()),
        op_(op) {}

  void rewrite() {
    auto numbers = op_.getScatterDimensionNumbers();
    if (op_.getInputs().size() != 1 || !numbers.getInputBatchingDims().empty() || !takesAll()) return;
    Block &body = op_.getUpdateComputation().front();
    Operation *by = analysis::onlyOp(body);
    const bool adds = mlir::isa_and_nonnull<stablehlo::AddOp>(by),
               puts = body.getTerminator()->getOperand(0) == body.getArgument(1);
    if ((!adds && !puts) || !read(/*clamps=*/false)) return;
    const auto steps = adds ? Steps::of(places_) : std::nullopt;
    const bool isZero =
        matchPattern(op_.getInputs()[0], m_AnyZeroFloat()) || matchPattern(op_.getInputs()[0], m_Zero());
    // The rewritten scatter reads and writes all of the operand. An operand of zeros is not read.
    if (!(steps && isZero) && placeCount() > kMostPlacesPerUpdate * static_cast<int64_t>(places_.size())) return;
    const auto sources = steps ? std::nullopt : updateOfPlaces();
    if (!steps && !sources) return;
    Value operand = build_.reshape(op_.getInputs()[0], joined_), updates = op_.getUpdates()[0];
    SmallVector<int64_t> order = orderOf(typeOf(updates).getRank(), numbers.getUpdateWindowDims());
    updates = build_.reshape(llvm::is_sorted(order) ? updates : build_.transpose(updates, order),
                             with(static_cast<int64_t>(places_.size())));
    Value made = steps && isZero ? stepped(updates, *steps)
                 : steps ? stablehlo::AddOp::create(b_, build_.loc, operand, stepped(updates, *steps)).getResult()
                         : placed(operand, updates, *sources, adds);
    op_.getResult(0).replaceAllUsesWith(build_.reshape(made, shape_));
    op_.erase();
  }

 private:
  bool takesAll() {
    auto numbers = op_.getScatterDimensionNumbers();
    SmallVector<int64_t> own;
    for (int64_t d = 0; d < static_cast<int64_t>(shape_.size()); ++d)
      if (!llvm::is_contained(numbers.getInsertedWindowDims(), d)) own.push_back(shape_[d]);
    return llvm::equal(own, llvm::map_range(numbers.getUpdateWindowDims(),
                                            [&](int64_t d) { return typeOf(op_.getUpdates()[0]).getDimSize(d); }));
  }
  Value stepped(Value v, const Steps &steps) {
    if (steps.repeat > 1) {
      SmallVector<int64_t> shape = with(steps.count);
      shape.insert(shape.begin() + first_ + 1, steps.repeat);
      v = build_.sum(build_.reshape(v, shape), {first_ + 1});
    }
    if (steps.step < 0) v = reversed(v);
    SmallVector<int64_t> low(joined_.size(), 0), high(low), interior(low);
    const int64_t apart = std::max<int64_t>(std::abs(steps.step), 1);
    low[first_] = steps.least();
    interior[first_] = apart - 1;
    high[first_] = placeCount() - steps.least() - (steps.count - 1) * apart - 1;
    return build_.pad(v, build_.zero(typeOf(v).getElementType()), low, high, interior);
  }
  // Each place of the result has its update, or the operand's element where there is no update.
  Value placed(Value operand, Value updates, ArrayRef<int64_t> sources, bool adds) {
    SmallVector<int64_t> numbers(sources), isThere;
    for (int64_t &n : numbers) {
      isThere.push_back(n >= 0);
      n = std::max<int64_t>(n, 0);
    }
    Value found = gathered(updates, numbers);
    Value there = build_.broadcast(constant(isThere), joined_, {first_});
    there = stablehlo::CompareOp::create(b_, build_.loc, there, build_.splat(typeOf(there), int64_t(0)),
                                         stablehlo::ComparisonDirection::NE);
    Value sum = adds ? Value(stablehlo::AddOp::create(b_, build_.loc, operand, found)) : found;
    return stablehlo::SelectOp::create(b_, build_.loc, there, sum, operand);
  }

  stablehlo::ScatterOp op_;
};

struct ExpandKnownIndices : impl::ExpandKnownIndicesPassBase<ExpandKnownIndices> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (auto gather = dyn_cast<stablehlo::GatherOp>(op))
        KnownGather(gather).rewrite();
      else if (auto scatter = dyn_cast<stablehlo::ScatterOp>(op))
        KnownScatter(scatter).rewrite();
    });
  }
};

}  // namespace
}  // namespace tpuc::decompose
