// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plugin's one symbol: the table of functions.
#include "compiler/embed/pjrt/abi/api.h"
#include "compiler/embed/pjrt/abi_version_extension.h"
#include "compiler/embed/pjrt/host_calls_extension.h"
#include "compiler/embed/pjrt/layouts_extension.h"
#include "compiler/embed/pjrt/named_values.h"
#include "compiler/embed/pjrt/shardings_extension.h"
#include "compiler/embed/pjrt/stream_extension.h"

namespace tpuc::pjrt {
namespace {

// The versions that portable artifacts may have: clients write the older of theirs and the current one.
const NamedValues &attributes() {
  static const NamedValues *values = [] {
    auto *v = new NamedValues;
    v->add("xla_version", int64_t{2});
    v->add("stablehlo_current_version", std::vector<int64_t>{1, 17, 0});
    v->add("stablehlo_minimum_version", std::vector<int64_t>{0, 9, 0});
    return v;
  }();
  return *values;
}

PJRT_Api makeApi() {
  PJRT_Api api = {};
  api.struct_size = sizeof(PJRT_Api);
  api.extension_start =
      layoutsExtension(shardingsExtension(abiVersionExtension(streamExtension(hostCallsExtension(nullptr)))));
  api.pjrt_api_version.struct_size = sizeof(PJRT_Api_Version);
  api.pjrt_api_version.major_version = kApiMajor;
  api.pjrt_api_version.minor_version = kApiMinor;
#define PJRT_SLOT(name) api.PJRT_##name = name;
#include "compiler/embed/pjrt/abi/slots.def"
#undef PJRT_SLOT
  return api;
}

}  // namespace

PJRT_Error *Plugin_Initialize(PJRT_Plugin_Initialize_Args *) { return nullptr; }

PJRT_Error *Plugin_Attributes(PJRT_Plugin_Attributes_Args *args) {
  args->attributes = attributes().data();
  args->num_attributes = attributes().size();
  return nullptr;
}

}  // namespace tpuc::pjrt

extern "C" __attribute__((visibility("default"))) const tpuc::pjrt::PJRT_Api *GetPjrtApi() {
  static const tpuc::pjrt::PJRT_Api api = tpuc::pjrt::makeApi();
  return &api;
}
