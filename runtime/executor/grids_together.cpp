// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Grids that follow one another run as soon as those that they meet have ended: a grid of one step leaves the other
// threads idle.
//  1. The first execution of a grid notes what it touches, and whether any scalar came from data: without, every
//     execution does the same. Otherwise, one that only moves arrays about HBM may touch all of their buffers.
//  2. Each of some grids that follow directly waits for those before it that it is not apart from; found anew when
//     buffers have moved.
//  3. Threads take what is ready, the part with the longest way to the end first (list scheduling by critical path).
//  4. Whether it pays is measured: a grid alone may share its matrix steps and transfers among the threads.
#include <algorithm>
#include <atomic>
#include <iterator>
#include <optional>
#include <thread>
#include <unordered_set>

#include "runtime/executor/machine.h"
#include "runtime/executor/thread_setup.h"

namespace tpuc::exec {
namespace {

constexpr size_t kMost = 24;
constexpr auto kWorthMeeting = std::chrono::microseconds(60);  // all of them one after the other

bool hasKnownSteps(const DInst &grid) { return grid.a == kNone && grid.imm > 0; }

// The grid that follows with nothing but a block's beginning between; null for anything else.
const DInst *nextGrid(const DInst *grid) {
  const DInst *next = grid + 2;
  return grid[1].fn == enterBlock && next->op == isa::Op::Grid && next->fn == grid->fn && hasKnownSteps(*next)
             ? next
             : nullptr;
}

}  // namespace

bool Machine::notesReach() const {
  return !checking_ && maxBlocks_ == INT64_MAX && pool_.size() > 1 && numWorkers_ >= pool_.size();
}

// Buffers that are the same memory as another are so again, or all that was found is of no use. Where they are does not
// matter.
void Machine::noteBuffers(const std::vector<HbmBuffer> &hbm) {
  std::unordered_map<const uint8_t *, int> first;
  std::vector<int> twice;  // pairs of such buffers
  for (int b = 0; b < static_cast<int>(hbm.size()); ++b) {
    if (!program_.outer[b] || !hbm[b].size) continue;
    auto [it, added] = first.emplace(hbm[b].data, b);
    if (!added) twice.insert(twice.end(), {it->second, b});
  }
  if (twice == lastTwice_) return;
  lastTwice_ = std::move(twice);
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
      if (i->op == Op::VLd || i->op == Op::VSt || i->op == Op::Call || i->op == Op::Grid || i->op == Op::Halt)
        return std::nullopt;
      if (i->op == Op::DmaStart && !reach.transferAnywhere(*static_cast<const device::DmaPlan *>(i->data)))
        return std::nullopt;
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
  notes.company.clear();
  notes.tasks.clear();
  notes.together = RecentBest();
  notes.chain = Choice();
  notes.apart = 0;
  auto &company = notes.company;
  bool free = false;
  for (const DInst *next = grid; next && company.size() < kMost && isKnown(next); next = nextGrid(next)) {
    const int self = static_cast<int>(company.size());
    Companion added{next, &notes_[next]};
    for (Companion &c : company)
      if (!c.notes->reach->isApartFrom(*added.notes->reach, core.hbm)) c.waited.push_back(self), ++added.waitsFor;
    if (notes.apart == self && !added.waitsFor) ++notes.apart;
    free |= added.waitsFor < self;
    company.push_back(std::move(added));
  }
  if (!free) company.clear();  // each waits for all before it
  orderTasks(notes);
}

void Machine::orderTasks(GridNotes &notes) {
  const auto &company = notes.company;
  std::vector<Duration> rest(company.size());  // from its begin to the end of all that wait for it
  for (size_t c = company.size(); c-- > 0;) {
    const int parts = partsOf(*company[c].grid, company[c].grid->imm);
    for (int later : company[c].waited) rest[c] = std::max(rest[c], rest[later]);
    rest[c] += company[c].notes->alone.best / parts;
    for (int k = 0; k < parts; ++k) notes.tasks.push_back({static_cast<int>(c), k, parts});
  }
  std::stable_sort(notes.tasks.begin(), notes.tasks.end(),
                   [&](const Task &a, const Task &b) { return rest[a.companion] > rest[b.companion]; });
}

// Tasks of a company's first members that threads take when what they wait for is done.
class Machine::Board {
 public:
  Board(const GridNotes &notes, int members) : notes_(notes), members_(members), waits_(members), parts_(members) {
    std::copy_if(notes.tasks.begin(), notes.tasks.end(), std::back_inserter(tasks_),
                 [&](const Task &t) { return t.companion < members; });
    taken_ = std::vector<std::atomic<bool>>(tasks_.size());
    left_ = tasks_.size();
    for (int c = 0; c < members; ++c) waits_[c] = notes.company[c].waitsFor;
    for (const Task &t : tasks_) parts_[t.companion] = t.parts;
  }

  const std::vector<Task> &tasks() const { return tasks_; }

  // One that is ready, or -1 when none is left.
  int take() {
    for (int idle = 0; left_.load(std::memory_order_acquire);) {
      for (size_t t = 0; t < tasks_.size(); ++t)
        if (!taken_[t].load(std::memory_order_relaxed) &&
            !waits_[tasks_[t].companion].load(std::memory_order_acquire) && !taken_[t].exchange(true))
          return static_cast<int>(t);
      device::relax();
      if (++idle % 4096 == 0) std::this_thread::yield();
    }
    return -1;
  }

  void done(int t) {
    const int c = tasks_[t].companion;
    if (parts_[c].fetch_sub(1, std::memory_order_acq_rel) == 1)
      for (int later : notes_.company[c].waited)
        if (later < members_) waits_[later].fetch_sub(1, std::memory_order_acq_rel);
    left_.fetch_sub(1, std::memory_order_acq_rel);
  }

 private:
  const GridNotes &notes_;
  const int members_;
  std::vector<Task> tasks_;
  std::vector<std::atomic<int>> waits_, parts_;  // by companion
  std::vector<std::atomic<bool>> taken_;
  std::atomic<size_t> left_;
};

const DInst *Machine::runTasks(Core &core, GridNotes &notes, int members) {
  if (!makeWorkers(pool_.size())) return nullptr;
  Board board(notes, members);
  const int count = static_cast<int>(board.tasks().size());
  std::vector<std::pair<const DInst *, const char *>> stopped(count);
  pool_.run(std::min(count, threads_), [&](int, int thread) {
    for (int t; (t = board.take()) >= 0; board.done(t)) {
      const Task &task = board.tasks()[t];
      const DInst *grid = notes.company[task.companion].grid;
      Core &worker = cores_->worker(thread);
      auto [first, steps] = timing::gridShare(grid->imm, task.parts, task.part);
      beginSteps(worker, core, first, steps);
      worker.alone = false;
      worker.mxuLog = nullptr;
      runPart(worker, grid->target, thread);
      if (worker.error) stopped[t] = {worker.errorAt, worker.error};
    }
  });
  for (int c = 0; c < members; ++c)
    for (int t = 0; t < count; ++t)
      if (board.tasks()[t].companion == c && stopped[t].second) return stop(core, stopped[t].first, stopped[t].second);
  for (int c = 1; c < members; ++c) ++core.blockCounts[notes.company[c].grid[-1].imm];  // the blocks that they stand in
  return notes.company[members - 1].grid + 1;
}

// After grid `done`, and all before it.
void Machine::endSpan(const DInst *done) {
  if (!span_.notes || done < span_.end) return;
  span_.notes->chain.took(0, std::chrono::steady_clock::now() - span_.start);
  span_ = Span();
}

// Runs `grid` and those after it, in an order that nobody can tell from theirs; null when it should run alone, or with
// core.error when one of them stopped.
const DInst *Machine::runTogether(Core &core, const DInst *grid, GridNotes &notes) {
  if (recording_ || threads_ < 2 || !notesReach() || !hasKnownSteps(*grid)) return nullptr;
  if (notes.epoch != epoch_) findCompany(core, grid, notes);
  const int all = static_cast<int>(notes.company.size());
  if (all < 2) return nullptr;
  auto start = std::chrono::steady_clock::now();
  Duration first{}, rest{};
  for (int c = 0; c < all; ++c) (c < notes.apart ? first : rest) += notes.company[c].notes->alone.best;
  if (!isShort() && !span_.notes && notes.apart < all && first + rest >= kWorthMeeting) {
    if (notes.chain.next()) {
      const DInst *next = runTasks(core, notes, all);
      notes.chain.took(1, std::chrono::steady_clock::now() - start);
      return next;
    }
    span_ = {&notes, notes.company.back().grid, start};
  }
  if (notes.apart < 2 || first < kWorthMeeting) return nullptr;
  // What was slower gets another chance now and then: how busy the machine is changes.
  const bool better = notes.together.times < Choice::kTries || notes.together.best < first;
  if (better == (++notes.turns % Choice::kOtherWay == 0)) return nullptr;
  const DInst *next = runTasks(core, notes, notes.apart);
  notes.together.add(std::chrono::steady_clock::now() - start);
  if (next) endSpan(next - 1);
  return next;
}

}  // namespace tpuc::exec
