// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PJRT's extension for shardings: no argument and no result has one. A caller who is not told so converts the whole
// program to HLO to find out.
#pragma once
#include "compiler/embed/pjrt/abi/api.h"

namespace tpuc::pjrt {

PJRT_Extension_Base *shardingsExtension(PJRT_Extension_Base *next);

}  // namespace tpuc::pjrt
