// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run that records control flow.
#include "compiler/tools/recorded_run.h"

#include "compiler/tools/cli.h"
#include "runtime/executor/chips.h"

namespace tpuc::tools {

int recordedRun(const Loaded &loaded, const std::string &folder, const exec::ExecutorOptions &options,
                timing::TimingResult &timed, llvm::raw_ostream &err) {
  std::string error;
  auto chips = exec::Chips::create(loaded.compiled.exe, options, error);
  if (!chips) return fail(err, error, codes::kCannotLoad);
  for (int i = 0; i < chips->numArguments(); ++i) {
    isa::proto::Array array = chips->argument(i).array();
    array.clear_dims();
    for (int64_t size : chips->argumentDims(i)) array.add_dims(size);
    HostArray host;
    if (int exit = readArray(folder + "/input." + std::to_string(i) + ".npy", array, "argument " + std::to_string(i),
                             host, err))
      return exit;
    if (!chips->bind(i, host.data.data(), error, device::kGarbageFill)) return fail(err, error, codes::kOverHbm);
  }
  exec::RunError stopped;
  exec::ControlTrace trace;
  if (error.empty() && chips->run(stopped, &trace)) {
    timed = timing::timeProgram(loaded.compiled.exe, loaded.target, &trace);
    return kOk;
  }
  fail(err, "the machine stopped: " + (error.empty() ? stopped.text() : error), codes::kStopped);
  return kDiffers;
}

}  // namespace tpuc::tools
