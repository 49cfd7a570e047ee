// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One pass over a graph's nodes in program order, with registers given out as they are needed: the one whose next use
// is furthest goes first (Belady). Values that memory has anyway (registers of the machine, constants, splats) are
// never spilled, and are operands in memory where they are used once.
//
// Of the generated function: rdi vregs, rsi spills, rdx slots, rcx constants, r8 masks; rax the byte of the 16 lanes in
// a vreg, r9 their byte in a mask; zmm31 the canonical NaN, zmm30 and k7 scratch.
#include "runtime/executor/jit_compile.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace tpuc::exec::jit {
namespace {

constexpr int kNan = 31, kScratch = 30, kVectors = 30, kScratchMask = 7, kNoReg = -1;
constexpr int32_t kStep = 64;
constexpr Evex kLoadPs{1, 0, 0x10}, kStorePs{1, 0, 0x11}, kMovePs{1, 0, 0x28}, kSplatD{2, 1, 0x58}, kBlend{2, 1, 0x65};
constexpr Evex kLoadBytes{1, 3, 0x6f, -1, 0}, kStoreBytes{1, 3, 0x7f, -1, 0}, kTestBytes{2, 1, 0x26, -1, 0};
constexpr Evex kUnordered{1, 0, 0xc2, 3};
constexpr uint32_t kNanBits = 0x7fc00000;

class Emitter {
 public:
  explicit Emitter(const Graph &graph) : nodes_(graph.nodes()), places_(graph.values()) {}

  bool run() {
    findUses();
    nanConstant_ = constant(kNanBits);
    onesConstant_ = static_cast<int32_t>(constants_.size()) * 4;
    constants_.insert(constants_.end(), 4, 0x01010101);
    laneTable_ = static_cast<int32_t>(constants_.size()) * 4;
    for (uint32_t l = 0; l < isa::kLanes; ++l) constants_.push_back(l);
    code_.evex(kSplatD, kNan, 0, Mem{rcx, -1, nanConstant_});
    code_.zeroGpr(rax);
    size_t top = code_.size();
    code_.moveGpr(r9, rax);
    code_.shiftRight(r9, 2);
    for (now_ = 0; now_ < static_cast<int>(nodes_.size()); ++now_) {
      node(nodes_[now_]);
      freeSlots_.insert(freeSlots_.end(), endedSlots_.begin(), endedSlots_.end());
      endedSlots_.clear();
      if (failed_) return false;
    }
    code_.addImm(rax, kStep);
    code_.compareImm(rax, isa::kVregBytes);
    code_.jumpBelow(top);
    code_.zeroUpperAndReturn();
    return true;
  }

  const Code &code() const { return code_; }
  std::vector<uint32_t> &constants() { return constants_; }

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
      p.memory = Mem{rsi, -1, takeSlot() * 64};
      p.inMemory = true;
      if (isMask)
        storeMask(p.memory, reg);
      else
        code_.evex(kStorePs, reg, 0, p.memory);
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
    code_.evex(kLoadBytes, kScratch, 0, Mem{rcx, -1, onesConstant_}, k, true);
    code_.evex(kStoreBytes, kScratch, 0, to);
  }
  void loadMask(int k, const Mem &from) {
    code_.evex(kLoadBytes, kScratch, 0, from);
    code_.evex(kTestBytes, k, kScratch, kScratch);
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
      else
        code_.evex(p.broadcast ? kSplatD : kLoadPs, reg, 0, p.memory);
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

  // Last operand of an instruction.
  void withOperand(const Evex &e, int reg, int vvvv, Value v, int k = 0) {
    const Place &p = places_[v];
    if (fromMemory(v))
      code_.evex(e, reg, vvvv, p.memory, k, false, p.broadcast);
    else
      code_.evex(e, reg, vvvv, inRegister(v), k);
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
        return inMemory(n.dst, Mem{rdi, rax, static_cast<int32_t>(n.imm * kVregStride)}, false);
      case Kind::MaskHome:
        return inMemory(n.dst, Mem{r8, r9, static_cast<int32_t>(n.imm * kMaskStride)}, false);
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
      case Kind::ShiftImm:
        return shiftImm(n);
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

  void inMemory(Value v, const Mem &m, bool broadcast) {
    places_[v].inMemory = true;
    places_[v].memory = m;
    places_[v].broadcast = broadcast;
  }

  void laneId(const Node &n) {
    code_.moveGpr(r11, rax);
    code_.andImm(r11, isa::kWordBytes - 1);
    int reg = result(n);
    code_.evex(kLoadPs, reg, 0, Mem{rcx, r11, laneTable_});
  }

  void sublaneId(const Node &n) {
    code_.moveGpr(r11, rax);
    code_.shiftRight(r11, 9);
    int reg = result(n);
    code_.evex({2, 1, 0x7c}, reg, 0, r11);
  }

  // VMEM at the slot's address: 16 lanes of the sublane that rax is in.
  Mem address(const Node &n) {
    code_.loadGpr(r10, Mem{rdx, -1, static_cast<int32_t>(n.imm * 8)});
    if (n.stride == 1) return Mem{r10, rax};
    code_.moveGpr(r11, rax);
    code_.shiftRight(r11, 9);
    code_.multiplyImm(r11, r11, static_cast<int32_t>(n.stride * isa::kWordBytes));
    code_.addGpr(r10, r11);
    code_.moveGpr(r11, rax);
    code_.andImm(r11, isa::kWordBytes - 1);
    return Mem{r10, r11};
  }

  void load(const Node &n) {
    int reg = result(n);
    code_.evex(kLoadPs, reg, 0, address(n));
  }

  void store(const Node &n) {
    int reg = inRegister(n.a), k = n.mask == kNothing ? 0 : inRegister(n.mask);
    code_.evex(kStorePs, reg, 0, address(n), k);
    release(n);
  }

  // The machine's register gets a new value: who still needs the old one has to keep it elsewhere.
  void saveOld(Kind kind, int64_t home) {
    for (const Node &n : nodes_) {
      if (n.kind != kind || n.imm != home) continue;
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
    saveOld(Kind::Home, n.imm);
    code_.evex(kStorePs, reg, 0, Mem{rdi, rax, static_cast<int32_t>(n.imm * kVregStride)});
    release(n);
  }

  void maskStore(const Node &n) {
    int k = inRegister(n.a);
    saveOld(Kind::MaskHome, n.imm);
    storeMask(Mem{r8, r9, static_cast<int32_t>(n.imm * kMaskStride)}, k);
    release(n);
  }

  static bool commutes(const Evex &e) {
    if (e.map == 1 && e.prefix == 0) return e.opcode == 0x58 || e.opcode == 0x59;
    return e.opcode != 0xfa && !(e.map == 2 && e.opcode >= 0x45 && e.opcode <= 0x47) &&
           !(e.map == 1 && e.opcode == 0x5e);
  }

  // Operands are pinned first; the result may then take the register of one that ends here.
  template <typename Emit>
  void withTwo(const Node &n, bool swappable, Emit emit) {
    Value a = n.a, b = n.b;
    if (swappable && fromMemory(a) && !fromMemory(b)) std::swap(a, b);
    int left = inRegister(a);
    bool memory = fromMemory(b);
    Place saved = places_[b];
    int right = memory ? kNoReg : inRegister(b);
    emit(left, [&](const Evex &e, int reg, int vvvv, int k) {
      if (memory)
        code_.evex(e, reg, vvvv, saved.memory, k, false, saved.broadcast);
      else
        code_.evex(e, reg, vvvv, right, k);
    });
  }

  void binary(const Node &n) {
    withTwo(n, commutes(n.code), [&](int left, auto with) {
      int reg = result(n);
      with(n.code, reg, left, 0);
    });
  }

  void unary(const Node &n) {
    Place saved = places_[n.a];
    if (fromMemory(n.a)) {
      int reg = result(n);
      code_.evex(n.code, reg, 0, saved.memory, 0, false, saved.broadcast);
      return;
    }
    int from = inRegister(n.a), reg = result(n);
    code_.evex(n.code, reg, 0, from);
  }

  void shiftImm(const Node &n) {
    int from = inRegister(n.a), reg = result(n);
    code_.evex(n.code, static_cast<int>(n.imm), reg, from);
  }

  // 213: reg = vvvv * reg + rm; 231: reg = vvvv * rm + reg. One operand's register is overwritten.
  void fma(const Node &n) {
    Value a = n.a, b = n.b;
    auto dies = [&](Value v) { return places_[v].used + 1 >= places_[v].uses.size(); };
    if (fromMemory(a) && !fromMemory(b)) std::swap(a, b);
    int x = inRegister(a);
    if (!fromMemory(n.c) && dies(n.c) && n.c != a && n.c != b) {  // onto the sum
      int sum = inRegister(n.c);
      withOperand({2, 1, 0xb8}, sum, x, b);
      keep(n, n.c, sum);
      return;
    }
    int y = inRegister(b);
    bool memory = fromMemory(n.c);
    int z = memory ? kNoReg : inRegister(n.c);
    Place saved = places_[n.c];
    int target = dies(a) && a != n.c ? x : dies(b) && b != n.c ? y : kNoReg, other = target == y ? x : y;
    Value targetValue = target == x ? a : b;
    if (target == kNoReg) {
      int fresh = takeRegister(false);
      code_.evex(kMovePs, fresh, 0, x);
      emitFma213(fresh, y, z, memory, saved);
      owner(false, fresh) = n.dst;  // keeps it from being given away by release
      release(n);
      put(n.dst, fresh);
      return;
    }
    emitFma213(target, other, z, memory, saved);
    keep(n, targetValue, target);
  }

  void emitFma213(int target, int factor, int sum, bool memory, const Place &place) {
    constexpr Evex k213{2, 1, 0xa8};
    if (memory)
      code_.evex(k213, target, factor, place.memory, 0, false, place.broadcast);
    else
      code_.evex(k213, target, factor, sum);
  }

  // The result is where `value`, which ends here, was.
  void keep(const Node &n, Value value, int reg) {
    release(n);
    (void)value;
    owner(false, reg) = kNothing;
    put(n.dst, reg);
  }

  void select(const Node &n) {
    int k = inRegister(n.mask), other = inRegister(n.b);
    bool memory = fromMemory(n.a);
    Place saved = places_[n.a];
    int chosen = memory ? kNoReg : inRegister(n.a);
    int reg = result(n);
    if (memory)
      code_.evex(kBlend, reg, other, saved.memory, k, false, saved.broadcast);
    else
      code_.evex(kBlend, reg, other, chosen, k);
  }

  void compare(const Node &n) {
    withTwo(n, false, [&](int left, auto with) {
      int k = result(n);
      with(n.code, k, left, 0);
    });
  }

  void maskOp(const Node &n) {
    int a = inRegister(n.a), b = inRegister(n.b), k = result(n);
    code_.maskOp(n.code.opcode, k, a, b);
  }

  void canonical(const Node &n) {
    int from = inRegister(n.a);
    code_.evex(kUnordered, kScratchMask, from, from);
    int reg = result(n);
    code_.evex(kBlend, reg, from, kNan, kScratchMask);
  }

  void minMax(const Node &n) {
    withTwo(n, true, [&](int left, auto with) {
      with(kUnordered, kScratchMask, left, 0);
      int reg = result(n);
      with(n.code, reg, left, 0);
      code_.evex(kMovePs, reg, 0, kNan, kScratchMask);
    });
  }

  const std::vector<Node> &nodes_;
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
  bool failed_ = false;
  Code code_;
  std::vector<uint32_t> constants_;
  int32_t nanConstant_ = 0, onesConstant_ = 0, laneTable_ = 0;
};

}  // namespace

Compiled::~Compiled() {
  if (run_) munmap(reinterpret_cast<void *>(run_), bytes_);
}

std::unique_ptr<Compiled> compile(const Graph &graph) {
  Emitter emitter(graph);
  if (!emitter.run()) return nullptr;
  const std::vector<uint8_t> &bytes = emitter.code().bytes();
  void *memory = mmap(nullptr, bytes.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  std::memcpy(memory, bytes.data(), bytes.size());
  std::unique_ptr<Compiled> out(new Compiled);
  out->run_ = reinterpret_cast<Compiled::Run>(memory);
  out->bytes_ = bytes.size();
  out->constants_ = std::move(emitter.constants());
  return mprotect(memory, bytes.size(), PROT_READ | PROT_EXEC) == 0 ? std::move(out) : nullptr;
}

}  // namespace tpuc::exec::jit
