// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plugin loaded from its file, and a client's way through its table: compile, upload, execute, download.
#pragma once
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "compiler/embed/pjrt/abi/api.h"

namespace tpuc::pjrt {

inline const PJRT_Api &api() {
  static const PJRT_Api *table = [] {
    void *library = dlopen(TPUC_PLUGIN, RTLD_NOW | RTLD_LOCAL);
    if (!library) ADD_FAILURE() << dlerror();
    auto get = reinterpret_cast<const PJRT_Api *(*)()>(dlsym(library, "GetPjrtApi"));
    return get();
  }();
  return *table;
}

template <typename Structure>
Structure make() {
  Structure args = {};
  args.struct_size = sizeof(Structure);
  return args;
}

// Message and code of an error, which is freed; code 0 for none.
struct Caught {
  int code = 0;
  std::string message;
};
inline Caught caught(PJRT_Error *error) {
  if (!error) return {};
  auto code = make<PJRT_Error_GetCode_Args>();
  code.error = error;
  api().PJRT_Error_GetCode(&code);
  auto text = make<PJRT_Error_Message_Args>();
  text.error = error;
  api().PJRT_Error_Message(&text);
  Caught out{static_cast<int>(code.code), std::string(text.message, text.message_size)};
  auto destroy = make<PJRT_Error_Destroy_Args>();
  destroy.error = error;
  api().PJRT_Error_Destroy(&destroy);
  return out;
}
#define ASSERT_FINE(call)                          \
  do {                                             \
    Caught problem = caught(call);                 \
    ASSERT_EQ(problem.code, 0) << problem.message; \
  } while (0)

inline PJRT_NamedValue option(const char *name, const char *value) {
  auto v = make<PJRT_NamedValue>();
  v.name = name;
  v.name_size = std::strlen(name);
  v.type = PJRT_NamedValue_kString;
  v.string_value = value;
  v.value_size = std::strlen(value);
  return v;
}

class Programs : public testing::Test {
 protected:
  void SetUp() override { create(nullptr); }
  void create(const char *devices) {
    PJRT_NamedValue count = option("num_devices", devices ? devices : "");
    auto args = make<PJRT_Client_Create_Args>();
    args.create_options = &count;
    args.num_options = devices ? 1 : 0;
    ASSERT_FINE(api().PJRT_Client_Create(&args));
    client_ = args.client;
  }
  void TearDown() override {
    for (PJRT_Buffer *buffer : buffers_) {
      auto args = make<PJRT_Buffer_Destroy_Args>();
      args.buffer = buffer;
      api().PJRT_Buffer_Destroy(&args);
    }
    for (PJRT_LoadedExecutable *executable : executables_) {
      auto args = make<PJRT_LoadedExecutable_Destroy_Args>();
      args.executable = executable;
      api().PJRT_LoadedExecutable_Destroy(&args);
    }
    auto args = make<PJRT_Client_Destroy_Args>();
    args.client = client_;
    api().PJRT_Client_Destroy(&args);
  }

  Caught compile(std::string text, PJRT_LoadedExecutable *&executable, const std::string &options = "",
                 const char *format = "mlir") {
    auto program = make<PJRT_Program>();
    program.code = text.data();
    program.code_size = text.size();
    program.format = format;
    program.format_size = std::strlen(format);
    auto args = make<PJRT_Client_Compile_Args>();
    args.client = client_;
    args.program = &program;
    args.compile_options = options.data();
    args.compile_options_size = options.size();
    Caught out = caught(api().PJRT_Client_Compile(&args));
    if (!out.code) executables_.push_back(executable = args.executable);
    return out;
  }

  PJRT_Buffer *upload(const std::vector<float> &values, std::vector<int64_t> dims, std::vector<int64_t> strides = {}) {
    return buffers_.emplace_back(fromHost(values, std::move(dims), std::move(strides)));
  }
  // The caller's to destroy; for any thread.
  PJRT_Buffer *fromHost(const std::vector<float> &values, std::vector<int64_t> dims,
                        std::vector<int64_t> strides = {}) {
    auto args = make<PJRT_Client_BufferFromHostBuffer_Args>();
    args.client = client_;
    args.data = values.data();
    args.type = PJRT_Buffer_Type_F32;
    args.dims = dims.data();
    args.num_dims = dims.size();
    args.byte_strides = strides.data();
    args.num_byte_strides = strides.size();
    Caught problem = caught(api().PJRT_Client_BufferFromHostBuffer(&args));
    EXPECT_EQ(problem.code, 0) << problem.message;
    destroyEvent(args.done_with_host_buffer);
    return args.buffer;
  }

  Caught execute(PJRT_LoadedExecutable *executable, std::vector<PJRT_Buffer *> arguments, PJRT_Buffer *&result,
                 std::vector<int64_t> keep = {}) {
    auto options = make<PJRT_ExecuteOptions>();
    options.non_donatable_input_indices = keep.data();
    options.num_non_donatable_input_indices = keep.size();
    PJRT_Buffer *const *argumentList = arguments.data();
    PJRT_Buffer **resultList = &result;
    auto args = make<PJRT_LoadedExecutable_Execute_Args>();
    args.executable = executable;
    args.options = &options;
    args.argument_lists = &argumentList;
    args.num_devices = 1;
    args.num_args = arguments.size();
    args.output_lists = &resultList;
    Caught out = caught(api().PJRT_LoadedExecutable_Execute(&args));
    if (!out.code) buffers_.push_back(result);
    return out;
  }

  Caught download(PJRT_Buffer *buffer, std::vector<float> &values) {
    auto args = make<PJRT_Buffer_ToHostBuffer_Args>();
    args.src = buffer;
    args.dst = values.data();
    args.dst_size = values.size() * sizeof(float);
    Caught out = caught(api().PJRT_Buffer_ToHostBuffer(&args));
    if (!out.code) {
      auto wait = make<PJRT_Event_Await_Args>();
      wait.event = args.event;
      out = caught(api().PJRT_Event_Await(&wait));
      destroyEvent(args.event);
    }
    return out;
  }

  bool deleted(PJRT_Buffer *buffer) {
    auto args = make<PJRT_Buffer_IsDeleted_Args>();
    args.buffer = buffer;
    api().PJRT_Buffer_IsDeleted(&args);
    return args.is_deleted;
  }

  void destroyEvent(PJRT_Event *event) {
    auto args = make<PJRT_Event_Destroy_Args>();
    args.event = event;
    api().PJRT_Event_Destroy(&args);
  }

  PJRT_Client *client_ = nullptr;
  std::vector<PJRT_Buffer *> buffers_;
  std::vector<PJRT_LoadedExecutable *> executables_;
};

// Its argument's memory may be the result's.
inline constexpr const char *kNegateGiven =
    R"(func.func @main(%a: tensor<2x3xf32> {tf.aliasing_output = 0 : i32}) -> tensor<2x3xf32> {
  %0 = stablehlo.negate %a : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
})";

inline constexpr const char *kAdd = R"(func.func @main(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.add %a, %b : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
})";

}  // namespace tpuc::pjrt
