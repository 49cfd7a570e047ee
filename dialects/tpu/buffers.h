// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "llvm/ADT/StringRef.h"

namespace tpuc::tpu {

// On a buffer in VMEM: a loop reads it in each iteration. The loop ends after the last kernel of `live`.
inline constexpr llvm::StringLiteral kReadAgainAttr("tpu.read_again");

// On a buffer in VMEM: the entry brings it there, and no kernel makes it.
inline constexpr llvm::StringLiteral kFetchedAttr("tpu.fetched");

// On a buffer in VMEM: loops or branches carry it, so that the entry or several kernels bring it there.
inline constexpr llvm::StringLiteral kCarriedAttr("tpu.carried");

}  // namespace tpuc::tpu
