// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scatters and gathers of whole rows that several numbers name, those of batches or of an index's components, as ones
// of an array whose rows have one number each. Only such rows are brought in order, are summed up in VMEM, or are put
// together from words that they share.
//
//  1. The operand's leading dims are batches, or an index has one place of each; windows have all of the others.
//  2. The leading dims become one. Where the last of them lies under the tile and does not fill it, it is padded first:
//     the joined array has the same bytes then.
//  3. A row's number is the sum of its indices times their strides. A gather's indices are clamped. In a scatter, an
//     index that is out of range makes the number that follows the last row's.
#include "dialects/kernel/kernel.h"
#include "passes/analysis/strides.h"
#include "passes/analysis/target_option.h"
#include "passes/builders/build.h"
#include "passes/fusion/passes.h"
#include "passes/plan/move/held_rows_plan.h"
#include "passes/plan/move/index_array.h"
#include "passes/plan/move/row_sums_plan.h"

using namespace mlir;

namespace tpuc::fusion {
using namespace builders;
#define GEN_PASS_DEF_NUMBERROWSPASS
#include "passes/fusion/passes.h.inc"
namespace {

// What names rows: for each component of the index vectors a dim of the operand, and batches of both.
struct Names {
  Value indices;
  ArrayRef<int64_t> indexed, batches, indexBatches;
  int64_t vectorDim;
};

class Rows {
 public:
  Rows(Operation *op, RankedTensorType type, const Names &names)
      : b_(op),
        build_{b_, op->getLoc()},
        type_(type),
        names_(names),
        lead_(static_cast<int64_t>(names.indexed.size() + names.batches.size())) {
    for (int64_t d = 0; d < typeOf(names.indices).getRank(); ++d)
      if (d != names.vectorDim) shape_.push_back(typeOf(names.indices).getDimSize(d));
  }

  // Whether the leading dims are what is named; `dropped`: the dims that are no window's, but for batches.
  bool areNamed(ArrayRef<int64_t> dropped) {
    Type element = type_.getElementType();
    const bool known = element.isIntOrFloat() && !element.isInteger(1) && element.getIntOrFloatBitWidth() >= 8 &&
                       element.getIntOrFloatBitWidth() <= 32;
    if (!known || !type_.hasStaticShape() || type_.getNumElements() == 0 || lead_ >= type_.getRank() ||
        !typeOf(names_.indices).getElementType().isSignlessInteger(32) || names_.indexed.empty())
      return false;
    auto isLeading = [&](int64_t d) { return d < lead_; };
    if (!llvm::all_of(names_.indexed, isLeading) || !llvm::all_of(names_.batches, isLeading) ||
        dropped.size() != names_.indexed.size() ||
        !llvm::all_of(dropped, [&](int64_t d) { return llvm::is_contained(names_.indexed, d); }))
      return false;
    joinDims();
    return joined_.getDimSize(0) < INT32_MAX;
  }
  // Whether dims of an array of windows, from `first` on, are the operand's others.
  bool areWhole(ArrayRef<int64_t> windows, ArrayRef<int64_t> sizes) {
    const auto first = static_cast<int64_t>(shape_.size());
    return llvm::equal(windows, llvm::seq<int64_t>(first, first + static_cast<int64_t>(windows.size()))) &&
           sizes == type_.getShape().drop_front(lead_);
  }

  bool areSeveral() const { return lead_ > 1; }
  bool haveSeveralDims() const { return shape_.size() > 1; }
  RankedTensorType joinedType() const { return joined_; }
  bool isPadded() const { return padded_ != type_; }
  int64_t count() const { return llvm::product_of(shape_); }
  ArrayRef<int64_t> shape() const { return shape_; }
  // The numbers' dims where those under tiles of rows fill them: rows of whole tiles are as many in one dim.
  SmallVector<int64_t> filledShape() const {
    SmallVector<int64_t> shape(shape_);
    const int64_t tile = 8 * analysis::Packing::of(type_.getElementType()).pack;
    if (!shape.empty()) shape.back() = static_cast<int64_t>(llvm::alignTo(shape.back(), tile));
    return shape;
  }

  Value joined(Value v) {
    DenseElementsAttr value;
    if (matchPattern(v, m_Constant(&value)) && value.isSplat())
      return build_.splat(joined_, value.getSplatValue<Attribute>());
    const SmallVector<int64_t> none(type_.getRank(), 0);
    SmallVector<int64_t> high(none);
    high[lead_ - 1] = padded_.getDimSize(lead_ - 1) - type_.getDimSize(lead_ - 1);
    return build_.reshape(build_.pad(v, build_.zero(type_.getElementType()), none, high, none), joined_.getShape());
  }
  Value parted(Value v) {
    const SmallVector<int64_t> first(type_.getRank(), 0), step(type_.getRank(), 1);
    return build_.slice(build_.reshape(v, padded_.getShape()), first, type_.getShape(), step);
  }

  // The rows' numbers.
  Value numbers(bool clamps) {
    Value sum, inside;
    int64_t stride = 1;
    for (int64_t d = lead_ - 1; d >= 0; stride *= padded_.getDimSize(d--)) {
      Value at = place(d);
      if (llvm::is_contained(names_.indexed, d)) {
        Value last = splat(type_.getDimSize(d) - 1),
              within = stablehlo::ClampOp::create(b_, build_.loc, splat(0), at, last);
        if (!clamps) inside = both(inside, areEqual(at, within));
        at = within;
      }
      if (stride != 1) at = stablehlo::MulOp::create(b_, build_.loc, at, splat(stride));
      sum = sum ? Value(stablehlo::AddOp::create(b_, build_.loc, sum, at)) : at;
    }
    return inside ? Value(stablehlo::SelectOp::create(b_, build_.loc, inside, sum, splat(joined_.getDimSize(0)))) : sum;
  }

 private:
  void joinDims() {
    SmallVector<int64_t> shape(type_.getShape());
    const int64_t tile = 8 * analysis::Packing::of(type_.getElementType()).pack;
    if (lead_ + 1 == type_.getRank()) shape[lead_ - 1] = static_cast<int64_t>(llvm::alignTo(shape[lead_ - 1], tile));
    padded_ = type_.clone(shape);
    SmallVector<int64_t> joined{llvm::product_of(ArrayRef(shape).take_front(lead_))};
    llvm::append_range(joined, type_.getShape().drop_front(lead_));
    joined_ = type_.clone(joined);
  }
  RankedTensorType numbersType() { return RankedTensorType::get(shape_, b_.getI32Type()); }
  Value splat(int64_t value) { return build_.splat(numbersType(), value); }
  Value areEqual(Value x, Value y) {
    return stablehlo::CompareOp::create(b_, build_.loc, x, y, stablehlo::ComparisonDirection::EQ);
  }
  Value both(Value x, Value y) { return x ? Value(stablehlo::AndOp::create(b_, build_.loc, x, y)) : y; }
  // Each row's place along a dim.
  Value place(int64_t d) {
    if (const auto *at = llvm::find(names_.indexed, d); at != names_.indexed.end())
      return build_.component(names_.indices, names_.vectorDim, at - names_.indexed.begin());
    const int64_t i = names_.indexBatches[llvm::find(names_.batches, d) - names_.batches.begin()];
    return stablehlo::IotaOp::create(b_, build_.loc, numbersType(), i - (i > names_.vectorDim));
  }

  OpBuilder b_;
  Build build_;
  RankedTensorType type_, padded_, joined_;
  Names names_;
  int64_t lead_;                // dims that become one
  SmallVector<int64_t> shape_;  // of the indices, without that of their components
};

// Whether no row waits for another: each takes the place of what was there, and is of a batch of its own, or the
// program says that all are different.
bool areApart(stablehlo::ScatterOp op) {
  Block &body = op.getUpdateComputation().front();
  if (body.getTerminator()->getOperand(0) != body.getArgument(1)) return false;
  auto n = op.getScatterDimensionNumbers();
  RankedTensorType indices = typeOf(op.getScatterIndices());
  return op.getUniqueIndices() || llvm::all_of(llvm::seq<int64_t>(0, indices.getRank()), [&](int64_t d) {
           return d == n.getIndexVectorDim() || indices.getDimSize(d) == 1 ||
                  llvm::is_contained(n.getScatterIndicesBatchingDims(), d);
         });
}

struct NumberRows : impl::NumberRowsPassBase<NumberRows> {
  using NumberRowsPassBase::NumberRowsPassBase;

  // Cycles to copy the table into a padded one, and the part without padding back.
  double cyclesToPad(const timing::MachineModel &model, const Rows &rows, int64_t times) {
    if (!rows.isPadded()) return 0;
    const RankedTensorType type = rows.joinedType();
    const int64_t bytes = type.getNumElements() * analysis::Packing::of(type.getElementType()).bytes;
    return static_cast<double>(times * (model.hbmCycles(2 * bytes, 1) + 3 * model.dmaLatency(/*hbm=*/true)));
  }

  void scatter(stablehlo::ScatterOp op, const timing::MachineModel &model) {
    auto n = op.getScatterDimensionNumbers();
    auto type = typeOf(op.getInputs()[0]), updates = typeOf(op.getUpdates()[0]);
    const Names names{op.getScatterIndices(), n.getScatterDimsToOperandDims(), n.getInputBatchingDims(),
                      n.getScatterIndicesBatchingDims(), n.getIndexVectorDim()};
    Rows rows(op, type, names);
    ArrayRef<int64_t> windows = n.getUpdateWindowDims();
    if (op.getInputs().size() != 1 || updates.getElementType() != type.getElementType() ||
        !rows.areNamed(n.getInsertedWindowDims()) || !rows.areSeveral() ||
        !rows.areWhole(windows, updates.getShape().take_back(windows.size())) || rows.count() == 0 || areApart(op))
      return;
    const RankedTensorType joined = rows.joinedType();
    const auto reducer = plan::reducerOfRows(op);
    const auto sums = reducer ? plan::cyclesOfRowSums(model, joined, *reducer, rows.count()) : std::nullopt;
    const double inOrder = plan::cyclesOfRowsInOrder(model, joined, rows.count()),
                 oneByOne = plan::cyclesOfRowsOneByOne(model, joined, rows.count());
    if (std::min(sums.value_or(inOrder), inOrder) + cyclesToPad(model, rows, 2) >= oneByOne) return;
    OpBuilder b(op);
    Value numbers = rows.numbers(/*clamps=*/false);
    auto put = stablehlo::ScatterDimensionNumbersAttr::get(op.getContext(), windows, {0}, {}, {}, {0},
                                                           typeOf(numbers).getRank());
    // All places out of range have one number.
    auto made = stablehlo::ScatterOp::create(b, op.getLoc(), TypeRange(joined), rows.joined(op.getInputs()[0]), numbers,
                                             op.getUpdates(), put, /*indices_are_sorted=*/false,
                                             /*unique_indices=*/false);
    made.getUpdateComputation().takeBody(op.getUpdateComputation());
    op.getResult(0).replaceAllUsesWith(rows.parted(made.getResult(0)));
    op.erase();
  }

  // Whether so many of a matrix's rows are taken sooner where VMEM may hold it; `more`: bytes that are moved for it.
  bool wouldHoldRows(const timing::MachineModel &model, const Rows &rows, int64_t count, int64_t more) {
    RankedTensorType table = rows.joinedType();
    const auto held = table.getRank() == 2 ? plan::cyclesOfHeldRows(model, table, count) : std::nullopt;
    return held && *held + cyclesToPad(model, rows, 1) + static_cast<double>(model.hbmCycles(more, 1)) <
                       plan::cyclesOfRowTransfers(model, table, rows.count());
  }

  // What a gather of numbered rows takes.
  struct Taken {
    SmallVector<int64_t> numbers;  // dims of the rows' numbers
    RankedTensorType type;
    bool fills = false;   // rows that the program does not ask for are among them, so that they fill tiles
    bool isFlat = false;  // the numbers become one dim
  };

  // Where rows share words, only ones of one number are put together from them. Of indices that SMEM does not hold,
  // parts of a vector have many more than parts of an array's tiles. A table is padded only to be held.
  std::optional<Taken> takenBy(stablehlo::GatherOp op, const timing::MachineModel &model, const Rows &rows) {
    const RankedTensorType joined = rows.joinedType();
    auto flatOf = [&](int64_t count) {
      SmallVector<int64_t> sizes(joined.getShape());
      sizes[0] = count;
      return joined.clone(sizes);
    };
    const SmallVector<int64_t> filled = rows.filledShape();
    const int64_t count = rows.count(), all = llvm::product_of(filled);
    const bool fills = rows.areSeveral() && joined.getRank() == 2 && count != all &&
                       wouldHoldRows(model, rows, all, 2 * flatOf(all).getNumElements() * 4);
    if (fills) return Taken{filled, flatOf(all), fills, /*isFlat=*/true};
    const bool isFlat = kernel::haveSameBytes(flatOf(count), typeOf(op)),
               becomesFlat = isFlat && (rows.haveSeveralDims() || rows.areSeveral()),
               sharesWords = analysis::Packing::of(joined.getElementType()).pack > 1,
               isHeld = plan::holdsIndices(model.target(), count),
               staysWhole = !rows.isPadded() && ((rows.areSeveral() && sharesWords) || (becomesFlat && !isHeld));
    if (!staysWhole && !(becomesFlat && wouldHoldRows(model, rows, count, 0))) return std::nullopt;
    return Taken{SmallVector<int64_t>(rows.shape()), isFlat ? flatOf(count) : typeOf(op), fills, isFlat};
  }

  void gather(stablehlo::GatherOp op, const timing::MachineModel &model) {
    auto n = op.getDimensionNumbers();
    const Names names{op.getStartIndices(), n.getStartIndexMap(), n.getOperandBatchingDims(),
                      n.getStartIndicesBatchingDims(), n.getIndexVectorDim()};
    Rows rows(op, typeOf(op.getOperand()), names);
    ArrayRef<int64_t> windows = n.getOffsetDims();
    if (!rows.areNamed(n.getCollapsedSliceDims()) ||
        !rows.areWhole(windows, op.getSliceSizes().take_back(windows.size())) || rows.count() == 0)
      return;
    const auto taken = takenBy(op, model, rows);
    if (!taken) return;
    OpBuilder b(op);
    Build build{b, op.getLoc()};
    Value numbers = rows.numbers(/*clamps=*/true);
    if (taken->fills) {
      SmallVector<int64_t> none(taken->numbers.size(), 0), high(none);
      high.back() = taken->numbers.back() - typeOf(numbers).getShape().back();
      numbers = build.pad(numbers, build.zero(b.getI32Type()), none, high, none);
    }
    if (taken->isFlat) numbers = build.reshape(numbers, {taken->type.getDimSize(0)});
    SmallVector<int64_t> sizes(rows.joinedType().getShape());
    sizes[0] = 1;
    const int64_t dims = typeOf(numbers).getRank();
    auto offsets = llvm::to_vector(llvm::seq(dims, dims + static_cast<int64_t>(windows.size())));
    auto take = stablehlo::GatherDimensionNumbersAttr::get(op.getContext(), offsets, {0}, {}, {}, {0}, dims);
    Value made = stablehlo::GatherOp::create(b, op.getLoc(), taken->type, rows.joined(op.getOperand()), numbers, take,
                                             b.getDenseI64ArrayAttr(sizes), b.getBoolAttr(false));
    if (taken->fills) {
      SmallVector<int64_t> all(taken->numbers);
      llvm::append_range(all, ArrayRef(sizes).drop_front());
      const SmallVector<int64_t> first(all.size(), 0), step(all.size(), 1);
      made = build.slice(build.reshape(made, all), first, typeOf(op).getShape(), step);
    }
    op.replaceAllUsesWith(build.reshape(made, typeOf(op).getShape()));
    op.erase();
  }

  void runOnOperation() override {
    target::Target machine;
    if (failed(analysis::loadTarget(getOperation(), target, sets, machine))) return signalPassFailure();
    const timing::MachineModel model(machine);
    getOperation().walk([&](stablehlo::ScatterOp op) { scatter(op, model); });
    getOperation().walk([&](stablehlo::GatherOp op) { gather(op, model); });
  }
};

}  // namespace
}  // namespace tpuc::fusion
