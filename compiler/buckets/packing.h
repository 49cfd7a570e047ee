// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What rows hold that several short sequences share.
#pragma once
#include "compiler/buckets/histogram.h"

namespace tpuc::buckets {

struct Packing {
  int64_t row = 0;       // elements
  double sequences = 0;  // of a row, on average
  double padding = 0;    // share of the elements that no sequence has
};

// Best-fit decreasing (Johnson 1973) over the first symbol's sizes, into rows of the largest. Of many runs a sample in
// proportion is packed.
Packing packedRows(const Histogram &histogram);

}  // namespace tpuc::buckets
