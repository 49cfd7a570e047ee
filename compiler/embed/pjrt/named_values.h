// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes that callers read: names and values that stay where they are.
#pragma once
#include <deque>
#include <string>
#include <vector>

#include "compiler/embed/pjrt/abi/types.h"

namespace tpuc::pjrt {

class NamedValues {
 public:
  NamedValues() = default;
  NamedValues(const NamedValues &) = delete;
  NamedValues &operator=(const NamedValues &) = delete;

  void add(const std::string &name, const std::string &value);
  void add(const std::string &name, int64_t value);
  void add(const std::string &name, std::vector<int64_t> values);
  void add(const std::string &name, float value);
  void add(const std::string &name, bool value);

  const PJRT_NamedValue *data() const { return values_.data(); }
  size_t size() const { return values_.size(); }

 private:
  PJRT_NamedValue &next(const std::string &name, PJRT_NamedValue_Type type);

  std::vector<PJRT_NamedValue> values_;
  std::deque<std::string> strings_;
  std::deque<std::vector<int64_t>> lists_;
};

}  // namespace tpuc::pjrt
