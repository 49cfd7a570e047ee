//===- explain_remarks.cpp - by which path an axis came to an array, in words ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/diagnostics/describe_location.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "mlir/IR/Remarks.h"
#include "passes/shard/explain.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

using RemarkFact = remark::detail::Remark::Arg;

// What an edge of data flow is an edge of; any other value itself.
Value ownerOf(Value value) {
  if (auto edge = value.getDefiningOp<sdy::DataFlowEdgeOp>()) return edge.getInput();
  if (auto edge = value.getDefiningOp<sdy::FuncDataFlowEdgeOp>()) return edge.getOperand();
  return value;
}

// "argument 0", "'stablehlo.add'", "result 1 of 'stablehlo.while'".
std::string nameOf(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *holder = argument.getOwner()->getParentOp();
    std::string name = llvm::formatv("argument {0}", argument.getArgNumber()).str();
    auto function = dyn_cast<func::FuncOp>(holder);
    if (function && function.isPublic()) return name;
    return name + " of '" + (function ? function.getName() : holder->getName().getStringRef()).str() + "'";
  }
  Operation *op = value.getDefiningOp();
  const std::string name = "'" + op->getName().getStringRef().str() + "'";
  if (op->getNumResults() == 1) return name;
  return llvm::formatv("result {0} of {1}", cast<OpResult>(value).getResultNumber(), name).str();
}

std::string placed(const std::string &name, Location location) {
  const std::string line = describeLocation(location);
  return line.empty() ? name : name + " (" + line + ")";
}

std::string arrayName(int array, int operands) {
  return (array < operands ? "operand " : "result ") + std::to_string(array < operands ? array : array - operands);
}

// "x", "y":(1)2
std::string quotedText(const Mesh *mesh, Axis axis) {
  const std::string text = axisText(mesh, axis);
  const size_t end = text.find(":(");  // of the name
  return "\"" + text.substr(0, end) + "\"" + (end == std::string::npos ? "" : text.substr(end));
}

// [{"x", "y":(1)2}, {}]
std::string shardingText(const Sharding &sharding) {
  auto list = [&](ArrayRef<Axis> axes) {
    return "{" + llvm::join(llvm::map_range(axes, [&](Axis axis) { return quotedText(sharding.mesh, axis); }), ", ") +
           "}";
  };
  std::string text =
      "[" + llvm::join(llvm::map_range(sharding.dims, [&](const Dim &dim) { return list(dim.axes); }), ", ") + "]";
  if (!sharding.replicated.empty()) text += ", replicated=" + list(sharding.replicated);
  if (!sharding.unreduced.empty()) text += ", unreduced=" + list(sharding.unreduced);
  return text;
}

std::optional<size_t> dimOf(const Rule &rule, int array, int factor) {
  for (auto [dim, factors] : llvm::enumerate(rule.dims[array]))
    if (llvm::is_contained(factors, factor)) return dim;
  return std::nullopt;
}

bool isAlong(const Dim &dim, Axis axis) {
  return llvm::any_of(dim.axes, [&](Axis own) { return sdy::overlap(own, axis); });
}

}  // namespace

Explainer::Array Explainer::describe(int slot) const {
  const Value value = table.valueOf(slot);
  if (!value) {
    auto [function, index] = table.resultOf(slot);
    return {llvm::formatv("result {0}", index).str(), function.getLoc(), function.getResultTypes()[index]};
  }
  const Value owner = ownerOf(value);
  return {nameOf(owner), owner.getLoc(), owner.getType()};
}

// The value's own sharding, or a constraint's that it got.
std::string Explainer::statementOf(int slot) const {
  const Array array = describe(slot);
  if (const Value value = table.valueOf(slot))
    for (Operation *user : value.getUsers())
      if (isa<sdy::ShardingConstraintOp>(user)) return placed("'sdy.sharding_constraint'", user->getLoc());
  return placed(array.name, array.location);
}

// All of a short path; of a long one its ends.
std::string Explainer::textOfPath(ArrayRef<std::pair<int, const Arrival *>> path) const {
  constexpr size_t kEnds = 4;
  std::string text;
  for (auto [i, at] : llvm::enumerate(path)) {
    if (i == 0) continue;
    if (path.size() > 2 * kEnds + 2 && i > kEnds && i + kEnds < path.size()) {
      if (i == kEnds + 1) text += llvm::formatv(", {0} more", path.size() - 1 - 2 * kEnds).str();
      continue;
    }
    Operation *op = at.second->op;
    text += (i == 1 ? " by " : ", ") + placed("'" + op->getName().getStringRef().str() + "'", op->getLoc());
  }
  return text;
}

// `now`: whether the array has the axis at the end, and not a larger one that this became a part of.
void Explainer::remarkAxis(int slot, Axis axis, bool now) {
  const Array array = describe(slot);
  auto out = remark::analysis(array.location, remark::RemarkOpts::name("path").category("propagation"));
  if (!out) return;
  const auto path = pathTo(slot, axis);
  if (path.empty()) return;
  const Mesh *mesh = table[slot]->mesh;
  const std::string name = axisText(mesh, axis);
  const Arrival &last = *path.back().second;
  const auto dim = llvm::find_if(table[slot]->dims, [&](const Dim &own) { return isAlong(own, axis); });
  const auto number = dim - table[slot]->dims.begin();
  const std::string way =
      path.size() > 1 ? "from " + statementOf(path.front().first) + textOfPath(path) : "as the program states";
  out << llvm::formatv("{0} {1} \"{2}\" along dimension {3}, {4}", array.name, now ? "has" : "had", name, number, way)
             .str();
  out << RemarkFact("slot", slot) << RemarkFact("axis", name) << RemarkFact("dim", number) << RemarkFact("now", now)
      << RemarkFact("way", way) << RemarkFact("step", last.step);
  if (last.from < 0) out << RemarkFact("stated", statementOf(slot));
  if (!last.op) return;
  out << RemarkFact("from", last.from) << RemarkFact("from_axis", axisText(mesh, path[path.size() - 2].second->axis))
      << RemarkFact("op", last.op->getName().getStringRef()) << RemarkFact("line", describeLocation(last.op->getLoc()))
      << RemarkFact("source", arrayName(last.source, last.operands))
      << RemarkFact("target", arrayName(last.target, last.operands));
}

void Explainer::remarkArray(int slot) {
  const Array array = describe(slot);
  auto out = remark::analysis(array.location, remark::RemarkOpts::name("array").category("propagation"));
  if (!out) return;
  const bool reached = table[slot] && llvm::any_of(table[slot]->dims, [](const Dim &dim) { return !dim.axes.empty(); });
  std::string type;
  llvm::raw_string_ostream(type) << array.type;
  const std::string sharding = table[slot] ? shardingText(*table[slot]) : "";
  out << array.name + (reached ? " has " + sharding : " is whole on each device: no annotation gives it an axis");
  out << RemarkFact("slot", slot) << RemarkFact("name", array.name)
      << RemarkFact("line", describeLocation(array.location)) << RemarkFact("type", type)
      << RemarkFact("sharding", sharding);
}

// Why an array of a conflict has no `axis` along the factor.
std::string Explainer::whyNot(const Conflict &conflict, int array, Axis axis) const {
  const Sharding &sharding = *table[conflict.slots[array]];
  for (auto [dim, own] : llvm::enumerate(sharding.dims))
    if (isAlong(own, axis)) return llvm::formatv("which has it along dimension {0}", dim).str();
  for (ArrayRef<Axis> taken : {ArrayRef(sharding.replicated), ArrayRef(sharding.unreduced)})
    if (llvm::any_of(taken, [&](Axis one) { return sdy::overlap(one, axis); }))
      return "which states it replicated or unreduced";
  const Dim &own = sharding.dims[*dimOf(*conflict.rule, array, conflict.factor)];
  if (!own.axes.empty()) return "which has \"" + axisText(sharding.mesh, own.axes.front()) + "\" along it";
  if (own.closed) return "which is closed";
  return "";
}

// The first array that lacks what the decision's source has; empty where none does in the end.
std::string Explainer::textOfConflict(const Conflict &conflict) const {
  const Rule &rule = *conflict.rule;
  const auto given = dimOf(rule, conflict.source, conflict.factor);
  for (auto [array, slot] : llvm::enumerate(conflict.slots)) {
    const auto dim = dimOf(rule, array, conflict.factor);
    if (slot < 0 || !table[slot] || !dim || !given || static_cast<int>(array) == conflict.source) continue;
    for (Axis axis : conflict.axes) {
      if (isAlong(table[slot]->dims[*dim], axis)) continue;
      const std::string why = whyNot(conflict, array, axis);
      return llvm::formatv("'{0}': \"{1}\" along dimension {2} of {3} does not reach dimension {4} of {5}{6}",
                           conflict.op->getName().getStringRef(), axisText(table[slot]->mesh, axis), *given,
                           arrayName(conflict.source, rule.operands), *dim,
                           arrayName(static_cast<int>(array), rule.operands), why.empty() ? "" : ", " + why)
          .str();
    }
  }
  return {};
}

void Explainer::remark() {
  for (int slot = 0, end = static_cast<int>(arrivals.size()); slot < end; ++slot) {
    remarkArray(slot);
    if (!table[slot]) continue;
    Axes axes;
    for (const Dim &dim : table[slot]->dims) llvm::append_range(axes, dim.axes);
    for (Axis axis : axes) remarkAxis(slot, axis, /*now=*/true);
    for (const Arrival &arrival : arrivals[slot])
      if (!llvm::is_contained(axes, arrival.axis)) remarkAxis(slot, arrival.axis, /*now=*/false);
  }
  for (const Conflict &conflict : conflicts) {
    const std::string text = textOfConflict(conflict);
    if (text.empty()) continue;
    remark::analysis(conflict.op->getLoc(), remark::RemarkOpts::name("conflict").category("sharding")) << text;
  }
}

}  // namespace tpuc::shard
