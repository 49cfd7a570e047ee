// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes that make functions of whole arrays of plain ops. Part of passes.td.
#ifndef TPUC_PASSES_DECOMPOSE_FUNCTIONS
#define TPUC_PASSES_DECOMPOSE_FUNCTIONS
include "mlir/Pass/PassBase.td"

def ExpandFftPass : Pass<"tpuc-expand-fft", "::mlir::func::FuncOp"> {
  let summary = "Fourier transforms as matmuls";
  let description = [{
    ```mlir
    func.func @main(%x: tensor<2x4xf32>) -> tensor<2x3xcomplex<f32>> {
      %0 = stablehlo.fft %x, type = RFFT, length = [4] : (tensor<2x4xf32>) -> tensor<2x3xcomplex<f32>>
      return %0 : tensor<2x3xcomplex<f32>>
    }
    // becomes
    func.func @main(%arg0: tensor<2x4xf32>) -> tensor<2x3xcomplex<f32>> {
      %cst = stablehlo.constant dense<[[1.000000e+00, 1.000000e+00, 1.000000e+00, 1.000000e+00], [1.000000e+00,
          0.000000e+00, -1.000000e+00, 0.000000e+00], [1.000000e+00, -1.000000e+00, 1.000000e+00,
          -1.000000e+00], [1.000000e+00, 0.000000e+00, -1.000000e+00, 0.000000e+00]]> : tensor<4x4xf32>
      %cst_0 = stablehlo.constant dense<[[-0.000000e+00, -0.000000e+00, -0.000000e+00, -0.000000e+00],
          [-0.000000e+00, -1.000000e+00, -0.000000e+00, 1.000000e+00], [-0.000000e+00, -0.000000e+00,
          -0.000000e+00, -0.000000e+00], [-0.000000e+00, 1.000000e+00, -0.000000e+00, -1.000000e+00]]> :
          tensor<4x4xf32>
      %0 = stablehlo.dot_general %arg0, %cst, contracting_dims = [1] x [0], algorithm = <lhs_precision_type =
          f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count =
          1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x4xf32>,
          tensor<4x4xf32>) -> tensor<2x4xf32>
      %1 = stablehlo.dot_general %arg0, %cst_0, contracting_dims = [1] x [0], algorithm = <lhs_precision_type =
          f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count =
          1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x4xf32>,
          tensor<4x4xf32>) -> tensor<2x4xf32>
      %2 = stablehlo.slice %0 [0:2, 0:3] : (tensor<2x4xf32>) -> tensor<2x3xf32>
      %3 = stablehlo.slice %1 [0:2, 0:3] : (tensor<2x4xf32>) -> tensor<2x3xf32>
      %4 = stablehlo.complex %2, %3 : tensor<2x3xcomplex<f32>>
      return %4 : tensor<2x3xcomplex<f32>>
    }
    ```
  }];
}

def ExpandLinalgPass : Pass<"tpuc-expand-linalg", "::mlir::func::FuncOp"> {
  let summary = "cholesky, triangular_solve and JAX's calls of factorisations as loops over panels";
  let description = [{
    Also the calls `tpuc.svd`, `tpuc.tridiagonal_solve`, `tpuc.hessenberg`, `tpuc.tridiagonal`, `tpuc.pivoted_qr`,
    `tpuc.schur` and `tpuc.eig` that the stage `simplify` makes of LAPACK's routines.

    ```mlir
    func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %0 = stablehlo.cholesky %a, lower = true : tensor<4x4xf32>
      return %0 : tensor<4x4xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %0 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
      %c = stablehlo.constant dense<0> : tensor<i32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
      %c_2 = stablehlo.constant dense<0> : tensor<i32>
      %2:3 = stablehlo.while(%iterArg = %c_2, %iterArg_4 = %arg0, %iterArg_5 = %1) : tensor<i32>,
          tensor<4x4xf32>, tensor<4x4xf32>
      cond {
        %c_6 = stablehlo.constant dense<4> : tensor<i32>
        %3 = stablehlo.compare LT, %iterArg, %c_6 : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %3 : tensor<i1>
      } do {
        %c_6 = stablehlo.constant dense<1> : tensor<i32>
      ...
      %c_3 = stablehlo.constant dense<0> : tensor<i32>
      return %2#2 : tensor<4x4xf32>
    }
    ```
  }];
  let dependentDialects = ["::tpuc::kernel::KernelDialect"];
}

def ExpandRngPass : Pass<"tpuc-expand-rng", "::mlir::func::FuncOp"> {
  let summary = "rng_bit_generator as rounds of Threefry or Philox, rng as a distribution of Philox's bits";
  let description = [{
    The algorithm DEFAULT is Philox, as XLA's is on other hosts. `rng` names no state: its key is the op's number in the
    program, and the upper half of its counter tells the iterations of the loops around it, so that a program gives the
    same numbers each time
    it runs and others in each iteration.

    ```mlir
    func.func @main(%state: tensor<3xui64>) -> (tensor<3xui64>, tensor<5xui32>) {
      %0, %1 = stablehlo.rng_bit_generator %state, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>,
          tensor<5xui32>)
      return %0, %1 : tensor<3xui64>, tensor<5xui32>
    }
    // becomes
    func.func @main(%arg0: tensor<3xui64>) -> (tensor<3xui64>, tensor<5xui32>) {
      %0 = stablehlo.slice %arg0 [0:1] : (tensor<3xui64>) -> tensor<1xui64>
      %1 = stablehlo.reshape %0 : (tensor<1xui64>) -> tensor<ui64>
      %2 = stablehlo.slice %arg0 [1:2] : (tensor<3xui64>) -> tensor<1xui64>
      %3 = stablehlo.reshape %2 : (tensor<1xui64>) -> tensor<ui64>
      %4 = stablehlo.slice %arg0 [2:3] : (tensor<3xui64>) -> tensor<1xui64>
      %5 = stablehlo.reshape %4 : (tensor<1xui64>) -> tensor<ui64>
      %c = stablehlo.constant dense<2> : tensor<ui64>
      %6 = stablehlo.add %3, %c : tensor<ui64>
      %7 = stablehlo.compare LT, %6, %3 : (tensor<ui64>, tensor<ui64>) -> tensor<i1>
      %c_0 = stablehlo.constant dense<1> : tensor<ui64>
      %8 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui64>) -> tensor<ui64>
      %9 = stablehlo.add %5, %8 : tensor<ui64>
      %10 = stablehlo.select %7, %9, %5 : tensor<i1>, tensor<ui64>
      %11 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<ui64>) -> tensor<2xui64>
      %c_1 = stablehlo.constant dense<32> : tensor<ui64>
      ...
          -> tensor<3xui64>
      return %144, %138 : tensor<3xui64>, tensor<5xui32>
    }
    ```
  }];
  let dependentDialects = ["::tpuc::kernel::KernelDialect"];
}

def ExpandBatchNormPass : Pass<"tpuc-expand-batch-norm", "::mlir::func::FuncOp"> {
  let summary = "batch_norm_training, _inference and _grad as sums and elementwise ops";
  let description = [{
    ```mlir
    func.func @main(%x: tensor<2x3x4xf32>, %scale: tensor<4xf32>, %offset: tensor<4xf32>, %mean: tensor<4xf32>,
                    %variance: tensor<4xf32>) -> tensor<2x3x4xf32> {
      %0 = "stablehlo.batch_norm_inference"(%x, %scale, %offset, %mean, %variance) {epsilon = 0.001 : f32,
          feature_index = 2 : i64} : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>,
              tensor<4xf32>)
          -> tensor<2x3x4xf32>
      return %0 : tensor<2x3x4xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<2x3x4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>,
        %arg4: tensor<4xf32>) -> tensor<2x3x4xf32> {
      %0 = stablehlo.broadcast_in_dim %arg3, dims = [2] : (tensor<4xf32>) -> tensor<2x3x4xf32>
      %1 = stablehlo.subtract %arg0, %0 : tensor<2x3x4xf32>
      %2 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<4xf32>) -> tensor<2x3x4xf32>
      %cst = stablehlo.constant dense<1.000000e-03> : tensor<4xf32>
      %3 = stablehlo.add %arg4, %cst : tensor<4xf32>
      %4 = stablehlo.sqrt %3 : tensor<4xf32>
      %5 = stablehlo.broadcast_in_dim %4, dims = [2] : (tensor<4xf32>) -> tensor<2x3x4xf32>
      %6 = stablehlo.divide %1, %5 : tensor<2x3x4xf32>
      %7 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<4xf32>) -> tensor<2x3x4xf32>
      %8 = stablehlo.multiply %7, %6 : tensor<2x3x4xf32>
      %9 = stablehlo.add %8, %2 : tensor<2x3x4xf32>
      return %9 : tensor<2x3x4xf32>
    }
    ```
  }];
}

#endif
