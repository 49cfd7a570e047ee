// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transforms, factorisations and random numbers.
#include "compiler/frontend/hlo/families.h"
#include "dialects/stablehlo/stablehlo.h"

using namespace mlir;

namespace tpuc::frontend::hlo {
namespace {

// The enumerators of both sides have the same numbers.
template <typename Attr, typename Symbolize>
LogicalResult addEnum(Emitter &e, const Instruction &i, StringRef name, int64_t number, Symbolize symbolize,
                      SmallVectorImpl<NamedAttribute> &attributes) {
  auto value = number >= 0 && number < 16 ? symbolize(static_cast<uint32_t>(number)) : std::nullopt;
  if (!value) return e.refuse(i, codes::kUnknownOp) << "has the unknown number " << number << " for its " << name;
  attributes.push_back(e.attribute(name, Attr::get(e.b.getContext(), *value)));
  return success();
}

}  // namespace

TPUC_HLO_EMIT(emitFft) {
  SmallVector<NamedAttribute> attributes{e.dims("fft_length", i.fields.numbers(kFftLength))};
  auto symbolize = [](uint32_t n) { return stablehlo::symbolizeFftType(n); };
  if (failed(addEnum<stablehlo::FftTypeAttr>(e, i, "fft_type", i.fields.number(kFftType), symbolize, attributes)))
    return failure();
  e.create(i, op, i.values(), attributes, results);
  return success();
}

TPUC_HLO_EMIT(emitCholesky) {
  e.create(i, op, i.values(), e.flag("lower", i.fields.message(kCholeskyOptions).flag(kCholeskyLower)), results);
  return success();
}

TPUC_HLO_EMIT(emitTriangularSolve) {
  Message options = i.fields.message(kTriangularSolveOptions);
  SmallVector<NamedAttribute> attributes{e.flag("left_side", options.flag(kLeftSide)),
                                         e.flag("lower", options.flag(kTriangularLower)),
                                         e.flag("unit_diagonal", options.flag(kUnitDiagonal))};
  auto symbolize = [](uint32_t n) { return stablehlo::symbolizeTranspose(n); };
  if (failed(
          addEnum<stablehlo::TransposeAttr>(e, i, "transpose_a", options.number(kTransposeA), symbolize, attributes)))
    return failure();
  e.create(i, op, i.values(), attributes, results);
  return success();
}

// The shape is an operand in StableHLO.
TPUC_HLO_EMIT(emitRng) {
  if (!i.type() || !i.type().hasStaticShape()) return e.malformed(i) << "expects an array with sizes";
  SmallVector<mlir::Value> operands = i.values();
  auto sizes =
      DenseIntElementsAttr::get(RankedTensorType::get({i.type().getRank()}, e.b.getI64Type()), i.type().getShape());
  operands.push_back(stablehlo::ConstantOp::create(e.b, i.location, sizes));
  SmallVector<NamedAttribute> attributes;
  auto symbolize = [](uint32_t n) { return stablehlo::symbolizeRngDistribution(n); };
  if (failed(addEnum<stablehlo::RngDistributionAttr>(e, i, "rng_distribution", i.fields.number(kDistribution),
                                                     symbolize, attributes)))
    return failure();
  e.create(i, op, operands, attributes, results);
  return success();
}

// A tuple of the new state and the bits; in older programs the bits alone.
TPUC_HLO_EMIT(emitRngBits) {
  SmallVector<NamedAttribute> attributes;
  auto symbolize = [](uint32_t n) { return stablehlo::symbolizeRngAlgorithm(n); };
  if (failed(addEnum<stablehlo::RngAlgorithmAttr>(e, i, "rng_algorithm", i.fields.number(kRngAlgorithm), symbolize,
                                                  attributes)))
    return failure();
  if (i.shape.isTuple) {
    e.create(i, op, i.values(), attributes, results);
    return success();
  }
  OperationState state(i.location, op, i.values(), {i.array(0).getType(), i.shape.type}, attributes);
  results = {e.b.create(state)->getResult(1)};
  return success();
}

}  // namespace tpuc::frontend::hlo
