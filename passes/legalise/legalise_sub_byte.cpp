// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers below a byte are packed where the program's own arrays lie: arguments, results, constants. In between each
// takes a byte; elementwise ops compute in the narrow type itself, so that they wrap and saturate as it does.
#include "passes/legalise/bits.h"
#include "passes/legalise/passes.h"
#include "passes/legalise/represented.h"

using namespace mlir;

namespace tpuc::legalise {
#define GEN_PASS_DEF_LEGALISESUBBYTEPASS
#include "passes/legalise/passes.h.inc"
namespace {

class SubByteLegaliser : public RepresentedLegaliser {
  Type storageOf(Type element) override {
    auto type = dyn_cast<IntegerType>(element);
    if (!type || type.getWidth() == 1 || type.getWidth() >= 8) return {};
    return IntegerType::get(element.getContext(), 8, type.getSignedness());
  }
  static bool isElementwise(Operation *op) {
    return op->hasTrait<stablehlo::IsElementwise>() ||
           mlir::isa<stablehlo::ConvertOp, stablehlo::ClampOp, stablehlo::CompareOp, stablehlo::IotaOp>(op);
  }
  Type numberOf(Type element, Operation *op) override { return isElementwise(op) ? element : storageOf(element); }
  Value decode(Lanes &l, Value held, RankedTensorType type, Operation *op) override {
    return l.convert(held, numberOf(type.getElementType(), op));
  }
  // Sums and products of bytes agree with the narrow type's in its own bits.
  Value encode(Lanes &l, Value number, RankedTensorType type, Operation *) override {
    return l.convert(l.convert(number, type.getElementType()), storageOf(type.getElementType()));
  }
  bool accumulatesInNumbers(Operation *op) override {
    for (Region &region : op->getRegions())
      for (Operation &inner : region.front().without_terminator())
        if (!mlir::isa<stablehlo::AddOp, stablehlo::MulOp, stablehlo::AndOp, stablehlo::OrOp, stablehlo::XorOp,
                       stablehlo::MinOp, stablehlo::MaxOp>(inner))
          return false;
    return true;
  }
  Planes ownRule(OpBuilder &b, Operation *op) override {
    if (auto constant = dyn_cast<stablehlo::ConstantOp>(op); constant && typeOf(constant.getResult()).getRank())
      return {enter(b, b.clone(*op)->getResult(0))};
    // The bits of floats of four bits, at the function's boundary.
    if (auto split = dyn_cast<kernel::SplitOp>(op)) return {enter(b, b.clone(*op)->getResult(0))};
    auto narrow = [&](Value v) {
      return isWide(v) ? Value(stablehlo::ConvertOp::create(b, op->getLoc(), v.getType(), planes(v)[0])) : v;
    };
    if (auto join = dyn_cast<kernel::JoinOp>(op))
      return {kernel::JoinOp::create(b, op->getLoc(), join.getType(), narrow(join.getPlanes()[0])).getWhole()};
    if (!mlir::isa<stablehlo::BitcastConvertOp>(op)) return {};
    auto to = typeOf(op->getResult(0));
    Value bits = stablehlo::BitcastConvertOp::create(b, op->getLoc(), to, narrow(op->getOperand(0)));
    return {isWide(to)
                ? Value(stablehlo::ConvertOp::create(b, op->getLoc(), to.clone(storageOf(to.getElementType())), bits))
                : bits};
  }
  SmallVector<Attribute> partsOfScalar(Attribute scalar, Type element) override {
    APInt value = cast<IntegerAttr>(scalar).getValue();
    return {IntegerAttr::get(storageOf(element), element.isUnsignedInteger() ? value.zext(8) : value.sext(8))};
  }
  Planes enter(OpBuilder &b, Value whole) override {
    return {stablehlo::ConvertOp::create(b, whole.getLoc(),
                                         typeOf(whole).clone(storageOf(typeOf(whole).getElementType())), whole)};
  }
  Value leave(OpBuilder &b, const Planes &parts, Type whole) override {
    return stablehlo::ConvertOp::create(b, parts[0].getLoc(), whole, parts[0]);
  }
};

struct LegaliseSubByte : impl::LegaliseSubBytePassBase<LegaliseSubByte> {
  using LegaliseSubBytePassBase::LegaliseSubBytePassBase;
  void runOnOperation() override {
    // While the widths are still the program's.
    getOperation().walk([](stablehlo::BitcastConvertOp op) { expandBitcast(op); });
    if (!getOperation().getBody().empty() && failed(SubByteLegaliser().run(getOperation()))) signalPassFailure();
  }
};

}  // namespace
}  // namespace tpuc::legalise
