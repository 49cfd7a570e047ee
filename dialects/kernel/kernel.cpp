// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifier of the kernel dialect.
#include "dialects/kernel/kernel.h"

#include "dialects/kernel/counts.h"
#include "dialects/kernel/function.h"
#include "dialects/kernel/kernel_dialect.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/kernel/kernel_ops.cpp.inc"

using namespace mlir;

namespace tpuc::kernel {

void KernelDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "dialects/kernel/kernel_ops.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/kernel/function_ops.cpp.inc"
      >();
}

// Each order is a permutation of its array's dims.
static LogicalResult verifyOrders(Operation *op, ArrayAttr orders, TypeRange types, StringRef what) {
  if (!orders) return success();
  if (orders.size() != types.size())
    return op->emitOpError() << what << " expects " << types.size() << " orders, but got " << orders.size();
  for (auto [attr, type] : llvm::zip(orders, types)) {
    auto order = dyn_cast<DenseI64ArrayAttr>(attr);
    int64_t rank = cast<RankedTensorType>(type).getRank();
    SmallVector<bool> seen(rank, false);
    if (!order || order.size() != rank)
      return op->emitOpError() << what << " expects a permutation of " << rank << " dims";
    for (int64_t d : order.asArrayRef()) {
      if (d < 0 || d >= rank || seen[d])
        return op->emitOpError() << what << " expects a permutation of " << rank << " dims";
      seen[d] = true;
    }
  }
  return success();
}

LogicalResult FusionOp::verify() {
  Block &block = getBody().front();
  if (block.getArgumentTypes() != getInputs().getTypes())
    return emitOpError("expects the body's arguments to have the inputs' types");
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield || yield.getValues().getTypes() != getOutputs().getTypes())
    return emitOpError("expects the body to yield the results' types");
  if (failed(verifyOrders(*this, getInputOrdersAttr(), getInputs().getTypes(), "input_orders"))) return failure();
  return verifyOrders(*this, getResultOrdersAttr(), getOutputs().getTypes(), "result_orders");
}

LogicalResult ExchangeStartOp::verify() {
  auto from = dyn_cast<RankedTensorType>(getOperand().getType()), to = dyn_cast<RankedTensorType>(getType());
  auto groups = dyn_cast<DenseIntElementsAttr>(getGroups());
  if (!groups || groups.getType().getRank() != 2)
    return emitOpError("expects rows of device numbers, but got ") << getGroups();
  const int64_t members = groups.getType().getDimSize(1);
  bool fits = from.getElementType() == to.getElementType();
  if (getKind() == "gather")
    fits &= to.getRank() >= 3 && to.getShape().drop_front() == from.getShape() && to.getDimSize(0) == members;
  else if (getKind() == "scatter")
    fits &= to.getRank() >= 3 && to == from && to.getDimSize(0) == members;
  else if (getKind() == "permute")
    fits &= to == from && members == 2;
  else
    return emitOpError("expects a gather, scatter or permute, but got ") << getKind();
  if (!fits)
    return emitOpError("expects a result that fits ") << from << " and groups of " << members << ", but got " << to;
  return success();
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
  if (element.isF64() || (element.isInteger() && element.getIntOrFloatBitWidth() == 64))
    return {2, IntegerType::get(context, 32, IntegerType::Unsigned)};
  // Floats that no lane computes on: their bits.
  if (mlir::isa<FloatType>(element) && element.getIntOrFloatBitWidth() <= 8)
    return {IntegerType::get(context, element.getIntOrFloatBitWidth() == 4 ? 4 : 8, IntegerType::Unsigned)};
  return {};
}

static LogicalResult verifyPlanes(Operation *op, Type whole, TypeRange planes) {
  auto type = cast<RankedTensorType>(whole);
  SmallVector<Type> expected;
  for (Type element : planesOf(type.getElementType())) expected.push_back(type.clone(element));
  if (TypeRange(expected) == planes) return success();
  return op->emitOpError("expects the planes of ") << whole << ", " << TypeRange(expected) << ", but got " << planes;
}

bool haveSameBytes(RankedTensorType a, RankedTensorType b) {
  if (a == b) return true;
  if (a.getElementType() != b.getElementType() || !a.hasStaticShape() || !b.hasStaticShape() ||
      a.getNumElements() != b.getNumElements())
    return false;
  if (a.getRank() < 2 && b.getRank() < 2) return true;
  if (a.getRank() > b.getRank()) std::swap(a, b);
  int64_t rows = b.getDimSize(b.getRank() - 2), columns = b.getDimSize(b.getRank() - 1);
  // Rows of a tile, those of the widest packing for elements below a byte.
  Type element = a.getElementType();
  int64_t tile = element.isIntOrFloat() && element.getIntOrFloatBitWidth() >= 8
                     ? 8 * std::max<int64_t>(1, 32 / element.getIntOrFloatBitWidth())
                     : 128;
  if (a.getRank() < 2) return columns == 128 && rows % tile == 0;
  int64_t otherRows = a.getDimSize(a.getRank() - 2);
  return columns == a.getDimSize(a.getRank() - 1) && (rows == otherRows || (rows % tile == 0 && otherRows % tile == 0));
}

int64_t countersAround(Block &block) {
  int64_t count = 0;
  for (Block *around = &block; around; around = around->getParent() ? around->getParentOp()->getBlock() : nullptr)
    count += llvm::range_size(around->getOps<CounterOp>());
  return count;
}

int64_t numberOf(CounterOp counter) {
  Block *block = counter->getBlock();
  Block *around = block->getParentOp()->getBlock();
  int64_t number = around ? countersAround(*around) : 0;
  for (CounterOp other : block->getOps<CounterOp>()) {
    if (other == counter) break;
    ++number;
  }
  return number;
}

LogicalResult CounterOp::verify() {
  Operation *loop = (*this)->getParentOp();
  const auto type = cast<RankedTensorType>(getType());
  if (type.getRank() != 0 || !type.getElementType().isSignlessInteger(32))
    return emitOpError() << "expects tensor<i32>, but got " << type;
  if (!loop || loop->getName().getStringRef() != "stablehlo.while" || !tripCountOf(loop) ||
      (*this)->getParentRegion() != &loop->getRegion(1))
    return emitOpError("expects to stand in the body of a loop with ") << kTripCountAttr;
  if (getEvery().value_or(1) < 1 || getOf().value_or(1) < 1)
    return emitOpError("expects to stay for an iteration at least, and to have a step");
  auto isNumberBefore = [&](CounterOp other) { return other.isNumber() && other->isBeforeInBlock(*this); };
  if (!stepsEvenly() && llvm::none_of((*this)->getBlock()->getOps<CounterOp>(), isNumberBefore))
    return emitOpError("expects the loop's kernel.counter 0 by 1 before it");
  if (numberOf(*this) >= kCounters)
    return emitOpError("expects ") << kCounters << " counters at most in a loop and those around it";
  return success();
}

LogicalResult ViewOp::verify() {
  if (haveSameBytes(getSource().getType(), getResult().getType())) return success();
  return emitOpError("expects types whose elements lie in the same places, but got ")
         << getSource().getType() << " and " << getResult().getType();
}

LogicalResult SplitOp::verify() { return verifyPlanes(*this, getWhole().getType(), getPlanes().getTypes()); }
LogicalResult JoinOp::verify() { return verifyPlanes(*this, getWhole().getType(), getPlanes().getTypes()); }

}  // namespace tpuc::kernel
