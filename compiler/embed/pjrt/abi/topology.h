// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments of the PJRT C API's functions on topologies.
// Source of names and layouts: openxla/xla, xla/pjrt/c/pjrt_c_api.h, version 0.114.
#pragma once
#include "compiler/embed/pjrt/abi/types.h"

namespace tpuc::pjrt {

struct PJRT_TopologyDescription_Create_Args : Args {
  const char *topology_name;
  size_t topology_name_size;
  const PJRT_NamedValue *create_options;
  size_t num_options;
  PJRT_TopologyDescription *topology;
};
struct PJRT_TopologyDescription_Destroy_Args : Args {
  PJRT_TopologyDescription *topology;
};
struct PJRT_TopologyDescription_PlatformName_Args : Args {
  const PJRT_TopologyDescription *topology;
  const char *platform_name;
  size_t platform_name_size;
};
struct PJRT_TopologyDescription_PlatformVersion_Args : Args {
  PJRT_TopologyDescription *topology;
  const char *platform_version;
  size_t platform_version_size;
};
struct PJRT_TopologyDescription_GetDeviceDescriptions_Args : Args {
  const PJRT_TopologyDescription *topology;
  PJRT_DeviceDescription *const *descriptions;
  size_t num_descriptions;
};
struct PJRT_TopologyDescription_Serialize_Args : Args {
  PJRT_TopologyDescription *topology;
  const char *serialized_bytes;
  size_t serialized_bytes_size;
  PJRT_SerializedTopology *serialized_topology;
  void (*serialized_topology_deleter)(PJRT_SerializedTopology *serialized_topology);
};
struct PJRT_TopologyDescription_Attributes_Args : Args {
  PJRT_TopologyDescription *topology;
  const PJRT_NamedValue *attributes;
  size_t num_attributes;
};
struct PJRT_TopologyDescription_Deserialize_Args : Args {
  const char *serialized_topology;
  size_t serialized_topology_size;
  PJRT_TopologyDescription *topology;
};
struct PJRT_TopologyDescription_Fingerprint_Args : Args {
  PJRT_TopologyDescription *topology;
  uint64_t fingerprint;
};
struct PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace_Args : Args {
  const PJRT_TopologyDescription *topology;
  int memory_space_kind_id;
  const int64_t *dims;
  size_t num_dims;
  PJRT_Buffer_Type element_type;
  PJRT_Buffer_MemoryLayout *layout;
  const char *serialized_shape;
  size_t serialized_shape_size;
  void (*serialized_shape_deleter)(const char *);
};
struct PJRT_TopologyDescription_GetMemorySpaceKindIds_Args : Args {
  const PJRT_TopologyDescription *topology;
  const int *memory_space_kind_ids;
  size_t num_memory_space_kind_ids;
};

}  // namespace tpuc::pjrt
