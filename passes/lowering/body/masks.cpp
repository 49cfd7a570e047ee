// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Masks that are known where code is made: from true sizes that no run is below, and from the indices that the points
// of a nest have.
#include "passes/lowering/body/masks.h"

#include "passes/lowering/body/body.h"

using namespace mlir;

namespace tpuc::lowering {

static Value withoutBroadcasts(Value v, DimMap *map = nullptr) {
  while (auto broadcast = v.getDefiningOp<stablehlo::BroadcastInDimOp>()) {
    if (map) *map = *operandMap(broadcast, 0, *map);
    v = broadcast.getOperand();
  }
  return v;
}

std::optional<SizeMask> sizeMaskOf(Value pred) {
  auto compare = withoutBroadcasts(pred).getDefiningOp<stablehlo::CompareOp>();
  if (!compare || compare.getComparisonDirection() != stablehlo::ComparisonDirection::LT) return std::nullopt;
  auto iota = withoutBroadcasts(compare.getLhs()).getDefiningOp<stablehlo::IotaOp>();
  return iota ? std::optional(SizeMask{iota, withoutBroadcasts(compare.getRhs())}) : std::nullopt;
}

std::optional<IndexMask> indexMaskOf(Value pred, DimMap map) {
  using D = stablehlo::ComparisonDirection;
  auto compare = withoutBroadcasts(pred, &map).getDefiningOp<stablehlo::CompareOp>();
  if (!compare || !getElementTypeOrSelf(compare.getLhs().getType()).isSignlessInteger(32)) return std::nullopt;
  auto iota = withoutBroadcasts(compare.getLhs(), &map).getDefiningOp<stablehlo::IotaOp>();
  APInt number;
  if (!iota || !matchPattern(withoutBroadcasts(compare.getRhs()), m_ConstantInt(&number))) return std::nullopt;
  const int64_t dim = map[iota.getIotaDimension()], bound = number.getSExtValue();
  switch (compare.getComparisonDirection()) {
    case D::LT:
      return IndexMask{dim, bound, true};
    case D::LE:
      return IndexMask{dim, bound + 1, true};
    case D::GE:
      return IndexMask{dim, bound, false};
    case D::GT:
      return IndexMask{dim, bound + 1, false};
    default:
      return std::nullopt;
  }
}

void Body::readLeastSizes(const KernelContext &context) {
  kernel::FusionOp op = context.op;
  for (auto [argument, least] : llvm::zip(op.getBlock().getArguments(), context.leastSizes))
    if (least >= 0) leastSizes_[argument] = least;
}

// The indices along d that the point's vreg has; nothing where a loop counts them over all of the dim.
std::optional<IndexRange> Body::indicesOf(int64_t d, const Point &p) const {
  if (d < 0) return std::nullopt;
  Linear index = p.at[d] + blockIndex[d] * domain.block[d];
  int64_t more = 0;
  if (d == domain.c()) {
    index = (p.at[d] + blockIndex[d] * (domain.block[d] / 128)) * 128;
    more = 127;
  } else if (d == domain.r()) {
    index = rowBase(p);
    more = 7;
  }
  auto it = stretches.find(d);
  const bool isCut = it != stretches.end();
  if (!index.isConstant()) return isCut ? std::optional(it->second) : std::nullopt;
  // Nobody asks for the part of a stretch that lies behind the dim.
  const int64_t last = index.constant + more;
  return IndexRange{index.constant, isCut ? std::min(last, it->second.last) : last};
}

// A mask where no run has a size that small.
bool Body::isBeforeEnd(Value pred, DimMap map, const Point &p) const {
  auto mask = sizeMaskOf(pred);
  if (!mask || !leastSizes_.contains(mask->size)) return false;
  if (noMasks_) return true;
  auto compare = withoutBroadcasts(pred, &map).getDefiningOp<stablehlo::CompareOp>();
  withoutBroadcasts(compare.getLhs(), &map);
  auto indices = indicesOf(map[mask->iota.getIotaDimension()], p);
  return indices && indices->last < leastSizes_.lookup(mask->size);
}

std::optional<bool> Body::knownMask(Value pred, const DimMap &map, const Point &p) const {
  if (!leastSizes_.empty() && isBeforeEnd(pred, map, p)) return true;
  auto mask = indexMaskOf(pred, map);
  auto indices = mask ? indicesOf(mask->dim, p) : std::nullopt;
  if (indices && indices->last < mask->bound) return mask->isBelow;
  if (indices && indices->first >= mask->bound) return !mask->isBelow;
  return std::nullopt;
}

// The operand that a select shows wherever the point is; nothing for any other value.
std::optional<unsigned> Body::knownSide(Value v, const DimMap &map, const Point &p) const {
  auto select = v.getDefiningOp<stablehlo::SelectOp>();
  auto mask = select ? knownMask(select.getPred(), *operandMap(select, 0, map), p) : std::nullopt;
  return mask ? std::optional(*mask ? 1u : 2u) : std::nullopt;
}

}  // namespace tpuc::lowering
