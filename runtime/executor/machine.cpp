// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/executor/machine.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "runtime/executor/kernels.h"
#include "runtime/executor/thread_setup.h"

namespace tpuc::exec {
namespace {

constexpr auto kWorthWaking = std::chrono::microseconds(20);  // about what it takes a thread to wake up

constexpr int64_t kWorthSharing = 64 << 10, kWorthWakingFor = 512 << 10;  // bytes of one transfer

// So few that somebody who interrupts a run sees it end at once.
constexpr int64_t kBlocksAtATime = 1 << 14;

int64_t blocksLeft(const Core &core) { return core.blocksLeft + core.blocksBeyond; }
void setBlocksLeft(Core &core, int64_t total, int64_t atATime = kBlocksAtATime) {
  core.blocksLeft = std::min(total, atATime);
  core.blocksBeyond = total - core.blocksLeft;
}

}  // namespace

const char kTooManyBlocks[] = "the program runs longer than the run's limit";
const char kInterrupted[] = "interrupted";

Machine::Machine(const Program &program, HostCalls hostCalls, const MachineShape &shape, const MemorySizes &sizes,
                 const Kernels &kernels, device::ThreadPool &pool, int workers, bool checking, int64_t maxBlocks,
                 const std::atomic<bool> *interrupted)
    : program_(program),
      hostCalls_(std::move(hostCalls)),
      shape_(shape),
      sizes_(sizes),
      kernels_(kernels),
      pool_(pool),
      numWorkers_(workers),
      checking_(checking),
      maxBlocks_(maxBlocks > 0 ? maxBlocks : INT64_MAX),
      interrupted_(interrupted),
      threads_(std::min(workers, pool.size())) {}

// Gives the core what the program asks for: memory sizes, semaphores, counters.
void Machine::lend(Core &core, std::vector<uint64_t> &blockCounts) {
  blockCounts.resize(program_.blocks.size());
  core.blockCounts = blockCounts.data();
  core.vmemWords = sizes_.vmemBytes / isa::kWordBytes;
  core.smemBytes = sizes_.smemBytes;
  core.numSemaphores = sizes_.semaphores;
  core.machine = this;
  if (core.checker) core.checker->shadow.machine = this;
}

void Machine::lendWorkers() {
  for (int k = 0; k < cores_->numWorkers(); ++k)
    lend(cores_->worker(k),
         workerCounts_.size() > static_cast<size_t>(k) ? workerCounts_[k] : workerCounts_.emplace_back());
}

void Machine::execute(Core &core, const DInst *at) {
  while (at) at = at->fn(core, at);
}

// Zero weights, zero accumulators, counters of loops and calls empty.
// Accumulators and weights of zeros.
static void resetArrays(Core &core) {
  for (int k = 0; k < core.mxus; ++k) {
    Mxu &mxu = core.mxu[k];
    mxu.stageType = mxu.activeType = WeightType::None;
    mxu.stageLoaded = 0;
    *mxu.stageUsed = UsedWeights();
    const int64_t rows = isa::kSublanes * core.side;
    for (int g = 0; g < mxu.groupsUsed; ++g)
      if (mxu.groupState[g]) std::memset(mxu.accumulators + g * rows, 0, rows * sizeof(float));
    std::fill_n(mxu.groupState, mxu.groupsUsed, 0);
    std::fill_n(mxu.touched, mxu.groupsUsed, 0);
    mxu.groupsUsed = 0;
  }
}

static void resetUnits(Core &core) {
  core.loopDepth = core.callDepth = 0;
  core.error = nullptr;
  resetArrays(core);
  std::fill_n(core.semaphores, core.semaphoresUsed, 0);
  core.semaphoresUsed = 0;
}

void Machine::start(Cores &cores, const DInst *entry, const std::vector<HbmBuffer> &hbm,
                    const std::vector<HbmBuffer> &shadows, const SystemWords &system, ControlTrace *trace) {
  cores_ = &cores;
  Core &core = cores.main();
  lend(core, mainCounts_);
  lendWorkers();
  resetUnits(core);
  std::memset(core.s, 0, sizeof core.s);
  std::memset(core.smem, 0, core.smemBytes);
  for (size_t k = 0; k < system.words.size(); ++k) std::memcpy(core.smem + system.offset + 4 * k, &system.words[k], 4);
  setBlocksLeft(core, maxBlocks_);
  core.hbm = hbm.data();
  core.trace = trace;
  recording_ = trace != nullptr;
  noteBuffers(hbm);
  span_ = Span();
  next_ = entry;
  wait_ = {};
  if (!checking_) return;
  core.checker->begin(0, false);
  core.checker->cleanSmem(system.offset, 4 * static_cast<int64_t>(system.words.size()));
  core.checker->scalar[0] = core.checker->scalar[1] = true;  // they are a routine's
  core.checker->shadow.hbm = shadows.data();
}

Machine::Outcome Machine::go(const Host &host, std::string &why) {
  host_ = &host;
  Core &core = cores_->main();
  const int threads = std::min(numWorkers_, pool_.size());
  const bool chooses = notesReach() && !core.trace && (whole_.way(0).times == 0 || isShort());
  const int way = !chooses ? 0 : isTiny() ? 1 : whole_.next();
  threads_ = way ? 1 : threads;
  wait_ = {};
  auto start = std::chrono::steady_clock::now();
  {
    ThreadSetup setup(kernels_.mxu);
    setup_ = &setup;
    if (threads_ > 1) pool_.attend();
    execute(core, next_);
    if (threads_ > 1) pool_.leave();
  }
  whole_.took(way, std::chrono::steady_clock::now() - start);
  if (core.error) {
    why = core.error;
    return Outcome::Stopped;
  }
  return wait_.at ? Outcome::Waits : Outcome::Ended;
}

// The thread is the host's meanwhile, and the device anybody's.
const DInst *Machine::hostCall(Core &core, const DInst *i) {
  if (&core != &cores_->main()) return stop(core, i, "a host call inside of a grid");
  if (!host_->function) return stop(core, i, "the program calls functions of its host, which this run has not");
  if (threads_ > 1) pool_.leave();
  setup_->leave();
  host_->leave();
  const bool ok = hostCalls_.run(i->imm, core.hbm, *host_->function, hostError_);
  host_->enter();
  setup_->enter();
  if (threads_ > 1) pool_.attend();
  return ok ? i + 1 : stop(core, i, hostError_.c_str());
}

void Machine::beginSteps(Core &worker, const Core &parent, int64_t first, int64_t count) {
  resetUnits(worker);
  std::memset(worker.s, 0, sizeof worker.s);
  worker.s[0] = first;
  worker.s[1] = count;
  std::memcpy(worker.smem, parent.smem, parent.smemBytes);
  worker.hbm = parent.hbm;
  setBlocksLeft(worker, blocksLeft(parent));
  worker.scalarsFromData = false;
  worker.trace = nullptr;
  worker.calls[worker.callDepth++] = nullptr;  // where its `ret` goes
  if (!worker.checker) return;
  worker.checker->begin(sizes_.vmemSharedBytes, true);
  worker.checker->copySmem(*parent.checker);
  worker.checker->shadow.hbm = parent.checker->shadow.hbm;
  worker.checker->remote = parent.checker->remote;
  worker.checker->outer = &parent.checker->pending;
}

const DInst *Machine::runGrid(Core &core, const DInst *i, int64_t steps) {
  if (&core != &cores_->main()) return nestedGrid(core, i, steps);
  if (steps <= 0) return i + 1;
  // The timing walk follows such a grid's branches by itself, so its steps are not recorded.
  if (core.trace && !(i->flags & kGridIsRecorded)) {
    ControlTrace *trace = std::exchange(core.trace, nullptr);
    const DInst *next = runGrid(core, i, steps);
    core.trace = trace;
    return next;
  }
  if (checking_ && core.checker->movesPrivately(sizes_.vmemSharedBytes))
    return core.checker->fail(core, i, "a DMA is in flight when a grid begins");
  if (checking_) spoil(*core.checker, i->target->bundle, /*after=*/false);
  GridNotes &notes = notes_[i];
  if (const DInst *next = runTogether(core, i, notes); next || core.error) return next;
  const int parts = partsOf(*i, steps);
  if (!makeWorkers(parts)) return stop(core, i, "out of host memory for another core");
  // A last step too many runs alone afterwards, its arrays shared among the threads.
  const bool notesNothing = notes.alone.times > 0 || !notesReach();
  const bool oneLeft = notesNothing && !recording_ && parts > 1 && steps % parts == 1 && steps < 4 * parts && mxuLog();
  auto start = std::chrono::steady_clock::now();
  if (!shareSteps(core, i, notes, 0, steps - oneLeft, parts) ||
      (oneLeft && !shareSteps(core, i, notes, steps - 1, 1, 1)))
    return nullptr;
  if (threads_ > 1) {
    notes.alone.add(std::chrono::steady_clock::now() - start);
    if (notes.alone.times <= Choice::kTries) ++epoch_;  // who may keep it company is to be found again
  }
  endSpan(i);
  if (interrupted_ && interrupted_->load(std::memory_order_relaxed)) return stop(core, i, kInterrupted);
  if (checking_) {
    core.checker->forget(sizes_.vmemSharedBytes);
    spoil(*core.checker, i->target->bundle, /*after=*/true);
  }
  return i + 1;
}

// Where control flow is recorded, grids run as the target's cores share them.
int Machine::partsOf(const DInst &grid, int64_t steps) const {
  const int cores = grid.flags & kGridIsAlone ? 1 : shape_.cores;
  return static_cast<int>(std::min<int64_t>(steps, recording_ ? cores : threads_));
}

bool Machine::makeWorkers(int count) {
  if (cores_->numWorkers() >= count) return true;
  const bool made = cores_->makeWorkers(count);
  lendWorkers();
  return made;
}

// What the routine at `bundle` makes is not there yet, unless it lies over what it reads last; what it reads last is
// gone afterwards, unless what it makes lies there.
void Machine::spoil(Checker &checker, uint32_t bundle, bool after) {
  for (const ResidentRange &r : residents_) {
    if ((after ? r.lastBundle : r.firstBundle) != bundle) continue;
    bool shares = std::any_of(residents_.begin(), residents_.end(), [&](const ResidentRange &o) {
      return (after ? o.firstBundle : o.lastBundle) == bundle && &o != &r && o.offset < r.offset + r.size &&
             r.offset < o.offset + o.size;
    });
    if (!shares) checker.spoilVmem(r.offset, r.size);
  }
}

// Steps [begin, begin + steps) of a grid, in `parts` that run at once. False when one of them stopped.
bool Machine::shareSteps(Core &core, const DInst *i, GridNotes &notes, int64_t begin, int64_t steps, int parts) {
  std::vector<ControlTrace> traces(core.trace ? parts : 0);
  MxuLog *log = parts == 1 && notes.hasMatrixSteps ? mxuLog() : nullptr;
  const int way = log ? notes.arrays.next() : 0;
  const bool first = notes.alone.times == 0 && notesReach() && !recording_ && begin == 0;
  std::vector<Reach> reaches(first ? parts : 0, Reach(sizes_.vmemSharedBytes));
  auto part = [&](int k, int thread) {
    Core &worker = cores_->worker(k);
    auto [from, count] = timing::gridShare(steps, parts, k);
    beginSteps(worker, core, begin + from, count);
    if (core.trace) worker.trace = &traces[k];
    worker.alone = parts == 1;
    worker.mxuLog = way == 0 ? log : nullptr;
    worker.hasViews |= worker.mxuLog && worker.views;
    if (first && worker.views) {
      worker.reach = &reaches[k];
      worker.hasViews = true;
    }
    runPart(worker, i->target, thread);
    worker.reach = nullptr;
  };
  if (core.trace) {
    for (int k = 0; k < parts; ++k) part(k, 0);
    core.trace->grids.push_back(std::move(traces));
  } else {
    if (!log) {
      pool_.run(parts, part, notes.alone.best > kWorthWaking);
    } else {
      auto start = std::chrono::steady_clock::now();
      part(0, 0);
      notes.arrays.took(way, std::chrono::steady_clock::now() - start);
      if (way == 0) notes.hasMatrixSteps = log->wasUsed();
    }
  }
  if (first) {
    bool known = true;
    for (int k = 0; k < parts; ++k) known &= cores_->worker(k).views && !cores_->worker(k).scalarsFromData;
    for (int k = 1; k < parts; ++k) reaches[0].merge(reaches[k]);
    if (known)
      notes.reach = std::move(reaches[0]);
    else
      notes.reach = reachOfTransfers(i->target);
  }
  const int64_t before = blocksLeft(core);
  int64_t left = before;
  for (int k = 0; k < parts; ++k) {
    const Core &worker = cores_->worker(k);
    if (worker.error) return stop(core, worker.errorAt, worker.error);
    left -= before - blocksLeft(worker);
  }
  setBlocksLeft(core, std::max<int64_t>(left, 1), core.blocksLeft);
  return true;
}

void Machine::runPart(Core &worker, const DInst *target, int thread) {
  std::optional<ThreadSetup> setup;  // thread 0 is the program's
  if (thread > 0) setup.emplace(kernels_.mxu);
  execute(worker, target);
  if (worker.mxuLog) catchUp(worker);
  if (worker.views) worker.views->clear(worker);  // what they show may change from here on
}

// Where a core that runs alone collects steps of its arrays for the other threads to share; null when there is nothing
// to win.
MxuLog *Machine::mxuLog() {
  if (threads_ < 2 || checking_ || shape_.mxus < 2) return nullptr;
  return cores_->mxuLog();
}

void Machine::copy(const device::DmaPlan &plan, const uint8_t *src, uint8_t *dst) {
  const int parts = threads_;
  if (plan.totalBytes < kWorthSharing || parts < 2 || !plan.mayShare(parts)) return plan.copy(src, dst);
  pool_.run(parts, [&](int part, int) { plan.copyPart(src, dst, part, parts); }, plan.totalBytes >= kWorthWakingFor);
}

void Machine::catchUp(Core &core) {
  if (!core.mxuLog->empty()) core.mxuLog->catchUp(kernels_.mxu, core.side, pool_, threads_);
}

// A grid within a step finds in registers nothing but its steps, and in VMEM what stays there alone. What the one
// before it has read last is gone.
void Machine::betweenNested(Checker &checker, uint32_t bundle) {
  int64_t kept = sizes_.vmemSharedBytes;
  for (const ResidentRange &r : residents_) kept = std::max(kept, r.offset + r.size);
  checker.forget(std::min(kept, sizes_.vmemBytes));
  checker.cleanArrays();
  checker.scalars()[0] = checker.scalars()[1] = false;
  if (checker.nested) spoil(checker, *checker.nested, /*after=*/true);
  spoil(checker, bundle, /*after=*/false);
  checker.nested = bundle;
}

// Inside of a step there is nobody to share with: one call for all steps.
const DInst *Machine::nestedGrid(Core &core, const DInst *i, int64_t steps) {
  if (steps <= 0) return i + 1;
  if (core.callDepth == kMaxCalls) return stop(core, i, "calls are nested too deeply");
  core.s[0] = 0;
  core.s[1] = steps;
  if (core.mxuLog) catchUp(core);
  resetArrays(core);
  if (core.checker) betweenNested(*core.checker, i->target->bundle);
  core.calls[core.callDepth++] = i + 1;
  return i->target;
}

const DInst *Machine::moreBlocks(Core &core, const DInst *i) {
  if (interrupted_ && interrupted_->load(std::memory_order_relaxed)) return stop(core, i, kInterrupted);
  if (core.blocksBeyond == 0) return stop(core, i, kTooManyBlocks);
  setBlocksLeft(core, core.blocksBeyond);
  return i + 1;
}

std::vector<uint64_t> Machine::blockCounts() const {
  std::vector<uint64_t> total(program_.blocks.size());
  auto add = [&](const std::vector<uint64_t> &counts) {
    for (size_t b = 0; b < counts.size(); ++b) total[b] += counts[b];
  };
  add(mainCounts_);
  for (const std::vector<uint64_t> &counts : workerCounts_) add(counts);
  return total;
}

}  // namespace tpuc::exec
