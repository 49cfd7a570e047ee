// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers what a report says from the executable's index and the timing walk.
#include "compiler/report/report.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "compiler/report/counters.h"
#include "compiler/report/units.h"
#include "runtime/isa/sizes.h"

namespace tpuc::report {
namespace {

using timing::Counters;
using timing::Stall;

// Busy cycles over those there are, for each resource of the cores together.
void addUse(Report &r, const target::Target &target, const Counters &c) {
  const double cycles = static_cast<double>(r.cycles) * target.cores();
  if (cycles <= 0) return;
  auto issues = [&](isa::Unit unit) { return static_cast<double>(c.issues[static_cast<int>(unit)]); };
  const target::Core &core = target.core();
  auto add = [&](const char *name, double busy, double slots) {
    if (slots > 0) r.use.push_back({name, busy / (cycles * slots)});
  };
  add("MXU", static_cast<double>(c.mxuBusyCycles), core.mxus());
  r.use.push_back(
      {"HBM bandwidth", static_cast<double>(c.hbmChannelBytes) / (r.cycles * target::hbmBytesPerCycle(target))});
  add("vector ALU", issues(isa::Unit::VAlu), core.valu_slots());
  add("transcendental unit", issues(isa::Unit::Eup) * std::max(1u, core.eup_cycles()), 1);
  add("cross-lane unit", issues(isa::Unit::Xlu), core.xlu_slots());
  add("vector loads", issues(isa::Unit::VLoad), core.vload_slots());
  add("vector stores", issues(isa::Unit::VStore), core.vstore_slots());
  add("scalar unit", issues(isa::Unit::Scalar) + issues(isa::Unit::Control) + issues(isa::Unit::Dma),
      core.scalar_slots());
  std::stable_sort(r.use.begin(), r.use.end(), [](auto &a, auto &b) { return a.second > b.second; });
}

}  // namespace

double Report::waitShare(Stall stall) const {
  const auto waits = static_cast<double>(timed.counters.stalls[static_cast<int>(stall)]);
  return cycles > 0 ? waits / static_cast<double>(cycles * (stall == Stall::Launch ? 1 : cores)) : 0;
}

namespace {

// A resource in use for more than half of the time bounds the program; else what it waited for most.
void findBound(Report &r, const Counters &c) {
  if (!r.use.empty() && r.use[0].second >= 0.5) {
    r.boundBy = r.use[0].first;
    r.why = "in use " + percent(r.use[0].second, 1) + " of the time";
    return;
  }
  int worst = 0;
  for (int i = 1; i < timing::kNumStalls; ++i)
    if (c.stalls[i] > c.stalls[worst]) worst = i;
  r.boundBy = "latency";
  if (c.stalls[worst] > 0)
    r.why = "no unit in use half of the time; most waiting is for " +
            std::string(timing::stallName(static_cast<Stall>(worst))) + ", " +
            percent(r.waitShare(static_cast<Stall>(worst)), 1) + " of the cycles";
}

// The last resort of a lowering: a loop that moves one element at a time.
bool movesSingleElements(const isa::Executable &exe, const std::vector<uint32_t> &starts,
                         const isa::proto::Routine &routine) {
  constexpr int64_t kElementBytes = 8;
  int depth = 0;
  for (uint32_t i = starts[routine.bundle()]; i < starts[routine.bundle() + routine.bundles()]; ++i) {
    const isa::Inst &inst = exe.code[i];
    depth += (inst.op == isa::Op::Loop) - (inst.op == isa::Op::LoopEnd);
    if (depth > 0 && inst.op == isa::Op::DmaStart &&
        exe.descriptors[isa::getField(inst, "desc")].totalBytes() <= kElementBytes)
      return true;
  }
  return false;
}

// Whether the matrix unit multiplies 8-bit integers in this kernel, and nothing else.
bool pushesBytes(const isa::Executable &exe, const std::vector<uint32_t> &starts, const isa::proto::Routine &routine) {
  bool bytes = false;
  for (uint32_t i = starts[routine.bundle()]; i < starts[routine.bundle() + routine.bundles()]; ++i) {
    if (exe.code[i].op == isa::Op::MxuPushB || exe.code[i].op == isa::Op::MxuPushF) return false;
    bytes |= exe.code[i].op == isa::Op::MxuPushI;
  }
  return bytes;
}

// Where kernels begin that the program's core runs alone.
std::set<uint32_t> aloneIn(const isa::Executable &exe) {
  std::set<uint32_t> alone;
  for (const isa::Inst &inst : exe.code)
    if (inst.op == isa::Op::Grid && isa::getField(inst, "alone"))
      alone.insert(static_cast<uint32_t>(isa::getField(inst, "target")));
  return alone;
}

void addKernels(Report &r, const isa::Executable &exe, const timing::TimingResult &timed) {
  const std::vector<uint32_t> starts = exe.bundleStarts();
  const std::set<uint32_t> alone = aloneIn(exe);
  for (int i = 0; i < exe.index.routines_size(); ++i) {
    const isa::proto::Routine &routine = exe.index.routines(i);
    const timing::RoutineTime &time = timed.routines[i];
    if (routine.kind() == "entry" || routine.kind() == isa::kLaunchKind || !time.calls) continue;
    const double calls = static_cast<double>(time.calls), flops = calls * static_cast<double>(routine.flops());
    const bool ofBytes = pushesBytes(exe, starts, routine);
    r.kernels.push_back({routine.name(), routine.kind(), routine.location(), time.calls, time.cycles,
                         ofBytes ? 0 : flops, ofBytes ? flops : 0, calls * routine.logical_bytes(),
                         calls * routine.padded_bytes(), static_cast<double>(routine.vmem_bytes()),
                         routine.scalar_loop() || movesSingleElements(exe, starts, routine),
                         alone.count(routine.bundle()) > 0});
    r.flops += r.kernels.back().flops;
    r.int8Flops += r.kernels.back().int8Flops;
    r.logicalBytes += r.kernels.back().logicalBytes;
    r.paddedBytes += r.kernels.back().paddedBytes;
  }
  std::stable_sort(r.kernels.begin(), r.kernels.end(),
                   [](const Kernel &a, const Kernel &b) { return a.cycles > b.cycles; });
}

std::string locationOf(const isa::Executable &exe, uint32_t bundle) {
  auto after = std::upper_bound(exe.sourceMap.begin(), exe.sourceMap.end(), bundle,
                                [](uint32_t b, const isa::SourceLine &line) { return b < line.bundle; });
  return after == exe.sourceMap.begin() ? "" : std::prev(after)->location;
}

// What the step's time is besides that of kernels.
void addRest(Report &r, const isa::Executable &exe, const timing::TimingResult &timed) {
  r.launchCycles = timed.counters.stalls[static_cast<int>(Stall::Launch)];
  r.controlCycles = r.cycles - r.launchCycles;
  for (const Kernel &k : r.kernels) r.controlCycles -= k.cycles;
  std::map<std::string, Copy> byLine;
  for (const auto &[bundle, time] : timed.copies) {
    Copy &copy = byLine[locationOf(exe, bundle)];
    copy.times += time.calls;
    copy.cycles += time.cycles;
    r.controlCycles -= time.cycles;
  }
  for (auto &[location, copy] : byLine) r.copies.push_back({location, copy.times, copy.cycles});
  std::stable_sort(r.copies.begin(), r.copies.end(), [](const Copy &a, const Copy &b) { return a.cycles > b.cycles; });
  for (uint32_t bundle : timed.assumed)
    if (std::string line = locationOf(exe, bundle); r.assumed.empty() || r.assumed.back() != line)
      r.assumed.push_back(line);
}

}  // namespace

const char *controlText(const Report &r) {
  return r.sharesLoops ? "the scalar unit's own control, and cores that wait for others of a loop"
                       : "the scalar unit's own control";
}

namespace {

// Whether a loop goes over the chips that one sends to.
bool communicates(const isa::Executable &exe, const std::vector<uint32_t> &starts, const isa::Inst &loop, uint32_t at) {
  const auto end = static_cast<uint32_t>(isa::getField(loop, "target"));
  for (uint32_t i = starts[at]; i < starts[end + 1]; ++i)
    if (exe.code[i].op == isa::Op::DmaRemote || exe.code[i].op == isa::Op::SemSignal) return true;
  return false;
}

// The entry's own, and those of its launches. One that cores share is a grid of a launch.
void addLoops(Report &r, const isa::Executable &exe) {
  const std::vector<uint32_t> starts = exe.bundleStarts();
  auto isLaunch = [&](uint64_t bundle) {
    return std::any_of(exe.index.routines().begin(), exe.index.routines().end(), [&](const isa::proto::Routine &to) {
      return to.bundle() == bundle && to.kind() == isa::kLaunchKind;
    });
  };
  for (const isa::proto::Routine &routine : exe.index.routines()) {
    if (routine.kind() != "entry" && routine.kind() != isa::kLaunchKind) continue;
    for (uint32_t b = routine.bundle(); b < routine.bundle() + routine.bundles(); ++b)
      for (uint32_t i = starts[b]; i < starts[b + 1]; ++i)
        if (const isa::Inst &inst = exe.code[i]; inst.a == isa::kNoReg) {
          const bool isShared = inst.op == isa::Op::Grid && isLaunch(isa::getField(inst, "target"));
          const bool isCounted =
              inst.op == isa::Op::Loop && !(exe.index.num_devices() > 1 && communicates(exe, starts, inst, b));
          r.sharesLoops |= isShared;
          if (isShared || isCounted) r.loops.push_back({locationOf(exe, b), isa::getField(inst, "imm")});
        }
  }
}

// Transfers and waits of the entry, by what the chip semaphores say of them.
void addCollectives(Report &r, const isa::Executable &exe, const timing::TimingResult &timed) {
  const isa::proto::Index &index = exe.index;
  r.devices = static_cast<int>(std::max<uint32_t>(index.num_devices(), 1));
  r.partitions = static_cast<int>(index.num_partitions() ? index.num_partitions() : r.devices);
  const std::vector<uint32_t> starts = exe.bundleStarts();
  std::map<std::tuple<std::string, std::string, std::string>, Collective> found;
  for (const auto &[bundle, time] : timed.copies)
    for (uint32_t i = starts[bundle]; i < starts[bundle + 1]; ++i) {
      const isa::Inst &inst = exe.code[i];
      const bool sends = inst.op == isa::Op::DmaRemote;
      if (!sends && inst.op != isa::Op::SemWait) continue;
      const int64_t number = isa::getField(inst, sends ? "there" : "sem");
      const isa::proto::ChipSemaphore &semaphore = index.chip_semaphores(static_cast<int>(number));
      const std::string line = locationOf(exe, bundle);
      Collective &c = found[{semaphore.collective(), semaphore.groups(), line}];
      c.kind = semaphore.collective();
      c.groups = semaphore.groups();
      c.location = line;
      // An exchange has two semaphores. Transfers arrive on the second.
      if (sends)
        c.bytes += static_cast<double>(time.calls * exe.descriptors[isa::getField(inst, "desc")].totalBytes());
      else if (number % 2)
        c.times += time.calls;
    }
  for (auto &[key, collective] : found) r.collectives.push_back(collective);
  std::stable_sort(r.collectives.begin(), r.collectives.end(),
                   [](const Collective &a, const Collective &b) { return a.bytes > b.bytes; });
}

void addMemory(Report &r, const isa::Executable &exe, const target::Target &target, int entry) {
  for (const isa::proto::Buffer &b : exe.index.buffers()) {
    const double size = static_cast<double>(b.size());
    if (!isa::Executable::has(b, entry)) continue;
    if (b.kind() == isa::proto::ARGUMENT) r.argumentBytes += size;
    if (b.kind() == isa::proto::RESULT && !b.alias_argument()) r.resultBytes += size;
    if (b.kind() == isa::proto::CONSTANT) r.constantBytes += size;
  }
  r.arenaBytes = static_cast<double>(exe.index.entries(entry).arena_bytes());
  r.hbmPeakBytes = static_cast<double>(exe.index.entries(entry).hbm_peak_bytes());
  r.hbmBytes = static_cast<double>(target.memory().hbm_bytes());
  r.vmemPeakBytes = static_cast<double>(exe.index.vmem_bytes());
  r.vmemBytes = static_cast<double>(target.core().vmem_bytes());
  r.sharedVmemBytes = static_cast<double>(exe.index.vmem_shared_bytes());
  for (const isa::proto::Resident &a : exe.index.residents()) {
    r.sharedVmemBytes = std::max(r.sharedVmemBytes, static_cast<double>(a.offset() + a.size()));  // each core's own too
    std::string shape = a.array().type() + "[";
    for (int i = 0; i < a.array().dims_size(); ++i)
      shape.append(i ? "," : "").append(std::to_string(a.array().dims(i)));
    const isa::proto::Routine &maker = exe.index.routines(a.first_routine());
    r.onChip.push_back({shape + "]", maker.kind() == "entry" ? "HBM" : maker.name(),
                        exe.index.routines(a.last_routine()).name(), static_cast<double>(a.size())});
  }
  std::stable_sort(r.onChip.begin(), r.onChip.end(),
                   [](const OnChip &a, const OnChip &b) { return a.bytes > b.bytes; });
}

// `part` quarters of the way from the smallest sizes to the largest, together.
isa::Extents between(const isa::proto::Index &index, const isa::proto::Entry &entry, int part) {
  isa::Extents sizes;
  for (int s = 0; s < entry.extents_size(); ++s)
    sizes.push_back(entry.least(s) + (entry.extents(s) - entry.least(s)) * part / 4);
  return isa::completeExtents(index, sizes) ? sizes : isa::extentsOf(entry);
}

// Each at its largest sizes, in quarters between them and its smallest where there is one bucket, and at these.
void addBuckets(Report &r, const isa::Executable &exe, const target::Target &target) {
  if (exe.numEntries() < 2 && !exe.index.symbols_size()) return;
  for (int e = 0; e < exe.numEntries(); ++e) {
    const isa::proto::Entry &entry = exe.index.entries(e);
    auto secondsAt = [&](const isa::Extents &extents) {
      timing::TimingOptions options;
      options.entry = e;
      options.smem = isa::systemBytes(exe.index, extents);
      const timing::TimingResult timed = timing::timeProgram(exe, target, options);
      return timed.ok ? timed.seconds : 0;
    };
    Bucket bucket;
    auto add = [&](const isa::Extents &sizes) {
      const std::string text = isa::textOf(exe.index, sizes);
      if (bucket.times.empty() || bucket.times.back().sizes != text) bucket.times.push_back({text, secondsAt(sizes)});
    };
    add(isa::extentsOf(entry));
    if (entry.least_size() == entry.extents_size())
      for (int part = 3; part >= 0; --part)
        if (part == 0 || exe.numEntries() == 1) add(between(exe.index, entry, part));
    r.buckets.push_back(bucket);
  }
  // Routines of the others.
  std::erase_if(r.kernels, [](const Kernel &k) { return k.calls == 0; });
}

}  // namespace

Report makeReport(const isa::Executable &exe, const target::Target &target, const timing::TimingResult &timed,
                  const std::string &program, int entry, const TrueSizes *sizes) {
  Report r;
  r.program = program;
  r.target = target.name();
  r.cores = target.cores();
  r.cycles = timed.cycles;
  r.seconds = timed.seconds;
  r.timed = timed;
  r.peakFlops = target.bf16_tflops() * 1e12;
  r.peakInt8Flops = target.int8_tops() * 1e12;
  addKernels(r, exe, timed);
  addRest(r, exe, timed);
  addLoops(r, exe);
  addCollectives(r, exe, timed);
  addMemory(r, exe, target, entry);
  addBuckets(r, exe, target);
  const isa::Extents extents = sizes ? sizes->extents : isa::extentsOf(exe.index.entries(entry));
  r.ledger = makeLedger(exe, target, entry, extents, timed, sizes ? sizes->largest : timed);
  if (sizes) r.at = isa::textOf(exe.index, extents);
  addUse(r, target, timed.counters);
  findBound(r, timed.counters);
  return r;
}

}  // namespace tpuc::report
