// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dots as products and sums, and when they are.
//
// Producers and users mostly give their arrays the order of dims that suits a kernel, so each form is taken with the
// order that suits it best. A part of an argument lies as that does, and would be turned.
#include "passes/layout/dot_sums.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"
#include "passes/analysis/dot_roles.h"
#include "passes/builders/build.h"
#include "passes/layout/array_orders.h"

using namespace mlir;

namespace tpuc::layout {
using namespace builders;

bool isRaggedRows(stablehlo::DotGeneralOp dot) {
  auto numbers = dot.getDotDimensionNumbers();
  const bool right = !analysis::freeDims(dot, true).empty();
  if (!analysis::freeDims(dot, !right).empty() || !numbers.getLhsBatchingDimensions().empty() || dot.getAlgorithm())
    return false;
  RankedTensorType matrix = typeOf(right ? dot.getRhs() : dot.getLhs());
  auto contract = right ? numbers.getRhsContractingDimensions() : numbers.getLhsContractingDimensions();
  if (!matrix.getElementType().isIntOrFloat()) return false;
  const int64_t rank = matrix.getRank(), pack = std::max<int64_t>(32 / matrix.getElementTypeBitWidth(), 1);
  return rank > 2 && contract.size() == 1 && contract[0] == rank - 1 && matrix.getDimSize(rank - 2) % (8 * pack) != 0;
}

// Vectors by matrices: a product of the matrix's dims as they lie, and sums of it.
static void toColumnSums(stablehlo::DotGeneralOp dot) {
  OpBuilder b(dot);
  Build build{b, dot.getLoc()};
  auto numbers = dot.getDotDimensionNumbers();
  bool right = !analysis::freeDims(dot, true).empty();
  Value matrix = right ? dot.getRhs() : dot.getLhs(), vector = right ? dot.getLhs() : dot.getRhs();
  auto batch = right ? numbers.getRhsBatchingDimensions() : numbers.getLhsBatchingDimensions(),
       contract = right ? numbers.getRhsContractingDimensions() : numbers.getLhsContractingDimensions();
  auto ofBatch = right ? numbers.getLhsBatchingDimensions() : numbers.getRhsBatchingDimensions(),
       ofContract = right ? numbers.getLhsContractingDimensions() : numbers.getRhsContractingDimensions();
  SmallVector<int64_t> places(typeOf(vector).getRank()), order = llvm::to_vector(llvm::seq<int64_t>(places.size())),
                                                         free = analysis::freeDims(dot, right);
  for (auto [own, d] : llvm::zip(ofBatch, batch)) places[own] = d;
  for (auto [own, d] : llvm::zip(ofContract, contract)) places[own] = d;
  llvm::sort(order, [&](int64_t x, int64_t y) { return places[x] < places[y]; });
  vector = build.transpose(vector, order);
  llvm::sort(places);

  Type element = typeOf(dot).getElementType(),
       sum = element.isF16() || element.isBF16() ? Type(b.getF32Type()) : element;  // sums in f32
  matrix = build.convert(matrix, sum);
  Value product = stablehlo::MulOp::create(
      b, dot.getLoc(), matrix, build.broadcast(build.convert(vector, sum), typeOf(matrix).getShape(), places));
  SmallVector<int64_t> summed(contract);
  llvm::sort(summed);
  Value out = build.convert(build.sum(product, summed), element);
  // Dims of the result: those of the matrix that are left, which its batch dims come before.
  SmallVector<int64_t> left, wanted(batch);
  llvm::append_range(wanted, free);
  for (int64_t d = 0; d < typeOf(matrix).getRank(); ++d)
    if (!llvm::is_contained(contract, d)) left.push_back(d);
  for (int64_t &d : wanted) d = llvm::find(left, d) - left.begin();
  dot.replaceAllUsesWith(build.transpose(out, wanted));
  dot.erase();
}

// Products and their sums: of batches of inner products, one number each, there is nothing for a matrix to do.
void toSums(stablehlo::DotGeneralOp dot) {
  if (analysis::freeDims(dot, false).empty() != analysis::freeDims(dot, true).empty()) return toColumnSums(dot);
  OpBuilder b(dot);
  Location loc = dot.getLoc();
  auto numbers = dot.getDotDimensionNumbers();
  SmallVector<int64_t> left = analysis::freeDims(dot, false), right = analysis::freeDims(dot, true),
                       shape(typeOf(dot).getShape());
  for (int64_t d : numbers.getLhsContractingDimensions()) shape.push_back(typeOf(dot.getLhs()).getDimSize(d));
  Type element = typeOf(dot).getElementType();
  bool wide = element.isF16() || element.isBF16();  // sums in f32
  Type sum = wide ? Type(b.getF32Type()) : element;
  int64_t batch = numbers.getLhsBatchingDimensions().size(), inner = typeOf(dot).getRank();
  auto operand = [&](Value v, ArrayRef<int64_t> batches, ArrayRef<int64_t> free, int64_t firstFree,
                     ArrayRef<int64_t> contract) {
    SmallVector<int64_t> permutation(batches), places = llvm::to_vector(llvm::seq<int64_t>(0, batch));
    llvm::append_range(permutation, free);
    llvm::append_range(permutation, contract);
    for (size_t i = 0; i < free.size(); ++i) places.push_back(firstFree + i);
    for (size_t i = 0; i < contract.size(); ++i) places.push_back(inner + i);
    if (!llvm::is_sorted(permutation)) v = Build{b, loc}.transpose(v, permutation);
    if (typeOf(v).getElementType() != sum) v = stablehlo::ConvertOp::create(b, loc, typeOf(v).clone(sum), v);
    return Build{b, loc}.broadcast(v, shape, places);
  };
  Value l =
      operand(dot.getLhs(), numbers.getLhsBatchingDimensions(), left, batch, numbers.getLhsContractingDimensions());
  Value r = operand(dot.getRhs(), numbers.getRhsBatchingDimensions(), right, batch + left.size(),
                    numbers.getRhsContractingDimensions());
  Value product = stablehlo::MulOp::create(b, loc, l, r);
  Value zero = Build{b, loc}.zero(sum);
  auto reduce = stablehlo::ReduceOp::create(b, loc, typeOf(dot).clone(sum), product, zero,
                                            llvm::to_vector(llvm::seq<int64_t>(inner, typeOf(product).getRank())));
  OpBuilder::InsertionGuard guard(b);
  auto scalar = RankedTensorType::get({}, sum);
  Block *body = b.createBlock(&reduce.getBody(), {}, {scalar, scalar}, {loc, loc});
  Value add = stablehlo::AddOp::create(b, loc, body->getArgument(0), body->getArgument(1));
  stablehlo::ReturnOp::create(b, loc, add);
  b.setInsertionPoint(dot);
  Value out = reduce.getResult(0);
  if (wide) out = stablehlo::ConvertOp::create(b, loc, typeOf(dot), out);
  dot.replaceAllUsesWith(out);
  dot.erase();
}

// ---- which form
// ------------------------------------------------------------------------------------------------------

namespace {

// How much sooner sums are to be: what is fused with them needs the vector unit as well.
constexpr double kWorthSums = 0.75;

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

// Products and sums in a space whose dims are in the operands' order: batch, contracted, left, right ones are numbered
// in turn.
void addSums(Trial &trial, stablehlo::DotGeneralOp dot, DimOrder order) {
  Build build{trial.b, dot.getLoc()};
  auto n = dot.getDotDimensionNumbers();
  const Dims leftFree = analysis::freeDims(dot, false), rightFree = analysis::freeDims(dot, true);
  const auto batches = static_cast<int64_t>(n.getLhsBatchingDimensions().size()),
             sums = static_cast<int64_t>(n.getLhsContractingDimensions().size()),
             all = batches + sums + static_cast<int64_t>(leftFree.size() + rightFree.size());
  auto seq = [](int64_t from, int64_t to) { return llvm::to_vector(llvm::seq<int64_t>(from, to)); };
  const Dims space = orderOf(order, seq(0, batches), seq(batches, batches + sums), seq(batches + sums, all));
  Dims shape(all);
  auto placesOf = [&](bool right) {
    RankedTensorType type = typeOf(right ? dot.getRhs() : dot.getLhs());
    Dims numbered;  // the operand's dims, by number
    llvm::append_range(numbered, right ? n.getRhsBatchingDimensions() : n.getLhsBatchingDimensions());
    llvm::append_range(numbered, right ? n.getRhsContractingDimensions() : n.getLhsContractingDimensions());
    const auto shared = static_cast<int64_t>(numbered.size());
    llvm::append_range(numbered, right ? rightFree : leftFree);
    return llvm::map_to_vector(right ? trial.right : trial.left, [&](int64_t d) -> int64_t {
      int64_t number = llvm::find(numbered, d) - numbered.begin();
      if (right && number >= shared) number += static_cast<int64_t>(leftFree.size());
      const int64_t place = llvm::find(space, number) - space.begin();
      shape[place] = type.getDimSize(d);
      return place;
    });
  };
  const Dims ofLeft = placesOf(false), ofRight = placesOf(true);
  Type element = typeOf(dot).getElementType(),
       sum = element.isF16() || element.isBF16() ? trial.b.getF32Type() : element;
  Value l = build.broadcast(build.convert(trial.argument(0), sum), shape, ofLeft),
        r = build.broadcast(build.convert(trial.argument(1), sum), shape, ofRight);
  Dims summed;
  for (int64_t place = 0; place < all; ++place)
    if (space[place] >= batches && space[place] < batches + sums) summed.push_back(place);
  Value out = build.sum(stablehlo::MulOp::create(trial.b, dot.getLoc(), l, r), summed);
  // What follows is fused and has the sums as they lie, maybe alone along lanes: a function stands for it.
  if (mlir::isa<FloatType>(sum)) out = stablehlo::ExpOp::create(trial.b, dot.getLoc(), out);
  build.convert(out, element);
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

std::optional<double> DotForms::cyclesOfSums(stablehlo::DotGeneralOp dot) const {
  std::optional<double> least;
  for (DimOrder order : kOrders) {
    Trial trial(dot, order);
    addSums(trial, dot, order);
    if (auto cycles = question_.cyclesOf("loop", trial.ops()))
      takeLess(least, *cycles + cyclesToTurn(question_, dot, trial));
  }
  // Two matrices do not both lie so that nothing has to be turned first.
  const bool isOfMatrices = !analysis::freeDims(dot, false).empty() && !analysis::freeDims(dot, true).empty();
  return least && isOfMatrices ? *least + question_.cyclesToLaunch() : least;
}

std::optional<double> DotForms::cyclesOfMatrices(stablehlo::DotGeneralOp dot,
                                                 function_ref<void(stablehlo::DotGeneralOp)> toMatrixUnit) const {
  std::optional<double> least;
  for (DimOrder order : {DimOrder::BatchContractedFree, DimOrder::BatchFreeContracted}) {
    Trial trial(dot, order);
    toMatrixUnit(addDot(trial, dot));
    std::optional<double> total = 0;
    for (Operation *op : trial.ops()) {
      if (mlir::isa<stablehlo::ReshapeOp, stablehlo::ConstantOp>(op)) continue;  // of leading dims: views
      const bool isMove = mlir::isa<stablehlo::TransposeOp, stablehlo::PadOp, stablehlo::SliceOp>(op);
      std::optional<double> cycles;
      if (mlir::isa<stablehlo::DotGeneralOp>(op)) cycles = question_.cyclesOf("dot", {op});
      if (isMove) cycles = question_.cyclesToMove(typeOf(op->getOperand(0)), typeOf(op->getResult(0)));
      total = total && cycles ? std::optional(*total + *cycles) : std::nullopt;
    }
    if (total) takeLess(least, *total + cyclesToTurn(question_, dot, trial));
  }
  return least;
}

bool DotForms::paysAsSums(stablehlo::DotGeneralOp dot, function_ref<void(stablehlo::DotGeneralOp)> toMatrixUnit) {
  // Of a matrix that has more along a dim, other ops have that dim along lanes.
  constexpr int64_t kMostSide = 16;
  auto numbers = dot.getDotDimensionNumbers();
  auto size = [](Value v, ArrayRef<int64_t> dims) {
    return llvm::product_of(llvm::map_range(dims, [&](int64_t d) { return typeOf(v).getDimSize(d); }));
  };
  const int64_t batches = size(dot.getLhs(), numbers.getLhsBatchingDimensions()),
                deep = size(dot.getLhs(), numbers.getLhsContractingDimensions()),
                rows = size(dot.getLhs(), analysis::freeDims(dot, false)),
                columns = size(dot.getRhs(), analysis::freeDims(dot, true));
  if (batches < 2 || rows * columns * deep == 0 || roundsOperands(dot)) return false;
  if (std::min(rows, columns) > 1 && std::max({rows, columns, deep}) > kMostSide) return false;
  std::vector<const void *> key;
  for (Value v : {dot.getLhs(), dot.getRhs(), dot.getResult()}) key.push_back(v.getType().getAsOpaquePointer());
  for (Attribute a : {Attribute(numbers), Attribute(dot.getPrecisionConfigAttr())})
    key.push_back(a.getAsOpaquePointer());
  for (Value v : {dot.getLhs(), dot.getRhs()}) key.push_back(isPartOfArgument(v) ? this : nullptr);
  auto [known, isNew] = known_.try_emplace(key, false);
  if (!isNew) return known->second;
  const std::optional<double> sums = cyclesOfSums(dot), matrices = sums ? cyclesOfMatrices(dot, toMatrixUnit) : sums;
  return known->second = sums && (!matrices || *sums < kWorthSums * *matrices);
}

}  // namespace tpuc::layout
