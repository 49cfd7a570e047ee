// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which form a dot takes.
//
// Producers and users mostly give their arrays the order of dims that suits a kernel, so each form is taken with the
// order that suits it best. A part of an argument lies as that does, and would be turned. Sums with the batch along
// lanes are taken where all that the arrays are made from, and that is made from them, may lie so.
#include "passes/layout/dot_forms.h"

#include "mlir/IR/OwningOpRef.h"
#include "passes/analysis/domain.h"
#include "passes/analysis/dot_roles.h"
#include "passes/layout/array_orders.h"
#include "passes/layout/dot_sums.h"

using namespace mlir;

namespace tpuc::layout {
using namespace builders;

namespace {

// How much sooner sums are to be: what is fused with them needs the vector unit as well.
constexpr double kWorthSums = 0.75, kWorthSumsAmongSums = 0.5;  // of several some have not the order that they like

using Dims = SmallVector<int64_t>;

// Which of an operand's dims come first: its batch dims first or last, what it contracts before or behind the free
// ones.
enum class DimOrder { BatchContractedFree, BatchFreeContracted, ContractedFreeBatch };
constexpr DimOrder kOrders[] = {DimOrder::BatchContractedFree, DimOrder::BatchFreeContracted,
                                DimOrder::ContractedFreeBatch};

Dims orderOf(DimOrder order, ArrayRef<int64_t> batch, ArrayRef<int64_t> contracted, ArrayRef<int64_t> free) {
  Dims out;
  auto add = [&](ArrayRef<int64_t> dims) { llvm::append_range(out, dims); };
  if (order != DimOrder::ContractedFreeBatch) add(batch);
  if (order == DimOrder::BatchFreeContracted) add(free);
  add(contracted);
  if (order != DimOrder::BatchFreeContracted) add(free);
  if (order == DimOrder::ContractedFreeBatch) add(batch);
  return out;
}

Dims operandOrder(stablehlo::DotGeneralOp dot, bool right, DimOrder order) {
  auto n = dot.getDotDimensionNumbers();
  return orderOf(order, right ? n.getRhsBatchingDimensions() : n.getLhsBatchingDimensions(),
                 right ? n.getRhsContractingDimensions() : n.getLhsContractingDimensions(),
                 analysis::freeDims(dot, right));
}

// A function of a dot's operands with their dims in an order, to try a form of it.
struct Trial {
  Trial(stablehlo::DotGeneralOp dot, DimOrder order)
      : left(operandOrder(dot, false, order)), right(operandOrder(dot, true, order)), b(dot.getContext()) {
    auto permuted = [](Value v, ArrayRef<int64_t> order) {
      return typeOf(v).clone(llvm::map_to_vector(order, [&](int64_t d) { return typeOf(v).getDimSize(d); }));
    };
    auto type = b.getFunctionType({permuted(dot.getLhs(), left), permuted(dot.getRhs(), right)}, {});
    function = func::FuncOp::create(b, dot.getLoc(), "dot", type);
    b.setInsertionPointToEnd(function->addEntryBlock());
  }
  Value argument(unsigned i) { return function->getArgument(i); }
  SmallVector<Operation *> ops() { return llvm::to_vector(llvm::make_pointer_range(function->front())); }

  Dims left, right;  // where each dim of an argument was
  OpBuilder b;
  OwningOpRef<func::FuncOp> function;
};

stablehlo::DotGeneralOp addDot(Trial &trial, stablehlo::DotGeneralOp dot) {
  auto moved = [](ArrayRef<int64_t> dims, ArrayRef<int64_t> order) {
    return llvm::map_to_vector(dims, [&](int64_t d) -> int64_t { return llvm::find(order, d) - order.begin(); });
  };
  auto n = dot.getDotDimensionNumbers();
  auto numbers = stablehlo::DotDimensionNumbersAttr::get(
      dot.getContext(), moved(n.getLhsBatchingDimensions(), trial.left),
      moved(n.getRhsBatchingDimensions(), trial.right), moved(n.getLhsContractingDimensions(), trial.left),
      moved(n.getRhsContractingDimensions(), trial.right));
  return stablehlo::DotGeneralOp::create(trial.b, dot.getLoc(), typeOf(dot), trial.argument(0), trial.argument(1),
                                         numbers, dot.getPrecisionConfigAttr(), dot.getAlgorithmAttr());
}

// Products and sums in a space whose dims are in the operands' order.
void addSums(Trial &trial, stablehlo::DotGeneralOp dot, DimOrder order) {
  Build build{trial.b, dot.getLoc()};
  DotDims dims(dot);
  auto seq = [](int64_t from, int64_t to) { return llvm::to_vector(llvm::seq<int64_t>(from, to)); };
  const int64_t free = dims.batches + dims.contracted;
  const Dims space = orderOf(order, seq(0, dims.batches), seq(dims.batches, free), seq(free, dims.all()));
  auto moved = [](ArrayRef<int64_t> numbers, ArrayRef<int64_t> order) {
    return llvm::map_to_vector(order, [&](int64_t d) { return numbers[d]; });
  };
  dims.left = moved(dims.left, trial.left);
  dims.right = moved(dims.right, trial.right);
  Value out = sumsOf(build, dims, trial.argument(0), trial.argument(1), space, typeOf(dot).getElementType());
  // What follows is fused and has the sums as they lie, maybe alone along lanes: a function stands for it.
  if (mlir::isa<FloatType>(typeOf(out).getElementType())) stablehlo::ExpOp::create(trial.b, dot.getLoc(), out);
}

// Whether an algorithm rounds what it multiplies, as products of lanes would not.
bool roundsOperands(stablehlo::DotGeneralOp dot) {
  auto algorithm = dot.getAlgorithmAttr();
  return algorithm && (algorithm.getLhsPrecisionType() != typeOf(dot.getLhs()).getElementType() ||
                       algorithm.getRhsPrecisionType() != typeOf(dot.getRhs()).getElementType() ||
                       algorithm.getAccumulationType() != typeOf(dot).getElementType());
}

// Whether a value is a part of an argument of the program, as of stacked weights or a cache: that keeps its order.
bool isPartOfArgument(Value v) {
  bool isPart = false;
  while (true) {
    if (auto argument = dyn_cast<BlockArgument>(v)) {
      Operation *parent = argument.getOwner()->getParentOp();
      if (!mlir::isa<stablehlo::WhileOp>(parent)) return isPart && mlir::isa<func::FuncOp>(parent);
      v = parent->getOperand(argument.getArgNumber());
      continue;
    }
    Operation *op = v.getDefiningOp();
    const bool cuts = mlir::isa<stablehlo::SliceOp, stablehlo::DynamicSliceOp, stablehlo::DynamicUpdateSliceOp>(op);
    if (!cuts && !mlir::isa<stablehlo::ReshapeOp, stablehlo::ConvertOp, stablehlo::TransposeOp>(op)) return false;
    isPart |= cuts;
    v = op->getOperand(0);
  }
}

using Sums = llvm::DenseSet<Operation *>;

// Whether an op's values may all have the batch along lanes: of elementwise work and sums, and of dots that are sums.
bool followsOrder(Operation *op, const Sums &sums) {
  if (mlir::isa<stablehlo::DotGeneralOp>(op)) return sums.contains(op);
  return op->hasTrait<stablehlo::IsElementwise>() ||
         mlir::isa<stablehlo::ConstantOp, stablehlo::IotaOp, stablehlo::BroadcastInDimOp, stablehlo::TransposeOp,
                   stablehlo::ReduceOp, stablehlo::WhileOp>(op);
}

// What is made from a dot's arrays, and what they are made from: ops that keep the order of their dims; other sums, and
// loops that carry them, that leave it open; elementwise work on whole arguments and results alone.
enum class Around { OrderedOps, Sums, Nothing };

// The dims of `v` that a dot contracts, on either side.
SmallVector<ArrayRef<int64_t>> contracted(stablehlo::DotGeneralOp dot, Value v) {
  auto numbers = dot.getDotDimensionNumbers();
  SmallVector<ArrayRef<int64_t>> out;
  if (v == dot.getLhs()) out.push_back(numbers.getLhsContractingDimensions());
  if (v == dot.getRhs()) out.push_back(numbers.getRhsContractingDimensions());
  return out;
}

Around around(stablehlo::DotGeneralOp dot, Value v, const Sums &sums) {
  constexpr size_t kMost = 64;  // values that are looked at
  bool meetsSums = false;
  llvm::SetVector<Value> seen;
  // Of an op, on to its values; whether it leaves the order open.
  auto pass = [&](Operation *op, ValueRange values) {
    if (!followsOrder(op, sums)) return false;
    const bool isSum = mlir::isa<stablehlo::DotGeneralOp, stablehlo::ReduceOp, stablehlo::WhileOp>(op);
    meetsSums |= isSum && op != dot;
    if (mlir::isa<stablehlo::DotGeneralOp, stablehlo::WhileOp>(op)) return true;
    for (Value x : values)
      if (typeOf(x).getRank() == typeOf(v).getRank()) seen.insert(x);
    return true;
  };
  seen.insert(v);
  for (size_t i = 0; i < seen.size(); ++i) {
    Operation *def = seen[i].getDefiningOp();
    if (seen.size() > kMost || (def && !isPartOfArgument(seen[i]) && !pass(def, def->getOperands())))
      return Around::OrderedOps;
    for (Operation *user : seen[i].getUsers())
      if (!user->hasTrait<OpTrait::IsTerminator>() && !pass(user, user->getResults())) return Around::OrderedOps;
  }
  // Sums along sublanes take several times as long: an array has one order, for all that contract it.
  SmallVector<ArrayRef<int64_t>> ways;
  for (Operation *user : v.getUsers())
    if (auto reader = dyn_cast<stablehlo::DotGeneralOp>(user)) llvm::append_range(ways, contracted(reader, v));
  if (llvm::any_of(ways, [&](ArrayRef<int64_t> dims) { return dims != ways.front(); })) return Around::OrderedOps;
  return meetsSums ? Around::Sums : Around::Nothing;
}

Around around(stablehlo::DotGeneralOp dot, const Sums &sums) {
  Around most = Around::Nothing;
  for (Value v : ValueRange({dot.getLhs(), dot.getRhs(), dot.getResult()})) most = std::min(most, around(dot, v, sums));
  return most;
}

void takeLess(std::optional<double> &least, double cycles) {
  if (!least || cycles < *least) least = cycles;
}

}  // namespace

static double cyclesToTurn(const plan::Question &question, stablehlo::DotGeneralOp dot, Trial &trial) {
  double cycles = 0;
  for (bool right : {false, true}) {
    Value v = dot->getOperand(right), turned = trial.argument(right);
    if (!isIdentity(right ? trial.right : trial.left) && isPartOfArgument(v))
      cycles += question.cyclesToMove(typeOf(v), typeOf(turned));
  }
  return cycles;
}

// Whether the last batch dim has enough for all lanes, and what is contracted has not: other ops would have no such
// order, and sums along full lanes stay there (`ArrayOrders::rowsStay`).
static bool takesLanes(stablehlo::DotGeneralOp dot) {
  constexpr int64_t kLanes = 128;
  auto numbers = dot.getDotDimensionNumbers();
  auto last = [&](ArrayRef<int64_t> dims) { return typeOf(dot.getLhs()).getDimSize(dims.back()); };
  return !numbers.getLhsBatchingDimensions().empty() && last(numbers.getLhsBatchingDimensions()) >= kLanes &&
         last(numbers.getLhsContractingDimensions()) < kLanes;
}

// Whether all arrays together are so much smaller with the batch last that it goes there: those in memory, and the
// product with what is spread into it, which `order_arrays.cpp` counts too.
static bool savesBytes(stablehlo::DotGeneralOp dot) {
  constexpr int64_t kSpread = 3;
  const DotDims dims(dot);
  const SmallVector<int64_t> product = llvm::map_to_vector(dims.summedLast(), [&](int64_t k) { return dims.sizes[k]; });
  const Type sum = typeOf(dot).getElementType();
  const auto wide = sum.isF16() || sum.isBF16() ? Type(Float32Type::get(dot.getContext())) : sum;
  int64_t before = 0, after = 0;
  auto add = [&](RankedTensorType type, ArrayRef<int64_t> order, int64_t times) {
    before += times * analysis::paddedBytes(type);
    after += times * analysis::paddedBytes(permuted(type, order));
  };
  auto batchLast = [&](int64_t rank) {
    Order order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    std::rotate(order.begin(), order.begin() + dims.batches, order.end());
    return order;
  };
  for (bool right : {false, true})
    add(typeOf(dot->getOperand(right)), operandOrder(dot, right, DimOrder::ContractedFreeBatch), 1);
  add(typeOf(dot), batchLast(typeOf(dot).getRank()), 1);
  add(RankedTensorType::get(product, wide), batchLast(static_cast<int64_t>(product.size())), kSpread);
  return isGain(before, after);
}

std::optional<double> DotForms::cyclesOfSums(stablehlo::DotGeneralOp dot, bool batchLast) const {
  std::optional<double> least;
  if (batchLast && !takesLanes(dot)) return least;
  for (DimOrder order : kOrders) {
    if ((order == DimOrder::ContractedFreeBatch) != batchLast) continue;
    Trial trial(dot, order);
    addSums(trial, dot, order);
    if (auto cycles = question_.cyclesOf("loop", trial.ops()))
      takeLess(least, *cycles + cyclesToTurn(question_, dot, trial));
  }
  // Two matrices do not both lie so that nothing has to be turned first.
  const bool isOfMatrices = !analysis::freeDims(dot, false).empty() && !analysis::freeDims(dot, true).empty();
  return least && isOfMatrices ? *least + question_.cyclesToLaunch() : least;
}

// Of an op of the form that the matrix unit takes. Reshapes that leave bytes where they are cost nothing.
static std::optional<double> cyclesOfOp(const plan::Question &question, Operation *op) {
  if (mlir::isa<stablehlo::ConstantOp>(op)) return 0;
  if (mlir::isa<stablehlo::DotGeneralOp>(op)) return question.cyclesOf("dot", {op});
  if (!mlir::isa<stablehlo::ReshapeOp, stablehlo::TransposeOp, stablehlo::PadOp, stablehlo::SliceOp>(op))
    return std::nullopt;
  const RankedTensorType from = typeOf(op->getOperand(0)), to = typeOf(op->getResult(0));
  return mlir::isa<stablehlo::ReshapeOp>(op) && kernel::haveSameBytes(from, to) ? 0 : question.cyclesToMove(from, to);
}

std::optional<double> DotForms::cyclesOfMatrices(stablehlo::DotGeneralOp dot,
                                                 function_ref<void(stablehlo::DotGeneralOp)> toMatrixUnit) const {
  std::optional<double> least;
  for (DimOrder order : {DimOrder::BatchContractedFree, DimOrder::BatchFreeContracted}) {
    Trial trial(dot, order);
    toMatrixUnit(addDot(trial, dot));
    std::optional<double> total = 0;
    for (Operation *op : trial.ops()) {
      const std::optional<double> cycles = cyclesOfOp(question_, op);
      total = total && cycles ? std::optional(*total + *cycles) : std::nullopt;
    }
    if (total) takeLess(least, *total + cyclesToTurn(question_, dot, trial));
  }
  return least;
}

DotForms::Pays DotForms::paysAsSums(stablehlo::DotGeneralOp dot, ToMatrixUnit toMatrixUnit) {
  auto numbers = dot.getDotDimensionNumbers();
  auto size = [](Value v, ArrayRef<int64_t> dims) {
    return llvm::product_of(llvm::map_range(dims, [&](int64_t d) { return typeOf(v).getDimSize(d); }));
  };
  if (size(dot.getLhs(), numbers.getLhsBatchingDimensions()) < 2 || typeOf(dot.getLhs()).getNumElements() == 0 ||
      typeOf(dot.getRhs()).getNumElements() == 0 || numbers.getLhsContractingDimensions().empty() ||
      roundsOperands(dot))
    return {};
  std::vector<const void *> key;
  for (Value v : {dot.getLhs(), dot.getRhs(), dot.getResult()}) key.push_back(v.getType().getAsOpaquePointer());
  for (Attribute a : {Attribute(numbers), Attribute(dot.getPrecisionConfigAttr())})
    key.push_back(a.getAsOpaquePointer());
  for (Value v : {dot.getLhs(), dot.getRhs()}) key.push_back(isPartOfArgument(v) ? this : nullptr);
  auto [known, isNew] = known_.try_emplace(key);
  if (!isNew) return known->second;
  // Of a larger matrix other ops have the rows along lanes, as sums with the batch first would not.
  constexpr int64_t kMostSide = 16;
  const int64_t rows = size(dot.getLhs(), analysis::freeDims(dot, false)),
                columns = size(dot.getRhs(), analysis::freeDims(dot, true)),
                deep = size(dot.getLhs(), numbers.getLhsContractingDimensions());
  const bool isLarge = std::min(rows, columns) > 1 && std::max({rows, columns, deep}) > kMostSide;
  const std::optional<double> first = isLarge ? std::nullopt : cyclesOfSums(dot, /*batchLast=*/false),
                              last = isLarge && !savesBytes(dot) ? std::nullopt : cyclesOfSums(dot, /*batchLast=*/true),
                              matrices = first || last ? cyclesOfMatrices(dot, toMatrixUnit) : std::nullopt;
  auto isSooner = [&](std::optional<double> sums) { return sums && (!matrices || *sums < kWorthSums * *matrices); };
  if (!isLarge || !last) return known->second = {isSooner(first) || isSooner(last)};
  return known->second = {false, matrices ? *last / *matrices : 0};
}

llvm::DenseSet<Operation *> DotForms::chooseSums(ArrayRef<stablehlo::DotGeneralOp> dots, ToMatrixUnit toMatrixUnit) {
  Sums sums;
  SmallVector<std::pair<stablehlo::DotGeneralOp, double>> open;
  for (stablehlo::DotGeneralOp dot : dots) {
    const Pays pays = paysAsSums(dot, toMatrixUnit);
    if (pays.anyhow || pays.withBatchLast < kWorthSums) sums.insert(dot);
    if (!pays.anyhow && sums.contains(dot)) open.push_back({dot, pays.withBatchLast});
  }
  // One that is a matmul keeps the order of others, so that these are asked again.
  auto staysMatmul = [&](const auto &entry) {
    const Around neighbours = around(entry.first, sums);
    const bool pays =
        neighbours == Around::Nothing || (neighbours == Around::Sums && entry.second < kWorthSumsAmongSums);
    return !pays && sums.erase(entry.first);
  };
  for (size_t before = open.size() + 1; open.size() < before;) {
    before = open.size();
    llvm::erase_if(open, staysMatmul);
  }
  return sums;
}

}  // namespace tpuc::layout
