// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps: 1. find runs of lane-by-lane instructions, with only scalar arithmetic between them and instructions of whole
// vregs that can as well come before the run; 2. move both to the front, where each load, store and splat leaves its
// address or value in a slot; 3. know which accesses of VMEM could meet in different lanes: of those off one base
// register the second ends the run, the rest are compared at run time.
#include "runtime/executor/strips.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <memory>

#include "runtime/executor/forward_loads.h"
#include "runtime/executor/kernels.h"
#include "runtime/executor/program.h"
#include "runtime/executor/strip_parts.h"

namespace tpuc::exec {
namespace {

using isa::Op;
using isa::Unit;

constexpr size_t kFewest = 3;  // vector instructions that are worth a run

const DInst *noteLoad(Core &core, const DInst *i) {
  int64_t word = vmemWord(core, core.s[i->a], i->imm, i->aux);
  if (word < 0) return stop(core, i, "v.ld outside of VMEM");
  core.slotWords[i->flags] = word;
  core.slots[i->flags] = reinterpret_cast<int64_t>(vmemSource(core, word, i->aux));
  return i + 1;
}
const DInst *noteStore(Core &core, const DInst *i) {
  int64_t word = vmemWord(core, core.s[i->b], i->imm, i->aux);
  if (word < 0) return stop(core, i, "v.st outside of VMEM");
  core.slotWords[i->flags] = word;
  core.slots[i->flags] = reinterpret_cast<int64_t>(vmemTarget(core, word, i->aux, storesAll(*i)));
  return i + 1;
}
const DInst *noteSplat(Core &core, const DInst *i) {
  core.slots[i->flags] = core.s[i->a];
  return i + 1;
}

struct Words {
  int64_t low, high;
};
Words wordsOf(const Access &a) {
  int64_t span = (isa::kSublanes - 1) * a.stride;
  return {a.offset + std::min<int64_t>(span, 0), a.offset + std::max<int64_t>(span, 0) + 1};
}

// Whether executing strip by strip could change what one of two accesses sees. `distance`: from a's to b's first word.
bool meets(const Access &a, const Access &b, int64_t distance) {
  if (!a.isStore && !b.isStore) return false;
  if (distance == 0 && a.stride == b.stride && a.stride != 0) return false;  // the same lanes
  Words x = wordsOf(a), y = wordsOf(b);
  int64_t shift = distance - (b.offset - a.offset);
  return x.low < y.high + shift && y.low + shift < x.high;
}

// How a run may be executed, as its accesses lie this time.
enum class Order {
  Any,     // all lanes of a part after those of another
  Strips,  // all instructions for some lanes, then for others
  Kept     // one instruction after the other
};

// `parts`: by instruction, of a run whose parts are executed one after the other; null: of any other.
Order orderAt(const Core &core, const Access &a, const Access &b, const int *parts) {
  const int64_t distance = core.slotWords[b.slot] - core.slotWords[a.slot];
  if (meets(a, b, distance)) return Order::Kept;
  const bool same = distance == 0 && a.root != b.root && (a.isStore || b.isStore);
  return same && parts && parts[a.inst] != parts[b.inst] ? Order::Strips : Order::Any;
}

Order orderOfAll(const Core &core, const StripProgram &p, const int *parts) {
  Order order = Order::Any;
  for (size_t i = 0; i < p.accesses.size(); ++i)
    for (size_t j = 0; j < i; ++j) order = std::max(order, orderAt(core, p.accesses[j], p.accesses[i], parts));
  return order;
}

Order orderOf(const Core &core, const StripProgram &p, const StripProgram::Root &x, const StripProgram::Root &y,
              const int *parts) {
  Order order = Order::Any;
  for (uint16_t i : x.accesses)
    for (uint16_t j : y.accesses) order = std::max(order, orderAt(core, p.accesses[i], p.accesses[j], parts));
  return order;
}

// Roots first: arrays mostly lie apart. A run has no accesses of one root that meet.
Order orderOf(const Core &core, const StripProgram &p, const int *parts) {
  std::array<Words, 64> at;
  if (p.roots.size() > at.size()) return orderOfAll(core, p, parts);
  Order order = Order::Any;
  for (size_t i = 0; i < p.roots.size(); ++i) {
    const StripProgram::Root &r = p.roots[i];
    int64_t base = core.slotWords[r.slot] - r.offset;
    at[i] = {base + r.low, base + r.high};
    for (size_t j = 0; j < i; ++j)
      if ((r.stores || p.roots[j].stores) && at[i].low < at[j].high && at[j].low < at[i].high)
        order = std::max(order, orderOf(core, p, p.roots[j], r, parts));
  }
  return order;
}

// What a part's stores and the registers that it leaves take of vregs.
VregExtent extentOf(const StripProgram &p, const StripPart &part) {
  VregExtent out = part.leaves.extent();
  for (int k : part.insts)
    if (p.insts[k].op == Op::VSt) out |= extentOf(p.insts[k]);
  return out;
}

void compileRun(StripProgram &p) {
  std::vector<jit::Graph> graphs;
  p.partOf.assign(p.insts.size(), -1);
  for (const StripPart &part : partsOf(p)) {
    jit::Graph &graph = graphs.emplace_back(extentOf(p, part));
    for (int k : part.insts) {
      if (!graph.add(p.insts[k], p.ops[k].slot)) return;
      p.partOf[k] = static_cast<int>(graphs.size());
    }
    graph.finish(part.leaves);
  }
  p.owned = jit::compile(graphs);
  p.compiled.store(p.owned.get(), std::memory_order_release);
}

const DInst *runStrips(Core &core, const DInst *i) {
  StripProgram &p = *static_cast<StripProgram *>(const_cast<void *>(i->data));
  const jit::Compiled *compiled = p.compiled.load(std::memory_order_acquire);
  const Order order = orderOf(core, p, compiled ? p.partOf.data() : nullptr);
  if (order == Order::Kept) {
    for (const StripOp &op : p.ops)
      for (int first = 0; first < isa::kSublanes * isa::kLanes; first += kStripLanes) op.fn(core, op, first);
    return i + 1;
  }
  if (compiled && order == Order::Any) {
    (*compiled)(core);
    return i + 1;
  }
  if (p.hotAfter && p.executions.fetch_add(1, std::memory_order_relaxed) + 1 == p.hotAfter) compileRun(p);
  for (int first = 0; first < isa::kSublanes * isa::kLanes; first += kStripLanes)
    for (const StripOp &op : p.ops) op.fn(core, op, first);
  return i + 1;
}

bool isScalarStep(const DInst &i) {
  return i.fn == copyScalar || i.fn == noteForwarded || (i.fn != copyMask && isa::info(i.op).unit == Unit::Scalar);
}

StripFn stripOf(const DInst &i, const Kernels &kernels) {
  if (i.fn == copyScalar || i.fn == copyMask || i.fn == noteForwarded) return nullptr;
  if (kernels.generates && !jit::Graph::supports(i)) return nullptr;  // would keep its neighbours from being compiled
  if (i.op == Op::VRound) return kernels.roundStrips[i.imm];
  return kernels.strips[static_cast<int>(i.op)];
}

// Works on vregs as a whole, and touches nothing that lane-by-lane instructions do but vregs.
bool isWhole(const DInst &i) {
  if (i.fn == copyScalar || i.fn == copyMask || i.fn == noteForwarded) return false;
  if (packs(i.op)) return true;
  const Unit unit = isa::info(i.op).unit;
  return unit == Unit::Xlu || unit == Unit::MxuWeight || unit == Unit::MxuPush || unit == Unit::MxuPop;
}

// The vregs and memory that a run's lane-by-lane instructions use.
class Uses {
 public:
  void add(const DInst &i) {
    forSources(i, [&](uint8_t reg) { read_.set(reg); });
    if (isa::info(i.op).result == isa::RegKind::V) written_.set(i.dst);
    stores_ |= i.op == Op::VSt;
  }
  // Whether `i`, which follows them, gives the same before them, and they after it.
  bool allowBefore(const DInst &i) const {
    bool allowed = !(i.forwarded && stores_);
    forSources(i, [&](uint8_t reg) { allowed &= !written_[reg]; });
    if (isa::info(i.op).result == isa::RegKind::V) allowed &= !read_[i.dst] && !written_[i.dst];
    return allowed;
  }

 private:
  template <typename Body>
  static void forSources(const DInst &i, Body body) {
    const isa::InstInfo &info = isa::info(i.op);
    const uint8_t sources[] = {i.a, i.b, i.c};
    for (int k = 0; k < info.numSources; ++k)
      if (info.sources[k].kind == isa::RegKind::V && sources[k] != kNone) body(sources[k]);
  }
  std::bitset<kVregs> read_, written_;
  bool stores_ = false;
};

// Where accesses of a run lie relative to the scalar registers' values that are not sums of a known one and a constant.
class Addresses {
 public:
  Addresses() {
    for (int r = 0; r < kScalars; ++r) value_[r] = {nextRoot_++, 0};
  }

  void scalar(const DInst &i) {
    const isa::InstInfo &info = isa::info(i.op);
    bool step = (i.op == Op::SAdd || i.op == Op::SSub) && i.b == kNone;
    Value old = i.a < kScalars ? value_[i.a] : Value{0, 0};
    if (i.fn == copyScalar)
      value_[i.dst] = old;
    else if (step)
      value_[i.dst] = {old.root, old.offset + (i.op == Op::SAdd ? i.imm : -i.imm)};
    else if (info.result == isa::RegKind::S)
      value_[i.dst] = {nextRoot_++, 0};
  }

  // Of a load or store.
  Access at(const DInst &i) const {
    const bool isStore = i.op == Op::VSt;
    const Value &base = value_[isStore ? i.b : i.a];
    Access access;
    access.root = base.root;
    access.offset = base.offset + i.imm;
    access.stride = i.aux;
    access.isStore = isStore;
    return access;
  }

 private:
  struct Value {
    int root;
    int64_t offset;
  };
  std::array<Value, kScalars> value_;
  int nextRoot_ = 0;
};

// The accesses of a run while its end is looked for.
class Accesses {
 public:
  void scalar(const DInst &i) { addresses_.scalar(i); }
  // False when strips would reorder what this one and another off the same root do.
  bool add(const DInst &i) {
    const Access access = addresses_.at(i);
    for (const Access &a : accesses_)
      if (a.root == access.root && meets(a, access, access.offset - a.offset)) return false;
    accesses_.push_back(access);
    return true;
  }

 private:
  Addresses addresses_;
  std::vector<Access> accesses_;
};

bool isAccess(const DInst &i) { return i.op == Op::VLd || i.op == Op::VSt; }

// Builds one run.
class Run {
 public:
  explicit Run(std::vector<DInst> &out) : out_(out) {}

  void scalar(const DInst &i) {
    out_.push_back(i);
    addresses_.scalar(i);
  }

  void before(const DInst &i) { out_.push_back(i); }

  void vector(const DInst &i, StripFn fn) {
    StripOp op;
    op.fn = fn;
    op.dst = i.dst;
    op.a = i.a;
    op.b = i.b;
    op.c = i.c;
    op.m = i.m;
    op.imm = i.imm;
    op.sublanes = i.sublanes;
    op.lanes = i.lanes;
    if (isAccess(i)) access(i, op);
    if (i.op == Op::VSplat) note(i, op, noteSplat);
    program_->ops.push_back(op);
    program_->insts.push_back(i);
  }

  void finish(const LiveRegisters &needed, int hotAfter, std::vector<std::unique_ptr<StripProgram>> &programs) {
    StripProgram &p = *program_;
    p.needed = needed;
    p.hotAfter = hotAfter;
    for (size_t i = 0; i < p.accesses.size(); ++i) addToRoot(p.accesses[i], static_cast<uint16_t>(i));
    DInst run;
    run.fn = runStrips;
    run.op = Op::VMov;
    run.data = program_.get();
    run.bundle = out_.empty() ? 0 : out_.back().bundle;
    out_.push_back(run);
    programs.push_back(std::move(program_));
  }

 private:
  void note(const DInst &i, StripOp &op, Handler fn) {
    op.slot = static_cast<uint16_t>(slots_++);
    DInst step = i;
    step.fn = fn;
    step.flags = static_cast<uint8_t>(op.slot);
    out_.push_back(step);
  }

  void access(const DInst &i, StripOp &op) {
    note(i, op, i.op == Op::VSt ? noteStore : noteLoad);
    op.imm = i.aux;
    Access access = addresses_.at(i);
    access.slot = op.slot;
    access.inst = static_cast<int>(program_->insts.size());
    program_->accesses.push_back(access);
  }

  void addToRoot(const Access &a, uint16_t number) {
    auto &roots = program_->roots;
    Words w = wordsOf(a);
    auto it = std::find_if(rootIds_.begin(), rootIds_.end(), [&](int id) { return id == a.root; });
    if (it == rootIds_.end()) {
      rootIds_.push_back(a.root);
      roots.push_back({a.slot, a.offset, w.low, w.high, a.isStore, {number}});
      return;
    }
    StripProgram::Root &r = roots[it - rootIds_.begin()];
    r.low = std::min(r.low, w.low);
    r.high = std::max(r.high, w.high);
    r.stores |= a.isStore;
    r.accesses.push_back(number);
  }

  std::vector<DInst> &out_;
  std::unique_ptr<StripProgram> program_ = std::make_unique<StripProgram>();
  Addresses addresses_;
  int slots_ = 0;
  std::vector<int> rootIds_;
};

}  // namespace

void fuseStrips(LiveBlock &liveBlock, const Kernels &kernels, int hotAfter,
                std::vector<std::unique_ptr<StripProgram>> &programs) {
  std::vector<DInst> &block = liveBlock.insts, out;
  std::vector<LiveRegisters> before(block.size() + 1, liveBlock.out);
  for (size_t k = block.size(); k-- > 0;) {
    before[k] = before[k + 1];
    stepBack(block[k], before[k]);
  }
  for (size_t at = 0; at < block.size();) {
    size_t end = at, vectors = 0;
    Uses uses;
    Accesses accesses;
    for (; end < block.size() && vectors < kMaxSlots; ++end) {
      const DInst &i = block[end];
      if (stripOf(i, kernels)) {
        if (isAccess(i) && !accesses.add(i)) break;
        uses.add(i), ++vectors;
      } else if (isScalarStep(i)) {
        accesses.scalar(i);
      } else if (!isWhole(i) || !uses.allowBefore(i)) {
        break;
      }
    }
    if (vectors < kFewest) {
      for (end = std::max(end, at + 1); at < end; ++at) out.push_back(block[at]);
      continue;
    }
    Run run(out);
    for (; at < end; ++at) {
      if (StripFn fn = stripOf(block[at], kernels))
        run.vector(block[at], fn);
      else if (isScalarStep(block[at]))
        run.scalar(block[at]);
      else
        run.before(block[at]);
    }
    run.finish(before[end], kernels.generates ? hotAfter : 0, programs);
  }
  block = std::move(out);
}

}  // namespace tpuc::exec
