// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/plan/move/rows.h"

namespace tpuc::plan {

Rows::Rows(const Origin &origin, const Array &array) : origin(origin), array(array) {
  int64_t rank = array.rank();
  perWord = rank == 2 ? array.pack : 1;
  words = rank == 1 ? 1 : rank == 2 ? array.colTiles() : array.leadStrideBytes(0) / isa::kWordBytes;
}

}  // namespace tpuc::plan
