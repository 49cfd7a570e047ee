//===- assembly.cpp - the directives that the ops' assembly formats name ------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/stablehlo/assembly.h"

using namespace mlir;

namespace tpuc::stablehlo {

//===-----------------------------------------------------------------------------===//
// Types
//===-----------------------------------------------------------------------------===//

// Spreads `(types) -> type` over the operands and the result.
static ParseResult assignFunctionType(Parser &parser, SMLoc loc, FunctionType function,
                                      MutableArrayRef<Type *> operands, Type &result) {
  if (function.getNumInputs() != operands.size())
    return parser.emitError(loc) << "expects " << operands.size() << " operand types, but got "
                                 << function.getNumInputs();
  if (function.getNumResults() != 1)
    return parser.emitError(loc) << "expects one result type, but got " << function.getNumResults();
  for (auto [slot, type] : llvm::zip_equal(operands, function.getInputs())) *slot = type;
  result = function.getResult(0);
  return success();
}

ParseResult parseSameTypes(Parser &parser, MutableArrayRef<Type *> operands, Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  Type type;
  if (parser.parseType(type)) return failure();
  if (auto function = dyn_cast<FunctionType>(type)) return assignFunctionType(parser, loc, function, operands, result);
  for (Type *slot : operands) *slot = type;
  result = type;
  return success();
}

static void printFunctionType(Printer &printer, TypeRange operands, TypeRange results) {
  printer.printFunctionalType(operands, results);
}

void printSameTypes(Printer &printer, Operation *op, TypeRange operands, Type result) {
  if (llvm::all_of(operands, [&](Type type) { return type == result; }))
    printer.printType(result);
  else
    printFunctionType(printer, operands, result);
}

ParseResult parseVariadicSameTypes(Parser &parser, ArrayRef<Parser::UnresolvedOperand> operands,
                                   SmallVectorImpl<Type> &types, Type &result) {
  types.resize(operands.size());
  SmallVector<Type *> slots = llvm::map_to_vector(types, [](Type &type) { return &type; });
  return parseSameTypes(parser, slots, result);
}
void printVariadicSameTypes(Printer &printer, Operation *op, OperandRange operands, TypeRange types, Type result) {
  printSameTypes(printer, op, types, result);
}

ParseResult parseSelectType(Parser &parser, Type &pred, Type &onTrue, Type &onFalse, Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<Type> types;
  if (parser.parseTypeList(types)) return failure();
  if (types.size() == 2) {
    pred = types[0];
    onTrue = onFalse = result = types[1];
    return success();
  }
  if (types.size() == 1)
    if (auto function = dyn_cast<FunctionType>(types[0])) {
      Type *operands[] = {&pred, &onTrue, &onFalse};
      return assignFunctionType(parser, loc, function, operands, result);
    }
  return parser.emitError(loc) << "expects a function type or two types, but got " << types.size();
}

void printSelectType(Printer &printer, Operation *op, Type pred, Type onTrue, Type onFalse, Type result) {
  if (onTrue == result && onFalse == result)
    printer << pred << ", " << result;
  else
    printFunctionType(printer, {pred, onTrue, onFalse}, result);
}

ParseResult parseComplexType(Parser &parser, Type &lhs, Type &rhs, Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  Type type;
  if (parser.parseType(type)) return failure();
  if (auto function = dyn_cast<FunctionType>(type)) {
    Type *operands[] = {&lhs, &rhs};
    return assignFunctionType(parser, loc, function, operands, result);
  }
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto complex = tensor ? dyn_cast<ComplexType>(tensor.getElementType()) : ComplexType();
  if (!complex) return parser.emitError(loc) << "expects a tensor of complex type, but got " << type;
  result = type;
  lhs = rhs = tensor.clone(complex.getElementType());
  return success();
}

void printComplexType(Printer &printer, Operation *op, Type lhs, Type rhs, Type result) {
  auto tensor = cast<RankedTensorType>(result);
  auto complex = dyn_cast<ComplexType>(tensor.getElementType());
  Type part = complex ? Type(tensor.clone(complex.getElementType())) : Type();
  if (lhs == part && rhs == part)
    printer.printType(result);
  else
    printFunctionType(printer, {lhs, rhs}, result);
}

ParseResult parseTupleType(Parser &parser, SmallVectorImpl<Type> &operands, Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  Type type;
  if (parser.parseType(type)) return failure();
  if (auto tuple = dyn_cast<TupleType>(type)) {
    operands.assign(tuple.begin(), tuple.end());
    result = type;
    return success();
  }
  auto function = dyn_cast<FunctionType>(type);
  if (!function || function.getNumResults() != 1)
    return parser.emitError(loc) << "expects a tuple type, but got " << type;
  operands.assign(function.getInputs().begin(), function.getInputs().end());
  result = function.getResult(0);
  return success();
}

void printTupleType(Printer &printer, Operation *op, TypeRange operands, Type result) {
  if (auto tuple = dyn_cast<TupleType>(result); tuple && TypeRange(tuple.getTypes()) == operands)
    printer.printType(result);
  else
    printFunctionType(printer, operands, result);
}

ParseResult parseBarrier(Parser &parser, SmallVectorImpl<Parser::UnresolvedOperand> &operands,
                         SmallVectorImpl<Type> &operandTypes, SmallVectorImpl<Type> &resultTypes) {
  if (succeeded(parser.parseOptionalLParen())) return parser.parseRParen();
  if (parser.parseOperandList(operands) || parser.parseColonTypeList(operandTypes)) return failure();
  resultTypes.assign(operandTypes.begin(), operandTypes.end());
  return success();
}

void printBarrier(Printer &printer, Operation *op, OperandRange operands, TypeRange operandTypes,
                  TypeRange resultTypes) {
  if (operands.empty()) {
    printer << "()";
    return;
  }
  printer << ' ' << operands << " : ";
  llvm::interleaveComma(operandTypes, printer);
}

//===-----------------------------------------------------------------------------===//
// Integers and dimensions
//===-----------------------------------------------------------------------------===//

ParseResult parseDims(Parser &parser, DenseI64ArrayAttr &dims) {
  FailureOr<SmallVector<int64_t>> list = parseDimList(parser);
  if (failed(list)) return failure();
  dims = parser.getBuilder().getDenseI64ArrayAttr(*list);
  return success();
}
void printDims(Printer &printer, Operation *op, DenseI64ArrayAttr dims) { printDimList(printer, dims.asArrayRef()); }

static ParseResult parseBareInteger(Parser &parser, IntegerAttr &value, unsigned width) {
  SMLoc loc = parser.getCurrentLocation();
  int64_t number;
  if (parser.parseInteger(number)) return failure();
  if (!llvm::isIntN(width, number))
    return parser.emitError(loc) << "expects an integer of " << width << " bits, but got " << number;
  value = parser.getBuilder().getIntegerAttr(parser.getBuilder().getIntegerType(width), number);
  return success();
}
ParseResult parseI64(Parser &parser, IntegerAttr &value) { return parseBareInteger(parser, value, 64); }
void printI64(Printer &printer, Operation *op, IntegerAttr value) { printer << value.getInt(); }
ParseResult parseI32(Parser &parser, IntegerAttr &value) { return parseBareInteger(parser, value, 32); }
void printI32(Printer &printer, Operation *op, IntegerAttr value) { printer << value.getInt(); }

// `%a, %b, `: operands, each followed by a comma.
static ParseResult parseOperandsAndCommas(Parser &parser, SmallVectorImpl<Parser::UnresolvedOperand> &operands) {
  while (true) {
    Parser::UnresolvedOperand operand;
    OptionalParseResult result = parser.parseOptionalOperand(operand);
    if (!result.has_value()) return success();
    if (failed(*result) || parser.parseComma()) return failure();
    operands.push_back(operand);
  }
}

ParseResult parseOperandsThenDim(Parser &parser, SmallVectorImpl<Parser::UnresolvedOperand> &operands,
                                 IntegerAttr &dim) {
  return failure(parseOperandsAndCommas(parser, operands) || parser.parseKeyword("dim") || parser.parseEqual() ||
                 parseI64(parser, dim));
}
void printOperandsThenDim(Printer &printer, Operation *op, OperandRange operands, IntegerAttr dim) {
  for (Value operand : operands) printer << operand << ", ";
  printer << "dim = " << dim.getInt();
}

ParseResult parseOperandsThenSizes(Parser &parser, SmallVectorImpl<Parser::UnresolvedOperand> &operands,
                                   DenseI64ArrayAttr &sizes) {
  return failure(parseOperandsAndCommas(parser, operands) || parser.parseKeyword("sizes") || parser.parseEqual() ||
                 parseDims(parser, sizes));
}
void printOperandsThenSizes(Printer &printer, Operation *op, OperandRange operands, DenseI64ArrayAttr sizes) {
  for (Value operand : operands) printer << operand << ", ";
  printer << "sizes = ";
  printDims(printer, op, sizes);
}

ParseResult parseSliceRanges(Parser &parser, DenseI64ArrayAttr &starts, DenseI64ArrayAttr &limits,
                             DenseI64ArrayAttr &strides) {
  SmallVector<int64_t> start, limit, stride;
  auto parseRange = [&]() -> ParseResult {
    if (parser.parseInteger(start.emplace_back()) || parser.parseColon() || parser.parseInteger(limit.emplace_back()))
      return failure();
    stride.push_back(1);
    return succeeded(parser.parseOptionalColon()) ? parser.parseInteger(stride.back()) : ParseResult(success());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseRange)) return failure();
  Builder &builder = parser.getBuilder();
  starts = builder.getDenseI64ArrayAttr(start);
  limits = builder.getDenseI64ArrayAttr(limit);
  strides = builder.getDenseI64ArrayAttr(stride);
  return success();
}
void printSliceRanges(Printer &printer, Operation *op, DenseI64ArrayAttr starts, DenseI64ArrayAttr limits,
                      DenseI64ArrayAttr strides) {
  printer << "[";
  llvm::interleaveComma(llvm::zip(starts.asArrayRef(), limits.asArrayRef(), strides.asArrayRef()), printer,
                        [&](auto range) {
                          auto [start, limit, stride] = range;
                          printer << start << ":" << limit;
                          if (stride != 1) printer << ":" << stride;
                        });
  printer << "]";
}

ParseResult parseFloatFormat(Parser &parser, IntegerAttr &exponent, IntegerAttr &mantissa) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word)) return failure();
  StringRef rest = word;
  int32_t exponentBits, mantissaBits;
  if (!rest.consume_front("e") || rest.consumeInteger(10, exponentBits) || !rest.consume_front("m") ||
      rest.consumeInteger(10, mantissaBits) || !rest.empty())
    return parser.emitError(loc) << "expects a format such as e8m7, but got " << word;
  exponent = parser.getBuilder().getI32IntegerAttr(exponentBits);
  mantissa = parser.getBuilder().getI32IntegerAttr(mantissaBits);
  return success();
}
void printFloatFormat(Printer &printer, Operation *op, IntegerAttr exponent, IntegerAttr mantissa) {
  printer << "e" << exponent.getInt() << "m" << mantissa.getInt();
}

//===-----------------------------------------------------------------------------===//
// Calls
//===-----------------------------------------------------------------------------===//

ParseResult parseCallTarget(Parser &parser, StringAttr &target) { return parser.parseSymbolName(target); }
void printCallTarget(Printer &printer, Operation *op, StringAttr target) { printer.printSymbolName(target.getValue()); }

}  // namespace tpuc::stablehlo
