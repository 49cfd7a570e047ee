// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a run says, in the terms of the timing walk.
#include "compiler/tools/timed.h"

namespace tpuc::tools {

report::SharedCounters runCounters(const exec::Statistics &s) {
  return report::perRun(s.runs, s.bundles, s.issues, s.pushes, s.dmaBytes);
}

}  // namespace tpuc::tools
