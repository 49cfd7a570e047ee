// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The PJRT C API's table of functions. A function NAME takes PJRT_NAME_Args and gives an error, null for none.
#pragma once
#include "compiler/embed/pjrt/abi/buffer.h"
#include "compiler/embed/pjrt/abi/client.h"
#include "compiler/embed/pjrt/abi/core.h"
#include "compiler/embed/pjrt/abi/executable.h"
#include "compiler/embed/pjrt/abi/topology.h"

namespace tpuc::pjrt {

#define PJRT_SLOT(name) PJRT_Error *name(PJRT_##name##_Args *args);
#include "compiler/embed/pjrt/abi/slots.def"
#undef PJRT_SLOT

struct PJRT_Api : Args {
  PJRT_Api_Version pjrt_api_version;
#define PJRT_SLOT(name) PJRT_Error *(*PJRT_##name)(PJRT_##name##_Args * args);
#include "compiler/embed/pjrt/abi/slots.def"
#undef PJRT_SLOT
};

// Whether the caller's structure is long enough to have `field`.
template <typename Structure, typename Field>
bool has(const Structure *args, const Field *field) {
  return reinterpret_cast<const char *>(field + 1) - reinterpret_cast<const char *>(args) <=
         static_cast<ptrdiff_t>(args->struct_size);
}

}  // namespace tpuc::pjrt
