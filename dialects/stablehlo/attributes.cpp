//===- attributes.cpp - parsing, printing and checking the attributes -----------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/stablehlo/attributes.h"

#include "dialects/stablehlo/stablehlo.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tpuc::stablehlo {

FailureOr<SmallVector<int64_t>> parseDimList(AsmParser &parser) {
  SmallVector<int64_t> dims;
  auto parseOne = [&]() -> ParseResult { return parser.parseInteger(dims.emplace_back()); };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne)) return failure();
  return dims;
}

void printDimList(AsmPrinter &printer, ArrayRef<int64_t> dims) {
  printer << "[";
  llvm::interleaveComma(dims, printer);
  printer << "]";
}

FailureOr<APFloat> parseDouble(AsmParser &parser) {
  double value;
  if (parser.parseFloat(value)) return failure();
  return APFloat(value);
}

//===-----------------------------------------------------------------------------===//
// Dimension numbers by name
//===-----------------------------------------------------------------------------===//

ParseResult parseFields(AsmParser &parser, MutableArrayRef<Field> fields) {
  while (failed(parser.parseOptionalGreater())) {
    SMLoc loc = parser.getCurrentLocation();
    StringRef key;
    if (parser.parseKeyword(&key) || parser.parseEqual()) return failure();
    Field *field = llvm::find_if(fields, [&](Field &f) { return f.name == key; });
    if (field == fields.end() || field->seen) {
      std::string names = llvm::join(llvm::map_range(fields, [](Field &f) { return f.name; }), ", ");
      return parser.emitError(loc) << "expects " << names << ", each once, but got " << key;
    }
    field->seen = true;
    if (field->number) {
      if (parser.parseInteger(*field->number)) return failure();
    } else {
      FailureOr<SmallVector<int64_t>> list = parseDimList(parser);
      if (failed(list)) return failure();
      *field->list = std::move(*list);
    }
    if (failed(parser.parseOptionalComma())) return parser.parseGreater();
  }
  return success();
}

void printFields(AsmPrinter &printer, ArrayRef<std::pair<StringRef, ArrayRef<int64_t>>> lists, StringRef numberName,
                 int64_t number) {
  StringRef separator;
  printer << "<";
  for (auto [name, list] : lists) {
    if (list.empty()) continue;
    printer << separator << name << " = ";
    printDimList(printer, list);
    separator = ", ";
  }
  if (number != 0) printer << separator << numberName << " = " << number;
  printer << ">";
}

Attribute DotDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> lhsBatch, rhsBatch, lhsContract, rhsContract;
  Field fields[] = {{"lhs_batching_dimensions", &lhsBatch},
                    {"rhs_batching_dimensions", &rhsBatch},
                    {"lhs_contracting_dimensions", &lhsContract},
                    {"rhs_contracting_dimensions", &rhsContract}};
  if (parser.parseLess() || parseFields(parser, fields)) return {};
  return get(parser.getContext(), lhsBatch, rhsBatch, lhsContract, rhsContract);
}
void DotDimensionNumbersAttr::print(AsmPrinter &printer) const {
  printFields(printer, {{"lhs_batching_dimensions", getLhsBatchingDimensions()},
                        {"rhs_batching_dimensions", getRhsBatchingDimensions()},
                        {"lhs_contracting_dimensions", getLhsContractingDimensions()},
                        {"rhs_contracting_dimensions", getRhsContractingDimensions()}});
}

Attribute GatherDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> offset, collapsed, operandBatching, indicesBatching, indexMap;
  int64_t indexVectorDim = 0;
  Field fields[] = {{"offset_dims", &offset},
                    {"collapsed_slice_dims", &collapsed},
                    {"operand_batching_dims", &operandBatching},
                    {"start_indices_batching_dims", &indicesBatching},
                    {"start_index_map", &indexMap},
                    {"index_vector_dim", &indexVectorDim}};
  if (parser.parseLess() || parseFields(parser, fields)) return {};
  return get(parser.getContext(), offset, collapsed, operandBatching, indicesBatching, indexMap, indexVectorDim);
}
void GatherDimensionNumbersAttr::print(AsmPrinter &printer) const {
  printFields(printer,
              {{"offset_dims", getOffsetDims()},
               {"collapsed_slice_dims", getCollapsedSliceDims()},
               {"operand_batching_dims", getOperandBatchingDims()},
               {"start_indices_batching_dims", getStartIndicesBatchingDims()},
               {"start_index_map", getStartIndexMap()}},
              "index_vector_dim", getIndexVectorDim());
}

Attribute ScatterDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> window, inserted, inputBatching, indicesBatching, toOperand;
  int64_t indexVectorDim = 0;
  Field fields[] = {{"update_window_dims", &window},
                    {"inserted_window_dims", &inserted},
                    {"input_batching_dims", &inputBatching},
                    {"scatter_indices_batching_dims", &indicesBatching},
                    {"scatter_dims_to_operand_dims", &toOperand},
                    {"index_vector_dim", &indexVectorDim}};
  if (parser.parseLess() || parseFields(parser, fields)) return {};
  return get(parser.getContext(), window, inserted, inputBatching, indicesBatching, toOperand, indexVectorDim);
}
void ScatterDimensionNumbersAttr::print(AsmPrinter &printer) const {
  printFields(printer,
              {{"update_window_dims", getUpdateWindowDims()},
               {"inserted_window_dims", getInsertedWindowDims()},
               {"input_batching_dims", getInputBatchingDims()},
               {"scatter_indices_batching_dims", getScatterIndicesBatchingDims()},
               {"scatter_dims_to_operand_dims", getScatterDimsToOperandDims()}},
              "index_vector_dim", getIndexVectorDim());
}

//===-----------------------------------------------------------------------------===//
// Bounds of dynamic dimensions
//===-----------------------------------------------------------------------------===//

static ParseResult parseBoundList(AsmParser &parser, AsmParser::Delimiter delimiter, SmallVectorImpl<int64_t> &bounds) {
  return parser.parseCommaSeparatedList(delimiter, [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalQuestion())) {
      bounds.push_back(ShapedType::kDynamic);
      return success();
    }
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseInteger(bounds.emplace_back())) return failure();
    if (bounds.back() < 0) return parser.emitError(loc) << "expects a bound of at least 0, but got " << bounds.back();
    return success();
  });
}

// `<4, ?>`
Attribute TypeExtensionsAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> bounds;
  if (parseBoundList(parser, AsmParser::Delimiter::LessGreater, bounds)) return {};
  return get(parser.getContext(), bounds);
}
// `<bounds = [4, ?]>`
static Attribute parseLongExtensions(AsmParser &parser) {
  SmallVector<int64_t> bounds;
  if (parser.parseLess() || parser.parseKeyword("bounds") || parser.parseEqual() ||
      parseBoundList(parser, AsmParser::Delimiter::Square, bounds) || parser.parseGreater())
    return {};
  return TypeExtensionsAttr::get(parser.getContext(), bounds);
}
void TypeExtensionsAttr::print(AsmPrinter &printer) const {
  printer << "<";
  llvm::interleaveComma(getBounds(), printer, [&](int64_t bound) {
    if (ShapedType::isDynamic(bound))
      printer << "?";
    else
      printer << bound;
  });
  printer << ">";
}

LogicalResult TypeExtensionsAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                                 function_ref<InFlightDiagnostic()> emitError) const {
  if (getBounds().size() != shape.size())
    return emitError() << "expects one bound a dimension, but got " << getBounds().size() << " for " << shape.size()
                       << " dimensions";
  for (auto [dim, size, bound] : llvm::enumerate(shape, getBounds()))
    if (!ShapedType::isDynamic(bound) && !ShapedType::isDynamic(size))
      return emitError() << "expects a bound on dynamic dimensions only, but got one on dimension " << dim
                         << " of size " << size;
  return success();
}

//===-----------------------------------------------------------------------------===//
// Accuracy
//===-----------------------------------------------------------------------------===//

LogicalResult ResultAccuracyAttr::verify(function_ref<InFlightDiagnostic()> emitError, APFloat atol, APFloat rtol,
                                         int64_t ulps, ResultAccuracyModeAttr mode) {
  if (atol.isNegative() || rtol.isNegative() || ulps < 0) return emitError() << "expects tolerances of at least 0";
  bool tolerant = mode.getValue() == ResultAccuracyMode::TOLERANCE;
  if (!tolerant && (atol.isNonZero() || rtol.isNonZero() || ulps != 0))
    return emitError() << "expects mode TOLERANCE where a tolerance is given, but got "
                       << stringifyResultAccuracyMode(mode.getValue());
  if (tolerant && atol.isZero() && rtol.isZero() && ulps == 0)
    return emitError() << "expects a tolerance with mode TOLERANCE";
  return success();
}

}  // namespace tpuc::stablehlo

#define GET_ATTRDEF_CLASSES
#include "dialects/stablehlo/attributes.cpp.inc"

namespace tpuc::stablehlo {

void StablehloDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/stablehlo/attributes.cpp.inc"
      >();
}

Attribute StablehloDialect::parseAttribute(DialectAsmParser &parser, Type type) const {
  StringRef mnemonic;
  Attribute attribute;
  OptionalParseResult parsed = generatedAttributeParser(parser, &mnemonic, type, attribute);
  if (parsed.has_value()) return attribute;
  if (mnemonic == "type_extensions") return parseLongExtensions(parser);
  parser.emitError(parser.getNameLoc()) << "unknown attribute '" << mnemonic << "' of dialect 'stablehlo'";
  return {};
}

void StablehloDialect::printAttribute(Attribute attribute, DialectAsmPrinter &printer) const {
  (void)generatedAttributePrinter(attribute, printer);
}

}  // namespace tpuc::stablehlo
