// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpSharding as the text of the attribute mhlo.sharding.
#ifndef TPUC_COMPILER_FRONTEND_HLO_SHARDING_H
#define TPUC_COMPILER_FRONTEND_HLO_SHARDING_H

#include <string>

#include "compiler/frontend/hlo/message.h"

namespace tpuc::frontend::hlo {

std::string shardingText(const Message &sharding);
// The sharding of each leaf of a tuple; the own one of an array. Empty where their number is another.
llvm::SmallVector<std::string> shardingsOfLeaves(const Message &sharding, size_t leaves);

}  // namespace tpuc::frontend::hlo

#endif  // TPUC_COMPILER_FRONTEND_HLO_SHARDING_H
