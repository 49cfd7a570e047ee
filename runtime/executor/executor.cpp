#include "runtime/executor/executor.h"

#include <google/protobuf/text_format.h>

#include <algorithm>
#include <cstring>

#include "runtime/executor/machine.h"

namespace tpuc::exec {
namespace {

using isa::Space;

constexpr int kMaxCores = 64, kMaxAccumulatorRows = 1 << 16;

std::string which(const char *what, int i) { return std::string(what) + " " + std::to_string(i); }

// Fills `list` so that list[b.index()] is the buffer of each argument or result b.
template <typename T> bool collect(const isa::Executable &exe, isa::proto::BufferKind kind, const char *what, std::vector<T> &list, std::string &error) {
  for (int i = 0; i < exe.index.buffers_size(); ++i) {
    const isa::proto::Buffer &b = exe.index.buffers(i);
    if (b.kind() != kind) continue;
    if (static_cast<int>(list.size()) <= b.index()) list.resize(b.index() + 1);
    list[b.index()].buffer = i;
  }
  for (size_t i = 0; i < list.size(); ++i) {
    if (list[i].buffer >= 0) continue;
    error = which(what, static_cast<int>(i)) + " has no buffer";
    return false;
  }
  return true;
}

}  // namespace

std::string RunError::text() const {
  std::string out = message;
  if (!routine.empty()) out += " in routine " + routine;
  if (bundle >= 0) out += ", bundle " + std::to_string(bundle);
  if (!instruction.empty()) out += ": " + instruction;
  if (!location.empty()) out += " (" + location + ")";
  return out;
}

MachineShape shapeOf(const target::Target &target) {
  MachineShape shape;
  shape.cores = static_cast<int>(target.cores());
  shape.mxus = static_cast<int>(target.core().mxus());
  shape.mxuSide = static_cast<int>(target.core().mxu_side());
  shape.accumulatorRows = static_cast<int>(target.core().mxu_accumulator_rows());
  return shape;
}

bool layoutOf(const isa::proto::Array &array, isa::ArrayLayout &layout, std::string &error) {
  std::vector<int64_t> dims(array.dims().begin(), array.dims().end());
  std::vector<int32_t> order(array.order().begin(), array.order().end());
  return isa::makeLayout(array.type(), dims, order, layout, error);
}

std::unique_ptr<Executor> Executor::create(const isa::Executable &exe, const ExecutorOptions &options, std::string &error) {
  std::unique_ptr<Executor> executor(new Executor(exe, options));
  return executor->init(error) ? std::move(executor) : nullptr;
}

Executor::Executor(const isa::Executable &exe, const ExecutorOptions &options) : exe_(exe), options_(options) {}
Executor::~Executor() = default;

bool Executor::init(std::string &error) {
  error = isa::validate(exe_);
  if (!error.empty()) return false;
  if (options_.shape) {
    shape_ = *options_.shape;
  } else {
    target::Target target;
    if (!google::protobuf::TextFormat::ParseFromString(exe_.index.target(), &target)) {
      error = "the executable's target cannot be read";
      return false;
    }
    shape_ = shapeOf(target);
    if (exe_.index.vmem_bytes() > target.core().vmem_bytes() || exe_.index.smem_bytes() > target.core().smem_bytes()) {
      error = "the program takes more VMEM or SMEM than its target has";
      return false;
    }
  }
  if ((shape_.mxuSide != 128 && shape_.mxuSide != 256) || shape_.mxus < 0 || shape_.mxus > isa::kMaxMxus || shape_.cores < 1 || shape_.cores > kMaxCores ||
      shape_.accumulatorRows % isa::kSublanes || shape_.accumulatorRows < 0 || shape_.accumulatorRows > kMaxAccumulatorRows) {
    error = "this executor has arrays of side 128 and 256, at most " + std::to_string(isa::kMaxMxus) + " a core, and at most " + std::to_string(kMaxCores) + " cores";
    return false;
  }
  level_ = options_.level.value_or(defaultLevel());
  const Kernels &kernels = kernelsOf(level_);
  if (!decode(exe_, shape_, kernels, {options_.checking, options_.hotAfter}, program_, error) || !findBuffers(error) || !checkWrites(error)) return false;
  if (!options_.pool) ownPool_ = std::make_unique<device::ThreadPool>(options_.threads);
  device::ThreadPool &pool = options_.pool ? *options_.pool : *ownPool_;
  MemorySizes sizes{static_cast<int64_t>(exe_.index.vmem_bytes()), static_cast<int64_t>(exe_.index.vmem_shared_bytes()),
                    static_cast<int64_t>(exe_.index.smem_bytes()), static_cast<int>(exe_.index.semaphores())};
  machine_ = std::make_unique<Machine>(program_, shape_, sizes, kernels, pool, options_.threads > 0 ? options_.threads : pool.size(),
                                       options_.checking, options_.maxBlocks);
  std::vector<ResidentRange> residents;
  for (const isa::proto::Resident &r : exe_.index.residents())
    residents.push_back({static_cast<int64_t>(r.offset()), static_cast<int64_t>(r.size()), exe_.index.routines(r.first_routine()).bundle(),
                         exe_.index.routines(r.last_routine()).bundle()});
  machine_->setResidents(std::move(residents));
  arena_ = device::Mapping(exe_.index.arena_bytes());
  if (arena_.data() && machine_->init()) return true;
  error = "out of host memory";
  return false;
}

bool Executor::findBuffers(std::string &error) {
  if (!collect(exe_, isa::proto::ARGUMENT, "argument", arguments_, error) || !collect(exe_, isa::proto::RESULT, "result", results_, error)) return false;
  hbm_.resize(exe_.index.buffers_size());
  for (size_t i = 0; i < results_.size(); ++i) {
    const isa::proto::Buffer &b = result(static_cast<int>(i));
    results_[i].alias = b.alias_argument() - 1;
    if (results_[i].alias < 0) continue;
    if (results_[i].alias >= numArguments() || argument(results_[i].alias).size() != b.size()) {
      error = which("result", static_cast<int>(i)) + " takes over an argument of another size";
      return false;
    }
  }
  return true;
}

// Constants and arguments that no result takes over are only read.
bool Executor::checkWrites(std::string &error) const {
  for (const device::DmaPlan &plan : program_.plans) {
    if (plan.dstSpace != Space::Hbm) continue;
    const isa::proto::Buffer &b = exe_.index.buffers(plan.dstBuffer);
    bool taken = false;
    for (const Result &r : results_) taken |= b.kind() == isa::proto::ARGUMENT && r.alias == b.index();
    if (b.kind() != isa::proto::CONSTANT && (b.kind() != isa::proto::ARGUMENT || taken)) continue;
    error = which("a DMA writes to buffer", plan.dstBuffer) + ", which is only read";
    return false;
  }
  return true;
}

const isa::proto::Buffer &Executor::argument(int i) const { return exe_.index.buffers(arguments_[i].buffer); }
const isa::proto::Buffer &Executor::result(int i) const { return exe_.index.buffers(results_[i].buffer); }

bool Executor::bindArgument(int i, std::span<const uint8_t> bytes, std::string &error) {
  if (i < 0 || i >= numArguments() || bytes.size() != argument(i).size()) {
    error = i < 0 || i >= numArguments() ? "there is no " + which("argument", i)
                                         : which("argument", i) + " expects " + std::to_string(argument(i).size()) + " bytes, but got " +
                                               std::to_string(bytes.size());
    return false;
  }
  arguments_[i].data = bytes.data();
  arguments_[i].donated = nullptr;
  return true;
}

bool Executor::donateArgument(int i, DeviceArray array, std::string &error) {
  if (!bindArgument(i, {array->data(), array->size()}, error)) return false;
  arguments_[i].donated = std::move(array);
  return true;
}

// Each result gets memory that nobody else holds; one that takes over an argument starts with its contents.
bool Executor::placeResults(std::string &error) {
  for (int i = 0; i < numResults(); ++i) {
    Result &r = results_[i];
    size_t size = result(i).size();
    Argument *from = r.alias >= 0 ? &arguments_[r.alias] : nullptr;
    if (from && from->donated) {
      r.array = std::move(from->donated);
      from->data = nullptr;  // gone with this run
    } else {
      if (!r.array || r.array.use_count() > 1) r.array = std::make_shared<device::Mapping>(size);
      if (size && !r.array->data()) {
        error = "out of host memory for " + which("result", i);
        return false;
      }
      if (from && size) std::memcpy(r.array->data(), from->data, size);
    }
    hbm_[r.buffer] = {r.array->data(), static_cast<int64_t>(size), true};
    if (from) hbm_[arguments_[r.alias].buffer] = hbm_[r.buffer];
  }
  return true;
}

bool Executor::run(RunError &error, ControlTrace *trace) {
  error = RunError();
  for (int i = 0; i < numArguments(); ++i) {
    if (arguments_[i].data || argument(i).size() == 0) continue;
    error.message = which("argument", i) + " is not bound";
    return false;
  }
  for (int i = 0; i < exe_.index.buffers_size(); ++i) {
    const isa::proto::Buffer &b = exe_.index.buffers(i);
    if (b.kind() == isa::proto::ARENA) hbm_[i] = {arena_.data() + b.offset(), static_cast<int64_t>(b.size()), true};
    if (b.kind() == isa::proto::CONSTANT) hbm_[i] = {const_cast<uint8_t *>(exe_.constants.data()) + b.offset(), static_cast<int64_t>(b.size()), false};
    if (b.kind() == isa::proto::ARGUMENT) hbm_[i] = {const_cast<uint8_t *>(arguments_[b.index()].data), static_cast<int64_t>(b.size()), false};
  }
  if (!placeResults(error.message) || (options_.checking && !placeShadows(error.message))) return false;
  ++runs_;
  const DInst *at = machine_->run(hbm_, shadows_, trace, error.message);
  if (!at) return !options_.checking || checkResults(error.message);
  locate(*at, error);
  return false;
}

void Executor::locate(const DInst &at, RunError &error) const {
  error.bundle = at.bundle;
  for (const isa::proto::Routine &r : exe_.index.routines())
    if (at.bundle >= r.bundle() && at.bundle - r.bundle() < r.bundles()) error.routine = r.name();
  for (const isa::SourceLine &line : exe_.sourceMap)
    if (line.bundle <= at.bundle) error.location = line.location;
  std::vector<uint32_t> starts = exe_.bundleStarts();
  for (uint32_t k = starts[at.bundle]; k < starts[at.bundle + 1]; ++k)
    if (exe_.code[k].op == at.op && exe_.code[k].dst == at.dst) {
      error.instruction = isa::format(exe_.code[k]);
      break;
    }
}

Statistics Executor::statistics() const {
  Statistics s;
  s.runs = runs_;
  std::vector<uint64_t> counts = machine_->blockCounts();
  for (size_t b = 0; b < counts.size(); ++b) {
    const BlockCounts &block = program_.blocks[b];
    s.bundles += counts[b] * block.bundles;
    if (block.loopEnd) s.loopIterations += counts[b];
    for (size_t u = 0; u < s.issues.size(); ++u) s.issues[u] += counts[b] * block.units[u];
    for (size_t k = 0; k < s.pushes.size(); ++k) s.pushes[k] += counts[b] * block.pushes[k];
    for (int from = 0; from < 3; ++from)
      for (int to = 0; to < 3; ++to) s.dmaBytes[from][to] += counts[b] * block.dmaBytes[from][to];
  }
  return s;
}

}  // namespace tpuc::exec
