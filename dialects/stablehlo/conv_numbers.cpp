//===- conv_numbers.cpp - dimension numbers of convolutions as text ------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/stablehlo/attributes.h"
#include "dialects/stablehlo/stablehlo.h"

using namespace mlir;

namespace tpuc::stablehlo {

namespace {
// One side of `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`: which dimension plays which part.
struct ConvSide {
  ConvSide(char firstName, char secondName, int64_t first = -1, int64_t second = -1, ArrayRef<int64_t> spatial = {})
      : firstName(firstName), secondName(secondName), first(first), second(second), spatial(spatial) {}
  char firstName, secondName;
  int64_t first, second;
  SmallVector<int64_t> spatial;
};
}  // namespace

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
    int64_t number = 0;
    OptionalParseResult integer = parser.parseOptionalInteger(number);
    if (integer.has_value()) {
      numbered.push_back({number, dim++});
      return *integer;
    }
    if (succeeded(parser.parseOptionalQuestion())) {
      ++dim;  // plays no part
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
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne)) return failure();
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
  if (parseFields(parser, fields)) return failure();
  for (Field &field : fields)
    if (field.number && !field.seen) return parser.emitError(loc) << "expects " << field.name;
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
    if (dim < 0 || dim >= static_cast<int64_t>(rank) || !names[dim].empty()) return false;
    names[dim] = std::move(text);
    return true;
  };
  if (!name(side.first, std::string(1, side.firstName)) || !name(side.second, std::string(1, side.secondName)))
    return std::nullopt;
  for (auto [number, dim] : llvm::enumerate(side.spatial))
    if (!name(dim, std::to_string(number))) return std::nullopt;
  return names;
}

// Three sides by the names of their dimensions; false where one has none.
static bool printConvByName(AsmPrinter &printer, ConvDimensionNumbersAttr n) {
  auto input = nameDimensions(
      ConvSide('b', 'f', n.getInputBatchDimension(), n.getInputFeatureDimension(), n.getInputSpatialDimensions()));
  auto kernel = nameDimensions(ConvSide('i', 'o', n.getKernelInputFeatureDimension(),
                                        n.getKernelOutputFeatureDimension(), n.getKernelSpatialDimensions()));
  auto output = nameDimensions(
      ConvSide('b', 'f', n.getOutputBatchDimension(), n.getOutputFeatureDimension(), n.getOutputSpatialDimensions()));
  if (!input || !kernel || !output) return false;
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
  if (printConvByName(printer, numbers)) return;
  printer << "raw<";
  printConvRaw(printer, numbers);
  printer << ">";
}

// In the attribute `raw` has no brackets of its own.
Attribute ConvDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess()) return {};
  if (succeeded(parser.parseOptionalKeyword("raw"))) {
    ConvSide input('b', 'f'), kernel('i', 'o'), output('b', 'f');
    return parseRawConv(parser, input, kernel, output) ? Attribute() : makeConv(parser, input, kernel, output);
  }
  ConvDimensionNumbersAttr numbers;
  if (parseConvDimensionNumbers(parser, numbers) || parser.parseGreater()) return {};
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

}  // namespace tpuc::stablehlo
