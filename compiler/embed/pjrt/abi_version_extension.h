// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PJRT's extension for versions of what is compiled: whether an executable can be run here, asked before it is loaded.
#pragma once
#include "compiler/embed/pjrt/abi/api.h"

namespace tpuc::pjrt {

PJRT_Extension_Base *abiVersionExtension(PJRT_Extension_Base *next);

}  // namespace tpuc::pjrt
