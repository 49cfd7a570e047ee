// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long a kernel takes on one core and on all, roughly and before it has a plan.
#pragma once
#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/stablehlo.h"
#include "runtime/target/target.h"

namespace tpuc::plan {

class KernelTimes {
 public:
  // `precision`: of matmuls, as in KernelContext.
  KernelTimes(const target::Target &target, llvm::StringRef precision);

  // Whether HBM's latencies matter to the kernel where all cores run it.
  bool isShort(kernel::FusionOp op) const;
  // Nanoseconds that are saved where one core runs the kernel, with arrays that `stays` says in its VMEM, and not all
  // of them, with arrays in HBM; less than 0 where all take less. One core's code is thought slow and all cores' fast.
  double savedByOne(kernel::FusionOp op, llvm::function_ref<bool(mlir::Value)> stays) const;

 private:
  // What one core has to do, in cycles at the peaks of its units.
  struct Work {
    double arrays = 0;   // cycles of the systolic arrays
    double vectors = 0;  // cycles of the vector units
  };
  Work workOf(kernel::FusionOp op) const;
  double timeOnAll(kernel::FusionOp op, const Work &work) const;
  double vectorsOf(mlir::Operation &op) const;
  double passesOf(mlir::Operation *product) const;
  double tileCycles(double rows, double k, double n) const;
  double cyclesOf(stablehlo::DotGeneralOp dot) const;
  double cyclesOf(stablehlo::ConvolutionOp conv) const;
  double timeOf(kernel::FusionOp op, double work, bool waitsForInputs,
                llvm::function_ref<bool(mlir::Value)> stays) const;

  const target::Target &target_;
  const llvm::StringRef precision_;
  const double rate_, latency_;  // bytes a nanosecond, nanoseconds
};

}  // namespace tpuc::plan
