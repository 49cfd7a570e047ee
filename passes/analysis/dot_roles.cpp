// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Roles of a dot's operands.
#include "passes/analysis/dot_roles.h"

using namespace mlir;

namespace tpuc::analysis {

static RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

bool takesEitherWay(stablehlo::DotAlgorithmAttr algorithm) {
  return !algorithm || (algorithm.getLhsPrecisionType() == algorithm.getRhsPrecisionType() &&
                        algorithm.getLhsComponentCount() == algorithm.getRhsComponentCount());
}

ArrayAttr precisionOf(stablehlo::DotGeneralOp dot, bool swaps) {
  ArrayAttr own = dot.getPrecisionConfigAttr();
  return swaps && own && own.size() == 2 ? ArrayAttr::get(dot.getContext(), {own[1], own[0]}) : own;
}

SmallVector<int64_t> freeDims(stablehlo::DotGeneralOp dot, bool rhs) {
  auto numbers = dot.getDotDimensionNumbers();
  ArrayRef<int64_t> batch = rhs ? numbers.getRhsBatchingDimensions() : numbers.getLhsBatchingDimensions();
  ArrayRef<int64_t> contract = rhs ? numbers.getRhsContractingDimensions() : numbers.getLhsContractingDimensions();
  SmallVector<int64_t> out;
  int64_t rank = cast<RankedTensorType>((rhs ? dot.getRhs() : dot.getLhs()).getType()).getRank();
  for (int64_t d = 0; d < rank; ++d)
    if (!llvm::is_contained(batch, d) && !llvm::is_contained(contract, d)) out.push_back(d);
  return out;
}

std::optional<DotRoles> dotRoles(stablehlo::DotGeneralOp dot, int64_t lhsLanes, int64_t rhsLanes,
                                 ArrayRef<int64_t> order) {
  auto numbers = dot.getDotDimensionNumbers();
  int64_t batch = numbers.getLhsBatchingDimensions().size();
  SmallVector<int64_t> lhsFree = freeDims(dot, false), rhsFree = freeDims(dot, true);
  int64_t lhsBase = batch, rhsBase = batch + lhsFree.size();
  DotRoles roles;
  int64_t last = order.empty() ? -1 : order.back();
  roles.swapped = last >= lhsBase && last < rhsBase;
  if (last >= 0 && last < batch) return std::nullopt;  // a batch along lanes
  ArrayRef<int64_t> mFree = roles.swapped ? rhsFree : lhsFree, nFree = roles.swapped ? lhsFree : rhsFree;
  int64_t mBase = roles.swapped ? rhsBase : lhsBase, nBase = roles.swapped ? lhsBase : rhsBase;
  int64_t rowLanes = roles.swapped ? rhsLanes : lhsLanes, weightLanes = roles.swapped ? lhsLanes : rhsLanes;
  ArrayRef<int64_t> mContract =
      roles.swapped ? numbers.getRhsContractingDimensions() : numbers.getLhsContractingDimensions();
  ArrayRef<int64_t> nContract =
      roles.swapped ? numbers.getLhsContractingDimensions() : numbers.getRhsContractingDimensions();
  auto minor = [&](ArrayRef<int64_t> dims, int64_t base) {
    int64_t best = -1, place = -1;
    for (auto [i, d] : llvm::enumerate(dims))
      if (int64_t at = llvm::find(order, base + static_cast<int64_t>(i)) - order.begin(); at > place) {
        place = at;
        best = d;
      }
    return best;
  };
  roles.m = minor(mFree, mBase);
  roles.n = minor(nFree, nBase);
  // Rows of a few elements would leave most of every push empty: the longest dim takes their place.
  auto rowType = cast<RankedTensorType>((roles.swapped ? dot.getRhs() : dot.getLhs()).getType());
  if (roles.m >= 0 && rowType.getDimSize(roles.m) < 16)
    for (int64_t d : mFree)
      if (rowType.getDimSize(d) > rowType.getDimSize(roles.m)) roles.m = d;
  auto indexIn = [](ArrayRef<int64_t> dims, int64_t d) {
    return d < 0 || !llvm::is_contained(dims, d) ? -1 : llvm::find(dims, d) - dims.begin();
  };
  int64_t weightK = indexIn(nContract, weightLanes), rowK = indexIn(mContract, rowLanes);
  if (weightLanes >= 0 && weightK < 0 && weightLanes != roles.n)
    return std::nullopt;  // lanes of the weights are another free dim, or a batch
  roles.weightsTransposed = weightK >= 0;
  if (rowK >= 0) {
    if (weightK >= 0 && weightK != rowK) return std::nullopt;
    roles.k = rowK;
    return roles;
  }
  if (mContract.empty()) return roles;
  // The contraction along lanes: the weights', else the longest.
  roles.k = weightK;
  for (int64_t i = 0; weightK < 0 && i < static_cast<int64_t>(mContract.size()); ++i)
    if (roles.k < 0 || rowType.getDimSize(mContract[i]) > rowType.getDimSize(mContract[roles.k])) roles.k = i;
  if (rowLanes < 0) return roles;
  if (!llvm::is_contained(mFree, rowLanes)) return std::nullopt;
  roles.m = rowLanes;
  roles.rowsTransposed = true;
  return roles;
}

int64_t smallestDotBlock(stablehlo::DotGeneralOp dot, int64_t lhsLanes, int64_t rhsLanes, ArrayRef<int64_t> order,
                         int64_t side) {
  auto roles = *dotRoles(dot, lhsLanes, rhsLanes, order);
  auto numbers = dot.getDotDimensionNumbers();
  // A name for each dim of the product: its place in the result, or past that its place among the contracted.
  int64_t batch = numbers.getLhsBatchingDimensions().size(), rank = typeOf(dot).getRank();
  auto names = [&](bool right) {
    SmallVector<int64_t> out(typeOf(right ? dot.getRhs() : dot.getLhs()).getRank());
    for (auto [i, d] : llvm::enumerate(right ? numbers.getRhsBatchingDimensions() : numbers.getLhsBatchingDimensions()))
      out[d] = i;
    for (auto [i, d] :
         llvm::enumerate(right ? numbers.getRhsContractingDimensions() : numbers.getLhsContractingDimensions()))
      out[d] = rank + i;
    int64_t base = batch + (right ? freeDims(dot, false).size() : 0);
    for (auto [i, d] : llvm::enumerate(freeDims(dot, right))) out[d] = base + i;
    return out;
  };
  SmallVector<int64_t> lhs = names(false), rhs = names(true), out(order),
                       logical = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  const auto &rows = roles.swapped ? rhs : lhs, &columns = roles.swapped ? lhs : rhs;
  int64_t m = roles.m < 0 ? -1 : rows[roles.m], n = roles.n < 0 ? -1 : columns[roles.n],
          k = roles.k < 0 ? -1 : rank + roles.k;
  llvm::SmallDenseSet<int64_t> whole;
  auto mark = [&](ArrayRef<int64_t> array, int64_t a, int64_t b) {
    for (int64_t d : array.take_back(std::min<size_t>(2, array.size())))
      if (d != a && d != b) whole.insert(d);
  };
  mark(rows, m, k);
  mark(columns, n, k);
  mark(out, m, n);
  SmallVector<int64_t> extents(rank + numbers.getLhsContractingDimensions().size());
  for (int64_t d : logical) extents[d] = typeOf(dot).getDimSize(d);
  for (auto [i, d] : llvm::enumerate(numbers.getLhsContractingDimensions()))
    extents[rank + i] = typeOf(dot.getLhs()).getDimSize(d);
  int64_t rowsHeld = roles.rowsTransposed ? 128 : 32;
  // Weights with the contracted dim along lanes fill the array's side.
  auto bytes = [&](ArrayRef<int64_t> array, Value v, int64_t granule = 16) {
    int64_t total = std::max<int64_t>(1, typeOf(v).getElementTypeBitWidth() / 8);
    for (auto [d, name] : llvm::enumerate(array)) {
      int64_t size = extents[name], held = whole.contains(name)     ? size
                                           : name == m              ? std::min(size, rowsHeld)
                                           : name == n || name == k ? std::min<int64_t>(size, 128)
                                                                    : 1;
      total *= d + 1 == array.size()   ? llvm::alignTo(held, 128)
               : d + 2 == array.size() ? llvm::alignTo(held, name == n ? granule : 16)
                                       : held;
    }
    return total;
  };
  Value rowsValue = dot.getLhs(), columnsValue = dot.getRhs();
  if (roles.swapped) std::swap(rowsValue, columnsValue);
  int64_t most = std::max({bytes(rows, rowsValue), bytes(columns, columnsValue, roles.weightsTransposed ? side : 16),
                           bytes(out, dot.getResult())});
  if (!roles.rowsTransposed) return most;
  // Exchanged rows are staged: 128 by 128 for each of the dims that stay whole.
  int64_t staged = 128 * 128 * 4;
  for (int64_t name : rows)
    if (whole.contains(name) && name != m && name != k) staged *= extents[name];
  return std::max(most, staged);
}

int64_t smallestDotSums(stablehlo::DotGeneralOp dot, int64_t lhsLanes, int64_t rhsLanes, ArrayRef<int64_t> order) {
  const auto roles = *dotRoles(dot, lhsLanes, rhsLanes, order);
  const RankedTensorType type = typeOf(dot);
  // A free dim of an operand, as a dim of the result.
  auto inResult = [&](bool right, int64_t d) -> int64_t {
    const SmallVector<int64_t> own = freeDims(dot, right);
    const auto *it = llvm::find(own, d);
    if (it == own.end()) return -1;
    return type.getRank() - static_cast<int64_t>(right ? own.size() : own.size() + freeDims(dot, true).size()) +
           (it - own.begin());
  };
  const int64_t m = inResult(roles.swapped, roles.m), n = inResult(!roles.swapped, roles.n);
  // Rows go through the transpose buffers 128 at a time.
  int64_t sums = m < 0 ? 1 : std::min<int64_t>(type.getDimSize(m), roles.rowsTransposed ? 128 : 8);
  for (int64_t d : order.take_back(std::min<size_t>(2, order.size())))
    if (d != m && d != n) sums *= type.getDimSize(d);
  return sums;
}

}  // namespace tpuc::analysis
