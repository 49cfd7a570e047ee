// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What may run as one kernel.
#include "passes/fusion/group.h"

#include "passes/analysis/dot_roles.h"
#include "passes/analysis/elementary.h"
#include "passes/analysis/pieces.h"
#include "passes/analysis/scan.h"
#include "passes/plan/kernels.h"

using namespace mlir;

namespace tpuc::fusion {
namespace {

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

bool isLaneElement(Type t) {
  if (t.isF32() || t.isBF16() || t.isF16()) return true;
  auto i = dyn_cast<IntegerType>(t);
  return i && llvm::is_contained({1u, 2u, 4u, 8u, 16u, 32u}, i.getWidth());
}

bool hasLaneTypes(Operation *op) {
  for (ValueRange values : {ValueRange(op->getOperands()), ValueRange(op->getResults())})
    for (Value v : values) {
      auto t = dyn_cast<RankedTensorType>(v.getType());
      if (!t || !t.hasStaticShape() || !isLaneElement(t.getElementType())) return false;
    }
  return true;
}

bool isSimpleReduce(stablehlo::ReduceOp reduce) {
  Operation *op = analysis::onlyOp(reduce.getBody().front());
  return mlir::isa_and_nonnull<stablehlo::AddOp, stablehlo::MulOp, stablehlo::MinOp, stablehlo::MaxOp, stablehlo::AndOp,
                               stablehlo::OrOp, stablehlo::XorOp>(op);
}

// The lower stage has instructions for all of them but chlo's.
bool isElementwise(Operation *op) {
  return op->hasTrait<stablehlo::IsElementwise>() && op->getName().getDialectNamespace() != "chlo";
}

// A reduction by any computation on single elements.
bool isLaneReduce(stablehlo::ReduceOp reduce) {
  Block &body = reduce.getBody().front();
  for (Operation &op : body.without_terminator()) {
    if (!hasLaneTypes(&op) ||
        (!isElementwise(&op) && !mlir::isa<stablehlo::BitcastConvertOp, stablehlo::ConstantOp,
                                           stablehlo::BroadcastInDimOp, stablehlo::ReshapeOp>(op)))
      return false;
    if (llvm::any_of(op.getOperands(), [&](Value v) { return v.getParentBlock() != &body; })) return false;
  }
  return llvm::all_of(body.getTerminator()->getOperands(), [&](Value v) { return v.getParentBlock() == &body; });
}

// Nothing but an array's last dim may be the space's last.
bool isReadable(analysis::DimClasses &classes, const analysis::DomainDims &dims, Value v) {
  if (dims.linear) return true;
  int64_t lanes = dims.classes.back();
  SmallVector<int64_t> own = classes.classesOf(v);
  for (size_t d = 0; d + 1 < own.size(); ++d)
    if (own[d] >= 0 && own[d] == lanes) return false;
  return true;
}

// A shuffled view's positions are those of vregs: lanes, and rows that move, are the space's.
bool isShuffledAlong(analysis::DimClasses &classes, const analysis::DomainDims &dims, Value v) {
  Operation *view = v.getDefiningOp();
  if (!view || !analysis::isShuffledView(view)) return true;
  SmallVector<int64_t> own = classes.classesOf(v);
  size_t n = own.size(), m = dims.classes.size();
  if (m < 2) return false;
  return own[n - 1] == dims.classes[m - 1] &&
         (own[n - 2] == dims.classes[m - 2] || !analysis::isShuffled(view, static_cast<int64_t>(n) - 2));
}

// Whether the matrix unit takes the dot's operands, in blocks of which VMEM holds a few, for a result whose dims lie in
// the order of `order`.
bool streams(stablehlo::DotGeneralOp dot, ArrayRef<int64_t> order, analysis::DimClasses &classes, const Room &room) {
  SmallVector<int64_t> dims, left = llvm::to_vector(llvm::seq<int64_t>(0, typeOf(dot).getRank()));
  for (int64_t cls : order)
    if (auto *it =
            llvm::find_if(left, [&](int64_t d) { return cls >= 0 && classes.classOf(dot.getResult(), d) == cls; });
        it != left.end()) {
      dims.push_back(*it);
      left.erase(it);
    }
  dims.insert(dims.begin(), left.begin(), left.end());
  int64_t lhs = typeOf(dot.getLhs()).getRank() - 1, rhs = typeOf(dot.getRhs()).getRank() - 1;
  return analysis::dotRoles(dot, lhs, rhs, dims).has_value() &&
         analysis::smallestDotBlock(dot, lhs, rhs, dims, room.mxuSide) <= room.vmemBytes / 8 &&
         analysis::smallestDotSums(dot, lhs, rhs, dims) <= room.sums;
}

}  // namespace

bool isLoopOp(Operation *op) {
  if (!analysis::walksDims(op) || !hasLaneTypes(op)) return false;
  if (mlir::isa<stablehlo::BitcastConvertOp>(op))
    return typeOf(op->getOperand(0)).getElementTypeBitWidth() == typeOf(op->getResult(0)).getElementTypeBitWidth();
  if (auto reduce = dyn_cast<stablehlo::ReduceOp>(op)) return isSimpleReduce(reduce) || isLaneReduce(reduce);
  return isElementwise(op) || mlir::isa<stablehlo::ConstantOp, stablehlo::IotaOp, stablehlo::BroadcastInDimOp,
                                        stablehlo::TransposeOp, stablehlo::ReshapeOp>(op);
}

bool isView(Operation *op) {
  auto reshape = dyn_cast<stablehlo::ReshapeOp>(op);
  return reshape && !reshape.getOperand().getDefiningOp<stablehlo::ConstantOp>() &&
         kernel::haveSameBytes(typeOf(reshape.getOperand()), typeOf(reshape.getResult()));
}

bool isPointwise(Operation *op) {
  if (mlir::isa<stablehlo::ConstantOp>(op)) return analysis::walksDims(op);
  if (!isLoopOp(op) || (!isElementwise(op) && !mlir::isa<stablehlo::BitcastConvertOp>(op))) return false;
  auto shape = typeOf(op->getResult(0)).getShape();
  return llvm::all_of(op->getOperands(), [&](Value v) { return typeOf(v).getShape() == shape; });
}

// Positions, numbers, or their like: iota < n.
static bool isPosition(Value v) {
  Operation *op = v.getDefiningOp();
  if (auto broadcast = dyn_cast_or_null<stablehlo::BroadcastInDimOp>(op))
    return typeOf(broadcast.getOperand()).getRank() == 0 || isPosition(broadcast.getOperand());
  if (auto constant = dyn_cast_or_null<stablehlo::ConstantOp>(op)) return analysis::walksDims(constant);
  return mlir::isa_and_nonnull<stablehlo::IotaOp>(op);
}

bool isCheap(Operation *op) {
  if (mlir::isa<stablehlo::CompareOp>(op)) return llvm::all_of(op->getOperands(), isPosition);
  if (auto constant = dyn_cast<stablehlo::ConstantOp>(op)) return analysis::walksDims(op);
  if (auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op)) return true;
  if (auto reshape = dyn_cast<stablehlo::ReshapeOp>(op)) return analysis::walksDims(op);
  if (auto convert = dyn_cast<stablehlo::ConvertOp>(op)) return true;
  return mlir::isa<stablehlo::IotaOp>(op);
}

// Elements with the tiles that hold them.
static int64_t paddedElements(Type type) {
  auto t = cast<RankedTensorType>(type);
  int64_t n = 1;
  for (int64_t d = 0; d < t.getRank(); ++d)
    n *= llvm::alignTo(t.getDimSize(d), d + 1 == t.getRank() ? 128 : d + 2 == t.getRank() ? 8 : 1);
  return n;
}

std::optional<int64_t> instructionsOf(Operation *op) {
  constexpr size_t kFarthest = 512;  // a random number takes some 300
  llvm::SetVector<Operation *> slice;
  slice.insert(op);
  int64_t cost = 0;
  for (size_t i = 0; i < slice.size(); ++i) {
    // What is computed from a reduction stays in the kernel that walks its rows.
    if (slice.size() > kFarthest || mlir::isa<stablehlo::ReduceOp>(slice[i])) return std::nullopt;
    if (int64_t elementary = analysis::elementaryCost(slice[i]))
      cost += elementary;
    else
      cost += !isCheap(slice[i]);
    for (Value v : slice[i]->getOperands())
      if (Operation *def = v.getDefiningOp(); def && isLoopOp(def)) slice.insert(def);
  }
  return cost;
}

bool isTable(Operation *op, Operation *root) {
  constexpr int64_t kWorthKernel = 4096;  // instructions; a kernel of its own takes some 2000 cycles
  int64_t cost = analysis::elementaryCost(op);
  if (!cost || !hasLaneTypes(root)) return false;
  int64_t own = paddedElements(op->getResult(0).getType()), all = paddedElements(root->getResult(0).getType());
  if (all < 4 * own || (all - own) / 1024 * cost < kWorthKernel) return false;
  return instructionsOf(op).has_value();
}

// A DMA moves whole bytes of elements that have no planes.
static bool isMovable(Operation *op) {
  for (ValueRange values : {ValueRange(op->getOperands()), ValueRange(op->getResults())})
    for (Value v : values) {
      auto t = dyn_cast<RankedTensorType>(v.getType());
      if (!t || !t.hasStaticShape() || !t.getElementType().isIntOrFloat()) return false;
      if (!llvm::is_contained({1u, 8u, 16u, 32u}, t.getElementTypeBitWidth())) return false;
    }
  return true;
}

bool isMatrixOp(Operation *op) {
  return mlir::isa<stablehlo::DotGeneralOp, stablehlo::ConvolutionOp, stablehlo::ReduceWindowOp,
                   stablehlo::SelectAndScatterOp>(op);
}

Kind matrixKind(Operation *op) {
  if (mlir::isa<stablehlo::DotGeneralOp>(op)) return Kind::Dot;
  auto conv = dyn_cast<stablehlo::ConvolutionOp>(op);
  return conv && conv.getFeatureGroupCount() == 1 ? Kind::Conv : Kind::Window;
}

bool leavesNoRegisters(Operation *op, ArrayRef<Operation *> epilogue) {
  auto conv = dyn_cast<stablehlo::ConvolutionOp>(op);
  if (!conv || matrixKind(conv) != Kind::Window) return false;
  int64_t weights = 1;
  for (int64_t d : conv.getDimensionNumbers().getKernelSpatialDimensions())
    weights *= conv.getRhs().getType().getDimSize(d);
  return weights > isa::kNumVregs / 2 && llvm::any_of(epilogue, [&](Operation *other) {
           return other != op && !isCheap(other) && !mlir::isa<stablehlo::ConvertOp>(other);
         });
}

// A piece of an array whose elements share bytes has bytes of its own.
static bool isPackedPiece(Operation *op) {
  auto slice = dyn_cast<stablehlo::DynamicSliceOp>(op);
  if (!slice) return false;
  auto whole = cast<RankedTensorType>(slice.getOperand().getType());
  auto element = dyn_cast<IntegerType>(whole.getElementType());
  return element && element.getWidth() > 1 && element.getWidth() < 8 && analysis::isPiece(whole, slice.getSliceSizes());
}

bool isCopyOp(Operation *op) {
  if (isPackedPiece(op)) return true;
  if (!isMovable(op)) return false;
  if (mlir::isa<stablehlo::ScatterOp, stablehlo::SortOp>(op)) return hasLaneTypes(op);
  return mlir::isa<stablehlo::DynamicSliceOp, stablehlo::DynamicUpdateSliceOp, stablehlo::GatherOp, stablehlo::SliceOp,
                   stablehlo::ReverseOp, stablehlo::TransposeOp, stablehlo::BroadcastInDimOp, stablehlo::ReshapeOp,
                   stablehlo::PadOp, stablehlo::ConcatenateOp>(op);
}

llvm::SetVector<Value> Group::inputs() const {
  llvm::SetVector<Value> in;
  for (Operation *op : ops)
    for (Value v : op->getOperands())
      if (!v.getDefiningOp() || !ops.contains(v.getDefiningOp())) in.insert(v);
  return in;
}

SmallVector<Value> Group::results() const { return SmallVector<Value>(ops.front()->getResults()); }

// What the ops read: inputs, or slices of them.
static SmallVector<Value> sourcesOf(const Members &group) {
  SmallVector<Value> sources;
  if (llvm::none_of(group.ops, analysis::isTileView)) return group.inputs;
  DenseSet<Operation *> members(group.ops.begin(), group.ops.end());
  // One that a result is the same as is read as it is, whatever views there are of it.
  for (Value v : group.inputs)
    if (llvm::is_contained(group.results, v) || llvm::any_of(v.getUsers(), [&](Operation *user) {
          return members.contains(user) && !analysis::isTileView(user);
        }))
      sources.push_back(v);
  for (Operation *op : group.ops)
    if (analysis::isTileView(op)) sources.push_back(op->getResult(0));
  return sources;
}

// Slices are of arrays in memory.
static bool slicesInputs(const Members &group) {
  return llvm::all_of(group.ops, [&](Operation *op) {
    return !analysis::isTileView(op) || !llvm::is_contained(group.ops, op->getOperand(0).getDefiningOp());
  });
}

Room roomOn(const target::Target &target) {
  return {plan::vmemBudgetWords(target) * isa::kWordBytes, static_cast<int64_t>(target.core().mxu_side()),
          static_cast<int64_t>(target.cores()),
          static_cast<int64_t>(target.core().mxu_accumulator_rows() * target.core().mxus())};
}

bool meetsRowsAcross(ArrayRef<Value> inputs, Operation *dot) {
  auto rank = [](Value v) { return cast<RankedTensorType>(v.getType()).getRank(); };
  return llvm::any_of(inputs, [&](Value v) {
    return rank(v) > 1 && rank(v) < rank(dot->getResult(0)) && !llvm::is_contained(dot->getOperands(), v);
  });
}

bool isValid(const Group &group, const Room &room) {
  return isValid({group.ops.getArrayRef(), group.inputs().takeVector(), group.results()}, room);
}

// Whether what is computed from the reduction walks a dim that it reduces.
static bool isWalkedAgain(const DenseSet<Operation *> &members, stablehlo::ReduceOp reduce, int64_t cls,
                          analysis::DimClasses &classes) {
  SmallVector<Operation *> work{reduce};
  llvm::SmallDenseSet<Operation *> seen;
  while (!work.empty())
    for (Operation *user : work.pop_back_val()->getUsers()) {
      if (!members.contains(user) || !seen.insert(user).second) continue;
      for (Value v : llvm::concat<Value>(llvm::to_vector(user->getOperands()), llvm::to_vector(user->getResults())))
        if (llvm::is_contained(classes.classesOf(v), cls)) return true;
      work.push_back(user);
    }
  return false;
}

// Classes of dims, and the least of each that a block has.
using LeastExtents = llvm::SmallDenseMap<int64_t, int64_t>;

// Two blocks of each array: dims of `whole` and lanes all of their extent but for those of `cutLanes`, of which there
// is a tile; rows a tile's, those of `rowsClass` at least `rowsAtOnce`; others what `least` says.
static int64_t blockBytes(ArrayRef<analysis::OrderedArray> arrays, analysis::DimClasses &classes,
                          const llvm::SmallDenseSet<int64_t> &whole, int64_t rowsClass, int64_t rowsAtOnce,
                          int64_t cutLanes = -1, const LeastExtents &least = LeastExtents()) {
  auto bytesOf = [](Value v) { return std::max<int64_t>(1, typeOf(v).getElementTypeBitWidth() / 8); };
  int64_t bytes = 0, rowsUnit = 8;  // rows come in tiles of the narrowest type
  for (const analysis::OrderedArray &a : arrays) rowsUnit = std::max(rowsUnit, 32 / bytesOf(a.value));
  for (const analysis::OrderedArray &a : arrays) {
    int64_t block = bytesOf(a.value);
    SmallVector<int64_t> own = classes.classesOf(a.value);
    for (size_t d = 0; d < own.size(); ++d) {
      int64_t extent = typeOf(a.value).getDimSize(d);
      bool lanes = d + 1 == own.size(), rows = d + 2 == own.size();
      if (lanes && cutLanes >= 0 && own[d] == cutLanes)
        block *= 128;
      else if (whole.contains(own[d]) || lanes)
        block *= llvm::alignTo(extent, lanes ? 128 : rows ? 32 / bytesOf(a.value) : 1);
      else if (rowsClass >= 0 && own[d] == rowsClass)
        block *= std::max(rowsUnit, rowsAtOnce);
      else if (auto it = least.find(own[d]); it != least.end())
        block *= rows ? llvm::alignTo(it->second, rowsUnit) : it->second;
      else if (rows)
        block *= rowsUnit;
    }
    bytes += 2 * block;
  }
  return bytes;
}

// Partial results: a vreg for each that a reduction keeps of a block, whose dims are as long as for `blockBytes`.
static int64_t partialBytes(const Members &group, analysis::DimClasses &classes, ArrayRef<int64_t> order,
                            const llvm::SmallDenseSet<int64_t> &whole, int64_t rowsAtOnce) {
  int64_t bytes = 0;
  for (Operation *op : group.ops) {
    auto reduce = dyn_cast<stablehlo::ReduceOp>(op);
    if (!reduce) continue;
    int64_t vregs = reduce.getInputs().size();
    for (int64_t cls : classes.classesOf(reduce.getResult(0))) {
      if (cls < 0) continue;
      int64_t extent = classes.extentOf(cls);
      if (cls == order.back())
        vregs *= llvm::divideCeil(extent, 128);
      else if (order.size() >= 2 && cls == order[order.size() - 2])
        vregs *= llvm::divideCeil(whole.contains(cls) ? extent : std::max<int64_t>(32, rowsAtOnce), 8) + 1;
      else if (whole.contains(cls))
        vregs *= extent;
    }
    bytes += vregs * 4096;
  }
  return bytes;
}

// Dims that stay whole because a reduction that keeps `cut`, which another one sums over steps, reduces them.
static void addWholeBeside(const Members &group, int64_t cut, analysis::DimClasses &classes,
                           llvm::SmallDenseSet<int64_t> &whole) {
  for (Operation *op : group.ops) {
    auto reduce = dyn_cast<stablehlo::ReduceOp>(op);
    if (!reduce || !llvm::is_contained(classes.classesOf(reduce.getResult(0)), cut)) continue;
    for (int64_t d : reduce.getDimensions()) whole.insert(classes.classOf(reduce.getInputs()[0], d));
  }
}

// The matrix unit and windows read arrays, numbers, what masks leave of arrays, and what is made of smaller ones: no
// other op's result.
static bool readsArrays(Operation *matrixOp, ArrayRef<Operation *> members) {
  return llvm::all_of(matrixOp->getOperands(), [&](Value v) {
    Operation *maker = v.getDefiningOp();
    return !maker || mlir::isa<stablehlo::ConstantOp>(maker) || !llvm::is_contained(members, maker) ||
           (mlir::isa<stablehlo::DotGeneralOp>(matrixOp) && (maskOn(v).contains(maker) || makersOf(v).contains(maker)));
  });
}

// The index space of a dot, a convolution or a window, which it sets for the group. False where the group cannot have
// it.
static bool takesSpaceOf(Operation *matrixOp, const Members &group, ArrayRef<analysis::OrderedArray> arrays,
                         analysis::DimClasses &classes, const Room &room, analysis::DomainDims &dims) {
  // The space is the dot's own: its classes in its order.
  SmallVector<int64_t> own = classes.classesOf(matrixOp->getResult(0));
  for (int64_t c : dims.classes)
    if (c >= 0 && !llvm::is_contained(own, c)) return false;
  // Dims in the order of the first result: its last one lies along lanes. A convolution's are its features.
  auto product = dyn_cast<stablehlo::DotGeneralOp>(matrixOp);
  ArrayRef<Value> results = group.results;
  if (product && !results.empty())
    for (int64_t cls : classes.classesOf(results[0]))
      if (auto *it = llvm::find(own, cls); cls >= 0 && it != own.end()) {
        own.erase(it);
        own.push_back(cls);
      }
  if (product && !streams(product, own, classes, room)) return false;
  // A vector that is scanned lies as rows of 128 lanes, as do all arrays then.
  if (own.size() < 2 && !product &&
      llvm::any_of(arrays, [](const analysis::OrderedArray &a) { return typeOf(a.value).getRank() > 1; }))
    return false;
  // Convolutions and windows cut all dims but the one along sublanes.
  if (!product)
    for (Value v : results)
      if (SmallVector<int64_t> c = classes.classesOf(v);
          c.size() >= 2 && c[c.size() - 2] >= 0 && c[c.size() - 2] != own[own.size() - 2])
        return false;
  dims.classes = own;
  dims.linear = false;
  while (dims.classes.size() < 2) dims.classes.insert(dims.classes.begin(), -1);
  return true;
}

// Whether VMEM holds what reductions of the group keep whole.
static bool holdsReductions(const Members &group, ArrayRef<analysis::OrderedArray> arrays,
                            analysis::DimClasses &classes, const analysis::DomainDims &dims, const Room &room) {
  // Dims that a reduction's consumers walk again stay whole in VMEM: rows of them must fit, with room for two blocks.
  llvm::SmallDenseSet<int64_t> whole, pinned;
  DenseSet<Operation *> members(group.ops.begin(), group.ops.end());
  for (Operation *op : group.ops)
    if (auto reduce = dyn_cast<stablehlo::ReduceOp>(op))
      for (int64_t d : reduce.getDimensions()) {
        int64_t cls = classes.classOf(reduce.getInputs()[0], d);
        whole.insert(cls);
        if (!pinned.contains(cls) && isWalkedAgain(members, reduce, cls, classes)) pinned.insert(cls);
      }
  if (group.ops.size() == 1 || whole.empty()) return true;
  ArrayRef<int64_t> order = dims.classes;
  // A reduction along lanes of what others have reduced waits for all of their partial results.
  bool lanesLast = order.back() >= 0 && whole.contains(order.back()) && llvm::any_of(group.ops, [&](Operation *op) {
                     return mlir::isa<stablehlo::ReduceOp>(op) &&
                            llvm::is_contained(classes.classesOf(op->getResult(0)), order.back());
                   });
  const int64_t waiting = lanesLast ? partialBytes(group, classes, order, whole, 1) : 0;
  if (blockBytes(arrays, classes, room.isCareful ? whole : pinned, -1, 1) + waiting > room.vmemBytes) return false;
  // Dims under an array's tile that the kernel walks outside of it come in as many as the tile has. They stay whole
  // where short blocks cost more: where something is walked again. Rows along a result's lanes come in 128s.
  LeastExtents least;
  int64_t rowsClass = order.size() >= 2 ? order[order.size() - 2] : -1, rowsAtOnce = 1;
  const bool staysWhole = !room.cutsTiles || !pinned.empty();
  for (const analysis::OrderedArray &a : arrays) {
    SmallVector<int64_t> own = classes.classesOf(a.value);
    if (own.empty()) continue;
    if (rowsClass >= 0 && own.back() == rowsClass && llvm::is_contained(group.results, a.value)) rowsAtOnce = 128;
    auto isOuter = [&](int64_t cls) {
      return cls >= 0 && order.size() > 2 && llvm::is_contained(order.drop_back(2), cls);
    };
    // A short vector is one tile: where rows stay whole too there is one step, and a single block of each array.
    if (own.size() == 1 && isOuter(own[0]) && !pinned.empty() && typeOf(a.value).getNumElements() <= 128) {
      auto withVector = pinned;
      withVector.insert(own[0]);
      if (blockBytes(arrays, classes, withVector, -1, 1) / 2 > room.vmemBytes) return false;
    }
    if (own.size() < 2) continue;
    for (auto [i, cls] : llvm::enumerate(ArrayRef<int64_t>(own).take_back(2)))
      if (isOuter(cls)) {
        const int64_t unit = i == 1 ? 128 : 32 / std::max<int64_t>(1, typeOf(a.value).getElementTypeBitWidth() / 8);
        int64_t &n = least[cls];
        n = std::max(n, std::min(unit, classes.extentOf(cls)));
        if (staysWhole) pinned.insert(cls);
      }
  }
  if (least.empty() && (pinned.empty() || rowsAtOnce == 1)) return true;
  // Lanes that are summed and not walked again are walked in steps.
  const int64_t cutLanes = whole.contains(order.back()) && !pinned.contains(order.back()) ? order.back() : -1;
  if (blockBytes(arrays, classes, pinned, rowsClass, rowsAtOnce, cutLanes, least) > room.vmemBytes) return false;
  // The outermost of the reduced dims is cut.
  size_t before = pinned.size();
  if (const auto *cut = llvm::find_if(order, [&](int64_t cls) { return whole.contains(cls) && !pinned.contains(cls); });
      cut != order.end())
    addWholeBeside(group, *cut, classes, pinned);
  return pinned.size() == before || blockBytes(arrays, classes, pinned, rowsClass, rowsAtOnce, cutLanes, least) +
                                            partialBytes(group, classes, order, pinned, rowsAtOnce) <=
                                        room.vmemBytes;
}

bool isValid(const Members &group, const Room &room) {
  if (group.ops.size() > 1 && group.inputs.size() + group.results.size() > kMostArrays) return false;
  if (!slicesInputs(group)) return false;
  analysis::DimClasses classes;
  SmallVector<Value> values, sources = sourcesOf(group);
  auto matrixOps = llvm::make_filter_range(group.ops, isMatrixOp);
  if (std::distance(matrixOps.begin(), matrixOps.end()) > 1) return false;
  Operation *dot = matrixOps.empty() ? nullptr : *matrixOps.begin();
  if (dot && !readsArrays(dot, group.ops)) return false;
  DenseSet<Operation *> epilogue = dot ? epilogueOf(group, dot) : DenseSet<Operation *>();
  if (dot) values.push_back(dot->getResult(0));
  for (Operation *op : group.ops) {
    if (op == dot || (dot && !epilogue.contains(op))) continue;
    if (!classes.add(op)) return false;
    if (dot && mlir::isa<stablehlo::ReduceOp>(op)) return false;
    if (!analysis::isTileView(op)) llvm::append_range(values, op->getOperands());
    llvm::append_range(values, op->getResults());
  }
  if (dot)
    for (Operation *op : group.ops)
      if (mlir::isa<stablehlo::ReduceOp>(op) || analysis::isTileView(op)) return false;
  if (!classes.isConsistent()) return false;
  SmallVector<analysis::OrderedArray> arrays;
  auto add = [&](Value v) { arrays.push_back({v, llvm::to_vector(llvm::seq<int64_t>(0, typeOf(v).getRank()))}); };
  for (Value v : group.results) add(v);
  for (Value v : sources)
    if (!dot || (!llvm::is_contained(dot->getOperands(), v) &&
                 llvm::any_of(v.getUsers(), [&](Operation *user) { return epilogue.contains(user); })))
      add(v);
  auto dims = analysis::chooseDomain(classes, arrays, values);
  if (!dims) return false;
  if (dot && !takesSpaceOf(dot, group, arrays, classes, room, *dims)) return false;
  // What another kernel makes by a view of its own is an array here.
  auto isOwn = [&](Value v) { return llvm::is_contained(group.ops, v.getDefiningOp()); };
  for (const analysis::OrderedArray &a : arrays)
    if (!isReadable(classes, *dims, a.value) || (isOwn(a.value) && !isShuffledAlong(classes, *dims, a.value)))
      return false;
  return holdsReductions(group, arrays, classes, *dims, room);
}

std::optional<IndexSpace> indexSpace(const Members &group) {
  analysis::DimClasses classes;
  SmallVector<Value> sources = sourcesOf(group), values(sources);
  for (Operation *op : group.ops) {
    if (!classes.add(op)) return std::nullopt;
    llvm::append_range(values, op->getResults());
  }
  SmallVector<analysis::OrderedArray> arrays;
  for (Value v : llvm::concat<const Value>(group.results, sources))
    arrays.push_back({v, llvm::to_vector(llvm::seq<int64_t>(0, typeOf(v).getRank()))});
  auto dims = analysis::chooseDomain(classes, arrays, values);
  if (!dims) return std::nullopt;
  llvm::SmallDenseSet<int64_t> reduced;
  for (Operation *op : group.ops)
    if (auto reduce = dyn_cast<stablehlo::ReduceOp>(op))
      for (int64_t d : reduce.getDimensions()) reduced.insert(classes.classOf(reduce.getInputs()[0], d));
  IndexSpace space;
  for (auto [i, cls] : llvm::enumerate(dims->classes)) {
    space.elements *= dims->extents[i];
    int64_t unit = dims->linear ? 1024 : i + 1 == dims->classes.size() ? 128 : i + 2 == dims->classes.size() ? 8 : 1;
    if (cls < 0 || !reduced.contains(cls)) space.parallelUnits *= llvm::divideCeil(dims->extents[i], unit);
  }
  return space;
}

}  // namespace tpuc::fusion
