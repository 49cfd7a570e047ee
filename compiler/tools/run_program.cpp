// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs one program: load, time, bind inputs, run, compare.
#include "compiler/tools/run_program.h"

#include <algorithm>
#include <chrono>

#include "compiler/report/counters.h"
#include "compiler/report/report.h"
#include "compiler/report/units.h"
#include "compiler/tools/compare.h"
#include "compiler/tools/npy.h"
#include "compiler/tools/output.h"
#include "compiler/tools/timed.h"
#include "llvm/Support/FileSystem.h"
#include "runtime/executor/chips.h"
#include "runtime/isa/sizes.h"

namespace tpuc::tools {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

struct Outcome {
  int index = 0;
  std::string type, what;
  Comparison comparison;
  double limit = 0;
};

class Run {
 public:
  Run(Session &session, Program &program, const RunOptions &options, llvm::raw_ostream &out, llvm::raw_ostream &err)
      : session_(session), program_(program), options_(options), out_(out), err_(err) {}

  int run() {
    int exit = steps();
    report(exit);
    return exit;
  }

 private:
  int steps() {
    CompileOptions compile = options_.compile;
    if (!options_.inputs.empty()) compile.argumentShapes = shapesOf(options_.inputs);
    loaded_ = load(session_, program_, compile, err_, options_.verifyDiagnostics, options_.cache);
    if (loaded_.compiled.exit || options_.verifyDiagnostics) return loaded_.compiled.exit;
    if (!loaded_.compiled.stageText.empty()) {
      out_ << loaded_.compiled.stageText;
      return kOk;
    }
    if (options_.disassemble) out_ << isa::disassemble(loaded_.compiled.exe);
    if (int exit = createExecutor()) return exit;
    if (int exit = chooseEntry()) return exit;
    if (wantsTiming()) timed_ = timeIt(nullptr);
    if (options_.time && timed_ && timed_->ok && !dataDecides()) printTiming();
    if (int exit = bindInputs()) return exit;
    if (int exit = execute()) return exit;
    if (int exit = fetchResults()) return exit;
    int exit = compareOutputs();
    int expectations = compareExpectations();
    if (int saved = saveResults()) return saved;
    return exit ? exit : expectations;
  }

  // Branches that only the run knows, or windows that it may leave out.
  bool dataDecides() const { return timed_ && (timed_->dataDependent || !timed_->assumed.empty()); }

  bool wantsTiming() const { return options_.time || options_.stats != StatsFormat::None; }

  int refuse(const llvm::Twine &message, const DiagnosticCode &code) {
    code_ = code.name.str();
    return fail(err_, program_.path + ": " + message, code);
  }
  int differs(const llvm::Twine &message, const DiagnosticCode &code) {
    refuse(message, code);
    return kDiffers;
  }

  int stopped(const exec::RunError &error) {
    using Why = exec::RunError::Why;
    if (error.outOfMemory) return refuse(error.message, codes::kOverHbm);
    if (error.why == Why::Interrupted) return refuse(error.text(), codes::kInterrupted);
    if (error.why == Why::Deadlock) {
      refuse(error.text(), codes::kDeadlock);
      return kDeadlock;
    }
    return differs("the machine stopped: " + error.text(),
                   error.why == Why::TooLong ? codes::kStepLimit : codes::kStopped);
  }

  static std::string calledAt(const isa::proto::HostCall &call) {
    return call.location().empty() ? "" : ", first at " + call.location();
  }

  int createExecutor() {
    if (loaded_.compiled.exe.index.host_calls_size())
      return refuse("the program calls functions of the process that it was traced in" +
                        calledAt(loaded_.compiled.exe.index.host_calls(0)),
                    codes::kNeedsHost);
    if (options_.onProgress) options_.onProgress("loading");
    std::string error;
    chips_ = exec::Chips::create(loaded_.compiled.exe, options_.executor, error);
    return chips_ ? kOk : refuse(error, codes::kCannotLoad);
  }

  bool hasSizes() const { return loaded_.compiled.exe.index.symbols_size() > 0; }

  // Chooses the bucket of a program of open sizes: the smallest that holds the inputs. Made-up inputs are as large as
  // the largest bucket.
  int chooseEntry() {
    if (!hasSizes()) return kOk;
    std::string error;
    if (options_.randomSeed) {
      const auto &entries = loaded_.compiled.exe.index.entries();
      return chips_->setExtents(isa::extentsOf(entries[entries.size() - 1]), error) ? kOk
                                                                                    : refuse(error, codes::kNoBucket);
    }
    if (int exit = checkInputCount()) return exit;
    std::vector<std::vector<int64_t>> shapes;
    for (int i = 0; i < chips_->numArguments(); ++i) {
      std::optional<std::vector<int64_t>> shape = readNpyShape(inputFile(i));
      // What is wrong with the file is said where it is read.
      const std::vector<int64_t> own = chips_->argumentDims(i);
      shapes.push_back(shape.value_or(own));
    }
    if (!chips_->setSizes(shapes, error)) return refuse(error, codes::kNoBucket);
    return kOk;
  }

  timing::TimingResult timeIt(const exec::ControlTrace *trace) const {
    timing::TimingOptions timing;
    timing.trace = trace;
    timing.entry = chips_->entry();
    if (const isa::Extents extents = chips_->extents(); !extents.empty())
      timing.smem = isa::systemBytes(loaded_.compiled.exe.index, extents);
    return timing::timeProgram(loaded_.compiled.exe, loaded_.target, timing);
  }

  // The program's array as it is in this run.
  static isa::proto::Array trueArray(const isa::proto::Array &array, const std::vector<int64_t> &dims) {
    isa::proto::Array result = array;
    result.clear_dims();
    for (int64_t size : dims) result.add_dims(size);
    return result;
  }

  // The file that argument i comes from; empty for none.
  std::string inputFile(int i) const {
    if (!options_.inputs.empty()) return i < static_cast<int>(options_.inputs.size()) ? options_.inputs[i] : "";
    return program_.folder.empty() ? "" : program_.folder + "/input." + std::to_string(i) + ".npy";
  }

  // JAX's own first argument, of a program exported for several platforms.
  std::string hiddenArgument() const {
    for (int i = 0; i < chips_->numArguments(); ++i)
      if (chips_->argument(i).array().name() == "_platform_index")
        return "; argument " + std::to_string(i) +
               " is _platform_index, an i32 that JAX adds to exports for several platforms: the place of tpu in their "
               "list. " +
               "Export for one: jax.export.export(f, platforms=['tpu'])";
    return "";
  }

  int checkInputCount() {
    const int expected = chips_->numArguments();
    const bool fromFolder = options_.inputs.empty() && !program_.folder.empty();
    const std::vector<int> files = fromFolder ? numberedFiles(program_.folder, "input") : std::vector<int>();
    const int given = static_cast<int>(fromFolder ? files.size() : options_.inputs.size());
    if (!files.empty())
      if (std::string wrong = wrongFiles(files, expected, "input", "argument"); !wrong.empty())
        return refuse(wrong + hiddenArgument(), codes::kWrongFiles);
    if (given == expected) return kOk;
    std::string hint =
        given ? "" : "; give a folder with input.0.npy ... (--data DIR), --input FILE for each, or --random=SEED";
    if (!given && !options_.time) hint += "; tpuc report times it without running";
    hint += hiddenArgument();
    return refuse("expects " + std::to_string(expected) + " input" + (expected == 1 ? "" : "s") + ", but got " +
                      std::to_string(given) + hint,
                  codes::kWrongCount);
  }

  int bindInputs() {
    if (!options_.randomSeed)
      if (int exit = checkInputCount()) return exit;
    for (int i = 0; i < chips_->numArguments(); ++i) {
      const isa::proto::Array &array = chips_->argument(i).array();
      HostArray host;
      std::string error;
      isa::ArrayLayout layout;
      if (!exec::layoutOf(array, layout, error))
        return refuse("argument " + std::to_string(i) + ": " + error, codes::kBadExecutable);
      if (options_.randomSeed) {
        host.type = layout.type;
        host.dims = chips_->argumentDims(i);
        fillRandom(host, *options_.randomSeed * 1000003 + i);
        if (const auto held = isa::heldBy(loaded_.compiled.exe.index, i))
          std::memcpy(host.data.data(), &*held, std::min(host.data.size(), sizeof *held));
      } else if (int exit = readArray(inputFile(i), trueArray(array, chips_->argumentDims(i)),
                                      "argument " + std::to_string(i), host, err_)) {
        code_ = codes::kWrongArray.name.str();
        return exit;
      }
      if (!isa::holdsSize(loaded_.compiled.exe.index, i, host.data.data(), host.data.size(), error))
        return refuse(error, codes::kNoBucket);
      if (!chips_->bind(i, host.data.data(), error, device::kGarbageFill)) return refuse(error, codes::kOverHbm);
    }
    return kOk;
  }

  int execute() {
    // A recorded run shares grids as the target's cores do, so that its counters are the machine's and not this host's.
    const bool dependsOnData = dataDecides(), recorded = dependsOnData || options_.stats != StatsFormat::None;
    for (int k = 0; k < options_.repeat; ++k) {
      if (options_.onProgress) options_.onProgress("running");
      exec::RunError error;
      exec::ControlTrace trace;
      auto start = Clock::now();
      if (!chips_->run(error, recorded ? &trace : nullptr)) return stopped(error);
      runSeconds_.push_back(secondsSince(start));
      if (options_.time && !options_.json) err_ << "run " << report::fixed(runSeconds_.back() * 1e3, 3) << " ms\n";
      if (!dependsOnData || k) continue;
      timed_ = timeIt(&trace);
      if (options_.time && timed_->ok) printTiming();
    }
    return kOk;
  }

  int fetchResults() {
    std::string error;
    for (int i = 0; i < chips_->numResults(); ++i) {
      HostArray &result = results_.emplace_back();
      isa::ArrayLayout layout;
      if (!exec::layoutOf(chips_->result(i).array(), layout, error)) return refuse(error, codes::kUsage);
      result.type = layout.type;
      result.dims = chips_->resultDims(i);
      result.data.resize(result.elements() * layout.type->hostBytes);
      if (!chips_->fetch(i, result.data.data(), error)) return differs(error, codes::kDiffers);
    }
    // Those behind the program's own are for expectations alone.
    const uint32_t own = loaded_.compiled.exe.index.own_results();
    numOwn_ = own ? static_cast<int>(own) - 1 : chips_->numResults();
    return kOk;
  }

  // The folder's outputs; without any, the results are printed.
  int compareOutputs() {
    OutputLimits folder;
    if (!program_.folder.empty())
      if (int exit = readLimits(program_.folder, folder, err_)) return exit;
    const std::vector<int> files =
        program_.folder.empty() ? std::vector<int>() : numberedFiles(program_.folder, "output");
    if (!files.empty())
      if (std::string wrong = wrongFiles(files, numOwn_, "output", "result"); !wrong.empty())
        return refuse(wrong, codes::kWrongFiles);
    int exit = kOk, compared = 0;
    for (int i : files) {
      const std::string path = program_.folder + "/output." + std::to_string(i) + ".npy";
      HostArray want;
      if (int bad = readArray(path, trueArray(chips_->result(i).array(), chips_->resultDims(i)),
                              "result " + std::to_string(i), want, err_)) {
        code_ = codes::kWrongArray.name.str();
        return bad;
      }
      ++compared;
      // The folder's tolerance is for full f32; matmuls of rounded inputs explain more, where one reaches the result.
      const double limit = options_.tolerance
                               ? *options_.tolerance
                               : std::max(folder.tolerance.value_or(0), chips_->result(i).matmul_error());
      Comparison comparison = compare(results_[i], want, limit, folder.scaleOf(i));
      Outcome outcome{i, results_[i].typeText(), "output " + std::to_string(i), std::move(comparison), limit};
      if (!outcome.comparison.ok) exit = differs(describe(outcome), codes::kDiffers);
      outcomes_.push_back(std::move(outcome));
    }
    printsResults_ = compared == 0 && options_.saveFolder.empty();
    return exit;
  }

  int compareExpectations() {
    int exit = kOk;
    const auto &all = loaded_.compiled.exe.index.expectations();
    for (int i = 0; i < static_cast<int>(all.size()); ++i) {
      const isa::proto::Expectation &e = all[i];
      auto known = [&](int r) { return r >= 0 && r < static_cast<int>(results_.size()) && results_[r].type; };
      if (!known(e.actual()) || !known(e.expected()) ||
          results_[e.actual()].typeText() != results_[e.expected()].typeText())
        return refuse("expectation " + std::to_string(i) + " names results that do not exist", codes::kBadExecutable);
      Outcome outcome{i, results_[e.actual()].typeText(), e.kind(),
                      compareExpectation(e, results_[e.actual()], results_[e.expected()]),
                      e.kind() == "close" ? static_cast<double>(e.max_ulp()) : e.tolerance()};
      if (!outcome.comparison.ok)
        exit = differs(e.location() + (e.location().empty() ? "" : ": ") + describe(outcome), codes::kExpectation);
      outcomes_.push_back(std::move(outcome));
    }
    if (!all.empty()) printsResults_ = false;
    return exit;
  }

  static std::string describe(const Outcome &o) {
    const Comparison &c = o.comparison;
    std::string out = o.what + " " + o.type + ": ";
    if (c.exact)
      out += std::to_string(c.different) + " elements differ";
    else
      out += "largest error " + number(c.largestError) + " of " + number(o.limit) + " allowed, " +
             std::to_string(c.different) + " elements beyond";
    return out + (c.where.empty() ? "" : "; " + c.where);
  }

  static std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2e", value);
    return text;
  }

  int saveResults() {
    if (options_.saveFolder.empty()) return kOk;
    if (results_.empty()) return kOk;  // a program of no results has them all
    if (numOwn_ == 0)
      return refuse("--save has nothing to write: the program returns no results, only expectations", codes::kUsage);
    if (std::error_code code = llvm::sys::fs::create_directories(options_.saveFolder))
      return refuse("cannot create '" + options_.saveFolder + "': " + code.message(), codes::kUnreadable);
    for (int i = 0; i < numOwn_; ++i) {
      if (!results_[i].type) continue;
      const std::string path = options_.saveFolder + "/output." + std::to_string(i) + ".npy";
      std::string error;
      if (!writeNpy(path, *results_[i].type, results_[i].dims, results_[i].data, error))
        return refuse(error, codes::kCannotWrite);
    }
    return kOk;
  }

  void printTiming() {
    const isa::proto::Index &index = loaded_.compiled.exe.index;
    if (options_.json) return;
    err_ << "time " << report::seconds(timed_->seconds) << ", " << timed_->cycles << " cycles, " << index.num_bundles()
         << " bundles; compiled in " << report::fixed(loaded_.seconds * 1e3, 1) << " ms\n";
    for (int i = 0; i < index.routines_size(); ++i)
      err_ << "  " << printable(index.routines(i).name()) << " " << printable(index.routines(i).kind()) << " "
           << printable(index.routines(i).location()) << " " << timed_->routines[i].cycles << " cycles\n";
  }

  // ---- what the user reads ------------------------------------------------------------------------------------------

  void report(int exit) {
    if (options_.verifyDiagnostics || !loaded_.compiled.stageText.empty()) return;
    if (code_.empty()) code_ = loaded_.compiled.code;
    if (options_.json) return reportJson(exit);
    if (options_.brief) return reportBrief(exit);
    for (const Outcome &o : outcomes_) {
      out_ << printable(o.what) << "  " << o.type << "  ";
      if (o.comparison.exact)
        out_ << (o.comparison.ok ? "equal" : "differs");
      else
        out_ << "largest error " << number(o.comparison.largestError) << " of " << number(o.limit)
             << (o.comparison.ok ? "  ok" : "  TOO LARGE");
      out_ << "\n";
    }
    if (printsResults_)
      for (int i = 0; i < numOwn_; ++i)
        if (results_[i].type)
          out_ << "result " << i << "  " << results_[i].typeText() << "  " << summary(results_[i]) << "\n";
    if (chips_ && options_.stats != StatsFormat::None) printStats();
  }

  void reportBrief(int exit) {
    double largest = 0;
    for (const Outcome &o : outcomes_) largest = std::max(largest, o.comparison.largestError);
    const char *words[] = {"ok", "DIFFERS", "usage", "invalid", "unsupported", "does not fit", "DEADLOCK"};
    out_ << (exit >= 0 && exit < 7  ? words[exit]
             : exit == kInterrupted ? "interrupted"
                                    : "failed")
         << "  " << printable(program_.path);
    if (exit <= kDiffers) out_ << "  " << outcomes_.size() << " compared, largest error " << number(largest);
    if (!code_.empty() && exit) out_ << "  " << code_;
    out_ << "\n";
  }

  void printStats() {
    const report::SharedCounters counters = runCounters(chips_->statistics());
    timing::TimingResult none;
    const timing::TimingResult &timed = timed_ ? *timed_ : none;
    if (options_.stats == StatsFormat::Text) {
      out_ << report::countersText(timed, &counters);
      return;
    }
    llvm::json::OStream json(out_, 1);
    json.object([&] {
      json.attribute("schema_version", report::kSchemaVersion);
      report::countersJson(json, timed, &counters);
    });
    out_ << "\n";
  }

  void reportJson(int exit) {
    auto utf8 = [](const std::string &text) { return llvm::json::isUTF8(text) ? text : llvm::json::fixUTF8(text); };
    llvm::json::OStream json(out_);
    json.object([&] {
      json.attribute("schema_version", report::kSchemaVersion);
      json.attribute("program", utf8(program_.path));
      json.attribute("exit", exit);
      if (exit) json.attribute("code", code_);
      json.attributeArray("outputs", [&] {
        for (const Outcome &o : outcomes_) outcomeJson(json, o, utf8);
      });
      if (options_.time) {
        json.attribute("compile_seconds", loaded_.seconds);
        if (timed_ && timed_->ok) json.attribute("timed_seconds", timed_->seconds);
        json.attributeArray("run_seconds", [&] {
          for (double s : runSeconds_) json.value(s);
        });
      }
      if (chips_ && timed_ && options_.stats != StatsFormat::None) {
        const report::SharedCounters counters = runCounters(chips_->statistics());
        json.attributeObject("counters", [&] { report::countersJson(json, *timed_, &counters); });
      }
    });
    out_ << "\n";
  }

  template <typename Text>
  void outcomeJson(llvm::json::OStream &json, const Outcome &o, Text utf8) {
    json.object([&] {
      json.attribute("what", utf8(o.what));
      json.attribute("type", o.type);
      json.attribute("ok", o.comparison.ok);
      json.attribute("exact", o.comparison.exact);
      if (std::isfinite(o.comparison.largestError))
        json.attribute("largest_error", o.comparison.largestError);
      else
        json.attribute("largest_error", nullptr);
      json.attribute("different", o.comparison.different);
      if (!o.comparison.exact) json.attribute("limit", o.limit);
    });
  }

  Session &session_;
  Program &program_;
  const RunOptions &options_;
  llvm::raw_ostream &out_, &err_;
  Loaded loaded_;
  std::string code_;
  std::optional<timing::TimingResult> timed_;
  std::unique_ptr<exec::Chips> chips_;
  std::vector<HostArray> results_;
  int numOwn_ = 0;  // results that the program itself returns; the others are for expectations
  std::vector<Outcome> outcomes_;
  std::vector<double> runSeconds_;
  bool printsResults_ = false;
};

}  // namespace

int runProgram(Session &session, Program &program, const RunOptions &options, llvm::raw_ostream &out,
               llvm::raw_ostream &err) {
  return Run(session, program, options, out, err).run();
}

}  // namespace tpuc::tools
