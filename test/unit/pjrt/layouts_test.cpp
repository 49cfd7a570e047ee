// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Our structures are the interface's, byte for byte.
#include <gtest/gtest.h>

#include "compiler/embed/pjrt/abi/api.h"

namespace tpuc::pjrt {
namespace {

// What offsetof gives, for structures whose fields begin in a base.
template <typename Structure, typename Field>
size_t offsetIn(Field Structure::*field) {
  static Structure instance = {};
  return reinterpret_cast<const char *>(&(instance.*field)) - reinterpret_cast<const char *>(&instance);
}

TEST(Layouts, OfArguments) {
#define PJRT_LAYOUT(name, size, last, offset)    \
  EXPECT_EQ(sizeof(PJRT_##name), size) << #name; \
  EXPECT_EQ(offsetIn(&PJRT_##name::last), offset) << #name;
#include "test/unit/pjrt/layouts.def"
#undef PJRT_LAYOUT
}

TEST(Layouts, OfTheTableAndSharedTypes) {
  EXPECT_EQ(sizeof(PJRT_Api), 1144u);
  EXPECT_EQ(offsetIn(&PJRT_Api::PJRT_Client_Compile), 40u + 8 * 20);
  EXPECT_EQ(sizeof(PJRT_NamedValue), 56u);
  EXPECT_EQ(sizeof(PJRT_Buffer_MemoryLayout_Tiled), 56u);
  EXPECT_EQ(offsetIn(&PJRT_Buffer_MemoryLayout::type), 72u);
  EXPECT_EQ(offsetIn(&PJRT_ExecuteOptions::num_hlo_output_callbacks), 136u);
  EXPECT_EQ(sizeof(PJRT_Program), 48u);
}

}  // namespace
}  // namespace tpuc::pjrt
