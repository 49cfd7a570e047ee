// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. A place's number along `dim` is compared with its number along another dimension, or with a size.
// 2. Along the other dimension it is a true one: at most that extent - 1.
// 3. So where the first is behind its own extent, the comparison's outcome is known once the extents' difference is.
#include "passes/shapes/chosen_places.h"

using namespace mlir;

namespace tpuc::shapes {

namespace hlo = tpuc::stablehlo;

namespace {

using Is = hlo::ComparisonDirection;

RankedTensorType tensor(Value value) { return cast<RankedTensorType>(value.getType()); }

bool isNumber(Value value) {
  auto type = dyn_cast<IntegerType>(tensor(value).getElementType());
  return type && type.getWidth() >= 32 && !type.isUnsigned();
}

// A place's number and an offset of at most this add up within 32 bits.
constexpr int64_t kFar = int64_t{1} << 30;

// A place's number along a dimension, plus `offset`; a size alone where there is no dimension.
struct Position {
  std::optional<int64_t> dim;
  Extent offset;
};

class Places {
 public:
  Places(hlo::SelectOp select, int64_t dim, Padder &padder) : select_(select), dim_(dim), padder_(padder) {
    for (int64_t d = 0; d < tensor(select).getRank(); ++d) all_.push_back(d);
  }

  // Is the predicate `outcome` in the padding?
  bool isAlways(bool outcome) { return isAlways(select_.getPred(), all_, outcome); }

 private:
  // For each dimension of a value that one of the select's which it lies along; -1 where it is repeated.
  using Along = SmallVector<int64_t>;

  static Along below(hlo::BroadcastInDimOp broadcast, const Along &along) {
    Along result;
    for (auto [from, to] : llvm::enumerate(broadcast.getBroadcastDimensions())) {
      const bool same = tensor(broadcast.getOperand()).getDimSize(from) == tensor(broadcast).getDimSize(to);
      result.push_back(same ? along[to] : -1);
    }
    return result;
  }

  // Follows a reshape that adds or drops dimensions of one element; gives nothing for others.
  static std::optional<Along> below(hlo::ReshapeOp reshape, const Along &along) {
    Along result(tensor(reshape.getOperand()).getRank(), -1);
    const auto longer = [](int64_t size) { return size != 1; };
    ArrayRef<int64_t> from = tensor(reshape.getOperand()).getShape(), to = tensor(reshape).getShape();
    size_t i = 0, k = 0;
    for (;; ++i, ++k) {
      i = std::find_if(from.begin() + i, from.end(), longer) - from.begin();
      k = std::find_if(to.begin() + k, to.end(), longer) - to.begin();
      if (i == from.size() || k == to.size()) break;
      if (from[i] != to[k]) return std::nullopt;
      result[i] = along[k];
    }
    return i == from.size() && k == to.size() ? std::optional(result) : std::nullopt;
  }

  bool isAlways(Value pred, const Along &along, bool outcome) {
    if (auto number = simplify::splatScalar(pred)) return simplify::isZero(*number) != outcome;
    Operation *op = pred.getDefiningOp();
    if (auto broadcast = dyn_cast_or_null<hlo::BroadcastInDimOp>(op))
      return isAlways(broadcast.getOperand(), below(broadcast, along), outcome);
    if (mlir::isa_and_nonnull<hlo::NotOp>(op)) return isAlways(op->getOperand(0), along, !outcome);
    if (mlir::isa_and_nonnull<hlo::AndOp, hlo::OrOp>(op)) {
      auto side = [&](Value value) { return isAlways(value, along, outcome); };
      const bool one = mlir::isa<hlo::AndOp>(op) != outcome;  // decides alone
      return one ? llvm::any_of(op->getOperands(), side) : llvm::all_of(op->getOperands(), side);
    }
    if (auto select = dyn_cast_or_null<hlo::SelectOp>(op)) return isAlwaysOf(select, along, outcome);
    auto compare = dyn_cast_or_null<hlo::CompareOp>(op);
    return compare && isAlwaysOf(compare, along, outcome);
  }

  bool isAlwaysOf(hlo::SelectOp select, const Along &along, bool outcome) {
    if (tensor(select.getPred()).getRank() != tensor(select).getRank()) return false;
    auto gives = [&](Value value, bool chosen) {
      return isAlways(value, along, outcome) || isAlways(select.getPred(), along, !chosen);
    };
    return gives(select.getOnTrue(), true) && gives(select.getOnFalse(), false);
  }

  bool isAlwaysOf(hlo::CompareOp compare, const Along &along, bool outcome) {
    auto left = positionOf(compare.getLhs(), along), right = positionOf(compare.getRhs(), along);
    const Is is = compare.getComparisonDirection();
    if (!left || !right) return false;
    const bool ordered = is != Is::EQ && is != Is::NE, less = is == Is::LT || is == Is::LE,
               equal = is == Is::EQ || is == Is::LE || is == Is::GE, turned = right->dim == dim_;
    if (turned) std::swap(left, right);
    if (left->dim != dim_ || right->dim == dim_) return false;
    // The outcome says that left is greater, or not smaller.
    const bool greater = ordered ? less == turned : is == Is::NE;
    if (greater != outcome) return false;
    // left is its extent at least, right one less than its own at most.
    Extent least = ExtentSpace::add(extentAlong(dim_), left->offset), most = right->offset;
    if (right->dim) most = ExtentSpace::add(most, ExtentSpace::add(extentAlong(*right->dim), Extent::number(-1)));
    if (!ordered || equal != outcome) most = ExtentSpace::add(most, Extent::number(1));
    return padder_.space.atLeast(least, most);
  }

  Extent extentAlong(int64_t dim) { return padder_.extents(select_)[dim]; }

  // Numbers that could wrap around are no positions.
  std::optional<Position> positionOf(Value value, const Along &along) {
    auto position = isNumber(value) ? sumOf(value, along) : std::nullopt;
    if (!position) return std::nullopt;
    const ExtentRange range = padder_.space.range(position->offset);
    return range.least >= -kFar && range.most <= kFar ? position : std::nullopt;
  }

  std::optional<Position> sumOf(Value value, const Along &along) {
    if (auto size = sizeOf(value)) return Position{std::nullopt, *size};
    Operation *op = value.getDefiningOp();
    if (auto broadcast = dyn_cast_or_null<hlo::BroadcastInDimOp>(op))
      return positionOf(broadcast.getOperand(), below(broadcast, along));
    if (auto reshape = dyn_cast_or_null<hlo::ReshapeOp>(op))
      if (auto inner = below(reshape, along)) return positionOf(reshape.getOperand(), *inner);
    if (auto iota = dyn_cast_or_null<hlo::IotaOp>(op)) {
      const int64_t dim = along[iota.getIotaDimension()];
      if (dim < 0 || tensor(iota).getDimSize(iota.getIotaDimension()) > kFar) return std::nullopt;
      return Position{dim, Extent::number(0)};
    }
    if (mlir::isa_and_nonnull<hlo::ConvertOp>(op)) return positionOf(op->getOperand(0), along);
    if (!mlir::isa_and_nonnull<hlo::AddOp, hlo::SubtractOp, hlo::MulOp>(op)) return std::nullopt;
    auto a = positionOf(op->getOperand(0), along), b = positionOf(op->getOperand(1), along);
    if (!a || !b) return std::nullopt;
    if (mlir::isa<hlo::MulOp>(op)) {  // as JAX counts by steps of 1
      const Extent one = Extent::number(1);
      if (!b->dim && b->offset == one) return a;
      return !a->dim && a->offset == one ? b : std::nullopt;
    }
    if (mlir::isa<hlo::SubtractOp>(op))
      b->offset = ExtentSpace::scale(b->offset, -1);
    else if (b->dim)
      std::swap(a, b);
    if (b->dim) return std::nullopt;
    return Position{a->dim, ExtentSpace::add(a->offset, b->offset)};
  }

  // The one number that all elements are.
  std::optional<Extent> sizeOf(Value value) {
    if (auto number = simplify::splatScalar(value)) return Extent::number(std::get<APInt>(*number).getSExtValue());
    const SizeValues::Elements *known = padder_.values.of(value);
    return known && known->size() == 1 ? std::optional(known->front()) : std::nullopt;
  }

  hlo::SelectOp select_;
  int64_t dim_;
  Padder &padder_;
  Along all_;
};

// The operand that `select` gives wherever a place is padding along `dim` and true along all other dimensions: 1 or 2;
// 0 where that is not proven.
unsigned chosenInPadding(hlo::SelectOp select, int64_t dim, Padder &padder) {
  if (tensor(select.getPred()).getRank() != tensor(select).getRank()) return 0;
  Places places(select, dim, padder);
  return places.isAlways(true) ? 1 : places.isAlways(false) ? 2 : 0;
}

// The number that all elements are, through broadcasts and conversions.
std::optional<simplify::Scalar> numberOf(Value value) {
  while (auto broadcast = value.getDefiningOp<hlo::BroadcastInDimOp>()) value = broadcast.getOperand();
  auto convert = value.getDefiningOp<hlo::ConvertOp>();
  if (!convert) return simplify::splatScalar(value);
  auto number = numberOf(convert.getOperand());
  if (!number || convert.getOperand().getType() == convert.getType()) return number;
  return simplify::evaluate(convert, *number);
}

}  // namespace

Value maskedInRows(Operation *op, Value value, int64_t dim, Value fill, StringRef why, Padder &padder) {
  auto select = value.getDefiningOp<hlo::SelectOp>();
  const unsigned chosen = select && padder.isPadded(value, dim) ? chosenInPadding(select, dim, padder) : 0;
  auto number = chosen ? numberOf(select->getOperand(chosen)) : std::nullopt;
  if (!number) return padder.masked(op, value, {dim}, fill, why);
  if (number == numberOf(fill)) return value;
  OpBuilder builder(op);
  const Extents extents = padder.extents(value);
  ArrayRef<int64_t> shape = tensor(value).getShape();
  Value row = splat(builder, op->getLoc(), tensor(value).getElementType(), *number, shape[dim]);
  padder.setExtents(row, {extents[dim]});
  SmallVector<Value> operands(select->getOperands());
  operands[chosen] = broadcast(builder, op->getLoc(), padder.masked(op, row, {0}, fill, why), shape, dim);
  auto result = hlo::SelectOp::create(builder, op->getLoc(), select.getType(), operands[0], operands[1], operands[2]);
  padder.setExtents(result, extents);
  return result;
}

}  // namespace tpuc::shapes
