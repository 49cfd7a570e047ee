// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes at which a bucket may end.
#pragma once
#include "compiler/buckets/choose.h"

namespace tpuc::buckets {

using Candidates = std::vector<std::vector<int64_t>>;  // of each symbol, ascending; the last is its largest size

// Every size that occurs where at most `most` combinations come of it. Else the largest below multiples of a step,
// and those that halve, quarter, ... the runs.
Candidates firstCandidates(const Histogram &histogram, size_t most);

// Adds the sizes that halve the gaps beside the ends that were chosen. False where there is none, or no room.
bool refine(Candidates &candidates, const Histogram &histogram, const Ends &chosen, size_t most);

}  // namespace tpuc::buckets
