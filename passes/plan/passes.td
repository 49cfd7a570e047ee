// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_PASSES_PLAN_PASSES
#define TPUC_PASSES_PLAN_PASSES
include "mlir/Pass/PassBase.td"

def PlanKernelsPass : Pass<"tpuc-plan-kernels", "::mlir::ModuleOp"> {
  let summary = "what stays in VMEM, and each kernel's grid and blocks";
  let description = [{
    Arrays that stay in VMEM between kernels get places there, as many as leave every kernel room for its blocks. Then
    each kernel gets a plan, by its kind. One whose smallest blocks are over VMEM is refused. Kinds whose plans are no
    attributes yet are asked whether they fit.

    ```mlir
    func.func @main(%x: tensor<8x128xf32>) -> tensor<8x128xf32> {
      %0 = kernel.fusion "loop"(%x : tensor<8x128xf32>) -> tensor<8x128xf32> {
      ^bb0(%a: tensor<8x128xf32>):
        %1 = stablehlo.add %a, %a : tensor<8x128xf32>
        kernel.yield %1 : tensor<8x128xf32>
      }
      return %0 : tensor<8x128xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<8x128xf32>) -> tensor<8x128xf32> {
      %0 = kernel.fusion "loop"(%arg0 : tensor<8x128xf32>) -> tensor<8x128xf32> attributes {kernel.plan =
          #kernel.plan<grid [parallel d0 = 8 by 8, parallel d1 = 128 by 128],
                       reads [[8, 128] (d0, d1) -> (d0, d1) in hbm slots 1],
                       writes [[8, 128] (d0, d1) -> (d0, d1) in hbm slots 1], vmem 16 of 229376>} {
      ^bb0(%arg1: tensor<8x128xf32>):
        %1 = stablehlo.add %arg1, %arg1 : tensor<8x128xf32>
        kernel.yield %1 : tensor<8x128xf32>
      }
      return %0 : tensor<8x128xf32>
    }
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"v5e\"", "bundled target's name or path of a textproto">,
    ListOption<"sets", "set", "std::string", "constants of the target to change: path=value">,
    Option<"precision", "matmul-precision", "std::string", "\"\"",
        "default, high or highest; empty: as the program says">
  ];
  let dependentDialects = ["::tpuc::kernel::KernelDialect"];
}
#endif
