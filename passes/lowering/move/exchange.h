// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exchanges with other devices in the entry routine: transfers to the chips that a table names, semaphores on which
// they arrive.
#pragma once
#include "dialects/kernel/kernel.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/lowering/code.h"
#include "passes/plan/memory/true_sizes.h"

namespace tpuc::lowering {

// The routes of all exchanges of a program. Each device has a row of words for each of them, which the entry fetches to
// SMEM when it begins.
class Exchanges {
 public:
  explicit Exchanges(mlir::func::FuncOp main);

  int64_t smemEnd() const { return smemEnd_; }
  // SMEM's word with the true size that an argument of main has, which the runtime writes before a run; -1 for others.
  bool hasSizes() const { return !sizes_.empty(); }
  int64_t sizeWord(mlir::Value argument) const { return sizes_.wordOf(argument); }
  // Constants, and what the executable says of the program's devices, before the entry.
  void emitTables(mlir::OpBuilder &b, mlir::ModuleOp module) const;
  // At the entry's beginning.
  void emitPrologue(mlir::OpBuilder &b, mlir::Location loc) const;
  // `from`, `to`: buffers of the operand and the result.
  void emitStart(mlir::OpBuilder &b, kernel::ExchangeStartOp op, llvm::StringRef from, llvm::StringRef to) const;
  void emitDone(mlir::OpBuilder &b, kernel::ExchangeDoneOp op) const;
  void emitDeviceId(mlir::OpBuilder &b, kernel::DeviceIdOp op, llvm::StringRef to) const;

 private:
  // What a device's row holds: the number of the block that is its own, how many others say that they are ready, how
  // many transfers arrive; those to whom it says that it is ready; those to whom it sends, and which block. -1: nobody.
  struct Row {
    int64_t block = 0, ready = 0, arrive = 0;
    llvm::SmallVector<int64_t> signals;
    llvm::SmallVector<std::pair<int64_t, int64_t>> sends;
  };
  struct Route {
    mlir::StringAttr kind, collective;
    mlir::DenseIntElementsAttr groups;
    std::string axes;             // that the groups lie along
    llvm::SmallVector<Row> rows;  // by device
    int64_t signals = 0, sends = 0;
    int64_t slots = 0;      // of exchanges that are under way at the same time: 2 semaphores each
    int64_t semaphore = 0;  // the first one
    int64_t smem = 0;
    int64_t words() const { return 3 + signals + 2 * sends; }
    bool hasBlocks() const { return kind.getValue() != "permute"; }
  };
  void addRoute(kernel::ExchangeStartOp op);
  const Route &routeOf(kernel::ExchangeStartOp op) const;
  // The chip semaphore that counts who is ready; the next one counts arrivals.
  int64_t semaphoreOf(kernel::ExchangeStartOp op) const;
  std::string tableName(size_t i) const { return "routes" + std::to_string(i); }

  int64_t devices_ = 1, smemBegin_, smemEnd_;
  bool usesIds_ = false;
  TrueSizes sizes_;
  std::vector<Route> routes_;
  llvm::DenseMap<mlir::Attribute, size_t> numbers_;  // by kind, collective and groups
};

}  // namespace tpuc::lowering
