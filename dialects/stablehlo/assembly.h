//===- assembly.h - the directives that the ops' assembly formats name --------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_DIALECTS_STABLEHLO_ASSEMBLY_H
#define TPUC_DIALECTS_STABLEHLO_ASSEMBLY_H

#include "dialects/stablehlo/attributes.h"
#include "dialects/stablehlo/stablehlo.h"

namespace tpuc::stablehlo {

using Parser = mlir::OpAsmParser;
using Printer = mlir::OpAsmPrinter;
using mlir::ParseResult;

// `: type` when operands and results agree, else `: (types) -> type`.
ParseResult parseSameTypes(Parser &parser, llvm::MutableArrayRef<mlir::Type *> operands, mlir::Type &result);
void printSameTypes(Printer &printer, mlir::Operation *op, mlir::TypeRange operands, mlir::Type result);

template <typename... Types>
ParseResult parseSameOperandsAndResult(Parser &parser, Types &...types) {
  mlir::Type *all[] = {&types...};
  llvm::MutableArrayRef<mlir::Type *> view(all);
  return parseSameTypes(parser, view.drop_back(), *view.back());
}
template <typename... Types>
void printSameOperandsAndResult(Printer &printer, mlir::Operation *op, Types... types) {
  mlir::Type all[] = {mlir::Type(types)...};
  llvm::ArrayRef<mlir::Type> view(all);
  printSameTypes(printer, op, view.drop_back(), view.back());
}
// The same for a variadic operand.
ParseResult parseVariadicSameTypes(Parser &parser, llvm::ArrayRef<Parser::UnresolvedOperand> operands,
                                   llvm::SmallVectorImpl<mlir::Type> &types, mlir::Type &result);
void printVariadicSameTypes(Printer &printer, mlir::Operation *op, mlir::OperandRange operands, mlir::TypeRange types,
                            mlir::Type result);

ParseResult parseSelectType(Parser &parser, mlir::Type &pred, mlir::Type &onTrue, mlir::Type &onFalse,
                            mlir::Type &result);
void printSelectType(Printer &printer, mlir::Operation *op, mlir::Type pred, mlir::Type onTrue, mlir::Type onFalse,
                     mlir::Type result);
ParseResult parseComplexType(Parser &parser, mlir::Type &lhs, mlir::Type &rhs, mlir::Type &result);
void printComplexType(Printer &printer, mlir::Operation *op, mlir::Type lhs, mlir::Type rhs, mlir::Type result);
ParseResult parseTupleType(Parser &parser, llvm::SmallVectorImpl<mlir::Type> &operands, mlir::Type &result);
void printTupleType(Printer &printer, mlir::Operation *op, mlir::TypeRange operands, mlir::Type result);
ParseResult parseBarrier(Parser &parser, llvm::SmallVectorImpl<Parser::UnresolvedOperand> &operands,
                         llvm::SmallVectorImpl<mlir::Type> &operandTypes,
                         llvm::SmallVectorImpl<mlir::Type> &resultTypes);
void printBarrier(Printer &printer, mlir::Operation *op, mlir::OperandRange operands, mlir::TypeRange operandTypes,
                  mlir::TypeRange resultTypes);

// [0, 1]
ParseResult parseDims(Parser &parser, mlir::DenseI64ArrayAttr &dims);
void printDims(Printer &printer, mlir::Operation *op, mlir::DenseI64ArrayAttr dims);
// An integer without its type.
ParseResult parseI64(Parser &parser, mlir::IntegerAttr &value);
void printI64(Printer &printer, mlir::Operation *op, mlir::IntegerAttr value);
ParseResult parseI32(Parser &parser, mlir::IntegerAttr &value);
void printI32(Printer &printer, mlir::Operation *op, mlir::IntegerAttr value);
// %a, %b, dim = 0
ParseResult parseOperandsThenDim(Parser &parser, llvm::SmallVectorImpl<Parser::UnresolvedOperand> &operands,
                                 mlir::IntegerAttr &dim);
void printOperandsThenDim(Printer &printer, mlir::Operation *op, mlir::OperandRange operands, mlir::IntegerAttr dim);
// %i, %j, sizes = [1, 4]
ParseResult parseOperandsThenSizes(Parser &parser, llvm::SmallVectorImpl<Parser::UnresolvedOperand> &operands,
                                   mlir::DenseI64ArrayAttr &sizes);
void printOperandsThenSizes(Printer &printer, mlir::Operation *op, mlir::OperandRange operands,
                            mlir::DenseI64ArrayAttr sizes);
// [0:4, 2:8:2]
ParseResult parseSliceRanges(Parser &parser, mlir::DenseI64ArrayAttr &starts, mlir::DenseI64ArrayAttr &limits,
                             mlir::DenseI64ArrayAttr &strides);
void printSliceRanges(Printer &printer, mlir::Operation *op, mlir::DenseI64ArrayAttr starts,
                      mlir::DenseI64ArrayAttr limits, mlir::DenseI64ArrayAttr strides);
// e8m10
ParseResult parseFloatFormat(Parser &parser, mlir::IntegerAttr &exponent, mlir::IntegerAttr &mantissa);
void printFloatFormat(Printer &printer, mlir::Operation *op, mlir::IntegerAttr exponent, mlir::IntegerAttr mantissa);
// batching_dims = [0] x [0], contracting_dims = [2] x [1]
ParseResult parseDotDimensions(Parser &parser, DotDimensionNumbersAttr &numbers);
void printDotDimensions(Printer &printer, mlir::Operation *op, DotDimensionNumbersAttr numbers);
// , precision = [DEFAULT, HIGH]
ParseResult parsePrecisionConfig(Parser &parser, mlir::ArrayAttr &precision);
void printPrecisionConfig(Printer &printer, mlir::Operation *op, mlir::ArrayAttr precision);
// , precision = [..], algorithm = <..>
ParseResult parsePrecisionConfigAndAlgorithm(Parser &parser, mlir::ArrayAttr &precision, DotAlgorithmAttr &algorithm);
void printPrecisionConfigAndAlgorithm(Printer &printer, mlir::Operation *op, mlir::ArrayAttr precision,
                                      DotAlgorithmAttr algorithm);
// [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], or raw<..>
ParseResult parseConvNumbers(Parser &parser, ConvDimensionNumbersAttr &numbers);
void printConvNumbers(Printer &printer, mlir::Operation *op, ConvDimensionNumbersAttr numbers);
// {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = .., rhs_dilate = .., reverse = [0, 0]}
ParseResult parseWindow(Parser &parser, mlir::DenseI64ArrayAttr &strides, mlir::DenseIntElementsAttr &padding,
                        mlir::DenseI64ArrayAttr &lhsDilation, mlir::DenseI64ArrayAttr &rhsDilation,
                        mlir::DenseBoolArrayAttr &reversal);
void printWindow(Printer &printer, mlir::Operation *op, mlir::DenseI64ArrayAttr strides,
                 mlir::DenseIntElementsAttr padding, mlir::DenseI64ArrayAttr lhsDilation,
                 mlir::DenseI64ArrayAttr rhsDilation, mlir::DenseBoolArrayAttr reversal);
// @target
ParseResult parseCallTarget(Parser &parser, mlir::StringAttr &target);
void printCallTarget(Printer &printer, mlir::Operation *op, mlir::StringAttr target);

}  // namespace tpuc::stablehlo

#endif  // TPUC_DIALECTS_STABLEHLO_ASSEMBLY_H
