// RUN: tpuc-opt %s --split-input-file --tpuc-legalize-custom-calls --cse --canonicalize --tpuc-count-loops \
// RUN:   --verify-diagnostics | FileCheck %s

// Calls with effects stay, as often as they stand there and whoever reads their results; pure ones are merged, or go.
// CHECK-LABEL: func @main
// CHECK-NEXT: %[[A:.*]] = stablehlo.custom_call @tpuc.host_call(%arg0) {{.*}}index = 5
// CHECK-NEXT: stablehlo.custom_call @tpuc.host_call(%arg0) {{.*}}index = 5
// CHECK-NEXT: %[[B:.*]] = stablehlo.custom_call @tpuc.host_call(%arg0) {{.*}}index = 18446744073709551615
// CHECK-NEXT: stablehlo.custom_call @tpuc.host_call(%[[A]], %[[B]], %[[B]]) {{.*}}index = 7
// CHECK-NEXT: return
func.func @main(%x: tensor<4xf32>) {
  %0 = stablehlo.custom_call @tpuc.host_call(%x) {api_version = 4 : i32, has_side_effect = true,
      mhlo.backend_config = {index = 5 : ui64}} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.custom_call @tpuc.host_call(%x) {api_version = 4 : i32, has_side_effect = true,
      mhlo.backend_config = {index = 5 : ui64}} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.custom_call @tpuc.host_call(%x) {api_version = 4 : i32,
      mhlo.backend_config = {index = 18446744073709551615 : ui64}} : (tensor<4xf32>) -> tensor<2xi32>
  %3 = stablehlo.custom_call @tpuc.host_call(%x) {api_version = 4 : i32,
      mhlo.backend_config = {index = 18446744073709551615 : ui64}} : (tensor<4xf32>) -> tensor<2xi32>
  %4 = stablehlo.custom_call @tpuc.host_call(%x) {api_version = 4 : i32, mhlo.backend_config = {index = 6 : ui64}}
      : (tensor<4xf32>) -> tensor<2xi32>
  stablehlo.custom_call @tpuc.host_call(%0, %2, %3) {api_version = 4 : i32, has_side_effect = true,
      mhlo.backend_config = {index = 7 : ui64}} : (tensor<4xf32>, tensor<2xi32>, tensor<2xi32>) -> ()
  return
}

// -----

// A loop that nobody reads runs for its calls, and one that calls in its condition is not counted: a counted loop's
// condition never runs.
// CHECK-LABEL: func @main
// CHECK: stablehlo.while{{.*}} attributes {kernel.trip_count = 3 : i64}
// CHECK: index = 1
// CHECK: stablehlo.while
// CHECK-NOT: trip_count
// CHECK: index = 2
func.func @main() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.while(%i = %zero) : tensor<i32>
    cond {
      %1 = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      stablehlo.custom_call @tpuc.host_call(%i) {api_version = 4 : i32, has_side_effect = true,
          mhlo.backend_config = {index = 1 : ui64}} : (tensor<i32>) -> ()
      %1 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %1 : tensor<i32>
    }
  %2 = stablehlo.while(%i = %zero) : tensor<i32>
    cond {
      stablehlo.custom_call @tpuc.host_call(%i) {api_version = 4 : i32, has_side_effect = true,
          mhlo.backend_config = {index = 2 : ui64}} : (tensor<i32>) -> ()
      %1 = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %1 : tensor<i32>
    }
  return
}

// -----

// Without its number it names nothing.
func.func @main(%x: tensor<4xf32>) {
  // expected-error@+1 {{'tpuc.host_call' expects arrays and the function's index}}
  stablehlo.custom_call @tpuc.host_call(%x) {api_version = 4 : i32, has_side_effect = true} : (tensor<4xf32>) -> ()
  return
}

// -----

// A reduction's computation is part of a kernel.
func.func @main(%x: tensor<4xf32>, %init: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.reduce"(%x, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    // expected-error@+1 {{expects a call of the host in a function, a loop or a branch, but got one within 'stablehlo.reduce'}}
    %1 = stablehlo.custom_call @tpuc.host_call(%a, %b) {api_version = 4 : i32,
        mhlo.backend_config = {index = 1 : ui64}} : (tensor<f32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
