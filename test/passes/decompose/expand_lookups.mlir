// RUN: tpuc-opt %s --tpuc-expand-lookups | FileCheck %s

// Rows of two numbers of a batched table: each element of the result has its own index into the table as a vector.
// CHECK-LABEL: @pairs
// CHECK: %[[TABLE:.*]] = stablehlo.reshape %arg0 : (tensor<4x9x2xf32>) -> tensor<72xf32>
// CHECK: stablehlo.clamp {{.*}} : tensor<4x50xi32>
// CHECK: stablehlo.iota dim = 0 : tensor<4x50x2xi32>
// CHECK: "stablehlo.gather"(%[[TABLE]], %{{.*}}){{.*}}collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 3>{{.*}}slice_sizes = array<i64: 1>{{.*}} -> tensor<4x50x2xf32>
func.func @pairs(%x: tensor<4x9x2xf32>, %i: tensor<4x50x1xi32>) -> tensor<4x50x2xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1],
      operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>,
      slice_sizes = array<i64: 1, 1, 2>}> : (tensor<4x9x2xf32>, tensor<4x50x1xi32>) -> tensor<4x50x2xf32>
  return %0 : tensor<4x50x2xf32>
}

// Bits of half a word are widened. An index of 8 bits is clamped to what it can hold.
// CHECK-LABEL: @halves
// CHECK: stablehlo.bitcast_convert %arg0 : (tensor<1000xbf16>) -> tensor<1000xi16>
// CHECK: stablehlo.constant dense<127> : tensor<300xi8>
// CHECK: "stablehlo.gather"({{.*}} : (tensor<1000xi32>, tensor<300xi32>) -> tensor<300xi32>
// CHECK: stablehlo.bitcast_convert {{.*}} -> tensor<300xbf16>
func.func @halves(%x: tensor<1000xbf16>, %i: tensor<300x1xi8>) -> tensor<300xbf16> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}>
      : (tensor<1000xbf16>, tensor<300x1xi8>) -> tensor<300xbf16>
  return %0 : tensor<300xbf16>
}

// Rows of 256 numbers are for transfers.
// CHECK-LABEL: @rows
// CHECK: "stablehlo.gather"(%arg0, %arg1)
func.func @rows(%x: tensor<200x256xf32>, %i: tensor<50x1xi32>) -> tensor<50x256xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 256>}>
      : (tensor<200x256xf32>, tensor<50x1xi32>) -> tensor<50x256xf32>
  return %0 : tensor<50x256xf32>
}

// Pairs take a row of lanes each: 1250 vregs by 512 rows of the table are more than 10000 transfers, by four rows less.
// CHECK-LABEL: @pairs_of_many
// CHECK: "stablehlo.gather"(%arg0, %arg1)
func.func @pairs_of_many(%x: tensor<32768x2xf32>, %i: tensor<10000x1xi32>) -> tensor<10000x2xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}>
      : (tensor<32768x2xf32>, tensor<10000x1xi32>) -> tensor<10000x2xf32>
  return %0 : tensor<10000x2xf32>
}

// CHECK-LABEL: @pairs_of_few
// CHECK: stablehlo.reshape %arg0 : (tensor<256x2xf32>) -> tensor<512xf32>
func.func @pairs_of_few(%x: tensor<256x2xf32>, %i: tensor<10000x1xi32>) -> tensor<10000x2xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}>
      : (tensor<256x2xf32>, tensor<10000x1xi32>) -> tensor<10000x2xf32>
  return %0 : tensor<10000x2xf32>
}
