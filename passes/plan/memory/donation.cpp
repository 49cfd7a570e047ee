// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments that the program gives away, and the results that may lie where they lay.
#include "dialects/kernel/fetch.h"
#include "dialects/kernel/kernel.h"
#include "dialects/kernel/order.h"
#include "dialects/stablehlo/stablehlo.h"
#include "passes/plan/memory/in_place.h"
#include "passes/plan/memory/storage.h"

using namespace mlir;

namespace tpuc::plan {

// Whether `op`, the first to write where the argument lies, has read it by then.
static bool mayWriteOver(Operation *op, BlockArgument arg, Value result) {
  SmallVector<OpOperand *> uses = llvm::to_vector(llvm::make_filter_range(readersOf(arg), [&](OpOperand *use) {
    return op->isAncestor(use->getOwner()) && !kernel::isFetched(use->get());
  }));
  if (uses.empty()) return true;
  if (uses.size() != 1 || uses[0]->getOwner() != op) return readsBeforeWriting(op);
  unsigned operand = uses[0]->getOperandNumber();
  auto produced = dyn_cast<OpResult>(result);
  if (!produced || produced.getOwner() != op) return readsBeforeWriting(op);
  if (mlir::isa<stablehlo::WhileOp>(op)) return operand == produced.getResultNumber();
  Value replaced = updatedInPlace(result);
  bool alike = op->getOperand(operand).getType() == result.getType();
  return (replaced && rootOf(replaced) == arg) ||
         (alike && replacesEachBlock(op, operand, produced.getResultNumber())) || readsBeforeWriting(op);
}

// Nothing reads the argument once something else is written to its place.
bool StorageMap::mayTakeOver(unsigned result, unsigned argument) const {
  func::FuncOp main = main_;
  BlockArgument arg = main.getArgument(argument);
  Operation *end = main.getBody().front().getTerminator();
  Value v = end->getOperand(result);
  if (arg.getType() != v.getType() ||
      !kernel::planesOf(cast<RankedTensorType>(arg.getType()).getElementType()).empty() || bytesOf(arg) == 0)
    return false;
  if (main.getArgAttr(argument, kernel::kOrderAttr) != main.getResultAttr(result, kernel::kOrderAttr)) return false;
  if (v == arg) return true;
  SmallVector<OpOperand *> readers = readersOf(arg);
  if (llvm::any_of(readers, [&](OpOperand *use) { return use->getOwner() == end; })) return false;
  const Storage &home = storages_[homeOf(result).storage];
  if (!(placeOf(v) == homeOf(result))) return false;
  Value first = rootOf(v);  // of the arrays that lie there, one after the other
  for (Value old; (old = updatedInPlace(first)) && placeOf(rootOf(old)) == homeOf(result);) first = rootOf(old);
  for (OpOperand *use : readers) {
    if (mlir::isa<kernel::ViewOp>(use->getOwner())) continue;
    Operation *reader = main.getBody().front().findAncestorOpInBlock(*use->getOwner());
    int64_t at = position_.lookup(reader).first;
    if (at > home.first || (at == home.first && !mayWriteOver(reader, arg, first))) return false;
  }
  return true;
}

SmallVector<int64_t> StorageMap::findAliases() const {
  func::FuncOp main = main_;
  SmallVector<int64_t> aliases(main.getNumResults(), -1);
  bool any = false;
  for (unsigned a = 0; a < main.getNumArguments(); ++a) {
    if (auto wanted = main.getArgAttrOfType<IntegerAttr>(a, "tf.aliasing_output")) {
      int64_t r = wanted.getInt();
      if (r < 0 || r >= static_cast<int64_t>(aliases.size()) || aliases[r] >= 0 || !mayTakeOver(r, a)) continue;
      aliases[r] = a;
      any = true;
    } else if (auto given = main.getArgAttrOfType<BoolAttr>(a, "jax.buffer_donor"); given && given.getValue()) {
      for (unsigned r = 0; r < aliases.size(); ++r) {
        if (aliases[r] >= 0 || !mayTakeOver(r, a)) continue;
        aliases[r] = a;
        any = true;
        break;
      }
    }
  }
  return any ? aliases : SmallVector<int64_t>();
}

}  // namespace tpuc::plan
