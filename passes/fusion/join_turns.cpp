// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements that take turns and are computed with before they are joined, as quantised weights that are unpacked:
// `(w[:, :, None] >> [0, 4, ..] & 15).reshape(..)` along lanes, `stack([low, high], 1).reshape(..)` along rows. As
// arrays of [.., n, k] or [.., n, k, m] each few would be a row or a tile of their own.
//
// 1. The arithmetic is done on joined elements. A number of a turn is one of a position's last bits.
// 2. Arrays that are repeated or take turns along lanes stay reshapes, which interleaveLanes() knows.
// 3. Arrays that take turns along rows are gaps along rows; arithmetic on one of them is done behind its gaps, so that
//    a loop reads the array where it lies.
#include "mlir/IR/Builders.h"
#include "passes/analysis/domain.h"
#include "passes/analysis/elementary.h"
#include "passes/builders/build.h"
#include "passes/fusion/group.h"

using namespace mlir;

namespace tpuc::fusion {
using namespace builders;
namespace {

constexpr int64_t kMostTurns = 8;  // as many gaps as a view may have
constexpr int kDeepest = 16;       // ops from the reshape to an array

bool isElementwise(Operation *op) {
  return op && op->hasTrait<stablehlo::IsElementwise>() && op->getNumResults() == 1 &&
         llvm::all_of(op->getOperands(),
                      [&](Value v) { return typeOf(v).getShape() == typeOf(op->getResult(0)).getShape(); });
}

stablehlo::ConstantOp splatOf(Value v) {
  auto constant = v.getDefiningOp<stablehlo::ConstantOp>();
  return constant && constant.getValue().isSplat() ? constant : stablehlo::ConstantOp();
}

class JoinTurns {
 public:
  explicit JoinTurns(stablehlo::ReshapeOp reshape) : reshape_(reshape), b_(reshape), build_{b_, reshape.getLoc()} {}

  void run() {
    Value apart = reshape_.getOperand();
    Operation *def = apart.getDefiningOp();
    if (!def || !def->hasOneUse() || def->getBlock() != reshape_->getBlock()) return;
    for (bool isOfRows : {false, true}) {
      // Along lanes a repeated array, or a concatenation, is a reshape already.
      if (!findTurns(isOfRows) || (!isOfRows && !isElementwise(def)) || !mayJoin(apart, 0) || !takesTurns_) continue;
      Value joined = join(apart);
      if (joined_ != reshape_.getType()) joined = build_.reshape(joined, reshape_.getType().getShape());
      reshape_.replaceAllUsesWith(joined);
      return reshape_.erase();
    }
  }

 private:
  // Which dims are joined, if the reshape joins a few elements with the dim before them.
  bool findTurns(bool isOfRows) {
    RankedTensorType apart = reshape_.getOperand().getType(), to = reshape_.getType();
    const int64_t rank = apart.getRank(), behind = isOfRows;
    takesTurns_ = false;
    mayJoin_.clear();
    dim_ = rank - 1 - behind;
    if (rank < 3 || dim_ < 1 || to.getRank() < 2) return false;
    turns_ = apart.getDimSize(dim_);
    if (turns_ < 2 || turns_ > kMostTurns || !llvm::isPowerOf2_64(turns_) || apart.getDimSize(dim_ - 1) < 2)
      return false;
    SmallVector<int64_t> shape(apart.getShape());
    shape[dim_ - 1] *= turns_;
    shape.erase(shape.begin() + dim_);
    joined_ = apart.clone(shape);
    return isOfRows ? to.getShape().back() == shape.back() && to.getDimSize(to.getRank() - 2) % turns_ == 0
                    : to.getShape().back() % shape.back() == 0;
  }

  bool isOfRows() { return dim_ + 1 < reshape_.getOperand().getType().getRank(); }
  RankedTensorType joinedAs(Value v) { return cast<RankedTensorType>(joined_.clone(typeOf(v).getElementType())); }
  static bool isArray(Value v) { return !typeOf(v).getElementType().isInteger(1); }

  // The dims of a broadcast's operand, as those of the joined array; nothing where it has turns among others.
  bool lacksTurns(stablehlo::BroadcastInDimOp op) { return !llvm::is_contained(op.getBroadcastDimensions(), dim_); }
  bool hasAllOthers(stablehlo::BroadcastInDimOp op) {
    RankedTensorType apart = op.getType();
    SmallVector<int64_t> dims;
    for (int64_t d = 0; d < apart.getRank(); ++d)
      if (d != dim_) dims.push_back(d);
    return llvm::equal(op.getBroadcastDimensions(), dims) && llvm::all_of(llvm::enumerate(dims), [&](auto at) {
             return op.getOperand().getType().getDimSize(at.index()) == apart.getDimSize(at.value());
           });
  }

  // Each vreg is chosen from as many loads as there are parts, and narrow ones are unpacked for each: copies of more
  // parts are sooner.
  int64_t mostParts(Value v) {
    if (analysis::packingOf(typeOf(v).getElementType()) != 1) return 2;
    return isOfRows() ? 4 : kMostTurns;
  }

  // A number of each turn.
  bool isOfTurn(Value v, int depth) {
    Operation *op = v.getDefiningOp();
    if (!op || depth > kDeepest) return false;
    if (splatOf(v) || mlir::isa<stablehlo::IotaOp>(op)) return true;
    return isElementwise(op) && llvm::all_of(op->getOperands(), [&](Value x) { return isOfTurn(x, depth + 1); });
  }

  bool mayJoin(Value v, int depth) {
    auto [known, isNew] = mayJoin_.try_emplace(v, false);
    if (!isNew) return known->second;
    const bool may = findJoin(v, depth);
    mayJoin_[v] = may;
    return may;
  }

  bool findJoin(Value v, int depth) {
    Operation *op = v.getDefiningOp();
    if (!op || depth > kDeepest) return false;
    if (splatOf(v)) return true;
    if (auto iota = dyn_cast<stablehlo::IotaOp>(op)) return typeOf(v).getElementType().isInteger(32);
    if (auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op)) {
      if (broadcast.getBroadcastDimensions() == ArrayRef<int64_t>{dim_}) return isOfTurn(broadcast.getOperand(), 0);
      takesTurns_ |= !isOfRows();
      return lacksTurns(broadcast) && hasAllOthers(broadcast) && isArray(v) && !isOfRows();
    }
    if (auto concat = dyn_cast<stablehlo::ConcatenateOp>(op)) {
      takesTurns_ = true;
      return static_cast<int64_t>(concat.getDimension()) == dim_ &&
             static_cast<int64_t>(concat.getInputs().size()) == turns_ && isArray(v) && turns_ <= mostParts(v);
    }
    return isElementwise(op) && llvm::all_of(op->getOperands(), [&](Value x) { return mayJoin(x, depth + 1); });
  }

  Value splat(Value v) {
    auto value = cast<DenseElementsAttr>(splatOf(v).getValue());
    return stablehlo::ConstantOp::create(b_, build_.loc, cast<ElementsAttr>(Attribute(value.resizeSplat(joinedAs(v)))));
  }

  // Positions' turns.
  Value turn() {
    RankedTensorType numbers = cast<RankedTensorType>(joined_.clone(b_.getI32Type()));
    Value at = stablehlo::IotaOp::create(b_, build_.loc, numbers, dim_ - 1);
    return stablehlo::AndOp::create(b_, build_.loc, at, build_.splat(numbers, turns_ - 1));
  }

  Value cloned(Operation *op, ArrayRef<Value> operands) {
    Operation *made = b_.clone(*op);
    made->setOperands(operands);
    made->getResult(0).setType(joinedAs(op->getResult(0)));
    return made->getResult(0);
  }

  Value joinOfTurn(Value v) {
    Operation *op = v.getDefiningOp();
    if (splatOf(v)) return splat(v);
    if (mlir::isa<stablehlo::IotaOp>(op)) {
      Value at = turn();
      return typeOf(at) == joinedAs(v) ? at : stablehlo::ConvertOp::create(b_, build_.loc, joinedAs(v), at).getResult();
    }
    return cloned(op, llvm::map_to_vector(op->getOperands(), [&](Value x) { return joinOfTurn(x); }));
  }

  Value join(Value v) {
    if (Value known = made_.lookup(v)) return known;
    return made_[v] = makeJoined(v);
  }

  Value makeJoined(Value v) {
    Operation *op = v.getDefiningOp();
    if (splatOf(v)) return splat(v);
    if (auto iota = dyn_cast<stablehlo::IotaOp>(op)) return joinedPositions(iota);
    if (auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op)) {
      if (broadcast.getBroadcastDimensions() == ArrayRef<int64_t>{dim_}) return joinOfTurn(broadcast.getOperand());
      return build_.reshape(b_.clone(*op)->getResult(0), joined_.getShape());
    }
    if (auto concat = dyn_cast<stablehlo::ConcatenateOp>(op))
      return isOfRows() ? joinedRows(concat) : build_.reshape(b_.clone(*op)->getResult(0), joined_.getShape());
    return cloned(op, llvm::map_to_vector(op->getOperands(), [&](Value x) { return join(x); }));
  }

  Value joinedPositions(stablehlo::IotaOp iota) {
    const auto along = static_cast<int64_t>(iota.getIotaDimension());
    if (along == dim_) return turn();
    Value at = stablehlo::IotaOp::create(b_, build_.loc, joinedAs(iota), along - (along > dim_));
    if (along + 1 != dim_) return at;
    Value bits = build_.splat(typeOf(at), llvm::Log2_64(turns_));
    return stablehlo::ShiftRightLogicalOp::create(b_, build_.loc, at, bits);
  }

  Value joinedRows(stablehlo::ConcatenateOp concat) {
    Value own = turn(), out;
    for (auto [i, part] : llvm::enumerate(concat.getInputs())) {
      SmallVector<int64_t> shape(typeOf(part).getShape());
      shape.erase(shape.begin() + dim_);
      auto inner = part.getDefiningOp<stablehlo::ReshapeOp>();
      const bool isUndone = inner && inner.getOperand().getType().getShape() == ArrayRef<int64_t>(shape);
      Value spread = spreadRows(isUndone ? inner.getOperand() : build_.reshape(part, shape), i, 0);
      if (!out) {
        out = spread;
        continue;
      }
      Value number = build_.splat(typeOf(own), static_cast<int64_t>(i));
      Value is = stablehlo::CompareOp::create(b_, build_.loc, own, number, stablehlo::ComparisonDirection::EQ);
      out = stablehlo::SelectOp::create(b_, build_.loc, is, spread, out);
    }
    return out;
  }

  // The rows at their turn; any number in the others. Each value once: what is read twice is not computed twice.
  Value spreadRows(Value v, int64_t turn, int depth) {
    if (Value known = spread_.lookup({v, turn})) return known;
    Value made = makeSpread(v, turn, depth);
    spread_[{v, turn}] = made;
    return made;
  }

  Value makeSpread(Value v, int64_t turn, int depth) {
    Operation *op = v.getDefiningOp();
    if (splatOf(v)) return splat(v);
    if (isElementwise(op) && depth <= kDeepest && !analysis::elementaryCost(op) && isArray(v) &&
        llvm::all_of(op->getOperands(), [&](Value x) { return isArray(x); }))
      return cloned(op,
                    llvm::map_to_vector(op->getOperands(), [&](Value x) { return spreadRows(x, turn, depth + 1); }));
    SmallVector<int64_t> low(joined_.getRank(), 0), high(joined_.getRank(), 0), between(joined_.getRank(), 0);
    low[dim_ - 1] = turn;
    high[dim_ - 1] = turns_ - 1 - turn;
    between[dim_ - 1] = turns_ - 1;
    return build_.pad(v, build_.zero(typeOf(v).getElementType()), low, high, between);
  }

  stablehlo::ReshapeOp reshape_;
  OpBuilder b_;
  Build build_;
  int64_t dim_ = 0, turns_ = 0;
  bool takesTurns_ = false;  // and not only numbers of turns
  RankedTensorType joined_;
  llvm::DenseMap<Value, Value> made_;
  llvm::DenseMap<Value, bool> mayJoin_;
  llvm::DenseMap<std::pair<Value, int64_t>, Value> spread_;  // rows at a turn
};

}  // namespace

void joinTurns(func::FuncOp func) {
  SmallVector<stablehlo::ReshapeOp> reshapes;
  func.walk([&](stablehlo::ReshapeOp op) { reshapes.push_back(op); });
  for (stablehlo::ReshapeOp op : reshapes) JoinTurns(op).run();
}

}  // namespace tpuc::fusion
