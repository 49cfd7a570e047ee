// RUN: tpuc-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(tpuc-legalise-narrow-floats,tpuc-legalise-sub-byte,tpuc-drop-unit-dims,tpuc-legalise-complex),tpuc-legalise-wide)' \
// RUN:     \
// RUN:     \
// RUN:     \
// RUN:     \
// RUN:   | FileCheck %s

// The host has arrays in the program's own types, as the function's caller has.
// CHECK-LABEL: func @main
func.func @main(%x: tensor<4xf64>, %i: tensor<2x3xi4>, %q: tensor<5xf8E4M3FN>, %z: tensor<3xcomplex<f32>>,
    %one: tensor<1x1x6xf32>) -> tensor<4xi64> {
  // CHECK: %[[SUM:.*]] = kernel.join {{.*}} -> tensor<4xf64>
  %0 = stablehlo.add %x, %x : tensor<4xf64>
  // CHECK: %[[WIDE:.*]]:2 = stablehlo.custom_call @tpuc.host_call(%[[SUM]], %{{.*}}, %{{.*}}, %{{.*}}, %arg4)
  // CHECK-SAME: (tensor<4xf64>, tensor<2x3xi4>, tensor<5xf8E4M3FN>, tensor<3xcomplex<f32>>, tensor<1x1x6xf32>) -> (tensor<4xi64>, tensor<2x3xi4>)
  %1:2 = stablehlo.custom_call @tpuc.host_call(%0, %i, %q, %z, %one) {api_version = 4 : i32, has_side_effect = true,
      mhlo.backend_config = {index = 1 : ui64}}
      : (tensor<4xf64>, tensor<2x3xi4>, tensor<5xf8E4M3FN>, tensor<3xcomplex<f32>>, tensor<1x1x6xf32>)
      -> (tensor<4xi64>, tensor<2x3xi4>)
  // CHECK: kernel.split %[[WIDE]]#0 : tensor<4xi64>
  %2 = stablehlo.add %1#0, %1#0 : tensor<4xi64>
  return %2 : tensor<4xi64>
}
