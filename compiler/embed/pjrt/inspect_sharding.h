// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Callers that ask for an array's sharding (jax.debug.inspect_array_sharding): the program holds a function of theirs.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace tpuc::pjrt {

// Whether a program asks; its words are then addresses of this process, and no other may have its result.
bool inspectsShardings(std::string_view program);

// Calls the function that `asked` names with a sharding in HLO's text; what it says is wrong, or nothing.
std::string tellSharding(std::string_view asked, int64_t rank, std::string_view sharding, int64_t devices);

}  // namespace tpuc::pjrt
