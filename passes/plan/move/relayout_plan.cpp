// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of a relayout.
#include "passes/plan/move/relayout_plan.h"

#include "passes/plan/grid/grid_plan.h"

using namespace mlir;

namespace tpuc::plan {

using analysis::Factor;

WideBlock WideBlock::of(const ArrayBlock &block) {
  WideBlock wide;
  int64_t rank = block.array.rank();
  wide.rows = llvm::alignTo(block.extents[rank - 2], block.array.tileRows());
  wide.colTiles = llvm::divideCeil(block.extents[rank - 1], 128);
  wide.colWords = wide.rows;
  wide.words = wide.colTiles * wide.colWords;
  wide.leadWords.resize(rank - 2);
  for (int64_t phys = rank - 3; phys >= 0; --phys) {
    wide.leadWords[phys] = wide.words;
    wide.words *= block.extents[phys];
  }
  return wide;
}

WideBlock WideBlock::itself(const ArrayBlock &block) {
  WideBlock wide = of(block);
  wide.colWords = block.rowsHeld;
  wide.leadWords = block.leadWords;
  wide.words = 0;
  return wide;
}

int64_t WideBlock::stride(int64_t dim, int64_t elements) const {
  int64_t rank = leadWords.size() + 2;
  if (dim == rank - 1) return elements / 128 * colWords;
  return elements * (dim == rank - 2 ? 1 : leadWords[dim]);
}

LogicalResult RelayoutPlan::refuse() const {
  if (context_.isQuestion) return failure();
  return diagnose(context_.op, codes::kBrokenStage)
         << "expects a kernel of reshapes, transposes and broadcasts, one after the other, that keep few runs of lanes";
}

// Whether it is the outermost factor of its dims, on either side.
bool RelayoutPlan::mayCut(const Factor &f) const {
  if (f.size * f.toStride != relayout_.to.getDimSize(f.to)) return false;
  return f.from < 0 || f.size * f.fromStride == relayout_.from.getDimSize(f.from);
}

// What it is cut in multiples of: blocks are whole tiles.
int64_t RelayoutPlan::granuleOf(const Factor &f) const {
  int64_t granule = 1;
  auto keepWhole = [&](const Array &array, int64_t dim, int64_t stride) {
    if (dim < 0 || dim < array.rank() - 2) return;
    int64_t tile = dim == array.rank() - 1 ? 128 : array.tileRows();
    while (granule < f.size && granule * stride % tile) ++granule;
  };
  // What is a multiple for one side stays one for the other.
  for (int64_t before = 0; before != granule;) {
    before = granule;
    keepWhole(from_->array, f.from, f.fromStride);
    keepWhole(to_->array, f.to, f.toStride);
  }
  return f.size % granule ? f.size : granule;
}

// False where there are more runs of lanes than a step's code should have.
bool RelayoutPlan::sortFactors() {
  constexpr int64_t kMostRuns = 256;
  const Factor &lanes = relayout_.lanes();
  int64_t runs = 1;
  for (const Factor &f : ArrayRef(relayout_.factors).drop_back()) {
    const bool isTurned = (f.from == lanes.from && f.fromStride % 128) || (f.to == lanes.to && f.toStride % 128);
    if (isTurned) runs *= f.size;
    (isTurned ? turned_ : walked_).push_back(f);
  }
  run_ = lanes.size % 128 ? lanes.size : 128;
  if (run_ != lanes.size) walked_.push_back({lanes.size / 128, lanes.from, 128, lanes.to, 128});
  return runs * llvm::divideCeil(run_, 128) <= kMostRuns;
}

// Leading dims, and rows in whole tiles, part into factors without moving: a block then follows each of them by itself.
// `dim` and `stride` are a factor's on the array's side.
static RankedTensorType splitLeads(RankedTensorType type, MutableArrayRef<Factor> factors, int64_t Factor::*dim,
                                   int64_t Factor::*stride) {
  const int64_t rank = type.getRank(), rowDim = rank - 2, tile = Array(type).tileRows();
  SmallVector<Factor *> own, rows, lanes;  // outermost first
  for (Factor &f : factors)
    if (f.*dim >= 0) own.push_back(&f);
  llvm::sort(own,
             [&](Factor *a, Factor *b) { return a->*dim != b->*dim ? a->*dim < b->*dim : a->*stride > b->*stride; });
  SmallVector<int64_t> shape;
  int64_t left = type.getDimSize(rowDim);
  for (Factor *f : own) {
    const int64_t d = f->*dim;
    if (d > rowDim || (d == rowDim && (f->*stride % tile || !rows.empty()))) {
      (d > rowDim ? lanes : rows).push_back(f);
      continue;
    }
    if (d == rowDim) left = f->*stride;
    f->*dim = shape.size();
    f->*stride = 1;
    shape.push_back(f->size);
  }
  for (Factor *f : rows) f->*dim = shape.size();
  for (Factor *f : lanes) f->*dim = shape.size() + 1;
  shape.append({left, type.getDimSize(rank - 1)});
  return type.clone(shape);
}

// Where an array lies in VMEM, as the split one. Each factor knows its dim and its stride there, and those it had.
static Resident splitResident(const Resident &resident, RankedTensorType split, ArrayRef<Factor> before,
                              ArrayRef<Factor> after, int64_t Factor::*dim, int64_t Factor::*stride, int64_t pack) {
  Resident r = resident;
  r.type = split;
  r.leadWords.assign(split.getRank() - 2, 0);
  for (auto [old, now] : llvm::zip(before, after)) {
    if (now.*dim < 0 || now.*dim >= split.getRank() - 2) continue;
    const bool wasRow = old.*dim == static_cast<int64_t>(resident.leadWords.size());
    r.leadWords[now.*dim] = wasRow ? old.*stride / pack : resident.leadWords[old.*dim] * (old.*stride);
  }
  return r;
}

LogicalResult RelayoutPlan::bind() {
  auto relayout = analysis::relayoutOf(context_.op);
  if (!relayout) return refuse();
  relayout_ = std::move(*relayout);
  const SmallVector<Factor> before = relayout_.factors;
  RankedTensorType from = relayout_.from, to = relayout_.to;
  relayout_.from = splitLeads(from, relayout_.factors, &Factor::from, &Factor::fromStride);
  relayout_.to = splitLeads(to, relayout_.factors, &Factor::to, &Factor::toStride);
  if (!sortFactors()) return refuse();
  from_ = std::make_unique<ArrayBlock>(Array(relayout_.from), DimMap());
  to_ = std::make_unique<ArrayBlock>(Array(relayout_.to), DimMap());
  from_->origin = context_.inputs[0];
  to_->origin = context_.results[0];
  to_->isResult = true;
  from_->view = &fromView_;
  to_->view = &toView_;
  from_->map.assign(from_->array.rank(), kUnit);
  to_->map.assign(to_->array.rank(), kUnit);
  for (const Factor &f : walked_) {
    if (!mayCut(f) || granuleOf(f) == f.size) continue;
    int64_t d = cuts_.size();
    cuts_.push_back(f);
    granules_.push_back(granuleOf(f));
    domain_.dims.push_back(f.size);
    to_->map[f.to] = d;
    if (f.from >= 0) from_->map[f.from] = d;
  }
  // No dim lies along sublanes or lanes unless a view says so.
  domain_.dims.append({1, 1});
  granules_.append({0, 0});
  domain_.block = domain_.dims;
  for (auto [view, block] : {std::pair(&fromView_, from_.get()), std::pair(&toView_, to_.get())}) {
    *view = domain_;
    int64_t rank = block->array.rank();
    if (int64_t d = block->map[rank - 2]; d != kUnit) view->rDim = d;
    if (int64_t d = block->map[rank - 1]; d != kUnit) view->cDim = d;
  }
  auto placed = [&](const ArrayBlock &block, RankedTensorType whole, int64_t Factor::*dim, int64_t Factor::*stride,
                    std::optional<Resident> &split) {
    for (const Resident &r : context_.residents.lookup(block.origin.buffer))
      if (r.type == whole)
        split = splitResident(r, block.array.type, before, relayout_.factors, dim, stride, block.array.pack);
  };
  placed(*from_, from, &Factor::from, &Factor::fromStride, residentFrom_);
  placed(*to_, to, &Factor::to, &Factor::toStride, residentTo_);
  return success();
}

void RelayoutPlan::makeGrid() {
  ArrayBlock *from = from_.get(), *to = to_.get();
  static const ResidentMap kNone;
  grid_ = std::make_unique<Grid>(domain_, from, to, kNone);
  if (residentFrom_) from_->resident = &*residentFrom_;
  if (residentTo_) to_->resident = &*residentTo_;
  // Copies last: they are made of the block that is there.
  for (const bool isRepeated : {false, true})
    for (auto [d, f] : llvm::enumerate(cuts_))
      if ((f.from < 0) == isRepeated) grid_->parallel.push_back(d);
}

// A view counts in elements of its own array.
int64_t RelayoutPlan::place() {
  for (auto [d, f] : llvm::enumerate(cuts_)) {
    for (auto [view, stride] :
         {std::pair(&fromView_, std::max<int64_t>(f.fromStride, 1)), std::pair(&toView_, f.toStride)}) {
      view->dims[d] = f.size * stride;
      view->block[d] = domain_.block[d] * stride;
    }
  }
  int64_t word = grid_->placeBlocks(context_.firstWord);
  if (!isPacked()) {
    wideFrom_ = WideBlock::itself(*from_);
    wideTo_ = WideBlock::itself(*to_);
    return word;
  }
  wideFrom_ = WideBlock::of(*from_);
  wideTo_ = WideBlock::of(*to_);
  wideFromWord_ = word;
  wideToWord_ = wideFromWord_ + wideFrom_.words;
  return wideToWord_ + wideTo_.words;
}

// Cuts a factor once more, unless a step would move single rows then. Blocks that need not be smaller are not cut to a
// small part at once: a prime number of granules has no other.
bool RelayoutPlan::cut(size_t d, bool isLarge, bool keepsVregs) {
  constexpr int64_t kLargestCut = 8;
  const int64_t size = cuts_[d].size, granule = granules_[d], before = domain_.block[d];
  for (int64_t smaller = before - granule; smaller > 0; smaller -= granule) {
    if (!isLarge && smaller * kLargestCut < before) break;
    if (size % smaller || (smaller * 2 > before && smaller != granule)) continue;
    domain_.block[d] = smaller;
    if (!keepsVregs || hasVregs()) return true;
    break;
  }
  domain_.block[d] = before;
  return false;
}

// The outermost factor of the result first, so that blocks stay in few pieces; copies of an operand's block before what
// it has.
bool RelayoutPlan::cutNext(bool isLarge) {
  for (const bool keepsVregs : {true, false})
    for (const bool isRepeated : {true, false})
      for (auto [d, f] : llvm::enumerate(cuts_))
        if ((f.from < 0) == isRepeated && (keepsVregs || isLarge) && cut(d, isLarge, keepsVregs)) return true;
  return false;
}

// Whether eight positions of a factor are a vreg of a block.
bool RelayoutPlan::hasVregs() const {
  return llvm::any_of(walked_, [&](const Factor &f) {
    return usefulSublanes(sizeIn(f), f.from < 0 ? 0 : wideFrom_.stride(f.from, f.fromStride),
                          wideTo_.stride(f.to, f.toStride)) > 0;
  });
}

// Useful sublanes of a vreg of a factor's positions; 0: they are no vreg.
int64_t RelayoutPlan::usefulSublanes(int64_t size, int64_t from, int64_t to) {
  if (size < 8 || from > kFarthestSublane || to > kFarthestSublane) return 0;
  return size % 8 ? size * 8 / llvm::alignTo(size, 8) : 8;
}

// Whether rows move one at a time, or a step's transfers are mostly latency.
bool RelayoutPlan::takesLong() const {
  constexpr int64_t kManySteps = 64, kFewWords = 64;
  return !hasVregs() || (grid_->parallelSteps() > kManySteps && to_->stepWords < kFewWords);
}

LogicalResult RelayoutPlan::choose() {
  constexpr int64_t kSteps = 16;        // that hide transfers behind work
  constexpr int64_t kSmallWords = 512;  // of a block that is not worth a step more
  const int64_t share = kernelVmemWords(context_.target), budget = vmemBudgetWords(context_.target);
  int64_t words = place();
  for (bool isCut = true; isCut; words = place()) {
    const bool isLarge = words - context_.firstWord > share || words > budget;
    const bool hasFewSteps = grid_->parallelSteps() < kSteps && to_->stepWords > kSmallWords;
    if (!isLarge && !hasFewSteps && grid_->movesByOne()) break;
    isCut = cutNext(isLarge || !grid_->movesByOne());
  }
  // Arrays that stay beside it would have to leave.
  if (context_.isQuestion && (words > share || !grid_->movesByOne() || takesLong())) return failure();
  if (words > budget) return overVmem(context_, context_.op, "a block of this move", words);
  context_.vmemWords = words;
  context_.plan = planOf(context_, *grid_, Choices(context_.op->getContext()));
  return success();
}

LogicalResult RelayoutPlan::plan() {
  if (failed(bind())) return failure();
  makeGrid();
  if (!context_.plan) {
    if (failed(choose())) return failure();
  } else {
    if (failed(followBlocks(context_, domain_, *grid_, granules_, domain_.dims, "a block of this move",
                            [&] { return place(); })))
      return failure();
    for (auto [size, block] : llvm::zip(domain_.dims, domain_.block))
      if (size % block)
        return GivenPlan(context_).refuse("blocks of one size, but got " + Twine(block) + " of " + Twine(size));
  }
  if (!grid_->movesByOne()) return GivenPlan(context_).refuse("blocks that a transfer of four strided dims moves");
  return success();
}

int64_t RelayoutPlan::sizeIn(const Factor &f) const {
  for (auto [d, cut] : llvm::enumerate(cuts_))
    if (cut.to == f.to && cut.toStride == f.toStride) return domain_.block[d];
  return f.size;
}

LogicalResult planRelayout(KernelContext &context) { return RelayoutPlan(context).plan(); }

}  // namespace tpuc::plan
