// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/embed/pjrt/hlo_with_config.h"

#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>

namespace tpuc::pjrt {
namespace {

// Fields of HloModuleProto and HloModuleConfigProto: the entry's shapes and their layouts.
constexpr protozero::pbf_tag_type kHostProgramShape = 4, kEntryComputationLayout = 1;

// Empty where the module has none. It was read before, so it is whole.
protozero::data_view programShape(std::string_view module) {
  protozero::pbf_reader reader(module.data(), module.size());
  return reader.next(kHostProgramShape) ? reader.get_view() : protozero::data_view();
}

}  // namespace

std::string withConfig(std::string_view module) {
  std::string bytes;
  protozero::pbf_writer writer(bytes);
  writer.add_message(1, module.data(), module.size());
  protozero::pbf_writer config(writer, 2);
  config.add_message(kEntryComputationLayout, programShape(module));
  return bytes;
}

}  // namespace tpuc::pjrt
