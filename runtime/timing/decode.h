// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program made ready for the walk: per bundle what it waits for, what it occupies, and what the scalar unit does.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "runtime/isa/executable.h"
#include "runtime/timing/machine_model.h"
#include "runtime/timing/timing.h"

namespace tpuc::timing {

// The scoreboard: all registers in one index space, and the two transpose buffers, which are written row by row.
inline constexpr int kVregBase = isa::kNumScalars;
inline constexpr int kMaskBase = kVregBase + isa::kNumVregs;
inline constexpr int kTransposeBase = kMaskBase + isa::kNumMasks;
inline constexpr int kScoreboard = kTransposeBase + 2;

struct Write {
  uint8_t reg;
  Stall cause;  // of a consumer that waits for it
  uint16_t latency;
};

// An instruction that does more in time than write a register.
struct UnitOp {
  isa::Op op;
  isa::Unit unit;
  uint8_t array = 0;             // matrix unit
  uint8_t reg = isa::kNoReg;     // accumulator group, or semaphore: this register, or else `imm`
  uint8_t dstReg = isa::kNoReg;  // dma.start: added to the destination's offset
  int32_t imm = 0;
  int32_t desc = -1;  // dma.start
  int64_t count = 0;  // dma.wait
};

struct DecodedBundle {
  uint32_t reads, writes, ops, scalars;  // ranges of the pools below; they end where the next bundle's begin
  isa::Op control = isa::Op::kCount;     // kCount: none
  uint8_t controlReg = isa::kNoReg;
  bool hasScalar = false;
  bool isAlone = false;  // `grid`: the program's core runs all steps
  uint32_t target = 0;
  int64_t controlImm = 0;
  int32_t loop = -1;            // `loop`: index of it
  uint8_t unitCounts[16] = {};  // instructions by unit
};

struct DecodedDma {
  int64_t bytes = 0, channelBytes = 0;
  bool hbm = false, reads = false, writes = false, toSmem = false;
  int64_t cycles = 0;  // alone on the channel
};

// A counted loop whose body has no other control, no DMA, no data into the scalar unit and no SMEM stores, and whose
// scalar registers after n iterations are known without running them: inductions, and what derives from them.
struct SimpleLoop {
  bool simple = false;
  // What a register advances by an iteration.
  struct Slope {
    bool known = false;
    int64_t imm = 0;
    uint8_t reg = isa::kNoReg;  // plus this one
    bool operator==(const Slope &) const = default;
  };
  struct Induction {
    uint8_t reg;
    Slope step;
  };
  std::vector<Induction> inductions;
  int depth = 1;                // iterations after which every other register is a function of the inductions alone
  Slope slopes[isa::kMaxMxus];  // of the accumulator groups that an array's pushes and pops name: one slope an array
  std::vector<uint8_t> groupInputs;  // registers at entry that the groups depend on
};

struct DecodedLoop {
  uint32_t begin, end;  // bundles of `loop` and its `loop.end`
  SimpleLoop simple;
};

struct DecodedProgram {
  std::vector<DecodedBundle> bundles;  // one more than there are
  std::vector<uint8_t> reads;
  std::vector<Write> writes;
  std::vector<UnitOp> ops;
  std::vector<isa::Inst> scalars;
  std::vector<DecodedLoop> loops;
  std::vector<DecodedDma> descriptors;
  std::vector<int32_t> routineAt;  // by bundle: index of the routine that begins there, or -1
  std::vector<bool> isKernel;      // by routine
  std::vector<bool> isLaunch;      // of those, the ones that only run others
};

// False with `error` when the target cannot run the program: slots, arrays, instructions it lacks.
bool decode(const isa::Executable &exe, const MachineModel &model, DecodedProgram &program, std::string &error);

// Decides whether a loop is simple, and the rest of SimpleLoop.
SimpleLoop analyseLoop(const DecodedProgram &program, uint32_t begin, uint32_t end);

}  // namespace tpuc::timing
