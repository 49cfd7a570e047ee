//===- trip_counts.h - how often loops run, where no data decides it ---------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_PASSES_SIMPLIFY_TRIP_COUNTS_H
#define TPUC_PASSES_SIMPLIFY_TRIP_COUNTS_H

#include "passes/simplify/patterns.h"

namespace tpuc::simplify {

// Runs the scalar slice of loops' conditions at compile time, with a limit on the work. It sees what scalar.cpp
// evaluates, branches and loops within loops; one value from an array or an argument makes a trip count unknown.
class TripCounts {
 public:
  // Iterations of the loop each time it is reached; nothing where they are not known, or differ from one time to the
  // next.
  std::optional<int64_t> of(stablehlo::WhileOp loop);

 private:
  using Values = llvm::SmallVector<std::optional<Scalar>>;
  // Values of one region while its loop is run here, around those of the loops around it.
  struct Frame {
    mlir::Region *region;
    Frame *outer;
    llvm::DenseMap<mlir::Value, std::optional<Scalar>> known{};
  };
  struct Run {
    std::optional<int64_t> trips;
    Values finals;  // of the carried values that the condition and the wanted result depend on
  };

  std::optional<Scalar> valueOf(mlir::Value value, Frame *frame);
  std::optional<Scalar> argument(mlir::BlockArgument argument, Frame *frame);
  std::optional<Scalar> compute(mlir::OpResult value, Frame *frame);
  std::optional<Scalar> branch(mlir::Operation *op, unsigned result, Frame *frame);
  std::optional<Scalar> elementwise(mlir::Operation *op, Frame *frame);
  Run run(stablehlo::WhileOp loop, std::optional<unsigned> result, Frame *frame);
  std::optional<int64_t> closedForm(stablehlo::WhileOp loop, const Values &now, Frame *frame);

  llvm::DenseMap<mlir::Value, std::optional<Scalar>> outside_;  // of values around all loops that are run
  int64_t work_ = 0;                                            // of the loop that was asked for
  int depth_ = 0;
};

}  // namespace tpuc::simplify

#endif  // TPUC_PASSES_SIMPLIFY_TRIP_COUNTS_H
