// RUN: tpuc-opt %s --tpuc-expand-rng | FileCheck %s

// Both words of each counter are results: 6 elements take 3 counters, side by side along the even dim.
// CHECK-LABEL: func @bits
// CHECK: stablehlo.iota dim = 0 : tensor<3xui64>
// CHECK: stablehlo.constant dense<466688986> : tensor<3xui32>
// CHECK: stablehlo.concatenate {{.*}} (tensor<3x1xui32>, tensor<3x1xui32>) -> tensor<3x2xui32>
// CHECK: stablehlo.reshape {{.*}} -> tensor<6xui32>
// CHECK: stablehlo.constant dense<3> : tensor<ui64>
func.func @bits(%state: tensor<2xui64>) -> (tensor<2xui64>, tensor<6xui32>) {
  %0, %1 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>)
      -> (tensor<2xui64>, tensor<6xui32>)
  return %0, %1 : tensor<2xui64>, tensor<6xui32>
}

// Five numbers are two counters of four words each; the state's low word advances by two.
// CHECK-LABEL: func @philox
// CHECK: stablehlo.constant dense<2> : tensor<ui64>
// CHECK: stablehlo.iota dim = 0 : tensor<2xui64>
// 0xd2511f53
// CHECK: stablehlo.constant dense<3528531795> : tensor<2xui32>
// CHECK: kernel.mulh
// CHECK: stablehlo.concatenate {{.*}} -> tensor<2x4xui32>
// CHECK: stablehlo.slice {{.*}} : (tensor<8xui32>) -> tensor<5xui32>
func.func @philox(%state: tensor<3xui64>) -> (tensor<3xui64>, tensor<5xui32>) {
  %0, %1 = stablehlo.rng_bit_generator %state, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<5xui32>)
  return %0, %1 : tensor<3xui64>, tensor<5xui32>
}

// The loop counts its iterations for the generator within.
// CHECK-LABEL: func @iterations
// CHECK: %[[ZERO:.*]] = stablehlo.constant dense<0> : tensor<ui64>
// CHECK: stablehlo.while(%{{.*}} = %arg0, %[[COUNT:.*]] = %[[ZERO]])
// CHECK: %[[UPPER:.*]] = stablehlo.reshape %[[COUNT]] : (tensor<ui64>) -> tensor<1xui64>
// CHECK: stablehlo.concatenate %{{.*}}, %{{.*}}, %[[UPPER]]
// CHECK: stablehlo.add %[[COUNT]]
// CHECK-NOT: stablehlo.rng
func.func @iterations(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.while(%x = %a) : tensor<f32> cond {
    %p = stablehlo.compare LT, %x, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %shape = stablehlo.constant dense<> : tensor<0xi64>
    %step = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<0xi64>)
        -> tensor<f32>
    %next = stablehlo.add %x, %step : tensor<f32>
    stablehlo.return %next : tensor<f32>
  }
  return %0 : tensor<f32>
}
