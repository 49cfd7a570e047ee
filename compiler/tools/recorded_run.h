// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run whose only purpose is to tell the timing which way branches went.
#pragma once
#include "compiler/tools/program.h"
#include "runtime/executor/executor.h"
#include "runtime/timing/timing.h"

namespace tpuc::tools {

// Runs with the inputs of `folder`; prints what is wrong and gives the exit code, 0 for none.
int recordedRun(const Loaded &loaded, const std::string &folder, const exec::ExecutorOptions &options,
                timing::TimingResult &timed, llvm::raw_ostream &err);

}  // namespace tpuc::tools
