// Sorts: blocks of whole sequences, a network over their vregs in VMEM.
//
//  1. Elements come as 32-bit lanes into the network's vregs: keys of the comparator, computed once, what the results need, and where
//     nothing else tells equal elements apart, positions. So every sort is stable.
//  2. The network sorts; padding comes last, by its key or its position. Where only a few of the first are kept, each is looked for.
//  3. Results are packed from there.
//
// Sequences that VMEM does not hold are cut in blocks, and go through the first and the last of these steps block by block; between them
// lies HBM (`SortStream`).
//
// Where elements lie: along lanes, rows in sublanes; a long row alone, or an array of one dim, along both; a sorted dim that isn't the
// last one in vregs, columns in lanes and column tiles in sublanes, or, where there are few of these, its elements.
#include "dialects/diagnostics/diagnose.h"
#include "dialects/stablehlo/stablehlo.h"
#include "passes/lowering/first_rounds.h"
#include "passes/lowering/indices.h"
#include "passes/lowering/root_kernel.h"
#include "passes/lowering/sort_network.h"
#include "passes/lowering/sort_order.h"
#include "passes/lowering/sort_stream.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

enum class Lie { Rows, LongRows, Vector, Columns, ColumnTiles };

class SortKernel {
 public:
  SortKernel(KernelContext &context, Code &code, stablehlo::SortOp op) : context_(context), c_(code), op_(op), order_(op.getComparator().front()) {}
  LogicalResult run(Value start, Value count);
  int64_t scratchBytes();

 private:
  using Values = SmallVector<Value>;
  struct Result {
    Value sorted;                       // of the sort
    std::unique_ptr<ArrayBlock> block;
    std::unique_ptr<Domain> view;
    std::unique_ptr<Body> body;
  };

  void bind();
  void chooseValues();
  bool allowsRounds();
  void chooseWay();
  bool fit();
  bool fitStream();
  bool chooseStreamBlocks();
  void addResult(unsigned i);
  LogicalResult chooseBlocks();
  void setShape(int64_t vregs);
  int64_t place();
  int64_t placeStream(int64_t vregs);
  void makeGrid();
  void makeStreamGrids();
  int64_t layInTurn(ArrayRef<ArrayBlock *> blocks);
  void placeInTurn();
  int64_t sortedDim() const { return lie_ == Lie::Rows || lie_ == Lie::LongRows ? domain_.c() : domain_.r(); }
  int64_t otherDim() const { return sortedDim() == domain_.c() ? domain_.r() : domain_.c(); }

  // Every vreg of the block's operands in lane form, and where its elements go: `body(lanes of each operand, positions, network's vreg)`.
  void forOperands(function_ref<void(ArrayRef<Value>, Value, const Linear &)> body);
  void takeIn();
  void put(ArrayRef<Value> lanes, Value at, const Linear &vreg);
  void putOut(ArrayRef<Result *> results);
  Value stored(unsigned operand, const Linear &vreg, int64_t stride);
  Value before(const SortNetwork::Element &a, const SortNetwork::Element &b);
  SortNetwork network();
  SortNetwork outcome();
  void emitStep(const Step &step);
  void emitStream(Value start, Value count);
  void sortBlocks(Value group);
  void finishBlocks(Value group, Grid &grid, ArrayRef<Result *> results);

  KernelContext &context_;
  Code &c_;
  stablehlo::SortOp op_;
  SortOrder order_;
  Lie lie_ = Lie::Rows;
  Domain domain_;
  DimMap map_;
  int64_t size_ = 0, pack_ = 1;
  int64_t groups_ = 1;  // of 8 rows that a unit of rows has
  SmallVector<std::unique_ptr<ArrayBlock>> inputs_;  // null: positions, which no array has to hold
  SmallVector<Result> results_;
  std::unique_ptr<Grid> grid_;
  std::unique_ptr<Body> in_;
  SortShape shape_;
  bool rounds_ = false;  // the first few one by one, no network
  FirstRounds first_;
  int64_t run_ = 0;  // vregs of the runs of which the first is kept; 0: all is sorted
  bool padded_ = false;  // elements past the end
  // Sequences that are cut: the block at hand, its first position and its slot.
  std::string scratch_;
  RankedTensorType scratchType_;
  SortStream stream_;
  struct Leaving {
    std::unique_ptr<Grid> grid;
    SmallVector<Result *> results;  // of one extent
  };
  SmallVector<Leaving> leaving_;
  Linear firstPosition_, slot_;
  // The network's values: first keys, then operands, then positions.
  SmallVector<int64_t> keyAt_, operandAt_;
  int64_t positionAt_ = -1, values_ = 0, word_ = 0;
};

bool isPositions(Value v) { return v.getDefiningOp<stablehlo::IotaOp>() != nullptr; }

void SortKernel::chooseValues() {
  unsigned operands = op_.getInputs().size();
  values_ = 0;
  positionAt_ = -1;
  keyAt_.assign(order_.keys().size(), -1);
  operandAt_.assign(operands, -1);
  SmallVector<bool> wanted(operands, false);
  for (const Result &r : results_) wanted[cast<OpResult>(r.sorted).getResultNumber()] = true;
  if (rounds_) {
    values_ = 1;
    keyAt_[0] = 0;
    for (unsigned i = 0; i < operands; ++i) operandAt_[i] = isPositions(op_.getInputs()[i]);  // of what the rounds find
    return;
  }
  int64_t iota = -1;
  for (unsigned i = 0; i < operands; ++i)
    if (isPositions(op_.getInputs()[i])) iota = i;
  bool positions = iota >= 0 && wanted[iota];
  for (auto [k, key] : llvm::enumerate(order_.keys())) {
    if (key.operand >= 0 && isPositions(op_.getInputs()[key.operand]) && !key.total) {
      positions = true;
      continue;
    }
    keyAt_[k] = values_++;
    if (order_.isOperand(key)) operandAt_[key.operand] = keyAt_[k];
  }
  bool alone = !positions;
  for (unsigned i = 0; i < operands; ++i) {
    if (!wanted[i] || isPositions(op_.getInputs()[i]) || operandAt_[i] >= 0) continue;
    operandAt_[i] = values_++;
    alone = false;
  }
  // Equal integers that carry nothing are the same element.
  if (!(alone && values_ == 1 && order_.isSimple() && order_.isInteger())) positionAt_ = values_++;
  for (auto [k, key] : llvm::enumerate(order_.keys()))
    if (keyAt_[k] < 0) keyAt_[k] = positionAt_;
  for (unsigned i = 0; i < operands; ++i)
    if (isPositions(op_.getInputs()[i])) operandAt_[i] = positionAt_;
}

// Whether rounds give all that is wanted: keys that are operands, and positions. A removed key is one that no element has.
bool SortKernel::allowsRounds() {
  if (!order_.isSimple() || !order_.isInteger()) return false;
  const SortOrder::Key &key = order_.keys()[0];
  if (!order_.isOperand(key) || (!key.total && getElementTypeOrSelf(key.value.getType()).getIntOrFloatBitWidth() == 32) || isPositions(op_.getInputs()[key.operand])) return false;
  return llvm::all_of(results_, [&](const Result &r) {
    int64_t operand = cast<OpResult>(r.sorted).getResultNumber();
    return operand == key.operand || isPositions(op_.getInputs()[operand]);
  });
}

// What takes fewest cycles: sorting all, sorting runs and halving them, or rounds.
void SortKernel::chooseWay() {
  rounds_ = false;
  run_ = 0;
  for (const Result &r : results_) first_.kept = std::max(first_.kept, r.block->array.type.getDimSize(op_.getDimension()));
  place();
  int64_t run = static_cast<int64_t>(llvm::PowerOf2Ceil(first_.kept)), least = SortNetwork::cyclesOfSort(shape_);
  if (2 * run <= shape_.vregs && SortNetwork::cyclesOfFirst(shape_, run) < least) {
    run_ = run;
    least = SortNetwork::cyclesOfFirst(shape_, run);
  }
  rounds_ = true;
  place();
  rounds_ = allowsRounds() && first_.cycles() < least;
  if (rounds_) run_ = 0;
}

void SortKernel::addResult(unsigned i) {
  Value yielded = context_.op.getBlock().getTerminator()->getOperand(i);
  if (yielded.getDefiningOp<kernel::UndefinedOp>()) {
    scratch_ = context_.resultBuffers[i];
    scratchType_ = typeOf(yielded);
    return;
  }
  auto slice = yielded.getDefiningOp<stablehlo::SliceOp>();
  Result r;
  r.sorted = slice ? slice.getOperand() : yielded;
  r.view = std::make_unique<Domain>(domain_);
  auto type = typeOf(yielded);
  if (domain_.linear) {
    r.view->linearSize = type.getDimSize(0);
    r.view->dims[0] = llvm::divideCeil(type.getDimSize(0), 128);
  } else {
    r.view->dims[sortedDim()] = type.getDimSize(sortedDim());
  }
  r.block = std::make_unique<ArrayBlock>(Array(type.clone(SortOrder::keptType(type.getElementType())), orderOf(context_.op.getResultOrdersAttr(), i, yielded)), map_);
  r.block->buffer = context_.resultBuffers[i];
  r.block->isResult = true;
  r.block->view = r.view.get();
  results_.push_back(std::move(r));
}

void SortKernel::bind() {
  auto type = typeOf(op_.getInputs()[0]);
  int64_t dim = static_cast<int64_t>(op_.getDimension());
  size_ = type.getDimSize(dim);
  for (Value v : op_.getInputs()) pack_ = std::max(pack_, Array(typeOf(v), orderOf({}, 0, v)).pack);
  if (type.getRank() == 1) {
    lie_ = Lie::Vector;
    domain_.linear = true;
    domain_.linearSize = size_;
    domain_.dims = {static_cast<int64_t>(llvm::divideCeil(size_, 128)), 128};
    map_ = {kLinear};
  } else {
    domain_.dims.assign(type.getShape().begin(), type.getShape().end());
    map_ = {0, 1};
    constexpr int64_t kFewTiles = 3, kLong = 512;
    if (dim == 0) lie_ = type.getDimSize(1) > kFewTiles * 128 ? Lie::ColumnTiles : Lie::Columns;
    else if (type.getDimSize(0) < 8 && size_ >= kLong && pack_ == 1) lie_ = Lie::LongRows;
  }
  if (lie_ == Lie::LongRows || lie_ == Lie::ColumnTiles) domain_.heldTiles = 8;
  domain_.pack = pack_;
  groups_ = lie_ == Lie::Rows ? std::min<int64_t>(pack_, llvm::divideCeil(type.getDimSize(0), 8)) : pack_;
  domain_.block = domain_.dims;
  for (Value v : op_.getInputs()) {
    auto argument = dyn_cast<BlockArgument>(v);
    inputs_.push_back(nullptr);
    if (!argument) continue;
    unsigned i = argument.getArgNumber();
    auto block = std::make_unique<ArrayBlock>(Array(typeOf(v).clone(SortOrder::keptType(typeOf(v).getElementType())), orderOf(context_.op.getInputOrdersAttr(), i, v)), map_);
    block->buffer = context_.inputBuffers[i];
    block->view = &domain_;
    inputs_.back() = std::move(block);
  }
  for (unsigned i = 0; i < context_.op.getNumResults(); ++i) addResult(i);
}

void SortKernel::setShape(int64_t vregs) {
  int64_t tiles = llvm::divideCeil(domain_.block[domain_.c()], 128), rows = domain_.block[domain_.r()];
  int64_t rowUnits = llvm::divideCeil(rows, domain_.unitRows()) * groups_;
  shape_.size = size_;
  shape_.vregs = vregs;
  shape_.units = lie_ == Lie::Rows ? rowUnits : lie_ == Lie::LongRows ? rows : lie_ == Lie::Columns ? tiles : lie_ == Lie::ColumnTiles ? llvm::divideCeil(tiles, 8) : 1;
}

int64_t SortKernel::place() {
  for (Result &r : results_) r.view->block[otherDim()] = domain_.block[otherDim()];
  for (Result &r : results_) r.view->block[sortedDim()] = r.view->dims[sortedDim()];
  shape_.lanes = lie_ != Lie::Columns && lie_ != Lie::ColumnTiles;
  shape_.sublanes = lie_ == Lie::LongRows || lie_ == Lie::Vector || lie_ == Lie::Columns;
  int64_t vregs = llvm::divideCeil(size_, int64_t{1} << shape_.slotBits()), least = lie_ == Lie::ColumnTiles ? 8 : 1;
  bool packed = pack_ > 1 && lie_ != Lie::Rows;
  setShape(rounds_ ? llvm::alignTo(vregs, packed ? least * pack_ : least) : llvm::PowerOf2Ceil(std::max(vregs, least)));
  padded_ = size_ < shape_.positions();
  word_ = llvm::alignTo(grid_->placeBlocks(context_.firstWord), 8);
  first_.shape = shape_;
  int64_t words = rounds_ ? first_.words() : SortNetwork::words(shape_, values_);
  if (word_ + words > vmemBudgetWords(context_.target)) placeInTurn();
  first_.word = word_;
  return word_ + words;
}

// Blocks one after the other in a place that others take at another time; the first word after them.
int64_t SortKernel::layInTurn(ArrayRef<ArrayBlock *> blocks) {
  int64_t region = 1 << 20, word = llvm::alignTo(context_.firstWord, 8);
  for (ArrayBlock *b : blocks) {
    if (b->inPlace) continue;
    b->word = word;
    b->base = Linear(word);
    b->region = region;
    word = llvm::alignTo(word + b->slotWords * b->slots, 8);
  }
  return word;
}

// Results of a single step lie where operands did, which the network has by then.
void SortKernel::placeInTurn() {
  if (grid_->parallelSteps() > 1) return;
  SmallVector<ArrayBlock *> inputs, results;
  for (auto &b : inputs_)
    if (b) inputs.push_back(b.get());
  for (Result &r : results_) results.push_back(r.block.get());
  word_ = std::max(layInTurn(inputs), layInTurn(results));
}

void SortKernel::makeGrid() {
  SmallVector<ArrayBlock *> inputs, results;
  for (auto &b : inputs_)
    if (b) inputs.push_back(b.get());
  for (Result &r : results_) results.push_back(r.block.get());
  grid_ = std::make_unique<Grid>(domain_, inputs, results, context_.residents);
  grid_->parallel = {otherDim()};
}

// Operands come in by one grid; results that keep as many elements leave by another one.
void SortKernel::makeStreamGrids() {
  SmallVector<ArrayBlock *> inputs;
  for (auto &b : inputs_)
    if (b) inputs.push_back(b.get());
  grid_ = std::make_unique<Grid>(domain_, inputs, ArrayRef<ArrayBlock *>(), context_.residents);
  leaving_.clear();
  for (Result &r : results_) {
    auto *with = llvm::find_if(leaving_, [&](const Leaving &l) { return l.results[0]->view->dims == r.view->dims && l.results[0]->view->linearSize == r.view->linearSize; });
    if (with == leaving_.end()) with = &leaving_.emplace_back();
    with->results.push_back(&r);
  }
  for (Leaving &l : leaving_) {
    auto blocks = llvm::map_to_vector(l.results, [](Result *r) { return r->block.get(); });
    l.grid = std::make_unique<Grid>(*l.results[0]->view, ArrayRef<ArrayBlock *>(), blocks, context_.residents);
    l.grid->parallel = {otherDim()};
    l.grid->sequential = {sortedDim()};
  }
  grid_->parallel = {otherDim()};
  grid_->sequential = {sortedDim()};
}

int64_t SortKernel::placeStream(int64_t vregs) {
  int64_t elements = vregs << shape_.slotBits();
  domain_.block[sortedDim()] = domain_.linear ? vregs * 8 : elements;
  for (Result &r : results_) {
    r.view->block[otherDim()] = domain_.block[otherDim()];
    r.view->block[sortedDim()] = std::min(domain_.block[sortedDim()], r.view->dims[sortedDim()]);
  }
  setShape(vregs);
  shape_.size = elements;
  stream_.shape = shape_;
  stream_.values = values_;
  stream_.blocks = llvm::divideCeil(size_, elements);
  padded_ = size_ < stream_.blocks * elements;
  SmallVector<ArrayBlock *> inputs;
  for (auto &b : inputs_)
    if (b) inputs.push_back(b.get());
  grid_->placeBlocks(context_.firstWord);
  word_ = layInTurn(inputs);
  for (Leaving &l : leaving_) {
    l.grid->placeBlocks(context_.firstWord);
    word_ = std::max(word_, layInTurn(llvm::map_to_vector(l.results, [](Result *r) { return r->block.get(); })));
  }
  stream_.word = word_;
  stream_.semaphore = 2 * (inputs.size() + results_.size());
  return word_ + stream_.words();
}

// The largest blocks of a sequence that fit, as few others beside it as share its vregs.
bool SortKernel::chooseStreamBlocks() {
  int64_t other = otherDim(), granule = other == domain_.c() ? 128 : domain_.unitRows();
  domain_.block = domain_.dims;
  domain_.block[other] = std::min(granule, domain_.dims[other]);
  makeStreamGrids();
  shape_.lanes = lie_ != Lie::Columns;
  shape_.sublanes = lie_ != Lie::Rows;
  const int64_t least = lie_ == Lie::Rows ? 2 : std::max<int64_t>(2, pack_);
  for (int64_t vregs = llvm::PowerOf2Ceil(llvm::divideCeil(size_, int64_t{1} << shape_.slotBits())) / 2; vregs >= least; vregs /= 2)
    if (placeStream(vregs) <= vmemBudgetWords(context_.target)) return true;
  return false;
}

bool SortKernel::fitStream() {
  rounds_ = false;
  run_ = 0;
  chooseValues();
  if (chooseStreamBlocks()) return true;
  if (lie_ != Lie::LongRows) return false;
  lie_ = Lie::Rows;  // which has a vreg for all of a few rows
  domain_.heldTiles = 1;
  for (Result &r : results_) r.view->heldTiles = 1;
  return chooseStreamBlocks();
}

// Halves the other dim until blocks fit, and there are steps to overlap with transfers.
LogicalResult SortKernel::chooseBlocks() {
  int64_t other = otherDim(), granule = other == domain_.c() ? (lie_ == Lie::ColumnTiles ? 1024 : 128) : domain_.unitRows();
  if (lie_ == Lie::Vector) return success(place() <= vmemBudgetWords(context_.target));
  constexpr int64_t kFewVregs = 64;
  while (domain_.block[other] > granule) {
    int64_t words = place();
    bool large = words - context_.firstWord > kernelVmemWords(context_.target) || words > vmemBudgetWords(context_.target);
    if (!large && (grid_->parallelSteps() >= 8 || shape_.units * shape_.vregs <= kFewVregs)) break;
    domain_.block[other] = llvm::alignTo(llvm::divideCeil(domain_.block[other], 2), granule);
  }
  return success(place() <= vmemBudgetWords(context_.target));
}

void SortKernel::forOperands(function_ref<void(ArrayRef<Value>, Value, const Linear &)> body) {
  Value slots = network().slots();
  int64_t packs = llvm::divideCeil(domain_.block[domain_.r()], domain_.unitRows()), tiles = llvm::divideCeil(domain_.block[domain_.c()], 128);
  auto at = [&](const Point &p, Value positions, const Linear &vreg) {
    Values lanes;
    for (auto [i, v] : llvm::enumerate(op_.getInputs())) lanes.push_back(inputs_[i] ? in_->evaluate(v, map_, p) : positions);
    body(lanes, positions, vreg);
    in_->nextPoint();
  };
  auto loop = [&](int64_t n, function_ref<void(const Linear &)> inner) {
    c_.loop(c_.i64(0), c_.i64(n), 1, {}, [&](Value iv, ValueRange) { return inner(c_.linear(iv)), Values(); }, true);
  };
  // Beyond the array all is padding: any of its vregs will do.
  auto within = [&](const Linear &i, int64_t held, int64_t n) { return held >= n ? i : c_.linear(c_.min(c_.value(i), c_.i64(held - 1))); };
  auto positionsFrom = [&](const Linear &first) { return c_.inst("v.add.i32", {slots, c_.splat(firstPosition_ + first)}); };
  auto alongRows = [&](const Linear &tile, int64_t vregs, function_ref<void(const Linear &, const Point &)> each) {
    int64_t groups = std::min(pack_, vregs);
    loop(vregs / groups, [&](const Linear &i) {
      for (int64_t sub = 0; sub < groups; ++sub) {
        Point p{{within(i, packs, vregs / groups), tile}, sub};
        each(i * groups + Linear(sub), p);
      }
    });
  };
  switch (lie_) {
    case Lie::Rows:
      return loop(packs, [&](const Linear &row) {
        loop(shape_.vregs, [&](const Linear &t) {
          for (int64_t sub = 0; sub < groups_; ++sub) at(Point{{row, within(t, tiles, shape_.vregs)}, sub}, positionsFrom(t * 128), (row * groups_ + Linear(sub)) * shape_.vregs + t);
        });
      });
    case Lie::Vector:
      return alongRows(Linear(0), shape_.vregs, [&](const Linear &v, const Point &p) { at(p, positionsFrom(v * 1024), v); });
    case Lie::Columns:
      return loop(tiles, [&](const Linear &tile) {
        alongRows(tile, shape_.vregs, [&](const Linear &v, const Point &p) { at(p, positionsFrom(v * 8), tile * shape_.vregs + v); });
      });
    case Lie::ColumnTiles:
      return loop(tiles, [&](const Linear &tile) {
        Linear word = c_.divL(tile, 8) * (shape_.vregs * 8) + c_.remL(tile, 8);  // a vreg's sublanes go to vregs of their own
        Value rows = c_.inst("v.subid", {});
        alongRows(tile, shape_.vregs / 8, [&](const Linear &v, const Point &p) { at(p, c_.inst("v.add.i32", {rows, c_.splat(v * 8)}), word + v * 64); });
      });
    case Lie::LongRows:
      return loop(shape_.units, [&](const Linear &row) {
        loop(shape_.vregs, [&](const Linear &t) {
          Values lanes;
          Value positions = positionsFrom(t * 1024);
          Linear from = within(t, llvm::divideCeil(tiles, 8), shape_.vregs);
          for (auto &b : inputs_) lanes.push_back(b ? c_.load(b->base + row + from * (8 * b->rowsHeld), b->rowsHeld, b->region) : positions);
          body(lanes, positions, row * shape_.vregs + t);
        });
      });
  }
}

void SortKernel::put(ArrayRef<Value> lanes, Value at, const Linear &vreg) {
  Values values(values_);
  for (unsigned k = 0; k < keyAt_.size(); ++k)
    if (keyAt_[k] != positionAt_) values[keyAt_[k]] = order_.keyOf(c_, k, lanes);
  for (auto [i, place] : llvm::enumerate(operandAt_))
    if (place >= 0 && place < values_ && !values[place] && place != positionAt_) values[place] = typeOf(op_.getInputs()[i]).getElementType().isInteger(1) ? maskToInt(c_, lanes[i]) : lanes[i];
  if (positionAt_ >= 0) values[positionAt_] = at;
  // Of NaNs that is the last but one.
  if (rounds_) values[0] = c_.inst(order_.isDescending() ? "v.max.i32" : "v.min.i32", {values[0], c_.splatBits(order_.isDescending() ? first_.last + 1 : first_.last - 1)});
  SortNetwork net = network();
  Value real = padded_ ? c_.inst("v.lt.s32", {at, c_.splatI(size_)}) : Value();
  for (int64_t i = 0; i < values_; ++i) {
    bool key = order_.isSimple() && i == keyAt_[0] && i != positionAt_;
    if (real && i != positionAt_) values[i] = c_.inst("v.sel", {real, values[i], key ? c_.splatBits(rounds_ ? first_.last : order_.lastKey()) : c_.splatI(0)});
    bool spread = lie_ == Lie::ColumnTiles;
    c_.store(values[i], spread ? vreg + net.wordOf(i, Linear(0)) : net.wordOf(i, vreg), spread ? 8 : 1, net.regionOf(i));
  }
}

// Strict and total: what the comparator says of one way only, else the position.
Value SortKernel::before(const SortNetwork::Element &a, const SortNetwork::Element &b) {
  auto keysOf = [&](const SortNetwork::Element &e) { return llvm::map_to_vector(keyAt_, [&](int64_t k) { return e[k]; }); };
  Value first = c_.inst("v.lt.s32", {a[positionAt_], b[positionAt_]});
  // A simple key of the rest is last, but for positions, which are what they are.
  bool restHasKey = order_.isSimple() && keyAt_[0] != positionAt_, hasRest = padded_ && !restHasKey;
  if (order_.isSimple() && order_.isInteger() && !hasRest) {
    Value less = order_.comparesBefore(c_, keysOf(a), keysOf(b)), equal = c_.inst("v.eq.i32", {a[keyAt_[0]], b[keyAt_[0]]});
    return c_.inst("m.or", {less, c_.inst("m.and", {equal, first})});
  }
  Value yes = order_.comparesBefore(c_, keysOf(a), keysOf(b)), no = order_.comparesBefore(c_, keysOf(b), keysOf(a));
  Value decided = c_.inst("m.and", {c_.inst("m.xor", {yes, no}), c_.inst("m.xor", {yes, first})});
  if (hasRest) {
    Value end = c_.splatI(size_);
    Value real = c_.inst("m.and", {c_.inst("v.lt.s32", {a[positionAt_], end}), c_.inst("v.lt.s32", {b[positionAt_], end})});
    decided = c_.inst("m.and", {decided, real});
  }
  return c_.inst("m.xor", {first, decided});
}

SortNetwork SortKernel::network() {
  SortNetwork::Order order;
  order.before = [this](const SortNetwork::Element &a, const SortNetwork::Element &b) { return before(a, b); };
  if (positionAt_ < 0) {
    order.low = order_.isUnsigned() ? "v.min.u32" : "v.min.i32";
    order.high = order_.isUnsigned() ? "v.max.u32" : "v.max.i32";
    if (order_.isDescending()) std::swap(order.low, order.high);
  }
  return SortNetwork(c_, shape_, values_, Linear(word_) + slot_, order);
}

// Where what is sorted lies.
SortNetwork SortKernel::outcome() { return rounds_ ? SortNetwork(c_, first_.outcome(), 2, first_.outcomeWord(), {}, FirstRounds::kFoundRegion) : network(); }

// An operand's lanes of a vreg of the network.
Value SortKernel::stored(unsigned i, const Linear &word, int64_t stride) {
  SortNetwork net = outcome();
  int64_t at = operandAt_[i];
  Value v = c_.load(word + net.wordOf(at, Linear(0)), stride, net.regionOf(at));
  for (auto [k, key] : llvm::enumerate(order_.keys()))
    if (keyAt_[k] == at && at != positionAt_ && key.total) return mirrorNegative(c_, v);
  return typeOf(op_.getInputs()[i]).getElementType().isInteger(1) ? intToMask(c_, v) : v;
}

void SortKernel::putOut(ArrayRef<Result *> results) {
  SmallVector<int64_t> sorted;
  for (const Result *r : results) {
    int64_t at = operandAt_[cast<OpResult>(r->sorted).getResultNumber()];
    if (!llvm::is_contained(sorted, at)) sorted.push_back(at);
  }
  SortNetwork net = outcome();
  int64_t vregs = rounds_ ? first_.outcome().vregs : shape_.vregs;
  if (run_) net.gatherFirst(first_.kept, sorted);
  else if (!rounds_) net.settle(sorted);
  for (Result *result : results) {
    Result &r = *result;
    unsigned operand = cast<OpResult>(r.sorted).getResultNumber();
    const Domain &d = *r.view;
    int64_t packs = llvm::divideCeil(d.block[d.r()], d.unitRows()), tiles = llvm::divideCeil(d.block[d.c()], 128);
    auto vreg = [&](const Linear &unit, Value v) { return (unit * vregs + c_.linear(rounds_ || run_ ? v : net.placeOf(v))) * 8; };
    auto wordOf = [&](Value row, Value tile, int64_t sub) {
      Value along = c_.value(c_.linear(row) * groups_ + Linear(std::min(sub, groups_ - 1)));
      Value held = c_.min(along, c_.i64(std::max<int64_t>(vregs >> (lie_ == Lie::ColumnTiles ? 3 : 0), 1) - 1));
      if (lie_ == Lie::Rows) return vreg(c_.linear(along), tile);
      if (lie_ == Lie::Vector) return vreg(Linear(0), held);
      if (lie_ == Lie::Columns) return vreg(c_.linear(tile), held);
      return c_.divL(c_.linear(tile), 8) * (vregs * 8) + c_.remL(c_.linear(tile), 8) + c_.linear(held) * 64;
    };
    if (lie_ == Lie::LongRows) {
      for (int64_t row = 0; row < shape_.units; ++row)
        c_.loop(c_.i64(0), c_.i64(llvm::divideCeil(tiles, 8)), 1, {}, [&](Value t, ValueRange) {
          c_.store(stored(operand, vreg(Linear(row), t), 1), r.block->base + Linear(row) + Linear(t) * (8 * r.block->rowsHeld), r.block->rowsHeld, r.block->region);
          return Values();
        }, true);
      continue;
    }
    int64_t columns = lie_ == Lie::Vector ? 1 : tiles;
    c_.loop(c_.i64(0), c_.i64(columns), 1, {}, [&](Value tile, ValueRange) {
      c_.loop(c_.i64(0), c_.i64(packs), 1, {}, [&](Value row, ValueRange) {
        Values groups;
        for (int64_t sub = 0; sub < pack_; ++sub) groups.push_back(stored(operand, wordOf(row, tile, sub), lie_ == Lie::ColumnTiles ? 8 : 1));
        r.body->store(*r.block, groups, Point{{c_.linear(row), c_.linear(tile)}, 0});
        return Values();
      }, true);
      return Values();
    }, true);
  }
}

void SortKernel::emitStep(const Step &step) {
  in_->blockIndex = step.index;
  for (Result &r : results_) r.body->blockIndex = step.index;
  forOperands([&](ArrayRef<Value> lanes, Value at, const Linear &vreg) { put(lanes, at, vreg); });
  if (rounds_) first_.emit(c_);
  else if (run_) network().sortFirst(run_);
  else network().sort();
  putOut(llvm::map_to_vector(results_, [](Result &r) { return &r; }));
}

// Sorts each block of the sequences of grid step `group`.
void SortKernel::sortBlocks(Value group) {
  Linear sequence = Linear(group) * shape_.units;
  grid_->emit(c_, group, c_.i64(1), [&](const Step &step) {
    const Linear &number = step.index[sortedDim()];
    Value block = c_.value(number);
    c_.ifThen(c_.cmp(arith::CmpIPredicate::sge, block, c_.i64(2)), [&] { stream_.awaitSave(c_, block); });
    slot_ = stream_.slotOf(c_.rem(block, 2));
    firstPosition_ = number * shape_.positions();
    in_->blockIndex = step.index;
    forOperands([&](ArrayRef<Value> lanes, Value at, const Linear &vreg) { put(lanes, at, vreg); });
    network().sort();
    stream_.save(c_, sequence, block);
  });
  for (int64_t i = 0; i < 2; ++i) stream_.awaitSave(c_, c_.i64(i));
}

// The last steps of the last merge, block by block, and the results.
void SortKernel::finishBlocks(Value group, Grid &grid, ArrayRef<Result *> results) {
  Linear sequence = Linear(group) * shape_.units;
  stream_.load(c_, sequence, c_.i64(0));
  grid.emit(c_, group, c_.i64(1), [&](const Step &step) {
    Value block = c_.value(step.index[sortedDim()]), next = c_.add(block, c_.i64(1));
    stream_.awaitLoad(c_, block);
    c_.ifThen(c_.cmp(arith::CmpIPredicate::slt, next, c_.i64(grid.sequentialSteps())), [&] { stream_.load(c_, sequence, next); });
    slot_ = stream_.slotOf(c_.rem(block, 2));
    for (Result *r : results) r->body->blockIndex = step.index;
    network().mergeWithin();
    putOut(results);
  });
}

void SortKernel::emitStream(Value start, Value count) {
  stream_.order = network().order();
  stream_.buffer = scratch_;
  stream_.last.assign(values_, 0);
  if (positionAt_ >= 0) stream_.last[positionAt_] = 0x7fffffff;
  if (order_.isSimple() && keyAt_[0] != positionAt_) stream_.last[keyAt_[0]] = order_.lastKey();
  c_.loop(start, c_.add(start, count), 1, {}, [&](Value group, ValueRange) {
    sortBlocks(group);
    c_.loop(c_.i64(0), c_.i64(shape_.units), 1, {}, [&](Value unit, ValueRange) {
      stream_.merge(c_, Linear(group) * shape_.units + c_.linear(unit));
      return Values();
    });
    for (Leaving &l : leaving_) finishBlocks(group, *l.grid, l.results);
    return Values();
  });
}

// Chooses how to sort what VMEM holds; false: it does not.
bool SortKernel::fit() {
  first_.descending = order_.isDescending();
  first_.last = order_.isDescending() ? 0x80000000u : 0x7fffffffu;  // narrow unsigned keys are signed lanes too
  makeGrid();
  chooseWay();
  chooseValues();
  bool fits = succeeded(chooseBlocks());
  if (fits || lie_ != Lie::ColumnTiles) return fits;
  // A column tile alone, its elements in sublanes.
  lie_ = Lie::Columns;
  domain_.heldTiles = 1;
  for (Result &r : results_) r.view->heldTiles = 1;
  chooseWay();
  chooseValues();
  return succeeded(chooseBlocks());
}

int64_t SortKernel::scratchBytes() {
  if (!isLaneRegion(op_.getComparator().front())) return 0;
  bind();
  if (fit() || !fitStream()) return 0;
  return stream_.bytes(grid_->parallelSteps() * shape_.units);
}

LogicalResult SortKernel::run(Value start, Value count) {
  if (!isLaneRegion(op_.getComparator().front())) return diagnose(op_, codes::kNoLowering) << "expects a comparator of ops that the instruction set has for these types; cast to f32 or i32 around the sort";
  bind();
  bool fits = fit();
  const bool streams = !fits && scratchType_;
  if (streams) fits = fitStream() && stream_.bytes(grid_->parallelSteps() * shape_.units) <= Array(scratchType_, {0, 1}).hbmBytes();
  if (!fits) return overVmem(context_, op_, "a sort of " + Twine(size_) + " elements", streams ? word_ + stream_.words() : place());
  context_.vmemWords = streams ? word_ + stream_.words() : place();
  context_.gridSteps = grid_->parallelSteps();
  in_ = std::make_unique<Body>(c_, domain_);
  for (auto [v, block] : llvm::zip(op_.getInputs(), inputs_))
    if (block) in_->blocks[v] = block.get();
  for (Result &r : results_) r.body = std::make_unique<Body>(c_, *r.view);
  if (streams) emitStream(start, count);
  else grid_->emit(c_, start, count, [&](const Step &step) { emitStep(step); });
  return success();
}

}  // namespace

LogicalResult lowerSort(KernelContext &context, Code &code, stablehlo::SortOp op, Value start, Value count) { return SortKernel(context, code, op).run(start, count); }

int64_t sortScratchBytes(kernel::FusionOp fusion, const target::Target &target) {
  for (auto sort : fusion.getBlock().getOps<stablehlo::SortOp>()) {
    OpBuilder b(fusion.getContext());
    Code code(b, fusion.getLoc());
    ResidentMap none;
    KernelContext context{fusion, target, nullptr, {}, {}, none, 0, ""};
    context.inputBuffers.assign(fusion.getNumOperands(), "");
    context.resultBuffers.assign(fusion.getNumResults(), "");
    return SortKernel(context, code, sort).scratchBytes();
  }
  return 0;
}

}  // namespace tpuc::lowering
