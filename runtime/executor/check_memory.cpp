// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checking mode: vector loads and stores, and DMAs, which complete when they are waited for.
#include <cstring>

#include "runtime/executor/check.h"
#include "runtime/executor/check_remote.h"
#include "runtime/executor/machine.h"

namespace tpuc::exec {
namespace {

using isa::Op;
using isa::Space;

// The words of a v.ld or v.st against DMAs in flight.
const char *touched(const InFlight &pending, const DInst &i, int64_t word, bool write) {
  for (int s = 0; s < i.sublanes && !pending.empty(); ++s) {
    int64_t begin = (word + s * i.aux) * isa::kWordBytes, end = begin + i.lanes * 4;
    if (pending.find(Space::Vmem, InFlight::Destination, begin, end,
                     [&](const Pending &p) { return p.dst.touches(begin, end); }))
      return "VMEM that a DMA in flight writes is used";
    if (write && pending.find(Space::Vmem, InFlight::Source, begin, end,
                              [&](const Pending &p) { return p.src.touches(begin, end); }))
      return "VMEM that a DMA in flight reads is written";
  }
  return nullptr;
}

// And against those that the core that began the grid has in flight.
const char *touched(Core &core, const DInst &i, int64_t word, bool write) {
  const Checker &c = *core.checker;
  if (const char *why = touched(c.pending, i, word, write)) return why;
  return c.outer ? touched(*c.outer, i, word, write) : nullptr;
}

int64_t wordOf(Core &core, uint8_t base, const DInst *i) {
  return static_cast<int64_t>(static_cast<uint64_t>(core.s[base]) + static_cast<uint64_t>(i->imm));
}

const DInst *load(Core &core, const DInst *i) {
  Checker &c = *core.checker;
  if (c.scalar[i->a]) return c.fail(core, i, "the address is garbage");
  int64_t word = wordOf(core, i->a, i);
  const DInst *next = runInner(core, i);
  if (!next) return nullptr;
  if (const char *why = touched(core, *i, word, false)) return c.fail(core, i, why);
  c.shadow.s[i->a] = core.s[i->a];
  i->inner(c.shadow, i);
  return next;
}

const DInst *store(Core &core, const DInst *i) {
  Checker &c = *core.checker;
  if (c.scalar[i->b]) return c.fail(core, i, "the address is garbage");
  int64_t word = wordOf(core, i->b, i);
  const DInst *next = runInner(core, i);
  if (!next) return nullptr;
  if (const char *why = touched(core, *i, word, true)) return c.fail(core, i, why);
  c.shadow.s[i->b] = core.s[i->b];
  i->inner(c.shadow, i);
  if (i->m == kNone) return next;
  // Lanes whose mask is garbage hold either value.
  for (int s = 0; s < i->sublanes; ++s) {
    uint32_t *lanes = reinterpret_cast<uint32_t *>(c.shadow.vmem + (word + s * i->aux) * isa::kWordBytes);
    const uint8_t *unknown = c.mask(i->m) + s * isa::kLanes;
    for (int l = 0; l < i->lanes; ++l)
      if (unknown[l]) lanes[l] = ~0u;
  }
  return next;
}

uint8_t *base(const Core &core, const Footprint &f) {
  return f.space == Space::Hbm ? core.hbm[f.buffer].data : f.space == Space::Vmem ? core.vmem : core.smem;
}

// Data and shadow bits of a DMA.
void complete(Core &core, const Pending &p) {
  const device::DmaPlan &plan = *p.src.plan;
  const Core *cores[] = {&core, &core.checker->shadow};
  for (const Core *c : cores) plan.move(base(*c, p.src) + p.src.origin, base(*c, p.dst) + p.dst.origin);
}

int64_t sizeOf(const Core &core, const Footprint &f) {
  return f.space == Space::Hbm    ? core.hbm[f.buffer].size
         : f.space == Space::Vmem ? core.vmemWords * isa::kWordBytes
                                  : core.smemBytes;
}

int64_t add(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b)); }

std::string inFlight(const char *what, const Pending &p) {
  return std::string("DMA ") + what + " the one in flight since bundle " + std::to_string(p.bundle);
}

const DInst *start(Core &core, const DInst *i) {
  Checker &c = *core.checker;
  const device::DmaPlan &plan = *static_cast<const device::DmaPlan *>(i->data);
  if (c.scalar[i->a] || c.scalar[i->b]) return c.fail(core, i, "the address of the DMA is garbage");
  if (i->c != kNone && c.scalar[i->c]) return c.fail(core, i, "the semaphore's number is garbage");
  auto address = [&](Space space, int32_t buffer) {
    return space == Space::Hbm ? reinterpret_cast<int64_t>(core.hbm[buffer].data) : 0;
  };
  Pending one{{plan.srcSpace, plan.srcBuffer, address(plan.srcSpace, plan.srcBuffer), add(plan.srcOffset, core.s[i->a]),
               false, &plan},
              {plan.dstSpace, plan.dstBuffer, address(plan.dstSpace, plan.dstBuffer), add(plan.dstOffset, core.s[i->b]),
               true, &plan},
              i->c == kNone ? i->imm : core.s[i->c],
              i->bundle};
  if (!device::inside(one.src.origin, plan.srcLow, plan.srcHigh, sizeOf(core, one.src)))
    return c.fail(core, i, "DMA from outside of its memory or buffer");
  if (!device::inside(one.dst.origin, plan.dstLow, plan.dstHigh, sizeOf(core, one.dst)))
    return c.fail(core, i, "DMA to outside of its memory or buffer");
  if (one.semaphore < 0 || one.semaphore >= core.numSemaphores) return c.fail(core, i, "unknown semaphore");
  if (one.src.overlaps(one.dst)) return c.fail(core, i, "DMA onto its own source");
  auto overlapped = [&](const Footprint &own, InFlight::End end) {
    auto among = [&](const InFlight &list) {
      return list.find(own.space, end, own.low(), own.high(),
                       [&](const Pending &p) { return own.overlaps(end == InFlight::Destination ? p.dst : p.src); });
    };
    const Pending *found = among(c.pending);
    if (!found && c.outer) found = among(*c.outer);
    return found || !c.remote ? found : among(c.remote->inFlight);
  };
  if (const Pending *p = overlapped(one.src, InFlight::Destination))
    return c.fail(core, i, inFlight("reads what is written by", *p));
  if (const Pending *p = overlapped(one.dst, InFlight::Destination))
    return c.fail(core, i, inFlight("writes what is written by", *p));
  if (const Pending *p = overlapped(one.dst, InFlight::Source))
    return c.fail(core, i, inFlight("writes what is read by", *p));
  c.pending.add(one);
  if (c.remote) {
    c.remote->touch(one.src);
    c.remote->touch(one.dst);
  }
  return i + 1;
}

const DInst *wait(Core &core, const DInst *i) {
  Checker &c = *core.checker;
  if (i->a != kNone && c.scalar[i->a]) return c.fail(core, i, "the semaphore's number is garbage");
  int64_t semaphore = i->a == kNone ? i->imm : core.s[i->a];
  if (semaphore < 0 || semaphore >= core.numSemaphores) return c.fail(core, i, "unknown semaphore");
  while (core.semaphores[semaphore] < i->aux) {
    std::optional<Pending> oldest = c.pending.take(semaphore);
    if (!oldest) break;
    complete(core, *oldest);
    core.signal(semaphore);
  }
  const DInst *next = runInner(core, i);
  // What other chips were sent has left when nothing is to come on the semaphore.
  if (next && c.remote && core.semaphores[semaphore] == 0)
    while (c.remote->inFlight.take(semaphore)) {
    }
  return next;
}

const DInst *hostCall(Core &core, const DInst *i) {
  Checker &c = *core.checker;
  if (!c.pending.empty()) return c.fail(core, i, "a DMA is in flight when the host is called");
  const HostCalls &calls = core.machine->hostCalls();
  if (std::string why = calls.garbage(i->imm, c.shadow.hbm); !why.empty()) return c.fail(core, i, why);
  const DInst *next = runInner(core, i);
  if (next) calls.clean(i->imm, c.shadow.hbm);
  return next;
}

}  // namespace

Handler checkedMemory(const DInst &i) {
  switch (i.op) {
    case Op::VLd:
      return load;
    case Op::VSt:
      return store;
    case Op::DmaStart:
      return start;
    case Op::DmaWait:
      return wait;
    case Op::HostCall:
      return hostCall;
    default:
      return nullptr;
  }
}

}  // namespace tpuc::exec
