// RUN: tpuc-opt %s --tpuc-simplify | FileCheck %s

// CHECK-LABEL: func @slices
func.func @slices(%x: tensor<16xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>)
    -> (tensor<16xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x4xf32>) {
  // Starts 1 + 2 * 2 = 5, steps 2 * 3 = 6: elements 5 and 11.
  // CHECK-DAG: %[[R1:.*]] = stablehlo.slice %arg0 [5:12:6]
  // CHECK-DAG: %[[R2:.*]] = stablehlo.slice %arg2 [1:3]
  // CHECK-DAG: %[[R3:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
  // CHECK: return %arg0, %[[R1]], %[[R2]], %[[R3]]
  %0 = stablehlo.slice %x [0:16] : (tensor<16xf32>) -> tensor<16xf32>
  %a = stablehlo.slice %x [1:15:2] : (tensor<16xf32>) -> tensor<7xf32>
  %1 = stablehlo.slice %a [2:6:3] : (tensor<7xf32>) -> tensor<2xf32>
  %b = stablehlo.concatenate %y, %z, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %2 = stablehlo.slice %b [5:7] : (tensor<8xf32>) -> tensor<2xf32>
  %c = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<4xf32>) -> tensor<8x4xf32>
  %3 = stablehlo.slice %c [3:5, 0:4] : (tensor<8x4xf32>) -> tensor<2x4xf32>
  return %0, %1, %2, %3 : tensor<16xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x4xf32>
}

// CHECK-LABEL: func @concatenations
func.func @concatenations(%x: tensor<16xf32>, %y: tensor<4xf32>, %e: tensor<0xf32>)
    -> (tensor<4xf32>, tensor<12xf32>, tensor<12xf32>) {
  // CHECK-DAG: %[[R1:.*]] = stablehlo.concatenate %arg1, %arg1, %arg1, dim = 0
  // CHECK-DAG: %[[S:.*]] = stablehlo.slice %arg0 [2:10]
  // CHECK-DAG: %[[R2:.*]] = stablehlo.concatenate %[[S]], %arg1, dim = 0
  // CHECK: return %arg1, %[[R1]], %[[R2]]
  %0 = stablehlo.concatenate %y, %e, dim = 0 : (tensor<4xf32>, tensor<0xf32>) -> tensor<4xf32>
  %a = stablehlo.concatenate %y, %y, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %1 = stablehlo.concatenate %y, %a, dim = 0 : (tensor<4xf32>, tensor<8xf32>) -> tensor<12xf32>
  // Neighbours of one array.
  %s = stablehlo.slice %x [2:5] : (tensor<16xf32>) -> tensor<3xf32>
  %t = stablehlo.slice %x [5:10] : (tensor<16xf32>) -> tensor<5xf32>
  %2 = stablehlo.concatenate %s, %t, %y, dim = 0 : (tensor<3xf32>, tensor<5xf32>, tensor<4xf32>) -> tensor<12xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<12xf32>, tensor<12xf32>
}

// CHECK-LABEL: func @pads
func.func @pads(%x: tensor<4xf32>, %o: tensor<1xf32>, %e: tensor<0xf32>, %c: tensor<f32>)
    -> (tensor<4xf32>, tensor<1xf32>, tensor<2xf32>, tensor<3xf32>) {
  // CHECK-DAG: %[[R2:.*]] = stablehlo.slice %arg0 [1:3]
  // CHECK-DAG: %[[R3:.*]] = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<f32>) -> tensor<3xf32>
  // CHECK: return %arg0, %arg1, %[[R2]], %[[R3]]
  %0 = stablehlo.pad %x, %c, low = [0], high = [0], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  // Between one element there is no room.
  %1 = stablehlo.pad %o, %c, low = [0], high = [0], interior = [5] : (tensor<1xf32>, tensor<f32>) -> tensor<1xf32>
  %2 = stablehlo.pad %x, %c, low = [-1], high = [-1], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<2xf32>
  %3 = stablehlo.pad %e, %c, low = [1], high = [2], interior = [0] : (tensor<0xf32>, tensor<f32>) -> tensor<3xf32>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<1xf32>, tensor<2xf32>, tensor<3xf32>
}

// CHECK-LABEL: func @dynamic
func.func @dynamic(%x: tensor<4x8xf32>, %u: tensor<4x8xf32>, %i: tensor<i32>)
    -> (tensor<2x8xf32>, tensor<2x8xf32>, tensor<4x8xf32>) {
  // 7 is moved to 2, -3 to 0; a dimension taken whole begins at 0 whatever its index.
  // CHECK-DAG: %[[R0:.*]] = stablehlo.slice %arg0 [2:4, 0:8]
  // CHECK-DAG: %[[R1:.*]] = stablehlo.slice %arg0 [0:2, 0:8]
  // CHECK: return %[[R0]], %[[R1]], %arg1
  %c7 = stablehlo.constant dense<7> : tensor<i32>
  %m3 = stablehlo.constant dense<-3> : tensor<i32>
  %0 = stablehlo.dynamic_slice %x, %c7, %i, sizes = [2, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>)
      -> tensor<2x8xf32>
  %1 = stablehlo.dynamic_slice %x, %m3, %i, sizes = [2, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>)
      -> tensor<2x8xf32>
  %2 = stablehlo.dynamic_update_slice %x, %u, %i, %i : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<i32>, tensor<i32>)
      -> tensor<4x8xf32>
  return %0, %1, %2 : tensor<2x8xf32>, tensor<2x8xf32>, tensor<4x8xf32>
}

// Parts of a dim that was split and moved: queries, keys and values of one product.
// CHECK-LABEL: func @of_split
// CHECK-SAME: %[[X:.*]]: tensor<5x4x24xf32>, %[[Y:.*]]: tensor<6x4x5xf32>, %[[Z:.*]]: tensor<1x12x7xf32>
func.func @of_split(%x: tensor<5x4x24xf32>, %y: tensor<6x4x5xf32>, %z: tensor<1x12x7xf32>, %v: tensor<12x7xf32>)
    -> (tensor<1x5x4x8xf32>, tensor<2x5x4x8xf32>, tensor<3x2x5xf32>, tensor<2x2x7xf32>, tensor<12x1x1x3xf32>,
    tensor<1x2x4x7xf32>) {
  %0 = stablehlo.reshape %x : (tensor<5x4x24xf32>) -> tensor<1x5x4x3x8xf32>
  %1 = stablehlo.transpose %0, dims = [3, 1, 2, 0, 4] : (tensor<1x5x4x3x8xf32>) -> tensor<3x5x4x1x8xf32>
  %2 = stablehlo.reshape %1 : (tensor<3x5x4x1x8xf32>) -> tensor<3x5x4x8xf32>
  // CHECK: stablehlo.slice %[[X]] [0:5, 0:4, 0:8] : (tensor<5x4x24xf32>) -> tensor<5x4x8xf32>
  %3 = stablehlo.slice %2 [0:1, 0:5, 0:4, 0:8] : (tensor<3x5x4x8xf32>) -> tensor<1x5x4x8xf32>
  // CHECK: stablehlo.slice %[[X]] [0:5, 0:4, 8:24] : (tensor<5x4x24xf32>) -> tensor<5x4x16xf32>
  %4 = stablehlo.slice %2 [1:3, 0:5, 0:4, 0:8] : (tensor<3x5x4x8xf32>) -> tensor<2x5x4x8xf32>
  // Nothing was split.
  // CHECK: %[[T:.*]] = stablehlo.transpose %[[Y]]
  // CHECK: stablehlo.slice %[[T]]
  %5 = stablehlo.transpose %y, dims = [1, 0, 2] : (tensor<6x4x5xf32>) -> tensor<4x6x5xf32>
  %6 = stablehlo.slice %5 [1:4, 0:6:4, 0:5] : (tensor<4x6x5xf32>) -> tensor<3x2x5xf32>
  // Of two dims that were one.
  // CHECK: %[[R:.*]] = stablehlo.reshape %[[Z]]
  // CHECK: stablehlo.slice %[[R]] [1:3, 1:3, 0:7]
  %7 = stablehlo.reshape %z : (tensor<1x12x7xf32>) -> tensor<3x4x7xf32>
  %8 = stablehlo.slice %7 [1:3, 1:3, 0:7] : (tensor<3x4x7xf32>) -> tensor<2x2x7xf32>
  // CHECK: stablehlo.slice %[[Z]] [0:1, 0:12, 4:7]
  %9 = stablehlo.reshape %z : (tensor<1x12x7xf32>) -> tensor<12x1x1x7xf32>
  %10 = stablehlo.slice %9 [0:12, 0:1, 0:1, 4:7] : (tensor<12x1x1x7xf32>) -> tensor<12x1x1x3xf32>
  // Outside of the dim that is cut lies one of one element.
  // CHECK: stablehlo.slice %arg3 [4:12, 0:7] : (tensor<12x7xf32>) -> tensor<8x7xf32>
  %11 = stablehlo.reshape %v : (tensor<12x7xf32>) -> tensor<1x3x4x7xf32>
  %12 = stablehlo.slice %11 [0:1, 1:3, 0:4, 0:7] : (tensor<1x3x4x7xf32>) -> tensor<1x2x4x7xf32>
  return %3, %4, %6, %8, %10, %12
      : tensor<1x5x4x8xf32>, tensor<2x5x4x8xf32>, tensor<3x2x5xf32>, tensor<2x2x7xf32>, tensor<12x1x1x3xf32>,
      tensor<1x2x4x7xf32>
}

// Pairs along lanes of heads that the same reshape splits off are steps along each head's lanes.
// CHECK-LABEL: func @pairs
// CHECK: stablehlo.reshape %arg0 : (tensor<5x48xf32>) -> tensor<5x3x16xf32>
// CHECK: stablehlo.slice %{{.*}} [0:5, 0:3, 0:16:2] : (tensor<5x3x16xf32>) -> tensor<5x3x8xf32>
// CHECK: stablehlo.slice %{{.*}} [0:5, 1:2, 1:16:2] : (tensor<5x3x16xf32>) -> tensor<5x1x8xf32>
// Not where another op reads the pairs, where not all of them are taken, or where rows do not hold whole heads.
// CHECK: stablehlo.slice %{{.*}} [0:5, 0:3, 0:8, 0:1]
// CHECK: stablehlo.slice %{{.*}} [0:5, 0:3, 2:8, 0:1]
// CHECK: stablehlo.slice %{{.*}} [0:5, 0:3, 0:8, 0:1]
func.func @pairs(%x: tensor<5x48xf32>, %y: tensor<5x48xf32>, %z: tensor<5x48xf32>, %w: tensor<10x24xf32>)
    -> (tensor<5x3x8x1xf32>, tensor<5x1x8x1xf32>, tensor<5x3x8x1xf32>, tensor<5x3x8x2xf32>, tensor<5x3x6x1xf32>,
    tensor<5x3x8x1xf32>) {
  %0 = stablehlo.reshape %x : (tensor<5x48xf32>) -> tensor<5x3x8x2xf32>
  %1 = stablehlo.slice %0 [0:5, 0:3, 0:8, 0:1] : (tensor<5x3x8x2xf32>) -> tensor<5x3x8x1xf32>
  %2 = stablehlo.slice %0 [0:5, 1:2, 0:8, 1:2] : (tensor<5x3x8x2xf32>) -> tensor<5x1x8x1xf32>
  %3 = stablehlo.reshape %y : (tensor<5x48xf32>) -> tensor<5x3x8x2xf32>
  %4 = stablehlo.slice %3 [0:5, 0:3, 0:8, 0:1] : (tensor<5x3x8x2xf32>) -> tensor<5x3x8x1xf32>
  %5 = stablehlo.negate %3 : tensor<5x3x8x2xf32>
  %6 = stablehlo.reshape %z : (tensor<5x48xf32>) -> tensor<5x3x8x2xf32>
  %7 = stablehlo.slice %6 [0:5, 0:3, 2:8, 0:1] : (tensor<5x3x8x2xf32>) -> tensor<5x3x6x1xf32>
  %8 = stablehlo.reshape %w : (tensor<10x24xf32>) -> tensor<5x3x8x2xf32>
  %9 = stablehlo.slice %8 [0:5, 0:3, 0:8, 0:1] : (tensor<5x3x8x2xf32>) -> tensor<5x3x8x1xf32>
  return %1, %2, %4, %5, %7, %9 : tensor<5x3x8x1xf32>, tensor<5x1x8x1xf32>, tensor<5x3x8x1xf32>, tensor<5x3x8x2xf32>,
      tensor<5x3x6x1xf32>, tensor<5x3x8x1xf32>
}

// A part of a padded array: some of the padding and some of the array; of the array alone; of padding alone. Gaps are
// not cut, and what others read too stays whole.
// CHECK-LABEL: func @slices_of_pads
// CHECK-DAG: %[[PART:.*]] = stablehlo.slice %arg0 [0:15, 0:4]
// CHECK-DAG: stablehlo.pad %[[PART]], %{{.*}}, low = [1, 0], high = [0, 0], interior = [0, 0] : (tensor<15x4xf32>, tensor<f32>) -> tensor<16x4xf32>
// CHECK-DAG: stablehlo.slice %arg0 [2:6, 0:4]
// CHECK-DAG: stablehlo.constant dense<5.000000e-01> : tensor<2x4xf32>
// CHECK-DAG: stablehlo.pad %arg0, %{{.*}}, low = [0, 0], high = [0, 0], interior = [1, 0]
// CHECK-DAG: stablehlo.pad %arg0, %{{.*}}, low = [3, 0], high = [0, 0], interior = [0, 0]
func.func @slices_of_pads(%x: tensor<16x4xf32>)
    -> (tensor<16x4xf32>, tensor<4x4xf32>, tensor<2x4xf32>, tensor<30x4xf32>, tensor<18x4xf32>, tensor<19x4xf32>) {
  %v = stablehlo.constant dense<0.5> : tensor<f32>
  %0 = stablehlo.pad %x, %v, low = [1, 0], high = [0, 0], interior = [0, 0]
      : (tensor<16x4xf32>, tensor<f32>) -> tensor<17x4xf32>
  %1 = stablehlo.slice %0 [0:16, 0:4] : (tensor<17x4xf32>) -> tensor<16x4xf32>
  %2 = stablehlo.pad %x, %v, low = [3, 0], high = [9, 0], interior = [0, 0]
      : (tensor<16x4xf32>, tensor<f32>) -> tensor<28x4xf32>
  %3 = stablehlo.slice %2 [5:9, 0:4] : (tensor<28x4xf32>) -> tensor<4x4xf32>
  %4 = stablehlo.pad %x, %v, low = [-2, 0], high = [9, 0], interior = [0, 0]
      : (tensor<16x4xf32>, tensor<f32>) -> tensor<23x4xf32>
  %5 = stablehlo.slice %4 [20:22, 0:4] : (tensor<23x4xf32>) -> tensor<2x4xf32>
  %6 = stablehlo.pad %x, %v, low = [0, 0], high = [0, 0], interior = [1, 0]
      : (tensor<16x4xf32>, tensor<f32>) -> tensor<31x4xf32>
  %7 = stablehlo.slice %6 [1:31, 0:4] : (tensor<31x4xf32>) -> tensor<30x4xf32>
  %8 = stablehlo.pad %x, %v, low = [3, 0], high = [0, 0], interior = [0, 0]
      : (tensor<16x4xf32>, tensor<f32>) -> tensor<19x4xf32>
  %9 = stablehlo.slice %8 [1:19, 0:4] : (tensor<19x4xf32>) -> tensor<18x4xf32>
  return %1, %3, %5, %7, %9, %8 : tensor<16x4xf32>, tensor<4x4xf32>, tensor<2x4xf32>, tensor<30x4xf32>,
      tensor<18x4xf32>, tensor<19x4xf32>
}
