//===- attributes.cpp - syntax of meshes and shardings ------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/sdy/assembly.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;

namespace tpuc::sdy {

//===-----------------------------------------------------------------------------===//
// Meshes
//===-----------------------------------------------------------------------------===//

Attribute MeshAxisAttr::parse(AsmParser &parser, Type) {
  std::string name;
  int64_t size;
  if (parser.parseString(&name) || parser.parseEqual() || parser.parseInteger(size)) return {};
  return get(parser.getContext(), name, size);
}
void MeshAxisAttr::print(AsmPrinter &printer) const {
  printer.printString(getName());
  printer << "=" << getSize();
}

static MeshAxisAttr parseMeshAxis(AsmParser &parser) {
  return dyn_cast_or_null<MeshAxisAttr>(MeshAxisAttr::parse(parser, {}));
}

Attribute MeshAttr::parse(AsmParser &parser, Type) {
  SmallVector<MeshAxisAttr> axes;
  SmallVector<int64_t> ids;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseList(parser, AsmParser::Delimiter::Square, axes, parseMeshAxis)) return {};
  if (succeeded(parser.parseOptionalComma()))
    if (parser.parseKeyword("device_ids") || parser.parseEqual() ||
        parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                       [&] { return parser.parseInteger(ids.emplace_back()); }))
      return {};
  if (parser.parseGreater()) return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(), axes, ids);
}
void MeshAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printList(printer, '[', getAxes(), ']');
  if (!getDeviceIds().empty()) {
    printer << ", device_ids=[";
    llvm::interleaveComma(getDeviceIds(), printer);
    printer << "]";
  }
  printer << ">";
}

LogicalResult MeshAttr::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<MeshAxisAttr> axes,
                               ArrayRef<int64_t> ids) {
  llvm::StringSet<> names;
  std::optional<int64_t> devices = 1;
  for (MeshAxisAttr axis : axes) {
    if (!names.insert(axis.getName()).second)
      return emitError() << "expects axes of different names, but got " << axis.getName() << " twice";
    if (axis.getSize() < 1) return emitError() << "expects axes of at least one device, but got " << axis.getSize();
    devices = llvm::checkedMul(*devices, axis.getSize());
    if (!devices) return emitError() << "expects fewer than 2^63 devices";
  }
  if (axes.empty() && ids.size() > 1)
    return emitError() << "expects one device at most in a mesh without axes, but got " << ids.size();
  if (axes.empty() && !ids.empty() && ids.front() < 0)
    return emitError() << "expects a device from 0 on, but got " << ids.front();
  if (axes.empty() || ids.empty()) return success();
  if (static_cast<int64_t>(ids.size()) != *devices)
    return emitError() << "expects " << *devices << " device ids, but got " << ids.size();
  SmallVector<int64_t> sorted(ids);
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int64_t>(0, *devices)))
    return emitError() << "expects each device from 0 to " << *devices - 1 << " once";
  return success();
}

//===-----------------------------------------------------------------------------===//
// Shardings
//===-----------------------------------------------------------------------------===//

Attribute AxisRefAttr::parse(AsmParser &parser, Type) {
  std::string name;
  int64_t preSize = 0, size = 0;
  if (parser.parseString(&name)) return {};
  if (succeeded(parser.parseOptionalColon()))
    if (parser.parseLParen() || parser.parseInteger(preSize) || parser.parseRParen() || parser.parseInteger(size))
      return {};
  return get(parser.getContext(), name, preSize, size);
}
void AxisRefAttr::print(AsmPrinter &printer) const {
  printer.printString(getName());
  if (isSubAxis()) printer << ":(" << getPreSize() << ")" << getSize();
}
AxisRefAttr parseAxisRef(AsmParser &parser) { return dyn_cast_or_null<AxisRefAttr>(AxisRefAttr::parse(parser, {})); }

Attribute DimensionShardingAttr::parse(AsmParser &parser, Type) {
  SmallVector<AxisRefAttr> axes;
  bool closed = true;
  auto parseOne = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    if (!closed) return parser.emitError(loc) << "expects ? last";
    if (succeeded(parser.parseOptionalQuestion())) {
      closed = false;
      return success();
    }
    axes.push_back(parseAxisRef(parser));
    return failure(!axes.back());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, parseOne)) return {};
  std::optional<int64_t> priority;
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (succeeded(parser.parseOptionalKeyword(&word))) {
    int64_t number;
    if (!word.consume_front("p") || word.getAsInteger(10, number)) {
      parser.emitError(loc) << "expects a priority such as p1";
      return {};
    }
    priority = number;
  }
  return get(parser.getContext(), axes, closed, priority);
}
void DimensionShardingAttr::print(AsmPrinter &printer) const {
  printer << "{";
  llvm::interleaveComma(getAxes(), printer, [&](AxisRefAttr axis) { axis.print(printer); });
  if (!getIsClosed()) printer << (getAxes().empty() ? "?" : ", ?");
  printer << "}";
  if (getPriority()) printer << "p" << *getPriority();
}
static DimensionShardingAttr parseDimensionSharding(AsmParser &parser) {
  return dyn_cast_or_null<DimensionShardingAttr>(DimensionShardingAttr::parse(parser, {}));
}

// `@mesh` or `mesh<[..]>`
static Attribute parseMeshOrRef(AsmParser &parser) {
  if (succeeded(parser.parseOptionalKeyword("mesh"))) return MeshAttr::parse(parser, {});
  StringAttr name;
  if (parser.parseSymbolName(name)) return {};
  return FlatSymbolRefAttr::get(name);
}

Attribute TensorShardingAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess()) return {};
  Attribute mesh = parseMeshOrRef(parser);
  SmallVector<DimensionShardingAttr> dims;
  SmallVector<AxisRefAttr> replicated, unreduced;
  ReductionOp reduction = ReductionOp::SUM;
  if (!mesh || parser.parseComma() || parseList(parser, AsmParser::Delimiter::Square, dims, parseDimensionSharding))
    return {};
  while (succeeded(parser.parseOptionalComma())) {
    SMLoc loc = parser.getCurrentLocation();
    StringRef key;
    if (parser.parseKeyword(&key) || parser.parseEqual()) return {};
    SmallVector<AxisRefAttr> *axes = key == "replicated" ? &replicated : key == "unreduced" ? &unreduced : nullptr;
    if (!axes || !axes->empty()) {
      parser.emitError(loc) << "expects replicated or unreduced, each once, but got " << key;
      return {};
    }
    StringRef word;
    if (key == "unreduced" && succeeded(parser.parseOptionalKeyword(&word))) {
      auto named = symbolizeReductionOp(word);
      if (!named) {
        parser.emitError(loc) << "expects sum, max or min, but got " << word;
        return {};
      }
      reduction = *named;
    }
    if (parseList(parser, AsmParser::Delimiter::Braces, *axes, parseAxisRef)) return {};
  }
  if (parser.parseGreater()) return {};
  return get(parser.getContext(), mesh, dims, replicated, unreduced, reduction);
}
void TensorShardingAttr::print(AsmPrinter &printer) const {
  printer << "<";
  if (auto mesh = dyn_cast<MeshAttr>(getMeshOrRef())) {
    printer << "mesh";
    mesh.print(printer);
  } else {
    printer << getMeshOrRef();
  }
  printer << ", ";
  printList(printer, '[', getDimShardings(), ']');
  if (!getReplicatedAxes().empty()) {
    printer << ", replicated=";
    printList(printer, '{', getReplicatedAxes(), '}');
  }
  if (!getUnreducedAxes().empty()) {
    printer << ", unreduced=";
    if (getReductionOp() != ReductionOp::SUM) printer << stringifyReductionOp(getReductionOp());
    printList(printer, '{', getUnreducedAxes(), '}');
  }
  printer << ">";
}
// Parses a sharding with or without its name before it.
static TensorShardingAttr parseTensorSharding(AsmParser &parser) {
  TensorShardingAttr sharding;
  return failed(parser.parseCustomAttributeWithFallback(sharding)) ? TensorShardingAttr() : sharding;
}

// Parses a list without the angle brackets, as manual_computation writes it.
static ParseResult parseShardingList(AsmParser &parser, TensorShardingPerValueAttr &list) {
  SmallVector<TensorShardingAttr> shardings;
  if (parseList(parser, AsmParser::Delimiter::Square, shardings, parseTensorSharding)) return failure();
  list = TensorShardingPerValueAttr::get(parser.getContext(), shardings);
  return success();
}

Attribute TensorShardingPerValueAttr::parse(AsmParser &parser, Type) {
  TensorShardingPerValueAttr list;
  if (parser.parseLess() || parseShardingList(parser, list) || parser.parseGreater()) return {};
  return list;
}
void TensorShardingPerValueAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printList(printer, '[', getShardings(), ']');
  printer << ">";
}

Attribute ManualAxesAttr::parse(AsmParser &parser, Type) {
  SmallVector<StringAttr> axes;
  auto parseOne = [&]() -> ParseResult {
    std::string name;
    if (parser.parseString(&name)) return failure();
    axes.push_back(StringAttr::get(parser.getContext(), name));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, parseOne)) return {};
  return get(parser.getContext(), axes);
}
void ManualAxesAttr::print(AsmPrinter &printer) const {
  printer << "{";
  llvm::interleaveComma(getValue(), printer);
  printer << "}";
}

//===-----------------------------------------------------------------------------===//
// Directives of the ops
//===-----------------------------------------------------------------------------===//

static void printShardingList(OpAsmPrinter &printer, Operation *, TensorShardingPerValueAttr list) {
  printList(printer, '[', list.getShardings(), ']');
}

// `(%a: type) {..}`
static ParseResult parseFunctionBody(OpAsmParser &parser, Region &body) {
  SmallVector<OpAsmParser::Argument> arguments;
  return failure(parser.parseArgumentList(arguments, AsmParser::Delimiter::Paren, /*allowType=*/true) ||
                 parser.parseRegion(body, arguments));
}
static void printFunctionBody(OpAsmPrinter &printer, Operation *, Region &body) {
  printer << "(";
  llvm::interleaveComma(body.getArguments(), printer, [&](BlockArgument a) { printer.printRegionArgument(a); });
  printer << ") ";
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

// `max`, or nothing for a sum.
static ParseResult parseReduction(OpAsmParser &parser, ReductionOpAttr &reduction) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (failed(parser.parseOptionalKeyword(&word))) return success();
  auto named = symbolizeReductionOp(word);
  if (!named) return parser.emitError(loc) << "expects sum, max or min, but got " << word;
  if (*named != ReductionOp::SUM) reduction = ReductionOpAttr::get(parser.getContext(), *named);
  return success();
}
static void printReduction(OpAsmPrinter &printer, Operation *, ReductionOpAttr reduction) {
  if (reduction && reduction.getValue() != ReductionOp::SUM) printer << stringifyReductionOp(reduction.getValue());
}

}  // namespace tpuc::sdy

#include "dialects/sdy/sdy_dialect.cpp.inc"
#include "dialects/sdy/sdy_enums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/sdy/sdy_attributes.cpp.inc"
#include "dialects/sdy/sdy_interfaces.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/sdy/sdy.cpp.inc"

void tpuc::sdy::SdyDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/sdy/sdy_attributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/sdy/sdy.cpp.inc"
      >();
}

void tpuc::registerSdyDialect(DialectRegistry &registry) { registry.insert<sdy::SdyDialect>(); }
