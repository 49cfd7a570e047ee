// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transposes that put another dim along lanes: tiles of 128 x 128 through the cross-lane unit's transpose buffer.
//
// The domain is the result's dims in memory order. The source sees it with its own last dim along lanes and the
// result's last dim along sublanes, the result the other way round. As single elements through DMA every one of them
// would cost a granule.
#include "passes/lowering/body/vector_ops.h"
#include "passes/lowering/move/indices.h"
#include "passes/plan/grid/grid_plan.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

constexpr int64_t kTile = 128;

class TransposeKernel {
 public:
  TransposeKernel(KernelContext &context, Code &code, stablehlo::TransposeOp op)
      : context_(context), c_(code), op_(op) {}
  // False, nothing emitted, where lanes stay or no block fits VMEM.
  FailureOr<bool> run(Value start, Value count);

 private:
  bool bind();
  FailureOr<bool> chooseBlocks();
  void emitStep(const Step &step);
  void emitTile(const Point &lead, const Linear &rowTile, const Linear &laneTile, int64_t rows, int64_t groups);
  // Tiles of a block along a dim: the whole ones, and the extent of a shorter last one.
  Value tilesOf(int64_t d, ArrayRef<Linear> index);

  KernelContext &context_;
  Code &c_;
  stablehlo::TransposeOp op_;
  Domain sourceView_, resultView_;
  std::unique_ptr<ArrayBlock> source_, result_;
  DimMap sourceMap_;
  std::unique_ptr<Grid> grid_;
  std::unique_ptr<Body> in_, out_;
};

// Moved as bits: a NaN keeps its own.
RankedTensorType bitsOf(Value v) {
  auto type = cast<RankedTensorType>(v.getType());
  Type element = type.getElementType();
  if (!element.isBF16() && !element.isF16()) return type;
  return type.clone(IntegerType::get(v.getContext(), 16, IntegerType::Unsigned));
}

bool TransposeKernel::bind() {
  kernel::FusionOp fusion = context_.op;
  Value result = fusion.getBlock().getTerminator()->getOperand(0);
  auto argument = cast<BlockArgument>(op_.getOperand());
  Array to(bitsOf(result), orderOf(fusion.getResultOrdersAttr(), 0, result));
  Array from(bitsOf(argument), orderOf(fusion.getInputOrdersAttr(), argument.getArgNumber(), argument));
  if (from.rank() < 2) return false;
  DimMap toMap(to.rank());
  for (int64_t phys = 0; phys < to.rank(); ++phys) {
    toMap[to.order[phys]] = phys;
    resultView_.dims.push_back(to.extent(phys));
  }
  sourceMap_.resize(from.rank());
  for (auto [d, source] : llvm::enumerate(op_.getPermutation())) sourceMap_[source] = toMap[d];
  resultView_.cDim = to.rank() - 1;
  resultView_.rDim = sourceMap_[from.order.back()];
  if (resultView_.rDim == resultView_.cDim) return false;
  if (resultView_.dims[resultView_.rDim] == 1 || resultView_.dims[resultView_.cDim] == 1) return false;
  resultView_.pack = to.pack;
  resultView_.block = resultView_.dims;
  sourceView_ = resultView_;
  std::swap(sourceView_.rDim, sourceView_.cDim);
  // Tiles are worked on whole where a dim has more than one.
  for (Domain *view : {&sourceView_, &resultView_})
    if (view->dims[view->r()] > kTile) view->heldRows = kTile;
  source_ = std::make_unique<ArrayBlock>(from, sourceMap_);
  source_->origin = context_.inputs[argument.getArgNumber()];
  source_->view = &sourceView_;
  result_ = std::make_unique<ArrayBlock>(to, toMap);
  result_->origin = context_.results[0];
  result_->view = &resultView_;
  result_->isResult = true;
  if (!context_.ends.empty()) result_->ends = context_.ends[0];
  return true;
}

// Halves the longest dim that may be cut until blocks fit and there are steps enough to overlap transfers with work.
FailureOr<bool> TransposeKernel::chooseBlocks() {
  Domain &d = resultView_;
  SmallVector<int64_t> granule(d.dims.size(), 1);
  granule[d.r()] = granule[d.c()] = kTile;
  grid_ = std::make_unique<Grid>(d, ArrayRef<ArrayBlock *>(source_.get()), ArrayRef<ArrayBlock *>(result_.get()),
                                 context_.residents);
  for (size_t k = 0; k < d.dims.size(); ++k) grid_->parallel.push_back(k);
  auto isWhole = [&](int64_t k) {  // tiles of a result's leading dim are not cut
    int64_t last = result_->array.rank() - 1;
    return k != d.r() && k != d.c() && k == result_->map[result_->array.order[last - 1]];
  };
  auto place = [&] {
    sourceView_.block = d.block;
    return grid_->placeBlocks(context_.firstWord);
  };
  if (context_.plan) {
    for (size_t k = 0; k < d.dims.size(); ++k)
      if (isWhole(k)) granule[k] = 0;
    if (failed(plan::followBlocks(context_, d, *grid_, granule, d.dims, "a block of this transpose", place)))
      return failure();
    return true;
  }
  int64_t budget = vmemBudgetWords(context_.target);
  while (true) {
    int64_t words = place();
    bool tooBig = words > budget,
         tooFew = grid_->parallelSteps() < 16 && source_->stepWords + result_->stepWords > 1024;
    if (!tooBig && !tooFew) break;
    int64_t cut = -1;
    for (size_t k = 0; k < d.dims.size(); ++k)
      if (!isWhole(k) && d.block[k] > granule[k] && (cut < 0 || d.block[k] / granule[k] > d.block[cut] / granule[cut]))
        cut = k;
    if (cut < 0 && tooBig) return false;
    if (cut < 0) break;
    d.block[cut] = llvm::alignTo(llvm::divideCeil(d.block[cut], 2), granule[cut]);
  }
  context_.vmemWords = place();
  plan::Choices choices(context_.op->getContext());
  choices.set("transposes");
  context_.plan = plan::planOf(context_, *grid_, choices);
  return true;
}

Value TransposeKernel::tilesOf(int64_t d, ArrayRef<Linear> index) {
  const Domain &v = resultView_;
  int64_t full = llvm::divideCeil(v.block[d], kTile);
  if (v.steps(d) <= 1 || !v.hasTail(d)) return c_.i64(full);
  Value left =
      c_.b.createOrFold<arith::SubIOp>(c_.loc, c_.i64(llvm::divideCeil(v.dims[d], kTile)), c_.value(index[d] * full));
  return c_.min(left, c_.i64(full));
}

// `rows` groups of 8 of the result's rows, from `groups` of the source's.
void TransposeKernel::emitTile(const Point &lead, const Linear &rowTile, const Linear &laneTile, int64_t rows,
                               int64_t groups) {
  int64_t pack = resultView_.pack, units = 16 / pack;
  bool pred = result_->array.type.getElementType().isInteger(1);
  Point at = lead;
  at.at[resultView_.r()] = rowTile;  // the source's lanes
  for (int64_t g = 0; g < groups; ++g) {
    at.at[resultView_.c()] = laneTile * units + Linear(g / pack);
    at.sub = g % pack;
    Value v = in_->evaluate(op_.getOperand(), sourceMap_, at);
    c_.inst("x.tr.push", {pred ? maskToInt(c_, v) : v}, {{"row", g}, {"buf", 0}});
    in_->nextPoint();
  }
  at.at[resultView_.c()] = laneTile;
  for (int64_t g = 0; g < rows; g += pack) {
    SmallVector<Value> values;
    for (int64_t i = 0; i < pack; ++i) {
      Value v = c_.inst("x.tr.pop", {}, {{"row", std::min(g + i, rows - 1)}, {"buf", 0}});
      values.push_back(pred ? intToMask(c_, v) : v);
    }
    at.at[resultView_.r()] = rowTile * units + Linear(g / pack);
    at.sub = 0;
    out_->store(*result_, values, at);
  }
}

void TransposeKernel::emitStep(const Step &step) {
  const Domain &d = resultView_;
  in_->blockIndex = out_->blockIndex = step.index;
  SmallVector<int64_t> leads;
  for (int64_t k = 0; k < static_cast<int64_t>(d.dims.size()); ++k)
    if (k != d.r() && k != d.c()) leads.push_back(k);
  // A dim shorter than a tile fills part of the buffer.
  auto groupsOf = [&](int64_t k) {
    return std::min<int64_t>(16, llvm::alignTo(llvm::divideCeil(d.dims[k], 8), d.pack));
  };
  emitNest(
      c_, d, step.index, leads, 1, {},
      [&](const Point &lead, ValueRange) {
        c_.loop(c_.i64(0), tilesOf(d.r(), step.index), 1, {}, [&](Value row, ValueRange) {
          c_.loop(c_.i64(0), tilesOf(d.c(), step.index), 1, {}, [&](Value lane, ValueRange) {
            emitTile(lead, c_.linear(row), c_.linear(lane), groupsOf(d.r()), groupsOf(d.c()));
            return SmallVector<Value>();
          });
          return SmallVector<Value>();
        });
        return SmallVector<Value>();
      },
      nullptr, storesWholeWords(*result_, result_->map, d));
}

FailureOr<bool> TransposeKernel::run(Value start, Value count) {
  if (!bind()) return false;
  FailureOr<bool> fits = chooseBlocks();
  if (failed(fits) || !*fits || context_.onlyPlans) return fits;
  in_ = std::make_unique<Body>(c_, sourceView_);
  out_ = std::make_unique<Body>(c_, resultView_);
  in_->blocks[op_.getOperand()] = source_.get();
  context_.gridSteps = grid_->parallelSteps();
  emitGrid(*grid_, c_, start, count, [&](const Step &step) { emitStep(step); });
  return true;
}

}  // namespace

FailureOr<bool> lowerTranspose(KernelContext &context, Code &code, stablehlo::TransposeOp op, Value start,
                               Value count) {
  return TransposeKernel(context, code, op).run(start, count);
}

}  // namespace tpuc::lowering
