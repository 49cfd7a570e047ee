// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_PASSES_FUSION_PASSES
#define TPUC_PASSES_FUSION_PASSES
include "mlir/Pass/PassBase.td"

// Once loops carry only what they change: what masks are made of stands outside of them.
def CutScoresPass : Pass<"tpuc-cut-scores", "::mlir::func::FuncOp"> {
  let summary = "attention whose scores VMEM does not hold, in blocks of queries and heads that it does";
  let description = [{
    Scores of 16 heads of 8192 by 8192 are 4 GiB, which a product, a softmax and another product would write and read.
    In a loop over heads and blocks of queries each iteration's scores stay in VMEM from kernel to kernel. A block has
    all keys of its queries, so nothing is computed otherwise. Several cores, each with a VMEM of its own, share a loop
    over heads (`kernel.over_cores`): then it pays too where one VMEM would hold all scores.

    ```mlir
    // --tpuc-cut-scores=room=1572864
    func.func @main(%q: tensor<2x512x64xf32>, %k: tensor<2x512x64xf32>, %v: tensor<2x512x64xf32>)
        -> tensor<2x512x64xf32> {
      %c = stablehlo.constant dense<0.0> : tensor<f32>
      %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2]
          : (tensor<2x512x64xf32>, tensor<2x512x64xf32>) -> tensor<2x512x512xf32>
      %m = stablehlo.reduce(%s init: %c) applies stablehlo.maximum across dimensions = [2]
          : (tensor<2x512x512xf32>, tensor<f32>) -> tensor<2x512xf32>
      %mb = stablehlo.broadcast_in_dim %m, dims = [0, 1] : (tensor<2x512xf32>) -> tensor<2x512x512xf32>
      %d = stablehlo.subtract %s, %mb : tensor<2x512x512xf32>
      %e = stablehlo.exponential %d : tensor<2x512x512xf32>
      %t = stablehlo.reduce(%e init: %c) applies stablehlo.add across dimensions = [2]
          : (tensor<2x512x512xf32>, tensor<f32>) -> tensor<2x512xf32>
      %tb = stablehlo.broadcast_in_dim %t, dims = [0, 1] : (tensor<2x512xf32>) -> tensor<2x512x512xf32>
      %p = stablehlo.divide %e, %tb : tensor<2x512x512xf32>
      %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1]
          : (tensor<2x512x512xf32>, tensor<2x512x64xf32>) -> tensor<2x512x64xf32>
      return %o : tensor<2x512x64xf32>
    }
    // becomes, in 4 blocks of 256 queries, two of each head
    ...
      %0 = stablehlo.reshape %arg0 : (tensor<2x512x64xf32>) -> tensor<4x256x64xf32>
      %1 = kernel.undefined : tensor<4x256x64xf32>
      ...
      %2:2 = stablehlo.while(%iterArg = %c, %iterArg_0 = %1) : tensor<i32>, tensor<4x256x64xf32>
      ...
        stablehlo.dynamic_slice %0, %iterArg, ... sizes = [1, 256, 64] ...
        %7 = stablehlo.divide %iterArg, %c_4 : tensor<i32>
        %8 = stablehlo.dynamic_slice %arg1, %7, ... sizes = [1, 512, 64] ...
        stablehlo.dot_general ... -> tensor<256x512xf32>
        ...
        stablehlo.dot_general ... -> tensor<256x64xf32>
        ...
        stablehlo.dynamic_update_slice %iterArg_0, ... -> tensor<4x256x64xf32>
    ...
    ```
  }];
  let options = [Option<"room", "room", "int64_t", "0", "bytes of VMEM in which arrays stay from kernel to kernel">,
                 Option<"kernelBytes", "kernel-bytes", "int64_t", "0",
                        "bytes that move through HBM while a kernel is launched">,
                 Option<"cores", "cores", "int64_t", "1", "that share the iterations, each with so much VMEM">];
  let dependentDialects = ["::tpuc::kernel::KernelDialect"];
}

// Behind it: scores that a gradient reads too, and what else stands between products of batches.
def CutBatchesPass : Pass<"tpuc-cut-batches", "::mlir::func::FuncOp"> {
  let summary = "products of batches whose results VMEM does not hold, with what is made of them, batch by batch";
  let description = [{
    A product of batches may make an array that VMEM does not hold, of which others are made, and products read those:
    the scores of attention, the softmax's shares, and their gradients. Where nothing between the products brings
    batches together, a loop goes over as many of them as VMEM holds, and what is large stays there from kernel to
    kernel. What is read outside too, as a gradient reads the shares, is written once. Several cores share the loop.

    ```mlir
    // --tpuc-cut-batches=room=1048576
    func.func @main(%q: tensor<8x256x64xf32>, %k: tensor<8x256x64xf32>) -> tensor<8x256x64xf32> {
      %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2]
          : (tensor<8x256x64xf32>, tensor<8x256x64xf32>) -> tensor<8x256x256xf32>
      %t = stablehlo.tanh %s : tensor<8x256x256xf32>
      %o = stablehlo.dot_general %t, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1]
          : (tensor<8x256x256xf32>, tensor<8x256x64xf32>) -> tensor<8x256x64xf32>
      return %o : tensor<8x256x64xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<8x256x64xf32>, %arg1: tensor<8x256x64xf32>) -> tensor<8x256x64xf32> {
      %0 = kernel.undefined : tensor<8x256x64xf32>
      ... stablehlo.while(%iterArg = %c, %iterArg_0 = %0) : tensor<i32>, tensor<8x256x64xf32> ... do { ...
        %3 = stablehlo.dynamic_slice %arg0, %iterArg, ... -> tensor<1x256x64xf32>
        %4 = stablehlo.reshape %3 : (tensor<1x256x64xf32>) -> tensor<256x64xf32> ...
        %7 = stablehlo.dot_general %4, %6, contracting_dims = [1] x [1]
            : (tensor<256x64xf32>, tensor<256x64xf32>) -> tensor<256x256xf32>
        %8 = stablehlo.tanh %7 : tensor<256x256xf32>
        %9 = stablehlo.dot_general %8, %6, contracting_dims = [1] x [0]
            : (tensor<256x256xf32>, tensor<256x64xf32>) -> tensor<256x64xf32>
        %10 = stablehlo.reshape %9 : (tensor<256x64xf32>) -> tensor<1x256x64xf32> ...
        %11 = stablehlo.dynamic_update_slice %iterArg_0, %10, %iterArg, ...
    }
    ```
  }];
  let options = [Option<"room", "room", "int64_t", "0", "bytes of VMEM in which arrays stay from kernel to kernel">,
                 Option<"kernelBytes", "kernel-bytes", "int64_t", "0",
                        "bytes that move through HBM while a kernel is launched">,
                 Option<"cores", "cores", "int64_t", "1", "that share the iterations, each with so much VMEM">];
  let dependentDialects = ["::tpuc::kernel::KernelDialect"];
}

// Once loops are counted: before what they carry is trimmed.
def UseCountersPass : Pass<"tpuc-use-counters", "::mlir::func::FuncOp"> {
  let summary = "positions of slices that count with a loop's iterations, as counters that the scalar unit has";
  let description = [{
    A kernel that takes a slice's position from an array waits for it to come from HBM before it can bring anything
    else, and another kernel counts it up. In a loop whose trip count is known, a position that depends on nothing but
    the loop's counters is a number that the program's entry writes into SMEM, where it steps evenly, every few
    iterations, or again from its start.

    ```mlir
    func.func @main(%x: tensor<8x128xf32>) -> tensor<1x128xf32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %sum = stablehlo.constant dense<0.0> : tensor<1x128xf32>
      %0:2 = stablehlo.while(%i = %zero, %s = %sum) : tensor<i32>, tensor<1x128xf32>
          attributes {kernel.trip_count = 8 : i64}
      cond {
        %p = stablehlo.constant dense<true> : tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %seven = stablehlo.constant dense<7> : tensor<i32>
        %at = stablehlo.subtract %seven, %i : tensor<i32>
        %row = stablehlo.dynamic_slice %x, %at, %zero, sizes = [1, 128]
            : (tensor<8x128xf32>, tensor<i32>, tensor<i32>) -> tensor<1x128xf32>
        %t = stablehlo.add %s, %row : tensor<1x128xf32>
        %n = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %n, %t : tensor<i32>, tensor<1x128xf32>
      }
      return %0#1 : tensor<1x128xf32>
    }
    // becomes
    ... do {
        %1 = kernel.counter 7 by -1 : tensor<i32> ...
        %3 = stablehlo.dynamic_slice %arg0, %1, %c, sizes = [1, 128] ...
    }
    ```
  }];
  let dependentDialects = ["::tpuc::kernel::KernelDialect"];
}

// Before kernels grow: they read from outside of a loop what it does not carry.
def TrimLoopsPass : Pass<"tpuc-trim-loops", "::mlir::func::FuncOp"> {
  let summary = "loops carry what they change, and take no initial value that nobody reads";
  let description = [{
    What a loop hands on unchanged is read from outside. A loop of known trip count (`tpuc-count-loops`) loses its
    condition and what it carries for that alone: counters that nothing else reads. The initial value of an array that a
    loop writes whole, slice by slice, and
    does not read is undefined: neither is it made nor copied to where the loop has the array.

    ```mlir
    func.func @main(%weights: tensor<1x4xf32>) -> tensor<3x4xf32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %zeros = stablehlo.constant dense<0.0> : tensor<3x4xf32>
      %0:3 = stablehlo.while(%i = %zero, %w = %weights, %y = %zeros) : tensor<i32>, tensor<1x4xf32>, tensor<3x4xf32>
          attributes {kernel.trip_count = 3 : i64}
      cond {
        %three = stablehlo.constant dense<3> : tensor<i32>
        %p = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %1 = stablehlo.dynamic_update_slice %y, %w, %i, %zero
            : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
        %2 = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %2, %w, %1 : tensor<i32>, tensor<1x4xf32>, tensor<3x4xf32>
      }
      return %0#2 : tensor<3x4xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<1x4xf32>) -> tensor<3x4xf32> {
      ...
      %0 = kernel.undefined : tensor<3x4xf32>
      %1:2 = stablehlo.while(%iterArg = %c, %iterArg_0 = %0) : tensor<i32>, tensor<3x4xf32> attributes
          {kernel.trip_count = 3 : i64}
      cond {
        %c_1 = stablehlo.constant dense<true> : tensor<i1>
        stablehlo.return %c_1 : tensor<i1>
      } do {
        %c_1 = stablehlo.constant dense<1> : tensor<i32>
        %2 = stablehlo.dynamic_update_slice %iterArg_0, %arg0, %iterArg, %c
            : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
        %3 = stablehlo.add %iterArg, %c_1 : tensor<i32>
        stablehlo.return %3, %2 : tensor<i32>, tensor<3x4xf32>
      }
      return %1#1 : tensor<3x4xf32>
    }
    ```
  }];
  let dependentDialects = ["::tpuc::kernel::KernelDialect"];
}

// Once loops carry only what they change, and write what nobody has read.
def CarryStacksPass : Pass<"tpuc-carry-stacks", "::mlir::func::FuncOp"> {
  let summary = "a loop that replaces parts of a stack's layers carries the stack";
  let description = [{
    A decode step takes each layer's cache from a stack, puts the newest position into it, and stacks it up again. Here
    the loop carries the stack of caches as it was, and writes nothing but the newest positions.

    ```mlir
    func.func @main(%caches: tensor<4x8x16xf32>, %key: tensor<1x1x16xf32>, %at: tensor<i32>) -> tensor<4x8x16xf32> {
      %c0 = stablehlo.constant dense<0> : tensor<i32>
      %c1 = stablehlo.constant dense<1> : tensor<i32>
      %u = kernel.undefined : tensor<4x8x16xf32>
      %0:2 = stablehlo.while(%i = %c0, %s = %u) : tensor<i32>, tensor<4x8x16xf32>
          attributes {kernel.trip_count = 4 : i64}
      cond {
        %true = stablehlo.constant dense<true> : tensor<i1>
        stablehlo.return %true : tensor<i1>
      } do {
        %layer = stablehlo.dynamic_slice %caches, %i, %c0, %c0, sizes = [1, 8, 16]
            : (tensor<4x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x16xf32>
        %new = stablehlo.dynamic_update_slice %layer, %key, %c0, %at, %c0
            : (tensor<1x8x16xf32>, tensor<1x1x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x16xf32>
        %stack = stablehlo.dynamic_update_slice %s, %new, %i, %c0, %c0
            : (tensor<4x8x16xf32>, tensor<1x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x16xf32>
        %next = stablehlo.add %i, %c1 : tensor<i32>
        stablehlo.return %next, %stack : tensor<i32>, tensor<4x8x16xf32>
      }
      return %0#1 : tensor<4x8x16xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<4x8x16xf32>, %arg1: tensor<1x1x16xf32>, %arg2: tensor<i32>) -> tensor<4x8x16xf32> {
      ...
      %1:2 = stablehlo.while(%iterArg = %c, %iterArg_1 = %arg0) ...
      do {
        %2 = stablehlo.dynamic_update_slice %iterArg_1, %arg1, %iterArg, %arg2, %c : (tensor<4x8x16xf32>,
            tensor<1x1x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x16xf32>
        %3 = stablehlo.add %iterArg, %c_0 : tensor<i32>
        stablehlo.return %3, %2 : tensor<i32>, tensor<4x8x16xf32>
      }
      return %1#1 : tensor<4x8x16xf32>
    }
    ```
  }];
}

// Before ops are grouped into kernels that hold whole rows.
def JoinRowsPass : Pass<"tpuc-join-rows", "::mlir::func::FuncOp"> {
  let summary = "long rows of several dims become rows of one";
  let description = [{
    The maximum of each row of `[8, 1024, 50257]` lies in tiles of 8 by 128, so that a kernel that reads the rows again
    would hold 1024 of them. What is computed row by row with such a reduction takes `[8192, 50257]` and `[8192]`: the
    same bytes, and 128 rows at once.

    ```mlir
    func.func @main(%logits: tensor<8x1024x50257xf32>) -> tensor<8x1024xf32> {
      %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %0 = stablehlo.reduce(%logits init: %least) applies stablehlo.maximum across dimensions = [2]
          : (tensor<8x1024x50257xf32>, tensor<f32>) -> tensor<8x1024xf32>
      return %0 : tensor<8x1024xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<8x1024x50257xf32>) -> tensor<8x1024xf32> {
      %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %0 = stablehlo.reshape %arg0 : (tensor<8x1024x50257xf32>) -> tensor<8192x50257xf32>
      %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [1]
          : (tensor<8192x50257xf32>, tensor<f32>) -> tensor<8192xf32>
      %2 = stablehlo.reshape %1 : (tensor<8192xf32>) -> tensor<8x1024xf32>
      return %2 : tensor<8x1024xf32>
    }
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"v5e\"", "bundled target's name or path of a textproto">,
                 ListOption<"sets", "set", "std::string", "constants of the target to change: path=value">];
}

def JoinContractedPass : Pass<"tpuc-join-contracted", "::mlir::func::FuncOp"> {
  let summary = "contracted dims that lie next to one another become one";
  let description = [{
    A matmul over heads and what each has, `[12, 64]`, takes 12 steps that fill 64 of 128 rows of a systolic array.
    Where both operands have the same bytes with one dim in their place, it goes over `[768]`.

    ```mlir
    func.func @output(%x: tensor<32x12x64x200xbf16>, %w: tensor<12x64x768xbf16>) -> tensor<32x200x768xbf16> {
      %0 = stablehlo.dot_general %x, %w, contracting_dims = [1, 2] x [0, 1]
          : (tensor<32x12x64x200xbf16>, tensor<12x64x768xbf16>) -> tensor<32x200x768xbf16>
      return %0 : tensor<32x200x768xbf16>
    }
    // becomes
    func.func @output(%arg0: tensor<32x12x64x200xbf16>, %arg1: tensor<12x64x768xbf16>) -> tensor<32x200x768xbf16> {
      %0 = stablehlo.reshape %arg0 : (tensor<32x12x64x200xbf16>) -> tensor<32x768x200xbf16>
      %1 = stablehlo.reshape %arg1 : (tensor<12x64x768xbf16>) -> tensor<768x768xbf16>
      %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0]
          : (tensor<32x768x200xbf16>, tensor<768x768xbf16>) -> tensor<32x200x768xbf16>
      return %2 : tensor<32x200x768xbf16>
    }
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"v5e\"", "bundled target's name or path of a textproto">,
                 ListOption<"sets", "set", "std::string", "constants of the target to change: path=value">];
}

// On arrays as kernels see them, before they are grouped; first of what looks for rows of one number.
def NumberRowsPass : Pass<"tpuc-number-rows", "::mlir::func::FuncOp"> {
  let summary = "rows that several numbers name as rows of one";
  let description = [{
    The gradient of take_along_axis, or of tables in a stack, adds rows to each of a batch of tables. The batch and the
    tables' rows become one dim, where it has the same bytes, and each row one number: it may be brought in order then,
    or be summed up in VMEM, by `--tpuc-sort-scatters`. So may one that an index of two components names.

    ```mlir
    func.func @main(%table: tensor<4x4096x128xf32>, %rows: tensor<4x1024xi32>, %updates: tensor<4x1024x128xf32>)
        -> tensor<4x4096x128xf32> {
      %0 = "stablehlo.scatter"(%table, %rows, %updates) <{scatter_dimension_numbers = #stablehlo.scatter<
          update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
          scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %1 = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %1 : tensor<f32>
      }) : (tensor<4x4096x128xf32>, tensor<4x1024xi32>, tensor<4x1024x128xf32>) -> tensor<4x4096x128xf32>
      return %0 : tensor<4x4096x128xf32>
    }
    // becomes
    ...
      %4 = stablehlo.add %0, %3 : tensor<4x1024xi32>
      %c_2 = stablehlo.constant dense<16384> : tensor<4x1024xi32>
      %5 = stablehlo.select %1, %4, %c_2 : tensor<4x1024xi1>, tensor<4x1024xi32>
      ...
      %6 = stablehlo.reshape %arg0 : (tensor<4x4096x128xf32>) -> tensor<16384x128xf32>
      %7 = "stablehlo.scatter"(%6, %5, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers =
          #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
          index_vector_dim = 2>, unique_indices = false}> ({
      ...
      }) : (tensor<16384x128xf32>, tensor<4x1024xi32>, tensor<4x1024x128xf32>) -> tensor<16384x128xf32>
      %8 = stablehlo.reshape %7 : (tensor<16384x128xf32>) -> tensor<4x4096x128xf32>
      return %8 : tensor<4x4096x128xf32>
    }
    ```

    Gathers of such rows get numbers where rows share words, where VMEM holds the table, and where SMEM does not hold
    the indices. These become a vector then. A table whose rows do not fill tiles is padded for a gather only if VMEM
    holds it. So are the numbers, where the rows that are taken do not fill tiles.
  }];
  let options = [Option<"target", "target", "std::string", "\"v5e\"", "bundled target's name or path of a textproto">,
                 ListOption<"sets", "set", "std::string", "constants of the target to change: path=value">];
}

// On arrays as kernels see them, before they are grouped.
def SortScattersPass : Pass<"tpuc-sort-scatters", "::mlir::func::FuncOp"> {
  let summary = "scatters of whole rows in the order of the rows that they name";
  let description = [{
    The gradient of an embedding adds 8192 rows to a table of 50257. One by one, each waits until the one before it is
    in place, as it may be of the same row. Sorted, with their positions, equal rows follow one another, and one kernel
    has the transfers of many rows under way.

    ```mlir
    func.func @main(%table: tensor<50257x256xf32>, %rows: tensor<8192x1xi32>, %updates: tensor<8192x256xf32>)
        -> tensor<50257x256xf32> {
      %0 = "stablehlo.scatter"(%table, %rows, %updates) <{scatter_dimension_numbers = #stablehlo.scatter<
          update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
          index_vector_dim = 1>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %1 = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %1 : tensor<f32>
      }) : (tensor<50257x256xf32>, tensor<8192x1xi32>, tensor<8192x256xf32>) -> tensor<50257x256xf32>
      return %0 : tensor<50257x256xf32>
    }
    // becomes
    ...
      %6:2 = "stablehlo.sort"(%5, %0) <{dimension = 0 : i64, is_stable = true}> ({
      ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>, %arg5: tensor<i32>, %arg6: tensor<i32>):
        %9 = stablehlo.compare LT, %arg3, %arg4 : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %9 : tensor<i1>
      }) : (tensor<8192xi32>, tensor<8192xi32>) -> (tensor<8192xi32>, tensor<8192xi32>)
      %7 = "stablehlo.gather"(%arg2, %6#1) ... -> tensor<8192x256xf32>
      %8 = "stablehlo.scatter"(%arg0, %6#0, %7) <{indices_are_sorted = true, ...
      }) {kernel.sorted_rows} : ... -> tensor<50257x256xf32>
      return %8 : tensor<50257x256xf32>
    }
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"v5e\"", "bundled target's name or path of a textproto">,
                 ListOption<"sets", "set", "std::string", "constants of the target to change: path=value">,
                 Option<"latency", "latency", "int64_t", "400", "nanoseconds until a transfer has arrived">,
                 Option<"kernelTime", "kernel-time", "int64_t", "2250", "and that a kernel takes, its work aside">];
}

def FuseKernelsPass : Pass<"tpuc-fuse-kernels", "::mlir::func::FuncOp"> {
  let summary = "group ops into kernels";
  let description = [{
    From the last op to the first, every op that no kernel has yet becomes a kernel's root and takes in its producers
    while all their uses are inside and the group stays one index space whose arrays can be read along it. Cheap ops
    (constants,
    iotas, broadcasts) are copied into each kernel that uses them. A dot takes an elementwise epilogue, and
    makes operands of arrays with fewer dims itself where the planner finds that sooner; ops that only move data are
    kernels of their own.

    ```mlir
    func.func @main(%x: tensor<64x128xf32>, %y: tensor<64x128xf32>) -> tensor<64x128xf32> {
      %0 = stablehlo.add %x, %y : tensor<64x128xf32>
      %1 = stablehlo.tanh %0 : tensor<64x128xf32>
      return %1 : tensor<64x128xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<64x128xf32>, %arg1: tensor<64x128xf32>) -> tensor<64x128xf32> {
      %0 = kernel.fusion "loop"(%arg0, %arg1 : tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32> {
      ^bb0(%arg2: tensor<64x128xf32>, %arg3: tensor<64x128xf32>):
        %1 = stablehlo.add %arg2, %arg3 : tensor<64x128xf32>
        %2 = stablehlo.tanh %1 : tensor<64x128xf32>
        kernel.yield %2 : tensor<64x128xf32>
      }
      return %0 : tensor<64x128xf32>
    }
    ```
  }];
  let options = [
    Option<"pushBytes", "push-bytes", "double", "1.0",
           "what moves through HBM while the matrix unit sums as many products as an array has rows: of an element">,
    Option<"fuseAll", "fuse", "bool", "true", "false: a kernel for each op">,
    Option<"target", "target", "std::string", "\"v5e\"", "bundled target's name or path of a textproto">,
    ListOption<"sets", "set", "std::string", "constants of the target to change: path=value">
  ];
  let dependentDialects = ["::tpuc::kernel::KernelDialect"];
}

// After kernels have grown: only then is it known which arrays two of them share.
def MergeKernelsPass : Pass<"tpuc-merge-kernels", "::mlir::func::FuncOp"> {
  let summary = "one kernel with several results where two would read the same array";
  let description = [{
    A loop kernel joins the kernel whose result it reads although others read that too, or a loop kernel that reads one
    of its inputs: what both read passes through VMEM once. The two must make one kernel that `tpuc-fuse-kernels` could
    have made,
    compute nothing twice, keep steps that can run side by side, and not make arrays live longer than they did.

    ```mlir
    func.func @main(%x: tensor<64x128xf32>, %w: tensor<128x256xf32>) -> (tensor<64x256xf32>, tensor<64x256xf32>) {
      %h = kernel.fusion "dot"(%x, %w : tensor<64x128xf32>, tensor<128x256xf32>) -> tensor<64x256xf32> {
      ^bb0(%a: tensor<64x128xf32>, %b: tensor<128x256xf32>):
        %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
            : (tensor<64x128xf32>, tensor<128x256xf32>) -> tensor<64x256xf32>
        kernel.yield %1 : tensor<64x256xf32>
      }
      %t = kernel.fusion "loop"(%h : tensor<64x256xf32>) -> tensor<64x256xf32> {
      ^bb0(%a: tensor<64x256xf32>):
        %1 = stablehlo.tanh %a : tensor<64x256xf32>
        kernel.yield %1 : tensor<64x256xf32>
      }
      return %h, %t : tensor<64x256xf32>, tensor<64x256xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<64x128xf32>, %arg1: tensor<128x256xf32>) -> (tensor<64x256xf32>, tensor<64x256xf32>) {
      %0:2 = kernel.fusion "dot"(%arg0, %arg1 : tensor<64x128xf32>, tensor<128x256xf32>)
          -> tensor<64x256xf32>, tensor<64x256xf32> {
      ^bb0(%arg2: tensor<64x128xf32>, %arg3: tensor<128x256xf32>):
        %1 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0]
            : (tensor<64x128xf32>, tensor<128x256xf32>) -> tensor<64x256xf32>
        %2 = stablehlo.tanh %1 : tensor<64x256xf32>
        kernel.yield %1, %2 : tensor<64x256xf32>, tensor<64x256xf32>
      }
      return %0#0, %0#1 : tensor<64x256xf32>, tensor<64x256xf32>
    }
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"v5e\"", "bundled target's name or path of a textproto">,
                 ListOption<"sets", "set", "std::string", "constants of the target to change: path=value">];
  let dependentDialects = ["::tpuc::kernel::KernelDialect"];
}

// After kernels were joined, which look at bodies of ops on whole arrays.
def SliceInPlacePass : Pass<"tpuc-slice-in-place", "::mlir::func::FuncOp"> {
  let summary = "kernels read and write pieces of arrays where they lie";
  let description = [{
    A slice that lies in one piece (a layer of stacked weights, what a loop has saved of an iteration) is not copied for
    the kernels that read it: their bodies begin with the slice, and its position is an offset of what they fetch. Nor
    is an update that a kernel makes copied into its array: the kernel's body ends with the update.

    ```mlir
    func.func @main(%weights: tensor<6x64x128xf32>, %i: tensor<i32>) -> tensor<1x64x128xf32> {
      %0 = kernel.fusion "copy"(%weights, %i : tensor<6x64x128xf32>, tensor<i32>) -> tensor<1x64x128xf32> {
      ^bb0(%a: tensor<6x64x128xf32>, %b: tensor<i32>):
        %c0 = stablehlo.constant dense<0> : tensor<i32>
        %1 = stablehlo.dynamic_slice %a, %b, %c0, %c0, sizes = [1, 64, 128]
            : (tensor<6x64x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x128xf32>
        kernel.yield %1 : tensor<1x64x128xf32>
      }
      %2 = kernel.fusion "loop"(%0 : tensor<1x64x128xf32>) -> tensor<1x64x128xf32> {
      ^bb0(%a: tensor<1x64x128xf32>):
        %3 = stablehlo.tanh %a : tensor<1x64x128xf32>
        kernel.yield %3 : tensor<1x64x128xf32>
      }
      return %2 : tensor<1x64x128xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<6x64x128xf32>, %arg1: tensor<i32>) -> tensor<1x64x128xf32> {
      %0 = kernel.fusion "loop"(%arg0, %arg1 : tensor<6x64x128xf32>, tensor<i32>) -> tensor<1x64x128xf32> {
      ^bb0(%arg2: tensor<6x64x128xf32>, %arg3: tensor<i32>):
        ...
        %1 = stablehlo.dynamic_slice %arg2, %arg3, ... -> tensor<1x64x128xf32>
        %2 = stablehlo.tanh %1 : tensor<1x64x128xf32>
        kernel.yield %2 : tensor<1x64x128xf32>
      }
      return %0 : tensor<1x64x128xf32>
    }
    ```
  }];
  let options = [
    Option<"copyBytes", "copy-bytes", "int64_t", "1658000",
           "what moves through HBM in the time that a kernel of its own takes, its bytes aside">,
    Option<"fetchBytes", "fetch-bytes", "int64_t", "295000", "and in the time that a position takes to arrive">,
    Option<"target", "target", "std::string", "\"v5e\"", "bundled target's name or path of a textproto">,
    ListOption<"sets", "set", "std::string", "constants of the target to change: path=value">
  ];
  let dependentDialects = ["::tpuc::kernel::KernelDialect"];
}

// Behind it: an update that no kernel took is a copy.
def SaveEarlyPass : Pass<"tpuc-save-early", "::mlir::func::FuncOp"> {
  let summary = "a loop saves its state before it makes the next";
  let description = [{
    Training saves the states that a scan went through: a kernel that does nothing else writes the one that an iteration
    was given into a stack. Behind the kernel that makes the next state it would keep that one from lying in the old
    one's place. It moves before it.

    ```mlir
    func.func @main(%x: tensor<8x128xf32>, %y: tensor<4x8x128xf32>) -> tensor<4x8x128xf32> {
      %0:2 = stablehlo.while(%s = %x, %t = %y) : tensor<8x128xf32>, tensor<4x8x128xf32>
          attributes {kernel.trip_count = 4 : i64}
      cond {
        %p = stablehlo.constant dense<true> : tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %i = kernel.counter 0 by 1 : tensor<i32>
        %n = kernel.fusion "loop"(%s : tensor<8x128xf32>) -> tensor<8x128xf32> {
        ^bb0(%a: tensor<8x128xf32>):
          %1 = stablehlo.tanh %a : tensor<8x128xf32>
          kernel.yield %1 : tensor<8x128xf32>
        }
        %v = kernel.view %s : tensor<8x128xf32> -> tensor<1x8x128xf32>
        %u = kernel.fusion "copy"(%t, %v, %i : tensor<4x8x128xf32>, tensor<1x8x128xf32>, tensor<i32>)
            -> tensor<4x8x128xf32> {
        ^bb0(%a: tensor<4x8x128xf32>, %b: tensor<1x8x128xf32>, %at: tensor<i32>):
          %zero = stablehlo.constant dense<0> : tensor<i32>
          %1 = stablehlo.dynamic_update_slice %a, %b, %at, %zero, %zero
              : (tensor<4x8x128xf32>, tensor<1x8x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>)
              -> tensor<4x8x128xf32>
          kernel.yield %1 : tensor<4x8x128xf32>
        }
        stablehlo.return %n, %u : tensor<8x128xf32>, tensor<4x8x128xf32>
      }
      return %0#1 : tensor<4x8x128xf32>
    }
    // becomes
    ... do {
        %1 = kernel.counter 0 by 1 : tensor<i32>
        %2 = kernel.view %iterArg : tensor<8x128xf32> -> tensor<1x8x128xf32>
        %3 = kernel.fusion "copy"(%iterArg_0, %2, %1 : ...
        %4 = kernel.fusion "loop"(%iterArg : ...
        stablehlo.return %4, %3 ...
    }
    ```
  }];
  let dependentDialects = ["::tpuc::kernel::KernelDialect"];
}

// Last, when it is known which kernel does what.
def AssignFlopsPass : Pass<"tpuc-assign-flops", "::mlir::func::FuncOp"> {
  let summary = "say of kernels how much of the program's own products they do";
  let description = [{
    `tpuc-count-flops` noted each product in its location. Its operations fall to the kernels that have something of it,
    in proportion to what they compute of it: a matmul that two kernels compute has them once. `kernel.flops` has those
    of one call, then those of 8-bit integers.

    ```mlir
    #product = loc(fused<{flops = 1600.0 : f64, product = 0 : i64}>["mlp.py":3:8])
    func.func @main(%x: tensor<4x10xf32>, %w: tensor<10x20xf32>) -> (tensor<4x20xf32>, tensor<4x20xf32>) {
      %0 = kernel.fusion "dot"(%x, %w : tensor<4x10xf32>, tensor<10x20xf32>) -> tensor<4x20xf32> {
      ^bb0(%a: tensor<4x10xf32>, %b: tensor<10x20xf32>):
        %2 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
            : (tensor<4x10xf32>, tensor<10x20xf32>) -> tensor<4x20xf32> loc(#product)
        kernel.yield %2 : tensor<4x20xf32>
      }
      %1 = kernel.fusion "dot"(%x, %w : tensor<4x10xf32>, tensor<10x20xf32>) -> tensor<4x20xf32> {
      ^bb0(%a: tensor<4x10xf32>, %b: tensor<10x20xf32>):
        %2 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
            : (tensor<4x10xf32>, tensor<10x20xf32>) -> tensor<4x20xf32> loc(#product)
        %3 = stablehlo.tanh %2 : tensor<4x20xf32>
        kernel.yield %3 : tensor<4x20xf32>
      }
      return %0, %1 : tensor<4x20xf32>, tensor<4x20xf32>
    }
    // becomes
    ...
      %0 = kernel.fusion "dot" ... attributes {kernel.flops = array<i64: 800, 0>} { ... }
      %1 = kernel.fusion "dot" ... attributes {kernel.flops = array<i64: 800, 0>} { ... }
      return %0, %1 : tensor<4x20xf32>, tensor<4x20xf32>
    }
    ```
  }];
}
#endif
