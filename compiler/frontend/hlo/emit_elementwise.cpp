// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opcodes that say nothing but their operands, and those with a word more; constants.
#include "compiler/frontend/hlo/families.h"
#include "compiler/frontend/hlo/literal.h"
#include "dialects/stablehlo/stablehlo.h"

using namespace mlir;

namespace tpuc::frontend::hlo {

TPUC_HLO_EMIT(emitPlain) {
  e.create(i, op, i.values(), {}, results);
  return success();
}

TPUC_HLO_EMIT(emitCompare) {
  StringRef direction = i.fields.bytes(kComparisonDirection), type = i.fields.bytes(kComparisonType);
  auto symbol = stablehlo::symbolizeComparisonDirection(direction);
  if (!symbol) return e.malformed(i) << "expects a direction of comparison, but got '" << direction << "'";
  SmallVector<NamedAttribute> attributes{
      e.attribute("comparison_direction", stablehlo::ComparisonDirectionAttr::get(e.b.getContext(), *symbol))};
  auto kind = stablehlo::symbolizeComparisonType(type);
  if (!kind && !type.empty()) return e.malformed(i) << "expects a type of comparison, but got '" << type << "'";
  if (kind)
    attributes.push_back(e.attribute("compare_type", stablehlo::ComparisonTypeAttr::get(e.b.getContext(), *kind)));
  e.create(i, op, i.values(), attributes, results);
  return success();
}

TPUC_HLO_EMIT(emitSelect) { return emitPlain(e, i, op, results); }

TPUC_HLO_EMIT(emitReducePrecision) {
  e.create(i, op, i.values(),
           {e.attribute("exponent_bits", e.b.getI32IntegerAttr(static_cast<int32_t>(i.fields.number(kExponentBits)))),
            e.attribute("mantissa_bits", e.b.getI32IntegerAttr(static_cast<int32_t>(i.fields.number(kMantissaBits))))},
           results);
  return success();
}

TPUC_HLO_EMIT(emitConstant) {
  std::string error;
  if (failed(appendConstants(e, i, i.fields.message(kLiteral), i.shape, results, error)))
    return e.malformed(i) << error;
  return success();
}

}  // namespace tpuc::frontend::hlo
