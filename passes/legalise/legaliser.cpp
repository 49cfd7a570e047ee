// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. Ops in order; each one with a wide operand or result is built again on the parts, and the parts noted.
// 2. Ops that move elements work on each part alone; ops with regions take the parts as further operands.
// 3. The old ops go when all users are built.
#include "passes/legalise/legaliser.h"

#include "dialects/diagnostics/diagnose.h"
#include "dialects/kernel/host_call.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tpuc::legalise {

bool Legaliser::isWide(Type t) {
  auto type = dyn_cast<RankedTensorType>(t);
  return type && !partsOf(type.getElementType()).empty();
}

SmallVector<Type> Legaliser::flattened(TypeRange types) {
  SmallVector<Type> out;
  for (Type t : types) {
    if (!isWide(t)) {
      out.push_back(t);
      continue;
    }
    auto type = cast<RankedTensorType>(t);
    for (Type part : partsOf(type.getElementType())) out.push_back(type.clone(part));
  }
  return out;
}

void Legaliser::replace(Operation *op, ArrayRef<Planes> results) {
  for (auto [v, p] : llvm::zip(op->getResults(), results)) {
    if (isWide(v))
      setPlanes(v, p);
    else
      v.replaceAllUsesWith(p[0]);
  }
  dead_.push_back(op);
}

// One op of the same kind for each part.
void Legaliser::perPlane(Operation *op) {
  OpBuilder b(op);
  Planes made;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  for (auto [k, part] : llvm::enumerate(partsOf(type.getElementType()))) {
    IRMapping map;
    for (Value v : op->getOperands())
      if (isWide(v)) map.map(v, planes(v)[k]);
    Operation *copy = b.clone(*op, map);
    copy->getResult(0).setType(type.clone(part));
    made.push_back(copy->getResult(0));
  }
  replace(op, {made});
}

// A comparator has its operands side by side: both sides of the first part, then of the second.
void Legaliser::convertArguments(Block &block, bool interleaved) {
  for (unsigned i = 0; i < block.getNumArguments();) {
    BlockArgument arg = block.getArgument(i);
    if (!isWide(arg)) {
      ++i;
      continue;
    }
    auto type = cast<RankedTensorType>(arg.getType());
    SmallVector<Type> parts = partsOf(type.getElementType());
    unsigned at = i + 1;
    if (!interleaved) {
      Planes made;
      for (Type part : parts) made.push_back(block.insertArgument(at++, type.clone(part), arg.getLoc()));
      setPlanes(arg, made);
      i = at;
      continue;
    }
    BlockArgument other = block.getArgument(i + 1);
    at = i + 2;
    Planes left, right;
    for (Type part : parts) {
      left.push_back(block.insertArgument(at++, type.clone(part), arg.getLoc()));
      right.push_back(block.insertArgument(at++, type.clone(part), arg.getLoc()));
    }
    setPlanes(arg, left);
    setPlanes(other, right);
    i = at;
  }
}

// Control flow, reductions, scatters, sorts: parts as further operands, results and region arguments.
void Legaliser::flatten(Operation *op) {
  OpBuilder b(op);
  OperationState state(op->getLoc(), op->getName());
  for (Value v : op->getOperands()) llvm::append_range(state.operands, planes(v));
  state.addTypes(flattened(op->getResultTypes()));
  state.addAttributes(op->getAttrs());
  for (Region &region : op->getRegions()) state.addRegion()->takeBody(region);
  Operation *made = b.create(state);
  SmallVector<Planes> results;
  unsigned next = 0;
  for (Value v : op->getResults()) {
    size_t n = isWide(v) ? partsOf(cast<RankedTensorType>(v.getType()).getElementType()).size() : 1;
    Planes p;
    for (size_t k = 0; k < n; ++k) p.push_back(made->getResult(next++));
    results.push_back(p);
  }
  replace(op, results);
}

LogicalResult Legaliser::constant(stablehlo::ConstantOp op) {
  OpBuilder b(op);
  auto type = cast<RankedTensorType>(op.getType());
  auto value = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!value)
    return diagnose(op, codes::kElementsElsewhere) << "expects a constant of " << type.getElementType()
                                                   << " with its elements in the program, but got a resource";
  SmallVector<Type> parts = partsOf(type.getElementType());
  SmallVector<SmallVector<Attribute>> elements(parts.size());
  auto add = [&](Attribute scalar) {
    for (auto [k, a] : llvm::enumerate(partsOfScalar(scalar, type.getElementType()))) elements[k].push_back(a);
  };
  if (value.isSplat())
    add(value.getSplatValue<Attribute>());
  else
    for (Attribute a : value.getValues<Attribute>()) add(a);
  Planes made;
  for (auto [k, part] : llvm::enumerate(parts)) {
    auto planeType = type.clone(part);
    auto attr = cast<ElementsAttr>(Attribute(DenseElementsAttr::get(planeType, elements[k])));
    made.push_back(stablehlo::ConstantOp::create(b, op.getLoc(), planeType, attr));
  }
  replace(op, {made});
  return success();
}

LogicalResult Legaliser::elementwise(Operation *op) {
  OpBuilder b(op);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Lanes l(b, op->getLoc(), type.getShape());
  SmallVector<Planes> operands;
  for (Value v : op->getOperands()) {
    Planes p = planes(v);
    // Scalar bounds and predicates.
    if (typeOf(v).getRank() == 0 && type.getRank() && !mlir::isa<stablehlo::IotaOp>(op))
      for (Value &x : p) x = Build{b, op->getLoc()}.broadcast(x, type.getShape(), {});
    operands.push_back(p);
  }
  Planes made = expand(l, op, operands);
  if (made.empty())
    return diagnose(op, codes::kNoNarrowForm)
           << "expects an op with a form in 32-bit operations, but got '" << op->getName() << "' of "
           << type.getElementType() << "; cast to a narrower type around it";
  replace(op, {made});
  return success();
}

// Positions fit 32 bits: what does not is out of range, whatever it is.
bool Legaliser::narrowIndices(Operation *op) {
  unsigned first, count;
  if (mlir::isa<stablehlo::DynamicSliceOp>(op))
    first = 1, count = op->getNumOperands() - 1;
  else if (mlir::isa<stablehlo::DynamicUpdateSliceOp>(op))
    first = 2, count = op->getNumOperands() - 2;
  else if (mlir::isa<stablehlo::GatherOp>(op))
    first = 1, count = 1;
  else if (mlir::isa<stablehlo::ScatterOp>(op))
    first = (op->getNumOperands() - 1) / 2, count = 1;
  else if (mlir::isa<stablehlo::CaseOp>(op))
    first = 0, count = 1;
  else
    return false;
  OpBuilder b(op);
  for (unsigned i = first; i < first + count; ++i) {
    Value v = op->getOperand(i);
    Type element = typeOf(v).getElementType();
    if (element.isInteger(32) && !element.isUnsignedInteger()) continue;
    Lanes l(b, op->getLoc(), typeOf(v).getShape());
    Type i32 = b.getI32Type();
    // Held by narrower integers.
    if (isWide(v) && planes(v).size() == 1) {
      v = planes(v)[0];
      element = typeOf(v).getElementType();
    }
    if (isWide(v)) {
      Pair x = pairOf(planes(v));
      Value word = l.asSigned(x.lo), sign = l.asSigned(l.sar(x.lo, l.u(31))), high = l.asSigned(x.hi);
      auto bound = [&](int32_t value) { return l.splat(b.getI32IntegerAttr(value), i32); };
      Value outside = element.isUnsignedInteger() ? bound(INT32_MAX)
                                                  : l.select(l.lt(high, bound(0)), bound(INT32_MIN), bound(INT32_MAX));
      Value fits = l.eq(high, sign);
      if (element.isUnsignedInteger()) fits = l.band(fits, l.eq(high, bound(0)));
      op->setOperand(i, l.select(fits, word, outside));
    } else if (element.isInteger(32)) {
      Value limit = l.u(INT32_MAX);
      op->setOperand(i, l.asSigned(l.op<stablehlo::MinOp>(v, limit)));
    } else if (element.getIntOrFloatBitWidth() < 32) {
      op->setOperand(i, l.convert(v, i32));
    }
  }
  return true;
}

// Its arrays have the program's own types, as those of the function's signature.
void Legaliser::hostCall(Operation *op) {
  OpBuilder b(op);
  for (OpOperand &v : op->getOpOperands())
    if (isWide(v.get())) v.set(leave(b, planes(v.get()), v.get().getType()));
  b.setInsertionPointAfter(op);
  for (Value v : op->getResults())
    if (isWide(v)) setPlanes(v, enter(b, v));
}

LogicalResult Legaliser::convert(Operation *op) {
  if (kernel::isHostCall(op)) {
    hostCall(op);
    return success();
  }
  if (dissolves(op)) {
    dead_.push_back(op);
    return success();
  }
  if (narrowIndices(op)) {
    // Below, if the arrays are wide too.
  }
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      convertArguments(block, mlir::isa<stablehlo::SortOp>(op));
      if (failed(convertBlock(block))) return failure();
    }
  bool wide = llvm::any_of(op->getOperands(), [&](Value v) { return isWide(v); }) ||
              llvm::any_of(op->getResults(), [&](Value v) { return isWide(v); });
  if (mlir::isa<func::ReturnOp>(op)) {
    OpBuilder b(op);
    for (OpOperand &v : op->getOpOperands())
      if (isWide(v.get())) v.set(leave(b, planes(v.get()), v.get().getType()));
    return success();
  }
  if (!wide) return success();
  if (op->hasTrait<OpTrait::IsTerminator>()) {
    SmallVector<Value> operands;
    for (Value v : op->getOperands()) llvm::append_range(operands, planes(v));
    op->setOperands(operands);
    return success();
  }
  if (auto c = dyn_cast<stablehlo::ConstantOp>(op)) return constant(c);
  if (mlir::isa<stablehlo::WhileOp, stablehlo::IfOp, stablehlo::CaseOp, stablehlo::OptimizationBarrierOp,
                stablehlo::ReduceOp, stablehlo::ReduceWindowOp, stablehlo::ScatterOp, stablehlo::SortOp>(op)) {
    flatten(op);
    return success();
  }
  bool moves = mlir::isa<stablehlo::ReshapeOp, stablehlo::BroadcastInDimOp, stablehlo::SliceOp, stablehlo::TransposeOp,
                         stablehlo::ConcatenateOp, stablehlo::PadOp, stablehlo::ReverseOp, stablehlo::DynamicSliceOp,
                         stablehlo::DynamicUpdateSliceOp, stablehlo::GatherOp, stablehlo::SelectOp,
                         kernel::ExchangeStartOp, kernel::ExchangeDoneOp>(op);
  if (moves) {
    perPlane(op);
    return success();
  }
  if (op->getNumResults() == 1 && op->getNumRegions() == 0 && mlir::isa<RankedTensorType>(op->getResult(0).getType()))
    return elementwise(op);
  return diagnose(op, codes::kNoNarrowForm)
         << "expects an op with a form in 32-bit operations, but got '" << op->getName() << "' of "
         << op->getResultTypes() << "; cast to a narrower type around it";
}

LogicalResult Legaliser::convertBlock(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    if (failed(convert(&op))) return failure();
  return success();
}

LogicalResult Legaliser::run(func::FuncOp func) {
  Block &block = func.getBody().front();
  OpBuilder b = OpBuilder::atBlockBegin(&block);
  for (Value arg : SmallVector<Value>(block.getArguments()))
    if (isWide(arg)) setPlanes(arg, enter(b, arg));
  // The new ops at the start are no work of this legaliser's.
  SmallVector<Operation *> ops;
  for (auto it = b.getInsertionPoint(); it != block.end(); ++it) ops.push_back(&*it);
  for (Operation *op : ops)
    if (failed(convert(op))) return failure();
  SmallVector<Block *> blocks;
  for (Operation *op : llvm::reverse(dead_)) op->erase();
  func.walk([&](Block *inner) {
    if (inner == &block) return;
    for (unsigned i = inner->getNumArguments(); i-- > 0;)
      if (isWide(inner->getArgument(i))) inner->eraseArgument(i);
  });
  return success();
}

}  // namespace tpuc::legalise
