// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a tpu.twin names where its original names something else: descriptors of transfers, and source lines.
#pragma once
#include "passes/emission/alike.h"
#include "passes/emission/to_machine.h"

namespace tpuc::emission {

// `original` is what the original's routine names. A diagnostic when one of its descriptors would become two.
mlir::FailureOr<Names> namesOf(tpu::TwinOp twin, tpu::RoutineOp routine, const Names &original,
                               ConvertContext &context);

}  // namespace tpuc::emission
