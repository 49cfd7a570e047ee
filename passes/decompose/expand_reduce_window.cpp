// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reduce_window as shifted slices combined elementwise, one dim after the other.
//
//  1. The operand padded (and dilated) with the initial value.
//  2. Along each dim, windows of 1, 2, 4, ... elements by doubling; a window of w is those of w's binary digits, end to
//     end.
//  3. The strides as a slice, the initial value once more.
// Windows of few elements are walked in order instead. A computation that is long on words stands once in a loop, over
// the doublings or the elements, not once for each: the numbers are the same. Before all that, a window whose initial
// value is no constant becomes one that starts from the neutral element, and a window over an array that a pad fills
// with the same value pads and dilates the array itself, where these have a kernel. A window of more elements than a
// kernel walks is one along each dim, where these have kernels.
#include "dialects/diagnostics/diagnose.h"
#include "passes/analysis/convolution_form.h"
#include "passes/analysis/scan.h"
#include "passes/analysis/target_option.h"
#include "passes/builders/build.h"
#include "passes/builders/inline_region.h"
#include "passes/decompose/neutral.h"
#include "passes/decompose/passes.h"
#include "passes/plan/question.h"

using namespace mlir;

namespace tpuc::decompose {
using namespace analysis;
using namespace builders;
#define GEN_PASS_DEF_EXPANDREDUCEWINDOWPASS
#include "passes/decompose/passes.h.inc"
namespace {

SmallVector<int64_t> valuesOf(std::optional<ArrayRef<int64_t>> values, int64_t n) {
  return values ? llvm::to_vector(*values) : SmallVector<int64_t>(n, 1);
}

constexpr int64_t kMostInOrder = 16;

// f64 on words: some 150 instructions for a sum, several hundred for an exponential.
bool isLong(Block &body) {
  constexpr int64_t kLong = 8;
  int64_t wide = 0;
  for (Operation &op : body.without_terminator())
    if (op.getNumResults() == 1 && getElementTypeOrSelf(op.getResult(0).getType()).isF64()) ++wide;
  return wide >= kLong;
}

class Window {
 public:
  Window(stablehlo::ReduceWindowOp op, OpBuilder &b) : op_(op), build_{b, op.getLoc()}, b_(b) {}
  LogicalResult run();

 private:
  using Values = SmallVector<Value>;
  Values combine(const Values &x, const Values &y) {
    Values arguments(x);
    llvm::append_range(arguments, y);
    return inlineElementwise(b_, op_.getBody().front(), arguments);
  }
  // Elements [from, from + count) along dim d.
  Values part(const Values &vs, int64_t d, int64_t from, int64_t count) {
    return llvm::map_to_vector(vs, [&](Value v) { return part(v, d, from, count); });
  }
  Value part(Value v, int64_t d, int64_t from, int64_t count) {
    SmallVector<int64_t> start(typeOf(v).getRank(), 0), limit(typeOf(v).getShape()), stride(start.size(), 1);
    start[d] = from;
    limit[d] = from + count;
    return build_.slice(v, start, limit, stride);
  }
  // The same from a computed place.
  Values slab(const Values &vs, ArrayRef<Value> start, ArrayRef<int64_t> size) {
    return llvm::map_to_vector(
        vs, [&](Value v) -> Value { return stablehlo::DynamicSliceOp::create(b_, op_.getLoc(), v, start, size); });
  }
  Values slab(const Values &vs, int64_t d, Value from, int64_t count) {
    SmallVector<Value> start(typeOf(vs[0]).getRank(), number(0));
    SmallVector<int64_t> size(typeOf(vs[0]).getShape());
    start[d] = from;
    size[d] = count;
    return slab(vs, start, size);
  }
  Value number(int64_t n) { return build_.splat(RankedTensorType::get({}, b_.getI32Type()), n); }
  template <typename Op>
  Value on(Value x, int64_t n) {
    return Op::create(b_, op_.getLoc(), x.getType(), x, number(n));
  }
  Values select(Value p, const Values &x, const Values &y) {
    return llvm::map_to_vector(llvm::zip(x, y), [&](auto pair) -> Value {
      auto [a, b] = pair;
      return stablehlo::SelectOp::create(b_, op_.getLoc(), a.getType(), p, a, b);
    });
  }
  Values along(const Values &v, int64_t d, int64_t window, int64_t dilation);
  Values alongInLoop(const Values &v, int64_t d, int64_t window, int64_t dilation);
  Values inOrder(const Values &v);
  Values inOrderInLoop(const Values &v, int64_t elements);

  stablehlo::ReduceWindowOp op_;
  Build build_;
  OpBuilder &b_;
  SmallVector<int64_t> strides_, dilations_, out_;
};

// Every window of `window` elements, `dilation` apart, at stride 1.
Window::Values Window::along(const Values &v, int64_t d, int64_t window, int64_t dilation) {
  int64_t out = typeOf(v[0]).getDimSize(d) - (window - 1) * dilation;
  Values power = v, total;
  int64_t covered = 0;
  for (int64_t length = 1; length <= window; length *= 2) {
    if (window & length) {
      Values piece = part(power, d, covered * dilation, out);
      total = total.empty() ? piece : combine(total, piece);
      covered += length;
    }
    if (length * 2 > window) break;
    int64_t next = typeOf(power[0]).getDimSize(d) - length * dilation;
    power = combine(part(power, d, 0, next), part(power, d, length * dilation, next));
  }
  return total;
}

// The same with the computation twice: the windows' length, what of the window is covered, its total and the windows
// are carried. Windows near the end lack elements, but no total takes them.
Window::Values Window::alongInLoop(const Values &v, int64_t d, int64_t window, int64_t dilation) {
  const int64_t size = typeOf(v[0]).getDimSize(d), out = size - (window - 1) * dilation,
                longest = llvm::bit_floor<uint64_t>(window);
  SmallVector<int64_t> none(typeOf(v[0]).getRank(), 0), high(none);
  high[d] = longest * dilation;
  const size_t n = v.size();
  Values init{number(1), number(0)};
  llvm::append_range(init, part(v, d, 0, out));
  llvm::append_range(init, v);
  Values done = build_.loop(llvm::Log2_64(longest) + 1, init, [&](Value, ValueRange state) -> Values {
    Value length = state[0], covered = state[1];
    Values total(state.slice(2, n)), power(state.slice(2 + n, n)), further;
    Values piece = slab(power, d, on<stablehlo::MulOp>(covered, dilation), out);
    Value digit = on<stablehlo::AndOp>(length, window);
    auto is = [&](Value x, stablehlo::ComparisonDirection how) -> Value {
      return stablehlo::CompareOp::create(b_, op_.getLoc(), x, number(0), how);
    };
    Values longer = select(is(covered, stablehlo::ComparisonDirection::EQ), piece, combine(total, piece));
    for (auto [x, start] : llvm::zip(power, op_.getInitValues()))
      further.push_back(build_.pad(x, start, none, high, none));
    Values next{on<stablehlo::MulOp>(length, 2),
                stablehlo::AddOp::create(b_, op_.getLoc(), covered.getType(), covered, digit)};
    llvm::append_range(next, select(is(digit, stablehlo::ComparisonDirection::NE), longer, total));
    llvm::append_range(next, combine(power, slab(further, d, on<stablehlo::MulOp>(length, dilation), size)));
    return next;
  });
  return Values(ArrayRef<Value>(done).slice(2, n));
}

// A small window one element after the other: the order of a plain loop, which matters where sums cancel.
Window::Values Window::inOrder(const Values &v) {
  ArrayRef<int64_t> window = op_.getWindowDimensions();
  int64_t rank = window.size();
  SmallVector<int64_t> at(rank, 0);
  Values total = llvm::map_to_vector(op_.getInitValues(), [&](Value init) { return build_.broadcast(init, out_, {}); });
  while (true) {
    SmallVector<int64_t> start, limit;
    for (int64_t d = 0; d < rank; ++d) {
      start.push_back(at[d] * dilations_[d]);
      limit.push_back(start[d] + (out_[d] - 1) * strides_[d] + 1);
    }
    total = combine(total, llvm::map_to_vector(v, [&](Value x) { return build_.slice(x, start, limit, strides_); }));
    int64_t d = rank - 1;
    while (d >= 0 && ++at[d] == window[d]) at[d--] = 0;
    if (d < 0) return total;
  }
}

Window::Values Window::inOrderInLoop(const Values &v, int64_t elements) {
  ArrayRef<int64_t> window = op_.getWindowDimensions();
  Values init =
      llvm::map_to_vector(op_.getInitValues(), [&](Value start) { return build_.broadcast(start, out_, {}); });
  return build_.loop(elements, init, [&](Value i, ValueRange total) {
    SmallVector<Value> start(window.size());
    SmallVector<int64_t> none(window.size(), 0), size;
    int64_t inner = 1;
    for (int64_t d = window.size() - 1; d >= 0; inner *= window[d--])
      start[d] = on<stablehlo::MulOp>(on<stablehlo::RemOp>(on<stablehlo::DivOp>(i, inner), window[d]), dilations_[d]);
    for (auto [extent, stride] : llvm::zip(out_, strides_)) size.push_back((extent - 1) * stride + 1);
    Values next = slab(v, start, size);
    for (Value &x : next) x = build_.slice(x, none, size, strides_);
    return combine(Values(total), next);
  });
}

LogicalResult Window::run() {
  if (!isElementwiseRegion(op_.getBody().front()))
    return diagnose(op_, codes::kRegionOfArrays)
           << "expects a computation on single elements in 'stablehlo.reduce_window', but got one on arrays; write it "
              "elementwise";
  Values v(op_.getInputs());
  int64_t rank = typeOf(v[0]).getRank(), elements = 1;
  SmallVector<int64_t> base = valuesOf(op_.getBaseDilations(), rank);
  strides_ = valuesOf(op_.getWindowStrides(), rank);
  dilations_ = valuesOf(op_.getWindowDilations(), rank);
  out_ = SmallVector<int64_t>(cast<RankedTensorType>(op_.getResult(0).getType()).getShape());
  SmallVector<int64_t> low(rank, 0), high(rank, 0), interior;
  if (auto padding = op_.getPadding()) {
    auto values = llvm::to_vector(padding->getValues<int64_t>());
    for (int64_t d = 0; d < rank; ++d) {
      low[d] = values[2 * d];
      high[d] = values[2 * d + 1];
    }
  }
  for (int64_t d : base) interior.push_back(d - 1);
  for (int64_t w : op_.getWindowDimensions()) elements *= w;
  for (auto [x, init] : llvm::zip(v, op_.getInitValues())) x = build_.pad(x, init, low, high, interior);
  const bool once = isLong(op_.getBody().front());
  if (elements <= kMostInOrder) {
    v = once && elements > 1 ? inOrderInLoop(v, elements) : inOrder(v);
  } else {
    // Rows first, then rows of rows: the order of the elements, which matters where the computation does not commute.
    for (int64_t d = rank - 1; d >= 0; --d) {
      int64_t window = op_.getWindowDimensions()[d];
      bool loop = once && llvm::Log2_64(window) + llvm::popcount<uint64_t>(window) > 3;
      v = loop ? alongInLoop(v, d, window, dilations_[d]) : along(v, d, window, dilations_[d]);
    }
    SmallVector<int64_t> start(rank, 0), limit;
    for (int64_t d = 0; d < rank; ++d) limit.push_back((out_[d] - 1) * strides_[d] + 1);
    for (Value &x : v) x = build_.slice(x, start, limit, strides_);
    v = combine(llvm::map_to_vector(op_.getInitValues(), [&](Value init) { return build_.broadcast(init, out_, {}); }),
                v);
  }
  op_->replaceAllUsesWith(v);
  op_.erase();
  return success();
}

// A window that starts from a value which only the run knows has no kernel. From the neutral element it has one, over
// an operand with the value in its padding; the value itself comes in once at the end. Nothing is left behind where
// that has none either.
bool startFromNeutral(stablehlo::ReduceWindowOp op, const plan::Question &question) {
  Block &body = op.getBody().front();
  Operation *combines = op.getInputs().size() == 1 ? analysis::onlyOp(body) : nullptr;
  if (!combines || op.getInitValues()[0].getDefiningOp<stablehlo::ConstantOp>()) return false;
  Value x = op.getInputs()[0], init = op.getInitValues()[0];
  auto scalar = typeOf(init);
  Attribute neutral =
      combines->getResult(0).getType() == scalar ? neutralOf(combines, scalar.getElementType()) : Attribute();
  if (!neutral || typeOf(op.getResult(0)).getElementType() != scalar.getElementType()) return false;
  OpBuilder b(op);
  Build build{b, op.getLoc()};
  SmallVector<Operation *> built;
  const int64_t rank = typeOf(x).getRank();
  SmallVector<int64_t> low(rank, 0), high(rank, 0), interior;
  for (int64_t d : valuesOf(op.getBaseDilations(), rank)) interior.push_back(d - 1);
  if (auto padding = op.getPadding())
    for (int64_t d = 0; d < rank; ++d) {
      low[d] = padding->getValues<int64_t>()[2 * d];
      high[d] = padding->getValues<int64_t>()[2 * d + 1];
    }
  auto isZero = [](int64_t n) { return n == 0; };
  if (!llvm::all_of(low, isZero) || !llvm::all_of(high, isZero) || !llvm::all_of(interior, isZero)) {
    x = build.pad(x, init, low, high, interior);
    built.push_back(x.getDefiningOp());
  }
  Value start = build.splat(scalar, neutral);
  built.push_back(start.getDefiningOp());
  auto made = mlir::cast<stablehlo::ReduceWindowOp>(b.clone(*op));
  built.push_back(made);
  made->setOperands({x, start});
  made.removePaddingAttr();
  made.removeBaseDilationsAttr();
  if (!question.hasKernel(made)) {
    for (Operation *one : llvm::reverse(built)) one->erase();
    return false;
  }
  Value first = build.broadcast(init, typeOf(made.getResult(0)).getShape(), {});
  op->replaceAllUsesWith(inlineElementwise(b, body, {first, made.getResult(0)}));
  op.erase();
  return true;
}

bool sameValue(Value x, Value y) {
  Attribute a, b;
  return x == y || (matchPattern(x, m_Constant(&a)) && matchPattern(y, m_Constant(&b)) && a == b);
}

// A window over an array that a pad fills with the value which the window starts from: the window's own padding and
// dilation are of that value too, and no padded copy is written. Nothing is left behind where that has no kernel.
void takePadding(stablehlo::ReduceWindowOp op, const plan::Question &question) {
  if (op.getInputs().size() != 1 || scanOf(op)) return;
  auto pad = op.getInputs()[0].getDefiningOp<stablehlo::PadOp>();
  if (!pad || !pad->hasOneUse() || !sameValue(pad.getPaddingValue(), op.getInitValues()[0])) return;
  const int64_t rank = typeOf(pad).getRank();
  auto isOne = [](int64_t n) { return n == 1; };
  if (!llvm::all_of(valuesOf(op.getBaseDilations(), rank), isOne)) return;
  SmallVector<int64_t> padding(2 * rank, 0), dilations;
  if (auto own = op.getPadding()) padding = llvm::to_vector(own->getValues<int64_t>());
  for (int64_t d = 0; d < rank; ++d) {
    const int64_t low = pad.getEdgePaddingLow()[d], high = pad.getEdgePaddingHigh()[d];
    // What a negative one cuts off could be what the other adds.
    if (std::min({low, high, padding[2 * d], padding[2 * d + 1]}) < 0) return;
    padding[2 * d] += low;
    padding[2 * d + 1] += high;
    dilations.push_back(pad.getInteriorPadding()[d] + 1);
  }
  OpBuilder b(op);
  auto made = mlir::cast<stablehlo::ReduceWindowOp>(b.clone(*op));
  made->setOperand(0, pad.getOperand());
  made.setPaddingAttr(DenseIntElementsAttr::get(RankedTensorType::get({rank, 2}, b.getI64Type()), padding));
  made.setBaseDilations(dilations);
  if (!question.hasKernel(made)) return made.erase();
  op->replaceAllUsesWith(made);
  op.erase();
  pad.erase();
}

// The part of a window, and of its padding, that lies along dim `d`, on `v`, which has been reduced along later dims.
stablehlo::ReduceWindowOp windowAlong(stablehlo::ReduceWindowOp op, int64_t d, Value v) {
  OpBuilder b(op);
  RankedTensorType type = typeOf(op.getResult(0));
  const int64_t rank = type.getRank();
  auto along = [&](ArrayRef<int64_t> of) {
    SmallVector<int64_t> out(rank, 1);
    out[d] = of[d];
    return out;
  };
  SmallVector<int64_t> padding(2 * rank, 0), shape(typeOf(v).getShape());
  if (auto own = op.getPadding())
    for (int64_t i : {2 * d, 2 * d + 1}) padding[i] = own->getValues<int64_t>()[i];
  shape[d] = type.getDimSize(d);
  auto made = mlir::cast<stablehlo::ReduceWindowOp>(b.clone(*op));
  made->setOperand(0, v);
  made.setWindowDimensions(along(op.getWindowDimensions()));
  made.setWindowStrides(along(valuesOf(op.getWindowStrides(), rank)));
  made.setWindowDilations(along(valuesOf(op.getWindowDilations(), rank)));
  made.setBaseDilations(along(valuesOf(op.getBaseDilations(), rank)));
  made.setPaddingAttr(DenseIntElementsAttr::get(RankedTensorType::get({rank, 2}, b.getI64Type()), padding));
  made.getResult(0).setType(type.clone(shape));
  return made;
}

// Whether a window may start from its value more than once: the neutral element, or what counts once however often it
// comes.
bool startsOften(stablehlo::ReduceWindowOp op) {
  Operation *combines = op.getInputs().size() == 1 ? analysis::onlyOp(op.getBody().front()) : nullptr;
  if (!combines || typeOf(op.getInputs()[0]).getElementType() != typeOf(op.getResult(0)).getElementType()) return false;
  Value start = op.getInitValues()[0];
  return mlir::isa<stablehlo::MaxOp, stablehlo::MinOp, stablehlo::AndOp, stablehlo::OrOp>(combines)
             ? matchPattern(start, m_Constant())
             : analysis::startsUnchanged(combines, start);
}

// Where a window of several dims has no kernel and those along one dim each have one: rows first, then rows of rows.
// Nothing is left behind where one has none.
bool splitByDims(stablehlo::ReduceWindowOp op, const plan::Question &question) {
  if (!startsOften(op) || llvm::product_of(op.getWindowDimensions()) <= kMostInOrder) return false;
  const int64_t rank = typeOf(op.getResult(0)).getRank();
  SmallVector<stablehlo::ReduceWindowOp> made;
  for (int64_t d = rank - 1; d >= 0; --d) {
    auto one = windowAlong(op, d, made.empty() ? op.getInputs()[0] : made.back().getResult(0));
    const int64_t low = one.getPadding()->getValues<int64_t>()[2 * d];
    const bool isNothing =
        one.getWindowDimensions()[d] == 1 && low == 0 && one.getResult(0).getType() == one.getInputs()[0].getType();
    isNothing ? one.erase() : made.push_back(one);
  }
  auto hasKernel = [&](stablehlo::ReduceWindowOp one) { return question.hasKernel(one); };
  if (made.size() < 2 || !llvm::all_of(made, hasKernel)) {
    for (stablehlo::ReduceWindowOp one : llvm::reverse(made)) one.erase();
    return false;
  }
  op->replaceAllUsesWith(made.back());
  op.erase();
  return true;
}

struct ExpandReduceWindow : impl::ExpandReduceWindowPassBase<ExpandReduceWindow> {
  using ExpandReduceWindowPassBase::ExpandReduceWindowPassBase;
  void runOnOperation() override {
    target::Target machine;
    if (failed(loadTarget(getOperation(), target, sets, machine))) return signalPassFailure();
    const plan::Question question(machine);
    SmallVector<stablehlo::ReduceWindowOp> ops;
    getOperation().walk([&](stablehlo::ReduceWindowOp op) { ops.push_back(op); });
    for (auto op : ops) {
      if (question.hasKernel(op)) {
        takePadding(op, question);
        continue;
      }
      if (typeOf(op.getResult(0)).getNumElements() == 0) continue;
      if (startFromNeutral(op, question) || splitByDims(op, question)) continue;
      OpBuilder b(op);
      if (failed(Window(op, b).run())) return signalPassFailure();
    }
  }
};

}  // namespace
}  // namespace tpuc::decompose
