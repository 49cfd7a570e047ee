// RUN: tpuc-opt %s --tpuc-find-heads --split-input-file | FileCheck %s

// Queries, keys and values of one weight with a bias: each is a matmul by its part of the weight. Lanes are split where
// they lie along rows, so the weight is transposed first.
// CHECK-LABEL: @fused
// CHECK-SAME: (%[[X:.*]]: tensor<8x64x96xbf16>, %[[W:.*]]: tensor<96x288xbf16>, %[[B:.*]]: tensor<288xbf16>)
// CHECK: %[[WK:.*]] = stablehlo.slice %[[W]] [0:96, 96:192]
// CHECK: %[[WT:.*]] = stablehlo.transpose %[[WK]], dims = [1, 0]
// CHECK: %[[WH:.*]] = stablehlo.reshape %[[WT]] : (tensor<96x96xbf16>) -> tensor<6x16x96xbf16>
// CHECK: %[[D:.*]] = stablehlo.dot_general %[[X]], %[[WH]], contracting_dims = [2] x [2]
// CHECK-SAME: -> tensor<8x64x6x16xbf16>
// CHECK: %[[BK:.*]] = stablehlo.slice %[[B]] [96:192]
// CHECK: %[[BH:.*]] = stablehlo.reshape %[[BK]] : (tensor<96xbf16>) -> tensor<6x16xbf16>
// CHECK: %[[S:.*]] = stablehlo.broadcast_in_dim %[[BH]], dims = [2, 3] : (tensor<6x16xbf16>) -> tensor<8x64x6x16xbf16>
// CHECK: stablehlo.add %[[D]], %[[S]] : tensor<8x64x6x16xbf16>
func.func @fused(%x: tensor<8x64x96xbf16>, %w: tensor<96x288xbf16>, %b: tensor<288xbf16>)
    -> (tensor<8x64x6x16xbf16>, tensor<8x64x6x16xbf16>, tensor<8x64x6x16xbf16>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0]
      : (tensor<8x64x96xbf16>, tensor<96x288xbf16>) -> tensor<8x64x288xbf16>
  %1 = stablehlo.broadcast_in_dim %b, dims = [2] : (tensor<288xbf16>) -> tensor<8x64x288xbf16>
  %2 = stablehlo.add %0, %1 : tensor<8x64x288xbf16>
  %3 = stablehlo.slice %2 [0:8, 0:64, 96:192] : (tensor<8x64x288xbf16>) -> tensor<8x64x96xbf16>
  %4 = stablehlo.slice %2 [0:8, 0:64, 0:96] : (tensor<8x64x288xbf16>) -> tensor<8x64x96xbf16>
  %5 = stablehlo.slice %2 [0:8, 0:64, 192:288] : (tensor<8x64x288xbf16>) -> tensor<8x64x96xbf16>
  %6 = stablehlo.reshape %3 : (tensor<8x64x96xbf16>) -> tensor<8x64x6x16xbf16>
  %7 = stablehlo.reshape %4 : (tensor<8x64x96xbf16>) -> tensor<8x64x6x16xbf16>
  %8 = stablehlo.reshape %5 : (tensor<8x64x96xbf16>) -> tensor<8x64x6x16xbf16>
  return %6, %7, %8 : tensor<8x64x6x16xbf16>, tensor<8x64x6x16xbf16>, tensor<8x64x6x16xbf16>
}

// -----

// Rows of tokens in one dim, split too; a weight that lies as [out, in] is split where it is.
// CHECK-LABEL: @rows
// CHECK-DAG: %[[X:.*]] = stablehlo.reshape %arg0 : (tensor<512x96xf32>) -> tensor<8x64x96xf32>
// CHECK-DAG: %[[W:.*]] = stablehlo.reshape %arg1 : (tensor<96x96xf32>) -> tensor<6x16x96xf32>
// CHECK: stablehlo.dot_general %[[X]], %[[W]], contracting_dims = [2] x [2]
// CHECK-SAME: -> tensor<8x64x6x16xf32>
func.func @rows(%x: tensor<512x96xf32>, %w: tensor<96x96xf32>) -> tensor<8x64x6x16xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1]
      : (tensor<512x96xf32>, tensor<96x96xf32>) -> tensor<512x96xf32>
  %1 = stablehlo.reshape %0 : (tensor<512x96xf32>) -> tensor<8x64x6x16xf32>
  return %1 : tensor<8x64x6x16xf32>
}

// -----

// Heads that have been joined are contracted as they were.
// CHECK-LABEL: @joined
// CHECK: %[[T:.*]] = stablehlo.transpose %arg0
// CHECK: %[[W:.*]] = stablehlo.reshape %arg1 : (tensor<96x96xbf16>) -> tensor<6x16x96xbf16>
// CHECK: stablehlo.dot_general %[[T]], %[[W]], contracting_dims = [2, 3] x [0, 1]
// CHECK-SAME: -> tensor<8x64x96xbf16>
func.func @joined(%x: tensor<8x6x64x16xbf16>, %w: tensor<96x96xbf16>) -> tensor<8x64x96xbf16> {
  %0 = stablehlo.transpose %x, dims = [0, 2, 1, 3] : (tensor<8x6x64x16xbf16>) -> tensor<8x64x6x16xbf16>
  %1 = stablehlo.reshape %0 : (tensor<8x64x6x16xbf16>) -> tensor<8x64x96xbf16>
  %2 = stablehlo.dot_general %1, %w, contracting_dims = [2] x [0]
      : (tensor<8x64x96xbf16>, tensor<96x96xbf16>) -> tensor<8x64x96xbf16>
  return %2 : tensor<8x64x96xbf16>
}

// -----

// So they are in a weight's gradient, which is put together after it: it is smaller.
// CHECK-LABEL: @gradient
// CHECK: %[[T:.*]] = stablehlo.transpose %arg0
// CHECK: %[[G:.*]] = stablehlo.dot_general %arg1, %[[T]], contracting_dims = [0, 1] x [0, 1]
// CHECK-SAME: -> tensor<96x6x16xbf16>
// CHECK: %[[R:.*]] = stablehlo.transpose %[[G]], dims = [1, 2, 0] : (tensor<96x6x16xbf16>) -> tensor<6x16x96xbf16>
// CHECK: %[[J:.*]] = stablehlo.reshape %[[R]] : (tensor<6x16x96xbf16>) -> tensor<96x96xbf16>
// CHECK: stablehlo.transpose %[[J]], dims = [1, 0]
func.func @gradient(%x: tensor<8x6x64x16xbf16>, %y: tensor<8x64x96xbf16>) -> tensor<96x96xbf16> {
  %0 = stablehlo.transpose %x, dims = [0, 2, 1, 3] : (tensor<8x6x64x16xbf16>) -> tensor<8x64x6x16xbf16>
  %1 = stablehlo.reshape %0 : (tensor<8x64x6x16xbf16>) -> tensor<8x64x96xbf16>
  %2 = stablehlo.dot_general %y, %1, contracting_dims = [0, 1] x [0, 1]
      : (tensor<8x64x96xbf16>, tensor<8x64x96xbf16>) -> tensor<96x96xbf16>
  return %2 : tensor<96x96xbf16>
}

// -----

// Not a result that is smaller than the weight, heads that fill tiles, a matmul that is read whole too, or parts that
// overlap.
// CHECK-LABEL: @not
// CHECK: stablehlo.dot_general %arg0, %arg1, {{.*}} -> tensor<1x16x96xbf16>
// CHECK: stablehlo.dot_general %arg2, %arg3, {{.*}} -> tensor<8x64x256xbf16>
// CHECK: stablehlo.dot_general %arg2, %arg4, {{.*}} -> tensor<8x64x96xbf16>
// CHECK: stablehlo.dot_general %arg2, %arg5, {{.*}} -> tensor<8x64x128xbf16>
// CHECK-NOT: stablehlo.dot_general
func.func @not(%x: tensor<1x16x96xbf16>, %w: tensor<96x96xbf16>, %y: tensor<8x64x256xbf16>, %v: tensor<256x256xbf16>,
               %u: tensor<256x96xbf16>, %t: tensor<256x128xbf16>)
    -> (tensor<1x16x6x16xbf16>, tensor<8x64x2x128xbf16>, tensor<8x64x96xbf16>, tensor<8x64x6x16xbf16>,
        tensor<8x64x4x24xbf16>, tensor<8x64x4x24xbf16>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0]
      : (tensor<1x16x96xbf16>, tensor<96x96xbf16>) -> tensor<1x16x96xbf16>
  %1 = stablehlo.reshape %0 : (tensor<1x16x96xbf16>) -> tensor<1x16x6x16xbf16>
  %2 = stablehlo.dot_general %y, %v, contracting_dims = [2] x [0]
      : (tensor<8x64x256xbf16>, tensor<256x256xbf16>) -> tensor<8x64x256xbf16>
  %3 = stablehlo.reshape %2 : (tensor<8x64x256xbf16>) -> tensor<8x64x2x128xbf16>
  %4 = stablehlo.dot_general %y, %u, contracting_dims = [2] x [0]
      : (tensor<8x64x256xbf16>, tensor<256x96xbf16>) -> tensor<8x64x96xbf16>
  %5 = stablehlo.reshape %4 : (tensor<8x64x96xbf16>) -> tensor<8x64x6x16xbf16>
  %6 = stablehlo.dot_general %y, %t, contracting_dims = [2] x [0]
      : (tensor<8x64x256xbf16>, tensor<256x128xbf16>) -> tensor<8x64x128xbf16>
  %7 = stablehlo.slice %6 [0:8, 0:64, 0:96] : (tensor<8x64x128xbf16>) -> tensor<8x64x96xbf16>
  %8 = stablehlo.slice %6 [0:8, 0:64, 32:128] : (tensor<8x64x128xbf16>) -> tensor<8x64x96xbf16>
  %9 = stablehlo.reshape %7 : (tensor<8x64x96xbf16>) -> tensor<8x64x4x24xbf16>
  %10 = stablehlo.reshape %8 : (tensor<8x64x96xbf16>) -> tensor<8x64x4x24xbf16>
  return %1, %3, %4, %5, %9, %10 : tensor<1x16x6x16xbf16>, tensor<8x64x2x128xbf16>, tensor<8x64x96xbf16>,
      tensor<8x64x6x16xbf16>, tensor<8x64x4x24xbf16>, tensor<8x64x4x24xbf16>
}
