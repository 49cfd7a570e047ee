// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transfers to other chips and the semaphores on which they arrive. A chip that has to wait returns to its caller, and
// executes the same instruction again later.
#include "runtime/executor/links.h"
#include "runtime/executor/machine.h"

namespace tpuc::exec {
namespace {

int64_t add(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b)); }

constexpr char kAlone[] = "communicates with other chips, but runs on one alone";
constexpr char kInGrid[] = "communication with other chips inside of a grid";

}  // namespace

const DInst *Machine::remote(Core &core, const DInst *i) {
  if (!links_) return stop(core, i, kAlone);
  if (&core != &cores_->main()) return stop(core, i, kInGrid);
  const device::DmaPlan &plan = *static_cast<const device::DmaPlan *>(i->data);
  const int64_t chip = core.s[i->c];
  if (chip < -1 || chip >= links_->chips()) return stop(core, i, "a transfer to a chip that there is not");
  if (i->imm < 0 || i->imm >= core.numSemaphores || i->aux >= links_->semaphores())
    return stop(core, i, "unknown semaphore");
  if (chip >= 0) {
    const HbmBuffer &src = core.hbm[plan.srcBuffer], &dst = links_->buffer(static_cast<int>(chip), plan.dstBuffer);
    const int64_t srcAt = add(plan.srcOffset, core.s[i->a]), dstAt = add(plan.dstOffset, core.s[i->b]);
    if (!device::inside(srcAt, plan.srcLow, plan.srcHigh, src.size))
      return stop(core, i, "DMA from outside of its memory or buffer");
    if (!device::inside(dstAt, plan.dstLow, plan.dstHigh, dst.size))
      return stop(core, i, "DMA to outside of the other chip's memory or buffer");
    plan.move(src.data + srcAt, dst.data + dstAt);
    links_->sent(chip_, plan.totalBytes);
    links_->signal(static_cast<int>(chip), static_cast<int>(i->aux), 1);
  }
  core.signal(i->imm);
  return i + 1;
}

const DInst *Machine::signalChip(Core &core, const DInst *i) {
  if (!links_) return stop(core, i, kAlone);
  if (&core != &cores_->main()) return stop(core, i, kInGrid);
  const int64_t chip = core.s[i->a];
  if (chip < -1 || chip >= links_->chips()) return stop(core, i, "a signal to a chip that there is not");
  if (i->imm >= links_->semaphores()) return stop(core, i, "unknown semaphore");
  if (chip >= 0) links_->signal(static_cast<int>(chip), static_cast<int>(i->imm), i->aux);
  return i + 1;
}

const DInst *Machine::waitForChips(Core &core, const DInst *i) {
  if (!links_) return stop(core, i, kAlone);
  if (&core != &cores_->main()) return stop(core, i, kInGrid);
  const int64_t count = i->a == kNone ? i->imm : core.s[i->a];
  if (i->aux >= links_->semaphores()) return stop(core, i, "unknown semaphore");
  const int semaphore = static_cast<int>(i->aux);
  if (count <= 0 || links_->take(chip_, semaphore, count)) return i + 1;
  wait_ = {semaphore, count, i};
  next_ = i;
  return nullptr;
}

}  // namespace tpuc::exec
