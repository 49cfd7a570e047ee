// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products with rows in groups, tile by tile.
//
// Rows in groups, cut where a tile of rows or a group begins, are pieces of one tile and one group each: as many as
// there are tiles and groups together, some of them empty. A loop over them does a tile's product with one group each,
// where the product with every group would do as many as there are groups.
#include "passes/simplify/special.h"

using namespace mlir;

namespace tpuc::simplify {
namespace {

namespace hlo = tpuc::stablehlo;

class RaggedTiles {
 public:
  RaggedTiles(chlo::RaggedDotOp op, PatternRewriter &b)
      : op_(op), b_(b), loc_(op.getLoc()), numbers_(op.getRaggedDotDimensionNumbers()) {}

  // Whether it has the form: [m, k] with [g, k, n] or [g, n, k], or [m, k] with [m, n] summed over m, of floats, in
  // whole tiles of rows, and half of the rows are multiplied so at most.
  bool suits() {
    lhs_ = op_.getLhs().getType(), rhs_ = op_.getRhs().getType();
    auto sizes = op_.getGroupSizes().getType();
    if (sizes.getRank() != 1 || !numbers_.getLhsBatchingDimensions().empty() || lhs_.getRank() != 2 ||
        numbers_.getLhsRaggedDimensions() != ArrayRef<int64_t>{0} || numbers_.getLhsContractingDimensions().size() != 1)
      return false;
    groups_ = sizes.getDimSize(0);
    isSummed_ = numbers_.getLhsContractingDimensions()[0] == 0;
    const bool hasForm = isSummed_ ? rhs_.getRank() == 2 && numbers_.getRhsContractingDimensions()[0] == 0
                                   : rhs_.getRank() == 3 && numbers_.getRhsGroupDimensions() == ArrayRef<int64_t>{0};
    auto isFloat = [](RankedTensorType type) { return isa<FloatType>(type.getElementType()); };
    if (!hasForm || !isFloat(lhs_) || !isFloat(rhs_) || !isFloat(op_.getType())) return false;
    const int64_t rows = lhs_.getDimSize(0);
    if (rows == 0 || groups_ == 0) return false;
    for (tile_ = kMostRows; tile_ >= kFewestRows; tile_ /= 2) {
      tiles_ = rows / tile_;
      if (rows % tile_ == 0 && kLeastGain * (tiles_ + groups_) * tile_ <= groups_ * rows) return true;
    }
    return false;
  }

  Value lower() {
    findPieces();
    return isSummed_ ? sums() : products();
  }

 private:
  static constexpr int64_t kMostRows = 512, kFewestRows = 128;  // a tile's: its product takes longer than its weights
  static constexpr int64_t kLeastGain = 2;                      // times fewer rows than with every group

  RankedTensorType numbersOf(int64_t n) { return RankedTensorType::get({n}, b_.getI32Type()); }
  RankedTensorType scalar() { return RankedTensorType::get({}, b_.getI32Type()); }
  Value splat(RankedTensorType type, int64_t value) { return makeSplat(b_, loc_, type, APInt(32, value, true)); }
  Value iota(RankedTensorType type, int64_t dim) {
    return hlo::IotaOp::create(b_, loc_, type, b_.getI64IntegerAttr(dim));
  }
  Value zeros(RankedTensorType type) {
    return makeSplat(b_, loc_, type, APFloat(cast<FloatType>(type.getElementType()).getFloatSemantics()));
  }
  Value compare(Value x, Value y, hlo::ComparisonDirection direction) {
    return hlo::CompareOp::create(b_, loc_, x, y, direction);
  }
  Value spread(Value v, RankedTensorType type, ArrayRef<int64_t> dims) {
    return hlo::BroadcastInDimOp::create(b_, loc_, type, v, dims);
  }

  Value sumAlong(Value v, int64_t dim, RankedTensorType type) {
    auto reduce = hlo::ReduceOp::create(b_, loc_, TypeRange{type}, ValueRange{v}, ValueRange{splat(scalar(), 0)},
                                        ArrayRef<int64_t>(dim));
    OpBuilder::InsertionGuard guard(b_);
    Block *body = b_.createBlock(&reduce.getBody(), {}, {scalar(), scalar()}, {loc_, loc_});
    hlo::ReturnOp::create(b_, loc_,
                          ValueRange{hlo::AddOp::create(b_, loc_, body->getArgument(0), body->getArgument(1))});
    return reduce.getResult(0);
  }

  // How many of `among` are at most each of `of`; weighed by `weights`, if given, of `among`.
  Value countUpTo(Value among, Value of, Value weights) {
    const int64_t n = cast<RankedTensorType>(of.getType()).getDimSize(0),
                  m = cast<RankedTensorType>(among.getType()).getDimSize(0);
    auto square = RankedTensorType::get({n, m}, b_.getI32Type());
    Value isUpTo = compare(spread(among, square, {1}), spread(of, square, {0}), hlo::ComparisonDirection::LE);
    Value weight = weights ? spread(weights, square, {1}) : splat(square, 1);
    return sumAlong(hlo::SelectOp::create(b_, loc_, isUpTo, weight, splat(square, 0)), 1, numbersOf(n));
  }

  Value sorted(Value v) {
    auto sort = hlo::SortOp::create(b_, loc_, TypeRange{v.getType()}, ValueRange{v}, b_.getI64IntegerAttr(0),
                                    b_.getBoolAttr(false));
    OpBuilder::InsertionGuard guard(b_);
    Block *body = b_.createBlock(&sort.getComparator(), {}, {scalar(), scalar()}, {loc_, loc_});
    Value less = compare(body->getArgument(0), body->getArgument(1), hlo::ComparisonDirection::LT);
    hlo::ReturnOp::create(b_, loc_, less);
    return sort.getResult(0);
  }

  // The groups' sizes as i32, none larger than all rows.
  Value groupSizes(int64_t rows) {
    auto type = op_.getGroupSizes().getType();
    Value sizes = op_.getGroupSizes();
    const unsigned bits = type.getElementTypeBitWidth();
    if (bits > 31) sizes = hlo::MinOp::create(b_, loc_, sizes, makeSplat(b_, loc_, type, APInt(bits, rows)));
    if (type.getElementType().isSignlessInteger(32)) return sizes;
    return hlo::ConvertOp::create(b_, loc_, numbersOf(groups_), sizes);
  }

  // Finds for each piece its tile, its group, its first row and the row behind its last one. Rows are counted from the
  // tile's first.
  void findPieces() {
    const int64_t rows = tiles_ * tile_;
    pieces_ = tiles_ + groups_;
    auto of = numbersOf(pieces_);
    Value sizes = groupSizes(rows);
    Value number = iota(numbersOf(groups_), 0), ends = countUpTo(number, number, sizes);
    ends = hlo::MinOp::create(b_, loc_, ends, splat(numbersOf(groups_), rows));
    Value starts = hlo::MulOp::create(b_, loc_, iota(numbersOf(tiles_), 0), splat(numbersOf(tiles_), tile_));
    Value cuts = sorted(hlo::ConcatenateOp::create(b_, loc_, of, ValueRange{starts, ends}, 0));
    auto part = [&](Value v, int64_t first, int64_t end) -> Value {
      return hlo::SliceOp::create(b_, loc_, numbersOf(end - first), v, ArrayRef<int64_t>{first}, ArrayRef<int64_t>{end},
                                  ArrayRef<int64_t>{1});
    };
    Value next =
        hlo::ConcatenateOp::create(b_, loc_, of, ValueRange{part(cuts, 1, pieces_), splat(numbersOf(1), rows)}, 0);
    // Rows behind the last group are no group's.
    next = hlo::MinOp::create(b_, loc_, next, spread(part(ends, groups_ - 1, groups_), of, {0}));
    tileOf_ = hlo::MinOp::create(b_, loc_, hlo::DivOp::create(b_, loc_, cuts, splat(of, tile_)), splat(of, tiles_ - 1));
    groupOf_ = hlo::MinOp::create(b_, loc_, countUpTo(ends, cuts, {}), splat(of, groups_ - 1));
    Value begin = hlo::MulOp::create(b_, loc_, tileOf_, splat(of, tile_));
    first_ = hlo::SubtractOp::create(b_, loc_, cuts, begin);
    end_ = hlo::SubtractOp::create(b_, loc_, next, begin);
  }

  Value numberAt(Value numbers, Value i) {
    Value one =
        hlo::DynamicSliceOp::create(b_, loc_, numbersOf(1), numbers, ValueRange{i}, b_.getDenseI64ArrayAttr({1}));
    return hlo::ReshapeOp::create(b_, loc_, scalar(), one);
  }

  SmallVector<Value> startsAt(Value i, int64_t rank) {
    SmallVector<Value> starts(rank, splat(scalar(), 0));
    starts[0] = i;
    return starts;
  }

  // Entry `i` of a stack.
  Value entry(Value stack, Value i) {
    auto type = cast<RankedTensorType>(stack.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[0] = 1;
    Value one = hlo::DynamicSliceOp::create(b_, loc_, type.clone(shape), stack, startsAt(i, type.getRank()),
                                            b_.getDenseI64ArrayAttr(shape));
    return hlo::ReshapeOp::create(b_, loc_, type.clone(type.getShape().drop_front()), one);
  }

  Value withEntry(Value stack, Value entry, Value i) {
    auto type = cast<RankedTensorType>(stack.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[0] = 1;
    Value one = hlo::ReshapeOp::create(b_, loc_, type.clone(shape), entry);
    return hlo::DynamicUpdateSliceOp::create(b_, loc_, type, stack, one, startsAt(i, type.getRank()));
  }

  // [m, ..] as tiles.
  Value tilesOf(Value v) {
    auto type = cast<RankedTensorType>(v.getType());
    return hlo::ReshapeOp::create(b_, loc_, type.clone({tiles_, tile_, type.getDimSize(1)}), v);
  }

  // Which of a tile's rows are the piece's, in an array of rows.
  Value isIn(Value piece, RankedTensorType type) {
    auto rows = type.clone(b_.getI32Type());
    Value row = iota(rows, 0);
    Value after = compare(row, spread(numberAt(first_, piece), rows, {}), hlo::ComparisonDirection::GE),
          before = compare(row, spread(numberAt(end_, piece), rows, {}), hlo::ComparisonDirection::LT);
    return hlo::AndOp::create(b_, loc_, after, before);
  }

  Value dot(RankedTensorType type, Value left, Value right, int64_t leftDim, int64_t rightDim) {
    auto dims = hlo::DotDimensionNumbersAttr::get(b_.getContext(), {}, {}, {leftDim}, {rightDim});
    ArrayAttr precision = op_.getPrecisionConfigAttr();
    if (precision)
      precision = b_.getArrayAttr(llvm::map_to_vector(precision, [&](Attribute word) -> Attribute {
        return hlo::PrecisionAttr::get(b_.getContext(), cast<chlo::PrecisionAttr>(word).getValue());
      }));
    return hlo::DotGeneralOp::create(b_, loc_, type, left, right, dims, precision, hlo::DotAlgorithmAttr());
  }

  // `made` piece by piece: what `step` makes of it and a piece's number.
  Value loop(Value made, llvm::function_ref<Value(Value, Value)> step) {
    SmallVector<Type> types{scalar(), made.getType()};
    SmallVector<Location> locs(2, loc_);
    auto loop = hlo::WhileOp::create(b_, loc_, types, ValueRange{splat(scalar(), 0), made});
    OpBuilder::InsertionGuard guard(b_);
    Block *cond = b_.createBlock(&loop.getCond(), {}, types, locs);
    Value isMore = compare(cond->getArgument(0), splat(scalar(), pieces_), hlo::ComparisonDirection::LT);
    hlo::ReturnOp::create(b_, loc_, isMore);
    Block *body = b_.createBlock(&loop.getBody(), {}, types, locs);
    Value piece = body->getArgument(0), next = step(body->getArgument(1), piece);
    Value more = hlo::AddOp::create(b_, loc_, piece, splat(scalar(), 1));
    hlo::ReturnOp::create(b_, loc_, ValueRange{more, next});
    return loop->getResult(1);
  }

  // Each row by its group's matrix.
  Value products() {
    const int64_t depth = numbers_.getRhsContractingDimensions()[0], columns = rhs_.getDimSize(3 - depth);
    Value rows = tilesOf(op_.getLhs());
    auto tile = op_.getType().clone({tile_, columns});
    Value made = loop(zeros(op_.getType().clone({tiles_, tile_, columns})), [&](Value tiles, Value piece) {
      Value at = numberAt(tileOf_, piece), of = numberAt(groupOf_, piece);
      Value own = entry(rows, at), matrix = entry(op_.getRhs(), of), product = dot(tile, own, matrix, 1, depth - 1);
      Value isOwn = isIn(piece, tile), before = entry(tiles, at);
      Value next = hlo::SelectOp::create(b_, loc_, isOwn, product, before);
      return withEntry(tiles, next, at);
    });
    return hlo::ReshapeOp::create(b_, loc_, op_.getType(), made);
  }

  // A tile's rows, those of other pieces 0.
  Value piecesOwn(Value tile, Value piece) {
    auto type = cast<RankedTensorType>(tile.getType());
    Value isOwn = isIn(piece, type);
    return hlo::SelectOp::create(b_, loc_, isOwn, tile, zeros(type));
  }

  // Each group's sum over its rows, in f32 at least.
  Value sums() {
    auto type = op_.getType();
    if (type.getElementTypeBitWidth() < 32) type = type.clone(b_.getF32Type());
    Value rows = tilesOf(op_.getLhs()), others = tilesOf(op_.getRhs());
    auto group = type.clone(type.getShape().drop_front());
    Value made = loop(zeros(type), [&](Value all, Value piece) {
      Value at = numberAt(tileOf_, piece), of = numberAt(groupOf_, piece);
      // Both sides: what is not finite in others' rows is none of this group's.
      Value own = piecesOwn(entry(rows, at), piece), other = piecesOwn(entry(others, at), piece);
      Value sum = dot(group, own, other, 0, 0), before = entry(all, of);
      return withEntry(all, hlo::AddOp::create(b_, loc_, before, sum), of);
    });
    return type == op_.getType() ? made : hlo::ConvertOp::create(b_, loc_, op_.getType(), made).getResult();
  }

  chlo::RaggedDotOp op_;
  PatternRewriter &b_;
  Location loc_;
  chlo::RaggedDotDimensionNumbersAttr numbers_;
  RankedTensorType lhs_, rhs_;
  bool isSummed_ = false;
  int64_t groups_ = 0, tile_ = 0, tiles_ = 0, pieces_ = 0;
  Value tileOf_, groupOf_, first_, end_;
};

}  // namespace

Value lowerRaggedTiles(chlo::RaggedDotOp op, PatternRewriter &rewriter) {
  RaggedTiles tiles(op, rewriter);
  return tiles.suits() ? tiles.lower() : Value();
}

}  // namespace tpuc::simplify
