// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a reduction's computation gives the same for its two sides exchanged, so that elements may be combined in any
// order.
#pragma once
#include "dialects/stablehlo/stablehlo.h"

namespace tpuc::decompose {

// Whether the body's arguments (x0 .., y0 ..) may change places; false where it is not known. The signs of zeros and
// the payloads of NaNs do not count.
bool commutes(mlir::Block &body);

// Whether each result is one of its operand's two elements, whatever they are: a minimum, or jnp.argmax's pair.
bool choosesElements(mlir::Block &body);

// Makes a choice of the extreme of x_k commute where both sides are NaN: result `index`, a choice between integers, is
// the smaller one there; false, and nothing changed, where that does not do, or would change anything else.
bool breakNanTies(mlir::Block &body, unsigned index);

}  // namespace tpuc::decompose
