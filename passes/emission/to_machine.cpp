// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversion to the back end's tree.
#include "passes/emission/to_machine.h"

#include "dialects/diagnostics/describe_location.h"
#include "dialects/diagnostics/diagnose.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "runtime/isa/executable.h"

using namespace mlir;

namespace tpuc::emission {

using isa::Op;
using isa::RegKind;
using machine::MInst;
using machine::Reg;

int32_t DescriptorTable::indexOf(const isa::DmaDescriptor &d) {
  std::string key;
  llvm::raw_string_ostream os(key);
  os << int(d.srcSpace) << ',' << int(d.dstSpace) << ',' << d.srcBuffer << ',' << d.dstBuffer << ',' << d.srcOffset
     << ',' << d.dstOffset << ',' << d.runBytes;
  for (int i = 0; i < d.numDims; ++i)
    os << ';' << d.dims[i].count << ',' << d.dims[i].srcStride << ',' << d.dims[i].dstStride;
  auto [it, fresh] = index.try_emplace(key, static_cast<int32_t>(entries.size()));
  if (fresh) entries.push_back(d);
  return it->second;
}

namespace {

// The type's name in StableHLO.
std::string elementName(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return ((integer.isUnsigned() ? "ui" : "i") + Twine(integer.getWidth())).str();
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return name;
}

class Converter {
 public:
  Converter(ConvertContext &context, machine::Routine &routine) : context_(context), routine_(routine) {}
  LogicalResult run(tpu::RoutineOp op);

 private:
  LogicalResult convertBlock(Block &block, machine::Region &out);
  LogicalResult convert(Operation &op, machine::Region &out);
  LogicalResult convertInst(tpu::InstOp op, machine::Region &out);
  LogicalResult convertDma(tpu::DmaStartOp op, machine::Region &out);
  LogicalResult convertScalar(Operation &op, machine::Region &out);
  LogicalResult convertCompare(arith::CmpIOp op, machine::Region &out);
  std::string describeHostCall(tpu::HostCallOp op);
  void emitImmediate(Op code, Reg reg, int64_t value, machine::Region &out);
  void countTrips(scf::ForOp op, int64_t step, machine::LoopNode &loop, machine::Region &out);
  void yieldInPlace(scf::ForOp op, ArrayRef<Reg> carried);
  void passOn(ValueRange yielded, ArrayRef<Reg> carried, machine::Region &body);
  LogicalResult convertFor(scf::ForOp op, machine::Region &out);
  LogicalResult convertIf(scf::IfOp op, machine::Region &out);
  LogicalResult convertWhile(scf::WhileOp op, machine::Region &out);

  std::optional<int64_t> constantOf(Value v) {
    APInt value;
    if (matchPattern(v, m_ConstantInt(&value)))
      return value.getBitWidth() == 1 ? value.getZExtValue() : value.getSExtValue();
    return std::nullopt;
  }
  static bool fits32(int64_t v) { return v >= INT32_MIN && v <= INT32_MAX; }
  RegKind kindOf(Type t) {
    return mlir::isa<tpu::VregType>(t) ? RegKind::V : mlir::isa<tpu::MaskType>(t) ? RegKind::M : RegKind::S;
  }
  Reg newReg(Type t) { return routine_.newReg(kindOf(t)); }
  // The register of a value; a constant is loaded where it is used, so that it occupies a register only there.
  Reg use(Value v, machine::Region &out);
  Reg define(Value v) {
    auto it = regs_.find(v);
    if (it != regs_.end()) return it->second;  // already tied to a loop's register
    return regs_[v] = newReg(v.getType());
  }
  void emit(MInst inst, machine::Region &out) {
    inst.loc = loc_;
    out.push_back({inst});
  }
  void binary(Op op, Reg dst, Value a, Value b, machine::Region &out);
  void move(Reg dst, Reg src, RegKind kind, machine::Region &out);
  void assign(Reg dst, Value v, machine::Region &out);

  ConvertContext &context_;
  machine::Routine &routine_;
  DenseMap<Value, Reg> regs_;
  int32_t loc_ = -1;
};

Reg Converter::use(Value v, machine::Region &out) {
  if (auto c = constantOf(v)) {
    MInst li{Op::SLi};
    li.dst = routine_.newReg(RegKind::S);
    li.imm = *c;
    emit(li, out);
    return li.dst;
  }
  auto it = regs_.find(v);
  assert(it != regs_.end() && "used before it is defined");
  return it->second;
}

void Converter::move(Reg dst, Reg src, RegKind kind, machine::Region &out) {
  if (dst == src) return;
  MInst m{kind == RegKind::V ? Op::VMov : kind == RegKind::M ? Op::MAnd : Op::SAdd};
  m.dst = dst;
  m.src[0] = src;
  if (kind == RegKind::M) m.src[1] = src;
  emit(m, out);
}

void Converter::assign(Reg dst, Value v, machine::Region &out) {
  if (auto c = constantOf(v)) {
    MInst li{Op::SLi};
    li.dst = dst;
    li.imm = *c;
    return emit(li, out);
  }
  move(dst, use(v, out), kindOf(v.getType()), out);
}

void Converter::binary(Op op, Reg dst, Value a, Value b, machine::Region &out) {
  MInst inst{op};
  inst.dst = dst;
  inst.src[0] = use(a, out);
  auto c = constantOf(b);
  if (c && fits32(*c)) {
    isa::Inst encoded;
    encoded.op = op;
    isa::setField(encoded, "imm", *c);
    inst.imm = encoded.imm;
  } else {
    inst.src[1] = use(b, out);
  }
  emit(inst, out);
}

// An op of two integers, its instruction, and whether its operands may change places: a constant goes last.
struct ScalarOp {
  Op code;
  bool commutes;
};
static const ScalarOp *scalarOp(StringRef name) {
  static const llvm::StringMap<ScalarOp> table = {
      {"arith.addi", {Op::SAdd, true}},   {"arith.muli", {Op::SMul, true}},  {"arith.andi", {Op::SAnd, true}},
      {"arith.ori", {Op::SOr, true}},     {"arith.xori", {Op::SXor, true}},  {"arith.minsi", {Op::SMin, true}},
      {"arith.maxsi", {Op::SMax, true}},  {"arith.subi", {Op::SSub, false}}, {"arith.shrui", {Op::SShru, false}},
      {"arith.shrsi", {Op::SShr, false}}, {"arith.shli", {Op::SShl, false}}, {"arith.divsi", {Op::SDiv, false}},
      {"arith.remsi", {Op::SRem, false}},
  };
  auto it = table.find(name);
  return it == table.end() ? nullptr : &it->second;
}

LogicalResult Converter::convertScalar(Operation &op, machine::Region &out) {
  if (const ScalarOp *known = scalarOp(op.getName().getStringRef())) {
    const bool swap = known->commutes && constantOf(op.getOperand(0));
    binary(known->code, define(op.getResult(0)), op.getOperand(swap), op.getOperand(!swap), out);
    return success();
  }
  if (auto ext = dyn_cast<arith::ExtUIOp>(op)) {
    move(define(ext.getResult()), use(ext.getIn(), out), RegKind::S, out);
    return success();
  }
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    MInst inst{Op::SSel};
    inst.src[0] = use(select.getCondition(), out);
    inst.src[1] = use(select.getTrueValue(), out);
    inst.src[2] = use(select.getFalseValue(), out);
    inst.dst = define(select.getResult());
    emit(inst, out);
    return success();
  }
  if (auto cmp = dyn_cast<arith::CmpIOp>(op)) return convertCompare(cmp, out);
  return diagnose(&op, codes::kBrokenStage)
         << "expects an op with a scalar instruction, but got '" << op.getName() << "'";
}

LogicalResult Converter::convertCompare(arith::CmpIOp cmp, machine::Region &out) {
  Value a = cmp.getLhs(), b = cmp.getRhs();
  Reg dst = define(cmp.getResult());
  using P = arith::CmpIPredicate;
  switch (cmp.getPredicate()) {
    case P::eq:
      return binary(Op::SEq, dst, a, b, out), success();
    case P::ne:
      return binary(Op::SNe, dst, a, b, out), success();
    case P::slt:
      return binary(Op::SLt, dst, a, b, out), success();
    case P::sle:
      return binary(Op::SLe, dst, a, b, out), success();
    case P::sgt:
      return binary(Op::SLt, dst, b, a, out), success();
    case P::sge:
      return binary(Op::SLe, dst, b, a, out), success();
    case P::ult:
      return binary(Op::SLtu, dst, a, b, out), success();
    case P::ugt:
      return binary(Op::SLtu, dst, b, a, out), success();
    default:
      return diagnose(cmp, codes::kBrokenStage) << "expects a comparison that the scalar unit has";
  }
}

LogicalResult Converter::convertInst(tpu::InstOp op, machine::Region &out) {
  isa::Op code = *isa::lookup(op.getMnemonic());
  const isa::InstInfo &info = isa::info(code);
  tpu::Slots slots;
  (void)tpu::matchSlots(info, op.getOperandTypes(), slots);
  isa::Inst encoded;
  encoded.op = code;
  if (op.getFields())
    for (NamedAttribute f : DictionaryAttr(*op.getFields()))
      isa::setField(encoded, f.getName().getValue(), cast<IntegerAttr>(f.getValue()).getInt());
  MInst inst{code};
  for (int i = 0; i < 3; ++i) {
    if (slots.source[i] < 0) continue;
    Value v = op.getOperands()[slots.source[i]];
    auto c = constantOf(v);
    if (c && info.sources[i].orImm) {
      const isa::Field *imm = info.field("imm");
      if (imm && isa::setField(encoded, *imm, *c)) continue;
    }
    inst.src[i] = use(v, out);
  }
  if (slots.mask >= 0) inst.mask = use(op.getOperands()[slots.mask], out);
  inst.imm = encoded.imm;
  if (op.getVmemRegion()) inst.region = *op.getVmemRegion();
  if (op.getResult()) inst.dst = define(op.getResult());
  emit(inst, out);
  return success();
}

LogicalResult Converter::convertDma(tpu::DmaStartOp op, machine::Region &out) {
  const Op code = op.getChip() ? Op::DmaRemote : Op::DmaStart;
  MInst inst{code};
  inst.src[0] = use(op.getSrcAdd(), out);
  inst.src[1] = use(op.getDstAdd(), out);
  isa::Inst encoded;
  encoded.op = code;
  auto sem = constantOf(op.getSemaphore());
  const bool immediate = sem && isa::setField(encoded, "imm", *sem);
  if (op.getChip()) {
    if (!immediate || !isa::setField(encoded, "there", *op.getSignals()))
      return diagnose(op, codes::kBrokenStage) << "expects known semaphores for a transfer to another chip";
    inst.src[2] = use(op.getChip(), out);
  } else if (!immediate) {
    inst.src[2] = use(op.getSemaphore(), out);
  }
  isa::setField(encoded, "desc", context_.descriptors.indexOf(descriptorOf(op, context_.descriptors, Renamed())));
  inst.imm = encoded.imm;
  emit(inst, out);
  return success();
}

void Converter::emitImmediate(Op code, Reg reg, int64_t value, machine::Region &out) {
  MInst inst{code};
  inst.dst = reg;
  inst.src[0] = reg;
  isa::Inst encoded;
  encoded.op = code;
  isa::setField(encoded, "imm", value);
  inst.imm = encoded.imm;
  emit(inst, out);
}

// How often the loop runs: known, or in a register that is computed before it.
void Converter::countTrips(scf::ForOp op, int64_t step, machine::LoopNode &loop, machine::Region &out) {
  auto lo = constantOf(op.getLowerBound()), hi = constantOf(op.getUpperBound());
  if (lo && hi) {
    loop.countImm = std::max<int64_t>(llvm::divideCeilSigned(*hi - *lo, step), 0);
    return;
  }
  Reg count = routine_.newReg(RegKind::S);
  if (lo && *lo == 0)
    move(count, use(op.getUpperBound(), out), RegKind::S, out);
  else
    binary(Op::SSub, count, op.getUpperBound(), op.getLowerBound(), out);
  if (step != 1) {
    emitImmediate(Op::SAdd, count, step - 1, out);
    emitImmediate(Op::SDiv, count, step, out);
  }
  loop.count = count;
}

// A yielded value that the body computes goes straight into the carried register where nothing reads the old value
// afterwards.
void Converter::yieldInPlace(scf::ForOp op, ArrayRef<Reg> carried) {
  auto yield = cast<scf::YieldOp>(op.getBody()->getTerminator());
  for (auto [i, v] : llvm::enumerate(yield.getOperands())) {
    Operation *def = v.getDefiningOp();
    BlockArgument arg = op.getRegionIterArg(i);
    if (!def || def->getBlock() != op.getBody() || regs_.count(v) || def->getNumRegions()) continue;
    if (constantOf(v) || llvm::count(yield.getOperands(), v) != 1) continue;
    bool late = llvm::any_of(arg.getUsers(), [&](Operation *user) {
      Operation *here = op.getBody()->findAncestorOpInBlock(*user);
      return user == yield || (here != def && !here->isBeforeInBlock(def));
    });
    if (!late) regs_[v] = carried[i];
  }
}

// What the next iteration gets. Yields that name carried registers of other places go through copies.
void Converter::passOn(ValueRange yielded, ArrayRef<Reg> carried, machine::Region &body) {
  SmallVector<std::pair<Reg, Reg>> moves;
  for (auto [i, v] : llvm::enumerate(yielded)) {
    if (constantOf(v)) continue;
    Reg src = use(v, body);
    if (src == carried[i]) continue;
    if (llvm::is_contained(carried, src)) {
      Reg copy = newReg(v.getType());
      move(copy, src, kindOf(v.getType()), body);
      src = copy;
    }
    moves.push_back({carried[i], src});
  }
  for (auto [i, v] : llvm::enumerate(yielded))
    if (constantOf(v)) assign(carried[i], v, body);
  for (auto [dst, src] : moves) move(dst, src, routine_.regs[dst], body);
}

// A carried value's register is the same before, inside and after the loop.
LogicalResult Converter::convertFor(scf::ForOp op, machine::Region &out) {
  machine::LoopNode loop;
  loop.independent = op->hasAttr("independent");
  const auto step = constantOf(op.getStep());
  if (!step) return diagnose(op, codes::kBrokenStage) << "expects a constant step";
  countTrips(op, *step, loop, out);
  // Nobody reads the number of an iteration of the program's own loops; the loop instruction counts by itself.
  const bool counts = !op.getInductionVar().use_empty();
  Reg iv = regs_[op.getInductionVar()] = routine_.newReg(RegKind::S);
  if (counts) assign(iv, op.getLowerBound(), out);
  SmallVector<Reg> carried;
  for (auto [arg, init, result] : llvm::zip(op.getRegionIterArgs(), op.getInitArgs(), op.getResults())) {
    Reg r = newReg(arg.getType());
    regs_[arg] = r;
    regs_[result] = r;
    carried.push_back(r);
    assign(r, init, out);
  }
  yieldInPlace(op, carried);
  if (failed(convertBlock(*op.getBody(), loop.body))) return failure();
  passOn(op.getBody()->getTerminator()->getOperands(), carried, loop.body);
  if (counts) emitImmediate(Op::SAdd, iv, *step, loop.body);
  out.push_back({std::move(loop)});
  return success();
}

LogicalResult Converter::convertIf(scf::IfOp op, machine::Region &out) {
  machine::IfNode node;
  node.cond = use(op.getCondition(), out);
  for (Value r : op.getResults()) define(r);
  for (auto [region, into] :
       {std::pair(&op.getThenRegion(), &node.then), std::pair(&op.getElseRegion(), &node.otherwise)}) {
    if (region->empty()) continue;
    if (failed(convertBlock(region->front(), *into))) return failure();
    auto yield = cast<scf::YieldOp>(region->front().getTerminator());
    for (auto [r, v] : llvm::zip(op.getResults(), yield.getOperands())) assign(regs_[r], v, *into);
  }
  out.push_back({std::move(node)});
  return success();
}

// Values do not run through it: a loop whose trip count is not known carries its state in memory.
LogicalResult Converter::convertWhile(scf::WhileOp op, machine::Region &out) {
  if (op.getNumResults() || op.getNumOperands())
    return diagnose(op, codes::kBrokenStage) << "expects a loop without carried values, but got " << op.getNumResults();
  machine::WhileNode node;
  if (failed(convertBlock(*op.getBeforeBody(), node.before))) return failure();
  node.cond = use(op.getConditionOp().getCondition(), node.before);
  if (failed(convertBlock(*op.getAfterBody(), node.body))) return failure();
  out.push_back({std::move(node)});
  return success();
}

// The call in text, as the executable's index has it.
std::string Converter::describeHostCall(tpu::HostCallOp op) {
  isa::proto::HostCall call;
  call.set_id(op.getId());
  call.set_location(describeLocation(op.getLoc()));
  auto describe = [&](Attribute symbol, Attribute type, isa::proto::HostArray *array) {
    DescriptorTable::Buffer at = context_.descriptors.buffers.lookup(cast<FlatSymbolRefAttr>(symbol).getValue());
    auto shape = cast<RankedTensorType>(cast<TypeAttr>(type).getValue());
    array->set_buffer(at.index);
    array->set_offset(at.offset);
    array->mutable_array()->set_type(elementName(shape.getElementType()));
    for (int64_t d : shape.getShape()) array->mutable_array()->add_dims(d);
  };
  for (auto [symbol, type] : llvm::zip(op.getInputs(), op.getInputTypes())) describe(symbol, type, call.add_operands());
  for (auto [symbol, type] : llvm::zip(op.getOutputs(), op.getOutputTypes()))
    describe(symbol, type, call.add_results());
  return schema::toText(call, /*oneLine=*/true);
}

LogicalResult Converter::convert(Operation &op, machine::Region &out) {
  // Terminators that text leaves out have no place of their own.
  if (op.hasTrait<OpTrait::ConstantLike>() || op.hasTrait<OpTrait::IsTerminator>()) return success();
  loc_ = context_.placeOf(op.getLoc());
  if (auto inst = dyn_cast<tpu::InstOp>(op)) return convertInst(inst, out);
  if (auto dma = dyn_cast<tpu::DmaStartOp>(op)) return convertDma(dma, out);
  if (auto loop = dyn_cast<scf::ForOp>(op)) return convertFor(loop, out);
  if (auto branch = dyn_cast<scf::IfOp>(op)) return convertIf(branch, out);
  if (auto loop = dyn_cast<scf::WhileOp>(op)) return convertWhile(loop, out);
  if (auto call = dyn_cast<tpu::HostCallOp>(op)) {
    MInst inst{Op::HostCall};
    isa::Inst encoded;
    encoded.op = Op::HostCall;
    isa::setField(encoded, "imm", static_cast<int64_t>(context_.hostCalls.size()));
    inst.imm = encoded.imm;
    context_.hostCalls.push_back(describeHostCall(call));
    emit(inst, out);
    return success();
  }
  if (auto call = dyn_cast<tpu::CallOp>(op)) {
    MInst inst{Op::Call};
    inst.callee = context_.routines.lookup(call.getCallee());
    emit(inst, out);
    return success();
  }
  if (auto grid = dyn_cast<tpu::GridOp>(op)) {
    MInst inst{Op::Grid};
    isa::Inst encoded;
    encoded.op = Op::Grid;
    if (!isa::setField(encoded, "imm", grid.getSteps()))
      return diagnose(grid, codes::kTooManySteps)
             << "expects 2^31 - 1 steps of a grid at most, but got " << grid.getSteps() << "; make the batch smaller";
    isa::setField(encoded, "alone", grid.getAlone());
    inst.imm = encoded.imm;
    inst.callee = context_.routines.lookup(grid.getCallee());
    emit(inst, out);
    return success();
  }
  return convertScalar(op, out);
}

LogicalResult Converter::convertBlock(Block &block, machine::Region &out) {
  for (Operation &op : block)
    if (failed(convert(op, out))) return failure();
  return success();
}

LogicalResult Converter::run(tpu::RoutineOp op) {
  routine_.name = op.getSymName().str();
  routine_.isEntry = op.getEntry();
  Block &block = op.getBody().front();
  if (!op.getEntry()) {
    routine_.gridStart = regs_[block.getArgument(0)] = routine_.newReg(RegKind::S);
    routine_.gridCount = regs_[block.getArgument(1)] = routine_.newReg(RegKind::S);
  }
  if (auto facts = op.getFactsAttr()) {
    if (auto words = facts.getAs<IntegerAttr>("vmem_words")) routine_.spillVmemWord = llvm::alignTo(words.getInt(), 8);
    if (auto bytes = facts.getAs<IntegerAttr>("smem_bytes")) routine_.spillSmemByte = llvm::alignTo(bytes.getInt(), 8);
  }
  return convertBlock(block, routine_.body);
}

}  // namespace

isa::DmaDescriptor descriptorOf(tpu::DmaStartOp op, const DescriptorTable &table, const Renamed &renamed) {
  isa::DmaDescriptor d;
  auto space = [](StringRef name) {
    return name == "hbm" ? isa::Space::Hbm : name == "vmem" ? isa::Space::Vmem : isa::Space::Smem;
  };
  d.srcSpace = space(op.getSrcSpace());
  d.dstSpace = space(op.getDstSpace());
  d.srcOffset = op.getSrcOffset();
  d.dstOffset = op.getDstOffset();
  auto resolve = [&](FlatSymbolRefAttr symbol, int32_t &buffer, int64_t &offset) {
    if (!symbol) return;
    auto other = renamed.find(symbol.getAttr());
    DescriptorTable::Buffer at = table.buffers.lookup(other == renamed.end() ? symbol.getAttr() : other->second);
    buffer = at.index;
    offset += at.offset;
  };
  resolve(op.getSrcBufferAttr(), d.srcBuffer, d.srcOffset);
  resolve(op.getDstBufferAttr(), d.dstBuffer, d.dstOffset);
  d.runBytes = op.getRunBytes();
  d.numDims = op.getCounts().size();
  for (int i = 0; i < d.numDims; ++i) d.dims[i] = {op.getCounts()[i], op.getSrcStrides()[i], op.getDstStrides()[i]};
  return d;
}

int32_t ConvertContext::placeOf(Location loc) {
  auto [it, fresh] = locations.try_emplace(loc, static_cast<int32_t>(program.locations.size()));
  if (fresh) program.locations.push_back(describeLocation(loc));
  return it->second;
}

LogicalResult toMachine(tpu::RoutineOp op, ConvertContext &context, machine::Routine &routine) {
  return Converter(context, routine).run(op);
}

}  // namespace tpuc::emission
