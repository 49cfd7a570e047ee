// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifier, effects and syntax of the tpu dialect, all from the instruction table.
#include "dialects/tpu/tpu.h"

#include "dialects/tpu/bundles.h"
#include "llvm/ADT/TypeSwitch.h"
#include "runtime/isa/executable.h"

using namespace mlir;

#include "dialects/tpu/tpu_dialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/tpu/tpu_types.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/tpu/tpu_ops.cpp.inc"

namespace isa = tpuc::isa;

namespace tpuc::tpu {

void TpuDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/tpu/tpu_types.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/tpu/tpu_ops.cpp.inc"
      >();
}

static isa::RegKind kindOf(Type type) {
  if (mlir::isa<VregType>(type)) return isa::RegKind::V;
  if (mlir::isa<MaskType>(type)) return isa::RegKind::M;
  return isa::RegKind::S;
}

bool matchSlots(const isa::InstInfo &info, TypeRange operands, Slots &slots) {
  unsigned next = 0;
  for (int i = 0; i < info.numSources; ++i) {
    const isa::Source &source = info.sources[i];
    if (next < operands.size() && kindOf(operands[next]) == source.kind) {
      slots.source[i] = next++;
    } else if (!source.orImm && !source.optional) {
      return false;
    }
  }
  if (info.masked && next < operands.size() && mlir::isa<MaskType>(operands[next])) slots.mask = next++;
  return next == operands.size();
}

LogicalResult InstOp::verify() {
  std::optional<isa::Op> op = isa::lookup(getMnemonic());
  if (!op) return emitOpError("expects a mnemonic of the instruction table, but got '") << getMnemonic() << "'";
  const isa::InstInfo &info = isa::info(*op);
  Slots slots;
  if (!matchSlots(info, getOperandTypes(), slots))
    return emitOpError("'") << getMnemonic() << "' has operands of the wrong number or kinds";
  bool hasResult = static_cast<bool>(getResult());
  if (hasResult != (info.result != isa::RegKind::None) || (hasResult && kindOf(getResult().getType()) != info.result))
    return emitOpError("'") << getMnemonic() << "' has a result of the wrong kind";
  if (!getFields()) return success();
  isa::Inst inst;
  DictionaryAttr fields = *getFields();  // the optional is a temporary
  for (NamedAttribute field : fields) {
    const isa::Field *f = info.field(field.getName().getValue());
    auto value = dyn_cast<IntegerAttr>(field.getValue());
    if (!f || !value)
      return emitOpError("'") << getMnemonic() << "' has no field '" << field.getName().getValue() << "'";
    if (!isa::setField(inst, *f, value.getInt()))
      return emitOpError("field '") << field.getName().getValue() << "' of '" << getMnemonic() << "' expects "
                                    << int(f->bits) << " bits, but got " << value.getInt();
  }
  return success();
}

static bool isPure(isa::Unit unit, isa::Op op) {
  using U = isa::Unit;
  if (op == isa::Op::SLdw || op == isa::Op::SLdd || op == isa::Op::SStw || op == isa::Op::SStd) return false;
  if (op == isa::Op::XTrPush || op == isa::Op::XTrPop) return false;
  return unit == U::Scalar || unit == U::VAlu || unit == U::Eup || unit == U::Xlu;
}

void InstOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  std::optional<isa::Op> op = isa::lookup(getMnemonic());
  if (op && isPure(isa::info(*op).unit, *op)) return;
  if (!op || *op != isa::Op::VLd) effects.emplace_back(MemoryEffects::Write::get());
  effects.emplace_back(MemoryEffects::Read::get());
}

Speculation::Speculatability InstOp::getSpeculatability() {
  std::optional<isa::Op> op = isa::lookup(getMnemonic());
  return op && isPure(isa::info(*op).unit, *op) ? Speculation::Speculatable : Speculation::NotSpeculatable;
}

void InstOp::print(OpAsmPrinter &p) {
  p << ' ' << getMnemonicAttr() << '(' << getOperands() << ')';
  if (getFields()) p << ' ' << *getFields();
  if (getVmemRegion()) p << " region " << *getVmemRegion();
  p.printOptionalAttrDict((*this)->getDiscardableAttrs().empty() ? ArrayRef<NamedAttribute>()
                                                                 : llvm::to_vector((*this)->getDiscardableAttrs()));
  p << " : (" << getOperandTypes() << ')';
  if (getResult()) p << " -> " << getResult().getType();
}

ParseResult InstOp::parse(OpAsmParser &p, OperationState &state) {
  StringAttr mnemonic;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types;
  SMLoc loc = p.getCurrentLocation();
  if (p.parseAttribute(mnemonic) || p.parseOperandList(operands, OpAsmParser::Delimiter::Paren)) return failure();
  state.addAttribute("mnemonic", mnemonic);
  NamedAttrList fields;
  if (p.parseOptionalAttrDict(fields)) return failure();
  if (!fields.empty()) state.addAttribute("fields", fields.getDictionary(p.getContext()));
  if (succeeded(p.parseOptionalKeyword("region"))) {
    int64_t region = 0;
    if (p.parseInteger(region)) return failure();
    state.addAttribute("vmem_region", p.getBuilder().getI64IntegerAttr(region));
  }
  if (p.parseColon() || p.parseLParen()) return failure();
  if (failed(p.parseOptionalRParen()) && (p.parseTypeList(types) || p.parseRParen())) return failure();
  if (p.resolveOperands(operands, types, loc, state.operands)) return failure();
  if (succeeded(p.parseOptionalArrow())) {
    Type result;
    if (p.parseType(result)) return failure();
    state.addTypes(result);
  }
  return success();
}

LogicalResult DmaStartOp::verify() {
  if (getCounts().size() > 4) return emitOpError("expects at most 4 counted dims, but got ") << getCounts().size();
  if (getCounts().size() != getSrcStrides().size() || getCounts().size() != getDstStrides().size())
    return emitOpError("expects as many strides as counts");
  if (getRunBytes() <= 0) return emitOpError("expects a positive run, but got ") << getRunBytes();
  for (StringRef space : {getSrcSpace(), getDstSpace()})
    if (!llvm::is_contained({"hbm", "vmem", "smem"}, space))
      return emitOpError("expects memory hbm, vmem or smem, but got ") << space;
  if (!getChip() != !getSignals()) return emitOpError("expects a chip semaphore for another chip alone");
  auto routine = (*this)->getParentOfType<RoutineOp>();
  if (getChip() && routine && !routine.getEntry()) return emitOpError("expects to be in the entry routine");
  return success();
}

void DmaStartOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  effects.emplace_back(MemoryEffects::Write::get());
  effects.emplace_back(MemoryEffects::Read::get());
}

LogicalResult HostCallOp::verify() {
  auto fits = [](ArrayAttr symbols, ArrayAttr types) {
    return symbols.size() == types.size() &&
           llvm::all_of(types.getAsValueRange<TypeAttr>(), [](Type type) { return mlir::isa<RankedTensorType>(type); });
  };
  if (!fits(getInputs(), getInputTypes()) || !fits(getOutputs(), getOutputTypes()))
    return emitOpError("expects an array's type for each buffer");
  auto routine = (*this)->getParentOfType<RoutineOp>();
  if (routine && !routine.getEntry()) return emitOpError("expects to be in the entry routine");
  return success();
}

LogicalResult RoutineOp::verify() {
  Block &block = getBody().front();
  if (block.getNumArguments() != (getEntry() ? 0u : 2u))
    return emitOpError("expects two block arguments, none for the entry");
  if (block.empty() || !block.back().hasTrait<OpTrait::IsTerminator>())
    return emitOpError("expects tpu.return at its end");
  return success();
}

bool isLaunch(RoutineOp routine) {
  auto facts = routine.getFactsAttr();
  auto kind = facts ? facts.getAs<StringAttr>("kind") : StringAttr();
  return kind && kind.getValue() == StringRef(isa::kLaunchKind);
}

RoutineOp createLaunch(OpBuilder &b, Location loc, StringRef name, IntegerAttr smemBytes) {
  SmallVector<NamedAttribute> facts{b.getNamedAttr("kind", b.getStringAttr(StringRef(isa::kLaunchKind)))};
  if (smemBytes) facts.push_back(b.getNamedAttr("smem_bytes", smemBytes));
  auto launch = RoutineOp::create(b, loc, b.getStringAttr(name), false, b.getDictionaryAttr(facts));
  launch.getBody().emplaceBlock().addArguments({b.getI64Type(), b.getI64Type()}, {loc, loc});
  return launch;
}

LogicalResult TwinOp::verify() {
  if (getFrom().size() != getTo().size())
    return emitOpError("expects a buffer for each of the original's ")
           << getFrom().size() << ", but got " << getTo().size();
  auto isLine = [](Attribute a) { return mlir::isa<LocationAttr>(a); };
  if (getLines() && (getLines()->size() % 2 || !llvm::all_of(*getLines(), isLine)))
    return emitOpError("expects pairs of locations");
  return success();
}

}  // namespace tpuc::tpu
