// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices that are not there: what is compiled for them, and how they are told apart.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "test/unit/pjrt/programs.h"

namespace tpuc::pjrt {
namespace {

constexpr char kProduct[] = R"(
func.func @main(%a: tensor<512x512xf32>, %b: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
})";

PJRT_TopologyDescription *topologyOf(const std::string &name, const char *precision) {
  PJRT_NamedValue options[] = {option("matmul_precision", precision)};
  auto args = make<PJRT_TopologyDescription_Create_Args>();
  args.topology_name = name.data();
  args.topology_name_size = name.size();
  args.create_options = options;
  args.num_options = 1;
  EXPECT_EQ(caught(api().PJRT_TopologyDescription_Create(&args)).message, "");
  return args.topology;
}

PJRT_TopologyDescription *writtenAndRead(PJRT_TopologyDescription *topology) {
  auto write = make<PJRT_TopologyDescription_Serialize_Args>();
  write.topology = topology;
  EXPECT_EQ(caught(api().PJRT_TopologyDescription_Serialize(&write)).message, "");
  auto read = make<PJRT_TopologyDescription_Deserialize_Args>();
  read.serialized_topology = write.serialized_bytes;
  read.serialized_topology_size = write.serialized_bytes_size;
  EXPECT_EQ(caught(api().PJRT_TopologyDescription_Deserialize(&read)).message, "");
  write.serialized_topology_deleter(write.serialized_topology);
  return read.topology;
}

void destroy(PJRT_TopologyDescription *topology) {
  auto args = make<PJRT_TopologyDescription_Destroy_Args>();
  args.topology = topology;
  api().PJRT_TopologyDescription_Destroy(&args);
}

std::string versionOf(PJRT_TopologyDescription *topology) {
  auto args = make<PJRT_TopologyDescription_PlatformVersion_Args>();
  args.topology = topology;
  EXPECT_EQ(caught(api().PJRT_TopologyDescription_PlatformVersion(&args)).message, "");
  return {args.platform_version, args.platform_version_size};
}

// Of the product, compiled for the topology.
float secondsOn(PJRT_TopologyDescription *topology) {
  std::string code = kProduct;
  auto program = make<PJRT_Program>();
  program.code = code.data();
  program.code_size = code.size();
  program.format = "mlir";
  program.format_size = 4;
  auto compile = make<PJRT_Compile_Args>();
  compile.topology = topology;
  compile.program = &program;
  EXPECT_EQ(caught(api().PJRT_Compile(&compile)).message, "");
  auto costs = make<PJRT_Executable_GetCostAnalysis_Args>();
  costs.executable = compile.executable;
  EXPECT_EQ(caught(api().PJRT_Executable_GetCostAnalysis(&costs)).message, "");
  std::map<std::string, float> values;
  for (size_t i = 0; i < costs.num_properties; ++i)
    values[{costs.properties[i].name, costs.properties[i].name_size}] = costs.properties[i].float_value;
  auto gone = make<PJRT_Executable_Destroy_Args>();
  gone.executable = compile.executable;
  api().PJRT_Executable_Destroy(&gone);
  return values["optimal_seconds"];
}

TEST(Topologies, HaveAPrecision) {
  PJRT_TopologyDescription *fast = topologyOf("v5e:2x2", "default"), *exact = topologyOf("v5e:2x2", "highest");
  PJRT_TopologyDescription *again = writtenAndRead(exact);
  EXPECT_NE(versionOf(exact).find(", matmul precision highest"), std::string::npos) << versionOf(exact);
  EXPECT_NE(versionOf(fast), versionOf(exact));
  EXPECT_EQ(versionOf(again), versionOf(exact));
  EXPECT_GT(secondsOn(exact), 1.5 * secondsOn(fast));
  EXPECT_EQ(secondsOn(again), secondsOn(exact));
  for (PJRT_TopologyDescription *topology : {fast, exact, again}) destroy(topology);
}

TEST(Topologies, OfOtherBytesAreRefused) {
  for (std::string bytes : {"", "4", "4 highest", "0 highest v5e", "x highest v5e", "4 highest v99"}) {
    auto read = make<PJRT_TopologyDescription_Deserialize_Args>();
    read.serialized_topology = bytes.data();
    read.serialized_topology_size = bytes.size();
    EXPECT_EQ(caught(api().PJRT_TopologyDescription_Deserialize(&read)).code, PJRT_Error_Code_INVALID_ARGUMENT)
        << bytes;
  }
}

}  // namespace
}  // namespace tpuc::pjrt
