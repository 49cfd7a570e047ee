// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code of kernels around one op that is not elementwise (plan/grid/root_plan.h): the op's value goes through the
// epilogue to the results.
#pragma once
#include "passes/lowering/dot/mxu_mode.h"
#include "passes/lowering/kernels.h"
#include "passes/plan/grid/root_plan.h"

namespace tpuc::lowering {

// Walks all positions of a space in one loop, with the work of the next position ahead: `ahead(first)`, then
// `body(flat, now, next)` for each, `next` being null for the last.
using Position = llvm::SmallVector<Linear>;
void pipelined(Code &code, llvm::ArrayRef<int64_t> extents, llvm::function_ref<void(const Position &)> ahead,
               llvm::function_ref<void(const Linear &, const Position &, const Position *)> body);

// Writes a kernel's results at a unit of rows where its root, of one result, has the value `groups`.
void storeRoot(Body &body, Space &space, mlir::Operation *root, llvm::ArrayRef<mlir::Value> groups, const Point &point);

// A kernel whose plan is a `Plan`, which is a RootPlan.
template <typename Plan>
class RootKernel : protected Plan {
 protected:
  template <typename... Ops>
  RootKernel(KernelContext &context, Code &code, Ops... ops) : Plan(context, ops...), c_(code) {}

  // When the blocks are placed, the body that the steps evaluate.
  void makeBody(uint64_t flops) {
    body_ = std::make_unique<Body>(c_, this->domain_);
    for (auto [arg, block] : this->epilogueBlocks()) body_->blocks[arg] = block;
    body_->readLeastSizes(this->context_);
    this->context_.gridSteps = this->grid_->parallelSteps();
    this->context_.flops = flops;
  }
  void storeRoot(llvm::ArrayRef<mlir::Value> groups, const Point &point) {
    lowering::storeRoot(*body_, this->space_, this->root_, groups, point);
  }
  Point origin() const {
    Point p;
    p.at.assign(this->domain_.dims.size(), Linear(0));
    return p;
  }

  Code &c_;
  std::unique_ptr<Body> body_;
};

}  // namespace tpuc::lowering
