// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers whose indices are a product, x[i[:, None], j[None, :]]: one gather along each dim, of whole rows of the
// others (jnp.ix_, PyTorch's interpolation).
//
//  1. Each component of the index vectors is a vector of numbers, broadcast along dims of the indices that are no other
//     component's. The operand of a transpose is read instead of its result.
//  2. Gathers along one dim each, in the order that the estimates prefer, if they take less than the gather of windows.
//  3. The dims come back into the result's order; a transpose that undoes this goes with it.
#include "passes/analysis/domain.h"
#include "passes/analysis/target_option.h"
#include "passes/decompose/passes.h"
#include "passes/decompose/words.h"
#include "passes/plan/move/lookup_plan.h"

using namespace mlir;

namespace tpuc::decompose {
using namespace builders;
#define GEN_PASS_DEF_SPLITGATHERSPASS
#include "passes/decompose/passes.h.inc"
namespace {

constexpr size_t kMostComponents = 4;  // whose orders are all tried

// Numbers along dims of the indices: `of` has dims `along` of them, and dims of one element.
struct Numbers {
  Value of;
  SmallVector<int64_t> along;
};

// What `part` is a broadcast of.
Numbers numbersOf(Value part) {
  SmallVector<int64_t> places = llvm::to_vector(llvm::seq<int64_t>(0, typeOf(part).getRank()));
  Value v = part;
  while (auto broadcast = v.getDefiningOp<stablehlo::BroadcastInDimOp>()) {
    v = broadcast.getOperand();
    places = llvm::map_to_vector(broadcast.getBroadcastDimensions(), [&](int64_t d) { return places[d]; });
  }
  Numbers out{v, {}};
  for (auto [d, place] : llvm::enumerate(places))
    if (typeOf(v).getDimSize(d) > 1) out.along.push_back(place);
  return out;
}

class ProductGather {
 public:
  ProductGather(stablehlo::GatherOp op, const timing::MachineModel &model)
      : model_(model), op_(op), b_(op), build_{b_, op.getLoc()}, numbers_(op.getDimensionNumbers()) {}

  // Whether the gather takes single elements of two dims or more, and all of the others, at a product of numbers.
  bool applies() {
    ArrayRef<int64_t> indexed = numbers_.getStartIndexMap(), collapsed = numbers_.getCollapsedSliceDims();
    if (indexed.size() < 2 || indexed.size() > kMostComponents || collapsed.size() != indexed.size() ||
        !numbers_.getOperandBatchingDims().empty() || typeOf(op_).getNumElements() == 0)
      return false;
    for (auto [d, n] : llvm::enumerate(op_.getSliceSizes()))
      if (!llvm::is_contained(collapsed, static_cast<int64_t>(d)) && n != typeOf(op_.getOperand()).getDimSize(d))
        return false;
    return llvm::all_of(collapsed, [&](int64_t d) { return llvm::is_contained(indexed, d); }) && readComponents();
  }

  void rewrite() {
    readOperand();
    SmallVector<size_t> order = llvm::to_vector(llvm::seq<size_t>(0, parts_.size()));
    std::optional<Chain> best;
    do {
      Chain made = chain(order);
      if (best && best->cycles <= made.cycles) {
        erase(made);
        continue;
      }
      if (best) erase(*best);
      best = made;
    } while (std::next_permutation(order.begin(), order.end()));
    if (best->cycles < windowCycles())
      replace(best->gathers.back());
    else
      erase(*best);
  }

 private:
  struct Chain {
    SmallVector<stablehlo::GatherOp> gathers;
    double cycles = 0;
  };

  bool readComponents() {
    auto parts = op_.getStartIndices().getDefiningOp<stablehlo::ConcatenateOp>();
    const int64_t vectorDim = numbers_.getIndexVectorDim();
    if (!parts || static_cast<int64_t>(parts.getDimension()) != vectorDim ||
        parts.getInputs().size() != numbers_.getStartIndexMap().size())
      return false;
    SmallVector<int64_t> seen;
    for (Value part : parts.getInputs()) {
      parts_.push_back(numbersOf(part));
      for (int64_t d : parts_.back().along)
        if (llvm::is_contained(seen, d)) return false;
      llvm::append_range(seen, parts_.back().along);
    }
    for (auto [d, n] : llvm::enumerate(typeOf(op_.getStartIndices()).getShape()))
      if (n > 1 && static_cast<int64_t>(d) != vectorDim && !llvm::is_contained(seen, static_cast<int64_t>(d)))
        return false;
    return true;
  }

  // The array that is read, and where each dim of the gather's operand is in it.
  void readOperand() {
    source_ = op_.getOperand();
    places_ = llvm::to_vector(llvm::seq<int64_t>(0, typeOf(source_).getRank()));
    while (auto transpose = source_.getDefiningOp<stablehlo::TransposeOp>()) {
      source_ = transpose.getOperand();
      for (int64_t &place : places_) place = transpose.getPermutation()[place];
    }
    for (Numbers &part : parts_) part.of = build_.reshape(part.of, {typeOf(part.of).getNumElements()});
  }
  int64_t dimOf(size_t component) const { return places_[numbers_.getStartIndexMap()[component]]; }

  // `v`'s elements at `numbers` along `dim`.
  stablehlo::GatherOp gathered(Value v, int64_t dim, Value numbers) {
    SmallVector<int64_t> offset, sizes(typeOf(v).getShape()), shape(sizes);
    for (int64_t d = 0; d < typeOf(v).getRank(); ++d)
      if (d != dim) offset.push_back(d);
    sizes[dim] = 1;
    shape[dim] = typeOf(numbers).getNumElements();
    auto dims = stablehlo::GatherDimensionNumbersAttr::get(b_.getContext(), offset, {dim}, {}, {}, {dim}, 1);
    return stablehlo::GatherOp::create(b_, op_.getLoc(), typeOf(v).clone(shape), v, numbers, dims,
                                       b_.getDenseI64ArrayAttr(sizes), b_.getBoolAttr(false));
  }
  Chain chain(ArrayRef<size_t> order) {
    Chain out;
    for (size_t k : order) {
      Value from = out.gathers.empty() ? source_ : out.gathers.back();
      out.gathers.push_back(gathered(from, dimOf(k), parts_[k].of));
      out.cycles += cyclesAlong(out.gathers.back(), dimOf(k));
    }
    return out;
  }
  static void erase(const Chain &chain) {
    for (stablehlo::GatherOp op : llvm::reverse(chain.gathers)) op.erase();
  }

  // ---- estimates ----
  double cyclesAlong(stablehlo::GatherOp op, int64_t dim) const {
    const double moved = plan::cyclesOfTransfers(model_, op);
    RankedTensorType from = typeOf(op.getOperand());
    if (dim != from.getRank() - 1 || !isLookedUp(from.getElementType())) return moved;
    Type word = IntegerType::get(op.getContext(), 32);
    return std::min(moved, plan::cyclesOfLookups(model_, RankedTensorType::get(from.getShape(), word),
                                                 RankedTensorType::get(typeOf(op).getShape(), word))
                               .value_or(moved));
  }
  // The gather as it is, with the transposes around it that would go.
  double windowCycles() {
    double moved = plan::cyclesOfTransfers(model_, op_);
    RankedTensorType from = typeOf(op_.getOperand());
    if (isLookedUp(from.getElementType()))
      moved = std::min(moved,
                       plan::cyclesOfLookups(model_, from.clone({from.getNumElements()}), typeOf(op_)).value_or(moved));
    if (op_.getOperand() != source_)
      moved += cyclesOfCopy(from) / static_cast<double>(llvm::range_size(op_.getOperand().getUsers()));
    for (Operation *user : op_->getUsers())
      if (mlir::isa<stablehlo::TransposeOp>(user)) moved += cyclesOfCopy(typeOf(op_));
    return moved;
  }
  double cyclesOfCopy(RankedTensorType type) const {
    return static_cast<double>(model_.hbmCycles(2 * analysis::paddedBytes(type), 1));
  }
  static bool isLookedUp(Type element) { return isKnownElement(element) && element.getIntOrFloatBitWidth() <= 32; }

  // ---- the result ----
  // `v` has the source's dims, the numbers' in the place of those that are indexed.
  void replace(Value v) {
    const int64_t vectorDim = numbers_.getIndexVectorDim(), rank = typeOf(op_).getRank();
    SmallVector<int64_t> ofIndices, ofSource(typeOf(source_).getRank(), -1);  // dims of the result
    for (int64_t d = 0; d < rank; ++d)
      if (!llvm::is_contained(numbers_.getOffsetDims(), d)) ofIndices.push_back(d);
    auto *offset = numbers_.getOffsetDims().begin();
    for (auto [d, place] : llvm::enumerate(places_))
      if (!llvm::is_contained(numbers_.getCollapsedSliceDims(), static_cast<int64_t>(d))) ofSource[place] = *offset++;
    SmallVector<int64_t> dims;  // of the result, in the order in which they lie
    for (int64_t place = 0; place < typeOf(source_).getRank(); ++place) {
      if (ofSource[place] >= 0) dims.push_back(ofSource[place]);
      for (auto [k, part] : llvm::enumerate(parts_))
        if (dimOf(k) == place)
          for (int64_t d : part.along) dims.push_back(ofIndices[d - (d > vectorDim)]);
    }
    for (int64_t d = 0; d < rank; ++d)
      if (!llvm::is_contained(dims, d)) dims.push_back(d);  // of one element
    v = build_.reshape(v, llvm::map_to_vector(dims, [&](int64_t d) { return typeOf(op_).getDimSize(d); }));
    SmallVector<int64_t> back(rank);
    for (auto [i, d] : llvm::enumerate(dims)) back[d] = static_cast<int64_t>(i);
    for (Operation *user : llvm::make_early_inc_range(op_->getUsers()))
      if (auto transpose = dyn_cast<stablehlo::TransposeOp>(user)) undo(transpose, v, back);
    if (!op_->use_empty()) op_.replaceAllUsesWith(build_.transpose(v, back));
    op_.erase();
  }
  static void undo(stablehlo::TransposeOp transpose, Value v, ArrayRef<int64_t> back) {
    auto order = llvm::map_to_vector(transpose.getPermutation(), [&](int64_t d) { return back[d]; });
    OpBuilder b(transpose);
    transpose.replaceAllUsesWith(Build{b, transpose.getLoc()}.transpose(v, order));
    transpose.erase();
  }

  const timing::MachineModel &model_;
  stablehlo::GatherOp op_;
  OpBuilder b_;
  Build build_;
  stablehlo::GatherDimensionNumbersAttr numbers_;
  SmallVector<Numbers> parts_;  // of each component
  Value source_;
  SmallVector<int64_t> places_;
};

struct SplitGathers : impl::SplitGathersPassBase<SplitGathers> {
  using SplitGathersPassBase::SplitGathersPassBase;

  void runOnOperation() override {
    target::Target machine;
    if (failed(analysis::loadTarget(getOperation(), target, sets, machine))) return signalPassFailure();
    const timing::MachineModel model(machine);
    SmallVector<stablehlo::GatherOp> ops;
    getOperation().walk([&](stablehlo::GatherOp op) { ops.push_back(op); });
    for (stablehlo::GatherOp op : ops)
      if (ProductGather gather(op, model); gather.applies()) gather.rewrite();
  }
};

}  // namespace
}  // namespace tpuc::decompose
