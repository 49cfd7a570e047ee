// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine program as text, for dumps and tests; printing and parsing are inverse to each other.
//
//   entry routine main grid_start=s0 grid_count=s1 spill_vmem=4096 spill_smem=64 {
//     regs s2 v3                          // kinds by number: s0 s1 v2 v3 v4 (optional: what is used is enough)
//     s0 = s.li imm=8
//     loop 16 independent {               // or: loop s0 { ... }
//       v2 = v.ld s0 off=8 stride=1 region=3 loc=5
//       mxu.push.bf16 v2, _, s0           // _ : no register in this slot
//       v.st v2, s0 mask=m7
//     }
//     if s0 { call routine=2 } else { }
//     while { s1 = s.lt s0 imm=3 } s1 { s0 = s.add s0 imm=1 }
//   }
#pragma once
#include <string>
#include <string_view>

#include "passes/schedule/machine.h"

namespace tpuc::schedule {

std::string toText(const machine::Routine &routine);
std::string toText(const machine::Program &program);

// False with `error` ("line N: expects X, but got Y").
bool parseRoutine(std::string_view text, machine::Routine &routine, std::string &error);
// Routines one after the other; "locations" lines: loc 5 "file.py:3".
bool parseProgram(std::string_view text, machine::Program &program, std::string &error);

}  // namespace tpuc::schedule
