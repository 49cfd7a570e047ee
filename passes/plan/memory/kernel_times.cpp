// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The longer of work and transfers counts, and a part of the shorter: the first block has no work beside it.
#include "passes/plan/memory/kernel_times.h"

#include "passes/analysis/elementary.h"
#include "passes/plan/dot/mxu_mode.h"
#include "passes/plan/kernels.h"
#include "passes/plan/memory/storage.h"

using namespace mlir;

namespace tpuc::plan {
namespace {

// Code takes so many times its units' least at most, measured on v5p: loops over few tiles have long ends.
constexpr double kMatrixCode = 1.3, kVectorCode = 8, kWindowCode = 3;
constexpr double kTurn = 32;      // vector instructions for a vreg whose elements come from along lanes
constexpr double kExposed = 0.2;  // of the shorter of work and transfers
constexpr double kLongest = 50;   // latencies of a kernel for which they matter

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

double sizeOf(RankedTensorType type, int64_t d) { return static_cast<double>(type.getDimSize(d)); }

double elementsOf(Value v) { return static_cast<double>(typeOf(v).getNumElements()); }

double vregsOf(Value v) {
  const Array array(typeOf(v));
  return static_cast<double>(array.hbmBytes() / array.bytes) / (isa::kVregBytes / 4.0);
}

// Whether elements of an array that lie along lanes come to lie along sublanes.
bool turnsLanes(Operation &op) {
  auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op);
  if (!broadcast || !mlir::isa<BlockArgument>(broadcast.getOperand())) return false;
  const ArrayRef<int64_t> dims = broadcast.getBroadcastDimensions();
  return !dims.empty() && dims.back() + 1 != typeOf(broadcast).getRank() && elementsOf(broadcast.getOperand()) > 1;
}

// Elements of a window.
double tapsOf(Operation &op) {
  double taps = 1;
  if (auto conv = dyn_cast<stablehlo::ConvolutionOp>(op)) {
    for (int64_t d : conv.getDimensionNumbers().getKernelSpatialDimensions()) taps *= sizeOf(typeOf(conv.getRhs()), d);
  } else if (auto window = dyn_cast<stablehlo::ReduceWindowOp>(op)) {
    for (int64_t extent : window.getWindowDimensions()) taps *= static_cast<double>(extent);
  } else if (auto select = dyn_cast<stablehlo::SelectAndScatterOp>(op)) {
    for (int64_t extent : select.getWindowDimensions().value_or(ArrayRef<int64_t>()))
      taps *= static_cast<double>(extent);
  }
  return taps;
}

}  // namespace

KernelTimes::KernelTimes(const target::Target &target, StringRef precision)
    : target_(target),
      precision_(precision),
      rate_(target.memory().hbm_bandwidth_gbps() * target.memory().hbm_efficiency()),
      latency_(target.memory().dma_latency_ns()) {}

double KernelTimes::timeOnAll(kernel::FusionOp op, const Work &work) const {
  const double least = (work.arrays + work.vectors) / target_.clock_ghz() / target_.cores();
  return timeOf(op, least, true, [](Value) { return false; });
}

bool KernelTimes::isShort(kernel::FusionOp op) const { return timeOnAll(op, workOf(op)) <= kLongest * latency_; }

double KernelTimes::savedByOne(kernel::FusionOp op, function_ref<bool(Value)> stays) const {
  const Work work = workOf(op);
  const double code = op.getKind() == "window" ? kWindowCode : kVectorCode,
               most = (kMatrixCode * work.arrays + code * work.vectors) / target_.clock_ghz();
  // What one core reads from HBM may be fetched before.
  return timeOnAll(op, work) - timeOf(op, most, false, stays);
}

double KernelTimes::timeOf(kernel::FusionOp op, double work, bool waitsForInputs,
                           function_ref<bool(Value)> stays) const {
  double in = 0, out = 0;
  for (Value v : llvm::SmallSetVector<Value, 8>(op.getInputs().begin(), op.getInputs().end()))
    if (!stays(v)) in += static_cast<double>(bytesOf(v)) / rate_;
  for (Value v : op.getOutputs())
    if (!stays(v)) out += static_cast<double>(bytesOf(v)) / rate_;
  const double waits = ((in > 0 && waitsForInputs) + (out > 0)) * latency_;
  return std::max(work, in + out) + kExposed * std::min(work, in + out) + waits;
}

KernelTimes::Work KernelTimes::workOf(kernel::FusionOp op) const {
  Work work;
  double moved = 0, chain = 0;  // vregs; instructions of one
  for (Operation &inner : op.getBlock().without_terminator()) {
    auto conv = dyn_cast<stablehlo::ConvolutionOp>(inner);
    if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(inner))
      work.arrays += passesOf(dot) * cyclesOf(dot);
    else if (conv && op.getKind() != "window")
      work.arrays += passesOf(conv) * cyclesOf(conv);
    else
      work.vectors += vectorsOf(inner) / target_.core().valu_slots();
    chain += static_cast<double>(analysis::elementaryCost(&inner));
  }
  for (Value v : llvm::concat<Value>(llvm::to_vector(op->getOperands()), llvm::to_vector(op->getResults())))
    moved += vregsOf(v);
  const double ports = target_.core().vload_slots() + target_.core().vstore_slots();
  work.vectors = std::max({work.vectors, chain, moved / ports});
  return work;
}

// Instructions.
double KernelTimes::vectorsOf(Operation &op) const {
  if (op.hasTrait<OpTrait::Elementwise>())
    return vregsOf(op.getResult(0)) * static_cast<double>(std::max<int64_t>(1, analysis::elementaryCost(&op)));
  if (mlir::isa<stablehlo::ReduceOp>(op)) return vregsOf(op.getOperand(0));
  if (mlir::isa<stablehlo::ReduceWindowOp, stablehlo::SelectAndScatterOp, stablehlo::ConvolutionOp>(op))
    return tapsOf(op) * std::max(vregsOf(op.getOperand(0)), vregsOf(op.getResult(0)));
  return turnsLanes(op) ? kTurn * vregsOf(op.getResult(0)) : 0;
}

// How often the arrays take each row, of the product's types and precision.
double KernelTimes::passesOf(Operation *product) const {
  auto elementOf = [](Value v) { return typeOf(v).getElementType(); };
  std::optional<ArrayAttr> config;
  if (auto attr = product->getAttrOfType<ArrayAttr>("precision_config")) config = attr;
  auto mode = chooseMxuMode(target_, elementOf(product->getOperand(0)), elementOf(product->getOperand(1)),
                            elementOf(product->getResult(0)), config, precision_);
  if (!mode) return 1;
  const target::Core &core = target_.core();
  if (mode->suffix == "f32") return std::max<double>(1, core.mxu_f32_passes());
  return mode->suffix == "s8" ? 1.0 / core.mxu_int8_rate() : static_cast<double>(mode->passes);
}

// Tiles of weights, each for all rows, or for as long as it takes to bring the next.
double KernelTimes::tileCycles(double rows, double k, double n) const {
  const target::Core &core = target_.core();
  const double side = core.mxu_side(), tiles = std::ceil(k / side) * std::ceil(n / side);
  return tiles * std::max(rows / core.mxu_rows_per_cycle(), side / core.mxu_weight_rows_per_cycle()) /
         std::max<double>(1, core.mxus());
}

double KernelTimes::cyclesOf(stablehlo::DotGeneralOp dot) const {
  auto dims = dot.getDotDimensionNumbers();
  double batch = 1, k = 1;
  for (int64_t d : dims.getLhsBatchingDimensions()) batch *= sizeOf(typeOf(dot.getLhs()), d);
  for (int64_t d : dims.getLhsContractingDimensions()) k *= sizeOf(typeOf(dot.getLhs()), d);
  if (batch * k == 0) return 0;
  const double m = elementsOf(dot.getLhs()) / (batch * k), n = elementsOf(dot.getRhs()) / (batch * k);
  return batch * std::min(tileCycles(m, k, n), tileCycles(n, k, m));
}

double KernelTimes::cyclesOf(stablehlo::ConvolutionOp conv) const {
  auto dims = conv.getDimensionNumbers();
  RankedTensorType image = typeOf(conv.getLhs()), filter = typeOf(conv.getRhs());
  double taps = 1;
  for (int64_t d : dims.getKernelSpatialDimensions()) taps *= sizeOf(filter, d);
  const double n = sizeOf(filter, dims.getKernelOutputFeatureDimension()),
               k = sizeOf(filter, dims.getKernelInputFeatureDimension());
  if (elementsOf(conv.getResult()) == 0) return 0;
  const double rows = elementsOf(conv.getResult()) / n;
  if (dims.getInputBatchDimension() + 1 != image.getRank())
    return std::min(taps * tileCycles(rows, k, n), tileCycles(rows, k * taps, n));
  // Images lie along lanes: each position's window is staged as weights, and the filter's columns are rows.
  const target::Core &core = target_.core();
  const double side = core.mxu_side(), images = sizeOf(image, dims.getInputBatchDimension()),
               staged = 8 * std::ceil(k * taps / 8);
  return rows / images * std::ceil(images / side) *
         (staged / core.mxu_weight_rows_per_cycle() + 8 * std::ceil(n / 8) * std::ceil(staged / side)) /
         std::max<double>(1, core.mxus());
}

}  // namespace tpuc::plan
