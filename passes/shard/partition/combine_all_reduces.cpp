//===- combine_all_reduces.cpp - one all_reduce of several arrays -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Within a block, in order: an all_reduce joins the open set of its kind (groups, reducer, element type) unless it
//    depends on the set, or the set is large enough; then it opens another.
// 2. What depends on a member depends on all members, and on all that they depend on: sets form no cycle.
// 3. Each set becomes one op where its last member stands; the block is sorted again.
//===-----------------------------------------------------------------------------===//
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "passes/shard/partition/partitioner.h"
#include "passes/shard/partition/passes.h"
#include "passes/shard/partition/reshard.h"

using namespace mlir;

namespace tpuc::shard {
#define GEN_PASS_DEF_COMBINEALLREDUCESPASS
#include "passes/shard/partition/passes.h.inc"

namespace {

namespace hlo = tpuc::stablehlo;

struct Kind {
  Attribute groups;
  Reducer reducer;
  Type element;
  bool operator==(const Kind &other) const {
    return groups == other.groups && reducer == other.reducer && element == other.element;
  }
};

std::optional<Kind> kindOf(Operation *op) {
  auto reduce = dyn_cast<hlo::AllReduceOp>(op);
  if (!reduce || reduce->getNumOperands() != 1 || !reduce.getUseGlobalDeviceIds()) return std::nullopt;
  auto type = dyn_cast<RankedTensorType>(reduce->getOperand(0).getType());
  std::optional<Reducer> reducer = reducerOf(reduce.getComputation());
  if (!type || !reducer || reduce->getResult(0).getType() != type) return std::nullopt;
  return Kind{reduce.getReplicaGroups(), *reducer, type.getElementType()};
}

struct Set {
  Kind kind;
  SmallVector<Operation *> members;
  llvm::BitVector behind;  // the sets that its members depend on, and those that these depend on
  int64_t bytes = 0;
};

int64_t bytesOfResult(Operation *op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  return type.getNumElements() * bytesOf(type.getElementType());
}

class Combiner {
 public:
  Combiner(Block &block, int64_t maxBytes) : block(block), maxBytes(maxBytes) {}

  void run() {
    for (Operation &op : block) visit(&op);
    bool combined = false;
    for (Set &set : sets)
      if (set.members.size() > 1) combine(set), combined = true;
    if (combined) sortTopologically(&block);
  }

 private:
  void visit(Operation *op) {
    llvm::BitVector on = setsOf(op);
    if (std::optional<Kind> kind = kindOf(op)) join(op, *kind, on);
    if (on.any()) setsBehind[op] = std::move(on);
  }

  // Those with a member that the op, or one of its regions, depends on; `behind` says which others these depend on.
  llvm::BitVector setsOf(Operation *op) const {
    llvm::BitVector on;
    auto add = [&](Operation *user) {
      for (Value operand : user->getOperands())
        if (auto entry = setsBehind.find(operand.getDefiningOp()); entry != setsBehind.end()) on |= entry->second;
    };
    op->getNumRegions() == 0 ? add(op) : (void)op->walk([&](Operation *inner) { add(inner); });
    return on;
  }

  void join(Operation *op, const Kind &kind, llvm::BitVector &on) {
    llvm::BitVector all = on;
    for (unsigned set : on.set_bits()) all |= sets[set].behind;
    unsigned number = 0, end = sets.size();
    auto takes = [&](unsigned set) {
      return sets[set].kind == kind && !(set < all.size() && all.test(set)) &&
             sets[set].bytes + bytesOfResult(op) <= maxBytes;
    };
    while (number < end && !takes(number)) ++number;
    if (number == end) sets.push_back({kind, {}, {}, 0});
    Set &set = sets[number];
    set.members.push_back(op);
    set.bytes += bytesOfResult(op);
    set.behind |= all;
    for (Set &other : sets)
      if (number < other.behind.size() && other.behind.test(number)) other.behind |= set.behind;
    on.resize(std::max<unsigned>(on.size(), number + 1));
    on.set(number);
  }

  static void combine(Set &set) {
    OpBuilder builder(set.members.back());
    SmallVector<Value> operands;
    SmallVector<Location> locations;
    for (Operation *member : set.members) {
      operands.push_back(member->getOperand(0));
      locations.push_back(member->getLoc());
    }
    auto first = cast<hlo::AllReduceOp>(set.members.front());
    auto all = hlo::AllReduceOp::create(builder, builder.getFusedLoc(locations), ValueRange(operands).getTypes(),
                                        operands, first.getReplicaGroups(), first.getChannelHandleAttr(), true);
    IRMapping map;
    first.getComputation().cloneInto(&all.getComputation(), map);
    for (auto [member, result] : llvm::zip_equal(set.members, all->getResults())) {
      member->getResult(0).replaceAllUsesWith(result);
      member->erase();
    }
  }

  Block &block;
  int64_t maxBytes;
  std::vector<Set> sets;
  DenseMap<Operation *, llvm::BitVector> setsBehind;  // of ops that depend on any, or are members
};

struct CombineAllReduces : impl::CombineAllReducesPassBase<CombineAllReduces> {
  using CombineAllReducesPassBase::CombineAllReducesPassBase;

  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation().walk([&](Operation *op) {
      if (!isa<func::FuncOp, hlo::WhileOp, hlo::IfOp, hlo::CaseOp>(op)) return;
      for (Region &region : op->getRegions())
        for (Block &block : region) blocks.push_back(&block);
    });
    for (Block *block : blocks) Combiner(*block, maxBytes).run();
    int64_t channel = 0;
    getOperation().walk([&](Operation *op) {
      if (auto handle = op->getAttrOfType<hlo::ChannelHandleAttr>("channel_handle"))
        op->setAttr("channel_handle", hlo::ChannelHandleAttr::get(op->getContext(), ++channel, handle.getType()));
    });
  }
};

}  // namespace
}  // namespace tpuc::shard
