//===- explain.cpp - which annotation reached which value, by which op ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/shard/explain.h"

#include <map>

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

// The place of an annotation: "input: 0", "output: 1", "constraint: 2", or the op that states it.
std::string nameOf(Table &table, int slot, int &constraints) {
  Value value = table.valueOf(slot);
  if (!value) return "output";
  if (auto argument = dyn_cast<BlockArgument>(value)) return "input: " + std::to_string(argument.getArgNumber());
  if (value.getDefiningOp<sdy::ShardingConstraintOp>()) return "constraint: " + std::to_string(constraints++);
  return value.getDefiningOp()->getName().getStringRef().str();
}

Axes axesOf(const Sharding &sharding) {
  Axes axes;
  for (const Dim &dim : sharding.dims) llvm::append_range(axes, dim.axes);
  return axes;
}

}  // namespace

std::string axisText(const Mesh *mesh, Axis axis) {
  sdy::AxisRefAttr ref = sdy::encode(mesh->attr, axis);
  std::string text = ref.getName().str();
  if (ref.isSubAxis()) text += llvm::formatv(":({0}){1}", ref.getPreSize(), ref.getSize()).str();
  return text;
}

Explainer::Explainer(Table &table) : table(table), arrivals(table.size()), annotations(table.size()) {
  int constraints = 0, outputs = 0;
  for (int slot = 0, end = table.size(); slot < end; ++slot) {
    if (!table[slot]) continue;
    annotations[slot] = nameOf(table, slot, constraints);
    if (annotations[slot] == "output") annotations[slot] += ": " + std::to_string(outputs++);
    for (Axis axis : axesOf(*table[slot])) arrivals[slot].push_back({axis});
  }
}

void Explainer::noteConflicts(Operation *op, ArrayRef<int> slots, const Rule &rule, ArrayRef<Decision> decisions) {
  for (const Decision &decision : decisions) {
    if (decision.cut && inConflict.insert({op, decision.factor}).second)
      conflicts.push_back({op, llvm::to_vector<4>(slots), &rule, decision.factor, decision.source, decision.axes});
  }
}

void Explainer::noteMove(Operation *op, int source, int target, int operands, Axis axis, const Mesh *mesh) {
  for (Move &move : llvm::reverse(moves)) {
    if (move.step != steps) break;
    if (move.axis == axis && move.source == source) return move.targets.push_back(target);
  }
  moves.push_back({op, steps, axis, mesh, source, operands, {target}});
}

void Explainer::note(Operation *op, ArrayRef<int> slots, const Rule &rule, ArrayRef<std::optional<Sharding>> before,
                     ArrayRef<int> changed, ArrayRef<Decision> decisions) {
  noteConflicts(op, slots, rule, decisions);
  if (changed.empty()) return;
  ++steps;
  for (int array : changed) {
    const Sharding &now = *table[slots[array]];
    Axes had = before[array] ? axesOf(*before[array]) : Axes();
    for (Axis axis : axesOf(now)) {
      if (llvm::is_contained(had, axis)) continue;
      // The array that had it, or what it is a part of.
      auto arrays = llvm::seq<int>(0, slots.size());
      auto from = llvm::find_if(arrays, [&](int other) {
        return other != array && before[other] &&
               llvm::any_of(axesOf(*before[other]), [&](Axis one) { return sdy::overlap(one, axis); });
      });
      if (from == arrays.end()) continue;
      arrivals[slots[array]].push_back({axis, steps, op, rule.operands, *from, array, slots[*from]});
      noteMove(op, *from, array, rule.operands, axis, now.mesh);
    }
  }
}

// What the slot had of the axis before a step, the latest.
const Explainer::Arrival *Explainer::arrivalOf(int slot, Axis axis, int before) const {
  const Arrival *latest = nullptr;
  for (const Arrival &arrival : arrivals[slot])
    if (arrival.step < before && sdy::overlap(arrival.axis, axis) && (!latest || latest->axis != axis))
      latest = &arrival;
  return latest;
}

// From the annotation to the slot: each slot on the way and how the axis came to it.
SmallVector<std::pair<int, const Explainer::Arrival *>> Explainer::pathTo(int slot, Axis axis) const {
  SmallVector<std::pair<int, const Arrival *>> path;
  for (const Arrival *arrival = arrivalOf(slot, axis, steps + 1); arrival;) {
    path.push_back({slot, arrival});
    if (arrival->from < 0) break;
    slot = arrival->from;
    arrival = arrivalOf(slot, axis, arrival->step);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

void Explainer::writeEdges() {
  llvm::MapVector<Operation *, std::map<int, SmallVector<sdy::AxisToPropagationDetailsAttr>>> all;
  for (const Move &move : moves) {
    MLIRContext *context = move.op->getContext();
    auto ref = [&](int array) {
      bool operand = array < move.operands;
      return sdy::EdgeValueRefAttr::get(context, operand ? sdy::EdgeNodeType::OPERAND : sdy::EdgeNodeType::RESULT,
                                        operand ? array : array - move.operands);
    };
    SmallVector<sdy::EdgeValueRefAttr> targets = llvm::map_to_vector(move.targets, ref);
    all[move.op][move.step].push_back(sdy::AxisToPropagationDetailsAttr::get(
        context, sdy::encode(move.mesh->attr, move.axis), ref(move.source), targets));
  }
  for (auto &[op, steps] : all) {
    SmallVector<sdy::PropagationOneStepAttr> list;
    for (auto &[step, entries] : steps)
      list.push_back(sdy::PropagationOneStepAttr::get(op->getContext(), step, entries));
    op->setAttr("sdy.propagation_edges", sdy::PropagationEdgesAttr::get(op->getContext(), list));
  }
}

void Explainer::writeOrigins() {
  std::map<int, SmallVector<NamedAttribute>> all;
  for (int slot = 0, end = table.size(); slot < end; ++slot) {
    if (!table[slot]) continue;
    MLIRContext *context = table[slot]->mesh->ref.getContext();
    Axes axes = axesOf(*table[slot]);
    llvm::sort(axes);
    for (Axis axis : axes) {
      auto path = pathTo(slot, axis);
      if (path.empty()) continue;
      all[slot].push_back({StringAttr::get(context, axisText(table[slot]->mesh, axis)),
                           StringAttr::get(context, annotations[path.front().first])});
    }
  }
  for (auto &[slot, entries] : all) {
    Value value = table.valueOf(slot);
    if (!value) continue;
    auto dictionary = DictionaryAttr::get(value.getContext(), entries);
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()))
        function.setArgAttr(argument.getArgNumber(), "sdy.sharding_origins", dictionary);
      continue;
    }
    value.getDefiningOp()->setAttr("sdy.sharding_origins", dictionary);
  }
}

void Explainer::write(bool edges, bool withOrigins) {
  if (edges) writeEdges();
  if (withOrigins) writeOrigins();
}

}  // namespace tpuc::shard
