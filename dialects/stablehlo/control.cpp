//===- control.cpp - syntax and verifiers of control flow, calls, tuples and tokens ---------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include <set>

#include "dialects/stablehlo/assembly.h"
#include "dialects/stablehlo/infer.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace tpuc::stablehlo {

//===-----------------------------------------------------------------------------===//
// if, case
//===-----------------------------------------------------------------------------===//

// No arguments, results of the op's types: if_c1..c3, case_c2..c4
static LogicalResult checkBranch(Operation *op, StringRef name, Region &branch) {
  return checkBody(errorsOf(op), name, branch, {}, op->getResultTypes());
}

LogicalResult IfOp::verify() {
  if (failed(checkBranch(*this, "true_branch", getTrueBranch()))) return failure();
  return checkBranch(*this, "false_branch", getFalseBranch());
}

LogicalResult CaseOp::verify() {
  // case_c1
  if (getBranches().empty()) return emitOpError() << "expects at least one branch";
  for (Region &branch : getBranches())
    if (failed(checkBranch(*this, "branch", branch))) return failure();
  return success();
}

//===-----------------------------------------------------------------------------===//
// while
//===-----------------------------------------------------------------------------===//

LogicalResult WhileOp::verify() {
  auto emit = errorsOf(*this);
  TypeRange types = getOperand().getTypes();
  // while_c3
  if (failed(checkTypes(emit, "results", getResultTypes(), types))) return failure();
  // while_c1
  auto pred = RankedTensorType::get({}, IntegerType::get(getContext(), 1));
  if (failed(checkBody(emit, "cond", getCond(), types, {pred}))) return failure();
  // while_c2
  return checkBody(emit, "body", getBody(), types, types);
}

void WhileOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments()) setName(argument, "iterArg");
}

// (%iterArg = %x, ..) : types attributes {..} cond {..} do {..}
// The arguments of both regions get the same names: their regions are named apart, in one order.
void WhileOp::print(OpAsmPrinter &printer) {
  printer << "(";
  llvm::interleaveComma(llvm::zip(getBody().getArguments(), getOperand()), printer, [&](auto pair) {
    printer.printOperand(std::get<0>(pair));
    printer << " = ";
    printer.printOperand(std::get<1>(pair));
  });
  printer << ")";
  if (!getOperand().empty()) {
    printer << " : ";
    llvm::interleaveComma(getOperand().getTypes(), printer);
  }
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer.printNewline();
  printer << "cond ";
  printer.printRegion(getCond(), /*printEntryBlockArgs=*/false);
  printer << " do ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

ParseResult WhileOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types;
  auto parsePair = [&]() -> ParseResult {
    return failure(parser.parseArgument(arguments.emplace_back()) || parser.parseEqual() ||
                   parser.parseOperand(operands.emplace_back()));
  };
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parsePair)) return failure();
  if (!operands.empty() && parser.parseColonTypeList(types)) return failure();
  if (parser.resolveOperands(operands, types, loc, state.operands) ||
      parser.parseOptionalAttrDictWithKeyword(state.attributes))
    return failure();
  for (auto [argument, type] : llvm::zip_equal(arguments, types)) argument.type = type;
  state.addTypes(types);
  return failure(parser.parseKeyword("cond") || parser.parseRegion(*state.addRegion(), arguments) ||
                 parser.parseKeyword("do") || parser.parseRegion(*state.addRegion(), arguments));
}

//===-----------------------------------------------------------------------------===//
// Barriers and calls
//===-----------------------------------------------------------------------------===//

LogicalResult OptimizationBarrierOp::verify() {
  // optimization_barrier_c1
  return checkTypes(errorsOf(*this), "results", getResultTypes(), getOperandTypes());
}

void CustomCallOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (!getHasSideEffect()) return;
  effects.emplace_back(MemoryEffects::Allocate::get());
  effects.emplace_back(MemoryEffects::Free::get());
  effects.emplace_back(MemoryEffects::Write::get());
  effects.emplace_back(MemoryEffects::Read::get());
}

// One permutation of the dimensions a tensor, minor to major.
static LogicalResult checkLayouts(Emit emit, StringRef what, ArrayAttr layouts, TypeRange types) {
  if (failed(checkSize(emit, (what + " layouts").str(), layouts.size(), types.size()))) return failure();
  for (auto [layout, type] : llvm::zip_equal(layouts, types)) {
    auto order = dyn_cast<DenseIntElementsAttr>(layout);
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!order || order.getType().getRank() != 1)
      return emit() << "expects " << what << " layouts that are lists of dimensions, but got " << layout;
    int64_t rank = tensor ? tensor.getRank() : 0;
    SmallVector<int64_t> dims;
    for (APInt dim : order.getValues<APInt>()) dims.push_back(dim.getSExtValue());
    if (failed(checkSize(emit, (what + " layout").str(), dims.size(), rank)) ||
        failed(checkUnique(emit, (what + " layout").str(), dims)) ||
        failed(checkInRange(emit, (what + " layout").str(), dims, rank)))
      return failure();
  }
  return success();
}

// The type at a path through nested tuples; null where the path leads out of them.
static Type typeAt(Type type, ArrayRef<int64_t> path) {
  for (int64_t index : path) {
    auto tuple = dyn_cast_or_null<TupleType>(type);
    if (!tuple || index < 0 || index >= static_cast<int64_t>(tuple.size())) return {};
    type = tuple.getType(index);
  }
  return type;
}

static LogicalResult checkAliases(CustomCallOp op) {
  auto emit = errorsOf(op);
  for (auto alias : op.getOutputOperandAliasesAttr().getAsRange<OutputOperandAliasAttr>()) {
    int64_t operand = alias.getOperandIndex();
    if (failed(checkInRange(emit, "operand_index of an alias", operand, op.getInputs().size()))) return failure();
    Type from = typeAt(op.getInputs()[operand].getType(), alias.getOperandTupleIndices());
    // Several results count as a tuple of them.
    ArrayRef<int64_t> path = alias.getOutputTupleIndices();
    Type to;
    if (op.getNumResults() == 1) {
      to = typeAt(op.getResult(0).getType(), path);
    } else if (!path.empty() && path[0] >= 0 && path[0] < op.getNumResults()) {
      to = typeAt(op.getResult(path[0]).getType(), path.drop_front());
    }
    if (!from || !to) return emit() << "expects tuple indices of an alias that lead to a value, but got " << alias;
    if (from != to) return emit() << "expects an alias of one type, but got operand " << from << " and output " << to;
  }
  return success();
}

// Memory of a tensor's shape and elements.
static LogicalResult checkPinned(CustomCallOp op, bool pins) {
  auto emit = errorsOf(op);
  StringRef target = op.getCallTargetName();
  Type from = op->getNumOperands() == 1 ? op->getOperand(0).getType() : Type(),
       to = op->getNumResults() == 1 ? op->getResult(0).getType() : Type();
  auto tensor = dyn_cast_or_null<TensorType>(pins ? from : to);
  auto buffer = dyn_cast_or_null<MemRefType>(pins ? to : from);
  if (!tensor || !buffer)
    return emit() << "expects '" << target << "' to take "
                  << (pins ? "one tensor and give one memref" : "one memref and give one tensor") << ", but got "
                  << op->getOperandTypes() << " to " << op->getResultTypes();
  if (tensor.getElementType() != buffer.getElementType() || failed(verifyCompatibleShape(tensor, buffer)))
    return emit() << "expects '" << target << "' to keep shape and element type, but got " << from << " to " << to;
  return success();
}

// The paths to the memory within a value of nested tuples.
static void findBuffers(Type type, SmallVector<int64_t> path, SmallVectorImpl<SmallVector<int64_t>> &paths) {
  if (isa<MemRefType>(type)) paths.push_back(path);
  auto tuple = dyn_cast<TupleType>(type);
  for (size_t i = 0; tuple && i < tuple.size(); ++i) {
    path.push_back(i);
    findBuffers(tuple.getType(i), path, paths);
    path.pop_back();
  }
}

// Memory that comes out of a call is memory that went in: each output one operand's, each operand's one output's at
// most.
static LogicalResult checkSharedBuffers(CustomCallOp op) {
  auto emit = errorsOf(op);
  SmallVector<SmallVector<int64_t>> wanted;
  for (auto [i, type] : llvm::enumerate(op.getResultTypes()))
    findBuffers(type, op.getNumResults() == 1 ? SmallVector<int64_t>() : SmallVector<int64_t>{static_cast<int64_t>(i)},
                wanted);
  std::set<std::pair<int64_t, SmallVector<int64_t>>> operands;
  std::set<SmallVector<int64_t>> outputs;
  ArrayAttr aliases =
      op.getOutputOperandAliasesAttr() ? op.getOutputOperandAliasesAttr() : ArrayAttr::get(op.getContext(), {});
  for (auto alias : aliases.getAsRange<OutputOperandAliasAttr>()) {
    SmallVector<int64_t> from(alias.getOperandTupleIndices()), to(alias.getOutputTupleIndices());
    if (!isa<MemRefType>(typeAt(op.getInputs()[alias.getOperandIndex()].getType(), from))) continue;
    if (!operands.insert({alias.getOperandIndex(), from}).second)
      return emit() << "expects each memref operand in one alias at most, but got operand " << alias.getOperandIndex()
                    << " at [" << from << "] twice";
    if (!outputs.insert(to).second)
      return emit() << "expects each memref result in one alias, but got the one at [" << to << "] twice";
  }
  for (const SmallVector<int64_t> &path : wanted)
    if (!outputs.contains(path))
      return emit() << "expects an alias for each memref result, but got none for the one at [" << path << "]";
  return success();
}

// What calls of known names take and give, as XLA defines them.
static LogicalResult checkBufferCalls(CustomCallOp op) {
  StringRef target = op.getCallTargetName();
  if (target == "Pin" || target == "Unpin") return checkPinned(op, target == "Pin");
  if (target != "CreateBuffer") return checkSharedBuffers(op);
  if (op->getNumOperands() == 0 && op->getNumResults() == 1 && isa<MemRefType>(op->getResult(0).getType()))
    return success();
  return errorsOf(op)() << "expects 'CreateBuffer' to take nothing and give one memref, but got "
                        << op->getOperandTypes() << " to " << op->getResultTypes();
}

LogicalResult CustomCallOp::verify() {
  auto emit = errorsOf(*this);
  bool typed = getApiVersion() == CustomCallApiVersion::API_VERSION_TYPED_FFI;
  if (Attribute config = getBackendConfigAttr())
    if (isa<DictionaryAttr>(config) != typed && !(typed && cast<StringAttr>(config).getValue().empty()))
      return emit() << "expects a dictionary as backend_config with api_version 4 and a string with others, but got "
                    << config;
  if (static_cast<bool>(getOperandLayoutsAttr()) != static_cast<bool>(getResultLayoutsAttr()))
    return emit() << "expects operand_layouts and result_layouts together";
  if (getOperandLayoutsAttr()) {
    SmallVector<Type> results(getResultTypes());
    if (results.size() == 1)
      if (auto tuple = dyn_cast<TupleType>(results.front())) {
        SmallVector<Type> parts(tuple.getTypes());
        results = parts;
      }
    if (failed(checkLayouts(emit, "operand", getOperandLayoutsAttr(), getInputs().getTypes())) ||
        failed(checkLayouts(emit, "result", getResultLayoutsAttr(), results)))
      return failure();
  }
  if (getOutputOperandAliasesAttr() && failed(checkAliases(*this))) return failure();
  return checkBufferCalls(*this);
}

LogicalResult CustomCallOp::verifySymbolUses(SymbolTableCollection &) { return success(); }

// A dialect's name, a dot, an op's name.
static bool isNamespacedOpName(StringRef name) {
  auto [dialect, op] = name.split('.');
  auto isIdentifier = [](StringRef word, StringRef more) {
    return !word.empty() && (llvm::isAlpha(word[0]) || word[0] == '_') &&
           llvm::all_of(word, [&](char c) { return llvm::isAlnum(c) || more.contains(c); });
  };
  return isIdentifier(dialect, "_") && isIdentifier(op, "_.$");
}

LogicalResult CompositeOp::verify() {
  // composite_c1
  if (!isNamespacedOpName(getName()))
    return emitOpError() << "expects a name such as dialect.op, but got \"" << getName() << "\"";
  return success();
}

LogicalResult CompositeOp::verifySymbolUses(SymbolTableCollection &symbols) {
  // composite_c2
  auto decomposition = symbols.lookupNearestSymbolFrom<func::FuncOp>(*this, getDecompositionAttr());
  if (!decomposition) return emitOpError() << "expects a function as decomposition, but got " << getDecompositionAttr();
  // composite_c3, composite_c4
  auto emit = errorsOf(*this);
  if (failed(checkTypes(emit, "inputs", getInputs().getTypes(), decomposition.getArgumentTypes()))) return failure();
  return checkTypes(emit, "results", getResultTypes(), decomposition.getResultTypes());
}

//===-----------------------------------------------------------------------------===//
// Tuples
//===-----------------------------------------------------------------------------===//

LogicalResult inferTuple(MLIRContext *context, ValueRange operands, Types &types) {
  // tuple_c1
  types.push_back(TupleType::get(context, operands.getTypes()));
  return success();
}

LogicalResult inferTupleElement(Emit emit, ValueRange operands, int64_t index, Types &types) {
  auto tuple = dyn_cast<TupleType>(operands.front().getType());
  if (!tuple) return failure();
  // get_tuple_element_c1
  if (failed(checkInRange(emit, "index", index, tuple.size()))) return failure();
  // get_tuple_element_c2
  types.push_back(tuple.getType(index));
  return success();
}

//===-----------------------------------------------------------------------------===//
// Tokens and transfers
//===-----------------------------------------------------------------------------===//

// Tensors, then one token: infeed_c1..c3
static LogicalResult checkTokenLast(Operation *op) {
  TypeRange types = op->getResultTypes();
  if (types.empty() || !isa<TokenType>(types.back())) return op->emitOpError() << "expects a token as last result";
  for (Type type : types.drop_back())
    if (!isa<RankedTensorType>(type))
      return op->emitOpError() << "expects tensors before the last result, but got " << type;
  return success();
}

LogicalResult InfeedOp::verify() {
  if (failed(checkTokenLast(*this))) return failure();
  std::optional<ArrayAttr> layout = getLayout();
  if (!layout) return success();
  auto emit = errorsOf(*this);
  if (failed(checkSize(emit, "layout", layout->size(), getNumResults() - 1))) return failure();
  for (Attribute one : *layout) {
    auto dims = dyn_cast<ArrayAttr>(one);
    if (!dims || !llvm::all_of(dims, llvm::IsaPred<IntegerAttr>))
      return emit() << "expects layouts that are lists of dimensions, but got " << one;
  }
  return success();
}

// send_c1..c5, recv_c1..c5. Channel types: 1 device to device, 2 device to host, 3 host to device.
static LogicalResult checkTransfer(Operation *op, bool isHost, int64_t channelType, int64_t hostType,
                                   std::optional<DenseIntElementsAttr> pairs) {
  int64_t expected = isHost ? hostType : 1;
  if (channelType != expected)
    return op->emitOpError() << "expects a channel of type " << expected << ", but got " << channelType;
  if (!pairs) return success();
  return checkSourceTargetPairs(errorsOf(op), *pairs);
}

LogicalResult SendOp::verify() {
  return checkTransfer(*this, getIsHostTransfer(), getChannelHandle().getType(), 2, getSourceTargetPairs());
}

LogicalResult RecvOp::verify() {
  if (failed(checkTokenLast(*this))) return failure();
  return checkTransfer(*this, getIsHostTransfer(), getChannelHandle().getType(), 3, getSourceTargetPairs());
}

//===-----------------------------------------------------------------------------===//
// Asynchronous operations
//===-----------------------------------------------------------------------------===//

LogicalResult AsyncStartOp::verify() {
  auto emit = errorsOf(*this);
  Block &block = getBody().front();
  // async_start_c1
  ReturnOp terminator = bodyReturn(getBody());
  if (block.getOperations().size() != 2 || !terminator) return emit() << "expects a body of one operation and a return";
  // async_start_c2
  Operation &inner = block.front();
  if (!isa<AllReduceOp, AllGatherOp, AllToAllOp, CollectivePermuteOp, ReduceScatterOp, CollectiveBroadcastOp, SliceOp,
           DynamicSliceOp, DynamicUpdateSliceOp>(inner))
    return emit() << "expects a collective or a slice in its body, but got " << inner.getName();
  // async_start_c3
  if (failed(checkTypes(emit, "body arguments", block.getArgumentTypes(), getOperands().getTypes()))) return failure();
  if (!llvm::equal(inner.getOperands(), block.getArguments()) ||
      !llvm::equal(terminator.getOperands(), inner.getResults()))
    return emit() << "expects the body to pass its arguments to one operation and to return its results";
  // async_start_c4
  return checkTypes(emit, "future", getType().getTypes(), inner.getResultTypes());
}

LogicalResult AsyncDoneOp::verify() {
  // async_done_c1
  return checkTypes(errorsOf(*this), "results", getResultTypes(), getOperand().getType().getTypes());
}

}  // namespace tpuc::stablehlo

using namespace tpuc::stablehlo;
#define GET_OP_CLASSES
#include "dialects/stablehlo/control.cpp.inc"
