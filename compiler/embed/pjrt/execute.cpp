// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs of loaded programs. What a caller hands over is held at once; the run itself waits for its turn on the device,
// or is done now when it is short and nothing waits.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <map>

#include "absl/strings/str_cat.h"
#include "compiler/embed/pjrt/host_calls_extension.h"
#include "compiler/embed/pjrt/program.h"
#include "llvm/ADT/STLExtras.h"

namespace tpuc::pjrt {
namespace {

constexpr int64_t kShort =
    200000;  // nanoseconds: a few times what handing a run to another thread and hearing of its end takes

// An array that is given up is nobody else's argument.
Status checkDonatedOnce(const std::vector<PJRT_Buffer *> &arguments, const std::vector<bool> &donated) {
  std::map<const PJRT_Buffer *, size_t> seen;
  for (size_t i = 0; i < arguments.size(); ++i) {
    auto [it, added] = seen.emplace(arguments[i], i);
    if (!added && (donated[i] || donated[it->second]))
      return invalidArgument(
          absl::StrCat("arguments ", it->second, " and ", i,
                       " are the same array, which is donated: expects another array, or no donation"));
  }
  return okStatus();
}

}  // namespace

// A run on its way.
struct PJRT_LoadedExecutable::Pending {
  std::shared_ptr<exec::LoadedProgram> loaded;
  std::shared_ptr<exec::LoadedSlice> slice;
  std::shared_ptr<CompiledProgram> program;
  struct Argument {
    std::shared_ptr<Held> held;
    bool donated;
  };
  struct Chip {
    std::vector<Argument> arguments;
    std::vector<std::shared_ptr<Held>> results;
  };
  std::vector<Chip> chips;
  std::shared_ptr<Event> done;
  std::shared_ptr<std::atomic<int64_t>> nanoseconds;  // how long the program's last run took

  exec::Device &device(size_t chip) { return slice ? slice->chip(static_cast<int>(chip)).device() : loaded->device(); }
  bool run(std::vector<exec::Run> &runs, exec::RunError &error) {
    return slice ? slice->run(runs, error) : loaded->run(runs[0], error);
  }
  Status take(size_t chip, size_t i, exec::Run::Argument &out);
  StatusOr<exec::DeviceArray> placeResult(exec::DeviceArray array, size_t i, const PJRT_Memory &memory) const;
};

bool PJRT_LoadedExecutable::isReady(const Pending &p) {
  for (const Pending::Chip &chip : p.chips)
    for (const Pending::Argument &a : chip.arguments)
      if (!a.held->ready->ready()) return false;
  return true;
}

// Calls `then` once, when all arguments are there.
void PJRT_LoadedExecutable::whenReady(Pending &p, std::function<void()> then) {
  // The last call may let go of the run's arguments.
  std::vector<std::shared_ptr<Event>> events;
  for (const Pending::Chip &chip : p.chips)
    for (const Pending::Argument &a : chip.arguments) events.push_back(a.held->ready);
  auto missing = std::make_shared<std::atomic<size_t>>(events.size());
  auto one = [missing, then = std::move(then)](const Status &) {
    if (missing->fetch_sub(1) == 1) then();
  };
  for (const auto &event : events) event->onReady(one);
}

// The argument's memory; the run's alone when it is donated.
Status PJRT_LoadedExecutable::Pending::take(size_t chip, size_t i, exec::Run::Argument &out) {
  const Argument &argument = chips[chip].arguments[i];
  Held &held = *argument.held;
  Status status = held.ready->wait();
  if (!status.ok()) return status;
  std::shared_ptr<Array> array = argument.donated ? held.take() : held.get();
  if (!array) return invalidArgument(absl::StrCat("argument ", i, " was deleted or donated"));
  device::Hbm &hbm = device(chip).hbm();
  out.donated = argument.donated;
  const ProgramArray &own = program->arguments[i];
  const isa::ArrayLayout &wanted = own.inBucket ? *own.inBucket : own.layout;
  const bool liesSo = !own.inBucket && array->layout().order == wanted.order;
  if (liesSo && array->memory()->hbm() == &hbm) {
    out.array = out.donated && array.use_count() == 1 ? array->take() : array->memory();
    return okStatus();
  }
  // From the host's memory, another device's, another order, or into a bucket; the copy is this run's alone.
  std::string error;
  out.array = hbm.allocate(wanted.bytes, std::make_shared<const std::string>(absl::StrCat("argument ", i)), error);
  out.donated = true;
  if (!out.array) return resourceExhausted(error);
  if (liesSo)
    std::memcpy(out.array->data(), array->data(), out.array->size());
  else
    reorder(*array, wanted, out.array->data(), device(chip).checking() ? device::kGarbageFill : device::kZeroFill);
  return okStatus();
}

// What the caller gets of a result, in its memory.
StatusOr<exec::DeviceArray> PJRT_LoadedExecutable::Pending::placeResult(exec::DeviceArray array, size_t i,
                                                                        const PJRT_Memory &memory) const {
  const ProgramArray &own = program->results[i];
  if (!own.inBucket) return moved(std::move(array), memory);
  static const auto label = std::make_shared<const std::string>("a result");
  std::string error;
  exec::DeviceArray part = memory.place->allocate(own.layout.bytes, label, error);
  if (!part) return resourceExhausted(error);
  cut(*own.inBucket, array->data(), own.layout, part->data());
  return part;
}

Status PJRT_LoadedExecutable::runNow(Pending &p) {
  std::vector<exec::Run> runs(p.chips.size());
  for (size_t c = 0; c < runs.size(); ++c) {
    runs[c].extents = p.program->extents;
    runs[c].arguments.resize(p.chips[c].arguments.size());
    for (size_t i = 0; i < runs[c].arguments.size(); ++i)
      if (Status status = p.take(c, i, runs[c].arguments[i]); !status.ok()) return status;
    p.chips[c].arguments.clear();
    // Python may use the device while it is called.
    runs[c].host = [&p](uint64_t id, std::span<const exec::HostArray> operands,
                        std::span<const exec::HostArray> results, std::string &error) {
      p.device(0).queue().stepAside();
      return callHost(id, operands, results, error);
    };
  }
  exec::RunError stopped;
  if (!p.run(runs, stopped)) {
    if (stopped.outOfMemory) return resourceExhausted(stopped.message);
    if (stopped.ofHost)
      return internal(absl::StrCat(stopped.message, stopped.location.empty() ? "" : "\ncalled at ", stopped.location));
    return internal(absl::StrCat("the machine stopped: ", stopped.text()));
  }
  for (size_t c = 0; c < runs.size(); ++c)
    for (size_t i = 0; i < p.chips[c].results.size(); ++i) {
      auto placed = p.placeResult(std::move(runs[c].results[i]), i, *p.chips[c].results[i]->memory);
      if (!placed.ok()) return placed.status();
      p.chips[c].results[i]->set(std::make_shared<Array>(p.program->results[i].layout, std::move(*placed)));
    }
  return okStatus();  // and memory that was donated is free before anyone hears of it
}

void PJRT_LoadedExecutable::runTimed(Pending &p) {
  const auto start = std::chrono::steady_clock::now();
  Status status = runNow(p);
  p.nanoseconds->store(std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count(),
                       std::memory_order_relaxed);
  p.done->set(std::move(status));
}

// Runs are done as they were asked for; those of several devices in the first one's turn. One whose arguments come from
// a run that has stepped aside, from another device, or from another thread, keeps nobody waiting: it comes back when
// they are there.
void PJRT_LoadedExecutable::runInTurn(const std::shared_ptr<Pending> &p) {
  device::Queue &queue = p->device(0).queue();
  const bool isShort = p->nanoseconds->load(std::memory_order_relaxed) < kShort && isReady(*p);
  if (isShort && queue.tryNow([&] { runTimed(*p); })) return;
  queue.push([p, &queue] {
    if (isReady(*p)) return runTimed(*p);
    whenReady(*p, [p, &queue] { queue.push([p] { runTimed(*p); }); });
  });
}

StatusOr<std::unique_ptr<PJRT_LoadedExecutable>> PJRT_LoadedExecutable::load(PJRT_Client *client,
                                                                             std::shared_ptr<CompiledProgram> program) {
  auto loaded = std::make_unique<PJRT_LoadedExecutable>();
  loaded->client = client;
  const size_t count = std::max<uint32_t>(program->exe->index.num_devices(), 1);
  const size_t partitions = std::max<uint32_t>(program->exe->index.num_partitions(), 1);
  std::vector<int64_t> ids = program->options.devices;
  if (ids.empty())
    for (size_t i = 0; i < count && i < client->deviceList.size(); ++i)
      ids.push_back(client->deviceList[i]->description->id);
  if (ids.size() != count)
    return invalidArgument(
        absl::StrCat("the device assignment expects ", count, " devices, but there are ", ids.size()));
  for (int64_t id : ids) {
    auto it = llvm::find_if(client->deviceList, [&](PJRT_Device *d) { return d->description->id == id; });
    if (it == client->deviceList.end())
      return invalidArgument(absl::StrCat("the device assignment names device ", id, ", which is not there"));
    if (llvm::is_contained(loaded->devices, *it))
      return invalidArgument(absl::StrCat("the device assignment names device ", id, " twice"));
    const auto logical = static_cast<int>(loaded->devices.size()), columns = static_cast<int>(partitions);
    loaded->logicalIds.push_back({logical / columns, logical % columns});
    loaded->devices.push_back(*it);
  }
  if (target::digest(program->target) != target::digest(client->topology->chip))
    return failedPrecondition(absl::StrCat("the program is for ", program->target.name(), ", but the device is a ",
                                           client->topology->chip.name()));
  loaded->program = std::move(program);
  Pending placed;
  if (Status status = loaded->place(nullptr, placed); !status.ok()) return status;
  return loaded;
}

// Where it is not yet, the program is loaded.
Status PJRT_LoadedExecutable::place(PJRT_Device *device, Pending &p) {
  std::lock_guard lock(mutex_);
  if (deleted) return failedPrecondition("the program was deleted");
  std::string error;
  if (devices.size() > 1) {
    std::vector<std::shared_ptr<exec::Device>> chips;
    for (PJRT_Device *d : devices) chips.push_back(d->chip);
    if (!slice_ && !(slice_ = exec::LoadedSlice::load(program->exe, chips, {}, error))) return resourceExhausted(error);
    p.slice = slice_;
    return okStatus();
  }
  PJRT_Device *on = device ? device : devices.front();
  if (on != devices.front() && !program->options.portable)
    return invalidArgument("the program is not loaded on the device that is asked for");
  std::shared_ptr<exec::LoadedProgram> &loaded = loaded_[on];
  if (!loaded && !(loaded = exec::LoadedProgram::load(program->exe, on->chip, {}, error)))
    return resourceExhausted(error);
  p.loaded = loaded;
  return okStatus();
}

void PJRT_LoadedExecutable::unload() {
  std::lock_guard lock(mutex_);
  deleted = true;
  loaded_.clear();
  slice_.reset();
}

Status PJRT_LoadedExecutable::checkArgument(size_t i, const PJRT_Buffer &buffer) const {
  const ProgramArray &expected = program->arguments[i];
  if (buffer.type != expected.type || buffer.dims != expected.dims)
    return invalidArgument(absl::StrCat("argument ", i, " expects ", shapeText(expected.type, expected.dims),
                                        ", but got ", shapeText(buffer.type, buffer.dims)));
  return okStatus();
}

// One device's arguments.
Status PJRT_LoadedExecutable::hold(const std::vector<PJRT_Buffer *> &arguments, const std::vector<bool> &keep,
                                   Pending &p) const {
  if (arguments.size() != program->arguments.size())
    return invalidArgument(
        absl::StrCat("the program expects ", program->arguments.size(), " arguments, but got ", arguments.size()));
  std::vector<bool> donated(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i)
    donated[i] = program->arguments[i].donated && !keep[i] && !arguments[i]->isShared();
  if (Status status = checkDonatedOnce(arguments, donated); !status.ok()) return status;
  for (size_t i = 0; i < arguments.size(); ++i)
    if (Status status = checkArgument(i, *arguments[i]); !status.ok()) return status;
  Pending::Chip &chip = p.chips.emplace_back();
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::shared_ptr<Held> held = arguments[i]->hold();
    if (!held) return invalidArgument(absl::StrCat("argument ", i, " was deleted or donated"));
    chip.arguments.push_back({std::move(held), donated[i]});
  }
  return okStatus();
}

StatusOr<std::vector<std::vector<std::unique_ptr<PJRT_Buffer>>>> PJRT_LoadedExecutable::run(
    const BuffersByDevice &arguments, const std::vector<bool> &keep, PJRT_Device *device,
    std::shared_ptr<Event> &done) {
  auto p = std::make_shared<Pending>();
  if (Status status = place(device, *p); !status.ok()) return status;
  for (const std::vector<PJRT_Buffer *> &list : arguments)
    if (Status status = hold(list, keep, *p); !status.ok()) return status;
  p->program = program;
  p->done = done = std::make_shared<Event>();
  p->nanoseconds = nanoseconds_;
  for (size_t c = 0; c < arguments.size(); ++c)
    for (size_t i = 0; i < arguments[c].size(); ++i)
      if (p->chips[c].arguments[i].donated) arguments[c][i]->release();
  std::vector<std::vector<std::unique_ptr<PJRT_Buffer>>> results(arguments.size());
  for (size_t c = 0; c < arguments.size(); ++c)
    for (const ProgramArray &result : program->results) {
      PJRT_Device *on = devices.size() == 1 && device ? device : devices[c];
      auto &buffer =
          results[c].emplace_back(std::make_unique<PJRT_Buffer>(on->memories[result.onHost], result.type, result.dims));
      buffer->minorToMajor = result.minorToMajor;
      buffer->setReady(done);
      p->chips[c].results.push_back(buffer->hold());
    }
  runInTurn(p);
  return results;
}

}  // namespace tpuc::pjrt
