// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that are split into groups, worked on dim by dim and put together again stay as they are: a group norm's.
//
//  1. A region: values of the split shape, connected through elementwise ops.
//  2. Both shapes' common refinement says which dims of the one lie in which of the other. Elementwise ops take the
//     whole shape. A broadcast spreads over the dims that it touches, is put together while small, and spreads over the
//     rest. A reduction first goes over the whole's dims that it covers, and over parts of dims in what is left.
//  3. It is done where that leaves fewer reshapes of the large array than there were.
#include "dialects/stablehlo/traits.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/IR/IRMapping.h"
#include "passes/analysis/domain.h"
#include "passes/analysis/scan.h"
#include "passes/builders/build.h"
#include "passes/layout/passes.h"
#include "passes/layout/refinement.h"

using namespace mlir;

namespace tpuc::layout {
using namespace builders;
#define GEN_PASS_DEF_UNDOSPLITSPASS
#include "passes/layout/passes.h.inc"
namespace {

constexpr size_t kMostValues = 256;
// Bytes of both forms; the kernels on small arrays that this makes take a dozen microseconds.
constexpr int64_t kWorth = int64_t{16} << 20;
constexpr int64_t kSmall = 8;  // a small array has at most that part of the region's elements

bool isSplat(Value v) {
  auto constant = v.getDefiningOp<stablehlo::ConstantOp>();
  return constant && constant.getValue().isSplat();
}

// Sums and the like that start from their neutral element, and are not rounded in between.
bool isSplittable(stablehlo::ReduceOp op) {
  if (op.getInputs().size() != 1) return false;
  Operation *by = analysis::onlyOp(op.getBody().front());
  Type t = typeOf(op.getInputs()[0]).getElementType();
  return by && !t.isBF16() && !t.isF16() && analysis::startsUnchanged(by, op.getInitValues()[0]);
}

class Region {
 public:
  Region(stablehlo::ReshapeOp first) : first_(first), whole_(first.getOperand().getType()), split_(first.getType()) {}
  bool collect();
  bool pays();
  // `erased`: ops that nothing reads any longer.
  void rewrite(DenseSet<Operation *> &erased);

 private:
  bool isIn(Value v) const { return typeOf(v).getShape() == split_.getShape(); }
  bool add(Value v);
  bool walks(Operation *op) const;
  // Dims of the whole that hold one of the parts.
  SmallVector<int64_t> touched(const DenseSet<int64_t> &parts) const;
  DenseSet<int64_t> partsOf(ArrayRef<int64_t> splitDims) const;
  SmallVector<int64_t> coveredBy(const DenseSet<int64_t> &parts) const;
  bool isSmall(ArrayRef<int64_t> wholeDims) const;
  SmallVector<Value> inOrder() const;
  Value inWhole(Value v, const DenseMap<Value, Value> &whole);
  void replaceUses(Value v, Value w);
  Value spread(stablehlo::BroadcastInDimOp op);
  Value reduced(stablehlo::ReduceOp op, Value v);
  Value partially(OpBuilder &b, stablehlo::ReduceOp op, Value v, ArrayRef<int64_t> dims);

  stablehlo::ReshapeOp first_;
  RankedTensorType whole_, split_;
  Refinement refinement_;
  llvm::SetVector<Value> values_;
};

// Elementwise on arrays of one shape.
bool Region::walks(Operation *op) const {
  if (!op->hasTrait<stablehlo::IsElementwise>() || op->getNumResults() != 1 || op->getNumRegions() ||
      op->getBlock() != first_->getBlock())
    return false;
  return llvm::all_of(op->getOperands(),
                      [&](Value v) {
                        return mlir::isa<RankedTensorType>(v.getType()) && (isIn(v) || typeOf(v).getRank() == 0);
                      }) &&
         isIn(op->getResult(0));
}

bool Region::add(Value v) { return isIn(v) && values_.insert(v); }

bool Region::collect() {
  if (!whole_.hasStaticShape() || whole_.getNumElements() == 0 || kernel::haveSameBytes(whole_, split_)) return false;
  if (analysis::paddedBytes(split_) + analysis::paddedBytes(whole_) < kWorth) return false;
  auto refinement = refine(whole_.getShape(), split_.getShape());
  if (!refinement) return false;
  refinement_ = *refinement;
  values_.insert(first_.getResult());
  for (size_t i = 0; i < values_.size(); ++i) {
    if (values_.size() > kMostValues) return false;
    Operation *def = values_[i].getDefiningOp();
    if (def && walks(def))
      for (Value v : def->getOperands()) add(v);
    for (Operation *user : values_[i].getUsers())
      if (walks(user)) {
        add(user->getResult(0));
        for (Value v : user->getOperands()) add(v);
      }
  }
  return true;
}

DenseSet<int64_t> Region::partsOf(ArrayRef<int64_t> splitDims) const {
  DenseSet<int64_t> parts;
  for (int64_t d : splitDims) parts.insert(refinement_.ofSplit[d].begin(), refinement_.ofSplit[d].end());
  return parts;
}

SmallVector<int64_t> Region::touched(const DenseSet<int64_t> &parts) const {
  SmallVector<int64_t> dims;
  for (auto [d, own] : llvm::enumerate(refinement_.ofWhole))
    if (llvm::any_of(own, [&](int64_t p) { return parts.contains(p); })) dims.push_back(d);
  return dims;
}

SmallVector<int64_t> Region::coveredBy(const DenseSet<int64_t> &parts) const {
  SmallVector<int64_t> dims;
  for (auto [d, own] : llvm::enumerate(refinement_.ofWhole))
    if (!own.empty() && llvm::all_of(own, [&](int64_t p) { return parts.contains(p); })) dims.push_back(d);
  return dims;
}

bool Region::isSmall(ArrayRef<int64_t> wholeDims) const {
  int64_t elements = 1;
  for (int64_t d : wholeDims) elements *= whole_.getDimSize(d);
  return elements * kSmall <= whole_.getNumElements();
}

// Counts reshapes of arrays of the region's size, before and after: fewer are left.
bool Region::pays() {
  int64_t before = 0, after = 0;
  for (Value v : values_) {
    Operation *def = v.getDefiningOp();
    auto broadcast = v.getDefiningOp<stablehlo::BroadcastInDimOp>();
    if (auto reshape = v.getDefiningOp<stablehlo::ReshapeOp>()) {
      bool free = kernel::haveSameBytes(reshape.getOperand().getType(), reshape.getType());
      before += !free;
      after += reshape.getOperand().getType().getShape() != whole_.getShape();
    } else if (broadcast) {
      after += !isSmall(touched(partsOf(broadcast.getBroadcastDimensions())));
    } else if (!isSplat(v) && (!def || !walks(def))) {
      ++after;
    }
    bool kept = false;  // in its split shape
    for (Operation *user : v.getUsers()) {
      auto reduce = dyn_cast<stablehlo::ReduceOp>(user);
      if (auto reshape = dyn_cast<stablehlo::ReshapeOp>(user)) {
        before += !kernel::haveSameBytes(split_, reshape.getType());
        after += reshape.getType().getShape() != whole_.getShape();
      } else if (reduce && isSplittable(reduce)) {
        SmallVector<int64_t> left, covered = coveredBy(partsOf(reduce.getDimensions()));
        for (int64_t d = 0; d < whole_.getRank(); ++d)
          if (!llvm::is_contained(covered, d)) left.push_back(d);
        after += !isSmall(left);
      } else {
        kept |= !walks(user);
      }
    }
    after += kept;
  }
  return after < before;
}

// The broadcast in the whole's shape. Its operand is first repeated along missing parts of the dims that it touches;
// these parts are put together while the array is small; the result is repeated along the other dims.
Value Region::spread(stablehlo::BroadcastInDimOp op) {
  OpBuilder b(op);
  Build build{b, op.getLoc()};
  RankedTensorType from = op.getOperand().getType();
  SmallVector<int64_t> dims;  // of the split shape, that the operand has
  for (auto [d, to] : llvm::enumerate(op.getBroadcastDimensions()))
    if (from.getDimSize(d) != 1) dims.push_back(to);
  DenseSet<int64_t> parts = partsOf(dims);
  SmallVector<int64_t> touch = touched(parts), own, all, places, joined;
  for (int64_t d : dims)
    for (int64_t p : refinement_.ofSplit[d]) own.push_back(p);
  for (int64_t d : touch) {
    for (int64_t p : refinement_.ofWhole[d]) all.push_back(p);
    joined.push_back(whole_.getDimSize(d));
  }
  auto extents = [&](ArrayRef<int64_t> of) {
    return llvm::map_to_vector(of, [&](int64_t p) { return refinement_.parts[p]; });
  };
  for (int64_t p : own) places.push_back(llvm::find(all, p) - all.begin());
  Value small = build.broadcast(build.reshape(op.getOperand(), extents(own)), extents(all), places);
  return build.broadcast(build.reshape(small, joined), whole_.getShape(), touch);
}

Value Region::partially(OpBuilder &b, stablehlo::ReduceOp op, Value v, ArrayRef<int64_t> dims) {
  if (dims.empty()) return v;
  SmallVector<int64_t> shape;
  for (int64_t d = 0; d < typeOf(v).getRank(); ++d)
    if (!llvm::is_contained(dims, d)) shape.push_back(typeOf(v).getDimSize(d));
  auto made =
      stablehlo::ReduceOp::create(b, op.getLoc(), TypeRange(RankedTensorType::get(shape, typeOf(v).getElementType())),
                                  ValueRange(v), op.getInitValues(), b.getDenseI64ArrayAttr(dims));
  IRMapping mapping;
  op.getBody().cloneInto(&made.getBody(), mapping);
  return made.getResult(0);
}

Value Region::reduced(stablehlo::ReduceOp op, Value v) {
  OpBuilder b(op);
  Build build{b, op.getLoc()};
  DenseSet<int64_t> parts = partsOf(op.getDimensions());
  SmallVector<int64_t> covered = coveredBy(parts), left, rest;
  Value some = partially(b, op, v, covered);
  for (int64_t d = 0; d < whole_.getRank(); ++d)
    if (!llvm::is_contained(covered, d))
      for (int64_t p : refinement_.ofWhole[d]) {
        if (parts.contains(p)) rest.push_back(left.size());
        left.push_back(refinement_.parts[p]);
      }
  if (!rest.empty()) some = partially(b, op, build.reshape(some, left), rest);
  return build.reshape(some, typeOf(op.getResult(0)).getShape());
}

// The region's arrays as they are defined: those from around the block first, then the block's arguments.
SmallVector<Value> Region::inOrder() const {
  SmallVector<Value> ordered;
  Block *block = first_->getBlock();
  for (Value v : llvm::reverse(values_))
    if (v.getDefiningOp() && v.getParentBlock() != block) ordered.push_back(v);
  for (Value v : values_)
    if (!v.getDefiningOp()) ordered.push_back(v);
  const size_t outer = ordered.size();
  for (Value v : values_)
    if (v.getDefiningOp() && v.getParentBlock() == block) ordered.push_back(v);
  llvm::stable_sort(llvm::MutableArrayRef<Value>(ordered).drop_front(outer), [](Value a, Value b) {
    Operation *first = a.getDefiningOp(), *second = b.getDefiningOp();
    return first != second && first->isBeforeInBlock(second);
  });
  return ordered;
}

// Makes array `v` in the whole's shape. `whole` has those before it.
Value Region::inWhole(Value v, const DenseMap<Value, Value> &whole) {
  Operation *def = v.getDefiningOp();
  Block *block = first_->getBlock();
  const bool here = def && def->getBlock() == block;
  OpBuilder b(here ? def : first_.getOperation());
  if (!here) b.setInsertionPointToStart(block);
  if (here && walks(def)) {
    Operation *made = b.clone(*def);
    for (OpOperand &operand : made->getOpOperands())
      if (Value w = whole.lookup(operand.get())) operand.set(w);
    made->getResult(0).setType(typeOf(v).clone(whole_.getShape()));
    return made->getResult(0);
  }
  if (auto broadcast = here ? dyn_cast<stablehlo::BroadcastInDimOp>(def) : stablehlo::BroadcastInDimOp())
    return spread(broadcast);
  if (isSplat(v)) {
    auto value = cast<DenseElementsAttr>(def->getAttr("value"));
    return stablehlo::ConstantOp::create(
        b, v.getLoc(), cast<ElementsAttr>(Attribute(value.resizeSplat(typeOf(v).clone(whole_.getShape())))));
  }
  auto reshape = v.getDefiningOp<stablehlo::ReshapeOp>();
  if (here) b.setInsertionPointAfter(def);
  return Build{b, v.getLoc()}.reshape(reshape ? reshape.getOperand() : v, whole_.getShape());
}

// Users of `v` outside of the region take `w`, which is `v` in the whole's shape.
void Region::replaceUses(Value v, Value w) {
  Value back;
  for (OpOperand &use : llvm::make_early_inc_range(v.getUses())) {
    Operation *user = use.getOwner();
    if (user == w.getDefiningOp() || walks(user)) continue;
    if (auto reduce = dyn_cast<stablehlo::ReduceOp>(user); reduce && isSplittable(reduce)) {
      reduce.getResult(0).replaceAllUsesWith(reduced(reduce, w));
      reduce.erase();
    } else if (mlir::isa<stablehlo::ReshapeOp>(user)) {
      use.set(w);
    } else if (Operation *def = v.getDefiningOp(); def && walks(def)) {
      OpBuilder b(v.getContext());
      b.setInsertionPointAfterValue(w);
      if (!back) back = Build{b, v.getLoc()}.reshape(w, split_.getShape());
      use.set(back);
    }
  }
}

void Region::rewrite(DenseSet<Operation *> &erased) {
  DenseMap<Value, Value> whole;
  const SmallVector<Value> ordered = inOrder();
  for (Value v : ordered) whole[v] = inWhole(v, whole);
  for (Value v : ordered) replaceUses(v, whole.lookup(v));
  for (Value v : llvm::reverse(ordered))
    if (Operation *def = v.getDefiningOp(); def && def->use_empty()) {
      erased.insert(def);
      def->erase();
    }
}

struct UndoSplits : impl::UndoSplitsPassBase<UndoSplits> {
  void runOnOperation() override {
    SmallVector<stablehlo::ReshapeOp> splits;
    getOperation().walk([&](stablehlo::ReshapeOp op) { splits.push_back(op); });
    DenseSet<Operation *> erased;
    for (stablehlo::ReshapeOp op : splits) {
      if (erased.contains(op) || op->use_empty()) continue;
      Region region(op);
      if (region.collect() && region.pays()) region.rewrite(erased);
    }
  }
};

}  // namespace
}  // namespace tpuc::layout
