// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results against what is expected of them.
#pragma once
#include <string>

#include "compiler/tools/elements.h"
#include "llvm/ADT/StringRef.h"
#include "runtime/isa/executable.h"

namespace tpuc::tools {

struct Comparison {
  bool ok = true;
  bool exact = false;  // integers and booleans: equal or not
  // Relative to the largest magnitude expected, or to a larger scale; infinite where one is NaN and the other not.
  double largestError = 0;
  int64_t different = 0;  // elements beyond the limit
  std::string where;      // the worst element: "at [3, 5]: expects 1.5, but got 2"
};

// Within `tolerance` of `want`, relative to its largest magnitude, or to `scale` where that is larger; integers and
// booleans exactly.
Comparison compare(const HostArray &got, const HostArray &want, double tolerance, double scale = 0);
// As check.expect_eq, expect_almost_eq and expect_close define it.
Comparison compareExpectation(const isa::proto::Expectation &expectation, const HostArray &got, const HostArray &want);

}  // namespace tpuc::tools
