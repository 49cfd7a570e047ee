// HBM planning over the sequence of kernels: first fit by liveness.
#include "passes/lowering/buffers.h"

#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/stablehlo.h"
#include "dialects/tpu/tpu.h"
#include "passes/lowering/arrays.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

constexpr int64_t kAlign = 4096;

int64_t bytesOf(Value v) {
  auto type = cast<RankedTensorType>(v.getType());
  return Array(type, llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()))).hbmBytes();
}

struct Interval {
  Value value;
  int64_t first, last, size, offset = 0;
};

// First fit in order of definition: the lowest offset that no array alive at the same time overlaps.
int64_t placeIntervals(SmallVectorImpl<Interval> &intervals) {
  int64_t top = 0;
  SmallVector<Interval *> placed;
  for (Interval &it : intervals) {
    SmallVector<std::pair<int64_t, int64_t>> busy;
    for (Interval *p : placed)
      if (p->last >= it.first) busy.push_back({p->offset, p->offset + p->size});
    llvm::sort(busy);
    int64_t at = 0;
    for (auto [low, high] : busy) {
      if (at + it.size <= low) break;
      at = std::max<int64_t>(at, llvm::alignTo(high, kAlign));
    }
    it.offset = at;
    top = std::max(top, at + it.size);
    // Intervals that ended before this one starts can no longer overlap a later one.
    llvm::erase_if(placed, [&](Interval *p) { return p->last < it.first; });
    placed.push_back(&it);
  }
  return top;
}

LogicalResult refuse(func::FuncOp main, const target::Target &target, int64_t total, double capacity, int64_t peakAt, ArrayRef<Interval> intervals, ArrayRef<Value> fixed) {
  SmallVector<std::pair<int64_t, Value>> alive;
  for (const Interval &it : intervals)
    if (it.first <= peakAt && peakAt <= it.last) alive.push_back({it.size, it.value});
  for (Value v : fixed) alive.push_back({bytesOf(v), v});
  llvm::sort(alive, [](auto &a, auto &b) { return a.first > b.first; });
  auto diag = main.emitError("TPUC-FIT-001: the program needs ") << total << " bytes of HBM, but " << target.name() << " has " << static_cast<int64_t>(capacity)
                                                                 << "; shard it over more chips, reduce the batch, or choose another target";
  for (auto [size, v] : ArrayRef(alive).take_front(3)) diag.attachNote(v.getLoc()) << "alive at the peak: " << v.getType() << ", " << size << " bytes";
  return diag;
}

}  // namespace

LogicalResult planBuffers(func::FuncOp main, const target::Target &target, BufferPlan &plan) {
  Block &block = main.getBody().front();
  SmallVector<Value> fixed;
  int64_t fixedBytes = 0;
  auto add = [&](Value v, StringRef kind, int64_t index, StringRef prefix) {
    std::string symbol = (prefix + Twine(index)).str();
    BufferPlan::Entry entry{v, symbol, kind.str(), index, 0, bytesOf(v), {}};
    fixed.push_back(v);
    fixedBytes += entry.size;
    plan.symbol[v] = symbol;
    plan.entries.push_back(entry);
  };
  for (auto [i, arg] : llvm::enumerate(block.getArguments())) add(arg, "argument", i, "arg");
  DenseMap<Operation *, int64_t> position;
  int64_t next = 0;
  for (Operation &op : block) position[&op] = next++;
  for (auto [i, v] : llvm::enumerate(block.getTerminator()->getOperands())) add(v, "result", i, "res");
  int64_t constants = 0;
  SmallVector<Interval> intervals;
  for (Operation &op : block.without_terminator()) {
    if (auto constant = dyn_cast<stablehlo::ConstantOp>(op)) {
      if (plan.symbol.count(constant.getResult())) continue;
      add(constant.getResult(), "constant", constants++, "const");
      plan.entries.back().constant = constant.getValue();
      continue;
    }
    for (Value v : op.getResults()) {
      if (plan.symbol.count(v)) continue;
      int64_t last = position[&op];
      for (Operation *user : v.getUsers()) last = std::max(last, position[block.findAncestorOpInBlock(*user)]);
      intervals.push_back({v, position[&op], last, bytesOf(v)});
    }
  }
  plan.arenaBytes = placeIntervals(intervals);
  for (auto [i, it] : llvm::enumerate(intervals)) {
    std::string symbol = ("tmp" + Twine(i)).str();
    plan.symbol[it.value] = symbol;
    plan.entries.push_back({it.value, symbol, "arena", static_cast<int64_t>(i), it.offset, it.size, {}});
  }
  plan.peakBytes = fixedBytes + plan.arenaBytes;
  double capacity = target.memory().hbm_bytes();
  if (plan.peakBytes <= capacity) return success();
  int64_t peakAt = 0, peak = -1;
  for (const Interval &at : intervals) {
    int64_t alive = 0;
    for (const Interval &it : intervals)
      if (it.first <= at.first && at.first <= it.last) alive += it.size;
    if (alive > peak) {
      peak = alive;
      peakAt = at.first;
    }
  }
  return refuse(main, target, plan.peakBytes, capacity, peakAt, intervals, fixed);
}

void emitBuffers(OpBuilder &b, func::FuncOp main, const BufferPlan &plan) {
  for (const BufferPlan::Entry &e : plan.entries) {
    auto type = cast<RankedTensorType>(e.value.getType());
    SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    StringAttr name;
    if (e.kind == "argument" )
      if (auto loc = dyn_cast<NameLoc>(e.value.getLoc())) name = loc.getName();
    if (e.kind == "result")
      if (auto info = main.getResultAttrOfType<StringAttr>(e.index, "jax.result_info")) name = info;
    tpu::BufferOp::create(b, e.value.getLoc(), b.getStringAttr(e.symbol), b.getStringAttr(e.kind), b.getI64IntegerAttr(e.index), b.getI64IntegerAttr(e.offset),
                          b.getI64IntegerAttr(e.size), TypeAttr::get(type), b.getDenseI64ArrayAttr(order), e.constant, IntegerAttr(), name);
  }
  main->getParentOfType<ModuleOp>()->setAttr("tpu.arena_bytes", b.getI64IntegerAttr(plan.arenaBytes));
  main->getParentOfType<ModuleOp>()->setAttr("tpu.hbm_peak_bytes", b.getI64IntegerAttr(plan.peakBytes));
}

}  // namespace tpuc::lowering
