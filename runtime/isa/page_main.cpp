// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes docs/isa.md: cmake --build BUILD --target isa_page.
#include <iostream>

#include "runtime/isa/executable.h"

int main() { std::cout << tpuc::isa::isaPage(); }
