// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element types that stand for numbers of another type: their values are held as integers, moved as integers, and
// decoded and encoded around whatever computes.
#pragma once
#include "passes/legalise/legaliser.h"

namespace tpuc::legalise {

class RepresentedLegaliser : public Legaliser {
 protected:
  // The integers that hold `element`; null when it may stay.
  virtual mlir::Type storageOf(mlir::Type element) = 0;
  // The type that an op on `element` computes in.
  virtual mlir::Type numberOf(mlir::Type element, mlir::Operation *op) = 0;
  // `type` is that of the array in the program.
  virtual mlir::Value decode(Lanes &l, mlir::Value held, mlir::RankedTensorType type, mlir::Operation *op) = 0;
  virtual mlir::Value encode(Lanes &l, mlir::Value number, mlir::RankedTensorType type, mlir::Operation *op) = 0;
  // Whether a reduction or its like computes in numbers throughout, encoded once at its end.
  virtual bool accumulatesInNumbers(mlir::Operation *) { return true; }
  // Ops with a rule of their own: the values of their results, none for the others.
  virtual Planes ownRule(mlir::OpBuilder &, mlir::Operation *) { return {}; }

  llvm::SmallVector<mlir::Type> partsOf(mlir::Type element) final;
  Planes expand(Lanes &, mlir::Operation *, llvm::ArrayRef<Planes>) final { return {}; }
  bool dissolves(mlir::Operation *op) final;

  bool isRepresented(mlir::Type type) { return isWide(type); }
  // An operand as the op computes on it.
  mlir::Value number(mlir::OpBuilder &b, mlir::Value v, mlir::Operation *op);
  mlir::Value held(mlir::OpBuilder &b, mlir::Value number, mlir::Type type, mlir::Operation *op);

 private:
  bool keepsBits(mlir::Operation *op);
  bool convertElements(mlir::Operation *op);
  bool bitcast(mlir::Operation *op);
  bool compute(mlir::Operation *op);
  void toNumbers(mlir::Block &block, mlir::Operation *op);
  void finish(mlir::Operation *op, mlir::ValueRange values);
};

}  // namespace tpuc::legalise
