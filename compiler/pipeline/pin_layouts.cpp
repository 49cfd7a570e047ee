// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/pipeline/pin_layouts.h"

#include "dialects/kernel/order.h"
#include "dialects/stablehlo/stablehlo.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "runtime/isa/layout.h"

using namespace mlir;

namespace tpuc {
namespace {

using Order = SmallVector<int64_t>;
constexpr StringLiteral kLayoutMode("mhlo.layout_mode");

// Arrays of less than two dims have one order only.
bool hasOrders(Value v) {
  auto type = dyn_cast<RankedTensorType>(v.getType());
  return type && type.getRank() >= 2;
}

Value barrier(OpBuilder &b, Location loc, Value v) {
  return stablehlo::OptimizationBarrierOp::create(b, loc, TypeRange{v.getType()}, ValueRange{v})->getResult(0);
}

// Empty: the dims' own.
Order sharedOrder(Type type) {
  auto array = cast<RankedTensorType>(type);
  std::string name;
  llvm::raw_string_ostream(name) << array.getElementType();
  auto order = ::tpuc::isa::sharedOrder(name, array.getShape());
  return Order(order.begin(), order.end());
}

// The order that the program asks for, in XLA's words: "{0,1}", the fastest dim first. Its tiles are not followed, as
// the device has its own. Any other word ("default", "auto") is the shared layout. Empty: the dims' own order.
Order wantedOrder(Attribute mode, Type type) {
  auto text = dyn_cast_or_null<StringAttr>(mode);
  StringRef list = text ? text.getValue() : StringRef();
  if (!list.consume_front("{")) return sharedOrder(type);
  SmallVector<StringRef> dims;
  list.take_until([](char c) { return c == '}' || c == ':'; }).split(dims, ',');
  Order order;
  for (StringRef dim : llvm::reverse(dims))
    if (dim.trim().getAsInteger(10, order.emplace_back(-1))) return sharedOrder(type);
  if (static_cast<int64_t>(order.size()) != cast<RankedTensorType>(type).getRank() || !isPermutationVector(order))
    return sharedOrder(type);
  return llvm::is_sorted(order) ? Order() : order;
}

Order orderOf(func::FuncOp main, BlockArgument argument) {
  return wantedOrder(main.getArgAttr(argument.getArgNumber(), kLayoutMode), argument.getType());
}

RankedTensorType permuted(Type type, ArrayRef<int64_t> order) {
  auto array = cast<RankedTensorType>(type);
  return array.clone(llvm::map_to_vector(order, [&](int64_t dim) { return array.getDimSize(dim); }));
}

Order inverse(ArrayRef<int64_t> order) {
  Order places(order.size());
  for (auto [place, dim] : llvm::enumerate(order)) places[dim] = place;
  return places;
}

void pinResult(OpBuilder &b, func::FuncOp main, OpOperand &operand) {
  Value v = operand.get();
  if (!hasOrders(v)) return;
  const unsigned number = operand.getOperandNumber();
  Order order = wantedOrder(main.getResultAttr(number, kLayoutMode), v.getType());
  if (!order.empty()) main.setResultAttr(number, kernel::kOrderAttr, b.getDenseI64ArrayAttr(order));
  if (auto argument = dyn_cast<BlockArgument>(v); argument && orderOf(main, argument) == order) return;
  if (!order.empty()) v = stablehlo::TransposeOp::create(b, v.getLoc(), permuted(v.getType(), order), v, order);
  operand.set(barrier(b, v.getLoc(), v));
}

void pinArgument(OpBuilder &b, func::FuncOp main, BlockArgument argument, Operation *end) {
  if (!hasOrders(argument)) return;
  const Type type = argument.getType();
  const Order order = orderOf(main, argument);
  if (!order.empty()) {
    main.setArgAttr(argument.getArgNumber(), kernel::kOrderAttr, b.getDenseI64ArrayAttr(order));
    argument.setType(permuted(type, order));
  }
  Value pinned = barrier(b, argument.getLoc(), argument), kept = pinned;
  if (!order.empty()) kept = stablehlo::TransposeOp::create(b, argument.getLoc(), type, pinned, inverse(order));
  Operation *first = pinned.getDefiningOp();
  argument.replaceUsesWithIf(kept, [&](OpOperand &use) { return use.getOwner() != first && use.getOwner() != end; });
}

}  // namespace

void pinLayouts(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main || main.empty()) return;
  OpBuilder b(module.getContext());
  Operation *end = main.front().getTerminator();
  b.setInsertionPoint(end);
  for (OpOperand &operand : end->getOpOperands()) pinResult(b, main, operand);
  b.setInsertionPointToStart(&main.front());
  for (BlockArgument argument : main.getArguments()) pinArgument(b, main, argument, end);
  main.setFunctionType(b.getFunctionType(main.front().getArgumentTypes(), end->getOperandTypes()));
}

}  // namespace tpuc
