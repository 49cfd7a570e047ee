// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/mhlo.h"

#include "dialects/stablehlo/chlo.h"
#include "llvm/ADT/StringSwitch.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace tpuc::frontend {
namespace {

// Which op each is; "" for its first operand, nullopt for others.
std::optional<StringRef> meaning(StringRef name) {
  using Meaning = std::optional<StringRef>;
  return llvm::StringSwitch<Meaning>(name)
      .Cases({"mhlo.copy", "mhlo.add_dependency"}, Meaning(""))
      .Case("mhlo.acos", Meaning("chlo.acos"))
      .Case("mhlo.acosh", Meaning("chlo.acosh"))
      .Case("mhlo.asin", Meaning("chlo.asin"))
      .Case("mhlo.asinh", Meaning("chlo.asinh"))
      .Case("mhlo.atanh", Meaning("chlo.atanh"))
      .Case("mhlo.cosh", Meaning("chlo.cosh"))
      .Case("mhlo.erf", Meaning("chlo.erf"))
      .Case("mhlo.sinh", Meaning("chlo.sinh"))
      .Case("mhlo.tan", Meaning("stablehlo.tan"))
      .Default(std::nullopt);
}

// `%x, .. {attributes} : type`, where operands and result have it, or `: (types) -> type`.
ParseResult parseShort(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  Type type;
  SMLoc at = parser.getCurrentLocation();
  if (parser.parseOperandList(operands) || parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type))
    return failure();
  auto function = dyn_cast<FunctionType>(type);
  state.addTypes(function ? function.getResults() : TypeRange(type));
  SmallVector<Type> types = function ? llvm::to_vector(function.getInputs()) : SmallVector<Type>(operands.size(), type);
  return parser.resolveOperands(operands, types, at, state.operands);
}

// Its attributes are kept as text: they say nothing that is needed.
class MhloDialect : public Dialect {
 public:
  explicit MhloDialect(MLIRContext *context) : Dialect(getDialectNamespace(), context, TypeID::get<MhloDialect>()) {
    allowUnknownOperations();
  }
  static constexpr StringLiteral getDialectNamespace() { return "mhlo"; }

  Attribute parseAttribute(DialectAsmParser &parser, Type type) const override {
    return OpaqueAttr::get(StringAttr::get(getContext(), getDialectNamespace()), parser.getFullSymbolSpec(),
                           type ? type : NoneType::get(getContext()));
  }
  std::optional<ParseOpHook> getParseOperationHook(StringRef name) const override {
    return meaning(name) ? std::optional<ParseOpHook>(parseShort) : std::nullopt;
  }

  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MhloDialect)
};

// Fails where the op that it means does not verify.
LogicalResult replace(Operation *op) {
  std::optional<StringRef> name = meaning(op->getName().getStringRef());
  if (!name || op->getNumResults() != 1 || op->getNumOperands() < 1 || op->getNumRegions()) return success();
  if (name->empty()) {
    if (op->getOperand(0).getType() != op->getResult(0).getType()) return success();
    op->replaceAllUsesWith(ValueRange(op->getOperand(0)));
  } else {
    OpBuilder b(op);
    OperationState state(op->getLoc(), *name, op->getOperands(), op->getResultTypes());
    Operation *made = b.create(state);
    if (failed(verify(made))) return failure();
    op->replaceAllUsesWith(made);
  }
  op->erase();
  return success();
}

}  // namespace

void loadMhlo(MLIRContext &context) {
  if (!context.getLoadedDialect<MhloDialect>()) {
    DialectRegistry registry;
    registry.insert<MhloDialect>();
    context.appendDialectRegistry(registry);
    context.loadDialect<MhloDialect, chlo::ChloDialect>();
  }
}

LogicalResult replaceMhlo(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (op->getName().getDialectNamespace() == MhloDialect::getDialectNamespace()) ops.push_back(op);
  });
  for (Operation *op : ops)
    if (failed(replace(op))) return failure();
  return success();
}

}  // namespace tpuc::frontend
