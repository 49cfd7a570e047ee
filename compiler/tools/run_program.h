// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs one program: inputs in, results compared, printed or saved.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compiler/tools/flags.h"
#include "compiler/tools/program.h"

namespace tpuc::tools {

struct RunOptions {
  CompileOptions compile;
  exec::ExecutorOptions executor;
  std::vector<std::string> inputs;     // .npy files, argument by argument
  std::optional<uint64_t> randomSeed;  // made-up inputs
  std::string saveFolder;              // results as output.K.npy
  std::optional<double> tolerance;     // instead of the folder's
  int repeat = 1;
  bool time = false, disassemble = false, json = false, brief = false, verifyDiagnostics = false;
  StatsFormat stats = StatsFormat::None;
  cache::CompileCache *cache = nullptr;
  std::function<void(const std::string &)> onProgress;
};

// Data to `out`, diagnostics to `err`; the exit code.
int runProgram(Session &session, Program &program, const RunOptions &options, llvm::raw_ostream &out,
               llvm::raw_ostream &err);

}  // namespace tpuc::tools
