//===- rules_convolution.cpp - the sharding rule of a convolution ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A spatial dimension of the input is the product of the number of windows (shared with the result, and needing the
// neighbours' rims) and of what is left of it (shared with the kernel, which is summed over), the larger one major.
//===-----------------------------------------------------------------------------===//
#include "passes/shard/models.h"
#include "passes/shard/rule_builder.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

namespace hlo = tpuc::stablehlo;

class ConvolutionRule {
 public:
  ConvolutionRule(hlo::ConvolutionOp op)
      : op(op),
        numbers(op.getDimensionNumbers()),
        lhs(shapeOf(op.getLhs())),
        rhs(shapeOf(op.getRhs())),
        out(shapeOf(op.getResult())),
        builder(op) {}

  sdy::OpShardingRuleAttr run(bool conservative) {
    batch();
    if (!conservative)
      for (size_t i = 0; i < numbers.getInputSpatialDimensions().size(); ++i) spatial(i);
    features();
    return builder.build();
  }

  // The rule by which it is partitioned: windows move along a spatial dimension, and a window's own dimensions stay
  // whole.
  sdy::OpShardingRuleAttr runByWindows() {
    batch();
    for (auto [in, kernel, result] :
         llvm::zip_equal(numbers.getInputSpatialDimensions(), numbers.getKernelSpatialDimensions(),
                         numbers.getOutputSpatialDimensions())) {
      builder.add({in, kAbsent}, {result}, out[result], Kind::Permutation);
      builder.add({kAbsent, kernel}, {kAbsent}, rhs[kernel], Kind::NeedReplication);
    }
    features();
    return builder.build();
  }

 private:
  // A factor of 1 beside others is none.
  void addPart(ArrayRef<int64_t> operands, ArrayRef<int64_t> results, int64_t size, Kind kind, bool lone) {
    if (size > 1 || lone) builder.add(operands, results, size, kind);
  }

  void batch() {
    int64_t groups = op.getBatchGroupCount(), dim = numbers.getInputBatchDimension(),
            result = numbers.getOutputBatchDimension();
    if (groups == 1) {
      builder.add({dim, kAbsent}, {result}, lhs[dim]);
      return;
    }
    int64_t perGroup = lhs[dim] / groups;
    builder.add({dim, numbers.getKernelOutputFeatureDimension()}, {numbers.getOutputFeatureDimension()}, groups);
    builder.add({perGroup > 1 ? dim : kAbsent, kAbsent}, {result}, perGroup);
  }

  void spatial(size_t i) {
    int64_t in = numbers.getInputSpatialDimensions()[i], kernel = numbers.getKernelSpatialDimensions()[i],
            result = numbers.getOutputSpatialDimensions()[i];
    int64_t windows = out[result], window = rhs[kernel], size = lhs[in];
    int64_t major = std::max(windows, window);
    bool byWindows = windows >= window;
    bool splits = major > 0 && size > 0 && size % major == 0;
    int64_t minor = splits ? size / major : 1;
    auto addWindows = [&](int64_t factor) { builder.add({in, kAbsent}, {result}, factor, Kind::Permutation); };
    if (byWindows) {
      addWindows(major);
      if (minor > 1) builder.add({in, kernel}, {kAbsent}, minor, Kind::Reduction);
      return;
    }
    builder.add({in, kernel}, {kAbsent}, major, Kind::Reduction);
    if (minor > 1) addWindows(minor);
  }

  void features() {
    int64_t in = numbers.getInputFeatureDimension(), kernelIn = numbers.getKernelInputFeatureDimension(),
            kernelOut = numbers.getKernelOutputFeatureDimension(), result = numbers.getOutputFeatureDimension();
    int64_t groups = op.getFeatureGroupCount();
    int64_t perGroup = lhs[in] / groups,
            outPerGroup = out[result] / std::max(groups, static_cast<int64_t>(op.getBatchGroupCount()));
    bool grouped = groups > 1, batched = op.getBatchGroupCount() > 1;
    if (grouped) builder.add({in, kernelOut}, {result}, groups);
    builder.add({!grouped || perGroup > 1 ? in : kAbsent, kernelIn}, {kAbsent}, perGroup, Kind::Reduction);
    addPart({kAbsent, kernelOut}, {result}, outPerGroup, Kind::PassThrough, /*lone=*/!grouped && !batched);
  }

  hlo::ConvolutionOp op;
  hlo::ConvDimensionNumbersAttr numbers;
  ArrayRef<int64_t> lhs, rhs, out;
  RuleBuilder builder;
};

struct Convolution {
  static sdy::OpShardingRuleAttr of(hlo::ConvolutionOp op, bool conservative) {
    return ConvolutionRule(op).run(conservative);
  }
};

}  // namespace

sdy::OpShardingRuleAttr windowRule(hlo::ConvolutionOp op) { return ConvolutionRule(op).runByWindows(); }

void attachConvolution(MLIRContext *context) { attachRules<Convolution, hlo::ConvolutionOp>(context); }

}  // namespace tpuc::shard
