// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop's scalars are, iteration by iteration.
#pragma once
#include <map>
#include <optional>

#include "dialects/stablehlo/stablehlo.h"

namespace tpuc::analysis {

// Signed scalars of up to 32 bits that depend on nothing but counters, which start and step by constants.
class Counters {
 public:
  static constexpr int64_t kMost = 1 << 14;  // iterations that are worth counting out

  explicit Counters(stablehlo::WhileOp loop);

  // Whether the loop has the current iteration; nullopt: not known.
  std::optional<int64_t> goesOn();
  std::optional<int64_t> valueOf(mlir::Value v);
  void step();

 private:
  void bind(mlir::Region &region);
  std::optional<int64_t> evaluate(mlir::Value v);

  stablehlo::WhileOp loop_;
  std::map<unsigned, int64_t> now_;  // by the number of the carried value
  llvm::DenseMap<mlir::Value, int64_t> known_;
};

// How often `op` runs for each time that the block `in` around it does, with `unknown` for loops whose trips nobody
// knows.
double timesOf(mlir::Operation *op, mlir::Block *in, int64_t unknown);

}  // namespace tpuc::analysis
