// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/executor/jit_code.h"

namespace tpuc::exec::jit {

bool commutes(Insn insn) {
  switch (insn) {
    case Insn::AddF:
    case Insn::MulF:
    case Insn::And:
    case Insn::Or:
    case Insn::Xor:
    case Insn::AddI:
    case Insn::MulI:
    case Insn::MinI:
    case Insn::MaxI:
    case Insn::MinU:
    case Insn::MaxU:
      return true;
    default:
      return false;
  }
}

void emit(Xbyak::CodeGenerator &code, Coded coded, const Xbyak::Zmm &to, const Xbyak::Zmm &a, const Xbyak::Operand &b) {
  switch (coded.insn) {
    case Insn::AddF:
      return code.vaddps(to, a, b);
    case Insn::SubF:
      return code.vsubps(to, a, b);
    case Insn::MulF:
      return code.vmulps(to, a, b);
    case Insn::DivF:
      return code.vdivps(to, a, b);
    case Insn::MaxF:
      return code.vmaxps(to, a, b);
    case Insn::And:
      return code.vpandd(to, a, b);
    case Insn::Or:
      return code.vpord(to, a, b);
    case Insn::Xor:
      return code.vpxord(to, a, b);
    case Insn::AddI:
      return code.vpaddd(to, a, b);
    case Insn::SubI:
      return code.vpsubd(to, a, b);
    case Insn::MulI:
      return code.vpmulld(to, a, b);
    case Insn::MinI:
      return code.vpminsd(to, a, b);
    case Insn::MaxI:
      return code.vpmaxsd(to, a, b);
    case Insn::MinU:
      return code.vpminud(to, a, b);
    case Insn::MaxU:
      return code.vpmaxud(to, a, b);
    case Insn::ShiftLeft:
      return code.vpsllvd(to, a, b);
    case Insn::ShiftRight:
      return code.vpsravd(to, a, b);
    case Insn::ShiftRightU:
      return code.vpsrlvd(to, a, b);
    case Insn::LeadingZeros:
      return code.vplzcntd(to, b);
    case Insn::ToInt:
      return code.vcvttps2dq(to, b);
    case Insn::ToUint:
      return code.vcvttps2udq(to, b);
    case Insn::FromInt:
      return code.vcvtdq2ps(to, b);
    case Insn::FromUint:
      return code.vcvtudq2ps(to, b);
    case Insn::RangeF:
      return code.vrangeps(to, a, b, coded.control);
    case Insn::RoundF:
      return code.vrndscaleps(to, b, coded.control);
    case Insn::ShiftLeftBy:
      return code.vpslld(to, b, coded.control);
    case Insn::ShiftRightBy:
      return code.vpsrad(to, b, coded.control);
    case Insn::ShiftRightUBy:
      return code.vpsrld(to, b, coded.control);
    case Insn::CompareF:
    case Insn::CompareI:
    case Insn::CompareU:
      return;  // emitCompare
  }
}

void emitCompare(Xbyak::CodeGenerator &code, Coded coded, const Xbyak::Opmask &to, const Xbyak::Zmm &a,
                 const Xbyak::Operand &b) {
  if (coded.insn == Insn::CompareF) return code.vcmpps(to, a, b, coded.control);
  if (coded.insn == Insn::CompareI) return code.vpcmpd(to, a, b, coded.control);
  code.vpcmpud(to, a, b, coded.control);
}

}  // namespace tpuc::exec::jit
