// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_PASSES_DECOMPOSE_PASSES
#define TPUC_PASSES_DECOMPOSE_PASSES
include "mlir/Pass/PassBase.td"

// First: everything else looks at bodies of plain ops.
def FlattenBodiesPass : Pass<"tpuc-flatten-bodies", "::mlir::func::FuncOp"> {
  let summary = "branches in the computations of reductions, scatters and sorts as selects";
  let description = [{
    `reduce` with `if (x > y) x else x + y` computes both and selects. A loop of a branch runs while the branch is
    taken. Loops stay: maps, reductions and windows run them on whole arrays until no element goes on. A sort whose
    comparator has one compares each element with
    all others first and sorts by rank; a scatter becomes a loop over its windows. So does a scatter whose computation
    reads a value from outside; a comparator's is sorted with the arrays. Scattered arrays of several widths become 32
    bits wide.

    ```mlir
    func.func @main(%x: tensor<8xf32>, %z: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.reduce(%x init: %z) across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
       reducer(%a: tensor<f32>, %b: tensor<f32>) {
        %p = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %r = "stablehlo.if"(%p) ({
          stablehlo.return %a : tensor<f32>
        }, {
          stablehlo.return %b : tensor<f32>
        }) : (tensor<i1>) -> tensor<f32>
        stablehlo.return %r : tensor<f32>
      }
      return %0 : tensor<f32>
    }
    // becomes
    func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.reduce(%arg0 init: %arg1) across dimensions = [0] : (tensor<8xf32>, tensor<f32>) ->
          tensor<f32>
       reducer(%arg2: tensor<f32>, %arg3: tensor<f32>)  {
        %1 = stablehlo.compare GT, %arg2, %arg3 : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %2 = stablehlo.not %1 : tensor<i1>
        %3 = stablehlo.select %1, %arg2, %arg3 : tensor<i1>, tensor<f32>
        stablehlo.return %3 : tensor<f32>
      }
      return %0 : tensor<f32>
    }
    ```
  }];
}

// While layers are still slices of their stacks, and products the program's own.
def ProductsAfterLoopsPass : Pass<"tpuc-products-after-loops", "::mlir::func::FuncOp"> {
  let summary = "products that a loop adds up or stacks, one an iteration, as one product behind it";
  let description = [{
    A recurrence's backward pass adds a product of 64 rows to the gradient of its weights in each step: most of its
    time goes into arrays as large as the weights. What the product is made of is stored instead, or lies in a stack
    already, and one product behind the loop sums over rows and iterations. Sums of rows, as biases have them, come
    along. So do products with the same right side in each iteration that the loop only puts into a stack, which is
    then that of their left sides. Moves and widening conversions between a product and its sum are applied behind
    the loop. Only loops of known trip count, where what has to be stored is smaller than what is added up or than
    the right side, and all of it than what the loop carries and reads.

    ```mlir
    func.func @main(%xs: tensor<4x8x64xf32>, %h: tensor<8x32xf32>, %s: tensor<32x64xf32>) -> tensor<32x64xf32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %four = stablehlo.constant dense<4> : tensor<i32>
      %0:3 = stablehlo.while(%i = %zero, %a = %h, %sum = %s) : tensor<i32>, tensor<8x32xf32>, tensor<32x64xf32>
        attributes {kernel.trip_count = 4 : i64}
        cond {
          %p = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %p : tensor<i1>
        } do {
          %1 = stablehlo.dynamic_slice %xs, %i, %zero, %zero, sizes = [1, 8, 64]
              : (tensor<4x8x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x64xf32>
          %2 = stablehlo.reshape %1 : (tensor<1x8x64xf32>) -> tensor<8x64xf32>
          %3 = stablehlo.tanh %a : tensor<8x32xf32>
          %4 = stablehlo.dot_general %3, %2, contracting_dims = [0] x [0]
              : (tensor<8x32xf32>, tensor<8x64xf32>) -> tensor<32x64xf32>
          %5 = stablehlo.add %sum, %4 : tensor<32x64xf32>
          %6 = stablehlo.add %i, %one : tensor<i32>
          stablehlo.return %6, %3, %5 : tensor<i32>, tensor<8x32xf32>, tensor<32x64xf32>
        }
      return %0#2 : tensor<32x64xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<4x8x64xf32>, %arg1: tensor<8x32xf32>,
          %arg2: tensor<32x64xf32>) -> tensor<32x64xf32> {
      %c = stablehlo.constant dense<0> : tensor<i32>
      %c_0 = stablehlo.constant dense<1> : tensor<i32>
      %c_1 = stablehlo.constant dense<4> : tensor<i32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
      %1:3 = stablehlo.while(%iterArg = %c, %iterArg_2 = %arg1, %iterArg_3 = %0)
          : tensor<i32>, tensor<8x32xf32>, tensor<4x8x32xf32> attributes {kernel.trip_count = 4 : i64}
      cond {
        %4 = stablehlo.compare LT, %iterArg, %c_1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %4 : tensor<i1>
      } do {
        %4 = stablehlo.dynamic_slice %arg0, %iterArg, %c, %c, sizes = [1, 8, 64]
          : (tensor<4x8x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x64xf32>
        %5 = stablehlo.reshape %4 : (tensor<1x8x64xf32>) -> tensor<8x64xf32>
        %6 = stablehlo.tanh %iterArg_2 : tensor<8x32xf32>
        %7 = stablehlo.add %iterArg, %c_0 : tensor<i32>
        %c_4 = stablehlo.constant dense<0> : tensor<i32>
        %8 = stablehlo.reshape %6 : (tensor<8x32xf32>) -> tensor<1x8x32xf32>
        %9 = stablehlo.dynamic_update_slice %iterArg_3, %8, %iterArg, %c_4, %c_4
          : (tensor<4x8x32xf32>, tensor<1x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x32xf32>
        stablehlo.return %7, %6, %9 : tensor<i32>, tensor<8x32xf32>, tensor<4x8x32xf32>
      }
      %2 = stablehlo.dot_general %1#2, %arg0, contracting_dims = [0, 1] x [0, 1]
          : (tensor<4x8x32xf32>, tensor<4x8x64xf32>) -> tensor<32x64xf32>
      %3 = stablehlo.add %arg2, %2 : tensor<32x64xf32>
      return %3 : tensor<32x64xf32>
    }
    ```
  }];
  let dependentDialects = ["::tpuc::kernel::KernelDialect"];
}

// After that one: what it took out of a loop may be a layer of the next.
def ProductsBeforeLoopsPass : Pass<"tpuc-products-before-loops", "::mlir::func::FuncOp"> {
  let summary = "products of a stack's layers with one right side for all iterations as one product before the loop";
  let description = [{
    A recurrence multiplies each step's input with the same weights, which 64 rows at a time does not pay for reading
    them. The product of all steps' inputs comes first, and a step reads its layer of it. Only loops of known trip
    count, where the right side is larger than a layer of the product, and the product not larger than what the loop
    carries or `limit-bytes`.

    ```mlir
    func.func @main(%xs: tensor<4x2x16xf32>, %w: tensor<16x32xf32>, %h: tensor<8x32xf32>) -> tensor<8x32xf32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %four = stablehlo.constant dense<4> : tensor<i32>
      %0:2 = stablehlo.while(%i = %zero, %a = %h) : tensor<i32>, tensor<8x32xf32>
        attributes {kernel.trip_count = 4 : i64}
        cond {
          %p = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %p : tensor<i1>
        } do {
          %1 = stablehlo.dynamic_slice %xs, %i, %zero, %zero, sizes = [1, 2, 16]
              : (tensor<4x2x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x16xf32>
          %2 = stablehlo.reshape %1 : (tensor<1x2x16xf32>) -> tensor<2x16xf32>
          %3 = stablehlo.dot_general %2, %w, contracting_dims = [1] x [0]
              : (tensor<2x16xf32>, tensor<16x32xf32>) -> tensor<2x32xf32>
          %4 = stablehlo.dynamic_update_slice %a, %3, %i, %zero
              : (tensor<8x32xf32>, tensor<2x32xf32>, tensor<i32>, tensor<i32>) -> tensor<8x32xf32>
          %5 = stablehlo.add %i, %one : tensor<i32>
          stablehlo.return %5, %4 : tensor<i32>, tensor<8x32xf32>
        }
      return %0#1 : tensor<8x32xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<4x2x16xf32>, %arg1: tensor<16x32xf32>,
          %arg2: tensor<8x32xf32>) -> tensor<8x32xf32> {
      %c = stablehlo.constant dense<0> : tensor<i32>
      %c_0 = stablehlo.constant dense<1> : tensor<i32>
      %c_1 = stablehlo.constant dense<4> : tensor<i32>
      %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [2] x [0]
          : (tensor<4x2x16xf32>, tensor<16x32xf32>) -> tensor<4x2x32xf32>
      %1:2 = stablehlo.while(%iterArg = %c, %iterArg_2 = %arg2)
          : tensor<i32>, tensor<8x32xf32> attributes {kernel.trip_count = 4 : i64}
      cond {
        %2 = stablehlo.compare LT, %iterArg, %c_1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %2 : tensor<i1>
      } do {
        %2 = stablehlo.dynamic_slice %arg0, %iterArg, %c, %c, sizes = [1, 2, 16]
          : (tensor<4x2x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x16xf32>
        %3 = stablehlo.reshape %2 : (tensor<1x2x16xf32>) -> tensor<2x16xf32>
        %c_3 = stablehlo.constant dense<0> : tensor<i32>
        %4 = stablehlo.dynamic_slice %0, %iterArg, %c_3, %c_3, sizes = [1, 2, 32]
          : (tensor<4x2x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x32xf32>
        %5 = stablehlo.reshape %4 : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
        %6 = stablehlo.dynamic_update_slice %iterArg_2, %5, %iterArg, %c
          : (tensor<8x32xf32>, tensor<2x32xf32>, tensor<i32>, tensor<i32>) -> tensor<8x32xf32>
        %7 = stablehlo.add %iterArg, %c_0 : tensor<i32>
        stablehlo.return %7, %6 : tensor<i32>, tensor<8x32xf32>
      }
      return %1#1 : tensor<8x32xf32>
    }
    ```
  }];
  let options = [Option<"limitBytes", "limit-bytes", "int64_t", "0", "of products that any loop may take">];
}

// On the program's own types and computations: what follows legalises exchanges as any other move.
def ExpandCollectivesPass : Pass<"tpuc-expand-collectives", "::mlir::func::FuncOp"> {
  let summary = "collectives as exchanges of arrays and blocks, and ordinary ops";
  let description = [{
    Groups become those of device numbers. An `all_gather` along dim 1 is an exchange into blocks and a transpose; an
    `all_reduce` gathers and adds in the order of the group, or, where that sends more than `latency-bytes` too many,
    scatters parts, adds, and gathers the sums.

    ```mlir
    module attributes {mhlo.num_replicas = 2 : i32} {
      func.func @main(%x: tensor<8x128xf32>) -> tensor<8x128xf32> {
        %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          %1 = stablehlo.add %a, %b : tensor<f32>
          stablehlo.return %1 : tensor<f32>
        }) : (tensor<8x128xf32>) -> tensor<8x128xf32>
        return %0 : tensor<8x128xf32>
      }
    }
    // becomes
    func.func @main(%arg0: tensor<8x128xf32>) -> tensor<8x128xf32> {
      %0 = kernel.exchange_start "gather" %arg0 groups dense<[[0, 1]]> : tensor<1x2xi64> of "all_reduce"
          : tensor<8x128xf32> -> tensor<2x8x128xf32>
      %1 = kernel.exchange_done %0, %arg0 : tensor<2x8x128xf32>, tensor<8x128xf32>
      %2 = stablehlo.slice %1 [0:1, 0:8, 0:128] : (tensor<2x8x128xf32>) -> tensor<1x8x128xf32>
      %3 = stablehlo.reshape %2 : (tensor<1x8x128xf32>) -> tensor<8x128xf32>
      %4 = stablehlo.slice %1 [1:2, 0:8, 0:128] : (tensor<2x8x128xf32>) -> tensor<1x8x128xf32>
      %5 = stablehlo.reshape %4 : (tensor<1x8x128xf32>) -> tensor<8x128xf32>
      %6 = stablehlo.add %3, %5 : tensor<8x128xf32>
      return %6 : tensor<8x128xf32>
    }
    ```
  }];
  let options = [Option<"latencyBytes", "latency-bytes", "int64_t", "65536",
                        "what a chip sends in the time that one more exchange takes">];
  let dependentDialects = ["::tpuc::kernel::KernelDialect"];
}

// Before anything else drops or moves the dims that say so.
def ExpandConvolutionPass : Pass<"tpuc-expand-convolution", "::mlir::func::FuncOp"> {
  let summary = "convolutions without a kernel of their own as padded, strided slices and one dot_general";
  let description = [{
    ```mlir
    func.func @main(%x: tensor<2x8x1xf64>, %w: tensor<2x1x4xf64>) -> tensor<2x7x4xf64> {
      %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
          {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
          : (tensor<2x8x1xf64>, tensor<2x1x4xf64>) -> tensor<2x7x4xf64>
      return %0 : tensor<2x7x4xf64>
    }
    // becomes
    func.func @main(%arg0: tensor<2x8x1xf64>, %arg1: tensor<2x1x4xf64>) -> tensor<2x7x4xf64> {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %0 = stablehlo.slice %arg0 [0:2, 0:7, 0:1] : (tensor<2x8x1xf64>) -> tensor<2x7x1xf64>
      %1 = stablehlo.slice %arg0 [0:2, 1:8, 0:1] : (tensor<2x8x1xf64>) -> tensor<2x7x1xf64>
      %2 = stablehlo.concatenate %0, %1, dim = 2 : (tensor<2x7x1xf64>, tensor<2x7x1xf64>) -> tensor<2x7x2xf64>
      %3 = stablehlo.reshape %arg1 : (tensor<2x1x4xf64>) -> tensor<2x4xf64>
      %4 = stablehlo.dot_general %2, %3, contracting_dims = [2] x [0] : (tensor<2x7x2xf64>, tensor<2x4xf64>) ->
          tensor<2x7x4xf64>
      return %4 : tensor<2x7x4xf64>
    }
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"v5e\"", "bundled target's name or path of a textproto">,
                 ListOption<"sets", "set", "std::string", "constants of the target to change: path=value">];
  // The pass asks the planner with kernels of this dialect.
  let dependentDialects = ["::tpuc::kernel::KernelDialect"];
}

def ExpandFiltersPass : Pass<"tpuc-expand-filters", "::mlir::func::FuncOp"> {
  let summary = "convolutions of one feature in and one out as sums of shifted images";
  let description = [{
    Of a window of 49 positions at most, without strides, whose result has 128 columns, 8 rows and 32768 elements at
    least. Sums are in f32.

    ```mlir
    func.func @main(%x: tensor<256x129x1xf32>, %w: tensor<2x1x1xf32>) -> tensor<256x128x1xf32> {
      %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
          {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
          : (tensor<256x129x1xf32>, tensor<2x1x1xf32>) -> tensor<256x128x1xf32>
      return %0 : tensor<256x128x1xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<256x129x1xf32>, %arg1: tensor<2x1x1xf32>) -> tensor<256x128x1xf32> {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %0 = stablehlo.reshape %arg0 : (tensor<256x129x1xf32>) -> tensor<256x129xf32>
      %1 = stablehlo.reshape %arg1 : (tensor<2x1x1xf32>) -> tensor<2xf32>
      %2 = stablehlo.slice %0 [0:256, 0:128] : (tensor<256x129xf32>) -> tensor<256x128xf32>
      %3 = stablehlo.slice %1 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
      %4 = stablehlo.reshape %3 : (tensor<1xf32>) -> tensor<f32>
      %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<f32>) -> tensor<256x128xf32>
      %6 = stablehlo.multiply %2, %5 : tensor<256x128xf32>
      %7 = stablehlo.slice %0 [0:256, 1:129] : (tensor<256x129xf32>) -> tensor<256x128xf32>
      %8 = stablehlo.slice %1 [1:2] : (tensor<2xf32>) -> tensor<1xf32>
      %9 = stablehlo.reshape %8 : (tensor<1xf32>) -> tensor<f32>
      %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<f32>) -> tensor<256x128xf32>
      %11 = stablehlo.multiply %7, %10 : tensor<256x128xf32>
      %12 = stablehlo.add %6, %11 : tensor<256x128xf32>
      %13 = stablehlo.reshape %12 : (tensor<256x128xf32>) -> tensor<256x128x1xf32>
      return %13 : tensor<256x128x1xf32>
    }
    ```
  }];
}

def ExpandReduceWindowPass : Pass<"tpuc-expand-reduce-window", "::mlir::func::FuncOp"> {
  let summary = "reduce_window without a kernel of its own as strided slices combined elementwise";
  let description = [{
    ```mlir
    func.func @main(%x: tensor<6xf64>, %z: tensor<f64>) -> tensor<3xf64> {
      %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64:
          2>}> ({
      ^bb0(%a: tensor<f64>, %b: tensor<f64>):
        %m = stablehlo.maximum %a, %b : tensor<f64>
        stablehlo.return %m : tensor<f64>
      }) : (tensor<6xf64>, tensor<f64>) -> tensor<3xf64>
      return %0 : tensor<3xf64>
    }
    // becomes
    func.func @main(%arg0: tensor<6xf64>, %arg1: tensor<f64>) -> tensor<3xf64> {
      %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f64>) -> tensor<3xf64>
      %1 = stablehlo.slice %arg0 [0:5:2] : (tensor<6xf64>) -> tensor<3xf64>
      %2 = stablehlo.maximum %0, %1 : tensor<3xf64>
      %3 = stablehlo.slice %arg0 [1:6:2] : (tensor<6xf64>) -> tensor<3xf64>
      %4 = stablehlo.maximum %2, %3 : tensor<3xf64>
      return %4 : tensor<3xf64>
    }
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"v5e\"", "bundled target's name or path of a textproto">,
                 ListOption<"sets", "set", "std::string", "constants of the target to change: path=value">];
  // The pass asks the planner with kernels of this dialect.
  let dependentDialects = ["::tpuc::kernel::KernelDialect"];
}

// On computations as the program wrote them, before elements change their types.
def OrderReductionsPass : Pass<"tpuc-order-reductions", "::mlir::func::FuncOp"> {
  let summary = "reductions that depend on the order of their elements as trees of neighbours";
  let description = [{
    `(x, y) -> x1 * y0, x1 * y1 + ...` composes: exchanging its sides changes the result, and kernels combine elements
    in the order of
    tiles. Such a reduction over 5 elements is 2 combinations of neighbours, then 1, then 1, elementwise on rows.
    Computations that commute stay as they are; a choice of an extreme and its index takes the smaller index of two
    NaNs.

    ```mlir
    func.func @main(%x: tensor<4xf32>, %z: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.reduce(%x init: %z) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
       reducer(%a: tensor<f32>, %b: tensor<f32>) {
        %s = stablehlo.subtract %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }
      return %0 : tensor<f32>
    }
    // becomes
    func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.slice %arg0 [0:4:2] : (tensor<4xf32>) -> tensor<2xf32>
      %1 = stablehlo.slice %arg0 [1:4:2] : (tensor<4xf32>) -> tensor<2xf32>
      %2 = stablehlo.subtract %0, %1 : tensor<2xf32>
      %3 = stablehlo.slice %2 [0:2:2] : (tensor<2xf32>) -> tensor<1xf32>
      %4 = stablehlo.slice %2 [1:2:2] : (tensor<2xf32>) -> tensor<1xf32>
      %5 = stablehlo.subtract %3, %4 : tensor<1xf32>
      %6 = stablehlo.reshape %5 : (tensor<1xf32>) -> tensor<f32>
      %7 = stablehlo.subtract %arg1, %6 : tensor<f32>
      return %7 : tensor<f32>
    }
    ```
  }];
}

def ExpandDotPass : Pass<"tpuc-expand-dot", "::mlir::func::FuncOp"> {
  let summary = "dots of types that the matrix unit does not take as products and sums";
  let description = [{
    ```mlir
    func.func @main(%x: tensor<8x4xi64>, %y: tensor<4x16xi64>) -> tensor<8x16xi64> {
      %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<8x4xi64>, tensor<4x16xi64>) ->
          tensor<8x16xi64>
      return %0 : tensor<8x16xi64>
    }
    // becomes
    func.func @main(%arg0: tensor<8x4xi64>, %arg1: tensor<4x16xi64>) -> tensor<8x16xi64> {
      %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<8x4xi64>) -> tensor<4x8xi64>
      %1 = stablehlo.broadcast_in_dim %arg1, dims = [0, 2] : (tensor<4x16xi64>) -> tensor<4x8x16xi64>
      %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x8xi64>) -> tensor<4x8x16xi64>
      %3 = stablehlo.multiply %2, %1 : tensor<4x8x16xi64>
      %c = stablehlo.constant dense<0> : tensor<i64>
      %4 = stablehlo.reduce(%3 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<4x8x16xi64>,
          tensor<i64>) -> tensor<8x16xi64>
      return %4 : tensor<8x16xi64>
    }
    ```
  }];
}

def IsolateInitialValuesPass : Pass<"tpuc-isolate-initial-values", "::mlir::func::FuncOp"> {
  let summary = "reductions whose initial value counts once, at the end";
  let description = [{
    ```mlir
    func.func @main(%x: tensor<4x6xf64>, %init: tensor<f64>) -> tensor<6xf64> {
      %0 = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [0]
          : (tensor<4x6xf64>, tensor<f64>) -> tensor<6xf64>
      return %0 : tensor<6xf64>
    }
    // becomes
    func.func @main(%arg0: tensor<4x6xf64>, %arg1: tensor<f64>) -> tensor<6xf64> {
      %cst = stablehlo.constant dense<-0.000000e+00> : tensor<f64>
      %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<4x6xf64>,
          tensor<f64>) -> tensor<6xf64>
      %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f64>) -> tensor<6xf64>
      %2 = stablehlo.add %1, %0 : tensor<6xf64>
      return %2 : tensor<6xf64>
    }
    ```
  }];
}

def NormaliseSortsPass : Pass<"tpuc-normalise-sorts", "::mlir::func::FuncOp"> {
  let summary = "sorts of one or two dims";
  let description = [{
    The sorted dim stays last or comes first, where the others lie along lanes; those become one.

    ```mlir
    func.func @main(%x: tensor<2x3x64xf32>) -> tensor<2x3x64xf32> {
      %0 = "stablehlo.sort"(%x) <{dimension = 2 : i64, is_stable = true}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      }) : (tensor<2x3x64xf32>) -> tensor<2x3x64xf32>
      return %0 : tensor<2x3x64xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<2x3x64xf32>) -> tensor<2x3x64xf32> {
      %0 = stablehlo.reshape %arg0 : (tensor<2x3x64xf32>) -> tensor<6x64xf32>
      %1 = "stablehlo.sort"(%0) <{dimension = 1 : i64, is_stable = true}> ({
      ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
        %3 = stablehlo.compare LT, %arg1, %arg2 : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %3 : tensor<i1>
      }) : (tensor<6x64xf32>) -> tensor<6x64xf32>
      %2 = stablehlo.reshape %1 : (tensor<6x64xf32>) -> tensor<2x3x64xf32>
      return %2 : tensor<2x3x64xf32>
    }
    ```
  }];
  let options = [Option<"vmemBytes", "vmem-bytes", "int64_t", "117440512", "VMEM that a kernel's blocks may use">];
}

def ExpandRegionsPass : Pass<"tpuc-expand-regions", "::mlir::func::FuncOp"> {
  let summary = "map, and select_and_scatter without a kernel of its own, as elementwise ops";
  let description = [{
    Of windows of many positions, reductions find the selected ones where no element is in two windows and a comparison
    selects; otherwise loops walk the positions.

    ```mlir
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
      ^bb0(%a: tensor<f32>):
        %s = stablehlo.multiply %a, %a : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) : (tensor<8xf32>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      %0 = stablehlo.multiply %arg0, %arg0 : tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"v5e\"", "bundled target's name or path of a textproto">,
                 ListOption<"sets", "set", "std::string", "constants of the target to change: path=value">];
  // The pass asks the planner with kernels of this dialect.
  let dependentDialects = ["::tpuc::kernel::KernelDialect"];
}

// Functions of whole arrays: transforms, linear algebra, random numbers, batch norm.
include "passes/decompose/functions.td"
include "passes/decompose/indices.td"

#endif
