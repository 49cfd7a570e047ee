// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Source of the interface: openxla/xla, xla/pjrt/c/pjrt_c_api_stream_extension.h, version 0.114.
#include "compiler/embed/pjrt/stream_extension.h"

#include "absl/strings/str_cat.h"
#include "compiler/embed/pjrt/buffer.h"

namespace tpuc::pjrt {
namespace {

struct GetStream_Args {
  size_t struct_size;
  PJRT_Device *device;
  intptr_t stream;
};
struct WaitOnStream_Args {
  size_t struct_size;
  intptr_t stream;
  PJRT_Buffer *buffer;
};

intptr_t streamOf(const PJRT_Device &device) { return reinterpret_cast<intptr_t>(&device.chip->queue()); }

PJRT_Error *getStream(GetStream_Args *args) {
  args->stream = streamOf(*args->device);
  return nullptr;
}

// What follows on the stream may use the array. Runs wait for their arguments by themselves, so the caller waits here.
PJRT_Error *waitOnStream(WaitOnStream_Args *args) {
  const PJRT_Device &device = *args->buffer->memory->device;
  if (args->stream != streamOf(device))
    return toError(invalidArgument(absl::StrCat("expects the stream of device ", device.description->id)));
  return toError(args->buffer->ready()->wait());
}

struct Extension : PJRT_Extension_Base {
  PJRT_Error *(*getStream)(GetStream_Args *);
  PJRT_Error *(*waitOnStream)(WaitOnStream_Args *);
};

}  // namespace

PJRT_Extension_Base *streamExtension(PJRT_Extension_Base *next) {
  static Extension extension = {{sizeof(Extension), PJRT_Extension_Type_Stream, next}, getStream, waitOnStream};
  return &extension;
}

}  // namespace tpuc::pjrt
