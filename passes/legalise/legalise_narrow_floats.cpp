// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floats of 8 bits and less are held as their bits and computed on as f32, rounded once an op; reductions are rounded
// at their end, and the matrix unit takes them as bf16, which holds every one of them.
#include "passes/legalise/narrow_float.h"
#include "passes/legalise/passes.h"
#include "passes/legalise/represented.h"

using namespace mlir;

namespace tpuc::legalise {
#define GEN_PASS_DEF_LEGALISENARROWFLOATSPASS
#include "passes/legalise/passes.h.inc"
namespace {

bool isContraction(Operation *op) { return mlir::isa<stablehlo::DotGeneralOp, stablehlo::ConvolutionOp>(op); }

class NarrowFloatLegaliser : public RepresentedLegaliser {
  Type storageOf(Type element) override { return isNarrowFloat(element) ? kernel::planesOf(element)[0] : Type(); }
  Type numberOf(Type element, Operation *) override { return Float32Type::get(element.getContext()); }
  Value decode(Lanes &l, Value held, RankedTensorType type, Operation *op) override {
    Value x = narrowToFloat(l, held, cast<FloatType>(type.getElementType()));
    return isContraction(op) ? l.convert(x, l.b.getBF16Type()) : x;
  }
  Value encode(Lanes &l, Value number, RankedTensorType type, Operation *) override {
    return l.convert(floatToNarrow(l, number, cast<FloatType>(type.getElementType())),
                     storageOf(type.getElementType()));
  }
  // An f64 rounds to f32 as "odd" first: the nearest f32 may lie halfway between two narrow numbers where the f64 does
  // not, and the odd one says on which side it was.
  Planes ownRule(OpBuilder &b, Operation *op) override {
    auto convert = dyn_cast<stablehlo::ConvertOp>(op);
    if (!convert || !typeOf(convert.getOperand()).getElementType().isF64()) return {};
    auto to = typeOf(op->getResult(0));
    Lanes l(b, op->getLoc(), to.getShape());
    Value x = convert.getOperand(), near = l.convert(x, b.getF32Type()), back = l.convert(near, b.getF64Type());
    Value away = l.lt(l.op<stablehlo::AbsOp>(x), l.op<stablehlo::AbsOp>(back)), inexact = l.ne(back, x);
    Value odd = l.bor(l.sub(l.bits(near, l.u32()), l.toU(away)), l.toU(inexact));
    return {held(b, l.bits(odd, b.getF32Type()), to, op)};
  }
  SmallVector<Attribute> partsOfScalar(Attribute scalar, Type element) override {
    return {IntegerAttr::get(storageOf(element), cast<FloatAttr>(scalar).getValue().bitcastToAPInt().zext(
                                                     storageOf(element).getIntOrFloatBitWidth()))};
  }
  Planes enter(OpBuilder &b, Value whole) override {
    return {kernel::SplitOp::create(b, whole.getLoc(), typeOf(whole).clone(storageOf(typeOf(whole).getElementType())),
                                    whole)
                .getResult(0)};
  }
  Value leave(OpBuilder &b, const Planes &parts, Type whole) override {
    return kernel::JoinOp::create(b, parts[0].getLoc(), whole, parts);
  }
};

struct LegaliseNarrowFloats : impl::LegaliseNarrowFloatsPassBase<LegaliseNarrowFloats> {
  using LegaliseNarrowFloatsPassBase::LegaliseNarrowFloatsPassBase;
  void runOnOperation() override {
    if (!getOperation().getBody().empty() && failed(NarrowFloatLegaliser().run(getOperation()))) signalPassFailure();
  }
};

}  // namespace
}  // namespace tpuc::legalise
