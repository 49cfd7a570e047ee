// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Source of the interface: openxla/xla, xla/pjrt/c/pjrt_c_api_layouts_extension.h, version 0.114.
#include "compiler/embed/pjrt/layouts_extension.h"

#include <numeric>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "compiler/embed/pjrt/program.h"

namespace tpuc::pjrt {
namespace {

struct Layout {
  std::string text;
};
struct Serialized {
  std::string text;
};

struct Layout_Destroy_Args : Args {
  Layout *layout;
};
struct Layout_Serialize_Args : Args {
  Layout *layout;
  const char *serialized_bytes;
  size_t serialized_bytes_size;
  Serialized *serialized_layout;
  void (*serialized_layout_deleter)(Serialized *);
};
struct Client_GetDefaultLayout_Args : Args {
  PJRT_Client *client;
  PJRT_Buffer_Type type;
  const int64_t *dims;
  size_t num_dims;
  Layout *layout;
};
struct Buffer_MemoryLayout_Args : Args {
  PJRT_Buffer *buffer;
  Layout *layout;
};
struct Topology_GetDefaultLayout_Args : Args {
  PJRT_TopologyDescription *topology_description;
  PJRT_Buffer_Type type;
  const int64_t *dims;
  size_t num_dims;
  Layout *layout;
};
struct Executable_Layouts_Args : Args {
  PJRT_Executable *executable;
  size_t count;
  Layout **layouts;
};

// A layout as XLA writes it: the fastest dim first.
std::string textOf(const std::vector<int64_t> &minorToMajor) {
  return absl::StrCat("{", absl::StrJoin(minorToMajor, ","), "}");
}

std::string rowMajor(size_t rank) {
  std::vector<int64_t> dims(rank);
  std::iota(dims.rbegin(), dims.rend(), 0);
  return textOf(dims);
}

PJRT_Error *destroyLayout(Layout_Destroy_Args *args) {
  delete args->layout;
  return nullptr;
}

PJRT_Error *serializeLayout(Layout_Serialize_Args *args) {
  auto *out = new Serialized{args->layout->text};
  args->serialized_bytes = out->text.data();
  args->serialized_bytes_size = out->text.size();
  args->serialized_layout = out;
  args->serialized_layout_deleter = [](Serialized *serialized) { delete serialized; };
  return nullptr;
}

PJRT_Error *clientDefaultLayout(Client_GetDefaultLayout_Args *args) {
  args->layout = new Layout{rowMajor(args->num_dims)};
  return nullptr;
}

PJRT_Error *bufferLayout(Buffer_MemoryLayout_Args *args) {
  args->layout = new Layout{textOf(args->buffer->minorToMajor)};
  return nullptr;
}

PJRT_Error *topologyDefaultLayout(Topology_GetDefaultLayout_Args *args) {
  args->layout = new Layout{rowMajor(args->num_dims)};
  return nullptr;
}

// The caller destroys each layout and never the list, which lives as long as the process: one for each number of dims'
// list.
PJRT_Error *listLayouts(const std::vector<ProgramArray> &arrays, Executable_Layouts_Args *args) {
  args->count = arrays.size();
  args->layouts = new Layout *[arrays.size()];
  for (size_t i = 0; i < arrays.size(); ++i) args->layouts[i] = new Layout{textOf(arrays[i].minorToMajor)};
  return nullptr;
}

PJRT_Error *outputLayouts(Executable_Layouts_Args *args) {
  return listLayouts(args->executable->program->results, args);
}
PJRT_Error *parameterLayouts(Executable_Layouts_Args *args) {
  return listLayouts(args->executable->program->arguments, args);
}

struct Extension : PJRT_Extension_Base {
  PJRT_Error *(*memoryLayoutDestroy)(Layout_Destroy_Args *);
  PJRT_Error *(*memoryLayoutSerialize)(Layout_Serialize_Args *);
  PJRT_Error *(*clientGetDefaultLayout)(Client_GetDefaultLayout_Args *);
  PJRT_Error *(*bufferMemoryLayout)(Buffer_MemoryLayout_Args *);
  PJRT_Error *(*topologyGetDefaultLayout)(Topology_GetDefaultLayout_Args *);
  PJRT_Error *(*executableGetOutputLayouts)(Executable_Layouts_Args *);
  PJRT_Error *(*executableGetParameterLayouts)(Executable_Layouts_Args *);
};

}  // namespace

PJRT_Extension_Base *layoutsExtension(PJRT_Extension_Base *next) {
  static Extension extension = {{sizeof(Extension), PJRT_Extension_Type_Layouts, next},
                                destroyLayout,
                                serializeLayout,
                                clientDefaultLayout,
                                bufferLayout,
                                topologyDefaultLayout,
                                outputLayouts,
                                parameterLayouts};
  return &extension;
}

}  // namespace tpuc::pjrt
