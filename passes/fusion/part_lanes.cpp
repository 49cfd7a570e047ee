// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes that are dealt to several rows: `reshape(x, [.., n, r, r])` with n moved last, as PyTorch's pixel shuffle has
// it. An array of [.., n, r, r] would make each few elements a row. Steps along lanes are read where they lie, and what
// comes of them changes places as whole rows.
#include "passes/analysis/domain.h"
#include "passes/builders/build.h"
#include "passes/fusion/group.h"

using namespace mlir;

namespace tpuc::fusion {
using namespace builders;
namespace {

constexpr int64_t kFarthest = 8;               // lanes that a step of a loop's view may be
constexpr int64_t kMostTurns = 64;             // slices
constexpr int64_t kFewest = int64_t{1} << 14;  // elements: fewer are as soon moved one by one

// The operand's last dim is `lanes` and the dims behind it, of `turns` elements together, the last of them of few; the
// result has `lanes` last.
struct Deal {
  stablehlo::ReshapeOp reshape;
  int64_t lanes = 0, turns = 1;
};

std::optional<Deal> dealOf(stablehlo::TransposeOp op) {
  Deal deal{op.getOperand().getDefiningOp<stablehlo::ReshapeOp>()};
  if (!deal.reshape || !deal.reshape->hasOneUse()) return std::nullopt;
  RankedTensorType from = typeOf(deal.reshape.getOperand()), apart = typeOf(deal.reshape.getResult());
  const int64_t rank = apart.getRank();
  deal.lanes = op.getPermutation().back();
  for (int64_t d = deal.lanes + 1; d < rank; ++d) deal.turns *= apart.getDimSize(d);
  const bool isWhole = from.getRank() > 0 && from.getShape().back() == apart.getDimSize(deal.lanes) * deal.turns;
  if (!isWhole || deal.turns < 2 || deal.turns > kMostTurns || apart.getShape().back() > kFarthest ||
      apart.getDimSize(deal.lanes) < 2 || apart.getNumElements() < kFewest || apart.getElementTypeBitWidth() < 16)
    return std::nullopt;
  return deal;
}

// Every `turns`-th lane, from each of the first `turns` on, by steps that a loop takes; nothing where it cannot.
SmallVector<Value> dealt(Build &build, Value v, int64_t turns) {
  if (turns == 1) return {v};
  const int64_t rank = typeOf(v).getRank();
  int64_t step = kFarthest;
  while (turns % step) --step;
  if (step == 1) return {};
  SmallVector<Value> out(turns);
  for (int64_t turn = 0; turn < step; ++turn) {
    SmallVector<int64_t> start(rank, 0), limit(typeOf(v).getShape()), stride(rank, 1);
    start.back() = turn;
    stride.back() = step;
    Value every = build.slice(v, start, limit, stride);
    if (!analysis::isShuffledView(every.getDefiningOp())) return {};
    SmallVector<Value> of = dealt(build, every, turns / step);
    if (of.empty()) return {};
    for (auto [i, part] : llvm::enumerate(of)) out[turn + static_cast<int64_t>(i) * step] = part;
  }
  return out;
}

// [turns.., leads.., lanes], transposed to what the op makes of [leads.., lanes, turns..].
void rewrite(stablehlo::TransposeOp op, Deal deal) {
  OpBuilder b(op);
  Build build{b, op.getLoc()};
  RankedTensorType apart = typeOf(deal.reshape.getResult());
  const int64_t behind = apart.getRank() - deal.lanes - 1;
  SmallVector<int64_t> one{1}, all(apart.getShape().take_back(behind)), order;
  llvm::append_range(one, apart.getShape().drop_back(behind));
  llvm::append_range(all, apart.getShape().drop_back(behind));
  SmallVector<Value> parts = dealt(build, deal.reshape.getOperand(), deal.turns);
  if (parts.empty()) return;
  for (Value &part : parts) part = build.reshape(part, one);
  for (int64_t d : op.getPermutation()) order.push_back(d > deal.lanes ? d - deal.lanes - 1 : d + behind);
  op.replaceAllUsesWith(build.transpose(build.reshape(build.concatenate(parts, 0), all), order));
  op.erase();
  deal.reshape.erase();
}

}  // namespace

void partLanes(func::FuncOp func) {
  SmallVector<stablehlo::TransposeOp> ops;
  func.walk([&](stablehlo::TransposeOp op) {
    if (!mlir::isa<kernel::FusionOp>(op->getParentOp())) ops.push_back(op);
  });
  for (stablehlo::TransposeOp op : ops)
    if (std::optional<Deal> deal = dealOf(op)) rewrite(op, *deal);
}

}  // namespace tpuc::fusion
