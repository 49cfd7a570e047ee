// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_PASSES_FUSION_PASSES
#define TPUC_PASSES_FUSION_PASSES
include "mlir/Pass/PassBase.td"

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

def FuseKernelsPass : Pass<"tpuc-fuse-kernels", "::mlir::func::FuncOp"> {
  let summary = "group ops into kernels";
  let description = [{
    From the last op to the first, every op that no kernel has yet becomes a kernel's root and takes in its producers
    while all their uses are inside and the group stays one index space whose arrays can be read along it. Cheap ops
    (constants,
    iotas, broadcasts) are copied into each kernel that uses them. A dot takes an elementwise epilogue; ops that only
    move data are kernels of their own.

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
    Option<"vmemBytes", "vmem-bytes", "int64_t", "117440512", "VMEM that a kernel's blocks may use">,
    Option<"fuseAll", "fuse", "bool", "true", "false: a kernel for each op">
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
  let options = [Option<"vmemBytes", "vmem-bytes", "int64_t", "117440512", "VMEM that a kernel's blocks may use">];
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
