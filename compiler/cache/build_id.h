// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which build of tpuc this is: a cached program is the work of one compiler.
#pragma once
#include <string>

namespace tpuc::cache {

// The linker's id of the object that this function is in, in hexadecimal; empty when it has none.
const std::string &buildId();

}  // namespace tpuc::cache
