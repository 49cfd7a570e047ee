// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of a kernel's arrays, and its share of VMEM.
#include "passes/plan/kernels.h"

#include "dialects/stablehlo/stablehlo.h"

using namespace mlir;

namespace tpuc::plan {

// ---- blocks ---------------------------------------------------------------------------------------------------------

DimMap Space::mapOf(Value v) {
  DimMap map;
  if (domain.linear && cast<RankedTensorType>(v.getType()).getRank() == 1 &&
      cast<RankedTensorType>(v.getType()).getDimSize(0) != 1)
    return {kLinear};
  for (int64_t c : classes.classesOf(v)) map.push_back(c < 0 ? kUnit : dimOfClass.lookup(c));
  return map;
}

static SmallVector<ArrayBlock *> pointers(const std::vector<std::unique_ptr<ArrayBlock>> &blocks) {
  SmallVector<ArrayBlock *> out;
  for (auto &b : blocks) out.push_back(b.get());
  return out;
}
SmallVector<ArrayBlock *> Space::inputPointers() const { return pointers(inputs); }
SmallVector<ArrayBlock *> Space::resultPointers() const { return pointers(results); }

SmallVector<int64_t> orderOf(ArrayAttr orders, unsigned i, Value v) {
  if (orders) return llvm::to_vector(cast<DenseI64ArrayAttr>(orders[i]).asArrayRef());
  return llvm::to_vector(llvm::seq<int64_t>(0, cast<RankedTensorType>(v.getType()).getRank()));
}

Array operandArray(const KernelContext &context, Value v) {
  kernel::FusionOp op = context.op;
  return Array(cast<RankedTensorType>(v.getType()),
               orderOf(op.getInputOrdersAttr(), cast<BlockArgument>(v).getArgNumber(), v));
}

const Origin &operandOrigin(const KernelContext &context, Value v) {
  return context.inputs[cast<BlockArgument>(v).getArgNumber()];
}

Array resultArray(const KernelContext &context, unsigned i) {
  kernel::FusionOp op = context.op;
  Value v = op.getBlock().getTerminator()->getOperand(i);
  return Array(cast<RankedTensorType>(v.getType()), orderOf(op.getResultOrdersAttr(), i, v));
}

SmallVector<Source, 8> sourcesOf(kernel::FusionOp op) {
  SmallVector<Source, 8> sources;
  for (BlockArgument argument : op.getBlock().getArguments()) {
    unsigned i = argument.getArgNumber();
    auto readsWhole = [](Operation *user) { return !analysis::isTileView(user); };
    if (argument.use_empty() || llvm::any_of(argument.getUsers(), readsWhole)) sources.push_back({argument, i});
    SmallVector<Operation *> views = llvm::filter_to_vector(argument.getUsers(), analysis::isTileView);
    for (Operation *view : llvm::reverse(views)) sources.push_back({view->getResult(0), i});
  }
  return sources;
}

void makeBlocks(KernelContext &context, Space &space, const analysis::DomainDims &dims) {
  Domain &domain = space.domain;
  domain.dims = dims.extents;
  domain.linear = dims.linear;
  if (dims.linear) {
    domain.linearSize = dims.extents[0];
    domain.dims = {static_cast<int64_t>(llvm::divideCeil(dims.extents[0], 128)), 128};
  }
  domain.block = domain.dims;
  for (auto [d, cls] : llvm::enumerate(dims.classes))
    if (cls >= 0) space.dimOfClass[cls] = dims.linear ? kLinear : static_cast<int64_t>(d);
  kernel::FusionOp op = context.op;
  auto make = [&](Value v, ArrayAttr orders, unsigned i, const Origin &origin, bool isResult) {
    Operation *view = isResult ? nullptr : v.getDefiningOp();
    SmallVector<int64_t> order = orderOf(orders, i, v);
    auto block = std::make_unique<ArrayBlock>(
        view ? Array::of(view, order) : Array(cast<RankedTensorType>(v.getType()), order), space.mapOf(v));
    block->origin = origin;
    if (!isResult && (!view || mlir::isa<stablehlo::SliceOp>(view) || analysis::isShuffledView(view)))
      block->operand = i;
    block->isResult = isResult;
    if (isResult && i < context.ends.size()) block->ends = context.ends[i];
    block->view = &domain;
    // A vector along a leading dim is read one element at a time. So its packing does not make units of rows larger.
    const bool isTakenApart = !isResult && block->array.rank() == 1 && block->map[0] >= 0 && block->map[0] < domain.r();
    if (!isTakenApart) domain.pack = std::max(domain.pack, block->array.pack);
    return block;
  };
  for (auto [v, i] : sourcesOf(op))
    space.inputs.push_back(make(v, op.getInputOrdersAttr(), i, context.inputs[i], false));
  for (auto [i, v] : llvm::enumerate(op.getBlock().getTerminator()->getOperands()))
    space.results.push_back(make(v, op.getResultOrdersAttr(), i, context.results[i], true));
}

bool storesWholeWords(const ArrayBlock &block, const DimMap &map, const Domain &domain) {
  const Array &a = block.array;
  if (a.pack == 1 || a.rank() == 0 || map[0] == kLinear) return true;
  if (a.isVector()) return false;
  int64_t rows = map[a.order[a.rank() - 2]];
  return rows == domain.r() || rows == kUnit;
}

// ---- maps ---------------------------------------------------------------------------------------------------------

// The kept dims of a reshape that only adds or removes unit dims; nullopt otherwise.
static std::optional<DimMap> unitReshapeMap(RankedTensorType operand, RankedTensorType result, const DimMap &map) {
  DimMap kept;
  SmallVector<int64_t> sizes;
  for (int64_t d = 0; d < result.getRank(); ++d)
    if (result.getDimSize(d) != 1) {
      kept.push_back(map[d]);
      sizes.push_back(result.getDimSize(d));
    }
  DimMap out;
  size_t next = 0;
  for (int64_t d = 0; d < operand.getRank(); ++d) {
    if (operand.getDimSize(d) == 1) {
      out.push_back(kUnit);
      continue;
    }
    if (next == kept.size() || sizes[next] != operand.getDimSize(d)) return std::nullopt;
    out.push_back(kept[next++]);
  }
  if (next != kept.size()) return std::nullopt;
  return out;
}

std::optional<DimMap> operandMap(Operation *op, unsigned i, const DimMap &map) {
  auto operand = cast<RankedTensorType>(op->getOperand(i).getType());
  if (auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op)) {
    DimMap out;
    for (auto [d, to] : llvm::enumerate(broadcast.getBroadcastDimensions())) {
      bool unit = operand.getDimSize(d) == 1;
      out.push_back(unit ? kUnit : map[to]);
    }
    return out;
  }
  if (auto transpose = dyn_cast<stablehlo::TransposeOp>(op)) {
    DimMap out(map.size());
    for (auto [d, from] : llvm::enumerate(transpose.getPermutation())) out[from] = map[d];
    return out;
  }
  if (auto reshape = dyn_cast<stablehlo::ReshapeOp>(op))
    return unitReshapeMap(operand, cast<RankedTensorType>(reshape.getType()), map);
  if (operand.getRank() == 0) return DimMap();  // scalar predicate of select, bounds of clamp
  return map;
}

bool isAccessible(const Domain &domain, RankedTensorType type, ArrayRef<int64_t> order, const DimMap &map) {
  int64_t rank = type.getRank();
  for (int64_t phys = 0; phys < rank; ++phys) {
    int64_t d = map[order[phys]];
    if (d == kLinear) return rank == 1;
    if (d == domain.c() && phys != rank - 1) return false;
  }
  return true;
}

bool isPackedAlike(const Domain &domain, const ArrayBlock &block, const DimMap &map) {
  int64_t rank = block.array.rank();
  return rank >= 2 && map[block.array.order[rank - 2]] == domain.r() && map[block.array.order[rank - 1]] == domain.c();
}

LogicalResult checkConstants(kernel::FusionOp op) {
  for (auto constant : op.getBlock().getOps<stablehlo::ConstantOp>())
    if (!constant.getValue().isSplat())
      return diagnose(constant, codes::kBrokenStage) << "expects constants of one value in a kernel, but got an array";
  return success();
}

// ---- VMEM -----------------------------------------------------------------------------------------------------------

int64_t kernelVmemWords(const target::Target &target) {
  return static_cast<int64_t>(target.core().kernel_vmem_bytes() / isa::kWordBytes);
}

int64_t vmemBudgetWords(const target::Target &target) {
  return static_cast<int64_t>(target.core().vmem_bytes() / isa::kWordBytes) * 7 / 8;
}

LogicalResult overVmem(KernelContext &context, Operation *op, const Twine &what, int64_t words, int64_t room) {
  context.isOverVmem = true;
  if (context.isTrial || context.isQuestion) return failure();
  return diagnose(op, codes::kOverVmem) << "expects " << what << " to fit "
                                        << (room ? room : vmemBudgetWords(context.target)) * isa::kWordBytes
                                        << " bytes of " << context.target.name() << "'s VMEM, but got "
                                        << words * isa::kWordBytes << "; split its last dims, or choose another target";
}

LogicalResult overAccumulators(KernelContext &context, Operation *op, const Twine &what, int64_t rows) {
  context.isOverVmem = true;
  if (context.isTrial || context.isQuestion) return failure();
  return diagnose(op, codes::kOverVmem) << "expects " << what << " to fit "
                                        << context.target.core().mxu_accumulator_rows() << " rows of "
                                        << context.target.name() << "'s accumulators, but got " << rows
                                        << "; split its dims, or choose another target";
}

}  // namespace tpuc::plan
