// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scatters of single elements into small arrays: for each place the updates of all indices that name it, reduced
// (histograms, segment sums).
//
//  1. Every update has the index of its place in the operand as a vector, -1 where its window is not inside.
//  2. [places, updates]: an update where its index is the place, else what changes nothing; reduced over the updates,
//     then combined with the operand. One kernel, of which no array has both dims. Of updates that replace, the last
//     one's number is found so, and then looked up.
//
// Where each row of the operand has updates of its own (the gradient of take_along_axis), [rows.., places, updates].
#include "dialects/kernel/kernel.h"
#include "passes/analysis/scan.h"
#include "passes/analysis/target_option.h"
#include "passes/builders/build.h"
#include "passes/decompose/passes.h"
#include "passes/decompose/tallies.h"
#include "passes/plan/move/row_sums_plan.h"
#include "runtime/timing/machine_model.h"

using namespace mlir;

namespace tpuc::decompose {
using namespace builders;
#define GEN_PASS_DEF_EXPANDTALLIESPASS
#include "passes/decompose/passes.h.inc"
namespace {

constexpr int64_t kFewest = 32;        // windows: fewer are as soon put one by one
constexpr int64_t kFewestSums = 1024;  // of floats: few keep the order of their updates, and halves theirs of roundings
constexpr int64_t kMostPlaces = 65536;
constexpr int64_t kMostReplaced = 65536;  // updates of which each place looks one up

class Tally {
 public:
  Tally(stablehlo::ScatterOp op, const timing::MachineModel &model)
      : model_(model),
        op_(op),
        b_(op),
        loc_(op.getLoc()),
        build_{b_, loc_},
        numbers_(op.getScatterDimensionNumbers()),
        type_(typeOf(op.getInputs()[0])),
        updates_(typeOf(op.getUpdates()[0])),
        windowDims_(numbers_.getUpdateWindowDims()) {
    for (int64_t d = 0; d < updates_.getRank(); ++d)
      if (!llvm::is_contained(numbers_.getUpdateWindowDims(), d)) batchDims_.push_back(d);
  }

  bool pays() {
    Type element = type_.getElementType();
    bool known = element.isIntOrFloat() && element.getIntOrFloatBitWidth() >= 8;
    int64_t count = updates_.getNumElements(), windows = 1;
    for (int64_t d : batchDims_) windows *= updates_.getDimSize(d);
    if (op_.getInputs().size() != 1 || !known || updates_.getElementType() != element || !readUpdate()) return false;
    bool rounds = mlir::isa<FloatType>(element) && mlir::isa_and_nonnull<stablehlo::AddOp, stablehlo::MulOp>(combine_);
    if (rounds && (element.getIntOrFloatBitWidth() < 32 || count < kFewestSums)) return false;
    int64_t places = type_.getNumElements();
    return places > 0 && places <= kMostPlaces && count > 0 && windows >= kFewest &&
           cyclesOfTally(places, count, rounds) <= cyclesOfRows(windows) && (combine_ || count <= kMostReplaced);
  }

  // Every vreg of updates meets every place: a comparison, a selection and the update's operation. Numbers wider than a
  // lane take many instructions for that operation.
  double cyclesOfTally(int64_t places, int64_t count, bool rounds) {
    Type element = type_.getElementType();
    bool wide = combine_ && element.getIntOrFloatBitWidth() > 32;
    int64_t operations = !wide ? 3 : element.isInteger() ? 6 : rounds ? 192 : 12;
    return decompose::cyclesOfTally(model_.target(), places, count, operations);
  }
  // Cycles to reduce the windows as the scatter does: by transfers or, where they are whole rows, summed up in VMEM.
  double cyclesOfRows(int64_t windows) {
    const double transfers = cyclesOfTransfers(windows);
    const bool areRows = combine_ && numbers_.getScatterDimsToOperandDims() == ArrayRef<int64_t>{0} &&
                         numbers_.getInsertedWindowDims() == ArrayRef<int64_t>{0} &&
                         numbers_.getInputBatchingDims().empty() && type_.getRank() > 1 &&
                         updates_.getNumElements() / windows == type_.getNumElements() / type_.getDimSize(0) &&
                         type_.getElementTypeBitWidth() <= 32;
    const auto sums =
        areRows ? plan::cyclesOfRowSums(model_, type_, *plan::reducerOf(combine_), windows) : std::nullopt;
    return sums ? std::min(transfers, *sums) : transfers;
  }
  // Each window comes from HBM and goes back before the next one comes, which may be the same.
  double cyclesOfTransfers(int64_t windows) { return static_cast<double>(windows * model_.dmaLatency(/*hbm=*/true)); }

  // Whether rows of the operand have updates of their own, along one dim, and these are reduced sooner than put.
  bool paysByRow() {
    if (op_.getInputs().size() != 1 || !readUpdate() || numbers_.getScatterDimsToOperandDims().size() != 1)
      return false;
    const int64_t dim = numbers_.getScatterDimsToOperandDims()[0];
    Type element = type_.getElementType();
    if (numbers_.getInsertedWindowDims() != ArrayRef(dim) || !numbers_.getUpdateWindowDims().empty() ||
        static_cast<int64_t>(numbers_.getInputBatchingDims().size()) != type_.getRank() - 1 || type_.getRank() < 2 ||
        updates_.getElementType() != element || !element.isIntOrFloat() || element.getIntOrFloatBitWidth() < 8 ||
        element.getIntOrFloatBitWidth() > 32 || type_.getNumElements() == 0)
      return false;
    const int64_t places = type_.getDimSize(dim), rows = type_.getNumElements() / places,
                  count = updates_.getNumElements() / rows;
    const bool rounds =
        mlir::isa<FloatType>(element) && mlir::isa_and_nonnull<stablehlo::AddOp, stablehlo::MulOp>(combine_);
    if (rows < 2 || count < 2 || (rounds && element.getIntOrFloatBitWidth() < 32)) return false;
    if (!combine_ && element.getIntOrFloatBitWidth() < 32 && !isSplat(op_.getUpdates()[0])) return false;
    return cyclesOfTallyByRow(model_.target(), rows, places, count) <= cyclesOfTransfers(updates_.getNumElements());
  }

  void rewriteByRow() {
    SmallVector<int64_t> order(numbers_.getInputBatchingDims()), updateOrder;
    const int64_t vectorDim = numbers_.getIndexVectorDim(), batches = static_cast<int64_t>(order.size());
    order.push_back(numbers_.getScatterDimsToOperandDims()[0]);
    for (int64_t i : numbers_.getScatterIndicesBatchingDims()) updateOrder.push_back(i - (i > vectorDim));
    for (int64_t d = 0; d < updates_.getRank(); ++d)
      if (!llvm::is_contained(updateOrder, d)) updateOrder.push_back(d);
    Value operand = build_.transpose(op_.getInputs()[0], order);
    SmallVector<int64_t> both(typeOf(operand).getShape()), byRow(both), to;
    byRow.back() = updates_.getNumElements() * both.back() / type_.getNumElements();
    both.push_back(byRow.back());
    for (int64_t d = 0; d < batches; ++d) to.push_back(d);
    to.push_back(batches + 1);
    auto spread = [&](Value v) {
      return build_.broadcast(build_.reshape(build_.transpose(v, updateOrder), byRow), both, to);
    };
    Value index = spread(start(0, both[batches] - 1));
    Value place = stablehlo::IotaOp::create(b_, loc_, typeOf(index), batches);
    Value here = compare(place, index, stablehlo::ComparisonDirection::EQ), updates = op_.getUpdates()[0], result;
    if (combine_) {
      Value all = spread(updates), nothing = build_.splat(typeOf(all), identity());
      result = make(combine_->getName(), operand, reduce(select(here, all, nothing), identity(), combine_->getName()));
    } else {
      result = replaced(here, build_.reshape(build_.transpose(updates, updateOrder), byRow), operand, both);
    }
    SmallVector<int64_t> back(order.size());
    for (auto [i, d] : llvm::enumerate(order)) back[d] = static_cast<int64_t>(i);
    op_.getResult(0).replaceAllUsesWith(build_.transpose(result, back));
    op_.erase();
  }

  void rewrite() {
    int64_t places = type_.getNumElements(), count = updates_.getNumElements();
    SmallVector<int64_t> both{places, count};
    Value all = op_.getUpdates()[0];
    if (hasShortWindows()) all = putWindowsFirst(all);
    // In the order of the indices, not of the updates' dims; what any order reduces may have it.
    SmallVector<int64_t> byIndex(batchDims_);
    llvm::append_range(byIndex, windowDims_);
    if (combine_) llvm::sort(byIndex);
    auto flat = [&](Value v) {
      return build_.reshape(llvm::is_sorted(byIndex) ? v : build_.transpose(v, byIndex), {count});
    };
    Value index = build_.broadcast(flat(indices()), both, {1});
    Value here =
        compare(stablehlo::IotaOp::create(b_, loc_, typeOf(index), 0), index, stablehlo::ComparisonDirection::EQ);
    Value updates = flat(all), operand = build_.reshape(op_.getInputs()[0], {places});
    Value result = combine_ ? combined(here, updates, operand, both) : replaced(here, updates, operand, both);
    op_.getResult(0).replaceAllUsesWith(build_.reshape(result, type_.getShape()));
    op_.erase();
  }

 private:
  // Windows of few elements along lanes, where there are more of them.
  bool hasShortWindows() const {
    if (!combine_ || windowDims_.empty() || batchDims_.empty() || windowDims_.back() < batchDims_.back()) return false;
    const int64_t window = updates_.getDimSize(windowDims_.back());
    return window < 128 && window < updates_.getDimSize(batchDims_.back());
  }

  // The updates with their windows' dims first.
  Value putWindowsFirst(Value updates) {
    SmallVector<int64_t> order(windowDims_);
    llvm::append_range(order, batchDims_);
    const auto windows = static_cast<int64_t>(windowDims_.size());
    windowDims_ = llvm::to_vector(llvm::seq<int64_t>(0, windows));
    batchDims_ = llvm::to_vector(llvm::seq<int64_t>(windows, order.size()));
    Value turned = build_.transpose(updates, order);
    updates_ = typeOf(turned);
    return turned;
  }

  // An op of the element and the update, or none: the update itself.
  bool readUpdate() {
    Block &body = op_.getUpdateComputation().front();
    Value result = body.getTerminator()->getOperand(0);
    if (result == body.getArgument(1)) return true;
    combine_ = analysis::onlyOp(body);
    return mlir::isa_and_nonnull<stablehlo::AddOp, stablehlo::MulOp, stablehlo::MinOp, stablehlo::MaxOp,
                                 stablehlo::AndOp, stablehlo::OrOp, stablehlo::XorOp>(combine_);
  }

  Attribute identity() {
    Type t = type_.getElementType();
    bool least = mlir::isa<stablehlo::MaxOp>(combine_), most = mlir::isa<stablehlo::MinOp>(combine_),
         one = mlir::isa<stablehlo::MulOp>(combine_);
    if (auto f = dyn_cast<FloatType>(t)) {
      const llvm::fltSemantics &s = f.getFloatSemantics();
      if (least || most) return b_.getFloatAttr(t, APFloat::getInf(s, least));
      return b_.getFloatAttr(t, one ? APFloat::getOne(s) : APFloat::getZero(s, /*Negative=*/true));
    }
    unsigned n = t.getIntOrFloatBitWidth();
    bool isUnsigned = t.isUnsignedInteger();
    if (least) return b_.getIntegerAttr(t, isUnsigned ? APInt::getZero(n) : APInt::getSignedMinValue(n));
    if (most) return b_.getIntegerAttr(t, isUnsigned ? APInt::getMaxValue(n) : APInt::getSignedMaxValue(n));
    if (mlir::isa<stablehlo::AndOp>(combine_)) return b_.getIntegerAttr(t, APInt::getAllOnes(n));
    return b_.getIntegerAttr(t, APInt(n, one));
  }

  Value compare(Value x, Value y, stablehlo::ComparisonDirection direction) {
    return stablehlo::CompareOp::create(b_, loc_, x, y, direction);
  }
  Value select(Value p, Value x, Value y) { return stablehlo::SelectOp::create(b_, loc_, p, x, y); }
  Value make(OperationName name, Value x, Value y) {
    OperationState state(loc_, name, ValueRange{x, y}, TypeRange(x.getType()));
    return b_.create(state)->getResult(0);
  }

  // Over the updates, the last dim, by an op of that name.
  Value reduce(Value v, Attribute init, OperationName name) {
    auto type = typeOf(v);
    auto scalar = RankedTensorType::get({}, type.getElementType());
    Value first = build_.splat(scalar, init);
    auto out = stablehlo::ReduceOp::create(
        b_, loc_, TypeRange(RankedTensorType::get(type.getShape().drop_back(), type.getElementType())), ValueRange(v),
        ValueRange(first), b_.getDenseI64ArrayAttr({type.getRank() - 1}));
    OpBuilder::InsertionGuard guard(b_);
    Block *body = b_.createBlock(&out.getBody(), {}, {scalar, scalar}, {loc_, loc_});
    stablehlo::ReturnOp::create(b_, loc_, make(name, body->getArgument(0), body->getArgument(1)));
    return out.getResult(0);
  }

  Value combined(Value here, Value updates, Value operand, ArrayRef<int64_t> both) {
    Value all = build_.broadcast(updates, both, {1}), nothing = build_.splat(typeOf(all), identity());
    return make(combine_->getName(), operand, reduce(select(here, all, nothing), identity(), combine_->getName()));
  }

  static bool isSplat(Value v) {
    DenseElementsAttr value;
    return matchPattern(v, m_Constant(&value)) && value.isSplat();
  }

  // The order of updates is that of their indices: the last one stays. Its number is looked up in the updates, or in
  // those of the row.
  Value replaced(Value here, Value updates, Value operand, ArrayRef<int64_t> both) {
    auto words = RankedTensorType::get(both, b_.getI32Type());
    const auto last = static_cast<int64_t>(both.size()) - 1;
    Value numbers = select(here, stablehlo::IotaOp::create(b_, loc_, words, last), build_.splat(words, -1));
    Value number =
        reduce(numbers, b_.getI32IntegerAttr(-1), OperationName(stablehlo::MaxOp::getOperationName(), b_.getContext()));
    DenseElementsAttr value;
    const bool isConstant = matchPattern(op_.getUpdates()[0], m_Constant(&value)) && value.isSplat();
    Value found = isConstant ? build_.splat(typeOf(operand), value.getSplatValue<Attribute>())
                             : build_.elementsAt(updates, number);
    return select(compare(number, build_.splat(typeOf(number), 0), stablehlo::ComparisonDirection::GE), found, operand);
  }

  // Component k of the index vectors for each update, as i32 with all that is out of range as -1; `high`: the last that
  // is inside.
  Value start(int64_t k, int64_t high) {
    Value v = build_.component(op_.getScatterIndices(), numbers_.getIndexVectorDim(), k);
    auto type = cast<IntegerType>(typeOf(v).getElementType());
    unsigned magnitude = type.getWidth() - !type.isUnsigned();
    Value inside = compare(v, build_.splat(typeOf(v), 0), stablehlo::ComparisonDirection::GE);
    if (magnitude >= 31 || high < (int64_t{1} << magnitude) - 1)
      inside = stablehlo::AndOp::create(b_, loc_, inside,
                                        compare(v, build_.splat(typeOf(v), high), stablehlo::ComparisonDirection::LE));
    Value word = build_.convert(v, b_.getI32Type());
    return build_.broadcast(select(inside, word, build_.splat(typeOf(word), -1)), updates_.getShape(), batchDims_);
  }

  Value indices() {
    auto words = RankedTensorType::get(updates_.getShape(), b_.getI32Type());
    Value sum = build_.splat(words, 0), inside;
    auto add = [&](Value v, int64_t stride) {
      sum = stablehlo::AddOp::create(
          b_, loc_, sum,
          stride == 1 ? v : stablehlo::MulOp::create(b_, loc_, v, build_.splat(words, stride)).getResult());
    };
    auto along = [&](int64_t dim) { return stablehlo::IotaOp::create(b_, loc_, words, dim); };
    auto isIn = [](ArrayRef<int64_t> dims, int64_t d) { return llvm::is_contained(dims, d); };
    int64_t stride = 1, window = windowDims_.size(), vectorDim = numbers_.getIndexVectorDim();
    for (int64_t d = type_.getRank() - 1; d >= 0; stride *= type_.getDimSize(d--)) {
      bool batches = isIn(numbers_.getInputBatchingDims(), d), inserted = isIn(numbers_.getInsertedWindowDims(), d);
      int64_t inWindow = batches || inserted ? -1 : windowDims_[--window],
              extent = inWindow < 0 ? 1 : updates_.getDimSize(inWindow);
      if (auto *at = llvm::find(numbers_.getScatterDimsToOperandDims(), d);
          at != numbers_.getScatterDimsToOperandDims().end()) {
        Value v = start(at - numbers_.getScatterDimsToOperandDims().begin(), type_.getDimSize(d) - extent);
        Value fits = compare(v, build_.splat(words, 0), stablehlo::ComparisonDirection::GE);
        inside = inside ? Value(stablehlo::AndOp::create(b_, loc_, inside, fits)) : fits;
        add(v, stride);
      }
      if (inWindow >= 0 && extent > 1) add(along(inWindow), stride);
      if (batches) {
        auto *at = llvm::find(numbers_.getInputBatchingDims(), d);
        int64_t i = numbers_.getScatterIndicesBatchingDims()[at - numbers_.getInputBatchingDims().begin()];
        add(along(batchDims_[i - (i > vectorDim)]), stride);
      }
    }
    return inside ? select(inside, sum, build_.splat(words, -1)) : sum;
  }

  const timing::MachineModel &model_;
  stablehlo::ScatterOp op_;
  OpBuilder b_;
  Location loc_;
  Build build_;
  stablehlo::ScatterDimensionNumbersAttr numbers_;
  RankedTensorType type_, updates_;
  Operation *combine_ = nullptr;
  SmallVector<int64_t> windowDims_, batchDims_;  // of the updates
};

struct ExpandTallies : impl::ExpandTalliesPassBase<ExpandTallies> {
  using ExpandTalliesPassBase::ExpandTalliesPassBase;

  void runOnOperation() override {
    target::Target machine;
    if (failed(analysis::loadTarget(getOperation(), target, sets, machine))) return signalPassFailure();
    const timing::MachineModel model(machine);
    getOperation().walk([&](stablehlo::ScatterOp op) {
      if (Tally byRow(op, model); byRow.paysByRow())
        byRow.rewriteByRow();
      else if (Tally tally(op, model); tally.pays())
        tally.rewrite();
    });
  }
};

}  // namespace

double cyclesOfTally(const target::Target &target, int64_t places, int64_t updates, int64_t operations) {
  return static_cast<double>(places) * static_cast<double>(updates) / 1024 * static_cast<double>(operations) /
         target.core().valu_slots() / target.cores();
}

double cyclesOfTallyByRow(const target::Target &target, int64_t rows, int64_t places, int64_t updates) {
  const target::Core &core = target.core();
  const auto vregs = static_cast<double>(rows * llvm::divideCeil(places, 8) * llvm::divideCeil(updates, 128));
  return vregs * std::max(3.0 / core.valu_slots(), 1.0 * core.xlu_cycles() / core.xlu_slots()) / target.cores();
}

}  // namespace tpuc::decompose
