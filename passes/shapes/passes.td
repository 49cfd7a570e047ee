//===- passes.td - passes of the shapes stage, in the order in which they run ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_PASSES_SHAPES_PASSES
#define TPUC_PASSES_SHAPES_PASSES

include "mlir/Pass/PassBase.td"

def NameDimsPass : Pass<"tpuc-name-dims", "::mlir::ModuleOp"> {
  let summary = "names for the sizes that a program leaves open";
  let description = [{
    An export of JAX with symbolic shapes has `?` in its types; the names of the sizes, and what they have to do with
    each other, stand in the messages of its `shape_assertion` calls: `args[1].shape = (b, 2*s)`. They become an
    attribute of main's arguments. A size that has no name there is named after its
    place: `arg1.0` is the first dimension of argument 1. A scalar from which shapes are computed is a size too
    (`shapes.size`), with the name that `jax.global_constant` gives it, else `arg0`.

    ```mlir
    func.func @main(%x: tensor<?x300xf32>, %y: tensor<?xf32>) -> tensor<?x300xf32> {
      return %x : tensor<?x300xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<?x300xf32> {shapes.dims = ["arg0.0", "300"]}, %arg1: tensor<?xf32>
        {shapes.dims = ["arg1.0"]}) -> tensor<?x300xf32> {
      return %arg0 : tensor<?x300xf32>
    }
    ```
  }];
}

def RefineShapesPass : Pass<"tpuc-refine-shapes", "::mlir::ModuleOp"> {
  let summary = "a program of known sizes from one of open sizes";
  let description = [{
    Sizes of symbols (`dims=b=17,s=300`) or whole shapes of arguments (`arguments=300x128,17x300`, `?` for one that is
    not given, `scalar` for one without dimensions) make the arguments' types static. They are propagated from op to op;
    what a program computes from sizes is computed here, and shape operands become constants. A scalar argument that is
    a size has the value that is given for its symbol, whatever it holds in a run.
    Assertions about sizes (`shape_assertion`) are checked and go. Where sizes come from the data of an argument, the op
    is an error.

    ```mlir
    // --tpuc-refine-shapes=dims=b=17
    func.func @main(%x: tensor<?x300xf32> {shapes.dims = ["b", "300"]}) -> tensor<?xf32> {
      %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x300xf32>) -> tensor<i32>
      %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
      %2 = stablehlo.dynamic_iota %1, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
      return %2 : tensor<?xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<17x300xf32>) -> tensor<17xf32> {
      %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<17x300xf32>) -> tensor<i32>
      %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
      %c = stablehlo.constant dense<17> : tensor<1xi64>
      %2 = stablehlo.dynamic_iota %c, dim = 0 : (tensor<1xi64>) -> tensor<17xf32>
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

def BucketShapesPass : Pass<"tpuc-bucket-shapes", "::mlir::ModuleOp"> {
  let summary = "one static program for a range of sizes";
  let description = [{
    Every symbol has a range (`sizes=b=17..32,s=128`). Arrays get the largest size; main gets the true size of each
    symbol as one more argument. What lies behind a true size is padding. Where it would reach a result it is replaced,
    by a select on the place that says why it stands there; sizes that the program uses as numbers are
    the true ones. An op of which nothing is known leaves the program as it is, with a remark: it has to be compiled for
    its exact sizes.

    ```mlir
    // --tpuc-bucket-shapes=sizes=b=1..4
    func.func @main(%x: tensor<?xf32> {shapes.dims = ["b"]}) -> tensor<f32> {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
          : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    }
    // becomes
    func.func @main(%arg0: tensor<4xf32> {shapes.dims = ["b"]},
        %arg1: tensor<i32> {shapes.extent = "b", shapes.least = 1 : i64}) -> tensor<f32> {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %cst_0 = stablehlo.constant dense<-0.000000e+00> : tensor<f32>
      %0 = stablehlo.iota dim = 0 : tensor<4xi32>
      %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<4xi32>
      %2 = stablehlo.compare LT, %0, %1, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
      %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %4 = stablehlo.select %2, %arg0, %3 {shapes.mask = "a reduction along dimension 0"} : tensor<4xi1>,
          tensor<4xf32>
      %5 = stablehlo.reduce(%4 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>,
          tensor<f32>) -> tensor<f32>
      return %5 : tensor<f32>
    }
    ```
  }];
  let options = [
    ListOption<"sizes", "sizes", "std::string", "the range of each symbol, NAME=LEAST..MOST or NAME=SIZE">,
  ];
  let dependentDialects = ["::tpuc::stablehlo::StablehloDialect", "::tpuc::chlo::ChloDialect"];
}

def OpenSizesPass : Pass<"tpuc-open-sizes", "::mlir::ModuleOp"> {
  let summary = "two programs of different sizes as one of open sizes";
  let description = [{
    The module holds two programs that were traced at different sizes of an argument's first dim. Where all numbers that
    differ (extents, attributes, small constants) are on a line in that size, the programs become one that leaves it
    open: ops that say their shape by their type take it as an operand. Other programs stay, with a remark.

    ```mlir
    module {
      func.func @main(%x: tensor<3x4xf32>) -> tensor<12xf32> {
        %0 = stablehlo.reshape %x : (tensor<3x4xf32>) -> tensor<12xf32>
        return %0 : tensor<12xf32>
      }
    }
    module {
      func.func @main(%x: tensor<5x4xf32>) -> tensor<20xf32> {
        %0 = stablehlo.reshape %x : (tensor<5x4xf32>) -> tensor<20xf32>
        return %0 : tensor<20xf32>
      }
    }
    // becomes
    func.func @main(%arg0: tensor<?x4xf32> {shapes.dims = ["b", "4"]}) -> tensor<?xf32> {
      %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
      %c = stablehlo.constant dense<4> : tensor<i32>
      %1 = stablehlo.multiply %c, %0 : tensor<i32>
      %2 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
      %3 = stablehlo.dynamic_reshape %arg0, %2 : (tensor<?x4xf32>, tensor<1xi32>) -> tensor<?xf32>
      return %3 : tensor<?xf32>
    }
    ```
  }];
  let options = [
    Option<"symbol", "symbol", "std::string", "\"b\"", "the size's name">,
  ];
  let dependentDialects = ["::tpuc::stablehlo::StablehloDialect", "::tpuc::chlo::ChloDialect"];
}

#endif
