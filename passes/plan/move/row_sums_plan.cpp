// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much of a table of sums VMEM holds, and what that takes.
#include "passes/plan/move/row_sums_plan.h"

#include "passes/analysis/scan.h"
#include "passes/analysis/strides.h"
#include "passes/plan/grid/grid_plan.h"
#include "passes/plan/move/index_array.h"

using namespace mlir;

namespace tpuc::plan {

constexpr StringRef kCopies = "copies";       // of a plan: of the table
constexpr StringRef kMoved = "table_moved";   // of a plan: the table has no blocks
constexpr int64_t kMostCopies = 4;            // rows that are combined at once
constexpr int64_t kBlockBytes = 1 << 19;      // of updates, about
constexpr int64_t kUnitRows[] = {1024, 128};  // of updates: what a block is a multiple of; the first that fits
constexpr double kScalarOps = 4;              // of a row: its index, and its place
constexpr double kRowOps = 3;                 // of the vector unit, a vreg of a row
constexpr int kRoundingOps = 2;               // that a sum waits for where it is rounded

static RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

static bool isOfLanes(Type t) { return t.isF32() || t.isBF16() || t.isF16() || t.isInteger(32); }

std::optional<Reducer> reducerOfRows(stablehlo::ScatterOp op) {
  Operation *by = analysis::onlyOp(op.getUpdateComputation().front());
  return by && isOfLanes(typeOf(op.getInputs()[0]).getElementType()) ? reducerOf(by) : std::nullopt;
}

bool reducesRows(stablehlo::ScatterOp op) {
  if (op.getInputs().size() != 1) return false;
  RankedTensorType table = typeOf(op.getInputs()[0]), updates = typeOf(op.getUpdates()[0]),
                   indices = typeOf(op.getScatterIndices());
  auto numbers = op.getScatterDimensionNumbers();
  const int64_t rank = table.getRank();
  if (!reducerOfRows(op) || rank < 2 || updates.getRank() != rank || indices.getRank() != 1 ||
      updates.getElementType() != table.getElementType() || !indices.getElementType().isInteger(32) ||
      indices.getElementType().isUnsignedInteger() || table.getNumElements() == 0 || updates.getNumElements() == 0)
    return false;
  return numbers.getInputBatchingDims().empty() && numbers.getScatterDimsToOperandDims() == ArrayRef<int64_t>{0} &&
         numbers.getInsertedWindowDims() == ArrayRef<int64_t>{0} && numbers.getIndexVectorDim() == 1 &&
         llvm::equal(numbers.getUpdateWindowDims(), llvm::seq<int64_t>(1, rank)) &&
         updates.getShape().drop_front() == table.getShape().drop_front();
}

// ---- what it takes --------------------------------------------------------------------------------------------------

// Words that one row of a table of those columns takes in VMEM, `perWord` elements each. Dims inside a row are whole
// tiles, whose rows an array packs.
static int64_t rowWords(RankedTensorType table, int64_t columns, int64_t perWord) {
  int64_t words = llvm::divideCeil(columns, 128);
  ArrayRef<int64_t> inner = table.getShape().drop_front().drop_back();
  if (inner.empty()) return words;
  const int64_t pack = analysis::Packing::of(table.getElementType()).pack;
  words *= static_cast<int64_t>(llvm::alignTo(inner.back(), 8 * pack)) / perWord;
  for (int64_t extent : inner.drop_back()) words *= extent;
  return words;
}

static int64_t tableWords(RankedTensorType table, int64_t rows, int64_t columns, int64_t perWord) {
  if (table.getRank() > 2) return rows * rowWords(table, columns, perWord);
  const int64_t held = llvm::alignTo(rows, 8 * analysis::Packing::of(table.getElementType()).pack);
  return llvm::divideCeil(columns, 128) * held / perWord;
}

int64_t RowSumsShape::stridedTiles(RankedTensorType table) const {
  return tableWords(table, table.getDimSize(0) + 1, 1, 1) <= kFarthestSublane ? columns / 128 / 8 * 8 : 0;
}

// Loads of a row. A load takes eight words that are neighbours, or eight column tiles that are no farther apart than a
// load reaches.
static double loadsOf(RankedTensorType table, const RowSumsShape &shape) {
  const int64_t words = rowWords(table, shape.columns, 1);
  if (table.getRank() > 2) return static_cast<double>(words) / 8;
  const int64_t strided = shape.stridedTiles(table);
  return static_cast<double>(strided / 8 + words - strided);
}

static int64_t wordsOf(RankedTensorType table, const RowSumsShape &shape) {
  const int64_t pack = analysis::Packing::of(table.getElementType()).pack, rows = table.getDimSize(0);
  // Slots of the table's blocks, and as many of the result's.
  const int64_t slots = shape.isMoved ? 0 : shape.columns < table.getShape().back() ? 2 : 1;
  return 2 * slots * tableWords(table, rows, shape.columns, pack) +
         shape.copies * tableWords(table, rows + 1, shape.columns, 1) +
         2 * tableWords(table, shape.rows, shape.columns, pack) + 8;
}

// Sums and products of halves are rounded one by one, in their order, as the program has them.
bool roundsEach(Type element, Reducer reducer) {
  return mlir::isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32 &&
         (reducer == Reducer::Add || reducer == Reducer::Mul);
}

// Cycles of a core that walks all updates once; `rows`: of those.
static double cyclesOfWalk(const timing::MachineModel &model, RankedTensorType table, Reducer reducer, int64_t rows,
                           const RowSumsShape &shape) {
  const target::Core &core = model.target().core();
  const double loads = loadsOf(table, shape);
  const int rounding = roundsEach(table.getElementType(), reducer) ? kRoundingOps * model.latency(isa::Op::VFAdd) : 0;
  const int inTurn =
      model.latency(isa::Op::VLd) + model.latency(isa::Op::VFAdd) + rounding + model.latency(isa::Op::VSt);
  const double row =
      std::max({kScalarOps / core.scalar_slots(), 2 * loads / core.vload_slots(), loads / core.vstore_slots(),
                kRowOps * loads / core.valu_slots(), static_cast<double>(inTurn) / static_cast<double>(shape.copies)});
  const auto copy = static_cast<double>(tableWords(table, table.getDimSize(0) + 1, shape.columns, 1) / 8);
  const int64_t walked = shape.isMoved ? 2 * (shape.copies - 1) : 2 * shape.copies + 1;
  return static_cast<double>(rows) * row + copy * static_cast<double>(walked);
}

// Whether words of the table are words of a copy.
static bool hasWordsOfCopy(RankedTensorType table) {
  return table.getRank() == 2 && analysis::Packing::of(table.getElementType()).pack == 1;
}

namespace {

// The best shape of those that are tried.
class ShapeSearch {
 public:
  ShapeSearch(const timing::MachineModel &model, RankedTensorType table, Reducer reducer, int64_t rows, int64_t words)
      : model_(model), table_(table), reducer_(reducer), rows_(rows), words_(words) {}
  // Tries a table whose columns are in so many parts; false where no copy fits.
  bool tryCuts(int64_t cuts, bool isMoved);

  std::optional<RowSumsChoice> best;

 private:
  const timing::MachineModel &model_;
  RankedTensorType table_;
  Reducer reducer_;
  int64_t rows_, words_;
};

bool ShapeSearch::tryCuts(int64_t cuts, bool isMoved) {
  const auto cores = static_cast<int64_t>(model_.target().cores());
  const int64_t pack = analysis::Packing::of(table_.getElementType()).pack, last = table_.getShape().back();
  RowSumsShape shape;
  shape.isMoved = isMoved;
  shape.columns = cuts == 1 ? last : static_cast<int64_t>(llvm::divideCeil(last, 128)) / cuts * 128;
  const int64_t each = rowWords(table_, shape.columns, pack) * isa::kWordBytes;
  auto bytes = [&](int64_t n) { return cuts * tableWords(table_, n, shape.columns, pack) * isa::kWordBytes; };
  const double tables = static_cast<double>(model_.hbmCycles(2 * bytes(table_.getDimSize(0)), 1)),
               updates = static_cast<double>(model_.hbmCycles(bytes(rows_), 1));
  const int64_t mostCopies = roundsEach(table_.getElementType(), reducer_) ? 1 : kMostCopies;
  bool fits = false;
  for (int64_t unit : kUnitRows) {
    if (fits) break;  // fewer rows are more steps
    shape.rows = std::min<int64_t>(llvm::alignTo(rows_, 128), std::max<int64_t>(kBlockBytes / each / unit, 1) * unit);
    for (shape.copies = 1; shape.copies <= mostCopies && wordsOf(table_, shape) <= words_; shape.copies *= 2) {
      const double walks =
          cyclesOfWalk(model_, table_, reducer_, rows_, shape) * static_cast<double>(llvm::divideCeil(cuts, cores));
      const double cycles = tables + std::max(walks, updates);
      fits = true;
      if (!best || cycles < best->cycles) best = RowSumsChoice{shape, cycles};
    }
  }
  return fits;
}

}  // namespace

std::optional<RowSumsChoice> chooseRowSums(const timing::MachineModel &model, RankedTensorType table, Reducer reducer,
                                           int64_t rows, int64_t words, bool mayMove) {
  ShapeSearch search(model, table, reducer, rows, words);
  const int64_t tiles = llvm::divideCeil(table.getShape().back(), 128);
  for (int64_t cuts = 1; cuts <= (table.getRank() == 2 ? tiles : 1); ++cuts)
    if (tiles % cuts == 0 && !search.tryCuts(cuts, false) && mayMove && hasWordsOfCopy(table))
      search.tryCuts(cuts, true);
  return search.best;
}

static double cyclesOfVmem(const timing::MachineModel &model) {
  return static_cast<double>(model.hbmCycles(2 * static_cast<int64_t>(model.target().core().vmem_bytes()), 1));
}

double cyclesOfRowsInOrder(const timing::MachineModel &model, RankedTensorType table, int64_t rows) {
  const int64_t row =
      table.getNumElements() / table.getDimSize(0) * analysis::Packing::of(table.getElementType()).bytes;
  return 3.0 * static_cast<double>(rows * model.hbmCycles(row, 1));
}

double cyclesOfRowsOneByOne(const timing::MachineModel &model, RankedTensorType table, int64_t rows) {
  return cyclesOfRowsInOrder(model, table, rows) + static_cast<double>(2 * rows * model.dmaLatency(/*hbm=*/true));
}

std::optional<double> cyclesOfRowSums(const timing::MachineModel &model, RankedTensorType table, Reducer reducer,
                                      int64_t rows) {
  if (!isOfLanes(table.getElementType())) return std::nullopt;
  const auto inShare = chooseRowSums(model, table, reducer, rows, kernelVmemWords(model.target())),
             alone = chooseRowSums(model, table, reducer, rows, vmemBudgetWords(model.target()));
  if (!alone) return std::nullopt;
  const double cycles = alone->cycles + cyclesOfVmem(model);
  return inShare ? std::min(inShare->cycles, cycles) : cycles;
}

// ---- the plan -------------------------------------------------------------------------------------------------------

RowSumsPlan::RowSumsPlan(KernelContext &context, stablehlo::ScatterOp op)
    : context_(context),
      op_(op),
      reducer_(*reducerOfRows(op)),
      type_(typeOf(op.getInputs()[0])),
      updates_(typeOf(op.getUpdates()[0]).getDimSize(0)) {}

bool sumsRows(const KernelContext &context, stablehlo::ScatterOp op) {
  if (!reducesRows(op)) return false;
  for (Value v : {op.getInputs()[0], op.getUpdates()[0]})
    if (!llvm::is_sorted(operandArray(context, v).order)) return false;
  if (!llvm::is_sorted(resultArray(context, 0).order)) return false;
  if (context.plan) return GivenPlan(context).has(kCopies);
  const int64_t rows = typeOf(op.getUpdates()[0]).getDimSize(0);
  RankedTensorType table = typeOf(op.getInputs()[0]);
  const auto choice = chooseRowSums(*context.model, table, *reducerOfRows(op), rows, vmemBudgetWords(context.target));
  return choice && choice->cycles < cyclesOfRowsOneByOne(*context.model, table, rows);
}

int64_t RowSumsPlan::copyRows() const { return tableWords(type_, type_.getDimSize(0) + 1, 1, 1); }

int64_t RowSumsPlan::rowStride() const { return rowWords(type_, shape_.columns, 1); }

int64_t RowSumsPlan::copyWords() const { return tableWords(type_, type_.getDimSize(0) + 1, shape_.columns, 1); }

void RowSumsPlan::bind() {
  const int64_t rank = type_.getRank();
  domain_.dims.assign(1, updates_);
  llvm::append_range(domain_.dims, type_.getShape());
  domain_.block = domain_.dims;
  domain_.cutsTiles = true;
  auto block = [&](const Array &array, const Origin &origin, int64_t first) {
    DimMap map{first};
    for (int64_t d = 2; d <= rank; ++d) map.push_back(d);
    auto out = std::make_unique<ArrayBlock>(array, map);
    out->origin = origin;
    out->view = &domain_;
    domain_.pack = std::max(domain_.pack, array.pack);
    return out;
  };
  Value table = op_.getInputs()[0], updates = op_.getUpdates()[0];
  before_ = block(operandArray(context_, table), operandOrigin(context_, table), 1);
  read_ = block(operandArray(context_, updates), operandOrigin(context_, updates), 0);
  written_ = block(resultArray(context_, 0), context_.results[0], 1);
  written_->isResult = true;
}

// Whether VMEM has the table or the sums already.
bool RowSumsPlan::isResident() const {
  auto stays = [&](const ArrayBlock &block) { return context_.residents.contains(block.origin.buffer); };
  return stays(*before_) || stays(*written_);
}

void RowSumsPlan::take(const RowSumsShape &shape) {
  shape_ = shape;
  domain_.block[0] = shape.rows;
  domain_.block.back() = shape.columns;
  SmallVector<ArrayBlock *> reads{read_.get()}, writes;
  if (!shape.isMoved) {
    reads.insert(reads.begin(), before_.get());
    writes.push_back(written_.get());
  }
  grid_ = std::make_unique<Grid>(domain_, reads, writes, context_.residents);
  grid_->exactTails = true;
  for (int64_t k = 1; k <= type_.getRank(); ++k) grid_->parallel.push_back(k);
  grid_->sequential.push_back(0);
}

int64_t RowSumsPlan::place() {
  copyWord_ = llvm::alignTo(context_.firstWord, 8);
  return context_.vmemWords = grid_->placeBlocks(copyWord_ + shape_.copies * copyWords());
}

static constexpr char kWhat[] = "a table of these sums";

LogicalResult RowSumsPlan::follow() {
  GivenPlan given(context_);
  RowSumsShape shape;
  shape.copies = given.number(kCopies, 0);
  shape.isMoved = given.has(kMoved);
  const int64_t mostCopies = roundsEach(type_.getElementType(), reducer_) ? 1 : kMostCopies;
  if (shape.copies < 1 || shape.copies > mostCopies)
    return given.refuse("1 to " + Twine(mostCopies) + " copies of the table");
  if (shape.isMoved && (!hasWordsOfCopy(type_) || isResident()))
    return given.refuse("a table of two dims and 32 bits in HBM where it is moved");
  shape.rows = domain_.block[0];
  shape.columns = domain_.block.back();
  take(shape);
  SmallVector<int64_t> granules(domain_.dims.size(), 0);
  granules[0] = 128;
  granules.back() = type_.getRank() == 2 ? 128 : 0;
  SmallVector<int64_t> most(domain_.dims);
  most[0] = llvm::alignTo(updates_, 128);
  if (failed(followBlocks(context_, domain_, *grid_, granules, most, kWhat, [&] {
        shape_.rows = domain_.block[0];
        shape_.columns = domain_.block.back();
        return place();
      })))
    return failure();
  if (8 * shape_.rows > smemBudget(context_.target)) return given.refuse("rows whose indices SMEM holds");
  if (llvm::divideCeil(type_.getShape().back(), 128) % llvm::divideCeil(shape_.columns, 128))
    return given.refuse("columns in equal parts");
  return success();
}

// Beside arrays that stay in VMEM, unless their room saves more than they do.
LogicalResult RowSumsPlan::choose() {
  const int64_t budget = vmemBudgetWords(context_.target),
                first = static_cast<int64_t>(llvm::alignTo(context_.firstWord, 8));
  auto chosen = [&](int64_t words) {
    return chooseRowSums(*context_.model, type_, reducer_, updates_, words, !isResident());
  };
  const auto beside = chosen(budget - first), alone = chosen(budget);
  const bool isSlow = context_.isTrial && beside && beside->cycles > alone->cycles + cyclesOfVmem(*context_.model);
  if (!beside || isSlow) return overVmem(context_, op_, kWhat, first + tableWords(type_, type_.getDimSize(0), 128, 1));
  take(beside->shape);
  if (place() > budget) return overVmem(context_, op_, kWhat, context_.vmemWords);
  Choices choices(context_.op->getContext());
  choices.set(kCopies, shape_.copies);
  if (shape_.isMoved) choices.set(kMoved);
  context_.plan = planOf(context_, *grid_, choices);
  return success();
}

LogicalResult RowSumsPlan::plan() {
  bind();
  if (failed(context_.plan ? follow() : choose())) return failure();
  context_.gridSteps = grid_->parallelSteps();
  context_.smemBytes = std::max<int64_t>(context_.smemBytes, 8 * shape_.rows);
  return success();
}

}  // namespace tpuc::plan
