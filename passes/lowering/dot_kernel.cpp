// Matmul kernels: dot_general on the MXU, with an elementwise epilogue on the results as they leave the accumulators.
//
// Of the two operands, one streams: its rows (m) lie along sublanes and its lanes along k; the other is the weights, the
// result's lanes its n. The index space is [batch, m.., n.., k.., k, m, n]; each operand sees it with sublanes and lanes of
// its own. A grid step, for each group of column tiles that the arrays take side by side:
//   stage the first tile's weights; for each k tile: swap, stage the next tile's weights, push all rows; pop, epilogue, store.
#include "dialects/stablehlo/stablehlo.h"
#include "passes/lowering/kernels.h"
#include "passes/lowering/vector_ops.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

Type elementOf(Value v) { return getElementTypeOrSelf(v.getType()); }
RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

// How a multiplication runs on the arrays.
struct MxuMode {
  StringRef suffix;      // of mxu.ldw and mxu.push
  int64_t pack;          // rows a vreg of it holds / 8
  int64_t passes = 1;    // 3: hi hi, hi lo, lo hi
  bool intFromBf16 = false;
};

class DotKernel {
 public:
  DotKernel(KernelContext &context, Code &code) : context_(context), c_(code) {}
  LogicalResult run(Value start, Value count);

 private:
  struct Operand {
    Value value;                   // block argument
    std::unique_ptr<ArrayBlock> block;
    Domain view;
    DimMap map;
    std::unique_ptr<Body> body;
    bool transposed = false;       // weights with n along sublanes
  };

  LogicalResult findDot();
  LogicalResult chooseMode();
  LogicalResult addEpilogue();
  SmallVector<int64_t> resultOrder();
  LogicalResult chooseDims();
  LogicalResult makeOperands();
  LogicalResult chooseBlocks();
  int64_t place();
  void syncViews();
  void emitStep(const Step &step);
  void emitGroup(const Step &step, const Linear &group, const Point &lead);
  void emitKTile(const Linear &group, const Point &lead, const Point &kAt, int64_t kLanes, int64_t variant);
  void stageWeights(const Linear &group, const Point &lead, const Point &kAt, int64_t kRows, int64_t variant);
  void pushRows(const Linear &group, const Point &lead, const Point &kAt, int64_t kLanes, int64_t variant);
  void popRows(const Linear &group, const Point &lead);
  Value fetch(Operand &o, const Point &at, int64_t firstGroup, bool low);
  Linear accumulator(const Linear &group, const Point &at, const Linear &unit, int64_t sub);
  Point columnPoint(const Linear &group, int64_t array, const Point &at);
  int64_t kTiles() const { return llvm::divideCeil(domain_.block[kLast_], side_); }
  Value maskLanes(Value v, int64_t lanes);
  Value maskRows(Value v, int64_t rows);

  KernelContext &context_;
  Code &c_;
  stablehlo::DotGeneralOp dot_;
  MxuMode mode_;
  Space space_;       // the epilogue's classes and blocks
  Domain domain_;     // the results' view
  SmallVector<int64_t> batch_, mLead_, nLead_, kLead_;  // dims of domain_
  int64_t kLast_ = 0, m_ = 0, n_ = 0;
  DenseMap<int64_t, int64_t> lhsDim_, rhsDim_, outDim_;  // operand dims -> domain dims
  bool swapped_ = false;  // the right operand streams
  Operand rows_, weights_;
  std::unique_ptr<Body> body_;
  std::unique_ptr<Grid> grid_;
  int64_t side_ = 128, arrays_ = 1, across_ = 1, down_ = 1;  // arrays side by side over columns, and over rows
  int64_t groups_ = 1;     // of column tiles
  bool kSplit_ = false;
};

LogicalResult DotKernel::findDot() {
  for (Operation &op : context_.op.getBlock().without_terminator())
    if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(op)) dot_ = dot;
  assert(dot_ && "a dot kernel holds a dot");
  return success();
}

LogicalResult DotKernel::chooseMode() {
  Type a = elementOf(dot_.getLhs()), b = elementOf(dot_.getRhs()), out = elementOf(dot_);
  const auto &core = context_.target.core();
  StringRef precision = context_.matmulPrecision;
  auto own = [&] {
    StringRef p = "default";
    if (auto config = dot_.getPrecisionConfig())
      for (Attribute attr : *config) {
        auto value = cast<stablehlo::PrecisionAttr>(attr).getValue();
        if (value == stablehlo::Precision::HIGHEST) p = "highest";
        else if (value == stablehlo::Precision::HIGH && p == "default") p = "high";
      }
    return p;
  };
  if (precision.empty()) precision = own();
  bool ints = a.isInteger(8) && b.isInteger(8) && out.isInteger(32) && !a.isUnsignedInteger() && !b.isUnsignedInteger();
  if (ints && core.mxu_int8_rate() > 0) {
    mode_ = {"s8", 4};
  } else if (ints) {
    mode_ = {"bf16", 2};
    mode_.intFromBf16 = true;
  } else if (mlir::isa<FloatType>(a) && mlir::isa<FloatType>(b) && mlir::isa<FloatType>(out)) {
    bool narrow = a.isBF16() && b.isBF16();
    bool full = !narrow && (precision == "highest" || a.isF16() || b.isF16());
    mode_ = full ? MxuMode{"f32", 1} : MxuMode{"bf16", 2};
    if (!full && !narrow && precision == "high") mode_.passes = 3;
  } else {
    return dot_.emitError("TPUC-LOWER-002: dot_general of ") << a << " and " << b << " to " << out << " has no matrix mode; convert the operands to bf16, f32 or i8";
  }
  side_ = core.mxu_side();
  arrays_ = core.mxus();
  return success();
}

LogicalResult DotKernel::addEpilogue() {
  for (Operation &inner : context_.op.getBlock().without_terminator())
    if (&inner != dot_.getOperation() && !space_.classes.add(&inner)) return inner.emitError("a matmul's epilogue expects ops that walk their operands' dims");
  return success();
}

// The dot's dims in the physical order of the first result, which the epilogue may transpose.
SmallVector<int64_t> DotKernel::resultOrder() {
  Value result = context_.op.getBlock().getTerminator()->getOperand(0);
  SmallVector<int64_t> out, left = llvm::to_vector(llvm::seq<int64_t>(0, typeOf(dot_).getRank()));
  for (int64_t dim : orderOf(context_.op.getResultOrdersAttr(), 0, result)) {
    int64_t cls = space_.classes.classOf(result, dim);
    auto *it = llvm::find_if(left, [&](int64_t d) { return cls >= 0 ? space_.classes.classOf(dot_.getResult(), d) == cls : result == dot_.getResult() && d == dim; });
    if (it == left.end()) continue;
    out.push_back(*it);
    left.erase(it);
  }
  // Dims of one element lie outermost.
  out.insert(out.begin(), left.begin(), left.end());
  return out;
}

// The index space, from the result's physical order: its last dim gives n and which operand the weights are.
LogicalResult DotKernel::chooseDims() {
  auto numbers = dot_.getDotDimensionNumbers();
  RankedTensorType lhs = typeOf(dot_.getLhs()), rhs = typeOf(dot_.getRhs());
  auto freeDims = [](RankedTensorType t, ArrayRef<int64_t> batch, ArrayRef<int64_t> contract) {
    SmallVector<int64_t> out;
    for (int64_t d = 0; d < t.getRank(); ++d)
      if (!llvm::is_contained(batch, d) && !llvm::is_contained(contract, d)) out.push_back(d);
    return out;
  };
  ArrayRef<int64_t> lb = numbers.getLhsBatchingDimensions(), rb = numbers.getRhsBatchingDimensions();
  ArrayRef<int64_t> lc = numbers.getLhsContractingDimensions(), rc = numbers.getRhsContractingDimensions();
  SmallVector<int64_t> lf = freeDims(lhs, lb, lc), rf = freeDims(rhs, rb, rc);
  // Which result dims lie where: batch, then left free, then right free.
  int64_t nb = lb.size();
  SmallVector<int64_t> order = resultOrder();
  int64_t last = order.empty() ? -1 : order.back();
  swapped_ = last >= nb && last < nb + static_cast<int64_t>(lf.size());
  auto addDim = [&](int64_t extent) {
    domain_.dims.push_back(extent);
    return static_cast<int64_t>(domain_.dims.size()) - 1;
  };
  for (int64_t i = 0; i < nb; ++i) {
    int64_t d = addDim(lhs.getDimSize(lb[i]));
    batch_.push_back(d);
    lhsDim_[lb[i]] = rhsDim_[rb[i]] = outDim_[i] = d;
  }
  SmallVector<int64_t> &mFree = swapped_ ? rf : lf, &nFree = swapped_ ? lf : rf;
  RankedTensorType mType = swapped_ ? rhs : lhs, nType = swapped_ ? lhs : rhs;
  auto &mDims = swapped_ ? rhsDim_ : lhsDim_, &nDims = swapped_ ? lhsDim_ : rhsDim_;
  int64_t mBase = swapped_ ? nb + lf.size() : nb, nBase = swapped_ ? nb : nb + lf.size();
  // The minor one of each side: the one that comes last in the result's physical order.
  auto minorOf = [&](ArrayRef<int64_t> dims, int64_t base) {
    int64_t best = -1, place = -1;
    for (size_t i = 0; i < dims.size(); ++i) {
      int64_t at = llvm::find(order, base + static_cast<int64_t>(i)) - order.begin();
      if (at > place) {
        place = at;
        best = i;
      }
    }
    return best;
  };
  int64_t mMinor = minorOf(mFree, mBase), nMinor = minorOf(nFree, nBase);
  for (size_t i = 0; i < mFree.size(); ++i)
    if (static_cast<int64_t>(i) != mMinor) mLead_.push_back(mDims[mFree[i]] = outDim_[mBase + i] = addDim(mType.getDimSize(mFree[i])));
  for (size_t i = 0; i < nFree.size(); ++i)
    if (static_cast<int64_t>(i) != nMinor) nLead_.push_back(nDims[nFree[i]] = outDim_[nBase + i] = addDim(nType.getDimSize(nFree[i])));
  // The contracted dim along lanes: the streaming operand's last.
  Value streaming = swapped_ ? dot_.getRhs() : dot_.getLhs();
  unsigned arg = cast<BlockArgument>(streaming).getArgNumber();
  SmallVector<int64_t> streamOrder = orderOf(context_.op.getInputOrdersAttr(), arg, streaming);
  ArrayRef<int64_t> mContract = swapped_ ? rc : lc;
  int64_t kMinor = mContract.empty() ? -1 : 0;
  for (size_t i = 0; i < mContract.size(); ++i)
    if (!streamOrder.empty() && mContract[i] == streamOrder.back()) kMinor = i;
  for (size_t i = 0; i < lc.size(); ++i)
    if (static_cast<int64_t>(i) != kMinor) {
      int64_t d = addDim(lhs.getDimSize(lc[i]));
      kLead_.push_back(d);
      lhsDim_[lc[i]] = rhsDim_[rc[i]] = d;
    }
  kLast_ = addDim(kMinor < 0 ? 1 : lhs.getDimSize(lc[kMinor]));
  if (kMinor >= 0) lhsDim_[lc[kMinor]] = rhsDim_[rc[kMinor]] = kLast_;
  m_ = addDim(mMinor < 0 ? 1 : mType.getDimSize(mFree[mMinor]));
  if (mMinor >= 0) mDims[mFree[mMinor]] = outDim_[mBase + mMinor] = m_;
  n_ = addDim(nMinor < 0 ? 1 : nType.getDimSize(nFree[nMinor]));
  if (nMinor >= 0) nDims[nFree[nMinor]] = outDim_[nBase + nMinor] = n_;
  domain_.block = domain_.dims;
  return success();
}

LogicalResult DotKernel::makeOperands() {
  // The epilogue: its dims are the result's.
  kernel::FusionOp op = context_.op;
  for (auto [d, to] : outDim_)
    if (int64_t cls = space_.classes.classOf(dot_.getResult(), d); cls >= 0) space_.dimOfClass[cls] = to;
  domain_.pack = mode_.pack;
  auto make = [&](Value v, ArrayAttr orders, unsigned i, StringRef buffer, DimMap map, const Domain *view, bool isResult) {
    auto block = std::make_unique<ArrayBlock>(Array(typeOf(v), orderOf(orders, i, v)), map);
    block->buffer = buffer.str();
    block->isResult = isResult;
    block->view = view;
    domain_.pack = std::max(domain_.pack, block->array.pack);
    return block;
  };
  Value streaming = swapped_ ? dot_.getRhs() : dot_.getLhs(), stationary = swapped_ ? dot_.getLhs() : dot_.getRhs();
  auto operandMapOf = [&](Value v, DenseMap<int64_t, int64_t> &dims) {
    DimMap map;
    for (int64_t d = 0; d < typeOf(v).getRank(); ++d) map.push_back(typeOf(v).getDimSize(d) == 1 ? kUnit : dims.lookup(d));
    return map;
  };
  rows_.value = streaming;
  weights_.value = stationary;
  rows_.map = operandMapOf(streaming, swapped_ ? rhsDim_ : lhsDim_);
  weights_.map = operandMapOf(stationary, swapped_ ? lhsDim_ : rhsDim_);
  SmallVector<int64_t> weightOrder = orderOf(op.getInputOrdersAttr(), cast<BlockArgument>(stationary).getArgNumber(), stationary);
  int64_t lastOfWeights = weightOrder.empty() ? kUnit : weights_.map[weightOrder.back()];
  weights_.transposed = lastOfWeights == kLast_;
  for (Operand *o : {&rows_, &weights_}) {
    unsigned arg = cast<BlockArgument>(o->value).getArgNumber();
    o->block = make(o->value, op.getInputOrdersAttr(), arg, context_.inputBuffers[arg], o->map, &o->view, false);
  }
  for (auto [i, arg] : llvm::enumerate(op.getBlock().getArguments())) {
    // The dot's operands may be used by the epilogue too, as blocks of their own.
    bool epilogueUse = llvm::any_of(arg.getUsers(), [&](Operation *user) { return user != dot_.getOperation(); });
    if (!epilogueUse) continue;
    space_.inputs.push_back(make(arg, op.getInputOrdersAttr(), i, context_.inputBuffers[i], space_.mapOf(arg), &domain_, false));
  }
  for (auto [i, v] : llvm::enumerate(op.getBlock().getTerminator()->getOperands()))
    space_.results.push_back(make(v, op.getResultOrdersAttr(), i, context_.resultBuffers[i], space_.mapOf(v), &domain_, true));
  domain_.rDim = m_;
  domain_.cDim = n_;
  domain_.heldTiles = side_ / 128;
  space_.domain = domain_;
  rows_.view.rDim = m_;
  rows_.view.cDim = kLast_;
  weights_.view.rDim = weights_.transposed ? n_ : kLast_;
  weights_.view.cDim = weights_.transposed ? kLast_ : n_;
  (weights_.transposed ? weights_.view.heldRows : weights_.view.heldTiles) = weights_.transposed ? side_ : side_ / 128;
  syncViews();
  auto accessible = [&](const ArrayBlock &b) { return isAccessible(*b.view, b.array.type, b.array.order, b.map); };
  if (!accessible(*rows_.block) || !accessible(*weights_.block)) return dot_.emitError("the layout stage leaves an operand of this dot whose lanes are neither k nor n");
  return success();
}

void DotKernel::syncViews() {
  for (Domain *view : {&rows_.view, &weights_.view, &space_.domain}) {
    view->dims = domain_.dims;
    view->block = domain_.block;
  }
  rows_.view.pack = domain_.pack;
  weights_.view.pack = std::max(mode_.pack, weights_.block ? weights_.block->array.pack : 1);
}

int64_t DotKernel::place() {
  syncViews();
  return grid_->placeBlocks(0);
}

LogicalResult DotKernel::chooseBlocks() {
  SmallVector<ArrayBlock *> inputs{rows_.block.get(), weights_.block.get()};
  llvm::append_range(inputs, space_.inputPointers());
  grid_ = std::make_unique<Grid>(domain_, inputs, space_.resultPointers());
  for (ArrayRef<int64_t> dims : {ArrayRef<int64_t>(batch_), ArrayRef<int64_t>(mLead_), ArrayRef<int64_t>(nLead_)}) llvm::append_range(grid_->parallel, dims);
  grid_->parallel.push_back(m_);
  grid_->parallel.push_back(n_);
  llvm::append_range(grid_->sequential, kLead_);
  grid_->sequential.push_back(kLast_);
  // Dims under a tile off its own axis stay whole.
  DenseSet<int64_t> whole;
  for (ArrayBlock *b : llvm::concat<ArrayBlock *>(inputs, space_.resultPointers()))
    for (int64_t phys = std::max<int64_t>(b->array.rank() - 2, 0); phys < b->array.rank(); ++phys) {
      int64_t k = b->map[b->array.order[phys]];
      if (k >= 0 && (b->isResult ? b->blockedDim(*b->view, phys) == kUnit : k != b->view->r() && k != b->view->c() && !b->array.isVector())) whole.insert(k);
    }
  for (int64_t d : batch_)
    if (!whole.contains(d)) domain_.block[d] = 1;
  for (int64_t d : nLead_)
    if (!whole.contains(d)) domain_.block[d] = 1;
  int64_t budget = vmemBudgetWords(context_.target), capacity = context_.target.core().mxu_accumulator_rows();
  int64_t rowUnit = domain_.unitRows();
  SmallVector<int64_t> minimum(domain_.dims.size(), 1);
  minimum[m_] = std::max<int64_t>(rowUnit, 128);
  minimum[n_] = std::max<int64_t>(side_, 512);
  minimum[kLast_] = std::max<int64_t>(side_, 512);
  while (true) {
    int64_t words = place();
    int64_t rows = llvm::alignTo(domain_.block[m_], rowUnit);
    for (int64_t d : mLead_) rows *= domain_.block[d];
    kSplit_ = llvm::any_of(grid_->sequential, [&](int64_t d) { return domain_.steps(d) > 1; });
    int64_t columns = llvm::divideCeil(domain_.block[n_], side_);
    int64_t kept = kSplit_ ? rows * columns : rows;
    bool tooBig = words > budget, overflow = kept > capacity;
    int64_t moved = rows_.block->slotWords + weights_.block->slotWords;
    bool tooFew = grid_->parallelSteps() * grid_->sequentialSteps() < 8 && moved > 2048;
    if (!tooBig && !overflow && !tooFew) break;
    auto cuttable = [&](int64_t d, int64_t least) { return !whole.contains(d) && domain_.block[d] > least; };
    int64_t cut = -1;
    if (overflow || rows_.block->slotWords > weights_.block->slotWords) {
      for (int64_t d : mLead_)
        if (cut < 0 && cuttable(d, 1)) cut = d;
      if (cut < 0 && cuttable(m_, minimum[m_])) cut = m_;
    }
    if (cut < 0 && cuttable(n_, minimum[n_])) cut = n_;
    if (cut < 0 && cuttable(m_, minimum[m_])) cut = m_;
    if (cut < 0 && !tooBig && !overflow) break;
    if (cut < 0) {
      for (int64_t d : kLead_)
        if (cut < 0 && cuttable(d, 1)) cut = d;
      if (cut < 0 && cuttable(kLast_, minimum[kLast_])) cut = kLast_;
      if (cut < 0 && cuttable(n_, side_)) cut = n_;
      if (cut < 0 && cuttable(m_, rowUnit)) cut = m_;
    }
    if (cut < 0)
      return dot_.emitError("TPUC-LOWER-001: a block of this matmul needs ") << words * isa::kWordBytes << " bytes of VMEM, but " << context_.target.name()
                                                                            << " has " << budget * isa::kWordBytes << " for blocks";
    int64_t granule = cut == m_ ? rowUnit : cut == n_ || cut == kLast_ ? side_ : 1;
    domain_.block[cut] = llvm::alignTo(llvm::divideCeil(domain_.block[cut], 2), granule);
  }
  context_.vmemWords = place();
  int64_t tiles = llvm::divideCeil(domain_.block[n_], side_);
  across_ = 1;
  for (int64_t a = 1; a <= arrays_; ++a)
    if (tiles % a == 0) across_ = a;
  groups_ = tiles / across_;
  int64_t units = llvm::divideCeil(domain_.block[m_], rowUnit);
  down_ = 1;
  bool rowTail = domain_.steps(m_) > 1 && domain_.hasTail(m_);
  for (int64_t a = 1; a * across_ <= arrays_; ++a)
    if (units % a == 0 && !rowTail) down_ = a;
  return success();
}

// Zero outside of the first `lanes` lanes.
Value DotKernel::maskLanes(Value v, int64_t lanes) {
  if (lanes >= 128) return v;
  return c_.inst("v.sel", {c_.inst("v.lt.s32", {c_.inst("v.laneid", {}), c_.splatI(lanes)}), v, c_.splatI(0)});
}

// Zero outside of the first `rows` rows of a packed vreg.
Value DotKernel::maskRows(Value v, int64_t rows) {
  int64_t pack = mode_.pack, bits = 32 / pack;
  if (rows >= 8 * pack) return v;
  Value sub = c_.inst("v.subid", {});
  Value keep = c_.splatI(0);
  for (int64_t part = 0; part < pack; ++part) {
    // Row of part `part` in sublane s is s * pack + part.
    int64_t sublanes = rows <= part ? 0 : llvm::divideCeil(rows - part, pack);
    uint32_t field = pack == 1 ? 0xffffffffu : ((1u << bits) - 1) << (part * bits);
    Value in = c_.inst("v.lt.s32", {sub, c_.splatI(sublanes)});
    keep = c_.inst("v.or", {keep, c_.inst("v.sel", {in, c_.splatBits(field), c_.splatI(0)})});
  }
  return c_.inst("v.and", {v, keep});
}

// A packed vreg of the matrix mode: rows from group `firstGroup` of 8 of the point's unit. `low`: what rounding to bf16 left.
Value DotKernel::fetch(Operand &o, const Point &at, int64_t firstGroup, bool low) {
  Body &body = *o.body;
  Point p = at;
  p.sub = firstGroup;
  Type t = elementOf(o.value);
  bool same = (mode_.suffix == "bf16" && t.isBF16()) || (mode_.suffix == "s8" && t.isInteger(8)) || (mode_.suffix == "f32" && t.isF32());
  if (same && body.isPackedAlike(*o.block, o.map)) return body.loadPacked(*o.block, o.map, p);
  SmallVector<Value> groups;
  for (int64_t i = 0; i < mode_.pack; ++i) {
    p.sub = firstGroup + i;
    Value v = body.evaluate(o.value, o.map, p);
    if (mode_.suffix == "bf16" && !mlir::isa<FloatType>(t)) v = c_.inst("v.cvt.s32.f32", {v});
    if (low) v = c_.inst("v.sub.f32", {v, c_.inst("v.shl", {c_.inst("v.cvt.f32.bf16", {v}), c_.splatI(16)})});
    groups.push_back(v);
  }
  body.nextPoint();
  if (mode_.suffix == "f32") return groups[0];
  if (mode_.suffix == "bf16") return c_.inst("v.pack.bf16", {groups[0], groups[1]});
  return c_.inst("v.pack.b8", {c_.inst("v.pack.b16", {groups[0], groups[1]}), c_.inst("v.pack.b16", {groups[2], groups[3]})});
}

// The position of array `array`'s first column tile within the block.
Point DotKernel::columnPoint(const Linear &group, int64_t array, const Point &at) {
  Point p = at;
  p.at[n_] = group * (across_ * side_ / 128) + Linear(array % across_ * (side_ / 128));
  return p;
}

Linear DotKernel::accumulator(const Linear &group, const Point &at, const Linear &unit, int64_t sub) {
  int64_t units = llvm::divideCeil(domain_.block[m_], domain_.unitRows()) / down_;
  Linear index;
  for (int64_t d : mLead_) index = index * domain_.block[d] + at.at[d];
  index = (index * units + unit) * domain_.pack + Linear(sub);
  if (!kSplit_) return index;
  int64_t perGroup = units * domain_.pack;
  for (int64_t d : mLead_) perGroup *= domain_.block[d];
  return index + group * perGroup;
}

void DotKernel::stageWeights(const Linear &group, const Point &lead, const Point &kAt, int64_t kRows, int64_t variant) {
  int64_t step = 8 * mode_.pack, colTiles = side_ / 128;
  bool low = variant == 1;
  const Domain &view = weights_.view;
  for (int64_t array = 0; array < across_ * down_; ++array) {
    Point p = columnPoint(group, array, lead);
    for (int64_t d : kLead_) p.at[d] = kAt.at[d];
    for (int64_t col = 0; col < (weights_.transposed ? static_cast<int64_t>(llvm::divideCeil(kRows, 128)) : colTiles); ++col) {
      // Direct: sublanes walk k, lanes n. Transposed: sublanes walk n, lanes k.
      int64_t rowCount = weights_.transposed ? side_ : kRows;
      for (int64_t row = 0; row * step < rowCount; ++row) {
        Point q = p;
        if (weights_.transposed) {
          // n in units of the view's rows: the array's first row, then this group of rows.
          Linear firstRow = p.at[n_] * 128 + Linear(row * step);
          q.at[n_] = c_.divL(firstRow, view.unitRows());
          q.at[kLast_] = kAt.at[kLast_] + Linear(col);
          int64_t within = (row * step) % view.unitRows() / 8;
          Value v = fetch(weights_, q, within, low);
          v = maskLanes(v, kRows - col * 128);
          c_.inst(("mxu.ldw." + mode_.suffix).str(), {v}, {{"mxu", array}, {"row", row}, {"col", col}, {"xpose", 1}});
          continue;
        }
        q.at[n_] = p.at[n_] + Linear(col);
        Linear firstRow = kAt.at[kLast_] * 128 + Linear(row * step);
        q.at[kLast_] = c_.divL(firstRow, view.unitRows());
        Value v = fetch(weights_, q, (row * step) % view.unitRows() / 8, low);
        v = maskRows(v, kRows - row * step);
        c_.inst(("mxu.ldw." + mode_.suffix).str(), {v}, {{"mxu", array}, {"row", row}, {"col", col}});
      }
    }
  }
}

void DotKernel::pushRows(const Linear &group, const Point &lead, const Point &kAt, int64_t kLanes, int64_t variant) {
  bool low = variant == 2;
  int64_t units = llvm::divideCeil(domain_.block[m_], domain_.unitRows()) / down_;
  Value trip = down_ == 1 ? blockTrip(c_, domain_, body_->blockIndex, m_) : c_.i64(units);
  emitNest(c_, domain_, body_->blockIndex, mLead_, 1, {}, [&](const Point &outer, ValueRange) {
    c_.loop(c_.i64(0), trip, 1, {}, [&](Value iv, ValueRange) {
      APInt known;
      Linear unit = matchPattern(iv, m_ConstantInt(&known)) ? Linear(known.getSExtValue()) : Linear(iv);
      for (int64_t part = 0; part < down_; ++part)
        for (int64_t sub = 0; sub < domain_.pack; sub += mode_.pack) {
          Point p = outer;
          for (int64_t d : kLead_) p.at[d] = kAt.at[d];
          p.at[m_] = unit + Linear(part * units);
          SmallVector<Value> operands;
          for (int64_t half = 0; half * 128 < side_; ++half) {
            p.at[kLast_] = kAt.at[kLast_] + Linear(half);
            operands.push_back(half * 128 < kLanes ? maskLanes(fetch(rows_, p, sub, low), kLanes - half * 128) : c_.splatI(0));
          }
          Linear acc = accumulator(group, outer, unit, sub);
          SmallVector<std::pair<StringRef, int64_t>> fields;
          if (!acc.isConstant()) operands.push_back(c_.value(acc));
          for (int64_t a = 0; a < across_; ++a) {
            fields.clear();
            if (acc.isConstant()) fields.push_back({"imm", acc.constant});
            fields.push_back({"mxu", part * across_ + a});
            c_.inst(("mxu.push." + mode_.suffix).str(), operands, fields);
          }
        }
      return SmallVector<Value>();
    }, true);
    return SmallVector<Value>();
  }, &lead);
}

void DotKernel::popRows(const Linear &group, const Point &lead) {
  int64_t units = llvm::divideCeil(domain_.block[m_], domain_.unitRows()) / down_, colTiles = side_ / 128;
  Value trip = down_ == 1 ? blockTrip(c_, domain_, body_->blockIndex, m_) : c_.i64(units);
  auto yielded = context_.op.getBlock().getTerminator()->getOperands();
  Type out = elementOf(dot_);
  emitNest(c_, domain_, body_->blockIndex, mLead_, 1, {}, [&](const Point &outer, ValueRange) {
    c_.loop(c_.i64(0), trip, 1, {}, [&](Value iv, ValueRange) {
      APInt known;
      Linear unit = matchPattern(iv, m_ConstantInt(&known)) ? Linear(known.getSExtValue()) : Linear(iv);
      for (int64_t array = 0; array < across_ * down_; ++array)
        for (int64_t col = 0; col < colTiles; ++col) {
          Point p = columnPoint(group, array, outer);
          p.at[n_] = p.at[n_] + Linear(col);
          p.at[m_] = unit + Linear(array / across_ * units);
          SmallVector<Value> popped;
          for (int64_t sub = 0; sub < domain_.pack; ++sub) {
            Linear acc = accumulator(group, outer, unit, sub);
            SmallVector<Value> operands;
            SmallVector<std::pair<StringRef, int64_t>> fields;
            if (acc.isConstant()) fields.push_back({"imm", acc.constant});
            else operands.push_back(c_.value(acc));
            fields.append({{"mxu", array}, {"col", col}, {"clear", 1}});
            Value v = c_.inst("mxu.pop", operands, fields);
            if (mode_.intFromBf16) v = c_.inst("v.cvt.f32.s32", {v});
            popped.push_back(mlir::isa<FloatType>(out) && !out.isF32() ? normalise(c_, out, v) : v);
          }
          body_->providers[dot_.getResult()] = [&](const Point &at) { return popped[at.sub]; };
          for (auto [i, v] : llvm::enumerate(yielded)) {
            SmallVector<Value> values;
            DimMap map = space_.mapOf(v);
            for (int64_t sub = 0; sub < domain_.pack; ++sub) {
              Point q = p;
              q.sub = sub;
              values.push_back(body_->evaluate(v, map, q));
            }
            body_->store(*space_.results[i], values, p);
          }
          body_->nextPoint();
        }
      return SmallVector<Value>();
    });
    return SmallVector<Value>();
  }, &lead);
}

// All k tiles of a group of column tiles, then its results.
void DotKernel::emitGroup(const Step &step, const Linear &group, const Point &lead) {
  int64_t tiles = kTiles(), perTile = side_ / 128;
  int64_t lastLanes = domain_.block[kLast_] - (tiles - 1) * side_;
  bool ragged = domain_.steps(kLast_) > 1 && domain_.hasTail(kLast_);
  auto tile = [&](const Point &outer, Linear kt, int64_t lanes) {
    Point p = outer;
    p.at[kLast_] = kt * perTile;
    for (int64_t variant = 0; variant < mode_.passes; ++variant) {
      stageWeights(group, lead, p, lanes, variant);
      for (int64_t a = 0; a < across_ * down_; ++a) c_.inst("mxu.swap", {}, {{"mxu", a}});
      pushRows(group, lead, p, lanes, variant);
    }
  };
  auto overTiles = [&](int64_t count, int64_t last) {
    emitNest(c_, domain_, body_->blockIndex, kLead_, 1, {}, [&](const Point &outer, ValueRange) {
      if (mode_.passes > 1) {
        c_.loop(c_.i64(0), c_.i64(count - 1), 1, {}, [&](Value iv, ValueRange) {
          APInt known;
          tile(outer, matchPattern(iv, m_ConstantInt(&known)) ? Linear(known.getSExtValue()) : Linear(iv), side_);
          return SmallVector<Value>();
        });
        tile(outer, Linear(count - 1), last);
        return SmallVector<Value>();
      }
      // While one tile's rows are pushed, the next one's weights are staged.
      Point p = outer;
      p.at[kLast_] = Linear(0);
      stageWeights(group, lead, p, count == 1 ? last : side_, 0);
      auto swap = [&] {
        for (int64_t a = 0; a < across_ * down_; ++a) c_.inst("mxu.swap", {}, {{"mxu", a}});
      };
      c_.loop(c_.i64(0), c_.i64(count - 2), 1, {}, [&](Value iv, ValueRange) {
        APInt known;
        Linear kt = matchPattern(iv, m_ConstantInt(&known)) ? Linear(known.getSExtValue()) : Linear(iv);
        Point now = outer, next = outer;
        now.at[kLast_] = kt * perTile;
        next.at[kLast_] = (kt + Linear(1)) * perTile;
        swap();
        stageWeights(group, lead, next, side_, 0);
        pushRows(group, lead, now, side_, 0);
        return SmallVector<Value>();
      });
      if (count >= 2) {
        Point now = outer, next = outer;
        now.at[kLast_] = Linear((count - 2) * perTile);
        next.at[kLast_] = Linear((count - 1) * perTile);
        swap();
        stageWeights(group, lead, next, last, 0);
        pushRows(group, lead, now, side_, 0);
      }
      p.at[kLast_] = Linear((count - 1) * perTile);
      swap();
      pushRows(group, lead, p, last, 0);
      return SmallVector<Value>();
    }, &lead);
  };
  if (domain_.dims[kLast_] > 0) {
    if (!ragged) {
      overTiles(tiles, lastLanes);
    } else {
      int64_t rest = domain_.dims[kLast_] % domain_.block[kLast_];
      int64_t restTiles = llvm::divideCeil(rest, side_);
      Value isLast = c_.cmp(arith::CmpIPredicate::eq, c_.value(step.index[kLast_]), c_.i64(domain_.steps(kLast_) - 1));
      c_.ifThen(isLast, [&] { overTiles(restTiles, rest - (restTiles - 1) * side_); }, [&] { overTiles(tiles, lastLanes); });
    }
  }
  if (!kSplit_) popRows(group, lead);
}

void DotKernel::emitStep(const Step &step) {
  body_->blockIndex = step.index;
  rows_.body->blockIndex = weights_.body->blockIndex = step.index;
  SmallVector<int64_t> outer(batch_);
  llvm::append_range(outer, nLead_);
  auto overGroups = [&](llvm::function_ref<void(const Linear &, const Point &)> body) {
    emitNest(c_, domain_, step.index, outer, 1, {}, [&](const Point &lead, ValueRange) {
      c_.loop(c_.i64(0), c_.i64(groups_), 1, {}, [&](Value iv, ValueRange) {
        APInt known;
        body(matchPattern(iv, m_ConstantInt(&known)) ? Linear(known.getSExtValue()) : Linear(iv), lead);
        return SmallVector<Value>();
      });
      return SmallVector<Value>();
    });
  };
  overGroups([&](const Linear &group, const Point &lead) { emitGroup(step, group, lead); });
  if (kSplit_) c_.ifThen(step.last, [&] { overGroups([&](const Linear &group, const Point &lead) { popRows(group, lead); }); });
}

LogicalResult DotKernel::run(Value start, Value count) {
  if (failed(findDot()) || failed(chooseMode()) || failed(addEpilogue()) || failed(chooseDims()) || failed(makeOperands()) || failed(chooseBlocks())) return failure();
  body_ = std::make_unique<Body>(c_, domain_);
  auto args = context_.op.getBlock().getArguments();
  size_t next = 0;
  for (auto arg : args)
    if (llvm::any_of(arg.getUsers(), [&](Operation *user) { return user != dot_.getOperation(); })) body_->blocks[arg] = space_.inputs[next++].get();
  for (Operand *o : {&rows_, &weights_}) {
    o->body = std::make_unique<Body>(c_, o->view);
    o->body->blocks[o->value] = o->block.get();
  }
  context_.gridSteps = grid_->parallelSteps();
  uint64_t flops = 2;
  for (int64_t extent : domain_.dims) flops *= extent;
  context_.flops = flops;
  grid_->emit(c_, start, count, [&](const Step &step) { emitStep(step); });
  return success();
}

}  // namespace

LogicalResult lowerDotKernel(KernelContext &context, Code &code, Value start, Value count) {
  return DotKernel(context, code).run(start, count);
}

}  // namespace tpuc::lowering
