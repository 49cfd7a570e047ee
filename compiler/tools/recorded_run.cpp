// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run that records control flow.
#include "compiler/tools/recorded_run.h"

#include "compiler/tools/cli.h"
#include "runtime/device/pack.h"

namespace tpuc::tools {

int recordedRun(const Loaded &loaded, const std::string &folder, const exec::ExecutorOptions &options,
                timing::TimingResult &timed, llvm::raw_ostream &err) {
  std::string error;
  auto executor = exec::Executor::create(loaded.compiled.exe, options, error);
  if (!executor) return fail(err, error, codes::kCannotLoad);
  for (int i = 0; i < executor->numArguments(); ++i) {
    const isa::proto::Array &array = executor->argument(i).array();
    HostArray host;
    isa::ArrayLayout layout;
    if (int exit = readArray(folder + "/input." + std::to_string(i) + ".npy", array, "argument " + std::to_string(i),
                             host, err))
      return exit;
    if (!exec::layoutOf(array, layout, error)) break;
    uint8_t *to = executor->placeArgument(i, error);
    if (!to) return fail(err, error, codes::kOverHbm);
    device::pack(layout, host.data.data(), to);
  }
  exec::RunError stopped;
  exec::ControlTrace trace;
  if (error.empty() && executor->run(stopped, &trace)) {
    timed = timing::timeProgram(loaded.compiled.exe, loaded.target, &trace);
    return kOk;
  }
  fail(err, "the machine stopped: " + (error.empty() ? stopped.text() : error), codes::kStopped);
  return kDiffers;
}

}  // namespace tpuc::tools
