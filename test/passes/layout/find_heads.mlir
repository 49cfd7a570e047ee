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

// Windows of 49 rows under a tile, their number far away: the matrix unit would take all 49 for a row of each. The
// gradient reads the joined rows.
// CHECK-LABEL: @windows
// CHECK: %[[J:.*]] = stablehlo.reshape {{.*}} -> tensor<2048x49x288xbf16>
// CHECK: stablehlo.dot_general %[[J]], %arg1, contracting_dims = [0, 1] x [0, 1]
func.func @windows(%x: tensor<3x2048x3x49x32xbf16>, %y: tensor<2048x49x96xbf16>) -> tensor<288x96xbf16> {
  %0 = stablehlo.transpose %x, dims = [1, 3, 0, 2, 4]
      : (tensor<3x2048x3x49x32xbf16>) -> tensor<2048x49x3x3x32xbf16>
  %1 = stablehlo.reshape %0 : (tensor<2048x49x3x3x32xbf16>) -> tensor<2048x49x288xbf16>
  %2 = stablehlo.dot_general %1, %y, contracting_dims = [0, 1] x [0, 1]
      : (tensor<2048x49x288xbf16>, tensor<2048x49x96xbf16>) -> tensor<288x96xbf16>
  return %2 : tensor<288x96xbf16>
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

// -----

// A matmul before a loop that splits its result stays there, and is split there.
// CHECK-LABEL: @loop
// CHECK: stablehlo.dot_general {{.*}} -> tensor<512x6x16xf32>
// CHECK: stablehlo.while
// CHECK-NOT: stablehlo.dot_general
func.func @loop(%x: tensor<512x96xf32>, %w: tensor<96x96xf32>) -> tensor<512x6x16xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<512x96xf32>, tensor<96x96xf32>) -> tensor<512x96xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %ten = stablehlo.constant dense<10> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<512x6x16xf32>
  %r:2 = stablehlo.while(%i = %zero, %s = %none) : tensor<i32>, tensor<512x6x16xf32>
    cond {
      %c = stablehlo.compare LT, %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %h = stablehlo.reshape %0 : (tensor<512x96xf32>) -> tensor<512x6x16xf32>
      %t = stablehlo.add %s, %h : tensor<512x6x16xf32>
      %n = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %n, %t : tensor<i32>, tensor<512x6x16xf32>
    }
  return %r#1 : tensor<512x6x16xf32>
}

// -----

// The weight is the operand whose last dim the result's is, here the left one, and too large; and a part that is not
// split would need the whole matmul beside the other's part.
// CHECK-LABEL: @weights
// CHECK: stablehlo.dot_general %arg0, %arg1, {{.*}} -> tensor<4096xf32>
// CHECK: stablehlo.dot_general %arg2, %arg3, {{.*}} -> tensor<512x256xf32>
// CHECK-NOT: stablehlo.dot_general
func.func @weights(%w: tensor<1024x4096xf32>, %v: tensor<1024xf32>, %x: tensor<512x64xf32>, %u: tensor<64x256xf32>)
    -> (tensor<64x64xf32>, tensor<512x2x64xf32>, tensor<8x64x128xf32>) {
  %0 = stablehlo.dot_general %w, %v, contracting_dims = [0] x [0]
      : (tensor<1024x4096xf32>, tensor<1024xf32>) -> tensor<4096xf32>
  %1 = stablehlo.reshape %0 : (tensor<4096xf32>) -> tensor<64x64xf32>
  %2 = stablehlo.dot_general %x, %u, contracting_dims = [1] x [0]
      : (tensor<512x64xf32>, tensor<64x256xf32>) -> tensor<512x256xf32>
  %3 = stablehlo.slice %2 [0:512, 0:128] : (tensor<512x256xf32>) -> tensor<512x128xf32>
  %4 = stablehlo.slice %2 [0:512, 128:256] : (tensor<512x256xf32>) -> tensor<512x128xf32>
  %5 = stablehlo.reshape %3 : (tensor<512x128xf32>) -> tensor<512x2x64xf32>
  %6 = stablehlo.reshape %4 : (tensor<512x128xf32>) -> tensor<8x64x128xf32>
  return %1, %5, %6 : tensor<64x64xf32>, tensor<512x2x64xf32>, tensor<8x64x128xf32>
}
