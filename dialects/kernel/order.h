// What says the order of an argument's or a result's dims in memory.
#pragma once
#include "llvm/ADT/StringRef.h"

namespace tpuc::kernel {

inline constexpr llvm::StringLiteral kOrderAttr("tpuc.order");

}  // namespace tpuc::kernel
