// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slices, updates and gathers at positions that are values: the scalar unit reads the positions from SMEM and starts
// the DMAs.
#include <numeric>

#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/stablehlo.h"
#include "passes/lowering/grid/grid_ends.h"
#include "passes/lowering/kernels.h"
#include "passes/lowering/move/box_copy.h"
#include "passes/lowering/move/indices.h"
#include "passes/lowering/move/op_kernel.h"
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
  DenseMap<Value, Value> loaded;
  for (const Window &w : windows)
    for (auto [k, v] : llvm::enumerate(w.starts)) {
      auto input = dyn_cast<BlockArgument>(v);
      if (!w.high(k) || !input) continue;
      const int64_t counter = context.counterWords[input.getArgNumber()];
      if (counter < 0)
        fetched.insert(v);
      else if (Value &word = loaded[v]; !word)
        word = c.inst("s.ldw", {c.i64(0)}, {{"off", counter}});
    }
  auto place = [&](Value v) { return startByte(llvm::find(fetched, v) - fetched.begin()); };
  for (Value v : fetched) {
    Side to{"smem", "", operandArray(context, v), true, Linear(place(v))};
    const Side from = operandSide(context, v);
    emitTransfer(c, from.memory(), to.memory(), Transfer{0, 0, 4, {}}, from.base, to.base);
  }
  emitWait(c, fetched.size());
  context.smemBytes = std::max<int64_t>(context.smemBytes, startByte(fetched.size()));
  for (Value v : fetched) loaded[v] = c.inst("s.ldw", {c.i64(0)}, {{"off", place(v)}});
  SmallVector<SmallVector<Linear>> out(windows.size());
  for (auto [w, starts] : llvm::zip(windows, out))
    for (auto [k, v] : llvm::enumerate(w.starts))
      starts.push_back(loaded.contains(v) && w.high(k) ? Linear(clampIndex(c, loaded.lookup(v), w.high(k)))
                                                       : Linear(std::clamp<int64_t>(constantStart(v), 0, w.high(k))));
  return out;
}

// A number that divides where a window begins along dim k: counters step evenly, and the last place may be the end's.
static int64_t multipleOf(KernelContext &context, const Window &window, size_t k) {
  auto input = dyn_cast<BlockArgument>(window.starts[k]);
  auto counter = input ? context.op.getInputs()[input.getArgNumber()].getDefiningOp<kernel::CounterOp>() : nullptr;
  if (!counter) return 1;
  const int64_t multiple = std::gcd(std::gcd(counter.getStart(), counter.getStep()), window.high(k));
  return std::max<int64_t>(multiple, 1);
}

// The origin of a piece of an array.
static Origin originOf(Code &code, const Origin &whole, RankedTensorType type, ArrayRef<Linear> starts) {
  Array array(type);
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
  const Window window{op.getStartIndices(), type, op.getSliceSizes()};
  SmallVector<Linear> starts = fetchStarts(context, c, window)[0];
  // Of elements that share bytes nothing is moved but pieces, which are runs of bytes.
  if (Array(type).pack > 4) {
    const Side from = operandSide(context, op.getOperand()), to = resultSide(context, 0);
    const int64_t bytes = Array(cast<RankedTensorType>(op.getType())).hbmBytes();
    const Linear piece = originOf(c, {"", from.base}, type, starts).offset;
    emitTransfer(c, from.memory(), to.memory(), Transfer{0, 0, bytes, {}}, piece, to.base);
    emitWait(c, 1);
    return success();
  }
  SmallVector<BoxDim> box = boxOf(op.getSliceSizes());
  for (auto [k, dim] : llvm::enumerate(box)) {
    dim.srcStart = starts[k];
    dim.srcMultiple = multipleOf(context, window, k);
  }
  emitWait(c, emitBoxCopy(c, operandSide(context, op.getOperand()), resultSide(context, 0), box));
  return success();
}

LogicalResult lowerDynamicUpdateSlice(KernelContext &context, Code &c, stablehlo::DynamicUpdateSliceOp op) {
  auto type = cast<RankedTensorType>(op.getOperand().getType());
  Side operand = operandSide(context, op.getOperand()), result = resultSide(context, 0);
  // The update of a temporary happens where it lies.
  if (!operand.isAt(result)) emitWait(c, emitArrayCopy(c, operand, result));
  ArrayRef<int64_t> extents = cast<RankedTensorType>(op.getUpdate().getType()).getShape();
  const Window window{op.getStartIndices(), type, extents};
  SmallVector<Linear> starts = fetchStarts(context, c, window)[0];
  SmallVector<BoxDim> box = boxOf(extents);
  for (auto [k, dim] : llvm::enumerate(box)) {
    dim.dstStart = starts[k];
    dim.dstMultiple = multipleOf(context, window, k);
  }
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

// `count` neighbours from byte `address` of the array on, in one part.
SmallVector<Value> IndexArray::fromPart(Value address, int64_t count) {
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
  Value at = c_.add(to, c_.b.createOrFold<arith::SubIOp>(c_.loc, address, first));
  SmallVector<Value> words;
  for (int64_t i = 0; i < count; ++i) words.push_back(c_.inst("s.ldw", {at}, {{"off", 4 * i}}));
  return words;
}

// Where it is: of the array as it lies, or dense in SMEM.
Linear IndexArray::byteOf(ArrayRef<Linear> batch, int64_t k) {
  Side held{"smem", "", from_.array, true, {}};
  Linear address;
  auto add = [&](int64_t dim, const Linear &i) {
    address = address + (held_ ? held.at(c_, dim, i) : from_.at(c_, dim, i));
  };
  for (auto [dim, i] : llvm::zip(dims_, batch)) add(dim, i);
  if (vectorDim_ < from_.array.rank()) add(vectorDim_, Linear(k));
  return address;
}

Value IndexArray::at(ArrayRef<Linear> batch, int64_t k) {
  Linear address = byteOf(batch, k);
  if (!held_) return extended(fromPart(c_.value(address), 1)[0]);
  const int64_t offset = std::exchange(address.constant, 0);
  return extended(c_.inst("s.ldw", {c_.value(address)}, {{"off", offset}}));
}

SmallVector<Value> IndexArray::ofEach(ArrayRef<SmallVector<Linear>> points, int64_t k) {
  const bool areNeighbours = !dims_.empty() && from_.array.order.back() == dims_.back();
  if (held_ || !areNeighbours) return llvm::map_to_vector(points, [&](auto &point) { return at(point, k); });
  SmallVector<Value> words = fromPart(c_.value(byteOf(points[0], k)), static_cast<int64_t>(points.size()));
  return llvm::map_to_vector(words, [&](Value word) { return extended(word); });
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

void emitGroupLoops(Code &c, ArrayRef<int64_t> extents, int64_t most,
                    function_ref<int64_t(ArrayRef<SmallVector<Linear>>)> body, ArrayRef<Value> counts) {
  SmallVector<Linear> at;
  int64_t started = 0;
  auto group = [&](const Linear &first, int64_t n) {
    SmallVector<SmallVector<Linear>> points(n, at);
    for (auto [i, point] : llvm::enumerate(points)) point.push_back(first + Linear(static_cast<int64_t>(i)));
    started = body(points);
  };
  auto loop = [&](Value from, Value to, function_ref<void(const Linear &)> each) {
    c.loop(from, to, 1, {}, [&](Value iv, ValueRange) {
      each(c.linear(iv));
      return SmallVector<Value>();
    });
  };
  std::function<void(size_t)> go = [&](size_t d) {
    if (d == extents.size()) {
      started = body({at});
      return;
    }
    const Value count = counts.empty() || !counts[d] ? c.i64(extents[d]) : counts[d];
    if (d + 1 < extents.size())
      return loop(c.i64(0), count, [&](const Linear &i) {
        at.push_back(i);
        go(d + 1);
        at.pop_back();
      });
    const Value groups = c.div(count, most);
    loop(c.i64(0), groups, [&](const Linear &i) { group(i * most, most); });
    APInt known;
    if (!matchPattern(count, m_ConstantInt(&known)))
      loop(c.mul(groups, most), count, [&](const Linear &i) { group(i, 1); });
    else if (const int64_t left = known.getSExtValue() % most)
      group(Linear(known.getSExtValue() - left), left);
  };
  if (llvm::is_contained(extents, 0)) return;
  go(0);
  emitWaits(c, extents, started, counts);
}

void emitBatchLoops(Code &c, ArrayRef<int64_t> extents, function_ref<int64_t(ArrayRef<Linear>)> body) {
  emitGroupLoops(c, extents, 1, [&](ArrayRef<SmallVector<Linear>> points) { return body(points[0]); });
}

// ---- gather ---------------------------------------------------------------------------------------------------------

// The batch's points in as many parts as there are cores, each of which starts its own transfers; a part goes along the
// first dim that is long enough. `start`, `count`: of the parts that this core has.
static void emitShares(KernelContext &context, Code &c, ArrayRef<int64_t> extents, int64_t most,
                       function_ref<int64_t(ArrayRef<SmallVector<Linear>>)> body, ArrayRef<Value> counts, Value start,
                       Value count) {
  const auto cores = static_cast<int64_t>(context.target.cores());
  const auto *shared = llvm::find_if(extents, [&](int64_t n) { return n >= cores; });
  if (cores == 1 || shared == extents.end() || llvm::any_of(counts, [](Value v) { return v != nullptr; }))
    return emitGroupLoops(c, extents, most, body, counts);
  const size_t d = shared - extents.begin();
  const int64_t all = extents[d], unit = d + 1 == extents.size() ? most : 1,
                each = llvm::alignTo(llvm::divideCeil(all, cores), unit);
  context.gridSteps = llvm::divideCeil(all, each);
  SmallVector<int64_t> own(extents);
  own[d] = each;
  c.loop(start, c.add(start, count), 1, {}, [&](Value part, ValueRange) {
    const Value first = c.mul(part, each);
    SmallVector<Value> ends(extents.size());
    if (all % each) ends[d] = c.min(c.value(Linear(first) * -1 + Linear(all)), c.i64(each));
    auto moved = [&](ArrayRef<SmallVector<Linear>> at) {
      SmallVector<SmallVector<Linear>> points(at);
      for (SmallVector<Linear> &point : points) point[d] = point[d] + Linear(first);
      return body(points);
    };
    emitGroupLoops(c, own, most, moved, ends);
    return SmallVector<Value>();
  });
}

namespace {

// Of a gather's windows, each where its indices say.
class Gather {
 public:
  Gather(KernelContext &context, Code &code, stablehlo::GatherOp op);
  void run(Value start, Value count);

 private:
  bool isOfRows();
  SmallVector<SmallVector<Linear>> starts(ArrayRef<SmallVector<Linear>> points, IndexArray &indices);
  int64_t fetch(ArrayRef<Linear> batch, ArrayRef<Linear> starts);

  KernelContext &context_;
  Code &c_;
  stablehlo::GatherOp op_;
  stablehlo::GatherDimensionNumbersAttr numbers_;
  RankedTensorType type_;
  SmallVector<int64_t> batchExtents_, batchDims_, offsetDims_;  // of the indices; of the result
  Side from_, to_;
};

Gather::Gather(KernelContext &context, Code &code, stablehlo::GatherOp op)
    : context_(context),
      c_(code),
      op_(op),
      numbers_(op.getDimensionNumbers()),
      type_(cast<RankedTensorType>(op.getOperand().getType())),
      from_(operandSide(context, op.getOperand())),
      to_(resultSide(context, 0)) {
  auto indices = cast<RankedTensorType>(op.getStartIndices().getType()),
       result = cast<RankedTensorType>(op.getResult().getType());
  for (int64_t d = 0; d < indices.getRank(); ++d)
    if (d != numbers_.getIndexVectorDim()) batchExtents_.push_back(indices.getDimSize(d));
  for (int64_t d = 0; d < result.getRank(); ++d)
    (llvm::is_contained(numbers_.getOffsetDims(), d) ? offsetDims_ : batchDims_).push_back(d);
}

// Whether a window is one of the places that indices name, with all of the other dims: a transfer or few.
bool Gather::isOfRows() {
  return llvm::all_of(llvm::enumerate(op_.getSliceSizes()), [&](auto it) {
    return it.value() == 1 || (it.value() == type_.getDimSize(it.index()) &&
                               !llvm::is_contained(numbers_.getStartIndexMap(), static_cast<int64_t>(it.index())));
  });
}

// Of each point, where its window begins.
SmallVector<SmallVector<Linear>> Gather::starts(ArrayRef<SmallVector<Linear>> points, IndexArray &indices) {
  SmallVector<SmallVector<Linear>> out(points.size(), SmallVector<Linear>(type_.getRank()));
  for (auto [k, d] : llvm::enumerate(numbers_.getStartIndexMap())) {
    const int64_t high = type_.getDimSize(d) - op_.getSliceSizes()[d];
    if (!high) continue;
    for (auto [starts, index] : llvm::zip_equal(out, indices.ofEach(points, static_cast<int64_t>(k))))
      starts[d] = Linear(clampIndex(c_, index, high));
  }
  for (auto [d, b] : llvm::zip(numbers_.getOperandBatchingDims(), numbers_.getStartIndicesBatchingDims()))
    for (auto [starts, point] : llvm::zip_equal(out, points)) starts[d] = point[b - (b > numbers_.getIndexVectorDim())];
  return out;
}

int64_t Gather::fetch(ArrayRef<Linear> batch, ArrayRef<Linear> starts) {
  SmallVector<BoxDim> box;
  size_t offset = 0;
  for (int64_t d = 0; d < type_.getRank(); ++d) {
    const bool dropped = llvm::is_contained(numbers_.getCollapsedSliceDims(), d) ||
                         llvm::is_contained(numbers_.getOperandBatchingDims(), d);
    box.push_back({d, dropped ? -1 : offsetDims_[offset++], op_.getSliceSizes()[d], starts[d], {}});
  }
  for (auto [d, at] : llvm::zip(batchDims_, batch)) box.push_back({-1, d, 1, {}, at});
  return emitBoxCopy(c_, from_, to_, box);
}

void Gather::run(Value start, Value count) {
  constexpr uint64_t kAtOnce = 8;  // rows whose indices are in registers before their transfers start
  const uint64_t each = batchExtents_.empty() ? 1 : llvm::divideCeil(batchExtents_.back(), context_.target.cores());
  const auto most = static_cast<int64_t>(isOfRows() ? std::clamp<uint64_t>(llvm::bit_floor(each), 1, kAtOnce) : 1);
  // Slices that lie behind a true size of the result are not fetched. Sizes are read before indices lie over them.
  SmallVector<Value> counts(batchExtents_.size());
  if (!context_.ends.empty() && !context_.ends[0].empty())
    for (auto [count, d, extent] : llvm::zip_equal(counts, batchDims_, batchExtents_))
      if (const std::optional<SizeEnd> &end = context_.ends[0][d]) count = elementsBefore(c_, *end, extent);
  IndexArray indices(context_, c_, op_.getStartIndices(), numbers_.getIndexVectorDim());
  auto fetchAll = [&](ArrayRef<SmallVector<Linear>> points) {
    int64_t started = 0;
    for (auto [point, from] : llvm::zip_equal(points, starts(points, indices))) started = fetch(point, from);
    return started;
  };
  emitShares(context_, c_, batchExtents_, most, fetchAll, counts, start, count);
}

}  // namespace

LogicalResult lowerGather(KernelContext &context, Code &c, stablehlo::GatherOp op, Value start, Value count) {
  Gather(context, c, op).run(start, count);
  return success();
}

}  // namespace tpuc::lowering
