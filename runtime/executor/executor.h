// Runs an executable: binds arguments, executes, hands out results. Arguments and results are in the device's layout;
// runtime/device/pack.h converts.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/device/mapping.h"
#include "runtime/device/thread_pool.h"
#include "runtime/executor/control_trace.h"
#include "runtime/executor/level.h"
#include "runtime/executor/program.h"
#include "runtime/isa/executable.h"
#include "runtime/isa/layout.h"
#include "runtime/target/target.h"

namespace tpuc::exec {

// An array in device memory.
using DeviceArray = std::shared_ptr<device::Mapping>;

struct ExecutorOptions {
  int threads = 0;             // workers that share a grid; 0: as many as the pool has
  std::optional<Level> level;  // the default: defaultLevel()
  bool checking = false;       // find garbage, races and addresses out of range; slow
  int hotAfter = 16;           // executions after which a run of vector instructions becomes machine code; 0: never
  int64_t maxBlocks = 0;       // basic blocks after which a run stops with an error; 0: no limit
  device::ThreadPool *pool = nullptr;   // null: one of its own
  std::optional<MachineShape> shape;    // the default: the executable's target
};

struct RunError {
  std::string message;
  int64_t bundle = -1;  // -1: no single one
  std::string routine, location, instruction;
  std::string text() const;
};

// Counters of all runs since construction.
struct Statistics {
  uint64_t runs = 0, bundles = 0, loopIterations = 0;
  std::array<uint64_t, 11> issues{};  // by isa::Unit
  std::array<uint64_t, 3> pushes{};   // bf16, int8, f32
  std::array<std::array<uint64_t, 3>, 3> dmaBytes{};  // [source isa::Space][destination isa::Space]
};

MachineShape shapeOf(const target::Target &target);
// The layout that the index says a buffer has.
bool layoutOf(const isa::proto::Array &array, isa::ArrayLayout &layout, std::string &error);

class Machine;

class Executor {
 public:
  // `exe` stays alive and unchanged as long as the executor. Null with `error`.
  static std::unique_ptr<Executor> create(const isa::Executable &exe, const ExecutorOptions &options, std::string &error);
  ~Executor();

  int numArguments() const { return static_cast<int>(arguments_.size()); }
  int numResults() const { return static_cast<int>(results_.size()); }
  const isa::proto::Buffer &argument(int i) const;
  const isa::proto::Buffer &result(int i) const;

  // The argument's bytes, not copied: they stay alive and unchanged until the run is over. False on a wrong size.
  bool bindArgument(int i, std::span<const uint8_t> bytes, std::string &error);
  // As above; a result that takes over this argument's buffer is computed in place.
  bool donateArgument(int i, DeviceArray array, std::string &error);

  // False with `error` when an argument is missing or the machine stopped.
  bool run(RunError &error, ControlTrace *trace = nullptr);
  // Of the last run. The array is the caller's as long as it holds it: a later run writes another one.
  DeviceArray resultArray(int i) const { return results_[i].array; }

  Statistics statistics() const;
  Level level() const { return level_; }
  const MachineShape &shape() const { return shape_; }

 private:
  struct Argument {
    int buffer = -1;
    const uint8_t *data = nullptr;
    DeviceArray donated;  // keeps `data` alive
  };
  struct Result {
    int buffer = -1, alias = -1;  // alias: the argument whose buffer it takes over
    DeviceArray array;
  };
  Executor(const isa::Executable &exe, const ExecutorOptions &options);
  bool init(std::string &error);
  bool findBuffers(std::string &error);
  bool checkWrites(std::string &error) const;
  bool placeResults(std::string &error);
  void locate(const DInst &at, RunError &error) const;
  // Checking mode: shadows of the buffers, and garbage in a result's elements.
  bool placeShadows(std::string &error);
  bool checkResults(std::string &error) const;

  const isa::Executable &exe_;
  const ExecutorOptions options_;
  Level level_ = Level::Portable;
  MachineShape shape_;
  std::unique_ptr<device::ThreadPool> ownPool_;
  Program program_;
  std::vector<Argument> arguments_;
  std::vector<Result> results_;
  device::Mapping arena_;
  std::vector<HbmBuffer> hbm_, shadows_;  // by buffer
  device::Mapping arenaShadow_;
  std::vector<device::Mapping> bufferShadows_;
  std::unique_ptr<Machine> machine_;
  uint64_t runs_ = 0;
};

}  // namespace tpuc::exec
