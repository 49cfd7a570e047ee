// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dot products and convolutions.
#include "compiler/frontend/hlo/families.h"
#include "compiler/frontend/hlo/window.h"
#include "dialects/stablehlo/chlo.h"
#include "dialects/stablehlo/stablehlo.h"

using namespace mlir;

namespace tpuc::frontend::hlo {
namespace {

// The type of the operands' parts, of the sum, how many products, and whether the sum may be less exact:
// PrecisionConfig.Algorithm from 1 on.
struct Algorithm {
  uint32_t part, sum;
  int products;
  bool imprecise;
};
constexpr Algorithm kAlgorithms[] = {
    {kF8E5M2, kF32, 1, false}, {kF8E5M2, kF32, 1, true}, {kF16, kF16, 1, false},  {kF16, kF32, 1, false},
    {kBf16, kBf16, 1, false},  {kBf16, kF32, 1, false},  {kBf16, kF32, 3, false}, {kBf16, kF32, 6, false},
    {0, kF32, 1, false},       {0, kF32, 3, false},      {kF32, kF32, 1, false},  {kF64, kF64, 1, false},
    {kBf16, kF32, 9, false},
};

LogicalResult addAlgorithm(Emitter &e, const Instruction &i, SmallVectorImpl<NamedAttribute> &attributes) {
  const int64_t number = i.fields.message(kPrecisionConfig).number(kAlgorithm);
  if (number == 0) return success();
  if (number < 0 || number > static_cast<int64_t>(std::size(kAlgorithms)))
    return e.refuse(i, codes::kUnknownOp) << "has an algorithm with the unknown number " << number;
  const Algorithm &algorithm = kAlgorithms[number - 1];
  MLIRContext *context = e.b.getContext();
  Type part = algorithm.part ? elementType(algorithm.part, context) : FloatTF32Type::get(context);
  attributes.push_back(e.attribute(
      "algorithm", stablehlo::DotAlgorithmAttr::get(context, part, part, elementType(algorithm.sum, context), 1, 1,
                                                    algorithm.products, algorithm.imprecise)));
  return success();
}

// An enumerator an operand, where any is said.
template <typename EnumAttr>
LogicalResult addPrecisions(Emitter &e, const Instruction &i, SmallVectorImpl<NamedAttribute> &attributes) {
  SmallVector<Attribute> list;
  for (int64_t number : i.fields.message(kPrecisionConfig).numbers(kOperandPrecision)) {
    auto precision =
        number >= 0 && number <= 2 ? stablehlo::symbolizePrecision(static_cast<uint32_t>(number)) : std::nullopt;
    if (!precision) return e.refuse(i, codes::kUnknownOp) << "has a precision with the unknown number " << number;
    if (list.size() < 2) list.push_back(EnumAttr::get(e.b.getContext(), *precision));
  }
  if (!list.empty()) attributes.push_back(e.attribute("precision_config", e.b.getArrayAttr(list)));
  return success();
}

}  // namespace

TPUC_HLO_EMIT(emitDot) {
  Message numbers = i.fields.message(kDotNumbers);
  auto dims =
      stablehlo::DotDimensionNumbersAttr::get(e.b.getContext(), numbers.numbers(kLhsBatch), numbers.numbers(kRhsBatch),
                                              numbers.numbers(kLhsContracting), numbers.numbers(kRhsContracting));
  SmallVector<NamedAttribute> attributes{e.attribute("dot_dimension_numbers", dims)};
  if (failed(addPrecisions<stablehlo::PrecisionAttr>(e, i, attributes)) || failed(addAlgorithm(e, i, attributes)))
    return failure();
  e.create(i, op, i.values(), attributes, results);
  return success();
}

TPUC_HLO_EMIT(emitRaggedDot) {
  Message ragged = i.fields.message(kRaggedDotNumbers), numbers = ragged.message(kRaggedDot);
  auto dims = chlo::RaggedDotDimensionNumbersAttr::get(
      e.b.getContext(), numbers.numbers(kLhsBatch), numbers.numbers(kRhsBatch), numbers.numbers(kLhsContracting),
      numbers.numbers(kRhsContracting), ragged.numbers(kLhsRagged), ragged.numbers(kRhsGroup));
  SmallVector<NamedAttribute> attributes{e.attribute("ragged_dot_dimension_numbers", dims)};
  if (failed(addPrecisions<chlo::PrecisionAttr>(e, i, attributes))) return failure();
  e.create(i, op, i.values(), attributes, results);
  return success();
}

TPUC_HLO_EMIT(emitConvolution) {
  Message numbers = i.fields.message(kConvolutionNumbers);
  auto dims = stablehlo::ConvDimensionNumbersAttr::get(
      e.b.getContext(), numbers.number(kInputBatch), numbers.number(kInputFeature), numbers.numbers(kInputSpatial),
      numbers.number(kKernelInputFeature), numbers.number(kKernelOutputFeature), numbers.numbers(kKernelSpatial),
      numbers.number(kOutputBatch), numbers.number(kOutputFeature), numbers.numbers(kOutputSpatial));
  WindowDims window(i.fields.message(kWindow));
  SmallVector<NamedAttribute> attributes{
      e.attribute("dimension_numbers", dims),
      e.dims("window_strides", window.strides),
      e.table("padding", window.padding),
      e.dims("lhs_dilation", window.baseDilations),
      e.dims("rhs_dilation", window.windowDilations),
      e.attribute("window_reversal", e.b.getDenseBoolArrayAttr(window.reversal)),
      e.number("feature_group_count", std::max<int64_t>(i.fields.number(kFeatureGroupCount), 1)),
      e.number("batch_group_count", std::max<int64_t>(i.fields.number(kBatchGroupCount), 1))};
  if (failed(addPrecisions<stablehlo::PrecisionAttr>(e, i, attributes))) return failure();
  e.create(i, op, i.values(), attributes, results);
  return success();
}

}  // namespace tpuc::frontend::hlo
