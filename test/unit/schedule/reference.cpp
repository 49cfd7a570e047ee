// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions of the reference machine, and its run of a routine's tree.
#include "test/unit/schedule/reference.h"

#include <algorithm>

namespace tpuc::schedule::reference {
namespace {

using isa::Inst;
using isa::Op;

uint64_t mix(uint64_t h, uint64_t x) {
  h ^= x + 0x9e3779b97f4a7c15ull + (h << 6) + (h >> 2);
  h *= 0xff51afd7ed558ccdull;
  return h ^ (h >> 33);
}

// An immediate that stands for a register is an operand, not part of the operation.
int immediateSlot(const Inst &inst) {
  const isa::InstInfo &info = isa::info(inst.op);
  for (int k = 0; k < info.numSources; ++k)
    if (info.sources[k].orImm) return k;
  return -1;
}
uint64_t seedOf(const Inst &inst) {
  return mix(static_cast<uint64_t>(inst.op) + 1, immediateSlot(inst) < 0 ? static_cast<uint64_t>(inst.imm) : 0);
}

int64_t scalar(const Inst &inst, const Operands &in) {
  uint64_t a = static_cast<uint64_t>(in.s[0]);
  bool immediate = isa::info(inst.op).sources[1].orImm && !in.present[1];
  uint64_t b = static_cast<uint64_t>(immediate ? isa::getField(inst, "imm") : in.s[1]);
  int64_t sa = static_cast<int64_t>(a), sb = static_cast<int64_t>(b);
  switch (inst.op) {
    case Op::SLi:
      return inst.imm;
    case Op::SAdd:
      return static_cast<int64_t>(a + b);
    case Op::SSub:
      return static_cast<int64_t>(a - b);
    case Op::SMul:
      return static_cast<int64_t>(a * b);
    case Op::SAnd:
      return sa & sb;
    case Op::SOr:
      return sa | sb;
    case Op::SXor:
      return sa ^ sb;
    case Op::SShl:
      return static_cast<int64_t>(a << (b & 63));
    case Op::SShr:
      return sa >> (b & 63);
    case Op::SShru:
      return static_cast<int64_t>(a >> (b & 63));
    case Op::SMin:
      return std::min(sa, sb);
    case Op::SMax:
      return std::max(sa, sb);
    case Op::SEq:
      return sa == sb;
    case Op::SNe:
      return sa != sb;
    case Op::SLt:
      return sa < sb;
    case Op::SLe:
      return sa <= sb;
    case Op::SLtu:
      return a < b;
    case Op::SSel:
      return sa ? sb : in.s[2];
    default:
      return static_cast<int64_t>(mix(mix(mix(seedOf(inst), a), b), static_cast<uint64_t>(in.s[2])));
  }
}

Result vector(const Inst &inst, const Operands &in) {
  Result r;
  switch (inst.op) {
    case Op::VMov:
      r.v = in.v[0];
      return r;
    case Op::VLi:
      r.v.fill(static_cast<uint32_t>(isa::getField(inst, "imm")));
      return r;
    case Op::MLi:
      r.m = isa::getField(inst, "imm") ? 0xff : 0;
      return r;
    case Op::MAnd:
      r.m = in.m[0] & in.m[1];
      return r;
    case Op::MOr:
      r.m = in.m[0] | in.m[1];
      return r;
    case Op::MXor:
      r.m = in.m[0] ^ in.m[1];
      return r;
    default:
      break;
  }
  for (int lane = 0; lane < 8; ++lane) {
    if (inst.op == Op::VSel) {
      r.v[lane] = in.m[0] >> lane & 1 ? in.v[1][lane] : in.v[2][lane];
    } else if (inst.op == Op::VNeI) {
      r.m |= (in.v[0][lane] != in.v[1][lane]) << lane;
    } else {
      uint64_t h = mix(seedOf(inst), static_cast<uint64_t>(lane));
      for (int k = 0; k < 3; ++k) {
        bool immediate = k == immediateSlot(inst) && !in.present[k];
        int64_t s = immediate ? isa::getField(inst, "imm") : in.s[k];
        h = mix(mix(mix(h, in.v[k][lane]), static_cast<uint64_t>(s)), in.present[k] || immediate);
      }
      r.v[lane] = static_cast<uint32_t>(h);
      r.m |= (h >> 40 & 1) << lane;
      r.s = static_cast<int64_t>(mix(static_cast<uint64_t>(r.s), h)) & 0xffff;
    }
  }
  return r;
}

}  // namespace

uint32_t Memory::word(int64_t address) const {
  auto it = vmem_.find(address);
  return it != vmem_.end() ? it->second : static_cast<uint32_t>(mix(77, static_cast<uint64_t>(address)));
}

int64_t Memory::loadBytes(int64_t address, int count) const {
  uint64_t value = 0;
  for (int i = 0; i < count; ++i) {
    auto it = smem_.find(address + i);
    uint64_t byte = it != smem_.end() ? it->second : mix(99, static_cast<uint64_t>(address + i)) & 0xff;
    value |= byte << (8 * i);
  }
  return count == 4 ? static_cast<int32_t>(value) : static_cast<int64_t>(value);
}

Result Memory::memoryAccess(const Inst &inst, const Operands &in) {
  Result r;
  int64_t off = isa::getField(inst, "off");
  switch (inst.op) {
    case Op::VLd:
      for (int s = 0; s < 8; ++s) r.v[s] = word(in.s[0] + off + s * isa::getField(inst, "stride"));
      break;
    case Op::VSt:
      for (int s = 0; s < 8; ++s)
        if (in.mask >> s & 1) vmem_[in.s[1] + off + s * isa::getField(inst, "stride")] = in.v[0][s];
      break;
    case Op::SLdw:
      r.s = loadBytes(in.s[0] + off, 4);
      break;
    case Op::SLdd:
      r.s = loadBytes(in.s[0] + off, 8);
      break;
    default:
      for (int i = 0; i < (inst.op == Op::SStw ? 4 : 8); ++i)
        smem_[in.s[1] + off + i] = static_cast<uint8_t>(in.s[0] >> (8 * i));
  }
  return r;
}

Result Memory::matrix(const Inst &inst, const Operands &in) {
  Result r;
  int64_t array = isa::getField(inst, "mxu");
  if (isa::info(inst.op).unit == isa::Unit::MxuWeight) {
    if (inst.op == Op::MxuSwap) {
      uint64_t h = 5;
      for (auto it = staged_.begin(); it != staged_.end();)
        if (it->first.first == array)
          h = mix(mix(h, static_cast<uint64_t>(it->first.second)), it->second), it = staged_.erase(it);
        else
          ++it;
      active_[array] = h;
    } else {
      int64_t tile =
          isa::getField(inst, "row") * 16 + isa::getField(inst, "col") + (isa::getField(inst, "xpose") << 20);
      uint64_t h = seedOf(inst);
      for (uint32_t x : in.v[0]) h = mix(h, x);
      staged_[{array, tile}] = h;
    }
    return r;
  }
  bool pop = inst.op == Op::MxuPop;
  int slot = pop ? 0 : 2;
  int64_t group = in.present[slot] ? in.s[slot] : isa::getField(inst, "imm");
  if (pop) {
    uint64_t &acc = accumulators_[{array, group, isa::getField(inst, "col")}];
    for (int s = 0; s < 8; ++s) r.v[s] = static_cast<uint32_t>(mix(acc, static_cast<uint64_t>(s)));
    if (isa::getField(inst, "clear")) acc = 0;
    return r;
  }
  int groups = inst.op == Op::MxuPushB ? 2 : inst.op == Op::MxuPushI ? 4 : 1;
  uint64_t h = mix(static_cast<uint64_t>(inst.op), active_[array]);
  for (int k = 0; k < 2; ++k)
    for (uint32_t x : in.v[k]) h = mix(h, x);
  for (int g = 0; g < groups; ++g)
    for (int col = 0; col < 2; ++col) {
      uint64_t &acc = accumulators_[{array, group + g, col}];
      acc = mix(mix(acc, h), static_cast<uint64_t>(g * 2 + col));
    }
  return r;
}

Result Memory::transpose(const Inst &inst, const Operands &in) {
  Result r;
  auto &buffer = buffers_[isa::getField(inst, "buf")];
  if (inst.op == Op::XTrPush) {
    buffer[isa::getField(inst, "row")] = in.v[0];
    return r;
  }
  uint64_t h = seedOf(inst);
  for (const Vreg &row : buffer)
    for (uint32_t x : row) h = mix(h, x);
  for (int s = 0; s < 8; ++s) r.v[s] = static_cast<uint32_t>(mix(h, static_cast<uint64_t>(s)));
  return r;
}

// dma.start takes eight words at a when it starts; they arrive at b when it is waited for.
void Memory::dma(const Inst &inst, const Operands &in) {
  int slot = inst.op == Op::DmaStart ? 2 : 0;
  int64_t semaphore = in.present[slot] ? in.s[slot] : isa::getField(inst, "imm");
  auto &queue = pending_[semaphore];
  if (inst.op == Op::DmaStart) {
    Transfer t{in.s[1], {}};
    for (int s = 0; s < 8; ++s) t.data[s] = word(in.s[0] + s);
    queue.push_back(t);
    return;
  }
  for (int64_t n = isa::getField(inst, "count"); n > 0 && !queue.empty(); --n) {
    for (int s = 0; s < 8; ++s) vmem_[queue.front().to + s] = queue.front().data[s];
    queue.pop_front();
  }
}

Result Memory::execute(const Inst &inst, const Operands &in) {
  Result r;
  switch (isa::info(inst.op).unit) {
    case isa::Unit::Scalar:
      if (isa::info(inst.op).field("off")) return memoryAccess(inst, in);
      r.s = scalar(inst, in);
      return r;
    case isa::Unit::VLoad:
    case isa::Unit::VStore:
      return memoryAccess(inst, in);
    case isa::Unit::Dma:
      dma(inst, in);
      return r;
    case isa::Unit::MxuWeight:
    case isa::Unit::MxuPush:
    case isa::Unit::MxuPop:
      return matrix(inst, in);
    default:
      break;
  }
  if (inst.op == Op::XTrPush || inst.op == Op::XTrPop) return transpose(inst, in);
  return vector(inst, in);
}

std::string Memory::difference(const Memory &other, int64_t spillWord, int64_t spillByte) const {
  auto compare = [](const auto &a, const auto &b, int64_t spill, const char *name) -> std::string {
    for (const auto *map : {&a, &b})
      for (const auto &[address, value] : *map) {
        if (address >= spill) continue;
        auto x = a.find(address), y = b.find(address);
        if (x == a.end() || y == b.end())
          return std::string(name) + " " + std::to_string(address) + " written on one side";
        if (x->second != y->second) return std::string(name) + " " + std::to_string(address) + " differs";
      }
    return {};
  };
  std::string bad = compare(vmem_, other.vmem_, spillWord, "word");
  return bad.empty() ? compare(smem_, other.smem_, spillByte, "byte") : bad;
}

namespace {

// Walks the tree.
class TreeRunner {
 public:
  TreeRunner(const machine::Routine &routine, Run &run, int64_t maxSteps)
      : s_(routine.regs.size()),
        v_(routine.regs.size()),
        m_(routine.regs.size()),
        routine_(routine),
        run_(run),
        maxSteps_(maxSteps) {}

  bool region(const machine::Region &nodes) {
    for (const machine::Node &node : nodes)
      if (!std::visit([&](const auto &n) { return visit(n); }, node.value)) return false;
    return true;
  }
  std::vector<int64_t> s_;

 private:
  bool step() {
    if (++run_.steps <= maxSteps_) return true;
    run_.error = "does not end";
    return false;
  }

  bool visit(const machine::MInst &inst) {
    if (!step()) return false;
    const isa::InstInfo &info = isa::info(inst.op);
    if (info.unit == isa::Unit::Control) return true;  // calls do nothing here
    Inst encoded;
    encoded.op = inst.op;
    encoded.imm = inst.imm;
    Operands in;
    for (int i = 0; i < 3; ++i) {
      machine::Reg r = inst.src[i];
      if (r == machine::kNone) continue;
      in.present[i] = true;
      if (info.sources[i].kind == isa::RegKind::S) in.s[i] = s_[r];
      if (info.sources[i].kind == isa::RegKind::V) in.v[i] = v_[r];
      if (info.sources[i].kind == isa::RegKind::M) in.m[i] = m_[r];
    }
    if (inst.mask != machine::kNone) in.mask = m_[inst.mask];
    Result r = run_.memory.execute(encoded, in);
    if (info.result == isa::RegKind::S) s_[inst.dst] = r.s;
    if (info.result == isa::RegKind::V) v_[inst.dst] = r.v;
    if (info.result == isa::RegKind::M) m_[inst.dst] = r.m;
    return true;
  }
  bool visit(const machine::LoopNode &loop) {
    int64_t count = loop.count == machine::kNone ? loop.countImm : s_[loop.count];
    for (int64_t i = 0; i < count; ++i)
      if (!step() || !region(loop.body)) return false;
    return true;
  }
  bool visit(const machine::IfNode &node) { return step() && region(s_[node.cond] ? node.then : node.otherwise); }
  bool visit(const machine::WhileNode &node) {
    while (true) {
      if (!step() || !region(node.before)) return false;
      if (!s_[node.cond]) return true;
      if (!region(node.body)) return false;
    }
  }

  std::vector<Vreg> v_;
  std::vector<uint8_t> m_;
  const machine::Routine &routine_;
  Run &run_;
  int64_t maxSteps_;
};

}  // namespace

Run runTree(const machine::Routine &routine, int64_t gridStart, int64_t gridCount, int64_t maxSteps) {
  Run run;
  TreeRunner runner(routine, run, maxSteps);
  if (routine.gridStart != machine::kNone) runner.s_[routine.gridStart] = gridStart;
  if (routine.gridCount != machine::kNone) runner.s_[routine.gridCount] = gridCount;
  runner.region(routine.body);
  return run;
}

}  // namespace tpuc::schedule::reference
