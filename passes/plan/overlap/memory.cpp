// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/plan/overlap/memory.h"

#include <map>

#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/stablehlo.h"
#include "passes/plan/memory/in_place.h"
#include "passes/plan/memory/storage.h"

using namespace mlir;

namespace tpuc::plan {
namespace {

struct Life {
  int64_t first = 0, last = 0;
};

class Lives {
 public:
  explicit Lives(func::FuncOp main) { number(main.getBody().front()); }

  double peak() {
    for (Value v : values_) touch(v);
    std::map<int64_t, double> change;
    double fixed = 0;
    for (auto &[v, life] : lives_) {
      const auto bytes = static_cast<double>(bytesOf(v));
      if (v.getDefiningOp<stablehlo::ConstantOp>()) {
        fixed += bytes;
        continue;
      }
      change[life.first] += bytes;
      change[life.last + 1] -= bytes;
    }
    double alive = 0, most = 0;
    for (auto [at, bytes] : change) most = std::max(most, alive += bytes);
    return fixed + most;
  }

 private:
  void number(Block &block) {
    for (Operation &op : block) {
      begin_[&op] = next_++;
      values_.append(op.result_begin(), op.result_end());
      if (!mlir::isa<kernel::FusionOp>(op))
        for (Region &region : op.getRegions())
          for (Block &inner : region) number(inner);
      end_[&op] = next_++;
    }
  }

  // What `v` shows lives until `v`'s last reader; in a loop within the array's block, to the loop's end.
  void touch(Value v) {
    const Value root = rootOf(v);
    Operation *def = root.getDefiningOp();
    if (!def) return;
    auto [it, isNew] = lives_.try_emplace(root, Life{begin_[def], end_[def]});
    for (Operation *user : v.getUsers()) {
      Operation *ancestor = def->getBlock()->findAncestorOpInBlock(*user);
      if (ancestor) it->second.last = std::max(it->second.last, end_[ancestor]);
    }
  }

  int64_t next_ = 0;
  llvm::DenseMap<Operation *, int64_t> begin_, end_;
  SmallVector<Value> values_;
  llvm::MapVector<Value, Life> lives_;
};

}  // namespace

double peakBytes(func::FuncOp main) {
  double bytes = Lives(main).peak();
  for (Value v : main.getArguments()) bytes += static_cast<double>(bytesOf(v));
  return bytes;
}

}  // namespace tpuc::plan
