// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors with a code. `diagnose(op, codes::kNoLowering) << "expects X, but got " << y` says "expects X, but got y
// [TPUC-LOWER-003]".
#pragma once
#include "dialects/diagnostics/codes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

namespace tpuc {

// An error in the making: reported when it goes out of scope, with its code at the end. It counts as failure, as MLIR's
// own do.
class CodedError {
 public:
  CodedError(mlir::Location location, const DiagnosticCode &code) : error_(mlir::emitError(location)), code_(&code) {}
  CodedError(CodedError &&other) : error_(std::move(other.error_)), code_(std::exchange(other.code_, nullptr)) {}
  ~CodedError() { finish(); }

  template <typename T>
  CodedError &operator<<(T &&value) & {
    error_ << std::forward<T>(value);
    return *this;
  }
  template <typename T>
  CodedError &&operator<<(T &&value) && {
    error_ << std::forward<T>(value);
    return std::move(*this);
  }
  // The error's own words end here.
  mlir::Diagnostic &attachNote(std::optional<mlir::Location> location = std::nullopt) {
    finish();
    return error_.attachNote(location);
  }

  operator llvm::LogicalResult() const { return mlir::failure(); }
  template <typename T>
  operator mlir::FailureOr<T>() const {
    return mlir::failure();
  }

 private:
  void finish() {
    if (code_) error_ << " [" << code_->name << "]";
    code_ = nullptr;
  }

  mlir::InFlightDiagnostic error_;
  const DiagnosticCode *code_;
};

inline CodedError diagnose(mlir::Location location, const DiagnosticCode &code) { return {location, code}; }
inline CodedError diagnose(mlir::Operation *op, const DiagnosticCode &code) { return {op->getLoc(), code}; }

}  // namespace tpuc
