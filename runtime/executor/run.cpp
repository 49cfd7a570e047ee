// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running a loaded program: its buffers get their places, the machine the rest.
#include <cstring>

#include "runtime/executor/links.h"
#include "runtime/executor/loaded_program.h"

namespace tpuc::exec {

bool LoadedProgram::run(Run &run, RunError &error) {
  error = RunError();
  if (!checkArguments(run, error.message)) return false;
  std::unique_lock lock(device_->running());
  if (withHost_) {
    if (!twin_ && !(twin_ = load(exe_, device_, options_, error.message))) return false;
    const std::shared_ptr<LoadedProgram> twin = twin_;
    lock.unlock();
    return twin->run(run, error);
  }
  bool ok = begin(run, nullptr, 0, error);
  if (ok) {
    const Machine::Outcome outcome = machine(run).go(hostOf(run, lock), error.message);
    ok = finish(run, outcome, error);
  }
  arena_.reset();
  if (!ok) run.results.clear();
  return ok;
}

bool LoadedProgram::begin(Run &run, Links *links, int chip, RunError &error) {
  Entry &entry = entries_[run.entry];
  Cores *const cores = this->cores(entry);
  if (!cores) {
    error.message = "out of host memory";
    error.outOfMemory = true;
    return false;
  }
  if (!placeArena(run, error) || !placeResults(run, error) ||
      (device_->checking() && !placeShadows(run, error.message)))
    return false;
  ++runs_;
  if (options_.interrupted || options_.maxBlocks) countsBefore_ = entry.machine->mainBlockCounts();
  entry.machine->join(links, chip);
  const SystemWords system =
      links ? systemWords(run, chip, links->chips()) : systemWords(run, device_->id(), device_->numDevices());
  entry.machine->start(*cores, program_->entries[run.entry], hbm_, shadows_, system, run.trace);
  return true;
}

bool LoadedProgram::finish(Run &run, Machine::Outcome outcome, RunError &error) {
  const bool ok = outcome == Machine::Outcome::Ended && (!device_->checking() || checkResults(run, error.message));
  if (outcome == Machine::Outcome::Stopped) {
    const DInst *at = machine(run).stoppedAt();
    locate(*at, error, machine(run));
    error.ofHost = at->op == isa::Op::HostCall && run.host;
  }
  return ok;
}

Host LoadedProgram::hostOf(const Run &run, std::unique_lock<std::mutex> &lock) {
  Host host;
  host.function = run.host ? &run.host : nullptr;
  host.leave = [this, &lock] {
    withHost_ = true;
    lock.unlock();
  };
  host.enter = [this, &lock] {
    lock.lock();
    withHost_ = false;
  };
  return host;
}

// Shared by all programs; in the checking mode, and with host calls, their own, as large as they ask for and no larger.
Cores *LoadedProgram::cores(Entry &entry) {
  if (!device_->checking() && !callsHost_) return device_->cores(entry.sizes);
  if (!entry.own) {
    entry.own = std::make_unique<Cores>(device_->shape(), entry.sizes, device_->kernels(), device_->checking());
    if (!entry.own->init()) entry.own.reset();
  }
  return entry.own.get();
}

bool LoadedProgram::checkArguments(const Run &run, std::string &error) const {
  if (run.entry < 0 || run.entry >= exe_->numEntries()) {
    error = "there is no entry " + std::to_string(run.entry);
    return false;
  }
  const int expected = numArguments(run.entry);
  if (static_cast<int>(run.arguments.size()) > expected) {
    error = "expects " + std::to_string(expected) + " arguments, but got " + std::to_string(run.arguments.size());
    return false;
  }
  for (int i = 0; i < expected; ++i) {
    const DeviceArray array = i < static_cast<int>(run.arguments.size()) ? run.arguments[i].array : nullptr;
    const uint64_t size = argument(i, run.entry).size();
    if (array ? array->size() == size : size == 0) continue;
    error = "argument " + std::to_string(i) +
            (array ? " expects " + std::to_string(size) + " bytes, but got " + std::to_string(array->size())
                   : " is not bound");
    return false;
  }
  const isa::proto::Entry &entry = exe_->index.entries(run.entry);
  for (size_t s = 0; s < run.extents.size(); ++s) {
    if (run.extents.size() == static_cast<size_t>(entry.extents_size()) && run.extents[s] >= 0 &&
        run.extents[s] <= entry.extents(static_cast<int>(s)))
      continue;
    error = "the entry does not hold these extents";
    return false;
  }
  return true;
}

// The arena, the constants and the arguments.
bool LoadedProgram::placeArena(const Run &run, RunError &error) {
  const isa::proto::Entry &entry = exe_->index.entries(run.entry);
  if (entry.arena_bytes()) {
    arena_ = device_->hbm().allocate(entry.arena_bytes(), entries_[run.entry].arena, error.message);
    error.outOfMemory = !arena_;
    if (!arena_) return false;
  }
  uint8_t *const arena = arena_ ? arena_->data() : nullptr;
  const isa::Extents extents = extentsOf(run);
  for (size_t s = 0; s < extents_.size(); ++s) {
    const auto size = static_cast<int32_t>(extents[s]);
    if (extents_[s]) std::memcpy(extents_[s]->data(), &size, sizeof size);
  }
  for (int i = 0; i < exe_->index.buffers_size(); ++i) {
    const isa::proto::Buffer &b = exe_->index.buffers(i);
    const auto size = static_cast<int64_t>(b.size());
    hbm_[i] = {};
    if (!isa::Executable::has(b, run.entry)) continue;
    if (b.kind() == isa::proto::ARENA && arena) hbm_[i] = {arena + b.offset(), size, true};
    if (b.kind() == isa::proto::CONSTANT)
      hbm_[i] = {const_cast<uint8_t *>(exe_->constants.data()) + b.offset(), size, false};
    if (b.extent())
      hbm_[i] = {extents_[b.extent() - 1]->data(), size, false};
    else if (b.kind() == isa::proto::ARGUMENT && size)
      hbm_[i] = {run.arguments[b.index()].array->data(), size, false};
  }
  return true;
}

// Each result gets memory that nobody else holds; one that takes over an argument starts with its contents.
bool LoadedProgram::placeResults(Run &run, RunError &error) {
  const Entry &entry = entries_[run.entry];
  run.results.resize(entry.results.size());
  for (size_t i = 0; i < entry.results.size(); ++i) {
    const Result &r = entry.results[i];
    const uint64_t size = exe_->index.buffers(r.buffer).size();
    DeviceArray &array = run.results[i];
    Run::Argument *from = r.alias >= 0 && size ? &run.arguments[r.alias] : nullptr;
    if (from && from->donated && from->array.use_count() == 1) {
      array = from->array;
    } else {
      if (array && array.use_count() == 1 && array->size() == size && !from) {
        // the caller gave it back
      } else {
        array = device_->hbm().allocate(size, r.label, error.message);
      }
      error.outOfMemory = !array;
      if (!array) return false;
      if (from) std::memcpy(array->data(), from->array->data(), size);
    }
    hbm_[r.buffer] = {array->data(), static_cast<int64_t>(size), true};
    if (from) hbm_[entry.arguments[r.alias]] = hbm_[r.buffer];
  }
  return true;
}

SystemWords LoadedProgram::systemWords(const Run &run, int chip, int chips) const {
  SystemWords system;
  const isa::proto::Index &index = exe_->index;
  if (!index.has_system()) return system;
  system.offset = static_cast<int64_t>(index.system().offset());
  system.words = {chip, chips};
  for (int64_t extent : extentsOf(run)) system.words.push_back(static_cast<int32_t>(extent));
  return system;
}

std::string LoadedProgram::locationOf(uint32_t bundle) const {
  std::string location;
  for (const isa::SourceLine &line : exe_->sourceMap)
    if (line.bundle <= bundle) location = line.location;
  return location;
}

// The block of the entry that ran most often: a program's own loops are there, and kernels' in routines.
void LoadedProgram::findLoop(RunError &error, const Machine &machine) const {
  const std::vector<uint64_t> &counts = machine.mainBlockCounts();
  for (size_t b = 0; b < counts.size(); ++b) {
    const uint64_t rounds = counts[b] - (b < countsBefore_.size() ? countsBefore_[b] : 0);
    if (rounds <= error.rounds) continue;
    error.rounds = rounds;
    error.loopLocation = locationOf(program_->blocks[b].bundle);
  }
}

void LoadedProgram::locate(const DInst &at, RunError &error, const Machine &machine) const {
  if (error.message == kTooManyBlocks) error.why = RunError::Why::TooLong;
  if (error.message == kInterrupted) error.why = RunError::Why::Interrupted;
  if (error.why != RunError::Why::Fault) findLoop(error, machine);
  error.bundle = at.bundle;
  for (const isa::proto::Routine &r : exe_->index.routines())
    if (at.bundle >= r.bundle() && at.bundle - r.bundle() < r.bundles()) error.routine = r.name();
  error.location = locationOf(at.bundle);
  std::vector<uint32_t> starts = exe_->bundleStarts();
  for (uint32_t k = starts[at.bundle]; k < starts[at.bundle + 1]; ++k)
    if (exe_->code[k].op == at.op && exe_->code[k].dst == at.dst) {
      error.instruction = isa::format(exe_->code[k]);
      break;
    }
}

}  // namespace tpuc::exec
