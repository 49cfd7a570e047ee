// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. Of main's results the elements before their true sizes are asked for.
// 2. From the last op to the first: what an op asks of its operands to compute what is asked of its results. An op
//    that nothing is known of asks for all.
// 3. Loops hand on what they carry: until nothing changes.
#include "passes/analysis/wanted.h"

#include "dialects/kernel/function.h"
#include "dialects/kernel/kernel.h"
#include "dialects/kernel/order.h"
#include "dialects/kernel/sizes.h"
#include "dialects/stablehlo/sorts.h"
#include "dialects/stablehlo/stablehlo.h"
#include "mlir/IR/Matchers.h"
#include "runtime/isa/dim_expr.h"

using namespace mlir;

namespace tpuc::analysis {
namespace {

namespace hlo = stablehlo;

// A place's number and an offset of at most this add up within 32 bits.
constexpr int64_t kFar = int64_t{1} << 30;
constexpr int kRounds = 8;  // of loops within loops; then all is asked for

int64_t rankOf(Value v) {
  auto type = dyn_cast<RankedTensorType>(v.getType());
  return type ? type.getRank() : 0;
}
ArrayRef<int64_t> shapeOf(Value v) { return cast<RankedTensorType>(v.getType()).getShape(); }

// a * b where one of them is a number; a + b likewise, `sign` before b.
std::optional<End> product(const End &a, const End &b) {
  if (a.size && b.size) return std::nullopt;
  const End &line = a.size ? a : b;
  const int64_t factor = a.size ? b.offset : a.offset;
  return End{line.size, line.scale * factor, line.offset * factor};
}
std::optional<End> sum(const End &a, const End &b, int64_t sign) {
  if (a.size && b.size) return std::nullopt;
  if (a.size) return End{a.size, a.scale, a.offset + sign * b.offset};
  return End{b.size, sign * b.scale, a.offset + sign * b.offset};
}

std::optional<End> combined(StringRef op, const std::optional<End> &a, const std::optional<End> &b) {
  if (!a || !b) return std::nullopt;
  if (op == "mul") return product(*a, *b);
  return sum(*a, *b, op == "add" ? 1 : -1);
}

// The expression of main's sizes as a line in one of them.
std::optional<End> lineOf(const isa::DimExpr &e, const llvm::StringMap<Value> &sizes) {
  using Kind = isa::DimExpr::Kind;
  if (e.kind() == Kind::Number) return End{{}, 0, e.value()};
  if (e.kind() == Kind::Symbol) {
    Value size = sizes.lookup(e.name());
    return size ? std::optional(End{size}) : std::nullopt;
  }
  if (e.kind() != Kind::Add && e.kind() != Kind::Subtract && e.kind() != Kind::Multiply) return std::nullopt;
  StringRef op = e.kind() == Kind::Add ? "add" : e.kind() == Kind::Subtract ? "subtract" : "mul";
  std::optional<End> line = lineOf(e.operands().front(), sizes);
  for (const isa::DimExpr &operand : ArrayRef(e.operands()).drop_front())
    line = combined(op, line, lineOf(operand, sizes));
  return line;
}

// The ends of main's result `i`, for true sizes that are lines. By now its type has its dims in their physical order.
SmallVector<std::optional<End>> endsOf(func::FuncOp main, unsigned i, const llvm::StringMap<Value> &sizes) {
  auto type = cast<RankedTensorType>(main.getResultTypes()[i]);
  SmallVector<std::optional<End>> ends(type.getRank()), none(ends);
  auto dims = main.getResultAttrOfType<ArrayAttr>(i, kernel::kDimsAttr);
  auto order = main.getResultAttrOfType<DenseI64ArrayAttr>(i, kernel::kOrderAttr);
  if (!dims || static_cast<int64_t>(dims.size()) != type.getRank()) return none;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    std::string error;
    auto text = cast<StringAttr>(dims[order ? order[d] : d]);
    auto expression = isa::DimExpr::parse(text.getValue().str(), error);
    if (!expression) return none;
    if (auto number = expression->asNumber(); number && *number != type.getDimSize(d)) return none;
    ends[d] = lineOf(*expression, sizes);
    if (ends[d] && !ends[d]->size) ends[d].reset();
  }
  return ends;
}

}  // namespace

Wanted::Wanted(func::FuncOp main) {
  main.walk([&](kernel::FusionOp fusion) {
    for (auto [argument, input] : llvm::zip_equal(fusion.getBlock().getArguments(), fusion.getInputs()))
      inputs_[argument] = input;
  });
  readResults(main);
  changed_ = true;
  for (int round = 0; changed_; ++round) {
    changed_ = false;
    visit(main.getBody().front());
    if (round < kRounds || !changed_) continue;
    wants_.clear();
    inputs_.clear();
    return;
  }
}

void Wanted::readResults(func::FuncOp main) {
  llvm::StringMap<Value> sizes;
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    if (auto name = main.getArgAttrOfType<StringAttr>(i, kernel::kExtentAttr))
      sizes[name.getValue()] = main.getArgument(i);
  for (auto [i, value] : llvm::enumerate(main.getBody().front().getTerminator()->getOperands())) {
    const SmallVector<std::optional<End>> ends = endsOf(main, i, sizes);
    want(value, [&](int64_t d) { return ends[d] ? Want{Want::Before, *ends[d]} : Want{Want::All}; });
  }
}

std::optional<End> Wanted::endOf(Value value, int64_t dim) const {
  auto found = wants_.find(value);
  if (found == wants_.end() || found->second[dim].kind != Want::Before) return std::nullopt;
  return found->second[dim].end;
}

Wanted::Wants Wanted::of(Value value) const {
  auto found = wants_.find(value);
  return found == wants_.end() ? Wants(rankOf(value)) : found->second;
}

// What is asked for already, and this.
void Wanted::want(Value value, Maker wanted) {
  if (!mlir::isa<RankedTensorType>(value.getType())) return;
  Wants &known = wants_.try_emplace(value, Wants(rankOf(value))).first->second;
  for (auto [d, have] : llvm::enumerate(known)) {
    Want more = wanted(static_cast<int64_t>(d));
    if (more.kind == Want::Nothing || more == have || have.kind == Want::All) continue;
    if (have.kind == Want::Before && more.kind == Want::Before) {
      const bool alike = have.end.size == more.end.size && have.end.scale == more.end.scale;
      if (alike) more.end.offset = std::max(have.end.offset, more.end.offset);
      if (!alike) more = {Want::All};
      if (more == have) continue;
    }
    have = more;
    changed_ = true;
  }
}

void Wanted::wantAll(Value value) {
  want(value, [](int64_t) { return Want{Want::All}; });
}

void Wanted::visit(Block &block) {
  for (Operation &op : llvm::reverse(block)) visit(&op);
}

void Wanted::visit(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>()) return;  // the op around it knows
  if (auto fusion = dyn_cast<kernel::FusionOp>(op)) {
    for (auto [yielded, result] :
         llvm::zip_equal(fusion.getBlock().getTerminator()->getOperands(), fusion.getResults()))
      want(yielded, [&, wants = of(result)](int64_t d) { return wants[d]; });
    visit(fusion.getBlock());
    for (auto [argument, input] : llvm::zip_equal(fusion.getBlock().getArguments(), fusion.getInputs()))
      want(input, [&, wants = of(argument)](int64_t d) { return wants[d]; });
    return;
  }
  if (mlir::isa<hlo::WhileOp, hlo::IfOp, hlo::CaseOp>(op)) return visitControl(op);
  const Wants wants = op->getNumResults() ? of(op->getResult(0)) : Wants();
  if (op->getNumResults() == 1 && (visitMove(op, wants) || visitPart(op, wants))) return;
  if (visitSum(op, wants)) return;
  for (Value operand : op->getOperands()) wantAll(operand);
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) wantAll(operand);
  });
}

void Wanted::visitControl(Operation *op) {
  if (mlir::isa<hlo::WhileOp>(op)) return visitLoop(op);
  wantAll(op->getOperand(0));
  for (Region &region : op->getRegions()) {
    for (auto [yielded, result] : llvm::zip_equal(region.front().getTerminator()->getOperands(), op->getResults()))
      want(yielded, [&, wants = of(result)](int64_t d) { return wants[d]; });
    visit(region.front());
  }
}

// What it carries: asked for behind it, in the next round or in its condition.
void Wanted::visitLoop(Operation *op) {
  auto loop = cast<hlo::WhileOp>(op);
  Block &cond = loop.getCond().front(), &body = loop.getBody().front();
  wantAll(cond.getTerminator()->getOperand(0));
  visit(cond);
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    for (Value asked : {Value(loop.getResult(i)), Value(cond.getArgument(i)), Value(body.getArgument(i))}) {
      const Wants wants = of(asked);
      want(body.getTerminator()->getOperand(i), [&](int64_t d) { return wants[d]; });
      want(op->getOperand(i), [&](int64_t d) { return wants[d]; });
    }
  visit(body);
}

// Ops that walk their operands' dims, each element's own.
bool Wanted::visitMove(Operation *op, const Wants &wants) {
  Value result = op->getResult(0);
  if (auto select = dyn_cast<hlo::SelectOp>(op)) {
    visitSelect(select, wants);
  } else if (op->hasTrait<hlo::IsElementwise>() || mlir::isa<kernel::ApplyOp>(op)) {
    for (Value operand : op->getOperands()) {
      if (rankOf(operand) && shapeOf(operand) != shapeOf(result)) return false;
      want(operand, [&](int64_t d) { return wants[d]; });
    }
  } else if (auto broadcast = dyn_cast<hlo::BroadcastInDimOp>(op)) {
    want(broadcast.getOperand(), [&](int64_t d) {
      const int64_t to = broadcast.getBroadcastDimensions()[d];
      return shapeOf(broadcast.getOperand())[d] == shapeOf(result)[to] ? wants[to] : Want{Want::All};
    });
  } else if (auto transpose = dyn_cast<hlo::TransposeOp>(op)) {
    want(transpose.getOperand(), [&](int64_t d) {
      return wants[llvm::find(transpose.getPermutation(), d) - transpose.getPermutation().begin()];
    });
  } else if (mlir::isa<hlo::ReshapeOp, kernel::ViewOp>(op)) {
    visitReshape(op, wants);
  } else {
    return mlir::isa<hlo::IotaOp, hlo::ConstantOp, kernel::UndefinedOp>(op);
  }
  return true;
}

// Parts of arrays: along dims that they take whole.
bool Wanted::visitPart(Operation *op, const Wants &wants) {
  Value result = op->getResult(0);
  auto alongWhole = [&](Value operand, function_ref<bool(int64_t)> also = nullptr) {
    want(operand, [&](int64_t d) {
      const bool whole = shapeOf(operand)[d] == shapeOf(result)[d] && (!also || also(d));
      return whole ? wants[d] : Want{Want::All};
    });
  };
  if (auto slice = dyn_cast<hlo::SliceOp>(op)) {
    want(slice.getOperand(), [&](int64_t d) {
      Want w = wants[d];
      if (w.kind != Want::Before || slice.getStrides()[d] != 1) return Want{Want::All};
      w.end.offset += slice.getStartIndices()[d];
      return w;
    });
  } else if (auto concatenate = dyn_cast<hlo::ConcatenateOp>(op)) {
    const auto along = static_cast<int64_t>(concatenate.getDimension());
    for (Value operand : op->getOperands()) alongWhole(operand, [&](int64_t d) { return d != along; });
  } else if (auto reverse = dyn_cast<hlo::ReverseOp>(op)) {
    alongWhole(reverse.getOperand(), [&](int64_t d) { return !llvm::is_contained(reverse.getDimensions(), d); });
  } else if (auto pad = dyn_cast<hlo::PadOp>(op)) {
    want(pad.getOperand(), [&](int64_t d) {
      return pad.getEdgePaddingLow()[d] || pad.getInteriorPadding()[d] ? Want{Want::All} : wants[d];
    });
    wantAll(pad.getPaddingValue());
  } else if (mlir::isa<hlo::DynamicSliceOp, hlo::DynamicUpdateSliceOp>(op)) {
    // The update lies in the first operand's dims too.
    const unsigned arrays = mlir::isa<hlo::DynamicUpdateSliceOp>(op) ? 2 : 1;
    for (auto [i, operand] : llvm::enumerate(op->getOperands())) i < arrays ? alongWhole(operand) : wantAll(operand);
  } else {
    return false;
  }
  return true;
}

// Ops that sum or order along some dims and walk the others.
bool Wanted::visitSum(Operation *op, const Wants &wants) {
  if (auto dot = dyn_cast<hlo::DotGeneralOp>(op)) {
    auto numbers = dot.getDotDimensionNumbers();
    int64_t next = static_cast<int64_t>(numbers.getLhsBatchingDimensions().size());
    auto side = [&](Value operand, ArrayRef<int64_t> batch, ArrayRef<int64_t> contracting) {
      want(operand, [&](int64_t d) {
        if (llvm::is_contained(contracting, d)) return Want{Want::All};
        const auto *at = llvm::find(batch, d);
        return wants[at != batch.end() ? at - batch.begin() : next++];
      });
    };
    side(dot.getLhs(), numbers.getLhsBatchingDimensions(), numbers.getLhsContractingDimensions());
    side(dot.getRhs(), numbers.getRhsBatchingDimensions(), numbers.getRhsContractingDimensions());
    return true;
  }
  if (auto reduce = dyn_cast<hlo::ReduceOp>(op)) {
    for (Value result : reduce.getResults())
      for (Value input : reduce.getInputs())
        want(input, [&, kept = int64_t{0}, of = of(result)](int64_t d) mutable {
          return llvm::is_contained(reduce.getDimensions(), d) ? Want{Want::All} : of[kept++];
        });
    for (Value init : reduce.getInitValues()) wantAll(init);
    return true;
  }
  auto sort = dyn_cast<hlo::SortOp>(op);
  if (!sort) return false;
  for (Value result : sort.getResults())
    for (Value input : sort.getInputs())
      want(input, [&, of = of(result)](int64_t d) { return d == hlo::sortedDim(sort) ? Want{Want::All} : of[d]; });
  return true;
}

// Where a mask leaves a value out behind a size, nobody wants it behind that. Where the mask is one side of a diagonal,
// nobody wants it behind the end of the rows.
void Wanted::visitSelect(Operation *op, const Wants &wants) {
  auto select = cast<hlo::SelectOp>(op);
  want(select.getPred(), [&](int64_t d) { return wants[d]; });
  for (bool outcome : {true, false}) {
    Ends ends = diagonal(select, outcome, wants);
    if (outcome) findMask(select.getPred(), ends);
    want(outcome ? select.getOnTrue() : select.getOnFalse(),
         [&](int64_t d) { return wants[d].kind == Want::All && ends[d] ? Want{Want::Before, *ends[d]} : wants[d]; });
  }
}

// Dims join and part in groups of as many elements. Of a group a part is asked for that its outermost dim ends.
void Wanted::visitReshape(Operation *op, const Wants &wants) {
  Value operand = op->getOperand(0), result = op->getResult(0);
  ArrayRef<int64_t> from = shapeOf(operand), to = shapeOf(result);
  SmallVector<Want> asked(from.size(), Want{Want::All});
  for (size_t i = 0, k = 0; i < from.size() && k < to.size();) {
    size_t firstFrom = i, firstTo = k;
    int64_t n = from[i++], m = to[k++];
    while (n != m && (n < m ? i < from.size() : k < to.size())) n < m ? n *= from[i++] : m *= to[k++];
    if (n != m) break;
    // Dims of one element lie outermost in a group or are groups of their own.
    while (firstFrom + 1 < i && from[firstFrom] == 1) ++firstFrom;
    while (firstTo + 1 < k && to[firstTo] == 1) ++firstTo;
    Want w = wants[firstTo];
    if (w.kind != Want::Before || n == 0) continue;
    const int64_t outer = n / to[firstTo], inner = n / from[firstFrom];  // elements of one position of each
    if (outer % inner) continue;
    w.end.scale *= outer / inner;
    w.end.offset *= outer / inner;
    asked[firstFrom] = w;
  }
  if (llvm::all_of(wants, [](const Want &w) { return w.kind == Want::Nothing; }) && !wants.empty()) return;
  want(operand, [&](int64_t d) { return asked[d]; });
}

// Where a kernel's argument, or a result of one, comes from.
Value Wanted::source(Value value) const {
  while (true) {
    if (Value input = inputs_.lookup(value)) {
      value = input;
    } else if (auto fusion = value.getDefiningOp<kernel::FusionOp>()) {
      value = fusion.getBlock().getTerminator()->getOperand(cast<OpResult>(value).getResultNumber());
    } else {
      return value;
    }
  }
}

// The one element of a constant, as an attribute; null for others.
static Attribute splatOf(Value value) {
  while (auto broadcast = value.getDefiningOp<hlo::BroadcastInDimOp>()) value = broadcast.getOperand();
  DenseElementsAttr constant;
  return matchPattern(value, m_Constant(&constant)) && constant.isSplat() ? constant.getSplatValue<Attribute>()
                                                                          : Attribute();
}

// A region's initial value leaves every element as it is; an addition does with -0, whatever it begins with.
static bool leaves(hlo::ReduceOp reduce, Attribute element, Attribute initial) {
  if (element && element == initial) return true;
  auto number = dyn_cast_or_null<FloatAttr>(element);
  Operation *end = reduce.getBody().front().getTerminator()->getOperand(0).getDefiningOp();
  return number && number.getValue().isNegZero() && reduce.getInputs().size() == 1 &&
         isa_and_nonnull<hlo::AddOp>(end) && end->getOperand(0) != end->getOperand(1) &&
         llvm::all_of(end->getOperands(), [](Value operand) { return mlir::isa<BlockArgument>(operand); });
}

std::optional<End> Wanted::reducedEnd(Operation *op, int64_t dim) const {
  auto reduce = cast<hlo::ReduceOp>(op);
  std::optional<End> common;
  for (auto [input, initial] : llvm::zip_equal(reduce.getInputs(), reduce.getInitValues())) {
    auto isLeft = [&, from = source(initial)](Value value) { return leaves(reduce, splatOf(value), splatOf(from)); };
    auto select = input.getDefiningOp<hlo::SelectOp>();
    const std::optional<End> end = select ? endOf(select, dim, isLeft) : std::nullopt;
    if (!end || (common && *common != *end)) return std::nullopt;
    common = end;
  }
  return common;
}

// The end along the dim behind which the select has, in rows that are asked for, nothing but values that a reduction
// leaves out.
std::optional<End> Wanted::endOf(hlo::SelectOp select, int64_t dim, function_ref<bool(Value)> leaves) const {
  if (auto end = neutralBehind(select, dim, leaves)) return end;
  for (bool outcome : {true, false}) {
    std::optional<End> end = diagonal(select, outcome, of(select))[dim];
    if (!end) continue;
    Value other = source(outcome ? select.getOnFalse() : select.getOnTrue());
    if (leaves(other)) return end;
    std::optional<End> masked = neutralBehind(other, dim, leaves);
    if (!masked || masked->size != end->size || masked->scale != end->scale) continue;
    end->offset = std::max(end->offset, masked->offset);
    return end;
  }
  return std::nullopt;
}

// The same of a mask, which may be repeated along other dims.
std::optional<End> Wanted::neutralBehind(Value value, int64_t dim, function_ref<bool(Value)> leaves) const {
  while (auto broadcast = value.getDefiningOp<hlo::BroadcastInDimOp>()) {
    ArrayRef<int64_t> dims = broadcast.getBroadcastDimensions();
    const auto *at = llvm::find(dims, dim);
    value = source(broadcast.getOperand());
    if (at == dims.end() || shapeOf(value)[at - dims.begin()] != shapeOf(broadcast)[dim]) return std::nullopt;
    dim = at - dims.begin();
  }
  auto select = value.getDefiningOp<hlo::SelectOp>();
  if (!select || !leaves(select.getOnFalse()) || rankOf(select.getPred()) != rankOf(select)) return std::nullopt;
  Ends ends(rankOf(select));
  findMask(select.getPred(), ends);
  return ends[dim];
}

// A scalar as a line in one of main's sizes.
std::optional<End> Wanted::sizeOf(Value scalar) const {
  scalar = source(scalar);
  if (!getElementTypeOrSelf(scalar.getType()).isSignlessInteger(32)) return std::nullopt;
  APInt number;
  if (matchPattern(scalar, m_ConstantInt(&number))) return End{{}, 0, number.getSExtValue()};
  if (auto argument = dyn_cast<BlockArgument>(scalar)) {
    auto main = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
    const bool isSize = main && main.getArgAttr(argument.getArgNumber(), kernel::kExtentAttr);
    return isSize ? std::optional(End{argument}) : std::nullopt;
  }
  Operation *op = scalar.getDefiningOp();
  if (mlir::isa<hlo::BroadcastInDimOp, hlo::ReshapeOp, kernel::ViewOp>(op) &&
      cast<RankedTensorType>(op->getOperand(0).getType()).getNumElements() == 1)
    return sizeOf(op->getOperand(0));
  if (!mlir::isa<hlo::AddOp, hlo::SubtractOp, hlo::MulOp>(op)) return std::nullopt;
  StringRef name = mlir::isa<hlo::AddOp>(op) ? "add" : mlir::isa<hlo::MulOp>(op) ? "mul" : "subtract";
  return combined(name, sizeOf(op->getOperand(0)), sizeOf(op->getOperand(1)));
}

// pred = iota along d < size, and others of its kind.
void Wanted::findMask(Value pred, SmallVectorImpl<std::optional<End>> &ends) const {
  pred = source(pred);
  if (auto both = pred.getDefiningOp<hlo::AndOp>()) {
    findMask(both.getLhs(), ends);
    findMask(both.getRhs(), ends);
    return;
  }
  if (auto broadcast = pred.getDefiningOp<hlo::BroadcastInDimOp>()) {
    SmallVector<std::optional<End>, 4> inner(rankOf(broadcast.getOperand()));
    findMask(broadcast.getOperand(), inner);
    for (auto [end, to] : llvm::zip_equal(inner, broadcast.getBroadcastDimensions()))
      if (end && !ends[to]) ends[to] = end;
    return;
  }
  auto before = pred.getDefiningOp<hlo::CompareOp>();
  if (!before || before.getComparisonDirection() != hlo::ComparisonDirection::LT) return;
  auto iota = source(before.getLhs()).getDefiningOp<hlo::IotaOp>();
  std::optional<End> end = iota ? sizeOf(before.getRhs()) : std::nullopt;
  const auto dim = iota ? static_cast<int64_t>(iota.getIotaDimension()) : 0;
  if (end && end->size && !ends[dim]) ends[dim] = end;
}

// For each dim of the operand the entry of `along` for the result's dim that it becomes; -1 where it is repeated.
static SmallVector<int64_t> below(hlo::BroadcastInDimOp broadcast, ArrayRef<int64_t> along) {
  SmallVector<int64_t> result;
  for (auto [from, to] : llvm::enumerate(broadcast.getBroadcastDimensions()))
    result.push_back(shapeOf(broadcast.getOperand())[from] == shapeOf(broadcast)[to] ? along[to] : -1);
  return result;
}

std::optional<Wanted::Place> Wanted::placeOf(Value number, ArrayRef<int64_t> along) const {
  number = source(number);
  auto type = dyn_cast<IntegerType>(getElementTypeOrSelf(number.getType()));
  if (!type || type.getWidth() < 32 || type.isUnsigned()) return std::nullopt;
  if (auto splat = dyn_cast_or_null<IntegerAttr>(splatOf(number))) {
    const int64_t value = splat.getValue().getSExtValue();
    return value < -kFar || value > kFar ? std::nullopt : std::optional(Place{-1, value});
  }
  Operation *op = number.getDefiningOp();
  if (auto broadcast = dyn_cast_or_null<hlo::BroadcastInDimOp>(op))
    return placeOf(broadcast.getOperand(), below(broadcast, along));
  if (auto iota = dyn_cast_or_null<hlo::IotaOp>(op)) {
    const int64_t dim = along[iota.getIotaDimension()];
    if (dim < 0 || shapeOf(iota)[iota.getIotaDimension()] > kFar) return std::nullopt;
    return Place{dim, 0};
  }
  if (!mlir::isa_and_nonnull<hlo::AddOp, hlo::SubtractOp>(op)) return std::nullopt;
  auto a = placeOf(op->getOperand(0), along), b = placeOf(op->getOperand(1), along);
  if (!a || !b || (b->dim >= 0 && (a->dim >= 0 || mlir::isa<hlo::SubtractOp>(op)))) return std::nullopt;
  const int64_t offset = a->offset + (mlir::isa<hlo::SubtractOp>(op) ? -b->offset : b->offset);
  if (std::abs(offset) > kFar) return std::nullopt;
  return Place{std::max(a->dim, b->dim), offset};
}

// Where pred is `outcome` an element's number along one dim is at most that along another plus a number: of rows before
// an end the elements are so too.
void Wanted::findDiagonal(Value pred, bool outcome, ArrayRef<int64_t> along, const Wants &wants, Ends &ends) const {
  using Is = hlo::ComparisonDirection;
  pred = source(pred);
  Operation *op = pred.getDefiningOp();
  if (auto broadcast = dyn_cast_or_null<hlo::BroadcastInDimOp>(op))
    return findDiagonal(broadcast.getOperand(), outcome, below(broadcast, along), wants, ends);
  if (mlir::isa_and_nonnull<hlo::NotOp>(op)) return findDiagonal(op->getOperand(0), !outcome, along, wants, ends);
  if (outcome ? mlir::isa_and_nonnull<hlo::AndOp>(op) : mlir::isa_and_nonnull<hlo::OrOp>(op)) {
    for (Value side : op->getOperands()) findDiagonal(side, outcome, along, wants, ends);
    return;
  }
  auto compare = dyn_cast_or_null<hlo::CompareOp>(op);
  if (!compare) return;
  const Is is = compare.getComparisonDirection();
  if (is == Is::EQ || is == Is::NE) return;
  auto least = placeOf(compare.getLhs(), along), most = placeOf(compare.getRhs(), along);
  const bool less = is == Is::LT || is == Is::LE, equal = is == Is::LE || is == Is::GE;
  if (less != outcome) std::swap(least, most);
  if (!least || !most || least->dim < 0 || most->dim < 0 || least->dim == most->dim) return;
  const Want &rows = wants[most->dim];
  if (rows.kind != Want::Before || ends[least->dim]) return;
  End end = rows.end;
  end.offset += most->offset - least->offset - (equal == outcome ? 0 : 1);
  ends[least->dim] = end;
}

Wanted::Ends Wanted::diagonal(hlo::SelectOp select, bool outcome, const Wants &wants) const {
  Ends ends(wants.size());
  const auto along = llvm::to_vector(llvm::seq<int64_t>(wants.size()));
  if (rankOf(select.getPred()) == static_cast<int64_t>(wants.size()))
    findDiagonal(select.getPred(), outcome, along, wants, ends);
  return ends;
}

}  // namespace tpuc::analysis
