// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the order of one of an op's values asks of its other values.
#include "dialects/kernel/kernel.h"
#include "passes/analysis/convolution_form.h"
#include "passes/analysis/domain.h"
#include "passes/analysis/dot_roles.h"
#include "passes/analysis/scan.h"
#include "passes/builders/build.h"
#include "passes/layout/array_orders.h"
#include "passes/layout/refinement.h"

using namespace mlir;

namespace tpuc::layout {
using namespace builders;
namespace {

// An order of `rank` dims in which `kept` of them come as `order` says, in the places that they have.
Order extended(ArrayRef<int64_t> order, ArrayRef<int64_t> kept, int64_t rank) {
  Order out = llvm::to_vector(llvm::seq<int64_t>(0, rank)), places(kept);
  llvm::sort(places);
  for (auto [i, place] : llvm::enumerate(places)) out[place] = kept[order[i]];
  return out;
}

// Of fewest bytes, an order of `type` in which `dims` come as `order` says; `first` is one of that order.
Order leastPadded(RankedTensorType type, ArrayRef<int64_t> dims, ArrayRef<int64_t> order, Order first) {
  for (Order &other : tileOrders(type.getRank()))
    if (induced(other, dims) == order &&
        analysis::paddedBytes(permuted(type, other)) < analysis::paddedBytes(permuted(type, first)))
      first = other;
  return first;
}

// The same of what an op updates, which does not take all orders; another than `first` only where that is a gain.
Order orderOfWhole(RankedTensorType type, ArrayRef<int64_t> dims, ArrayRef<int64_t> order, Order first,
                   function_ref<bool(ArrayRef<int64_t>)> takes) {
  Order best = first;
  for (Order &other : tileOrders(type.getRank()))
    if (induced(other, dims) == order && takes(other) &&
        analysis::paddedBytes(permuted(type, other)) < analysis::paddedBytes(permuted(type, best)))
      best = other;
  const bool gains = isGain(analysis::paddedBytes(permuted(type, first)), analysis::paddedBytes(permuted(type, best)));
  return gains ? best : first;
}

Order rolesOf(DenseI64ArrayAttr dims) { return Order(dims.asArrayRef()); }

// The long dims of a type in an order.
RankedTensorType longDimsOf(RankedTensorType type, ArrayRef<int64_t> order) {
  SmallVector<int64_t> shape(permuted(type, order).getShape());
  llvm::erase(shape, 1);
  return type.clone(shape);
}

// Whether a dim of one element is part of a longer one for an op that cuts, pads or joins: its place in an order is
// then for others to say, not for a reshape, which has it anywhere.
bool isPartAlongUnit(Value v) {
  auto ops = llvm::to_vector(v.getUsers());
  if (Operation *def = v.getDefiningOp()) ops.push_back(def);
  return llvm::any_of(ops, [&](Operation *op) {
    if (!mlir::isa<stablehlo::SliceOp, stablehlo::PadOp, stablehlo::ConcatenateOp>(op)) return false;
    const Value other = v.getDefiningOp() == op ? op->getOperand(0) : op->getResult(0);
    return llvm::any_of(llvm::seq<int64_t>(0, rankOf(v)),
                        [&](int64_t d) { return typeOf(v).getDimSize(d) == 1 && typeOf(other).getDimSize(d) > 1; });
  });
}

// The order of an array of type `to`, of the same elements, in which they come as they do in `from`'s order: the dims
// that one dim of the other array is made of stay side by side. Nothing where they do not, and where elements would
// move of a reshape that moved none.
std::optional<Order> orderThroughReshape(RankedTensorType from, ArrayRef<int64_t> order, RankedTensorType to) {
  auto parts = refine(from.getShape(), to.getShape());
  if (!parts) return std::nullopt;
  SmallVector<int64_t> sequence;
  for (int64_t d : order) llvm::append_range(sequence, parts->ofWhole[d]);
  Order out;
  for (auto [d, own] : llvm::enumerate(parts->ofSplit))
    if (own.empty()) out.push_back(static_cast<int64_t>(d));
  for (ArrayRef<int64_t> left = sequence; !left.empty();) {
    const auto *dim = llvm::find_if(parts->ofSplit, [&](ArrayRef<int64_t> own) {
      return !own.empty() && left.take_front(std::min(own.size(), left.size())) == own;
    });
    if (dim == parts->ofSplit.end()) return std::nullopt;
    out.push_back(dim - parts->ofSplit.begin());
    left = left.drop_front(dim->size());
  }
  // Dims of one element do not count: the sides of a reshape may have them in different places.
  const bool wouldMove = !kernel::haveSameBytes(longDimsOf(from, order), longDimsOf(to, out));
  return wouldMove && kernel::haveSameBytes(from, to) ? std::nullopt : std::optional(out);
}

// Bytes that a pad moves whose gaps lie along a dim before the last two, and that something is computed with: a copy,
// where gaps along rows and lanes are read in place. So are gaps of equal steps (passes/fusion/split_gaps.cpp).
int64_t bytesOfGaps(stablehlo::PadOp pad, ArrayRef<int64_t> order) {
  constexpr int64_t kMostEvery = 8;
  if (llvm::none_of(pad->getUsers(), [](Operation *user) { return user->hasTrait<stablehlo::IsElementwise>(); }))
    return 0;
  const bool moves = llvm::any_of(order.drop_back(2), [&](int64_t d) {
    const int64_t every = pad.getInteriorPadding()[d] + 1, size = pad.getOperand().getType().getDimSize(d);
    return every > 1 && every <= kMostEvery && llvm::isPowerOf2_64(every) && size > 1 &&
           pad.getType().getDimSize(d) != size * every;
  });
  return moves ? analysis::paddedBytes(permuted(pad.getType(), order)) : 0;
}

}  // namespace

bool reachesAlong(stablehlo::ReduceWindowOp window, int64_t d) {
  auto isOne = [&](std::optional<ArrayRef<int64_t>> values) { return !values || (*values)[d] == 1; };
  auto padding = window.getPadding();
  bool pads = padding && (padding->getValues<int64_t>()[2 * d] != 0 || padding->getValues<int64_t>()[2 * d + 1] != 0);
  return pads || window.getWindowDimensions()[d] != 1 || !isOne(window.getWindowStrides()) ||
         !isOne(window.getBaseDilations());
}

// What `v`'s order asks of the op's other values.
bool ArrayOrders::relate(Operation *op, Value v) {
  if (byLane_) return relateLane(op, v);
  Order order(orderOf(v));
  if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(op)) {
    ends_.insert(op);
    return !forMoves_ || (v == dot.getResult() || keepsFreeDims(dot, v)) || end(v);
  }
  if (turnsInput(op, v)) {
    ends_.insert(op);
    turned_.insert(op);
    return true;
  }
  if (mlir::isa<func::ReturnOp>(op)) return takesOrder(v);
  if (mlir::isa<stablehlo::ReturnOp>(op)) return relateRegions(op->getParentOp(), v);
  if (mlir::isa<stablehlo::WhileOp, stablehlo::IfOp, stablehlo::CaseOp>(op)) return relateRegions(op, v);
  if (auto constant = dyn_cast<stablehlo::ConstantOp>(op);
      (constant && constant.getValue().isSplat() && v.hasOneUse()) || mlir::isa<stablehlo::IotaOp>(op)) {
    inside_.insert(op);
    return true;
  }
  if (auto reshape = dyn_cast<stablehlo::ReshapeOp>(op)) {
    Value other = v == reshape.getOperand() ? Value(reshape) : reshape.getOperand();
    if (std::optional<Order> order = orderThroughReshape(typeOf(v), orderOf(v), typeOf(other))) {
      inside_.insert(op);
      const SmallVector<int64_t> its = longDims(other);
      if (ArrayRef<int64_t> known = orderOf(other); !known.empty()) return induced(known, its) == induced(*order, its);
      if (!last_ && isPartAlongUnit(other)) {
        later_.push_back(op);
        return true;
      }
      return set(other, *order);
    }
  }
  if (auto transpose = dyn_cast<stablehlo::TransposeOp>(op)) {
    inside_.insert(op);
    Order dims = rolesOf(transpose.getPermutationAttr());
    if (v == transpose.getResult()) return set(transpose.getOperand(), inOrder<int64_t>(dims, order));
    return set(transpose, inOrder<int64_t>(inverse(dims), order));
  }
  if (mlir::isa<stablehlo::BroadcastInDimOp>(op)) return relateBroadcast(op);
  if (mlir::isa<stablehlo::ReduceOp>(op)) return relateReduce(op, v);
  if (mlir::isa<stablehlo::DynamicSliceOp, stablehlo::DynamicUpdateSliceOp>(op)) return relateUpdate(op, v);
  if (auto scatter = dyn_cast<stablehlo::ScatterOp>(op); scatter && v != scatter.getScatterIndices())
    if (std::optional<bool> agrees = relateScatter(scatter, v)) return *agrees;
  if (auto gather = dyn_cast<stablehlo::GatherOp>(op))
    if (std::optional<bool> agrees = relateGather(gather, v)) return *agrees;
  if (auto window = dyn_cast<stablehlo::ReduceWindowOp>(op)) {
    // Its kernel takes no windows along lanes.
    if (!isIdentity(order) && !analysis::scanOf(window) && reachesAlong(window, order.back())) return false;
    inside_.insert(op);
    return llvm::all_of(window.getInputs(), [&](Value x) { return set(x, order); }) &&
           llvm::all_of(op->getResults(), [&](Value x) { return set(x, order); });
  }
  if (op->hasTrait<stablehlo::IsElementwise>() ||
      mlir::isa<stablehlo::SliceOp, stablehlo::PadOp, stablehlo::ConcatenateOp, stablehlo::ReverseOp>(op)) {
    if (auto pad = dyn_cast<stablehlo::PadOp>(op); inside_.insert(op) && pad) gaps_ += bytesOfGaps(pad, order);
    return llvm::all_of(op->getOperands(), [&](Value x) { return rankOf(x) == 0 || set(x, order); }) &&
           llvm::all_of(op->getResults(), [&](Value x) { return set(x, order); });
  }
  ends_.insert(op);
  return end(v);
}

// Whether `v` is the input of a convolution whose kernel turns it from the order that it takes here.
bool ArrayOrders::turnsInput(Operation *op, Value v) const {
  auto conv = dyn_cast<stablehlo::ConvolutionOp>(op);
  return conv && v == conv.getLhs() && v != conv.getRhs() && analysis::mayTurnInput(conv, orderOf(v));
}

bool ArrayOrders::relateBroadcast(Operation *op) {
  auto broadcast = mlir::cast<stablehlo::BroadcastInDimOp>(op);
  inside_.insert(op);
  Order dims = rolesOf(broadcast.getBroadcastDimensionsAttr());
  if (ArrayRef<int64_t> known = orderOf(broadcast); !known.empty())
    return set(broadcast.getOperand(), induced(known, dims));
  if (!last_) {
    later_.push_back(op);
    return true;
  }
  ArrayRef<int64_t> its = orderOf(broadcast.getOperand());
  return set(broadcast, leastPadded(typeOf(broadcast), dims, its,
                                    unitsFirst(extended(its, dims, rankOf(broadcast)), typeOf(broadcast))));
}

bool ArrayOrders::relateReduce(Operation *op, Value v) {
  auto reduce = mlir::cast<stablehlo::ReduceOp>(op);
  inside_.insert(op);
  int64_t rank = rankOf(reduce->getOperand(0));
  Order kept, order(orderOf(v));
  for (int64_t d = 0; d < rank; ++d)
    if (!llvm::is_contained(reduce.getDimensions(), d)) kept.push_back(d);
  if (ArrayRef<int64_t> known = orderOf(op->getOperand(0)); !known.empty()) {
    order = Order(known);
  } else if (v.getDefiningOp() == op) {
    if (sumsWait_ && !last_) {
      later_.push_back(op);
      return true;
    }
    order = extended(order, kept, rank);
  }
  unsigned count = op->getNumResults();
  return llvm::all_of(op->getOperands().take_front(count), [&](Value x) { return set(x, order); }) &&
         llvm::all_of(op->getResults(), [&](Value x) { return set(x, induced(order, kept)); });
}

bool takesPart(Operation *op, ArrayRef<int64_t> order) {
  Value part = mlir::isa<stablehlo::DynamicSliceOp>(op) ? op->getResult(0) : op->getOperand(1),
        whole = op->getOperand(0);
  int64_t lanes = order.back(), rows = order[order.size() - 2];
  auto moves = [&](int64_t d) { return typeOf(part).getDimSize(d) != typeOf(whole).getDimSize(d); };
  return !moves(lanes) && !(moves(rows) && mlir::isa<stablehlo::DynamicSliceOp>(op));
}

// Rows that share words are put in their place element by element.
static int64_t bytesOfRuns(Value part, Value whole, ArrayRef<int64_t> order) {
  constexpr int64_t kRunOfOne = 1024;  // bytes of HBM that a transfer's run of one element takes: two granules
  const int64_t rows = order[order.size() - 2];
  const bool moves = typeOf(part).getDimSize(rows) != typeOf(whole).getDimSize(rows);
  const bool shareWords = typeOf(part).getElementTypeBitWidth() < 32;
  return moves && shareWords ? kRunOfOne * typeOf(part).getNumElements() : 0;
}

// The place of a dim of one element in an update says nothing of the whole's order: all others go first.
bool ArrayOrders::relateUpdate(Operation *op, Value v) {
  const bool isUpdate = mlir::isa<stablehlo::DynamicUpdateSliceOp>(op);
  Value part = isUpdate ? op->getOperand(1) : op->getResult(0), whole = op->getOperand(0);
  Order order(orderOf(v));
  const SmallVector<int64_t> its = longDims(part);
  if (partsWait_ && v == part && isUpdate) {
    if (ArrayRef<int64_t> known = orderOf(whole); !known.empty()) {
      order = Order(known);
    } else if (!last_ && its.size() < order.size()) {
      later_.push_back(op);
      return true;
    } else {
      order = orderOfWhole(typeOf(whole), its, induced(order, its), order,
                           [&](ArrayRef<int64_t> other) { return takesPart(op, other); });
    }
  }
  if (!isIdentity(order) && !takesPart(op, order)) return false;
  if (inside_.insert(op) && !isIdentity(order)) after_ += bytesOfRuns(part, whole, order);
  ArrayRef<int64_t> known = orderOf(part);
  const bool agrees =
      partsWait_ && isUpdate && !known.empty() ? induced(known, its) == induced(order, its) : set(part, order);
  return agrees && set(whole, order) && set(op->getResult(0), order);
}

// The operand's dims that windows have.
static SmallVector<int64_t> windowDims(stablehlo::ScatterOp op) {
  SmallVector<int64_t> out;
  for (int64_t d = 0; d < rankOf(op.getInputs()[0]); ++d)
    if (auto numbers = op.getScatterDimensionNumbers(); !llvm::is_contained(numbers.getInsertedWindowDims(), d) &&
                                                        !llvm::is_contained(numbers.getInputBatchingDims(), d))
      out.push_back(d);
  return out;
}

// A scatter of windows that replace what was there and have all of the lanes takes any order of dims: transfers do it.
// Its updates say nothing of the dims that windows lack: all others go first. Nothing is said of other scatters, which
// have kernels of their own.
std::optional<bool> ArrayOrders::relateScatter(stablehlo::ScatterOp op, Value v) {
  auto numbers = op.getScatterDimensionNumbers();
  Block &body = op.getUpdateComputation().front();
  if (op.getInputs().size() != 1 || body.getTerminator()->getOperand(0) != body.getArgument(1)) return std::nullopt;
  Value whole = op.getInputs()[0], updates = op.getUpdates()[0];
  const SmallVector<int64_t> own = windowDims(op);
  ArrayRef<int64_t> theirs = numbers.getUpdateWindowDims();
  if (own.size() < 2) return std::nullopt;
  inside_.insert(op);
  ArrayRef<int64_t> known = v == updates ? orderOf(whole) : orderOf(v);
  if (partsWait_ && known.empty() && !last_) {
    later_.push_back(op);
    return true;
  }
  auto takes = [&](ArrayRef<int64_t> order) {
    const auto *lanes = llvm::find(own, order.back());
    return lanes != own.end() &&
           typeOf(updates).getDimSize(theirs[lanes - own.begin()]) == typeOf(whole).getDimSize(order.back());
  };
  Order order(known);
  if (known.empty()) {
    const Order its = induced(orderOf(v), theirs);
    order = extended(its, own, rankOf(whole));
    if (partsWait_) order = orderOfWhole(typeOf(whole), own, its, order, takes);
  }
  if (!takes(order)) return false;
  const Order part = extended(induced(order, own), theirs, rankOf(updates));
  return set(updates, part) && set(whole, order) && set(op.getResult(0), order);
}

// The operand's dims that windows have.
static SmallVector<int64_t> windowDims(stablehlo::GatherOp op) {
  auto numbers = op.getDimensionNumbers();
  SmallVector<int64_t> out;
  for (int64_t d = 0; d < rankOf(op.getOperand()); ++d)
    if (!llvm::is_contained(numbers.getCollapsedSliceDims(), d) &&
        !llvm::is_contained(numbers.getOperandBatchingDims(), d))
      out.push_back(d);
  return out;
}

// Whole tiles are taken of an operand in this order.
static bool takesTiles(stablehlo::GatherOp op, ArrayRef<int64_t> order) {
  constexpr int64_t kMostDims = 7;  // of a result whose orders are tried one after the other
  const SmallVector<int64_t> own = windowDims(op);
  return rankOf(op.getResult()) <= kMostDims && op.getDimensionNumbers().getOperandBatchingDims().empty() &&
         llvm::all_of(order.take_back(2), [&](int64_t d) {
           return llvm::is_contained(own, d) && op.getSliceSizes()[d] == typeOf(op.getOperand()).getDimSize(d);
         });
}

// Of a gather's result whose windows come as `its` says: the first order that has their tiles, the other dims as they
// are, and that all reshapes of it take.
static Order orderOfTiles(stablehlo::GatherOp op, ArrayRef<int64_t> its) {
  ArrayRef<int64_t> windows = op.getDimensionNumbers().getOffsetDims();
  Order order = llvm::to_vector(llvm::seq<int64_t>(0, rankOf(op.getResult()))), others, first;
  for (int64_t d : order)
    if (!llvm::is_contained(windows, d)) others.push_back(d);
  auto isIts = [&] {
    return induced(order, windows) == its && isIdentity(induced(order, others)) &&
           llvm::all_of(ArrayRef(order).take_back(2), [&](int64_t d) { return llvm::is_contained(windows, d); });
  };
  auto reshapes = [&](Operation *user) {
    auto reshape = dyn_cast<stablehlo::ReshapeOp>(user);
    return !reshape || orderThroughReshape(typeOf(op.getResult()), order, typeOf(reshape.getResult()));
  };
  do {
    if (!isIts()) continue;
    if (llvm::all_of(op->getUsers(), reshapes)) return order;
    if (first.empty()) first = order;
  } while (std::next_permutation(order.begin(), order.end()));
  return first;
}

// A gather of windows of whole tiles (pages of a cache) takes its operand in any order, and its result has them in the
// same.
bool ArrayOrders::relateTiles(stablehlo::GatherOp op) {
  Value operand = op.getOperand(), result = op.getResult();
  ArrayRef<int64_t> windows = op.getDimensionNumbers().getOffsetDims(), known = orderOf(operand);
  const SmallVector<int64_t> own = windowDims(op);
  const Order order = known.empty() ? extended(induced(orderOf(result), windows), own, rankOf(operand)) : Order(known);
  if (!takesTiles(op, order)) return false;
  inside_.insert(op);
  const Order its = induced(order, own);
  if (ArrayRef<int64_t> known = orderOf(result); !known.empty() && induced(known, windows) != its) return false;
  return set(operand, order) && (!orderOf(result).empty() || set(result, orderOfTiles(op, its)));
}

// A gather of windows that have the lanes puts them anywhere. So the other dims come in any order, which is the
// indices'. Nothing is said of other gathers.
std::optional<bool> ArrayOrders::relateGather(stablehlo::GatherOp op, Value v) {
  auto numbers = op.getDimensionNumbers();
  Value indices = op.getStartIndices(), result = op.getResult();
  ArrayRef<int64_t> windows = numbers.getOffsetDims();
  if (windows.empty() || windows.back() != rankOf(result) - 1 || numbers.getIndexVectorDim() != rankOf(indices) ||
      ends_.contains(op))
    return std::nullopt;
  const bool isOperand = v == op.getOperand(), isAsItWas = isIdentity(orderOf(v));
  // One that is as it was asks nothing of the others.
  if (isOperand && isAsItWas && (!partsWait_ || isIdentity(induced(orderOf(result), windows)))) return true;
  if (partsWait_ && v == indices && isAsItWas && orderOf(result).empty()) return true;
  if (isOperand && partsWait_ && (inside_.contains(op) || takesTiles(op, orderOf(v)))) return relateTiles(op);
  if (isOperand) return inside_.contains(op) ? std::optional(false) : std::nullopt;
  SmallVector<int64_t> theirs;
  for (int64_t d = 0; d < rankOf(result); ++d)
    if (!llvm::is_contained(windows, d)) theirs.push_back(d);
  ArrayRef<int64_t> known = orderOf(result);
  const Order order = known.empty() ? extended(orderOf(indices), theirs, rankOf(result)) : Order(known);
  const bool keepsWindows = isIdentity(induced(order, windows)) && order.back() == windows.back();
  if (!keepsWindows && (!partsWait_ || known.empty() || !relateTiles(op))) return std::nullopt;
  inside_.insert(op);
  return set(result, order) && set(indices, induced(order, theirs));
}

bool ArrayOrders::relateRegions(Operation *op, Value v) {
  auto setAll = [&](int64_t i) {
    for (Region &region : op->getRegions()) {
      Block &block = region.front();
      if (mlir::isa<stablehlo::WhileOp>(op) && !setLike(block.getArgument(i), v)) return false;
      if (&region != &op->getRegion(0) || !mlir::isa<stablehlo::WhileOp>(op))
        if (!setLike(block.getTerminator()->getOperand(i), v)) return false;
    }
    return (!mlir::isa<stablehlo::WhileOp>(op) || setLike(op->getOperand(i), v)) && setLike(op->getResult(i), v);
  };
  if (!mlir::isa<stablehlo::WhileOp, stablehlo::IfOp, stablehlo::CaseOp>(op)) return false;
  for (int64_t i = 0; i < op->getNumResults(); ++i) {
    bool is = op->getResult(i) == v || (mlir::isa<stablehlo::WhileOp>(op) && op->getOperand(i) == v);
    for (Region &region : op->getRegions()) {
      Block &block = region.front();
      is |= (i < block.getNumArguments() && block.getArgument(i) == v) ||
            (i < block.getTerminator()->getNumOperands() && block.getTerminator()->getOperand(i) == v);
    }
    if (is && !setAll(i)) return false;
  }
  return true;
}

}  // namespace tpuc::layout
