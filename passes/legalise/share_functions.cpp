// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One computation of a long function of f64 for all of its arguments: ten powers of a zeta function are one of an array
// ten times as long.
//
// 1. An op's level is the most functions that lead to it, one after the other. Those of one level do not depend on each
//    other, nor could they if all functions of lower levels were computed together.
// 2. Equal functions of one level and shape take their arguments side by side along a new first dim, and each user its
//    slice of the result.
// 3. The block's ops are put into an order again in which each has its operands.
#include "passes/legalise/share_functions.h"

#include "dialects/stablehlo/chlo.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/builders/build.h"

using namespace mlir;

namespace tpuc::legalise {
using namespace builders;
namespace {

// Instructions of a function of f64 on words, roughly; 0 for what is not worth the moves.
int64_t lengthOf(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0) return 0;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !type.hasStaticShape() || !type.getElementType().isF64() || type.getNumElements() == 0) return 0;
  if (!llvm::all_of(op->getOperandTypes(), [&](Type t) { return t == type; })) return 0;
  return llvm::StringSwitch<int64_t>(op->getName().getStringRef())
      .Cases({"chlo.lgamma", "chlo.digamma"}, 8000)
      .Cases({"stablehlo.power", "stablehlo.remainder"}, 1500)
      .Cases({"stablehlo.sine", "stablehlo.cosine", "stablehlo.tan", "stablehlo.atan2", "stablehlo.log_plus_one"}, 700)
      .Cases({"stablehlo.exponential", "stablehlo.exponential_minus_one", "stablehlo.log", "stablehlo.logistic",
              "stablehlo.tanh"},
             400)
      .Default(0);
}

constexpr int64_t kWorthMoves = 3000;  // instructions that are not compiled, against a few kernels that move arrays

using Functions = SmallVector<Operation *>;

// The block's functions, those that may be computed together in one list.
SmallVector<Functions> functionsOf(Block &block) {
  DenseMap<Operation *, int64_t> levels;  // with the op itself
  using Key = std::pair<std::pair<StringAttr, Type>, std::pair<DictionaryAttr, int64_t>>;
  llvm::MapVector<Key, Functions> lists;
  for (Operation &op : block) {
    int64_t level = 0;
    op.walk([&](Operation *inner) {
      for (Value v : inner->getOperands())
        if (Operation *def = v.getDefiningOp(); def && def->getBlock() == &block)
          level = std::max(level, levels.lookup(def));
    });
    if (lengthOf(&op)) {
      lists[{{op.getName().getIdentifier(), op.getResult(0).getType()}, {op.getAttrDictionary(), level}}].push_back(
          &op);
      ++level;
    }
    levels[&op] = level;
  }
  SmallVector<Functions> out;
  for (auto &[key, list] : lists)
    if (static_cast<int64_t>(list.size() - 1) * lengthOf(list.front()) >= kWorthMoves) out.push_back(list);
  return out;
}

// In front of the last of them, where not all operands of the others' users need to be.
void computeTogether(const Functions &functions) {
  Operation *last = functions.back();
  OpBuilder b(last);
  Build build{b, last->getLoc()};
  auto type = typeOf(last->getResult(0));
  // Whole tiles lie side by side.
  SmallVector<int64_t> one(std::max<int64_t>(1, 3 - type.getRank()), 1);
  llvm::append_range(one, type.getShape());
  SmallVector<Value> operands;
  for (unsigned i = 0; i < last->getNumOperands(); ++i)
    operands.push_back(build.concatenate(
        llvm::map_to_vector(functions, [&](Operation *f) { return build.reshape(f->getOperand(i), one); }), 0));
  Operation *all = b.clone(*last);
  all->setOperands(operands);
  all->getResult(0).setType(operands.front().getType());
  SmallVector<int64_t> start(one.size(), 0), limit(one), stride(one.size(), 1);
  for (auto [i, f] : llvm::enumerate(functions)) {
    start[0] = i;
    limit[0] = i + 1;
    f->replaceAllUsesWith(
        ValueRange(build.reshape(build.slice(all->getResult(0), start, limit, stride), type.getShape())));
  }
  for (Operation *f : functions) f->erase();
}

}  // namespace

void shareFunctions(func::FuncOp func) {
  SmallVector<Block *> blocks;
  func.walk([&](Block *block) {
    if (llvm::all_of(*block,
                     [](Operation &op) { return op.hasTrait<OpTrait::IsTerminator>() || isMemoryEffectFree(&op); }))
      blocks.push_back(block);
  });
  for (Block *block : blocks) {
    SmallVector<Functions> lists = functionsOf(*block);
    for (const Functions &functions : lists) computeTogether(functions);
    if (!lists.empty()) sortTopologically(block);
  }
}

}  // namespace tpuc::legalise
