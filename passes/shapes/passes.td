//===- passes.td - passes of the shapes stage, in the order in which they run ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_PASSES_SHAPES_PASSES
#define TPUC_PASSES_SHAPES_PASSES

include "mlir/Pass/PassBase.td"

def NameDimsPass : Pass<"tpuc-name-dims", "::mlir::ModuleOp"> {
  let summary = "names for the sizes that a program leaves open";
  let description = [{
    An export of JAX with symbolic shapes has `?` in its types; the names of the sizes, and what they have to do with each other, stand in the messages
    of its `shape_assertion` calls: `args[1].shape = (b, 2*s)`. They become an attribute of main's arguments. A size that has no name there is named after its
    place: `arg1.0` is the first dimension of argument 1.

    ```mlir
    func.func @main(%x: tensor<?x300xf32>) -> tensor<?x300xf32> {
    // becomes
    func.func @main(%x: tensor<?x300xf32> {shapes.dims = ["b", "300"]}) -> tensor<?x300xf32> {
    ```
  }];
}

def RefineShapesPass : Pass<"tpuc-refine-shapes", "::mlir::ModuleOp"> {
  let summary = "a program of known sizes from one of open sizes";
  let description = [{
    Sizes of symbols (`dims=b=17,s=300`) or whole shapes of arguments (`arguments=300x128,17x300`, `?` for one that is not given, `scalar` for one without
    dimensions) make the arguments' types static. They are propagated from op to op; what a program computes from sizes is computed here, and shape operands become constants.
    Assertions about sizes (`shape_assertion`) are checked and go. Where sizes come from the data of an argument, the op is an error.

    ```mlir
    // --tpuc-refine-shapes=dims=b=17
    func.func @main(%x: tensor<?x300xf32> {shapes.dims = ["b", "300"]}) -> tensor<?xf32> {
      %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x300xf32>) -> tensor<i32>
      %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
      %2 = stablehlo.dynamic_iota %1, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
      return %2 : tensor<?xf32>
    }
    // becomes
    func.func @main(%x: tensor<17x300xf32>) -> tensor<17xf32> {
      %c = stablehlo.constant dense<17> : tensor<1xi32>
      %2 = stablehlo.dynamic_iota %c, dim = 0 : (tensor<1xi32>) -> tensor<17xf32>
      return %2 : tensor<17xf32>
    }
    ```
  }];
  let options = [
    ListOption<"dims", "dims", "std::string", "sizes of symbols, NAME=SIZE">,
    ListOption<"arguments", "arguments", "std::string", "shapes of arguments, in order">,
  ];
  let dependentDialects = ["::tpuc::stablehlo::StablehloDialect", "::tpuc::chlo::ChloDialect"];
}

#endif
