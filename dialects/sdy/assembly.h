//===- assembly.h - what the syntax of several attributes shares ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_DIALECTS_SDY_ASSEMBLY_H
#define TPUC_DIALECTS_SDY_ASSEMBLY_H

#include "dialects/sdy/sdy.h"
#include "mlir/IR/DialectImplementation.h"

namespace tpuc::sdy {

// `[item, item]` or `{item, item}` of one attribute.
template <typename AttrT, typename ParseOne>
mlir::ParseResult parseList(mlir::AsmParser &parser, mlir::AsmParser::Delimiter delimiter,
                            llvm::SmallVectorImpl<AttrT> &list, ParseOne parseOne) {
  return parser.parseCommaSeparatedList(delimiter, [&]() -> mlir::ParseResult {
    list.push_back(parseOne(parser));
    return mlir::failure(!list.back());
  });
}
template <typename AttrT>
void printList(mlir::AsmPrinter &printer, char open, llvm::ArrayRef<AttrT> list, char close) {
  printer << open;
  llvm::interleaveComma(list, printer, [&](AttrT one) { one.print(printer); });
  printer << close;
}

AxisRefAttr parseAxisRef(mlir::AsmParser &parser);

}  // namespace tpuc::sdy

#endif  // TPUC_DIALECTS_SDY_ASSEMBLY_H
