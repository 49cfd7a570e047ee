// Grids that follow one another and touch nothing in common run at the same time: a grid of one step leaves the other threads idle.
//  1. The first execution of a grid notes what it touches, and whether any scalar came from data: without, every execution does the same.
//     Otherwise, one that only moves arrays about HBM may touch all of their buffers.
//  2. Grids that follow each other directly, each apart from all before it, are candidates; found anew when buffers have moved.
//  3. Whether they pay is measured: a grid alone may share its matrix steps and transfers among the threads.
#include <algorithm>
#include <optional>
#include <unordered_set>

#include "runtime/executor/machine.h"
#include "runtime/executor/thread_setup.h"

namespace tpuc::exec {
namespace {

constexpr size_t kMost = 8;
constexpr auto kWorthMeeting = std::chrono::microseconds(60);  // all of them one after the other

bool hasKnownSteps(const DInst &grid) { return grid.a == kNone && grid.imm > 0; }

// The grid that follows with nothing but a block's beginning between; null for anything else.
const DInst *nextGrid(const DInst *grid) {
  const DInst *next = grid + 2;
  return grid[1].fn == enterBlock && next->op == isa::Op::Grid && next->fn == grid->fn && hasKnownSteps(*next) ? next : nullptr;
}

}  // namespace

bool Machine::notesReach() const { return !checking_ && maxBlocks_ == INT64_MAX && pool_.size() > 1 && numWorkers_ >= pool_.size(); }

// Buffers are where they were in the last run, or all that was found is of no use.
void Machine::noteBuffers(const std::vector<HbmBuffer> &hbm) {
  auto same = [](const HbmBuffer &a, const HbmBuffer &b) { return a.data == b.data; };
  if (std::equal(hbm.begin(), hbm.end(), lastHbm_.begin(), lastHbm_.end(), same)) return;
  lastHbm_ = hbm;
  ++epoch_;
}

// What a routine may touch that only moves arrays about HBM, wherever its scalars come from; nullopt for any other.
std::optional<Reach> Machine::reachOfTransfers(const DInst *target) const {
  using isa::Op;
  Reach reach;
  std::vector<const DInst *> work{target};
  std::unordered_set<const DInst *> seen;
  while (!work.empty()) {
    const DInst *i = work.back();
    work.pop_back();
    if (!seen.insert(i).second) continue;
    if (i->fn != enterBlock) {
      if (i->op == Op::VLd || i->op == Op::VSt || i->op == Op::Call || i->op == Op::Grid || i->op == Op::Halt) return std::nullopt;
      if (i->op == Op::DmaStart && !reach.transferAnywhere(*static_cast<const device::DmaPlan *>(i->data))) return std::nullopt;
      if (i->op == Op::Ret) continue;
      if (i->target) work.push_back(i->target);
      if (i->op == Op::Br) continue;
    }
    work.push_back(i + 1);
  }
  return reach;
}

// Whether a grid was executed often enough to say what it does and how long it takes.
bool Machine::isKnown(const DInst *grid) {
  const GridNotes &notes = notes_[grid];
  return notes.reach && notes.alone.times >= Choice::kTries;
}

void Machine::findCompany(const Core &core, const DInst *grid, GridNotes &notes) {
  notes.epoch = epoch_;
  notes.company.assign(1, {grid, &notes});
  notes.together = RecentBest();
  if (!isKnown(grid)) return;
  for (const DInst *next = nextGrid(grid); next && notes.company.size() < kMost && isKnown(next); next = nextGrid(next)) {
    GridNotes &other = notes_[next];
    if (!std::all_of(notes.company.begin(), notes.company.end(), [&](const Companion &c) { return c.notes->reach->isApartFrom(*other.reach, core.hbm); })) return;
    notes.company.push_back({next, &other});
  }
}

// Runs `grid` with those after it that it has nothing in common with; null when it should run alone, or with core.error when one of
// them stopped.
const DInst *Machine::runTogether(Core &core, const DInst *grid, GridNotes &notes) {
  if (core.trace || threads_ < 2 || !notesReach() || !hasKnownSteps(*grid)) return nullptr;
  if (notes.epoch != epoch_) findCompany(core, grid, notes);
  if (notes.company.size() < 2) return nullptr;
  Duration alone{};
  for (const Companion &c : notes.company) alone += c.notes->alone.best;
  if (alone < kWorthMeeting) return nullptr;
  // What was slower gets another chance now and then: how busy the machine is changes.
  const bool better = notes.together.times < Choice::kTries || notes.together.best < alone;
  if (better == (++notes.turns % Choice::kOtherWay == 0)) return nullptr;

  struct Task {
    const DInst *grid;
    int part, parts;
    Duration expected;
  };
  std::vector<Task> tasks;
  for (const Companion &c : notes.company) {
    const int parts = partsOf(core, c.grid->imm);
    for (int k = 0; k < parts; ++k) tasks.push_back({c.grid, k, parts, c.notes->alone.best / parts});
  }
  if (!makeWorkers(pool_.size())) return nullptr;
  std::stable_sort(tasks.begin(), tasks.end(), [](const Task &a, const Task &b) { return a.expected > b.expected; });
  std::vector<std::pair<const DInst *, const char *>> stopped(tasks.size());
  auto start = std::chrono::steady_clock::now();
  pool_.run(static_cast<int>(tasks.size()), [&](int t, int thread) {
    Core &worker = workers_[thread]->core;
    auto [first, count] = timing::gridShare(tasks[t].grid->imm, tasks[t].parts, tasks[t].part);
    beginSteps(worker, core, first, count);
    worker.alone = false;
    worker.mxuLog = nullptr;
    runPart(worker, tasks[t].grid->target, thread);
    if (worker.error) stopped[t] = {worker.errorAt, worker.error};
  });
  notes.together.add(std::chrono::steady_clock::now() - start);
  for (const Companion &c : notes.company)
    for (size_t t = 0; t < tasks.size(); ++t)
      if (tasks[t].grid == c.grid && stopped[t].second) return stop(core, stopped[t].first, stopped[t].second);
  for (const Companion &c : notes.company)
    if (c.grid != grid) ++core.blockCounts[c.grid[-1].imm];  // the blocks that they stand in
  return notes.company.back().grid + 1;
}

}  // namespace tpuc::exec
