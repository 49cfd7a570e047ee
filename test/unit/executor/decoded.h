// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decoded instructions, as analyses of programs see them.
#pragma once
#include "runtime/executor/core.h"

namespace tpuc::exec::test {

inline DInst decoded(isa::Op op, uint8_t dst, uint8_t a, uint8_t b = kNone) {
  DInst i;
  i.op = op;
  i.dst = dst;
  i.a = a;
  i.b = b;
  i.c = i.m = kNone;
  return i;
}

}  // namespace tpuc::exec::test
