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
#include "passes/plan/move/gather_plan.h"

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

// ---- loops over points ----------------------------------------------------------------------------------------------

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

Value endOfPart(Code &c, Value first, Value all, int64_t each) {
  APInt known;
  const bool isKnown = matchPattern(all, m_ConstantInt(&known));
  if (isKnown && known.getSExtValue() % each == 0) return c.i64(each);
  Value left = c.b.createOrFold<arith::SubIOp>(c.loc, all, first);
  // Only where it is a true size may it lie before the part.
  if (!isKnown) left = c.b.createOrFold<arith::MaxSIOp>(c.loc, left, c.i64(0));
  return c.min(left, c.i64(each));
}

void emitBatchLoops(Code &c, ArrayRef<int64_t> extents, function_ref<int64_t(ArrayRef<Linear>)> body) {
  emitGroupLoops(c, extents, 1, [&](ArrayRef<SmallVector<Linear>> points) { return body(points[0]); });
}

// ---- gather ---------------------------------------------------------------------------------------------------------

namespace {

// A gather that fetches each window from where its indices say.
class Gather : GatherPlan {
 public:
  Gather(KernelContext &context, Code &code, stablehlo::GatherOp op)
      : GatherPlan(context, op), c_(code), from_(operandSide(context, op.getOperand())), to_(resultSide(context, 0)) {}
  LogicalResult run(Value start, Value count);

 private:
  using Points = function_ref<int64_t(ArrayRef<SmallVector<Linear>>)>;
  SmallVector<Value> counts();
  void emitShares(Points body, ArrayRef<Value> counts, Value start, Value count);
  SmallVector<SmallVector<Linear>> starts(ArrayRef<SmallVector<Linear>> points, IndexArray &indices);
  int64_t fetch(ArrayRef<Linear> batch, ArrayRef<Linear> starts);

  Code &c_;
  Side from_, to_;
};

// Of windows along each dim, where they end at a true size of the result: those behind it are not fetched.
SmallVector<Value> Gather::counts() {
  SmallVector<Value> counts(batchExtents_.size());
  if (!context_.ends.empty() && !context_.ends[0].empty())
    for (auto [count, d, extent] : llvm::zip_equal(counts, batchDims_, batchExtents_))
      if (const std::optional<SizeEnd> &end = context_.ends[0][d]) count = elementsBefore(c_, *end, extent);
  return counts;
}

// `start`, `count`: of the parts that this core has.
void Gather::emitShares(Points body, ArrayRef<Value> counts, Value start, Value count) {
  const std::optional<size_t> cut = shares_.dim();
  if (!cut) return emitGroupLoops(c_, batchExtents_, atOnce_, body, counts);
  const size_t d = *cut;
  const int64_t all = batchExtents_[d], each = shares_.blocks[d];
  context_.gridSteps = shares_.parts();
  c_.loop(start, c_.add(start, count), 1, {}, [&](Value part, ValueRange) {
    const Value first = c_.mul(part, each);
    SmallVector<Value> ends(counts);
    if (counts[d] || all % each) ends[d] = endOfPart(c_, first, counts[d] ? counts[d] : c_.i64(all), each);
    auto moved = [&](ArrayRef<SmallVector<Linear>> at) {
      SmallVector<SmallVector<Linear>> points(at);
      for (SmallVector<Linear> &point : points) point[d] = point[d] + Linear(first);
      return body(points);
    };
    emitGroupLoops(c_, shares_.blocks, atOnce_, moved, ends);
    return SmallVector<Value>();
  });
}

// Where the window of each point begins.
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

LogicalResult Gather::run(Value start, Value count) {
  if (failed(plan())) return failure();
  // Sizes are read before indices lie over them.
  const SmallVector<Value> counts = this->counts();
  IndexArray indices(context_, c_, op_.getStartIndices(), numbers_.getIndexVectorDim(), indexParts_);
  auto fetchAll = [&](ArrayRef<SmallVector<Linear>> points) {
    int64_t started = 0;
    for (auto [point, from] : llvm::zip_equal(points, starts(points, indices))) started = fetch(point, from);
    return started;
  };
  emitShares(fetchAll, counts, start, count);
  return success();
}

}  // namespace

LogicalResult lowerGather(KernelContext &context, Code &c, stablehlo::GatherOp op, Value start, Value count) {
  return Gather(context, c, op).run(start, count);
}

}  // namespace tpuc::lowering
