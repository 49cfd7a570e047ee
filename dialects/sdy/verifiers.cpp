//===- verifiers.cpp - what ops that state shardings, and computations under them, have to satisfy -------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/sdy/checks.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace tpuc::sdy {

static LogicalResult checkStated(Operation *op, TensorShardingAttr sharding, Type type) {
  auto emit = [&] { return op->emitOpError(); };
  if (failed(checkSharding(op, sharding, type, emit))) return failure();
  return checkFree(op, sharding, emit);
}

// Axes that stay unreduced keep their reduction; new ones are of sums.
static LogicalResult checkUnreduced(Operation *op, TensorShardingAttr before, TensorShardingAttr after) {
  if (after.getUnreducedAxes().empty()) return success();
  ArrayRef<AxisRefAttr> old = before ? before.getUnreducedAxes() : ArrayRef<AxisRefAttr>();
  for (AxisRefAttr axis : after.getUnreducedAxes()) {
    bool kept = llvm::is_contained(old, axis);
    ReductionOp expected = kept ? before.getReductionOp() : ReductionOp::SUM;
    if (after.getReductionOp() != expected)
      return op->emitOpError() << "expects " << stringifyReductionOp(expected) << " over unreduced axes that "
                               << (kept ? "stay" : "are new") << ", but got "
                               << stringifyReductionOp(after.getReductionOp());
  }
  return success();
}

LogicalResult ShardingConstraintOp::verifySymbolUses(SymbolTableCollection &) {
  if (failed(checkStated(*this, getSharding(), getType()))) return failure();
  return checkUnreduced(*this, shardingOf(getInput()), getSharding());
}
LogicalResult ReshardOp::verifySymbolUses(SymbolTableCollection &) {
  if (failed(checkStated(*this, getSharding(), getType()))) return failure();
  return checkUnreduced(*this, shardingOf(getInput()), getSharding());
}

LogicalResult PropagationBarrierOp::verify() {
  if (getAllowedDirection() == PropagationDirection::BOTH)
    return emitOpError() << "expects FORWARD, BACKWARD or NONE, but got BOTH, which bars nothing";
  return success();
}

//===-----------------------------------------------------------------------------===//
// Computations
//===-----------------------------------------------------------------------------===//

// Checks that there are as many shardings as values, and as many of both as the region has arguments and returned
// values.
static LogicalResult checkCounts(Operation *op, Region &body, std::optional<TensorShardingPerValueAttr> in,
                                 std::optional<TensorShardingPerValueAttr> out) {
  auto check = [&](StringRef what, size_t count, size_t expected) -> LogicalResult {
    if (count != expected) return op->emitOpError() << "expects " << expected << " " << what << ", but got " << count;
    return success();
  };
  auto terminator = body.front().empty() ? ReturnOp() : dyn_cast<ReturnOp>(body.front().back());
  if (!terminator) return op->emitOpError() << "expects a body that ends in sdy.return";
  if (failed(check("arguments of the body", body.getNumArguments(), op->getNumOperands())) ||
      failed(check("values returned by the body", terminator.getNumOperands(), op->getNumResults())))
    return failure();
  if (in && failed(check("in_shardings", in->getShardings().size(), op->getNumOperands()))) return failure();
  return out ? check("out_shardings", out->getShardings().size(), op->getNumResults()) : success();
}

static LogicalResult checkPerValue(Operation *op, TypeRange types, TensorShardingPerValueAttr shardings) {
  for (auto [type, sharding] : llvm::zip(types, shardings.getShardings()))
    if (failed(checkStated(op, sharding, type))) return failure();
  return success();
}

namespace {

// The values of a manual computation, outside and inside.
class ManualVerifier {
 public:
  ManualVerifier(ManualComputationOp op) : op(op), manual(op.getManualAxes().getValue()) {}

  LogicalResult verify() {
    ReturnOp end = cast<ReturnOp>(op.getBody().front().getTerminator());
    if (failed(findMesh())) return failure();
    if (failed(all("operand", op.getOperandTypes(), op.getBody().getArgumentTypes(), op.getInShardings())))
      return failure();
    return all("result", op.getResultTypes(), end.getOperandTypes(), op.getOutShardings());
  }

 private:
  bool isManual(AxisRefAttr axis) {
    return llvm::any_of(manual, [&](StringAttr name) { return name.getValue() == axis.getName(); });
  }

  // One mesh for all, but for empty ones.
  LogicalResult findMesh() {
    for (TensorShardingPerValueAttr list : {op.getInShardings(), op.getOutShardings()})
      for (TensorShardingAttr sharding : list.getShardings()) {
        MeshAttr here = meshOf(op, sharding.getMeshOrRef());
        if (!here || here.getAxes().empty()) continue;
        if (mesh && mesh != here)
          return op.emitOpError() << "expects one mesh in in_shardings and out_shardings, but got " << mesh << " and "
                                  << here;
        mesh = here;
      }
    for (auto [i, name] : llvm::enumerate(manual))
      if (llvm::is_contained(manual.take_front(i), name))
        return op.emitOpError() << "expects each manual axis once, but got " << name << " twice";
    for (StringAttr name : manual)
      if (mesh && decode(mesh, AxisRefAttr::get(op.getContext(), name.getValue(), 0, 0)).index < 0)
        return op.emitOpError() << "expects manual axes of the mesh, but got " << name;
    if (!mesh && !manual.empty() &&
        !(op.getInShardings().getShardings().empty() && op.getOutShardings().getShardings().empty()))
      return op.emitOpError() << "expects a mesh that has the manual axes";
    return success();
  }

  LogicalResult all(StringRef what, TypeRange global, TypeRange local, TensorShardingPerValueAttr shardings) {
    for (auto [i, outer, inner, sharding] : llvm::enumerate(global, local, shardings.getShardings()))
      if (failed(one((what + " " + Twine(i)).str(), outer, inner, sharding))) return failure();
    return success();
  }

  LogicalResult one(const std::string &what, Type global, Type local, TensorShardingAttr sharding) {
    auto type = dyn_cast<RankedTensorType>(global);
    if (!type || !mesh)
      return global == local ? success()
                             : op.emitOpError() << "expects the type " << global << " of " << what
                                                << " in the body, but got " << local;
    SmallVector<int64_t> shape(type.getShape());
    for (auto [dim, axes] : llvm::enumerate(sharding.getDimShardings())) {
      bool free = false;
      for (AxisRefAttr axis : axes.getAxes()) {
        if (!isManual(axis)) {
          free = true;
          continue;
        }
        if (free)
          return op.emitOpError() << "expects manual axes before free ones in dimension " << dim << " of " << what;
        int64_t size = decode(mesh, axis).size;
        if (!ShapedType::isDynamic(shape[dim]) && shape[dim] % size != 0)
          return op.emitOpError() << "expects a size that the manual axes divide, but got " << type.getDimSize(dim)
                                  << " in dimension " << dim << " of " << what;
        if (!ShapedType::isDynamic(shape[dim])) shape[dim] /= size;
      }
    }
    Type expected = RankedTensorType::get(shape, type.getElementType(), type.getEncoding());
    if (local != expected)
      return op.emitOpError() << "expects the type " << expected << " of " << what << " in the body, but got " << local;
    return success();
  }

  ManualComputationOp op;
  ArrayRef<StringAttr> manual;
  MeshAttr mesh;
};

}  // namespace

LogicalResult ManualComputationOp::verifySymbolUses(SymbolTableCollection &) {
  if (failed(checkPerValue(*this, getOperandTypes(), getInShardings())) ||
      failed(checkPerValue(*this, getResultTypes(), getOutShardings())))
    return failure();
  for (auto outer = (*this)->getParentOfType<ManualComputationOp>(); outer;
       outer = outer->getParentOfType<ManualComputationOp>())
    for (StringAttr axis : getManualAxes().getValue())
      if (llvm::is_contained(outer.getManualAxes().getValue(), axis)) {
        InFlightDiagnostic error = emitOpError()
                                   << "expects manual axes that no computation around it takes, but got " << axis;
        error.attachNote(outer.getLoc()) << "taken here";
        return error;
      }
  return ManualVerifier(*this).verify();
}

LogicalResult ManualComputationOp::verify() {
  return checkCounts(*this, getBody(), getInShardings(), getOutShardings());
}

LogicalResult NamedComputationOp::verifySymbolUses(SymbolTableCollection &) {
  if (getInShardings() && failed(checkPerValue(*this, getOperandTypes(), *getInShardings()))) return failure();
  return getOutShardings() ? checkPerValue(*this, getResultTypes(), *getOutShardings()) : success();
}

LogicalResult NamedComputationOp::verify() {
  if (failed(checkCounts(*this, getBody(), getInShardings(), getOutShardings()))) return failure();
  auto check = [&](StringRef what, TypeRange outer, TypeRange inner) -> LogicalResult {
    for (auto [i, a, b] : llvm::enumerate(outer, inner))
      if (a != b)
        return emitOpError() << "expects the type " << a << " of " << what << " " << i << " in the body, but got " << b;
    return success();
  };
  if (failed(check("operand", getOperandTypes(), getBody().getArgumentTypes()))) return failure();
  return check("result", getResultTypes(), getBody().front().getTerminator()->getOperandTypes());
}

//===-----------------------------------------------------------------------------===//
// Edges
//===-----------------------------------------------------------------------------===//

static LogicalResult checkEdge(Operation *op, Value input) {
  auto shaped = dyn_cast<ShapedType>(input.getType());
  if (!shaped || !shaped.hasStaticShape())
    return op->emitOpError() << "expects a static shape, but got " << input.getType();
  if (!input.hasOneUse()) return op->emitOpError() << "expects to be the only user of its operand";
  return success();
}

LogicalResult DataFlowEdgeOp::verifySymbolUses(SymbolTableCollection &) {
  if (!getShardingAttr()) return success();
  return checkStated(*this, getShardingAttr(), getType());
}

LogicalResult DataFlowEdgeOp::verify() {
  if (failed(checkEdge(*this, getInput()))) return failure();
  Operation *definer = getInput().getDefiningOp();
  if (definer && isa<SdyDialect>(definer->getDialect()) && !isa<ShardableDataFlowOpInterface>(definer)) {
    InFlightDiagnostic error = emitOpError() << "expects an operand that no op of sdy defines";
    error.attachNote(definer->getLoc()) << "defined here";
    return error;
  }
  return success();
}

LogicalResult FuncDataFlowEdgeOp::verify() {
  if (failed(checkEdge(*this, getOperand()))) return failure();
  if (Operation *definer = getOperand().getDefiningOp())
    return isa<CallOpInterface>(definer)
               ? success()
               : emitOpError() << "expects a result of a call, but got one of " << definer->getName();
  Operation *parent = cast<BlockArgument>(getOperand()).getOwner()->getParentOp();
  return isa<func::FuncOp>(parent)
             ? success()
             : emitOpError() << "expects an argument of a function, but got one of " << parent->getName();
}

}  // namespace tpuc::sdy
