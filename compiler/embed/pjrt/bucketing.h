// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that come again at other leading sizes, run in buckets of one program: the option `buckets`.
#pragma once
#include <memory>
#include <optional>
#include <string_view>

#include "compiler/embed/pjrt/client.h"
#include "compiler/pipeline/compile.h"
#include "runtime/isa/sizes.h"

namespace tpuc::pjrt {

// An executable of larger arrays, and the true sizes of a program that runs in it.
struct InBucket {
  std::shared_ptr<const isa::Executable> exe;
  isa::Extents extents;
};

// Compiles the bucket when it is the first to need it. Nothing for a program that is compiled for its own sizes.
std::optional<InBucket> compileInBucket(PJRT_Client &client, std::string_view source, const CompileOptions &options);

}  // namespace tpuc::pjrt
