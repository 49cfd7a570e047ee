// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers of a program's arrays, as planned.
#include "passes/lowering/memory/emit_buffers.h"

#include "dialects/kernel/fetch.h"
#include "dialects/kernel/order.h"
#include "dialects/tpu/buffers.h"
#include "dialects/tpu/tpu.h"

using namespace mlir;

namespace tpuc::lowering {

// Physical order of an argument's or result's dims; its value has the type of the array as it lies.
static SmallVector<int64_t> orderOf(func::FuncOp main, const BufferPlan::Entry &e) {
  DenseI64ArrayAttr order;
  if (auto arg = dyn_cast<BlockArgument>(e.value); arg && (e.kind == "argument" || e.kind == "constant"))
    order = main.getArgAttrOfType<DenseI64ArrayAttr>(arg.getArgNumber(), kernel::kOrderAttr);
  if (e.kind == "result") order = main.getResultAttrOfType<DenseI64ArrayAttr>(e.index, kernel::kOrderAttr);
  if (order) return llvm::to_vector(order.asArrayRef());
  return llvm::to_vector(llvm::seq<int64_t>(0, cast<RankedTensorType>(e.value.getType()).getRank()));
}

void emitBuffers(OpBuilder &b, func::FuncOp main, const BufferPlan &plan) {
  for (const BufferPlan::Entry &e : plan.entries) {
    auto type = cast<RankedTensorType>(e.value.getType());
    SmallVector<int64_t> order = orderOf(main, e);
    SmallVector<int64_t> shape(type.getRank());
    for (auto [phys, d] : llvm::enumerate(order)) shape[d] = type.getDimSize(phys);
    type = type.clone(shape);
    StringAttr name;
    if (e.kind == "argument") {
      if (auto loc = dyn_cast<NameLoc>(e.value.getLoc())) name = loc.getName();
      if (auto hidden = main.getArgAttrOfType<StringAttr>(e.index, "jax.global_constant"))
        name = hidden;  // an argument that JAX adds to the user's
    }
    if (e.kind == "result")
      if (auto info = main.getResultAttrOfType<StringAttr>(e.index, "jax.result_info")) name = info;
    auto live = e.kind == "vmem" ? b.getDenseI64ArrayAttr({e.first, e.last}) : DenseI64ArrayAttr();
    auto over = e.over.empty() ? FlatSymbolRefAttr() : FlatSymbolRefAttr::get(b.getContext(), e.over);
    auto made = tpu::BufferOp::create(
        b, e.value.getLoc(), b.getStringAttr(e.symbol), b.getStringAttr(e.kind), b.getI64IntegerAttr(e.index),
        b.getI64IntegerAttr(e.offset), b.getI64IntegerAttr(e.size), TypeAttr::get(type), b.getDenseI64ArrayAttr(order),
        e.constant, e.alias < 0 ? IntegerAttr() : b.getI64IntegerAttr(e.alias), name, FlatSymbolRefAttr(), live, over);
    if (kernel::isFetched(e.value)) made->setAttr(tpu::kFetchedAttr, b.getUnitAttr());
    if (e.isCarried) made->setAttr(tpu::kCarriedAttr, b.getUnitAttr());
    if (e.isReadAgain) made->setAttr(tpu::kReadAgainAttr, b.getUnitAttr());
  }
  for (const BufferPlan::View &v : plan.views) {
    auto type = cast<RankedTensorType>(v.value.getType());
    SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    tpu::BufferOp::create(b, v.value.getLoc(), b.getStringAttr(v.symbol), b.getStringAttr("view"),
                          b.getI64IntegerAttr(0), b.getI64IntegerAttr(v.offset), b.getI64IntegerAttr(v.size),
                          TypeAttr::get(type), b.getDenseI64ArrayAttr(order), ElementsAttr(), IntegerAttr(),
                          StringAttr(), FlatSymbolRefAttr::get(b.getContext(), v.whole), DenseI64ArrayAttr(),
                          FlatSymbolRefAttr());
  }
  if (plan.residency.programWords)
    main->getParentOfType<ModuleOp>()->setAttr("tpu.vmem_shared_bytes",
                                               b.getI64IntegerAttr(plan.residency.programWords * isa::kWordBytes));
  main->getParentOfType<ModuleOp>()->setAttr("tpu.arena_bytes", b.getI64IntegerAttr(plan.arenaBytes));
  main->getParentOfType<ModuleOp>()->setAttr("tpu.hbm_peak_bytes", b.getI64IntegerAttr(plan.peakBytes));
}

}  // namespace tpuc::lowering
