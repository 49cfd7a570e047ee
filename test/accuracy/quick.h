// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of f32 in double's precision, many at a time: what a walk of all 2^32 arguments is measured against.
#pragma once
#include <cstddef>
#include <string>

// For loops over numbers: compiled for several kinds of CPU where that can be done.
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__)
#define TPUC_VECTORS __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define TPUC_VECTORS
#endif

namespace tpuc::accuracy {

// The values at x[0] ... x[count - 1]; `got`, what the machine made of them, may serve as a first approximation.
using Quick = void (*)(const float *x, const float *got, double *exact, size_t count);

// By the name in realFunctions(); null where there is none.
Quick quickly(const std::string &name);

}  // namespace tpuc::accuracy
