// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices into padded dimensions: they are held back at the true end, where the exact program would; those that are
// padding themselves lead nowhere.
#include "passes/shapes/neutral.h"
#include "passes/shapes/padder.h"

using namespace mlir;

namespace tpuc::shapes {

namespace hlo = tpuc::stablehlo;

namespace {

RankedTensorType tensor(Value value) { return cast<RankedTensorType>(value.getType()); }

// Indices as signed numbers of 32 bits at least: sizes fit, and -1 is outside.
Value wide(OpBuilder &builder, Location location, Value indices) {
  RankedTensorType type = tensor(indices);
  Type element = type.getElementType();
  if (element.isSignlessInteger() && element.getIntOrFloatBitWidth() >= 32) return indices;
  Type wider = element.getIntOrFloatBitWidth() >= 32 ? builder.getI64Type() : builder.getI32Type();
  return hlo::ConvertOp::create(builder, location, type.clone(wider), indices);
}

// Scalars of starts, each from 0 to what leaves room for `sizes` in the true extents.
LogicalResult clampStarts(Operation *op, Padder &padder, unsigned first, ArrayRef<Extent> extents,
                          ArrayRef<Extent> sizes) {
  OpBuilder builder(op);
  Location location = op->getLoc();
  bool any = false;
  SmallVector<Value> starts;
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    Value start = op->getOperand(first + dim);
    const Extent most = ExtentSpace::subtract(extent, sizes[dim]);
    if (failed(padder.requireAtLeast(op, extent, sizes[dim], "a dimension"))) return failure();
    if (!extent.asNumber() || !sizes[dim].asNumber()) {
      any = true;
      start = wide(builder, location, start);
      start =
          clamped(builder, location, start, 0, padder.scalar(most, tensor(start).getElementType(), builder, location));
    }
    starts.push_back(start);
  }
  // All starts have to be of one type.
  bool mixed = llvm::any_of(starts, [&](Value start) { return start.getType() != starts[0].getType(); });
  for (auto [dim, start] : llvm::enumerate(starts))
    op->setOperand(first + dim, mixed && any ? wide(builder, location, start) : start);
  return success();
}

LogicalResult dynamicSlice(Operation *op, Padder &padder) {
  auto slice = cast<hlo::DynamicSliceOp>(op);
  Extents sizes = llvm::map_to_vector(slice.getSliceSizes(), [](int64_t size) { return Extent::number(size); });
  if (failed(clampStarts(op, padder, 1, padder.extents(slice.getOperand()), sizes))) return failure();
  return padder.retype(op, {sizes});
}

// An update's padding keeps what it would cover.
LogicalResult dynamicUpdateSlice(Operation *op, Padder &padder) {
  auto update = cast<hlo::DynamicUpdateSliceOp>(op);
  Extents extents = padder.extents(update.getOperand()), own = padder.extents(update.getUpdate());
  if (failed(clampStarts(op, padder, 2, extents, own))) return failure();
  OpBuilder builder(op);
  Location location = op->getLoc();
  Value operand = update.getOperand(), piece = update.getUpdate();
  SmallVector<int64_t> shape(tensor(operand).getShape()), sizes(tensor(piece).getShape()), covered;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    if (own[dim].asNumber() || padder.space.equal(own[dim], extents[dim])) continue;
    covered.push_back(dim);
    shape[dim] =
        std::max(shape[dim], padder.space.range(ExtentSpace::subtract(extents[dim], own[dim])).most + sizes[dim]);
  }
  if (covered.empty()) return padder.retype(op, {extents});
  operand = padder.fitted(builder, location, operand, shape);
  SmallVector<Value> starts(update.getStartIndices());
  Value old = hlo::DynamicSliceOp::create(builder, location, tensor(piece), operand, starts,
                                          builder.getDenseI64ArrayAttr(sizes));
  auto blend = hlo::SelectOp::create(builder, location, tensor(piece),
                                     padder.within(builder, location, sizes, covered, own), piece, old);
  blend->setAttr(kMaskAttr, builder.getStringAttr("an update whose padding would cover elements"));
  Value value = hlo::DynamicUpdateSliceOp::create(builder, location, tensor(operand), operand, blend, starts);
  return padder.replace(op, {value}, {extents});
}

// Bounds for each component of an index vector, as an array of the indices' shape.
Value bounds(OpBuilder &builder, Location location, Padder &padder, Value indices, int64_t vectorDim,
             ArrayRef<Extent> most) {
  RankedTensorType type = tensor(indices);
  Type element = type.getElementType();
  SmallVector<Value> parts;
  for (const Extent &one : most) {
    Value scalar = padder.scalar(one, element, builder, location);
    parts.push_back(hlo::ReshapeOp::create(builder, location, RankedTensorType::get({1}, element), scalar));
  }
  const auto count = static_cast<int64_t>(parts.size());
  if (vectorDim >= type.getRank())
    return broadcast(builder, location,
                     hlo::ReshapeOp::create(builder, location, RankedTensorType::get({}, element), parts[0]),
                     type.getShape(), {});
  Value vector = count == 1
                     ? parts[0]
                     : hlo::ConcatenateOp::create(builder, location, RankedTensorType::get({count}, element), parts, 0)
                           .getResult();
  return hlo::BroadcastInDimOp::create(builder, location, type, vector, builder.getDenseI64ArrayAttr({vectorDim}));
}

SmallVector<int64_t> allDims(Value value) { return llvm::to_vector(llvm::seq<int64_t>(0, tensor(value).getRank())); }

LogicalResult gatherSlices(Operation *op, Padder &padder, hlo::GatherDimensionNumbersAttr dims, ArrayRef<Extent> sizes,
                           bool sorted) {
  OpBuilder builder(op);
  Location location = op->getLoc();
  Value operand = op->getOperand(0), indices = op->getOperand(1);
  Extents extents = padder.extents(operand), places = padder.extents(indices);
  const int64_t vectorDim = dims.getIndexVectorDim();
  for (auto [extent, size] : llvm::zip_equal(extents, sizes))
    if (failed(padder.requireAtLeast(op, extent, size, "a dimension"))) return failure();
  if (padder.isPadded(indices))
    indices = padder.masked(op, indices, allDims(indices), zeroScalar(tensor(indices).getElementType()),
                            "indices of a gather");
  // Held back where the true end is not the array's.
  SmallVector<Extent> most = llvm::map_to_vector(
      dims.getStartIndexMap(), [&](int64_t dim) { return ExtentSpace::subtract(extents[dim], sizes[dim]); });
  if (llvm::any_of(dims.getStartIndexMap(),
                   [&](int64_t dim) { return !extents[dim].asNumber() || !sizes[dim].asNumber(); })) {
    Extents old = padder.extents(indices);
    indices = wide(builder, location, indices);
    indices = clamped(builder, location, indices, 0, bounds(builder, location, padder, indices, vectorDim, most));
    padder.setExtents(indices, old);
    sorted = false;
  }
  SmallVector<int64_t> room(tensor(operand).getShape()), slice = padder.capacity(sizes);
  for (size_t dim = 0; dim < room.size(); ++dim)
    if (llvm::is_contained(dims.getStartIndexMap(), static_cast<int64_t>(dim)))
      room[dim] =
          std::max(room[dim], padder.space.range(ExtentSpace::subtract(extents[dim], sizes[dim])).most + slice[dim]);
  operand = padder.fitted(builder, location, operand, room);
  Extents window, batch, result;
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (!llvm::is_contained(dims.getCollapsedSliceDims(), static_cast<int64_t>(dim)) &&
        !llvm::is_contained(dims.getOperandBatchingDims(), static_cast<int64_t>(dim)))
      window.push_back(size);
  for (auto [dim, extent] : llvm::enumerate(places))
    if (static_cast<int64_t>(dim) != vectorDim) batch.push_back(extent);
  size_t nextWindow = 0, nextBatch = 0;
  for (size_t dim = 0; dim < window.size() + batch.size(); ++dim)
    result.push_back(llvm::is_contained(dims.getOffsetDims(), static_cast<int64_t>(dim)) ? window[nextWindow++]
                                                                                         : batch[nextBatch++]);
  auto made = hlo::GatherOp::create(builder, location, padder.typeOf(tensor(operand).getElementType(), result), operand,
                                    indices, dims, builder.getDenseI64ArrayAttr(slice), builder.getBoolAttr(sorted));
  return padder.replace(op, {made.getResult()}, {result});
}

LogicalResult gather(Operation *op, Padder &padder) {
  auto gather = cast<hlo::GatherOp>(op);
  return gatherSlices(op, padder, gather.getDimensionNumbers(),
                      llvm::map_to_vector(gather.getSliceSizes(), [](int64_t size) { return Extent::number(size); }),
                      gather.getIndicesAreSorted());
}

LogicalResult dynamicGather(Operation *op, Padder &padder) {
  auto gather = cast<hlo::DynamicGatherOp>(op);
  const SizeValues::Elements *sizes = padder.values.of(gather.getSliceSizes());
  return sizes ? gatherSlices(op, padder, gather.getDimensionNumbers(), *sizes, gather.getIndicesAreSorted())
               : padder.refuse(op, "its slices' sizes depend on data");
}

// How an update lies in a padded operand, by dimension of the operand: as a whole, or so that its start has a last
// place (`most`). Dims of updates that are of open size themselves have padding to write, in an operand of `room`.
struct Updates {
  SmallVector<std::optional<Extent>> most;
  SmallVector<int64_t> open, room;
};

FailureOr<Updates> updatesOf(Operation *op, Padder &padder, hlo::ScatterDimensionNumbersAttr dims,
                             const Extents &extents, const Extents &updates) {
  Updates result;
  result.room = padder.capacity(extents);
  size_t next = 0;
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    result.most.push_back(std::nullopt);
    const auto d = static_cast<int64_t>(dim);
    if (llvm::is_contained(dims.getInsertedWindowDims(), d) || llvm::is_contained(dims.getInputBatchingDims(), d))
      continue;
    const Extent size = updates[dims.getUpdateWindowDims()[next++]];
    if (padder.space.equal(size, extent)) continue;
    const Extent most = ExtentSpace::subtract(extent, size);
    if (!size.asNumber() || !extent.asNumber()) result.most.back() = most;
    if (size.asNumber()) continue;
    if (padder.space.range(most).least < 0) {
      (void)padder.refuse(op, "its updates may be larger than its operand");
      return failure();
    }
    result.open.push_back(next - 1);
    result.room[d] = std::max(result.room[d], padder.space.range(most).most + padder.capacity({size})[0]);
  }
  for (int64_t &window : result.open) window = dims.getUpdateWindowDims()[window];
  return result;
}

// Padding of updates becomes what the computation leaves out, and the operand has room for it.
LogicalResult scatterOpen(hlo::ScatterOp op, Padder &padder, const Updates &windows, const Extents &extents) {
  OpBuilder builder(op);
  Location location = op.getLoc();
  const unsigned count = op.getInputs().size();
  SmallVector<Value> zeros = llvm::map_to_vector(
      op.getInputs(), [&](Value input) { return zeroOf(builder, location, tensor(input).getElementType()); });
  auto neutral = neutralElements(op.getUpdateComputation().front(), zeros, builder, location);
  if (!neutral) return padder.refuse(op, "its updates are of open size");
  SmallVector<Value> operands(op->getOperands());
  SmallVector<Type> types;
  for (unsigned i = 0; i < count; ++i) {
    operands[i] = padder.fitted(builder, location, operands[i], windows.room);
    operands[count + 1 + i] = padder.masked(op, operands[count + 1 + i], windows.open, (*neutral)[i],
                                            "updates of open size: their padding changes nothing");
    types.push_back(operands[i].getType());
  }
  OperationState state(location, op->getName().getStringRef(), operands, types, op->getAttrs());
  state.addRegion()->takeBody(op.getUpdateComputation());
  Operation *made = builder.create(state);
  return padder.replace(op, llvm::to_vector_of<Value>(made->getResults()), SmallVector<Extents>(count, extents));
}

LogicalResult scatter(Operation *op, Padder &padder) {
  auto scatter = cast<hlo::ScatterOp>(op);
  auto dims = scatter.getScatterDimensionNumbers();
  const unsigned count = scatter.getInputs().size();
  Extents extents = padder.extents(scatter.getInputs()[0]), updates = padder.extents(scatter.getUpdates()[0]);
  FailureOr<Updates> windows = updatesOf(op, padder, dims, extents, updates);
  if (failed(windows)) return failure();
  OpBuilder builder(op);
  Location location = op->getLoc();
  Value indices = scatter.getScatterIndices();
  ArrayRef<int64_t> mapped = dims.getScatterDimsToOperandDims();
  const bool bounded = llvm::any_of(mapped, [&](int64_t dim) { return windows->most[dim].has_value(); });
  if (padder.isPadded(indices) || bounded) {
    if (mapped.empty()) return padder.refuse(op, "its indices are empty");
    Extents old = padder.extents(indices);
    indices = wide(builder, location, indices);
    padder.setExtents(indices, old);
    Type element = tensor(indices).getElementType();
    if (bounded) {
      Value least = splat(builder, location, element, int64_t{-1}, tensor(indices).getShape());
      SmallVector<Extent> most = llvm::map_to_vector(
          mapped, [&](int64_t dim) { return windows->most[dim].value_or(Extent::number(INT32_MAX)); });
      Value end = bounds(builder, location, padder, indices, dims.getIndexVectorDim(), most);
      Value inside = hlo::CompareOp::create(
          builder, location, tensor(indices).clone(builder.getI1Type()), indices, end, hlo::ComparisonDirection::LE,
          hlo::ComparisonTypeAttr::get(builder.getContext(), hlo::ComparisonType::SIGNED));
      auto select = hlo::SelectOp::create(builder, location, indices.getType(), inside, indices, least);
      select->setAttr(kMaskAttr, builder.getStringAttr("updates that reach over the true end are left out"));
      indices = select;
      padder.setExtents(indices, old);
    }
    indices = padder.masked(op, indices, allDims(indices), APInt(element.getIntOrFloatBitWidth(), -1, true, true),
                            "indices of a scatter: padding is left out");
    op->setOperand(count, indices);
    scatter.setIndicesAreSorted(false);
    scatter.setUniqueIndices(false);
  }
  if (!windows->open.empty()) return scatterOpen(scatter, padder, *windows, extents);
  return padder.retype(op, SmallVector<Extents>(count, extents));
}

}  // namespace

void addIndexingRules(PadRules &rules) {
  rules["stablehlo.dynamic_slice"] = dynamicSlice;
  rules["stablehlo.dynamic_update_slice"] = dynamicUpdateSlice;
  rules["stablehlo.gather"] = gather;
  rules["stablehlo.dynamic_gather"] = dynamicGather;
  rules["stablehlo.scatter"] = scatter;
}

}  // namespace tpuc::shapes
