// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels run while arrays are on their way to other chips.
//
//  1. Each block's ops are steps with times; what reads an array comes before what writes over it, as it did.
//  2. The steps' new order is taken where it is faster and memory has room; else one with fewer exchanges under way.
//  3. Exchanges that are under way at the same time get slots of their own.
#include "dialects/diagnostics/diagnose.h"
#include "dialects/kernel/host_call.h"
#include "dialects/kernel/slots.h"
#include "dialects/stablehlo/stablehlo.h"
#include "llvm/ADT/SmallBitVector.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/analysis/target_option.h"
#include "passes/plan/memory/in_place.h"
#include "passes/plan/overlap/memory.h"
#include "passes/plan/overlap/order.h"
#include "passes/plan/overlap/times.h"
#include "passes/plan/passes.h"

using namespace mlir;

namespace tpuc::plan {
#define GEN_PASS_DEF_OVERLAPEXCHANGESPASS
#include "passes/plan/passes.h.inc"
namespace {

constexpr int64_t kMostUnderWay = 8;  // of a block
constexpr int64_t kDeepest = 4;       // blocks within blocks that have several under way: slots are few
constexpr double kRoom = 0.9;         // of HBM: the arena has gaps

using Order = SmallVector<Operation *>;

Order orderOf(Block &block) {
  Order order;
  for (Operation &op : block.without_terminator()) order.push_back(&op);
  return order;
}

void setOrder(Block &block, const Order &order) {
  for (Operation *op : order) op->moveBefore(block.getTerminator());
}

bool hasExchanges(Block &block) { return !block.getOps<kernel::ExchangeStartOp>().empty(); }

// A block's ops as steps, in their order.
class Steps {
 public:
  Steps(Block &block, Times &times) : block_(block), order_(orderOf(block)) {
    for (auto [i, op] : llvm::enumerate(order_)) number_[op] = static_cast<int64_t>(i);
    steps_.resize(order_.size());
    for (Operation *op : order_) add(op, times);
    keepUpdates();
    keepCarried();
    keepGiven();
    keepHostCalls();
    for (Step &step : steps_) {
      llvm::sort(step.needs);
      step.needs.erase(llvm::unique(step.needs), step.needs.end());
    }
  }

  // The order with so many exchanges under way; nullopt where that is not faster.
  std::optional<Order> overlapped(int64_t most) const {
    if (!known_) return std::nullopt;
    const auto before = llvm::to_vector(llvm::seq<int64_t>(0, steps_.size()));
    const SmallVector<int64_t> after = overlappedOrder(steps_, most);
    if (timeOf(steps_, after) >= timeOf(steps_, before)) return std::nullopt;
    return llvm::map_to_vector(after, [&](int64_t i) { return order_[i]; });
  }

 private:
  void add(Operation *op, Times &times) {
    Step &step = steps_[number_[op]];
    op->walk([&](Operation *inner) {
      if (inner != op && inner->getParentOfType<kernel::FusionOp>()) return;
      for (Value v : inner->getOperands())
        if (Operation *def = v.getDefiningOp(); def && def != op && def->getBlock() == &block_)
          step.needs.push_back(number_[def]);
    });
    if (auto start = dyn_cast<kernel::ExchangeStartOp>(op)) {
      step.kind = Step::Start;
      step.time = times.linksOf(start);
      step.latency = times.latency();
      known_ &= start->hasOneUse() && mlir::isa<kernel::ExchangeDoneOp>(*start->user_begin()) &&
                start->user_begin()->getBlock() == &block_;
    } else if (auto done = dyn_cast<kernel::ExchangeDoneOp>(op)) {
      auto from = done.getStarted().getDefiningOp<kernel::ExchangeStartOp>();
      known_ &= from && number_.contains(from);
      step.kind = Step::Done;
      step.start = known_ ? number_[from] : -1;
    } else {
      step.time = times.of(op);
      if (mlir::isa<kernel::FusionOp>(op)) step.launch = times.launch();
    }
  }

  // Whoever reads `v` before `op` still does.
  void keepReaders(Value v, Operation *op) {
    const int64_t at = number_.lookup(op);
    for (OpOperand *use : readersOf(v)) {
      Operation *reader = block_.findAncestorOpInBlock(*use->getOwner());
      if (!reader || reader == op || !number_.contains(reader)) continue;
      if (const int64_t i = number_.lookup(reader); i < at) steps_[at].needs.push_back(i);
    }
  }

  // An exchange's result never lies where something is read: what is read may be what it sends.
  Operation *writerOf(Value v) const {
    Operation *def = rootOf(v).getDefiningOp();
    return def && number_.contains(def) && !mlir::isa<kernel::ExchangeStartOp>(def) ? def : nullptr;
  }

  void keepUpdates() {
    for (Operation *op : order_)
      for (Value result : op->getResults())
        if (Value old = updatedInPlace(result)) keepReaders(rootOf(old), op);
  }

  // What a loop carries is written to where the old one lies.
  void keepCarried() {
    if (!mlir::isa<stablehlo::WhileOp>(block_.getParentOp())) return;
    for (auto [old, made] : llvm::zip(block_.getArguments(), block_.getTerminator()->getOperands()))
      if (Operation *op = writerOf(made)) keepReaders(old, op);
  }

  // So are results that may lie where given arguments do: the first one of its type that no other has.
  void keepGiven() {
    auto main = dyn_cast<func::FuncOp>(block_.getParentOp());
    if (!main) return;
    llvm::SmallBitVector taken(main.getNumResults());
    for (BlockArgument arg : main.getArguments()) {
      auto wanted = main.getArgAttrOfType<IntegerAttr>(arg.getArgNumber(), "tf.aliasing_output");
      if (!wanted && !main.getArgAttr(arg.getArgNumber(), "jax.buffer_donor")) continue;
      for (auto [r, made] : llvm::enumerate(block_.getTerminator()->getOperands())) {
        if (taken[r] || made.getType() != arg.getType() || (wanted && wanted.getInt() != static_cast<int64_t>(r)))
          continue;
        taken.set(r);
        if (Operation *op = writerOf(made)) keepReaders(arg, op);
        break;
      }
    }
  }

  // A host call sees the chip at rest.
  void keepHostCalls() {
    int64_t last = -1;
    for (auto [i, op] : llvm::enumerate(order_)) {
      if (last >= 0) steps_[i].needs.push_back(last);
      if (!kernel::isHostCall(op)) continue;
      for (size_t before = last + 1; before < i; ++before) steps_[i].needs.push_back(static_cast<int64_t>(before));
      last = static_cast<int64_t>(i);
    }
  }

  Block &block_;
  Order order_;
  llvm::DenseMap<Operation *, int64_t> number_;
  SmallVector<Step> steps_;
  bool known_ = true;
};

// Slots for the exchanges of a block and of those within it.
void assignSlots(Block &block, llvm::SmallBitVector taken) {
  llvm::DenseMap<Value, unsigned> slots;
  for (Operation &op : block) {
    if (auto start = dyn_cast<kernel::ExchangeStartOp>(op)) {
      const int slot = taken.find_first_unset();
      taken.set(slot);
      slots[start.getResult()] = slot;
      start->removeAttr(kernel::kSlotAttr);
      if (slot) start->setAttr(kernel::kSlotAttr, Builder(start.getContext()).getI64IntegerAttr(slot));
    }
    if (auto done = dyn_cast<kernel::ExchangeDoneOp>(op))
      if (auto slot = slots.find(done.getStarted()); slot != slots.end()) taken.reset(slot->second);
    if (mlir::isa<kernel::FusionOp>(op)) continue;
    for (Region &region : op.getRegions())
      for (Block &inner : region) assignSlots(inner, taken);
  }
}

struct OverlapExchanges : impl::OverlapExchangesPassBase<OverlapExchanges> {
  using OverlapExchangesPassBase::OverlapExchangesPassBase;

  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!main) return;
    target::Target target;
    if (failed(analysis::loadTarget(getOperation(), this->target, sets, target))) return signalPassFailure();
    Times times(target);
    const double room = kRoom * static_cast<double>(target.memory().hbm_bytes());
    overlap(main, main.getBody().front(), times, room, 1);
    assignSlots(main.getBody().front(), llvm::SmallBitVector(kernel::kSlots));
  }

 private:
  void overlap(func::FuncOp main, Block &block, Times &times, double room, int64_t depth) {
    if (depth <= kDeepest && hasExchanges(block)) reorder(main, block, times, room);
    for (Operation &op : block)
      if (!mlir::isa<kernel::FusionOp>(op))
        for (Region &region : op.getRegions())
          for (Block &inner : region) overlap(main, inner, times, room, depth + 1);
  }

  // Fewer and fewer under way, until memory has room or needs no more than before.
  void reorder(func::FuncOp main, Block &block, Times &times, double room) {
    const Order before = orderOf(block);
    const Steps steps(block, times);
    const double needed = peakBytes(main);
    for (int64_t most = kMostUnderWay; most > 0; most /= 2) {
      const std::optional<Order> after = steps.overlapped(most);
      if (!after) return;
      setOrder(block, *after);
      const double needs = peakBytes(main);
      if (needs <= std::max(needed, room)) return;
      setOrder(block, before);
    }
  }
};

}  // namespace
}  // namespace tpuc::plan
