// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One pass over a graph's nodes in program order, with registers given out as they are needed: the one whose next use
// is furthest goes first (Belady). Values that memory has anyway (registers of the machine, constants, splats) are
// never spilled, and are operands in memory where they are used once.
//
// Of the generated function: rdi vregs, rsi spills, rdx slots, rcx constants, r8 masks; rax the byte of the 16 lanes in
// a vreg, r9 their byte in a mask; zmm31 the canonical NaN, zmm30 and k7 scratch.
#include "runtime/executor/jit_compile.h"

#include <algorithm>
#include <array>

#include "runtime/executor/jit_code.h"

namespace tpuc::exec::jit {
namespace {

constexpr int kNan = 31, kScratch = 30, kVectors = 30, kScratchMask = 7, kNoReg = -1;
constexpr int32_t kStep = 64, kMaskStep = 16;  // bytes of 16 lanes
constexpr size_t kFewSpills = 8;
// Instructions that a CPU keeps decoded.
constexpr size_t kDecoded = 3000;
constexpr uint32_t kNanBits = 0x7fc00000;

using Xbyak::Opmask;
using Xbyak::Reg64;
using Xbyak::Zmm;

// Numbers of general registers.
enum Gpr : int { rax = 0, rcx = 1, rdx = 2, rsi = 6, rdi = 7, r8 = 8, r9 = 9, r10 = 10, r11 = 11 };

// [base + index + disp]; index -1: none.
struct Mem {
  int base;
  int index = -1;
  int32_t disp = 0;
};

// What code reads by rcx: these first, then numbers as they are asked for.
constexpr int32_t kNanConstant = 0, kOnes = 4, kLaneTable = 20;
std::vector<uint32_t> firstConstants() {
  std::vector<uint32_t> out{kNanBits, 0x01010101, 0x01010101, 0x01010101, 0x01010101};
  for (uint32_t l = 0; l < isa::kLanes; ++l) out.push_back(l);
  return out;
}

// A loop over the lanes of a graph. Its code may be moved.
class Emitter {
 public:
  Emitter(const Graph &graph, int groups, std::vector<uint32_t> &constants)
      : nodes_(graph.nodes()),
        extent_(graph.extent()),
        groups_(groups),
        places_(graph.values()),
        constants_(constants) {}

  // False too where more values would be spilled than may be.
  bool run(size_t mostSpills) {
    findUses();
    code_.xor_(Reg64(rax), Reg64(rax));
    Xbyak::Label top;
    code_.L(top);
    code_.mov(Reg64(r9), Reg64(rax));
    code_.shr(Reg64(r9), 2);
    for (now_ = 0; now_ < static_cast<int>(nodes_.size()); ++now_) {
      node(nodes_[now_]);
      freeSlots_.insert(freeSlots_.end(), endedSlots_.begin(), endedSlots_.end());
      endedSlots_.clear();
      if (failed_ || spills_ > mostSpills) return false;
    }
    nextLanes(top);
    return Xbyak::GetError() == Xbyak::ERR_NONE;
  }

  const Xbyak::CodeGenerator &code() const { return code_; }

 private:
  struct Place {
    int reg = kNoReg;  // zmm, or k for masks
    bool isMask = false;
    bool inMemory = false, broadcast = false;
    Mem memory{};
    std::vector<int> uses;  // nodes, ascending
    size_t used = 0;
    int nextUse() const { return used < uses.size() ? uses[used] : INT32_MAX; }
  };

  void findUses() {
    for (int n = 0; n < static_cast<int>(nodes_.size()); ++n) {
      const Node &node = nodes_[n];
      for (Value v : {node.a, node.b, node.c, node.mask})
        if (v != kNothing && (places_[v].uses.empty() || places_[v].uses.back() != n)) places_[v].uses.push_back(n);
      if (node.dst != kNothing)
        places_[node.dst].isMask =
            node.kind == Kind::Compare || node.kind == Kind::MaskOp || node.kind == Kind::MaskHome;
    }
  }

  // Moves rax on, behind the last lanes that are needed to the next sublane. Jumps are backward: those forward are only
  // made when code is made ready, and this is moved before.
  void nextLanes(Xbyak::Label &top) {
    const int32_t step = kStep * groups_, end = extent_.lanes * 4;
    code_.add(Reg64(rax), step);
    if (step < end && end < isa::kWordBytes) {
      code_.mov(Reg64(r11), Reg64(rax));
      code_.and_(Reg64(r11), isa::kWordBytes - 1);
      code_.cmp(Reg64(r11), end);
      code_.jb(top, Xbyak::CodeGenerator::T_NEAR);
    }
    if (end < isa::kWordBytes) code_.add(Reg64(rax), isa::kWordBytes - end);
    code_.cmp(Reg64(rax), extent_.sublanes * isa::kWordBytes);
    code_.jb(top, Xbyak::CodeGenerator::T_NEAR);
  }

  int32_t constant(uint32_t bits) {
    auto it = std::find(constants_.begin(), constants_.end(), bits);
    if (it == constants_.end()) it = constants_.insert(it, bits);
    return static_cast<int32_t>(it - constants_.begin()) * 4;
  }

  // ---- registers ----------------------------------------------------------------------------------------------------
  // Owners of zmm 0-29 and of k 1-6.
  Value &owner(bool isMask, int reg) { return isMask ? maskOwner_[reg] : vectorOwner_[reg]; }

  int takeRegister(bool isMask) {
    int first = isMask ? 1 : 0, end = isMask ? kScratchMask : kVectors, furthest = kNoReg;
    for (int r = first; r < end; ++r) {
      Value v = owner(isMask, r);
      if (v == kNothing) return r;
      if (isPinned(v)) continue;
      if (furthest == kNoReg || places_[v].nextUse() > places_[owner(isMask, furthest)].nextUse()) furthest = r;
    }
    if (furthest == kNoReg) {
      failed_ = true;
      return first;
    }
    evict(isMask, furthest);
    return furthest;
  }

  bool isPinned(Value v) const { return std::find(pinned_.begin(), pinned_.end(), v) != pinned_.end(); }

  void evict(bool isMask, int reg) {
    Place &p = places_[owner(isMask, reg)];
    if (!p.inMemory && p.nextUse() != INT32_MAX) {
      ++spills_;
      p.memory = Mem{rsi, -1, takeSlot() * 64};
      p.inMemory = true;
      if (isMask)
        storeMask(p.memory, reg);
      else
        code_.vmovups(at(p.memory), Zmm(reg));
    }
    p.reg = kNoReg;
    owner(isMask, reg) = kNothing;
  }

  int takeSlot() {
    if (freeSlots_.empty()) {
      if (slots_ == kSpillSlots) failed_ = true;
      return failed_ ? 0 : slots_++;
    }
    int s = freeSlots_.back();
    freeSlots_.pop_back();
    return s;
  }

  // A byte a lane, 0 or 1.
  void storeMask(const Mem &to, int k) {
    const Xbyak::Xmm bytes(kScratch);
    code_.vmovdqu8(bytes | Opmask(k) | Xbyak::util::T_z, at({rcx, -1, kOnes}));
    code_.vmovdqu8(at(to), bytes);
  }
  void loadMask(int k, const Mem &from) {
    const Xbyak::Xmm bytes(kScratch);
    code_.vmovdqu8(bytes, at(from));
    code_.vptestmb(Opmask(k), bytes, bytes);
  }

  void put(Value v, int reg) {
    places_[v].reg = reg;
    owner(places_[v].isMask, reg) = v;
  }

  // The value in a register, for as long as the node is being emitted.
  int inRegister(Value v) {
    Place &p = places_[v];
    if (p.reg == kNoReg) {
      int reg = takeRegister(p.isMask);
      if (p.isMask)
        loadMask(reg, p.memory);
      else if (p.broadcast)
        code_.vpbroadcastd(Zmm(reg), at(p.memory));
      else
        code_.vmovups(Zmm(reg), at(p.memory));
      put(v, reg);
    }
    pinned_.push_back(v);
    return p.reg;
  }

  // Whether the value is best read from where it lies: it is not used again, or is one number for all lanes.
  bool fromMemory(Value v) const {
    const Place &p = places_[v];
    return p.reg == kNoReg && p.inMemory && !p.isMask && (p.broadcast || p.used + 1 >= p.uses.size());
  }

  Xbyak::Address at(const Mem &m, bool broadcast = false) const {
    Xbyak::RegExp place = Reg64(m.base);
    if (m.index >= 0) place = place + Reg64(m.index);
    place = place + m.disp;
    return broadcast ? code_.ptr_b[place] : code_.ptr[place];
  }

  // The last operand of an instruction, from memory or a register.
  struct Operand {
    Operand(Zmm r) : reg(r) {}
    Operand(Xbyak::Address m) : inMemory(true), memory(m) {}
    operator const Xbyak::Operand &() const { return inMemory ? static_cast<const Xbyak::Operand &>(memory) : reg; }
    bool inMemory = false;
    Zmm reg;
    Xbyak::Address memory = Xbyak::util::ptr[Xbyak::util::rax];
  };
  Operand operand(Value v) {
    const Place &p = places_[v];
    if (fromMemory(v)) return at(p.memory, p.broadcast);
    return Zmm(inRegister(v));
  }

  // Values whose last use this node is give their registers back.
  void release(const Node &n) {
    for (Value v : {n.a, n.b, n.c, n.mask}) {
      if (v == kNothing) continue;
      Place &p = places_[v];
      while (p.used < p.uses.size() && p.uses[p.used] <= now_) ++p.used;
      if (p.nextUse() != INT32_MAX) continue;
      if (p.reg != kNoReg) owner(p.isMask, p.reg) = kNothing;
      if (p.inMemory && p.memory.base == rsi) endedSlots_.push_back(p.memory.disp / 64);
      p.reg = kNoReg;
      p.inMemory = false;
    }
    pinned_.clear();
  }

  // A register for the node's result, after its operands were pinned: one of theirs where it is free from here on.
  int result(const Node &n) {
    release(n);
    int reg = takeRegister(places_[n.dst].isMask);
    put(n.dst, reg);
    return reg;
  }

  // ---- nodes --------------------------------------------------------------------------------------------------------
  void node(const Node &n) {
    switch (n.kind) {
      case Kind::Home:
        return inMemory(n.dst, home(n), false);
      case Kind::MaskHome:
        return inMemory(n.dst, maskHome(n), false);
      case Kind::Constant:
        return inMemory(n.dst, Mem{rcx, -1, constant(static_cast<uint32_t>(n.imm))}, true);
      case Kind::Splat:
        return inMemory(n.dst, Mem{rdx, -1, static_cast<int32_t>(n.imm * 8)}, true);
      case Kind::LaneId:
        return laneId(n);
      case Kind::SublaneId:
        return sublaneId(n);
      case Kind::Load:
        return load(n);
      case Kind::Store:
        return store(n);
      case Kind::HomeStore:
        return homeStore(n);
      case Kind::MaskStore:
        return maskStore(n);
      case Kind::Binary:
        return binary(n);
      case Kind::Unary:
        return unary(n);
      case Kind::Fma:
        return fma(n);
      case Kind::Select:
        return select(n);
      case Kind::Compare:
        return compare(n);
      case Kind::MaskOp:
        return maskOp(n);
      case Kind::Canonical:
        return canonical(n);
      case Kind::MinMax:
        return minMax(n);
    }
  }

  static Mem home(const Node &n) { return {rdi, rax, static_cast<int32_t>(n.imm * kVregStride) + n.group * kStep}; }
  static Mem maskHome(const Node &n) {
    return {r8, r9, static_cast<int32_t>(n.imm * kMaskStride) + n.group * kMaskStep};
  }

  void inMemory(Value v, const Mem &m, bool broadcast) {
    places_[v].inMemory = true;
    places_[v].memory = m;
    places_[v].broadcast = broadcast;
  }

  void laneId(const Node &n) {
    addressed_ = -1;
    code_.mov(Reg64(r11), Reg64(rax));
    code_.and_(Reg64(r11), isa::kWordBytes - 1);
    int reg = result(n);
    code_.vmovups(Zmm(reg), at({rcx, r11, kLaneTable + n.group * kStep}));
  }

  void sublaneId(const Node &n) {
    addressed_ = -1;
    code_.mov(Reg64(r11), Reg64(rax));
    code_.shr(Reg64(r11), 9);
    int reg = result(n);
    code_.vpbroadcastd(Zmm(reg), Xbyak::Reg32(r11));
  }

  // VMEM at the slot's address: 16 lanes of the sublane that rax is in. Groups side by side share that: r10, r11.
  Mem address(const Node &n) {
    const int32_t disp = n.group * kStep;
    const bool again = addressed_ == n.imm;
    addressed_ = n.imm;
    if (!again) code_.mov(Reg64(r10), at({rdx, -1, static_cast<int32_t>(n.imm * 8)}));
    if (n.stride == 1) return Mem{r10, rax, disp};
    if (!again) {
      code_.mov(Reg64(r11), Reg64(rax));
      code_.shr(Reg64(r11), 9);
      code_.imul(Reg64(r11), Reg64(r11), static_cast<int>(n.stride * isa::kWordBytes));
      code_.add(Reg64(r10), Reg64(r11));
      code_.mov(Reg64(r11), Reg64(rax));
      code_.and_(Reg64(r11), isa::kWordBytes - 1);
    }
    return Mem{r10, r11, disp};
  }

  void load(const Node &n) {
    const Opmask k(n.mask == kNothing ? 0 : inRegister(n.mask));  // 0: all lanes
    const Zmm to(result(n));
    if (k.getIdx())
      code_.vmovups(to | k | Xbyak::util::T_z, at(address(n)));
    else
      code_.vmovups(to, at(address(n)));
  }

  void store(const Node &n) {
    int reg = inRegister(n.a);
    const Opmask k(n.mask == kNothing ? 0 : inRegister(n.mask));  // 0: all lanes
    code_.vmovups(at(address(n)) | k, Zmm(reg));
    release(n);
  }

  // The machine's register gets a new value: who still needs the old one has to keep it elsewhere.
  void saveOld(Kind kind, const Node &store) {
    for (const Node &n : nodes_) {
      if (n.kind != kind || n.imm != store.imm || n.group != store.group) continue;
      Place &p = places_[n.dst];
      if (!p.inMemory || p.memory.base == rsi || p.nextUse() == INT32_MAX) return;
      if (p.nextUse() == now_ && p.used + 1 == p.uses.size()) return;  // this store is all
      inRegister(n.dst);
      p.inMemory = false;
      return;
    }
  }

  void homeStore(const Node &n) {
    int reg = inRegister(n.a);
    saveOld(Kind::Home, n);
    code_.vmovups(at(home(n)), Zmm(reg));
    release(n);
  }

  void maskStore(const Node &n) {
    int k = inRegister(n.a);
    saveOld(Kind::MaskHome, n);
    storeMask(maskHome(n), k);
    release(n);
  }

  // Operands are pinned first; the result may then take the register of one that ends here.
  template <typename Emit>
  void withTwo(const Node &n, bool swappable, Emit emit) {
    Value a = n.a, b = n.b;
    if (swappable && fromMemory(a) && !fromMemory(b)) std::swap(a, b);
    const Zmm left(inRegister(a));
    emit(left, operand(b));
  }

  void binary(const Node &n) {
    withTwo(n, commutes(n.code.insn),
            [&](Zmm left, const Operand &right) { emit(code_, n.code, Zmm(result(n)), left, right); });
  }

  void unary(const Node &n) {
    const Operand from = operand(n.a);
    const Zmm to(result(n));
    emit(code_, n.code, to, to, from);
  }

  // 213: to = factor * to + operand; 231: to = factor * operand + to. One operand's register is overwritten.
  void fma(const Node &n) {
    Value a = n.a, b = n.b;
    auto dies = [&](Value v) { return places_[v].used + 1 >= places_[v].uses.size(); };
    if (fromMemory(a) && !fromMemory(b)) std::swap(a, b);
    int x = inRegister(a);
    if (!fromMemory(n.c) && dies(n.c) && n.c != a && n.c != b) {  // onto the sum
      int sum = inRegister(n.c);
      code_.vfmadd231ps(Zmm(sum), Zmm(x), operand(b));
      keep(n, n.c, sum);
      return;
    }
    int y = inRegister(b);
    const Operand sum = operand(n.c);
    int target = dies(a) && a != n.c ? x : dies(b) && b != n.c ? y : kNoReg, other = target == y ? x : y;
    Value targetValue = target == x ? a : b;
    if (target == kNoReg) {
      int fresh = takeRegister(false);
      code_.vmovaps(Zmm(fresh), Zmm(x));
      code_.vfmadd213ps(Zmm(fresh), Zmm(y), sum);
      owner(false, fresh) = n.dst;  // keeps it from being given away by release
      release(n);
      put(n.dst, fresh);
      return;
    }
    code_.vfmadd213ps(Zmm(target), Zmm(other), sum);
    keep(n, targetValue, target);
  }

  // The result is where `value`, which ends here, was.
  void keep(const Node &n, Value value, int reg) {
    release(n);
    (void)value;
    owner(false, reg) = kNothing;
    put(n.dst, reg);
  }

  void select(const Node &n) {
    const Opmask k(inRegister(n.mask));
    const Zmm other(inRegister(n.b));
    const Operand chosen = operand(n.a);
    code_.vblendmps(Zmm(result(n)) | k, other, chosen);
  }

  void compare(const Node &n) {
    withTwo(n, false,
            [&](Zmm left, const Operand &right) { emitCompare(code_, n.code, Opmask(result(n)), left, right); });
  }

  void maskOp(const Node &n) {
    const Opmask a(inRegister(n.a)), b(inRegister(n.b)), k(result(n));
    if (n.code.insn == Insn::And)
      code_.kandw(k, a, b);
    else if (n.code.insn == Insn::Or)
      code_.korw(k, a, b);
    else
      code_.kxorw(k, a, b);
  }

  void canonical(const Node &n) {
    const Zmm from(inRegister(n.a));
    code_.vcmpps(Opmask(kScratchMask), from, from, kUnordered);
    code_.vblendmps(Zmm(result(n)) | Opmask(kScratchMask), from, Zmm(kNan));
  }

  void minMax(const Node &n) {
    withTwo(n, true, [&](Zmm left, const Operand &right) {
      code_.vcmpps(Opmask(kScratchMask), left, right, kUnordered);
      const Zmm to(result(n));
      emit(code_, n.code, to, left, right);
      code_.vmovaps(to | Opmask(kScratchMask), Zmm(kNan));
    });
  }

  const std::vector<Node> &nodes_;
  const VregExtent extent_;
  const int groups_;
  std::vector<Place> places_;
  std::array<Value, 32> vectorOwner_ = filled(), maskOwner_ = filled();
  static std::array<Value, 32> filled() {
    std::array<Value, 32> all;
    all.fill(kNothing);
    return all;
  }
  std::vector<Value> pinned_;
  std::vector<int> freeSlots_, endedSlots_;  // a slot that ends with a node may still be read by its instruction
  int slots_ = 0, now_ = 0;
  size_t spills_ = 0;  // stores of values that had no register
  bool failed_ = false;
  int64_t addressed_ = -1;  // the slot whose address r10, of a stride r11 too, have
  Xbyak::CodeGenerator code_{4096, Xbyak::AutoGrow};
  std::vector<uint32_t> &constants_;
};

using Loop = std::unique_ptr<Emitter>;

Loop emitLoop(const Graph &graph, int groups, size_t mostSpills, std::vector<uint32_t> &constants) {
  auto loop = std::make_unique<Emitter>(graph, groups, constants);
  return loop->run(mostSpills) ? std::move(loop) : nullptr;
}

// For several groups of 16 lanes side by side, where that needs no more registers than there are: addresses are found
// once for all of them, and their chains overlap. A CPU does not look far enough ahead to overlap a long run with the
// next lanes'.
Loop emitLoop(const Graph &graph, std::vector<uint32_t> &constants) {
  const size_t size = graph.nodes().size();
  for (int groups : {4, 2})
    if (size * groups <= kDecoded && graph.extent().lanes % (16 * groups) == 0)
      if (Loop loop = emitLoop(graph.sideBySide(groups), groups, size * groups / kFewSpills, constants)) return loop;
  return emitLoop(graph, 1, SIZE_MAX, constants);
}

}  // namespace

struct Compiled::Memory {
  std::unique_ptr<Xbyak::CodeGenerator> code;
};

Compiled::Compiled() = default;
Compiled::~Compiled() = default;

std::unique_ptr<Compiled> compile(const std::vector<Graph> &graphs) {
  Xbyak::ClearError();
  std::unique_ptr<Compiled> out(new Compiled);
  out->constants_ = firstConstants();
  auto code = std::make_unique<Xbyak::CodeGenerator>(4096, Xbyak::AutoGrow);
  code->vpbroadcastd(Zmm(kNan), code->ptr[Reg64(rcx) + kNanConstant]);
  for (const Graph &graph : graphs) {
    const Loop loop = emitLoop(graph, out->constants_);
    if (!loop) return nullptr;
    code->db(loop->code().getCode(), loop->code().getSize());
  }
  code->vzeroupper();
  code->ret();
  code->ready(Xbyak::CodeArray::PROTECT_RE);
  if (Xbyak::GetError() != Xbyak::ERR_NONE) return nullptr;
  out->memory_ = std::make_unique<Compiled::Memory>(std::move(code));
  out->run_ = out->memory_->code->getCode<Compiled::Run>();
  return out;
}

}  // namespace tpuc::exec::jit
