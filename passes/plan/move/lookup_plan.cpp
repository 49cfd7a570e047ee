// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of lookups: the vector comes to VMEM once, indices and results by blocks.
#include "passes/plan/move/lookup_plan.h"

using namespace mlir;

namespace tpuc::plan {

void LookupPlan::bind() {
  map_ = bindElements(op_);
  for (int64_t k = 0; k < static_cast<int64_t>(domain_.dims.size()); ++k)
    if (!domain_.linear || k == domain_.r()) walked_.push_back(k);
  indices_ = operandBlock(op_.getStartIndices(), map_, &domain_);
  makeEpilogueBlocks();
}

int64_t LookupPlan::place() {
  space_.domain.block = domain_.block;
  tableWord_ = context_.firstWord;
  return grid_->placeBlocks(tableWord_ + llvm::alignTo(rows_, 8));
}

LogicalResult LookupPlan::chooseBlocks() {
  makeGrid({indices_.get()});
  grid_->exactTails = true;
  grid_->parallel = walked_;
  return cutBlocks(*indices_, walked_, 1024, "a block of these lookups", [&] { return place(); });
}

LogicalResult LookupPlan::plan() {
  bind();
  return chooseBlocks();
}

bool isLookup(kernel::FusionOp fusion, stablehlo::GatherOp op) {
  // Indices and elements lie alike.
  for (ArrayAttr orders : {fusion.getInputOrdersAttr(), fusion.getResultOrdersAttr()})
    for (Attribute order : orders ? orders.getValue() : ArrayRef<Attribute>())
      if (!llvm::is_sorted(cast<DenseI64ArrayAttr>(order).asArrayRef())) return false;
  auto table = typeOf(op.getOperand()), indices = typeOf(op.getStartIndices());
  bool plain = table.getRank() == 1 && indices.getShape() == typeOf(op.getResult()).getShape() &&
               indices.getRank() > 0 && llvm::none_of(indices.getShape(), [](int64_t n) { return n == 1; });
  auto isWord = [](Type t) { return t.isIntOrFloat() && t.getIntOrFloatBitWidth() == 32; };
  return plain && op.getDimensionNumbers().getIndexVectorDim() == indices.getRank() && table.getDimSize(0) > 0 &&
         table.getDimSize(0) <= kernel::kLargestTable && isWord(table.getElementType()) &&
         isWord(indices.getElementType());
}

}  // namespace tpuc::plan
