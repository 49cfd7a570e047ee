// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums and differences of counters, and the causes' names.
#include "runtime/timing/timing.h"

namespace tpuc::timing {
namespace {

// Every counter once: f(to, from).
template <class F>
void zip(Counters &to, const Counters &from, F &&f) {
  for (int i = 0; i < kNumUnits; ++i) f(to.issues[i], from.issues[i]);
  for (int i = 0; i < kNumStalls; ++i) f(to.stalls[i], from.stalls[i]);
  for (auto member :
       {&Counters::bundles, &Counters::pushesBf16, &Counters::pushesInt8, &Counters::pushesF32, &Counters::weightLoads,
        &Counters::mxuBusyCycles, &Counters::dmaTransfers, &Counters::hbmReadBytes, &Counters::hbmWriteBytes,
        &Counters::hbmChannelBytes, &Counters::localBytes, &Counters::kernels, &Counters::launches,
        &Counters::hostCalls, &Counters::remoteTransfers, &Counters::remoteBytes, &Counters::chipSignals})
    f(to.*member, from.*member);
}

}  // namespace

Counters difference(const Counters &a, const Counters &b) {
  Counters out = a;
  zip(out, b, [](int64_t &to, int64_t from) { to -= from; });
  return out;
}

void addScaled(Counters &to, const Counters &delta, int64_t times) {
  zip(to, delta, [times](int64_t &sum, int64_t from) { sum += from * times; });
}

const char *stallName(Stall cause) {
  switch (cause) {
    case Stall::Scalar:
      return "scalar";
    case Stall::Load:
      return "load";
    case Stall::Vector:
      return "vector";
    case Stall::Eup:
      return "eup";
    case Stall::Xlu:
      return "xlu";
    case Stall::MxuResult:
      return "mxu result";
    case Stall::EupBusy:
      return "eup busy";
    case Stall::XluBusy:
      return "xlu busy";
    case Stall::MxuBusy:
      return "mxu busy";
    case Stall::MxuWeight:
      return "mxu weights";
    case Stall::Dma:
      return "dma";
    case Stall::Branch:
      return "branch";
    case Stall::Launch:
      return "launch";
    case Stall::Join:
      return "join";
    case Stall::kCount:
      break;
  }
  return "";
}

}  // namespace tpuc::timing
