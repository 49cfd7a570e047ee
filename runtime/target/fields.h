// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The constants of a description by path ("memory.hbm_granule_bytes"), from the schema.
#pragma once
#include <string>
#include <vector>

#include "runtime/schema/message.h"

namespace tpuc::target {

struct FieldPath {
  std::string path;
  std::vector<const schema::Field *> steps;
};

// Every constant, in the schema's order; the name and the sources are none.
const std::vector<FieldPath> &allFields();

}  // namespace tpuc::target
