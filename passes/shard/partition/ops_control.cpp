//===- ops_control.cpp - loops, branches and barriers -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a loop carries has one layout at its start, at each turn and at its end: the annotated one of its result. Where
// all that its body or its branches return is stated to be unreduced, so is the result.
// Predicates lie whole on all devices, so that all take the same turns.
//===-----------------------------------------------------------------------------===//
#include "passes/shard/partition/partitioner.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

namespace hlo = tpuc::stablehlo;

Type localOf(Type type, const Layout &layout) { return isa<RankedTensorType>(type) ? localType(type, layout) : type; }

// The region with the same arguments, in these layouts, and what it returns in those.
LogicalResult region(Partitioner &p, Region &from, Region &to, ArrayRef<Layout> arguments, ArrayRef<Layout> results) {
  OpBuilder::InsertionGuard guard(p.emit.builder);
  Block &old = from.front();
  SmallVector<Type> types;
  SmallVector<Location> locations;
  for (auto [argument, layout] : llvm::zip_equal(old.getArguments(), arguments)) {
    types.push_back(localOf(argument.getType(), layout));
    locations.push_back(argument.getLoc());
  }
  Block *local = p.emit.builder.createBlock(&to, {}, types, locations);
  for (auto [i, argument] : llvm::enumerate(old.getArguments())) p.set(argument, local->getArgument(i), arguments[i]);
  if (failed(p.block(old))) return failure();
  p.emit.location = old.getTerminator()->getLoc();
  SmallVector<Value> values;
  for (auto [value, layout] : llvm::zip_equal(old.getTerminator()->getOperands(), results))
    values.push_back(p.get(value, layout));
  p.emit.create<hlo::ReturnOp>(values);
  return success();
}

bool usesAnyOf(const Layout &layout, const Axes &axes) {
  return llvm::any_of(layout.dims, [&](const DimLayout &dim) {
    return llvm::any_of(
        dim.axes, [&](Axis used) { return llvm::any_of(axes, [&](Axis axis) { return used.index == axis.index; }); });
  });
}

// `returning`: regions whose values are the results.
SmallVector<Layout, 2> resultLayouts(Operation *op, Partitioner &p, MutableArrayRef<Region> returning = {}) {
  SmallVector<Layout, 2> layouts;
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    Layout layout = p.wanted(result);
    SmallVector<Layout, 2> inner;
    for (Region &region : returning) inner.push_back(p.wanted(region.front().getTerminator()->getOperand(i)));
    bool partial = layout.unreduced.empty() && !inner.empty() && llvm::all_of(inner, [&](const Layout &own) {
                     return !own.unreduced.empty() && own.unreduced == inner.front().unreduced &&
                            own.mesh->attr == inner.front().mesh->attr && own.reducer == inner.front().reducer &&
                            !usesAnyOf(layout, own.unreduced) &&
                            (layout.isWhole() || layout.mesh->attr == own.mesh->attr);
                   });
    if (partial) {
      layout.mesh = inner.front().mesh;
      layout.unreduced = inner.front().unreduced;
      layout.reducer = inner.front().reducer;
    }
    layouts.push_back(std::move(layout));
  }
  return layouts;
}

// The op with other types and empty regions.
Operation *shell(Operation *op, Partitioner &p, ValueRange operands, ArrayRef<Layout> layouts) {
  OperationState state(p.emit.location, op->getName());
  state.addOperands(operands);
  for (auto [type, layout] : llvm::zip_equal(op->getResultTypes(), layouts)) state.addTypes(localOf(type, layout));
  for (NamedAttribute attribute : op->getAttrs())
    if (!attribute.getName().strref().starts_with("sdy.") && attribute.getName() != "mhlo.sharding")
      state.attributes.push_back(attribute);
  for (unsigned i = 0; i < op->getNumRegions(); ++i) state.addRegion();
  return p.emit.builder.create(state);
}

void setAll(Operation *op, Operation *local, Partitioner &p, ArrayRef<Layout> layouts) {
  for (auto [global, value, layout] : llvm::zip_equal(op->getResults(), local->getResults(), layouts))
    p.set(global, value, layout);
}

LogicalResult loop(Operation *op, Partitioner &p) {
  SmallVector<Layout, 2> layouts = resultLayouts(op, p, op->getRegion(1));
  SmallVector<Value> operands;
  for (auto [operand, layout] : llvm::zip_equal(op->getOperands(), layouts)) operands.push_back(p.get(operand, layout));
  Operation *local = shell(op, p, operands, layouts);
  Layout predicate = Layout::whole({});
  if (failed(region(p, op->getRegion(0), local->getRegion(0), layouts, predicate)) ||
      failed(region(p, op->getRegion(1), local->getRegion(1), layouts, layouts)))
    return failure();
  setAll(op, local, p, layouts);
  return success();
}

LogicalResult branches(Operation *op, Partitioner &p) {
  SmallVector<Layout, 2> layouts = resultLayouts(op, p, op->getRegions());
  Operation *local = shell(op, p, p.whole(op->getOperand(0)), layouts);
  for (auto [from, to] : llvm::zip_equal(op->getRegions(), local->getRegions()))
    if (failed(region(p, from, to, {}, layouts))) return failure();
  setAll(op, local, p, layouts);
  return success();
}

LogicalResult barrier(Operation *op, Partitioner &p) {
  SmallVector<Layout, 2> layouts = resultLayouts(op, p);
  SmallVector<Value> operands;
  for (auto [operand, layout] : llvm::zip_equal(op->getOperands(), layouts)) operands.push_back(p.get(operand, layout));
  setAll(op, shell(op, p, operands, layouts), p, layouts);
  return success();
}

}  // namespace

void addControl(Handlers &handlers) {
  handlers["stablehlo.while"] = loop;
  handlers["stablehlo.if"] = branches;
  handlers["stablehlo.case"] = branches;
  handlers["stablehlo.optimization_barrier"] = barrier;
}

}  // namespace tpuc::shard
