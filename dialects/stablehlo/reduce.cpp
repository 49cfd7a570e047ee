//===- reduce.cpp - syntax of reduce: an op that is applied, or a reducer ------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/stablehlo/assembly.h"

using namespace mlir;

namespace tpuc::stablehlo {

// The inner op that `applies` can print: commutative, without attributes, of scalars of the input's type.
static Operation *printableBodyOp(ReduceOp op) {
  Operation *inner = op.getSimpleBodyOp();
  if (!inner || !inner->hasTrait<mlir::OpTrait::IsCommutative>() || !inner->getAttrs().empty() ||
      inner->getDialect() != op->getDialect())
    return nullptr;
  auto scalar = RankedTensorType::get({}, tensorType(op.getInputs().front()).getElementType());
  auto isScalar = [&](Type type) { return type == scalar; };
  return llvm::all_of(inner->getOperandTypes(), isScalar) && isScalar(inner->getResult(0).getType()) ? inner : nullptr;
}

void ReduceOp::print(OpAsmPrinter &printer) {
  llvm::interleave(
      llvm::zip_equal(getInputs(), getInitValues()),
      [&](auto pair) { printer << "(" << std::get<0>(pair) << " init: " << std::get<1>(pair) << ")"; },
      [&] { printer << ", "; });
  Operation *inner = printableBodyOp(*this);
  if (inner) printer << " applies " << inner->getName().getStringRef();
  printer << " across dimensions = ";
  printDimList(printer, getDimensions());
  printer.printOptionalAttrDict((*this)->getAttrs(), {"dimensions"});
  printer << " : ";
  printer.printFunctionalType(*this);
  if (inner) return;
  // reducer(%a: type, %b: type) (%c: type, %d: type) {..}: one pair an input
  printer.printNewline();
  printer << " reducer";
  size_t count = getInputs().size();
  for (size_t i = 0; i < count; ++i) {
    printer << "(";
    printer.printRegionArgument(getBody().getArgument(i));
    printer << ", ";
    printer.printRegionArgument(getBody().getArgument(i + count));
    printer << ") ";
  }
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

// `(%x init: %c), (%y init: %d)`
static ParseResult parseReduceOperands(OpAsmParser &parser, SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands) {
  SmallVector<OpAsmParser::UnresolvedOperand> inits;
  do {
    if (parser.parseLParen() || parser.parseOperand(operands.emplace_back()) || parser.parseKeyword("init") ||
        parser.parseColon() || parser.parseOperand(inits.emplace_back()) || parser.parseRParen())
      return failure();
  } while (succeeded(parser.parseOptionalComma()));
  llvm::append_range(operands, inits);
  return success();
}

// The body of `applies stablehlo.add`.
static ParseResult buildSimpleBody(OpAsmParser &parser, SMLoc loc, OperationName name, Location location,
                                   ArrayRef<Type> operandTypes, Region &region) {
  auto tensor = operandTypes.empty() ? RankedTensorType() : dyn_cast<RankedTensorType>(operandTypes.front());
  if (!tensor) return parser.emitError(loc) << "expects a tensor to reduce";
  auto scalar = RankedTensorType::get({}, tensor.getElementType());
  Block &block = region.emplaceBlock();
  block.addArguments({scalar, scalar}, {location, location});
  OpBuilder builder(parser.getContext());
  builder.setInsertionPointToStart(&block);
  OperationState state(location, name, block.getArguments(), scalar, {});
  Operation *inner = builder.create(state);
  ReturnOp::create(builder, location, inner->getResults());
  return success();
}

// `reducer(%a: type, %b: type) {..}`: arguments come in pairs, one an input.
static ParseResult parseReducer(OpAsmParser &parser, size_t numInputs, Region &region) {
  SmallVector<OpAsmParser::Argument> firsts, seconds;
  if (parser.parseKeyword("reducer")) return failure();
  auto parseArgument = [&](SmallVectorImpl<OpAsmParser::Argument> &list) {
    return parser.parseArgument(list.emplace_back(), /*allowType=*/true);
  };
  for (size_t i = 0; i < numInputs; ++i)
    if (parser.parseLParen() || parseArgument(firsts) || parser.parseComma() || parseArgument(seconds) ||
        parser.parseRParen())
      return failure();
  llvm::append_range(firsts, seconds);
  return parser.parseRegion(region, firsts);
}

ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &state) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  if (parseReduceOperands(parser, operands)) return failure();

  std::optional<OperationName> inner;
  if (succeeded(parser.parseOptionalKeyword("applies"))) {
    SMLoc nameLoc = parser.getCurrentLocation();
    FailureOr<OperationName> name = parser.parseCustomOperationName();
    if (failed(name)) return failure();
    if (!name->isRegistered() || !name->hasTrait<mlir::OpTrait::IsCommutative>())
      return parser.emitError(nameLoc) << "expects a commutative op of two operands, but got " << name->getStringRef();
    inner = *name;
  }

  DenseI64ArrayAttr dimensions;
  FunctionType type;
  if (parser.parseKeyword("across") || parser.parseKeyword("dimensions") || parser.parseEqual() ||
      parseDims(parser, dimensions) || parser.parseOptionalAttrDict(state.attributes) || parser.parseColonType(type))
    return failure();
  state.addAttribute("dimensions", dimensions);
  state.addTypes(type.getResults());
  if (parser.resolveOperands(operands, type.getInputs(), loc, state.operands)) return failure();

  Region &region = *state.addRegion();
  if (!inner) return parseReducer(parser, operands.size() / 2, region);
  // The body has the op's location, which may follow it.
  std::optional<Location> trailing;
  if (parser.parseOptionalLocationSpecifier(trailing)) return failure();
  if (trailing) state.location = *trailing;
  return buildSimpleBody(parser, loc, *inner, state.location, type.getInputs(), region);
}

}  // namespace tpuc::stablehlo
