// RUN: tpuc-opt %s --tpuc-expand-lookups | FileCheck %s

// Rows of two numbers of a batched table: each element of the result has its own index into the table as a vector.
// CHECK-LABEL: @pairs
// CHECK: %[[TABLE:.*]] = stablehlo.reshape %arg0 : (tensor<4x9x2xf32>) -> tensor<72xf32>
// CHECK: stablehlo.clamp {{.*}} : tensor<4x50xi32>
// CHECK: stablehlo.iota dim = 0 : tensor<4x50x2xi32>
// CHECK: "stablehlo.gather"(%[[TABLE]], %{{.*}}){{.*}}collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 3>{{.*}}slice_sizes = array<i64: 1>{{.*}} -> tensor<4x2x50xf32>
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

// take_along_axis: each row's elements are its own; 50 indices of 3 x 20 rows of 130. The rows' dim comes last.
// CHECK-LABEL: @along_the_middle
// CHECK: %[[ROWS:.*]] = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<3x130x20xf32>) -> tensor<3x20x130xf32>
// CHECK: %[[AT:.*]] = stablehlo.transpose {{.*}} -> tensor<3x20x50xi32>
// CHECK: "stablehlo.gather"(%[[ROWS]], %{{.*}}){{.*}}collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>{{.*}}slice_sizes = array<i64: 1, 1, 1>
// CHECK: stablehlo.transpose {{.*}}, dims = [0, 2, 1] : (tensor<3x20x50xf32>) -> tensor<3x50x20xf32>
func.func @along_the_middle(%x: tensor<3x130x20xf32>, %i: tensor<3x50x20x1xi32>) -> tensor<3x50x20xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1],
      operand_batching_dims = [0, 2], start_indices_batching_dims = [0, 2], start_index_map = [1],
      index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 1>}>
      : (tensor<3x130x20xf32>, tensor<3x50x20x1xi32>) -> tensor<3x50x20xf32>
  return %0 : tensor<3x50x20xf32>
}

// Columns: every row has the same indices. Half words are widened.
// CHECK-LABEL: @columns
// CHECK: stablehlo.convert {{.*}} -> tensor<800x512xi32>
// CHECK: stablehlo.broadcast_in_dim {{.*}}, dims = [1] : (tensor<60xi32>) -> tensor<800x60xi32>
// CHECK: "stablehlo.gather"{{.*}}operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>{{.*}} -> tensor<800x60xi32>
func.func @columns(%x: tensor<800x512xbf16>, %i: tensor<60x1xi32>) -> tensor<800x60xbf16> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1],
      start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 800, 1>}>
      : (tensor<800x512xbf16>, tensor<60x1xi32>) -> tensor<800x60xbf16>
  return %0 : tensor<800x60xbf16>
}

// Rows of 4 MiB of which three elements are wanted each: to read them takes longer than to fetch the elements.
// CHECK-LABEL: @of_long_rows
// CHECK: "stablehlo.gather"(%arg0, %arg1)
func.func @of_long_rows(%x: tensor<64x1048576xf32>, %i: tensor<64x3x1xi32>) -> tensor<64x3xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1],
      operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>,
      slice_sizes = array<i64: 1, 1>}> : (tensor<64x1048576xf32>, tensor<64x3x1xi32>) -> tensor<64x3xf32>
  return %0 : tensor<64x3xf32>
}

// A slice of each row, where each begins somewhere else: 40 indices for each of 70 rows, from the row's own on.
// CHECK-LABEL: @slices_of_rows
// CHECK: %[[LAST:.*]] = stablehlo.constant dense<260> : tensor<70xi32>
// CHECK: %[[START:.*]] = stablehlo.clamp %{{.*}}, %{{.*}}, %[[LAST]]
// CHECK: %[[ROWS:.*]] = stablehlo.broadcast_in_dim %[[START]], dims = [0] : (tensor<70xi32>) -> tensor<70x40xi32>
// CHECK: %[[AT:.*]] = stablehlo.iota dim = 1 : tensor<70x40xi32>
// CHECK: %[[I:.*]] = stablehlo.add %[[ROWS]], %[[AT]]
// CHECK: "stablehlo.gather"(%arg0, %[[I]])
// CHECK-SAME: slice_sizes = array<i64: 1, 1>
func.func @slices_of_rows(%x: tensor<70x300xf32>, %i: tensor<70x1xi32>) -> tensor<70x40xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>,
      slice_sizes = array<i64: 1, 40>}> : (tensor<70x300xf32>, tensor<70x1xi32>) -> tensor<70x40xf32>
  return %0 : tensor<70x40xf32>
}

// Each of 5 rows from one place in 33 batches; the rows that are taken whole come before the window.
// CHECK-LABEL: @slices_of_blocks
// CHECK: stablehlo.iota dim = 2 : tensor<33x5x40xi32>
// CHECK: "stablehlo.gather"(%arg0, %{{.*}} (tensor<33x5x300xf32>, tensor<33x5x40xi32>) -> tensor<33x5x40xf32>
func.func @slices_of_blocks(%x: tensor<33x5x300xf32>, %i: tensor<33x1xi32>) -> tensor<33x5x40xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2],
      operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [2], index_vector_dim = 1>,
      slice_sizes = array<i64: 1, 5, 40>}> : (tensor<33x5x300xf32>, tensor<33x1xi32>) -> tensor<33x5x40xf32>
  return %0 : tensor<33x5x40xf32>
}

// -----

// Rows of three: 5000 of them lie along lanes while they are looked up, and are turned.
// CHECK-LABEL: @triples
// CHECK: "stablehlo.gather"({{.*}} : (tensor<3000xf32>, tensor<3x5000xi32>) -> tensor<3x5000xf32>
// CHECK: stablehlo.transpose {{.*}} : (tensor<3x5000xf32>) -> tensor<5000x3xf32>
func.func @triples(%x: tensor<1000x3xf32>, %i: tensor<5000x1xi32>) -> tensor<5000x3xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}>
      : (tensor<1000x3xf32>, tensor<5000x1xi32>) -> tensor<5000x3xf32>
  return %0 : tensor<5000x3xf32>
}
