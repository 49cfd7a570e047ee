// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs of loaded programs.
#include <cstring>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "compiler/embed/pjrt/program.h"
#include "runtime/device/pack.h"

namespace tpuc::pjrt {
namespace {

std::string shapeText(PJRT_Buffer_Type type, const std::vector<int64_t> &dims) {
  return absl::StrCat(std::string(nameOf(type)), "[", absl::StrJoin(dims, ","), "]");
}

}  // namespace

StatusOr<std::unique_ptr<PJRT_LoadedExecutable>> PJRT_LoadedExecutable::load(PJRT_Client *client, std::shared_ptr<CompiledProgram> program) {
  auto loaded = std::make_unique<PJRT_LoadedExecutable>();
  loaded->client = client;
  loaded->device = client->deviceList.front();
  for (int64_t id : program->options.devices)
    if (id != loaded->device->description->id)
      return invalidArgument(absl::StrCat("the device assignment names device ", id, ", which is not there"));
  if (target::digest(program->target) != target::digest(client->topology->chip))
    return failedPrecondition(absl::StrCat("the program is for ", program->target.name(), ", but the device is a ", client->topology->chip.name()));
  exec::ExecutorOptions options;
  options.pool = client->pool.get();
  options.checking = client->options.checking;
  std::string error;
  loaded->executor_ = exec::Executor::create(program->exe, options, error);
  if (!loaded->executor_) return internal(error);
  loaded->program = std::move(program);
  return loaded;
}

void PJRT_LoadedExecutable::unload() {
  std::lock_guard lock(mutex_);
  deleted = true;
  executor_.reset();
}

// The argument in the layout that the program reads, kept alive in `held`; one that is donated goes with the run.
Status PJRT_LoadedExecutable::bind(size_t i, PJRT_Buffer &buffer, bool donate, std::vector<std::shared_ptr<Array>> &held) {
  const ProgramArray &expected = program->arguments[i];
  if (buffer.type != expected.type || buffer.dims != expected.dims)
    return invalidArgument(absl::StrCat("argument ", i, " expects ", shapeText(expected.type, expected.dims), ", but got ",
                                                   shapeText(buffer.type, buffer.dims)));
  Status status = buffer.ready->wait();
  if (!status.ok()) return status;
  std::shared_ptr<Array> array = buffer.array();
  if (!array) return invalidArgument(absl::StrCat("argument ", i, " was deleted or donated"));
  std::string error;
  exec::DeviceArray memory = array->memory();
  if (array->layout().order != expected.layout.order) {
    std::vector<char> host(hostBytes(buffer.type, buffer.dims));
    device::unpack(array->layout(), array->data(), host.data(), client->pool.get());
    memory = std::make_shared<device::Mapping>(expected.layout.bytes);
    if (expected.layout.bytes && !memory->data()) return resourceExhausted("the host has no memory left");
    device::pack(expected.layout, host.data(), memory->data(), device::kZeroFill, client->pool.get());
    array = std::make_shared<Array>(device, expected.layout, memory);
    donate = true;  // the copy is this run's alone
  }
  const bool bound = donate ? executor_->donateArgument(static_cast<int>(i), memory, error)
                            : executor_->bindArgument(static_cast<int>(i), {memory->data(), static_cast<size_t>(expected.layout.bytes)}, error);
  if (!bound) return internal(error);
  held.push_back(std::move(array));
  return okStatus();
}

StatusOr<std::vector<std::unique_ptr<PJRT_Buffer>>> PJRT_LoadedExecutable::run(std::vector<PJRT_Buffer *> arguments, const std::vector<bool> &keep) {
  std::lock_guard lock(mutex_);
  if (deleted) return failedPrecondition("the program was deleted");
  if (arguments.size() != program->arguments.size())
    return invalidArgument(absl::StrCat("the program expects ", program->arguments.size(), " arguments, but got ", arguments.size()));
  std::vector<bool> donated(arguments.size());
  for (const ProgramArray &result : program->results)
    if (result.alias >= 0 && !keep[result.alias]) donated[result.alias] = true;

  std::vector<std::shared_ptr<Array>> held;
  for (size_t i = 0; i < arguments.size(); ++i)
    if (Status status = bind(i, *arguments[i], donated[i], held); !status.ok()) return status;
  for (size_t i = 0; i < arguments.size(); ++i)
    if (donated[i]) arguments[i]->release();

  exec::RunError stopped;
  {
    std::lock_guard running(client->running);
    if (!executor_->run(stopped)) return internal(absl::StrCat("the machine stopped: ", stopped.text()));
  }
  std::vector<std::unique_ptr<PJRT_Buffer>> results;
  for (size_t i = 0; i < program->results.size(); ++i) {
    const ProgramArray &result = program->results[i];
    auto &buffer = results.emplace_back(std::make_unique<PJRT_Buffer>(device->memories.front(), result.type, result.dims));
    buffer->set(std::make_shared<Array>(device, result.layout, executor_->resultArray(static_cast<int>(i))));
    buffer->ready = Event::done();
  }
  return results;
}

}  // namespace tpuc::pjrt
