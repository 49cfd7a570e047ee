// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program ready to run: decoded once, its generated code shared by all runs. Arrays stay on the device from one
// program to the next.
#pragma once
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "runtime/device/event.h"
#include "runtime/executor/control_trace.h"
#include "runtime/executor/device.h"
#include "runtime/executor/machine.h"
#include "runtime/isa/executable.h"
#include "runtime/isa/layout.h"
#include "runtime/isa/sizes.h"

namespace tpuc::exec {

struct RunError {
  enum class Why { Fault, TooLong, Interrupted, Deadlock };
  Why why = Why::Fault;
  std::string message;
  int64_t bundle = -1;  // -1: no single one
  std::string routine, location, instruction;
  int chip = -1;                   // of a slice; -1: there is one
  std::vector<std::string> waits;  // of a deadlock: what each chip waits for that has not ended
  bool outOfMemory = false;
  bool ofHost = false;       // what the host said of a call that failed
  uint64_t rounds = 0;       // of a run that was stopped: how often the loop that went round most did
  std::string loopLocation;  // where that is
  std::string text() const;
};

// Counters of all runs since loading.
struct Statistics {
  uint64_t runs = 0, bundles = 0, loopIterations = 0;
  std::array<uint64_t, 11> issues{};                  // by isa::Unit
  std::array<uint64_t, 3> pushes{};                   // bf16, int8, f32
  std::array<std::array<uint64_t, 3>, 3> dmaBytes{};  // [source isa::Space][destination isa::Space]
};

// The layout that the index says a buffer has.
bool layoutOf(const isa::proto::Array &array, isa::ArrayLayout &layout, std::string &error);

struct LoadOptions {
  int hotAfter = 16;      // executions after which a run of vector instructions becomes machine code; 0: never
  int64_t maxBlocks = 0;  // basic blocks after which a run stops with an error; 0: no limit
  const std::atomic<bool> *interrupted = nullptr;  // stops a run soon after it becomes true
  bool inSlice = false;                            // one of a slice's chips, each on one thread
};

// What a run takes and gives.
struct Run {
  struct Argument {
    DeviceArray array;
    bool donated = false;  // a result that takes it over is computed in place if nobody else holds the array
  };
  int entry = 0;
  std::vector<Argument> arguments;
  std::vector<int64_t> extents;   // of each symbol; empty: the entry's
  ControlTrace *trace = nullptr;  // records control flow
  HostFunction host;              // what the program's host calls call; empty: such a call ends the run
  std::vector<DeviceArray> results;
};

class LoadedProgram {
 public:
  // Null with `error`. `decoded`: the same program on another chip of a slice, whose instructions it shares.
  static std::shared_ptr<LoadedProgram> load(std::shared_ptr<const isa::Executable> exe, std::shared_ptr<Device> device,
                                             const LoadOptions &options, std::string &error,
                                             const LoadedProgram *decoded = nullptr);
  ~LoadedProgram();

  const isa::Executable &executable() const { return *exe_; }
  Device &device() const { return *device_; }
  // The caller's: those of true sizes come behind them.
  int numArguments(int entry = 0) const { return entries_[entry].ownArguments; }
  int numResults(int entry = 0) const { return static_cast<int>(entries_[entry].results.size()); }
  const isa::proto::Buffer &argument(int i, int entry = 0) const {
    return exe_->index.buffers(entries_[entry].arguments[i]);
  }
  const isa::proto::Buffer &result(int i, int entry = 0) const {
    return exe_->index.buffers(entries_[entry].results[i].buffer);
  }
  // The argument that result i takes over; -1 for none.
  int aliasOf(int i, int entry = 0) const { return entries_[entry].results[i].alias; }

  // On the caller's thread, when what goes on there is over. False with `error`.
  bool run(Run &run, RunError &error);

  // The parts of a run, for a slice, which holds the device: everything finds its place, the machine is ready to go;
  // what became of it. False with `error`.
  bool begin(Run &run, Links *links, int chip, RunError &error);
  Machine &machine(const Run &run) { return *entries_[run.entry].machine; }
  std::span<const HbmBuffer> buffers() const { return hbm_; }
  bool finish(Run &run, Machine::Outcome outcome, RunError &error);
  void release() { arena_.reset(); }
  bool checkArguments(const Run &run, std::string &error) const;
  std::string locationOf(uint32_t bundle) const;

  Statistics statistics() const;

 private:
  struct Result {
    int buffer = -1, alias = -1;
    device::Label label;
  };
  struct Entry {
    std::vector<int> arguments;
    int ownArguments = 0;
    MemorySizes sizes;
    std::unique_ptr<Machine> machine;
    std::unique_ptr<Cores> own;  // cores of its own: in the checking mode, and where others run between its parts
    std::vector<Result> results;
    device::Label arena;
  };
  LoadedProgram(std::shared_ptr<const isa::Executable> exe, std::shared_ptr<Device> device, const LoadOptions &options);
  bool init(const LoadedProgram *decoded, std::string &error);
  bool checkTarget(std::string &error) const;
  bool findBuffers(int entry, std::string &error);
  bool checkWrites(std::string &error) const;
  void makeMachine(Entry &entry);

  Cores *cores(Entry &entry);
  Host hostOf(const Run &run, std::unique_lock<std::mutex> &lock);
  bool placeArena(const Run &run, RunError &error);
  bool placeResults(Run &run, RunError &error);
  // True sizes of the run's arrays.
  isa::Extents extentsOf(const Run &run) const {
    return run.extents.empty() ? isa::extentsOf(exe_->index.entries(run.entry)) : run.extents;
  }
  SystemWords systemWords(const Run &run, int chip, int chips) const;
  void locate(const DInst &at, RunError &error, const Machine &machine) const;
  void findLoop(RunError &error, const Machine &machine) const;
  // Checking mode: shadows of the buffers, and garbage in a result's elements.
  bool placeShadows(const Run &run, std::string &error);
  bool checkResults(const Run &run, std::string &error) const;

  const std::shared_ptr<const isa::Executable> exe_;
  const std::shared_ptr<Device> device_;
  const LoadOptions options_;
  std::shared_ptr<const Program> program_;
  std::unique_ptr<device::ThreadPool> alone_;  // of a slice's chip: its caller's thread
  std::vector<Entry> entries_;
  std::vector<DeviceArray> extents_;           // arguments of true sizes, by symbol
  DeviceArray constants_;                      // their place; the host keeps them where they were loaded
  bool callsHost_ = false, withHost_ = false;  // has host calls; is in one
  std::shared_ptr<LoadedProgram> twin_;        // for runs that begin meanwhile
  // The arena of the present run.
  DeviceArray arena_;
  std::vector<HbmBuffer> hbm_, shadows_;  // by buffer
  device::Mapping arenaShadow_;
  std::vector<device::Mapping> bufferShadows_;
  uint64_t runs_ = 0;
  std::vector<uint64_t> countsBefore_;  // the blocks' before this run, where it can be interrupted
};

}  // namespace tpuc::exec
