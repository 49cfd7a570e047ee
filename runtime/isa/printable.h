// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A user's names, paths and lines as a terminal may show them.
#pragma once
#include <string>
#include <string_view>

namespace tpuc::isa {

// UTF-8 stays; control characters, those that turn the direction of writing, and bytes that are no UTF-8 become \n, \t,
// \x1b, \u202e. With `keepLines`, ends of lines and tabs stay too.
std::string printable(std::string_view text, bool keepLines = false);

}  // namespace tpuc::isa
