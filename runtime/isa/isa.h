// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The instruction set as data: opcodes, operand kinds, the fixed-size encoding. Derived from instructions.def.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tpuc::isa {

inline constexpr int kLanes = 128;
inline constexpr int kSublanes = 8;
inline constexpr int kWordBytes = 512;  // a sublane word of VMEM: 128 lanes of 4 bytes
inline constexpr int kVregBytes = 4096;
inline constexpr int kNumVregs = 64;
inline constexpr int kNumMasks = 16;
inline constexpr int kNumScalars = 32;
inline constexpr int kMaxMxus = 8;       // arrays a core can have
inline constexpr uint8_t kNoReg = 0xff;  // an operand slot that names no register

enum class Op : uint16_t {
#define TPUC_INST(ident, ...) ident,
#include "runtime/isa/instructions.def"
#undef TPUC_INST
  kCount
};
inline constexpr int kNumOps = static_cast<int>(Op::kCount);

// The functional unit whose slot of a bundle an instruction takes.
enum class Unit : uint8_t { Scalar, Control, Dma, VLoad, VStore, VAlu, Eup, Xlu, MxuWeight, MxuPush, MxuPop };
// Latency classes; a target gives cycles to each (runtime/target).
enum class Latency : uint8_t {
  Scalar,
  ScalarMul,
  ScalarDiv,
  ScalarFloat,
  SmemLoad,
  Branch,
  LoopBack,
  DmaIssue,
  VLoad,
  VStore,
  VAlu,
  VFma,
  VMulI,
  VToS,
  Eup,
  Xlu,
  XluReduce,
  XluTr,
  XluTrPop,
  MxuWeight,
  MxuSwap,
  MxuPush,
  MxuPop
};

enum class RegKind : uint8_t { None, S, V, M };

// One immediate field: `bits` wide from bit `shift` of Inst::imm.
struct Field {
  std::string_view name;
  uint8_t shift = 0, bits = 0;
  bool isSigned = false;
};

// One operand slot of an instruction.
struct Source {
  RegKind kind = RegKind::None;
  bool orImm = false;     // kNoReg means: the field `imm`
  bool optional = false;  // kNoReg means: absent
};

struct InstInfo {
  std::string_view ident, mnemonic, summary;
  Unit unit;
  Latency latency;
  RegKind result = RegKind::None;
  std::array<Source, 3> sources;
  uint8_t numSources = 0;
  bool masked = false;  // has an optional mask in slot m
  std::array<Field, 4> fields;
  uint8_t numFields = 0;

  const Field *field(std::string_view name) const;
};

// Never fails for op < kCount.
const InstInfo &info(Op op);
std::optional<Op> lookup(std::string_view mnemonic);

// One instruction as it stands in the executable: 16 bytes, little-endian.
struct Inst {
  Op op = Op::Halt;
  uint8_t last = 0;  // 1: the last of its bundle
  uint8_t dst = kNoReg, a = kNoReg, b = kNoReg, c = kNoReg, m = kNoReg;
  int64_t imm = 0;

  uint8_t &source(int i) { return i == 0 ? a : i == 1 ? b : c; }
  uint8_t source(int i) const { return i == 0 ? a : i == 1 ? b : c; }
  bool operator==(const Inst &) const = default;
};
static_assert(sizeof(Inst) == 16);

int64_t getField(const Inst &inst, const Field &field);
// Returns false when `value` does not fit the field.
bool setField(Inst &inst, const Field &field, int64_t value);
// The field of that name, which must exist.
int64_t getField(const Inst &inst, std::string_view name);
bool setField(Inst &inst, std::string_view name, int64_t value);

// A hash of the whole table; an executable carries the one it was made with.
uint64_t tableHash();

// Memory spaces a DMA names.
enum class Space : uint8_t { Hbm, Vmem, Smem };

// A DMA descriptor: up to four counted dims around a contiguous run. Strides and offsets in bytes.
// The source of step (i0..i3) is base + offset + register + sum(i * srcStride).
struct DmaDescriptor {
  Space srcSpace = Space::Hbm, dstSpace = Space::Vmem;
  uint8_t numDims = 0;
  int32_t srcBuffer = -1, dstBuffer = -1;  // index of an HBM buffer; -1 outside HBM
  int64_t srcOffset = 0, dstOffset = 0;
  int64_t runBytes = 0;
  struct Dim {
    int64_t count = 1, srcStride = 0, dstStride = 0;
    bool operator==(const Dim &) const = default;
  };
  std::array<Dim, 4> dims;  // dims[0] outermost

  int64_t totalBytes() const {
    int64_t n = runBytes;
    for (int i = 0; i < numDims; ++i) n *= dims[i].count;
    return n;
  }
  bool operator==(const DmaDescriptor &) const = default;
};

// Why an instruction is malformed (register out of range, missing operand, field); empty when it is well-formed.
std::string validate(const Inst &inst);

}  // namespace tpuc::isa
