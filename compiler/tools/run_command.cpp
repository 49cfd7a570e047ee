// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tpuc run: programs with their numbers.
#include <atomic>
#include <mutex>
#include <optional>
#include <thread>

#include "compiler/tools/interrupt.h"
#include "compiler/tools/output.h"
#include "compiler/tools/progress.h"
#include "compiler/tools/run_program.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

namespace tpuc::tools {
namespace {

constexpr char kHelp[] = R"(tpuc run PROGRAM... - run programs on the machine and compare their results

  tpuc run examples/mlp_ragged                             a folder: program.mlir, input.K.npy, output.K.npy, info.json
  tpuc run program.mlir --input x.npy --input w.npy        a StableHLO text; prints the results
  tpuc run program.mlir --random=1 --save out              made-up inputs; writes out/output.0.npy, ...
  tpuc run program.tpuc --data examples/mlp_ragged         what tpuc compile wrote, with a folder's arrays
  tpuc run a b c --target=v6e --matmul-precision=highest   several programs, a line for each
  tpuc run examples/mlp_ragged --check --stats=json        looks for races and garbage; counters of the units

A folder's outputs are compared within info.json's tolerance of their largest magnitude, or of "scales", by output,
where terms may cancel; integers exactly. It is for --matmul-precision=highest: below it f32 matmuls take bf16 inputs,
and what depends on one is allowed 1.5e-2. An executable has its own precision. Arrays of several devices are whole.
Exit: 0 all within tolerance, 1 a result differs or the machine stopped, 2 usage, 3 invalid, 4 unsupported, 5 does not
fit, 6 deadlock, 74 a result cannot be written, 130 interrupted; of several the largest, 70 where tpuc itself failed.
)";

struct Flags {
  explicit Flags(Cli &cli)
      : compile(cli),
        cache(cli),
        run(cli),
        split(cli),
        programs(cl::Positional, cl::desc("PROGRAM..."), cl::OneOrMore, cl::sub(cli.sub)),
        inputs("input", cl::desc("an argument's .npy file; repeated, in order"), cl::value_desc("FILE"),
               cl::sub(cli.sub), cl::cat(category())),
        data("data", cl::desc("a folder with input.K.npy and output.K.npy"), cl::value_desc("DIR"), cl::sub(cli.sub),
             cl::cat(category())),
        save("save", cl::desc("write the results into this folder as output.K.npy"), cl::value_desc("DIR"),
             cl::sub(cli.sub), cl::cat(category())),
        random("random", cl::desc("made-up inputs"), cl::value_desc("SEED"), cl::sub(cli.sub), cl::cat(category())),
        tolerance("tolerance", cl::desc("instead of the folder's"), cl::value_desc("T"), cl::sub(cli.sub),
                  cl::cat(category())),
        repeat("repeat", cl::desc("run this many times"), cl::value_desc("N"), cl::init(1), cl::sub(cli.sub),
               cl::cat(category())),
        jobs("jobs", cl::desc("programs at a time; each then runs on one thread unless --threads says more"),
             cl::value_desc("N"), cl::init(1), cl::sub(cli.sub), cl::cat(category())),
        maxSteps("max-steps",
                 cl::desc("stop a run that takes more basic blocks (instructions between branches) than this"),
                 cl::value_desc("N"), cl::init(0), cl::sub(cli.sub), cl::cat(category())),
        time("time", cl::desc("print cycles by kernel, and how long compiling and running took"), cl::sub(cli.sub),
             cl::cat(category())),
        disasm("disasm", cl::desc("print the program's assembly first"), cl::sub(cli.sub), cl::cat(category())),
        json("json", cl::desc("a JSON object a program and line"), cl::sub(cli.sub), cl::cat(category())),
        stats("stats", cl::desc("counters of the units, as text or json"), cl::value_desc("json"), cl::ValueOptional,
              cl::values(clEnumValN(StatsFormat::Text, "", ""), clEnumValN(StatsFormat::Text, "text", ""),
                         clEnumValN(StatsFormat::Json, "json", "")),
              cl::init(StatsFormat::None), cl::sub(cli.sub), cl::cat(category())) {}

  CompileFlags compile;
  CacheFlags cache;
  RunFlags run;
  SplitFlags split;
  cl::list<std::string> programs, inputs;
  cl::opt<std::string> data, save;
  cl::opt<uint64_t> random;
  cl::opt<double> tolerance;
  cl::opt<int> repeat, jobs;
  cl::opt<int64_t> maxSteps;
  cl::opt<bool> time, disasm, json;
  cl::opt<StatsFormat> stats;
};

std::optional<int> readFlags(const Flags &flags, RunOptions &options) {
  if (auto exit = flags.compile.options(options.compile)) return exit;
  if (auto exit = flags.run.options(options.executor)) return exit;
  if (flags.repeat < 1) return usageError("--repeat expects a number from 1 on, but got " + llvm::Twine(flags.repeat));
  if (flags.tolerance.getNumOccurrences() && !(flags.tolerance >= 0))
    return usageError("--tolerance expects a number from 0 on");
  if (flags.random.getNumOccurrences() && !flags.inputs.empty())
    return usageError("--random and --input exclude each other");
  if (flags.programs.size() > 1 && (!flags.inputs.empty() || !flags.save.empty()))
    return usageError("--input and --save expect one program");
  options.inputs.assign(flags.inputs.begin(), flags.inputs.end());
  if (flags.random.getNumOccurrences()) options.randomSeed = flags.random;
  if (flags.tolerance.getNumOccurrences()) options.tolerance = flags.tolerance;
  if (flags.save.getNumOccurrences() && flags.save.empty())
    return usageError("--save expects a folder, but got nothing");
  options.saveFolder = flags.save;
  if (flags.jobs < 1 || flags.jobs > 256)
    return usageError("--jobs expects a number from 1 to 256, but got " + llvm::Twine(flags.jobs));
  if (flags.maxSteps < 0 || (flags.maxSteps.getNumOccurrences() && flags.maxSteps == 0))
    return usageError("--max-steps expects a number from 1 on, but got " + llvm::Twine(flags.maxSteps));
  options.executor.maxBlocks = flags.maxSteps;
  options.executor.interrupted = &Interruptible::happened();
  options.repeat = flags.repeat;
  options.time = flags.time;
  options.disassemble = flags.disasm;
  options.json = flags.json;
  options.stats = flags.stats;
  options.verifyDiagnostics = flags.split.verifyDiagnostics;
  return std::nullopt;
}

// The programs of a file that is split, each with its first line's number in its name.
int splitProgram(const Program &program, std::vector<Program> &out, llvm::raw_ostream &err) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(program.file);
  if (std::error_code error = buffer.getError())
    return fail(err, "cannot read '" + program.file + "': " + error.message(), codes::kCannotRead);
  llvm::SmallVector<llvm::StringRef> texts;
  (*buffer)->getBuffer().split(texts, "\n// -----");
  unsigned line = 1;
  for (llvm::StringRef text : texts) {
    Program &chunk = out.emplace_back();
    chunk.path = program.path + ":" + std::to_string(line + text.starts_with("\n"));
    chunk.file = program.file;
    chunk.folder = program.folder;
    // Blank lines in front keep the lines' numbers.
    chunk.chunk = llvm::MemoryBuffer::getMemBufferCopy(std::string(line - 1, '\n') + text.str(), program.file);
    line += text.count('\n') + 1;
  }
  return kOk;
}

// What one argument of the command came to.
struct Finished {
  bool done = false;
  int exit = kOk;
  std::string out, err;
};

// A program, or the programs of a file that is split.
void runPath(Session &session, const std::string &path, const Flags &flags, RunOptions options, Progress &progress,
             Finished &finished) {
  llvm::raw_string_ostream out(finished.out);
  ErrorText err(finished.err);
  std::vector<Program> programs(1);
  int exit = findProgram(path, flags.data, programs[0], err);
  if (!exit) exit = flags.compile.refuseFor(programs[0], err).value_or(kOk);
  if (!exit && flags.split.split && !programs[0].executable) {
    Program whole = std::move(programs[0]);
    programs.clear();
    exit = splitProgram(whole, programs, err);
  }
  if (exit) {
    if (options.json) {
      out << R"({"schema_version":1,"program":)" << llvm::json::Value(llvm::json::fixUTF8(path)) << R"(,"exit":)"
          << exit << R"(,"code":")" << codeWithin(finished.err) << "\"}\n";
    }
    if (options.brief) out << "usage  " << printable(path) << "\n";
    programs.clear();
  }
  for (Program &program : programs) {
    options.onProgress = [&](const std::string &what) { progress.show(program.path + ": " + what); };
    options.compile.onStage = [&](llvm::StringRef stage) { progress.show(program.path + ": " + stage.str()); };
    exit = std::max(exit, runProgram(session, program, options, out, err));
  }
  finished.exit = exit;
}

// Several at a time, each with a session of its own; printed in the order of the arguments.
class Runner {
 public:
  Runner(const Flags &flags, const RunOptions &options)
      : flags_(flags),
        options_(options),
        paths_(flags.programs.begin(), flags.programs.end()),
        finished_(paths_.size()) {}

  int run() {
    if (paths_.size() > 1) llvm::CrashRecoveryContext::Enable();
    const size_t jobs = std::min<size_t>(flags_.jobs, paths_.size());
    if (jobs > 1 && !options_.executor.threads) options_.executor.threads = 1;
    std::vector<std::thread> threads;
    for (size_t j = 1; j < jobs; ++j) threads.emplace_back([this] { work(false); });
    work(true);
    for (std::thread &thread : threads) thread.join();
    print();
    return worst_;
  }

 private:
  void work(bool prints) {
    auto session = std::make_unique<Session>();
    auto pool = std::make_shared<device::ThreadPool>(options_.executor.threads);
    RunOptions options = options_;
    for (size_t i; !Interruptible::happened() && (i = next_++) < paths_.size();) {
      {
        std::optional<Progress> progress;
        if (prints) progress.emplace();
        Progress silent(false);
        options.executor.pool = pool;
        auto one = [&] { runPath(*session, paths_[i], flags_, options, progress ? *progress : silent, finished_[i]); };
        if (!survives(one, i)) {  // what it worked on is in no state to be destroyed
          (void)session.release();
          (void)new std::shared_ptr<device::ThreadPool>(pool);
          session = std::make_unique<Session>();
          pool = std::make_shared<device::ThreadPool>(options_.executor.threads);
        }
      }
      std::lock_guard lock(mutex_);
      finished_[i].done = true;
      if (prints) printDone();
    }
  }

  // One of many programs that brings tpuc down does not take the others with it.
  bool survives(llvm::function_ref<void()> one, size_t i) {
    if (paths_.size() == 1) {
      one();
      return true;
    }
    llvm::CrashRecoveryContext crash;
    if (crash.RunSafely(one)) return true;
    Finished &f = finished_[i];
    f.exit = kDefect;
    ErrorText err(f.err);
    fail(err, paths_[i] + ": tpuc itself failed, which is a defect worth a report", codes::kCrashed);
    if (options_.json)
      f.out += R"({"schema_version":1,"program":)" +
               llvm::formatv("{0}", llvm::json::Value(llvm::json::fixUTF8(paths_[i]))).str() +
               R"(,"exit":70,"code":")" + codes::kCrashed.name.str() + "\"}\n";
    else
      f.out += "CRASHED  " + printable(paths_[i]) + "  " + codes::kCrashed.name.str() + "\n";
    return false;
  }

  void print() {
    std::lock_guard lock(mutex_);
    printDone();
  }

  void printDone() {
    for (; printed_ < finished_.size() && finished_[printed_].done; ++printed_) {
      Finished &f = finished_[printed_];
      llvm::errs() << f.err;
      llvm::outs() << f.out;
      llvm::outs().flush();
      worst_ = std::max(worst_, f.exit);
      f = Finished{true, f.exit, {}, {}};
    }
  }

  const Flags &flags_;
  RunOptions options_;
  const std::vector<std::string> paths_;
  std::vector<Finished> finished_;
  std::atomic<size_t> next_ = 0;
  std::mutex mutex_;
  size_t printed_ = 0;
  int worst_ = kOk;
};

int run(int argc, const char **argv) {
  Cli cli(kRun);
  Flags flags(cli);
  flags.compile.ioLayouts.setHiddenFlag(cl::Hidden);  // no number depends on it
  if (auto exit = cli.parse(argc, argv)) return *exit;
  RunOptions options;
  if (auto exit = readFlags(flags, options)) return *exit;
  std::unique_ptr<cache::CompileCache> cache;
  if (auto exit = flags.cache.open(cache)) return *exit;
  options.cache = cache.get();
  options.brief = !options.json && (flags.programs.size() > 1 || flags.split.split);
  Interruptible interruptible;
  return Runner(flags, options).run();
}

}  // namespace

const Command kRun = {"run", "run programs on the machine and compare their results", kHelp, run};

}  // namespace tpuc::tools
