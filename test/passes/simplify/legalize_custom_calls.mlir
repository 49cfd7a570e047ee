// RUN: tpuc-opt %s --tpuc-legalize-custom-calls | FileCheck %s

// CHECK-LABEL: func @main
// The comparator is the sort's own now.
// CHECK: %[[SORTED:.*]]:2 = "stablehlo.sort"(%arg0, %arg1)
// CHECK: stablehlo.compare GT
// CHECK: stablehlo.slice %[[SORTED]]#0 [0:4, 0:3]
// CHECK: %[[BEST:.*]], %{{.*}} = chlo.top_k(%arg0, k = 3)
// CHECK: chlo.erf %arg0
// CHECK: stablehlo.custom_call @Qr
// CHECK: return %{{.*}}, %[[BEST]], %arg0
// CHECK-NOT: @larger
func.func @main(%x: tensor<4x50xf32>, %i: tensor<4x50xi32>, %f: tensor<f32>, %n: tensor<i32>)
    -> (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x50xf32>, tensor<4x50xf32>, tensor<4xf32>) {
  %0:2 = stablehlo.custom_call @ApproxTopK(%x, %i, %f, %n) {called_computations = [@larger],
      mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.95 : f32, reduction_dim = 1 : i64,
      reduction_input_size_override = -1 : i64, top_k = 3 : i64}}
      : (tensor<4x50xf32>, tensor<4x50xi32>, tensor<f32>, tensor<i32>) -> (tensor<4x3xf32>, tensor<4x3xi32>)
  %1:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 3 : i64, largest = true}} : (tensor<4x50xf32>)
      -> (tensor<4x3xf32>, tensor<4x3xi32>)
  %2 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{replicated}"} : (tensor<4x50xf32>) -> tensor<4x50xf32>
  %3 = stablehlo.custom_call @mhlo.erf(%2) {mhlo.attributes = {}} : (tensor<4x50xf32>) -> tensor<4x50xf32>
  %4:2 = stablehlo.custom_call @Qr(%3) : (tensor<4x50xf32>) -> (tensor<4x50xf32>, tensor<4xf32>)
  return %0#0, %1#0, %2, %4#0, %4#1
      : tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x50xf32>, tensor<4x50xf32>, tensor<4xf32>
}

// A call that gives a tuple gives its elements; who wants the tuple gets one of them.
// CHECK-LABEL: func @tuple
// CHECK: %[[Q:.*]]:2 = stablehlo.custom_call @Qr(%arg0) : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>)
// CHECK-NOT: stablehlo.get_tuple_element
// CHECK: return %[[Q]]#0, %[[Q]]#1
// CHECK-LABEL: func @whole
// CHECK: %[[Q:.*]]:2 = stablehlo.custom_call @Qr
// CHECK: %[[T:.*]] = stablehlo.tuple %[[Q]]#0, %[[Q]]#1
// CHECK: return %[[T]]
func.func @tuple(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>) {
  %0 = stablehlo.custom_call @Qr(%x) {operand_layouts = [dense<[0, 1]>
      : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>]}
      : (tensor<4x4xf32>) -> tuple<tensor<4x4xf32>, tensor<4xf32>>
  %1 = stablehlo.get_tuple_element %0[0] : (tuple<tensor<4x4xf32>, tensor<4xf32>>) -> tensor<4x4xf32>
  %2 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<4x4xf32>, tensor<4xf32>>) -> tensor<4xf32>
  return %1, %2 : tensor<4x4xf32>, tensor<4xf32>
}
func.func @whole(%x: tensor<4x4xf32>) -> tuple<tensor<4x4xf32>, tensor<4xf32>> {
  %0 = stablehlo.custom_call @Qr(%x) : (tensor<4x4xf32>) -> tuple<tensor<4x4xf32>, tensor<4xf32>>
  return %0 : tuple<tensor<4x4xf32>, tensor<4xf32>>
}
func.func @larger(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// A sink of JAX's lax.dce_sink goes.
// CHECK-LABEL: func @sink
// CHECK-NOT: custom_call
// CHECK: return %arg0
func.func @sink(%x: tensor<4xf32>) -> tensor<4xf32> {
  stablehlo.custom_call @dce_sink(%x) {has_side_effect = true} : (tensor<4xf32>) -> ()
  return %x : tensor<4xf32>
}
