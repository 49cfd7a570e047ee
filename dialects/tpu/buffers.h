// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "llvm/ADT/StringRef.h"

namespace tpuc::tpu {

// On a buffer in VMEM: a loop reads it in each iteration. The loop ends after the last kernel of `live`, and another
// kernel comes behind it.
inline constexpr llvm::StringLiteral kReadAgainAttr("tpu.read_again");

// On a buffer in VMEM: the entry brings it there, and no kernel makes it.
inline constexpr llvm::StringLiteral kFetchedAttr("tpu.fetched");

}  // namespace tpuc::tpu
