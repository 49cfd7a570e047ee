// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lives of temporaries in HBM, read from the instructions: two that are alive together lie apart, but for one that
// takes the whole place of another at the last moment of that.
//
// 1. The entry routine is walked in program order. A kernel, a transfer and a call of the host are one moment each, in
//    which they meet the buffers that their transfers name.
// 2. A temporary is alive from the first moment that meets it to the last one.
// 3. A loop that reads it before it writes it reads what the iteration before has left: it is alive in the whole loop.
//    A kernel that does both may write first, so it says nothing.
//
// The planner's lives (passes/plan/memory) are never shorter than these, so a sound program is never refused.
#include "passes/verify/arena_lives.h"

#include <map>

#include "dialects/tpu/tpu.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "passes/verify/passes.h"

using namespace mlir;

namespace tpuc::verify {
namespace {

// Names of the buffers that a moment reads and writes.
struct Touched {
  llvm::SmallSetVector<StringRef, 4> reads, writes;
};

struct Life {
  int64_t first, last;
};

class Lives {
 public:
  explicit Lives(SymbolTable &symbols) : symbols_(symbols) {}

  void walk(Block &block) {
    for (Operation &op : block) {
      if (tpu::RoutineOp launch = launchOf(&op)) {
        walk(launch.getBody().front());
      } else if (auto grid = dyn_cast<tpu::GridOp>(op)) {
        meet(touchedBy(grid.getCallee()));
      } else if (mlir::isa<tpu::DmaStartOp, tpu::HostCallOp>(op)) {
        Touched touched;
        add(&op, touched);
        meet(touched);
      }
      const bool isLoop = mlir::isa<LoopLikeOpInterface>(op);
      if (isLoop) loops_.push_back({now_, {}});
      for (Region &region : op.getRegions())
        for (Block &inner : region) walk(inner);
      if (isLoop) endLoop();
    }
  }

  const llvm::DenseMap<Operation *, Life> &all() const { return lives_; }

 private:
  struct Loop {
    int64_t first;
    llvm::MapVector<Operation *, bool> isReadFirst;
  };

  // Several kernels: a moment each.
  tpu::RoutineOp launchOf(Operation *op) {
    auto call = dyn_cast<tpu::CallOp>(op);
    auto grid = dyn_cast<tpu::GridOp>(op);
    if (!call && !grid) return {};
    auto routine = symbols_.lookup<tpu::RoutineOp>(call ? call.getCallee() : grid.getCallee());
    return routine && tpu::isLaunch(routine) ? routine : tpu::RoutineOp();
  }

  static void add(Operation *op, Touched &touched) {
    if (auto dma = dyn_cast<tpu::DmaStartOp>(op)) {
      if (dma.getSrcBuffer()) touched.reads.insert(*dma.getSrcBuffer());
      if (dma.getDstBuffer()) touched.writes.insert(*dma.getDstBuffer());
    } else if (auto call = dyn_cast<tpu::HostCallOp>(op)) {
      for (auto name : call.getInputs().getAsRange<FlatSymbolRefAttr>()) touched.reads.insert(name.getValue());
      for (auto name : call.getOutputs().getAsRange<FlatSymbolRefAttr>()) touched.writes.insert(name.getValue());
    }
  }

  const Touched &touchedBy(StringRef name) {
    auto [it, isNew] = touched_.try_emplace(name);
    if (!isNew) return it->second;
    Touched touched;
    if (auto twin = symbols_.lookup<tpu::TwinOp>(name)) {
      llvm::StringMap<StringRef> to;
      for (auto [a, b] :
           llvm::zip(twin.getFrom().getAsRange<FlatSymbolRefAttr>(), twin.getTo().getAsRange<FlatSymbolRefAttr>()))
        to[a.getValue()] = b.getValue();
      auto renamed = [&](StringRef from) { return to.contains(from) ? to[from] : from; };
      const Touched original = touchedBy(twin.getOriginal());
      for (StringRef buffer : original.reads) touched.reads.insert(renamed(buffer));
      for (StringRef buffer : original.writes) touched.writes.insert(renamed(buffer));
    } else if (auto routine = symbols_.lookup<tpu::RoutineOp>(name)) {
      routine.walk([&](Operation *op) { add(op, touched); });
    }
    return touched_[name] = std::move(touched);
  }

  // The temporary that a name is, or is a part of. Null for other buffers.
  Operation *temporary(StringRef name) {
    auto buffer = symbols_.lookup<tpu::BufferOp>(name);
    if (buffer && buffer.getKind() == "view" && buffer.getViewOf())
      buffer = symbols_.lookup<tpu::BufferOp>(*buffer.getViewOf());
    return buffer && buffer.getKind() == "arena" ? buffer.getOperation() : nullptr;
  }

  void meet(const Touched &touched) {
    llvm::SmallSetVector<Operation *, 4> reads, writes;
    for (StringRef name : touched.reads)
      if (Operation *buffer = temporary(name)) reads.insert(buffer);
    for (StringRef name : touched.writes)
      if (Operation *buffer = temporary(name)) writes.insert(buffer);
    auto live = [&](Operation *buffer, bool isRead) {
      lives_.try_emplace(buffer, Life{now_, now_}).first->second.last = now_;
      for (Loop &loop : loops_) loop.isReadFirst.try_emplace(buffer, isRead);
    };
    for (Operation *buffer : reads) live(buffer, !writes.contains(buffer));
    for (Operation *buffer : writes) live(buffer, false);
    ++now_;
  }

  void endLoop() {
    Loop loop = loops_.pop_back_val();
    for (auto [buffer, isReadFirst] : loop.isReadFirst) {
      if (!isReadFirst) continue;
      Life &life = lives_.find(buffer)->second;
      life.first = std::min(life.first, loop.first);
      life.last = std::max(life.last, now_ - 1);
    }
  }

  SymbolTable &symbols_;
  llvm::StringMap<Touched> touched_;
  llvm::DenseMap<Operation *, Life> lives_;
  SmallVector<Loop> loops_;
  int64_t now_ = 0;
};

// A temporary that is alive at the moment of the sweep, by its place.
using Alive = std::map<int64_t, tpu::BufferOp>;

int64_t placeOf(tpu::BufferOp buffer) { return buffer.getOffset(); }
int64_t endOf(tpu::BufferOp buffer) { return buffer.getOffset() + buffer.getSize(); }

// One of `alive` that shares bytes with `buffer`; all of `alive` lie apart. Null where there is none.
tpu::BufferOp sharer(const Alive &alive, tpu::BufferOp buffer) {
  auto behind = alive.lower_bound(buffer.getOffset());
  if (behind != alive.end() && behind->first < endOf(buffer)) return behind->second;
  if (behind == alive.begin()) return nullptr;
  tpu::BufferOp before = std::prev(behind)->second;
  return endOf(before) > static_cast<int64_t>(buffer.getOffset()) ? before : nullptr;
}

// Whether the kernel that makes `buffer` is the last to meet `old`, whose place it takes.
bool takesOver(tpu::BufferOp buffer, Life life, tpu::BufferOp old, Life oldLife) {
  return buffer.getReplaces() == old.getSymName() && oldLife.last == life.first && oldLife.first < life.first &&
         placeOf(buffer) == placeOf(old) && endOf(buffer) == endOf(old);
}

}  // namespace

LogicalResult verifyArenaLives(ModuleOp module, SymbolTable &symbols) {
  Lives lives(symbols);
  for (auto routine : module.getOps<tpu::RoutineOp>())
    if (routine.getEntry()) lives.walk(routine.getBody().front());
  SmallVector<std::pair<tpu::BufferOp, Life>> order;
  for (auto buffer : module.getOps<tpu::BufferOp>())
    if (auto it = lives.all().find(buffer); it != lives.all().end() && static_cast<int64_t>(buffer.getSize()) > 0)
      order.push_back({buffer, it->second});
  llvm::stable_sort(order, [](auto &a, auto &b) { return a.second.first < b.second.first; });
  Alive alive;
  std::multimap<int64_t, int64_t> ends;  // the last moment of each, and its place
  for (auto [buffer, life] : order) {
    for (; !ends.empty() && ends.begin()->first < life.first; ends.erase(ends.begin()))
      alive.erase(ends.begin()->second);
    tpu::BufferOp other = sharer(alive, buffer);
    if (other && !takesOver(buffer, life, other, lives.all().lookup(other)))
      return broken(buffer, "expects a place apart from @" + other.getSymName() + ", which is alive with it");
    if (other) ends.erase(llvm::find_if(ends, [&](auto &end) { return end.second == placeOf(other); }));
    alive.insert_or_assign(placeOf(buffer), buffer);
    ends.insert({life.last, placeOf(buffer)});
  }
  return success();
}

}  // namespace tpuc::verify
