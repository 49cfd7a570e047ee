// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where padded copies of input blocks lie.
#include "passes/plan/conv/padded_input.h"

using namespace mlir;

namespace tpuc::plan {

SmallVector<Axis> axesOf(stablehlo::ConvolutionOp op) {
  auto numbers = op.getDimensionNumbers();
  auto lhs = cast<RankedTensorType>(op.getLhs().getType()), rhs = cast<RankedTensorType>(op.getRhs().getType()),
       out = cast<RankedTensorType>(op.getType());
  SmallVector<Axis> axes(numbers.getInputSpatialDimensions().size());
  auto at = [](std::optional<ArrayRef<int64_t>> values, size_t i) { return values ? (*values)[i] : 1; };
  for (auto [i, a] : llvm::enumerate(axes)) {
    a.in = lhs.getDimSize(numbers.getInputSpatialDimensions()[i]);
    a.out = out.getDimSize(numbers.getOutputSpatialDimensions()[i]);
    a.window = rhs.getDimSize(numbers.getKernelSpatialDimensions()[i]);
    a.stride = at(op.getWindowStrides(), i);
    a.baseDilation = at(op.getLhsDilation(), i);
    a.dilation = at(op.getRhsDilation(), i);
    if (auto padding = op.getPadding()) a.low = padding->getValues<int64_t>()[2 * i];
    if (auto reversal = op.getWindowReversal()) a.reversed = (*reversal)[i];
  }
  return axes;
}

uint32_t laneBits(Attribute scalar, Type type) {
  if (auto f = dyn_cast<FloatAttr>(scalar)) {
    APFloat value = f.getValue();
    bool lost;
    value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &lost);
    return static_cast<uint32_t>(value.bitcastToAPInt().getZExtValue());
  }
  const APInt &value = cast<IntegerAttr>(scalar).getValue();
  const bool isSigned = !type.isUnsignedInteger() && !type.isInteger(1);
  return static_cast<uint32_t>(isSigned ? static_cast<uint64_t>(value.getSExtValue()) : value.getZExtValue());
}

SmallVector<SmallVector<int64_t>> windowPositions(ArrayRef<int64_t> window) {
  SmallVector<SmallVector<int64_t>> positions;
  SmallVector<int64_t> at(window.size(), 0);
  while (true) {
    positions.push_back(at);
    int64_t i = window.size() - 1;
    while (i >= 0 && ++at[i] == window[i]) at[i--] = 0;
    if (i < 0) return positions;
  }
}

PaddedInput::Rows PaddedInput::rowsOf(size_t axis) const {
  const Axis &a = lead[axis];
  const int64_t block = domain->block[leadDims[axis]], span = a.span(block), step = block * a.stride;
  if (hasGaps) return {span, step, a.low, a.baseDilation};
  const int64_t first = a.low % a.baseDilation;
  return {(span - first + a.baseDilation - 1) / a.baseDilation, step / a.baseDilation, a.low / a.baseDilation, 1};
}

void PaddedInput::setHalos() {
  for (auto [i, a] : llvm::enumerate(ArrayRef(lead).take_front(isPlanes ? 1 : lead.size()))) {
    const Rows rows = rowsOf(i);
    Halo halo{rows.step, rows.low, rows.dilation, 0};
    halo.held = domain->steps(leadDims[i]) <= 1
                    ? a.in
                    : std::min(a.in, rows.dilation == 1 ? rows.held : (rows.held - 1) / rows.dilation + 2);
    block->halos[i] = halo;
  }
}

bool PaddedInput::meetsBlockOnly() const {
  auto isInside = [](const Axis &a) { return a.low == 0 && a.baseDilation == 1 && a.span(a.out) <= a.in; };
  // A last block that would be shorter begins earlier.
  for (auto [i, a] : llvm::enumerate(lead))
    if (domain->steps(leadDims[i]) > 1 ? !a.isTrivial() || domain->hasTail(leadDims[i]) : !isInside(a)) return false;
  // Results come in units of rows: those of nobody stay within the block too.
  const auto results = static_cast<int64_t>(llvm::alignTo(last.out, domain->unitRows())),
             rows = static_cast<int64_t>(llvm::alignTo(last.in, 8));
  return block->array.pack == 1 && !intToFloat && !isTurned && features == 1 && isInside(last) &&
         last.span(results) <= rows;
}

void PaddedInput::layOut() {
  held.clear();
  leadWords.assign(lead.size(), 0);
  int64_t unit = features > 1 ? 1 : 8 * block->array.pack, slack = 64 * std::max(last.stride, last.baseDilation);
  int64_t left = std::max<int64_t>(last.low, 0), right = std::min<int64_t>(last.low, 0);
  pitch = std::max(left + (static_cast<int64_t>(llvm::alignTo(last.in, unit)) - 1) * last.baseDilation + 1,
                   static_cast<int64_t>(last.span(std::max(reach, last.out)) - right));
  tiles = llvm::alignTo(llvm::divideCeil(domain->block[lanesDim], 128), tilesMultiple);
  pitch *= features;
  tileWords = pitch;
  int64_t rows = tileWords * tiles;
  for (size_t i = 0; i < lead.size(); ++i) held.push_back(rowsOf(i).held);
  for (size_t i = lead.size(); i-- > 0;) {
    leadWords[i] = rows;
    rows *= held[i];
  }
  words = llvm::alignTo(rows + slack + last.span(1) * features, 8);
}

Linear PaddedInput::wordOf(ArrayRef<Linear> rows, const Linear &tile, const Linear &x) const {
  if (isBlock) {
    Linear at = block->base + tile * block->rowsHeld + x;
    for (auto [i, row] : llvm::enumerate(rows)) at = at + row * block->leadWords[i];
    return at;
  }
  Linear at = Linear(word) + tile * tileWords + (x + Linear(-std::min<int64_t>(last.low, 0))) * features;
  for (auto [i, row] : llvm::enumerate(rows)) at = at + row * leadWords[i];
  return at;
}

DimMap PaddedInput::mapOf(ArrayRef<int64_t> leading, int64_t laneDim) const {
  if (isPlanes) return {leading[0], laneDim, kUnit, kUnit};
  DimMap map(leading.begin(), leading.end());
  if (isTurned)
    map.append({laneDim, kUnit});
  else
    map.append({kUnit, laneDim});
  return map;
}

void PaddedInput::setView(Domain &view, int64_t laneDim, int64_t other) const {
  if (isPlanes) {
    view.rDim = view.cDim = other;
    return;
  }
  view.cDim = isTurned ? other : laneDim;
  if (isTurned) view.rDim = laneDim;
}

}  // namespace tpuc::plan
