// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_PASSES_PLAN_PASSES
#define TPUC_PASSES_PLAN_PASSES
include "mlir/Pass/PassBase.td"

def OverlapExchangesPass : Pass<"tpuc-overlap-exchanges", "::mlir::ModuleOp"> {
  let summary = "kernels run while arrays are on their way to other chips";
  let description = [{
    An exchange starts so early that it has ended when its result is needed, and kernels that do not need it come before
    its end, where memory has room. Times are estimates: of kernels by their bytes and products, of exchanges by the
    chip's links. Exchanges that are under way at the same time have different slots, which are their semaphores.

    ```mlir
    func.func @main(%x: tensor<8x128xf32>, %y: tensor<8x128xf32>) -> (tensor<8x128xf32>, tensor<8x128xf32>) {
      %0 = kernel.exchange_start "permute" %x groups dense<[[0, 1], [1, 0]]> : tensor<2x2xi64> of "collective_permute"
          : tensor<8x128xf32> -> tensor<8x128xf32>
      %1 = kernel.exchange_done %0, %x : tensor<8x128xf32>, tensor<8x128xf32>
      %2 = kernel.fusion "loop"(%y : tensor<8x128xf32>) -> tensor<8x128xf32> {
      ^bb0(%a: tensor<8x128xf32>):
        %3 = stablehlo.exponential %a : tensor<8x128xf32>
        kernel.yield %3 : tensor<8x128xf32>
      }
      return %1, %2 : tensor<8x128xf32>, tensor<8x128xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<8x128xf32>, %arg1: tensor<8x128xf32>) -> (tensor<8x128xf32>, tensor<8x128xf32>) {
      %0 = kernel.exchange_start "permute" %arg0 groups dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>
          of "collective_permute" : tensor<8x128xf32> -> tensor<8x128xf32>
      %1 = kernel.fusion "loop"(%arg1 : tensor<8x128xf32>) -> tensor<8x128xf32> {
      ^bb0(%arg2: tensor<8x128xf32>):
        %3 = stablehlo.exponential %arg2 : tensor<8x128xf32>
        kernel.yield %3 : tensor<8x128xf32>
      }
      %2 = kernel.exchange_done %0, %arg0 : tensor<8x128xf32>, tensor<8x128xf32>
      return %2, %1 : tensor<8x128xf32>, tensor<8x128xf32>
    }
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"v5e\"", "bundled target's name or path of a textproto">,
    ListOption<"sets", "set", "std::string", "constants of the target to change: path=value">
  ];
  let dependentDialects = ["::tpuc::kernel::KernelDialect"];
}

def PlanKernelsPass : Pass<"tpuc-plan-kernels", "::mlir::ModuleOp"> {
  let summary = "what stays in VMEM, and each kernel's grid and blocks";
  let description = [{
    Arrays that stay in VMEM between kernels get places there, as many as leave every kernel room for its blocks. Then
    each kernel gets a plan, by its kind. One whose smallest blocks are over VMEM is refused.

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
