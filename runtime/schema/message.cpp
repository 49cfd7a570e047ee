// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looking up fields.
#include "runtime/schema/message.h"

namespace tpuc::schema {

const Field *Type::find(std::string_view wanted) const {
  for (int i = 0; i < count; ++i)
    if (wanted == fields[i].name) return &fields[i];
  return nullptr;
}

const Field *Type::find(uint32_t wanted) const {
  for (int i = 0; i < count; ++i)
    if (wanted == fields[i].number) return &fields[i];
  return nullptr;
}

std::string Type::fieldNames() const {
  std::string out;
  for (int i = 0; i < count; ++i) out += (i ? ", " : "") + std::string(fields[i].name);
  return out;
}

}  // namespace tpuc::schema
