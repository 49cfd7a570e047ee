// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/executor/executor.h"

#include <cstring>

namespace tpuc::exec {

std::shared_ptr<Device> makeDevice(const isa::Executable &exe, const ExecutorOptions &options, std::string &error) {
  DeviceOptions out;
  out.threads = options.threads;
  out.level = options.level;
  out.checking = options.checking;
  out.pool = options.pool;
  if (options.shape) return Device::create(*options.shape, out, error);
  target::Target target;
  if (!target::parseTarget(exe.index.target(), target, error)) {
    error = "the executable's target cannot be read: " + error;
    return nullptr;
  }
  return Device::create(target, out, error);
}

std::unique_ptr<Executor> Executor::create(const isa::Executable &exe, const ExecutorOptions &options,
                                           std::string &error) {
  std::shared_ptr<Device> device = options.device ? options.device : makeDevice(exe, options, error);
  if (!device) return nullptr;
  auto executor = std::make_unique<Executor>();
  std::shared_ptr<const isa::Executable> borrowed(std::shared_ptr<const isa::Executable>(), &exe);
  executor->program_ =
      LoadedProgram::load(borrowed, device, {options.hotAfter, options.maxBlocks, options.interrupted}, error);
  if (!executor->program_) return nullptr;
  executor->run_.arguments.resize(executor->numArguments());
  return executor;
}

bool Executor::setSizes(std::span<const std::vector<int64_t>> shapes, std::string &error) {
  isa::Extents extents;
  return isa::extentsOf(program_->executable().index, shapes, extents, error) && setExtents(extents, error);
}

bool Executor::setExtents(const isa::Extents &extents, std::string &error) {
  const int entry = isa::entryFor(program_->executable().index, extents, error);
  if (entry < 0) return false;
  if (entry != run_.entry) run_ = Run();
  run_.entry = entry;
  run_.extents = extents;
  run_.arguments.resize(numArguments());
  return true;
}

uint8_t *Executor::placeArgument(int i, std::string &error) {
  if (i < 0 || i >= numArguments()) {
    error = "there is no argument " + std::to_string(i);
    return nullptr;
  }
  auto label = std::make_shared<const std::string>("argument " + std::to_string(i));
  DeviceArray array = device().hbm().allocate(argument(i).size(), label, error);
  if (!array) return nullptr;
  run_.arguments[i] = {array, false};
  return array->data();
}

bool Executor::bindArgument(int i, std::span<const uint8_t> bytes, std::string &error) {
  if (i >= 0 && i < numArguments() && bytes.size() != argument(i).size()) {
    error = "argument " + std::to_string(i) + " expects " + std::to_string(argument(i).size()) + " bytes, but got " +
            std::to_string(bytes.size());
    return false;
  }
  uint8_t *to = placeArgument(i, error);
  if (to && !bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
  return to;
}

bool Executor::donateArgument(int i, DeviceArray array, std::string &error) {
  if (i < 0 || i >= numArguments() || array->size() != argument(i).size()) {
    error = "argument " + std::to_string(i) + " is of another size";
    return false;
  }
  for (DeviceArray &result : run_.results)
    if (result == array) result.reset();
  run_.arguments[i] = {std::move(array), true};
  return true;
}

bool Executor::run(RunError &error, ControlTrace *trace) {
  run_.trace = trace;
  const bool ok = program_->run(run_, error);
  for (Run::Argument &a : run_.arguments)
    if (a.donated) a = {};  // gone with this run
  return ok;
}

}  // namespace tpuc::exec
