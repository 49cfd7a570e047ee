// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The running machine: a program on the cores of a device, and what earlier runs of it showed. One run at a time.
#pragma once
#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/device/thread_pool.h"
#include "runtime/executor/choice.h"
#include "runtime/executor/control_trace.h"
#include "runtime/executor/cores.h"
#include "runtime/executor/host_calls.h"
#include "runtime/executor/program.h"
#include "runtime/executor/reach.h"

namespace tpuc::exec {

// What the runtime writes into SMEM before a run (isa::proto::SystemArea).
struct SystemWords {
  int64_t offset = 0;
  std::vector<int32_t> words;
};

// VMEM that an array has from the grid at one bundle to that at another.
struct ResidentRange {
  int64_t offset = 0, size = 0;
  uint32_t firstBundle = 0, lastBundle = 0;
};

// Whom `host.call` calls. Between `leave` and `enter` others may use the device.
struct Host {
  const HostFunction *function = nullptr;  // null: nobody
  std::function<void()> leave, enter;
};

class Links;

// What a chip that can't go on waits for.
struct ChipWait {
  int semaphore = 0;
  int64_t count = 0;
  const DInst *at = nullptr;
};

// Why a core stopped that did nothing wrong.
extern const char kTooManyBlocks[], kInterrupted[];

class ThreadSetup;

class Machine {
 public:
  Machine(const Program &program, HostCalls hostCalls, const MachineShape &shape, const MemorySizes &sizes,
          const Kernels &kernels, device::ThreadPool &pool, int workers, bool checking, int64_t maxBlocks,
          const std::atomic<bool> *interrupted);
  // Checking mode: what lies there before and after an array's life is garbage.
  void setResidents(std::vector<ResidentRange> residents) { residents_ = std::move(residents); }

  // What a run begins with. `shadows`: of `hbm`, in the checking mode.
  void start(Cores &cores, const DInst *entry, const std::vector<HbmBuffer> &hbm, const std::vector<HbmBuffer> &shadows,
             const SystemWords &system, ControlTrace *trace);
  // Makes this machine chip `chip` of a slice whose chips `links` connect.
  void join(Links *links, int chip) { links_ = links, chip_ = chip; }
  // Runs the program to its end, until it waits for another chip, or until a core stops: at `stoppedAt` because of
  // `why`.
  enum class Outcome { Ended, Waits, Stopped };
  Outcome go(const Host &host, std::string &why);
  const DInst *stoppedAt() const { return cores_->main().errorAt; }
  const ChipWait &wait() const { return wait_; }
  Checker *checker() { return cores_->main().checker; }

  // From the handlers of `dma.remote`, `sem.signal` and `sem.wait`; the next instruction.
  const DInst *remote(Core &core, const DInst *i);
  const DInst *signalChip(Core &core, const DInst *i);
  const DInst *waitForChips(Core &core, const DInst *i);
  Links *links() const { return links_; }
  int chip() const { return chip_; }

  // From the handler of `host.call`; the next instruction.
  const DInst *hostCall(Core &core, const DInst *i);
  const HostCalls &hostCalls() const { return hostCalls_; }

  // From the handler of `grid`: all steps, shared among the workers; the next instruction.
  const DInst *runGrid(Core &core, const DInst *i, int64_t steps);

  // A transfer between memories that do not overlap, of a core that is alone: shared among the threads where that pays.
  void copy(const device::DmaPlan &plan, const uint8_t *src, uint8_t *dst);

  // The steps that wait in the core's log are done; or only if they read what is going to be written.
  void catchUp(Core &core);
  void catchUpBefore(Core &core, const uint8_t *begin, const uint8_t *end) {
    if (core.mxuLog && core.mxuLog->refersTo(begin, end)) catchUp(core);
  }

  // A core has run the blocks that it was given: it gets more, or stops.
  const DInst *moreBlocks(Core &core, const DInst *i);

  // Executions of every block since construction, of all cores; and of the one that starts grids.
  std::vector<uint64_t> blockCounts() const;
  const std::vector<uint64_t> &mainBlockCounts() const { return mainCounts_; }

 private:
  struct GridNotes;
  struct Companion {
    const DInst *grid;
    GridNotes *notes;
    int waitsFor = 0;           // earlier ones that it does not keep apart from
    std::vector<int> waited{};  // later ones that wait for it
  };
  struct Task {
    int companion, part, parts;
  };
  // What earlier runs of a grid showed; only speed depends on it.
  struct GridNotes {
    Choice arrays;  // of a part that is alone: whether its matrix steps wait and are shared (0), or are done at once
    bool hasMatrixSteps = true;
    RecentBest alone;
    // What it touches, if that does not depend on data; noted the first time.
    std::optional<Reach> reach;
    // Itself, the grids that follow it, and what they have to do, the longest way to the end first.
    uint64_t epoch = 0;
    std::vector<Companion> company;
    std::vector<Task> tasks;
    Choice chain;   // all of them one after the other (0), of which the first `apart` may still run at once, or each
                    // when it can (1)
    int apart = 0;  // of the first that wait for nobody
    RecentBest together;
    int64_t turns = 0;
  };
  class Board;
  void lend(Core &core, std::vector<uint64_t> &blockCounts);
  void lendWorkers();
  void beginSteps(Core &worker, const Core &parent, int64_t first, int64_t count);
  bool shareSteps(Core &core, const DInst *i, GridNotes &notes, int64_t begin, int64_t steps, int parts);
  void runPart(Core &worker, const DInst *target, int thread);
  bool makeWorkers(int count);
  int partsOf(const DInst &grid, int64_t steps) const;
  bool notesReach() const;
  // Threads that wake up, and fetch what others wrote, may be felt in such a run.
  bool isShort() const { return whole_.way(0).best < std::chrono::milliseconds(5); }
  // Over before another thread is awake.
  bool isTiny() const {
    return whole_.way(1).times >= Choice::kTries && whole_.way(1).best < std::chrono::microseconds(50);
  }
  std::optional<Reach> reachOfTransfers(const DInst *target) const;
  void noteBuffers(const std::vector<HbmBuffer> &hbm);
  bool isKnown(const DInst *grid);
  void findCompany(const Core &core, const DInst *grid, GridNotes &notes);
  void orderTasks(GridNotes &notes);
  // The first `members` of a company; null with core.error when one stopped, or without where there is no memory for
  // workers.
  const DInst *runTasks(Core &core, GridNotes &notes, int members);
  void endSpan(const DInst *done);
  const DInst *runTogether(Core &core, const DInst *grid, GridNotes &notes);
  const DInst *nestedGrid(Core &core, const DInst *i, int64_t steps);
  void betweenNested(Checker &checker, uint32_t bundle);
  void execute(Core &core, const DInst *at);
  MxuLog *mxuLog();
  void spoil(Checker &checker, uint32_t bundle, bool after);

  const Program &program_;
  const HostCalls hostCalls_;
  const MachineShape shape_;
  const MemorySizes sizes_;
  const Kernels &kernels_;
  device::ThreadPool &pool_;
  const int numWorkers_;
  const bool checking_;
  const int64_t maxBlocks_;
  const std::atomic<bool> *const interrupted_;
  int threads_;             // that the present run uses
  bool recording_ = false;  // the present run's control flow, of grids too that take nothing from data
  Choice whole_;            // of a short run: all threads (0), or the caller's alone
  std::vector<ResidentRange> residents_;
  Cores *cores_ = nullptr;  // of the present run
  const Host *host_ = nullptr;
  Links *links_ = nullptr;  // null: no other chips
  int chip_ = 0;
  ChipWait wait_;                // with an instruction: this is what the run waits for
  const DInst *next_ = nullptr;  // where it goes on
  ThreadSetup *setup_ = nullptr;
  std::string hostError_;
  std::vector<uint64_t> mainCounts_;
  std::deque<std::vector<uint64_t>> workerCounts_;      // by worker
  std::unordered_map<const DInst *, GridNotes> notes_;  // by the instruction that starts it
  // Grids that run one after the other to say how long that takes.
  struct Span {
    GridNotes *notes = nullptr;
    const DInst *end = nullptr;  // the last of them
    std::chrono::steady_clock::time_point start{};
  } span_;
  std::vector<int> lastTwice_;
  uint64_t epoch_ = 1;
};

}  // namespace tpuc::exec
