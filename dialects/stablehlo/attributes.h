//===- attributes.h - parsing and printing that attributes and ops share --------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_DIALECTS_STABLEHLO_ATTRIBUTES_H
#define TPUC_DIALECTS_STABLEHLO_ATTRIBUTES_H

#include "mlir/IR/DialectImplementation.h"

namespace tpuc::stablehlo {
class ConvDimensionNumbersAttr;

// [0, 1]
mlir::FailureOr<llvm::SmallVector<int64_t>> parseDimList(mlir::AsmParser &parser);
void printDimList(mlir::AsmPrinter &printer, llvm::ArrayRef<int64_t> dims);

mlir::FailureOr<llvm::APFloat> parseDouble(mlir::AsmParser &parser);

// [#dialect.attr<..>, #dialect.attr<..>]
template <typename AttrT>
mlir::FailureOr<llvm::SmallVector<AttrT>> parseAttrList(mlir::AsmParser &parser) {
  llvm::SmallVector<AttrT> list;
  auto parseOne = [&] { return parser.parseAttribute(list.emplace_back()); };
  if (parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::Square, parseOne))
    return mlir::failure();
  return list;
}
template <typename AttrT>
void printAttrList(mlir::AsmPrinter &printer, llvm::ArrayRef<AttrT> list) {
  printer << "[";
  llvm::interleaveComma(list, printer, [&](AttrT attr) { printer.printAttribute(attr); });
  printer << "]";
}

// [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], or `raw` and the fields by name.
mlir::ParseResult parseConvDimensionNumbers(mlir::AsmParser &parser, ConvDimensionNumbersAttr &numbers);
void printConvDimensionNumbers(mlir::AsmPrinter &printer, ConvDimensionNumbersAttr numbers);

} // namespace tpuc::stablehlo

#endif // TPUC_DIALECTS_STABLEHLO_ATTRIBUTES_H
