// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear expressions over values that the machine computes.
#pragma once
#include "mlir/IR/Value.h"

namespace tpuc::plan {

// constant + sum of value * coefficient, over i64 values.
struct Linear {
  int64_t constant = 0;
  llvm::SmallVector<std::pair<mlir::Value, int64_t>, 4> terms;

  Linear() = default;
  Linear(int64_t c) : constant(c) {}
  Linear(mlir::Value v) { terms.push_back({v, 1}); }
  bool isConstant() const { return terms.empty(); }
};
Linear operator+(const Linear &a, const Linear &b);
Linear operator*(const Linear &a, int64_t factor);
bool isSame(const Linear &a, const Linear &b);  // written alike

}  // namespace tpuc::plan
