// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plugin as a client sees it: loaded from its file, called through the table.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "test/unit/pjrt/programs.h"

namespace tpuc::pjrt {
namespace {

Caught createWith(const char *name, const char *value) {
  PJRT_NamedValue v = option(name, value);
  auto args = make<PJRT_Client_Create_Args>();
  args.create_options = &v;
  args.num_options = 1;
  Caught out = caught(api().PJRT_Client_Create(&args));
  if (args.client) {
    auto destroy = make<PJRT_Client_Destroy_Args>();
    destroy.client = args.client;
    api().PJRT_Client_Destroy(&destroy);
  }
  return out;
}

TEST(Table, HasEverySlot) {
  const auto *slots =
      reinterpret_cast<void *const *>(reinterpret_cast<const char *>(&api()) + sizeof(Args) + sizeof(PJRT_Api_Version));
  const auto *end = reinterpret_cast<void *const *>(&api() + 1);
  EXPECT_EQ(end - slots, 138);
  for (const auto *slot = slots; slot != end; ++slot) EXPECT_NE(*slot, nullptr) << "slot " << slot - slots;
}

TEST(Options, AreCheckedByNameAndValue) {
  EXPECT_EQ(createWith("target", "v4").code, 0);
  EXPECT_EQ(createWith("preallocate", "false").code, 0);
  EXPECT_EQ(createWith("target", "v99").code, PJRT_Error_Code_INVALID_ARGUMENT);
  EXPECT_EQ(createWith("threads", "-1").code, PJRT_Error_Code_INVALID_ARGUMENT);
  EXPECT_EQ(createWith("num_devices", "0").code, PJRT_Error_Code_INVALID_ARGUMENT);
  EXPECT_EQ(createWith("matmul_precision", "best").code, PJRT_Error_Code_INVALID_ARGUMENT);
  EXPECT_NE(createWith("tagret", "v4").message.find("there is no option 'tagret'"), std::string::npos);
}

TEST_F(Programs, AddArraysOfAnyStrides) {
  PJRT_LoadedExecutable *add = nullptr;
  ASSERT_EQ(compile(kAdd, add).message, "");
  PJRT_Buffer *a = upload({1, 2, 3, 4, 5, 6}, {2, 3});
  PJRT_Buffer *b = upload({10, 40, 20, 50, 30, 60}, {2, 3}, {4, 8});  // columns together
  PJRT_Buffer *sum = nullptr;
  ASSERT_EQ(execute(add, {a, b}, sum).message, "");
  std::vector<float> got(6);
  ASSERT_EQ(download(sum, got).message, "");
  EXPECT_EQ(got, (std::vector<float>{11, 22, 33, 44, 55, 66}));
}

class TwoDevices : public Programs {
 protected:
  void SetUp() override { create("2"); }

  // One list of arguments a device.
  Caught executeOnAll(PJRT_LoadedExecutable *executable, std::vector<std::vector<PJRT_Buffer *>> arguments,
                      std::vector<PJRT_Buffer *> &results) {
    auto options = make<PJRT_ExecuteOptions>();
    std::vector<PJRT_Buffer *const *> lists;
    for (const auto &list : arguments) lists.push_back(list.data());
    results.assign(arguments.size(), nullptr);
    std::vector<PJRT_Buffer **> resultLists;
    for (PJRT_Buffer *&result : results) resultLists.push_back(&result);
    auto args = make<PJRT_LoadedExecutable_Execute_Args>();
    args.executable = executable;
    args.options = &options;
    args.argument_lists = lists.data();
    args.num_devices = arguments.size();
    args.num_args = arguments[0].size();
    args.output_lists = resultLists.data();
    Caught out = caught(api().PJRT_LoadedExecutable_Execute(&args));
    if (!out.code) buffers_.insert(buffers_.end(), results.begin(), results.end());
    return out;
  }
};

TEST_F(TwoDevices, AreThere) {
  auto args = make<PJRT_Client_Devices_Args>();
  args.client = client_;
  ASSERT_FINE(api().PJRT_Client_Devices(&args));
  EXPECT_EQ(args.num_devices, 2u);
}

TEST_F(TwoDevices, RunAProgramTogether) {
  const char *text = R"(module attributes {mhlo.num_partitions = 2 : i32} {
    func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
      %0 = "stablehlo.all_reduce"(%x) ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          %1 = stablehlo.add %a, %b : tensor<f32>
          stablehlo.return %1 : tensor<f32>
      }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids,
          channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<3xf32>) -> tensor<3xf32>
      return %0 : tensor<3xf32>
    }
  })";
  PJRT_LoadedExecutable *sum = nullptr;
  ASSERT_EQ(compile(text, sum).message, "");
  auto where = make<PJRT_LoadedExecutable_AddressableDevices_Args>();
  where.executable = sum;
  ASSERT_FINE(api().PJRT_LoadedExecutable_AddressableDevices(&where));
  EXPECT_EQ(where.num_addressable_devices, 2u);
  std::vector<PJRT_Buffer *> results;
  ASSERT_EQ(executeOnAll(sum, {{upload({1, 2, 3}, {3})}, {upload({10, 20, 30}, {3})}}, results).message, "");
  for (PJRT_Buffer *result : results) {
    std::vector<float> got(3);
    ASSERT_EQ(download(result, got).message, "");
    EXPECT_EQ(got, (std::vector<float>{11, 22, 33}));
  }
  EXPECT_NE(executeOnAll(sum, {{upload({1, 2, 3}, {3})}}, results).message.find("loaded on 2 devices"),
            std::string::npos);
}

TEST_F(Programs, DonatedArgumentsAreGoneUnlessKept) {
  PJRT_LoadedExecutable *negate = nullptr;
  ASSERT_EQ(compile(kNegateGiven, negate).message, "");
  PJRT_Buffer *kept = upload({1, 2, 3, 4, 5, 6}, {2, 3}), *given = upload({1, 2, 3, 4, 5, 6}, {2, 3}),
              *result = nullptr;
  std::vector<float> got(6);
  ASSERT_EQ(execute(negate, {kept}, result, {0}).message, "");
  EXPECT_FALSE(deleted(kept));
  ASSERT_EQ(download(kept, got).message, "");
  EXPECT_EQ(got[5], 6);
  ASSERT_EQ(execute(negate, {given}, result).message, "");
  EXPECT_TRUE(deleted(given));
  ASSERT_EQ(download(result, got).message, "");
  EXPECT_EQ(got[5], -6);
  EXPECT_EQ(execute(negate, {given}, result).code, PJRT_Error_Code_INVALID_ARGUMENT);
}

// The extension that Python's functions arrive by (host_calls_extension.h), by its type.
using HostCallback = int (*)(uint64_t, const void *const *, void *const *, char *, size_t);
void setHostCallback(HostCallback function) {
  struct Extension : PJRT_Extension_Base {
    void (*set)(HostCallback);
  };
  for (PJRT_Extension_Base *e = api().extension_start; e; e = e->next)
    if (static_cast<int>(e->type) == 0x74707563) return static_cast<Extension *>(e)->set(function);
  ADD_FAILURE() << "no extension for host calls";
}

// Doubles what function 7 is given; any other is unknown.
int hostFunction(uint64_t id, const void *const *operands, void *const *results, char *message, size_t size) {
  if (id != 7) return std::snprintf(message, size, "no function %d", static_cast<int>(id)), 1;
  for (int k = 0; k < 6; ++k) static_cast<float *>(results[0])[k] = 2 * static_cast<const float *>(operands[0])[k];
  return 0;
}

std::string calling(int id) {
  return R"(func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.add %a, %a : tensor<2x3xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %1:2 = stablehlo.while(%i = %zero, %v = %0) : tensor<i32>, tensor<2x3xf32>
    cond {
      %2 = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %2 = stablehlo.custom_call @tpuc.host_call(%v)
          {api_version = 4 : i32, has_side_effect = true, mhlo.backend_config = {index = )" +
         std::to_string(id) + R"( : ui64}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
      %3 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %3, %2 : tensor<i32>, tensor<2x3xf32>
    }
  %4 = stablehlo.negate %1#1 : tensor<2x3xf32>
  return %4 : tensor<2x3xf32>
})";
}

TEST_F(Programs, CallTheirHostBetweenKernels) {
  PJRT_LoadedExecutable *known = nullptr, *unknown = nullptr;
  ASSERT_EQ(compile(calling(7), known).message, "");
  ASSERT_EQ(compile(calling(8), unknown).message, "");
  PJRT_Buffer *a = upload({1, 2, 3, 4, 5, 6}, {2, 3}), *result = nullptr;
  std::vector<float> got(6);
  setHostCallback(hostFunction);
  ASSERT_EQ(execute(known, {a}, result).message, "");
  ASSERT_EQ(download(result, got).message, "");
  EXPECT_EQ(got, (std::vector<float>{-16, -32, -48, -64, -80, -96}));
  ASSERT_EQ(execute(unknown, {a}, result).message, "");
  EXPECT_NE(download(result, got).message.find("no function 8"), std::string::npos);
  setHostCallback(nullptr);
  ASSERT_EQ(execute(known, {a}, result).message, "");
  EXPECT_NE(download(result, got).message.find("JAX's package for tpuc is not there"), std::string::npos);
}

TEST_F(Programs, WrongArgumentsAreNamed) {
  PJRT_LoadedExecutable *add = nullptr;
  ASSERT_EQ(compile(kAdd, add).message, "");
  PJRT_Buffer *a = upload({1, 2, 3, 4, 5, 6}, {2, 3}), *turned = upload({1, 2, 3, 4, 5, 6}, {3, 2}), *result = nullptr;
  EXPECT_EQ(execute(add, {a, turned}, result).message, "argument 1 expects f32[2,3], but got f32[3,2]");
  EXPECT_EQ(execute(add, {a}, result).message, "the program expects 2 arguments, but got 1");
}

TEST_F(Programs, RefusalsHaveTheirCode) {
  PJRT_LoadedExecutable *executable = nullptr;
  EXPECT_EQ(compile("func.func @main(", executable).code, PJRT_Error_Code_INVALID_ARGUMENT);
  Caught large = compile(R"(func.func @main(%a: tensor<8000000000xf32>) -> tensor<8000000000xf32> {
  %0 = stablehlo.negate %a : tensor<8000000000xf32>
  return %0 : tensor<8000000000xf32>
})",
                         executable);
  EXPECT_EQ(large.code, PJRT_Error_Code_RESOURCE_EXHAUSTED) << large.message;
  Caught unknown = compile(R"(func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @nobody_knows(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
})",
                           executable);
  EXPECT_EQ(unknown.code, PJRT_Error_Code_UNIMPLEMENTED);
  EXPECT_NE(unknown.message.find("nobody_knows"), std::string::npos) << unknown.message;
  auto view = make<PJRT_Client_CreateViewOfDeviceBuffer_Args>();
  Caught elsewhere = caught(api().PJRT_Client_CreateViewOfDeviceBuffer(&view));
  EXPECT_EQ(elsewhere.code, PJRT_Error_Code_UNIMPLEMENTED);
  EXPECT_NE(elsewhere.message.find("jax.device_put"), std::string::npos) << elsewhere.message;
  const std::string twoPartitions("\x1a\x02\x28\x02", 4);  // executable_build_options { num_partitions: 2 }
  EXPECT_EQ(compile(kAdd, executable, twoPartitions).message,
            "the program is for 1 replicas of 2 partitions, but there is 1 device");
  EXPECT_EQ(compile(kAdd, executable, "\x1a\x7f").code, PJRT_Error_Code_INVALID_ARGUMENT);
}

TEST_F(Programs, AreSerialisedAndLoaded) {
  PJRT_LoadedExecutable *add = nullptr;
  ASSERT_EQ(compile(kAdd, add).message, "");
  auto get = make<PJRT_LoadedExecutable_GetExecutable_Args>();
  get.loaded_executable = add;
  ASSERT_FINE(api().PJRT_LoadedExecutable_GetExecutable(&get));
  auto write = make<PJRT_Executable_Serialize_Args>();
  write.executable = get.executable;
  ASSERT_FINE(api().PJRT_Executable_Serialize(&write));
  std::string bytes(write.serialized_bytes, write.serialized_bytes_size);
  write.serialized_executable_deleter(write.serialized_executable);
  auto destroy = make<PJRT_Executable_Destroy_Args>();
  destroy.executable = get.executable;
  api().PJRT_Executable_Destroy(&destroy);

  auto read = make<PJRT_Executable_DeserializeAndLoad_Args>();
  read.client = client_;
  read.serialized_executable = bytes.data();
  read.serialized_executable_size = bytes.size();
  ASSERT_FINE(api().PJRT_Executable_DeserializeAndLoad(&read));
  executables_.push_back(read.loaded_executable);
  PJRT_Buffer *a = upload({1, 2, 3, 4, 5, 6}, {2, 3}), *sum = nullptr;
  ASSERT_EQ(execute(read.loaded_executable, {a, a}, sum).message, "");
  std::vector<float> got(6);
  ASSERT_EQ(download(sum, got).message, "");
  EXPECT_EQ(got[5], 12);

  for (size_t cut : {bytes.size() - 1, bytes.size() / 2, size_t{20}, size_t{3}}) {
    read.serialized_executable_size = cut;
    EXPECT_NE(caught(api().PJRT_Executable_DeserializeAndLoad(&read)).code, 0) << cut;
  }
}

// Of less than 128 bytes.
std::string message(int field, const std::string &bytes) {
  return std::string{static_cast<char>(field << 3 | 2), static_cast<char>(bytes.size())} + bytes;
}
std::string number(int field, int value) { return {static_cast<char>(field << 3), static_cast<char>(value)}; }

// Callers expect HLO back with its configuration, and take the entry's layouts from it.
TEST_F(Programs, HloComesBackWithItsConfiguration) {
  const std::string shape =
      number(2, 11) + message(3, std::string(1, '\4')) + message(5, message(1, std::string(1, '\0')));  // f32[4]{0}
  const std::string entry = message(1, shape) + message(2, shape) + message(3, "x");
  const std::string x =
      message(1, "x") + message(2, "parameter") + message(3, shape) + number(9, 0) + "\x98\x02\x01";  // 35, its id: 1
  const std::string y = message(1, "y") + message(2, "negate") + message(3, shape) + "\x98\x02\x02" +
                        "\xa2\x02\x01\x01";  // 36, operands: 1
  const std::string main = message(1, "main") + message(2, x) + message(2, y) + number(5, 1) + number(6, 2);
  const std::string module = message(1, "m") + message(2, "main") + message(3, main) + message(4, entry) + number(6, 1);
  PJRT_LoadedExecutable *negate = nullptr;
  ASSERT_EQ(compile(module, negate, "", "hlo").message, "");
  auto get = make<PJRT_LoadedExecutable_GetExecutable_Args>();
  get.loaded_executable = negate;
  ASSERT_FINE(api().PJRT_LoadedExecutable_GetExecutable(&get));
  auto program = make<PJRT_Program>();
  auto optimized = make<PJRT_Executable_OptimizedProgram_Args>();
  optimized.executable = get.executable;
  optimized.program = &program;
  ASSERT_FINE(api().PJRT_Executable_OptimizedProgram(&optimized));
  std::string code(program.code_size, ' ');
  program.code = code.data();
  ASSERT_FINE(api().PJRT_Executable_OptimizedProgram(&optimized));
  EXPECT_EQ(std::string(program.format, program.format_size), "hlo_with_config");
  EXPECT_EQ(code, message(1, module) + message(2, message(1, entry)));
  auto destroy = make<PJRT_Executable_Destroy_Args>();
  destroy.executable = get.executable;
  api().PJRT_Executable_Destroy(&destroy);
  // And can be compiled again.
  EXPECT_EQ(compile(code, negate, "", "hlo_with_config").message, "");
}

// An array whose last dims are small lies in another order on the device; nobody notices.
TEST_F(Programs, ArraysOfSmallDimsTakeLittle) {
  const char *text = R"(func.func @main(%a: tensor<64x128x3x3xf32>) -> tensor<64x128x3x3xf32> {
  %0 = stablehlo.add %a, %a : tensor<64x128x3x3xf32>
  return %0 : tensor<64x128x3x3xf32>
})";
  PJRT_LoadedExecutable *twice = nullptr;
  ASSERT_EQ(compile(text, twice).message, "");
  std::vector<float> values(64 * 128 * 9), got(values.size());
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  PJRT_Buffer *result = nullptr;
  ASSERT_EQ(execute(twice, {upload(values, {64, 128, 3, 3})}, result).message, "");
  ASSERT_EQ(download(result, got).message, "");
  for (size_t i = 0; i < values.size(); ++i) ASSERT_EQ(got[i], 2 * values[i]) << i;
  auto lookup = make<PJRT_Client_LookupDevice_Args>();
  lookup.client = client_;
  ASSERT_FINE(api().PJRT_Client_LookupDevice(&lookup));
  auto stats = make<PJRT_Device_MemoryStats_Args>();
  stats.device = lookup.device;
  ASSERT_FINE(api().PJRT_Device_MemoryStats(&stats));
  EXPECT_LT(stats.bytes_in_use, 4 << 20);  // twice 288 KiB, and the program; 32 MiB each in the dims' own order
}

// Nobody waits in between, and what is not needed any more is deleted while runs that read it wait for their turn.
TEST_F(Programs, RunsFollowOneAnother) {
  const char *text =
      R"(func.func @main(%a: tensor<2x3xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.add %a, %b : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
})";
  PJRT_LoadedExecutable *add = nullptr;
  ASSERT_EQ(compile(text, add).message, "");
  PJRT_Buffer *sum = upload({1, 2, 3, 4, 5, 6}, {2, 3}), *one = upload({1, 1, 1, 1, 1, 1}, {2, 3});
  for (int k = 0; k < 100; ++k) {
    PJRT_Buffer *next = nullptr;
    ASSERT_EQ(execute(add, {sum, one}, next, k % 3 ? std::vector<int64_t>{} : std::vector<int64_t>{0}).message, "");
    auto drop = make<PJRT_Buffer_Delete_Args>();
    drop.buffer = sum;
    ASSERT_FINE(api().PJRT_Buffer_Delete(&drop));
    sum = next;
  }
  std::vector<float> got(6);
  ASSERT_EQ(download(sum, got).message, "");
  EXPECT_EQ(got, (std::vector<float>{101, 102, 103, 104, 105, 106}));
  // Donated, and an argument besides: refused, and still there. Kept, it may be both.
  PJRT_Buffer *twice = nullptr;
  EXPECT_EQ(execute(add, {sum, sum}, twice).code, PJRT_Error_Code_INVALID_ARGUMENT);
  EXPECT_FALSE(deleted(sum));
  ASSERT_EQ(execute(add, {sum, sum}, twice, {0}).message, "");
  ASSERT_EQ(download(twice, got).message, "");
  EXPECT_EQ(got[0], 202);
}

TEST_F(Programs, ErrorsGoFromRunToRun) {
  PJRT_LoadedExecutable *add = nullptr;
  ASSERT_EQ(compile(kAdd, add).message, "");
  const int64_t dims[] = {2, 3};
  auto bad = make<PJRT_Client_CreateErrorBuffer_Args>();
  bad.client = client_;
  bad.error_code = PJRT_Error_Code_DATA_LOSS;
  bad.error_message = "the disk is gone";
  bad.error_message_size = 16;
  bad.shape_dims = dims;
  bad.shape_num_dims = 2;
  bad.shape_element_type = PJRT_Buffer_Type_F32;
  ASSERT_FINE(api().PJRT_Client_CreateErrorBuffer(&bad));
  buffers_.push_back(bad.buffer);
  PJRT_Buffer *a = upload({1, 2, 3, 4, 5, 6}, {2, 3}), *first = nullptr, *second = nullptr;
  ASSERT_EQ(execute(add, {a, bad.buffer}, first).message, "");
  ASSERT_EQ(execute(add, {first, a}, second).message, "");
  std::vector<float> got(6);
  Caught problem = download(second, got);
  EXPECT_EQ(problem.code, PJRT_Error_Code_DATA_LOSS);
  EXPECT_EQ(problem.message, "the disk is gone");
}

TEST_F(Programs, ArraysInTheHostsMemoryTakeNoHbm) {
  PJRT_LoadedExecutable *add = nullptr;
  ASSERT_EQ(compile(kAdd, add).message, "");
  auto memories = make<PJRT_Client_AddressableMemories_Args>();
  memories.client = client_;
  ASSERT_FINE(api().PJRT_Client_AddressableMemories(&memories));
  ASSERT_EQ(memories.num_addressable_memories, 2u);
  auto devices = make<PJRT_Client_Devices_Args>();
  devices.client = client_;
  ASSERT_FINE(api().PJRT_Client_Devices(&devices));
  auto inUse = [&] {
    auto stats = make<PJRT_Device_MemoryStats_Args>();
    stats.device = devices.devices[0];
    EXPECT_EQ(caught(api().PJRT_Device_MemoryStats(&stats)).message, "");
    EXPECT_GE(stats.peak_bytes_in_use, stats.bytes_in_use);
    EXPECT_LE(stats.largest_free_block_bytes, stats.bytes_limit);
    return stats.bytes_in_use;
  };
  PJRT_Buffer *a = upload({1, 2, 3, 4, 5, 6}, {2, 3});
  const int64_t before = inUse();
  auto copy = make<PJRT_Buffer_CopyToMemory_Args>();
  copy.buffer = a;
  copy.dst_memory = memories.addressable_memories[1];
  ASSERT_FINE(api().PJRT_Buffer_CopyToMemory(&copy));
  buffers_.push_back(copy.dst_buffer);
  EXPECT_EQ(inUse(), before);
  PJRT_Buffer *sum = nullptr;
  ASSERT_EQ(execute(add, {a, copy.dst_buffer}, sum).message, "");
  std::vector<float> got(6);
  ASSERT_EQ(download(sum, got).message, "");
  EXPECT_EQ(got[5], 12);
  EXPECT_EQ(inUse(), before + 4096);  // of the sum
}

}  // namespace
}  // namespace tpuc::pjrt
