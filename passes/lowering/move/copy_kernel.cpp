// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copy kernels: ops that only move elements, as DMA from HBM to HBM.
#include "dialects/diagnostics/diagnose.h"
#include "dialects/stablehlo/stablehlo.h"
#include "passes/lowering/body/vector_ops.h"
#include "passes/lowering/kernels.h"
#include "passes/lowering/move/copy_plan.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

class CopyKernel {
 public:
  CopyKernel(KernelContext &context, Code &code) : context_(context), c_(code), b_(code.b) {}
  LogicalResult run();

 private:
  void start(StringRef srcSpace, const Origin &from, const Linear &src, StringRef dstSpace, const Origin &to,
             const Linear &dst, int64_t run, ArrayRef<CopyDim> dims);
  void startTransfer(const Transfer &t, const Origin &from, const Origin &to);
  void waitAll();
  LogicalResult fill(Value value, const Array &array);

  KernelContext &context_;
  Code &c_;
  OpBuilder &b_;
  int64_t started_ = 0;
};

void CopyKernel::start(StringRef srcSpace, const Origin &from, const Linear &src, StringRef dstSpace, const Origin &to,
                       const Linear &dst, int64_t run, ArrayRef<CopyDim> dims) {
  SmallVector<int64_t> counts, ss, ds;
  for (const CopyDim &d : dims) {
    counts.push_back(d.count);
    ss.push_back(d.src);
    ds.push_back(d.dst);
  }
  Linear s = from.offset + src, d = to.offset + dst;
  const int64_t srcConstant = std::exchange(s.constant, 0), dstConstant = std::exchange(d.constant, 0);
  auto symbol = [&](StringRef name) {
    return name.empty() ? FlatSymbolRefAttr() : FlatSymbolRefAttr::get(b_.getContext(), name);
  };
  tpu::DmaStartOp::create(b_, c_.loc, c_.value(s), c_.value(d), c_.i64(0), b_.getStringAttr(srcSpace),
                          b_.getStringAttr(dstSpace), symbol(from.buffer), symbol(to.buffer),
                          b_.getI64IntegerAttr(srcConstant), b_.getI64IntegerAttr(dstConstant),
                          b_.getI64IntegerAttr(run), b_.getDenseI64ArrayAttr(counts), b_.getDenseI64ArrayAttr(ss),
                          b_.getDenseI64ArrayAttr(ds));
}

// A descriptor has four dims: what exceeds them, the shortest ones, are scalar loops around it.
void CopyKernel::startTransfer(const Transfer &t, const Origin &from, const Origin &to) {
  SmallVector<CopyDim> inner(t.dims.begin(), t.dims.end()), outer;
  while (inner.size() > 4) {
    auto *shortest = llvm::min_element(inner, [](const CopyDim &a, const CopyDim &b) { return a.count < b.count; });
    outer.push_back(*shortest);
    inner.erase(shortest);
  }
  int64_t count = 1;
  for (const CopyDim &d : outer) count *= d.count;
  std::function<void(size_t, Linear, Linear)> go = [&](size_t i, Linear s, Linear d) {
    if (i == outer.size()) return start("hbm", from, s, "hbm", to, d, t.run, inner);
    c_.loop(c_.i64(0), c_.i64(outer[i].count), 1, {}, [&](Value iv, ValueRange) {
      go(i + 1, s + Linear(iv) * outer[i].src, d + Linear(iv) * outer[i].dst);
      return SmallVector<Value>();
    });
  };
  go(0, Linear(t.src), Linear(t.dst));
  started_ += count;
}

void CopyKernel::waitAll() {
  if (started_) c_.inst("dma.wait", {}, {{"imm", 0}, {"count", started_}});
  started_ = 0;
}

// The whole of a result, tile padding included, becomes `value`: one tile in VMEM, sent over and over.
LogicalResult CopyKernel::fill(Value value, const Array &array) {
  Type t = array.type.getElementType();
  Value lanes;
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    start("hbm", context_.inputs[arg.getArgNumber()], Linear(0), "vmem", {},
          Linear(context_.firstWord * isa::kWordBytes), isa::kWordBytes, {});
    started_ = 1;
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
  int64_t bytes = array.hbmBytes(), tile = isa::kVregBytes;
  Linear from((context_.firstWord + 8) * isa::kWordBytes);
  const Origin &to = context_.results[0];
  if (bytes / tile) {
    start("vmem", {}, from, "hbm", to, Linear(0), tile, {CopyDim{bytes / tile, 0, tile}});
    ++started_;
  }
  if (bytes % tile) {
    start("vmem", {}, from, "hbm", to, Linear(bytes / tile * tile), bytes % tile, {});
    ++started_;
  }
  waitAll();
  return success();
}

LogicalResult CopyKernel::run() {
  kernel::FusionOp fusion = context_.op;
  auto yield = fusion.getBlock().getTerminator();
  Operation *op = yield->getOperand(0).getDefiningOp();
  Array result(cast<RankedTensorType>(yield->getOperand(0).getType()),
               orderOf(fusion.getResultOrdersAttr(), 0, yield->getOperand(0)));
  // A concatenation takes slices from where they lie.
  auto sourceOf = [&](unsigned i) {
    Value v = op->getOperand(i);
    auto slice = v.getDefiningOp<stablehlo::SliceOp>();
    return slice ? Value(slice.getOperand()) : v;
  };
  auto operand = [&](unsigned i) {
    Value v = sourceOf(i);
    auto arg = cast<BlockArgument>(v);
    return Array(cast<RankedTensorType>(v.getType()), orderOf(fusion.getInputOrdersAttr(), arg.getArgNumber(), v));
  };
  auto moves = movesOf(op, operand, result);
  if (!moves)
    return diagnose(op, codes::kNoLowering)
           << "expects an op that moves data, but got '" << op->getName() << "'; write it in simpler ops";
  if (auto pad = dyn_cast<stablehlo::PadOp>(op))
    if (failed(fill(pad.getPaddingValue(), result))) return failure();
  for (const Move &m : *moves) {
    auto transfers = planCopy(m.groups, result.bytes);
    if (!transfers)
      return diagnose(op, codes::kMemoryOrder) << "expects a copy of few transfers, but got more than a kernel holds; "
                                                  "reshape in steps whose dims divide each other";
    for (const Transfer &t : *transfers)
      startTransfer(t, context_.inputs[cast<BlockArgument>(sourceOf(m.operand)).getArgNumber()], context_.results[0]);
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
