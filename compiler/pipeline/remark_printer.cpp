// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/pipeline/remark_printer.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace tpuc {
namespace {

struct AsDiagnostics : remark::detail::MLIRRemarkStreamerBase {
  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    InFlightDiagnostic diagnostic = emitRemark(remark.getLocation());
    for (const remark::detail::Remark::Arg &argument : remark.getArgs()) diagnostic << argument.val;
  }
};

}  // namespace

RemarkPrinter::RemarkPrinter(MLIRContext &context, llvm::StringRef filter)
    : context_(context), prints_(!filter.empty()) {
  if (!prints_) return;
  const std::string each = filter.str();  // each kind by itself: `all` only widens those that are given
  const remark::RemarkCategories categories{std::nullopt, each, each, each, each};
  (void)remark::enableOptimizationRemarks(context, std::make_unique<AsDiagnostics>(),
                                          std::make_unique<remark::RemarkEmittingPolicyAll>(), categories);
}

RemarkPrinter::~RemarkPrinter() {
  if (prints_) context_.setRemarkEngine(nullptr);
}

}  // namespace tpuc
