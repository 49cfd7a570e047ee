// Windows that end (or begin) at each element and hold all before (after) it: running sums, products, extremes.
#pragma once
#include <optional>

#include "dialects/stablehlo/stablehlo.h"

namespace tpuc::kernel {

struct Scan {
  int64_t dim = 0;
  bool reversed = false;  // from the last element on
};

// What a reduce_window scans; nullopt where it is another window, or its computation is not one op that its initial value leaves unchanged.
std::optional<Scan> scanOf(stablehlo::ReduceWindowOp op);

}  // namespace tpuc::kernel
