// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Latencies, occupancies and slots of a target.
#include "runtime/timing/machine_model.h"

#include <algorithm>
#include <cmath>

namespace tpuc::timing {

using isa::Op;
using isa::Unit;

int mxuRows(Op op) {
  switch (op) {
    case Op::MxuLdwF:
    case Op::MxuPushF:
      return 8;
    case Op::MxuLdwB:
    case Op::MxuPushB:
      return 16;
    case Op::MxuLdwI:
    case Op::MxuPushI:
      return 32;
    default:
      return 0;
  }
}

MachineModel::MachineModel(const target::Target &target) : target_(target) {
  const target::Core &core = target_.core();
  int arrays = static_cast<int>(core.mxus());
  slots_ = {static_cast<int>(core.scalar_slots()),
            1,
            1,
            static_cast<int>(core.vload_slots()),
            static_cast<int>(core.vstore_slots()),
            static_cast<int>(core.valu_slots()),
            1,
            static_cast<int>(core.xlu_slots()),
            arrays,
            arrays,
            arrays};
  double clock = target_.clock_ghz();
  dmaLatency_ = std::llround(target_.memory().dma_latency_ns() * clock);
  localLatency_ = std::llround(target_.memory().local_latency_ns() * clock);
  launchCycles_ = std::llround(target_.launch_overhead_ns() * clock);
  dmaSetup_ = target_.memory().dma_setup_ns() * clock;
  hbmBytesPerCycle_ = target::hbmBytesPerCycle(target_);
  setLatencies();
  setMxu();
}

void MachineModel::setLatencies() {
  const target::Latency &l = target_.latency();
  auto cycles = [&](isa::Latency c) -> uint32_t {
    using C = isa::Latency;
    switch (c) {
      case C::Scalar:
        return l.scalar();
      case C::ScalarMul:
        return l.scalar_mul();
      case C::ScalarDiv:
        return l.scalar_div();
      case C::ScalarFloat:
        return l.scalar_float();
      case C::SmemLoad:
        return l.smem_load();
      case C::Branch:
        return l.branch();
      case C::LoopBack:
        return l.loop_back();
      case C::DmaIssue:
        return l.dma_issue();
      case C::VLoad:
        return l.vload();
      case C::VStore:
        return l.vstore();
      case C::VAlu:
        return l.valu();
      case C::VFma:
        return l.vfma();
      case C::VMulI:
        return l.vmul_i();
      case C::VToS:
        return l.v_to_s();
      case C::Eup:
        return l.eup();
      case C::Xlu:
        return l.xlu();
      case C::XluReduce:
        return l.xlu_reduce();
      case C::XluTr:
        return l.xlu_tr();
      case C::XluTrPop:
        return l.xlu_tr_pop();
      case C::MxuPop:
        return l.mxu_pop();
      case C::MxuWeight:
      case C::MxuSwap:
      case C::MxuPush:
        return 1;  // setMxu
    }
    return 1;
  };
  for (int i = 0; i < isa::kNumOps; ++i) {
    const isa::InstInfo &info = isa::info(static_cast<Op>(i));
    latency_[i] = static_cast<int>(std::max(1u, cycles(info.latency)));
    occupancy_[i] = info.unit == Unit::Eup   ? static_cast<int>(target_.core().eup_cycles())
                    : info.unit == Unit::Xlu ? static_cast<int>(target_.core().xlu_cycles())
                                             : 1;
  }
}

// An array advances `mxu_rows_per_cycle` beats a cycle: in a beat every cell takes the value of its left and upper
// neighbours. A row's first element enters at beat 0, its last result leaves at beat 2 side - 2; a row of the f32 mode
// takes mxu_f32_passes beats where a bf16 row takes one. runtime/timing/wave.cpp is the proof.
void MachineModel::setMxu() {
  const target::Core &core = target_.core();
  const target::Latency &l = target_.latency();
  auto setPush = [&](Op op, double beats) {  // beats a row
    double rate = core.mxu_rows_per_cycle();
    int i = static_cast<int>(op);
    occupancy_[i] = std::max(1, static_cast<int>(std::ceil(mxuRows(op) * beats / rate)));
    double cross = 2.0 * core.mxu_side() - 2;  // beats from the last row's first element to its last result
    latency_[i] = static_cast<int>(std::ceil((mxuRows(op) + cross) * beats / rate)) + static_cast<int>(l.mxu_fill());
    if (op == Op::MxuPushF)
      chainCycles_ = static_cast<int64_t>(std::ceil(core.mxu_side() * beats / rate)) + l.mxu_fill();
  };
  setPush(Op::MxuPushB, 1);
  setPush(Op::MxuPushI, core.mxu_int8_rate() > 0 ? 1 / core.mxu_int8_rate() : 1);
  setPush(Op::MxuPushF, core.mxu_f32_passes() > 0 ? core.mxu_f32_passes() : 1);
  double wide = std::min(1.0, double(isa::kLanes) / core.mxu_side());  // of an array's row, what a vreg's lanes are
  int next = 0;
  for (Op op : {Op::MxuLdwB, Op::MxuLdwI, Op::MxuLdwF})
    stageCycles_[next++] =
        std::max(1, static_cast<int>(std::ceil(mxuRows(op) * wide / core.mxu_weight_rows_per_cycle())));
  int swap = static_cast<int>(Op::MxuSwap);
  occupancy_[swap] = static_cast<int>(l.mxu_swap());
  latency_[swap] = std::max(1, occupancy_[swap]);
}

bool MachineModel::supports(Op op) const {
  const target::Core &core = target_.core();
  switch (op) {
    case Op::MxuLdwI:
    case Op::MxuPushI:
      return core.mxu_int8_rate() > 0;
    case Op::MxuLdwF:
    case Op::MxuPushF:
      return !target_.int8_only() && core.mxu_f32_passes() > 0;
    case Op::MxuLdwB:
    case Op::MxuPushB:
      return !target_.int8_only();
    default:
      return true;
  }
}

// Whole cycles for each transfer, so that a steady state repeats exactly.
int64_t MachineModel::hbmCycles(int64_t bytes, int sharers) const {
  return std::max<int64_t>(
      1, static_cast<int64_t>(std::ceil(std::max(bytes * double(sharers) / hbmBytesPerCycle_, dmaSetup_))));
}

int64_t MachineModel::localCycles(int64_t bytes) const {
  return std::max<int64_t>(1, static_cast<int64_t>(std::ceil(bytes / target_.memory().local_bytes_per_cycle())));
}

namespace {

// The length of the contiguous runs of one side: inner dims whose stride continues the run are part of it.
int64_t runLength(const isa::DmaDescriptor &d, bool source) {
  int64_t run = d.runBytes;
  for (int i = d.numDims - 1; i >= 0; --i) {
    int64_t stride = source ? d.dims[i].srcStride : d.dims[i].dstStride;
    if (d.dims[i].count == 1) continue;
    if (stride != run) break;
    run *= d.dims[i].count;
  }
  return run;
}

}  // namespace

int64_t MachineModel::hbmBytes(const isa::DmaDescriptor &d) const {
  int64_t granule = target_.memory().hbm_granule_bytes(), total = d.totalBytes(), bytes = 0;
  auto side = [&](bool source) {
    int64_t run = runLength(d, source);
    if (run <= 0) return int64_t{0};
    return total / run * ((run + granule - 1) / granule * granule);
  };
  if (d.srcSpace == isa::Space::Hbm) bytes += side(true);
  if (d.dstSpace == isa::Space::Hbm) bytes += side(false);
  return bytes;
}

std::string checkSlots(const MachineModel &model, const isa::Inst *first, int count) {
  int used[16] = {};
  uint32_t weight = 0, push = 0, pop = 0;
  auto array = [](uint32_t &mask, const isa::Inst &inst, const char *port) -> std::string {
    uint32_t bit = 1u << isa::getField(inst, "mxu");
    if (mask & bit) return std::string("two instructions for the ") + port + " port of one array";
    mask |= bit;
    return "";
  };
  for (int i = 0; i < count; ++i) {
    Unit unit = isa::info(first[i].op).unit;
    ++used[static_cast<int>(unit)];
    std::string why = unit == Unit::MxuWeight ? array(weight, first[i], "weight")
                      : unit == Unit::MxuPush ? array(push, first[i], "push")
                      : unit == Unit::MxuPop  ? array(pop, first[i], "pop")
                                              : "";
    if (!why.empty()) return why;
    if (unit >= Unit::MxuWeight && isa::getField(first[i], "mxu") >= model.slots().mxuPush)
      return "array " + std::to_string(isa::getField(first[i], "mxu")) + " of " + std::to_string(model.slots().mxuPush);
  }
  auto n = [&](Unit unit) { return used[static_cast<int>(unit)]; };
  const SlotLimits &s = model.slots();
  struct {
    int used, limit;
    const char *name;
  } rows[] = {{n(Unit::Scalar) + n(Unit::Dma), s.scalar, "scalar"},
              {n(Unit::Control), s.control, "control"},
              {n(Unit::Dma), s.dma, "dma"},
              {n(Unit::VLoad), s.vload, "vector load"},
              {n(Unit::VStore), s.vstore, "vector store"},
              {n(Unit::VAlu) + n(Unit::Eup), s.valu, "vector"},
              {n(Unit::Eup), s.eup, "transcendental"},
              {n(Unit::Xlu), s.xlu, "cross-lane"}};
  for (const auto &row : rows)
    if (row.used > row.limit)
      return std::to_string(row.used) + " " + row.name + " instructions for " + std::to_string(row.limit) + " slots";
  return "";
}

}  // namespace tpuc::timing
