// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memories and registers of a device's cores: the program's core and the workers that share a grid's steps.
// Programs borrow them for a run.
#pragma once
#include <memory>
#include <vector>

#include "runtime/device/mapping.h"
#include "runtime/executor/check.h"
#include "runtime/executor/core.h"
#include "runtime/executor/kernels.h"
#include "runtime/executor/mxu_steps.h"
#include "runtime/executor/program.h"
#include "runtime/executor/views.h"

namespace tpuc::exec {

// Sizes that an executable asks for.
struct MemorySizes {
  int64_t vmemBytes = 0, vmemSharedBytes = 0, smemBytes = 0;
  int semaphores = 0;
};

class Cores {
 public:
  // VMEM below sizes.vmemSharedBytes is the same to all cores.
  Cores(const MachineShape &shape, const MemorySizes &sizes, const Kernels &kernels, bool checking);

  // A core and what its pointers own.
  struct Owned {
    Core core;
    device::Mapping vregs, masks, vmem, smem, transpose, mxu, spills;
    std::vector<uint8_t> groupStates;
    std::vector<uint16_t> touched;
    std::vector<int64_t> semaphores;
    std::vector<UsedWeights> used;
    std::vector<Core::Loop> loops;
    std::vector<const DInst *> calls;
    std::unique_ptr<Checker> checker;
    Views views;
  };

  // False when the system refuses memory.
  bool init();
  // Makes workers until there are `count` at least; false when the system refuses memory.
  bool makeWorkers(int count);

  Core &main() { return main_->core; }
  Core &worker(int k) { return workers_[k]->core; }
  int numWorkers() const { return static_cast<int>(workers_.size()); }
  // Null when the system refuses memory.
  MxuLog *mxuLog();

  // Whether a program of these sizes can run on them.
  bool fits(const MemorySizes &sizes) const;
  const MemorySizes &sizes() const { return sizes_; }

 private:
  std::unique_ptr<Owned> makeCore();

  const MachineShape shape_;
  const MemorySizes sizes_;
  const Kernels &kernels_;
  const bool checking_;
  device::SharedPrefix vmemShared_, shadowShared_;
  std::unique_ptr<Owned> main_;
  std::vector<std::unique_ptr<Owned>> workers_;
  std::unique_ptr<MxuLog> mxuLog_;
};

}  // namespace tpuc::exec
