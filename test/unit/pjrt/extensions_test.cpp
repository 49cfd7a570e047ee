// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plugin's extensions, by their functions' places: versions of what is compiled, streams, memory that others share.
#include <gtest/gtest.h>

#include "test/unit/pjrt/programs.h"

namespace tpuc::pjrt {
namespace {

// What follows the base: functions that take one structure each.
struct Functions : PJRT_Extension_Base {
  PJRT_Error *(*function[12])(void *args);
};

const Functions *extension(PJRT_Extension_Type type) {
  for (const PJRT_Extension_Base *e = api().extension_start; e; e = e->next)
    if (e->type == type) return static_cast<const Functions *>(e);
  return nullptr;
}

// The structures of the extension for versions; a version is a pointer.
struct Get {
  size_t struct_size = 24;
  void *of;
  void *version = nullptr;
};
struct Compare {
  size_t struct_size = 24;
  void *version, *other;
};
struct Write {
  size_t struct_size = 48;
  void *version;
  const char *bytes = nullptr;
  size_t size = 0;
  void *holder = nullptr;
  void (*deleter)(void *) = nullptr;
};
struct Read {
  size_t struct_size = 32;
  const char *bytes;
  size_t size;
  void *version = nullptr;
};
struct Destroy {
  size_t struct_size = 16;
  void *version;
};
struct Platform {
  size_t struct_size = 24;
  void *version;
  uint64_t id = 0;
};
enum { kOfClient, kOfExecutable, kDestroy, kRuntimes, kExecutable, kToProto, kPlatform, kFromProto = 10 };

TEST_F(Programs, HaveVersions) {
  const Functions *versions = extension(PJRT_Extension_Type_AbiVersion);
  ASSERT_NE(versions, nullptr);
  ASSERT_EQ(versions->struct_size, 120u);
  PJRT_LoadedExecutable *add = nullptr;
  ASSERT_EQ(compile(kAdd, add).message, "");
  auto get = make<PJRT_LoadedExecutable_GetExecutable_Args>();
  get.loaded_executable = add;
  ASSERT_FINE(api().PJRT_LoadedExecutable_GetExecutable(&get));
  Get ofClient = {.of = client_}, ofExecutable = {.of = get.executable};
  ASSERT_FINE(versions->function[kOfClient](&ofClient));
  ASSERT_FINE(versions->function[kOfExecutable](&ofExecutable));
  auto drop = make<PJRT_Executable_Destroy_Args>();
  drop.executable = get.executable;
  api().PJRT_Executable_Destroy(&drop);
  Compare compare = {.version = ofClient.version, .other = ofExecutable.version};
  EXPECT_EQ(caught(versions->function[kExecutable](&compare)).message, "");

  // Written and read it is the same; of another target or another platform it is not.
  Write write = {.version = ofExecutable.version};
  ASSERT_FINE(versions->function[kToProto](&write));
  const std::string bytes(write.bytes, write.size);
  write.deleter(write.holder);
  std::string otherTarget = bytes, otherPlatform = bytes;
  otherTarget.back() ^= 1;
  otherPlatform[1] ^= 1;
  const std::pair<std::string, std::string> cases[] = {
      {bytes, ""}, {otherTarget, "expects tpuc executable"}, {otherPlatform, "another platform"}};
  for (const auto &[text, said] : cases) {
    Read read = {.bytes = text.data(), .size = text.size()};
    ASSERT_FINE(versions->function[kFromProto](&read));
    Compare again = {.version = ofClient.version, .other = read.version};
    const Caught problem = caught(versions->function[kRuntimes](&again));
    EXPECT_EQ(problem.code, said.empty() ? 0 : PJRT_Error_Code_FAILED_PRECONDITION);
    EXPECT_NE(problem.message.find(said), std::string::npos) << problem.message;
    Platform platform = {.version = read.version};
    ASSERT_FINE(versions->function[kPlatform](&platform));
    EXPECT_NE(platform.id, 0u);
    Destroy destroy = {.version = read.version};
    ASSERT_FINE(versions->function[kDestroy](&destroy));
  }
  Read broken = {.bytes = bytes.data(), .size = bytes.size() - 1};
  EXPECT_EQ(caught(versions->function[kFromProto](&broken)).code, PJRT_Error_Code_INVALID_ARGUMENT);
  for (void *version : {ofClient.version, ofExecutable.version}) {
    Destroy destroy = {.version = version};
    ASSERT_FINE(versions->function[kDestroy](&destroy));
  }
}

TEST_F(Programs, HaveTheDevicesStream) {
  const Functions *streams = extension(PJRT_Extension_Type_Stream);
  ASSERT_NE(streams, nullptr);
  auto devices = make<PJRT_Client_Devices_Args>();
  devices.client = client_;
  ASSERT_FINE(api().PJRT_Client_Devices(&devices));
  struct {
    size_t struct_size = 24;
    PJRT_Device *device;
    intptr_t stream = 0;
  } get = {.device = devices.devices[0]};
  ASSERT_FINE(streams->function[0](&get));
  struct {
    size_t struct_size = 24;
    intptr_t stream;
    PJRT_Buffer *buffer;
  } wait = {.stream = get.stream, .buffer = upload({1, 2, 3, 4, 5, 6}, {2, 3})};
  EXPECT_EQ(caught(streams->function[1](&wait)).message, "");
  wait.stream = 1;
  EXPECT_EQ(caught(streams->function[1](&wait)).code, PJRT_Error_Code_INVALID_ARGUMENT);
}

// While others have a pointer nobody takes the memory over, and deleting the array does not free it.
TEST_F(Programs, SharedMemoryStays) {
  PJRT_LoadedExecutable *negate = nullptr;
  ASSERT_EQ(compile(kNegateGiven, negate).message, "");
  PJRT_Buffer *a = upload({1, 2, 3, 4, 5, 6}, {2, 3}), *result = nullptr;
  auto share = make<PJRT_Buffer_IncreaseExternalReferenceCount_Args>();
  auto giveBack = make<PJRT_Buffer_DecreaseExternalReferenceCount_Args>();
  auto pointer = make<PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args>();
  share.buffer = giveBack.buffer = pointer.buffer = a;
  EXPECT_EQ(caught(api().PJRT_Buffer_DecreaseExternalReferenceCount(&giveBack)).code,
            PJRT_Error_Code_FAILED_PRECONDITION);
  ASSERT_FINE(api().PJRT_Buffer_IncreaseExternalReferenceCount(&share));
  ASSERT_FINE(api().PJRT_Buffer_OpaqueDeviceMemoryDataPointer(&pointer));
  const float *first = static_cast<const float *>(pointer.device_memory_ptr);
  ASSERT_EQ(execute(negate, {a}, result).message, "");
  std::vector<float> got(6);
  ASSERT_EQ(download(result, got).message, "");
  EXPECT_EQ(got[5], -6);
  EXPECT_FALSE(deleted(a));
  auto remove = make<PJRT_Buffer_Delete_Args>();
  remove.buffer = a;
  ASSERT_FINE(api().PJRT_Buffer_Delete(&remove));
  EXPECT_EQ(first[0], 1.0f);
  ASSERT_FINE(api().PJRT_Buffer_DecreaseExternalReferenceCount(&giveBack));
  PJRT_Buffer *b = upload({1, 2, 3, 4, 5, 6}, {2, 3});
  ASSERT_EQ(execute(negate, {b}, result).message, "");
  EXPECT_TRUE(deleted(b));
  ASSERT_EQ(download(result, got).message, "");
}

}  // namespace
}  // namespace tpuc::pjrt
