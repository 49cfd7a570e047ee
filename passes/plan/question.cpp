// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel of one op and an epilogue, made to be planned and dropped.
#include "passes/plan/question.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"
#include "passes/analysis/convolution_form.h"
#include "passes/analysis/scan.h"
#include "passes/plan/memory/pieces.h"
#include "passes/plan/move/copy_plan.h"
#include "passes/plan/move/transpose_plan.h"
#include "passes/plan/planner.h"

using namespace mlir;

namespace tpuc::plan {
namespace {

// Padding and initial values, which kernels have within; other constants are arrays.
bool isInKernel(Value v) {
  return v.getDefiningOp<stablehlo::ConstantOp>() && cast<RankedTensorType>(v.getType()).getRank() == 0;
}

// The op's first result plus another array, in no block.
OwningOpRef<kernel::FusionOp> kernelOf(Operation *op, StringRef kind) {
  OpBuilder b(op->getContext());
  SmallVector<Value> inputs;
  for (Value v : op->getOperands())
    if (!isInKernel(v)) inputs.push_back(v);
  Value result = op->getResult(0);
  inputs.push_back(result);  // an array of its type
  auto fusion = kernel::FusionOp::create(b, op->getLoc(), TypeRange{result.getType()}, b.getStringAttr(kind), inputs,
                                         ArrayAttr(), ArrayAttr());
  Block &body = fusion.getBody().emplaceBlock();
  b.setInsertionPointToEnd(&body);
  IRMapping mapping;
  for (Value v : ArrayRef(inputs).drop_back())
    if (!mapping.contains(v)) mapping.map(v, body.addArgument(v.getType(), v.getLoc()));
  for (Value v : op->getOperands())
    if (isInKernel(v)) b.clone(*v.getDefiningOp(), mapping);
  Value other = body.addArgument(result.getType(), result.getLoc()), made = b.clone(*op, mapping)->getResult(0);
  kernel::YieldOp::create(b, op->getLoc(), stablehlo::AddOp::create(b, op->getLoc(), made, other).getResult());
  return fusion;
}

}  // namespace

// A kernel's context, with all of VMEM for it.
static KernelContext contextOf(kernel::FusionOp fusion, const target::Target &target,
                               const timing::MachineModel &model) {
  static const ResidentMap kNone;
  KernelContext context{fusion, target, &model, {}, {}, kNone, 0, ""};
  context.inputs.resize(fusion.getNumOperands());
  context.results.resize(fusion.getNumResults());
  context.isQuestion = true;
  return context;
}

bool Question::fits(Operation *op, StringRef kind) const {
  OwningOpRef<kernel::FusionOp> fusion = kernelOf(op, kind);
  KernelContext context = contextOf(*fusion, target_, model_);
  return succeeded(findKind(kind)->plan(context));
}

std::optional<double> Question::cyclesOf(StringRef kind, ArrayRef<Operation *> ops) const {
  OpBuilder b(ops.back()->getContext());
  const Location loc = ops.back()->getLoc();
  llvm::SetVector<Value> inputs;
  for (Operation *op : ops)
    for (Value v : op->getOperands())
      if (!llvm::is_contained(ops, v.getDefiningOp())) inputs.insert(v);
  Value result = ops.back()->getResult(0);
  OwningOpRef<kernel::FusionOp> fusion = kernel::FusionOp::create(
      b, loc, TypeRange{result.getType()}, b.getStringAttr(kind), inputs.getArrayRef(), ArrayAttr(), ArrayAttr());
  Block &body = fusion->getBody().emplaceBlock();
  b.setInsertionPointToEnd(&body);
  IRMapping mapping;
  for (Value v : inputs) mapping.map(v, body.addArgument(v.getType(), v.getLoc()));
  for (Operation *op : ops) b.clone(*op, mapping);
  kernel::YieldOp::create(b, loc, mapping.lookup(result));
  return cyclesOf(*fusion);
}

std::optional<double> Question::cyclesOf(kernel::FusionOp fusion) const {
  KernelContext context = contextOf(fusion, target_, model_);
  if (failed(findKind(fusion.getKind())->plan(context)) || context.cycles <= 0) return std::nullopt;
  return context.cycles;
}

double Question::cyclesToMove(RankedTensorType from, RankedTensorType to) const {
  return cyclesToMove(static_cast<double>(Array(from).hbmBytes() + Array(to).hbmBytes()));
}

bool Question::hasRoom(kernel::FusionOp fusion) const {
  KernelContext context = contextOf(fusion, target_, model_);
  // Where pieces begin is no matter of their blocks.
  takePieces(context, [](ArrayRef<Window>, ArrayRef<Origin> wholes) { return SmallVector<Origin>(wholes); });
  const bool hasRoom = succeeded(findKind(fusion.getKind())->plan(context)) || !context.isOverVmem;
  if (context.op != fusion) context.op.erase();
  return hasRoom;
}

bool Question::hasRelayout(kernel::FusionOp fusion) const {
  KernelContext context = contextOf(fusion, target_, model_);
  return succeeded(findKind("relayout")->plan(context));
}

std::optional<int64_t> Question::bytesOfCopy(RankedTensorType from, RankedTensorType to) const {
  auto tilesOf = [](const Array &array) { return analysis::Tiles(array.type, array.order); };
  const Array source = Array(from), result = Array(to);
  auto transfers = planCopy(analysis::reshapeGroups(tilesOf(source), tilesOf(result)), result.bytes);
  if (!transfers) return std::nullopt;
  int64_t bytes = 0;
  for (const Transfer &t : *transfers) {
    // Dims that a descriptor has no room for are loops around it.
    isa::DmaDescriptor d;
    d.runBytes = t.run;
    int64_t times = 1;
    for (const CopyDim &dim : t.dims)
      if (static_cast<size_t>(&dim - t.dims.begin()) + d.dims.size() < t.dims.size())
        times *= dim.count;
      else
        d.dims[d.numDims++] = {dim.count, dim.src, dim.dst};
    d.dstSpace = isa::Space::Hbm;
    bytes += times * model_.hbmBytes(d);
  }
  return bytes;
}

int64_t Question::bytesOfBlocks(RankedTensorType type, bool mayStay) const {
  const int64_t bytes = Array(type).hbmBytes(),
                left = (vmemBudgetWords(target_) - kernelVmemWords(target_)) * isa::kWordBytes;
  return mayStay && target_.cores() == 1 && bytes <= left / 4 ? 0 : bytes;
}

bool Question::hasKernel(kernel::FusionOp fusion, stablehlo::TransposeOp op) const {
  KernelContext context = contextOf(fusion, target_, model_);
  return TransposePlan(context, op).choose();
}

bool Question::paysAsArray(RankedTensorType value, RankedTensorType repeated, int64_t instructions) const {
  constexpr double kTimes = 8;
  auto vregs = [&](RankedTensorType type) {
    const Array array = Array(type);
    return static_cast<double>(array.hbmBytes() / isa::kVregBytes * array.pack);
  };
  const double cores = target_.cores(), repeating = (vregs(repeated) - vregs(value)) *
                                                    static_cast<double>(instructions) / target_.core().valu_slots() /
                                                    cores;
  const int64_t moved = 2 * Array(value).hbmBytes();
  return repeating > kTimes * static_cast<double>(model_.launchCycles() + model_.hbmCycles(moved, 1));
}

double Question::cyclesToWrite(RankedTensorType type) const {
  return model_.hbmCycles(Array(type).hbmBytes(), static_cast<int>(target_.cores()));
}

bool Question::hasKernel(stablehlo::ConvolutionOp op) const {
  if (!analysis::hasKernelForm(op) || (analysis::isDepthwiseGradient(op) && !paysAlongLanes(op))) return false;
  return fits(op, analysis::isDepthwise(op) ? "window" : "conv");
}

// Lanes over elements, along a dim that lies along lanes.
static double paddingOf(int64_t size) { return double(llvm::alignTo(size, 128)) / double(size); }

// The same of an array, with the dim along lanes that fills them best.
static double leastPadding(RankedTensorType type) {
  double least = 128;
  for (int64_t size : type.getShape()) least = std::min(least, paddingOf(size));
  return least;
}

static double bytesOf(RankedTensorType type) {
  return double(type.getNumElements()) * type.getElementTypeBitWidth() / 8;
}

double Question::cyclesToMove(double bytes) const {
  return double(model_.hbmCycles(static_cast<int64_t>(bytes), static_cast<int>(target_.cores())));
}

// Its kernel copies both operands once, with features along lanes: few of them fill few. Slices of the input are in an
// order that fills lanes, but each tap brings both operands again.
bool Question::paysAlongLanes(stablehlo::ConvolutionOp gradient) const {
  constexpr double kCopied = 6, kElements = 1024;  // cycles of a vreg of positions, which is padded; a vreg's elements
  const RankedTensorType x = gradient.getLhs().getType(), dy = gradient.getRhs().getType();
  const int64_t features = dy.getShape().back(), tiles = llvm::divideCeil(features, 128),
                taps = gradient.getType().getNumElements() / features;
  const double lanes = paddingOf(features),
               copying = kCopied * lanes * double(dy.getNumElements()) / kElements /
                         double(std::min<int64_t>(target_.cores(), tiles)),
               slices = double(taps) * cyclesToMove(leastPadding(x) * bytesOf(x) + leastPadding(dy) * bytesOf(dy));
  return std::max(copying, cyclesToMove(lanes * (bytesOf(x) + bytesOf(dy)))) < slices;
}

// Elementwise ops on whole arrays of 32 bits compare positions, and add chosen elements up, one by one. Features that
// do not fill a tile's rows are an outer dim there, and windows are shifts of whole rows of pixels.
bool Question::paysAlongLanes(stablehlo::SelectAndScatterOp op) const {
  constexpr double kKernels = 4, kOuter = 8, kInTiles = 40;  // of a position; arrays that its kernels read and write
  auto type = cast<RankedTensorType>(op.getOperand().getType()),
       values = cast<RankedTensorType>(op.getSource().getType());
  const int64_t features = type.getShape().back();
  int64_t positions = 1;
  for (int64_t n : op.getWindowDimensions().value_or(ArrayRef<int64_t>())) positions *= n;
  const double words = leastPadding(type) * double(type.getNumElements()) * 4,
               arrays = features < 8 * Array(type).pack ? kOuter : kInTiles;
  return cyclesToMove(paddingOf(features) * (2 * bytesOf(type) + bytesOf(values))) <
         double(positions) * (kKernels * double(model_.launchCycles()) + arrays * cyclesToMove(words));
}

bool Question::hasKernel(stablehlo::ReduceWindowOp op) const {
  // A scan's blocks are as small as they have to be.
  return analysis::hasKernelForm(op) && (analysis::scanOf(op) || fits(op, "window"));
}

bool Question::hasKernel(stablehlo::SelectAndScatterOp op) const {
  return analysis::hasKernelForm(op) && paysAlongLanes(op) && fits(op, "window");
}

}  // namespace tpuc::plan
