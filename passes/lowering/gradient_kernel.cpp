// Gradients of convolutions with respect to their weights: sums over the batch and all positions.
//
// The op is a convolution of x [batch, space.., in] and dy [batch, positions.., out] whose window is all of dy; its result is
// [taps.., in, out]. It is seen here as the forward convolution it belongs to: the taps are a window over x, dy's positions are
// its results. k = positions, 8 along sublanes at a time. A grid step:
//  1. makes a padded copy of its block of x (window.h), folded when there are few features (fold.h);
//  2. transposes dy on the cross-lane unit: rows of output features, lanes of positions;
//  3. for each set of taps, one an array: for each tile of positions, x shifted by the tap is the weights, dy's rows are pushed.
// The sums stay in the accumulators over all steps; at the end they are transposed and leave through the epilogue.
#include "passes/lowering/gradient_kernel.h"

#include "dialects/diagnostics/diagnose.h"
#include "passes/lowering/fold.h"
#include "passes/lowering/kernels.h"
#include "passes/lowering/mxu_mode.h"
#include "passes/lowering/vector_ops.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

Type elementOf(Value v) { return getElementTypeOrSelf(v.getType()); }
RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

constexpr int64_t kPaddedRegion = 1000, kFoldRegion = 1001, kTurnedRegion = 1002, kSumRegion = 1003;

class GradientKernel {
 public:
  GradientKernel(KernelContext &context, Code &code, stablehlo::ConvolutionOp conv) : context_(context), c_(code), conv_(conv) {}
  LogicalResult run(Value start, Value count);

 private:
  // Taps and a tile of input features: the weights of one array.
  struct Combination {
    SmallVector<Linear> tap;  // lead axes of the window, then the last when it is not folded
    int64_t tile = 0, index = 0;
  };

  LogicalResult analyse();
  void makeBlocks();
  void chooseTiles();
  int64_t place();
  LogicalResult chooseBlocks();
  SmallVector<Combination> combinations() const;
  SmallVector<int64_t> tileExtents() const;
  Value fetchRows(const Combination &k, ArrayRef<Linear> at, int64_t group, int64_t column);
  void emitTurn(ArrayRef<Linear> index);
  void stageTile(ArrayRef<Combination> set, ArrayRef<Linear> at, bool low);
  void pushTile(size_t arrays, int64_t setIndex, const Linear &flat, bool low);
  void emitSet(ArrayRef<Combination> set, int64_t setIndex);
  void emitSums(ArrayRef<Combination> all);
  void emitResults();
  void emitStep(const Step &step);
  void zero(int64_t word, int64_t words, int64_t region);

  int64_t features() const { return domain_.block[ci_]; }
  int64_t lanesOfX() const { return folds_ ? domain_.dims[ci_] * padded_.last.window : features(); }
  int64_t xTiles() const { return llvm::divideCeil(lanesOfX(), side_); }
  int64_t outTiles() const { return llvm::divideCeil(domain_.block[co_], 128); }
  int64_t outRows() const { return llvm::alignTo(std::min<int64_t>(domain_.block[co_], domain_.dims[co_]), 8 * mode_.pack); }
  int64_t tilesOfPositions() const {
    int64_t n = 1;
    for (int64_t e : tileExtents()) n *= e;
    return n;
  }
  int64_t tapsApart() const;  // combinations of taps
  int64_t sumRows() const { return xTiles() * side_; }

  KernelContext &context_;
  Code &c_;
  stablehlo::ConvolutionOp conv_;
  MxuMode mode_;
  Space space_;
  Domain domain_, xView_, dyView_;
  std::unique_ptr<ArrayBlock> x_, dy_;
  PaddedInput padded_;
  Fold fold_;
  bool folds_ = false;
  SmallVector<int64_t> taps_, lead_;  // domain dims: the result's leading dims; the batch and dy's leading positions
  int64_t ci_ = 0, co_ = 0;
  std::unique_ptr<Body> body_;
  std::unique_ptr<Grid> grid_;
  int64_t side_ = 128, arrays_ = 1;
  // A tile of positions: images x rows x groups of 8 along a row; a row may take several tiles.
  int64_t images_ = 1, rows_ = 1, groups_ = 1, perRow_ = 1;
  int64_t turned_ = 0, turnedWords_ = 0, sums_ = 0, sumWords_ = 0;
};

LogicalResult GradientKernel::analyse() {
  auto mode = chooseMxuMode(context_.target, elementOf(conv_.getLhs()), elementOf(conv_.getRhs()), elementOf(conv_), conv_.getPrecisionConfig(), context_.matmulPrecision);
  if (!mode || mode->suffix == "s8" || mode->intFromBf16)
    return diagnose(conv_, codes::kNoMatrixMode) << "expects operands of a mode of " << context_.target.name() << "'s matrix unit, but got " << elementOf(conv_.getLhs()) << " and "
                                                 << elementOf(conv_.getRhs()) << " to " << elementOf(conv_) << "; convert them to bf16 or f32";
  mode_ = *mode;
  side_ = context_.target.core().mxu_side();
  arrays_ = context_.target.core().mxus();
  Axis batch;
  batch.in = batch.out = typeOf(conv_.getLhs()).getDimSize(0);
  padded_.lead.push_back(batch);
  for (Axis a : axesOf(conv_)) {
    std::swap(a.out, a.window);
    std::swap(a.stride, a.dilation);
    padded_.lead.push_back(a);
  }
  padded_.last = padded_.lead.pop_back_val();
  auto add = [&](int64_t extent) {
    domain_.dims.push_back(extent);
    return static_cast<int64_t>(domain_.dims.size()) - 1;
  };
  for (const Axis &a : ArrayRef<Axis>(padded_.lead).drop_front()) taps_.push_back(add(a.window));
  taps_.push_back(add(padded_.last.window));
  for (const Axis &a : padded_.lead) lead_.push_back(add(a.out));
  ci_ = add(typeOf(conv_.getLhs()).getShape().back());
  co_ = add(typeOf(conv_.getRhs()).getShape().back());
  domain_.block = domain_.dims;
  domain_.rDim = ci_;
  domain_.cDim = co_;
  int64_t in = domain_.dims[ci_], window = padded_.last.window;
  folds_ = window > 1 && window <= 64 && llvm::divideCeil(in * window, side_) < window * llvm::divideCeil(in, side_);
  return success();
}

void GradientKernel::makeBlocks() {
  kernel::FusionOp op = context_.op;
  for (Operation &inner : op.getBlock().without_terminator())
    if (&inner != conv_.getOperation()) (void)space_.classes.add(&inner);
  SmallVector<int64_t> outDims(taps_);
  outDims.append({ci_, co_});
  for (auto [d, to] : llvm::enumerate(outDims))
    if (int64_t cls = space_.classes.classOf(conv_.getResult(), d); cls >= 0) space_.dimOfClass[cls] = to;
  auto make = [&](Value v, ArrayAttr orders, unsigned i, StringRef buffer, DimMap map, const Domain *view, bool isResult) {
    auto block = std::make_unique<ArrayBlock>(Array(typeOf(v), orderOf(orders, i, v)), map);
    block->buffer = buffer.str();
    block->isResult = isResult;
    block->view = view;
    return block;
  };
  auto operand = [&](Value v, int64_t lanes, const Domain *view) {
    unsigned i = cast<BlockArgument>(v).getArgNumber();
    DimMap map(lead_.begin(), lead_.end());
    map.append({kUnit, lanes});
    return make(v, op.getInputOrdersAttr(), i, context_.inputBuffers[i], map, view, false);
  };
  x_ = operand(conv_.getLhs(), ci_, &xView_);
  dy_ = operand(conv_.getRhs(), co_, &dyView_);
  for (auto [i, arg] : llvm::enumerate(op.getBlock().getArguments())) {
    if (llvm::all_of(arg.getUsers(), [&](Operation *user) { return user == conv_.getOperation(); })) continue;
    space_.inputs.push_back(make(arg, op.getInputOrdersAttr(), i, context_.inputBuffers[i], space_.mapOf(arg), &domain_, false));
    domain_.pack = std::max(domain_.pack, space_.inputs.back()->array.pack);
  }
  for (auto [i, v] : llvm::enumerate(op.getBlock().getTerminator()->getOperands())) {
    space_.results.push_back(make(v, op.getResultOrdersAttr(), i, context_.resultBuffers[i], space_.mapOf(v), &domain_, true));
    domain_.pack = std::max(domain_.pack, space_.results.back()->array.pack);
  }
  space_.domain = xView_ = dyView_ = domain_;
  xView_.rDim = dyView_.rDim = -1;
  xView_.cDim = ci_;
  dyView_.cDim = co_;
  padded_.block = x_.get();
  padded_.domain = &domain_;
  padded_.leadDims = lead_;
  padded_.lanes = domain_.dims[ci_];
  padded_.lanesDim = ci_;
  padded_.region = kPaddedRegion;
  padded_.tilesMultiple = folds_ ? 1 : side_ / 128;
  // Folding joins lanes by or: two numbers of other rows could make one that is none.
  padded_.reach = llvm::alignTo(padded_.last.out, 8);
  fold_.region = kFoldRegion;
  fold_.multiple = side_ / 128;
}

// Fills a tile's groups of 8 positions: along a row, then over rows, then over images.
void GradientKernel::chooseTiles() {
  int64_t capacity = side_ / 8, alongRow = llvm::divideCeil(padded_.last.out, 8);
  perRow_ = llvm::divideCeil(alongRow, capacity);
  groups_ = llvm::divideCeil(alongRow, perRow_);
  images_ = rows_ = 1;
  bool hasRows = lead_.size() > 1;
  int64_t height = hasRows ? domain_.block[lead_.back()] : 1, batch = domain_.block[lead_[0]], best = 0;
  if (perRow_ > 1) return;
  for (int64_t r = 1; r <= height && r * groups_ <= capacity; ++r) {
    if (height % r) continue;
    for (int64_t n = 1; n <= batch && n * r * groups_ <= capacity; ++n)
      if (batch % n == 0 && n * r > best) {
        best = n * r;
        images_ = n;
        rows_ = r;
      }
  }
}

// Tiles along each lead dim, and along a row.
SmallVector<int64_t> GradientKernel::tileExtents() const {
  SmallVector<int64_t> extents;
  for (int64_t d : lead_) extents.push_back(domain_.block[d]);
  extents[0] /= images_;
  if (extents.size() > 1) extents.back() /= rows_;
  extents.push_back(perRow_);
  return extents;
}

int64_t GradientKernel::tapsApart() const {
  int64_t n = folds_ ? 1 : padded_.last.window;
  for (const Axis &a : padded_.lead) n *= a.window;
  return n;
}

int64_t GradientKernel::place() {
  for (Domain *view : {&xView_, &dyView_, &space_.domain}) view->block = domain_.block;
  padded_.setHalos();
  int64_t word = grid_->placeBlocks(context_.firstWord);
  chooseTiles();
  // Tiles may read past a row's end.
  int64_t slack = llvm::alignTo((perRow_ * groups_ * 8 + 8) * padded_.last.stride + padded_.last.span(1), 8);
  padded_.word = word;
  padded_.layOut();
  padded_.words += slack;
  word += padded_.words;
  if (folds_) {
    fold_.word = word;
    fold_.layOut(padded_);
    fold_.words += slack;
    word += fold_.words;
  }
  turned_ = word;
  turnedWords_ = tilesOfPositions() * (side_ / 128) * outTiles() * 128;
  word += turnedWords_;
  sums_ = word;
  sumWords_ = tapsApart() * outTiles() * sumRows() + 64;
  return word + sumWords_;
}

LogicalResult GradientKernel::chooseBlocks() {
  SmallVector<ArrayBlock *> inputs{x_.get(), dy_.get()};
  llvm::append_range(inputs, space_.inputPointers());
  grid_ = std::make_unique<Grid>(domain_, inputs, space_.resultPointers(), context_.residents);
  grid_->parallel = {ci_, co_};
  grid_->sequential = lead_;
  int64_t budget = vmemBudgetWords(context_.target), capacity = context_.target.core().mxu_accumulator_rows();
  while (true) {
    int64_t words = place();
    int64_t sets = llvm::divideCeil(tapsApart() * xTiles(), arrays_);
    bool tooBig = words > budget, overflow = sets * outRows() > capacity;
    bool tooFew = grid_->sequentialSteps() < 4 && x_->slotWords + dy_->slotWords > 2048;
    bool idle = grid_->parallelSteps() < context_.target.cores();
    if (!tooBig && !overflow && !tooFew && !idle) break;
    int64_t cut = -1;
    bool sums = overflow || sumWords_ > budget / 3;
    auto cuttable = [&](int64_t d, int64_t least) { return domain_.block[d] > least; };
    if ((sums || idle) && !folds_ && cuttable(ci_, side_)) cut = ci_;
    if (cut < 0 && (sums || idle) && cuttable(co_, 128)) cut = co_;
    if (cut < 0 && (tooBig || tooFew))
      for (int64_t d : lead_)
        if (cut < 0 && cuttable(d, 1)) cut = d;
    if (cut < 0 && tooBig && !folds_ && cuttable(ci_, side_)) cut = ci_;
    if (cut < 0 && tooBig && cuttable(co_, 128)) cut = co_;
    if (cut < 0 && !tooBig && !overflow) break;
    if (cut < 0)
      return overVmem(context_, conv_, "a block of this convolution's gradient", words);
    domain_.block[cut] = llvm::alignTo(llvm::divideCeil(domain_.block[cut], 2), cut == ci_ ? side_ : cut == co_ ? 128 : 1);
  }
  context_.vmemWords = place();
  return success();
}

SmallVector<GradientKernel::Combination> GradientKernel::combinations() const {
  SmallVector<int64_t> windows;
  for (const Axis &a : ArrayRef<Axis>(padded_.lead).drop_front()) windows.push_back(a.window);
  if (!folds_) windows.push_back(padded_.last.window);
  SmallVector<Combination> out;
  for (int64_t t = 0; t < tapsApart(); ++t)
    for (int64_t tile = 0; tile < xTiles(); ++tile) {
      Combination k;
      k.tap.resize(windows.size());
      int64_t rest = t;
      for (size_t i = windows.size(); i-- > 0; rest /= windows[i]) k.tap[i] = Linear(rest % windows[i]);
      k.tile = tile;
      k.index = t;
      out.push_back(k);
    }
  return out;
}

// ---- operands -------------------------------------------------------------------------------------------------------

// Where group `group` of a tile lies: image, row and group along the row, within the tile.
// x at 8 positions, lanes of column tile `column` of the combination's features.
Value GradientKernel::fetchRows(const Combination &k, ArrayRef<Linear> at, int64_t group, int64_t column) {
  int64_t n = lead_.size(), along = group % groups_, row = group / groups_ % rows_, image = group / (groups_ * rows_);
  SmallVector<Linear> rows;
  for (int64_t i = 0; i < n; ++i) {
    const Axis &a = padded_.lead[i];
    Linear position = i == 0 ? at[0] * images_ + Linear(image) : i + 1 == n ? at[i] * rows_ + Linear(row) : at[i];
    rows.push_back(position * a.stride + (i == 0 ? Linear(0) : k.tap[i - 1] * a.dilation));
  }
  Linear position = (at[n] * groups_ + Linear(along)) * 8, tile = Linear(k.tile * (side_ / 128) + column);
  if (folds_) return c_.load(fold_.wordOf(rows, tile, position), 1, fold_.region);
  int64_t stride = padded_.last.stride;
  return c_.load(padded_.wordOf(rows, tile, position * stride + k.tap[n - 1] * padded_.last.dilation), stride, padded_.region);
}

// dy with its positions along lanes: [tile, half, tile of output features], 128 rows of output features each.
void GradientKernel::emitTurn(ArrayRef<Linear> index) {
  const Array &a = dy_->array;
  int64_t n = lead_.size(), used = groups_ * rows_ * images_, halves = side_ / 128;
  SmallVector<int64_t> extents = tileExtents();
  extents.push_back(outTiles());
  c_.flatLoop(extents, 1, [&](ArrayRef<Linear> at, const Linear &flat) {
    for (int64_t half = 0; half < halves; ++half) {
      for (int64_t g = 0; g < 16; ++g) {
        int64_t group = half * 16 + g, along = group % groups_, row = group / groups_ % rows_, image = group / (groups_ * rows_);
        Value v = c_.splatI(0);
        if (group < used) {
          Linear word = dy_->base + at[n + 1] * (dy_->rowsHeld / a.pack);
          Value valid;
          for (int64_t i = 0; i < n; ++i) {
            int64_t d = lead_[i];
            Linear position = i == 0 ? at[0] * images_ + Linear(image) : i + 1 == n ? at[i] * rows_ + Linear(row) : at[i];
            word = word + position * dy_->leadWords[i];
            if (!domain_.hasTail(d) || domain_.steps(d) <= 1) continue;
            Value in = c_.cmp(arith::CmpIPredicate::slt, c_.value(position + index[d] * domain_.block[d]), c_.i64(domain_.dims[d]));
            valid = valid ? c_.b.createOrFold<arith::AndIOp>(c_.loc, valid, in) : in;
          }
          // The last tile of a row may run over the array's rows: read what is there, keep nothing of it.
          Linear unit = at[n] * groups_ + Linear(along);
          int64_t most = dy_->rowsHeld / 8 - 1;
          if (perRow_ * groups_ - 1 > most) unit = c_.linear(c_.min(c_.value(unit), c_.i64(most)));
          Linear within = c_.remL(unit, a.pack);
          Value packed = c_.load(word + c_.divL(unit, a.pack) * 8, 1, dy_->region);
          if (within.isConstant()) {
            v = unpackGroup(c_, a.type.getElementType(), packed, within.constant);
          } else {
            v = unpackGroup(c_, a.type.getElementType(), packed, 0);
            Value part = c_.splat(within);
            for (int64_t p = 1; p < a.pack; ++p)
              v = c_.inst("v.sel", {c_.inst("v.eq.i32", {part, c_.splatI(p)}), unpackGroup(c_, a.type.getElementType(), packed, p), v});
          }
          Linear first = (at[n] * groups_ + Linear(along)) * 8;
          Value limit = c_.value(first * -1 + Linear(padded_.last.out));
          if (valid) limit = c_.select(valid, limit, c_.i64(0));
          Linear left = c_.linear(limit);
          if (!left.isConstant() || left.constant < 8) v = c_.inst("v.sel", {c_.inst("v.lt.s32", {c_.inst("v.subid", {}), c_.splat(left)}), v, c_.splatI(0)});
        }
        c_.inst("x.tr.push", {v}, {{"row", g}, {"buf", half}});
      }
      Linear to = Linear(turned_) + flat * (halves * 128) + Linear(half * 128);
      for (int64_t g = 0; g * 8 < std::min<int64_t>(128, outRows()); ++g) c_.store(c_.inst("x.tr.pop", {}, {{"row", g}, {"buf", half}}), to + Linear(g * 8), 1, kTurnedRegion);
    }
  });
}

// ---- products -------------------------------------------------------------------------------------------------------

void GradientKernel::stageTile(ArrayRef<Combination> set, ArrayRef<Linear> at, bool low) {
  int64_t step = mode_.pack, used = groups_ * rows_ * images_;
  for (auto [array, k] : llvm::enumerate(set))
    for (int64_t column = 0; column < side_ / 128; ++column) {
      if ((k.tile * (side_ / 128) + column) * 128 >= lanesOfX()) continue;
      for (int64_t group = 0; group < used; group += step) {
        SmallVector<Value> groups;
        for (int64_t g = group; g < group + step; ++g) groups.push_back(g < used ? fetchRows(k, at, g, column) : c_.splatI(0));
        c_.inst(("mxu.ldw." + mode_.suffix).str(), {packForMxu(c_, mode_, groups, low)},
                {{"mxu", static_cast<int64_t>(array)}, {"row", group / step}, {"col", column}});
      }
    }
}

// All output features' rows of a tile; every array takes the same.
void GradientKernel::pushTile(size_t arrays, int64_t setIndex, const Linear &flat, bool low) {
  int64_t unit = 8 * mode_.pack, halves = side_ / 128, rows = outRows();
  Linear base = c_.linear(c_.value(Linear(turned_) + flat * (outTiles() * halves * 128)));
  c_.flatLoop({rows / unit}, 4, [&](ArrayRef<Linear> at, const Linear &) {
    // Rows within their tile of 128.
    Linear tile = c_.divL(at[0], 128 / unit), row = c_.remL(at[0], 128 / unit);
    SmallVector<Value> operands;
    for (int64_t half = 0; half < halves; ++half) {
      SmallVector<Value> groups;
      for (int64_t g = 0; g < mode_.pack; ++g)
        groups.push_back(c_.load(base + tile * (halves * 128) + row * unit + Linear(half * 128 + 8 * g), 1, kTurnedRegion));
      operands.push_back(packForMxu(c_, mode_, groups, low));
    }
    Linear acc = at[0] * mode_.pack + Linear(setIndex * rows / 8);
    if (!acc.isConstant()) operands.push_back(c_.value(acc));
    for (size_t a = 0; a < arrays; ++a) {
      SmallVector<std::pair<StringRef, int64_t>> fields{{"mxu", static_cast<int64_t>(a)}};
      if (acc.isConstant()) fields.push_back({"imm", acc.constant});
      c_.inst(("mxu.push." + mode_.suffix).str(), operands, fields);
    }
  });
}

// All tiles of positions for one combination an array. While one tile is pushed, the next one's weights are staged.
void GradientKernel::emitSet(ArrayRef<Combination> set, int64_t setIndex) {
  SmallVector<int64_t> extents = tileExtents();
  int64_t total = tilesOfPositions();
  auto at = [&](ValueRange counters) {
    SmallVector<Linear> out;
    for (auto [i, e] : llvm::enumerate(extents)) out.push_back(e == 1 ? Linear(0) : c_.linear(counters[i]));
    return out;
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
  // Passes: x high dy high, x low dy high, x high dy low.
  auto push = [&](const Linear &flat, ValueRange now, ValueRange next) {
    for (int64_t variant = 0; variant < mode_.passes; ++variant) {
      for (size_t a = 0; a < set.size(); ++a) c_.inst("mxu.swap", {}, {{"mxu", static_cast<int64_t>(a)}});
      if (variant + 1 < mode_.passes) stageTile(set, at(now), variant + 1 == 1);
      else if (!next.empty()) stageTile(set, at(next), false);
      pushTile(set.size(), setIndex, flat, variant == 2);
    }
  };
  SmallVector<Value> counters(extents.size(), c_.i64(0));
  stageTile(set, at(counters), false);
  counters = c_.loop(c_.i64(0), c_.i64(total - 1), 1, counters, [&](Value iv, ValueRange now) {
    SmallVector<Value> next = advance(now);
    push(c_.linear(iv), now, next);
    return next;
  });
  push(Linear(total - 1), counters, {});
}

// ---- results --------------------------------------------------------------------------------------------------------

// The accumulators' rows of output features to rows of input features: [taps, tile of output features, input feature].
void GradientKernel::emitSums(ArrayRef<Combination> all) {
  int64_t rows = outRows();
  for (size_t i = 0; i < all.size(); ++i) {
    const Combination &k = all[i];
    int64_t array = i % arrays_, setIndex = i / arrays_;
    for (int64_t column = 0; column < side_ / 128; ++column) {
      int64_t first = k.tile * side_ + column * 128;
      c_.loop(c_.i64(0), c_.i64(outTiles()), 1, {}, [&](Value iv, ValueRange) {
        Linear tile = c_.linear(iv);
        for (int64_t g = 0; g < std::min<int64_t>(16, rows / 8); ++g) {
          // Of the last tile there may be fewer rows: others' sums are left alone.
          Linear group = tile * 16 + Linear(g);
          Linear acc = group + Linear(setIndex * rows / 8);
          auto pop = [&] {
            SmallVector<Value> operands;
            SmallVector<std::pair<StringRef, int64_t>> fields{{"mxu", array}, {"col", column}, {"clear", 1}};
            if (acc.isConstant()) fields.push_back({"imm", acc.constant});
            else operands.push_back(c_.value(acc));
            c_.inst("x.tr.push", {c_.inst("mxu.pop", operands, fields)}, {{"row", g}, {"buf", column}});
          };
          c_.ifThen(c_.cmp(arith::CmpIPredicate::slt, c_.value(group), c_.i64(rows / 8)), pop);
        }
        if (first < lanesOfX())
          for (int64_t g = 0; g < 16; ++g)
            c_.store(c_.inst("x.tr.pop", {}, {{"row", g}, {"buf", column}}), Linear(sums_ + k.index * outTiles() * sumRows() + first + 8 * g) + tile * sumRows(), 1, kSumRegion);
        return SmallVector<Value>();
      });
    }
  }
}

void GradientKernel::emitResults() {
  auto yielded = context_.op.getBlock().getTerminator()->getOperands();
  int64_t unit = domain_.unitRows(), n = taps_.size();
  SmallVector<int64_t> extents;
  for (int64_t d : taps_) extents.push_back(domain_.dims[d]);
  extents.push_back(llvm::divideCeil(std::min(domain_.block[ci_], domain_.dims[ci_]), unit));
  extents.push_back(outTiles());
  bool single = domain_.dims[ci_] == 1;
  c_.flatLoop(extents, 2, [&](ArrayRef<Linear> at, const Linear &) {
    Point p;
    p.at.assign(domain_.dims.size(), Linear(0));
    for (int64_t i = 0; i < n; ++i) p.at[taps_[i]] = at[i];
    p.at[ci_] = at[n];
    p.at[co_] = at[n + 1];
    Linear apart(0);
    for (int64_t i = 0; i < n - folds_; ++i) apart = apart * domain_.dims[taps_[i]] + at[i];
    Linear row = at[n] * unit;
    if (folds_) row = row + at[n - 1] * domain_.dims[ci_];
    Linear word = Linear(sums_) + (apart * outTiles() + at[n + 1]) * sumRows() + row;
    SmallVector<Value> groups;
    for (int64_t sub = 0; sub < domain_.pack; ++sub) groups.push_back(c_.load(single ? word : word + Linear(8 * sub), single ? 0 : 1, kSumRegion));
    storeThrough(*body_, space_, conv_.getResult(), groups, yielded, p);
  });
}

void GradientKernel::emitStep(const Step &step) {
  body_->blockIndex = step.index;
  padded_.emitStage(c_, step.index);
  if (folds_) fold_.emit(c_, padded_);
  emitTurn(step.index);
  SmallVector<Combination> all = combinations();
  for (size_t i = 0; i < all.size(); i += arrays_) emitSet(ArrayRef<Combination>(all).slice(i, std::min<size_t>(arrays_, all.size() - i)), i / arrays_);
  c_.ifThen(step.last, [&] {
    emitSums(all);
    emitResults();
  });
}

void GradientKernel::zero(int64_t word, int64_t words, int64_t region) {
  Value v = c_.splatI(0);
  c_.loop(c_.i64(0), c_.i64(words / 8), 1, {}, [&](Value iv, ValueRange) {
    c_.store(v, Linear(word) + c_.linear(iv) * 8, 1, region);
    return SmallVector<Value>();
  }, true);
}

LogicalResult GradientKernel::run(Value start, Value count) {
  if (failed(analyse())) return failure();
  makeBlocks();
  if (failed(chooseBlocks())) return failure();
  body_ = std::make_unique<Body>(c_, domain_);
  size_t next = 0;
  for (auto arg : context_.op.getBlock().getArguments())
    if (llvm::any_of(arg.getUsers(), [&](Operation *user) { return user != conv_.getOperation(); })) body_->blocks[arg] = space_.inputs[next++].get();
  context_.gridSteps = grid_->parallelSteps();
  uint64_t flops = 2 * padded_.last.out;
  for (int64_t extent : domain_.dims) flops *= extent;
  context_.flops = flops;
  padded_.emitFill(c_);
  // What tiles read past the last row is multiplied by zeros: it must be numbers.
  if (folds_) zero(fold_.word, fold_.words, fold_.region);
  grid_->emit(c_, start, count, [&](const Step &step) { emitStep(step); });
  return success();
}

}  // namespace

LogicalResult lowerGradientKernel(KernelContext &context, Code &code, stablehlo::ConvolutionOp conv, Value start, Value count) {
  return GradientKernel(context, code, conv).run(start, count);
}

}  // namespace tpuc::lowering
