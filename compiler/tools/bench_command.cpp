// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tpuc bench: how fast tpuc itself is on a program.
#include <algorithm>
#include <chrono>

#include "compiler/report/report.h"
#include "compiler/report/units.h"
#include "compiler/tools/flags.h"
#include "compiler/tools/output.h"
#include "compiler/tools/program.h"
#include "compiler/tools/progress.h"
#include "llvm/Support/JSON.h"
#include "runtime/executor/chips.h"

namespace tpuc::tools {
namespace {

using Clock = std::chrono::steady_clock;

constexpr char kHelp[] = R"(tpuc bench PROGRAM - how long compiling, timing and running take on this host

  tpuc bench examples/mlp_ragged                     the best and the median of several compilations and runs
  tpuc bench program.mlir --repeat=20 --threads=1    inputs are made up where there is no folder
  tpuc bench program.mlir --no-run --json            compiling and timing only

Inputs are bound once, before the clock starts; process start and reading the file are not counted.
Exit: 0, 1 the machine stopped, 2 usage, 3 invalid program, 4 unsupported, 5 does not fit.
)";

struct Samples {
  std::vector<double> seconds;
  template <typename Work>
  bool time(int times, Work work) {
    for (int i = 0; i < times; ++i) {
      auto start = Clock::now();
      if (!work()) return false;
      seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
    }
    std::sort(seconds.begin(), seconds.end());
    return true;
  }
  double best() const { return seconds.front(); }
  double median() const { return seconds[seconds.size() / 2]; }
};

struct Bench {
  Samples compile, timing, run;
  timing::TimingResult timed;
  double flops = 0;
};

// Binds the folder's inputs, or made-up ones, and runs.
int benchRun(const Loaded &loaded, const Program &program, const exec::ExecutorOptions &options, int repeat,
             Bench &bench, llvm::raw_ostream &err) {
  std::string error;
  auto chips = exec::Chips::create(loaded.compiled.exe, options, error);
  if (!chips) return fail(err, error, codes::kCannotLoad);
  for (int i = 0; i < chips->numArguments(); ++i) {
    isa::proto::Array array = chips->argument(i).array();
    HostArray host;
    isa::ArrayLayout layout;
    if (!exec::layoutOf(array, layout, error)) return fail(err, error, codes::kUsage);
    host.type = layout.type;
    host.dims = chips->argumentDims(i);
    array.clear_dims();
    for (int64_t size : host.dims) array.add_dims(size);
    const std::string path = program.folder + "/input." + std::to_string(i) + ".npy";
    if (program.folder.empty() || !fileExists(path))
      fillRandom(host, i + 1);
    else if (int exit = readArray(path, array, "argument " + std::to_string(i), host, err))
      return exit;
    if (!chips->bind(i, host.data.data(), error)) return fail(err, error, codes::kOverHbm);
  }
  exec::RunError stopped;
  if (chips->run(stopped) && bench.run.time(repeat, [&] { return chips->run(stopped); })) return kOk;
  fail(err, "the machine stopped: " + stopped.text(), codes::kStopped);
  return kDiffers;
}

void print(const Bench &bench) {
  auto row = [](const char *what, const Samples &s) {
    if (s.seconds.empty()) return;
    llvm::outs() << what << "best " << report::seconds(s.best()) << ", median " << report::seconds(s.median()) << " of "
                 << s.seconds.size() << "\n";
  };
  row("compile  ", bench.compile);
  row("time     ", bench.timing);
  row("run      ", bench.run);
  if (bench.timed.ok)
    llvm::outs() << "device   " << report::seconds(bench.timed.seconds) << ", " << bench.timed.cycles << " cycles\n";
  if (bench.flops && !bench.run.seconds.empty())
    llvm::outs() << "rate     " << report::count(bench.flops / bench.run.best()) << "FLOP/s\n";
}

void printJson(const Bench &bench, const std::string &program) {
  llvm::json::OStream json(llvm::outs(), 1);
  json.object([&] {
    json.attribute("schema_version", report::kSchemaVersion);
    json.attribute("program", llvm::json::fixUTF8(program));
    auto samples = [&](const char *name, const Samples &s) {
      json.attributeArray(name, [&] {
        for (double v : s.seconds) json.value(v);
      });
    };
    samples("compile_seconds", bench.compile);
    samples("timing_seconds", bench.timing);
    samples("run_seconds", bench.run);
    if (bench.timed.ok) json.attribute("device_seconds", bench.timed.seconds);
    json.attribute("flops", bench.flops);
  });
  llvm::outs() << "\n";
}

// Compiles, times and runs; the exit code, and why in `err`.
int benchProgram(const std::string &path, const std::string &data, const CompileFlags &flags,
                 const CompileOptions &options, const exec::ExecutorOptions &executor, int repeat, bool runs,
                 cache::CompileCache *cache, Bench &bench, llvm::raw_ostream &err) {
  Program program;
  if (int exit = findProgram(path, data, program, err)) return exit;
  if (auto exit = flags.refuseFor(program, err)) return *exit;
  Session session;
  Loaded loaded;
  Progress progress;
  progress.show(program.path + ": benchmarking");
  bool ok = bench.compile.time(program.executable ? 1 : repeat, [&] {
    loaded = load(session, program, options, err, false, cache);
    return loaded.compiled.exit == 0;
  });
  if (!ok) return loaded.compiled.exit;
  bench.timing.time(repeat, [&] {
    bench.timed = timing::timeProgram(loaded.compiled.exe, loaded.target);
    return bench.timed.ok;
  });
  if (bench.timed.ok) {
    report::Report made = report::makeReport(loaded.compiled.exe, loaded.target, bench.timed, program.path);
    bench.flops = made.flops + made.int8Flops;
  }
  return runs ? benchRun(loaded, program, executor, repeat, bench, err) : kOk;
}

int run(int argc, const char **argv) {
  Cli cli(kBench);
  CompileFlags flags(cli);
  flags.stopAfter.setHiddenFlag(cl::Hidden);
  CacheFlags cacheFlags(cli);
  RunFlags runFlags(cli);
  cl::opt<std::string> path(cl::Positional, cl::desc("PROGRAM"), cl::Required, cl::sub(cli.sub));
  cl::opt<std::string> data("data", cl::desc("a folder with input.K.npy"), cl::value_desc("DIR"), cl::sub(cli.sub),
                            cl::cat(category()));
  cl::opt<int> repeat("repeat", cl::desc("how often; 5 if not given"), cl::value_desc("N"), cl::init(5),
                      cl::sub(cli.sub), cl::cat(category()));
  cl::opt<bool> noRun("no-run", cl::desc("compile and time only"), cl::sub(cli.sub), cl::cat(category()));
  cl::opt<bool> json("json", cl::desc("as JSON"), cl::sub(cli.sub), cl::cat(category()));
  if (auto exit = cli.parse(argc, argv)) return *exit;
  CompileOptions options;
  exec::ExecutorOptions executor;
  if (auto exit = flags.options(options)) return *exit;
  if (auto exit = runFlags.options(executor)) return *exit;
  if (repeat < 1) return usageError("--repeat expects a number from 1 on");
  if (!options.stopAfter.empty()) return usageError("--stop-after leaves nothing to run");
  std::unique_ptr<cache::CompileCache> cache;
  if (auto exit = cacheFlags.open(cache)) return *exit;
  Bench bench;
  std::string errText;
  int exit;
  {
    ErrorText err(errText);
    exit = benchProgram(path, data, flags, options, executor, repeat, !noRun, cache.get(), bench, err);
  }
  llvm::errs() << errText;
  if (exit && json) llvm::outs() << report::refusedJson(path, flags.target, codeWithin(errText), errText);
  if (exit) return exit;
  json ? printJson(bench, path) : print(bench);
  return kOk;
}

}  // namespace

const Command kBench = {"bench", "how long compiling, timing and running take on this host", kHelp, run};

}  // namespace tpuc::tools
