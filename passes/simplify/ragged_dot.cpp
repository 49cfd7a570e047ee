//===- ragged_dot.cpp - products over a dimension that falls into groups --------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether place p of the ragged dimension is in group g is a mask. By the kind of the ragged dimension:
// 1. free, [b,m,k] x [g,b,k,n]: the product with every group, of which each row takes its own;
// 2. contracting, [b,m,k] x [b,k,n] -> [g,b,m,n]: a batch of products, each of what its group leaves of both sides;
// 3. batching: the product.
// Of one chip, and without batches, the first two go tile by tile where that halves the products (ragged_tiles.cpp).
//===-----------------------------------------------------------------------------===//
#include "dialects/stablehlo/device_grid.h"
#include "passes/simplify/special.h"

using namespace mlir;

namespace tpuc::simplify {
namespace {

namespace hlo = tpuc::stablehlo;

struct LowerRaggedDot : OpRewritePattern<chlo::RaggedDotOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(chlo::RaggedDotOp op, PatternRewriter &rewriter) const override;
};

// The op's parts, and what is built of them.
class RaggedDot {
 public:
  RaggedDot(chlo::RaggedDotOp op, PatternRewriter &b)
      : op(op), b(b), loc(op.getLoc()), numbers(op.getRaggedDotDimensionNumbers()) {
    lhs = op.getLhs().getType(), rhs = op.getRhs().getType(), sizes = op.getGroupSizes().getType();
    ragged = numbers.getLhsRaggedDimensions().front();
    groups = sizes.getShape().back();
    for (int64_t dim = 0; dim < lhs.getRank(); ++dim)
      if (!isIn(dim, numbers.getLhsBatchingDimensions()) && !isIn(dim, numbers.getLhsContractingDimensions()))
        lhsFree.push_back(dim);
    for (int64_t dim = 0; dim < rhs.getRank(); ++dim)
      if (!isIn(dim, numbers.getRhsBatchingDimensions()) && !isIn(dim, numbers.getRhsContractingDimensions()))
        rhsFree.push_back(dim);
  }

  Value lower() {
    if (isIn(ragged, numbers.getLhsBatchingDimensions())) return product(op.getLhs(), op.getRhs(), op.getType(), {});
    return isIn(ragged, numbers.getLhsContractingDimensions()) ? contracting() : free();
  }

 private:
  static bool isIn(int64_t dim, ArrayRef<int64_t> dims) { return llvm::is_contained(dims, dim); }

  // `extra`: a batching dimension in front of both sides.
  Value product(Value left, Value right, RankedTensorType type, std::optional<int64_t> extra) {
    auto shifted = [&](ArrayRef<int64_t> dims, bool batch) {
      SmallVector<int64_t> result;
      if (extra && batch) result.push_back(0);
      for (int64_t dim : dims) result.push_back(dim + (extra ? 1 : 0));
      return result;
    };
    auto dims = hlo::DotDimensionNumbersAttr::get(b.getContext(), shifted(numbers.getLhsBatchingDimensions(), true),
                                                  shifted(numbers.getRhsBatchingDimensions(), true),
                                                  shifted(numbers.getLhsContractingDimensions(), false),
                                                  shifted(numbers.getRhsContractingDimensions(), false));
    return hlo::DotGeneralOp::create(b, loc, type, left, right, dims, precision(), hlo::DotAlgorithmAttr());
  }

  ArrayAttr precision() {
    ArrayAttr given = op.getPrecisionConfigAttr();
    if (!given) return {};
    SmallVector<Attribute> words;
    for (Attribute word : given)
      words.push_back(hlo::PrecisionAttr::get(b.getContext(), cast<chlo::PrecisionAttr>(word).getValue()));
    return b.getArrayAttr(words);
  }

  // [prefix.., groups, places]: where the group's rows lie.
  Value membership() {
    int64_t prefix = sizes.getRank() - 1, places = lhs.getDimSize(ragged);
    SmallVector<int64_t> squareShape(sizes.getShape()), shape(sizes.getShape());
    squareShape.push_back(groups);
    shape.push_back(places);
    auto square = sizes.clone(squareShape), full = sizes.clone(shape);
    SmallVector<int64_t> all = llvm::to_vector(llvm::seq<int64_t>(0, prefix + 1));
    auto iota = [&](RankedTensorType type, int64_t dim) -> Value {
      return hlo::IotaOp::create(b, loc, type, b.getI64IntegerAttr(dim));
    };
    auto compare = [&](Value x, Value y, hlo::ComparisonDirection direction) -> Value {
      return hlo::CompareOp::create(b, loc, x, y, direction);
    };
    // Group g ends where the sizes up to its own add up to.
    SmallVector<int64_t> others(all);
    others.back() = prefix + 1;
    Value spread = hlo::BroadcastInDimOp::create(b, loc, square, op.getGroupSizes(), others);
    Value upTo = compare(iota(square, prefix + 1), iota(square, prefix), hlo::ComparisonDirection::LE);
    Value zero = makeSplat(b, loc, square, APInt(sizes.getElementTypeBitWidth(), 0));
    Value ends = sum(hlo::SelectOp::create(b, loc, upTo, spread, zero), prefix + 1, sizes);
    Value starts = hlo::SubtractOp::create(b, loc, ends, op.getGroupSizes());
    Value place = iota(full, prefix + 1);
    Value after =
        compare(place, hlo::BroadcastInDimOp::create(b, loc, full, starts, all), hlo::ComparisonDirection::GE);
    Value before = compare(place, hlo::BroadcastInDimOp::create(b, loc, full, ends, all), hlo::ComparisonDirection::LT);
    return hlo::AndOp::create(b, loc, after, before);
  }

  Value zeroOf(RankedTensorType type) {
    if (auto element = dyn_cast<FloatType>(type.getElementType()))
      return makeSplat(b, loc, type, APFloat(element.getFloatSemantics()));
    return makeSplat(b, loc, type, APInt(type.getElementTypeBitWidth(), 0));
  }

  Value sum(Value value, int64_t dim, RankedTensorType type) {
    auto scalar = RankedTensorType::get({}, type.getElementType());
    Value zero = zeroOf(scalar);
    auto reduce =
        hlo::ReduceOp::create(b, loc, TypeRange{type}, ValueRange{value}, ValueRange{zero}, ArrayRef<int64_t>(dim));
    OpBuilder::InsertionGuard guard(b);
    Block *body = b.createBlock(&reduce.getBody(), {}, {scalar, scalar}, {loc, loc});
    hlo::ReturnOp::create(b, loc, ValueRange{hlo::AddOp::create(b, loc, body->getArgument(0), body->getArgument(1))});
    return reduce.getResult(0);
  }

  // What the mask leaves of the value; `dims`: where its dimensions lie in the value.
  Value masked(Value value, Value mask, ArrayRef<int64_t> dims) {
    auto type = cast<RankedTensorType>(value.getType());
    // Dimensions of a broadcast are in ascending order of the result here or not; both are fine.
    Value spread = hlo::BroadcastInDimOp::create(b, loc, type.clone(b.getI1Type()), mask, dims);
    return hlo::SelectOp::create(b, loc, spread, value, zeroOf(type));
  }

  // The dimensions of lhs that group_sizes has before its groups.
  SmallVector<int64_t> prefixDims() {
    SmallVector<int64_t> dims;
    if (sizes.getRank() == 1) return dims;
    llvm::append_range(dims, numbers.getLhsBatchingDimensions());
    ArrayRef<int64_t> own = isIn(ragged, lhsFree) ? ArrayRef<int64_t>(lhsFree) : numbers.getLhsContractingDimensions();
    for (int64_t dim : own) {
      if (dim == ragged) break;
      dims.push_back(dim);
    }
    return dims;
  }

  Value free() {
    ArrayRef<int64_t> batch = numbers.getLhsBatchingDimensions();
    int64_t group = numbers.getRhsGroupDimensions().front();
    // [batch, free of lhs, free of rhs with its groups]
    SmallVector<int64_t> order(batch), shape;
    llvm::append_range(order, lhsFree);
    for (int64_t dim : order) shape.push_back(lhs.getDimSize(dim));
    int64_t groupAt = shape.size() + (llvm::find(rhsFree, group) - rhsFree.begin());
    for (int64_t dim : rhsFree) shape.push_back(rhs.getDimSize(dim));
    Value every = product(op.getLhs(), op.getRhs(), op.getType().clone(shape), {});
    auto placeOf = [&](int64_t dim) -> int64_t { return llvm::find(order, dim) - order.begin(); };
    SmallVector<int64_t> dims = llvm::map_to_vector(prefixDims(), placeOf);
    dims.push_back(groupAt);
    dims.push_back(placeOf(ragged));
    return sum(masked(every, membership(), dims), groupAt, op.getType());
  }

  // A side once for each group, only the group's places kept; `prefix` and `place` are dimensions of the side.
  Value perGroup(Value side, Value mask, ArrayRef<int64_t> prefix, int64_t place) {
    auto type = cast<RankedTensorType>(side.getType());
    SmallVector<int64_t> shape{groups}, dims;
    llvm::append_range(shape, type.getShape());
    SmallVector<int64_t> behind = llvm::to_vector(llvm::seq<int64_t>(1, type.getRank() + 1));
    Value copies = hlo::BroadcastInDimOp::create(b, loc, type.clone(shape), side, behind);
    for (int64_t dim : prefix) dims.push_back(dim + 1);
    dims.push_back(0);
    dims.push_back(place + 1);
    return masked(copies, mask, dims);
  }

  Value contracting() {
    // The dimension of rhs that is paired with one of lhs.
    auto paired = [&](int64_t dim) {
      ArrayRef<int64_t> batch = numbers.getLhsBatchingDimensions(), contract = numbers.getLhsContractingDimensions();
      if (isIn(dim, batch)) return numbers.getRhsBatchingDimensions()[llvm::find(batch, dim) - batch.begin()];
      return numbers.getRhsContractingDimensions()[llvm::find(contract, dim) - contract.begin()];
    };
    SmallVector<int64_t> prefix = prefixDims(), rhsPrefix = llvm::map_to_vector(prefix, paired);
    Value mask = membership();
    Value left = perGroup(op.getLhs(), mask, prefix, ragged);
    Value right = perGroup(op.getRhs(), mask, rhsPrefix, paired(ragged));
    return product(left, right, op.getType(), 0);
  }

  chlo::RaggedDotOp op;
  PatternRewriter &b;
  Location loc;
  chlo::RaggedDotDimensionNumbersAttr numbers;
  RankedTensorType lhs, rhs, sizes;
  int64_t ragged, groups;
  SmallVector<int64_t> lhsFree, rhsFree;
};

// No sharding is to come, which knows products and not the loop over a product's tiles.
bool runsOnOne(Operation *op) { return hlo::gridOf(op->getParentOfType<ModuleOp>()).partitions == 1; }

LogicalResult LowerRaggedDot::matchAndRewrite(chlo::RaggedDotOp op, PatternRewriter &rewriter) const {
  for (Type type : {Type(op.getLhs().getType()), Type(op.getRhs().getType()), Type(op.getGroupSizes().getType()),
                    Type(op.getType())}) {
    Type element = cast<RankedTensorType>(type).getElementType();
    if (!isStatic(cast<RankedTensorType>(type)) || !(isa<FloatType, IntegerType>(element))) return failure();
  }
  Value tiled = runsOnOne(op) ? lowerRaggedTiles(op, rewriter) : Value();
  rewriter.replaceOp(op, tiled ? tiled : RaggedDot(op, rewriter).lower());
  return success();
}

}  // namespace

void populateRaggedDot(RewritePatternSet &patterns) { patterns.add<LowerRaggedDot>(patterns.getContext()); }

}  // namespace tpuc::simplify
