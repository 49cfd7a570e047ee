// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/executor/slice.h"

#include <algorithm>
#include <mutex>

#include "runtime/executor/check_remote.h"

namespace tpuc::exec {

struct LoadedSlice::State {
  std::vector<std::unique_lock<std::mutex>> locks;
  std::vector<RemoteTransfers> remote;  // checking mode
  std::vector<Machine::Outcome> outcomes;
  std::vector<std::string> messages;
};

std::shared_ptr<LoadedSlice> LoadedSlice::load(std::shared_ptr<const isa::Executable> exe,
                                               std::vector<std::shared_ptr<Device>> devices, const LoadOptions &options,
                                               std::string &error) {
  const size_t expected = std::max<uint32_t>(exe->index.num_devices(), 1);
  if (devices.size() != expected) {
    error = "the program is for " + std::to_string(expected) + " devices, but gets " + std::to_string(devices.size());
    return nullptr;
  }
  std::shared_ptr<LoadedSlice> slice(
      new LoadedSlice(static_cast<int>(devices.size()), exe->index.chip_semaphores_size()));
  LoadOptions each = options;
  each.inSlice = true;
  for (const std::shared_ptr<Device> &device : devices) {
    const LoadedProgram *first = slice->programs_.empty() ? nullptr : slice->programs_[0].get();
    std::shared_ptr<LoadedProgram> program = LoadedProgram::load(exe, device, each, error, first);
    if (!program) return nullptr;
    slice->programs_.push_back(std::move(program));
  }
  return slice;
}

bool LoadedSlice::run(std::vector<Run> &runs, RunError &error) {
  error = RunError();
  State state;
  // In one order, whatever the chips' numbers: other slices may have the same devices.
  std::vector<Device *> devices;
  for (const auto &p : programs_) devices.push_back(&p->device());
  std::sort(devices.begin(), devices.end());
  for (Device *d : devices) state.locks.emplace_back(d->running());
  bool ok = begin(runs, state, error);
  if (ok) {
    Device &first = programs_[0]->device();
    // Checkers look at each other's chips.
    const int threads = first.checking() ? 1 : std::min(first.threads(), chips());
    if (threads == 1)
      work(runs, state);
    else
      first.pool().run(threads, [&](int, int) { work(runs, state); });
    ok = finish(runs, state, error);
  }
  for (int c = 0; c < chips(); ++c) {
    if (programs_[c]->device().checking())
      if (Checker *checker = links_.checker(c)) checker->remote = nullptr;
    programs_[c]->release();
    if (!ok) runs[c].results.clear();
  }
  return ok;
}

bool LoadedSlice::begin(std::vector<Run> &runs, State &state, RunError &error) {
  state.remote.reserve(chips());
  for (int c = 0; c < chips(); ++c) links_.place(c, {}, nullptr);
  for (int c = 0; c < chips(); ++c) {
    if (!programs_[c]->checkArguments(runs[c], error.message) || !programs_[c]->begin(runs[c], &links_, c, error)) {
      error.chip = c;
      return false;
    }
    Checker *checker = programs_[c]->machine(runs[c]).checker();
    links_.place(c, programs_[c]->buffers(), checker);
    if (checker) checker->remote = &state.remote.emplace_back(c, chips());
  }
  state.outcomes.assign(chips(), Machine::Outcome::Waits);
  state.messages.resize(chips());
  links_.start();
  return true;
}

void LoadedSlice::work(std::vector<Run> &runs, State &state) {
  for (int c; (c = links_.next()) >= 0;) {
    Host host;
    host.function = runs[c].host ? &runs[c].host : nullptr;
    host.leave = host.enter = [] {};
    Machine &machine = programs_[c]->machine(runs[c]);
    state.outcomes[c] = machine.go(host, state.messages[c]);
    if (state.outcomes[c] == Machine::Outcome::Waits)
      links_.waits(c, machine.wait());
    else
      links_.ends(c);
  }
}

// The first chip that a fault stopped; a deadlock, if there is none.
bool LoadedSlice::finish(std::vector<Run> &runs, State &state, RunError &error) {
  bool waits = false;
  for (int c = 0; c < chips(); ++c) {
    waits |= state.outcomes[c] == Machine::Outcome::Waits;
    if (state.outcomes[c] == Machine::Outcome::Waits) continue;
    RunError one;
    one.message = state.messages[c];
    if (programs_[c]->finish(runs[c], state.outcomes[c], one)) continue;
    error = one;
    error.chip = c;
    return false;
  }
  if (waits) error = deadlock();
  return !waits;
}

RunError LoadedSlice::deadlock() const {
  RunError error;
  error.why = RunError::Why::Deadlock;
  error.message = "deadlock: no chip can go on";
  const isa::proto::Index &index = programs_[0]->executable().index;
  for (int c = 0; c < chips(); ++c) {
    const ChipWait &wait = links_.wait(c);
    std::string text = "chip " + std::to_string(c);
    if (!wait.at) {
      error.waits.push_back(text + " has ended");
      continue;
    }
    const isa::proto::ChipSemaphore &semaphore = index.chip_semaphores(wait.semaphore);
    const std::string location = programs_[c]->locationOf(wait.at->bundle);
    text += " waits in " + (semaphore.collective().empty() ? "a transfer" : semaphore.collective());
    if (!semaphore.groups().empty()) text += " " + semaphore.groups();
    error.waits.push_back(text +
                          (location.empty() ? ", bundle " + std::to_string(wait.at->bundle) : " at " + location));
    if (error.location.empty()) error.location = location;
  }
  return error;
}

Statistics LoadedSlice::statistics() const {
  Statistics sum;
  for (const auto &program : programs_) {
    const Statistics one = program->statistics();
    sum.runs = one.runs;
    sum.bundles += one.bundles;
    sum.loopIterations += one.loopIterations;
    for (size_t k = 0; k < sum.issues.size(); ++k) sum.issues[k] += one.issues[k];
    for (size_t k = 0; k < sum.pushes.size(); ++k) sum.pushes[k] += one.pushes[k];
    for (size_t a = 0; a < 3; ++a)
      for (size_t b = 0; b < 3; ++b) sum.dmaBytes[a][b] += one.dmaBytes[a][b];
  }
  return sum;
}

}  // namespace tpuc::exec
