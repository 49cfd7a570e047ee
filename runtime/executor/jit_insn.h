// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The AVX-512 instructions that generated lane code is made of, by what they do to 16 lanes.
#pragma once
#include <cstdint>

namespace tpuc::exec::jit {

enum class Insn : uint8_t {
  AddF,
  SubF,
  MulF,
  DivF,
  MaxF,  // the second operand where one is a NaN
  RangeF,
  RoundF,
  CompareF,
  And,
  Or,
  Xor,
  AddI,
  SubI,
  MulI,
  MinI,
  MaxI,
  MinU,
  MaxU,
  ShiftLeft,  // each lane by its own count
  ShiftRight,
  ShiftRightU,
  LeadingZeros,
  CompareI,
  CompareU,
  ToInt,  // towards zero
  ToUint,
  FromInt,
  FromUint,
  ShiftLeftBy,  // all by `control`
  ShiftRightBy,
  ShiftRightUBy,
};

// An instruction and its immediate byte: a predicate, a rounding mode, a count.
struct Coded {
  Insn insn = Insn::AddF;
  uint8_t control = 0;
};

// The predicates of vcmpps that are quiet, and those of vpcmpd.
enum FloatPredicate : uint8_t {
  kEqF = 0,
  kUnordered = 3,
  kNeF = 4,
  kLtF = 0x11,
  kLeF = 0x12,
  kGeF = 0x1d,
  kGtF = 0x1e
};
enum IntPredicate : uint8_t { kEqI = 0, kLtI = 1, kLeI = 2, kNeI = 4 };
enum RangeControl : uint8_t { kMin = 4, kMax = 5 };

}  // namespace tpuc::exec::jit
