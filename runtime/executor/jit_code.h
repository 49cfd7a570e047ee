// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine code for instructions on lanes, by Xbyak.
#pragma once
#define XBYAK_NO_EXCEPTION
#include <xbyak/xbyak.h>

#include "runtime/executor/jit_insn.h"

namespace tpuc::exec::jit {

// Whether the operands may change places.
bool commutes(Insn insn);

// to = a op b: of registers, `b` perhaps in memory. Instructions of one operand have it in `b`, and no `a`.
void emit(Xbyak::CodeGenerator &code, Coded coded, const Xbyak::Zmm &to, const Xbyak::Zmm &a, const Xbyak::Operand &b);
void emitCompare(Xbyak::CodeGenerator &code, Coded coded, const Xbyak::Opmask &to, const Xbyak::Zmm &a,
                 const Xbyak::Operand &b);

}  // namespace tpuc::exec::jit
