// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C++ library over the session, the executor and the timing walk.
#include "compiler/embed/cpp/tpuc.h"

#include <map>
#include <mutex>
#include <numeric>
#include <tuple>

#include "compiler/cache/compile_cache.h"
#include "compiler/pipeline/registry.h"
#include "compiler/pipeline/session.h"
#include "compiler/report/counters.h"
#include "compiler/report/report.h"
#include "dialects/diagnostics/codes.h"
#include "dialects/diagnostics/outer_codes.h"
#include "runtime/executor/chips.h"
#include "runtime/isa/sizes.h"

namespace tpuc::api {
namespace {

Error errorOf(const DiagnosticCode &code, const std::string &message) {
  return {static_cast<int>(code.exit), code.name.str(), "error: " + message + " [" + code.name.str() + "]\n"};
}

tpuc::CompileOptions toPipeline(const CompileOptions &options) {
  tpuc::CompileOptions out;
  out.target = options.target;
  out.sets = options.sets;
  out.matmulPrecision = options.matmulPrecision;
  out.buckets = options.buckets;
  out.devices = options.devices;
  return out;
}

// Options that are wrong before a program is looked at.
std::optional<Error> check(const CompileOptions &options) {
  const std::string &precision = options.matmulPrecision;
  if (!precision.empty() && precision != "default" && precision != "high" && precision != "highest")
    return errorOf(codes::kUsage, "matmulPrecision expects default, high or highest, but got '" + precision + "'");
  if (options.devices < 0)
    return errorOf(codes::kUsage, "devices expects a number from 0 on, but got " + std::to_string(options.devices));
  target::Target target;
  std::string error;
  if (!resolveTarget(toPipeline(options), target, error)) return errorOf(codes::kBadTarget, error);
  return std::nullopt;
}

// The cache that the options name; without a folder it keeps nothing.
std::optional<Error> readCache(const CompileOptions &options, cache::Settings &settings) {
  if (options.cache.empty()) return std::nullopt;
  std::string error;
  settings.folder = cache::folderNamed(options.cache);
  if (cache::readEnvironment(settings, error)) return std::nullopt;
  return errorOf(codes::kUsage, error);
}

void addShared(std::vector<Counter> &out, const report::SharedCounters &c) {
  out.push_back({"bundles", c.bundles});
  for (int u = 0; u < timing::kNumUnits; ++u)
    out.push_back({std::string("issues.") + report::unitName(u), c.issues[u]});
  out.push_back({"mxu_pushes.bf16", c.pushesBf16});
  out.push_back({"mxu_pushes.int8", c.pushesInt8});
  out.push_back({"mxu_pushes.f32", c.pushesF32});
  out.push_back({"dma_bytes.hbm_read", c.hbmReadBytes});
  out.push_back({"dma_bytes.hbm_write", c.hbmWriteBytes});
}

}  // namespace

struct Executable::State {
  isa::Executable exe;
  target::Target target;
  std::vector<ArrayType> arguments, results;
  std::unique_ptr<exec::Chips> chips;  // as many as the program is for
  std::mutex running;                  // one run binds and fetches at a time

  std::optional<Error> init();
  std::optional<Error> describe(isa::proto::BufferKind kind, std::vector<ArrayType> &types);
  std::optional<Error> prepare(const RunOptions &options);
  Result<std::vector<SizedArray>> runSized(std::span<const SizedArray> inputs);
};

static Error errorOf(const exec::RunError &stopped) {
  if (stopped.outOfMemory) return errorOf(codes::kOverHbm, stopped.message);
  Error error = errorOf(codes::kStopped, "the machine stopped: " + stopped.text());
  error.exit = 1;
  return error;
}

// Programs of one target that run in the same way share a device: its memory and its threads.
static std::shared_ptr<exec::Device> sharedDevice(const isa::Executable &exe, const exec::ExecutorOptions &options,
                                                  std::string &error) {
  using Key = std::tuple<uint64_t, int, int, bool>;
  static std::mutex mutex;
  static std::map<Key, std::weak_ptr<exec::Device>> devices;
  std::lock_guard lock(mutex);
  std::weak_ptr<exec::Device> &known =
      devices[{exe.index.target_digest(), options.threads, options.level ? static_cast<int>(*options.level) : -1,
               options.checking}];
  std::shared_ptr<exec::Device> device = known.lock();
  if (!device) known = device = exec::makeDevice(exe, options, error);
  return device;
}

// What makes executables from the inside.
struct Access {
  static Result<Executable> make(isa::Executable exe) {
    auto state = std::make_shared<Executable::State>();
    state->exe = std::move(exe);
    if (auto error = state->init()) return *error;
    return Executable(std::move(state));
  }
};

std::optional<Error> Executable::State::init() {
  std::string error;
  if (!target::parseTarget(exe.index.target(), target, error))
    return errorOf(codes::kBadExecutable, "the executable's target cannot be read: " + error);
  if (auto bad = describe(isa::proto::ARGUMENT, arguments)) return bad;
  return describe(isa::proto::RESULT, results);
}

std::optional<Error> Executable::State::describe(isa::proto::BufferKind kind, std::vector<ArrayType> &types) {
  for (const isa::proto::Buffer &b : exe.index.buffers()) {
    if (b.kind() != kind || b.extent() || !isa::Executable::has(b, 0)) continue;
    if (static_cast<int>(types.size()) <= b.index()) types.resize(b.index() + 1);
    isa::ArrayLayout layout;
    std::string error;
    if (!exec::layoutOf(b.array(), layout, error)) return errorOf(codes::kBadExecutable, error);
    ArrayType &type = types[b.index()];
    type.element = b.array().type();
    const auto &dims = b.global_dims().empty() ? b.array().dims() : b.global_dims();
    type.dims.assign(dims.begin(), dims.end());
    type.name = b.array().name();
    type.elements = std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<>());
    type.bytes = static_cast<size_t>(type.elements) * layout.type->hostBytes;
    for (int d = 0; d < b.array().symbols_size(); ++d)
      if (b.array().symbols(d)) type.dims[d] = -1, type.elements = 0, type.bytes = 0;
  }
  return std::nullopt;
}

std::optional<Error> Executable::State::prepare(const RunOptions &options) {
  exec::ExecutorOptions out;
  out.threads = options.threads;
  out.checking = options.checking;
  for (exec::Level level : exec::availableLevels())
    if (exec::levelName(level) == options.cpuLevel) out.level = level;
  if (options.threads < 0)
    return errorOf(codes::kUsage, "threads expects a number from 0 on, but got " + std::to_string(options.threads));
  if (!options.cpuLevel.empty() && !out.level)
    return errorOf(codes::kUsage, "this CPU has no level '" + options.cpuLevel + "'");
  std::string error;
  const bool one = exe.index.num_devices() <= 1;
  if (one) out.device = sharedDevice(exe, out, error);
  chips = out.device || !one ? exec::Chips::create(exe, out, error) : nullptr;
  if (!chips) return errorOf(codes::kCannotLoad, error);
  return std::nullopt;
}

Result<Executable> Executable::load(const std::string &path) {
  isa::Executable exe;
  std::string error;
  if (!isa::load(path, exe, error)) return errorOf(codes::kBadExecutable, error);
  return Access::make(std::move(exe));
}

Result<Executable> Executable::parse(std::string_view bytes) {
  isa::Executable exe;
  std::string error;
  if (!isa::parse(bytes, exe, error)) return errorOf(codes::kBadExecutable, error);
  return Access::make(std::move(exe));
}

std::optional<Error> Executable::save(const std::string &path) const {
  std::string error;
  if (isa::save(state_->exe, path, error)) return std::nullopt;
  return errorOf(codes::kUnreadable, error);
}

std::string Executable::serialize() const { return isa::serialize(state_->exe); }
const std::vector<ArrayType> &Executable::arguments() const { return state_->arguments; }
const std::vector<ArrayType> &Executable::results() const { return state_->results; }
std::optional<Error> Executable::configure(const RunOptions &options) { return state_->prepare(options); }
std::string Executable::disassemble() const { return isa::disassemble(state_->exe); }

Result<std::vector<std::vector<std::byte>>> Executable::run(std::span<const std::span<const std::byte>> inputs) {
  State &s = *state_;
  std::lock_guard lock(s.running);
  if (s.exe.index.symbols_size())
    return errorOf(codes::kWrongArray, "the program's sizes are open: runSized takes inputs with their dims");
  if (!s.chips)
    if (auto error = s.prepare({})) return *error;
  if (inputs.size() != s.arguments.size())
    return errorOf(codes::kWrongCount, "expects " + std::to_string(s.arguments.size()) + " inputs, but got " +
                                           std::to_string(inputs.size()));
  std::string error;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].size() != s.arguments[i].bytes)
      return errorOf(codes::kWrongArray, "argument " + std::to_string(i) + " expects " +
                                             std::to_string(s.arguments[i].bytes) + " bytes, but got " +
                                             std::to_string(inputs[i].size()));
    if (!isa::holdsSize(s.exe.index, static_cast<int>(i), inputs[i].data(), inputs[i].size(), error))
      return errorOf(codes::kNoBucket, error);
    if (!s.chips->bind(static_cast<int>(i), inputs[i].data(), error)) return errorOf(codes::kOverHbm, error);
  }
  exec::RunError stopped;
  if (!s.chips->run(stopped)) return errorOf(stopped);
  std::vector<std::vector<std::byte>> out(s.results.size());
  for (size_t i = 0; i < out.size(); ++i) {
    out[i].resize(s.results[i].bytes);
    if (!s.chips->fetch(static_cast<int>(i), out[i].data(), error)) return errorOf(codes::kDiffers, error);
  }
  return out;
}

Result<std::vector<SizedArray>> Executable::State::runSized(std::span<const SizedArray> inputs) {
  if (!chips)
    if (auto error = prepare({})) return *error;
  if (inputs.size() != arguments.size())
    return errorOf(codes::kWrongCount,
                   "expects " + std::to_string(arguments.size()) + " inputs, but got " + std::to_string(inputs.size()));
  std::string error;
  std::vector<std::vector<int64_t>> shapes;
  for (const SizedArray &input : inputs) shapes.push_back(input.dims);
  if (exe.index.symbols_size() && !chips->setSizes(shapes, error)) return errorOf(codes::kNoBucket, error);
  isa::ArrayLayout layout;
  auto bytesOf = [&](const std::vector<int64_t> &dims) {
    size_t bytes = layout.type->hostBytes;
    for (int64_t size : dims) bytes *= static_cast<size_t>(size);
    return bytes;
  };
  for (int i = 0; i < chips->numArguments(); ++i) {
    const std::vector<int64_t> dims = chips->argumentDims(i);
    if (!exec::layoutOf(chips->argument(i).array(), layout, error)) return errorOf(codes::kBadExecutable, error);
    if (inputs[i].dims != dims || inputs[i].bytes.size() != bytesOf(dims))
      return errorOf(codes::kWrongArray, "argument " + std::to_string(i) + " expects " + std::to_string(bytesOf(dims)) +
                                             " bytes, but got " + std::to_string(inputs[i].bytes.size()));
    if (!isa::holdsSize(exe.index, i, inputs[i].bytes.data(), inputs[i].bytes.size(), error))
      return errorOf(codes::kNoBucket, error);
    if (!chips->bind(i, inputs[i].bytes.data(), error)) return errorOf(codes::kOverHbm, error);
  }
  exec::RunError stopped;
  if (!chips->run(stopped)) return errorOf(stopped);
  std::vector<SizedArray> out(chips->numResults());
  for (int i = 0; i < chips->numResults(); ++i) {
    if (!exec::layoutOf(chips->result(i).array(), layout, error)) return errorOf(codes::kBadExecutable, error);
    out[i].dims = chips->resultDims(i);
    out[i].bytes.resize(bytesOf(out[i].dims));
    if (!chips->fetch(i, out[i].bytes.data(), error)) return errorOf(codes::kDiffers, error);
  }
  return out;
}

Result<std::vector<SizedArray>> Executable::runSized(std::span<const SizedArray> inputs) {
  std::lock_guard lock(state_->running);
  return state_->runSized(inputs);
}

Result<std::vector<BucketSize>> Executable::bucketFor(std::span<const std::vector<int64_t>> dims) const {
  const isa::proto::Index &index = state_->exe.index;
  std::vector<BucketSize> out;
  if (!index.symbols_size()) return out;
  isa::Extents extents;
  std::string error;
  const int entry = isa::extentsOf(index, dims, extents, error) ? isa::entryFor(index, extents, error) : -1;
  if (entry < 0) return errorOf(codes::kNoBucket, error);
  for (int s = 0; s < index.symbols_size(); ++s)
    if (index.symbols(s).value().empty())
      out.push_back({index.symbols(s).name(), extents[s], index.entries(entry).extents(s)});
  return out;
}

Statistics Executable::statistics() const {
  Statistics out;
  if (!state_->chips) return out;
  const exec::Statistics s = state_->chips->statistics();
  out.runs = s.runs;
  if (s.runs) addShared(out.counters, report::perRun(s.runs, s.bundles, s.issues, s.pushes, s.dmaBytes));
  return out;
}

Result<Timing> Executable::time() const {
  timing::TimingResult timed = timing::timeProgram(state_->exe, state_->target);
  if (!timed.ok) return errorOf(timed.dataDependent ? codes::kDataDependent : codes::kBadExecutable, timed.error);
  Timing out{timed.cycles, timed.seconds, {}};
  addShared(out.counters, report::shared(timed.counters));
  for (int i = 0; i < timing::kNumStalls; ++i)
    out.counters.push_back(
        {std::string("stall_cycles.") + timing::stallName(static_cast<timing::Stall>(i)), timed.counters.stalls[i]});
  return out;
}

namespace {

// The report of a program whose time does not depend on data, in the form that `print` gives it.
template <typename Print>
Result<std::string> reported(const isa::Executable &exe, const target::Target &target, Print print) {
  timing::TimingResult timed = timing::timeProgram(exe, target);
  if (!timed.ok) return errorOf(timed.dataDependent ? codes::kDataDependent : codes::kBadExecutable, timed.error);
  return print(report::makeReport(exe, target, timed, exe.index.module_name()));
}

}  // namespace

Result<std::string> Executable::report() const {
  return reported(state_->exe, state_->target, [](const report::Report &r) { return report::reportText(r, 5); });
}
Result<std::string> Executable::reportJson() const { return reported(state_->exe, state_->target, report::reportJson); }
Result<std::string> Executable::reportHtml() const { return reported(state_->exe, state_->target, report::reportHtml); }

namespace {

Result<Executable> finish(Compiled compiled, std::string diagnostics) {
  if (!compiled.exit) return Access::make(std::move(compiled.exe));
  return Error{compiled.exit, compiled.code, std::move(diagnostics)};
}

}  // namespace

Result<Executable> compile(std::string_view text, const CompileOptions &options) {
  if (auto error = check(options)) return *error;
  cache::Settings settings;
  if (auto error = readCache(options, settings)) return *error;
  std::string diagnostics;
  llvm::raw_string_ostream err(diagnostics);
  cache::CompileCache cache(std::move(settings));
  std::optional<Session> session;  // a program that is found needs none
  auto made = [&]() -> Session & { return session ? *session : session.emplace(); };
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy({text.data(), text.size()}, options.name);
  Compiled compiled = cache.compile(made, std::move(buffer), toPipeline(options), err);
  return finish(std::move(compiled), std::move(diagnostics));
}

void registerDialects(mlir::DialectRegistry &registry) { registerAllDialects(registry); }

Result<Executable> compile(mlir::ModuleOp module, const CompileOptions &options) {
  if (auto error = check(options)) return *error;
  std::string diagnostics;
  llvm::raw_string_ostream err(diagnostics);
  Compiled compiled = Session::compile(module, toPipeline(options), err);
  return finish(std::move(compiled), std::move(diagnostics));
}

std::vector<std::string> targets() { return target::bundledTargets(); }

std::string explain(std::string_view code) {
  const DiagnosticCode *known = findCode({code.data(), code.size()});
  return known ? known->explanation.str() : "";
}

const char *version() { return TPUC_VERSION; }

}  // namespace tpuc::api
