// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of lanes: what the machine has no instruction for, written once in instructions that it has.
#ifndef TPUC_DIALECTS_KERNEL_FUNCTION_OPS
#define TPUC_DIALECTS_KERNEL_FUNCTION_OPS

include "dialects/kernel/kernel_base.td"
include "mlir/IR/SymbolInterfaces.td"

def Kernel_FunctionOp : Kernel_Op<"function", [Symbol, IsolatedFromAbove, SingleBlock]> {
  let summary = "a function of a lane's values, of elementwise ops on scalars";
  let description = [{
    Arithmetic on 64-bit elements takes hundreds of 32-bit ops. They stand here once for all arrays that it is done on
    (`kernel.apply`), and become instructions where a kernel's body does.

    ```mlir
    kernel.function @twice {
    ^bb0(%x: tensor<ui32>):
      %0 = stablehlo.add %x, %x : tensor<ui32>
      kernel.return %0 : tensor<ui32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name);
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
  }];
}

def Kernel_ReturnOp : Kernel_Op<"return", [Pure, Terminator, HasParent<"FunctionOp">]> {
  let summary = "a function's results";
  let arguments = (ins Variadic<AnyRankedTensor>:$values);
  let assemblyFormat = "$values `:` type($values) attr-dict";
}

def Kernel_ApplyOp
    : Kernel_Op<"apply", [Pure, Kernel_Elementwise, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a function's results for each element of arrays of one shape";
  let description = [{
    ```mlir
    %lo, %hi = kernel.apply @add_f64(%0, %1, %2, %3)
        : (tensor<4xui32>, tensor<4xui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<4xui32>, tensor<4xui32>)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyRankedTensor>:$inputs);
  let results = (outs Variadic<AnyRankedTensor>:$outputs);
  let assemblyFormat = "$callee `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs)";
}
#endif
