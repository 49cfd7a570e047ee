// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By result: the error that matmuls of f32 with rounded inputs explain.
//
//  1. From each result back to all that it depends on: operands, what regions read from outside, of loops the values
//     carried there.
//  2. Of the matmuls on the way, those whose inputs the machine rounds (the choice of passes/lowering/mxu_mode.cpp):
//     one pass of bf16 explains 1.5e-2 where it sums products, which may cancel; a single product 2^-8; three passes
//     1e-4.
#include "compiler/pipeline/note_matmul_errors.h"

#include "dialects/kernel/order.h"
#include "dialects/stablehlo/stablehlo.h"
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

// Of a matmul's inputs in the matrix unit; `precision` as it was asked for.
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

// Single products add up along the way; the rest is what the coarsest explains.
double errorBehind(Value result, StringRef precision) {
  double largest = 0, products = 0;
  llvm::DenseSet<Value> seen;
  llvm::DenseSet<Operation *> noted;
  SmallVector<Value> work{result};
  auto note = [&](Operation *op) {
    if (!noted.insert(op).second) return;
    const double error = errorAt(op, precision);
    if (error == kOneProduct)
      products += error;
    else
      largest = std::max(largest, error);
  };
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!seen.insert(value).second) continue;
    Operation *op = value.getDefiningOp();
    if (!op) op = mlir::cast<BlockArgument>(value).getOwner()->getParentOp();
    note(op);
    if (auto loop = dyn_cast<stablehlo::WhileOp>(op)) {
      const unsigned i = value.getDefiningOp() ? mlir::cast<OpResult>(value).getResultNumber()
                                               : mlir::cast<BlockArgument>(value).getArgNumber();
      work.push_back(loop->getOperand(i));
      work.push_back(loop.getBody().front().getTerminator()->getOperand(i));
      llvm::append_range(work, loop.getCond().front().getTerminator()->getOperands());
    } else if (value.getDefiningOp()) {
      llvm::append_range(work, op->getOperands());
      for (Region &region : op->getRegions())
        region.walk([&](Operation *inner) {
          note(inner);
          llvm::append_range(work, inner->getOperands());
        });
    }
  }
  return std::max(largest, std::min(products, kOnePass));
}

}  // namespace

void noteMatmulErrors(ModuleOp module, StringRef precision) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main || main.isExternal()) return;
  Builder b(module.getContext());
  SmallVector<Attribute> errors;
  bool any = false;
  for (Value result : main.getBody().front().getTerminator()->getOperands()) {
    const double error = errorBehind(result, precision);
    errors.push_back(b.getF64FloatAttr(error));
    any |= error > 0;
  }
  if (any) module->setAttr(kernel::kMatmulErrorsAttr, b.getArrayAttr(errors));
}

}  // namespace tpuc
