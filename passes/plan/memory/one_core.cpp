// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//  1. Each kernel's time on all cores, its arrays in HBM, and on one core, its temporaries in VMEM (kernel_times.h).
//     One core saves the difference, or costs it.
//  2. What a kernel saves is shared among its temporaries, by their bytes. One stays where one core runs all kernels
//     that meet it.
//  3. The kernels are taken whose arrays save most, less what the kernels cost (closure.h).
#include "passes/plan/memory/one_core.h"

#include "dialects/kernel/counts.h"
#include "dialects/kernel/fetch.h"
#include "passes/analysis/counters.h"
#include "passes/plan/memory/closure.h"
#include "passes/plan/memory/kernel_times.h"

using namespace mlir;

namespace tpuc::plan {
namespace {

constexpr int64_t kSomeTrips = 8;  // of a loop whose trips nobody knows

bool meets(Operation *kernel, Value v) {
  return v.getDefiningOp() == kernel || llvm::is_contained(kernel->getOperands(), v);
}

class Choice {
 public:
  Choice(func::FuncOp main, const target::Target &target, StringRef precision) {
    const KernelTimes times(target, precision);
    const std::unique_ptr<StorageMap> map = storageOf(main, resultsForHbm(main));
    auto isShort = [&](Operation *op) { return times.isShort(cast<kernel::FusionOp>(op)); };
    for (Keepable &array : keepableArrays(main, target, *map))
      if (llvm::all_of(array.kernels, isShort)) arrays_.push_back(std::move(array));
    for (const Keepable &array : arrays_)
      for (Operation *op : array.kernels) {
        Kernel &kernel = kernels_[op];
        for (Value v : array.values)
          if (meets(op, v) && kernel.met.insert(v).second) kernel.bytes += static_cast<double>(bytesOf(v));
      }
    for (auto &[op, kernel] : kernels_) {
      auto stays = [&met = kernel.met](Value v) { return met.contains(v); };
      kernel.saved = analysis::timesOf(op, &main.getBody().front(), kSomeTrips) *
                     times.savedByOne(cast<kernel::FusionOp>(op), stays);
    }
  }

  // The kernels for one core.
  SmallVector<Operation *> best() const {
    Closure closure;
    DenseMap<Operation *, size_t> number;
    for (const auto &[op, kernel] : kernels_) number[op] = closure.addNeeded(std::max(0.0, -kernel.saved));
    for (const Keepable &array : arrays_) {
      SmallVector<size_t> needs;
      for (Operation *op : array.kernels) needs.push_back(number[op]);
      closure.add(savedOf(array), needs);
    }
    const SmallVector<bool> isNeeded = closure.solve();
    SmallVector<Operation *> best;
    for (const auto &[op, kernel] : kernels_)
      if (isNeeded[number[op]]) best.push_back(op);
    return best;
  }

 private:
  struct Kernel {
    DenseSet<Value> met;
    double bytes = 0;  // of those
    double saved = 0;  // ns; less than 0: cost
  };

  double savedOf(const Keepable &array) const {
    double saved = 0;
    for (Operation *op : array.kernels) {
      const Kernel &kernel = kernels_.find(op)->second;
      if (kernel.saved <= 0) continue;
      for (Value v : array.values)
        if (kernel.met.contains(v)) saved += kernel.saved * static_cast<double>(bytesOf(v)) / kernel.bytes;
    }
    return saved;
  }

  std::vector<Keepable> arrays_;
  llvm::MapVector<Operation *, Kernel> kernels_;
};

}  // namespace

void chooseOneCore(func::FuncOp main, const target::Target &target, StringRef precision) {
  if (target.cores() == 1) return;
  for (Operation *op : Choice(main, target, precision).best())
    op->setAttr(kernel::kOneCoreAttr, UnitAttr::get(main.getContext()));
}

bool dropOneCore(func::FuncOp main, const BufferPlan &buffers) {
  auto isOnChip = [&](Value v) { return kernel::isFetched(v) || buffers.residents.contains(buffers.symbol.lookup(v)); };
  bool drops = false;
  main.walk([&](kernel::FusionOp op) {
    if (!op->hasAttr(kernel::kOneCoreAttr) || llvm::any_of(op->getOperands(), isOnChip) ||
        llvm::any_of(op->getResults(), isOnChip))
      return;
    op->removeAttr(kernel::kOneCoreAttr);
    drops = true;
  });
  return drops;
}

}  // namespace tpuc::plan
