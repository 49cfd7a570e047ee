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

def ExpandRowUpdatesPass : Pass<"tpuc-expand-row-updates", "::mlir::func::FuncOp"> {
  let summary = "windows put into each row, each where it begins, as lookups and selects";
  let description = [{
    A scatter with one window for each row, which begins somewhere along the last dim: every element of the row looks up
    what the window has for it, and a select keeps the others. Transfers would move an element at a time. The planner's
    estimates of both decide.

    ```mlir
    func.func @main(%x: tensor<64x256xf32>, %i: tensor<64x1xi32>, %u: tensor<64x40xf32>) -> tensor<64x256xf32> {
      %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
          input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1],
          index_vector_dim = 1>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        stablehlo.return %b : tensor<f32>
      }) : (tensor<64x256xf32>, tensor<64x1xi32>, tensor<64x40xf32>) -> tensor<64x256xf32>
      return %0 : tensor<64x256xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<64x256xf32>, %arg1: tensor<64x1xi32>,
        %arg2: tensor<64x40xf32>) -> tensor<64x256xf32> {
      %0 = stablehlo.reshape %arg1 : (tensor<64x1xi32>) -> tensor<64xi32>
      %c = stablehlo.constant dense<216> : tensor<64xi32>
      %c_0 = stablehlo.constant dense<0> : tensor<64xi32>
      %1 = stablehlo.clamp %c_0, %0, %c : tensor<64xi32>
      %2 = stablehlo.compare EQ, %0, %1 : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi1>
      %3 = stablehlo.iota dim = 1 : tensor<64x256xi32>
      %4 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<64xi32>) -> tensor<64x256xi32>
      %5 = stablehlo.subtract %3, %4 : tensor<64x256xi32>
      %c_1 = stablehlo.constant dense<39> : tensor<64x256xi32>
      %c_2 = stablehlo.constant dense<0> : tensor<64x256xi32>
      %6 = stablehlo.clamp %c_2, %5, %c_1 : tensor<64x256xi32>
      %7 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<64xi1>) -> tensor<64x256xi1>
      %8 = stablehlo.compare EQ, %5, %6 : (tensor<64x256xi32>, tensor<64x256xi32>) -> tensor<64x256xi1>
      %9 = stablehlo.and %8, %7 : tensor<64x256xi1>
      %10 = "stablehlo.gather"(%arg2, %6) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1],
          operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1],
          index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}>
          : (tensor<64x40xf32>, tensor<64x256xi32>) -> tensor<64x256xf32>
      %11 = stablehlo.select %9, %10, %arg0 : tensor<64x256xi1>, tensor<64x256xf32>
      return %11 : tensor<64x256xf32>
    }
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"v5e\"", "bundled target's name or path of a textproto">,
                 ListOption<"sets", "set", "std::string", "constants of the target to change: path=value">];
}

// Before anything else drops or moves the dims that say so.
def ExpandLookupsPass : Pass<"tpuc-expand-lookups", "::mlir::func::FuncOp"> {
  let summary = "gathers of single elements as lookups in a vector, or in rows";
  let description = [{
    Where the operand's elements are few enough for VMEM to hold and each window's are fewer still, every element of the
    result has its own index into the operand as a vector. Elements that come each from its own row (take_along_axis,
    columns) have theirs into the row, which is the last dim then. A kernel looks up whole vregs of them, where
    transfers would fetch window by window; the planner's estimates of both decide.

    ```mlir
    func.func @main(%table: tensor<64xf32>, %i: tensor<1024x1xi32>) -> tensor<1024xf32> {
      %0 = "stablehlo.gather"(%table, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
          start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}>
          : (tensor<64xf32>, tensor<1024x1xi32>) -> tensor<1024xf32>
      return %0 : tensor<1024xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<64xf32>, %arg1: tensor<1024x1xi32>) -> tensor<1024xf32> {
      %0 = stablehlo.reshape %arg1 : (tensor<1024x1xi32>) -> tensor<1024xi32>
      %c = stablehlo.constant dense<63> : tensor<1024xi32>
      %c_0 = stablehlo.constant dense<0> : tensor<1024xi32>
      %1 = stablehlo.clamp %c_0, %0, %c : tensor<1024xi32>
      %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<1024xi32>) -> tensor<1024xi32>
      %3 = "stablehlo.gather"(%arg0, %2) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
          start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64:
          1>}> : (tensor<64xf32>, tensor<1024xi32>) -> tensor<1024xf32>
      return %3 : tensor<1024xf32>
    }
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"v5e\"", "bundled target's name or path of a textproto">,
                 ListOption<"sets", "set", "std::string", "constants of the target to change: path=value">];
}

def CountPlacesPass : Pass<"tpuc-count-places", "::mlir::func::FuncOp"> {
  let summary = "scatters of one value as counts of the matrix unit";
  let description = [{
    `seen.at[i].set(True)` asks how many indices name each place. An index is 128 hi + lo; the product of two arrays
    that have a one where a place's hi, and lo, are an index's is the count. The value is selected where that is not
    zero; a sum has it times the count.

    ```mlir
    func.func @main(%seen: tensor<65536xi32>, %i: tensor<2048x1xi32>) -> tensor<65536xi32> {
      %one = stablehlo.constant dense<1> : tensor<2048xi32>
      %0 = "stablehlo.scatter"(%seen, %i, %one) <{scatter_dimension_numbers = #stablehlo.scatter<
          inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
      ^bb0(%a: tensor<i32>, %b: tensor<i32>):
        stablehlo.return %b : tensor<i32>
      }) : (tensor<65536xi32>, tensor<2048x1xi32>, tensor<2048xi32>) -> tensor<65536xi32>
      return %0 : tensor<65536xi32>
    }
    // becomes
    ...
      %18 = stablehlo.dot_general %12, %17, batching_dims = [0] x [0], contracting_dims = [2] x [2] :
          (tensor<1x512x2048xbf16>, tensor<1x128x2048xbf16>) -> tensor<1x512x128xf32>
      %19 = stablehlo.reshape %18 : (tensor<1x512x128xf32>) -> tensor<1x65536xf32>
      %20 = stablehlo.reshape %arg0 : (tensor<65536xi32>) -> tensor<1x65536xi32>
      ...
      %22 = stablehlo.select %21, %c_7, %20 : tensor<1x65536xi1>, tensor<1x65536xi32>
      %23 = stablehlo.reshape %22 : (tensor<1x65536xi32>) -> tensor<65536xi32>
      return %23 : tensor<65536xi32>
    }
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"v5e\"", "bundled target's name or path of a textproto">,
                 ListOption<"sets", "set", "std::string", "constants of the target to change: path=value">];
}

def ExpandTalliesPass : Pass<"tpuc-expand-tallies", "::mlir::func::FuncOp"> {
  let summary = "scatters of single elements into small arrays as reductions";
  let description = [{
    Each place of the operand reduces the updates whose index names it: a comparison of all places with all indices that
    no array holds. Updates outside have no place. Where updates replace, the last one's number is what is reduced.
    Where rows have updates of their own, places and updates are compared row by row.

    ```mlir
    func.func @main(%bins: tensor<16xi32>, %i: tensor<1024x1xi32>, %n: tensor<1024xi32>) -> tensor<16xi32> {
      %0 = "stablehlo.scatter"(%bins, %i, %n) <{scatter_dimension_numbers = #stablehlo.scatter<
          inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
      ^bb0(%a: tensor<i32>, %b: tensor<i32>):
        %s = stablehlo.add %a, %b : tensor<i32>
        stablehlo.return %s : tensor<i32>
      }) : (tensor<16xi32>, tensor<1024x1xi32>, tensor<1024xi32>) -> tensor<16xi32>
      return %0 : tensor<16xi32>
    }
    // becomes
    func.func @main(%arg0: tensor<16xi32>, %arg1: tensor<1024x1xi32>, %arg2: tensor<1024xi32>) -> tensor<16xi32>
        {
      %c = stablehlo.constant dense<0> : tensor<1024xi32>
      %0 = stablehlo.reshape %arg1 : (tensor<1024x1xi32>) -> tensor<1024xi32>
      %c_0 = stablehlo.constant dense<0> : tensor<1024xi32>
      %1 = stablehlo.compare GE, %0, %c_0 : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi1>
      %c_1 = stablehlo.constant dense<15> : tensor<1024xi32>
      %2 = stablehlo.compare LE, %0, %c_1 : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi1>
      %3 = stablehlo.and %1, %2 : tensor<1024xi1>
      %c_2 = stablehlo.constant dense<-1> : tensor<1024xi32>
      %4 = stablehlo.select %3, %0, %c_2 : tensor<1024xi1>, tensor<1024xi32>
      %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<1024xi32>) -> tensor<1024xi32>
      %c_3 = stablehlo.constant dense<0> : tensor<1024xi32>
      %6 = stablehlo.compare GE, %5, %c_3 : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi1>
      %7 = stablehlo.add %c, %5 : tensor<1024xi32>
      %c_4 = stablehlo.constant dense<-1> : tensor<1024xi32>
      ...
      %15 = stablehlo.add %arg0, %14 : tensor<16xi32>
      return %15 : tensor<16xi32>
    }
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"v5e\"", "bundled target's name or path of a textproto">,
                 ListOption<"sets", "set", "std::string", "constants of the target to change: path=value">];
}

def ExpandKnownIndicesPass : Pass<"tpuc-expand-known-indices", "::mlir::func::FuncOp"> {
  let summary = "gathers and scatters at indices that are known, as slices, repeats, sums and pads";
  let description = [{
    Indices that are computed from constants and counting alone are known. Where they step evenly, each a number of
    times, a gather is a slice with its elements repeated, and a scatter that adds is a sum of those that are, padded.
    A scatter at other places, each once, is a gather of its updates.

    ```mlir
    func.func @main(%x: tensor<8x4xf32>) -> tensor<8x8xf32> {
      %0 = stablehlo.constant dense<[0, 0, 1, 1, 2, 2, 3, 3]> : tensor<8xi32>
      %1 = "stablehlo.gather"(%x, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [0],
          collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 8, 1>}>
          : (tensor<8x4xf32>, tensor<8xi32>) -> tensor<8x8xf32>
      return %1 : tensor<8x8xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<8x4xf32>) -> tensor<8x8xf32> {
      %c = stablehlo.constant dense<[0, 0, 1, 1, 2, 2, 3, 3]> : tensor<8xi32>
      %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4x2xf32>
      %1 = stablehlo.reshape %0 : (tensor<8x4x2xf32>) -> tensor<8x8xf32>
      return %1 : tensor<8x8xf32>
    }
    ```
  }];
}

def FindBatchesPass : Pass<"tpuc-find-batches", "::mlir::func::FuncOp"> {
  let summary = "indices that count along a dim of their own as batches";
  let description = [{
    A gather or scatter at (row, i[row, k]) for all rows, as x[arange(n)[:, None], i] is, has a batching dim: the rows'.
    Only the other components of the index vectors are left, and at least one.

    ```mlir
    func.func @main(%x: tensor<8x64xf32>, %i: tensor<8x5x1xi32>) -> tensor<8x5xf32> {
      %0 = stablehlo.iota dim = 0 : tensor<8x5x1xi32>
      %1 = stablehlo.concatenate %0, %i, dim = 2 : (tensor<8x5x1xi32>, tensor<8x5x1xi32>) -> tensor<8x5x2xi32>
      %2 = "stablehlo.gather"(%x, %1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1],
          start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}>
          : (tensor<8x64xf32>, tensor<8x5x2xi32>) -> tensor<8x5xf32>
      return %2 : tensor<8x5xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<8x64xf32>, %arg1: tensor<8x5x1xi32>) -> tensor<8x5xf32> {
      %0 = stablehlo.iota dim = 0 : tensor<8x5x1xi32>
      %1 = stablehlo.concatenate %0, %arg1, dim = 2 : (tensor<8x5x1xi32>, tensor<8x5x1xi32>) -> tensor<8x5x2xi32>
      %2 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1],
          operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>,
          slice_sizes = array<i64: 1, 1>}> : (tensor<8x64xf32>, tensor<8x5x1xi32>) -> tensor<8x5xf32>
      return %2 : tensor<8x5xf32>
    }
    ```
  }];
}

def CarryGathersPass : Pass<"tpuc-carry-gathers", "::mlir::func::FuncOp"> {
  let summary = "gathers in a sort's order as operands of the sort";
  let description = [{
    `take_along_axis(x, argsort(k))` is `x` carried along by the sort, and nothing more where the sort has `x`, or its
    negation, already.

    ```mlir
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = stablehlo.negate %x : tensor<8xf32>
      %1 = stablehlo.iota dim = 0 : tensor<8xi32>
      %2:2 = "stablehlo.sort"(%0, %1) <{dimension = 0 : i64, is_stable = true}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
        %4 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %4 : tensor<i1>
      }) : (tensor<8xf32>, tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi32>)
      %3 = "stablehlo.gather"(%x, %2#1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
          start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}>
          : (tensor<8xf32>, tensor<8xi32>) -> tensor<8xf32>
      return %3 : tensor<8xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      %0 = stablehlo.negate %arg0 : tensor<8xf32>
      %1 = stablehlo.iota dim = 0 : tensor<8xi32>
      %2:2 = "stablehlo.sort"(%0, %1) <{dimension = 0 : i64, is_stable = true}> ({
      ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>, %arg3: tensor<i32>, %arg4: tensor<i32>):
        %4 = stablehlo.compare LT, %arg1, %arg2, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %4 : tensor<i1>
      }) : (tensor<8xf32>, tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi32>)
      %3 = stablehlo.negate %2#0 : tensor<8xf32>
      return %3 : tensor<8xf32>
    }
    ```
  }];
}

def ScatterBySortPass : Pass<"tpuc-scatter-by-sort", "::mlir::func::FuncOp"> {
  let summary = "scatters at a sort's order as another sort";
  let description = [{
    A sort's order has each place once. What is scattered there, as the gradient of a sort is, is sorted by the order
    itself. It replaces the operand, or meets it element by element.

    ```mlir
    func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>, %z: tensor<8xf32>) -> tensor<8xf32> {
      %0 = stablehlo.iota dim = 0 : tensor<8xi32>
      %1:2 = "stablehlo.sort"(%x, %0) <{dimension = 0 : i64, is_stable = true}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
        %3 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %3 : tensor<i1>
      }) : (tensor<8xf32>, tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi32>)
      %2 = "stablehlo.scatter"(%y, %1#1, %z) <{scatter_dimension_numbers = #stablehlo.scatter<
          inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %4 = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %4 : tensor<f32>
      }) : (tensor<8xf32>, tensor<8xi32>, tensor<8xf32>) -> tensor<8xf32>
      return %2 : tensor<8xf32>
    }
    // becomes
    ...
      %2:2 = "stablehlo.sort"(%1#1, %arg2) <{dimension = 0 : i64, is_stable = false}> ({
      ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>, %arg5: tensor<f32>, %arg6: tensor<f32>):
        %4 = stablehlo.compare LT, %arg3, %arg4 : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %4 : tensor<i1>
      }) : (tensor<8xi32>, tensor<8xf32>) -> (tensor<8xi32>, tensor<8xf32>)
      %3 = stablehlo.add %arg1, %2#1 : tensor<8xf32>
      return %3 : tensor<8xf32>
    }
    ```
  }];
}

def ExpandPicksPass : Pass<"tpuc-expand-picks", "::mlir::func::FuncOp"> {
  let summary = "gathers and scatters of one element a row as selects";
  let description = [{
    `take_along_axis(x, i[:, None], 1)`, a gather with a batching dim for each dim but one, compares the row's positions
    with its index: one pass that fuses with what makes the rows, where the scalar unit would fetch element by element.
    A scatter of one
    element a row, its gradient, selects likewise.

    ```mlir
    func.func @main(%x: tensor<64x10xf32>, %i: tensor<64x1xi32>) -> tensor<64xf32> {
      %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1],
          operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1],
              index_vector_dim = 1>,
          slice_sizes = array<i64: 1, 1>}> : (tensor<64x10xf32>, tensor<64x1xi32>) -> tensor<64xf32>
      return %0 : tensor<64xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<64x10xf32>, %arg1: tensor<64x1xi32>) -> tensor<64xf32> {
      %0 = stablehlo.reshape %arg1 : (tensor<64x1xi32>) -> tensor<64xi32>
      %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<64xi32>) -> tensor<64x10xi32>
      %c = stablehlo.constant dense<9> : tensor<64x10xi32>
      %c_0 = stablehlo.constant dense<0> : tensor<64x10xi32>
      %2 = stablehlo.clamp %c_0, %1, %c : tensor<64x10xi32>
      %3 = stablehlo.bitcast_convert %arg0 : (tensor<64x10xf32>) -> tensor<64x10xi32>
      %c_1 = stablehlo.constant dense<0> : tensor<64x10xi32>
      %4 = stablehlo.iota dim = 1 : tensor<64x10xi32>
      %5 = stablehlo.compare EQ, %4, %2 : (tensor<64x10xi32>, tensor<64x10xi32>) -> tensor<64x10xi1>
      %6 = stablehlo.select %5, %3, %c_1 : tensor<64x10xi1>, tensor<64x10xi32>
      %c_2 = stablehlo.constant dense<0> : tensor<i32>
      %7 = stablehlo.reduce(%6 init: %c_2) applies stablehlo.or across dimensions = [1] : (tensor<64x10xi32>,
          tensor<i32>) -> tensor<64xi32>
      %8 = stablehlo.bitcast_convert %7 : (tensor<64xi32>) -> tensor<64xf32>
      return %8 : tensor<64xf32>
    }
    ```
  }];
}

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
  // Of the kernels that the planner is asked of.
  let dependentDialects = ["::tpuc::kernel::KernelDialect"];
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
  // Of the kernels that the planner is asked of.
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
  // Of the kernels that the planner is asked of.
  let dependentDialects = ["::tpuc::kernel::KernelDialect"];
}

// Functions of whole arrays: transforms, linear algebra, random numbers, batch norm.
include "passes/decompose/functions.td"

#endif
