// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/executor/device.h"

#include <algorithm>

namespace tpuc::exec {
namespace {

constexpr int kMaxCores = 64, kMaxAccumulatorRows = 1 << 16;
constexpr size_t kMostCores = 4;  // images of VMEM, each with another part that all cores share

}  // namespace

MachineShape shapeOf(const target::Target &target) {
  MachineShape shape;
  shape.cores = static_cast<int>(target.cores());
  shape.mxus = static_cast<int>(target.core().mxus());
  shape.mxuSide = static_cast<int>(target.core().mxu_side());
  shape.accumulatorRows = static_cast<int>(target.core().mxu_accumulator_rows());
  return shape;
}

Device::Device(const MachineShape &shape, const DeviceOptions &options, std::shared_ptr<device::Hbm> hbm)
    : shape_(shape),
      options_(options),
      level_(options.level.value_or(defaultLevel())),
      kernels_(kernelsOf(level_)),
      hbm_(std::move(hbm)),
      queue_([hbm = hbm_] { hbm->trim(); }) {
  if (!options_.pool) options_.pool = std::make_shared<device::ThreadPool>(options.threads);
}

std::shared_ptr<Device> Device::create(const MachineShape &shape, const DeviceOptions &options, std::string &error) {
  if ((shape.mxuSide != 128 && shape.mxuSide != 256) || shape.mxus < 0 || shape.mxus > isa::kMaxMxus ||
      shape.cores < 1 || shape.cores > kMaxCores || shape.accumulatorRows % isa::kSublanes ||
      shape.accumulatorRows < 0 || shape.accumulatorRows > kMaxAccumulatorRows) {
    error = "this executor has arrays of side 128 and 256, at most " + std::to_string(isa::kMaxMxus) +
            " a core, and at most " + std::to_string(kMaxCores) + " cores";
    return nullptr;
  }
  std::shared_ptr<device::Hbm> hbm = device::Hbm::create(options.hbmBytes, error);
  return hbm ? std::shared_ptr<Device>(new Device(shape, options, std::move(hbm))) : nullptr;
}

std::shared_ptr<Device> Device::create(const target::Target &target, DeviceOptions options, std::string &error) {
  options.hbmBytes = static_cast<uint64_t>(target.memory().hbm_bytes());
  return create(shapeOf(target), options, error);
}

Cores *Device::cores(const MemorySizes &sizes) {
  auto same = std::find_if(cores_.begin(), cores_.end(),
                           [&](const auto &c) { return c->sizes().vmemSharedBytes == sizes.vmemSharedBytes; });
  if (same != cores_.end() && (*same)->fits(sizes)) {
    std::rotate(cores_.begin(), same, same + 1);
    return cores_.front().get();
  }
  MemorySizes larger = sizes;
  if (same != cores_.end()) {
    const MemorySizes &had = (*same)->sizes();
    larger.vmemBytes = std::max(larger.vmemBytes, had.vmemBytes);
    larger.smemBytes = std::max(larger.smemBytes, had.smemBytes);
    larger.semaphores = std::max(larger.semaphores, had.semaphores);
    cores_.erase(same);
  } else if (cores_.size() == kMostCores) {
    cores_.pop_back();
  }
  auto made = std::make_unique<Cores>(shape_, larger, kernels_, checking());
  if (!made->init()) return nullptr;
  cores_.insert(cores_.begin(), std::move(made));
  return cores_.front().get();
}

}  // namespace tpuc::exec
