// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strings as JSON has them.
#pragma once
#include <string>
#include <string_view>

namespace tpuc::trace {

// With quotes; bytes that are no UTF-8 become U+FFFD.
std::string quoted(std::string_view text);

}  // namespace tpuc::trace
