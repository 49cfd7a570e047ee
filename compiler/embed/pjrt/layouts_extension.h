// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PJRT's extension for layouts: every array lies on the device as its type and shape say, which callers see as
// row-major.
#pragma once
#include "compiler/embed/pjrt/abi/api.h"

namespace tpuc::pjrt {

PJRT_Extension_Base *layoutsExtension(PJRT_Extension_Base *next);

}  // namespace tpuc::pjrt
