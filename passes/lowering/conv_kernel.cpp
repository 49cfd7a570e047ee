// Convolutions on the matrix unit, with an elementwise epilogue on the results as they leave the accumulators.
//
// The input is [batch, space.., in], the weights [window.., in, out] or [window.., out, in], the result [batch, space.., out].
// A grid step:
//  1. copies its input block into a padded copy of 32-bit rows (window.h); with few input features, it then folds the
//     window's last axis into lanes (fold.cpp), so that k = (tap, in) fills the arrays;
//  2. for each group of column tiles: for each window position and k tile swaps, stages the next one's weights, and pushes the
//     rows of all results, which lie at one constant distance from those of the first window position;
//  3. pops, applies the epilogue, stores.
#include "passes/lowering/fold.h"
#include "dialects/diagnostics/diagnose.h"
#include "passes/lowering/gradient_kernel.h"
#include "passes/lowering/kernels.h"
#include "passes/lowering/mxu_mode.h"
#include "passes/lowering/vector_ops.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

Type elementOf(Value v) { return getElementTypeOrSelf(v.getType()); }
RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

constexpr int64_t kPaddedRegion = 1000, kFoldRegion = 1001, kWeightRegion = 1002, kRowsRegion = 1003;

// Where in the window and the input features a product of one tile is.
struct KStep {
  SmallVector<Linear> tap;  // per axis
  Linear tile;              // k tiles of the arrays' side
};

class ConvKernel {
 public:
  ConvKernel(KernelContext &context, Code &code) : context_(context), c_(code) {}
  LogicalResult run(Value start, Value count);

 private:
  LogicalResult analyse();
  void makeBlocks();
  int64_t place();
  LogicalResult chooseBlocks();
  void chooseArrays();
  bool fitsWith(int64_t d, int64_t extent);
  void orderGrid();
  void emitStep(const Step &step);
  void emitGroup(const Step &step, const Linear &group);
  void stageWeights(const Step &step, const Linear &group, const KStep &k, int64_t variant);
  Value weightRows(const Linear &row, const Linear &column, const KStep &k, bool low);
  void pushRows(const Linear &group, const KStep &k, int64_t variant);
  void popRows(const Linear &group);
  SmallVector<int64_t> rowExtents() const;
  Linear accumulator(const Linear &group, const Linear &flat, int64_t sub) const;
  int64_t units() const { return llvm::divideCeil(domain_.block[ow_], domain_.unitRows()); }
  int64_t taps() const;
  bool foldsRows(int64_t outputTiles) const;
  int64_t kExtent() const { return domain_.block[ci_] * (foldsRows_ ? taps() : folds_ ? padded_.last.window : 1); }
  int64_t leadWindow(size_t i) const { return foldsRows_ ? 1 : padded_.lead[i].window; }
  int64_t kTiles() const { return llvm::divideCeil(kExtent(), side_); }
  int64_t lastWindow() const { return folds_ ? 1 : padded_.last.window; }

  KernelContext &context_;
  Code &c_;
  stablehlo::ConvolutionOp conv_;
  MxuMode mode_;
  Space space_;
  Domain domain_;
  Domain inputView_, weightView_;
  std::unique_ptr<ArrayBlock> input_, weights_;
  PaddedInput padded_;
  Fold fold_;
  FoldedWeights foldedWeights_;
  FoldRows foldRows_;
  bool folds_ = false, foldsRows_ = false, transposed_ = false;
  SmallVector<int64_t> lead_;      // domain dims of the results' leading dims: batch, space..
  int64_t ci_ = 0, ow_ = 0, co_ = 0;
  std::unique_ptr<Body> body_;
  std::unique_ptr<Grid> grid_;
  int64_t side_ = 128, arrays_ = 1, across_ = 1, down_ = 1, groups_ = 1;
  int64_t split_ = -1;             // the dim whose parts go to arrays side by side: an index into rowExtents()
  bool kSplit_ = false;
};

LogicalResult ConvKernel::analyse() {
  for (Operation &op : context_.op.getBlock().without_terminator())
    if (auto conv = dyn_cast<stablehlo::ConvolutionOp>(op)) conv_ = conv;
  auto mode = chooseMxuMode(context_.target, elementOf(conv_.getLhs()), elementOf(conv_.getRhs()), elementOf(conv_), conv_.getPrecisionConfig(), context_.matmulPrecision);
  if (!mode)
    return diagnose(conv_, codes::kNoMatrixMode) << "expects operands of a mode of " << context_.target.name() << "'s matrix unit, but got " << elementOf(conv_.getLhs()) << " and "
                                                 << elementOf(conv_.getRhs()) << " to " << elementOf(conv_) << "; convert them to bf16, f32 or i8";
  mode_ = *mode;
  auto weights = cast<RankedTensorType>(conv_.getRhs().getType());
  int64_t products = weights.getNumElements() / std::max<int64_t>(1, weights.getDimSize(conv_.getDimensionNumbers().getKernelOutputFeatureDimension()));
  if (mode_.intFromBf16 && products > 1024)
    return diagnose(conv_, codes::kNoMatrixMode) << "expects sums of 1024 products of i8 at most on the float arrays of " << context_.target.name() << ", but got "
                                                 << products << "; choose a target with int8 arrays";
  side_ = context_.target.core().mxu_side();
  arrays_ = context_.target.core().mxus();
  auto numbers = conv_.getDimensionNumbers();
  transposed_ = numbers.getKernelInputFeatureDimension() > numbers.getKernelOutputFeatureDimension();
  SmallVector<Axis> axes = axesOf(conv_);
  RankedTensorType lhs = typeOf(conv_.getLhs()), out = typeOf(conv_);
  Axis batch;
  batch.in = batch.out = lhs.getDimSize(0);
  padded_.last = axes.pop_back_val();
  padded_.lead.push_back(batch);
  llvm::append_range(padded_.lead, axes);
  for (const Axis &a : padded_.lead) {
    lead_.push_back(domain_.dims.size());
    domain_.dims.push_back(a.out);
  }
  ci_ = domain_.dims.size();
  domain_.dims.push_back(lhs.getShape().back());
  ow_ = domain_.dims.size();
  domain_.dims.push_back(padded_.last.out);
  co_ = domain_.dims.size();
  domain_.dims.push_back(out.getShape().back());
  domain_.block = domain_.dims;
  domain_.rDim = ow_;
  domain_.cDim = co_;
  domain_.pack = mode_.pack;
  domain_.heldTiles = side_ / 128;
  int64_t in = domain_.dims[ci_], taps = padded_.last.window;
  folds_ = taps > 1 && taps <= 64 && llvm::divideCeil(in * taps, side_) < taps * llvm::divideCeil(in, side_);
  foldsRows_ = folds_ && foldsRows(llvm::divideCeil(domain_.dims[co_], side_));
  return success();
}

int64_t ConvKernel::taps() const {
  int64_t n = padded_.last.window;
  for (const Axis &a : padded_.lead) n *= a.window;
  return n;
}

// Folding the other axes too costs a turn of lanes for each of their positions; it saves pushes.
bool ConvKernel::foldsRows(int64_t outputTiles) const {
  int64_t row = domain_.dims[ci_] * padded_.last.window, positions = taps() / padded_.last.window;
  if (positions == 1 || taps() > 64) return false;
  const auto &core = context_.target.core();
  double cyclesOfPush = 8.0 / core.mxu_rows_per_cycle() / arrays_ * outputTiles * mode_.passes * (mode_.suffix == "f32" ? core.mxu_f32_passes() : 1);
  double saved = cyclesOfPush * (positions * llvm::divideCeil(row, side_) - llvm::divideCeil(row * positions, side_));
  double turns = static_cast<double>(positions) * llvm::divideCeil(row, 128) / std::max<int64_t>(core.xlu_slots(), 1);
  return saved > turns + llvm::divideCeil(row * positions, 128);
}

void ConvKernel::makeBlocks() {
  kernel::FusionOp op = context_.op;
  for (Operation &inner : op.getBlock().without_terminator())
    if (&inner != conv_.getOperation()) (void)space_.classes.add(&inner);
  SmallVector<int64_t> outDims(lead_);
  outDims.push_back(ow_);
  outDims.push_back(co_);
  for (auto [d, to] : llvm::enumerate(outDims))
    if (int64_t cls = space_.classes.classOf(conv_.getResult(), d); cls >= 0) space_.dimOfClass[cls] = to;
  auto make = [&](Value v, ArrayAttr orders, unsigned i, StringRef buffer, DimMap map, const Domain *view, bool isResult) {
    auto block = std::make_unique<ArrayBlock>(Array(typeOf(v), orderOf(orders, i, v)), map);
    block->buffer = buffer.str();
    block->isResult = isResult;
    block->view = view;
    return block;
  };
  auto operand = [&](Value v, DimMap map, const Domain *view) {
    unsigned i = cast<BlockArgument>(v).getArgNumber();
    return make(v, op.getInputOrdersAttr(), i, context_.inputBuffers[i], map, view, false);
  };
  DimMap inputMap(lead_.begin(), lead_.end());
  inputMap.append({kUnit, ci_});
  input_ = operand(conv_.getLhs(), inputMap, &inputView_);
  DimMap weightMap(padded_.lead.size(), kUnit);  // the window's axes: one fewer lead axis than the input, and the last
  if (transposed_) weightMap.append({co_, ci_});
  else weightMap.append({ci_, co_});
  weights_ = operand(conv_.getRhs(), weightMap, &weightView_);
  for (auto [i, arg] : llvm::enumerate(op.getBlock().getArguments())) {
    bool epilogueUse = llvm::any_of(arg.getUsers(), [&](Operation *user) { return user != conv_.getOperation(); });
    if (!epilogueUse) continue;
    space_.inputs.push_back(make(arg, op.getInputOrdersAttr(), i, context_.inputBuffers[i], space_.mapOf(arg), &domain_, false));
    domain_.pack = std::max(domain_.pack, space_.inputs.back()->array.pack);
  }
  for (auto [i, v] : llvm::enumerate(op.getBlock().getTerminator()->getOperands())) {
    space_.results.push_back(make(v, op.getResultOrdersAttr(), i, context_.resultBuffers[i], space_.mapOf(v), &domain_, true));
    domain_.pack = std::max(domain_.pack, space_.results.back()->array.pack);
  }
  space_.domain = domain_;
  inputView_ = weightView_ = domain_;
  inputView_.cDim = ci_;
  inputView_.heldTiles = 1;
  weightView_.rDim = transposed_ ? co_ : ci_;
  weightView_.cDim = transposed_ ? ci_ : co_;
  weightView_.pack = std::max(mode_.pack, weights_->array.pack);
  // A k tile is loaded whole, unless there is only one; rows along n always.
  weightView_.heldRows = folds_ || (!transposed_ && domain_.dims[ci_] <= side_) ? 1 : side_;
  weightView_.heldTiles = side_ / 128;
  padded_.block = input_.get();
  padded_.domain = &domain_;
  padded_.leadDims = lead_;
  padded_.lanes = domain_.dims[ci_];
  padded_.lanesDim = ci_;
  padded_.region = kPaddedRegion;
  padded_.tilesMultiple = folds_ ? 1 : side_ / 128;
  padded_.intToFloat = mode_.intFromBf16;
  fold_.region = kFoldRegion;
  fold_.multiple = foldsRows_ ? 1 : side_ / 128;
  foldRows_.multiple = side_ / 128;
  foldRows_.region = kRowsRegion;
  foldedWeights_.allAxes = foldsRows_;
  fold_.unitRows = domain_.unitRows();
  foldedWeights_.region = kWeightRegion;
  foldedWeights_.side = side_;
  foldedWeights_.transposed = transposed_;
}

int64_t ConvKernel::place() {
  for (Domain *view : {&inputView_, &weightView_, &space_.domain}) view->block = domain_.block;
  padded_.setHalos();
  int64_t word = grid_->placeBlocks(context_.firstWord);
  padded_.word = word;
  padded_.layOut();
  word += padded_.words;
  if (!folds_) return word;
  fold_.word = word;
  fold_.layOut(padded_);
  word += fold_.words;
  if (foldsRows_) {
    foldRows_.word = word;
    foldRows_.layOut(padded_, fold_);
    word += foldRows_.words;
  }
  foldedWeights_.word = word;
  foldedWeights_.layOut(padded_, domain_.block[ci_], domain_.block[co_]);
  return word + foldedWeights_.words;
}

// Extents of a block's rows: lead dims, then units of rows.
SmallVector<int64_t> ConvKernel::rowExtents() const {
  SmallVector<int64_t> extents;
  for (int64_t d : lead_) extents.push_back(domain_.block[d]);
  extents.push_back(units());
  if (split_ >= 0) extents[split_] /= down_;
  return extents;
}

LogicalResult ConvKernel::chooseBlocks() {
  SmallVector<ArrayBlock *> inputs{input_.get(), weights_.get()};
  llvm::append_range(inputs, space_.inputPointers());
  grid_ = std::make_unique<Grid>(domain_, inputs, space_.resultPointers(), context_.residents);
  grid_->parallel = lead_;
  grid_->parallel.push_back(co_);
  grid_->sequential = {ci_};
  int64_t budget = vmemBudgetWords(context_.target), capacity = context_.target.core().mxu_accumulator_rows();
  while (true) {
    int64_t words = place(), rows = units() * domain_.unitRows();
    for (int64_t d : lead_) rows *= domain_.block[d];
    kSplit_ = domain_.steps(ci_) > 1;
    int64_t kept = kSplit_ ? rows * llvm::divideCeil(domain_.block[co_], side_) : rows;
    bool tooBig = words > budget, overflow = kept > capacity;
    if (overflow && !tooBig && !kSplit_) {
      // Parts of the rows on arrays side by side: each needs room for its own.
      SmallVector<int64_t> block = domain_.block;
      chooseArrays();
      overflow = static_cast<int64_t>(llvm::divideCeil(kept, down_)) + domain_.unitRows() > capacity;
      domain_.block = block;
    }
    bool tooFew = grid_->parallelSteps() < 8 && rows > 1024 && input_->slotWords + space_.results[0]->slotWords > 2048;
    if (!tooBig && !overflow && !tooFew) break;
    int64_t cut = -1;
    bool heavyWeights = tooBig && weights_->slotWords * weights_->slots > budget / 2;
    if (heavyWeights && domain_.block[co_] > side_) cut = co_;
    if (cut < 0 && heavyWeights && domain_.block[ci_] > side_ && !folds_) cut = ci_;
    for (int64_t d : lead_)
      if (cut < 0 && domain_.block[d] > 1) cut = d;
    if (cut < 0 && domain_.block[co_] > side_) cut = co_;
    if (cut < 0 && domain_.block[ci_] > side_ && !folds_) cut = ci_;
    if (cut < 0)
      return overVmem(context_, conv_, "a block of this convolution", words);
    int64_t granule = cut == co_ || cut == ci_ ? side_ : 1;
    domain_.block[cut] = llvm::alignTo(llvm::divideCeil(domain_.block[cut], 2), granule);
  }
  chooseArrays();
  orderGrid();
  context_.vmemWords = place();
  return success();
}

// Column tiles side by side on the arrays, and parts of the rows where tiles are few.
void ConvKernel::chooseArrays() {
  across_ = down_ = 1;
  split_ = -1;
  int64_t tiles = llvm::divideCeil(domain_.block[co_], side_);
  for (int64_t a = 1; a <= arrays_; ++a) {
    if (tiles % a) continue;
    int64_t down = arrays_ / a;
    if (a * down >= across_ * down_) {
      across_ = a;
      down_ = down;
    }
  }
  groups_ = tiles / across_;
  // The parts of the rows: along the dim that leaves the least to each array. A dim that one block holds may run over its end.
  SmallVector<int64_t> extents = rowExtents();
  int64_t most = down_;
  double best = 1;
  down_ = 1;
  for (int64_t parts = most; parts > 1; --parts)
    for (size_t i = 0; i < extents.size(); ++i) {
      double share = static_cast<double>(llvm::divideCeil(extents[i], parts)) / extents[i];
      bool even = extents[i] % parts == 0;
      if (share >= best || (!even && (i == lead_.size() || domain_.steps(lead_[i]) > 1 || extents[i] < parts))) continue;
      if (!even && !fitsWith(lead_[i], llvm::alignTo(extents[i], parts))) continue;
      best = share;
      down_ = parts;
      split_ = i;
    }
  if (split_ >= 0 && split_ < static_cast<int64_t>(lead_.size())) domain_.block[lead_[split_]] = llvm::alignTo(extents[split_], down_);
}

// Whether the blocks still fit with an extent of `extent` along dim d.
bool ConvKernel::fitsWith(int64_t d, int64_t extent) {
  int64_t before = std::exchange(domain_.block[d], extent);
  bool fits = place() <= vmemBudgetWords(context_.target);
  domain_.block[d] = before;
  place();
  return fits;
}

// The dim that moves fastest leaves the larger operand in place.
void ConvKernel::orderGrid() {
  int64_t coSteps = domain_.steps(co_), others = 1;
  for (int64_t d : lead_) others *= domain_.steps(d);
  int64_t in = input_->array.hbmBytes(), w = weights_->array.hbmBytes();
  if (in * coSteps + w < in + w * others) {
    grid_->parallel.pop_back();
    grid_->parallel.insert(grid_->parallel.begin(), co_);
  }
}

// ---- weights --------------------------------------------------------------------------------------------------------

// A packed vreg of weights: rows `row`.. (k, or n when transposed) of lane tile `column` in the tap's matrix.
Value ConvKernel::weightRows(const Linear &row, const Linear &column, const KStep &k, bool low) {
  int64_t leadAxes = padded_.lead.size() - 1;
  if (folds_) {
    SmallVector<Value> groups;
    for (int64_t g = 0; g < mode_.pack; ++g)
      groups.push_back(c_.load(foldedWeights_.wordOf(ArrayRef<Linear>(k.tap).take_front(foldsRows_ ? 0 : leadAxes), row + Linear(8 * g), column), 1, foldedWeights_.region));
    return packForMxu(c_, mode_, groups, low);
  }
  const Array &a = weights_->array;
  Type t = a.type.getElementType();
  Linear base = weights_->base + column * (weights_->rowsHeld / a.pack);
  for (int64_t i = 0; i <= leadAxes; ++i) {
    const Axis &axis = i == leadAxes ? padded_.last : padded_.lead[i + 1];
    Linear tap = axis.reversed ? k.tap[i] * -1 + Linear(axis.window - 1) : k.tap[i];
    base = base + tap * weights_->leadWords[i];
  }
  bool same = (mode_.suffix == "bf16" && t.isBF16()) || (mode_.suffix == "s8") || (mode_.suffix == "f32" && t.isF32());
  if (same) return c_.load(base + c_.divL(row, a.pack), 1, weights_->region);
  // `row` is a multiple of the rows of a packed vreg of the mode; the array's packing may be wider.
  SmallVector<Value> groups;
  Linear word = c_.divL(row, 8 * a.pack) * 8;
  for (int64_t g = 0; g < mode_.pack; ++g) {
    if (a.pack <= mode_.pack) {
      Value packed = c_.load(base + c_.divL(row, a.pack) + Linear(8 * (g / a.pack)), 1, weights_->region);
      groups.push_back(unpackGroup(c_, t, packed, g % a.pack));
      continue;
    }
    int64_t part = row.constant % (8 * a.pack) / 8 + g;
    groups.push_back(unpackGroup(c_, t, c_.load(base + word, 1, weights_->region), part));
  }
  if (mode_.intFromBf16)
    for (Value &v : groups) v = c_.inst("v.cvt.s32.f32", {v});
  return packForMxu(c_, mode_, groups, low);
}

void ConvKernel::stageWeights(const Step &step, const Linear &group, const KStep &k, int64_t variant) {
  int64_t rowStep = 8 * mode_.pack, colTiles = side_ / 128, extent = kExtent();
  bool low = variant == 1;
  // Rows of k that are real: all of a tile, all there are, or what is left.
  Linear left = Linear(folds_ ? extent : domain_.dims[ci_]) + k.tile * -side_;
  if (!folds_) left = left + step.index[ci_] * -domain_.block[ci_];
  bool tail = domain_.steps(ci_) > 1 && domain_.hasTail(ci_);
  bool whole = (folds_ ? extent : domain_.dims[ci_]) % side_ == 0 && !tail;
  int64_t rows = std::min<int64_t>(side_, kTiles() == 1 ? extent : side_);
  for (int64_t array = 0; array < across_ * down_; ++array) {
    Linear column = group * (across_ * colTiles) + Linear(array % across_ * colTiles);
    if (transposed_) {
      for (int64_t col = 0; col * 128 < rows; ++col)
        for (int64_t row = 0; row * rowStep < side_; ++row) {
          Value v = weightRows(column * 128 + Linear(row * rowStep), k.tile * colTiles + Linear(col), k, low);
          if (!whole) v = keepLanes(c_, v, left + Linear(-col * 128));
          c_.inst(("mxu.ldw." + mode_.suffix).str(), {v}, {{"mxu", array}, {"row", row}, {"col", col}, {"xpose", 1}});
        }
      continue;
    }
    for (int64_t col = 0; col < colTiles; ++col)
      for (int64_t row = 0; row * rowStep < rows; ++row) {
        Value v = weightRows(k.tile * side_ + Linear(row * rowStep), column + Linear(col), k, low);
        if (!whole) v = keepRows(c_, mode_, v, left + Linear(-row * rowStep));
        c_.inst(("mxu.ldw." + mode_.suffix).str(), {v}, {{"mxu", array}, {"row", row}, {"col", col}});
      }
  }
}

// ---- rows -----------------------------------------------------------------------------------------------------------

Linear ConvKernel::accumulator(const Linear &group, const Linear &flat, int64_t sub) const {
  Linear index = flat * domain_.pack + Linear(sub);
  if (!kSplit_) return index;
  int64_t perGroup = domain_.pack;
  for (int64_t e : rowExtents()) perGroup *= e;
  return index + group * perGroup;
}

void ConvKernel::pushRows(const Linear &group, const KStep &k, int64_t variant) {
  bool low = variant == 2;
  SmallVector<int64_t> extents = rowExtents();
  size_t n = lead_.size();
  bool single = domain_.dims[ow_] == 1;
  int64_t stride = single ? 0 : folds_ ? 1 : padded_.last.stride, halves = side_ / 128;
  int64_t lanes = std::min(kExtent(), side_), region = foldsRows_ ? foldRows_.region : folds_ ? fold_.region : padded_.region;
  // The first row of the tap, relative to that of the first one.
  SmallVector<Linear> taps{Linear(0)};
  for (size_t i = 1; i < n; ++i) taps.push_back(k.tap[i - 1] * padded_.lead[i].dilation);
  Linear offset = foldsRows_ ? foldRows_.wordOf(taps, k.tile * halves, 0) : folds_ ? fold_.wordOf(taps, k.tile * halves, 0) : padded_.wordOf(taps, k.tile * halves, k.tap[n - 1] * padded_.last.dilation);
  offset = Linear(c_.value(offset));
  const SmallVector<int64_t> &words = foldsRows_ ? foldRows_.leadWords : folds_ ? fold_.leadWords : padded_.leadWords;
  int64_t tileWords = folds_ ? fold_.tileWords : padded_.tileWords;
  c_.flatLoop(extents, 2, [&](ArrayRef<Linear> at, const Linear &flat) {
    for (int64_t part = 0; part < down_; ++part)
      for (int64_t sub = 0; sub < domain_.pack; sub += mode_.pack) {
        Linear row = offset;
        for (size_t i = 0; i <= n; ++i) {
          int64_t coefficient = i == n ? domain_.unitRows() * stride : (foldsRows_ ? 1 : padded_.lead[i].stride) * words[i];
          row = row + (at[i] + Linear(split_ == static_cast<int64_t>(i) ? part * extents[i] : 0)) * coefficient;
        }
        SmallVector<Value> operands;
        for (int64_t half = 0; half < halves; ++half) {
          if (half * 128 >= lanes) {
            operands.push_back(c_.splatI(0));
            continue;
          }
          SmallVector<Value> groups;
          for (int64_t g = 0; g < mode_.pack; ++g) groups.push_back(c_.load(row + Linear((sub + g) * 8 * stride + half * tileWords), stride, region));
          operands.push_back(packForMxu(c_, mode_, groups, low));
        }
        Linear acc = accumulator(group, flat, sub);
        if (!acc.isConstant()) operands.push_back(c_.value(acc));
        for (int64_t a = 0; a < across_; ++a) {
          SmallVector<std::pair<StringRef, int64_t>> fields{{"mxu", part * across_ + a}};
          if (acc.isConstant()) fields.push_back({"imm", acc.constant});
          c_.inst(("mxu.push." + mode_.suffix).str(), operands, fields);
        }
      }
  });
}

void ConvKernel::popRows(const Linear &group) {
  SmallVector<int64_t> extents = rowExtents();
  auto yielded = context_.op.getBlock().getTerminator()->getOperands();
  int64_t colTiles = side_ / 128;
  c_.flatLoop(extents, 2, [&](ArrayRef<Linear> at, const Linear &flat) {
    for (int64_t array = 0; array < across_ * down_; ++array)
      for (int64_t col = 0; col < colTiles; ++col) {
        if (col * 128 >= domain_.dims[co_]) continue;
        Point p;
        p.at.assign(domain_.dims.size(), Linear(0));
        for (size_t i = 0; i <= lead_.size(); ++i) {
          Linear position = at[i] + Linear(split_ == static_cast<int64_t>(i) ? array / across_ * extents[i] : 0);
          p.at[i == lead_.size() ? ow_ : lead_[i]] = position;
        }
        p.at[co_] = group * (across_ * colTiles) + Linear(array % across_ * colTiles + col);
        SmallVector<Value> popped;
        for (int64_t sub = 0; sub < domain_.pack; ++sub) {
          Linear acc = accumulator(group, flat, sub);
          SmallVector<Value> operands;
          SmallVector<std::pair<StringRef, int64_t>> fields{{"mxu", array}, {"col", col}, {"clear", 1}};
          if (acc.isConstant()) fields.push_back({"imm", acc.constant});
          else operands.push_back(c_.value(acc));
          Value v = c_.inst("mxu.pop", operands, fields);
          if (mode_.intFromBf16) v = c_.inst("v.cvt.f32.s32", {v});
          popped.push_back(v);
        }
        storeThrough(*body_, space_, conv_.getResult(), popped, yielded, p);
      }
  });
}

// ---- a step ---------------------------------------------------------------------------------------------------------

// All window positions and k tiles of a group of column tiles, then its results.
void ConvKernel::emitGroup(const Step &step, const Linear &group) {
  SmallVector<int64_t> extents;
  for (size_t i = 1; i < padded_.lead.size(); ++i) extents.push_back(leadWindow(i));
  extents.push_back(lastWindow());
  extents.push_back(kTiles());
  int64_t total = 1;
  for (int64_t e : extents) total *= e;
  auto at = [&](ValueRange counters) {
    KStep k;
    for (auto [i, e] : llvm::enumerate(extents)) {
      Linear position = e == 1 ? Linear(0) : c_.linear(counters[i]);
      if (i + 1 < extents.size()) k.tap.push_back(position);
      else k.tile = position;
    }
    return k;
  };
  auto advance = [&](ValueRange counters) {
    SmallVector<Value> next(counters);
    Value carry = c_.i64(1);
    for (size_t i = extents.size(); i-- > 0;) {
      if (extents[i] == 1) continue;
      Value sum = c_.add(counters[i], carry), wraps = c_.cmp(arith::CmpIPredicate::eq, sum, c_.i64(extents[i]));
      next[i] = c_.select(wraps, c_.i64(0), sum);
      carry = c_.select(wraps, c_.i64(1), c_.i64(0));
    }
    return next;
  };
  // While one tile's rows are pushed, the next one's weights are staged.
  auto push = [&](ValueRange now, ValueRange next) {
    for (int64_t variant = 0; variant < mode_.passes; ++variant) {
      for (int64_t a = 0; a < across_ * down_; ++a) c_.inst("mxu.swap", {}, {{"mxu", a}});
      if (variant + 1 < mode_.passes) stageWeights(step, group, at(now), variant + 1);
      else if (!next.empty()) stageWeights(step, group, at(next), 0);
      pushRows(group, at(now), variant);
    }
  };
  SmallVector<Value> counters(extents.size(), c_.i64(0));
  stageWeights(step, group, at(counters), 0);
  counters = c_.loop(c_.i64(0), c_.i64(total - 1), 1, counters, [&](Value, ValueRange now) {
    SmallVector<Value> next = advance(now);
    push(now, next);
    return next;
  });
  push(counters, {});
  if (!kSplit_) popRows(group);
}

void ConvKernel::emitStep(const Step &step) {
  body_->blockIndex = step.index;
  padded_.emitStage(c_, step.index);
  if (folds_) {
    fold_.emit(c_, padded_);
    if (foldsRows_) foldRows_.emit(c_, padded_, fold_);
    foldedWeights_.emit(c_, *weights_, mode_.intFromBf16);
  }
  auto overGroups = [&](llvm::function_ref<void(const Linear &)> body) {
    c_.loop(c_.i64(0), c_.i64(groups_), 1, {}, [&](Value iv, ValueRange) {
      body(c_.linear(iv));
      return SmallVector<Value>();
    });
  };
  overGroups([&](const Linear &group) { emitGroup(step, group); });
  if (kSplit_) c_.ifThen(step.last, [&] { overGroups([&](const Linear &group) { popRows(group); }); });
}

LogicalResult ConvKernel::run(Value start, Value count) {
  if (failed(analyse())) return failure();
  makeBlocks();
  if (failed(chooseBlocks())) return failure();
  body_ = std::make_unique<Body>(c_, domain_);
  size_t next = 0;
  for (auto arg : context_.op.getBlock().getArguments())
    if (llvm::any_of(arg.getUsers(), [&](Operation *user) { return user != conv_.getOperation(); })) body_->blocks[arg] = space_.inputs[next++].get();
  context_.gridSteps = grid_->parallelSteps();
  uint64_t flops = 2;
  for (int64_t extent : domain_.dims) flops *= extent;
  for (const Axis &a : padded_.lead) flops *= a.window;
  context_.flops = flops * padded_.last.window;
  padded_.emitFill(c_);
  grid_->emit(c_, start, count, [&](const Step &step) { emitStep(step); });
  return success();
}

}  // namespace

LogicalResult lowerConvKernel(KernelContext &context, Code &code, Value start, Value count) {
  auto convs = context.op.getBlock().getOps<stablehlo::ConvolutionOp>();
  stablehlo::ConvolutionOp conv = *convs.begin();
  // The batch along lanes: a gradient of weights.
  if (conv.getDimensionNumbers().getInputBatchDimension() != 0) return lowerGradientKernel(context, code, conv, start, count);
  return ConvKernel(context, code).run(start, count);
}

}  // namespace tpuc::lowering
