// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slices, updates and gathers at positions that are values: the scalar unit reads the positions from SMEM and starts
// the DMAs.
#include "dialects/stablehlo/stablehlo.h"
#include "passes/lowering/grid/grid_ends.h"
#include "passes/lowering/kernels.h"
#include "passes/lowering/move/box_copy.h"
#include "passes/lowering/move/indices.h"
#include "passes/plan/memory/true_sizes.h"

using namespace mlir;

namespace tpuc::lowering {

Side operandSide(KernelContext &context, Value v) {
  return Side::hbm(operandOrigin(context, v), operandArray(context, v));
}

Side resultSide(KernelContext &context, unsigned i) { return Side::hbm(context.results[i], resultArray(context, i)); }

Value clampIndex(Code &c, Value index, int64_t high) {
  Value low = c.b.createOrFold<arith::MaxSIOp>(c.loc, index, c.i64(0));
  return c.min(low, c.i64(high));
}

static int64_t constantStart(Value v) {
  auto constant = v.getDefiningOp<stablehlo::ConstantOp>();
  if (!constant) return 0;
  APInt value = cast<DenseElementsAttr>(constant.getValue()).getSplatValue<APInt>();
  return getElementTypeOrSelf(v.getType()).isUnsignedInteger() ? value.getLimitedValue(INT64_MAX)
                                                               : value.getSExtValue();
}

// Words of SMEM in front of the true sizes, which a kernel may read later, and behind them.
static int64_t startByte(int64_t i) {
  const int64_t at = i * plan::TrueSizes::kWord;
  return at < plan::kEntrySmemBytes ? at : at + plan::TrueSizes::kSystemBytes;
}

SmallVector<SmallVector<Linear>> fetchStarts(KernelContext &context, Code &c, ArrayRef<Window> windows) {
  llvm::SetVector<Value> fetched;
  for (const Window &w : windows)
    for (auto [k, v] : llvm::enumerate(w.starts))
      if (w.high(k) && mlir::isa<BlockArgument>(v)) fetched.insert(v);
  auto place = [&](Value v) { return startByte(llvm::find(fetched, v) - fetched.begin()); };
  for (Value v : fetched) {
    Side to{"smem", "", operandArray(context, v), true, Linear(place(v))};
    const Side from = operandSide(context, v);
    emitTransfer(c, from.memory(), to.memory(), Transfer{0, 0, 4, {}}, from.base, to.base);
  }
  emitWait(c, fetched.size());
  context.smemBytes = std::max<int64_t>(context.smemBytes, startByte(fetched.size()));
  DenseMap<Value, Value> loaded;
  for (Value v : fetched) loaded[v] = c.inst("s.ldw", {c.i64(0)}, {{"off", place(v)}});
  SmallVector<SmallVector<Linear>> out(windows.size());
  for (auto [w, starts] : llvm::zip(windows, out))
    for (auto [k, v] : llvm::enumerate(w.starts))
      starts.push_back(fetched.contains(v) && w.high(k) ? Linear(clampIndex(c, loaded.lookup(v), w.high(k)))
                                                        : Linear(std::clamp<int64_t>(constantStart(v), 0, w.high(k))));
  return out;
}

// The origin of a piece of an array.
static Origin originOf(Code &code, const Origin &whole, RankedTensorType type, ArrayRef<Linear> starts) {
  Array array(type, llvm::to_vector(llvm::seq<int64_t>(0, type.getRank())));
  Origin origin = whole;
  if (type.getRank() == 2) {  // a row: a word in each of its tiles
    origin.offset = origin.offset + code.divL(starts[0], 8) * array.rowTileStrideBytes() +
                    code.remL(starts[0], 8) * isa::kWordBytes;
  }
  for (int64_t d = 0; d + 2 < type.getRank(); ++d) origin.offset = origin.offset + starts[d] * array.leadStrideBytes(d);
  return origin;
}

SmallVector<Origin> fetchOrigins(KernelContext &context, Code &c, ArrayRef<Window> windows, ArrayRef<Origin> wholes) {
  SmallVector<Origin> origins;
  for (auto [window, whole, starts] : llvm::zip(windows, wholes, fetchStarts(context, c, windows)))
    origins.push_back(originOf(c, whole, window.array, starts));
  return origins;
}

static SmallVector<BoxDim> boxOf(ArrayRef<int64_t> extents) {
  SmallVector<BoxDim> box;
  for (auto [d, n] : llvm::enumerate(extents))
    box.push_back({static_cast<int64_t>(d), static_cast<int64_t>(d), n, {}, {}});
  return box;
}

LogicalResult lowerDynamicSlice(KernelContext &context, Code &c, stablehlo::DynamicSliceOp op) {
  auto type = cast<RankedTensorType>(op.getOperand().getType());
  SmallVector<Linear> starts = fetchStarts(context, c, Window{op.getStartIndices(), type, op.getSliceSizes()})[0];
  SmallVector<BoxDim> box = boxOf(op.getSliceSizes());
  for (auto [dim, start] : llvm::zip(box, starts)) dim.srcStart = start;
  emitWait(c, emitBoxCopy(c, operandSide(context, op.getOperand()), resultSide(context, 0), box));
  return success();
}

LogicalResult lowerDynamicUpdateSlice(KernelContext &context, Code &c, stablehlo::DynamicUpdateSliceOp op) {
  auto type = cast<RankedTensorType>(op.getOperand().getType());
  Side operand = operandSide(context, op.getOperand()), result = resultSide(context, 0);
  // The update of a temporary happens where it lies.
  if (!operand.isAt(result)) emitWait(c, emitArrayCopy(c, operand, result));
  ArrayRef<int64_t> extents = cast<RankedTensorType>(op.getUpdate().getType()).getShape();
  SmallVector<Linear> starts = fetchStarts(context, c, Window{op.getStartIndices(), type, extents})[0];
  SmallVector<BoxDim> box = boxOf(extents);
  for (auto [dim, start] : llvm::zip(box, starts)) dim.dstStart = start;
  emitWait(c, emitBoxCopy(c, operandSide(context, op.getUpdate()), result, box));
  return success();
}

// ---- index arrays ---------------------------------------------------------------------------------------------------

IndexArray::IndexArray(KernelContext &context, Code &c, Value indices, int64_t vectorDim)
    : c_(c),
      from_(operandSide(context, indices)),
      vectorDim_(vectorDim),
      isUnsigned_(getElementTypeOrSelf(indices).isUnsignedInteger()) {
  auto type = cast<RankedTensorType>(indices.getType());
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (d != vectorDim) dims_.push_back(d);
  int64_t bytes = 4 * type.getNumElements();
  held_ = holdsIndices(context.target, type.getNumElements());
  if (!held_) {
    keepParts(context);
    return;
  }
  context.smemBytes = std::max(context.smemBytes, bytes);
  Side to{"smem", "", from_.array, true, {}};
  emitWait(c, emitBoxCopy(c, from_, to, boxOf(type.getShape())));
}

// Each part has one place, as many as there are: neighbours, and tiles of a row, do not take each other's.
void IndexArray::keepParts(KernelContext &context) {
  int64_t room = smemBudget(context.target) / (kPart + 64);
  parts_ = std::clamp<int64_t>(llvm::bit_floor(static_cast<uint64_t>(room)), 1, kMostParts);
  context.smemBytes = std::max(context.smemBytes, parts_ * (kPart + 64));
  c_.loop(c_.i64(0), c_.i64(parts_), 1, {}, [&](Value i, ValueRange) {
    c_.inst("s.stw", {c_.i64(-1), c_.mul(i, 4)});
    return SmallVector<Value>();
  });
}

// The index at byte `address` of the array.
Value IndexArray::fromPart(Value address) {
  // The last part ends where the array does.
  Value first = c_.min(c_.mul(c_.div(address, kPart), kPart), c_.i64(from_.array.hbmBytes() - kPart));
  Value place = c_.rem(c_.div(address, kPart), parts_), number = c_.div(first, isa::kWordBytes);
  Value to = c_.add(c_.mul(place, kPart), c_.i64(64 * parts_)), tag = c_.mul(place, 4);
  c_.ifThen(c_.cmp(arith::CmpIPredicate::ne, c_.inst("s.ldw", {tag}), number), [&] {
    auto none = c_.b.getDenseI64ArrayAttr({});
    tpu::DmaStartOp::create(
        c_.b, c_.loc, c_.value(from_.base + Linear(first)), to, c_.i64(1), c_.b.getStringAttr("hbm"),
        c_.b.getStringAttr("smem"), FlatSymbolRefAttr::get(c_.b.getContext(), from_.symbol), FlatSymbolRefAttr(),
        c_.b.getI64IntegerAttr(0), c_.b.getI64IntegerAttr(0), c_.b.getI64IntegerAttr(kPart), none, none, none);
    c_.inst("dma.wait", {c_.i64(1)}, {{"count", 1}});
    c_.inst("s.stw", {number, tag});
  });
  return c_.inst("s.ldw", {c_.add(to, c_.b.createOrFold<arith::SubIOp>(c_.loc, address, first))});
}

Value IndexArray::at(ArrayRef<Linear> batch, int64_t k) {
  Side held{"smem", "", from_.array, true, {}};
  Linear address;
  auto add = [&](int64_t dim, const Linear &i) {
    address = address + (held_ ? held.at(c_, dim, i) : from_.at(c_, dim, i));
  };
  for (auto [dim, i] : llvm::zip(dims_, batch)) add(dim, i);
  if (vectorDim_ < from_.array.rank()) add(vectorDim_, Linear(k));
  if (!held_) return extended(fromPart(c_.value(address)));
  Linear dynamic = address;
  dynamic.constant = 0;
  return extended(c_.inst("s.ldw", {c_.value(dynamic)}, {{"off", address.constant}}));
}

// A word of SMEM comes as a signed number.
Value IndexArray::extended(Value word) {
  return isUnsigned_ ? c_.b.createOrFold<arith::AndIOp>(c_.loc, word, c_.i64(0xffffffff)) : word;
}

// Waits for what all points started, `started` each: as few times as a count of 32 bits allows.
static void emitWaits(Code &c, ArrayRef<int64_t> extents, int64_t started, ArrayRef<Value> counts) {
  constexpr int64_t kMostAtOnce = int64_t{1} << 30;
  if (!started) return;
  Value times = c.i64(1);
  for (auto [i, extent] : llvm::enumerate(extents)) {
    if (Value count = counts.empty() ? Value() : counts[i])
      times = c.mul(times, count);
    else if (started * extent <= kMostAtOnce)
      started *= extent;
    else
      times = c.mul(times, extent);
  }
  c.loop(c.i64(0), times, 1, {}, [&](Value, ValueRange) {
    emitWait(c, started);
    return SmallVector<Value>();
  });
}

void emitBatchLoops(Code &c, ArrayRef<int64_t> extents, function_ref<int64_t(ArrayRef<Linear>)> body,
                    ArrayRef<Value> counts) {
  SmallVector<Linear> at;
  int64_t started = 0;
  std::function<void(size_t)> go = [&](size_t i) {
    if (i == extents.size()) {
      started = body(at);
      return;
    }
    Value count = counts.empty() ? Value() : counts[i];
    c.loop(c.i64(0), count ? count : c.i64(extents[i]), 1, {}, [&](Value iv, ValueRange) {
      APInt known;
      at.push_back(matchPattern(iv, m_ConstantInt(&known)) ? Linear(known.getSExtValue()) : Linear(iv));
      go(i + 1);
      at.pop_back();
      return SmallVector<Value>();
    });
  };
  if (llvm::is_contained(extents, 0)) return;
  go(0);
  emitWaits(c, extents, started, counts);
}

// ---- gather ---------------------------------------------------------------------------------------------------------

// The batch's points in as many parts as there are cores, each of which starts its own transfers; a part goes along the
// first dim that is long enough. `start`, `count`: of the parts that this core has.
static void emitShares(KernelContext &context, Code &c, ArrayRef<int64_t> extents,
                       function_ref<int64_t(ArrayRef<Linear>)> body, ArrayRef<Value> counts, Value start, Value count) {
  const auto cores = static_cast<int64_t>(context.target.cores());
  const auto *shared = llvm::find_if(extents, [&](int64_t n) { return n >= cores; });
  if (cores == 1 || shared == extents.end() || llvm::any_of(counts, [](Value v) { return v != nullptr; }))
    return emitBatchLoops(c, extents, body, counts);
  const size_t d = shared - extents.begin();
  const int64_t all = extents[d], each = llvm::divideCeil(all, cores);
  context.gridSteps = llvm::divideCeil(all, each);
  SmallVector<int64_t> own(extents);
  own[d] = each;
  c.loop(start, c.add(start, count), 1, {}, [&](Value part, ValueRange) {
    const Value first = c.mul(part, each);
    SmallVector<Value> ends(extents.size());
    if (all % each) ends[d] = c.min(c.value(Linear(first) * -1 + Linear(all)), c.i64(each));
    auto moved = [&](ArrayRef<Linear> at) {
      SmallVector<Linear> point(at);
      point[d] = point[d] + Linear(first);
      return body(point);
    };
    emitBatchLoops(c, own, moved, ends);
    return SmallVector<Value>();
  });
}

LogicalResult lowerGather(KernelContext &context, Code &c, stablehlo::GatherOp op, Value start, Value count) {
  auto numbers = op.getDimensionNumbers();
  auto type = cast<RankedTensorType>(op.getOperand().getType()),
       resultType = cast<RankedTensorType>(op.getResult().getType());
  auto indexType = cast<RankedTensorType>(op.getStartIndices().getType());
  int64_t vectorDim = numbers.getIndexVectorDim();
  SmallVector<int64_t> batchExtents, batchDims, offsetDims;
  for (int64_t d = 0; d < indexType.getRank(); ++d)
    if (d != vectorDim) batchExtents.push_back(indexType.getDimSize(d));
  for (int64_t d = 0; d < resultType.getRank(); ++d)
    (llvm::is_contained(numbers.getOffsetDims(), d) ? offsetDims : batchDims).push_back(d);
  Side from = operandSide(context, op.getOperand()), to = resultSide(context, 0);
  // Slices that lie behind a true size of the result are not fetched. Sizes are read before indices lie over them.
  SmallVector<Value> counts(batchExtents.size());
  if (!context.ends.empty() && !context.ends[0].empty())
    for (auto [count, d, extent] : llvm::zip_equal(counts, batchDims, batchExtents))
      if (const std::optional<SizeEnd> &end = context.ends[0][d]) count = elementsBefore(c, *end, extent);
  IndexArray indices(context, c, op.getStartIndices(), vectorDim);
  auto fetch = [&](ArrayRef<Linear> batch) {
    SmallVector<BoxDim> box;
    SmallVector<Linear> starts(type.getRank());
    for (auto [k, d] : llvm::enumerate(numbers.getStartIndexMap())) {
      int64_t high = type.getDimSize(d) - op.getSliceSizes()[d];
      if (high) starts[d] = Linear(clampIndex(c, indices.at(batch, k), high));
    }
    for (auto [d, b] : llvm::zip(numbers.getOperandBatchingDims(), numbers.getStartIndicesBatchingDims()))
      starts[d] = batch[b - (b > vectorDim)];
    size_t offset = 0;
    for (int64_t d = 0; d < type.getRank(); ++d) {
      bool dropped = llvm::is_contained(numbers.getCollapsedSliceDims(), d) ||
                     llvm::is_contained(numbers.getOperandBatchingDims(), d);
      box.push_back({d, dropped ? -1 : offsetDims[offset++], op.getSliceSizes()[d], starts[d], {}});
    }
    for (auto [d, at] : llvm::zip(batchDims, batch)) box.push_back({-1, d, 1, {}, at});
    return emitBoxCopy(c, from, to, box);
  };
  emitShares(context, c, batchExtents, fetch, counts, start, count);
  return success();
}

}  // namespace tpuc::lowering
