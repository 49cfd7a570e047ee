// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long kernels and transfers to other chips take, roughly: before kernels have plans.
#pragma once
#include "dialects/kernel/kernel.h"
#include "runtime/target/target.h"

namespace tpuc::plan {

class Times {
 public:
  explicit Times(const target::Target &target);

  // Nanoseconds: of a kernel by its bytes in HBM and its products, besides its launch; of control flow by what it runs.
  double of(mlir::Operation *op);
  double launch() const { return launch_; }
  // How long the links are kept busy, and until when what is sent is there.
  double linksOf(kernel::ExchangeStartOp op) const;
  double latency() const { return latency_; }

 private:
  double ofKernel(kernel::FusionOp op) const;
  double ofBlock(mlir::Block &block);

  double launch_, hbmRate_, linkRate_, flopRate_, int8Rate_, latency_;  // bytes and operations a nanosecond
  llvm::DenseMap<mlir::Operation *, double> control_;
};

}  // namespace tpuc::plan
