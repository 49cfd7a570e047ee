//===- remarks.cpp - which arrays are gathered, why, and what spares it -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every layout that an op asks for passes Partitioner::noteMove. Where a device gets more of an array than the part
// that it has, the op has no form that leaves the array apart: a remark says so at the op's line. What the program
// states (constraints, reshards, borders of manual computations) gathers because it is asked to, and needs no remark.
//===-----------------------------------------------------------------------------===//
#include "mlir/IR/Remarks.h"

#include "dialects/kernel/host_call.h"
#include "llvm/Support/FormatVariadic.h"
#include "passes/shard/partition/partitioner.h"

using namespace mlir;

namespace tpuc::shard {

namespace hlo = tpuc::stablehlo;

static int64_t elementsOf(const Layout &layout) {
  int64_t elements = 1;
  for (int64_t size : layout.localShape()) elements *= size;
  return elements;
}

void Partitioner::noteMove(Value global, RankedTensorType type, const Layout &from, const Layout &to) {
  if (!areRemarked) return;
  moves.asked.emplace_back(global, to);
  if (crossesMeshes(from, to)) {
    Layout whole = Layout::whole(type.getShape());
    moves.gathers.push_back({global, from, whole, costs.bytes(type, from, whole), /*otherMesh=*/true});
  } else if (elementsOf(to) > elementsOf(from)) {
    moves.gathers.push_back({global, from, to, costs.bytes(type, from, to), /*otherMesh=*/false});
  }
}

namespace {

class Remarker {
 public:
  Remarker(Operation *op, const Moves &moves) : op(op), moves(moves) {}

  void say(const Moves::Gather &gather) const {
    for (auto [dim, from] : llvm::enumerate(gather.from.dims)) {
      const Axes lost = lostAxes(gather, from);
      if (lost.empty()) continue;
      remark::missed(op->getLoc(), remark::RemarkOpts::name("gather").category("sharding"))
          << llvm::formatv("'{0}' needs dimension {1} of {2} whole: {3} bytes are moved{4}",
                           op->getName().getStringRef(), dim, nameOf(gather.global), gather.bytes,
                           way(gather, dim, lost))
                 .str();
    }
  }

 private:
  // Axes of a dimension that no dimension has afterwards.
  static Axes lostAxes(const Moves::Gather &gather, const DimLayout &from) {
    Axes lost;
    for (Axis axis : from.axes)
      if (llvm::none_of(gather.to.dims, [&](const DimLayout &to) { return isAlong(to, {axis}); })) lost.push_back(axis);
    return lost;
  }

  static bool isAlong(const DimLayout &dim, ArrayRef<Axis> axes) {
    return llvm::any_of(
        dim.axes, [&](Axis own) { return llvm::any_of(axes, [&](Axis axis) { return sdy::overlap(own, axis); }); });
  }

  std::string nameOf(Value value) const {
    for (auto [i, operand] : llvm::enumerate(op->getOperands()))
      if (operand == value) return llvm::formatv("operand {0}", i).str();
    for (auto [i, result] : llvm::enumerate(op->getResults()))
      if (result == value) return llvm::formatv("result {0}", i).str();
    for (Region &region : op->getRegions())
      for (auto [i, returned] : llvm::enumerate(region.front().getTerminator()->getOperands()))
        if (returned == value) return llvm::formatv("value {0} that its region returns", i).str();
    return "a value";
  }

  // Why the dimension is gathered, and the annotation that spares it.
  std::string way(const Moves::Gather &gather, size_t dim, const Axes &axes) const {
    const StringRef constraint = "with sdy.sharding_constraint (jax.lax.with_sharding_constraint)";
    if (gather.otherMesh) return "; state it on the mesh that the op's other arrays lie on, " + constraint.str();
    if (kernel::isHostCall(op))
      return "; the host takes whole arrays: call it in an sdy.manual_computation (jax.shard_map), which gives it "
             "parts";
    if (isa<hlo::WhileOp, hlo::IfOp, hlo::CaseOp>(op))
      return "; shard what its regions return alike, " + constraint.str();
    const size_t operand = std::distance(op->operand_begin(), llvm::find(op->getOperands(), gather.global));
    if (!moves.factors || operand == op->getNumOperands())
      return "; state it replicated where it is made, to gather it once for several ops, " + constraint.str();
    if (!isStuck(operand, dim, axes)) {
      if (std::string taken = takenBy(gather, axes); !taken.empty())
        return ", as its axes go along " + taken + "; shard one of both along other axes, " + constraint.str();
      if (std::string other = sharedWith(operand, dim); !other.empty())
        return isGathered(operand, dim, axes)
                   ? ", as is " + other +
                         ", which takes less time than to add partial results; to keep the parts, state "
                         "the result's sharding, " +
                         constraint.str()
                   : "; shard " + other + " along the same axes, " + constraint.str();
    }
    return "; shard another dimension of it, which the op passes on, " + constraint.str() + " before it";
  }

  // The op needs the dimension whole, or the axes do not divide what it consists of.
  bool isStuck(size_t operand, size_t dim, const Axes &axes) const {
    const SmallVector<int, 2> &own = moves.factors->rule.dims[operand][dim];
    if (llvm::none_of(own, [&](int factor) { return moves.factors->allowed.test(factor); })) return true;
    return own.size() > 1 && moves.factors->rule.sizes[own.front()] % sdy::shardedSize(axes) != 0;
  }

  // The dimension of another array that the axes lie along.
  std::string takenBy(const Moves::Gather &gather, const Axes &axes) const {
    auto find = [&](ArrayRef<std::pair<Value, Layout>> arrays) -> std::string {
      for (auto &[value, layout] : arrays)
        for (auto [dim, own] : llvm::enumerate(layout.dims))
          if (value != gather.global && isAlong(own, axes))
            return llvm::formatv("dimension {0} of {1}", dim, nameOf(value)).str();
      return {};
    };
    std::string found = find(moves.results);
    return found.empty() ? find(moves.asked) : found;
  }

  // Whether another operand has the axes along the same factor, and is gathered too.
  bool isGathered(size_t operand, size_t dim, const Axes &axes) const {
    const Rule &rule = moves.factors->rule;
    const int factor = rule.dims[operand][dim].front();
    return llvm::any_of(moves.gathers, [&](const Moves::Gather &other) {
      const size_t at = std::distance(op->operand_begin(), llvm::find(op->getOperands(), other.global));
      if (at == operand || at == op->getNumOperands()) return false;
      for (auto [own, layout] : llvm::enumerate(other.from.dims))
        if (llvm::is_contained(rule.dims[at][own], factor) && isAlong(layout, axes)) return true;
      return false;
    });
  }

  // A dimension of another array that has the same factor.
  std::string sharedWith(size_t operand, size_t dim) const {
    const Rule &rule = moves.factors->rule;
    const int factor = rule.dims[operand][dim].front(), arrays = static_cast<int>(rule.dims.size());
    for (int array = arrays - 1; array >= 0; --array)
      for (auto [other, own] : llvm::enumerate(rule.dims[array])) {
        if (array == static_cast<int>(operand) || !llvm::is_contained(own, factor)) continue;
        const bool isResult = array >= rule.operands;
        return llvm::formatv("dimension {0} of {1} {2}", other, isResult ? "result" : "operand",
                             isResult ? array - rule.operands : array)
            .str();
      }
    return {};
  }

  Operation *op;
  const Moves &moves;
};

// The program says in which layout it wants the value.
bool isStatement(Operation *op) { return op->getName().getDialectNamespace() == "sdy"; }

}  // namespace

void remarkGathers(Operation *op, const Moves &moves) {
  if (isStatement(op)) return;
  Remarker remarker(op, moves);
  for (const Moves::Gather &gather : moves.gathers) remarker.say(gather);
}

}  // namespace tpuc::shard
