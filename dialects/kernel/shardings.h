// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How an argument or a result of one device's program is part of a whole array: attributes that a program may have.
#pragma once
#include "llvm/ADT/StringRef.h"

namespace tpuc::kernel {

// The sharding as HLO spells it (runtime/isa/sharding.h), the whole array's type.
inline constexpr llvm::StringLiteral kShardingAttr("tpuc.sharding"), kGlobalTypeAttr("tpuc.global_type");

}  // namespace tpuc::kernel
