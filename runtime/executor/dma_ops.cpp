// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DMA: performed when it is started; completion is counted on a semaphore. Calls of the host.
#include "runtime/executor/machine.h"
#include "runtime/executor/program.h"
#include "runtime/executor/reach.h"
#include "runtime/executor/views.h"

namespace tpuc::exec {
namespace {

using isa::Op;
using isa::Space;

struct End {
  uint8_t *data;
  int64_t size;
};

End endOf(const Core &core, Space space, int32_t buffer) {
  switch (space) {
    case Space::Hbm:
      return {core.hbm[buffer].data, core.hbm[buffer].size};
    case Space::Vmem:
      return {core.vmem, core.vmemWords * isa::kWordBytes};
    case Space::Smem:
      return {core.smem, core.smemBytes};
  }
  return {nullptr, 0};
}

int64_t add(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b)); }

// Before a transfer: pages that show what it writes, or that it reads or writes itself, are copies.
void copyViews(Core &core, const device::DmaPlan &plan, int64_t srcAt, const uint8_t *dst, int64_t dstAt) {
  if (plan.srcSpace == Space::Vmem) core.views->copyPages(core, srcAt + plan.srcLow, srcAt + plan.srcHigh);
  if (plan.dstSpace == Space::Vmem) core.views->copyPages(core, dstAt + plan.dstLow, dstAt + plan.dstHigh);
  if (plan.dstSpace == Space::Hbm) core.views->copySources(core, dst + plan.dstLow, dst + plan.dstHigh);
}

const DInst *start(Core &core, const DInst *i) {
  const device::DmaPlan &plan = *static_cast<const device::DmaPlan *>(i->data);
  End src = endOf(core, plan.srcSpace, plan.srcBuffer), dst = endOf(core, plan.dstSpace, plan.dstBuffer);
  int64_t srcAt = add(plan.srcOffset, core.s[i->a]), dstAt = add(plan.dstOffset, core.s[i->b]);
  if (!device::inside(srcAt, plan.srcLow, plan.srcHigh, src.size))
    return stop(core, i, "DMA from outside of its memory or buffer");
  if (!device::inside(dstAt, plan.dstLow, plan.dstHigh, dst.size))
    return stop(core, i, "DMA to outside of its memory or buffer");
  int64_t semaphore = i->c == kNone ? i->imm : core.s[i->c];
  if (semaphore < 0 || semaphore >= core.numSemaphores) return stop(core, i, "unknown semaphore");
  if (core.reach) core.reach->transfer(plan, srcAt, dstAt);
  if (core.views && plan.srcSpace == Space::Hbm && plan.dstSpace == Space::Vmem &&
      core.views->show(core, plan, src.data + srcAt, dstAt)) {
    core.signal(semaphore);
    return i + 1;
  }
  core.machine->catchUpBefore(core, dst.data + dstAt + plan.dstLow, dst.data + dstAt + plan.dstHigh);
  if (core.hasViews) copyViews(core, plan, srcAt, dst.data + dstAt, dstAt);
  const uint8_t *from = src.data + srcAt;
  uint8_t *to = dst.data + dstAt;
  if (plan.overlaps(from, to))
    plan.move(from, to);
  else if (core.alone)
    core.machine->copy(plan, from, to);
  else
    plan.copy(from, to);
  core.signal(semaphore);
  return i + 1;
}

const DInst *wait(Core &core, const DInst *i) {
  int64_t semaphore = i->a == kNone ? i->imm : core.s[i->a];
  if (semaphore < 0 || semaphore >= core.numSemaphores) return stop(core, i, "unknown semaphore");
  if (core.semaphores[semaphore] < i->aux) return stop(core, i, "waits for a DMA that was never started");
  core.semaphores[semaphore] -= i->aux;
  return i + 1;
}

// What the machine does, as other chips or the host take part in it.
template <const DInst *(Machine::*handle)(Core &, const DInst *)>
const DInst *byMachine(Core &core, const DInst *i) {
  return (core.machine->*handle)(core, i);
}

}  // namespace

Handler dmaHandler(Op op) {
  switch (op) {
    case Op::DmaStart:
      return start;
    case Op::DmaWait:
      return wait;
    case Op::HostCall:
      return byMachine<&Machine::hostCall>;
    case Op::DmaRemote:
      return byMachine<&Machine::remote>;
    case Op::SemSignal:
      return byMachine<&Machine::signalChip>;
    case Op::SemWait:
      return byMachine<&Machine::waitForChips>;
    default:
      return nullptr;
  }
}

}  // namespace tpuc::exec
