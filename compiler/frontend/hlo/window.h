// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Window: what it says of each dim, in lists as StableHLO has them.
#ifndef TPUC_COMPILER_FRONTEND_HLO_WINDOW_H
#define TPUC_COMPILER_FRONTEND_HLO_WINDOW_H

#include "compiler/frontend/hlo/fields.h"
#include "compiler/frontend/hlo/message.h"

namespace tpuc::frontend::hlo {

struct WindowDims {
  explicit WindowDims(const Message &window) {
    for (const Message &dim : window.messages(kWindowDims)) {
      sizes.push_back(dim.number(kWindowSize));
      strides.push_back(dim.number(kWindowStride, 1));
      padding.push_back({dim.number(kPaddingLow), dim.number(kPaddingHigh)});
      baseDilations.push_back(dim.number(kBaseDilation, 1));
      windowDilations.push_back(dim.number(kWindowDilation, 1));
      reversal.push_back(dim.flag(kReversal));
    }
  }

  llvm::SmallVector<int64_t> sizes, strides, baseDilations, windowDilations;
  llvm::SmallVector<llvm::SmallVector<int64_t>> padding;
  llvm::SmallVector<bool> reversal;
};

}  // namespace tpuc::frontend::hlo

#endif  // TPUC_COMPILER_FRONTEND_HLO_WINDOW_H
