// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loading: what is checked and made once.
#include "runtime/executor/loaded_program.h"

#include <algorithm>

namespace tpuc::exec {
namespace {

using isa::Space;

std::string which(const char *what, int i) { return std::string(what) + " " + std::to_string(i); }

// "f32[8,128]"
device::Label labelOf(const isa::proto::Array &array, const std::string &what) {
  std::string text = array.type() + "[";
  for (int d = 0; d < array.dims_size(); ++d) text += (d ? "," : "") + std::to_string(array.dims(d));
  return std::make_shared<const std::string>(text + "] " + what);
}

}  // namespace

std::string RunError::text() const {
  std::string out = message;
  if (chip >= 0) out += " on chip " + std::to_string(chip);
  if (!routine.empty()) out += " in routine " + routine;
  if (bundle >= 0) out += ", bundle " + std::to_string(bundle);
  if (!instruction.empty()) out += ": " + instruction;
  if (!location.empty()) out += " (" + location + ")";
  if (rounds > 1)
    out += "; the loop at " + (loopLocation.empty() ? "an unknown place" : loopLocation) + " has gone round " +
           std::to_string(rounds) + " times";
  for (const std::string &wait : waits) out += "\n  " + wait;
  return out;
}

bool layoutOf(const isa::proto::Array &array, isa::ArrayLayout &layout, std::string &error) {
  std::vector<int64_t> dims(array.dims().begin(), array.dims().end());
  std::vector<int32_t> order(array.order().begin(), array.order().end());
  return isa::makeLayout(array.type(), dims, order, layout, error);
}

std::shared_ptr<LoadedProgram> LoadedProgram::load(std::shared_ptr<const isa::Executable> exe,
                                                   std::shared_ptr<Device> device, const LoadOptions &options,
                                                   std::string &error, const LoadedProgram *decoded) {
  std::shared_ptr<LoadedProgram> program(new LoadedProgram(std::move(exe), std::move(device), options));
  return program->init(decoded, error) ? program : nullptr;
}

LoadedProgram::LoadedProgram(std::shared_ptr<const isa::Executable> exe, std::shared_ptr<Device> device,
                             const LoadOptions &options)
    : exe_(std::move(exe)), device_(std::move(device)), options_(options) {}
LoadedProgram::~LoadedProgram() = default;

bool LoadedProgram::init(const LoadedProgram *decoded, std::string &error) {
  const isa::proto::Index &index = exe_->index;
  if (decoded) {
    program_ = decoded->program_;
  } else {
    error = isa::validate(*exe_);
    if (!error.empty() || !checkTarget(error)) return false;
    auto program = std::make_shared<Program>();
    if (!decode(*exe_, device_->shape(), device_->kernels(), {device_->checking(), options_.hotAfter}, *program, error))
      return false;
    program_ = std::move(program);
  }
  entries_.resize(index.entries_size());
  for (int e = 0; e < index.entries_size(); ++e)
    if (!findBuffers(e, error)) return false;
  if (!checkWrites(error)) return false;
  if (!exe_->constants.empty()) {
    constants_ = device_->hbm().allocate(
        exe_->constants.size(), std::make_shared<const std::string>("constants of " + index.module_name()), error);
    if (!constants_) return false;
  }
  hbm_.resize(index.buffers_size());
  for (int e = 0; e < index.entries_size(); ++e) {
    const isa::proto::Entry &entry = index.entries(e);
    const bool own = entry.vmem_bytes() > 0;
    entries_[e].sizes = {static_cast<int64_t>(own ? entry.vmem_bytes() : index.vmem_bytes()),
                         static_cast<int64_t>(own ? entry.vmem_shared_bytes() : index.vmem_shared_bytes()),
                         static_cast<int64_t>(index.smem_bytes()), static_cast<int>(index.semaphores())};
    makeMachine(entries_[e]);
  }
  return true;
}

bool LoadedProgram::checkTarget(std::string &error) const {
  const isa::proto::Index &index = exe_->index;
  if (index.num_devices() > static_cast<uint32_t>(device_->numDevices())) {
    error = "the program is for " + std::to_string(index.num_devices()) + " devices, but there are " +
            std::to_string(device_->numDevices());
    return false;
  }
  if (index.target().empty()) return true;  // assembly that names none
  target::Target target;
  if (!target::parseTarget(index.target(), target, error)) {
    error = "the executable's target cannot be read: " + error;
    return false;
  }
  if (index.vmem_bytes() <= target.core().vmem_bytes() && index.smem_bytes() <= target.core().smem_bytes()) return true;
  error = "the program takes more VMEM or SMEM than its target has";
  return false;
}

bool LoadedProgram::findBuffers(int e, std::string &error) {
  Entry &entry = entries_[e];
  entry.arena = std::make_shared<const std::string>("temporaries of " + exe_->index.module_name());
  for (int i = 0; i < exe_->index.buffers_size(); ++i) {
    const isa::proto::Buffer &b = exe_->index.buffers(i);
    if (!isa::Executable::has(b, e)) continue;
    const size_t needed = static_cast<size_t>(b.index()) + 1;
    if (b.kind() == isa::proto::ARGUMENT) {
      if (entry.arguments.size() < needed) entry.arguments.resize(needed, -1);
      entry.arguments[b.index()] = i;
      if (!b.extent()) entry.ownArguments = std::max(entry.ownArguments, b.index() + 1);
      if (!b.extent()) continue;
      extents_.resize(exe_->index.symbols_size());
      DeviceArray &extent = extents_[b.extent() - 1];
      if (!extent)
        extent = device_->hbm().allocate(
            b.size(), std::make_shared<const std::string>("a size of " + exe_->index.module_name()), error);
      if (!extent) return false;
    } else if (b.kind() == isa::proto::RESULT) {
      if (entry.results.size() < needed) entry.results.resize(needed);
      entry.results[b.index()] = {i, b.alias_argument() - 1, labelOf(b.array(), which("result", b.index()))};
    }
  }
  for (size_t i = 0; i < entry.arguments.size(); ++i)
    if (entry.arguments[i] < 0) error = which("argument", static_cast<int>(i)) + " has no buffer";
  for (size_t i = 0; i < entry.results.size(); ++i) {
    const Result &r = entry.results[i];
    if (r.buffer < 0)
      error = which("result", static_cast<int>(i)) + " has no buffer";
    else if (r.alias >= static_cast<int>(entry.arguments.size()) ||
             (r.alias >= 0 && argument(r.alias, e).size() != exe_->index.buffers(r.buffer).size()))
      error = which("result", static_cast<int>(i)) + " takes over an argument of another size";
  }
  return error.empty();
}

// Constants and arguments that no result takes over are only read.
bool LoadedProgram::checkWrites(std::string &error) const {
  for (const device::DmaPlan &plan : program_->plans) {
    if (plan.dstSpace != Space::Hbm) continue;
    const isa::proto::Buffer &b = exe_->index.buffers(plan.dstBuffer);
    bool taken = false;
    for (size_t e = 0; e < entries_.size(); ++e)
      if (isa::Executable::has(b, static_cast<int>(e)))
        for (const Result &r : entries_[e].results) taken |= b.kind() == isa::proto::ARGUMENT && r.alias == b.index();
    if (b.kind() != isa::proto::CONSTANT && (b.kind() != isa::proto::ARGUMENT || taken)) continue;
    error = which("a DMA writes to buffer", plan.dstBuffer) + ", which is only read";
    return false;
  }
  return true;
}

void LoadedProgram::makeMachine(Entry &entry) {
  HostCalls hostCalls(*exe_);
  callsHost_ = !hostCalls.empty();
  if (options_.inSlice && !alone_) alone_ = std::make_unique<device::ThreadPool>(1);
  entry.machine =
      std::make_unique<Machine>(*program_, std::move(hostCalls), device_->shape(), entry.sizes, device_->kernels(),
                                alone_ ? *alone_ : device_->pool(), alone_ ? 1 : device_->threads(),
                                device_->checking(), options_.maxBlocks, options_.interrupted);
  std::vector<ResidentRange> residents;
  for (const isa::proto::Resident &r : exe_->index.residents())
    residents.push_back({static_cast<int64_t>(r.offset()), static_cast<int64_t>(r.size()),
                         exe_->index.routines(r.first_routine()).bundle(),
                         exe_->index.routines(r.last_routine()).bundle()});
  entry.machine->setResidents(std::move(residents));
}

Statistics LoadedProgram::statistics() const {
  std::lock_guard lock(device_->running());
  Statistics s;
  s.runs = runs_;
  std::vector<uint64_t> counts(program_->blocks.size());
  for (const Entry &entry : entries_) {
    const std::vector<uint64_t> own = entry.machine->blockCounts();
    for (size_t b = 0; b < own.size(); ++b) counts[b] += own[b];
  }
  for (size_t b = 0; b < counts.size(); ++b) {
    const BlockCounts &block = program_->blocks[b];
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
