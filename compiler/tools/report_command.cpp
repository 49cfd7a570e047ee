// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tpuc report: what a program takes on a target, and why.
#include <optional>

#include "compiler/report/report.h"
#include "compiler/tools/flags.h"
#include "compiler/tools/output.h"
#include "compiler/tools/program.h"
#include "compiler/tools/progress.h"
#include "compiler/tools/recorded_run.h"
#include "llvm/ADT/StringMap.h"

namespace tpuc::tools {
namespace {

constexpr char kHelp[] = R"(tpuc report PROGRAM - whether a program fits, how long a step takes, and what bounds it

  tpuc report examples/mlp_ragged                       on the v5e, one screen
  tpuc report program.mlir --target=v6e --kernels=20    the twenty longest kernels
  tpuc report program.tpuc --json                       for programs; schema_version says which fields
  tpuc report program.mlir --set hbm_bandwidth_gbps=900 what if
  tpuc report examples/mlp_ragged --html=report.html
  tpuc report sharded.mlir --sharding=model.py:41       which annotations reached that line's arrays, by which ops
  tpuc report model.mlir --bucket=s=512 --at=s=300      what sequences of 300 take in the bucket, and what they waste

Nothing is run: the walk over the program's own bundles gives the cycles. Only a program whose loops and branches depend
on data runs once, with a folder's inputs; loops of known trip count do not. MFU counts the operations of the program's
own matmuls, convolutions and ragged dots, 2 a multiply-add, over the peak of their type.
Exit: 0, 2 usage, 3 invalid program, 4 unsupported, 5 does not fit.
)";

// The walk's timing; of a program that depends on data, that of a run with the folder's inputs.
int timeIt(Loaded &loaded, const Program &program, const exec::ExecutorOptions &options, timing::TimingResult &timed,
           llvm::raw_ostream &err) {
  timing::TimingOptions largest;
  largest.entry = loaded.compiled.exe.numEntries() - 1;
  timed = timing::timeProgram(loaded.compiled.exe, loaded.target, largest);
  if (timed.ok) return kOk;
  if (timed.dataDependent && !program.folder.empty()) {
    if (int exit = recordedRun(loaded, program.folder, options, timed, err)) return exit;
    if (timed.ok) return kOk;
  }
  const char *hint = timed.dataDependent ? "; report a folder with inputs, or give --data DIR" : "";
  return fail(err, program.path + ": " + timed.error + hint,
              timed.dataDependent ? codes::kDataDependent : codes::kBadExecutable);
}

// "b=17,s=300" as sizes of the executable's symbols, and the entry that holds them.
int readSizes(const isa::proto::Index &index, const std::string &text, isa::Extents &extents, int &entry,
              llvm::raw_ostream &err) {
  llvm::StringMap<int64_t> given;
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(text).split(parts, ',');
  for (llvm::StringRef part : parts) {
    auto [name, size] = part.split('=');
    if (name.empty() || size.getAsInteger(10, given[name]) || given[name] < 0)
      return usageError("--at expects NAME=SIZE, but got '" + part.str() + "'");
  }
  std::string missing, error;
  for (const isa::proto::Symbol &symbol : index.symbols()) {
    auto found = given.find(symbol.name());
    if (symbol.value().empty() && found == given.end()) missing = symbol.name();
    extents.push_back(found == given.end() ? 0 : found->second);
    if (found != given.end()) given.erase(found);
  }
  if (!missing.empty()) return usageError("--at expects a size of '" + missing + "'");
  if (!given.empty())
    return usageError("--at expects open sizes of a program with buckets, but got '" + given.begin()->first().str() +
                      "'");
  entry = isa::completeExtents(index, extents) ? isa::entryFor(index, extents, error) : -1;
  return entry >= 0 ? kOk : fail(err, error.empty() ? "these sizes are none" : error, codes::kNoBucket);
}

// The time at true sizes, and what the largest of their bucket take.
int timeAt(const Loaded &loaded, const Program &program, const std::string &at, int &entry, report::TrueSizes &sizes,
           timing::TimingResult &timed, llvm::raw_ostream &err) {
  const isa::proto::Index &index = loaded.compiled.exe.index;
  if (int exit = readSizes(index, at, sizes.extents, entry, err)) return exit;
  timing::TimingOptions options;
  options.entry = entry;
  sizes.largest = timing::timeProgram(loaded.compiled.exe, loaded.target, options);
  options.smem = isa::systemBytes(index, sizes.extents);
  timed = timing::timeProgram(loaded.compiled.exe, loaded.target, options);
  const timing::TimingResult &failed = sizes.largest.ok ? timed : sizes.largest;
  if (failed.ok) return kOk;
  return fail(err, program.path + ": " + failed.error,
              failed.dataDependent ? codes::kDataDependent : codes::kBadExecutable);
}

// What a program takes; without a report the exit code, and why in `err`.
int reportOn(const std::string &path, const std::string &data, const std::string &at, const CompileFlags &flags,
             CompileOptions &options, const exec::ExecutorOptions &executor, cache::CompileCache *cache,
             std::optional<report::Report> &report, llvm::raw_ostream &err) {
  Program program;
  if (int exit = findProgram(path, data, program, err)) return exit;
  if (auto exit = flags.refuseFor(program, err)) return *exit;
  if (program.executable && options.onRemark)
    return fail(err, "'" + path + "' is compiled already, and has no annotations; report the program it was made of",
                codes::kUsage);
  Session session;
  Loaded loaded;
  timing::TimingResult timed;
  {
    Progress progress;
    options.onStage = [&](llvm::StringRef stage) { progress.show(program.path + ": " + stage.str()); };
    loaded = load(session, program, options, err, false, cache);
  }
  if (loaded.compiled.exit) return loaded.compiled.exit;
  const isa::Executable &exe = loaded.compiled.exe;
  int entry = exe.numEntries() - 1;
  std::optional<report::TrueSizes> sizes;
  if (!at.empty()) {
    if (int exit = timeAt(loaded, program, at, entry, sizes.emplace(), timed, err)) return exit;
  } else if (int exit = timeIt(loaded, program, executor, timed, err)) {
    return exit;
  }
  report = report::makeReport(exe, loaded.target, timed, program.path, entry, sizes ? &*sizes : nullptr);
  return kOk;
}

// What of shardings the report is to have.
struct ShardingFlag {
  explicit ShardingFlag(Cli &cli)
      : flag("sharding",
             cl::desc("which annotation reached which array; of one line, op, argument or result by all ops"),
             cl::value_desc("LINE|OP|NAME"), cl::ValueOptional, cl::sub(cli.sub), cl::cat(category())) {}
  bool given() const { return flag.getNumOccurrences() > 0; }
  // Listens while the program is compiled.
  void listen(CompileOptions &options) {
    if (given())
      options.onRemark = [this](const PassRemark &r) { heard.hear(r.category, r.name, r.text, r.location, r.facts); };
  }
  // Hands over what was heard.
  int take(std::optional<report::Sharding> &out) {
    if (!given()) return kOk;
    if (!flag.empty() && !heard.ask(flag))
      return usageError(
          "--sharding expects a line, op, argument or result of the program, as model.py:41, dot_general, "
          "'argument 0' or 'result 0', but got '" +
          flag + "'");
    out = std::move(heard);
    return kOk;
  }

  cl::opt<std::string> flag;
  report::Sharding heard;
};

int run(int argc, const char **argv) {
  Cli cli(kReport);
  CompileFlags flags(cli);
  flags.stopAfter.setHiddenFlag(cl::Hidden);
  CacheFlags cacheFlags(cli);
  RunFlags runFlags(cli);
  cl::opt<std::string> path(cl::Positional, cl::desc("PROGRAM"), cl::Required, cl::sub(cli.sub));
  cl::opt<bool> json("json", cl::desc("as JSON"), cl::sub(cli.sub), cl::cat(category()));
  cl::opt<std::string> html("html", cl::desc("write a page; - is standard output"), cl::value_desc("FILE"),
                            cl::sub(cli.sub), cl::cat(category()));
  cl::opt<std::string> data("data", cl::desc("a folder with input.K.npy, for programs that depend on data"),
                            cl::value_desc("DIR"), cl::sub(cli.sub), cl::cat(category()));
  cl::opt<std::string> at("at", cl::desc("of a program with buckets: the true sizes to time, b=17,s=300"),
                          cl::value_desc("SIZES"), cl::sub(cli.sub), cl::cat(category()));
  cl::opt<int> kernels("kernels", cl::desc("how many of the longest kernels to list; -1: all; 5 if not given"),
                       cl::value_desc("N"), cl::init(5), cl::sub(cli.sub), cl::cat(category()));
  ShardingFlag sharding(cli);
  if (auto exit = cli.parse(argc, argv)) return *exit;
  CompileOptions options;
  sharding.listen(options);
  exec::ExecutorOptions executor;
  if (auto exit = flags.options(options)) return *exit;
  if (auto exit = runFlags.options(executor)) return *exit;
  if (!options.stopAfter.empty()) return usageError("--stop-after leaves nothing to report on");
  std::unique_ptr<cache::CompileCache> cache;
  if (auto exit = cacheFlags.open(cache)) return *exit;
  std::string errText;
  std::optional<report::Report> report;
  int exit;
  {
    ErrorText err(errText);
    exit = reportOn(path, data, at, flags, options, executor, cache.get(), report, err);
  }
  llvm::errs() << errText;
  if (!report) {
    if (json) llvm::outs() << report::refusedJson(path, flags.target, codeWithin(errText), errText);
    return exit;
  }
  if (auto exit = sharding.take(report->sharding)) return exit;
  if (!html.empty()) return writeOutput(html, report::reportHtml(*report));
  llvm::outs() << (json ? report::reportJson(*report) : report::reportText(*report, kernels));
  return kOk;
}

}  // namespace

const Command kReport = {"report", "whether a program fits, how long a step takes, what bounds it", kHelp, run};

}  // namespace tpuc::tools
