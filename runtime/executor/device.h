// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A chip as this host runs it: HBM, the cores' memories, threads, a queue of what it does. Programs and arrays share
// it.
#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "runtime/device/hbm.h"
#include "runtime/device/queue.h"
#include "runtime/device/thread_pool.h"
#include "runtime/executor/cores.h"
#include "runtime/executor/level.h"
#include "runtime/target/target.h"

namespace tpuc::exec {

// An array in device memory.
using DeviceArray = std::shared_ptr<device::HbmBlock>;

struct DeviceOptions {
  int id = 0, numDevices = 1;
  int threads = 0;                           // workers that share a grid; 0: as many as the pool has
  std::shared_ptr<device::ThreadPool> pool;  // null: one of its own
  std::optional<Level> level;                // the default: defaultLevel()
  bool checking = false;                     // find garbage, races and addresses out of range; slow
  uint64_t hbmBytes = uint64_t{16} << 30;
};

MachineShape shapeOf(const target::Target &target);

class Device {
 public:
  // Null with `error`.
  static std::shared_ptr<Device> create(const MachineShape &shape, const DeviceOptions &options, std::string &error);
  // Makes a device of the target's shape and HBM.
  static std::shared_ptr<Device> create(const target::Target &target, DeviceOptions options, std::string &error);

  int id() const { return options_.id; }
  int numDevices() const { return options_.numDevices; }
  const MachineShape &shape() const { return shape_; }
  Level level() const { return level_; }
  const Kernels &kernels() const { return kernels_; }
  bool checking() const { return options_.checking; }
  device::ThreadPool &pool() { return *options_.pool; }
  // Threads that share a grid.
  int threads() const { return options_.threads > 0 ? options_.threads : options_.pool->size(); }
  device::Hbm &hbm() { return *hbm_; }
  const std::shared_ptr<device::Hbm> &hbmPointer() const { return hbm_; }
  device::Queue &queue() { return queue_; }
  // Returns when nothing is left to do.
  void wait() { queue_.drain(); }

  // Held by the one run that goes on.
  std::mutex &running() { return running_; }
  // Cores that a program of these sizes can run on; null when the system refuses memory. Only while `running` is held.
  Cores *cores(const MemorySizes &sizes);

 private:
  Device(const MachineShape &shape, const DeviceOptions &options, std::shared_ptr<device::Hbm> hbm);

  const MachineShape shape_;
  DeviceOptions options_;
  const Level level_;
  const Kernels &kernels_;
  std::shared_ptr<device::Hbm> hbm_;
  std::mutex running_;
  std::vector<std::unique_ptr<Cores>> cores_;  // by size of the shared part of VMEM, the last used first
  device::Queue queue_;                        // goes first: its jobs use the rest
};

}  // namespace tpuc::exec
