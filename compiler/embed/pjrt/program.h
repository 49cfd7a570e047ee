// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compiled program, and one that is loaded on a device.
#pragma once
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/embed/pjrt/buffer.h"
#include "compiler/embed/pjrt/client.h"
#include "compiler/embed/pjrt/compile_options.h"
#include "compiler/embed/pjrt/status_or.h"
#include "runtime/executor/loaded_program.h"
#include "runtime/executor/slice.h"
#include "runtime/isa/executable.h"
#include "runtime/isa/sizes.h"

namespace tpuc::pjrt {

// An argument or a result.
struct ProgramArray {
  PJRT_Buffer_Type type = PJRT_Buffer_Type_INVALID;
  std::vector<int64_t> dims;
  isa::ArrayLayout layout;                   // as callers' arrays of these dims lie
  std::optional<isa::ArrayLayout> inBucket;  // the program's own, where it is of larger sizes
  std::vector<int64_t> minorToMajor;  // as callers know it: row-major but where the program asked for another order
  int alias = -1;                     // of a result: the argument whose memory it takes over
  bool donated = false;               // of an argument: its memory is given up
  bool onHost = false;                // callers have it in the host's memory
  std::string sharding;               // of the whole array over the program's devices, an OpSharding
};

// What callers may ask of a program once it is compiled; nothing of it changes.
class CompiledProgram {
 public:
  // `source`: the program as it came, in `format`.
  static StatusOr<std::shared_ptr<CompiledProgram>> compile(PJRT_Client *client,
                                                            const PJRT_TopologyDescription &topology,
                                                            std::string_view source, std::string_view format,
                                                            std::string_view options);
  static StatusOr<std::shared_ptr<CompiledProgram>> parse(std::string_view bytes);
  std::string serialize() const;

  std::shared_ptr<const isa::Executable> exe;
  isa::Extents extents;  // of a program that runs in a bucket; empty: the executable is of its sizes
  target::Target target;
  std::string name, source, format, optionBytes, fingerprint;
  ProgramOptions options;
  std::vector<ProgramArray> arguments, results;
  // Lists in the form that the API hands out.
  std::vector<PJRT_Buffer_Type> resultTypes;
  std::vector<int64_t> resultDims;
  std::vector<size_t> resultRanks;
  std::vector<const char *> resultKinds, argumentKinds;
  std::vector<size_t> resultKindSizes, argumentKindSizes;
  struct Shardings {
    std::vector<const char *> bytes;
    std::vector<size_t> sizes;
  };
  Shardings resultShardings, argumentShardings;

  // The place of an array in a list of the device's memories, whose kinds these are.
  static constexpr const char *kMemoryKinds[] = {"device", "pinned_host"};

  // What each device of several runs, a portable artifact of StableHLO; empty of a program for one.
  const std::string &part() const;
  // Flops, bytes accessed, seconds on the target where they do not depend on data.
  const NamedValues &costs() const;

 private:
  Status describe();
  bool readExtents(std::string_view text);
  Status setTrueSizes(const isa::proto::Array &array, ProgramArray &out) const;
  Status collect(isa::proto::BufferKind kind, std::vector<ProgramArray> &arrays);

  mutable std::once_flag costsOnce_, partOnce_;
  mutable std::string part_;
  mutable NamedValues costs_;
};

struct PJRT_Executable {
  std::shared_ptr<CompiledProgram> program;
};

// Arrays by device, in the order of the program's.
using BuffersByDevice = std::vector<std::vector<PJRT_Buffer *>>;

struct PJRT_LoadedExecutable {
  PJRT_Client *client = nullptr;
  std::vector<PJRT_Device *> devices;  // replica by replica
  std::shared_ptr<CompiledProgram> program;
  std::vector<PJRT_LogicalDeviceIds> logicalIds;  // of the devices
  std::atomic<bool> deleted{false};

  static StatusOr<std::unique_ptr<PJRT_LoadedExecutable>> load(PJRT_Client *client,
                                                               std::shared_ptr<CompiledProgram> program);

  // Hands a run to the devices, and gives its results, which come with their event. Donated arguments are gone when it
  // returns. `device`: of a program that runs on whichever it is given; null: its own.
  StatusOr<std::vector<std::vector<std::unique_ptr<PJRT_Buffer>>>> run(const BuffersByDevice &arguments,
                                                                       const std::vector<bool> &keep,
                                                                       PJRT_Device *device,
                                                                       std::shared_ptr<Event> &done);
  void unload();

 private:
  struct Pending;
  static bool isReady(const Pending &p);
  static void whenReady(Pending &p, std::function<void()> then);
  static Status runNow(Pending &p);
  static void runTimed(Pending &p);
  static void runInTurn(const std::shared_ptr<Pending> &p);
  Status place(PJRT_Device *device, Pending &p);
  Status checkArgument(size_t i, const PJRT_Buffer &buffer) const;
  Status hold(const std::vector<PJRT_Buffer *> &arguments, const std::vector<bool> &keep, Pending &p) const;

  std::mutex mutex_;
  // Runs that wait for their turn keep them.
  std::map<PJRT_Device *, std::shared_ptr<exec::LoadedProgram>> loaded_;  // of one device
  std::shared_ptr<exec::LoadedSlice> slice_;                              // of several
  // How long the last run took.
  const std::shared_ptr<std::atomic<int64_t>> nanoseconds_ = std::make_shared<std::atomic<int64_t>>(INT64_MAX);
};

}  // namespace tpuc::pjrt
