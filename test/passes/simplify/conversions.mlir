// RUN: tpuc-opt %s --tpuc-simplify | FileCheck %s

// Through a type that holds every value, two conversions are one, or none.
// CHECK-LABEL: func @exact
func.func @exact(%b: tensor<4xbf16>, %i: tensor<4xi8>, %u: tensor<4xui8>)
    -> (tensor<4xbf16>, tensor<4xf16>, tensor<4xf32>, tensor<4xi16>) {
  // CHECK-DAG: %[[R1:.*]] = stablehlo.convert %arg0 : (tensor<4xbf16>) -> tensor<4xf16>
  // CHECK-DAG: %[[R2:.*]] = stablehlo.convert %arg1 : (tensor<4xi8>) -> tensor<4xf32>
  // CHECK-DAG: %[[R3:.*]] = stablehlo.convert %arg2 : (tensor<4xui8>) -> tensor<4xi16>
  // CHECK: return %arg0, %[[R1]], %[[R2]], %[[R3]]
  %f = stablehlo.convert %b : (tensor<4xbf16>) -> tensor<4xf32>
  %0 = stablehlo.convert %f : (tensor<4xf32>) -> tensor<4xbf16>
  %1 = stablehlo.convert %f : (tensor<4xf32>) -> tensor<4xf16>
  %w = stablehlo.convert %i : (tensor<4xi8>) -> tensor<4xi32>
  %2 = stablehlo.convert %w : (tensor<4xi32>) -> tensor<4xf32>
  %v = stablehlo.convert %u : (tensor<4xui8>) -> tensor<4xi32>
  %3 = stablehlo.convert %v : (tensor<4xi32>) -> tensor<4xi16>
  return %0, %1, %2, %3 : tensor<4xbf16>, tensor<4xf16>, tensor<4xf32>, tensor<4xi16>
}

// CHECK-LABEL: func @inexact
func.func @inexact(%f: tensor<4xf32>, %i: tensor<4xi32>, %s: tensor<4xi8>)
    -> (tensor<4xf32>, tensor<4xi32>, tensor<4xi32>) {
  // bf16 loses bits of f32, f32 of i32, ui8 the negative numbers.
  // CHECK-COUNT-6: stablehlo.convert
  %b = stablehlo.convert %f : (tensor<4xf32>) -> tensor<4xbf16>
  %0 = stablehlo.convert %b : (tensor<4xbf16>) -> tensor<4xf32>
  %g = stablehlo.convert %i : (tensor<4xi32>) -> tensor<4xf32>
  %1 = stablehlo.convert %g : (tensor<4xf32>) -> tensor<4xi32>
  %u = stablehlo.convert %s : (tensor<4xi8>) -> tensor<4xui8>
  %2 = stablehlo.convert %u : (tensor<4xui8>) -> tensor<4xi32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xi32>, tensor<4xi32>
}

// 300 as f32 is 127 as i8, where 300 as i16 would be 44; -1 is 0 as ui8, not 255. A wider integer, or a boolean, is the
// same both ways.
// CHECK-LABEL: func @stops_at_the_ends
// CHECK-COUNT-6: stablehlo.convert
// CHECK-NOT: stablehlo.convert
func.func @stops_at_the_ends(%h: tensor<4xi16>, %s: tensor<4xi8>)
    -> (tensor<4xi8>, tensor<4xui8>, tensor<4xi32>, tensor<4xi1>) {
  %f = stablehlo.convert %h : (tensor<4xi16>) -> tensor<4xf32>
  %0 = stablehlo.convert %f : (tensor<4xf32>) -> tensor<4xi8>
  %g = stablehlo.convert %s : (tensor<4xi8>) -> tensor<4xf32>
  %1 = stablehlo.convert %g : (tensor<4xf32>) -> tensor<4xui8>
  %2 = stablehlo.convert %f : (tensor<4xf32>) -> tensor<4xi32>
  %3 = stablehlo.convert %g : (tensor<4xf32>) -> tensor<4xi1>
  return %0, %1, %2, %3 : tensor<4xi8>, tensor<4xui8>, tensor<4xi32>, tensor<4xi1>
}

// CHECK-LABEL: func @others
func.func @others(%f: tensor<4xf32>, %z: tensor<4xcomplex<f32>>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xcomplex<f32>>) {
  // CHECK-NEXT: return %arg0, %arg0, %arg0, %arg1
  %0 = stablehlo.convert %f : tensor<4xf32>
  %b = stablehlo.bitcast_convert %f : (tensor<4xf32>) -> tensor<4xi32>
  %1 = stablehlo.bitcast_convert %b : (tensor<4xi32>) -> tensor<4xf32>
  %c = stablehlo.complex %f, %f : tensor<4xcomplex<f32>>
  %2 = stablehlo.real %c : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %r = stablehlo.real %z : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %i = stablehlo.imag %z : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %3 = stablehlo.complex %r, %i : tensor<4xcomplex<f32>>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xcomplex<f32>>
}

// Halves joined and split into bytes: no one bitcast does that.
// CHECK-LABEL: func @regrouped
// CHECK: %[[W:.*]] = stablehlo.bitcast_convert %{{.*}} : (tensor<3x2xi16>) -> tensor<3xi32>
// CHECK: stablehlo.bitcast_convert %[[W]] : (tensor<3xi32>) -> tensor<3x4xui8>
// CHECK: stablehlo.bitcast_convert %{{.*}} : (tensor<3xf32>) -> tensor<3x4xui8>
func.func @regrouped(%h: tensor<3x2xi16>, %f: tensor<3xf32>) -> (tensor<3x4xui8>, tensor<3x4xui8>) {
  %0 = stablehlo.bitcast_convert %h : (tensor<3x2xi16>) -> tensor<3xi32>
  %1 = stablehlo.bitcast_convert %0 : (tensor<3xi32>) -> tensor<3x4xui8>
  %2 = stablehlo.bitcast_convert %f : (tensor<3xf32>) -> tensor<3xi32>
  %3 = stablehlo.bitcast_convert %2 : (tensor<3xi32>) -> tensor<3x4xui8>
  return %1, %3 : tensor<3x4xui8>, tensor<3x4xui8>
}

// A real number's parts are itself and zero; a complex one's are computed.
// CHECK-LABEL: func @parts
func.func @parts(%x: tensor<3xf32>, %e: tensor<0x0xf64>, %z: tensor<3xcomplex<f32>>)
    -> (tensor<3xf32>, tensor<3xf32>, tensor<0x0xf64>, tensor<3xf32>, tensor<3xf32>) {
  // CHECK-DAG: %[[ZERO:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<3xf32>
  // CHECK-DAG: %[[RE:.*]] = stablehlo.real %arg2
  // CHECK-DAG: %[[IM:.*]] = stablehlo.imag %arg2
  // CHECK: return %arg0, %[[ZERO]], %arg1, %[[RE]], %[[IM]]
  %0 = stablehlo.real %x : (tensor<3xf32>) -> tensor<3xf32>
  %1 = stablehlo.imag %x : (tensor<3xf32>) -> tensor<3xf32>
  %2 = stablehlo.real %e : (tensor<0x0xf64>) -> tensor<0x0xf64>
  %3 = stablehlo.real %z : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
  %4 = stablehlo.imag %z : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
  return %0, %1, %2, %3, %4 : tensor<3xf32>, tensor<3xf32>, tensor<0x0xf64>, tensor<3xf32>, tensor<3xf32>
}

// Rows of a table before they are rounded, though a product needs the whole; a slice where nothing else reads it.
// CHECK-LABEL: func @rows_of_rounded
// CHECK: %[[ROWS:.*]] = "stablehlo.gather"(%arg0, %arg1) {{.*}} : (tensor<100x64xf32>, tensor<8x1xi32>) -> tensor<8x64xf32>
// CHECK: stablehlo.convert %[[ROWS]] : (tensor<8x64xf32>) -> tensor<8x64xbf16>
// CHECK: %[[S:.*]] = stablehlo.slice %arg2 [0:16, 0:64] : (tensor<32x64xf32>) -> tensor<16x64xf32>
// CHECK: stablehlo.convert %[[S]] : (tensor<16x64xf32>) -> tensor<16x64xbf16>
func.func @rows_of_rounded(%t: tensor<100x64xf32>, %i: tensor<8x1xi32>, %p: tensor<32x64xf32>)
    -> (tensor<8x64xbf16>, tensor<100x64xbf16>, tensor<16x64xbf16>) {
  %0 = stablehlo.convert %t : (tensor<100x64xf32>) -> tensor<100x64xbf16>
  %1 = "stablehlo.gather"(%0, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 64>}>
      : (tensor<100x64xbf16>, tensor<8x1xi32>) -> tensor<8x64xbf16>
  %2 = stablehlo.convert %p : (tensor<32x64xf32>) -> tensor<32x64xbf16>
  %3 = stablehlo.slice %2 [0:16, 0:64] : (tensor<32x64xbf16>) -> tensor<16x64xbf16>
  return %1, %0, %3 : tensor<8x64xbf16>, tensor<100x64xbf16>, tensor<16x64xbf16>
}

// More rows than the table has; what becomes wider; a slice of what others read.
// CHECK-LABEL: func @no_parts
// CHECK: stablehlo.convert %arg0
// CHECK: gather{{.*}}(tensor<4x64xbf16>, tensor<8x1xi32>)
// CHECK: stablehlo.convert %arg2
// CHECK: gather{{.*}}(tensor<100x64xf32>, tensor<8x1xi32>)
// CHECK: stablehlo.convert %arg3
// CHECK: stablehlo.slice {{.*}} -> tensor<16x64xbf16>
func.func @no_parts(%t: tensor<4x64xf32>, %i: tensor<8x1xi32>, %n: tensor<100x64xbf16>, %p: tensor<32x64xf32>)
    -> (tensor<8x64xbf16>, tensor<8x64xf32>, tensor<16x64xbf16>, tensor<32x64xbf16>) {
  %0 = stablehlo.convert %t : (tensor<4x64xf32>) -> tensor<4x64xbf16>
  %1 = "stablehlo.gather"(%0, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 64>}>
      : (tensor<4x64xbf16>, tensor<8x1xi32>) -> tensor<8x64xbf16>
  %2 = stablehlo.convert %n : (tensor<100x64xbf16>) -> tensor<100x64xf32>
  %3 = "stablehlo.gather"(%2, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 64>}>
      : (tensor<100x64xf32>, tensor<8x1xi32>) -> tensor<8x64xf32>
  %4 = stablehlo.convert %p : (tensor<32x64xf32>) -> tensor<32x64xbf16>
  %5 = stablehlo.slice %4 [0:16, 0:64] : (tensor<32x64xbf16>) -> tensor<16x64xbf16>
  return %1, %3, %5, %4 : tensor<8x64xbf16>, tensor<8x64xf32>, tensor<16x64xbf16>, tensor<32x64xbf16>
}
