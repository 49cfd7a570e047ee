// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tpuc buckets: for which sizes a program of open sizes is best compiled.
#include <set>

#include "compiler/buckets/choose.h"
#include "compiler/buckets/packing.h"
#include "compiler/report/report.h"
#include "compiler/report/units.h"
#include "compiler/tools/flags.h"
#include "compiler/tools/output.h"
#include "compiler/tools/progress.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "runtime/isa/sizes.h"
#include "runtime/timing/timing.h"

namespace tpuc::tools {
namespace {

constexpr char kHelp[] = R"(tpuc buckets PROGRAM --histogram=FILE - for which sizes to compile a program of open sizes

  tpuc buckets model.mlir --histogram=lengths.txt --max-buckets=4
  tpuc buckets model.mlir --histogram=lengths.csv --max-buckets=6 --dim=d=64 --target=v6e
  tpuc buckets model.mlir --histogram=lengths.txt --compile-seconds=20 --runs=1e5   a bucket has to earn its compilation

The file's first line names the symbols, and "count"; the others say how often which sizes occur:

  s count
  17 4210
  128 93

Several symbols are joint: a line is one combination, and there is a program for each combination of the buckets. Commas
do as well as spaces. The buckets are those of the least expected step time on the target, by the walk over the programs
of some sizes (--max-timed); nothing is run. Beside them stands what a row costs that several sequences share, where an
argument's name says that the program takes segment ids. The last line is the flag that tpuc compile takes.
Exit: 0, 2 usage, 3 invalid program or histogram, 4 unsupported, 5 does not fit.
)";

using buckets::Choice;
using buckets::Ends;
using buckets::Histogram;
using Sizes = std::vector<int64_t>;

// Times programs of the buckets that end at given sizes, each once, at the sizes that occur in them: steps behind a
// true size are not taken.
class Timer {
 public:
  Timer(Program &program, const CompileOptions &options, const Histogram &histogram, cache::CompileCache *cache,
        llvm::raw_ostream &err)
      : program_(program), options_(options), histogram_(histogram), cache_(cache), err_(err) {}

  double seconds(const Sizes &ends, const Sizes &sizes) {
    auto [known, added] = seconds_.try_emplace(ends);
    if (added && !exit_) exit_ = time(ends, known->second);
    auto step = known->second.find(rounded(ends, sizes));
    return exit_ || step == known->second.end() ? -1 : step->second;
  }
  int exit() const { return exit_; }
  size_t timed() const { return seconds_.size(); }
  bool takesSegments() const { return takesSegments_; }
  double compileSeconds() const { return compileSeconds_ / static_cast<double>(std::max<size_t>(1, seconds_.size())); }

 private:
  using BySizes = std::map<Sizes, double>;

  // Many sizes are timed by the end of the part of their bucket that they are in.
  Sizes rounded(const Sizes &ends, const Sizes &sizes) const {
    constexpr size_t kFew = 32;
    constexpr int64_t kSublanes = 8;
    if (histogram_.rows.size() <= kFew) return sizes;
    const int64_t parts = ends.size() == 1 ? 16 : 4;
    Sizes result;
    for (auto [end, size] : llvm::zip(ends, sizes)) {
      const int64_t step = llvm::alignTo(llvm::divideCeil(end, parts), kSublanes);
      result.push_back(std::min<int64_t>(end, llvm::alignTo(size, step)));
    }
    return result;
  }

  int timeAt(const Loaded &loaded, const Sizes &sizes, double &seconds) {
    const isa::proto::Index &index = loaded.compiled.exe.index;
    isa::Extents extents(index.symbols_size());
    for (auto [symbol, size] : llvm::zip(histogram_.symbols, sizes))
      for (int s = 0; s < index.symbols_size(); ++s)
        if (index.symbols(s).name() == symbol) extents[s] = size;
    for (int s = 0; s < index.symbols_size(); ++s)  // those that --dim gives
      if (index.symbols(s).value().empty() && !extents[s]) extents[s] = index.entries(0).extents(s);
    timing::TimingOptions at;
    if (isa::completeExtents(index, extents)) at.smem = isa::systemBytes(index, extents);
    auto timed = timing::timeProgram(loaded.compiled.exe, loaded.target, at);
    seconds = timed.seconds;
    return timed.ok ? 0
                    : fail(err_, program_.path + ": " + timed.error,
                           timed.dataDependent ? codes::kDataDependent : codes::kBadExecutable);
  }

  int time(const Sizes &ends, BySizes &bySizes) {
    CompileOptions options = options_;
    for (auto [symbol, end] : llvm::zip(histogram_.symbols, ends))
      options.buckets.push_back(symbol + "=1.." + std::to_string(end));
    options.onStage = [&](llvm::StringRef stage) {
      progress_.show(options.buckets.front() + " (" + std::to_string(seconds_.size()) + " timed): " + stage.str());
    };
    Loaded loaded = load(session_, program_, options, err_, false, cache_);
    if (loaded.compiled.exit) return loaded.compiled.exit;
    compileSeconds_ += loaded.seconds;
    for (const isa::proto::Buffer &b : loaded.compiled.exe.index.buffers())
      takesSegments_ |= b.kind() == isa::proto::ARGUMENT && llvm::StringRef(b.array().name()).contains("segment");
    std::set<Sizes> all{ends};
    for (const Histogram::Row &row : histogram_.rows)
      if (llvm::all_of(llvm::zip(row.sizes, ends), [](auto pair) { return std::get<0>(pair) <= std::get<1>(pair); }))
        all.insert(rounded(ends, row.sizes));
    for (const Sizes &sizes : all)
      if (int exit = timeAt(loaded, sizes, bySizes[sizes])) return exit;
    return 0;
  }

  Session session_;
  Progress progress_;
  Program &program_;
  const CompileOptions &options_;
  const Histogram &histogram_;
  cache::CompileCache *cache_;
  llvm::raw_ostream &err_;
  std::map<Sizes, BySizes> seconds_;
  double compileSeconds_ = 0;
  bool takesSegments_ = false;  // an argument's name says that rows may hold several sequences
  int exit_ = 0;
};

// What one program of the choice is for.
struct Line {
  Sizes ends;
  double share = 0;    // of the runs
  double seconds = 0;  // of a step: at the largest sizes, and of those that occur
  double expected = 0;
  double padding = 0;  // of the elements that the sizes' product counts
};

std::vector<Line> linesOf(const Histogram &histogram, const Ends &ends, const buckets::StepSeconds &seconds) {
  struct Used {
    double runs = 0, elements = 0, seconds = 0;
  };
  std::map<Sizes, Used> used;
  auto product = [](const Sizes &sizes) {
    double n = 1;
    for (int64_t size : sizes) n *= static_cast<double>(size);
    return n;
  };
  for (const Histogram::Row &row : histogram.rows) {
    const Sizes bucket = buckets::bucketOf(ends, row.sizes);
    Used &of = used[bucket];
    of.runs += row.count;
    of.elements += row.count * product(row.sizes);
    of.seconds += row.count * seconds(bucket, row.sizes);
  }
  std::vector<Line> lines;
  for (const auto &[bucket, of] : used)
    lines.push_back({bucket, of.runs / histogram.total(), seconds(bucket, bucket), of.seconds / of.runs,
                     1 - of.elements / (of.runs * product(bucket))});
  return lines;
}

// What stands beside the choice: as many powers of two, and one bucket for all.
struct Result {
  const Histogram &histogram;
  std::string path, target;
  Choice choice;
  std::vector<Line> lines;
  Ends powers;
  double powersSeconds = 0, oneSeconds = 0, rowSeconds = 0, compileSeconds = 0;
  std::optional<buckets::Packing> packing;  // of one symbol's sizes
  bool takesSegments = false;
  size_t timed = 0;

  // A step on a row that several sequences share, for each of them.
  double packedSeconds() const { return rowSeconds / packing->sequences; }
  double padding() const {
    double sum = 0;
    for (const Line &line : lines) sum += line.share * line.padding;
    return sum;
  }
};

std::string listed(const std::vector<int64_t> &ends, const char *between) {
  return llvm::join(llvm::map_range(ends, [](int64_t end) { return std::to_string(end); }), between);
}

std::string flagsFor(const Result &r) {
  std::string text;
  for (auto [symbol, ends] : llvm::zip(r.histogram.symbols, r.choice.ends))
    text += (text.empty() ? "--bucket=" : " --bucket=") + symbol + "=" + listed(ends, ",");
  return text;
}

// "s 65..128", of each symbol.
std::string rangeOf(const Result &r, const Sizes &bucket) {
  std::string text;
  for (auto [symbol, ends, end] : llvm::zip(r.histogram.symbols, r.choice.ends, bucket)) {
    auto at = llvm::find(ends, end);
    const int64_t least = at == ends.begin() ? 1 : *std::prev(at) + 1;
    text += (text.empty() ? "" : ", ") + symbol + " " + std::to_string(least) + ".." + std::to_string(end);
  }
  return text;
}

std::string textOf(const Result &r) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto row = [&](llvm::StringRef name, const llvm::Twine &value) {
    os << llvm::formatv("{0,-16}", name) << value << "\n";
  };
  auto beside = [&](double seconds) {
    return report::seconds(seconds) + ", " + report::fixed(seconds / r.choice.seconds, 2) + " times";
  };
  row("program", printable(r.path));
  row("target", r.target);
  row("histogram", report::count(r.histogram.total()) + " runs, " + std::to_string(r.histogram.rows.size()) +
                       " sizes of " + printable(llvm::join(r.histogram.symbols, ", ")));
  row("expected step",
      report::seconds(r.choice.seconds) + ", " + report::percent(r.padding(), 1) + " of the elements padding");
  row("powers of two", beside(r.powersSeconds) + " (as many buckets: " +
                           llvm::join(llvm::map_range(r.powers, [](auto &ends) { return listed(ends, ","); }), "; ") +
                           ")");
  row("one bucket", beside(r.oneSeconds));
  if (r.packing)
    row("packed rows",
        report::fixed(r.packing->sequences, 2) + " sequences in a row of " + std::to_string(r.packing->row) + ", " +
            report::percent(r.packing->padding, 1) + " padding" +
            (r.takesSegments ? "; a sequence " + beside(r.packedSeconds()) : ", for programs with segment ids"));
  row("timed", std::to_string(r.timed) + " programs, " + report::seconds(r.compileSeconds) + " to compile one");
  os << llvm::formatv("\n{0,8} {1,11} {2,11} {3,8}  {4}\n", "runs", "step time", "at most", "padding", "sizes");
  for (const Line &line : r.lines)
    os << llvm::formatv("{0,8} {1,11} {2,11} {3,8}  {4}\n", report::percent(line.share, 1),
                        report::seconds(line.expected), report::seconds(line.seconds), report::percent(line.padding, 1),
                        printable(rangeOf(r, line.ends)));
  os << "\n" << printable(flagsFor(r)) << "\n";
  return text;
}

std::string jsonOf(const Result &r) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os, 1);
  json.object([&] {
    json.attribute("schema_version", report::kSchemaVersion);
    json.attribute("program", llvm::json::fixUTF8(r.path));
    json.attribute("target", r.target);
    json.attribute("expected_seconds", r.choice.seconds);
    json.attribute("padding", r.padding());
    json.attribute("powers_of_two_seconds", r.powersSeconds);
    json.attribute("one_bucket_seconds", r.oneSeconds);
    json.attribute("compile_seconds", r.compileSeconds);
    json.attribute("programs_timed", static_cast<int64_t>(r.timed));
    if (r.packing) {
      json.attributeObject("packed", [&] {
        json.attribute("row", r.packing->row);
        json.attribute("sequences", r.packing->sequences);
        json.attribute("padding", r.packing->padding);
        json.attribute("takes_segments", r.takesSegments);
        json.attribute("seconds_a_sequence", r.packedSeconds());
      });
    }
    json.attribute("flags", llvm::json::fixUTF8(flagsFor(r)));
    json.attributeArray("symbols", [&] {
      for (auto [symbol, ends] : llvm::zip(r.histogram.symbols, r.choice.ends))
        json.object([&] {
          json.attribute("name", llvm::json::fixUTF8(symbol));
          json.attribute("ends", llvm::json::Array(ends));
        });
    });
    json.attributeArray("buckets", [&] {
      for (const Line &line : r.lines)
        json.object([&] {
          json.attribute("ends", llvm::json::Array(line.ends));
          json.attribute("share", line.share);
          json.attribute("seconds", line.seconds);
          json.attribute("expected_seconds", line.expected);
          json.attribute("padding", line.padding);
        });
    });
  });
  os << "\n";
  return text;
}

int readHistogram(const std::string &path, std::optional<Histogram> &histogram) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path, true);
  if (std::error_code error = buffer.getError())
    return fail(llvm::errs(), "cannot read '" + path + "': " + error.message(), codes::kUnreadable);
  std::string error;
  histogram = buckets::parseHistogram((*buffer)->getBuffer(), error);
  return histogram ? kOk : fail(llvm::errs(), printable(path) + ": " + printable(error), codes::kBadHistogram);
}

int choose(Program &program, const CompileOptions &options, const buckets::ChoiceOptions &limits,
           const Histogram &histogram, cache::CompileCache *cache, std::optional<Result> &result,
           llvm::raw_ostream &err) {
  Timer timer(program, options, histogram, cache, err);
  buckets::StepSeconds seconds = [&](const Sizes &ends, const Sizes &sizes) { return timer.seconds(ends, sizes); };
  auto choice = buckets::chooseBuckets(histogram, seconds, limits);
  if (!choice) return timer.exit();
  result.emplace(Result{histogram, program.path, options.target, *choice, {}, {}, 0, 0, 0, 0, {}, false, 0});
  result->lines = linesOf(histogram, choice->ends, seconds);
  result->powers = buckets::powersOfTwo(histogram, choice->ends);
  result->powersSeconds = buckets::expectedSeconds(histogram, result->powers, seconds);
  Ends one;
  for (const auto &ends : choice->ends) one.push_back({ends.back()});
  result->oneSeconds = buckets::expectedSeconds(histogram, one, seconds);
  const Sizes largest = buckets::bucketOf(one, histogram.rows.front().sizes);
  result->rowSeconds = seconds(largest, largest);
  result->compileSeconds = timer.compileSeconds();
  result->timed = timer.timed();
  result->takesSegments = timer.takesSegments();
  if (histogram.symbols.size() == 1) result->packing = buckets::packedRows(histogram);
  return timer.exit();
}

int run(int argc, const char **argv) {
  Cli cli(kBuckets);
  CompileFlags flags(cli);
  flags.stopAfter.setHiddenFlag(cl::Hidden);
  flags.startFrom.setHiddenFlag(cl::Hidden);
  flags.dumpStages.setHiddenFlag(cl::Hidden);
  flags.buckets.setHiddenFlag(cl::Hidden);
  CacheFlags cacheFlags(cli);
  buckets::ChoiceOptions limits;
  cl::opt<std::string> path(cl::Positional, cl::desc("PROGRAM"), cl::Required, cl::sub(cli.sub));
  cl::opt<std::string> file("histogram", cl::desc("how often which sizes occur; - is standard input"),
                            cl::value_desc("FILE"), cl::Required, cl::sub(cli.sub), cl::cat(category()));
  cl::opt<int64_t> most("max-buckets", cl::desc("programs at most, of all combinations; 8 if not given"),
                        cl::value_desc("N"), cl::init(limits.mostPrograms), cl::sub(cli.sub), cl::cat(category()));
  cl::opt<double> compileSeconds("compile-seconds", cl::desc("what compiling one more program costs; 0 if not given"),
                                 cl::value_desc("SECONDS"), cl::init(0), cl::sub(cli.sub), cl::cat(category()));
  cl::opt<double> runs("runs", cl::desc("steps that pay for it; the histogram's count if not given"),
                       cl::value_desc("N"), cl::init(0), cl::sub(cli.sub), cl::cat(category()));
  cl::opt<int> timed("max-timed", cl::desc("combinations of sizes that are timed for the choice; 48 if not given"),
                     cl::value_desc("N"), cl::init(static_cast<int>(limits.mostTimed)), cl::sub(cli.sub),
                     cl::cat(category()));
  cl::opt<bool> json("json", cl::desc("as JSON"), cl::sub(cli.sub), cl::cat(category()));
  if (auto exit = cli.parse(argc, argv)) return *exit;
  CompileOptions options;
  if (auto exit = flags.options(options)) return *exit;
  if (most < 1 || timed < 1 || !(compileSeconds >= 0) || !(runs >= 0))
    return usageError("--max-buckets and --max-timed expect 1 at least, --compile-seconds and --runs 0");
  if (!options.buckets.empty() || !options.stopAfter.empty() || !options.startFrom.empty())
    return usageError("buckets are what this command chooses; --bucket, --stop-after and --start-from go with compile");
  limits = {most, compileSeconds, runs, static_cast<size_t>(timed)};
  std::optional<Histogram> histogram;
  if (int exit = readHistogram(file, histogram)) return exit;
  Program program;
  if (int exit = findProgram(path, "", program, llvm::errs())) return exit;
  if (program.executable) return usageError("'" + path + "' is compiled already; its buckets are chosen");
  std::unique_ptr<cache::CompileCache> cache;
  if (auto exit = cacheFlags.open(cache)) return *exit;
  std::string errText;
  std::optional<Result> result;
  int exit;
  {
    ErrorText err(errText);
    exit = choose(program, options, limits, *histogram, cache.get(), result, err);
  }
  llvm::errs() << errText;
  if (exit) return exit;
  return writeOutput("-", json ? jsonOf(*result) : textOf(*result));
}

}  // namespace

const Command kBuckets = {"buckets", "for which sizes to compile a program of open sizes", kHelp, run};

}  // namespace tpuc::tools
