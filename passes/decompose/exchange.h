// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builders of what collectives are made of: exchanges, blocks at the front, values that differ by device.
#pragma once
#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/device_grid.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/builders/build.h"
#include "passes/decompose/process_groups.h"

namespace tpuc::decompose {
using namespace builders;

struct ExchangeBuild : Build {
  mlir::Value splat0(mlir::RankedTensorType type);  // zeros of any type
  mlir::Value padTo(mlir::Value v, int64_t dim, int64_t size);
  mlir::Value sliceTo(mlir::Value v, llvm::ArrayRef<int64_t> shape);
  mlir::Value select(mlir::Value scalar, mlir::Value yes, mlir::Value no);
  mlir::Value equals(mlir::Value a, mlir::Value b);  // of i32 scalars
  mlir::Value blockAt(mlir::Value blocks, mlir::Value index, llvm::ArrayRef<int64_t> shape);
};

// Exchanges within the groups of one collective, or over its pairs.
class Exchange {
 public:
  Exchange(mlir::OpBuilder &b, mlir::Operation *op, const Groups &groups);

  stablehlo::DeviceGrid grid() const { return grid_; }
  int64_t size() const { return size_; }  // members of the largest group
  int64_t numMembers() const { return numMembers_; }
  bool isUniform() const { return uniform_; }

  // [size] + shape: block j is member j's x.
  mlir::Value gather(mlir::Value x);
  // Block j goes to member j; of its result block j is what member j had for this one.
  mlir::Value scatter(mlir::Value blocks);
  // Along the pairs, zeros without a source.
  mlir::Value permute(mlir::Value x);
  // The first member's x, zeros outside of groups.
  mlir::Value fromFirst(mlir::Value x);

  // The dim split into `size` parts, which become blocks; blocks along a dim of `type`.
  mlir::Value splitToFront(mlir::Value x, int64_t dim);
  mlir::Value mergeFront(mlir::Value blocks, int64_t dim, mlir::RankedTensorType type);
  // The dim whose parts take the least memory.
  int64_t bestSplit(mlir::RankedTensorType type) const;

  // An i1 scalar that depends on the size of the device's group, 0 for none, and its position there.
  mlir::Value flag(llvm::function_ref<bool(int64_t size, int64_t position)> holds);
  mlir::Value position();  // i32

 private:
  mlir::Value lookUp(llvm::ArrayRef<llvm::APInt> byDevice, mlir::Type element);
  mlir::Value start(llvm::StringRef kind, mlir::Value x, mlir::RankedTensorType type, const Groups &rows);
  mlir::Value along(mlir::Value x, const Groups &pairs);

  mlir::OpBuilder &b_;
  ExchangeBuild build_;
  llvm::StringRef name_;
  const Groups groups_;
  stablehlo::DeviceGrid grid_;
  int64_t size_ = 0, numMembers_ = 0;
  bool uniform_ = true;
};

}  // namespace tpuc::decompose
