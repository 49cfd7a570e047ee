//===- table.cpp - the shardings of a module while they propagate --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/shard/table.h"

using namespace mlir;

namespace tpuc::shard {

bool Sharding::saysNothing() const {
  return replicated.empty() && unreduced.empty() && hidden.empty() &&
         llvm::all_of(dims, [](const Dim &dim) { return dim.axes.empty() && !dim.closed && !dim.priority; });
}

Table::Table(ModuleOp module) : module(module) {}

const Mesh *Table::meshOf(Attribute ref) {
  std::unique_ptr<Mesh> &entry = meshes[ref];
  if (!entry) {
    auto attr = dyn_cast<sdy::MeshAttr>(ref);
    if (auto symbol = dyn_cast<FlatSymbolRefAttr>(ref))
      if (auto op = dyn_cast_or_null<sdy::MeshOp>(SymbolTable::lookupSymbolIn(module, symbol.getAttr())))
        attr = op.getMesh();
    entry = std::make_unique<Mesh>(Mesh{ref, attr ? attr : sdy::MeshAttr::get(ref.getContext(), {}, {})});
  }
  return entry.get();
}

std::optional<Sharding> Table::decode(sdy::TensorShardingAttr attribute) {
  if (!attribute) return std::nullopt;
  Sharding result;
  result.mesh = meshOf(attribute.getMeshOrRef());
  sdy::MeshAttr mesh = result.mesh->attr;
  for (sdy::DimensionShardingAttr dim : attribute.getDimShardings())
    result.dims.push_back({sdy::decode(mesh, dim.getAxes()), dim.getIsClosed(), dim.getPriority()});
  result.replicated = sdy::decode(mesh, attribute.getReplicatedAxes());
  result.unreduced = sdy::decode(mesh, attribute.getUnreducedAxes());
  result.reduction = attribute.getReductionOp();
  return result;
}

sdy::TensorShardingAttr Table::encode(const Sharding &sharding) const {
  MLIRContext *context = const_cast<ModuleOp &>(module).getContext();
  sdy::MeshAttr mesh = sharding.mesh->attr;
  SmallVector<sdy::DimensionShardingAttr> dims;
  for (const Dim &dim : sharding.dims)
    dims.push_back(sdy::DimensionShardingAttr::get(context, sdy::encode(mesh, dim.axes), dim.closed, dim.priority));
  return sdy::TensorShardingAttr::get(context, sharding.mesh->ref, dims, sdy::encode(mesh, sharding.replicated),
                                      sdy::encode(mesh, sharding.unreduced), sharding.reduction);
}

int Table::add(Slot slot, sdy::TensorShardingAttr sharding) {
  slot.sharding = slot.initial = decode(sharding);
  slots.push_back(std::move(slot));
  return slots.size() - 1;
}

int Table::slotOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape()) return -1;
  if (auto known = ofValue.find(value); known != ofValue.end()) return known->second;
  auto remember = [&](int slot) { return ofValue[value] = slot; };
  Operation *definer = value.getDefiningOp();
  if (value.hasOneUse())  // an edge holds the sharding of what it is an edge of
    if (auto edge = dyn_cast<sdy::FuncDataFlowEdgeOp>(*value.user_begin())) return remember(slotOf(edge.getResult()));
  auto argument = dyn_cast<BlockArgument>(value);
  Operation *holder = argument ? argument.getOwner()->getParentOp() : definer;
  Slot slot;
  slot.value = value;
  if (auto dataFlow = dyn_cast<sdy::ShardableDataFlowOpInterface>(holder)) {
    Value owner = dataFlow.getEdgeOwnerFromTarget(value);
    if (owner && owner.hasOneUse())
      if (auto edge = dyn_cast<sdy::DataFlowEdgeOp>(*owner.user_begin())) return remember(slotOf(edge.getResult()));
    slot.fixed = true;
    return remember(add(slot, owner ? dataFlow.getEdgeOwnerSharding(owner) : sdy::TensorShardingAttr()));
  }
  if (argument && !isa<func::FuncOp>(holder)) return remember(-1);  // of a reducer's body
  slot.fixed = isa_and_nonnull<sdy::CollectiveOpInterface>(definer);
  return remember(add(slot, sdy::shardingOf(value)));
}

int Table::slotOfResult(func::FuncOp function, unsigned index) {
  auto type = dyn_cast<RankedTensorType>(function.getResultTypes()[index]);
  if (!type || !type.hasStaticShape()) return -1;
  auto [entry, isNew] = ofResult.try_emplace({function, index}, -1);
  if (isNew) {
    Slot slot;
    slot.function = function, slot.index = index;
    entry->second = add(slot, function.getResultAttrOfType<sdy::TensorShardingAttr>(index, "sdy.sharding"));
  }
  return entry->second;
}

void Table::unite(ArrayRef<int> group) {
  int first = group.front();
  for (int slot : group) {
    members.push_back({slots[slot].value, first});
    if (!slots[first].sharding || slots[first].sharding->saysNothing())
      if (slots[slot].sharding) slots[first].sharding = slots[slot].sharding;
  }
  for (auto &[value, slot] : ofValue)
    if (llvm::is_contained(group, slot)) slot = first;
}

// A sharding among the results of an op; the others are open.
static void writeResult(Operation *op, unsigned number, sdy::TensorShardingAttr sharding) {
  SmallVector<sdy::TensorShardingAttr> all;
  if (auto old = op->getAttrOfType<sdy::TensorShardingPerValueAttr>("sdy.sharding"))
    llvm::append_range(all, old.getShardings());
  for (unsigned i = all.size(); i < op->getNumResults(); ++i) {
    auto type = dyn_cast<RankedTensorType>(op->getResult(i).getType());
    all.push_back(sdy::fullyOpen(sharding.getMeshOrRef(), type ? type.getRank() : 0));
  }
  all[number] = sharding;
  op->setAttr("sdy.sharding", sdy::TensorShardingPerValueAttr::get(op->getContext(), all));
}

void Table::write(Slot &slot, const Sharding &sharding) {
  sdy::TensorShardingAttr attribute = encode(sharding);
  if (slot.function) return slot.function.setResultAttr(slot.index, "sdy.sharding", attribute);
  if (auto argument = dyn_cast<BlockArgument>(slot.value))
    return cast<func::FuncOp>(argument.getOwner()->getParentOp())
        .setArgAttr(argument.getArgNumber(), "sdy.sharding", attribute);
  Operation *op = slot.value.getDefiningOp();
  if (auto constraint = dyn_cast<sdy::ShardingConstraintOp>(op))
    constraint.setShardingAttr(attribute);
  else if (auto reshard = dyn_cast<sdy::ReshardOp>(op))
    reshard.setShardingAttr(attribute);
  else if (auto edge = dyn_cast<sdy::DataFlowEdgeOp>(op))
    edge.setShardingAttr(attribute);
  else
    writeResult(op, cast<OpResult>(slot.value).getResultNumber(), attribute);
}

void Table::flush() {
  for (Slot &slot : slots)
    if (!slot.fixed && slot.sharding && slot.sharding != slot.initial) write(slot, *slot.sharding);
  for (auto [value, first] : members)
    if (slots[first].sharding && value != slots[first].value) {
      Operation *parent = isa<BlockArgument>(value) ? value.getParentBlock()->getParentOp() : nullptr;
      if (parent && !isa<func::FuncOp>(parent)) continue;
      Slot member;
      member.value = value;
      auto before = decode(sdy::shardingOf(value));
      if (before != slots[first].sharding) write(member, *slots[first].sharding);
    }
}

}  // namespace tpuc::shard
