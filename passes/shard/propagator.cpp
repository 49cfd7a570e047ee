//===- propagator.cpp - runs steps of propagation until nothing changes ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Each op with a rule, each edge of data flow and each return is an item over slots of the table.
// 2. All items are on the worklist, the first op on top. A step through the top item changes slots; the items of those
// come
//    on top again.
// 3. Axes only ever get more, and there are finitely many: it ends.
//===-----------------------------------------------------------------------------===//
#include "passes/shard/propagator.h"

#include <set>

#include "dialects/stablehlo/traits.h"
#include "passes/shard/explain.h"
#include "passes/shard/groups.h"

using namespace mlir;

namespace tpuc::shard {

Propagator::Propagator(ModuleOp module, PropagationOptions options) : module(module), options(options), table(module) {}
Propagator::~Propagator() = default;

//===-----------------------------------------------------------------------------===//
// Items
//===-----------------------------------------------------------------------------===//

LogicalResult Propagator::prepare() {
  reconcileGroups(module);
  for (auto &[id, group] : groupsOf(module)) {
    SmallVector<int> slots;
    for (sdy::ShardingGroupOp op : group)
      if (int slot = table.slotOf(op.getInput()); slot >= 0) slots.push_back(slot);
    if (!slots.empty()) table.unite(slots);
  }
  collect();
  for (int slot = 0, end = table.size(); slot < end; ++slot)
    if (auto &sharding = table[slot])
      if (llvm::any_of(sharding->dims, [](const Dim &dim) { return dim.priority.has_value(); }))
        stated.push_back({slot, *sharding});
  if (options.noteEdges || options.noteOrigins || module.getContext()->getRemarkEngine())
    explainer = std::make_unique<Explainer>(table);
  return success();
}

void Propagator::collect() {
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto edge = dyn_cast<sdy::DataFlowEdgeOp>(op))
      addEdge(edge);
    else if (auto edge = dyn_cast<sdy::FuncDataFlowEdgeOp>(op))
      addFunctionEdge(edge);
    else if (auto end = dyn_cast<func::ReturnOp>(op))
      addReturn(end);
    else
      addOp(op);
  });
}

void Propagator::addItem(Item item) {
  if (llvm::count_if(item.slots, [](int slot) { return slot >= 0; }) < 2)
    return;  // nothing to carry from one to another
  int number = items.size();
  itemsOf.resize(table.size());
  for (int slot : item.slots)
    if (slot >= 0 && !llvm::is_contained(itemsOf[slot], number)) itemsOf[slot].push_back(number);
  items.push_back(std::move(item));
}

void Propagator::addOp(Operation *op) {
  const Rule *rule = ruleOf(op);
  if (!rule || rule->sizes.empty()) return;
  Item item;
  item.op = op;
  item.rule = rule;
  for (Value operand : op->getOperands()) item.slots.push_back(table.slotOf(operand));
  for (Value result : op->getResults()) item.slots.push_back(table.slotOf(result));
  item.elementwise = op->hasTrait<stablehlo::IsElementwise>() || isa<sdy::ShardingConstraintOp, sdy::ReshardOp>(op);
  if (auto barrier = dyn_cast<sdy::PropagationBarrierOp>(op)) item.allowed = barrier.getAllowedDirection();
  addItem(std::move(item));
}

const Rule *Propagator::ruleOf(Operation *op) {
  auto attribute = op->getAttrOfType<sdy::OpShardingRuleAttr>("sdy.sharding_rule");
  if (auto type = dyn_cast_or_null<RankedTensorType>(op->getNumResults() ? op->getResult(0).getType() : Type());
      type && isa<sdy::ShardingConstraintOp, sdy::ReshardOp, sdy::PropagationBarrierOp>(op))
    return identity(type.getShape(), 1);
  if (auto source = dyn_cast<sdy::ShardingRuleOpInterface>(op); source && !attribute) {
    attribute = source.getShardingRule(options.conservative);
    if (attribute && options.keepRules) op->setAttr("sdy.sharding_rule", attribute);
  }
  if (!attribute) return nullptr;
  const Rule *&known = ruleCache[attribute];
  if (!known) {
    rules.push_back(std::make_unique<Rule>(Rule::decode(attribute)));
    known = rules.back().get();
  }
  // Made for other operands or results than the op's: it says nothing.
  return known->dims.size() == op->getNumOperands() + op->getNumResults() ? known : nullptr;
}

const Rule *Propagator::identity(ArrayRef<int64_t> shape, int operands) {
  const Rule *&known = identities[{DenseI64ArrayAttr::get(module.getContext(), shape), operands}];
  if (!known) {
    rules.push_back(std::make_unique<Rule>(Rule::identity(shape, operands, 1)));
    known = rules.back().get();
  }
  return known;
}

void Propagator::addEdge(sdy::DataFlowEdgeOp edge) {
  Value owner = edge.getInput();
  auto argument = dyn_cast<BlockArgument>(owner);
  Operation *holder = argument ? argument.getOwner()->getParentOp() : owner.getDefiningOp();
  auto dataFlow = dyn_cast<sdy::ShardableDataFlowOpInterface>(holder);
  auto type = dyn_cast<RankedTensorType>(owner.getType());
  if (!dataFlow || !type) return;
  Item item;
  item.op = edge;
  for (OpOperand *source : dataFlow.getEdgeSources(owner)) item.slots.push_back(table.slotOf(source->get()));
  item.rule = identity(type.getShape(), item.slots.size());
  item.slots.push_back(table.slotOf(edge.getResult()));
  if (isa<sdy::ManualComputationOp>(holder)) item.edgeTarget = owner;
  addItem(std::move(item));
}

void Propagator::addFunctionEdge(sdy::FuncDataFlowEdgeOp edge) {
  Value target = edge.getOperand();
  auto type = dyn_cast<RankedTensorType>(target.getType());
  if (!type) return;
  Item item;
  item.op = edge;
  if (auto argument = dyn_cast<BlockArgument>(target)) {
    auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
    if (auto uses = SymbolTable::getSymbolUses(function.getSymNameAttr(), module))
      for (SymbolTable::SymbolUse use : *uses)
        if (auto call = dyn_cast<func::CallOp>(use.getUser()))
          item.slots.push_back(table.slotOf(call.getOperand(argument.getArgNumber())));
  } else if (auto call = target.getDefiningOp<func::CallOp>()) {
    auto function = dyn_cast_or_null<func::FuncOp>(SymbolTable::lookupNearestSymbolFrom(call, call.getCalleeAttr()));
    if (!function || function.isExternal()) return;
    Operation *end = function.front().getTerminator();
    item.slots.push_back(table.slotOf(end->getOperand(cast<OpResult>(target).getResultNumber())));
  }
  item.rule = identity(type.getShape(), item.slots.size());
  item.slots.push_back(table.slotOf(target));
  addItem(std::move(item));
}

// A value that a public function returns and the function's result are sharded alike.
void Propagator::addReturn(func::ReturnOp op) {
  auto function = op->getParentOfType<func::FuncOp>();
  if (function.isPrivate()) return;
  for (auto [i, value] : llvm::enumerate(op.getOperands()))
    if (auto type = dyn_cast<RankedTensorType>(value.getType())) {
      Item item;
      item.op = op;
      item.isReturn = true;
      item.slots = {table.slotOf(value), table.slotOfResult(function, i)};
      item.rule = identity(type.getShape(), 1);
      addItem(std::move(item));
    }
}

//===-----------------------------------------------------------------------------===//
// Steps
//===-----------------------------------------------------------------------------===//

// The one mesh of an item's shardings; null where there is none, or several.
const Mesh *Propagator::commonMesh(const Item &item) {
  const Mesh *common = nullptr;
  for (int slot : item.slots) {
    if (slot < 0 || !table[slot]) continue;
    const Mesh *mesh = table[slot]->mesh;
    if (mesh->isMaximal()) return nullptr;
    if (mesh->isEmpty()) continue;
    if (common && common->attr != mesh->attr) return nullptr;
    common = common ? common : mesh;
  }
  return common;
}

// A slot's sharding as an edge's other side sees it.
std::optional<Sharding> Propagator::seen(const Item &item, int array) {
  std::optional<Sharding> sharding = table[item.slots[array]];
  if (!item.edgeTarget || array < item.rule->operands || !sharding) return sharding;
  auto op = cast<sdy::DataFlowEdgeOp>(item.op);
  Value owner = op.getInput();
  auto argument = dyn_cast<BlockArgument>(owner);
  auto dataFlow =
      cast<sdy::ShardableDataFlowOpInterface>(argument ? argument.getOwner()->getParentOp() : owner.getDefiningOp());
  Sharding result =
      *table.decode(dataFlow.transformTargetSharding(owner, table.encode(*sharding), /*afterPropagation=*/false));
  result.hidden = sharding->hidden;
  return result;
}

bool Propagator::store(const Item &item, int array, Sharding sharding) {
  int slot = item.slots[array];
  if (table.isFixed(slot)) return false;
  if (item.edgeTarget && array >= item.rule->operands) {
    Axes hidden = sharding.hidden;
    Value owner = item.edgeTarget;
    auto argument = dyn_cast<BlockArgument>(owner);
    auto dataFlow =
        cast<sdy::ShardableDataFlowOpInterface>(argument ? argument.getOwner()->getParentOp() : owner.getDefiningOp());
    sharding =
        *table.decode(dataFlow.transformTargetSharding(owner, table.encode(sharding), /*afterPropagation=*/true));
    sharding.hidden = hidden;
  }
  if (table[slot] == std::optional(sharding)) return false;
  table[slot] = std::move(sharding);
  return true;
}

static SmallVector<int64_t> shapeOf(const Table &table, int slot, const Rule &rule, int array) {
  if (Value value = table.valueOf(slot))
    return SmallVector<int64_t>(cast<RankedTensorType>(value.getType()).getShape());
  SmallVector<int64_t> shape;
  for (auto &factors : rule.dims[array]) {
    int64_t size = 1;
    for (int factor : factors) size *= rule.sizes[factor];
    shape.push_back(size);
  }
  return shape;
}

bool Propagator::step(int number, Strategy strategy, Direction direction, SmallVectorImpl<int> &changed) {
  Item &item = items[number];
  const Mesh *mesh = commonMesh(item);
  if (!mesh) return false;
  const Rule &rule = *item.rule;
  SmallVector<std::optional<Sharding>, 4> before;
  Views views;
  for (auto [array, slot] : llvm::enumerate(item.slots)) {
    before.push_back(slot >= 0 ? seen(item, array) : std::nullopt);
    bool fits = slot >= 0 && (!before.back() || before.back()->dims.size() == rule.dims[array].size());
    views.push_back(fits ? project(rule, array, before.back(), shapeOf(table, slot, rule, array), options.conservative)
                         : View());
  }
  Step step{rule, views, direction, item.elementwise, options.conservative};
  SmallVector<Decision> decisions;
  strategy == Strategy::Basic ? propagateBasic(step, decisions) : propagateAggressive(step, decisions);
  SmallVector<int> arrays;
  for (auto [array, view] : llvm::enumerate(views)) {
    if (!view.present) continue;
    Sharding after = before[array].value_or(Sharding());
    if (!before[array]) after.dims.resize(rule.dims[array].size());
    unproject(rule, array, view, after);
    bool same = before[array] ? after == *before[array] : after.saysNothing();
    after.mesh = before[array] && !before[array]->mesh->isEmpty() ? before[array]->mesh : mesh;
    if (!same && store(item, array, std::move(after))) {
      changed.push_back(item.slots[array]);
      arrays.push_back(array);
    }
  }
  if (explainer) explainer->note(item.op, item.slots, rule, before, arrays, decisions);
  return !changed.empty();
}

void Propagator::push(int item) {
  if (queued[item]) return;
  queued[item] = true;
  worklist.push_back(item);
}

void Propagator::pushUsersOf(int slot) {
  for (int item : itemsOf[slot]) push(item);
}

void Propagator::run(Strategy strategy, DirectionOf direction) {
  queued.assign(items.size(), false);
  itemsOf.resize(table.size());
  worklist.clear();
  for (int item = items.size() - 1; item >= 0; --item)
    if (!items[item].isReturn) push(item);
  for (int item = items.size() - 1; item >= 0; --item)  // what functions return comes first
    if (items[item].isReturn) push(item);
  while (!worklist.empty()) {
    int number = worklist.back();
    worklist.pop_back();
    queued[number] = false;
    Item &item = items[number];
    Direction way = item.isReturn || isa<sdy::DataFlowEdgeOp, sdy::FuncDataFlowEdgeOp>(item.op) ? Direction::BOTH
                                                                                                : direction(item.op);
    if (item.allowed) way = static_cast<Direction>(static_cast<uint32_t>(way) & static_cast<uint32_t>(*item.allowed));
    if (way == Direction::NONE) continue;
    SmallVector<int> changed;
    if (step(number, strategy, way, changed))
      for (int slot : changed) pushUsersOf(slot);
  }
}

//===-----------------------------------------------------------------------------===//
// Priorities that the program states
//===-----------------------------------------------------------------------------===//

SmallVector<int64_t> Propagator::priorities() {
  std::set<int64_t> all = {0};
  for (auto &[slot, sharding] : stated)
    for (const Dim &dim : sharding.dims) all.insert(dim.priority.value_or(0));
  return SmallVector<int64_t>(all.begin(), all.end());
}

void Propagator::admit(int64_t priority) {
  for (auto &[slot, sharding] : stated) {
    Sharding &now = *table[slot];
    now.hidden.clear();
    for (auto [dim, wanted] : llvm::zip_equal(now.dims, sharding.dims)) {
      int64_t own = wanted.priority.value_or(0);
      if (own == priority && wanted.priority) {
        dim.axes = wanted.axes, dim.closed = wanted.closed;
      } else if (own > priority) {
        dim.axes.clear(), dim.closed = true;
        llvm::append_range(now.hidden, wanted.axes);
      }
    }
  }
}

void Propagator::finish() {
  for (auto &[slot, sharding] : stated)
    for (Dim &dim : table[slot]->dims) dim.priority.reset();
  table.flush();
  if (!explainer) return;
  explainer->write(options.noteEdges, options.noteOrigins);
  explainer->remark();
}

}  // namespace tpuc::shard
