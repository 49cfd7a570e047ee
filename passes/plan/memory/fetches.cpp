// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. A run: kernels of a block with no code between them.
// 2. Kernel by kernel, the arrays that it reads from HBM and that nobody writes in the run are fetched before an
//    earlier one begins. HBM serves transfers in the order in which they start. So a fetch moves before kernels that
//    read nothing from HBM themselves, or before others if it takes less time than HBM's latency.
// 3. A fetch starts at the last moment from which it still arrives in time. By estimates of kernels' times, what it
//    saves (the latency, bytes that the kernel would wait for, later readers' transfers) has to exceed what its reader
//    waits for it.
#include "passes/plan/memory/fetches.h"

#include "dialects/kernel/counts.h"
#include "dialects/kernel/fetch.h"
#include "dialects/kernel/sizes.h"
#include "dialects/stablehlo/stablehlo.h"
#include "passes/analysis/pieces.h"
#include "passes/plan/kernels.h"
#include "passes/plan/memory/residency.h"

using namespace mlir;

namespace tpuc::plan {
namespace {

constexpr int64_t kFarthest = 8;   // kernels that a fetch may cross
constexpr int64_t kMostRank = 4;   // a transfer has four strided dims
constexpr int64_t kMostShare = 4;  // an array takes at most so many-th part of VMEM

bool hasNoCode(Operation *op) {
  return mlir::isa<stablehlo::ConstantOp, kernel::ViewOp, kernel::SplitOp, kernel::JoinOp, kernel::UndefinedOp,
                   kernel::CounterOp>(op);
}

// Nanoseconds.
struct Step {
  kernel::FusionOp op;
  double work = 0;                         // on the arrays, roughly and at least
  double in = 0;                           // to bring what it reads from HBM itself
  double out = 0;                          // to take what it writes to HBM there
  double fetched = 0;                      // transfers that start before it
  bool isFree() const { return in == 0; }  // nothing of its own waits behind a fetch
  // The time without transfers of `fewer` that it would bring. Code is slower than the peak.
  double time(double fewer = 0) const { return std::max(2 * work, in - fewer + out); }
};

class Run {
 public:
  Run(ArrayRef<kernel::FusionOp> kernels, const target::Target &target, const BufferPlan &plan,
      const Unplaced &unplaced)
      : target_(target),
        plan_(plan),
        unplaced_(unplaced),
        rate_(target.memory().hbm_bandwidth_gbps() * target.memory().hbm_efficiency()),
        latency_(target.memory().dma_latency_ns()) {
    for (kernel::FusionOp op : kernels) {
      for (Value v : llvm::SmallSetVector<Value, 8>(op.getInputs().begin(), op.getInputs().end()))
        readersOf_[v].push_back(steps_.size());
      steps_.push_back(stepOf(op));
    }
  }

  bool insert() {
    bool any = false;
    for (size_t reader = 0; reader < steps_.size(); ++reader) any |= insertFor(reader);
    return any;
  }

 private:
  double timeOf(Value v) const { return static_cast<double>(bytesOf(v)) / rate_; }
  bool isOnChip(Value v) const { return kernel::isFetched(v) || plan_.residents.contains(plan_.symbol.lookup(v)); }

  Step stepOf(kernel::FusionOp op) const {
    Step step{op};
    double bytes = 0;
    for (Value v : op->getOperands()) {
      bytes += static_cast<double>(bytesOf(v));
      if (!isOnChip(v)) step.in += timeOf(v);
    }
    for (Value v : op->getResults()) {
      bytes += static_cast<double>(bytesOf(v));
      if (!isOnChip(v)) step.out += timeOf(v);
    }
    // A vreg a cycle through VMEM; products at their peak.
    step.work = movesWholeBlocks(op) ? bytes / (isa::kVregBytes * target_.clock_ghz()) : 0;
    const double cores = op->hasAttr(kernel::kOneCoreAttr) ? target_.cores() : 1,  // that the peak is of
        peak = target_.bf16_tflops() * 1e3 / cores;
    if (auto flops = op->getAttrOfType<DenseI64ArrayAttr>(kernel::kFlopsAttr); flops && peak > 0)
      step.work = std::max(step.work, static_cast<double>(flops[0]) / peak);
    return step;
  }

  // Whether the kernel may read `v` where a fetch has put it.
  bool mayRead(kernel::FusionOp op, Value v) const {
    if (!movesWholeBlocks(op) || (target_.cores() > 1 && !op->hasAttr(kernel::kOneCoreAttr))) return false;
    for (auto [i, input] : llvm::enumerate(op.getInputs()))
      if (input == v && analysis::hasPiecesOf(op, i)) return false;
    return true;
  }

  // Whether `v` is in HBM when the run begins, and small enough.
  bool mayFetch(Value v) const {
    auto type = dyn_cast<RankedTensorType>(v.getType());
    if (!type || type.getNumElements() == 0 || type.getRank() > kMostRank || isOnChip(v) ||
        plan_.symbol.lookup(v).empty() || unplaced_.forFirst.contains(v) ||
        !kernel::planesOf(type.getElementType()).empty())
      return false;
    Operation *def = v.getDefiningOp(), *first = steps_.front().op;
    if (def && def->getBlock() == first->getBlock() && !def->isBeforeInBlock(first)) return false;
    return bytesOf(v) <= vmemBudgetWords(target_) * isa::kWordBytes / kMostShare;
  }

  // Steps from `reader` on that read `v` and may read it in VMEM: the first alone where there is no room for more.
  SmallVector<size_t> readersOf(Value v, size_t reader) const {
    SmallVector<size_t> readers{reader};
    if (unplaced_.forAll.contains(v)) return readers;
    ArrayRef<size_t> all = readersOf_.find(v)->second;
    for (size_t i : all.drop_front(llvm::upper_bound(all, reader) - all.begin()))
      if (mayRead(steps_[i].op, v)) readers.push_back(i);
    return readers;
  }

  // The step before which a transfer of `time` for `reader` starts, and what of it is left when the reader begins.
  std::pair<size_t, double> startOf(size_t reader, double time, bool readsNothingElse) const {
    size_t at = reader;
    double hidden = 0;
    while (at > earliest_ && reader - at < static_cast<size_t>(kFarthest) && hidden < time + latency_) {
      const Step &crossed = steps_[at - 1];
      const bool isShort = at == reader && readsNothingElse && time <= latency_ / 4;
      if (!crossed.isFree() && !isShort) break;
      --at;
      if (!crossed.isFree()) break;
      hidden += crossed.work - crossed.out - crossed.fetched;
    }
    return {at, std::max(0.0, time - std::max(0.0, hidden))};
  }

  // Fetches that nobody has waited for when one more begins there.
  size_t underWay(size_t at) const {
    return llvm::count_if(readers_, [&](size_t reader) { return reader >= at; });
  }

  bool insertFor(size_t reader) {
    Step &step = steps_[reader];
    llvm::SetVector<Value> arrays;
    for (Value v : step.op.getInputs())
      if (mayFetch(v) && mayRead(step.op, v)) arrays.insert(v);
    if (arrays.empty()) return false;
    double time = 0, saved = 0;
    for (Value v : arrays) {
      time += timeOf(v);
      const SmallVector<size_t> readers = readersOf(v, reader);
      for (size_t later : ArrayRef(readers).drop_front()) saved += steps_[later].time() - steps_[later].time(timeOf(v));
    }
    const double rest = std::max(0.0, step.in - time) < 1e-3 ? 0 : step.in - time;
    auto [at, left] = startOf(reader, time, rest == 0);
    const double gain =
        step.time() - left - step.time(step.in - rest) + saved / 2 + (at < reader && rest == 0 ? latency_ : 0);
    if (gain <= latency_ / 8 || underWay(at) + arrays.size() > kernel::kFetches) return false;
    earliest_ = at;
    readers_.append(arrays.size(), reader);
    steps_[at].fetched += time;
    for (Value v : arrays) fetch(v, at, readersOf(v, reader));
    return true;
  }

  void fetch(Value v, size_t at, ArrayRef<size_t> readers) {
    OpBuilder b(steps_[at].op);
    auto made = kernel::FusionOp::create(b, steps_[readers.front()].op.getLoc(), TypeRange{v.getType()},
                                         b.getStringAttr(kernel::kFetchKind), ValueRange{v}, ArrayAttr(), ArrayAttr());
    Block &body = made.getBody().emplaceBlock();
    body.addArgument(v.getType(), v.getLoc());
    b.setInsertionPointToEnd(&body);
    kernel::YieldOp::create(b, made.getLoc(), body.getArguments());
    for (size_t i : readers) {
      steps_[i].op->replaceUsesOfWith(v, made.getResult(0));
      steps_[i].in = std::max(0.0, steps_[i].in - timeOf(v));
      if (steps_[i].in < 1e-3) steps_[i].in = 0;
    }
  }

  const target::Target &target_;
  const BufferPlan &plan_;
  const Unplaced &unplaced_;
  const double rate_, latency_;  // bytes a nanosecond
  SmallVector<Step> steps_;
  llvm::DenseMap<Value, SmallVector<size_t>> readersOf_;  // steps in order, of what no fetch has brought
  size_t earliest_ = 0;                                   // fetches start in the order of their readers
  SmallVector<size_t> readers_;                           // of each fetch, the first
};

SmallVector<SmallVector<kernel::FusionOp>> runsOf(Block &block) {
  SmallVector<SmallVector<kernel::FusionOp>> runs(1);
  for (Operation &op : block) {
    if (auto kernel = dyn_cast<kernel::FusionOp>(op))
      runs.back().push_back(kernel);
    else if (!hasNoCode(&op) && !runs.back().empty())
      runs.emplace_back();
  }
  return runs;
}

// Sizes that are known when the program runs are read as what they are.
bool hasOpenSizes(func::FuncOp main) {
  return llvm::any_of(llvm::seq<unsigned>(0, main.getNumArguments()),
                      [&](unsigned i) { return main.getArgAttr(i, kernel::kExtentAttr) != nullptr; });
}

SmallVector<kernel::FusionOp> fetchesOf(func::FuncOp main) {
  SmallVector<kernel::FusionOp> fetches;
  main.walk([&](kernel::FusionOp op) {
    if (kernel::isFetch(op)) fetches.push_back(op);
  });
  return fetches;
}

}  // namespace

bool insertFetches(func::FuncOp main, const target::Target &target, const BufferPlan &plan, const Unplaced &unplaced) {
  if (hasOpenSizes(main)) return false;
  SmallVector<SmallVector<kernel::FusionOp>> runs;
  main.walk<WalkOrder::PreOrder>([&](Block *block) {
    if (mlir::isa<kernel::FusionOp>(block->getParentOp())) return WalkResult::skip();
    llvm::append_range(runs, runsOf(*block));
    return WalkResult::advance();
  });
  bool any = false;
  for (ArrayRef<kernel::FusionOp> run : runs)
    if (run.size() > 1) any |= Run(run, target, plan, unplaced).insert();
  return any;
}

bool noteUnplaced(func::FuncOp main, const BufferPlan &plan, Unplaced &unplaced) {
  bool any = false;
  for (kernel::FusionOp op : fetchesOf(main)) {
    if (plan.residents.contains(plan.symbol.lookup(op.getResult(0)))) continue;
    Value v = op.getInputs()[0];
    if (op.getResult(0).hasOneUse() || !unplaced.forAll.insert(v).second) unplaced.forFirst.insert(v);
    any = true;
  }
  return any;
}

void eraseFetches(func::FuncOp main) {
  for (kernel::FusionOp op : fetchesOf(main)) {
    op.getResult(0).replaceAllUsesWith(op.getInputs()[0]);
    op.erase();
  }
}

}  // namespace tpuc::plan
