// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The two steps from arrays wider than a lane to planes: complex numbers to parts, then 64-bit elements to words.
#include "passes/legalise/lane_functions.h"
#include "passes/legalise/legaliser.h"
#include "passes/legalise/passes.h"
#include "passes/legalise/share_functions.h"

using namespace mlir;

namespace tpuc::legalise {
#define GEN_PASS_DEF_LEGALISECOMPLEXPASS
#define GEN_PASS_DEF_LEGALISEWIDEPASS
#include "passes/legalise/passes.h.inc"
namespace {

RankedTensorType wordsOf(RankedTensorType type) {
  return type.clone(IntegerType::get(type.getContext(), 32, IntegerType::Unsigned));
}

class ComplexLegaliser : public Legaliser {
  SmallVector<Type> partsOf(Type element) override {
    auto complex = dyn_cast<ComplexType>(element);
    return complex ? SmallVector<Type>{complex.getElementType(), complex.getElementType()} : SmallVector<Type>();
  }
  SmallVector<Attribute> partsOfScalar(Attribute scalar, Type) override {
    auto parts = cast<ArrayAttr>(scalar);
    return {parts[0], parts[1]};
  }
  Planes expand(Lanes &l, Operation *op, ArrayRef<Planes> v) override {
    Type to = typeOf(op->getResult(0)).getElementType();
    auto zero = [&](Type t) { return l.splat(l.b.getZeroAttr(t), t); };
    if (mlir::isa<stablehlo::ConvertOp>(op)) {
      bool fromComplex = isWide(op->getOperand(0));
      auto complex = dyn_cast<ComplexType>(to);
      if (!complex) return {l.convert(v[0][0], to)};
      Type part = complex.getElementType();
      return {l.convert(v[0][0], part), fromComplex ? l.convert(v[0][1], part) : zero(part)};
    }
    if (auto iota = dyn_cast<stablehlo::IotaOp>(op)) {
      Type part = cast<ComplexType>(to).getElementType();
      return {stablehlo::IotaOp::create(l.b, l.loc, l.typed(part), iota.getIotaDimension()), zero(part)};
    }
    return expandComplex(l, op, v);
  }
  // The planes of a pair of f64 are four words; the next step sees through their joins.
  Planes enter(OpBuilder &b, Value whole) override {
    auto type = typeOf(whole);
    auto part = type.clone(cast<ComplexType>(type.getElementType()).getElementType());
    if (part.getElementType().isF32()) {
      auto split = kernel::SplitOp::create(b, whole.getLoc(), TypeRange{part, part}, whole);
      return {split.getResult(0), split.getResult(1)};
    }
    auto split = kernel::SplitOp::create(b, whole.getLoc(), SmallVector<Type>(4, wordsOf(type)), whole);
    Planes out;
    for (int k = 0; k < 2; ++k)
      out.push_back(kernel::JoinOp::create(b, whole.getLoc(), part, split.getResults().slice(2 * k, 2)));
    return out;
  }
  Value leave(OpBuilder &b, const Planes &parts, Type whole) override {
    SmallVector<Value> planes;
    for (Value v : parts) {
      if (typeOf(v).getElementType().isF32()) {
        planes.push_back(v);
        continue;
      }
      auto split = kernel::SplitOp::create(b, v.getLoc(), SmallVector<Type>(2, wordsOf(typeOf(v))), v);
      llvm::append_range(planes, split.getResults());
    }
    return kernel::JoinOp::create(b, parts[0].getLoc(), whole, planes);
  }
};

class WideLegaliser : public Legaliser {
 public:
  explicit WideLegaliser(LaneFunctions &functions) : functions_(functions) {}

 private:
  SmallVector<Type> partsOf(Type element) override {
    if (!element.isF64() && !isWideInteger(element)) return {};
    Type word = IntegerType::get(element.getContext(), 32, IntegerType::Unsigned);
    return {word, word};
  }
  SmallVector<Attribute> partsOfScalar(Attribute scalar, Type element) override {
    APInt bits = mlir::isa<FloatAttr>(scalar) ? cast<FloatAttr>(scalar).getValue().bitcastToAPInt()
                                              : cast<IntegerAttr>(scalar).getValue();
    Type word = partsOf(element)[0];
    return {IntegerAttr::get(word, bits.trunc(32)), IntegerAttr::get(word, bits.lshr(32).trunc(32))};
  }
  Planes expand(Lanes &l, Operation *op, ArrayRef<Planes> v) override {
    Type to = typeOf(op->getResult(0)).getElementType();
    if (auto iota = dyn_cast<stablehlo::IotaOp>(op)) {
      Value index = stablehlo::IotaOp::create(l.b, l.loc, l.typed(l.u32()), iota.getIotaDimension());
      return expandConvert(l, l.u32(), to, {index});
    }
    if (mlir::isa<stablehlo::BitcastConvertOp>(op)) return bitcast(l, op, v[0]);
    Type from = typeOf(op->getOperand(0)).getElementType();
    return functions_.apply(l, op, v, [&](Lanes &lanes, ArrayRef<Planes> operands) {
      if (mlir::isa<stablehlo::ConvertOp>(op)) return expandConvert(lanes, from, to, operands[0]);
      return from.isF64() ? expandWideFloat(lanes, op, operands) : expandWideInteger(lanes, op, operands);
    });
  }
  // Between 64-bit types nothing happens; to and from 32-bit ones the words are the last dim.
  Planes bitcast(Lanes &l, Operation *op, const Planes &v) {
    RankedTensorType from = typeOf(op->getOperand(0)), to = typeOf(op->getResult(0));
    Build build{l.b, l.loc};
    if (isWide(from) && isWide(to)) return v;
    if (isWide(from)) {
      if (to.getElementTypeBitWidth() != 32) return {};
      SmallVector<int64_t> shape(from.getShape());
      shape.push_back(1);
      Value words = build.concatenate({build.reshape(v[0], shape), build.reshape(v[1], shape)}, from.getRank());
      return {l.bits(words, to.getElementType())};
    }
    if (from.getElementTypeBitWidth() != 32) return {};
    Lanes source(l.b, l.loc, from.getShape());
    Value words = source.bits(v[0], l.u32());
    Planes out;
    for (int64_t k = 0; k < 2; ++k) {
      SmallVector<int64_t> start(from.getRank(), 0), limit(from.getShape()), stride(from.getRank(), 1);
      start.back() = k;
      limit.back() = k + 1;
      out.push_back(build.reshape(build.slice(words, start, limit, stride), to.getShape()));
    }
    return out;
  }
  Planes enter(OpBuilder &b, Value whole) override {
    auto split = kernel::SplitOp::create(b, whole.getLoc(), SmallVector<Type>(2, wordsOf(typeOf(whole))), whole);
    return {split.getResult(0), split.getResult(1)};
  }
  Value leave(OpBuilder &b, const Planes &parts, Type whole) override {
    return kernel::JoinOp::create(b, parts[0].getLoc(), whole, parts);
  }
  bool dissolves(Operation *op) override {
    if (auto join = dyn_cast<kernel::JoinOp>(op); join && isWide(join.getWhole())) {
      setPlanes(join.getWhole(), Planes(join.getPlanes()));
      return true;
    }
    if (auto split = dyn_cast<kernel::SplitOp>(op); split && isWide(split.getWhole())) {
      for (auto [v, p] : llvm::zip(split.getPlanes(), planes(split.getWhole()))) v.replaceAllUsesWith(p);
      return true;
    }
    return false;
  }

  LaneFunctions &functions_;
};

struct LegaliseComplex : impl::LegaliseComplexPassBase<LegaliseComplex> {
  using LegaliseComplexPassBase::LegaliseComplexPassBase;
  void runOnOperation() override {
    if (!getOperation().getBody().empty() && failed(ComplexLegaliser().run(getOperation()))) signalPassFailure();
  }
};

struct LegaliseWide : impl::LegaliseWidePassBase<LegaliseWide> {
  using LegaliseWidePassBase::LegaliseWidePassBase;
  void runOnOperation() override {
    LaneFunctions functions(getOperation());
    for (auto function : llvm::to_vector(getOperation().getOps<func::FuncOp>())) {
      if (function.isExternal()) continue;
      shareFunctions(function);
      if (failed(WideLegaliser(functions).run(function))) return signalPassFailure();
    }
  }
};

}  // namespace
}  // namespace tpuc::legalise
