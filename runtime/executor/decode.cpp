// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executable -> Program.
#include <algorithm>
#include <unordered_map>

#include "runtime/executor/check.h"
#include "runtime/executor/forward_loads.h"
#include "runtime/executor/kernels.h"
#include "runtime/executor/known_zeros.h"
#include "runtime/executor/program.h"
#include "runtime/timing/data_branches.h"

namespace tpuc::exec {
namespace {

using isa::Inst;
using isa::Op;
using isa::Space;
using isa::Unit;

int pushKind(Op op) { return op == Op::MxuPushB ? 0 : op == Op::MxuPushI ? 1 : op == Op::MxuPushF ? 2 : -1; }
int vregRows(Op op) { return op == Op::MxuLdwB ? 16 : op == Op::MxuLdwI ? 32 : 8; }

class Decoder {
 public:
  Decoder(const isa::Executable &exe, const MachineShape &shape, const Kernels &kernels, const DecodeOptions &options,
          Program &program, std::string &error)
      : exe_(exe),
        shape_(shape),
        kernels_(kernels),
        options_(options),
        program_(program),
        error_(error),
        starts_(exe.bundleStarts()),
        withoutData_(timing::routinesWithoutData(exe)) {}

  bool run() {
    for (const isa::DmaDescriptor &d : exe_.descriptors) program_.plans.emplace_back(d);
    findLeaders();
    const uint32_t bundles = static_cast<uint32_t>(starts_.size() - 1);
    for (uint32_t b = 0; b < bundles; ++b) {
      if (leader_[b]) enter(b);
      if (!bundle(b)) return false;
    }
    findSuccessors();
    if (!options_.checking) fuse();
    layOut();
    return true;
  }

 private:
  // A loop goes behind its end, an end behind its loop: both stay out of the way of the other's counter.
  uint32_t targetBundle(const DInst &i) const {
    bool behind = i.op == Op::Loop || i.op == Op::LoopEnd;
    return static_cast<uint32_t>(i.aux) + behind;
  }

  void findLeaders() {
    leader_.assign(starts_.size(), false);
    leader_[0] = true;
    for (const isa::proto::Entry &e : exe_.index.entries()) leader_[e.bundle()] = true;
    for (uint32_t b = 0; b + 1 < starts_.size(); ++b)
      for (uint32_t k = starts_[b]; k < starts_[b + 1]; ++k) {
        const Inst &inst = exe_.code[k];
        if (isa::info(inst.op).unit != Unit::Control) continue;
        leader_[b + 1] = true;
        if (!isa::info(inst.op).field("target")) continue;
        uint32_t target = static_cast<uint32_t>(isa::getField(inst, "target"));
        leader_[target + (inst.op == Op::Loop || inst.op == Op::LoopEnd)] = true;
      }
  }

  void enter(uint32_t b) {
    blockOf_[b] = static_cast<int>(blocks_.size());
    DInst i;
    i.fn = enterBlock;
    i.bundle = b;
    i.imm = blockOf_[b];
    blocks_.emplace_back().insts.push_back(i);
    program_.blocks.emplace_back().bundle = b;
  }

  static const DInst *controlOf(const LiveBlock &block) {
    const DInst &last = block.insts.back();
    return last.fn != enterBlock && isa::info(last.op).unit == Unit::Control ? &last : nullptr;
  }

  void findSuccessors() {
    for (size_t k = 0; k < blocks_.size(); ++k) {
      const DInst *control = controlOf(blocks_[k]);
      bool goesOn = !control || (control->op != Op::Br && control->op != Op::Ret && control->op != Op::Halt);
      bool jumps = control && (control->op == Op::Br || control->op == Op::Bz || control->op == Op::Bnz ||
                               control->op == Op::Loop || control->op == Op::LoopEnd);
      if (goesOn && k + 1 < blocks_.size()) blocks_[k].successors.push_back(static_cast<int>(k) + 1);
      if (jumps) blocks_[k].successors.push_back(blockOf_.at(targetBundle(*control)));
    }
  }

  void fuse() {
    findKnownZeros(blocks_, entryBlocks());
    findLiveRegisters(blocks_);
    for (LiveBlock &block : blocks_) forwardLoads(block);
    for (LiveBlock &block : blocks_) fuseStrips(block, kernels_, options_.hotAfter, program_.strips);
  }

  // Where routines begin: registers may have any contents.
  std::vector<bool> entryBlocks() const {
    std::vector<bool> isEntry(blocks_.size());
    for (const isa::proto::Entry &e : exe_.index.entries()) isEntry[blockOf_.at(e.bundle())] = true;
    for (const LiveBlock &block : blocks_)
      if (const DInst *control = controlOf(block); control && (control->op == Op::Call || control->op == Op::Grid))
        isEntry[blockOf_.at(targetBundle(*control))] = true;
    return isEntry;
  }

  // Puts all blocks one after the other, with targets as addresses.
  void layOut() {
    std::vector<size_t> first;
    for (const LiveBlock &block : blocks_) {
      first.push_back(program_.insts.size());
      program_.insts.insert(program_.insts.end(), block.insts.begin(), block.insts.end());
    }
    for (DInst &i : program_.insts)
      if (i.fn != enterBlock && isa::info(i.op).unit == Unit::Control && isa::info(i.op).field("target"))
        i.target = &program_.insts[first[blockOf_.at(targetBundle(i))]];
    for (const isa::proto::Entry &e : exe_.index.entries())
      program_.entries.push_back(&program_.insts[first[blockOf_.at(e.bundle())]]);
    for (const isa::proto::Buffer &b : exe_.index.buffers())
      program_.outer.push_back(b.kind() == isa::proto::ARGUMENT || b.kind() == isa::proto::RESULT);
  }

  bool bundle(uint32_t b) {
    std::vector<DInst> insts;
    BlockCounts &counts = program_.blocks.back();
    ++counts.bundles;
    for (uint32_t k = starts_[b]; k < starts_[b + 1]; ++k) {
      count(exe_.code[k], counts);
      if (!instruction(exe_.code[k], b, insts.emplace_back())) return false;
    }
    if (!sequenceBundle(insts)) return fail(b, "too many registers of the bundle wait for one another");
    for (DInst &i : insts) {
      if (!i.fn) i.fn = kernels_.handlers[static_cast<int>(i.op)];
      if (Handler wrapper = options_.checking ? checkedHandler(i) : nullptr) {
        i.inner = i.fn;
        i.fn = wrapper;
      }
      blocks_.back().insts.push_back(i);
    }
    return true;
  }

  void count(const Inst &inst, BlockCounts &counts) const {
    ++counts.units[static_cast<int>(isa::info(inst.op).unit)];
    if (int kind = pushKind(inst.op); kind >= 0) ++counts.pushes[kind];
    counts.loopEnd |= inst.op == Op::LoopEnd;
    if (inst.op != Op::DmaStart) return;
    const device::DmaPlan &plan = program_.plans[isa::getField(inst, "desc")];
    counts.dmaBytes[static_cast<int>(plan.srcSpace)][static_cast<int>(plan.dstSpace)] += plan.totalBytes;
  }

  bool fail(uint32_t b, const std::string &why) {
    error_ = "bundle " + std::to_string(b) + ": " + why;
    return false;
  }

  // Fields: the first is imm (or off, row, part, mode), the second aux (stride, col, sext, buf, count, target).
  bool instruction(const Inst &inst, uint32_t b, DInst &out) {
    const isa::InstInfo &info = isa::info(inst.op);
    out.op = inst.op;
    out.dst = inst.dst;
    out.a = inst.a;
    out.b = inst.b;
    out.c = inst.c;
    out.m = inst.m;
    out.bundle = b;
    auto field = [&](const char *name) { return info.field(name) ? isa::getField(inst, name) : 0; };
    for (const char *name : {"imm", "off", "row", "part", "mode"})
      if (info.field(name)) out.imm = field(name);
    for (const char *name : {"stride", "col", "sext", "buf", "count", "target", "there", "sem"})
      if (info.field(name)) out.aux = field(name);
    out.mxu = static_cast<uint8_t>(field("mxu"));
    out.flags = static_cast<uint8_t>(field("xpose") | field("clear"));
    if (inst.op == Op::Grid)
      out.flags = static_cast<uint8_t>((withoutData_.count(static_cast<uint32_t>(out.aux)) ? 0 : kGridIsRecorded) |
                                       (field("alone") ? kGridIsAlone : 0));
    if (const int64_t n = field("sublanes")) out.sublanes = static_cast<uint8_t>(n);
    if (const int64_t n = field("lanes")) out.lanes = static_cast<uint8_t>(n);
    if (info.field("desc")) out.data = &program_.plans[field("desc")];
    out.fn = handler(inst, info);
    if (!out.fn) return fail(b, std::string(info.mnemonic) + " is not implemented");
    return check(out, b);
  }

  Handler handler(const Inst &inst, const isa::InstInfo &info) const {
    auto immediate = [&] {
      for (int k = 0; k < info.numSources; ++k)
        if (info.sources[k].orImm) return inst.source(k) == isa::kNoReg;
      return false;
    };
    switch (info.unit) {
      case Unit::Scalar:
        return scalarHandler(inst.op, immediate());
      case Unit::Control:
        return controlHandler(inst.op, immediate());
      case Unit::Dma:
        return dmaHandler(inst.op);
      case Unit::MxuWeight:
      case Unit::MxuPush:
      case Unit::MxuPop:
        return mxuHandler(inst.op);
      default:
        break;
    }
    if (inst.op != Op::VRound) return kernels_.handlers[static_cast<int>(inst.op)];
    int64_t mode = isa::getField(inst, "mode");
    return mode < 5 ? kernels_.round[mode] : nullptr;
  }

  // What the table cannot know: this machine's arrays, and buffers that may not be written.
  bool check(const DInst &i, uint32_t b) {
    Unit unit = isa::info(i.op).unit;
    bool matrix = unit == Unit::MxuWeight || unit == Unit::MxuPush || unit == Unit::MxuPop;
    if (matrix && i.mxu >= shape_.mxus) return fail(b, "the core has no matrix unit " + std::to_string(i.mxu));
    int columns = shape_.mxuSide / isa::kLanes;
    if (unit == Unit::MxuWeight && i.op != Op::MxuSwap &&
        (i.aux >= columns || (i.imm + 1) * vregRows(i.op) > shape_.mxuSide))
      return fail(b, "weights outside of the array");
    if (unit == Unit::MxuPop && i.aux >= columns) return fail(b, "column outside of the array");
    if (unit == Unit::MxuPush && (i.b != kNone) != (columns == 2))
      return fail(b, "expects " + std::to_string(columns) + " vregs a push on an array of side " +
                         std::to_string(shape_.mxuSide));
    return true;
  }

  const isa::Executable &exe_;
  const MachineShape &shape_;
  const Kernels &kernels_;
  const DecodeOptions options_;
  Program &program_;
  std::string &error_;
  std::vector<uint32_t> starts_;
  const std::set<uint32_t> withoutData_;
  std::vector<bool> leader_;
  std::vector<LiveBlock> blocks_;
  std::unordered_map<uint32_t, int> blockOf_;  // by its first bundle
};

}  // namespace

bool decode(const isa::Executable &exe, const MachineShape &shape, const Kernels &kernels, const DecodeOptions &options,
            Program &program, std::string &error) {
  program = Program();
  return Decoder(exe, shape, kernels, options, program, error).run();
}

}  // namespace tpuc::exec
