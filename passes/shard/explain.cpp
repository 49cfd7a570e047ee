//===- explain.cpp - which annotation reached which value, by which op ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/shard/explain.h"

#include "mlir/IR/Remarks.h"

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

Explainer::Explainer(Table &table) : table(table) {
  int constraints = 0, outputs = 0;
  for (int slot = 0, end = table.size(); slot < end; ++slot) {
    if (!table[slot]) continue;
    std::string name = nameOf(table, slot, constraints);
    if (name == "output") name += ": " + std::to_string(outputs++);
    for (Axis axis : axesOf(*table[slot])) origins[{slot, axis}] = name;
  }
}

void Explainer::note(Operation *op, ArrayRef<int> slots, int operands, ArrayRef<std::optional<Sharding>> before,
                     ArrayRef<int> changed, ArrayRef<Decision> decisions, const Rule &rule) {
  for (const Decision &decision : decisions) {
    if (!decision.cut || changed.empty()) continue;
    bool operand = decision.source < operands;
    std::string side = operand ? "operand " : "result ";
    remark::analysis(op->getLoc(), remark::RemarkOpts::name("conflict").category("sharding"))
        << side + std::to_string(operand ? decision.source : decision.source - operands) + " of '" +
               op->getName().getStringRef().str() + "' has axes along factor " + std::to_string(decision.factor) +
               " that not all its arrays can have";
  }
  if (changed.empty()) return;
  ++steps;
  for (int array : changed) {
    const Sharding &now = *table[slots[array]];
    Axes had = before[array] ? axesOf(*before[array]) : Axes();
    for (Axis axis : axesOf(now)) {
      if (llvm::is_contained(had, axis)) continue;
      // The array that had it, or what it is a part of.
      auto from = llvm::find_if(llvm::seq<int>(0, slots.size()), [&](int other) {
        return other != array && before[other] &&
               llvm::any_of(axesOf(*before[other]), [&](Axis one) { return sdy::overlap(one, axis); });
      });
      int source = from == llvm::seq<int>(0, slots.size()).end() ? -1 : *from;
      if (source < 0) continue;
      std::string origin;
      for (auto &[key, name] : origins)
        if (key.first == slots[source] && sdy::overlap(key.second, axis)) origin = name;
      origins[{slots[array], axis}] = origin;
      auto same = llvm::find_if(moves, [&](Move &move) {
        return move.op == op && move.step == steps && move.axis == axis && move.source == source;
      });
      if (same != moves.end())
        same->targets.push_back(array);
      else
        moves.push_back({op, steps, axis, now.mesh, source, operands, {array}});
    }
  }
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
  for (auto &[key, name] : origins) {
    auto &[slot, axis] = key;
    if (!table[slot] || !llvm::is_contained(axesOf(*table[slot]), axis)) continue;
    MLIRContext *context = table[slot]->mesh->ref.getContext();
    std::string text;
    llvm::raw_string_ostream out(text);
    sdy::AxisRefAttr ref = sdy::encode(table[slot]->mesh->attr, axis);
    out << ref.getName();
    if (ref.isSubAxis()) out << ":(" << ref.getPreSize() << ")" << ref.getSize();
    all[slot].push_back({StringAttr::get(context, text), StringAttr::get(context, name)});
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
