// RUN: tpuc-opt %s --tpuc-partition --split-input-file | FileCheck %s

// What was widened without loss travels narrow; the largest of such elements too.
// CHECK-LABEL: func.func @widened
// CHECK: "stablehlo.all_gather"
// CHECK-SAME: (tensor<2x16xbf16>) -> tensor<8x16xbf16>
// CHECK: "stablehlo.all_reduce"
// CHECK: (tensor<16xbf16>) -> tensor<16xbf16>
// CHECK: stablehlo.convert {{.*}} -> tensor<16xf32>
sdy.mesh @mesh = <["x"=4]>
func.func @widened(%x: tensor<8x16xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<8x16xf32>, tensor<16xf32>) {
  %init = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.convert %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
      : (tensor<8x16xbf16>) -> tensor<8x16xf32>
  %1 = stablehlo.reduce(%0 init: %init) applies stablehlo.maximum across dimensions = [0]
      : (tensor<8x16xf32>, tensor<f32>) -> tensor<16xf32>
  return %0, %1 : tensor<8x16xf32>, tensor<16xf32>
}

// -----

// Padding is masked by what the narrow type holds.
// CHECK-LABEL: func.func @masked
// CHECK: "stablehlo.all_reduce"
// CHECK: (tensor<16xbf16>) -> tensor<16xbf16>
sdy.mesh @mesh = <["x"=4]>
func.func @masked(%x: tensor<7x16xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<16xf32> {
  %init = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.convert %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
      : (tensor<7x16xbf16>) -> tensor<7x16xf32>
  %1 = stablehlo.reduce(%0 init: %init) applies stablehlo.maximum across dimensions = [0]
      : (tensor<7x16xf32>, tensor<f32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}

// -----

// Sums do not fit, nor does what a conversion rounds, nor integers that a float has no place for.
// CHECK-LABEL: func.func @wide
// CHECK: "stablehlo.all_gather"
// CHECK-SAME: (tensor<2x16xf32>) -> tensor<8x16xf32>
// CHECK: "stablehlo.all_gather"
// CHECK-SAME: (tensor<2x16xf32>) -> tensor<8x16xf32>
// CHECK: "stablehlo.all_reduce"
// CHECK: (tensor<16xf32>) -> tensor<16xf32>
sdy.mesh @mesh = <["x"=4]>
func.func @wide(%x: tensor<8x16xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %y: tensor<8x16xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %z: tensor<8x16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<16xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.convert %y {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
      : (tensor<8x16xf64>) -> tensor<8x16xf32>
  %1 = stablehlo.convert %z {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
      : (tensor<8x16xi32>) -> tensor<8x16xf32>
  %2 = stablehlo.convert %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
      : (tensor<8x16xbf16>) -> tensor<8x16xf32>
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<8x16xf32>, tensor<f32>) -> tensor<16xf32>
  return %0, %1, %3 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<16xf32>
}
