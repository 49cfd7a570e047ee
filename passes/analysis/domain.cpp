// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dim classes by union-find, and the choice of a kernel's index space.
#include "passes/analysis/domain.h"

#include "dialects/kernel/function.h"
#include "dialects/stablehlo/stablehlo.h"
#include "llvm/ADT/Sequence.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "passes/analysis/readable.h"

using namespace mlir;

namespace tpuc::analysis {

static RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

std::optional<SmallVector<std::pair<int64_t, int64_t>>> unitReshapeTies(RankedTensorType operand,
                                                                        RankedTensorType result) {
  SmallVector<std::pair<int64_t, int64_t>> ties;
  int64_t r = 0;
  for (int64_t d = 0; d < operand.getRank(); ++d) {
    if (operand.getDimSize(d) == 1) continue;
    while (r < result.getRank() && result.getDimSize(r) == 1) ++r;
    if (r == result.getRank() || result.getDimSize(r) != operand.getDimSize(d)) return std::nullopt;
    ties.push_back({d, r++});
  }
  while (r < result.getRank() && result.getDimSize(r) == 1) ++r;
  if (r != result.getRank()) return std::nullopt;
  return ties;
}

static bool isSplat(stablehlo::ConstantOp op) {
  auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
  return dense && dense.isSplat();
}

static bool sameShape(Operation *op) {
  if (mlir::isa<kernel::ApplyOp>(op)) return true;
  if (op->getNumRegions() || op->getNumResults() != 1 || op->getNumOperands() == 0) return false;
  auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  for (Value v : op->getOperands()) {
    auto type = dyn_cast<RankedTensorType>(v.getType());
    if (!result || !type || (type.getRank() != 0 && type.getShape() != result.getShape())) return false;
  }
  return true;
}

bool walksDims(Operation *op) {
  if (auto constant = dyn_cast<stablehlo::ConstantOp>(op)) return isSplat(constant);
  if (auto reshape = dyn_cast<stablehlo::ReshapeOp>(op))
    return unitReshapeTies(typeOf(reshape.getOperand()), typeOf(reshape.getResult())).has_value();
  if (mlir::isa<stablehlo::IotaOp, stablehlo::BroadcastInDimOp, stablehlo::TransposeOp>(op)) return true;
  if (mlir::isa<stablehlo::ReduceOp>(op)) return true;
  if (mlir::isa<stablehlo::ReverseOp>(op)) return false;
  return sameShape(op);
}

int64_t packingOf(Type element) {
  return element.isIntOrFloat() && element.getIntOrFloatBitWidth() >= 8
             ? std::max<int64_t>(1, 32 / element.getIntOrFloatBitWidth())
             : 4;
}

int64_t paddedBytes(RankedTensorType type) {
  Type element = type.getElementType();
  int64_t bytes = 1;
  if (auto complex = dyn_cast<ComplexType>(element)) {  // two arrays, once they are split
    element = complex.getElementType();
    bytes = 2;
  }
  if (element.isIntOrFloat()) bytes *= std::max<int64_t>(1, element.getIntOrFloatBitWidth() / 8);
  for (auto [behind, size] : llvm::enumerate(llvm::reverse(type.getShape()))) {
    const int64_t granule = behind == 0 ? 128 : behind == 1 ? 8 * packingOf(element) : 1;
    bytes *= llvm::alignTo(size, granule);
  }
  return bytes;
}

// Whether a slice begins and goes on along a dim as tiles do.
static bool isOfTiles(stablehlo::SliceOp slice, int64_t d) {
  RankedTensorType type = typeOf(slice.getResult());
  int64_t rank = type.getRank(), packing = packingOf(type.getElementType());
  int64_t start = slice.getStartIndices()[d], extent = type.getDimSize(d);
  if (extent == 1 || d + 2 < rank) return true;  // one element of a tile, wherever
  int64_t tile = rank == 1 ? 128 * packing : d + 1 == rank ? 128 : 8 * packing;
  bool within = rank > 1 && d + 1 == rank && start % 128 + extent <= 128;
  return slice.getStrides()[d] == 1 && (start % tile == 0 || within);
}

static bool isViewable(RankedTensorType type) {
  Type element = type.getElementType();
  return type.getRank() && type.getNumElements() && element.isIntOrFloat() &&
         (element.isInteger(1) || element.getIntOrFloatBitWidth() >= 8);
}

bool isTileView(Operation *op) {
  auto slice = dyn_cast<stablehlo::SliceOp>(op);
  if (!slice) return isShuffledView(op);
  RankedTensorType type = typeOf(slice.getResult());
  if (!isViewable(type)) return false;
  return llvm::all_of(llvm::seq<int64_t>(0, type.getRank()), [&](int64_t d) { return isOfTiles(slice, d); }) ||
         isShuffledView(op);
}

bool isShuffled(Operation *op, int64_t d) {
  if (auto slice = dyn_cast<stablehlo::SliceOp>(op)) return !isOfTiles(slice, d);
  if (auto reverse = dyn_cast<stablehlo::ReverseOp>(op)) return llvm::is_contained(reverse.getDimensions(), d);
  auto pad = cast<stablehlo::PadOp>(op);
  return pad.getEdgePaddingLow()[d] || pad.getEdgePaddingHigh()[d] || pad.getInteriorPadding()[d];
}

Shuffle shuffleOf(Operation *op, int64_t d) {
  if (auto slice = dyn_cast<stablehlo::SliceOp>(op)) return {slice.getStartIndices()[d], slice.getStrides()[d], 1};
  if (mlir::isa<stablehlo::ReverseOp>(op)) return {typeOf(op->getOperand(0)).getDimSize(d) - 1, -1, 1};
  auto pad = cast<stablehlo::PadOp>(op);
  return {-pad.getEdgePaddingLow()[d], 1, pad.getInteriorPadding()[d] + 1};
}

bool isShuffledView(Operation *op) {
  constexpr int64_t kFarthest = 8;  // that neighbours may be apart: what a block brings for one of them
  if (!mlir::isa<stablehlo::SliceOp, stablehlo::ReverseOp, stablehlo::PadOp>(op)) return false;
  RankedTensorType from = typeOf(op->getOperand(0)), to = typeOf(op->getResult(0));
  int64_t rank = to.getRank();
  if (rank < 2 || !isViewable(from) || !isViewable(to) || to.getElementTypeBitWidth() > 32) return false;
  auto pad = dyn_cast<stablehlo::PadOp>(op);
  if (pad && to.getElementType().isInteger(1)) return false;
  if (pad && !(pad.getPaddingValue().getDefiningOp() && walksDims(pad.getPaddingValue().getDefiningOp()) &&
               mlir::isa<stablehlo::ConstantOp>(pad.getPaddingValue().getDefiningOp())))
    return false;
  for (int64_t d = 0; d < rank; ++d) {
    if (!isShuffled(op, d)) continue;
    Shuffle s = shuffleOf(op, d);
    if (d + 2 < rank || std::abs(s.step) > kFarthest || s.every > kFarthest || !llvm::isPowerOf2_64(s.every) ||
        to.getDimSize(d) < 2)
      return false;
  }
  bool rows = isShuffled(op, rank - 2), lanes = isShuffled(op, rank - 1);
  return lanes || rows;
}

int64_t DimClasses::idOf(Value value, int64_t dim) {
  auto [entry, added] = firstIds_.try_emplace(value, parent_.size());
  if (added) {
    values_.push_back(value);
    for (int64_t extent : typeOf(value).getShape()) {
      parent_.push_back(parent_.size());
      extents_.push_back(extent);
    }
  }
  return entry->second + dim;
}

int64_t DimClasses::find(int64_t id) {
  while (parent_[id] != id) id = parent_[id] = parent_[parent_[id]];
  return id;
}

void DimClasses::tie(Value a, int64_t da, Value b, int64_t db) {
  if (typeOf(a).getDimSize(da) == 1 || typeOf(b).getDimSize(db) == 1) return;
  tieIds(idOf(a, da), idOf(b, db));
}

void DimClasses::tieIds(int64_t a, int64_t b) {
  int64_t x = find(a), y = find(b);
  if (x != y) parent_[std::max(x, y)] = std::min(x, y);
}

// One number at every position: users that walk other dims may share it, unless it is an array that the kernel writes,
// or one that it reduces.
static bool isAnywhere(Value v) {
  auto constant = v.getDefiningOp<stablehlo::ConstantOp>();
  if (!constant || !isSplat(constant)) return false;
  // In a function thousands may use it, but none of them is a kernel's result.
  return !mlir::isa<kernel::FusionOp>(constant->getParentOp()) ||
         llvm::none_of(v.getUsers(), llvm::IsaPred<kernel::YieldOp, stablehlo::ReduceOp>);
}

// Each position of the results from the same one of the operands, or of scalars: the first one's dims are the results',
// which of numbers alone are one another's.
void DimClasses::addPointwise(Operation *op) {
  int64_t first = -1;
  for (Value v : op->getOperands()) {
    auto [known, added] = anywhere_.try_emplace(v, false);
    if (added) known->second = isAnywhere(v);
    if (!typeOf(v).getRank()) continue;
    int64_t id = idOf(v, 0);
    if (known->second) continue;
    if (first < 0) first = firstIds_.try_emplace(op->getResult(0), id).first->second;
    for (auto [d, extent] : llvm::enumerate(typeOf(v).getShape()))
      if (extent != 1) tieIds(id + d, first + d);
  }
  for (Value v : op->getResults())
    if (typeOf(v).getRank() && first >= 0)
      firstIds_.try_emplace(v, first);
    else if (typeOf(v).getRank())
      first = idOf(v, 0);
}

bool DimClasses::add(Operation *op) {
  if (isTileView(op)) {  // a part of an array has dims of its own
    idOf(op->getResult(0), 0);
    return true;
  }
  if (!walksDims(op)) return false;
  if (op->getNumOperands() &&
      !mlir::isa<stablehlo::BroadcastInDimOp, stablehlo::TransposeOp, stablehlo::ReshapeOp, stablehlo::ReduceOp>(op)) {
    addPointwise(op);
    return true;
  }
  for (ValueRange values : {ValueRange(op->getOperands()), ValueRange(op->getResults())})
    for (Value v : values)
      if (typeOf(v).getRank()) idOf(v, 0);
  if (auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op)) {
    for (auto [d, to] : llvm::enumerate(broadcast.getBroadcastDimensions()))
      tie(broadcast.getOperand(), d, broadcast.getResult(), to);
  } else if (auto transpose = dyn_cast<stablehlo::TransposeOp>(op)) {
    for (auto [d, from] : llvm::enumerate(transpose.getPermutation()))
      tie(transpose.getOperand(), from, transpose.getResult(), d);
  } else if (auto reshape = dyn_cast<stablehlo::ReshapeOp>(op)) {
    auto ties = unitReshapeTies(typeOf(reshape.getOperand()), typeOf(reshape.getResult()));  // outlives the loop
    for (auto [d, to] : *ties) tie(reshape.getOperand(), d, reshape.getResult(), to);
  } else if (auto reduce = dyn_cast<stablehlo::ReduceOp>(op)) {
    int64_t next = 0;
    Value input = reduce.getInputs()[0];
    for (int64_t d = 0; d < typeOf(input).getRank(); ++d) {
      for (Value other : reduce.getInputs().drop_front()) tie(input, d, other, d);
      if (llvm::is_contained(reduce.getDimensions(), d)) continue;
      for (Value result : op->getResults()) tie(input, d, result, next);
      ++next;
    }
  }
  return true;
}

int64_t DimClasses::classOf(Value value, int64_t dim) {
  if (typeOf(value).getDimSize(dim) == 1 || anywhere_.lookup(value)) return -1;
  return find(idOf(value, dim));
}

int64_t DimClasses::numberOf(Value value) {
  return !typeOf(value).getRank() || anywhere_.lookup(value) ? -1 : idOf(value, 0);
}

SmallVector<int64_t> DimClasses::classesOf(Value value) {
  ArrayRef<int64_t> shape = typeOf(value).getShape();
  SmallVector<int64_t> out(shape.size(), -1);
  if (shape.empty() || anywhere_.lookup(value)) return out;
  int64_t first = idOf(value, 0);
  for (auto [d, extent] : llvm::enumerate(shape))
    if (extent != 1) out[d] = find(first + static_cast<int64_t>(d));
  return out;
}

bool DimClasses::isConsistent() {
  for (Value v : values_) {
    SmallVector<int64_t> classes = classesOf(v);
    llvm::erase(classes, -1);
    llvm::sort(classes);
    if (std::adjacent_find(classes.begin(), classes.end()) != classes.end()) return false;
  }
  return true;
}

bool isShuffledAlong(DimClasses &classes, const OrderedArray &array, int64_t rows, int64_t lanes) {
  Operation *view = array.value.getDefiningOp();
  if (!view || !isShuffledView(view)) return true;
  const int64_t last = array.order.back(), before = array.order[array.order.size() - 2];
  return classes.classOf(array.value, last) == lanes &&
         (classes.classOf(array.value, before) == rows || !isShuffled(view, before));
}

bool allowsAll(DimClasses &classes, const OrderedArray &hero, ArrayRef<OrderedArray> arrays) {
  auto classFromEnd = [&](size_t n) {
    return hero.order.size() < n ? -1 : classes.classOf(hero.value, hero.order[hero.order.size() - n]);
  };
  const int64_t lanes = classFromEnd(1), rows = classFromEnd(2);
  return llvm::all_of(arrays, [&](const OrderedArray &a) {
    auto isLanes = [&](int64_t d) { return lanes >= 0 && classes.classOf(a.value, d) == lanes; };
    return llvm::none_of(llvm::drop_end(a.order, !a.order.empty()), isLanes) &&
           isShuffledAlong(classes, a, rows, lanes);
  });
}

std::optional<DomainDims> chooseDomain(DimClasses &classes, ArrayRef<OrderedArray> arrays, ArrayRef<Value> values) {
  llvm::SmallSetVector<int64_t, 8> all;
  llvm::SmallDenseSet<int64_t, 16> seen;  // most values share their dims
  for (Value v : values)
    if (seen.insert(classes.numberOf(v)).second)
      for (int64_t c : classes.classesOf(v))
        if (c >= 0) all.insert(c);
  // The array, else the value, that spans every class; its physical order is the domain's.
  SmallVector<int64_t> order;
  Value hero;
  auto spans = [&](Value v) {
    int64_t n = 0;
    for (int64_t c : classes.classesOf(v)) n += c >= 0;
    return n == static_cast<int64_t>(all.size());
  };
  // A vector yields to an array of rows: which of several comes first is not the same everywhere.
  for (const OrderedArray &a : arrays)
    if (spans(a.value) && (!hero || (typeOf(hero).getRank() <= 1 && typeOf(a.value).getRank() > 1))) {
      hero = a.value;
      order = a.order;
    }
  auto isReadable = [&](Value v) {
    return allowsAll(classes, {v, llvm::to_vector(llvm::seq<int64_t>(0, typeOf(v).getRank()))}, arrays);
  };
  // Values come in any order, so that the first one would not be the same for fusion as for lowering.
  for (bool readable : {true, false})
    for (Value v : values)
      if (!hero && spans(v) && (!readable || isReadable(v))) {
        hero = v;
        order = llvm::to_vector(llvm::seq<int64_t>(0, typeOf(v).getRank()));
      }
  if (!hero) return std::nullopt;
  DomainDims out;
  bool vectors = llvm::all_of(arrays, [](const OrderedArray &a) { return typeOf(a.value).getRank() <= 1; });
  SmallVector<int64_t> heroClasses = classes.classesOf(hero);
  for (auto [i, d] : llvm::enumerate(order)) {
    bool minor = i + 2 >= order.size();
    if (heroClasses[d] < 0 && !minor) continue;
    out.classes.push_back(heroClasses[d]);
    out.extents.push_back(typeOf(hero).getDimSize(d));
  }
  if (vectors && all.size() == 1) {
    out.linear = true;
    return out;
  }
  while (out.classes.size() < 2) {
    out.classes.insert(out.classes.begin(), -1);
    out.extents.insert(out.extents.begin(), 1);
  }
  return out;
}

}  // namespace tpuc::analysis
