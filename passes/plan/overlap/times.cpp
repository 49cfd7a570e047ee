// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/plan/overlap/times.h"

#include "dialects/kernel/counts.h"
#include "dialects/stablehlo/stablehlo.h"
#include "passes/plan/memory/storage.h"

using namespace mlir;

namespace tpuc::plan {
namespace {

bool picks(Operation *op) { return mlir::isa<stablehlo::SliceOp, stablehlo::DynamicSliceOp, stablehlo::GatherOp>(op); }

bool updates(Operation *op) { return mlir::isa<stablehlo::DynamicUpdateSliceOp, stablehlo::ScatterOp>(op); }

// Bytes that a kernel reads of an array: all of the array, or the parts that it picks. It reads nothing of an array
// that it only updates.
double readBytes(Value input, BlockArgument inside) {
  double picked = 0;
  for (OpOperand &use : inside.getUses()) {
    if (updates(use.getOwner()) && use.getOperandNumber() == 0) continue;
    if (!picks(use.getOwner())) return static_cast<double>(bytesOf(input));
    picked += static_cast<double>(bytesOf(use.getOwner()->getResult(0)));
  }
  return std::min(picked, static_cast<double>(bytesOf(input)));
}

double writtenBytes(Value output, Value inside) {
  auto update = inside.getDefiningOp<stablehlo::DynamicUpdateSliceOp>();
  return static_cast<double>(bytesOf(update ? update.getUpdate() : output));
}

}  // namespace

Times::Times(const target::Target &target)
    : launch_(target.launch_overhead_ns()),
      hbmRate_(target.memory().hbm_bandwidth_gbps() * target.memory().hbm_efficiency()),
      linkRate_(target.interconnect().links() * target.interconnect().link_gbps()),
      flopRate_(target.bf16_tflops() * 1e3),
      int8Rate_((target.int8_tops() > 0 ? target.int8_tops() : target.bf16_tflops()) * 1e3),
      latency_(target.interconnect().hop_ns() + target.memory().dma_latency_ns()) {
  if (linkRate_ <= 0) linkRate_ = hbmRate_;
}

double Times::ofKernel(kernel::FusionOp op) const {
  double bytes = 0, work = 0;
  for (auto [i, input] : llvm::enumerate(op.getInputs())) bytes += readBytes(input, op.getBlock().getArgument(i));
  for (auto [output, inside] : llvm::zip(op.getOutputs(), op.getBlock().getTerminator()->getOperands()))
    bytes += writtenBytes(output, inside);
  if (auto flops = op->getAttrOfType<DenseI64ArrayAttr>(kernel::kFlopsAttr); flops && flopRate_ > 0)
    work = static_cast<double>(flops[0]) / flopRate_ + static_cast<double>(flops[1]) / int8Rate_;
  return std::max(bytes / hbmRate_, work);
}

double Times::ofBlock(Block &block) {
  double time = 0;
  bool launched = false;
  for (Operation &op : block) {
    const bool isKernel = mlir::isa<kernel::FusionOp>(op);
    time += of(&op) + (isKernel && !launched ? launch_ : 0);
    if (isKernel || op.getNumRegions() || mlir::isa<kernel::ExchangeStartOp, kernel::ExchangeDoneOp>(op))
      launched = isKernel;
  }
  return time;
}

double Times::of(Operation *op) {
  if (auto kernel = dyn_cast<kernel::FusionOp>(op)) return ofKernel(kernel);
  if (op->getNumRegions() == 0) return 0;
  if (auto known = control_.find(op); known != control_.end()) return known->second;
  double time = 0;
  if (auto loop = dyn_cast<stablehlo::WhileOp>(op))
    time = ofBlock(loop.getBody().front()) * static_cast<double>(kernel::tripCountOf(op).value_or(1));
  else
    for (Region &region : op->getRegions()) time = std::max(time, ofBlock(region.front()));
  return control_[op] = time;
}

double Times::linksOf(kernel::ExchangeStartOp op) const {
  const double bytes = static_cast<double>(bytesOf(op.getOperand()));
  const auto members = static_cast<double>(cast<ShapedType>(op.getGroups().getType()).getDimSize(1));
  const double sent = op.getKind() == "gather"    ? bytes * (members - 1)
                      : op.getKind() == "scatter" ? bytes * (members - 1) / members
                                                  : bytes;
  return sent / linkRate_;
}

}  // namespace tpuc::plan
