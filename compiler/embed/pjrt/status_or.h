// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A status and a value or a status, with PJRT's codes. (abseil's needs its Cord, whose archive in Debian cannot go into
// a shared object.)
#pragma once
#include <cassert>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/embed/pjrt/abi/types.h"

namespace tpuc::pjrt {

class [[nodiscard]] Status {
 public:
  Status() = default;  // ok
  Status(PJRT_Error_Code code, std::string message) : code_(code), message_(std::move(message)) {}

  bool ok() const { return code_ == PJRT_Error_Code_OK; }
  PJRT_Error_Code code() const { return code_; }
  const std::string &message() const { return message_; }

 private:
  PJRT_Error_Code code_ = PJRT_Error_Code_OK;
  std::string message_;
};

inline Status okStatus() { return {}; }
inline Status cancelled(std::string message) { return {PJRT_Error_Code_CANCELLED, std::move(message)}; }
inline Status invalidArgument(std::string message) { return {PJRT_Error_Code_INVALID_ARGUMENT, std::move(message)}; }
inline Status resourceExhausted(std::string message) {
  return {PJRT_Error_Code_RESOURCE_EXHAUSTED, std::move(message)};
}
inline Status failedPrecondition(std::string message) {
  return {PJRT_Error_Code_FAILED_PRECONDITION, std::move(message)};
}
inline Status unimplemented(std::string message) { return {PJRT_Error_Code_UNIMPLEMENTED, std::move(message)}; }
inline Status internal(std::string message) { return {PJRT_Error_Code_INTERNAL, std::move(message)}; }
inline Status dataLoss(std::string message) { return {PJRT_Error_Code_DATA_LOSS, std::move(message)}; }

template <typename T>
class [[nodiscard]] StatusOr {
 public:
  StatusOr(Status status) : status_(std::move(status)) { assert(!status_.ok() && "a value is missing"); }
  StatusOr(T value) : value_(std::move(value)) {}

  bool ok() const { return value_.has_value(); }
  const Status &status() const { return status_; }
  T &operator*() { return *value_; }
  const T &operator*() const { return *value_; }
  T *operator->() { return &*value_; }
  const T *operator->() const { return &*value_; }

 private:
  Status status_;
  std::optional<T> value_;
};

}  // namespace tpuc::pjrt
