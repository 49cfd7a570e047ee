// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By result: the error that matmuls of f32 with rounded inputs explain.
//
//  1. In the order of the program, of each value what stands behind it: its op's operands, what regions read from
//     outside, of loops the values carried there.
//  2. Of the matmuls on the way, those whose inputs the machine rounds (the choice of passes/plan/dot/mxu_mode.cpp):
//     one pass of bf16 explains 1.5e-2 where it sums products, which may cancel; a single product 2^-8; three passes
//     1e-4.
#include "compiler/pipeline/note_matmul_errors.h"

#include "dialects/kernel/order.h"
#include "dialects/stablehlo/stablehlo.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace tpuc {
namespace {

constexpr double kOnePass = 1.5e-2, kThreePasses = 1e-4, kOneProduct = 0x1p-8;

StringRef configured(std::optional<ArrayAttr> config) {
  StringRef precision = "default";
  if (!config) return precision;
  for (Attribute attribute : *config) {
    auto value = mlir::cast<stablehlo::PrecisionAttr>(attribute).getValue();
    if (value == stablehlo::Precision::HIGHEST)
      precision = "highest";
    else if (value == stablehlo::Precision::HIGH && precision == "default")
      precision = "high";
  }
  return precision;
}

// Numbers as the matrix unit gets them: complex ones are pairs of f32.
Type numberOf(Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  auto complex = dyn_cast<ComplexType>(element);
  return complex ? complex.getElementType() : element;
}

// The relative error that the matrix unit gives a matmul's inputs; `precision` as it was asked for.
double errorOf(Operation *op, StringRef precision, bool oneProduct) {
  Type lhs = numberOf(op->getOperand(0)), rhs = numberOf(op->getOperand(1));
  const bool rounds = (lhs.isF32() && (rhs.isF32() || rhs.isBF16())) || (lhs.isBF16() && rhs.isF32());
  if (!rounds || precision == "highest") return 0;
  if (precision == "high") return kThreePasses;
  return oneProduct ? kOneProduct : kOnePass;
}

double errorAt(Operation *op, StringRef precision) {
  if (auto conv = dyn_cast<stablehlo::ConvolutionOp>(op))
    return errorOf(op, precision.empty() ? configured(conv.getPrecisionConfig()) : precision, false);
  if (auto dot = dyn_cast<stablehlo::DotOp>(op))
    return errorOf(op, precision.empty() ? configured(dot.getPrecisionConfig()) : precision, false);
  auto dot = dyn_cast<stablehlo::DotGeneralOp>(op);
  if (!dot) return 0;
  if (precision.empty()) precision = configured(dot.getPrecisionConfig());
  // An algorithm is part of what the program computes.
  if (auto algorithm = dot.getAlgorithm()) {
    const bool bf16 = algorithm->getLhsPrecisionType().isBF16() && algorithm->getRhsPrecisionType().isBF16();
    const int64_t products = algorithm->getNumPrimitiveOperations();
    precision = !bf16 || products > 3 ? "highest" : products > 1 ? "high" : "default";
  }
  int64_t summed = 1;
  for (int64_t d : dot.getDotDimensionNumbers().getLhsContractingDimensions())
    summed *= mlir::cast<ShapedType>(dot.getLhs().getType()).getDimSize(d);
  return errorOf(op, precision, summed <= 1 && !op->getParentOfType<stablehlo::WhileOp>());
}

// What matmuls behind a value explain. Single products add up along the way; the rest is what the coarsest explains.
struct Behind {
  double largest = 0;
  llvm::SmallSetVector<Operation *, 4> products;  // the first that are found; more explain no more

  // Whether it grew.
  bool add(const Behind &other) {
    const double before = largest;
    largest = std::max(largest, other.largest);
    bool grew = largest > before;
    for (Operation *op : other.products) grew |= addProduct(op);
    return grew;
  }
  bool addProduct(Operation *op) { return products.size() * kOneProduct < kOnePass && products.insert(op); }
  double error() const { return std::max(largest, std::min(products.size() * kOneProduct, kOnePass)); }
};

// The errors of all values of a function, in the order of the program. Loops are walked until what they carry grows no
// more.
class Errors {
 public:
  explicit Errors(StringRef precision) : precision(precision) {}

  void walk(Block &block) {
    for (Operation &op : block) {
      if (auto loop = dyn_cast<stablehlo::WhileOp>(op))
        walkLoop(loop);
      else if (op.getNumResults())
        walkOp(&op);
    }
  }
  Behind of(Value value) const { return behind.lookup(value); }

 private:
  bool add(Value value, Value from) {
    auto entry = behind.find(from);
    if (entry == behind.end()) return false;
    const Behind copy = entry->second;
    return behind[value].add(copy);
  }

  // An op with regions depends on all that they read and compute.
  void walkOp(Operation *op) {
    Behind all;
    auto note = [&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (auto entry = behind.find(operand); entry != behind.end()) all.add(entry->second);
      const double error = errorAt(inner, precision);
      error == kOneProduct ? (void)all.addProduct(inner) : (void)(all.largest = std::max(all.largest, error));
    };
    note(op);
    for (Region &region : op->getRegions()) region.walk(note);
    if (all.error() == 0) return;
    for (Value result : op->getResults()) behind[result].add(all);
  }

  void walkLoop(stablehlo::WhileOp loop) {
    Block &cond = loop.getCond().front(), &body = loop.getBody().front();
    Value proceeds = cond.getTerminator()->getOperand(0);
    for (bool grew = true; std::exchange(grew, false);) {
      for (auto [i, value] : llvm::enumerate(body.getArguments())) {
        grew |= add(value, loop->getOperand(i));
        grew |= add(value, proceeds);
        (void)add(cond.getArgument(i), value);
      }
      walk(cond);
      walk(body);
      for (auto [value, next] : llvm::zip_equal(body.getArguments(), body.getTerminator()->getOperands()))
        grew |= add(value, next);
    }
    for (auto [result, value] : llvm::zip_equal(loop->getResults(), body.getArguments())) add(result, value);
  }

  StringRef precision;
  llvm::DenseMap<Value, Behind> behind;
};

}  // namespace

void noteMatmulErrors(ModuleOp module, StringRef precision) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main || main.isExternal()) return;
  Builder b(module.getContext());
  SmallVector<Attribute> errors;
  bool any = false;
  Errors behind(precision);
  behind.walk(main.getBody().front());
  for (Value result : main.getBody().front().getTerminator()->getOperands()) {
    const double error = behind.of(result).error();
    errors.push_back(b.getF64FloatAttr(error));
    any |= error > 0;
  }
  if (any) module->setAttr(kernel::kMatmulErrorsAttr, b.getArrayAttr(errors));
}

}  // namespace tpuc
