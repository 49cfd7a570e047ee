// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of one core, and the decoded instruction that a handler gets. Plain data only: files compiled for different
// CPU levels share it.
#pragma once
#include <cstdint>

#include "runtime/isa/isa.h"

namespace tpuc::timing {
struct ControlTrace;
}

namespace tpuc::exec {

struct Core;
struct DInst;
struct Kernels;

// Executes one decoded instruction and gives the next; null stops the core.
using Handler = const DInst *(*)(Core &, const DInst *);

enum GridFlags : uint8_t { kGridIsRecorded = 1, kGridIsAlone = 2 };

struct DInst {
  Handler fn = nullptr;
  Handler inner = nullptr;                      // checking mode: what fn wraps
  uint8_t dst = 0, a = 0, b = 0, c = 0, m = 0;  // register numbers; the hidden ones included
  uint8_t mxu = 0, flags = 0;
  uint8_t forwarded = 0;  // a bit for each source that is read where its load found it
  isa::Op op = isa::Op::Halt;
  uint8_t sublanes = isa::kSublanes, lanes = isa::kLanes;  // of loads and stores: the first of a vreg
  uint8_t from[2] = {isa::kLanes, isa::kLanes};  // of a and b: lanes from there on count as zeros (known_zeros.h)
  uint8_t resultLanes = isa::kLanes;             // the first of them that are read, in whole groups (live_registers.h)
  uint32_t bundle = 0;
  int64_t imm = 0;  // the first field
  int64_t aux = 0;  // the second, or a count of counted loops
  const DInst *target = nullptr;
  const void *data = nullptr;  // DMA: its plan
};
inline constexpr uint8_t kNone = isa::kNoReg;

// One step of a run of lane-by-lane instructions that are executed strip by strip, so that their registers stay in L1:
// does lanes first .. first + kStripLanes - 1.
struct StripOp;
using StripFn = void (*)(Core &, const StripOp &, int first);
struct StripOp {
  StripFn fn = nullptr;
  uint8_t dst = 0, a = 0, b = 0, c = 0, m = 0;
  uint8_t sublanes = isa::kSublanes, lanes = isa::kLanes;  // as DInst has them
  uint16_t slot = 0;  // loads, stores: where Core::slots has the address; v.splat: the value
  int64_t imm = 0;    // constants; the stride of loads and stores
};
inline constexpr int kStripLanes = 256;
inline constexpr int kLaneGroup = 16;  // lanes of a CPU's vector
inline constexpr int kMaxSlots = 256;

// Registers that only decoding uses, to keep what a bundle reads from what it writes.
inline constexpr int kHidden = 8;
inline constexpr int kScalars = isa::kNumScalars + kHidden, kVregs = isa::kNumVregs + kHidden,
                     kMasks = isa::kNumMasks + kHidden;
inline constexpr int kMaskBytes = 1024;  // a byte a lane, 0 or 1
// Registers lie a little further apart than they are long: at multiples of 4096 bytes they would share a few sets of
// the cache, and stores to one would hold up loads of the next.
inline constexpr int64_t kVregStride = isa::kVregBytes + 1088, kMaskStride = kMaskBytes + 320;
inline constexpr int64_t kVregFile = kVregs * kVregStride, kMaskFile = kMasks * kMaskStride;
inline constexpr int kTransposeBytes = 128 * 128 * 4;
inline constexpr int kMaxLoops = 1024, kMaxCalls = 256;

enum class WeightType : uint8_t { None, Bf16, Int8, F32 };

// Where weights may differ from zero: for 32 values of k each, a bit for 16 columns.
struct UsedWeights {
  uint16_t columns[8] = {};
  bool finite = true;  // false: perhaps not
  bool absentTransposed = false;
  uint64_t absent = 0;  // units that are zero, but hold something else until a push has to read them; a bit each as in
                        // Mxu::stageLoaded
};
inline constexpr int kUsedRows = 32, kUsedColumns = 16;

// One matrix unit. Weights are kept in the form that the CPU level's kernels read.
struct Mxu {
  uint8_t *stage = nullptr, *active = nullptr;  // weightBytes(side)
  float *accumulators = nullptr;                // groups x 8 rows x side
  uint8_t *groupState = nullptr;                // per group: kGroupDirty, kGroupInt
  uint16_t *touched = nullptr;                  // per group: columns that a push may have changed, a bit for 16 of them
  int groupsUsed = 0;                           // those from here on are clean
  WeightType stageType = WeightType::None, activeType = WeightType::None;
  bool stageTransposed = false;
  UsedWeights *stageUsed = nullptr, *activeUsed = nullptr;
  uint64_t stageLoaded = 0;  // a bit for each unit of weights loaded, in the order of the last load
};
// Words from a row of weights to the next: a line of the cache more than it has, so that the lines of some columns do
// not share a few sets of L1.
inline constexpr int weightStride(int side) { return side + 16; }
// A stage or the active weights: 4 bytes a weight, and 4 a column for what Finish derives.
inline constexpr int64_t weightBytes(int side) { return int64_t{4} * (side + 1) * weightStride(side); }
inline constexpr uint8_t kGroupDirty = 1, kGroupInt = 2;

// A region of HBM that descriptors name.
struct HbmBuffer {
  uint8_t *data = nullptr;
  int64_t size = 0;
  bool writable = false;
};

class Machine;
class MxuLog;
class Checker;
class Views;
class Reach;

struct alignas(64) Core {
  int64_t s[kScalars] = {};
  uint8_t *v = nullptr;  // kVregFile bytes
  uint8_t *m = nullptr;  // kMaskFile bytes
  uint8_t *vmem = nullptr;
  int64_t vmemWords = 0;
  Views *views = nullptr;           // null: transfers are copied
  const uint8_t **pages = nullptr;  // for 8 words of VMEM each: the HBM that they show, or null
  bool hasViews = false;            // some do; or the log refers to VMEM, so that stores have to ask
  Reach *reach = nullptr;           // of the grid being run, while it is noted: then hasViews is set
  bool scalarsFromData = false;     // a scalar came from SMEM or a vreg
  uint8_t *smem = nullptr;
  int64_t smemBytes = 0;
  uint8_t *transpose = nullptr;  // two buffers
  Mxu mxu[isa::kMaxMxus];
  int mxus = 0, side = 0, groups = 0;
  MxuLog *mxuLog = nullptr;  // null: the arrays work at once
  bool alone = false;        // no other core runs: the machine's threads are free
  int64_t *semaphores = nullptr;
  int numSemaphores = 0, semaphoresUsed = 0;  // those from the second on are 0
  const HbmBuffer *hbm = nullptr;
  const Kernels *kernels = nullptr;
  Machine *machine = nullptr;

  struct Loop {
    int64_t remaining;
  };
  Loop *loops = nullptr;
  const DInst **calls = nullptr;
  int loopDepth = 0, callDepth = 0;

  const uint8_t *forwarded[kVregs];       // where loads that only note an address found theirs
  int64_t slots[kMaxSlots];               // of the strip being run
  int64_t slotWords[kMaxSlots];           // of its loads and stores: words of VMEM
  uint8_t *spills = nullptr;              // where generated code keeps what has no register
  uint64_t *blockCounts = nullptr;        // executions of each basic block
  int64_t blocksLeft = 0;                 // until somebody asks whether to go on
  int64_t blocksBeyond = 0;               // after those, until the run has taken too long
  timing::ControlTrace *trace = nullptr;  // null: not recorded
  Checker *checker = nullptr;             // null: not checking
  const char *error = nullptr;            // why the core stopped; null at the program's end
  const DInst *errorAt = nullptr;

  void signal(int64_t semaphore) {
    ++semaphores[semaphore];
    if (semaphore >= semaphoresUsed) semaphoresUsed = static_cast<int>(semaphore) + 1;
  }
  uint8_t *vreg(int i) const { return v + i * kVregStride; }
  // Source k of an instruction whose loads may be forwarded: register `reg`.
  const uint8_t *source(const DInst *i, int k, int reg) const {
    return i->forwarded >> k & 1 ? forwarded[reg] : vreg(reg);
  }
  uint8_t *mask(int i) const { return m + i * kMaskStride; }
};

// Word base + offset, where it and the 7 after it, `stride` words apart, are all in VMEM; -1 where not.
static inline __attribute__((always_inline)) int64_t vmemWord(const Core &core, int64_t base, int64_t offset,
                                                              int64_t stride) {
  int64_t word = static_cast<int64_t>(static_cast<uint64_t>(base) + static_cast<uint64_t>(offset));
  int64_t span = (isa::kSublanes - 1) * stride, low = span < 0 ? span : 0, high = span < 0 ? 0 : span;
  return word < -low || word >= core.vmemWords - high ? -1 : word;
}

// Where these words are read, and where they are written (`whole`: all of them): pages may show HBM (views.h).
const uint8_t *viewedSource(Core &core, int64_t word, int64_t stride);
uint8_t *viewedTarget(Core &core, int64_t word, int64_t stride, bool whole);
static inline __attribute__((always_inline)) const uint8_t *vmemSource(Core &core, int64_t word, int64_t stride) {
  return core.hasViews ? viewedSource(core, word, stride) : core.vmem + word * isa::kWordBytes;
}
static inline __attribute__((always_inline)) uint8_t *vmemTarget(Core &core, int64_t word, int64_t stride, bool whole) {
  return core.hasViews ? viewedTarget(core, word, stride, whole) : core.vmem + word * isa::kWordBytes;
}

static inline const DInst *stop(Core &core, const DInst *at, const char *why) {
  core.error = why;
  core.errorAt = at;
  return nullptr;
}

}  // namespace tpuc::exec
