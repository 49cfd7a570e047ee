// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Physical registers for virtual ones, without any further code.
#pragma once
#include <vector>

#include "passes/schedule/flow.h"
#include "passes/schedule/liveness.h"

namespace tpuc::schedule {

// Register -> number of the physical one of its kind (kNone: never used). `limits` are the registers of each kind that
// exist. `failed` gets the kinds (as classOf) that do not fit; false if there are any.
bool colour(const Flow &flow, const Liveness &liveness, const ClassCounts &limits, std::vector<int> &physical,
            std::vector<int> &failed);

}  // namespace tpuc::schedule
