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
    all keys of its queries, so nothing is computed otherwise.

    ```mlir
    %s = stablehlo.dot_general %q, %k ... -> tensor<16x8192x8192xf32>
    %p = ...  // row by row: scale, mask, softmax
    %o = stablehlo.dot_general %p, %v ... -> tensor<16x8192x128xbf16>
    // becomes
    %stack = stablehlo.while(%i = ..., %o = ...) : tensor<i32>, tensor<128x1024x128xbf16> do {
      %qb = stablehlo.dynamic_slice %queries, %i, ...  // of tensor<128x1024x128xbf16>: 16 heads, 8 blocks each
      %kb = stablehlo.dynamic_slice %keys, %head, ...  // of tensor<16x8192x128xbf16>; %head is %i / 8
      %sb = stablehlo.dot_general %qb, %kb ... -> tensor<1024x8192xf32>
      ...
      stablehlo.dynamic_update_slice %o, %ob, %i, ...
    }
    ```
  }];
  let options = [Option<"room", "room", "int64_t", "0", "bytes of VMEM in which arrays stay from kernel to kernel">,
                 Option<"kernelBytes", "kernel-bytes", "int64_t", "0",
                        "bytes that move through HBM while a kernel is launched">];
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
    %0:3 = stablehlo.while(%i = %zero, %w = %weights, %y = %zeros) ... do { ... dynamic_update_slice %y, ..., %i ... }
    // becomes
    %u = kernel.undefined : tensor<3x4xf32>
    %0:2 = stablehlo.while(%i = %zero, %y = %u) ...
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
    %layer = stablehlo.dynamic_slice %caches, %i ...
    %new = stablehlo.dynamic_update_slice %layer, %key, %at ...
    %stack = stablehlo.dynamic_update_slice %undefined, %new, %i ...
    // becomes, where the stack starts as %caches
    %stack = stablehlo.dynamic_update_slice %stacked, %key, %i, %at ...
    %new = stablehlo.dynamic_slice %stack, %i ...
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
    %0 = stablehlo.reduce(%logits ...) across dimensions = [2] : tensor<8x1024x50257xf32> ...
    // becomes
    %1 = stablehlo.reshape %logits : (tensor<8x1024x50257xf32>) -> tensor<8192x50257xf32>
    %2 = stablehlo.reduce(%1 ...) across dimensions = [1] ...
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

// On arrays as kernels see them, before they are grouped.
def SortScattersPass : Pass<"tpuc-sort-scatters", "::mlir::func::FuncOp"> {
  let summary = "scatters of whole rows in the order of the rows that they name";
  let description = [{
    The gradient of an embedding adds 8192 rows to a table of 50257. One by one, each waits until the one before it is
    in place, as it may be of the same row. Sorted, with their positions, equal rows follow one another, and one kernel
    has the transfers of many rows under way.

    ```mlir
    %keys, %from = "stablehlo.sort"(%rows, %positions) ...
    %in_order = "stablehlo.gather"(%updates, %from) ...
    %0 = "stablehlo.scatter"(%table, %keys, %in_order) {kernel.sorted_rows} ...
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
    %h = kernel.fusion "dot"(%x, %w ...) { ... }         // kept for the gradient
    %a = kernel.fusion "loop"(%h ...) { tanh }
    // becomes
    %h, %a = kernel.fusion "dot"(%x, %w ...) { ... tanh ... }
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
    %w = kernel.fusion "copy"(%weights, %i ...) { dynamic_slice }
    %y = kernel.fusion "dot"(%x, %w ...) { dot_general }
    // becomes
    %y = kernel.fusion "dot"(%x, %weights, %i ...) { dynamic_slice, dot_general }
    ```
  }];
  let options = [
    Option<"copyBytes", "copy-bytes", "int64_t", "1658000",
           "what moves through HBM in the time that a kernel of its own takes, its bytes aside">,
    Option<"fetchBytes", "fetch-bytes", "int64_t", "295000", "and in the time that a position takes to arrive">
  ];
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
    %0 = kernel.fusion "dot"(...) ... attributes {kernel.flops = array<i64: 1600, 0>}
    ```
  }];
}
#endif
