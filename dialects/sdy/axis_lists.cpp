//===- axis_lists.cpp - syntax of lists of axes, of all_to_all, of edges of propagation -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/sdy/assembly.h"

using namespace mlir;

namespace tpuc::sdy {

template <typename AttrT>
static AttrT parseOne(AsmParser &parser) {
  return dyn_cast_or_null<AttrT>(AttrT::parse(parser, {}));
}

Attribute AxisRefListAttr::parse(AsmParser &parser, Type) {
  SmallVector<AxisRefAttr> axes;
  if (parseList(parser, AsmParser::Delimiter::Braces, axes, parseAxisRef)) return {};
  return get(parser.getContext(), axes);
}
void AxisRefListAttr::print(AsmPrinter &printer) const { printList(printer, '{', getValue(), '}'); }

Attribute ListOfAxisRefListsAttr::parse(AsmParser &parser, Type) {
  SmallVector<AxisRefListAttr> lists;
  if (parseList(parser, AsmParser::Delimiter::Square, lists, parseOne<AxisRefListAttr>)) return {};
  return get(parser.getContext(), lists);
}
void ListOfAxisRefListsAttr::print(AsmPrinter &printer) const { printList(printer, '[', getValue(), ']'); }

Attribute AllToAllParamAttr::parse(AsmParser &parser, Type) {
  SmallVector<AxisRefAttr> axes;
  int64_t source, target;
  if (parseList(parser, AsmParser::Delimiter::Braces, axes, parseAxisRef) || parser.parseColon() ||
      parser.parseInteger(source) || parser.parseArrow() || parser.parseInteger(target))
    return {};
  return get(parser.getContext(), axes, source, target);
}
void AllToAllParamAttr::print(AsmPrinter &printer) const {
  printList(printer, '{', getAxes(), '}');
  printer << ": " << getSrcDim() << "->" << getTgtDim();
}

Attribute AllToAllParamListAttr::parse(AsmParser &parser, Type) {
  SmallVector<AllToAllParamAttr> params;
  if (parseList(parser, AsmParser::Delimiter::Square, params, parseOne<AllToAllParamAttr>)) return {};
  return get(parser.getContext(), params);
}
void AllToAllParamListAttr::print(AsmPrinter &printer) const { printList(printer, '[', getValue(), ']'); }

//===-----------------------------------------------------------------------------===//
// Edges of propagation
//===-----------------------------------------------------------------------------===//

// A word, a dash and a number: the lexer takes `-1` for one number.
static ParseResult parseNumbered(AsmParser &parser, StringRef &word, int64_t &number) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&word) || parser.parseInteger(number)) return failure();
  if (number > 0) return parser.emitError(loc) << "expects " << word << "-N";
  number = -number;
  return success();
}

Attribute EdgeValueRefAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  int64_t index;
  if (parseNumbered(parser, word, index)) return {};
  auto type = symbolizeEdgeNodeType(word);
  if (!type) {
    parser.emitError(loc) << "expects operand or result, but got " << word;
    return {};
  }
  return get(parser.getContext(), *type, index);
}
void EdgeValueRefAttr::print(AsmPrinter &printer) const {
  printer << stringifyEdgeNodeType(getType()) << "-" << getIndex();
}

Attribute AxisToPropagationDetailsAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLBrace()) return {};
  AxisRefAttr axis = parseAxisRef(parser);
  if (!axis || parser.parseEqual()) return {};
  auto source = parseOne<EdgeValueRefAttr>(parser);
  SmallVector<EdgeValueRefAttr> targets;
  if (!source || parser.parseArrow() ||
      parseList(parser, AsmParser::Delimiter::Square, targets, parseOne<EdgeValueRefAttr>) || parser.parseRBrace())
    return {};
  return get(parser.getContext(), axis, source, targets);
}
void AxisToPropagationDetailsAttr::print(AsmPrinter &printer) const {
  printer << "{";
  getAxisName().print(printer);
  printer << " = ";
  getSource().print(printer);
  printer << " -> ";
  printList(printer, '[', getTargets(), ']');
  printer << "}";
}

Attribute PropagationOneStepAttr::parse(AsmParser &parser, Type) {
  StringRef word;
  int64_t step;
  SmallVector<AxisToPropagationDetailsAttr> entries;
  if (parser.parseLBrace() || parseNumbered(parser, word, step) || parser.parseEqual() ||
      parseList(parser, AsmParser::Delimiter::Square, entries, parseOne<AxisToPropagationDetailsAttr>) ||
      parser.parseRBrace())
    return {};
  return get(parser.getContext(), step, entries);
}
void PropagationOneStepAttr::print(AsmPrinter &printer) const {
  printer << "{step-" << getStepIndex() << " = ";
  printList(printer, '[', getAxisEntries(), ']');
  printer << "}";
}

Attribute PropagationEdgesAttr::parse(AsmParser &parser, Type) {
  SmallVector<PropagationOneStepAttr> steps;
  if (parser.parseLess() || parseList(parser, AsmParser::Delimiter::Square, steps, parseOne<PropagationOneStepAttr>) ||
      parser.parseGreater())
    return {};
  return get(parser.getContext(), steps);
}
void PropagationEdgesAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printList(printer, '[', getValue(), ']');
  printer << ">";
}

}  // namespace tpuc::sdy
