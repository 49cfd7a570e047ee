// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One program on a device: binds arguments, runs, hands out results. Arguments and results are in the device's layout;
// runtime/device/pack.h converts.
#pragma once
#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/executor/loaded_program.h"

namespace tpuc::exec {

struct ExecutorOptions {
  std::shared_ptr<Device> device;  // null: one of its own, as the options and the executable's target say
  int threads = 0;                 // workers that share a grid; 0: as many as the pool has
  std::optional<Level> level;      // the default: defaultLevel()
  bool checking = false;           // find garbage, races and addresses out of range; slow
  int hotAfter = 16;               // as in LoadOptions
  int64_t maxBlocks = 0;
  const std::atomic<bool> *interrupted = nullptr;
  std::shared_ptr<device::ThreadPool> pool;
  std::optional<MachineShape> shape;  // the default: the executable's target's
};

class Executor {
 public:
  // `exe` stays alive and unchanged as long as the executor. Null with `error`.
  static std::unique_ptr<Executor> create(const isa::Executable &exe, const ExecutorOptions &options,
                                          std::string &error);

  // For a program of open sizes, before anything else: chooses the entry and the true sizes that the arguments' shapes
  // ask for. False with `error`.
  bool setSizes(std::span<const std::vector<int64_t>> shapes, std::string &error);
  bool setExtents(const isa::Extents &extents, std::string &error);
  int entry() const { return run_.entry; }
  const isa::Extents &extents() const { return run_.extents; }

  int numArguments() const { return program_->numArguments(run_.entry); }
  int numResults() const { return program_->numResults(run_.entry); }
  const isa::proto::Buffer &argument(int i) const { return program_->argument(i, run_.entry); }
  const isa::proto::Buffer &result(int i) const { return program_->result(i, run_.entry); }
  // Dims as the caller sees them.
  std::vector<int64_t> argumentDims(int i) const { return isa::trueDims(argument(i).array(), run_.extents); }
  std::vector<int64_t> resultDims(int i) const { return isa::trueDims(result(i).array(), run_.extents); }

  // Copies the argument to the device. False on a wrong size, or with a full device.
  bool bindArgument(int i, std::span<const uint8_t> bytes, std::string &error);
  // Memory of the argument, for the caller to fill; null with `error`.
  uint8_t *placeArgument(int i, std::string &error);
  // A result that takes over this argument's buffer is computed in place, if nobody else holds it.
  bool donateArgument(int i, DeviceArray array, std::string &error);

  // False with `error` when an argument is missing or the machine stopped.
  bool run(RunError &error, ControlTrace *trace = nullptr);
  // A result of the last run. The caller holds the array: a later run writes another one.
  DeviceArray resultArray(int i) const {
    return static_cast<size_t>(i) < run_.results.size() ? run_.results[i] : nullptr;
  }  // null where no run has ended well

  Statistics statistics() const { return program_->statistics(); }
  Device &device() const { return program_->device(); }
  Level level() const { return device().level(); }
  const MachineShape &shape() const { return device().shape(); }

 private:
  std::shared_ptr<LoadedProgram> program_;
  Run run_;
};

// A device of the options' shape, or of the executable's target. Null with `error`.
std::shared_ptr<Device> makeDevice(const isa::Executable &exe, const ExecutorOptions &options, std::string &error);

}  // namespace tpuc::exec
