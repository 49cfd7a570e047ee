// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes on gathers and scatters, in the order in which they run. Part of passes.td.
#ifndef TPUC_PASSES_DECOMPOSE_INDICES
#define TPUC_PASSES_DECOMPOSE_INDICES
include "mlir/Pass/PassBase.td"

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
  let options = [Option<"target", "target", "std::string", "\"v5e\"", "bundled target's name or path of a textproto">,
                 ListOption<"sets", "set", "std::string", "constants of the target to change: path=value">];
}

def SplitGathersPass : Pass<"tpuc-split-gathers", "::mlir::func::FuncOp"> {
  let summary = "gathers at a product of indices as one along each dim";
  let description = [{
    x[i[:, None], j[None, :]] takes elements that lie apart in all dims. The rows i of x, and the columns j of these,
    are two gathers of whole rows and columns. The estimates decide whether they take less, and which comes first.

    ```mlir
    func.func @main(%x: tensor<4096x4096xf32>, %i: tensor<1000xi32>, %j: tensor<1000xi32>) -> tensor<1000x1000xf32> {
      %0 = stablehlo.broadcast_in_dim %i, dims = [0] : (tensor<1000xi32>) -> tensor<1000x1000x1xi32>
      %1 = stablehlo.broadcast_in_dim %j, dims = [1] : (tensor<1000xi32>) -> tensor<1000x1000x1xi32>
      %2 = stablehlo.concatenate %0, %1, dim = 2 : (tensor<1000x1000x1xi32>, tensor<1000x1000x1xi32>)
          -> tensor<1000x1000x2xi32>
      %3 = "stablehlo.gather"(%x, %2) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1],
          start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}>
          : (tensor<4096x4096xf32>, tensor<1000x1000x2xi32>) -> tensor<1000x1000xf32>
      return %3 : tensor<1000x1000xf32>
    }
    // becomes
    ...
      %3 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
          collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false,
          slice_sizes = array<i64: 1, 4096>}>
          : (tensor<4096x4096xf32>, tensor<1000xi32>) -> tensor<1000x4096xf32>
      %4 = "stablehlo.gather"(%3, %arg2) <{dimension_numbers = #stablehlo.gather<offset_dims = [0],
          collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false,
          slice_sizes = array<i64: 1000, 1>}>
          : (tensor<1000x4096xf32>, tensor<1000xi32>) -> tensor<1000x1000xf32>
      return %4 : tensor<1000x1000xf32>
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

def CountPlacesPass : Pass<"tpuc-count-places", "::mlir::func::FuncOp"> {
  let summary = "scatters of one value as counts of the matrix unit";
  let description = [{
    `seen.at[i].set(True)` asks how many indices name each place. An index is 128 hi + lo; the product of two arrays
    that have a one where a place's hi, and lo, are an index's is the count. The value is selected where that is not
    zero; a sum has it times the count. Where f32 numbers are summed into zeros, lo has them instead of ones.

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
      %19 = stablehlo.dot_general %13, %18, batching_dims = [0] x [0], contracting_dims = [2] x [2] :
          (tensor<1x512x2048xbf16>, tensor<1x128x2048xbf16>) -> tensor<1x512x128xf32>
      %20 = stablehlo.reshape %19 : (tensor<1x512x128xf32>) -> tensor<1x65536xf32>
      ...
      %22 = stablehlo.select %21, %c_7, %8 : tensor<1x65536xi1>, tensor<1x65536xi32>
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

#endif
