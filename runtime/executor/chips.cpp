// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/executor/chips.h"

#include <algorithm>

namespace tpuc::exec {

std::unique_ptr<Chips> Chips::create(const isa::Executable &exe, const ExecutorOptions &options, std::string &error) {
  auto chips = std::make_unique<Chips>();
  if (exe.index.num_devices() > 1) return chips->makeSlice(exe, options, error) ? std::move(chips) : nullptr;
  chips->one_ = Executor::create(exe, options, error);
  return chips->one_ ? std::move(chips) : nullptr;
}

bool Chips::makeSlice(const isa::Executable &exe, const ExecutorOptions &options, std::string &error) {
  target::Target target;
  if (!target::parseTarget(exe.index.target(), target, error)) {
    error = "the executable's target cannot be read: " + error;
    return false;
  }
  const int count = static_cast<int>(exe.index.num_devices());
  auto pool = options.pool ? options.pool : std::make_shared<device::ThreadPool>(options.threads);
  std::vector<std::shared_ptr<Device>> devices;
  for (int c = 0; c < count; ++c) {
    DeviceOptions device;
    device.id = c;
    device.numDevices = count;
    device.threads = options.threads;
    device.pool = pool;
    device.level = options.level;
    device.checking = options.checking;
    devices.push_back(Device::create(target, device, error));
    if (!devices.back()) return false;
  }
  std::shared_ptr<const isa::Executable> borrowed(std::shared_ptr<const isa::Executable>(), &exe);
  LoadOptions load;
  load.hotAfter = options.hotAfter;
  load.maxBlocks = options.maxBlocks;
  load.interrupted = options.interrupted;
  slice_ = LoadedSlice::load(borrowed, devices, load, error);
  if (!slice_ || !findShardings(error)) return false;
  runs_.resize(count);
  for (Run &run : runs_) run.arguments.resize(numArguments());
  return true;
}

bool Chips::findShardings(std::string &error) {
  auto find = [&](const isa::proto::Buffer &buffer, const std::string &what, std::vector<isa::Sharding> &out) {
    const std::vector<int64_t> whole = wholeDims(buffer);
    std::string why;
    isa::Sharding &s = out.emplace_back();
    const std::vector<int64_t> own(buffer.array().dims().begin(), buffer.array().dims().end());
    if (!isa::parseSharding(buffer.sharding(), whole.size(), count(), s, why))
      error = what + ": " + why;
    else if (s.isPartial())
      error = what + " is in summands, which only the program that they come from or go to can add";
    else if (s.partDims(whole) != own)
      error = what + " has a sharding that does not give its parts their size";
    return error.empty();
  };
  for (int i = 0; i < numArguments(); ++i)
    if (!find(argument(i), "argument " + std::to_string(i), arguments_)) return false;
  for (int i = 0; i < numResults(); ++i)
    if (!find(result(i), "result " + std::to_string(i), results_)) return false;
  return true;
}

std::vector<int64_t> Chips::wholeDims(const isa::proto::Buffer &buffer) {
  const auto &dims = buffer.global_dims().empty() ? buffer.array().dims() : buffer.global_dims();
  return {dims.begin(), dims.end()};
}

bool Chips::setSizes(std::span<const std::vector<int64_t>> shapes, std::string &error) {
  if (one_) return one_->setSizes(shapes, error);
  error = "a program for several devices has no open sizes";
  return false;
}

bool Chips::setExtents(const isa::Extents &extents, std::string &error) {
  if (one_) return one_->setExtents(extents, error);
  error = "a program for several devices has no open sizes";
  return false;
}

bool Chips::bind(int i, const void *data, std::string &error, uint32_t fill) {
  isa::ArrayLayout layout;
  if (!layoutOf(argument(i).array(), layout, error)) return false;
  if (one_) {
    uint8_t *to = one_->placeArgument(i, error);
    if (!to) return false;
    device::packTrue(layout, one_->argumentDims(i), data, to, fill);
    return true;
  }
  const std::vector<int64_t> whole = wholeDims(argument(i));
  auto label = std::make_shared<const std::string>("argument " + std::to_string(i));
  for (int c = 0; c < count(); ++c) {
    std::vector<uint8_t> part(layout.elements * layout.type->hostBytes, 0);
    isa::takePart(arguments_[i], c, whole, layout.type->hostBytes, static_cast<const uint8_t *>(data), part.data());
    DeviceArray made = slice_->chip(c).device().hbm().allocate(argument(i).size(), label, error);
    if (!made) return false;
    device::pack(layout, part.data(), made->data(), fill);
    runs_[c].arguments[i] = {made, false};
  }
  return true;
}

bool Chips::run(RunError &error, ControlTrace *trace) {
  if (one_) return one_->run(error, trace);
  runs_[0].trace = trace;
  return slice_->run(runs_, error);
}

bool Chips::fetch(int i, void *data, std::string &error) const {
  isa::ArrayLayout layout;
  if (!layoutOf(result(i).array(), layout, error)) return false;
  const std::vector<int64_t> dims = resultDims(i);
  if (one_) {
    device::unpackTrue(layout, dims, one_->resultArray(i)->data(), data);
    return true;
  }
  const isa::Sharding &sharding = results_[i];
  auto *whole = static_cast<uint8_t *>(data);
  std::vector<uint8_t> part(layout.elements * layout.type->hostBytes);
  for (int c = 0; c < count(); ++c) {
    int first = 0;  // that has the same part
    while (sharding.tileOf[first] != sharding.tileOf[c]) ++first;
    device::unpack(layout, runs_[c].results[i]->data(), part.data());
    if (first == c) {
      isa::putPart(sharding, c, dims, layout.type->hostBytes, part.data(), whole);
    } else if (!isa::isPart(sharding, c, dims, layout.type->hostBytes, whole, part.data())) {
      error = "result " + std::to_string(i) + " differs between chips " + std::to_string(first) + " and " +
              std::to_string(c) + ", which are to have the same";
      return false;
    }
  }
  return true;
}

uint64_t Chips::sentBytes() const {
  uint64_t sum = 0;
  for (int c = 0; slice_ && c < count(); ++c) sum += slice_->sentBytes(c);
  return sum;
}

}  // namespace tpuc::exec
