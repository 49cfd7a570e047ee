// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scatters of whole rows. One by one, a row waits for its transfers there and back, as the next may be of the same row.
//
//  1. Where VMEM holds the table, and that is faster, they stay in their order, as arrays of rows
//     (plan/move/row_sums_plan.h).
//  2. Others come in the order of the rows that they name (passes/analysis/sorted_rows.h): equal rows are neighbours,
//     and transfers of many others are under way at once. The sort is stable, so updates of one row keep theirs.
#include "mlir/IR/Builders.h"
#include "passes/analysis/sorted_rows.h"
#include "passes/analysis/target_option.h"
#include "passes/fusion/group.h"
#include "passes/fusion/passes.h"
#include "passes/plan/move/row_scatter_plan.h"
#include "passes/plan/move/row_sums_plan.h"

using namespace mlir;

namespace tpuc::fusion {
#define GEN_PASS_DEF_SORTSCATTERSPASS
#include "passes/fusion/passes.h.inc"
namespace {

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

class SortedScatter {
 public:
  explicit SortedScatter(stablehlo::ScatterOp op)
      : op_(op),
        b_(op),
        loc_(op.getLoc()),
        numbers_(op.getScatterDimensionNumbers()),
        type_(typeOf(op.getInputs()[0])),
        updates_(typeOf(op.getUpdates()[0])) {}

  // Rows that are whole: one index a row, along the first dim; what lanes hold in words that rows share, or not.
  bool isOfRows() {
    Type element = type_.getElementType();
    bool known = element.isIntOrFloat() && !element.isInteger(1) && element.getIntOrFloatBitWidth() >= 8 &&
                 element.getIntOrFloatBitWidth() <= 32;
    if (op_.getInputs().size() != 1 || !known || updates_.getElementType() != element) return false;
    if (type_.getNumElements() == 0 || updates_.getNumElements() == 0) return false;
    Type index = typeOf(op_.getScatterIndices()).getElementType();
    if (!index.isInteger(32) || index.isUnsignedInteger()) return false;
    if (type_.getRank() == 1 && element.getIntOrFloatBitWidth() != 32) return false;
    if (!numbers_.getInputBatchingDims().empty() || numbers_.getScatterDimsToOperandDims() != ArrayRef<int64_t>{0} ||
        numbers_.getInsertedWindowDims() != ArrayRef<int64_t>{0})
      return false;
    ArrayRef<int64_t> window = numbers_.getUpdateWindowDims();
    int64_t batch = updates_.getRank() - static_cast<int64_t>(window.size());
    for (auto [i, d] : llvm::enumerate(window))
      if (d != batch + static_cast<int64_t>(i) || updates_.getDimSize(d) != type_.getDimSize(i + 1)) return false;
    return true;
  }

  // Whether VMEM holds the table, and that is faster than rows in order. Elements become rows of one, which are written
  // and read again.
  bool sumsUp(const timing::MachineModel &model) {
    const auto reducer = plan::reducerOfRows(op_);
    auto sums = reducer ? plan::cyclesOfRowSums(model, tableOfRows(), *reducer, rows()) : std::nullopt;
    if (sums && type_.getRank() == 1)
      *sums += static_cast<double>(model.hbmCycles(2 * isa::kWordBytes * (rows() + 2 * type_.getDimSize(0)), 1));
    return sums && *sums < plan::cyclesOfRowsInOrder(model, type_, rows());
  }

  // Makes arrays of rows, and of the rows' numbers.
  void flatten() {
    const RankedTensorType table = tableOfRows();
    SmallVector<int64_t> shape(table.getShape()), window = llvm::to_vector(llvm::seq<int64_t>(1, table.getRank()));
    shape[0] = rows();
    auto put = stablehlo::ScatterDimensionNumbersAttr::get(b_.getContext(), window, {0}, {}, {}, {0}, 1);
    auto made =
        stablehlo::ScatterOp::create(b_, loc_, TypeRange(table), reshape(op_.getInputs()[0], table.getShape()),
                                     reshape(op_.getScatterIndices(), {rows()}), reshape(op_.getUpdates()[0], shape),
                                     put, op_.getIndicesAreSorted(), op_.getUniqueIndices());
    made.getUpdateComputation().takeBody(op_.getUpdateComputation());
    op_.getResult(0).replaceAllUsesWith(reshape(made.getResult(0), type_.getShape()));
    op_.erase();
  }

  bool fits(int64_t vmemBytes) { return plan::leastRowScatterBytes(type_) <= vmemBytes; }

  int64_t rows() {
    int64_t n = 1;
    for (int64_t d = 0; d < updates_.getRank() - static_cast<int64_t>(numbers_.getUpdateWindowDims().size()); ++d)
      n *= updates_.getDimSize(d);
    return n;
  }

  void rewrite() {
    int64_t n = rows();
    auto positions = RankedTensorType::get({n}, b_.getI32Type());
    Value iota = stablehlo::IotaOp::create(b_, loc_, positions, 0);
    auto sorted = sort(keys(n), iota);
    SmallVector<int64_t> shape(type_.getShape()), one(shape);
    shape[0] = n;
    one[0] = 1;
    SmallVector<int64_t> window = llvm::to_vector(llvm::seq<int64_t>(1, type_.getRank()));
    auto take = stablehlo::GatherDimensionNumbersAttr::get(b_.getContext(), window, {0}, {}, {}, {0}, 1);
    Value inOrder =
        stablehlo::GatherOp::create(b_, loc_, type_.clone(shape), reshape(op_.getUpdates()[0], shape),
                                    sorted.getResult(1), take, b_.getDenseI64ArrayAttr(one), b_.getBoolAttr(false));
    auto put = stablehlo::ScatterDimensionNumbersAttr::get(b_.getContext(), window, {0}, {}, {}, {0}, 1);
    auto made = stablehlo::ScatterOp::create(b_, loc_, TypeRange(type_), op_.getInputs(), sorted.getResult(0), inOrder,
                                             put, /*indices_are_sorted=*/true, /*unique_indices=*/false);
    made.getUpdateComputation().takeBody(op_.getUpdateComputation());
    made->setAttr(analysis::kSortedRowsAttr, b_.getUnitAttr());
    op_.getResult(0).replaceAllUsesWith(made.getResult(0));
    op_.erase();
  }

 private:
  // The number of each row; the first one behind the last for those out of range.
  Value keys(int64_t n) {
    Value v = reshape(op_.getScatterIndices(), {n});
    int64_t last = type_.getDimSize(0) - 1;
    Value inside = stablehlo::AndOp::create(b_, loc_, compare(v, splat(v, 0), stablehlo::ComparisonDirection::GE),
                                            compare(v, splat(v, last), stablehlo::ComparisonDirection::LE));
    return stablehlo::SelectOp::create(b_, loc_, inside, v, splat(v, last + 1));
  }

  RankedTensorType tableOfRows() const { return type_.getRank() == 1 ? type_.clone({type_.getDimSize(0), 1}) : type_; }

  Value reshape(Value v, ArrayRef<int64_t> shape) {
    if (typeOf(v).getShape() == shape) return v;
    return stablehlo::ReshapeOp::create(b_, loc_, typeOf(v).clone(shape), v);
  }
  Value splat(Value like, int64_t value) {
    return stablehlo::ConstantOp::create(
        b_, loc_, cast<ElementsAttr>(DenseElementsAttr::get(typeOf(like), b_.getI32IntegerAttr(value))));
  }
  Value compare(Value x, Value y, stablehlo::ComparisonDirection direction) {
    return stablehlo::CompareOp::create(b_, loc_, x, y, direction);
  }

  stablehlo::SortOp sort(Value keys, Value positions) {
    auto scalar = RankedTensorType::get({}, b_.getI32Type());
    auto out = stablehlo::SortOp::create(b_, loc_, TypeRange{keys.getType(), positions.getType()},
                                         ValueRange{keys, positions}, /*dimension=*/0, /*is_stable=*/true);
    OpBuilder::InsertionGuard guard(b_);
    Block *body = b_.createBlock(&out.getComparator(), {}, {scalar, scalar, scalar, scalar}, {loc_, loc_, loc_, loc_});
    Value less = compare(body->getArgument(0), body->getArgument(1), stablehlo::ComparisonDirection::LT);
    stablehlo::ReturnOp::create(b_, loc_, less);
    return out;
  }

  stablehlo::ScatterOp op_;
  OpBuilder b_;
  Location loc_;
  stablehlo::ScatterDimensionNumbersAttr numbers_;
  RankedTensorType type_, updates_;
};

struct SortScatters : impl::SortScattersPassBase<SortScatters> {
  using SortScattersPassBase::SortScattersPassBase;
  void runOnOperation() override {
    target::Target machine;
    if (failed(analysis::loadTarget(getOperation(), target, sets, machine))) return signalPassFailure();
    const int64_t vmemBytes = roomOn(machine).vmemBytes;
    const timing::MachineModel model(machine);
    SmallVector<stablehlo::ScatterOp> scatters;
    getOperation().walk([&](stablehlo::ScatterOp op) { scatters.push_back(op); });
    for (stablehlo::ScatterOp op : scatters) {
      op->removeAttr(analysis::kSortedRowsAttr);  // nobody's word but ours
      SortedScatter scatter(op);
      // One by one a row takes two transfers' latencies; in order, a sort and its numbers are kernels more.
      if (!scatter.isOfRows() || scatter.rows() * 2 * latency <= 3 * kernelTime) continue;
      if (scatter.sumsUp(model))
        scatter.flatten();
      else if (scatter.fits(vmemBytes))
        scatter.rewrite();
    }
  }
};

}  // namespace
}  // namespace tpuc::fusion
