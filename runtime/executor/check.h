// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checking mode: every memory and register has a shadow of the same shape whose set bits are garbage: never
// written, padding of an array, or computed from garbage. Garbage moves freely; it is an error where it becomes an
// address, a branch, a count or part of a result. DMAs complete only when they are waited for, and whatever touches
// their bytes before is an error.
#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "runtime/device/mapping.h"
#include "runtime/executor/core.h"
#include "runtime/executor/in_flight.h"

namespace tpuc::exec {

struct RemoteTransfers;

// The wrapper that a decoded instruction runs under; null where it needs none.
Handler checkedHandler(const DInst &i);

// The shadows of one core.
class Checker {
 public:
  // Null when the system refuses memory. `vmemShadow`: an image as large as the core's VMEM.
  static std::unique_ptr<Checker> make(const Core &core, device::Mapping vmemShadow);

  // Makes garbage of all registers, of VMEM from `privateFrom` on and (unless kept) of SMEM. Accumulators and weights
  // are clean.
  void begin(int64_t vmemPrivateFrom, bool keepSmem);
  // After a grid: what its steps may have clobbered.
  void forget(int64_t vmemPrivateFrom);
  // Accumulators and weights are clean.
  void cleanArrays();
  // These bytes of VMEM become garbage.
  void spoilVmem(int64_t offset, int64_t size);
  void copySmem(const Checker &from);
  void cleanSmem(int64_t offset, int64_t size);
  // The DMAs in flight at the end; null when there are none.
  const char *finish();

  // Whether a DMA in flight reads or writes more than HBM, and VMEM from `vmemPrivateFrom` on.
  bool movesPrivately(int64_t vmemPrivateFrom) const;

  // Stops the core with the wrapped message.
  const DInst *fail(Core &core, const DInst *i, std::string what);

  uint32_t *vreg(int reg) { return reinterpret_cast<uint32_t *>(shadow.vreg(reg)); }
  uint8_t *mask(int reg) { return maskShadow.data() + reg * kMaskBytes; }
  bool *scalars() { return scalar.data(); }

  // A core over the shadow memories, for handlers that only move bits; masks and scalars are the data's.
  Core shadow;
  std::array<bool, kScalars> scalar{};
  std::vector<uint8_t> maskShadow;  // a byte a lane
  struct Array {
    std::vector<uint8_t> stage;   // [n][k], a byte a staged weight: a later load cleans what it overwrites
    std::vector<uint8_t> active;  // a byte a column of the weights
    std::vector<uint8_t> sums;    // a byte an accumulator
  };
  std::vector<Array> arrays;
  InFlight pending;
  std::optional<uint32_t> nested;     // where the grid within this step begins that ran last
  const InFlight *outer = nullptr;    // of a core that runs steps of a grid: those of the core that began it
  RemoteTransfers *remote = nullptr;  // of a slice's chip: those under way from and to it, of all its cores

 private:
  device::Mapping vregs_, vmem_, smem_, transpose_;
  std::string message_;
};

// Groups of wrappers; null for other instructions.
Handler checkedScalar(const DInst &i);
Handler checkedVector(const DInst &i);
Handler checkedMatrix(const DInst &i);
Handler checkedMemory(const DInst &i);
Handler checkedRemote(const DInst &i);
// The wrapped instruction itself.
inline const DInst *runInner(Core &core, const DInst *i) { return i->inner(core, i); }

}  // namespace tpuc::exec
