// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which arguments the caller gives up.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace tpuc {

// Those with tf.aliasing_output or jax.buffer_donor, whether or not a result can take their memory over: the module's
// attribute encoder::kDonatedAttr lists them.
void noteDonations(mlir::ModuleOp module);

}  // namespace tpuc
