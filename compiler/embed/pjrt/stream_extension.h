// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PJRT's extension for streams: a device's runs follow one another in one queue, which is its stream.
#pragma once
#include "compiler/embed/pjrt/abi/api.h"

namespace tpuc::pjrt {

PJRT_Extension_Base *streamExtension(PJRT_Extension_Base *next);

}  // namespace tpuc::pjrt
