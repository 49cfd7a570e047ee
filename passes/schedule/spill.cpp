// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spilling by furthest next use over structured code (Belady 1966; Braun and Hack, "Register spilling and live-range
// splitting for SSA-form programs", 2009, here for registers that are assigned more than once).
//
//   1. Blocks are walked in order with the set of values that are in registers. A use of any other one loads it, and
//      the value whose next use is furthest makes room: stored, unless memory has it already.
//   2. Distances count an exit of a loop as very far, so that values used after a loop leave before values used in it.
//   3. At a loop's entry the set for its whole body is chosen: what it uses, nearest first, then what merely lives
//      through it as far as its pressure leaves room. The end of the body restores that set.
//   4. Where two branches meet, what either side has in a register is kept or dropped alike, by code at the sides'
//      ends.
//   5. Constants, and masks and orders of lanes made of them, are not stored but made again.
#include "passes/schedule/spill.h"

#include <algorithm>
#include <optional>

#include "passes/schedule/spill_code.h"

namespace tpuc::schedule {
namespace {

constexpr int64_t kFar = int64_t{1} << 40, kNever = INT64_MAX;

// The values of one kind that are live at a point: which are in registers, of which memory has a copy, and which have
// not been assigned yet (their content does not matter).
struct State {
  RegSet inReg, valid, undefined;
};

struct Loop {
  int first, last;  // blocks of the body
  int64_t endTime;
  State state;  // at the start of the body and at every end of it
};

class Spiller {
 public:
  Spiller(Flow &flow, RegKind kind, int limit, SpillFrame &frame, std::set<int> &touched, std::string &error)
      : flow_(flow),
        kind_(kind),
        limit_(limit),
        touched_(touched),
        error_(error),
        code_(flow, kind, frame),
        live_(computeLiveness(flow)),
        numRegs_(flow.regs.size()) {}

  bool run() {
    measure();
    initialState();
    int numBlocks = static_cast<int>(flow_.blocks.size());
    pending_.resize(numBlocks);
    output_.resize(numBlocks);
    for (block_ = 0; block_ < numBlocks; ++block_) {
      if (!walkBlock() || !leaveBlock()) return false;
    }
    for (int b = 0; b < numBlocks; ++b)
      if (!flow_.blocks[b].bundled) flow_.blocks[b].insts = std::move(output_[b]);
    return true;
  }

 private:
  bool ours(Reg r) const { return flow_.regs[r] == kind_; }

  // Notes at which times each register is used and assigned, where branches go back, and how many registers live.
  void measure() {
    uses_.resize(numRegs_);
    defs_.resize(numRegs_);
    int64_t time = 0;
    for (size_t b = 0; b < flow_.blocks.size(); ++b) {
      const Block &block = flow_.blocks[b];
      starts_.push_back(time);
      pressure_.push_back(blockPressure(flow_, static_cast<int>(b), live_)[classOf(kind_)]);
      for (int k = 0; k < block.numBundles(); ++k, ++time)
        for (int i = block.begin(k); i < block.end(k); ++i) {
          forEachUse(block.insts[i], [&](Reg r) {
            if (ours(r) && (uses_[r].empty() || uses_[r].back() != time)) uses_[r].push_back(time);
          });
          if (Reg d = block.insts[i].dst; d >= 0 && ours(d)) defs_[d].push_back(time);
        }
      ++time;
      for (int s : successors(flow_, static_cast<int>(b)))
        if (s <= static_cast<int>(b)) {
          time += kFar;
          headers_.emplace(s, static_cast<int>(b));
        }
    }
  }

  void initialState() {
    state_.inReg = state_.valid = state_.undefined = RegSet(numRegs_);
    live_.in[0].forEach([&](Reg r) {
      if (!ours(r)) return;
      if (r == flow_.gridStart || r == flow_.gridCount)
        state_.inReg.add(r), count_++;
      else
        state_.undefined.add(r);
    });
    remakable_ = RegSet(numRegs_);
    for (Reg r = 0; r < static_cast<Reg>(numRegs_); ++r)
      if (code_.remakable(r)) remakable_.add(r);
    keepRemakable(state_);
  }

  int64_t nextUse(Reg r, int64_t time) const {
    auto it = std::lower_bound(uses_[r].begin(), uses_[r].end(), time);
    int64_t next = it == uses_[r].end() ? kNever : *it;
    for (auto loop = loops_.rbegin(); loop != loops_.rend(); ++loop)
      if (loop->state.inReg.has(r)) return std::min(next, loop->endTime);
    return next;
  }
  bool accessedIn(Reg r, int64_t from, int64_t to) const {
    auto inside = [&](const std::vector<int64_t> &times) {
      auto it = std::lower_bound(times.begin(), times.end(), from);
      return it != times.end() && *it <= to;
    };
    return inside(uses_[r]) || inside(defs_[r]);
  }
  bool definedIn(Reg r, int64_t from, int64_t to) const {
    auto it = std::lower_bound(defs_[r].begin(), defs_[r].end(), from);
    return it != defs_[r].end() && *it <= to;
  }

  // ---- one block --------------------------------------------------------------------------------------------------

  bool walkBlock() {
    const Block &block = flow_.blocks[block_];
    findDeaths(block);
    for (int k = 0; k < block.numBundles(); ++k)
      if (!walkBundle(block, k)) return false;
    return true;
  }

  // For each bundle, the registers whose value is read there for the last time, and those written but never read.
  void findDeaths(const Block &block) {
    deaths_.assign(block.numBundles(), {});
    deadDefs_.assign(block.numBundles(), {});
    RegSet live = live_.out[block_];
    for (int k = block.numBundles() - 1; k >= 0; --k) {
      for (int i = block.begin(k); i < block.end(k); ++i)
        if (Reg d = block.insts[i].dst; d >= 0 && ours(d)) {
          if (!live.has(d)) deadDefs_[k].push_back(d);
          live.remove(d);
        }
      for (int i = block.begin(k); i < block.end(k); ++i)
        forEachUse(block.insts[i], [&](Reg r) {
          if (!ours(r) || live.has(r)) return;
          live.add(r);
          deaths_[k].push_back(r);
        });
    }
  }

  bool walkBundle(const Block &block, int k) {
    int64_t time = starts_[block_] + k;
    std::vector<Reg> used, written;
    bool call = false;
    for (int i = block.begin(k); i < block.end(k); ++i) {
      forEachUse(block.insts[i], [&](Reg r) {
        if (ours(r) && std::find(used.begin(), used.end(), r) == used.end()) used.push_back(r);
      });
      if (Reg d = block.insts[i].dst; d >= 0 && ours(d)) written.push_back(d);
      call |= isCall(block.insts[i]);
    }
    for (Reg r : used)
      if (!state_.inReg.has(r) && !(makeRoom(time, used) && bringIn(r))) return false;
    auto has = [](const std::vector<Reg> &list, Reg r) { return std::find(list.begin(), list.end(), r) != list.end(); };
    for (Reg r : deaths_[k])
      if (!has(written, r)) {
        drop(r);
        if (isLocal(r)) code_.release(r);
      }
    for (Reg r : written)
      if (!state_.inReg.has(r)) {
        if (!makeRoom(time + 1, written)) return false;
        state_.inReg.add(r);
        count_++;
      }
    if (call && !emptyRegisters()) return false;
    for (int i = block.begin(k); i < block.end(k); ++i) output_[block_].push_back(block.insts[i]);
    for (Reg r : written) {
      if (!code_.remakable(r)) state_.valid.remove(r);
      state_.undefined.remove(r);
    }
    for (Reg r : deadDefs_[k]) drop(r);
    return true;
  }

  bool isLocal(Reg r) const { return !live_.in[block_].has(r) && !live_.out[block_].has(r); }

  void drop(Reg r) {
    if (!state_.inReg.has(r)) return;
    state_.inReg.remove(r);
    count_--;
  }

  // Whether code may be placed into the current block; a bundled one is noted instead.
  std::vector<MInst> &place(int block) {
    if (flow_.blocks[block].bundled) touched_.insert(block);
    return output_[block];
  }

  bool bringIn(Reg r) {
    if (!state_.undefined.has(r)) code_.load(r, place(block_));
    state_.inReg.add(r);
    count_++;
    return true;
  }

  bool evict(Reg r) {
    if (!state_.valid.has(r) && !state_.undefined.has(r)) {
      code_.store(r, place(block_), isLocal(r));
      state_.valid.add(r);
    }
    drop(r);
    return true;
  }

  // Evicts until one more register fits, never one of `keep`.
  bool makeRoom(int64_t time, const std::vector<Reg> &keep) {
    while (count_ >= limit_) {
      Reg victim = kNone;
      int64_t furthest = -1;
      state_.inReg.forEach([&](Reg r) {
        if (std::find(keep.begin(), keep.end(), r) != keep.end()) return;
        int64_t next = nextUse(r, time);
        // Among equals, one that needs no store.
        if (next > furthest || (next == furthest && state_.valid.has(r) && !state_.valid.has(victim))) {
          furthest = next;
          victim = r;
        }
      });
      if (victim == kNone) {
        if (flow_.blocks[block_].bundled) {  // too much for a bundle: the block has to be taken apart
          touched_.insert(block_);
          return true;
        }
        error_ = "an instruction needs more registers than the machine has";
        return false;
      }
      evict(victim);
    }
    return true;
  }

  // Before a call, which is the last of its block.
  bool emptyRegisters() {
    std::vector<Reg> all;
    state_.inReg.forEach([&](Reg r) {
      if (live_.out[block_].has(r)) all.push_back(r);
    });
    if (!all.empty() && flow_.blocks[block_].bundled) touched_.insert(block_);  // its results may be among them
    for (Reg r : all) {
      if (kind_ != RegKind::S && !code_.remakable(r) && !state_.undefined.has(r)) {
        error_ = "a vector or mask register is live across a call";
        return false;
      }
      evict(r);
    }
    return true;
  }

  // ---- borders ------------------------------------------------------------------------------------------------------

  static void restrict(State &state, const RegSet &live) {
    for (size_t w = 0; w < live.numWords(); ++w) state.inReg.word(w) &= live.word(w);
  }
  void setState(State state) {
    state_ = std::move(state);
    count_ = 0;
    state_.inReg.forEach([&](Reg) { count_++; });
  }

  bool leaveBlock() {
    const MInst *control = controlOf(flow_.blocks[block_]);
    Op op = control ? control->op : Op::Call;  // without one: falls through, as after a call
    int target = flow_.blocks[block_].target;
    switch (op) {
      case Op::Loop:
        enterLoop(block_ + 1, target, live_.in[target + 1], control->src[0] >= 0);
        break;
      case Op::LoopEnd:
        leaveLoop(live_.in[block_ + 1]);
        break;
      case Op::Bz:
      case Op::Bnz:
        pending_[target] = state_;
        break;
      case Op::Br:
        if (target <= block_)
          leaveLoop(RegSet(numRegs_));
        else
          deliver(target);
        break;
      case Op::Ret:
      case Op::Halt:
        break;
      default:
        if (auto it = headers_.find(block_ + 1); it != headers_.end())  // a while loop
          enterLoop(block_ + 1, it->second, RegSet(numRegs_), false);
        else
          deliver(block_ + 1);
    }
    // The next block starts from what was delivered to it.
    if (size_t next = block_ + 1; next < flow_.blocks.size()) {
      State state = pending_[next] ? *pending_[next] : state_;
      restrict(state, live_.in[next]);
      setState(std::move(state));
    }
    return true;
  }

  // To a block that other blocks may lead to as well.
  void deliver(int target) {
    if (!pending_[target]) {
      pending_[target] = state_;
      from_[target] = block_;
      return;
    }
    State other = *pending_[target];
    int otherBlock = from_[target];
    State joined = join(state_, other, live_.in[target]);
    reconcile(state_, block_, joined, live_.in[target]);
    reconcile(other, otherBlock, joined, live_.in[target]);
    pending_[target] = joined;
  }

  // In a register afterwards: what both sides have there, and what one side would have to store while there is room.
  State join(const State &a, const State &b, const RegSet &live) const {
    State t{RegSet(numRegs_), RegSet(numRegs_), RegSet(numRegs_)};
    int count = 0;
    live.forEach([&](Reg r) {
      if (ours(r) && a.inReg.has(r) && b.inReg.has(r)) t.inReg.add(r), count++;
    });
    live.forEach([&](Reg r) {
      if (!ours(r)) return;
      const State &have = a.inReg.has(r) ? a : b;
      bool one = a.inReg.has(r) != b.inReg.has(r);
      if (one && !have.valid.has(r) && count < limit_) t.inReg.add(r), count++;
      bool undefined = a.undefined.has(r) && b.undefined.has(r);
      bool valid = (a.valid.has(r) || a.undefined.has(r)) && (b.valid.has(r) || b.undefined.has(r));
      if (undefined)
        t.undefined.add(r);
      else if (valid || !t.inReg.has(r))
        t.valid.add(r);
    });
    keepRemakable(t);
    return t;
  }

  void keepRemakable(State &t) const { t.valid.merge(remakable_); }

  // Code at the end of `block`, before its control instruction, that takes `from` to `to` for the registers in `live`.
  void reconcile(const State &from, int block, const State &to, const RegSet &live) {
    std::vector<MInst> stores, loads;
    live.forEach([&](Reg r) {
      if (!ours(r) || from.undefined.has(r)) return;
      bool needsCopy = !to.undefined.has(r) && to.valid.has(r);
      if (from.inReg.has(r) && needsCopy && !from.valid.has(r)) code_.store(r, stores);
      if (!from.inReg.has(r) && to.inReg.has(r)) code_.load(r, loads);
    });
    if (stores.empty() && loads.empty()) return;
    std::vector<MInst> &out = place(block);
    auto at = out.end() - (controlOf(flow_.blocks[block]) ? 1 : 0);
    at = out.insert(at, stores.begin(), stores.end()) + static_cast<std::ptrdiff_t>(stores.size());
    out.insert(at, loads.begin(), loads.end());
  }

  // `exit`: live where the loop is skipped to.
  void enterLoop(int first, int last, const RegSet &exit, bool countInRegister) {
    RegSet live = live_.in[first];
    live.merge(exit);
    int64_t from = starts_[first];
    int64_t to = starts_[last] + flow_.blocks[last].numBundles();
    Loop loop{first, last, to, chooseForLoop(live, first, last, from, to, countInRegister)};
    reconcile(state_, block_, loop.state, live);
    pending_[first] = loop.state;
    restrict(*pending_[first], live_.in[first]);
    loops_.push_back(std::move(loop));
  }

  State chooseForLoop(const RegSet &live, int first, int last, int64_t from, int64_t to, bool countInRegister) const {
    std::vector<std::pair<int64_t, Reg>> accessed, through;
    int throughInBody = 0;
    live.forEach([&](Reg r) {
      if (!ours(r)) return;
      bool inside = accessedIn(r, from, to);
      (inside ? accessed : through).push_back({nextUse(r, inside ? from : to), r});
      throughInBody += !inside && live_.in[first].has(r);
    });
    int pressure = 0;
    for (int b = first; b <= last; ++b) pressure = std::max(pressure, pressure_[b]);
    int room = limit_ - (countInRegister && kind_ == RegKind::S ? 1 : 0);
    auto order = [&](auto &list) {
      std::sort(list.begin(), list.end(), [&](const auto &a, const auto &b) {
        bool ra = state_.inReg.has(a.second), rb = state_.inReg.has(b.second);
        return a.first != b.first ? a.first < b.first : ra != rb ? ra : a.second < b.second;
      });
    };
    order(accessed);
    order(through);
    State s{RegSet(numRegs_), RegSet(numRegs_), RegSet(numRegs_)};
    int taken = 0;
    for (auto &[time, r] : accessed)
      if (taken < room) s.inReg.add(r), taken++;
    int roomThrough = std::min(room - taken, room - (pressure - throughInBody));
    for (auto &[time, r] : through)
      if (roomThrough > 0 && (state_.inReg.has(r) || state_.undefined.has(r))) s.inReg.add(r), roomThrough--;
    live.forEach([&](Reg r) {
      if (!ours(r)) return;
      bool defined = definedIn(r, from, to);
      if (state_.undefined.has(r) && !defined)
        s.undefined.add(r);
      else if (!s.inReg.has(r) || (state_.valid.has(r) && !defined))
        s.valid.add(r);
    });
    keepRemakable(s);
    return s;
  }

  void leaveLoop(const RegSet &exit) {
    Loop loop = std::move(loops_.back());
    loops_.pop_back();
    RegSet live = live_.in[loop.first];
    live.merge(exit);
    reconcile(state_, block_, loop.state, live);
    if (controlOf(flow_.blocks[block_])->op == Op::LoopEnd) pending_[block_ + 1] = loop.state;
  }

  Flow &flow_;
  RegKind kind_;
  int limit_;
  std::set<int> &touched_;
  std::string &error_;
  SpillCode code_;
  Liveness live_;
  size_t numRegs_;  // without those that the spill code adds
  std::vector<std::vector<int64_t>> uses_, defs_;
  std::vector<int64_t> starts_;
  std::vector<int> pressure_;
  std::unordered_map<int, int> headers_;  // first block of a loop's body -> last block
  std::vector<Loop> loops_;
  std::vector<std::optional<State>> pending_;
  std::unordered_map<int, int> from_;
  std::vector<std::vector<MInst>> output_;
  std::vector<std::vector<Reg>> deaths_, deadDefs_;
  State state_;
  RegSet remakable_;
  int count_ = 0;
  int block_ = 0;
};

}  // namespace

bool spillKind(Flow &flow, RegKind kind, int limit, SpillFrame &frame, std::set<int> &touched, std::string &error) {
  return Spiller(flow, kind, limit, frame, touched, error).run();
}

}  // namespace tpuc::schedule
