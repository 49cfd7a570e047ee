// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of a scan: the scanned dim is cut last, and its steps run in order.
#include "passes/plan/loop/scan_plan.h"

using namespace mlir;

namespace tpuc::plan {

void ScanPlan::bind() {
  map_ = bindElements(op_);
  dim_ = scan_.dim;
  for (int64_t k = 0; k < static_cast<int64_t>(domain_.dims.size()); ++k)
    if (k != dim_ && !domain_.linear) others_.push_back(k);
  input_ = operandBlock(op_.getInputs()[0], map_, &domain_);
  domain_.pack = input_->array.pack;
  makeEpilogueBlocks();
}

// Vregs of a block along a dim.
int64_t ScanPlan::vregsOf(int64_t k) const {
  const Domain &d = domain_;
  return k == d.r()   ? llvm::divideCeil(d.block[k], d.unitRows()) * d.pack
         : k == d.c() ? llvm::divideCeil(d.block[k], 128)
                      : d.block[k];
}

int64_t ScanPlan::place() {
  space_.domain.block = domain_.block;
  carryWord_ = grid_->placeBlocks(context_.firstWord);
  if (grid_->sequentialSteps() == 1) return carryWord_;
  int64_t vregs = 1;
  for (int64_t k : others_) vregs *= vregsOf(k);
  return carryWord_ + vregs * 8;
}

// The scanned dim last.
LogicalResult ScanPlan::chooseBlocks() {
  makeGrid({input_.get()});
  grid_->exactTails = true;
  grid_->parallel = others_;
  grid_->sequential = {dim_};
  if (scan_.reversed) grid_->backwards = dim_;
  SmallVector<int64_t> cuts(others_);
  cuts.push_back(dim_);
  return cutBlocks(*input_, cuts, 512, "a block of this scan", [&] { return place(); });
}

LogicalResult ScanPlan::plan() {
  bind();
  return chooseBlocks();
}

}  // namespace tpuc::plan
