// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scalar unit in function.
#include "runtime/timing/scalar_unit.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace tpuc::timing {

using isa::Inst;
using isa::kNoReg;
using isa::Op;

namespace {

float asFloat(int64_t v) { return std::bit_cast<float>(static_cast<uint32_t>(v)); }
int64_t fromFloat(float f) { return std::isnan(f) ? 0x7fc00000 : std::bit_cast<uint32_t>(f); }
int64_t divide(int64_t a, int64_t b) {
  return b == 0 || b == -1 ? (b ? static_cast<int64_t>(0 - static_cast<uint64_t>(a)) : -1) : a / b;
}
int64_t remainder(int64_t a, int64_t b) { return b == 0 ? a : b == -1 ? 0 : a % b; }

// The field of s.* that stands for a missing b, decoded without a look-up: 32 signed bits from bit 0.
int64_t imm32(const Inst &inst) { return static_cast<int32_t>(inst.imm); }

}  // namespace

ScalarUnit::ScalarUnit(int64_t smemBytes, const std::vector<uint8_t> &initial)
    : smem_(initial), smemUnknown_(static_cast<size_t>(smemBytes)) {
  smem_.resize(static_cast<size_t>(smemBytes));
}

void ScalarUnit::set(uint8_t reg, int64_t value) {
  s_[reg] = value;
  unknown_ &= ~(1u << reg);
}

void ScalarUnit::clear() {
  std::memset(s_, 0, sizeof s_);
  unknown_ = 0;
}

int64_t ScalarUnit::operandB(const Inst &inst) const { return inst.b == kNoReg ? imm32(inst) : s_[inst.b]; }

int64_t ScalarUnit::compute(const Inst &inst, bool &known) {
  const int64_t a = inst.a == kNoReg ? 0 : s_[inst.a];
  const int64_t b = operandB(inst);
  const uint64_t ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
  known = (inst.a == kNoReg || this->known(inst.a)) && (inst.b == kNoReg || this->known(inst.b));
  switch (inst.op) {
    case Op::SLi:
      return inst.imm;
    case Op::SAdd:
      return static_cast<int64_t>(ua + ub);
    case Op::SSub:
      return static_cast<int64_t>(ua - ub);
    case Op::SMul:
      return static_cast<int64_t>(ua * ub);
    case Op::SDiv:
      return divide(a, b);
    case Op::SRem:
      return remainder(a, b);
    case Op::SAnd:
      return a & b;
    case Op::SOr:
      return a | b;
    case Op::SXor:
      return a ^ b;
    case Op::SShl:
      return static_cast<int64_t>(ua << (ub & 63));
    case Op::SShr:
      return a >> (ub & 63);
    case Op::SShru:
      return static_cast<int64_t>(ua >> (ub & 63));
    case Op::SMin:
      return std::min(a, b);
    case Op::SMax:
      return std::max(a, b);
    case Op::SEq:
      return a == b;
    case Op::SNe:
      return a != b;
    case Op::SLt:
      return a < b;
    case Op::SLe:
      return a <= b;
    case Op::SLtu:
      return ua < ub;
    case Op::SSext32:
      return static_cast<int32_t>(a);
    case Op::SSel:
      known = this->known(inst.a) && this->known(a ? inst.b : inst.c);
      return a ? s_[inst.b] : s_[inst.c];
    case Op::SFAdd:
      return fromFloat(asFloat(a) + asFloat(b));
    case Op::SFSub:
      return fromFloat(asFloat(a) - asFloat(b));
    case Op::SFMul:
      return fromFloat(asFloat(a) * asFloat(b));
    case Op::SFLt:
      return asFloat(a) < asFloat(b);
    case Op::SFEq:
      return asFloat(a) == asFloat(b);
    default:
      known = false;
      return 0;
  }
}

bool ScalarUnit::execute(const Inst *first, const Inst *last) {
  struct Pending {
    uint8_t reg;
    bool known;
    int64_t value;
  } pending[16];
  int count = 0;
  for (const Inst *inst = first; inst != last; ++inst) {
    bool known = true;
    int64_t value = 0;
    switch (inst->op) {
      case Op::SLdw:
      case Op::SLdd:
        if (!this->known(inst->a))
          known = false;
        else if (!load(s_[inst->a] + imm32(*inst), inst->op == Op::SLdw ? 4 : 8, value, known))
          return false;
        break;
      case Op::SStw:
      case Op::SStd:
        if (!this->known(inst->b)) {
          error_ = "a store to SMEM at an address that depends on data";
          return false;
        }
        if (!store(s_[inst->b] + imm32(*inst), inst->op == Op::SStw ? 4 : 8, s_[inst->a], this->known(inst->a)))
          return false;
        continue;
      case Op::VToS:
        known = false;
        break;
      default:
        value = compute(*inst, known);
    }
    pending[count++] = {inst->dst, known, value};
  }
  for (int i = 0; i < count; ++i) {
    s_[pending[i].reg] = pending[i].value;
    unknown_ = (unknown_ & ~(1u << pending[i].reg)) | (pending[i].known ? 0u : 1u << pending[i].reg);
  }
  return true;
}

bool ScalarUnit::outside(int64_t at, int64_t bytes) {
  if (at >= 0 && at <= static_cast<int64_t>(smem_.size()) - bytes) return false;
  error_ = "SMEM address " + std::to_string(at) + " of " + std::to_string(smem_.size());
  return true;
}

bool ScalarUnit::load(int64_t at, int bytes, int64_t &value, bool &known) {
  if (outside(at, bytes)) return false;
  int32_t word;
  if (bytes == 4)
    std::memcpy(&word, &smem_[at], 4), value = word;
  else
    std::memcpy(&value, &smem_[at], 8);
  for (int i = 0; i < bytes; ++i) known = known && !smemUnknown_[at + i];
  return true;
}

void ScalarUnit::put(int64_t at, uint8_t byte, bool unknown) {
  if (marks_) undo_.push_back({at, smem_[at], smemUnknown_[at]});
  smem_[at] = byte;
  smemUnknown_[at] = unknown;
}

bool ScalarUnit::store(int64_t at, int bytes, int64_t value, bool known) {
  if (outside(at, bytes)) return false;
  for (int i = 0; i < bytes; ++i) put(at + i, static_cast<uint8_t>(static_cast<uint64_t>(value) >> (8 * i)), !known);
  return true;
}

bool ScalarUnit::receive(const isa::DmaDescriptor &d, int64_t offset) {
  int64_t runs = d.totalBytes() / d.runBytes;
  for (int64_t i = 0; i < runs; ++i) {
    int64_t at = d.dstOffset + offset, rest = i;
    for (int k = d.numDims - 1; k >= 0; --k) {
      at += rest % d.dims[k].count * d.dims[k].dstStride;
      rest /= d.dims[k].count;
    }
    if (outside(at, d.runBytes)) return false;
    for (int64_t b = 0; b < d.runBytes; ++b) put(at + b, 0, true);
  }
  return true;
}

bool ScalarUnit::advance(const DecodedProgram &program, const DecodedLoop &loop, int64_t count) {
  int64_t ahead = std::max<int64_t>(0, count - loop.simple.depth);
  for (const SimpleLoop::Induction &i : loop.simple.inductions) {
    uint64_t step =
        static_cast<uint64_t>(i.step.imm) + (i.step.reg == kNoReg ? 0 : static_cast<uint64_t>(s_[i.step.reg]));
    s_[i.reg] = static_cast<int64_t>(static_cast<uint64_t>(s_[i.reg]) + step * static_cast<uint64_t>(ahead));
    if (ahead && i.step.reg != kNoReg && !known(i.step.reg)) unknown_ |= 1u << i.reg;
  }
  for (int64_t n = ahead; n < count; ++n)
    for (uint32_t b = loop.begin + 1; b <= loop.end; ++b)
      if (program.bundles[b].hasScalar && !execute(&program.scalars[program.bundles[b].scalars],
                                                   program.scalars.data() + program.bundles[b + 1].scalars))
        return false;
  return true;
}

ScalarUnit::Mark ScalarUnit::mark() {
  Mark m;
  std::memcpy(m.s, s_, sizeof s_);
  m.unknown = unknown_;
  m.undo = undo_.size();
  ++marks_;
  return m;
}

void ScalarUnit::rollback(const Mark &m) {
  while (undo_.size() > m.undo) {
    smem_[undo_.back().at] = undo_.back().byte;
    smemUnknown_[undo_.back().at] = undo_.back().unknown;
    undo_.pop_back();
  }
  std::memcpy(s_, m.s, sizeof s_);
  unknown_ = m.unknown;
  --marks_;
}

void ScalarUnit::drop(const Mark &m) {
  if (--marks_ == 0) undo_.clear();
}

}  // namespace tpuc::timing
