// Verifier of the kernel dialect.
#include "dialects/kernel/kernel.h"

#include "dialects/kernel/kernel_dialect.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/kernel/kernel_ops.cpp.inc"

using namespace mlir;

namespace tpuc::kernel {

void KernelDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/kernel/kernel_ops.cpp.inc"
      >();
}

// Each order is a permutation of its array's dims.
static LogicalResult verifyOrders(Operation *op, ArrayAttr orders, TypeRange types, StringRef what) {
  if (!orders) return success();
  if (orders.size() != types.size()) return op->emitOpError() << what << " expects " << types.size() << " orders, but got " << orders.size();
  for (auto [attr, type] : llvm::zip(orders, types)) {
    auto order = dyn_cast<DenseI64ArrayAttr>(attr);
    int64_t rank = cast<RankedTensorType>(type).getRank();
    SmallVector<bool> seen(rank, false);
    if (!order || order.size() != rank) return op->emitOpError() << what << " expects a permutation of " << rank << " dims";
    for (int64_t d : order.asArrayRef()) {
      if (d < 0 || d >= rank || seen[d]) return op->emitOpError() << what << " expects a permutation of " << rank << " dims";
      seen[d] = true;
    }
  }
  return success();
}

LogicalResult FusionOp::verify() {
  Block &block = getBody().front();
  if (block.getArgumentTypes() != getInputs().getTypes()) return emitOpError("expects the body's arguments to have the inputs' types");
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield || yield.getValues().getTypes() != getOutputs().getTypes()) return emitOpError("expects the body to yield the results' types");
  if (failed(verifyOrders(*this, getInputOrdersAttr(), getInputs().getTypes(), "input_orders"))) return failure();
  return verifyOrders(*this, getResultOrdersAttr(), getOutputs().getTypes(), "result_orders");
}

SmallVector<Type> planesOf(Type element) {
  MLIRContext *context = element.getContext();
  if (auto complex = dyn_cast<ComplexType>(element)) {
    Type part = complex.getElementType();
    SmallVector<Type> planes = planesOf(part);
    if (planes.empty()) planes.push_back(part);
    planes.append(planes.begin(), planes.end());
    return planes;
  }
  if (element.isF64() || (element.isInteger() && element.getIntOrFloatBitWidth() == 64)) return {2, IntegerType::get(context, 32, IntegerType::Unsigned)};
  return {};
}

static LogicalResult verifyPlanes(Operation *op, Type whole, TypeRange planes) {
  auto type = cast<RankedTensorType>(whole);
  SmallVector<Type> expected;
  for (Type element : planesOf(type.getElementType())) expected.push_back(type.clone(element));
  if (TypeRange(expected) == planes) return success();
  return op->emitOpError("expects the planes of ") << whole << ", " << TypeRange(expected) << ", but got " << planes;
}

LogicalResult SplitOp::verify() { return verifyPlanes(*this, getWhole().getType(), getPlanes().getTypes()); }
LogicalResult JoinOp::verify() { return verifyPlanes(*this, getWhole().getType(), getPlanes().getTypes()); }

}  // namespace tpuc::kernel
