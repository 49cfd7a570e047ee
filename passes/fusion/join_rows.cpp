// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Long rows of several dims become rows of one: logits of [batch, position, word] with their maxima and sums.
//
//  1. What a row is reduced to lies in tiles of its leading dims, 8 by 128 of them: a kernel that reads its rows again
//     would hold a thousand rows at once. As a vector, it is 128.
//  2. All that is computed row by row with such a reduction is one region: ops on whole arrays, on a number a row, and
//     what spreads either along the other's dims.
//  3. In the region the leading dims are one. Whole arrays that enter or leave it have the same bytes either way; the
//     numbers of rows are few, and are copied.
#include "dialects/kernel/kernel.h"
#include "passes/analysis/target_option.h"
#include "passes/fusion/group.h"
#include "passes/fusion/passes.h"

using namespace mlir;

namespace tpuc::fusion {
#define GEN_PASS_DEF_JOINROWSPASS
#include "passes/fusion/passes.h.inc"
namespace {

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

bool isSplat(Value v) {
  auto constant = v.getDefiningOp<stablehlo::ConstantOp>();
  return constant && constant.getValue().isSplat();
}

class Rows {
 public:
  explicit Rows(stablehlo::ReduceOp seed) : block_(seed->getBlock()), whole_(typeOf(seed.getInputs()[0]).getShape()) {
    lead_.assign(whole_.begin(), whole_.end() - 1);
    count_ = 1;
    for (int64_t n : lead_) count_ *= n;
    ops_.insert(seed);
  }
  bool collect();
  void rewrite();
  ArrayRef<Operation *> ops() const { return ops_.getArrayRef(); }

 private:
  bool isWhole(Value v) const { return typeOf(v).getShape() == ArrayRef(whole_); }
  bool isOfRows(Value v) const { return typeOf(v).getShape() == ArrayRef(lead_); }
  bool walksRows(Operation *op) const;
  bool mayEnter(Value v) const;
  RankedTensorType joined(Type type) const {
    auto t = cast<RankedTensorType>(type);
    if (t.getShape() == ArrayRef(whole_)) return t.clone({count_, whole_.back()});
    return t.getShape() == ArrayRef(lead_) ? t.clone({count_}) : t;
  }
  bool hasSameBytes(Value v) const { return !isWhole(v) || kernel::haveSameBytes(typeOf(v), joined(v.getType())); }
  Value in(OpBuilder &b, Value v);
  Operation *make(OpBuilder &b, Operation *op);

  Block *block_;
  SmallVector<int64_t> whole_, lead_;
  int64_t count_;
  llvm::SetVector<Operation *> ops_;
  DenseMap<Value, Value> joined_;
};

bool Rows::walksRows(Operation *op) const {
  if (op->getBlock() != block_ || op->getNumResults() == 0) return false;
  int64_t last = static_cast<int64_t>(lead_.size());
  SmallVector<int64_t> leading = llvm::to_vector(llvm::seq<int64_t>(0, last));
  Value v = op->getResult(0);
  if (auto reduce = dyn_cast<stablehlo::ReduceOp>(op))
    return isLoopOp(op) && reduce.getDimensions() == ArrayRef<int64_t>{last} &&
           llvm::all_of(reduce.getInputs(), [&](Value in) { return isWhole(in); });
  if (!isWhole(v) && !isOfRows(v)) return false;
  if (auto iota = dyn_cast<stablehlo::IotaOp>(op))
    return isWhole(v) && static_cast<int64_t>(iota.getIotaDimension()) == last;
  if (auto spread = dyn_cast<stablehlo::BroadcastInDimOp>(op)) {
    if (!typeOf(spread.getOperand()).getRank()) return true;
    bool ofRows = isOfRows(spread.getOperand()) && spread.getBroadcastDimensions() == ArrayRef(leading);
    bool alongRows =
        typeOf(spread.getOperand()).getRank() == 1 && spread.getBroadcastDimensions() == ArrayRef<int64_t>{last};
    return isWhole(v) && (ofRows || alongRows);
  }
  return !mlir::isa<stablehlo::ConstantOp>(op) && isPointwise(op);
}

// Splats are made again, and arrays lie in memory; what a kernel would make of its positions does not.
bool Rows::mayEnter(Value v) const {
  if (!isWhole(v) || isSplat(v)) return true;
  return hasSameBytes(v) && !(v.getDefiningOp() && isCheap(v.getDefiningOp()));
}

bool Rows::collect() {
  constexpr size_t kMost = 512;
  auto add = [&](Operation *op) {
    if (op && walksRows(op)) ops_.insert(op);
  };
  for (size_t i = 0; i < ops_.size() && ops_.size() <= kMost; ++i) {
    for (Value v : ops_[i]->getOperands()) add(v.getDefiningOp());
    for (Operation *user : ops_[i]->getUsers()) add(user);
  }
  if (ops_.size() > kMost) return false;
  return llvm::all_of(ops_, [&](Operation *op) {
    bool enter = llvm::all_of(op->getOperands(), [&](Value v) {
      return (v.getDefiningOp() && ops_.contains(v.getDefiningOp())) || mayEnter(v);
    });
    bool leaves = llvm::any_of(op->getUsers(), [&](Operation *user) { return !ops_.contains(user); });
    return enter && (!leaves || llvm::all_of(op->getResults(), [&](Value v) { return hasSameBytes(v); }));
  });
}

// A value as the region has it.
Value Rows::in(OpBuilder &b, Value v) {
  RankedTensorType type = joined(v.getType());
  if (type == v.getType()) return v;
  Value &known = joined_[v];
  if (known) return known;
  if (isSplat(v)) {
    auto value = cast<DenseElementsAttr>(v.getDefiningOp<stablehlo::ConstantOp>().getValue());
    return known = stablehlo::ConstantOp::create(b, v.getLoc(), type, cast<ElementsAttr>(value.resizeSplat(type)));
  }
  return known = stablehlo::ReshapeOp::create(b, v.getLoc(), type, v);
}

Operation *Rows::make(OpBuilder &b, Operation *op) {
  SmallVector<Value> operands = llvm::map_to_vector(op->getOperands(), [&](Value v) { return in(b, v); });
  OperationState state(op->getLoc(), op->getName(), operands,
                       llvm::map_to_vector(op->getResultTypes(), [&](Type t) -> Type { return joined(t); }),
                       op->getAttrs());
  for (unsigned i = 0; i < op->getNumRegions(); ++i) state.addRegion();
  Operation *made = b.create(state);
  for (auto [from, to] : llvm::zip(op->getRegions(), made->getRegions())) to.takeBody(from);
  if (auto reduce = dyn_cast<stablehlo::ReduceOp>(made)) reduce.setDimensions({1});
  if (auto iota = dyn_cast<stablehlo::IotaOp>(made)) iota.setIotaDimension(1);
  if (auto spread = dyn_cast<stablehlo::BroadcastInDimOp>(made); spread && typeOf(spread.getOperand()).getRank())
    spread.setBroadcastDimensions({isOfRows(op->getOperand(0)) ? 0 : 1});
  return made;
}

void Rows::rewrite() {
  SmallVector<Operation *> ordered = llvm::to_vector(ops_);
  llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *op : ordered) {
    OpBuilder b(op);
    Operation *made = make(b, op);
    for (auto [old, v] : llvm::zip(op->getResults(), made->getResults())) joined_[old] = v;
  }
  for (Operation *op : ordered)
    for (Value old : op->getResults()) {
      Value v = joined_.lookup(old), back;
      for (OpOperand &use : llvm::make_early_inc_range(old.getUses())) {
        if (ops_.contains(use.getOwner())) continue;
        OpBuilder b(op);
        if (!back) back = stablehlo::ReshapeOp::create(b, old.getLoc(), old.getType(), v);
        use.set(back);
      }
    }
  for (Operation *op : llvm::reverse(ordered)) op->erase();
}

struct JoinRows : impl::JoinRowsPassBase<JoinRows> {
  using JoinRowsPassBase::JoinRowsPassBase;

  // Rows that a kernel would hold, for two blocks of 32-bit lanes: more than fit VMEM, unless they are a vector's.
  static bool isWorth(stablehlo::ReduceOp op, int64_t vmemBytes) {
    RankedTensorType type = typeOf(op.getInputs()[0]);
    int64_t rank = type.getRank();
    if (rank < 3 || !isLoopOp(op) || op.getDimensions() != ArrayRef<int64_t>{rank - 1}) return false;
    int64_t row = 2 * 4 * static_cast<int64_t>(llvm::alignTo(type.getDimSize(rank - 1), 128));
    int64_t inTile =
        std::min<int64_t>(type.getDimSize(rank - 3), 8) * std::min<int64_t>(type.getDimSize(rank - 2), 128);
    return inTile * row > vmemBytes && 128 * row <= vmemBytes;
  }

  void runOnOperation() override {
    target::Target machine;
    if (failed(analysis::loadTarget(getOperation(), target, sets, machine))) return signalPassFailure();
    const int64_t vmemBytes = roomOn(machine).vmemBytes;
    SmallVector<stablehlo::ReduceOp> seeds;
    getOperation().walk([&](stablehlo::ReduceOp op) {
      if (isWorth(op, vmemBytes)) seeds.push_back(op);
    });
    // The reductions of a region that is done are gone.
    DenseSet<Operation *> done;
    for (stablehlo::ReduceOp seed : seeds) {
      if (done.contains(seed)) continue;
      Rows rows(seed);
      if (!rows.collect()) continue;
      for (Operation *op : rows.ops()) done.insert(op);
      rows.rewrite();
    }
  }
};

}  // namespace
}  // namespace tpuc::fusion
