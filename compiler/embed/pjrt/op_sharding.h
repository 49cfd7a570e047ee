// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shardings as clients of PJRT read them: OpSharding of openxla/xla's xla_data.proto.
#pragma once
#include <string>

#include "runtime/isa/sharding.h"

namespace tpuc::pjrt {

// Serialised.
std::string opSharding(const isa::Sharding &sharding);

}  // namespace tpuc::pjrt
