// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel's own array in HBM is a result like others, so that buffers, branches and loops know of it: memory that its
// body leaves undefined.
#include "passes/plan/memory/scratch.h"

#include "passes/plan/planner.h"

using namespace mlir;

namespace tpuc::plan {

static void reserve(kernel::FusionOp fusion, int64_t bytes) {
  OpBuilder b(fusion);
  auto type = RankedTensorType::get({static_cast<int64_t>(llvm::divideCeil(bytes, isa::kWordBytes)), isa::kLanes},
                                    b.getIntegerType(32, false));
  SmallVector<Type> types(fusion.getResultTypes());
  types.push_back(type);
  ArrayAttr orders = fusion.getResultOrdersAttr();
  if (orders) {
    SmallVector<Attribute> all(orders.getValue());
    all.push_back(b.getDenseI64ArrayAttr({0, 1}));
    orders = b.getArrayAttr(all);
  }
  auto made = kernel::FusionOp::create(b, fusion.getLoc(), types, fusion.getKindAttr(), fusion.getInputs(),
                                       fusion.getInputOrdersAttr(), orders);
  made.getBody().takeBody(fusion.getBody());
  Operation *yield = made.getBlock().getTerminator();
  b.setInsertionPoint(yield);
  yield->insertOperands(yield->getNumOperands(), kernel::UndefinedOp::create(b, fusion.getLoc(), type).getResult());
  for (auto [old, v] : llvm::zip(fusion.getResults(), made.getResults())) old.replaceAllUsesWith(v);
  fusion.erase();
}

void reserveScratch(func::FuncOp main, const target::Target &target) {
  SmallVector<std::pair<kernel::FusionOp, int64_t>> needs;
  main.walk([&](kernel::FusionOp fusion) {
    const Kind *kind = findKind(fusion.getKind());
    if (int64_t bytes = kind && kind->scratchBytes ? kind->scratchBytes(fusion, target) : 0)
      needs.push_back({fusion, bytes});
  });
  for (auto [fusion, bytes] : needs) reserve(fusion, bytes);
}

}  // namespace tpuc::plan
