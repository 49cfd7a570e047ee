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
  if (parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::Square, parseOne)) return mlir::failure();
  return list;
}
template <typename AttrT>
void printAttrList(mlir::AsmPrinter &printer, llvm::ArrayRef<AttrT> list) {
  printer << "[";
  llvm::interleaveComma(list, printer, [&](AttrT attr) { printer.printAttribute(attr); });
  printer << "]";
}

// A number or a list of an attribute that is written by name.
struct Field {
  Field(llvm::StringRef name, int64_t *number) : name(name), number(number) {}
  Field(llvm::StringRef name, llvm::SmallVector<int64_t> *list) : name(name), list(list) {}

  llvm::StringRef name;
  int64_t *number = nullptr;
  llvm::SmallVector<int64_t> *list = nullptr;
  bool seen = false;
};
// After `<`: the fields in any order, up to and with `>`.
mlir::ParseResult parseFields(mlir::AsmParser &parser, llvm::MutableArrayRef<Field> fields);
// The lists that are not empty and the number that is not 0, in angle brackets.
void printFields(mlir::AsmPrinter &printer, llvm::ArrayRef<std::pair<llvm::StringRef, llvm::ArrayRef<int64_t>>> lists,
                 llvm::StringRef numberName = {}, int64_t number = 0);

// [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]; numbers that are no permutation by name: raw<..>
mlir::ParseResult parseConvDimensionNumbers(mlir::AsmParser &parser, ConvDimensionNumbersAttr &numbers);
void printConvDimensionNumbers(mlir::AsmPrinter &printer, ConvDimensionNumbersAttr numbers);

}  // namespace tpuc::stablehlo

#endif  // TPUC_DIALECTS_STABLEHLO_ATTRIBUTES_H
