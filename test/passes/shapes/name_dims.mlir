// RUN: tpuc-opt %s --split-input-file --tpuc-name-dims | FileCheck %s

// The list has the arguments of open sizes alone, in order; numbers in it agree with the types.
// CHECK: func.func @main(%{{.*}}: tensor<3xf32>, %{{.*}}: tensor<?x4xf32> {shapes.dims = ["b", "4"]}, %{{.*}}: tensor<?x?xf32> {shapes.dims = ["max(b, 2)", "2*s"]})
func.func @main(%w: tensor<3xf32>, %x: tensor<?x4xf32>, %y: tensor<?x?xf32>) {
  %p = stablehlo.constant dense<true> : tensor<i1>
  stablehlo.custom_call @shape_assertion(%p) {api_version = 2 : i32, has_side_effect = true,
      error_message =
      "Expected value >= 1. Using the following polymorphic shapes specifications: args[0]['w'].shape = (b, 4),args[1].shape = (max(b, 2), 2*s). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[0].shape[0] (= {0})"} : (tensor<i1>) -> ()
  return
}

// -----

// Another function's list: the ranks differ. The sizes are named by their places.
// CHECK: func.func @main(%{{.*}}: tensor<?x4xf32> {shapes.dims = ["arg0.0", "4"]})
func.func @main(%x: tensor<?x4xf32>) {
  %p = stablehlo.constant dense<true> : tensor<i1>
  stablehlo.custom_call @shape_assertion(%p) {api_version = 2 : i32, has_side_effect = true,
      error_message = "Using the following polymorphic shapes specifications: args[0].shape = (b,)."} : (tensor<i1>)
      -> ()
  return
}

// -----

// A number that is not the type's.
// CHECK: func.func @main(%{{.*}}: tensor<?x4xf32> {shapes.dims = ["arg0.0", "4"]})
func.func @main(%x: tensor<?x4xf32>) {
  %p = stablehlo.constant dense<true> : tensor<i1>
  stablehlo.custom_call @shape_assertion(%p) {api_version = 2 : i32, has_side_effect = true,
      error_message = "Using the following polymorphic shapes specifications: args[0].shape = (b, 5)."}
      : (tensor<i1>) -> ()
  return
}

// -----

// Names that are there stay; static arguments have none.
// CHECK: func.func @main(%{{.*}}: tensor<?xf32> {shapes.dims = ["n"]}, %{{.*}}: tensor<4xf32>)
func.func @main(%x: tensor<?xf32> {shapes.dims = ["n"]}, %y: tensor<4xf32>) {
  return
}
