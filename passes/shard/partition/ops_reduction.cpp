//===- ops_reduction.cpp - reductions over sharded dimensions -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reducer of one known op: each device reduces its part from a neutral value, and what they get is reduced in turn;
// an initial value that is not neutral joins at the end. Any other reducer: initial values are neutral by the
// specification, so each device reduces from them, gets what the others got, and reduces that the same way.
//===-----------------------------------------------------------------------------===//
#include "mlir/IR/Matchers.h"
#include "passes/shard/partition/cumulative.h"
#include "passes/shard/partition/partitioner.h"
#include "passes/shard/partition/reshard.h"
#include "passes/shard/rule_builder.h"

using namespace mlir;

namespace tpuc::shard {

namespace hlo = tpuc::stablehlo;

bool isNeutral(Value init, Reducer reducer) {
  DenseElementsAttr value;
  if (auto own = init.getDefiningOp<sdy::ConstantOp>()) value = dyn_cast<DenseElementsAttr>(Attribute(own.getValue()));
  if (!value && !matchPattern(init, m_Constant(&value))) return false;
  if (auto real = dyn_cast<FloatType>(value.getElementType())) {
    APFloat number = value.getSplatValue<APFloat>();
    if (reducer == Reducer::Sum) return number.isZero();
    if (reducer == Reducer::Product) return number.isExactlyValue(1.0);
    return number.isInfinity() && number.isNegative() == (reducer == Reducer::Max);
  }
  if (!value.getElementType().isIntOrIndex()) return false;
  APInt number = value.getSplatValue<APInt>();
  bool isUnsigned = value.getElementType().isUnsignedInteger() || number.getBitWidth() == 1;
  switch (reducer) {
    case Reducer::Sum:
    case Reducer::Or:
    case Reducer::Xor:
      return number.isZero();
    case Reducer::Product:
      return number.isOne();
    case Reducer::And:
      return number.isAllOnes();
    case Reducer::Max:
      return isUnsigned ? number.isZero() : number.isMinSignedValue();
    case Reducer::Min:
      return isUnsigned ? number.isAllOnes() : number.isMaxSignedValue();
  }
  return false;
}

namespace {

class PartialReduce {
 public:
  PartialReduce(hlo::ReduceOp op, Partitioner &p, const Factors &factors, const Choice &choice)
      : op(op), p(p), factors(factors), choice(choice), count(op.getInputs().size()) {}

  void run() {
    if (count > 1) return any();
    std::optional<Reducer> reducer = reducerOf(op.getBody());
    bool complex = isa<ComplexType>(typeOf(op.getInputs()[0]).getElementType());
    reducer.has_value() && (!complex || *reducer == Reducer::Sum) ? known(*reducer) : any();
  }

 private:
  void known(Reducer reducer) {
    Value init = op.getInitValues()[0];
    bool neutral = isNeutral(init, reducer);
    Value from = neutral ? p.whole(init) : p.emit.neutral(reducer, typeOf(init).getElementType());
    Operation *local = reduce(from);
    p.setResults(op, local, factors, choice, reducer);
    if (neutral) return;
    // The partial results are known here only.
    Layout partial = choice.results(factors)[0], layout = partial;
    partial.unreduced = choice.reduced;
    partial.reducer = reducer;
    RankedTensorType type = typeOf(op->getResult(0));
    Value all = reshard(p.emit, local->getResult(0), type.getShape(), partial, layout);
    Value joined = p.emit.combine(reducer, p.emit.broadcast(p.whole(init), typeOf(all), {}), all);
    p.replace(op->getResult(0), joined, layout);
  }

  SmallVector<Value> inputs(ValueRange fills) {
    SmallVector<Value> inputs;
    for (size_t i = 0; i < count; ++i) {
      Value local = p.get(op->getOperand(i), choice.layouts[i]);
      inputs.push_back(
          p.maskPadding(local, choice.layouts[i], shapeOf(op->getOperand(i)), op.getDimensions(), fills[i]));
    }
    return inputs;
  }

  Operation *reduce(ValueRange fills) {
    SmallVector<Value> operands = inputs(fills);
    llvm::append_range(operands, fills);
    SmallVector<Type> types;
    for (auto [result, layout] : llvm::zip_equal(op->getResults(), choice.results(factors)))
      types.push_back(localType(result.getType(), layout));
    return p.clone(op, operands, types);
  }

  void any() {
    SmallVector<Value> fills = llvm::map_to_vector(op.getInitValues(), [&](Value value) { return p.whole(value); });
    Operation *local = reduce(fills);
    SmallVector<Value> operands;
    SmallVector<Type> types;
    for (Value part : local->getResults()) {
      SmallVector<int64_t> shape(typeOf(part).getShape());
      shape.insert(shape.begin(), 1);
      operands.push_back(p.emit.allGather(p.emit.reshape(part, shape), 0, choice.mesh, choice.reduced));
      types.push_back(part.getType());
    }
    llvm::append_range(operands, fills);
    Operation *all = p.clone(op, operands, types);
    all->setAttr("dimensions", p.emit.builder.getDenseI64ArrayAttr({0}));
    Choice reduced = choice;
    reduced.reduced.clear();
    p.setResults(op, all, factors, reduced);
  }

  hlo::ReduceOp op;
  Partitioner &p;
  const Factors &factors;
  const Choice &choice;
  size_t count;
};

LogicalResult reduce(Operation *op, Partitioner &p) {
  auto reduce = cast<hlo::ReduceOp>(op);
  std::optional<Factors> factors = p.factorsOf(op);
  if (!factors) return p.replicate(op);
  factors->allow(FactorKind::Reduction);
  Choice choice = p.choose(op, *factors);
  if (!choice.reduced.empty()) {
    PartialReduce(reduce, p, *factors, choice).run();
    return success();
  }
  SmallVector<Value> operands = p.operandsFor(op, *factors, choice);
  SmallVector<Type> types;
  for (auto [result, layout] : llvm::zip_equal(op->getResults(), choice.results(*factors)))
    types.push_back(localType(result.getType(), layout));
  p.setResults(op, p.clone(op, operands, types), *factors, choice);
  return success();
}

}  // namespace

void addReduction(Handlers &handlers) { handlers["stablehlo.reduce"] = reduce; }

}  // namespace tpuc::shard
