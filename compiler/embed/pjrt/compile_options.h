// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compile options as JAX and PyTorch send them: the fields of XLA's CompileOptionsProto that mean something here.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/embed/pjrt/status_or.h"

namespace tpuc::pjrt {

struct ProgramOptions {
  int64_t replicas = 1, partitions = 1;
  bool portable = false;                         // compile_portable_executable: runs on whichever device it is given
  std::vector<int64_t> devices;                  // of the assignment, replica by replica; empty: not given
  std::map<std::string, std::string> overrides;  // env_option_overrides, values as text

  // Empty bytes: the defaults. Field numbers: openxla/xla, xla/pjrt/proto/compile_options.proto.
  static StatusOr<ProgramOptions> parse(std::string_view bytes);
};

// A DeviceAssignmentProto of one computation, or more, for each replica.
std::string deviceAssignment(int64_t replicas, int64_t partitions, const std::vector<int64_t> &devices);

// A PjRtRuntimeAbiVersionProto, and a PjRtExecutableAbiVersionProto: their fields are the same.
std::string versionProto(uint64_t platform, const std::string &version);
Status readVersionProto(std::string_view bytes, uint64_t &platform, std::string &version);

}  // namespace tpuc::pjrt
