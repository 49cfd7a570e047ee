// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run of lane-by-lane instructions as values: what 16 lanes of it compute. Built from the run's instructions,
// compiled by jit_compile.cpp.
#pragma once
#include <bit>
#include <cstdint>
#include <map>
#include <vector>

#include "runtime/executor/core.h"
#include "runtime/executor/jit_insn.h"
#include "runtime/executor/live_registers.h"

namespace tpuc::exec::jit {

enum class Kind : uint8_t {
  Home,       // vreg `imm` as it was before the run
  HomeStore,  // vreg `imm` = a
  MaskHome,
  MaskStore,
  Constant,  // `imm` in every lane
  Splat,     // the low half of slot `imm` in every lane
  LaneId,
  SublaneId,
  Load,       // zeros outside of the mask
  Store,      // VMEM at slot `imm`, `stride` words apart; with a mask or none
  Binary,     // by `code`: a, b
  Unary,      // a
  Fma,        // a * b + c
  Select,     // mask ? a : b
  Compare,    // to a mask
  MaskOp,     // by `code`: and, or, exclusive or
  Canonical,  // a with its NaNs made canonical
  MinMax,     // by `code`, a RangeF
};

using Value = int32_t;
inline constexpr Value kNothing = -1;

struct Node {
  Kind kind;
  Value dst = kNothing, a = kNothing, b = kNothing, c = kNothing, mask = kNothing;
  Coded code{};
  int64_t imm = 0, stride = 1;
  int group = 0;  // of those 16 lanes each that are computed side by side
};

class Graph {
 public:
  // Of a run of which so much is needed: lanes in groups of 16.
  explicit Graph(VregExtent needed)
      : extent_{std::max<uint8_t>(needed.sublanes, 1), roundedLanes(std::max<uint8_t>(needed.lanes, 1))} {}
  // One instruction of the run; `slot` as in StripOp. False for those that have no nodes.
  bool add(const DInst &i, int slot);
  // Stores the registers that are needed after the run; all others may keep old contents.
  void finish(const LiveRegisters &needed);

  const std::vector<Node> &nodes() const { return nodes_; }
  int values() const { return static_cast<int>(raw_.size()); }
  VregExtent extent() const { return extent_; }

  // The same of several groups of 16 lanes: every node once for each, but for those that are the same for all.
  Graph sideBySide(int groups) const;

  static bool supports(const DInst &i);

  // For building expressions.
  Value binary(Coded code, Value a, Value b, bool raw = false);
  Value unary(Coded code, Value a, bool raw = false);
  Value fma(Value a, Value b, Value c);
  Value select(Value mask, Value a, Value b);
  Value compare(Coded code, Value a, Value b);
  Value constant(uint32_t bits);
  Value constant(float f) { return constant(std::bit_cast<uint32_t>(f)); }

 private:
  // One group of 16, or pairs of them: two are computed side by side.
  static uint8_t roundedLanes(int lanes) { return static_cast<uint8_t>(lanes <= 16 ? 16 : (lanes + 31) / 32 * 32); }
  Value push(Node node, bool raw);
  Value position(Kind kind);
  Value maskOf(const DInst &access);
  Value vreg(uint8_t reg);
  Value mask(uint8_t reg);
  void setVreg(uint8_t reg, Value v) { vregs_[reg] = v; }
  void setMask(uint8_t reg, Value v) { masks_[reg] = v; }
  // The value without NaN payloads that an instruction could see.
  Value canonical(Value v);
  bool addMove(const DInst &i, int slot);
  bool addFloat(const DInst &i);
  bool addInteger(const DInst &i);
  bool addCompare(const DInst &i);
  bool addConversion(const DInst &i);
  bool addTranscendental(const DInst &i);

  VregExtent extent_;
  std::vector<Node> nodes_;
  std::vector<bool> raw_;  // of each value: may hold NaNs that are not canonical
  std::vector<Value> canonicalOf_;
  std::map<uint32_t, Value> constants_;
  std::map<uint8_t, Value> vregs_, masks_, homes_, maskHomes_;
  std::map<std::pair<Kind, int>, Value> inside_;  // masks of the first sublanes, or lanes
};

}  // namespace tpuc::exec::jit
