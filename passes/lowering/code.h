// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A builder of machine code: instructions by mnemonic, scalar arithmetic folded as it is made, linear address
// expressions.
#pragma once
#include "dialects/tpu/tpu.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/plan/linear.h"

namespace tpuc::lowering {

using namespace plan;  // what kernels are made of: spaces, blocks, grids

using Fields = llvm::ArrayRef<std::pair<llvm::StringRef, int64_t>>;

class Code {
 public:
  Code(mlir::OpBuilder &builder, mlir::Location loc) : b(builder), loc(loc) {}

  mlir::OpBuilder &b;
  mlir::Location loc;  // of what is made next

  // While it lives, code is made in the name of another op.
  class InNameOf {
   public:
    InNameOf(Code &code, mlir::Location loc) : code_(code), before_(std::exchange(code.loc, loc)) {}
    ~InNameOf() { code_.loc = before_; }

   private:
    Code &code_;
    mlir::Location before_;
  };

  // An instruction; its result, or null when it has none. `region`: the piece of VMEM it stays within, -1 any.
  mlir::Value inst(llvm::StringRef mnemonic, mlir::ValueRange operands, Fields fields = {}, int64_t region = -1);

  // Scalars.
  mlir::Value i64(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, int64_t b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value div(mlir::Value a, int64_t b);  // a >= 0
  mlir::Value rem(mlir::Value a, int64_t b);  // a >= 0
  mlir::Value div(mlir::Value a, mlir::Value b);
  mlir::Value rem(mlir::Value a, mlir::Value b);
  mlir::Value min(mlir::Value a, mlir::Value b);
  mlir::Value max(mlir::Value a, mlir::Value b);
  mlir::Value cmp(mlir::arith::CmpIPredicate predicate, mlir::Value a, mlir::Value b);
  mlir::Value select(mlir::Value cond, mlir::Value a, mlir::Value b);
  mlir::Value value(const Linear &linear);
  Linear linear(mlir::Value v);  // a known value as a constant
  // floor(l / d) and l mod d as linear expressions; l >= 0.
  Linear divL(const Linear &l, int64_t d);
  Linear remL(const Linear &l, int64_t d);

  // for iv in [lower, upper) step `step`; `body` gets the induction variable and the carried values, returns the next
  // ones.
  llvm::SmallVector<mlir::Value> loop(
      mlir::Value lower, mlir::Value upper, int64_t step, mlir::ValueRange init,
      llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value, mlir::ValueRange)> body, bool independent = false);
  // Walks all positions of a space of constant extents in one loop, so that short inner extents cost no loop of their
  // own. Up to `unroll` innermost positions are straight code; `body` gets the position along each dim and the flat
  // number.
  void flatLoop(llvm::ArrayRef<int64_t> extents, int64_t unroll,
                llvm::function_ref<void(llvm::ArrayRef<Linear>, const Linear &)> body, bool independent = true);
  // The position after `counters` in a space of constant extents, the last dim fastest.
  llvm::SmallVector<mlir::Value> advance(mlir::ValueRange counters, llvm::ArrayRef<int64_t> extents);
  void ifThen(mlir::Value cond, llvm::function_ref<void()> then, llvm::function_ref<void()> otherwise = nullptr);

  // Vector helpers.
  mlir::Value splatBits(uint32_t bits) { return inst("v.li", {}, {{"imm", bits}}); }
  mlir::Value splatF(float value);
  mlir::Value splatI(int64_t value) { return splatBits(static_cast<uint32_t>(value)); }
  mlir::Value splat(const Linear &l);
  // A vreg at VMEM word `address`; sublane s is word address + s * stride. Zeros from lane `lanes` on.
  mlir::Value load(const Linear &address, int64_t stride, int64_t region, int64_t lanes = 128);
  // Of the first sublanes, and of each the first lanes.
  struct Extent {
    int64_t sublanes = 8, lanes = 128;
  };
  void store(mlir::Value v, const Linear &address, int64_t stride, int64_t region, mlir::Value mask = {},
             Extent extent = {8, 128});
};

}  // namespace tpuc::lowering
