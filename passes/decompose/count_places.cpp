// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scatters of one value to single elements: the matrix unit counts how many indices name each place (the tokens that a
// sampler has seen, histograms).
//
//  1. An index is 128 hi + lo. Two arrays have a 1 where a place's hi, and lo, are an index's; their product over the
//     indices is [hi, lo], the number of indices of each place. Ones and zeros are exact in bf16, counts in f32;
//     arrays of integers alone have them in i8 and i32. An index that is not inside has hi -1, which no place has.
//  2. A value that replaces, or that an operation takes once or often with the same result, is selected where the count
//     is not zero; a sum has the value times the count.
//
// Where f32 numbers are summed into zeros, lo has the numbers instead of ones, and the product is one of f32. An
// infinity or a NaN times the zeros of other places would be a NaN there, so these numbers are zeros in the product.
// Two counts say in which places there is +inf or NaN, and -inf or NaN; the infinities are added to those sums.
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
#define GEN_PASS_DEF_COUNTPLACESPASS
#include "passes/decompose/passes.h.inc"
namespace {

constexpr int64_t kColumns = 128;                  // places of one hi
constexpr int64_t kMostIndices = 1 << 24;          // counts are exact
constexpr int64_t kMostPlaces = int64_t{1} << 31;  // their numbers are i32
constexpr int64_t kFewestSums = 1024;              // of f32: fewer are added in the order of the updates
constexpr double kLeastGain = 0.75;                // of sums: estimates are not exact
constexpr double kLaunch = 3000;                   // cycles: two more kernels, and what they hand to each other

class Counts {
 public:
  Counts(stablehlo::ScatterOp op, const timing::MachineModel &model)
      : model_(model), op_(op), b_(op), build_{b_, op.getLoc()}, numbers_(op.getScatterDimensionNumbers()) {}

  bool applies() {
    if (op_.getInputs().size() != 1 || !numbers_.getUpdateWindowDims().empty()) return false;
    type_ = typeOf(op_.getInputs()[0]);
    updates_ = typeOf(op_.getUpdates()[0]);
    Type element = type_.getElementType();
    DenseElementsAttr value;
    if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() > 32 || updates_.getElementType() != element ||
        type_.getNumElements() == 0 || updates_.getNumElements() == 0)
      return false;
    if (matchPattern(op_.getUpdates()[0], m_Constant(&value)) && value.isSplat())
      value_ = value.getSplatValue<Attribute>();
    else if (model_.target().int8_only() || updates_.getNumElements() < kFewestSums)
      return false;
    for (int64_t d : numbers_.getInputBatchingDims()) order_.push_back(d), rows_ *= type_.getDimSize(d);
    for (int64_t d = 0; d < type_.getRank(); ++d)
      if (!llvm::is_contained(numbers_.getInputBatchingDims(), d)) order_.push_back(d);
    places_ = type_.getNumElements() / rows_;
    count_ = updates_.getNumElements() / rows_;
    return places_ < kMostPlaces && count_ < kMostIndices && readUpdate();
  }

  // Against transfers of the elements one by one, and against the vector unit's comparison of all places with all
  // indices (expand_tallies.cpp).
  bool pays() const {
    const auto rows = static_cast<double>(rows_), places = static_cast<double>(places_),
               count = static_cast<double>(count_);
    const double selects = rows * places / 1024 * 4 / (model_.target().core().valu_slots() * model_.target().cores());
    const double compared = cyclesOfTally(model_.target(), rows_ * places_, count_),
                 moved = rows * count * static_cast<double>(model_.dmaLatency(/*hbm=*/true));
    if (!value_) {
      // Infinities of either sign are two counts. Weights of few rows take as long to enter as the rows.
      const double sums = 2 * (kLaunch + cyclesOfProduct(1)) + cyclesOfProduct(model_.target().core().mxu_f32_passes());
      return kLaunch + sums + selects < kLeastGain * std::min({compared, moved, cyclesOfRows()});
    }
    return kLaunch + cyclesOfProduct(1) + selects < std::min(compared, moved);
  }

  void rewrite() {
    Value numbers = numbersOfPlaces();
    Value operand = build_.reshape(build_.transpose(op_.getInputs()[0], order_), {rows_, places_});
    Value result = build_.reshape(value_ ? updated(operand, countsOf(numbers)) : sumsOf(numbers), orderedShape());
    SmallVector<int64_t> back(order_.size());
    for (auto [i, d] : llvm::enumerate(order_)) back[d] = static_cast<int64_t>(i);
    op_.getResult(0).replaceAllUsesWith(build_.transpose(result, back));
    op_.erase();
  }

 private:
  int64_t hiExtent() const { return llvm::divideCeil(places_, kColumns); }
  SmallVector<int64_t> orderedShape() const {
    return llvm::map_to_vector(order_, [&](int64_t d) { return type_.getDimSize(d); });
  }

  // Ones are made of the numbers, a row of each place's part for all indices, and pushed; of several passes the weights
  // too take long to enter.
  double cyclesOfProduct(double passes) const {
    const target::Core &core = model_.target().core();
    const auto rows = static_cast<double>(rows_), his = static_cast<double>(hiExtent()),
               side = static_cast<double>(core.mxu_side()), cores = static_cast<double>(model_.target().cores());
    // Cores share rows and blocks of places, not the sum over indices.
    const double shared = passes > 1 ? std::min(cores, rows * std::ceil(his / side)) : cores;
    const double tiles = std::ceil(static_cast<double>(count_) / side), entering = passes > 1 ? side : 0;
    return (rows * (his + entering) * tiles * passes / core.mxu_rows_per_cycle() / core.mxus() +
            rows * tiles * side * (his + kColumns) / 1024 * 3 / core.valu_slots()) /
           shared;
  }
  // Updates as rows that are summed up in VMEM, written and read, as the places are.
  double cyclesOfRows() const {
    constexpr int64_t kMoves = 4;
    const int64_t places = rows_ * places_, updates = rows_ * count_;
    const auto sums = plan::cyclesOfRowSums(model_, RankedTensorType::get({places, 1}, type_.getElementType()),
                                            *plan::reducerOf(combine_), updates);
    if (!sums) return std::numeric_limits<double>::infinity();
    return *sums + static_cast<double>(model_.hbmCycles(kMoves * (places + updates) * isa::kWordBytes, 1));
  }

  // The value itself, or an operation for which several times is as once, or a sum that is the same in any order.
  bool readUpdate() {
    Block &body = op_.getUpdateComputation().front();
    Value result = body.getTerminator()->getOperand(0);
    if (result == body.getArgument(1)) return value_ != nullptr;
    combine_ = analysis::onlyOp(body);
    if (!combine_) return false;
    if (!value_) return mlir::isa<stablehlo::AddOp>(combine_) && type_.getElementType().isF32() && isOfZeros();
    if (mlir::isa<stablehlo::AddOp>(combine_)) return isExactSum();
    return mlir::isa<stablehlo::MinOp, stablehlo::MaxOp, stablehlo::AndOp, stablehlo::OrOp>(combine_);
  }

  // Whether the sum is exact in any order: of integers it is, and of f32 where powers of two are added to zeros.
  bool isExactSum() {
    if (type_.getElementType().isInteger()) return type_.getElementTypeBitWidth() > 1;
    auto value = dyn_cast<FloatAttr>(value_);
    if (!value || !type_.getElementType().isF32() || !isOfZeros()) return false;
    const APFloat v = value.getValue();
    const int exponent = v.isFiniteNonZero() ? ilogb(v) : INT_MAX;
    return exponent >= -100 && exponent <= 100 && v.getExactLog2Abs() != INT_MIN;
  }

  bool isOfZeros() {
    DenseElementsAttr operand;
    return matchPattern(op_.getInputs()[0], m_Constant(&operand)) && operand.isSplat() &&
           operand.getSplatValue<APFloat>().isPosZero();
  }

  Value compare(Value x, Value y, stablehlo::ComparisonDirection direction) {
    return stablehlo::CompareOp::create(b_, op_.getLoc(), x, y, direction);
  }
  Value select(Value p, Value x, Value y) { return stablehlo::SelectOp::create(b_, op_.getLoc(), p, x, y); }
  template <typename Op>
  Value make(Value x, Value y) {
    return Op::create(b_, op_.getLoc(), x, y);
  }

  // [rows, indices]: the number of the place that each names, or -1.
  Value numbersOfPlaces() {
    Value number, inside;
    int64_t stride = places_;
    for (int64_t d : ArrayRef(order_).drop_front(numbers_.getInputBatchingDims().size())) {
      stride /= type_.getDimSize(d);
      auto *at = llvm::find(numbers_.getScatterDimsToOperandDims(), d);
      if (at == numbers_.getScatterDimsToOperandDims().end()) continue;  // a dim that no index has: its first
      Value v = component(at - numbers_.getScatterDimsToOperandDims().begin(), type_.getDimSize(d) - 1);
      Value isIn = compare(v, build_.splat(typeOf(v), 0), stablehlo::ComparisonDirection::GE);
      Value step = stride == 1 ? v : make<stablehlo::MulOp>(v, build_.splat(typeOf(v), stride));
      number = number ? make<stablehlo::AddOp>(number, step) : step;
      inside = inside ? make<stablehlo::AndOp>(inside, isIn) : isIn;
    }
    if (!number) return build_.splat(RankedTensorType::get({rows_, count_}, b_.getI32Type()), 0);
    Value all = select(inside, number, build_.splat(typeOf(number), -1));
    return byRow(all);
  }

  // What has the dims of the updates as [rows, indices].
  Value byRow(Value v) {
    SmallVector<int64_t> order;
    const int64_t vectorDim = numbers_.getIndexVectorDim();
    for (int64_t i : numbers_.getScatterIndicesBatchingDims()) order.push_back(i - (i > vectorDim));
    for (int64_t d = 0; d < typeOf(v).getRank(); ++d)
      if (!llvm::is_contained(order, d)) order.push_back(d);
    return build_.reshape(build_.transpose(v, order), {rows_, count_});
  }

  // Component k of the index vectors as i32; -1 where it is not among 0 to `last`.
  Value component(int64_t k, int64_t last) {
    Value v = build_.component(op_.getScatterIndices(), numbers_.getIndexVectorDim(), k);
    auto type = cast<IntegerType>(typeOf(v).getElementType());
    const unsigned magnitude = type.getWidth() - !type.isUnsigned();
    Value inside = compare(v, build_.splat(typeOf(v), 0), stablehlo::ComparisonDirection::GE);
    if (magnitude >= 63 || last < (int64_t{1} << magnitude) - 1)
      inside =
          make<stablehlo::AndOp>(inside, compare(v, build_.splat(typeOf(v), last), stablehlo::ComparisonDirection::LE));
    Value word = build_.convert(v, b_.getI32Type());
    return select(inside, word, build_.splat(typeOf(word), -1));
  }

  // [rows, indices] as [rows, extent, indices], and where a place's part is the index's.
  Value spread(Value v, int64_t extent) { return build_.broadcast(v, {rows_, extent, count_}, {0, 2}); }
  Value areAt(Value part, int64_t extent) {
    Value all = spread(part, extent);
    Value place = stablehlo::IotaOp::create(b_, op_.getLoc(), typeOf(all), 1);
    return compare(place, all, stablehlo::ComparisonDirection::EQ);
  }
  Value areHi(Value numbers) {
    Value seven = build_.splat(typeOf(numbers), 7);
    return areAt(make<stablehlo::ShiftRightArithmeticOp>(numbers, seven), hiExtent());
  }
  Value areLo(Value numbers) {
    return areAt(make<stablehlo::AndOp>(numbers, build_.splat(typeOf(numbers), kColumns - 1)), kColumns);
  }
  // [rows, places], from [rows, hi, indices] and [rows, lo, indices].
  Value product(Value hi, Value lo, Type sum, stablehlo::DotAlgorithmAttr algorithm = {}) {
    auto numbers = stablehlo::DotDimensionNumbersAttr::get(op_.getContext(), {0}, {0}, {2}, {2});
    Value made =
        stablehlo::DotGeneralOp::create(b_, op_.getLoc(), RankedTensorType::get({rows_, hiExtent(), kColumns}, sum), hi,
                                        lo, numbers, ArrayAttr(), algorithm);
    made = build_.reshape(made, {rows_, hiExtent() * kColumns});
    return hiExtent() * kColumns == places_ ? made : build_.slice(made, {0, 0}, {rows_, places_}, {1, 1});
  }

  // [rows, places] of f32 or i32, from [rows, indices].
  Value countsOf(Value numbers) {
    const bool areIntegers = model_.target().int8_only();
    const Type element = areIntegers ? b_.getI8Type() : Type(b_.getBF16Type()),
               sum = areIntegers ? b_.getI32Type() : Type(b_.getF32Type());
    Value hi = build_.convert(areHi(numbers), element), lo = build_.convert(areLo(numbers), element);
    return product(hi, lo, sum);
  }

  Value sumsOf(Value numbers) {
    using Direction = stablehlo::ComparisonDirection;
    Value updates = byRow(op_.getUpdates()[0]);
    const Type f32 = b_.getF32Type();
    auto number = [&](Value like, APFloat v) { return build_.splat(typeOf(like), b_.getFloatAttr(f32, v)); };
    const llvm::fltSemantics &semantics = APFloat::IEEEsingle();
    Value zero = number(updates, APFloat::getZero(semantics)),
          isFinite = stablehlo::IsFiniteOp::create(b_, op_.getLoc(), updates);
    Value finite = select(isFinite, updates, zero);
    Value hi = build_.convert(areHi(numbers), f32), isLo = areLo(numbers), all = spread(finite, kColumns);
    Value lo = select(isLo, all, number(all, APFloat::getZero(semantics)));
    Value sum = product(hi, lo, f32, stablehlo::DotAlgorithmAttr::get(op_.getContext(), f32, f32, f32, 1, 1, 1, false));
    // A NaN is counted both times: it is on neither side of zero, and +inf and -inf add up to one.
    for (bool isNegative : {false, true}) {
      Value isOther = compare(updates, zero, isNegative ? Direction::GT : Direction::LT);
      Value isNone = make<stablehlo::OrOp>(isFinite, isOther);
      Value counts = countsOf(select(isNone, build_.splat(typeOf(numbers), -1), numbers));
      Value isHere = compare(counts, number(counts, APFloat::getZero(semantics)), Direction::GT);
      sum = make<stablehlo::AddOp>(sum, select(isHere, number(sum, APFloat::getInf(semantics, isNegative)),
                                               number(sum, APFloat::getZero(semantics))));
    }
    return sum;
  }

  Value updated(Value operand, Value counts) {
    Value value = build_.splat(typeOf(operand), value_);
    if (mlir::isa_and_nonnull<stablehlo::AddOp>(combine_)) {
      Value times = mlir::isa<FloatType>(type_.getElementType()) ? counts : build_.convert(counts, b_.getI32Type());
      times = build_.convert(times, type_.getElementType());
      return make<stablehlo::AddOp>(operand, make<stablehlo::MulOp>(times, value));
    }
    Value once = value;
    if (combine_) {
      OperationState state(op_.getLoc(), combine_->getName(), ValueRange{operand, value}, TypeRange(operand.getType()));
      once = b_.create(state)->getResult(0);
    }
    Value none = build_.splat(typeOf(counts), b_.getZeroAttr(typeOf(counts).getElementType()));
    return select(compare(counts, none, stablehlo::ComparisonDirection::GT), once, operand);
  }

  const timing::MachineModel &model_;
  stablehlo::ScatterOp op_;
  OpBuilder b_;
  Build build_;
  stablehlo::ScatterDimensionNumbersAttr numbers_;
  RankedTensorType type_, updates_;
  Attribute value_;
  Operation *combine_ = nullptr;
  SmallVector<int64_t> order_;  // of the operand's dims: batches first
  int64_t rows_ = 1, places_ = 0, count_ = 0;
};

struct CountPlaces : impl::CountPlacesPassBase<CountPlaces> {
  using CountPlacesPassBase::CountPlacesPassBase;

  void runOnOperation() override {
    target::Target machine;
    if (failed(analysis::loadTarget(getOperation(), target, sets, machine))) return signalPassFailure();
    const timing::MachineModel model(machine);
    SmallVector<stablehlo::ScatterOp> ops;
    getOperation().walk([&](stablehlo::ScatterOp op) { ops.push_back(op); });
    for (stablehlo::ScatterOp op : ops)
      if (Counts counts(op, model); counts.applies() && counts.pays()) counts.rewrite();
  }
};

}  // namespace
}  // namespace tpuc::decompose
