// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executable -> DecodedProgram.
#include "runtime/timing/decode.h"

#include <algorithm>
#include <unordered_map>

namespace tpuc::timing {
namespace {

using isa::Inst;
using isa::kNoReg;
using isa::Op;
using isa::RegKind;
using isa::Unit;

int scoreIndex(RegKind kind, uint8_t reg) {
  return kind == RegKind::S ? reg : kind == RegKind::V ? kVregBase + reg : kMaskBase + reg;
}

// What a consumer of this instruction's result would be waiting for.
Stall causeOf(const isa::InstInfo &info) {
  switch (info.unit) {
    case Unit::VLoad:
      return Stall::Load;
    case Unit::VAlu:
      return Stall::Vector;
    case Unit::Eup:
      return Stall::Eup;
    case Unit::Xlu:
      return Stall::Xlu;
    case Unit::MxuPop:
      return Stall::MxuResult;
    default:
      return Stall::Scalar;
  }
}

class Decoder {
 public:
  Decoder(const isa::Executable &exe, const MachineModel &model, DecodedProgram &out)
      : exe_(exe), model_(model), out_(out) {}

  std::string run() {
    starts_ = exe_.bundleStarts();
    for (size_t b = 0; b + 1 < starts_.size(); ++b) {
      if (std::string why = bundle(b); !why.empty()) return "bundle " + std::to_string(b) + ": " + why;
    }
    out_.bundles.push_back(begin());
    descriptors();
    routines();
    for (DecodedLoop &loop : out_.loops) loop.simple = analyseLoop(out_, loop.begin, loop.end);
    return "";
  }

 private:
  DecodedBundle begin() const {
    DecodedBundle d;
    d.reads = static_cast<uint32_t>(out_.reads.size());
    d.writes = static_cast<uint32_t>(out_.writes.size());
    d.ops = static_cast<uint32_t>(out_.ops.size());
    d.scalars = static_cast<uint32_t>(out_.scalars.size());
    return d;
  }

  std::string bundle(size_t b) {
    const Inst *first = &exe_.code[starts_[b]];
    int count = static_cast<int>(starts_[b + 1] - starts_[b]);
    if (std::string why = checkSlots(model_, first, count); !why.empty()) return why;
    DecodedBundle d = begin();
    for (int i = 0; i < count; ++i) {
      const Inst &inst = first[i];
      const isa::InstInfo &info = isa::info(inst.op);
      if (!model_.supports(inst.op))
        return "target " + model_.target().name() + " has no " + std::string(info.mnemonic);
      ++d.unitCounts[static_cast<int>(info.unit)];
      operands(inst, info);
      if (info.unit == Unit::Control)
        control(b, inst, d);
      else if (info.unit == Unit::Scalar || inst.op == Op::VToS)
        out_.scalars.push_back(inst), d.hasScalar = true;
      else if (info.unit >= Unit::Eup || info.unit == Unit::Dma)
        out_.ops.push_back(unitOp(inst, info.unit));
    }
    dedupeReads(d.reads);
    orderOps(d.ops);
    out_.bundles.push_back(d);
    return "";
  }

  void operands(const Inst &inst, const isa::InstInfo &info) {
    for (int k = 0; k < info.numSources; ++k)
      if (inst.source(k) != kNoReg)
        out_.reads.push_back(static_cast<uint8_t>(scoreIndex(info.sources[k].kind, inst.source(k))));
    if (info.masked && inst.m != kNoReg) out_.reads.push_back(static_cast<uint8_t>(kMaskBase + inst.m));
    uint16_t latency = static_cast<uint16_t>(model_.latency(inst.op));
    if (inst.op == Op::XTrPush || inst.op == Op::XTrPop) {
      uint8_t buffer = static_cast<uint8_t>(kTransposeBase + isa::getField(inst, "buf"));
      if (inst.op == Op::XTrPush)
        out_.writes.push_back({buffer, Stall::Xlu, latency});
      else
        out_.reads.push_back(buffer);
    }
    if (info.result != RegKind::None)
      out_.writes.push_back({static_cast<uint8_t>(scoreIndex(info.result, inst.dst)), causeOf(info), latency});
  }

  void control(size_t b, const Inst &inst, DecodedBundle &d) {
    d.control = inst.op;
    d.controlReg = inst.a;
    const isa::InstInfo &info = isa::info(inst.op);
    if (const isa::Field *f = info.field("imm")) d.controlImm = isa::getField(inst, *f);
    if (const isa::Field *f = info.field("target")) d.target = static_cast<uint32_t>(isa::getField(inst, *f));
    if (inst.op == Op::Grid) d.isAlone = isa::getField(inst, "alone");
    if (inst.op == Op::Loop) {
      d.loop = static_cast<int32_t>(out_.loops.size());
      out_.loops.push_back({static_cast<uint32_t>(b), d.target, {}});
    }
  }

  static UnitOp unitOp(const Inst &inst, Unit unit) {
    UnitOp op;
    op.op = inst.op;
    op.unit = unit;
    if (unit >= Unit::MxuWeight) op.array = static_cast<uint8_t>(isa::getField(inst, "mxu"));
    if (unit == Unit::MxuPush) op.reg = inst.c;
    if (unit == Unit::MxuPop) op.reg = inst.a;
    if (unit == Unit::MxuPush || unit == Unit::MxuPop || unit == Unit::Dma)
      op.imm = static_cast<int32_t>(isa::getField(inst, "imm"));
    if (inst.op == Op::DmaRemote) {
      op.desc = static_cast<int32_t>(isa::getField(inst, "desc"));
    } else if (inst.op == Op::DmaStart) {
      op.reg = inst.c;
      op.dstReg = inst.b;
      op.desc = static_cast<int32_t>(isa::getField(inst, "desc"));
    } else if (inst.op == Op::DmaWait) {
      op.reg = inst.a;
      op.count = isa::getField(inst, "count");
    }
    return op;
  }

  void dedupeReads(uint32_t from) {
    auto begin = out_.reads.begin() + from;
    std::sort(begin, out_.reads.end());
    out_.reads.erase(std::unique(begin, out_.reads.end()), out_.reads.end());
  }

  // Pushes before swaps: a push of the same bundle still sees the old weights.
  void orderOps(uint32_t from) {
    std::stable_sort(out_.ops.begin() + from, out_.ops.end(),
                     [](const UnitOp &a, const UnitOp &b) { return (a.op == Op::MxuSwap) < (b.op == Op::MxuSwap); });
  }

  void descriptors() {
    for (const isa::DmaDescriptor &d : exe_.descriptors) {
      DecodedDma one;
      one.bytes = d.totalBytes();
      one.reads = d.srcSpace == isa::Space::Hbm;
      one.writes = d.dstSpace == isa::Space::Hbm;
      one.hbm = one.reads || one.writes;
      one.toSmem = d.dstSpace == isa::Space::Smem;
      one.channelBytes = one.hbm ? model_.hbmBytes(d) : 0;
      one.cycles = one.hbm ? model_.hbmCycles(one.channelBytes, 1) : model_.localCycles(one.bytes);
      out_.descriptors.push_back(one);
    }
  }

  void routines() {
    out_.routineAt.assign(out_.bundles.size(), -1);
    for (int i = 0; i < exe_.index.routines_size(); ++i) {
      const isa::proto::Routine &r = exe_.index.routines(i);
      out_.routineAt[r.bundle()] = i;
      out_.isKernel.push_back(!r.kind().empty() && !isEntry(r.bundle()));
      out_.isLaunch.push_back(r.kind() == isa::kLaunchKind);
    }
  }
  bool isEntry(uint32_t bundle) const {
    return std::any_of(exe_.index.entries().begin(), exe_.index.entries().end(),
                       [&](const isa::proto::Entry &e) { return e.bundle() == bundle; });
  }

  const isa::Executable &exe_;
  const MachineModel &model_;
  DecodedProgram &out_;
  std::vector<uint32_t> starts_;
};

}  // namespace

bool decode(const isa::Executable &exe, const MachineModel &model, DecodedProgram &program, std::string &error) {
  error = isa::validate(exe);
  if (error.empty()) error = Decoder(exe, model, program).run();
  return error.empty();
}

}  // namespace tpuc::timing
