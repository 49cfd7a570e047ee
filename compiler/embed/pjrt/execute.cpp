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

namespace tpuc::pjrt {
namespace {

constexpr int64_t kShort =
    200000;  // nanoseconds: a few times what handing a run to another thread and hearing of its end takes

// A run on its way.
struct Pending {
  std::shared_ptr<exec::LoadedProgram> loaded;
  std::shared_ptr<CompiledProgram> program;
  struct Argument {
    std::shared_ptr<Held> held;
    bool donated;
  };
  std::vector<Argument> arguments;
  std::vector<std::shared_ptr<Held>> results;
  std::shared_ptr<Event> done;
  std::shared_ptr<std::atomic<int64_t>> nanoseconds;  // how long the program's last run took
};

bool isReady(const Pending &p) {
  return std::all_of(p.arguments.begin(), p.arguments.end(),
                     [](const Pending::Argument &a) { return a.held->ready->ready(); });
}

// Calls `then` once, when all arguments are there.
void whenReady(Pending &p, std::function<void()> then) {
  auto missing = std::make_shared<std::atomic<size_t>>(p.arguments.size());
  auto one = [missing, then = std::move(then)](const Status &) {
    if (missing->fetch_sub(1) == 1) then();
  };
  // The last call may let go of the run's arguments.
  std::vector<std::shared_ptr<Event>> events;
  for (const Pending::Argument &a : p.arguments) events.push_back(a.held->ready);
  for (const auto &event : events) event->onReady(one);
}

// The argument's memory; the run's alone when it is donated.
Status take(Pending &p, size_t i, exec::Run::Argument &out) {
  Held &held = *p.arguments[i].held;
  Status status = held.ready->wait();
  if (!status.ok()) return status;
  std::shared_ptr<Array> array = p.arguments[i].donated ? held.take() : held.get();
  if (!array) return invalidArgument(absl::StrCat("argument ", i, " was deleted or donated"));
  device::Hbm &hbm = p.loaded->device().hbm();
  out.donated = p.arguments[i].donated;
  const isa::ArrayLayout &wanted = p.program->arguments[i].layout;
  const bool liesSo = array->layout().order == wanted.order;
  if (liesSo && array->memory()->hbm() == &hbm) {
    out.array = out.donated && array.use_count() == 1 ? array->take() : array->memory();
    return okStatus();
  }
  // From the host's memory, or from another order; the copy is this run's alone.
  std::string error;
  out.array = hbm.allocate(wanted.bytes, std::make_shared<const std::string>(absl::StrCat("argument ", i)), error);
  out.donated = true;
  if (!out.array) return resourceExhausted(error);
  if (liesSo)
    std::memcpy(out.array->data(), array->data(), out.array->size());
  else
    reorder(*array, wanted, out.array->data());
  return okStatus();
}

Status runNow(Pending &p) {
  exec::Run run;
  run.arguments.resize(p.arguments.size());
  for (size_t i = 0; i < p.arguments.size(); ++i)
    if (Status status = take(p, i, run.arguments[i]); !status.ok()) return status;
  p.arguments.clear();
  // Python may use the device while it is called.
  run.host = [&](uint64_t id, std::span<const exec::HostArray> operands, std::span<const exec::HostArray> results,
                 std::string &error) {
    p.loaded->device().queue().stepAside();
    return callHost(id, operands, results, error);
  };
  exec::RunError stopped;
  if (!p.loaded->run(run, stopped)) {
    if (stopped.outOfMemory) return resourceExhausted(stopped.message);
    if (stopped.ofHost)
      return internal(absl::StrCat(stopped.message, stopped.location.empty() ? "" : "\ncalled at ", stopped.location));
    return internal(absl::StrCat("the machine stopped: ", stopped.text()));
  }
  for (size_t i = 0; i < p.results.size(); ++i) {
    auto placed = moved(std::move(run.results[i]), *p.results[i]->memory);
    if (!placed.ok()) return placed.status();
    p.results[i]->set(std::make_shared<Array>(p.program->results[i].layout, std::move(*placed)));
  }
  return okStatus();  // and memory that was donated is free before anyone hears of it
}

void run(Pending &p) {
  const auto start = std::chrono::steady_clock::now();
  Status status = runNow(p);
  p.nanoseconds->store(std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count(),
                       std::memory_order_relaxed);
  p.done->set(std::move(status));
}

// Runs are done as they were asked for. One whose arguments come from a run that has stepped aside, or from another
// thread, keeps nobody waiting: it comes back when they are there.
void runInTurn(const std::shared_ptr<Pending> &p) {
  device::Queue &queue = p->loaded->device().queue();
  const bool isShort = p->nanoseconds->load(std::memory_order_relaxed) < kShort && isReady(*p);
  if (isShort && queue.tryNow([&] { run(*p); })) return;
  queue.push([p, &queue] {
    if (isReady(*p)) return run(*p);
    whenReady(*p, [p, &queue] { queue.push([p] { run(*p); }); });
  });
}

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

StatusOr<std::unique_ptr<PJRT_LoadedExecutable>> PJRT_LoadedExecutable::load(PJRT_Client *client,
                                                                             std::shared_ptr<CompiledProgram> program) {
  auto loaded = std::make_unique<PJRT_LoadedExecutable>();
  loaded->client = client;
  loaded->device = client->deviceList.front();
  for (int64_t id : program->options.devices)
    if (id != loaded->device->description->id)
      return invalidArgument(absl::StrCat("the device assignment names device ", id, ", which is not there"));
  if (target::digest(program->target) != target::digest(client->topology->chip))
    return failedPrecondition(absl::StrCat("the program is for ", program->target.name(), ", but the device is a ",
                                           client->topology->chip.name()));
  std::string error;
  loaded->loaded_ = exec::LoadedProgram::load(program->exe, loaded->device->chip, {}, error);
  if (!loaded->loaded_) return resourceExhausted(error);
  loaded->program = std::move(program);
  return loaded;
}

void PJRT_LoadedExecutable::unload() {
  std::lock_guard lock(mutex_);
  deleted = true;
  loaded_.reset();
}

Status PJRT_LoadedExecutable::checkArgument(size_t i, const PJRT_Buffer &buffer) const {
  const ProgramArray &expected = program->arguments[i];
  if (buffer.type != expected.type || buffer.dims != expected.dims)
    return invalidArgument(absl::StrCat("argument ", i, " expects ", shapeText(expected.type, expected.dims),
                                        ", but got ", shapeText(buffer.type, buffer.dims)));
  return okStatus();
}

StatusOr<std::vector<std::unique_ptr<PJRT_Buffer>>> PJRT_LoadedExecutable::run(
    const std::vector<PJRT_Buffer *> &arguments, const std::vector<bool> &keep, std::shared_ptr<Event> &done) {
  auto p = std::make_shared<Pending>();
  {
    std::lock_guard lock(mutex_);
    p->loaded = loaded_;
  }
  if (!p->loaded) return failedPrecondition("the program was deleted");
  if (arguments.size() != program->arguments.size())
    return invalidArgument(
        absl::StrCat("the program expects ", program->arguments.size(), " arguments, but got ", arguments.size()));
  std::vector<bool> donated(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i)
    donated[i] = program->arguments[i].donated && !keep[i] && !arguments[i]->isShared();
  if (Status status = checkDonatedOnce(arguments, donated); !status.ok()) return status;
  for (size_t i = 0; i < arguments.size(); ++i)
    if (Status status = checkArgument(i, *arguments[i]); !status.ok()) return status;

  p->program = program;
  p->done = done = std::make_shared<Event>();
  p->nanoseconds = nanoseconds_;
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::shared_ptr<Held> held = arguments[i]->hold();
    if (!held) return invalidArgument(absl::StrCat("argument ", i, " was deleted or donated"));
    p->arguments.push_back({std::move(held), donated[i]});
  }
  for (size_t i = 0; i < arguments.size(); ++i)
    if (donated[i]) arguments[i]->release();
  std::vector<std::unique_ptr<PJRT_Buffer>> results;
  for (const ProgramArray &result : program->results) {
    auto &buffer =
        results.emplace_back(std::make_unique<PJRT_Buffer>(device->memories[result.onHost], result.type, result.dims));
    buffer->minorToMajor = result.minorToMajor;
    buffer->setReady(done);
    p->results.push_back(buffer->hold());
  }
  runInTurn(p);
  return results;
}

}  // namespace tpuc::pjrt
