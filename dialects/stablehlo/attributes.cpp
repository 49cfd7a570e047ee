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
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  return dims;
}

void printDimList(AsmPrinter &printer, ArrayRef<int64_t> dims) {
  printer << "[";
  llvm::interleaveComma(dims, printer);
  printer << "]";
}

FailureOr<APFloat> parseDouble(AsmParser &parser) {
  double value;
  if (parser.parseFloat(value))
    return failure();
  return APFloat(value);
}

//===-----------------------------------------------------------------------------===//
// Dimension numbers by name
//===-----------------------------------------------------------------------------===//

ParseResult parseFields(AsmParser &parser, MutableArrayRef<Field> fields) {
  while (failed(parser.parseOptionalGreater())) {
    SMLoc loc = parser.getCurrentLocation();
    StringRef key;
    if (parser.parseKeyword(&key) || parser.parseEqual())
      return failure();
    Field *field = llvm::find_if(fields, [&](Field &f) { return f.name == key; });
    if (field == fields.end() || field->seen) {
      std::string names = llvm::join(llvm::map_range(fields, [](Field &f) { return f.name; }), ", ");
      return parser.emitError(loc) << "expects " << names << ", each once, but got " << key;
    }
    field->seen = true;
    if (field->number) {
      if (parser.parseInteger(*field->number))
        return failure();
    } else {
      FailureOr<SmallVector<int64_t>> list = parseDimList(parser);
      if (failed(list))
        return failure();
      *field->list = std::move(*list);
    }
    if (failed(parser.parseOptionalComma()))
      return parser.parseGreater();
  }
  return success();
}

void printFields(AsmPrinter &printer, ArrayRef<std::pair<StringRef, ArrayRef<int64_t>>> lists, StringRef numberName,
                 int64_t number) {
  StringRef separator;
  printer << "<";
  for (auto [name, list] : lists) {
    if (list.empty())
      continue;
    printer << separator << name << " = ";
    printDimList(printer, list);
    separator = ", ";
  }
  if (number != 0)
    printer << separator << numberName << " = " << number;
  printer << ">";
}

Attribute DotDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> lhsBatch, rhsBatch, lhsContract, rhsContract;
  Field fields[] = {{"lhs_batching_dimensions", &lhsBatch},
                    {"rhs_batching_dimensions", &rhsBatch},
                    {"lhs_contracting_dimensions", &lhsContract},
                    {"rhs_contracting_dimensions", &rhsContract}};
  if (parser.parseLess() || parseFields(parser, fields))
    return {};
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
  if (parser.parseLess() || parseFields(parser, fields))
    return {};
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
  if (parser.parseLess() || parseFields(parser, fields))
    return {};
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
// Dimension numbers of convolutions
//===-----------------------------------------------------------------------------===//

namespace {
// One side of `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`: which dimension plays which part.
struct ConvSide {
  ConvSide(char firstName, char secondName, int64_t first = -1, int64_t second = -1, ArrayRef<int64_t> spatial = {})
      : firstName(firstName), secondName(secondName), first(first), second(second), spatial(spatial) {}
  char firstName, secondName;
  int64_t first, second;
  SmallVector<int64_t> spatial;
};
} // namespace

// Spatial positions arrive in the order of the dimensions and are filed by their number.
static ParseResult fileSpatial(AsmParser &parser, SMLoc loc, ArrayRef<std::pair<int64_t, int64_t>> numbered,
                               SmallVectorImpl<int64_t> &spatial) {
  spatial.assign(numbered.size(), -1);
  for (auto [number, dim] : numbered) {
    if (number < 0 || number >= static_cast<int64_t>(numbered.size()) || spatial[number] != -1)
      return parser.emitError(loc) << "expects the spatial dimensions 0 to " << numbered.size() - 1
                                   << ", each once, but got " << number;
    spatial[number] = dim;
  }
  return success();
}

static ParseResult parseConvSide(AsmParser &parser, ConvSide &side) {
  SMLoc loc = parser.getCurrentLocation();
  int64_t dim = 0;
  SmallVector<std::pair<int64_t, int64_t>> numbered;
  auto parseName = [&](char name, int64_t &slot) -> ParseResult {
    if (slot != -1)
      return parser.emitError(parser.getCurrentLocation())
             << "expects dimension " << StringRef(&name, 1) << " once, but got it again";
    slot = dim++;
    return success();
  };
  auto parseOne = [&]() -> ParseResult {
    int64_t number;
    OptionalParseResult integer = parser.parseOptionalInteger(number);
    if (integer.has_value()) {
      numbered.push_back({number, dim++});
      return *integer;
    }
    if (succeeded(parser.parseOptionalQuestion())) {
      ++dim; // plays no part
      return success();
    }
    if (succeeded(parser.parseOptionalKeyword(StringRef(&side.firstName, 1))))
      return parseName(side.firstName, side.first);
    if (succeeded(parser.parseOptionalKeyword(StringRef(&side.secondName, 1))))
      return parseName(side.secondName, side.second);
    return parser.emitError(parser.getCurrentLocation())
           << "expects a spatial dimension's number, " << StringRef(&side.firstName, 1) << " or "
           << StringRef(&side.secondName, 1);
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  if (side.first == -1 || side.second == -1)
    return parser.emitError(loc) << "expects dimensions " << StringRef(&side.firstName, 1) << " and "
                                 << StringRef(&side.secondName, 1);
  return fileSpatial(parser, loc, numbered, side.spatial);
}

static ParseResult parseRawConv(AsmParser &parser, ConvSide &input, ConvSide &kernel, ConvSide &output) {
  Field fields[] = {{"input_batch_dimension", &input.first},
                    {"input_feature_dimension", &input.second},
                    {"input_spatial_dimensions", &input.spatial},
                    {"kernel_input_feature_dimension", &kernel.first},
                    {"kernel_output_feature_dimension", &kernel.second},
                    {"kernel_spatial_dimensions", &kernel.spatial},
                    {"output_batch_dimension", &output.first},
                    {"output_feature_dimension", &output.second},
                    {"output_spatial_dimensions", &output.spatial}};
  SMLoc loc = parser.getCurrentLocation();
  if (parseFields(parser, fields))
    return failure();
  for (Field &field : fields)
    if (field.number && !field.seen)
      return parser.emitError(loc) << "expects " << field.name;
  return success();
}

static ConvDimensionNumbersAttr makeConv(AsmParser &parser, const ConvSide &input, const ConvSide &kernel,
                                         const ConvSide &output) {
  return ConvDimensionNumbersAttr::get(parser.getContext(), input.first, input.second, input.spatial, kernel.first,
                                       kernel.second, kernel.spatial, output.first, output.second, output.spatial);
}

ParseResult parseConvDimensionNumbers(AsmParser &parser, ConvDimensionNumbersAttr &numbers) {
  ConvSide input('b', 'f'), kernel('i', 'o'), output('b', 'f');
  bool raw = succeeded(parser.parseOptionalKeyword("raw"));
  ParseResult result =
      raw ? ParseResult(failure(parser.parseLess() || parseRawConv(parser, input, kernel, output)))
          : ParseResult(failure(parseConvSide(parser, input) || parser.parseKeyword("x") ||
                                parseConvSide(parser, kernel) || parser.parseArrow() || parseConvSide(parser, output)));
  numbers = makeConv(parser, input, kernel, output);
  return result;
}

// The names of the dimensions in order, or nothing where the numbers are no permutation.
static std::optional<SmallVector<std::string>> nameDimensions(const ConvSide &side) {
  size_t rank = side.spatial.size() + 2;
  SmallVector<std::string> names(rank);
  auto name = [&](int64_t dim, std::string text) {
    if (dim < 0 || dim >= static_cast<int64_t>(rank) || !names[dim].empty())
      return false;
    names[dim] = std::move(text);
    return true;
  };
  if (!name(side.first, std::string(1, side.firstName)) || !name(side.second, std::string(1, side.secondName)))
    return std::nullopt;
  for (auto [number, dim] : llvm::enumerate(side.spatial))
    if (!name(dim, std::to_string(number)))
      return std::nullopt;
  return names;
}

// Three sides by the names of their dimensions; false where one has none.
static bool printConvByName(AsmPrinter &printer, ConvDimensionNumbersAttr n) {
  auto input = nameDimensions(ConvSide('b', 'f', n.getInputBatchDimension(), n.getInputFeatureDimension(),
                                       n.getInputSpatialDimensions()));
  auto kernel = nameDimensions(ConvSide('i', 'o', n.getKernelInputFeatureDimension(),
                                        n.getKernelOutputFeatureDimension(), n.getKernelSpatialDimensions()));
  auto output = nameDimensions(ConvSide('b', 'f', n.getOutputBatchDimension(), n.getOutputFeatureDimension(),
                                        n.getOutputSpatialDimensions()));
  if (!input || !kernel || !output)
    return false;
  printer << "[" << llvm::join(*input, ", ") << "]x[" << llvm::join(*kernel, ", ") << "]->["
          << llvm::join(*output, ", ") << "]";
  return true;
}

static void printConvRaw(AsmPrinter &printer, ConvDimensionNumbersAttr n) {
  auto printSide = [&](StringRef side, StringRef first, int64_t firstDim, StringRef second, int64_t secondDim,
                       ArrayRef<int64_t> spatial) {
    printer << side << first << "_dimension = " << firstDim << ", " << side << second << "_dimension = " << secondDim
            << ", " << side << "_spatial_dimensions = ";
    printDimList(printer, spatial);
  };
  printSide("input", "_batch", n.getInputBatchDimension(), "_feature", n.getInputFeatureDimension(),
            n.getInputSpatialDimensions());
  printer << ", ";
  printSide("kernel", "_input_feature", n.getKernelInputFeatureDimension(), "_output_feature",
            n.getKernelOutputFeatureDimension(), n.getKernelSpatialDimensions());
  printer << ", ";
  printSide("output", "_batch", n.getOutputBatchDimension(), "_feature", n.getOutputFeatureDimension(),
            n.getOutputSpatialDimensions());
}

void printConvDimensionNumbers(AsmPrinter &printer, ConvDimensionNumbersAttr numbers) {
  if (printConvByName(printer, numbers))
    return;
  printer << "raw<";
  printConvRaw(printer, numbers);
  printer << ">";
}

// In the attribute `raw` has no brackets of its own.
Attribute ConvDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  if (succeeded(parser.parseOptionalKeyword("raw"))) {
    ConvSide input('b', 'f'), kernel('i', 'o'), output('b', 'f');
    return parseRawConv(parser, input, kernel, output) ? Attribute() : makeConv(parser, input, kernel, output);
  }
  ConvDimensionNumbersAttr numbers;
  if (parseConvDimensionNumbers(parser, numbers) || parser.parseGreater())
    return {};
  return numbers;
}

void ConvDimensionNumbersAttr::print(AsmPrinter &printer) const {
  printer << "<";
  if (!printConvByName(printer, *this)) {
    printer << "raw ";
    printConvRaw(printer, *this);
  }
  printer << ">";
}

//===-----------------------------------------------------------------------------===//
// Bounds of dynamic dimensions
//===-----------------------------------------------------------------------------===//

static ParseResult parseBoundList(AsmParser &parser, AsmParser::Delimiter delimiter,
                                  SmallVectorImpl<int64_t> &bounds) {
  return parser.parseCommaSeparatedList(delimiter, [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalQuestion())) {
      bounds.push_back(ShapedType::kDynamic);
      return success();
    }
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseInteger(bounds.emplace_back()))
      return failure();
    if (bounds.back() < 0)
      return parser.emitError(loc) << "expects a bound of at least 0, but got " << bounds.back();
    return success();
  });
}

// `<4, ?>`
Attribute TypeExtensionsAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> bounds;
  if (parseBoundList(parser, AsmParser::Delimiter::LessGreater, bounds))
    return {};
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
    return emitError() << "expects one bound a dimension, but got " << getBounds().size() << " for "
                       << shape.size() << " dimensions";
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
  if (atol.isNegative() || rtol.isNegative() || ulps < 0)
    return emitError() << "expects tolerances of at least 0";
  bool tolerant = mode.getValue() == ResultAccuracyMode::TOLERANCE;
  if (!tolerant && (atol.isNonZero() || rtol.isNonZero() || ulps != 0))
    return emitError() << "expects mode TOLERANCE where a tolerance is given, but got "
                       << stringifyResultAccuracyMode(mode.getValue());
  if (tolerant && atol.isZero() && rtol.isZero() && ulps == 0)
    return emitError() << "expects a tolerance with mode TOLERANCE";
  return success();
}

} // namespace tpuc::stablehlo

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
  if (parsed.has_value())
    return attribute;
  if (mnemonic == "type_extensions")
    return parseLongExtensions(parser);
  parser.emitError(parser.getNameLoc()) << "unknown attribute '" << mnemonic << "' of dialect 'stablehlo'";
  return {};
}

void StablehloDialect::printAttribute(Attribute attribute, DialectAsmPrinter &printer) const {
  (void)generatedAttributePrinter(attribute, printer);
}

} // namespace tpuc::stablehlo
