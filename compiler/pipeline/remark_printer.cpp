// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/pipeline/remark_printer.h"

#include "dialects/diagnostics/describe_location.h"
#include "llvm/Support/Regex.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace tpuc {
namespace {

constexpr llvm::StringLiteral kWords("Remark");  // the key of what is said; others are facts for programs

class Listener : public remark::detail::MLIRRemarkStreamerBase {
 public:
  explicit Listener(const CompileOptions &options)
      : prints_(!options.remarks.empty()), filter_(options.remarks), hear_(options.onRemark) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    PassRemark heard;
    for (const remark::detail::Remark::Arg &argument : remark.getArgs())
      argument.key == kWords ? (void)heard.text.append(argument.val)
                             : (void)heard.facts.insert_or_assign(argument.key, argument.val);
    if (prints_ && filter_.match(remark.getCategoryName())) emitRemark(remark.getLocation()) << heard.text;
    if (!hear_) return;
    heard.category = remark.getCategoryName().str();
    heard.name = remark.getRemarkName().str();
    heard.location = describeLocation(remark.getLocation());
    hear_(heard);
  }

 private:
  const bool prints_;
  const llvm::Regex filter_;
  const std::function<void(const PassRemark &)> hear_;
};

}  // namespace

RemarkPrinter::RemarkPrinter(MLIRContext &context, const CompileOptions &options)
    : context_(context), listens_(!options.remarks.empty() || options.onRemark) {
  if (!listens_) return;
  const std::string each = options.onRemark ? ".*" : options.remarks;  // each kind by itself: `all` only widens those
                                                                       // that are given
  const remark::RemarkCategories categories{std::nullopt, each, each, each, each};
  (void)remark::enableOptimizationRemarks(context, std::make_unique<Listener>(options),
                                          std::make_unique<remark::RemarkEmittingPolicyAll>(), categories);
}

RemarkPrinter::~RemarkPrinter() {
  if (listens_) context_.setRemarkEngine(nullptr);
}

}  // namespace tpuc
