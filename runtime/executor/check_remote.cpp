// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checking mode: communication between chips. One host thread runs all chips of a slice.
#include "runtime/executor/check_remote.h"

#include <algorithm>

#include "runtime/executor/check.h"
#include "runtime/executor/links.h"

namespace tpuc::exec {
namespace {

using isa::Op;

// The words of HBM that a transfer touches.
template <typename F>
void forWords(const Footprint &f, F visit) {
  const auto &d = f.plan->dims;
  auto stride = [&](int k) { return f.isDst ? d[k].dstStride : d[k].srcStride; };
  for (int64_t a = 0; a < d[0].count; ++a)
    for (int64_t b = 0; b < d[1].count; ++b)
      for (int64_t c = 0; c < d[2].count; ++c)
        for (int64_t e = 0; e < d[3].count; ++e) {
          const int64_t at = f.base + f.origin + a * stride(0) + b * stride(1) + c * stride(2) + e * stride(3);
          for (int64_t word = at / isa::kWordBytes; word * isa::kWordBytes < at + f.plan->runBytes; ++word) visit(word);
        }
}

int64_t add(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b)); }

Footprint end(const HbmBuffer &buffer, int32_t number, int64_t at, bool isDst, const device::DmaPlan &plan) {
  return {isa::Space::Hbm, number, reinterpret_cast<int64_t>(buffer.data), at, isDst, &plan};
}

// Why the transfer may not start; empty where it may.
std::string conflict(Checker &own, Checker &other, const Pending &p, int64_t chip) {
  auto meets = [](const InFlight &list, const Footprint &f, InFlight::End which) {
    return list.find(f.space, which, f.low(), f.high(),
                     [&](const Pending &q) { return f.overlaps(which == InFlight::Destination ? q.dst : q.src); });
  };
  auto since = [](const char *what, const Pending &q) {
    return std::string("the transfer ") + what + " the one in flight since bundle " + std::to_string(q.bundle);
  };
  if (p.src.overlaps(p.dst)) return "DMA onto its own source";
  for (const InFlight *list : {&own.pending, &own.remote->inFlight})
    if (const Pending *q = meets(*list, p.src, InFlight::Destination)) return since("reads what is written by", *q);
  for (const InFlight *list : {&other.pending, &other.remote->inFlight}) {
    if (const Pending *q = meets(*list, p.dst, InFlight::Destination)) return since("writes what is written by", *q);
    if (const Pending *q = meets(*list, p.dst, InFlight::Source)) return since("writes what is read by", *q);
  }
  if (other.remote->isUnknownTo(own.remote->clock, p.dst))
    return "race: the transfer writes what chip " + std::to_string(chip) +
           " uses, and nothing says that it has done so before";
  return {};
}

const DInst *remote(Core &core, const DInst *i) {
  Checker &c = *core.checker;
  const device::DmaPlan &plan = *static_cast<const device::DmaPlan *>(i->data);
  if (c.scalar[i->a] || c.scalar[i->b]) return c.fail(core, i, "the address of the DMA is garbage");
  if (c.scalar[i->c]) return c.fail(core, i, "the chip's number is garbage");
  Links *links = core.machine->links();
  const int64_t chip = core.s[i->c];
  if (!links || chip < 0 || chip >= links->chips()) return runInner(core, i);
  Checker &other = *links->checker(static_cast<int>(chip));
  const HbmBuffer &src = core.hbm[plan.srcBuffer], &dst = links->buffer(static_cast<int>(chip), plan.dstBuffer);
  Pending p{end(src, plan.srcBuffer, add(plan.srcOffset, core.s[i->a]), false, plan),
            end(dst, plan.dstBuffer, add(plan.dstOffset, core.s[i->b]), true, plan), i->imm, i->bundle};
  if (!device::inside(p.src.origin, plan.srcLow, plan.srcHigh, src.size) ||
      !device::inside(p.dst.origin, plan.dstLow, plan.dstHigh, dst.size))
    return runInner(core, i);  // which says so
  if (std::string why = conflict(c, other, p, chip); !why.empty()) return c.fail(core, i, why);
  const DInst *next = runInner(core, i);
  if (!next) return nullptr;
  plan.move(c.shadow.hbm[plan.srcBuffer].data + p.src.origin, other.shadow.hbm[plan.dstBuffer].data + p.dst.origin);
  c.remote->touch(p.src);
  c.remote->inFlight.add(p);
  p.semaphore = RemoteTransfers::kArriving + i->aux;
  other.remote->inFlight.add(p);
  other.remote->signals[static_cast<int>(i->aux)].push_back(c.remote->tell());
  return next;
}

const DInst *signalChip(Core &core, const DInst *i) {
  Checker &c = *core.checker;
  if (c.scalar[i->a]) return c.fail(core, i, "the chip's number is garbage");
  const DInst *next = runInner(core, i);
  const int64_t chip = core.s[i->a];
  if (!next || chip < 0) return next;
  const RemoteTransfers::Clock told = c.remote->tell();
  auto &signals = core.machine->links()->checker(static_cast<int>(chip))->remote->signals[static_cast<int>(i->imm)];
  signals.insert(signals.end(), static_cast<size_t>(i->aux), told);
  return next;
}

const DInst *waitForChips(Core &core, const DInst *i) {
  Checker &c = *core.checker;
  if (i->a != kNone && c.scalar[i->a]) return c.fail(core, i, "the count is garbage");
  const DInst *next = runInner(core, i);
  if (!next) return nullptr;
  auto &signals = c.remote->signals[static_cast<int>(i->aux)];
  for (int64_t left = i->a == kNone ? i->imm : core.s[i->a]; left > 0 && !signals.empty(); --left) {
    c.remote->learn(signals.front());
    signals.pop_front();
    if (auto arrived = c.remote->inFlight.take(RemoteTransfers::kArriving + i->aux)) c.remote->touch(arrived->dst);
  }
  return next;
}

}  // namespace

void RemoteTransfers::learn(const Clock &told) {
  for (size_t k = 0; k < clock.size(); ++k) clock[k] = std::max(clock[k], told[k]);
}

void RemoteTransfers::touch(const Footprint &f) {
  if (f.space == isa::Space::Hbm) forWords(f, [&](int64_t word) { touched_[word] = clock[chip]; });
}

bool RemoteTransfers::isUnknownTo(const Clock &other, const Footprint &f) const {
  bool unknown = false;
  forWords(f, [&](int64_t word) {
    auto it = touched_.find(word);
    unknown |= it != touched_.end() && it->second > other[chip];
  });
  return unknown;
}

Handler checkedRemote(const DInst &i) {
  switch (i.op) {
    case Op::DmaRemote:
      return remote;
    case Op::SemSignal:
      return signalChip;
    case Op::SemWait:
      return waitForChips;
    default:
      return nullptr;
  }
}

}  // namespace tpuc::exec
