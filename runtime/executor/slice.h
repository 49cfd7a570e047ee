// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One program on the chips of a slice: decoded once, a small machine a chip. Host threads take the chips that can run;
// a chip that waits for another one gives its thread back.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "runtime/executor/links.h"
#include "runtime/executor/loaded_program.h"

namespace tpuc::exec {

class LoadedSlice {
 public:
  // Chip c of the program on devices[c], as many as the program asks for. Null with `error`.
  static std::shared_ptr<LoadedSlice> load(std::shared_ptr<const isa::Executable> exe,
                                           std::vector<std::shared_ptr<Device>> devices, const LoadOptions &options,
                                           std::string &error);

  int chips() const { return static_cast<int>(programs_.size()); }
  LoadedProgram &chip(int c) { return *programs_[c]; }
  const LoadedProgram &chip(int c) const { return *programs_[c]; }

  // Runs all chips, on the threads of the first device's pool; `runs` by chip, of the same entry. The results, and
  // which of several errors is reported, do not depend on the number of threads. False with `error`.
  bool run(std::vector<Run> &runs, RunError &error);

  Statistics statistics() const;
  // Bytes that a chip sent to others, in all runs.
  uint64_t sentBytes(int chip) const { return links_.sentBytes(chip); }

 private:
  explicit LoadedSlice(int chips, int semaphores) : links_(chips, semaphores) {}
  struct State;
  bool begin(std::vector<Run> &runs, State &state, RunError &error);
  void work(std::vector<Run> &runs, State &state);
  bool finish(std::vector<Run> &runs, State &state, RunError &error);
  RunError deadlock() const;

  std::vector<std::shared_ptr<LoadedProgram>> programs_;
  Links links_;
};

}  // namespace tpuc::exec
