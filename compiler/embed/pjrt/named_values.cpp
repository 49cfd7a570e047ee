// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/embed/pjrt/named_values.h"

#include <utility>

namespace tpuc::pjrt {

PJRT_NamedValue &NamedValues::next(const std::string &name, PJRT_NamedValue_Type type) {
  const std::string &kept = strings_.emplace_back(name);
  PJRT_NamedValue value = {};
  value.struct_size = sizeof(PJRT_NamedValue);
  value.name = kept.data();
  value.name_size = kept.size();
  value.type = type;
  value.value_size = 1;
  return values_.emplace_back(value);
}

void NamedValues::add(const std::string &name, const std::string &value) {
  PJRT_NamedValue &v = next(name, PJRT_NamedValue_kString);
  const std::string &kept = strings_.emplace_back(value);
  v.string_value = kept.data();
  v.value_size = kept.size();
}

void NamedValues::add(const std::string &name, int64_t value) {
  next(name, PJRT_NamedValue_kInt64).int64_value = value;
}

void NamedValues::add(const std::string &name, std::vector<int64_t> values) {
  PJRT_NamedValue &v = next(name, PJRT_NamedValue_kInt64List);
  const std::vector<int64_t> &kept = lists_.emplace_back(std::move(values));
  v.int64_array_value = kept.data();
  v.value_size = kept.size();
}

void NamedValues::add(const std::string &name, float value) { next(name, PJRT_NamedValue_kFloat).float_value = value; }
void NamedValues::add(const std::string &name, bool value) { next(name, PJRT_NamedValue_kBool).bool_value = value; }

}  // namespace tpuc::pjrt
