// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel dialect, and what its ops have in common.
#ifndef TPUC_DIALECTS_KERNEL_BASE
#define TPUC_DIALECTS_KERNEL_BASE

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Kernel_Dialect : Dialect {
  let name = "kernel";
  let cppNamespace = "::tpuc::kernel";
  let summary = "kernels: groups of StableHLO ops that run as one grid";
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = "void registerAttributes();";
}

// One scalar function applied to each element, as passes on StableHLO's ops know them.
def Kernel_Elementwise : NativeOpTrait<"IsElementwise"> { let cppNamespace = "::tpuc::stablehlo"; }

class Kernel_Op<string mnemonic, list<Trait> traits = []> : Op<Kernel_Dialect, mnemonic, traits>;
#endif
