// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copy kernels: ops that only move elements, as DMA from HBM to HBM. A transpose is one where no loop kernel takes it
// and it has no blocks that fit VMEM (transpose_kernel.cpp).
#include "dialects/stablehlo/stablehlo.h"
#include "passes/lowering/body/vector_ops.h"
#include "passes/lowering/kernels.h"
#include "passes/lowering/move/box_copy.h"
#include "passes/plan/move/copy_plan.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

class CopyKernel {
 public:
  CopyKernel(KernelContext &context, Code &code) : context_(context), c_(code), b_(code.b) {}
  LogicalResult run();

 private:
  static constexpr Memory kVmem{"vmem", ""};

  static Memory hbm(const Origin &origin) { return {"hbm", origin.buffer}; }
  void start(Memory from, const Linear &src, Memory to, const Linear &dst, const Transfer &t) {
    started_ += emitTransfer(c_, from, to, t, src, dst);
  }
  void waitAll();
  void fill(stablehlo::PadOp pad, const Array &array);

  KernelContext &context_;
  Code &c_;
  OpBuilder &b_;
  int64_t started_ = 0;
};

void CopyKernel::waitAll() {
  if (started_) c_.inst("dma.wait", {}, {{"imm", 0}, {"count", started_}});
  started_ = 0;
}

// Tiles of the result become the padding value: one tile in VMEM, sent over and over.
void CopyKernel::fill(stablehlo::PadOp pad, const Array &array) {
  Type t = array.type.getElementType();
  Value value = pad.getPaddingValue();
  Value lanes;
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    const Origin &from = context_.inputs[arg.getArgNumber()];
    start(hbm(from), from.offset, kVmem, Linear(context_.firstWord * isa::kWordBytes),
          Transfer{0, 0, isa::kWordBytes, {}});
    waitAll();
    lanes = c_.inst("x.bcast.lane", {c_.load(Linear(context_.firstWord), 0, 0)}, {{"imm", 0}});
  } else {
    auto constant = value.getDefiningOp<stablehlo::ConstantOp>();
    lanes = emitConstant(c_, t, cast<DenseElementsAttr>(constant.getValue()).getSplatValue<Attribute>());
    if (t.isInteger(1)) lanes = maskToInt(c_, lanes);
    if (t.isBF16()) lanes = c_.inst("v.cvt.f32.bf16", {lanes});
    if (t.isF16()) lanes = c_.inst("v.cvt.f32.f16", {lanes});
  }
  for (int64_t bits = 32 / array.pack; bits < 32; bits *= 2) {
    Value low = c_.inst("v.and", {lanes, c_.splatBits((1u << bits) - 1)});
    lanes = c_.inst("v.or", {low, c_.inst("v.shl", {low, c_.splatI(bits)})});
  }
  c_.store(lanes, Linear(context_.firstWord + 8), 1, 1);
  const Linear from((context_.firstWord + 8) * isa::kWordBytes);
  const Origin &to = context_.results[0];
  for (const Transfer &t : fillsOf(pad, array)) start(kVmem, from, hbm(to), to.offset, t);
  waitAll();
}

LogicalResult CopyKernel::run() {
  FailureOr<SmallVector<Copy>> copies = copiesOf(context_);
  if (failed(copies)) return failure();
  Operation *op = context_.op.getBlock().getTerminator()->getOperand(0).getDefiningOp();
  if (auto pad = dyn_cast<stablehlo::PadOp>(op)) fill(pad, resultArray(context_, 0));
  const Origin &to = context_.results[0];
  for (const Copy &copy : *copies) {
    const Origin &from = context_.inputs[copy.argument];
    for (const Transfer &t : copy.transfers) start(hbm(from), from.offset, hbm(to), to.offset, t);
  }
  waitAll();
  context_.vmemWords = context_.firstWord + 16;
  return success();
}

}  // namespace

LogicalResult lowerCopyKernel(KernelContext &context, Code &code, Value, Value) {
  return CopyKernel(context, code).run();
}

}  // namespace tpuc::lowering
