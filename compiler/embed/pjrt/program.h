// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compiled program, and one that is loaded on a device.
#pragma once
#include <atomic>
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
#include "runtime/isa/executable.h"

namespace tpuc::pjrt {

// An argument or a result.
struct ProgramArray {
  PJRT_Buffer_Type type = PJRT_Buffer_Type_INVALID;
  std::vector<int64_t> dims;
  isa::ArrayLayout layout;
  std::vector<int64_t> minorToMajor;  // as callers know it: row-major but where the program asked for another order
  int alias = -1;                     // of a result: the argument whose memory it takes over
  bool donated = false;               // of an argument: its memory is given up
  bool onHost = false;                // callers have it in the host's memory
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

  // The place of an array in a list of the device's memories, whose kinds these are.
  static constexpr const char *kMemoryKinds[] = {"device", "pinned_host"};

  // Flops, bytes accessed, seconds on the target where they do not depend on data.
  const NamedValues &costs() const;

 private:
  Status describe();
  Status collect(isa::proto::BufferKind kind, std::vector<ProgramArray> &arrays);

  mutable std::once_flag costsOnce_;
  mutable NamedValues costs_;
};

struct PJRT_Executable {
  std::shared_ptr<CompiledProgram> program;
};

struct PJRT_LoadedExecutable {
  PJRT_Client *client = nullptr;
  PJRT_Device *device = nullptr;
  std::shared_ptr<CompiledProgram> program;
  PJRT_LogicalDeviceIds logicalIds = {0, 0};
  std::atomic<bool> deleted{false};

  static StatusOr<std::unique_ptr<PJRT_LoadedExecutable>> load(PJRT_Client *client,
                                                               std::shared_ptr<CompiledProgram> program);

  // Hands a run to the device, and gives its results, which come with their event. Donated arguments are gone when it
  // returns.
  StatusOr<std::vector<std::unique_ptr<PJRT_Buffer>>> run(const std::vector<PJRT_Buffer *> &arguments,
                                                          const std::vector<bool> &keep, std::shared_ptr<Event> &done);
  void unload();

 private:
  Status checkArgument(size_t i, const PJRT_Buffer &buffer) const;

  std::mutex mutex_;
  std::shared_ptr<exec::LoadedProgram> loaded_;  // runs that wait for their turn keep it
  // How long the last run took.
  const std::shared_ptr<std::atomic<int64_t>> nanoseconds_ = std::make_shared<std::atomic<int64_t>>(INT64_MAX);
};

}  // namespace tpuc::pjrt
