// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/lowering/memory/fetches.h"

#include "dialects/diagnostics/diagnose.h"
#include "dialects/kernel/fetch.h"
#include "passes/lowering/memory/relocations.h"

using namespace mlir;

namespace tpuc::lowering {

LogicalResult Fetches::start(kernel::FusionOp fetch, OpBuilder &b) {
  Value array = fetch.getResult(0);
  auto places = plan_.residents.find(plan_.symbol.lookup(array));
  const Resident *place = nullptr;
  for (const Resident &r : places == plan_.residents.end() ? ArrayRef<Resident>() : places->second)
    if (r.type == array.getType()) place = &r;
  if (!place) return diagnose(fetch, codes::kBrokenStage) << "expects a fetched array to have a place in VMEM";
  int64_t slot = 0;
  auto isTaken = [&](const UnderWay &u) { return u.semaphore == kernel::kFetchSemaphores + slot; };
  while (llvm::any_of(underWay_, isTaken)) ++slot;
  if (slot >= kernel::kFetches)
    return diagnose(fetch, codes::kBrokenStage)
           << "expects " << kernel::kFetches << " fetches under way at most; let one begin later";
  Code c(b, fetch.getLoc());
  startFetch(c, plan_.symbol.lookup(fetch.getInputs()[0]), *place, kernel::kFetchSemaphores + slot);
  underWay_.push_back({array, kernel::kFetchSemaphores + slot});
  return success();
}

void Fetches::wait(OpBuilder &b, Location loc, function_ref<bool(Value)> isWanted) {
  Code c(b, loc);
  llvm::erase_if(underWay_, [&](const UnderWay &u) {
    if (!isWanted(u.array)) return false;
    c.inst("dma.wait", {}, {{"imm", u.semaphore}, {"count", 1}});
    return true;
  });
}

void Fetches::waitFor(Operation *op, OpBuilder &b) {
  if (underWay_.empty()) return;
  wait(b, op->getLoc(), [&](Value array) {
    return llvm::any_of(array.getUsers(), [&](Operation *user) { return op->isAncestor(user); });
  });
}

void Fetches::waitForAll(Block &block, OpBuilder &b) {
  if (underWay_.empty()) return;
  wait(b, block.getTerminator()->getLoc(), [&](Value array) { return array.getParentBlock() == &block; });
}

}  // namespace tpuc::lowering
