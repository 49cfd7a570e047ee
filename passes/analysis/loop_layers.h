// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that a loop has anew in each iteration, and arrays in which all of them lie side by side.
#pragma once
#include "dialects/stablehlo/stablehlo.h"

namespace tpuc::analysis {

struct Layers {
  mlir::Value value;  // an iteration's
  mlir::Value stack;  // [iterations, ..]; null: there is none
  mlir::Value index;  // where an iteration's lies; null: at the iteration's number
};

class LoopLayers {
 public:
  explicit LoopLayers(stablehlo::WhileOp loop);

  // 0 where it is not known, or beyond what is counted out.
  int64_t trips() const { return trips_; }
  // Whether a value of the body is the same in all iterations.
  bool isConstant(mlir::Value v);
  // Such a value, outside of the loop.
  mlir::Value outside(mlir::Value v);
  // Whether it is each of 0 to trips - 1 once.
  bool visitsAll(mlir::Value index);
  // The layers of a value that is read from a stack, where the stack is the same in all iterations.
  std::optional<Layers> layersIn(mlir::Value v);
  // Whether a part of `sizes` of a stack is one layer of it.
  bool isLayer(mlir::RankedTensorType stack, llvm::ArrayRef<int64_t> sizes) const;
  // What the loop carries; 0 of what is no array.
  int64_t carriedBytes();
  static int64_t bytesOf(mlir::Value v);

 private:
  stablehlo::WhileOp loop_;
  mlir::Block &body_;
  int64_t trips_ = 0;
  llvm::DenseMap<mlir::Value, bool> visitsAll_;
};

}  // namespace tpuc::analysis
