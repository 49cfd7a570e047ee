// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computations as functions, regions and lines of other computations; their instructions, one by one.
#include "compiler/frontend/hlo/emitter.h"

#include "compiler/frontend/hlo/hlo.h"
#include "compiler/frontend/hlo/sharding.h"
#include "dialects/stablehlo/stablehlo.h"
#include "llvm/ADT/ScopeExit.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace tpuc::frontend::hlo {
namespace {

// Fusions within fusions, bodies within bodies; and ops and values in all, which inlining doubles where a computation
// is used twice.
constexpr unsigned kMostDepth = 128;
constexpr size_t kMostOps = size_t{1} << 22;

// The ids of instructions hold the computation's in their upper half, or do not: within a computation the lower half is
// unique.
uint32_t localId(int64_t id) { return static_cast<uint32_t>(id); }

}  // namespace

SmallVector<mlir::Value> Instruction::values() const {
  SmallVector<mlir::Value> all;
  for (const Leaves *leaves : operands) llvm::append_range(all, *leaves);
  return all;
}

bool Instruction::isAsynchronous() const {
  StringRef name = opcode->name;
  return name.ends_with("-start") || name.ends_with("-update") || name == "send" || name == "recv";
}

Emitter::Emitter(const Message &module, ModuleOp into, const Locations &locations, const bool &damaged)
    : b(into.getContext()), module_(into), locations_(locations), damaged_(damaged) {
  for (const Message &fields : module.messages(kComputations)) {
    Computation &computation = computations_.emplace_back();
    computation.fields = fields;
    computation.name = fields.bytes(kComputationName);
    byId_[fields.number(kComputationId)] = &computation;
  }
}

CodedError Emitter::refuse(const Instruction &instruction, const DiagnosticCode &code) {
  CodedError error = diagnose(instruction.location, code);
  error << "'" << instruction.fields.bytes(kOpcode) << "' (" << instruction.fields.bytes(kName) << ") ";
  return error;
}

LogicalResult Emitter::spend(size_t ops, Location location) {
  spent_ += ops;
  if (spent_ <= kMostOps) return success();
  return diagnose(location, codes::kTooManyOps)
         << "expects at most " << kMostOps << " ops once computations are inlined";
}

//===-----------------------------------------------------------------------------===//
// Computations
//===-----------------------------------------------------------------------------===//

LogicalResult Emitter::open(Computation &computation) {
  if (computation.instructions.empty()) computation.instructions = computation.fields.messages(kInstructions);
  return success();
}

FailureOr<Emitter::Signature> Emitter::signature(Computation &computation) {
  if (failed(open(computation))) return failure();
  Signature of;
  std::map<int64_t, const Message *> parameters;
  const Message *root = nullptr;
  const uint32_t rootId = localId(computation.fields.number(kRootId));
  for (const Message &fields : computation.instructions) {
    if (fields.bytes(kOpcode) == "parameter") parameters[fields.number(kParameterNumber)] = &fields;
    if (localId(fields.number(kId)) == rootId) root = &fields;
  }
  auto malformed = [&] {
    return diagnose(locations_.file(), codes::kMalformed) << "computation '" << computation.name << "' ";
  };
  if (!root) return malformed() << "expects a root instruction";
  std::string error;
  int64_t next = 0;
  for (auto [number, fields] : parameters) {
    if (number != next++) return malformed() << "expects parameters numbered from 0, but got " << number;
    if (!readShape(fields->message(kShape), b.getContext(), of.parameters.emplace_back(), error))
      return diagnose(locations_.of(*fields), codes::kMalformed) << error;
    of.instructions.push_back(*fields);
  }
  if (!readShape(root->message(kShape), b.getContext(), of.result, error))
    return diagnose(locations_.of(*root), codes::kMalformed) << error;
  of.root = *root;
  return of;
}

FailureOr<func::FuncOp> Emitter::function(Computation &computation) {
  if (computation.function) return computation.function;
  FailureOr<Signature> of = signature(computation);
  if (failed(of)) return failure();
  SmallVector<Type> arguments;
  for (const Shape &shape : of->parameters) shape.appendTypes(arguments);
  SmallVector<Type> results = of->result.types();
  if (failed(spend(arguments.size() + results.size(), locations_.file()))) return failure();
  StringRef name = computation.name.empty() ? "computation" : computation.name;
  auto made = func::FuncOp::create(locations_.file(), name, b.getFunctionType(arguments, results));
  made.setPrivate();
  // The first function is the entry's, which is @main already.
  SymbolTable(module_).insert(made);
  computation.function = made;
  pending_.push_back(&computation);
  return made;
}

LogicalResult Emitter::emitFunction(Computation &computation) {
  FailureOr<Signature> of = signature(computation);
  if (failed(of)) return failure();
  Block *block = computation.function.addEntryBlock();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(block);
  SmallVector<Leaves> arguments;
  size_t next = 0;
  for (const Shape &shape : of->parameters) {
    arguments.emplace_back(block->getArguments().slice(next, shape.leaves));
    next += shape.leaves;
  }
  SmallVector<const Leaves *> pointers;
  for (const Leaves &leaves : arguments) pointers.push_back(&leaves);
  Leaves results;
  if (failed(emitBody(computation, pointers, results))) return failure();
  func::ReturnOp::create(b, locations_.of(of->root), results);
  return success();
}

FailureOr<func::FuncOp> Emitter::entry(const Message &module, Computation &computation) {
  computation.name = "main";
  FailureOr<func::FuncOp> made = function(computation);
  if (failed(made)) return failure();
  made->setPublic();
  FailureOr<Signature> of = signature(computation);
  annotateEntry(module, of->parameters, of->instructions, of->result, of->root, *made);
  return made;
}

LogicalResult Emitter::emitModule(const Message &module) {
  auto found = byId_.find(module.number(kEntryComputationId));
  if (found == byId_.end())
    return diagnose(locations_.file(), codes::kMalformed)
           << "expects an HloModuleProto with an entry computation, but got none";
  if (failed(entry(module, *found->second))) return failure();
  for (size_t i = 0; i < pending_.size(); ++i)
    if (failed(emitFunction(*pending_[i]))) return failure();
  return success();
}

LogicalResult Emitter::emitBody(Computation &computation, ArrayRef<const Leaves *> arguments, Leaves &results) {
  Location place =
      computation.instructions.empty() ? locations_.file() : locations_.of(computation.instructions.back());
  if (computation.isOpen)
    return diagnose(place, codes::kCyclicCalls)
           << "expects computations without cycles, but '" << computation.name << "' uses itself";
  if (depth_ >= kMostDepth)
    return diagnose(place, codes::kNestsTooDeep) << "expects computations nested at most " << kMostDepth << " deep";
  if (failed(open(computation))) return failure();
  computation.isOpen = true, ++depth_;
  llvm::scope_exit close([&] { computation.isOpen = false, --depth_; });
  Values values;
  for (const Message &fields : computation.instructions)
    if (failed(emitOne(fields, values, arguments))) return failure();
  auto root = values.find(localId(computation.fields.number(kRootId)));
  if (root == values.end())
    return diagnose(place, codes::kMalformed) << "computation '" << computation.name << "' expects a root instruction";
  results = root->second.leaves;
  return success();
}

LogicalResult Emitter::emitInline(Computation &computation, const Instruction &caller,
                                  ArrayRef<const Leaves *> arguments, Leaves &results) {
  Operation *before = last_;
  LogicalResult emitted = emitBody(computation, arguments, results);
  last_ = before;
  return emitted;
}

LogicalResult Emitter::emitRegion(Computation &computation, const Instruction &caller, Region &region) {
  FailureOr<Signature> of = signature(computation);
  if (failed(of)) return failure();
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&region);
  SmallVector<Leaves> arguments;
  for (const Shape &shape : of->parameters) {
    SmallVector<Type> types = shape.types();
    if (failed(spend(types.size(), caller.location))) return failure();
    auto range = block->addArguments(types, SmallVector<Location>(types.size(), caller.location));
    arguments.emplace_back(range.begin(), range.end());
  }
  SmallVector<const Leaves *> pointers;
  for (const Leaves &leaves : arguments) pointers.push_back(&leaves);
  Leaves results;
  if (failed(emitInline(computation, caller, pointers, results))) return failure();
  stablehlo::ReturnOp::create(b, caller.location, results);
  return success();
}

LogicalResult Emitter::emitBranch(Computation &computation, const Instruction &caller, const Leaves &argument,
                                  Region &region) {
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&region);
  Leaves results;
  if (failed(emitInline(computation, caller, &argument, results))) return failure();
  stablehlo::ReturnOp::create(b, caller.location, results);
  return success();
}

//===-----------------------------------------------------------------------------===//
// Instructions
//===-----------------------------------------------------------------------------===//

LogicalResult Emitter::findCallees(Instruction &instruction) {
  for (int64_t id : instruction.fields.numbers(kCalledComputationIds)) {
    auto found = byId_.find(id);
    if (found == byId_.end())
      return malformed(instruction) << "expects a computation of the module, but got number " << id;
    instruction.computations.push_back(found->second);
  }
  return success();
}

LogicalResult Emitter::readInstruction(const Message &fields, Values &values, Instruction &instruction) {
  std::string error;
  if (!readShape(fields.message(kShape), b.getContext(), instruction.shape, error))
    return malformed(instruction) << error;
  for (int64_t id : fields.numbers(kOperandIds)) {
    auto found = values.find(localId(id));
    if (found == values.end())
      return malformed(instruction) << "expects operands that come before it, but got number " << localId(id);
    instruction.operands.push_back(&found->second.leaves);
    instruction.operandShapes.push_back(found->second.shape);
  }
  return findCallees(instruction);
}

LogicalResult Emitter::checkForm(const Instruction &instruction) {
  const Opcode &opcode = *instruction.opcode;
  const int operands = static_cast<int>(instruction.operands.size()),
            computations = static_cast<int>(instruction.computations.size());
  if (opcode.operands >= 0 && operands != opcode.operands)
    return malformed(instruction) << "expects " << opcode.operands << " operands, but got " << operands;
  if (opcode.computations >= 0 && computations != opcode.computations)
    return malformed(instruction) << "expects " << opcode.computations << " computations, but got " << computations;
  for (const auto &[leaves, shape] : llvm::zip(instruction.operands, instruction.operandShapes))
    if (opcode.onArrays && (shape.isTuple || !isa<RankedTensorType>(shape.type) || leaves->size() != 1 ||
                            !isa<RankedTensorType>(leaves->front().getType())))
      return malformed(instruction) << "expects arrays as operands";
  return success();
}

LogicalResult Emitter::emitOne(const Message &fields, Values &values, ArrayRef<const Leaves *> arguments) {
  Instruction instruction{fields, findOpcode(fields.bytes(kOpcode)), {}, locations_.of(fields), {}, {}, {}};
  if (!instruction.opcode) return refuse(instruction, codes::kUnknownOp) << "is no opcode that has a form in StableHLO";
  if (failed(readInstruction(fields, values, instruction)) || failed(checkForm(instruction))) return failure();
  auto [place, isNew] = values.try_emplace(localId(fields.number(kId)));
  if (!isNew) return malformed(instruction) << "expects an id of its own, but got " << place->first << " again";
  Value &value = place->second;
  last_ = nullptr;
  if (failed(instruction.opcode->emit
                 ? instruction.opcode->emit(*this, instruction, instruction.opcode->op, value.leaves)
                 : parameter(instruction, arguments, value.leaves)))
    return failure();
  if (damaged_) return malformed(instruction) << "has fields that are damaged";
  if (!instruction.isAsynchronous() && TypeRange(ValueRange(value.leaves)) != TypeRange(instruction.shape.types()))
    return malformed(instruction) << "expects results of its shape";
  if (failed(spend(1 + value.leaves.size(), instruction.location))) return failure();
  if (last_) annotate(instruction, last_);
  value.shape = std::move(instruction.shape);
  return success();
}

LogicalResult Emitter::parameter(const Instruction &instruction, ArrayRef<const Leaves *> arguments, Leaves &results) {
  const int64_t number = instruction.fields.number(kParameterNumber);
  if (number < 0 || number >= static_cast<int64_t>(arguments.size()))
    return malformed(instruction) << "expects an argument for parameter " << number << ", but got " << arguments.size();
  results = *arguments[number];
  if (TypeRange(ValueRange(results)) != TypeRange(instruction.shape.types()))
    return malformed(instruction) << "expects its argument to have the parameter's shape";
  return success();
}

//===-----------------------------------------------------------------------------===//
// Ops
//===-----------------------------------------------------------------------------===//

Operation *Emitter::create(const Instruction &instruction, StringRef op, ValueRange operands, Attributes attributes,
                           Leaves &results, unsigned regions) {
  OperationState state(instruction.location, op, operands, instruction.shape.types(), attributes);
  for (unsigned i = 0; i < regions; ++i) state.addRegion();
  last_ = b.create(state);
  llvm::append_range(results, last_->getResults());
  return last_;
}

mlir::Value Emitter::create(const Instruction &instruction, StringRef op, ValueRange operands, Type type,
                            Attributes attributes) {
  OperationState state(instruction.location, op, operands, type, attributes);
  last_ = b.create(state);
  return last_->getResult(0);
}

NamedAttribute Emitter::table(StringRef name, ArrayRef<SmallVector<int64_t>> rows) {
  size_t columns = 0;
  for (const auto &row : rows) columns = std::max(columns, row.size());
  SmallVector<int64_t> all;
  for (const auto &row : rows) {
    llvm::append_range(all, row);
    all.append(columns - row.size(), -1);
  }
  auto type = RankedTensorType::get({static_cast<int64_t>(rows.size()), static_cast<int64_t>(columns)}, b.getI64Type());
  return attribute(name, DenseIntElementsAttr::get(type, all));
}

void Emitter::annotate(const Instruction &instruction, Operation *op) {
  if (instruction.fields.has(kSharding))
    op->setAttr("mhlo.sharding", b.getStringAttr(shardingText(instruction.fields.message(kSharding))));
  if (DictionaryAttr said = frontendAttributes(instruction.fields.message(kFrontendAttributes), b.getContext()))
    op->setAttr("mhlo.frontend_attributes", said);
}

}  // namespace tpuc::frontend::hlo
