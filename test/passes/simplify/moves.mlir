// RUN: tpuc-opt %s --tpuc-simplify | FileCheck %s

// CHECK-LABEL: func @broadcasts
func.func @broadcasts(%x: tensor<4xf32>, %m: tensor<4x6xf32>)
    -> (tensor<4x6xf32>, tensor<2x4x6xf32>, tensor<4x1xf32>, tensor<4x6xf32>, tensor<3x4xf32>) {
  // CHECK-DAG: %[[R1:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<4xf32>) -> tensor<2x4x6xf32>
  // CHECK-DAG: %[[R2:.*]] = stablehlo.reshape %arg0 : (tensor<4xf32>) -> tensor<4x1xf32>
  // CHECK-DAG: %[[R3:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<4xf32>) -> tensor<4x6xf32>
  // CHECK-DAG: %[[R4:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<4xf32>) -> tensor<3x4xf32>
  // CHECK: return %arg1, %[[R1]], %[[R2]], %[[R3]], %[[R4]]
  %0 = stablehlo.broadcast_in_dim %m, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6xf32>
  // dims [0] then [1, 2]
  %a = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<4xf32>) -> tensor<4x6xf32>
  %1 = stablehlo.broadcast_in_dim %a, dims = [1, 2] : (tensor<4x6xf32>) -> tensor<2x4x6xf32>
  %2 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
  // of a reshape that adds a dimension of size 1
  %r = stablehlo.reshape %x : (tensor<4xf32>) -> tensor<4x1xf32>
  %3 = stablehlo.broadcast_in_dim %r, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x6xf32>
  %4 = stablehlo.broadcast %x, sizes = [3] : (tensor<4xf32>) -> tensor<3x4xf32>
  return %0, %1, %2, %3, %4 : tensor<4x6xf32>, tensor<2x4x6xf32>, tensor<4x1xf32>, tensor<4x6xf32>, tensor<3x4xf32>
}

// Positions are made where they are wanted; wide ones are made once.
// CHECK-LABEL: func @positions
// CHECK-DAG: %[[A:.*]] = stablehlo.iota dim = 1 : tensor<2x5xi32>
// CHECK-DAG: %[[B:.*]] = stablehlo.iota dim = 0 : tensor<5xi64>
// CHECK-DAG: %[[C:.*]] = stablehlo.broadcast_in_dim %[[B]], dims = [1] : (tensor<5xi64>) -> tensor<2x5xi64>
// CHECK: return %[[A]], %[[C]]
func.func @positions() -> (tensor<2x5xi32>, tensor<2x5xi64>) {
  %0 = stablehlo.iota dim = 0 : tensor<5xi32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<5xi32>) -> tensor<2x5xi32>
  %2 = stablehlo.iota dim = 0 : tensor<5xi64>
  %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<5xi64>) -> tensor<2x5xi64>
  return %1, %3 : tensor<2x5xi32>, tensor<2x5xi64>
}

// CHECK-LABEL: func @transposing_broadcast
func.func @transposing_broadcast(%m: tensor<4x6xf32>) -> tensor<6x4xf32> {
  // The dimensions change places: no reshape.
  // CHECK: stablehlo.broadcast_in_dim %arg0, dims = [1, 0]
  %0 = stablehlo.broadcast_in_dim %m, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  return %0 : tensor<6x4xf32>
}

// CHECK-LABEL: func @reshapes
func.func @reshapes(%m: tensor<4x6xf32>, %x: tensor<4xf32>)
    -> (tensor<4x6xf32>, tensor<8x3xf32>, tensor<3x4xf32>, tensor<4x1x3xf32>) {
  // CHECK-DAG: %[[R1:.*]] = stablehlo.reshape %arg0 : (tensor<4x6xf32>) -> tensor<8x3xf32>
  // CHECK-DAG: %[[R2:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<4xf32>) -> tensor<3x4xf32>
  // CHECK-DAG: %[[R3:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<4xf32>) -> tensor<4x1x3xf32>
  // CHECK: return %arg0, %[[R1]], %[[R2]], %[[R3]]
  %a = stablehlo.reshape %m : (tensor<4x6xf32>) -> tensor<24xf32>
  %0 = stablehlo.reshape %a : (tensor<24xf32>) -> tensor<4x6xf32>
  %1 = stablehlo.reshape %a : (tensor<24xf32>) -> tensor<8x3xf32>
  // A dropped and an added dimension of size 1.
  %b = stablehlo.broadcast_in_dim %x, dims = [2] : (tensor<4xf32>) -> tensor<1x3x4xf32>
  %2 = stablehlo.reshape %b : (tensor<1x3x4xf32>) -> tensor<3x4xf32>
  %c = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<4xf32>) -> tensor<4x3xf32>
  %3 = stablehlo.reshape %c : (tensor<4x3xf32>) -> tensor<4x1x3xf32>
  return %0, %1, %2, %3 : tensor<4x6xf32>, tensor<8x3xf32>, tensor<3x4xf32>, tensor<4x1x3xf32>
}

// CHECK-LABEL: func @transposes
func.func @transposes(%t: tensor<2x3x4xf32>, %u: tensor<2x1x4xf32>, %x: tensor<4xf32>)
    -> (tensor<2x3x4xf32>, tensor<4x2x3xf32>, tensor<2x4x1xf32>, tensor<5x4xf32>) {
  // CHECK-DAG: %[[R1:.*]] = stablehlo.transpose %arg0, dims = [2, 0, 1]
  // CHECK-DAG: %[[R2:.*]] = stablehlo.reshape %arg1 : (tensor<2x1x4xf32>) -> tensor<2x4x1xf32>
  // CHECK-DAG: %[[R3:.*]] = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<4xf32>) -> tensor<5x4xf32>
  // CHECK: return %arg0, %[[R1]], %[[R2]], %[[R3]]
  // [1, 2, 0] after [2, 0, 1] is the identity, after itself [2, 0, 1].
  %a = stablehlo.transpose %t, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %0 = stablehlo.transpose %a, dims = [1, 2, 0] : (tensor<4x2x3xf32>) -> tensor<2x3x4xf32>
  %b = stablehlo.transpose %t, dims = [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %1 = stablehlo.transpose %b, dims = [1, 2, 0] : (tensor<3x4x2xf32>) -> tensor<4x2x3xf32>
  %2 = stablehlo.transpose %u, dims = [0, 2, 1] : (tensor<2x1x4xf32>) -> tensor<2x4x1xf32>
  %c = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<4xf32>) -> tensor<4x5xf32>
  %3 = stablehlo.transpose %c, dims = [1, 0] : (tensor<4x5xf32>) -> tensor<5x4xf32>
  return %0, %1, %2, %3 : tensor<2x3x4xf32>, tensor<4x2x3xf32>, tensor<2x4x1xf32>, tensor<5x4xf32>
}

// CHECK-LABEL: func @reverses
func.func @reverses(%t: tensor<2x1x4xf32>) -> (tensor<2x1x4xf32>, tensor<2x1x4xf32>) {
  // CHECK: %[[R:.*]] = stablehlo.reverse %arg0, dims = [0]
  // CHECK: return %[[R]], %arg0
  %a = stablehlo.reverse %t, dims = [0, 2] : tensor<2x1x4xf32>
  %0 = stablehlo.reverse %a, dims = [1, 2] : tensor<2x1x4xf32>
  %1 = stablehlo.reverse %t, dims = [1] : tensor<2x1x4xf32>
  return %0, %1 : tensor<2x1x4xf32>, tensor<2x1x4xf32>
}

// Patches of an image of 3 colours: rows of 12 elements of a patch change places, not of 3.
// CHECK-LABEL: func @patches
// CHECK: %[[IN:.*]] = stablehlo.reshape %arg0 : (tensor<2x8x8x3xf32>) -> tensor<2x2x4x2x12xf32>
// CHECK: %[[T:.*]] = stablehlo.transpose %[[IN]], dims = [0, 1, 3, 2, 4]
// CHECK: stablehlo.reshape %[[T]] : (tensor<2x2x2x4x12xf32>) -> tensor<2x4x48xf32>
func.func @patches(%x: tensor<2x8x8x3xf32>) -> tensor<2x4x48xf32> {
  %0 = stablehlo.reshape %x : (tensor<2x8x8x3xf32>) -> tensor<2x2x4x2x4x3xf32>
  %1 = stablehlo.transpose %0, dims = [0, 1, 3, 2, 4, 5] : (tensor<2x2x4x2x4x3xf32>) -> tensor<2x2x2x4x4x3xf32>
  %2 = stablehlo.reshape %1 : (tensor<2x2x2x4x4x3xf32>) -> tensor<2x4x48xf32>
  return %2 : tensor<2x4x48xf32>
}

// The last dims do not stay together; rows are long; the transpose is read as it is.
// CHECK-LABEL: func @rows_stay
// CHECK: stablehlo.transpose %{{.*}}, dims = [0, 2, 1, 3]
// CHECK: stablehlo.transpose %{{.*}}, dims = [1, 0, 2, 3]
// CHECK: stablehlo.transpose %{{.*}}, dims = [1, 0, 2, 3]
func.func @rows_stay(%x: tensor<2x12x3xf32>, %y: tensor<2x3x512xf32>)
    -> (tensor<6x12xf32>, tensor<3x1024xf32>, tensor<4x2x3x3xf32>) {
  %0 = stablehlo.reshape %x : (tensor<2x12x3xf32>) -> tensor<2x4x3x3xf32>
  %1 = stablehlo.transpose %0, dims = [0, 2, 1, 3] : (tensor<2x4x3x3xf32>) -> tensor<2x3x4x3xf32>
  %2 = stablehlo.reshape %1 : (tensor<2x3x4x3xf32>) -> tensor<6x12xf32>
  %3 = stablehlo.reshape %y : (tensor<2x3x512xf32>) -> tensor<2x3x2x256xf32>
  %4 = stablehlo.transpose %3, dims = [1, 0, 2, 3] : (tensor<2x3x2x256xf32>) -> tensor<3x2x2x256xf32>
  %5 = stablehlo.reshape %4 : (tensor<3x2x2x256xf32>) -> tensor<3x1024xf32>
  %6 = stablehlo.reshape %x : (tensor<2x12x3xf32>) -> tensor<2x4x3x3xf32>
  %7 = stablehlo.transpose %6, dims = [1, 0, 2, 3] : (tensor<2x4x3x3xf32>) -> tensor<4x2x3x3xf32>
  return %2, %5, %7 : tensor<6x12xf32>, tensor<3x1024xf32>, tensor<4x2x3x3xf32>
}

// Biases by head, of the places of a table: heads come first at once.
// CHECK-LABEL: func @by_head
// CHECK: "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>
// CHECK-SAME: (tensor<32x8xf32>, tensor<64x64x1xi32>) -> tensor<8x64x64xf32>
// CHECK-NOT: transpose
func.func @by_head(%t: tensor<32x8xf32>, %i: tensor<64x64x1xi32>) -> tensor<8x64x64xf32> {
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 8>}>
      : (tensor<32x8xf32>, tensor<64x64x1xi32>) -> tensor<64x64x8xf32>
  %1 = stablehlo.transpose %0, dims = [2, 0, 1] : (tensor<64x64x8xf32>) -> tensor<8x64x64xf32>
  return %1 : tensor<8x64x64xf32>
}

// Indices change places; windows are rows; others read the gather too.
// CHECK-LABEL: func @not_by_head
// CHECK: transpose %{{.*}}, dims = [2, 1, 0]
// CHECK: transpose %{{.*}}, dims = [2, 0, 1]
// CHECK: transpose %{{.*}}, dims = [2, 0, 1]
func.func @not_by_head(%t: tensor<32x8xf32>, %r: tensor<32x256xf32>, %i: tensor<64x64x1xi32>)
    -> (tensor<8x64x64xf32>, tensor<256x64x64xf32>, tensor<8x64x64xf32>, tensor<64x64x8xf32>) {
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 8>}>
      : (tensor<32x8xf32>, tensor<64x64x1xi32>) -> tensor<64x64x8xf32>
  %1 = stablehlo.transpose %0, dims = [2, 1, 0] : (tensor<64x64x8xf32>) -> tensor<8x64x64xf32>
  %2 = "stablehlo.gather"(%r, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 256>}>
      : (tensor<32x256xf32>, tensor<64x64x1xi32>) -> tensor<64x64x256xf32>
  %3 = stablehlo.transpose %2, dims = [2, 0, 1] : (tensor<64x64x256xf32>) -> tensor<256x64x64xf32>
  %4 = stablehlo.negate %i : tensor<64x64x1xi32>
  %5 = "stablehlo.gather"(%t, %4) <{dimension_numbers = #stablehlo.gather<offset_dims = [2],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 8>}>
      : (tensor<32x8xf32>, tensor<64x64x1xi32>) -> tensor<64x64x8xf32>
  %6 = stablehlo.transpose %5, dims = [2, 0, 1] : (tensor<64x64x8xf32>) -> tensor<8x64x64xf32>
  return %1, %3, %6, %5 : tensor<8x64x64xf32>, tensor<256x64x64xf32>, tensor<8x64x64xf32>, tensor<64x64x8xf32>
}
