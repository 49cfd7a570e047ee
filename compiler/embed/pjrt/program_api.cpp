// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The API's functions on programs: compile, load, run, and what is known of them.
#include <cstring>

#include "absl/strings/str_cat.h"
#include "compiler/embed/pjrt/hlo_with_config.h"
#include "compiler/embed/pjrt/program.h"
#include "compiler/embed/pjrt/status.h"

namespace tpuc::pjrt {

struct PJRT_SerializedExecutable {
  std::string bytes;
};
struct PJRT_SerializedCompileOptions {
  std::string bytes;
};
struct PJRT_DeviceAssignmentSerialized {
  std::string bytes;
};
struct PJRT_ExecuteContext {};

namespace {

std::string_view text(const char *data, size_t size) { return {data ? data : "", data ? size : 0}; }

StatusOr<std::unique_ptr<PJRT_LoadedExecutable>> compileAndLoad(PJRT_Client *client, const PJRT_Program &program,
                                                                std::string_view options) {
  auto compiled = CompiledProgram::compile(client, *client->topology, text(program.code, program.code_size),
                                           text(program.format, program.format_size), options);
  if (!compiled.ok()) return compiled.status();
  return PJRT_LoadedExecutable::load(client, std::move(*compiled));
}

// Which arguments a caller keeps although the program takes them over.
std::vector<bool> kept(const PJRT_ExecuteOptions *options, size_t count) {
  std::vector<bool> keep(count);
  if (!options || !has(options, &options->num_non_donatable_input_indices)) return keep;
  for (size_t i = 0; i < options->num_non_donatable_input_indices; ++i) {
    int64_t index = options->non_donatable_input_indices[i];
    if (index >= 0 && index < static_cast<int64_t>(count)) keep[index] = true;
  }
  return keep;
}

}  // namespace

PJRT_Error *Client_Compile(PJRT_Client_Compile_Args *args) {
  auto loaded = compileAndLoad(args->client, *args->program, text(args->compile_options, args->compile_options_size));
  if (!loaded.ok()) return toError(loaded.status());
  args->executable = loaded->release();
  return nullptr;
}

PJRT_Error *Compile(PJRT_Compile_Args *args) {
  auto program = CompiledProgram::compile(
      args->client, *args->topology, text(args->program->code, args->program->code_size),
      text(args->program->format, args->program->format_size), text(args->compile_options, args->compile_options_size));
  if (!program.ok()) return toError(program.status());
  args->executable = new PJRT_Executable{std::move(*program)};
  return nullptr;
}

PJRT_Error *Client_Load(PJRT_Client_Load_Args *args) {
  auto loaded = PJRT_LoadedExecutable::load(args->client, args->executable->program);
  if (!loaded.ok()) return toError(loaded.status());
  args->loaded_executable = loaded->release();
  return nullptr;
}

PJRT_Error *Executable_Destroy(PJRT_Executable_Destroy_Args *args) {
  delete args->executable;
  return nullptr;
}

PJRT_Error *Executable_Name(PJRT_Executable_Name_Args *args) {
  args->executable_name = args->executable->program->name.data();
  args->executable_name_size = args->executable->program->name.size();
  return nullptr;
}

PJRT_Error *Executable_NumReplicas(PJRT_Executable_NumReplicas_Args *args) {
  args->num_replicas = args->executable->program->options.replicas;
  return nullptr;
}

PJRT_Error *Executable_NumPartitions(PJRT_Executable_NumPartitions_Args *args) {
  args->num_partitions = args->executable->program->options.partitions;
  return nullptr;
}

PJRT_Error *Executable_NumOutputs(PJRT_Executable_NumOutputs_Args *args) {
  args->num_outputs = args->executable->program->results.size();
  return nullptr;
}

PJRT_Error *Executable_SizeOfGeneratedCodeInBytes(PJRT_Executable_SizeOfGeneratedCodeInBytes_Args *args) {
  args->size_in_bytes = static_cast<int64_t>(args->executable->program->exe->code.size() * sizeof(isa::Inst));
  return nullptr;
}

PJRT_Error *Executable_GetCostAnalysis(PJRT_Executable_GetCostAnalysis_Args *args) {
  const NamedValues &costs = args->executable->program->costs();
  args->properties = costs.data();
  args->num_properties = costs.size();
  return nullptr;
}

PJRT_Error *Executable_GetCompiledMemoryStats(PJRT_Executable_GetCompiledMemoryStats_Args *args) {
  const CompiledProgram &program = *args->executable->program;
  PJRT_Executable_GetCompiledMemoryStats_Args out = {};
  out.generated_code_size_in_bytes = static_cast<int64_t>(program.exe->code.size() * sizeof(isa::Inst));
  for (const ProgramArray &array : program.arguments)
    (array.onHost ? out.host_argument_size_in_bytes : out.argument_size_in_bytes) += array.layout.bytes;
  for (const ProgramArray &array : program.results) {
    (array.onHost ? out.host_output_size_in_bytes : out.output_size_in_bytes) += array.layout.bytes;
    if (array.alias >= 0 && !array.onHost) out.alias_size_in_bytes += array.layout.bytes;
  }
  out.temp_size_in_bytes = static_cast<int64_t>(program.exe->index.entries(0).arena_bytes());
  out.peak_memory_in_bytes = static_cast<int64_t>(program.exe->index.entries(0).hbm_peak_bytes());
  out.total_size_in_bytes =
      out.argument_size_in_bytes + out.output_size_in_bytes - out.alias_size_in_bytes + out.temp_size_in_bytes;
  out.total_allocation_bytes = out.total_size_in_bytes;
  // The caller's structure may be an older, shorter one.
  const size_t begin = reinterpret_cast<char *>(&out.generated_code_size_in_bytes) - reinterpret_cast<char *>(&out);
  const size_t end = std::min(args->struct_size, sizeof(out));
  if (end > begin)
    std::memcpy(reinterpret_cast<char *>(args) + begin, reinterpret_cast<char *>(&out) + begin, end - begin);
  return nullptr;
}

PJRT_Error *Executable_OutputElementTypes(PJRT_Executable_OutputElementTypes_Args *args) {
  args->output_types = args->executable->program->resultTypes.data();
  args->num_output_types = args->executable->program->resultTypes.size();
  return nullptr;
}

PJRT_Error *Executable_OutputDimensions(PJRT_Executable_OutputDimensions_Args *args) {
  args->num_outputs = args->executable->program->results.size();
  args->dims = args->executable->program->resultDims.data();
  args->dim_sizes = args->executable->program->resultRanks.data();
  return nullptr;
}

PJRT_Error *Executable_OutputMemoryKinds(PJRT_Executable_OutputMemoryKinds_Args *args) {
  args->num_outputs = args->executable->program->results.size();
  args->memory_kinds = args->executable->program->resultKinds.data();
  args->memory_kind_sizes = args->executable->program->resultKindSizes.data();
  return nullptr;
}

PJRT_Error *Executable_ParameterMemoryKinds(PJRT_Executable_ParameterMemoryKinds_Args *args) {
  args->num_parameters = args->executable->program->arguments.size();
  args->memory_kinds = args->executable->program->argumentKinds.data();
  args->memory_kind_sizes = args->executable->program->argumentKindSizes.data();
  return nullptr;
}

// The program as it came: what XLA means by optimised is HLO, which tpuc has none of.
PJRT_Error *Executable_OptimizedProgram(PJRT_Executable_OptimizedProgram_Args *args) {
  const CompiledProgram &program = *args->executable->program;
  const bool isBare = program.format == "hlo";
  const std::string &part = program.part();
  const std::string_view format = !part.empty() ? "mlir" : isBare ? kHloWithConfig : std::string_view(program.format);
  const std::string source = !part.empty() ? part : isBare ? withConfig(program.source) : program.source;
  args->program->format = format.data();
  args->program->format_size = format.size();
  if (args->program->code) {
    if (args->program->code_size < source.size())
      return toError(invalidArgument("the program is longer than the room for it"));
    std::memcpy(args->program->code, source.data(), source.size());
  }
  args->program->code_size = source.size();
  return nullptr;
}

PJRT_Error *Executable_Serialize(PJRT_Executable_Serialize_Args *args) {
  auto *out = new PJRT_SerializedExecutable{args->executable->program->serialize()};
  args->serialized_bytes = out->bytes.data();
  args->serialized_bytes_size = out->bytes.size();
  args->serialized_executable = out;
  args->serialized_executable_deleter = [](PJRT_SerializedExecutable *serialized) { delete serialized; };
  return nullptr;
}

PJRT_Error *Executable_DeserializeAndLoad(PJRT_Executable_DeserializeAndLoad_Args *args) {
  auto program = CompiledProgram::parse(text(args->serialized_executable, args->serialized_executable_size));
  if (!program.ok()) return toError(program.status());
  auto loaded = PJRT_LoadedExecutable::load(args->client, std::move(*program));
  if (!loaded.ok()) return toError(loaded.status());
  args->loaded_executable = loaded->release();
  return nullptr;
}

PJRT_Error *Executable_Fingerprint(PJRT_Executable_Fingerprint_Args *args) {
  args->executable_fingerprint = args->executable->program->fingerprint.data();
  args->executable_fingerprint_size = args->executable->program->fingerprint.size();
  return nullptr;
}

PJRT_Error *Executable_GetCompileOptions(PJRT_Executable_GetCompileOptions_Args *args) {
  auto *out = new PJRT_SerializedCompileOptions{args->executable->program->optionBytes};
  args->serialized_bytes = out->bytes.data();
  args->serialized_bytes_size = out->bytes.size();
  args->serialized_compile_options = out;
  args->serialized_compile_options_deleter = [](PJRT_SerializedCompileOptions *serialized) { delete serialized; };
  return nullptr;
}

PJRT_Error *LoadedExecutable_Destroy(PJRT_LoadedExecutable_Destroy_Args *args) {
  delete args->executable;
  return nullptr;
}

PJRT_Error *LoadedExecutable_GetExecutable(PJRT_LoadedExecutable_GetExecutable_Args *args) {
  args->executable = new PJRT_Executable{args->loaded_executable->program};
  return nullptr;
}

PJRT_Error *LoadedExecutable_AddressableDevices(PJRT_LoadedExecutable_AddressableDevices_Args *args) {
  args->addressable_devices = args->executable->devices.data();
  args->num_addressable_devices = args->executable->devices.size();
  return nullptr;
}

PJRT_Error *LoadedExecutable_AddressableDeviceLogicalIds(PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args *args) {
  args->addressable_device_logical_ids = args->executable->logicalIds.data();
  args->num_addressable_device_logical_ids = args->executable->logicalIds.size();
  return nullptr;
}

PJRT_Error *LoadedExecutable_GetDeviceAssignment(PJRT_LoadedExecutable_GetDeviceAssignment_Args *args) {
  const isa::proto::Index &index = args->executable->program->exe->index;
  std::vector<int64_t> ids;
  for (PJRT_Device *device : args->executable->devices) ids.push_back(device->description->id);
  const auto partitions = static_cast<int64_t>(std::max<uint32_t>(index.num_partitions(), 1));
  auto *out = new PJRT_DeviceAssignmentSerialized{
      deviceAssignment(static_cast<int64_t>(ids.size()) / partitions, partitions, ids)};
  args->serialized_bytes = out->bytes.data();
  args->serialized_bytes_size = out->bytes.size();
  args->serialized_device_assignment = out;
  args->serialized_device_assignment_deleter = [](PJRT_DeviceAssignmentSerialized *serialized) { delete serialized; };
  return nullptr;
}

PJRT_Error *LoadedExecutable_Delete(PJRT_LoadedExecutable_Delete_Args *args) {
  args->executable->unload();
  return nullptr;
}

PJRT_Error *LoadedExecutable_IsDeleted(PJRT_LoadedExecutable_IsDeleted_Args *args) {
  args->is_deleted = args->executable->deleted;
  return nullptr;
}

PJRT_Error *LoadedExecutable_Fingerprint(PJRT_LoadedExecutable_Fingerprint_Args *args) {
  args->executable_fingerprint = args->executable->program->fingerprint.data();
  args->executable_fingerprint_size = args->executable->program->fingerprint.size();
  return nullptr;
}

PJRT_Error *LoadedExecutable_Execute(PJRT_LoadedExecutable_Execute_Args *args) {
  const size_t count = args->executable->devices.size();
  if (args->num_devices != count)
    return toError(invalidArgument(absl::StrCat("the program is loaded on ", count, count == 1 ? " device" : " devices",
                                                ", but got arguments for ", args->num_devices)));
  if (args->execute_device && count > 1)
    return toError(invalidArgument("the program runs on several devices, but is asked to run on one"));
  BuffersByDevice arguments;
  for (size_t d = 0; d < count; ++d)
    arguments.emplace_back(args->argument_lists[d], args->argument_lists[d] + args->num_args);
  std::shared_ptr<Event> done;
  auto results = args->executable->run(arguments, kept(args->options, args->num_args), args->execute_device, done);
  if (!results.ok()) return toError(results.status());
  for (size_t d = 0; d < count; ++d) {
    for (size_t i = 0; i < (*results)[d].size(); ++i) args->output_lists[d][i] = (*results)[d][i].release();
    if (args->device_complete_events) args->device_complete_events[d] = new PJRT_Event{done};
  }
  return nullptr;
}

PJRT_Error *ExecuteContext_Create(PJRT_ExecuteContext_Create_Args *args) {
  args->context = new PJRT_ExecuteContext;
  return nullptr;
}

PJRT_Error *ExecuteContext_Destroy(PJRT_ExecuteContext_Destroy_Args *args) {
  delete args->context;
  return nullptr;
}

}  // namespace tpuc::pjrt
