// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of lookups: a vector comes to VMEM once, rows with the indices and results of their blocks.
#include "passes/plan/move/lookup_plan.h"

#include "passes/analysis/strides.h"
#include "passes/plan/move/index_array.h"

using namespace mlir;

namespace tpuc::plan {

void LookupPlan::bind() {
  map_ = bindElements(op_);
  for (int64_t k = 0; k < static_cast<int64_t>(domain_.dims.size()); ++k)
    if (!domain_.linear || k == domain_.r()) walked_.push_back(k);
  indices_ = operandBlock(op_.getStartIndices(), map_, &domain_);
  if (isOfRows()) {
    DimMap rows(map_);
    rows.back() = kUnit;
    table_ = operandBlock(op_.getOperand(), rows, &domain_);
  }
  makeEpilogueBlocks();
}

int64_t LookupPlan::place() {
  space_.domain.block = domain_.block;
  tableWord_ = context_.firstWord;
  if (isOfRows()) return grid_->placeBlocks(tableWord_);
  return grid_->placeBlocks(tableWord_ + llvm::alignTo(rows_, 8));
}

LogicalResult LookupPlan::chooseBlocks() {
  if (isOfRows())
    makeGrid({indices_.get(), table_.get()});
  else
    makeGrid({indices_.get()});
  grid_->exactTails = true;
  grid_->parallel = walked_;
  const bool isTableLarger = isOfRows() && size_ > domain_.dims[domain_.c()];
  return cutBlocks(isTableLarger ? *table_ : *indices_, walked_, 1024, "a block of these lookups",
                   [&] { return place(); });
}

LogicalResult LookupPlan::plan() {
  bind();
  return chooseBlocks();
}

// ---- what pays ------------------------------------------------------------------------------------------------------

// What a vreg of the result takes for each row of the table that it walks: a permutation on the cross-lane unit, and
// vector instructions that compare and select.
constexpr double kTurns = 1, kVectorOps = 3;
// Scalar instructions that look for an index among parts of the indices.
constexpr double kFindsPart = 15;

static int64_t vregsOf(RankedTensorType type) {
  ArrayRef<int64_t> shape = type.getShape();
  if (shape.size() < 2) return llvm::divideCeil(type.getNumElements(), 1024);
  int64_t n = llvm::divideCeil(shape.back(), 128) * llvm::divideCeil(shape[shape.size() - 2], 8);
  for (int64_t extent : shape.drop_back(2)) n *= extent;
  return n;
}

std::optional<double> cyclesOfLookups(const timing::MachineModel &model, RankedTensorType table,
                                      RankedTensorType result) {
  const target::Target &target = model.target();
  const target::Core &core = target.core();
  const int cores = static_cast<int>(target.cores());
  const bool isOfRows = table.getRank() > 1;
  const int64_t rows = llvm::divideCeil(table.getShape().back(), 128);
  // A vector in rows of 128, a word each; of an array two blocks of 8 rows.
  const int64_t words = isOfRows ? rows * 16 : rows;
  if (table.getShape().back() > kernel::kLargestTable || words > kernelVmemWords(target) / 2) return std::nullopt;
  const double row = std::max(kTurns * core.xlu_cycles() / core.xlu_slots(), kVectorOps / core.valu_slots());
  const double turns = static_cast<double>(vregsOf(result)) * static_cast<double>(rows) * row / cores;
  const int64_t bytes = (isOfRows ? vregsOf(table) * isa::kVregBytes : words * isa::kWordBytes * cores) +
                        2 * vregsOf(result) * isa::kVregBytes;
  return std::max(turns, static_cast<double>(model.hbmCycles(bytes, 1)));
}

double cyclesOfTransfers(const timing::MachineModel &model, stablehlo::GatherOp op) {
  RankedTensorType indices = typeOf(op.getStartIndices());
  SmallVector<int64_t> shape(indices.getShape());
  const int64_t vectorDim = op.getDimensionNumbers().getIndexVectorDim(),
                components = vectorDim < indices.getRank() ? indices.getDimSize(vectorDim) : 1,
                windows = indices.getNumElements() / std::max<int64_t>(components, 1);
  // A window's runs along its last dim, a granule each at least. Where it begins within lanes they are its elements.
  const auto granule = static_cast<int64_t>(model.target().memory().hbm_granule_bytes());
  const int64_t last = typeOf(op.getOperand()).getRank() - 1, lanes = op.getSliceSizes().back();
  const bool isWithin = llvm::is_contained(op.getDimensionNumbers().getStartIndexMap(), last) &&
                        lanes != typeOf(op.getOperand()).getDimSize(last);
  int64_t runs = isWithin ? lanes : 1;
  for (int64_t n : op.getSliceSizes().drop_back()) runs *= n;
  const int64_t run = (isWithin ? 1 : lanes) * analysis::Packing::of(elementOf(op)).bytes;
  const double moves = static_cast<double>(windows * model.hbmCycles(runs * std::max(run, granule), 1));
  if (holdsIndices(model.target(), indices.getNumElements())) return moves;
  // Parts of them come as they lie, padded; by then there are no dims of one element.
  llvm::erase(shape, 1);
  const int64_t parts = llvm::divideCeil(vregsOf(indices.clone(shape)) * isa::kVregBytes, kIndexPart);
  return moves + static_cast<double>(windows) * kFindsPart +
         static_cast<double>(parts * model.dmaLatency(/*hbm=*/true));
}

// A vector, or rows whose other dims are batches in the result's order.
static bool isOfVectors(stablehlo::GatherOp op) {
  auto numbers = op.getDimensionNumbers();
  const int64_t rank = typeOf(op.getOperand()).getRank(), last = rank - 1;
  if (rank == 0 || (rank > 1 && typeOf(op).getRank() != rank) || numbers.getStartIndexMap() != ArrayRef(last) ||
      !numbers.getOffsetDims().empty())
    return false;
  auto areFirst = [&](ArrayRef<int64_t> dims) { return llvm::equal(dims, llvm::seq<int64_t>(0, last)); };
  return areFirst(numbers.getOperandBatchingDims()) && areFirst(numbers.getStartIndicesBatchingDims());
}

bool isLookup(kernel::FusionOp fusion, stablehlo::GatherOp op) {
  // Indices and elements lie alike.
  for (ArrayAttr orders : {fusion.getInputOrdersAttr(), fusion.getResultOrdersAttr()})
    for (Attribute order : orders ? orders.getValue() : ArrayRef<Attribute>())
      if (!llvm::is_sorted(cast<DenseI64ArrayAttr>(order).asArrayRef())) return false;
  auto table = typeOf(op.getOperand()), indices = typeOf(op.getStartIndices());
  bool plain = isOfVectors(op) && indices.getShape() == typeOf(op.getResult()).getShape() && indices.getRank() > 0 &&
               llvm::none_of(indices.getShape(), [](int64_t n) { return n == 1; });
  auto isWord = [](Type t) { return t.isIntOrFloat() && t.getIntOrFloatBitWidth() == 32; };
  return plain && op.getDimensionNumbers().getIndexVectorDim() == indices.getRank() && table.getNumElements() > 0 &&
         table.getShape().back() <= kernel::kLargestTable && isWord(table.getElementType()) &&
         isWord(indices.getElementType());
}

}  // namespace tpuc::plan
