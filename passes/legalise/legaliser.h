// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces values of types that a lane cannot hold by values of narrower types, through control flow and regions.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/legalise/wide.h"

namespace tpuc::legalise {

class Legaliser {
 public:
  virtual ~Legaliser() = default;
  mlir::LogicalResult run(mlir::func::FuncOp func);

 protected:
  // Element types that stand for `element`; empty when it may stay.
  virtual llvm::SmallVector<mlir::Type> partsOf(mlir::Type element) = 0;
  // The parts of one scalar, as attributes of the parts' types.
  virtual llvm::SmallVector<mlir::Attribute> partsOfScalar(mlir::Attribute scalar, mlir::Type element) = 0;
  // An elementwise op with a wide operand or result; none when there is no rule. A scalar operand comes as an array.
  virtual Planes expand(Lanes &l, mlir::Operation *op, llvm::ArrayRef<Planes> operands) = 0;
  // `enter`: the parts of an argument of the function. `leave`: a result, of its parts.
  virtual Planes enter(mlir::OpBuilder &b, mlir::Value whole) = 0;
  virtual mlir::Value leave(mlir::OpBuilder &b, const Planes &parts, mlir::Type whole) = 0;
  // Ops of the kernel dialect that an earlier legaliser left at the function's boundary.
  virtual bool dissolves(mlir::Operation *) { return false; }

  bool isWide(mlir::Value v) { return isWide(v.getType()); }
  bool isWide(mlir::Type t);
  Planes planes(mlir::Value v) { return isWide(v) ? planes_.lookup(v) : Planes{v}; }
  void setPlanes(mlir::Value v, const Planes &p) { planes_[v] = p; }
  llvm::SmallVector<mlir::Type> flattened(mlir::TypeRange types);

 private:
  mlir::LogicalResult convertBlock(mlir::Block &block);
  mlir::LogicalResult convert(mlir::Operation *op);
  mlir::LogicalResult elementwise(mlir::Operation *op);
  mlir::LogicalResult constant(stablehlo::ConstantOp op);
  void perPlane(mlir::Operation *op);
  void hostCall(mlir::Operation *op);
  void flatten(mlir::Operation *op);
  void convertArguments(mlir::Block &block, bool interleaved);
  bool narrowIndices(mlir::Operation *op);
  void replace(mlir::Operation *op, llvm::ArrayRef<Planes> results);

  llvm::DenseMap<mlir::Value, Planes> planes_;
  llvm::SmallVector<mlir::Operation *> dead_;
};

}  // namespace tpuc::legalise
