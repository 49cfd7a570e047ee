// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/executor/jit_code.h"

namespace tpuc::exec::jit {

void Code::word32(int32_t v) {
  for (int i = 0; i < 4; ++i) byte(v >> (8 * i) & 0xff);
}

// Bits of the register numbers are stored inverted.
void Code::prefix(const Evex &e, int reg, int vvvv, int bBit, int xBit, int k, bool zero, bool broadcast) {
  byte(0x62);
  byte((reg & 8 ? 0 : 0x80) | (xBit ? 0 : 0x40) | (bBit ? 0 : 0x20) | (reg & 16 ? 0 : 0x10) | e.map);
  byte((e.w ? 0x80 : 0) | (~vvvv & 15) << 3 | 4 | e.prefix);
  byte((zero ? 0x80 : 0) | e.width << 5 | (broadcast ? 0x10 : 0) | (vvvv & 16 ? 0 : 8) | k);
}

void Code::evex(const Evex &e, int reg, int vvvv, int rm, int k, bool zero) {
  prefix(e, reg, vvvv, rm & 8, rm & 16, k, zero, false);
  byte(e.opcode);
  byte(0xc0 | (reg & 7) << 3 | (rm & 7));
  if (e.imm >= 0) byte(e.imm);
}

void Code::evex(const Evex &e, int reg, int vvvv, const Mem &m, int k, bool zero, bool broadcast) {
  prefix(e, reg, vvvv, m.base & 8, m.index >= 0 ? m.index & 8 : 0, k, zero, broadcast);
  byte(e.opcode);
  memory(reg, m);
  if (e.imm >= 0) byte(e.imm);
}

// Always with a displacement of 32 bits, which EVEX does not scale.
void Code::memory(int reg, const Mem &m) {
  if (m.index < 0 && (m.base & 7) != 4) {
    byte(0x80 | (reg & 7) << 3 | (m.base & 7));
  } else {
    byte(0x80 | (reg & 7) << 3 | 4);
    byte((m.index < 0 ? 4 : m.index & 7) << 3 | (m.base & 7));
  }
  word32(m.disp);
}

void Code::maskOp(uint8_t opcode, int reg, int vvvv, int rm) {
  byte(0xc5);
  byte(0x80 | (~vvvv & 15) << 3 | 4);
  byte(opcode);
  byte(0xc0 | reg << 3 | rm);
}

void Code::maskMove(int to, int from) {
  byte(0xc5);
  byte(0xf8);
  byte(0x90);
  byte(0xc0 | to << 3 | from);
}

void Code::rex(int reg, int index, int base) {
  byte(0x48 | (reg & 8 ? 4 : 0) | (index >= 0 && index & 8 ? 2 : 0) | (base & 8 ? 1 : 0));
}

void Code::loadGpr(int to, const Mem &m) {
  rex(to, m.index, m.base);
  byte(0x8b);
  memory(to, m);
}

void Code::moveGpr(int to, int from) {
  rex(from, -1, to);
  byte(0x89);
  byte(0xc0 | (from & 7) << 3 | (to & 7));
}

void Code::addGpr(int to, int from) {
  rex(from, -1, to);
  byte(0x01);
  byte(0xc0 | (from & 7) << 3 | (to & 7));
}

void Code::addImm(int to, int32_t imm) {
  rex(0, -1, to);
  byte(0x81);
  byte(0xc0 | (to & 7));
  word32(imm);
}

void Code::andImm(int to, int32_t imm) {
  rex(0, -1, to);
  byte(0x81);
  byte(0xe0 | (to & 7));
  word32(imm);
}

void Code::shiftRight(int to, uint8_t by) {
  rex(0, -1, to);
  byte(0xc1);
  byte(0xe8 | (to & 7));
  byte(by);
}

void Code::multiplyImm(int to, int from, int32_t imm) {
  rex(to, -1, from);
  byte(0x69);
  byte(0xc0 | (to & 7) << 3 | (from & 7));
  word32(imm);
}

void Code::zeroGpr(int to) {
  rex(to, -1, to);
  byte(0x31);
  byte(0xc0 | (to & 7) << 3 | (to & 7));
}

void Code::compareImm(int reg, int32_t imm) {
  rex(0, -1, reg);
  byte(0x81);
  byte(0xf8 | (reg & 7));
  word32(imm);
}

void Code::jumpBelow(size_t target) {
  byte(0x0f);
  byte(0x82);
  word32(static_cast<int32_t>(static_cast<int64_t>(target) - static_cast<int64_t>(bytes_.size()) - 4));
}

void Code::zeroUpperAndReturn() {
  for (int b : {0xc5, 0xf8, 0x77, 0xc3}) byte(b);
}

}  // namespace tpuc::exec::jit
