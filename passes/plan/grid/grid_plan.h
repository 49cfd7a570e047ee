// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel's plan as an attribute: written of a grid whose blocks are chosen, and read.
#pragma once
#include "mlir/IR/OperationSupport.h"
#include "passes/plan/kernels.h"

namespace tpuc::plan {

// What a kind of kernel decides beside its grid and blocks, by name.
class Choices {
 public:
  explicit Choices(mlir::MLIRContext *context) : b_(context) {}
  void set(llvm::StringRef name) { list_.set(name, b_.getUnitAttr()); }
  void set(llvm::StringRef name, int64_t number) { list_.set(name, b_.getI64IntegerAttr(number)); }
  void set(llvm::StringRef name, llvm::ArrayRef<int64_t> numbers) { list_.set(name, b_.getDenseI64ArrayAttr(numbers)); }
  mlir::DictionaryAttr get() const { return list_.getDictionary(b_.getContext()); }

 private:
  mlir::Builder b_;
  mlir::NamedAttrList list_;
};

// The plan of a kernel whose blocks are placed, up to context.vmemWords.
kernel::PlanAttr planOf(const KernelContext &context, const Grid &grid, const Choices &choices);
// The plan of a kernel without a grid, whose arrays the scalar unit moves by transfers.
kernel::PlanAttr planOf(const KernelContext &context, const Choices &choices);
// The choice of such a plan.
inline constexpr llvm::StringLiteral kTransfers("transfers");
// Gives a kernel a plan of transfers. A plan that it comes with has to be one.
mlir::LogicalResult planTransfers(KernelContext &context);

// The plan that a kernel comes with. What is wrong with it is said at the kernel.
class GivenPlan {
 public:
  explicit GivenPlan(const KernelContext &context) : context_(context), plan_(context.plan) {}
  bool has(llvm::StringRef name) const { return plan_.getChoices().contains(name); }
  int64_t number(llvm::StringRef name, int64_t otherwise) const;
  llvm::SmallVector<int64_t> numbers(llvm::StringRef name) const;

  // Gives the domain its blocks and the grid its order, which must be of the same dims. Dims of `whole` are not cut,
  // others in multiples of their granules, up to `most`.
  mlir::LogicalResult takeBlocks(Domain &domain, Grid &grid, const llvm::DenseSet<int64_t> &whole,
                                 llvm::ArrayRef<int64_t> granules, llvm::ArrayRef<int64_t> most) const;
  // Whether the domain has the plan's blocks.
  bool hasBlocks(const Domain &domain) const;
  // Compares placed blocks with what the plan says of them. They have to agree.
  mlir::LogicalResult check(const Grid &grid) const;
  // "expects a plan with WHAT".
  mlir::LogicalResult refuse(const llvm::Twine &what) const;

 private:
  const KernelContext &context_;
  kernel::PlanAttr plan_;
};

// A kernel that comes with a plan: its grid has the plan's blocks, laid out by `place`, which returns the words that
// they take. `granules`: what each dim is cut in multiples of, 0 where it stays whole; `most`: of each block.
mlir::LogicalResult followBlocks(KernelContext &context, Domain &domain, Grid &grid, llvm::ArrayRef<int64_t> granules,
                                 llvm::ArrayRef<int64_t> most, llvm::StringRef what,
                                 llvm::function_ref<int64_t()> place);

}  // namespace tpuc::plan
