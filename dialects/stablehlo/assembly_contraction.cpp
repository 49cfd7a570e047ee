//===- assembly_contraction.cpp - directives of dot products and convolutions --------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/stablehlo/assembly.h"

using namespace mlir;

namespace tpuc::stablehlo {

// `[0] x [1]`
static ParseResult parseDimPair(Parser &parser, SmallVectorImpl<int64_t> &lhs, SmallVectorImpl<int64_t> &rhs) {
  FailureOr<SmallVector<int64_t>> left = parseDimList(parser);
  if (failed(left) || parser.parseKeyword("x")) return failure();
  FailureOr<SmallVector<int64_t>> right = parseDimList(parser);
  if (failed(right)) return failure();
  lhs.assign(*left);
  rhs.assign(*right);
  return success();
}

ParseResult parseDotDimensions(Parser &parser, DotDimensionNumbersAttr &numbers) {
  SmallVector<int64_t> lhsBatch, rhsBatch, lhsContract, rhsContract;
  if (succeeded(parser.parseOptionalKeyword("batching_dims")))
    if (parser.parseEqual() || parseDimPair(parser, lhsBatch, rhsBatch) || parser.parseComma()) return failure();
  if (parser.parseKeyword("contracting_dims") || parser.parseEqual() || parseDimPair(parser, lhsContract, rhsContract))
    return failure();
  numbers = DotDimensionNumbersAttr::get(parser.getContext(), lhsBatch, rhsBatch, lhsContract, rhsContract);
  return success();
}
void printDotDimensions(Printer &printer, Operation *op, DotDimensionNumbersAttr numbers) {
  auto printPair = [&](ArrayRef<int64_t> lhs, ArrayRef<int64_t> rhs) {
    printDimList(printer, lhs);
    printer << " x ";
    printDimList(printer, rhs);
  };
  if (!numbers.getLhsBatchingDimensions().empty() || !numbers.getRhsBatchingDimensions().empty()) {
    printer << "batching_dims = ";
    printPair(numbers.getLhsBatchingDimensions(), numbers.getRhsBatchingDimensions());
    printer << ", ";
  }
  printer << "contracting_dims = ";
  printPair(numbers.getLhsContractingDimensions(), numbers.getRhsContractingDimensions());
}

// After `precision`: `= [DEFAULT, HIGH]`.
static ParseResult parsePrecisionList(Parser &parser, ArrayAttr &precision) {
  SmallVector<Attribute> list;
  auto parseOne = [&]() -> ParseResult {
    auto one = FieldParser<Precision>::parse(parser);
    if (failed(one)) return failure();
    list.push_back(PrecisionAttr::get(parser.getContext(), *one));
    return success();
  };
  if (parser.parseEqual() || parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne)) return failure();
  precision = parser.getBuilder().getArrayAttr(list);
  return success();
}

static void printPrecisionList(Printer &printer, ArrayAttr precision) {
  printer << ", precision = [";
  llvm::interleaveComma(precision.getAsRange<PrecisionAttr>(), printer,
                        [&](PrecisionAttr one) { printer << stringifyPrecision(one.getValue()); });
  printer << "]";
}

ParseResult parsePrecisionConfig(Parser &parser, ArrayAttr &precision) {
  if (failed(parser.parseOptionalComma())) return success();
  return failure(parser.parseKeyword("precision") || parsePrecisionList(parser, precision));
}
void printPrecisionConfig(Printer &printer, Operation *op, ArrayAttr precision) {
  if (precision) printPrecisionList(printer, precision);
}

ParseResult parsePrecisionConfigAndAlgorithm(Parser &parser, ArrayAttr &precision, DotAlgorithmAttr &algorithm) {
  while (succeeded(parser.parseOptionalComma())) {
    if (!precision && succeeded(parser.parseOptionalKeyword("precision"))) {
      if (parsePrecisionList(parser, precision)) return failure();
      continue;
    }
    if (algorithm || parser.parseKeyword("algorithm") || parser.parseEqual() ||
        parser.parseCustomAttributeWithFallback(algorithm))
      return failure();
  }
  return success();
}
void printPrecisionConfigAndAlgorithm(Printer &printer, Operation *op, ArrayAttr precision,
                                      DotAlgorithmAttr algorithm) {
  if (precision) printPrecisionList(printer, precision);
  if (algorithm) {
    printer << ", algorithm = ";
    printer.printStrippedAttrOrType(algorithm);
  }
}

ParseResult parseConvNumbers(Parser &parser, ConvDimensionNumbersAttr &numbers) {
  return parseConvDimensionNumbers(parser, numbers);
}
void printConvNumbers(Printer &printer, Operation *op, ConvDimensionNumbersAttr numbers) {
  printConvDimensionNumbers(printer, numbers);
}

// `[[1, 1], [0, 2]]`
static ParseResult parsePadding(Parser &parser, DenseIntElementsAttr &padding) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> values;
  int64_t rows = 0;
  auto parseRow = [&]() -> ParseResult {
    ++rows;
    FailureOr<SmallVector<int64_t>> row = parseDimList(parser);
    if (failed(row)) return failure();
    if (row->size() != 2)
      return parser.emitError(loc) << "expects padding of two numbers a dimension, but got " << row->size();
    values.append(*row);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseRow)) return failure();
  auto type = RankedTensorType::get({rows, 2}, parser.getBuilder().getI64Type());
  padding = DenseIntElementsAttr::get(type, values);
  return success();
}

// `[true, 0]`
static ParseResult parseBools(Parser &parser, DenseBoolArrayAttr &bools) {
  SmallVector<bool> values;
  auto parseOne = [&]() -> ParseResult {
    int64_t value;
    if (parser.parseInteger(value)) return failure();
    values.push_back(value != 0);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne)) return failure();
  bools = parser.getBuilder().getDenseBoolArrayAttr(values);
  return success();
}

ParseResult parseWindow(Parser &parser, DenseI64ArrayAttr &strides, DenseIntElementsAttr &padding,
                        DenseI64ArrayAttr &lhsDilation, DenseI64ArrayAttr &rhsDilation, DenseBoolArrayAttr &reversal) {
  auto parseField = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef key;
    if (parser.parseKeyword(&key) || parser.parseEqual()) return failure();
    bool again = (key == "stride" && strides) || (key == "pad" && padding) || (key == "lhs_dilate" && lhsDilation) ||
                 (key == "rhs_dilate" && rhsDilation) || (key == "reverse" && reversal);
    if (again) return parser.emitError(loc) << "expects each field of a window once, but got " << key << " again";
    if (key == "stride") return parseDims(parser, strides);
    if (key == "pad") return parsePadding(parser, padding);
    if (key == "lhs_dilate") return parseDims(parser, lhsDilation);
    if (key == "rhs_dilate") return parseDims(parser, rhsDilation);
    if (key == "reverse") return parseBools(parser, reversal);
    return parser.emitError(loc) << "expects stride, pad, lhs_dilate, rhs_dilate or reverse, but got " << key;
  };
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, parseField);
}

static void printPadding(Printer &printer, DenseIntElementsAttr padding) {
  SmallVector<int64_t> values(padding.getValues<int64_t>());
  printer << "[";
  for (size_t i = 0; i + 1 < values.size(); i += 2)
    printer << (i ? ", [" : "[") << values[i] << ", " << values[i + 1] << "]";
  printer << "]";
}

void printWindow(Printer &printer, Operation *op, DenseI64ArrayAttr strides, DenseIntElementsAttr padding,
                 DenseI64ArrayAttr lhsDilation, DenseI64ArrayAttr rhsDilation, DenseBoolArrayAttr reversal) {
  StringRef separator;
  auto field = [&](StringRef key) {
    printer << separator << key << " = ";
    separator = ", ";
  };
  auto printList = [&](StringRef key, DenseI64ArrayAttr list) {
    if (!list) return;
    field(key);
    printDims(printer, op, list);
  };
  printer << "{";
  printList("stride", strides);
  if (padding) {
    field("pad");
    printPadding(printer, padding);
  }
  printList("lhs_dilate", lhsDilation);
  printList("rhs_dilate", rhsDilation);
  if (reversal) {
    field("reverse");
    printer << "[";
    llvm::interleaveComma(reversal.asArrayRef(), printer, [&](bool b) { printer << (b ? "true" : "false"); });
    printer << "]";
  }
  printer << "}";
}

}  // namespace tpuc::stablehlo
