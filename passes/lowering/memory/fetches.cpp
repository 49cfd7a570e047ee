// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/lowering/memory/fetches.h"

#include "dialects/diagnostics/diagnose.h"
#include "dialects/kernel/fetch.h"
#include "passes/lowering/grid/transfers.h"

using namespace mlir;

namespace tpuc::lowering {

// All of the array is one block, which lies as the place says.
static void emitFetch(Code &c, const std::string &from, const Resident &place, int64_t semaphore) {
  Domain domain;
  domain.dims = domain.block = {1, 1};
  const int64_t rank = place.type.getRank();
  Array array(place.type, llvm::to_vector(llvm::seq<int64_t>(0, rank)));
  ArrayBlock block(array, DimMap(rank, kUnit));
  block.view = &domain;
  block.origin = {from, {}};
  block.rowsHeld = place.colWords * array.pack;
  block.leadWords = place.leadWords;
  emitBlockDma(c, domain, block, SmallVector<Linear>(2), Linear(place.word), c.i64(semaphore));
}

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
  emitFetch(c, plan_.symbol.lookup(fetch.getInputs()[0]), *place, kernel::kFetchSemaphores + slot);
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
