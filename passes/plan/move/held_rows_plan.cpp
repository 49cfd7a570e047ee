// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many columns of a table VMEM holds while rows are taken of it, and what that takes.
#include "passes/plan/move/held_rows_plan.h"

#include "passes/analysis/strides.h"
#include "passes/plan/grid/grid_plan.h"
#include "passes/plan/move/index_array.h"

using namespace mlir;

namespace tpuc::plan {

constexpr StringRef kTableInVmem = "table_in_vmem";  // of a plan
constexpr int64_t kBlockBytes = 1 << 19;             // of the result, about
constexpr int64_t kUnitRows = 128;                   // what a block is a multiple of
constexpr double kScalarOps = 3;                     // of a row: its index, inside of the table
constexpr double kPutTogether = 2;                   // vector instructions for each further row of a word
constexpr char kWhat[] = "a table that rows are taken of";

static RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

static int64_t packOf(RankedTensorType table) { return analysis::Packing::of(table.getElementType()).pack; }

// ---- what it takes --------------------------------------------------------------------------------------------------

// Words of so many rows, `perWord` of which share one.
static int64_t wordsOf(RankedTensorType table, int64_t rows, int64_t columns, int64_t perWord) {
  return static_cast<int64_t>(llvm::divideCeil(columns, 128) * llvm::alignTo(rows, 8 * packOf(table))) / perWord;
}

namespace {
struct Choice {
  int64_t columns = 0, rows = 0;
  double cycles = 0;
};
}  // namespace

// Cuts the columns into the fewest parts that fit: all rows are walked for each part.
static std::optional<Choice> choose(const timing::MachineModel &model, RankedTensorType table, int64_t rows,
                                    int64_t words) {
  const target::Core &core = model.target().core();
  const auto cores = static_cast<int64_t>(model.target().cores());
  const int64_t pack = packOf(table), last = table.getDimSize(1), tiles = llvm::divideCeil(last, 128);
  for (int64_t cuts = 1; cuts <= tiles; ++cuts) {
    if (tiles % cuts) continue;
    Choice choice;
    choice.columns = cuts == 1 ? last : tiles / cuts * 128;
    const int64_t each = tiles / cuts * 128 * (4 / pack), held = wordsOf(table, table.getDimSize(0), choice.columns, 1);
    choice.rows = std::min<int64_t>(llvm::alignTo(rows, kUnitRows),
                                    std::max<int64_t>(kBlockBytes / each / kUnitRows, 1) * kUnitRows);
    if (8 * choice.rows > smemBudget(model.target())) choice.rows = kUnitRows;
    const int64_t slots = cuts == 1 ? 1 : 2;
    if (slots * held / pack + (pack > 1 ? held : 0) + 2 * wordsOf(table, choice.rows, choice.columns, pack) + 8 > words)
      continue;
    const double loads = static_cast<double>(tiles) / static_cast<double>(cuts),
                 together = kPutTogether * static_cast<double>(pack - 1) / static_cast<double>(pack),
                 row = std::max({kScalarOps / core.scalar_slots(), loads / core.vload_slots(),
                                 loads / static_cast<double>(pack) / core.vstore_slots(),
                                 loads * together / core.valu_slots()}),
                 unpacks = pack > 1 ? static_cast<double>(held) / 8 : 0;
    const double walks =
        (static_cast<double>(rows) * row / static_cast<double>(cores) + unpacks) * static_cast<double>(cuts);
    const int64_t tableBytes = wordsOf(table, table.getDimSize(0), last, pack) * isa::kWordBytes,
                  resultBytes = wordsOf(table, rows, last, pack) * isa::kWordBytes;
    // The table and indices, then the result.
    choice.cycles = static_cast<double>(model.hbmCycles(tableBytes * cores, 1) + 3 * model.dmaLatency(/*hbm=*/true)) +
                    std::max(walks, static_cast<double>(model.hbmCycles(resultBytes, 1)));
    return choice;
  }
  return std::nullopt;
}

static double cyclesOfVmem(const timing::MachineModel &model) {
  return static_cast<double>(model.hbmCycles(2 * static_cast<int64_t>(model.target().core().vmem_bytes()), 1));
}

std::optional<double> cyclesOfHeldRows(const timing::MachineModel &model, RankedTensorType table, int64_t rows) {
  const auto inShare = choose(model, table, rows, kernelVmemWords(model.target())),
             alone = choose(model, table, rows, vmemBudgetWords(model.target()));
  if (!alone) return std::nullopt;
  const double cycles = alone->cycles + cyclesOfVmem(model);
  return inShare ? std::min(inShare->cycles, cycles) : cycles;
}

double cyclesOfRowTransfers(const timing::MachineModel &model, RankedTensorType table, int64_t rows) {
  const int64_t granule = static_cast<int64_t>(model.target().memory().hbm_granule_bytes()),
                row = llvm::divideCeil(table.getDimSize(1), 128) * granule;
  return static_cast<double>(rows * model.hbmCycles(row, 1)) / static_cast<double>(model.target().cores()) +
         static_cast<double>(2 * model.dmaLatency(/*hbm=*/true));
}

// ---- the plan -------------------------------------------------------------------------------------------------------

HeldRowsPlan::HeldRowsPlan(KernelContext &context, stablehlo::GatherOp op)
    : context_(context), op_(op), type_(typeOf(op.getOperand())), count_(typeOf(op).getDimSize(0)) {}

// A row of a matrix for each index of a vector.
static bool isOfRows(const KernelContext &context, stablehlo::GatherOp op) {
  RankedTensorType table = typeOf(op.getOperand()), indices = typeOf(op.getStartIndices()), result = typeOf(op);
  Type element = table.getElementType();
  if (table.getRank() != 2 || result.getRank() != 2 || indices.getRank() != 1 || table.getNumElements() == 0 ||
      result.getNumElements() == 0 || !indices.getElementType().isSignlessInteger(32) || !element.isIntOrFloat() ||
      element.isInteger(1) || !llvm::is_contained({8U, 16U, 32U}, element.getIntOrFloatBitWidth()))
    return false;
  auto numbers = op.getDimensionNumbers();
  if (numbers.getStartIndexMap() != ArrayRef<int64_t>{0} || numbers.getCollapsedSliceDims() != ArrayRef<int64_t>{0} ||
      numbers.getOffsetDims() != ArrayRef<int64_t>{1} || !numbers.getOperandBatchingDims().empty() ||
      numbers.getIndexVectorDim() != 1 || op.getSliceSizes() != ArrayRef<int64_t>{1, table.getDimSize(1)})
    return false;
  return llvm::is_sorted(operandArray(context, op.getOperand()).order) &&
         llvm::is_sorted(resultArray(context, 0).order);
}

// Beside arrays that stay in VMEM; and alone, where their room saves more than they do.
static std::pair<std::optional<Choice>, bool> choices(const KernelContext &context, stablehlo::GatherOp op) {
  const timing::MachineModel &model = *context.model;
  RankedTensorType table = typeOf(op.getOperand());
  const int64_t rows = typeOf(op).getDimSize(0), budget = vmemBudgetWords(context.target),
                first = static_cast<int64_t>(llvm::alignTo(context.firstWord, 8));
  const double transfers = cyclesOfRowTransfers(model, table, rows);
  auto beside = choose(model, table, rows, budget - first), alone = choose(model, table, rows, budget);
  if (beside && beside->cycles >= transfers) beside.reset();
  const bool wantsRoom =
      context.isTrial && alone && alone->cycles + cyclesOfVmem(model) < (beside ? beside->cycles : transfers);
  return {beside, wantsRoom};
}

bool takesHeldRows(const KernelContext &context, stablehlo::GatherOp op) {
  if (!isOfRows(context, op)) return false;
  if (context.plan) return GivenPlan(context).has(kTableInVmem);
  auto [beside, wantsRoom] = choices(context, op);
  return beside || wantsRoom;
}

int64_t HeldRowsPlan::copyRows() const { return wordsOf(type_, type_.getDimSize(0), 1, 1); }

void HeldRowsPlan::bind() {
  domain_.dims = {count_, type_.getDimSize(0), type_.getDimSize(1)};
  domain_.block = domain_.dims;
  domain_.cutsTiles = true;
  auto block = [&](const Array &array, const Origin &origin, int64_t first) {
    auto out = std::make_unique<ArrayBlock>(array, DimMap{first, 2});
    out->origin = origin;
    out->view = &domain_;
    domain_.pack = std::max(domain_.pack, array.pack);
    return out;
  };
  table_ = block(operandArray(context_, op_.getOperand()), operandOrigin(context_, op_.getOperand()), 1);
  written_ = block(resultArray(context_, 0), context_.results[0], 0);
  written_->isResult = true;
  grid_ = std::make_unique<Grid>(domain_, ArrayRef<ArrayBlock *>(table_.get()), ArrayRef<ArrayBlock *>(written_.get()),
                                 context_.residents);
  grid_->exactTails = true;
  grid_->parallel = {1, 2, 0};  // all rows of a part of the columns, then the next part
}

int64_t HeldRowsPlan::place() {
  rows_ = domain_.block[0];
  columns_ = domain_.block[2];
  copyWord_ = llvm::alignTo(context_.firstWord, 8);
  const int64_t copy = packOf(type_) > 1 ? wordsOf(type_, type_.getDimSize(0), columns_, 1) : 0;
  return context_.vmemWords = grid_->placeBlocks(copyWord_ + copy);
}

LogicalResult HeldRowsPlan::choose() {
  auto [beside, wantsRoom] = choices(context_, op_);
  const int64_t budget = vmemBudgetWords(context_.target),
                least = static_cast<int64_t>(llvm::alignTo(context_.firstWord, 8)) +
                        wordsOf(type_, type_.getDimSize(0), 128, 1);
  if (!beside || wantsRoom) return overVmem(context_, op_, kWhat, least);
  domain_.block[0] = beside->rows;
  domain_.block[2] = beside->columns;
  if (place() > budget) return overVmem(context_, op_, kWhat, context_.vmemWords);
  Choices choices(context_.op->getContext());
  choices.set(kTableInVmem);
  context_.plan = planOf(context_, *grid_, choices);
  return success();
}

LogicalResult HeldRowsPlan::plan() {
  bind();
  if (context_.plan) {
    GivenPlan given(context_);
    SmallVector<int64_t> most(domain_.dims);
    most[0] = llvm::alignTo(count_, kUnitRows);
    if (failed(followBlocks(context_, domain_, *grid_, {kUnitRows, 0, 128}, most, kWhat, [&] { return place(); })))
      return failure();
    if (8 * rows_ > smemBudget(context_.target)) return given.refuse("rows whose indices SMEM holds");
  } else if (failed(choose())) {
    return failure();
  }
  context_.gridSteps = grid_->parallelSteps();
  context_.smemBytes = std::max<int64_t>(context_.smemBytes, 8 * rows_);
  return success();
}

}  // namespace tpuc::plan
