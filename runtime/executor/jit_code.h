// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// x86-64 instructions with AVX-512, as bytes: what generated lane code is made of (Intel's manual, volume 2, "EVEX" and
// "VEX" prefixes). Registers are numbers: zmm 0-31, k 0-7, general ones as the processor counts them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tpuc::exec::jit {

enum Gpr : int { rax = 0, rcx = 1, rdx = 2, rsi = 6, rdi = 7, r8 = 8, r9 = 9, r10 = 10, r11 = 11 };

// [base + index + disp]; index -1: none.
struct Mem {
  int base;
  int index = -1;
  int32_t disp = 0;
};

// An EVEX instruction: opcode map (1: 0F, 2: 0F38, 3: 0F3A), prefix (0: none, 1: 66, 2: F3, 3: F2), width (0: 128 bits,
// 2: 512).
struct Evex {
  uint8_t map, prefix, opcode;
  int imm = -1;  // a byte behind
  int width = 2;
  bool w = false;
};

class Code {
 public:
  // reg, vvvv and rm as the manual's operand table names them; k: mask register, 0 none; zero: lanes off become 0.
  void evex(const Evex &e, int reg, int vvvv, int rm, int k = 0, bool zero = false);
  void evex(const Evex &e, int reg, int vvvv, const Mem &m, int k = 0, bool zero = false, bool broadcast = false);
  // VEX.L1 of two sources, VEX.L0 of one: instructions on mask registers.
  void maskOp(uint8_t opcode, int reg, int vvvv, int rm);
  void maskMove(int to, int from);

  void loadGpr(int to, const Mem &m);  // 64 bits
  void moveGpr(int to, int from);
  void addGpr(int to, int from);
  void addImm(int to, int32_t imm);
  void andImm(int to, int32_t imm);
  void shiftRight(int to, uint8_t by);
  void multiplyImm(int to, int from, int32_t imm);
  void zeroGpr(int to);
  void compareImm(int reg, int32_t imm);
  void jumpBelow(size_t target);  // to an earlier place
  void zeroUpperAndReturn();

  size_t size() const { return bytes_.size(); }
  const std::vector<uint8_t> &bytes() const { return bytes_; }

 private:
  void byte(int b) { bytes_.push_back(static_cast<uint8_t>(b)); }
  void word32(int32_t v);
  void prefix(const Evex &e, int reg, int vvvv, int bBit, int xBit, int k, bool zero, bool broadcast);
  void rex(int reg, int index, int base);
  void memory(int reg, const Mem &m);

  std::vector<uint8_t> bytes_;
};

}  // namespace tpuc::exec::jit
