// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments of the PJRT C API's functions on errors, the plugin, events.
// Source of names and layouts: openxla/xla, xla/pjrt/c/pjrt_c_api.h, version 0.114.
#pragma once
#include "compiler/embed/pjrt/abi/types.h"

namespace tpuc::pjrt {

struct PJRT_Error_Destroy_Args : Args {
  PJRT_Error *error;
};
struct PJRT_Error_Message_Args : Args {
  const PJRT_Error *error;
  const char *message;
  size_t message_size;
};
struct PJRT_Error_GetCode_Args : Args {
  const PJRT_Error *error;
  PJRT_Error_Code code;
};
struct PJRT_Plugin_Initialize_Args : Args {};
struct PJRT_Plugin_Attributes_Args : Args {
  const PJRT_NamedValue *attributes;
  size_t num_attributes;
};
struct PJRT_Event_Destroy_Args : Args {
  PJRT_Event *event;
};
struct PJRT_Event_IsReady_Args : Args {
  PJRT_Event *event;
  bool is_ready;
};
struct PJRT_Event_Error_Args : Args {
  PJRT_Event *event;
};
struct PJRT_Event_Await_Args : Args {
  PJRT_Event *event;
};
struct PJRT_Event_OnReady_Args : Args {
  PJRT_Event *event;
  PJRT_Event_OnReadyCallback callback;
  void *user_arg;
};
struct PJRT_Event_Create_Args : Args {
  PJRT_Event *event;
};
struct PJRT_Event_Set_Args : Args {
  PJRT_Event *event;
  PJRT_Error_Code error_code;
  const char *error_message;
  size_t error_message_size;
};
struct PJRT_Error_ForEachPayload_Args : Args {
  const PJRT_Error *error;
  PJRT_ErrorPayloadVisitor visitor;
  void *user_arg;
};

}  // namespace tpuc::pjrt
