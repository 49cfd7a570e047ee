// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel dialect: which ops run together, and how their arrays lie in memory.
#ifndef TPUC_DIALECTS_KERNEL_OPS
#define TPUC_DIALECTS_KERNEL_OPS

include "dialects/kernel/kernel_base.td"

def Kernel_FusionOp : Kernel_Op<"fusion", [IsolatedFromAbove, Pure, SingleBlock]> {
  let summary = "ops that run as one kernel: HBM arrays in, HBM arrays out";
  let description = [{
    The body's arguments are the inputs; it holds StableHLO ops and yields the results. `kind` says which lowering takes
    it:
    "loop" (elementwise with reductions), "dot" (a matmul with prologue and epilogue), "copy" (moves data: one op, or a
    transpose with elementwise ops around it), "relayout" (reshapes, transposes and broadcasts, one after the other).
    `input_orders` and `result_orders`, set by the layout stage, give each array's physical order of dims.

    ```mlir
    %1 = kernel.fusion "loop"(%0 : tensor<8x128xf32>) -> tensor<8x128xf32> {
    ^bb0(%x: tensor<8x128xf32>):
      %2 = stablehlo.exponential %x : tensor<8x128xf32>
      kernel.yield %2 : tensor<8x128xf32>
    }
    ```
  }];
  let arguments = (ins StrAttr:$kind, Variadic<AnyRankedTensor>:$inputs, OptionalAttr<ArrayAttr>:$input_orders,
                       OptionalAttr<ArrayAttr>:$result_orders);
  let results = (outs Variadic<AnyRankedTensor>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
  let assemblyFormat = [{
    $kind `(` ($inputs^ `:` type($inputs))? `)` (`in` $input_orders^)?
        (`out` $result_orders^)? `->` type($outputs) attr-dict-with-keyword $body
  }];
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
  }];
}

def Kernel_YieldOp : Kernel_Op<"yield", [Pure, Terminator, HasParent<"FusionOp">]> {
  let summary = "a kernel's results";
  let arguments = (ins Variadic<AnyRankedTensor>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

// ---- elementwise ops that StableHLO does not have -------------------------------------------------------------------

def Kernel_MulhOp : Kernel_Op<"mulh", [Pure, SameOperandsAndResultType, Kernel_Elementwise]> {
  let summary = "the high 32 bits of the product of ui32 elements";
  let arguments = (ins AnyRankedTensor:$lhs, AnyRankedTensor:$rhs);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$lhs `,` $rhs `:` type($result) attr-dict";
}

def Kernel_FmaOp : Kernel_Op<"fma", [Pure, SameOperandsAndResultType, Kernel_Elementwise]> {
  let summary = "a b + c of f32 elements, rounded once";
  let arguments = (ins AnyRankedTensor:$a, AnyRankedTensor:$b, AnyRankedTensor:$c);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$a `,` $b `,` $c `:` type($result) attr-dict";
}

def Kernel_Exp2Op : Kernel_Op<"exp2", [Pure, SameOperandsAndResultType, Kernel_Elementwise]> {
  let summary = "2^a of f32 elements, as the transcendental unit has it: exactly for whole numbers";
  let arguments = (ins AnyRankedTensor:$a);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$a `:` type($result) attr-dict";
}

// ---- arrays wider than a lane ---------------------------------------------------------------------------------------

class Kernel_Planes<string mnemonic> : Kernel_Op<mnemonic, [Pure]> { let hasVerifier = 1; }

def Kernel_SplitOp : Kernel_Planes<"split"> {
  let summary = "the planes of an array wider than a lane: views, nothing moves";
  let description = [{
    64-bit and complex arrays lie in memory as planes of 32-bit elements (runtime/isa/layout.h): low and high words as
    ui32, real and imaginary parts as f32 or, of f64, as two words each.

    ```mlir
    %lo, %hi = kernel.split %x : tensor<4xi64> -> tensor<4xui32>, tensor<4xui32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$whole);
  let results = (outs Variadic<AnyRankedTensor>:$planes);
  let assemblyFormat = "$whole `:` type($whole) `->` type($planes) attr-dict";
}

def Kernel_JoinOp : Kernel_Planes<"join"> {
  let summary = "an array wider than a lane from its planes: their places, nothing moves";
  let arguments = (ins Variadic<AnyRankedTensor>:$planes);
  let results = (outs AnyRankedTensor:$whole);
  let assemblyFormat = "$planes `:` type($planes) `->` type($whole) attr-dict";
}

// ---- arrays without contents ----------------------------------------------------------------------------------------

def Kernel_UndefinedOp : Kernel_Op<"undefined", [Pure]> {
  let summary = "an array that is written before it is read: memory, nothing else";
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "`:` type($result) attr-dict";
}

// ---- loops ----------------------------------------------------------------------------------------------------------

// It reads the loop that it stands in: elsewhere it is another number.
def Kernel_CounterOp : Kernel_Op<"counter", [MemoryEffects<[MemRead]>]> {
  let summary = "a number that the scalar unit has: that of a counted loop's iteration, from a start by a step";
  let description = [{
    Stands in the body of a loop with `kernel.trip_count`, and is start + step * n in its iteration n. One that stays
    for several iterations, and begins again after some steps, is start + step * (n / every mod of), and stands behind
    the loop's `kernel.counter 0 by 1`. Kernels take it as a slice's position. It has no memory but a word of SMEM,
    which the program's entry writes in each iteration.

    ```mlir
    %0 = kernel.counter 127 by -1 : tensor<i32>
    %1 = kernel.counter 0 by 1 every 4 of 8 : tensor<i32>
    ```
  }];
  let arguments = (ins I64Attr:$start, I64Attr:$step, OptionalAttr<I64Attr>:$every, OptionalAttr<I64Attr>:$of);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$start `by` $step (`every` $every^)? (`of` $of^)? `:` type($result) attr-dict";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    // Whether it steps in each iteration, and on.
    bool stepsEvenly() { return !getEvery() && !getOf(); }
    // Whether it is the iteration's number.
    bool isNumber() { return stepsEvenly() && getStart() == 0 && getStep() == 1; }
  }];
}

// ---- other devices -----------------------------------------------------------------------------------------------

def Kernel_DeviceIdOp : Kernel_Op<"device_id", [Pure]> {
  let summary = "the device's own number";
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "`:` type($result) attr-dict";
}

def Kernel_ExchangeStartOp : Kernel_Op<"exchange_start"> {
  let summary = "start sending arrays, or blocks of them, to other devices; the result is being written";
  let description = [{
    `kind` says what goes where. "gather": a device's array to each member of its group, where it is the block of the
    sender's position. "scatter": block i to member i, where it is the block of the sender's position. "permute": an
    array from the first to the second device of each pair; a device has one source at most, and without one its result
    is undefined. Blocks are the elements of the first dim. `groups` lists device numbers, -1 filling up those of fewer
    members, and names a device once at most.
    `collective` is what the program calls it.

    ```mlir
    %0 = kernel.exchange_start "gather" %x groups dense<[[0, 1], [2, 3]]> of "all_gather"
        : tensor<8x128xf32> -> tensor<2x8x128xf32>
    %1 = kernel.exchange_done %0, %x : tensor<2x8x128xf32>, tensor<8x128xf32>
    ```
  }];
  let arguments = (ins StrAttr:$kind, AnyRankedTensor:$operand, I64ElementsAttr:$groups, StrAttr:$collective);
  let results = (outs AnyRankedTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = [{
    $kind $operand `groups` $groups `of` $collective attr-dict `:` type($operand) `->` type($result)
  }];
}

def Kernel_ExchangeDoneOp : Kernel_Op<"exchange_done", [AllTypesMatch<["started", "result"]>]> {
  let summary = "wait until an exchange has sent its operand and its result is there: the same place";
  let arguments = (ins AnyRankedTensor:$started, AnyRankedTensor:$operand);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$started `,` $operand attr-dict `:` type($started) `,` type($operand)";
}

// ---- the same bytes as another shape --------------------------------------------------------------------------------

def Kernel_ViewOp : Kernel_Op<"view", [Pure]> {
  let summary = "an array's bytes under another shape: nothing moves";
  let description = [{
    A reshape that leaves every element where it lies in memory: leading dims join or part, and rows do where tiles of
    rows stay whole.

    ```mlir
    %1 = kernel.view %0 : tensor<4x64x128xf32> -> tensor<256x128xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source);
  let results = (outs AnyRankedTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = "$source `:` type($source) `->` type($result) attr-dict";
}

#endif
