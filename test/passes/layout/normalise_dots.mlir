// RUN: tpuc-opt %s --tpuc-normalise-dots | FileCheck %s

// The left operand has its batch dim last: transposed, the contracted dim is.
// CHECK-LABEL: @batch_last
// CHECK: %[[LEFT:.*]] = stablehlo.transpose %arg0, dims = [2, 1, 0] : (tensor<16x8x4xf32>) -> tensor<4x8x16xf32>
// CHECK: stablehlo.dot_general %[[LEFT]], %{{.*}}, batching_dims = [0] x [0], contracting_dims = [2] x [1]
func.func @batch_last(%x: tensor<16x8x4xf32>, %y: tensor<4x16x32xf32>) -> tensor<4x8x32xf32> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [2] x [0], contracting_dims = [0] x [1]
      : (tensor<16x8x4xf32>, tensor<4x16x32xf32>) -> tensor<4x8x32xf32>
  return %0 : tensor<4x8x32xf32>
}

// As the matrix unit wants it already.
// CHECK-LABEL: @plain
// CHECK-NOT: stablehlo.transpose
// CHECK: stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0]
func.func @plain(%x: tensor<8x16xf32>, %y: tensor<16x32xf32>) -> tensor<8x32xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>)
      -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// No rows: the batch would be a block's sublanes, each of 16 x 128 words. An algorithm keeps it on the matrix unit.
// CHECK-LABEL: @long_batch
// CHECK: %[[X:.*]] = stablehlo.reshape %arg0 : (tensor<16000x16xf32>) -> tensor<[[STEPS:[0-9]+]]x[[HELD:[0-9]+]]x16xf32>
// CHECK: %[[Y:.*]] = stablehlo.reshape %arg1 : (tensor<16000x16x40xf32>) -> tensor<[[STEPS]]x[[HELD]]x16x40xf32>
// CHECK: stablehlo.dot_general %[[X]], %[[Y]], batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2]
func.func @long_batch(%x: tensor<16000x16xf32>, %y: tensor<16000x16x40xf32>) -> tensor<16000x40xf32> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [1] x [1],
      algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32,
      lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1,
      allow_imprecise_accumulation = false>
      : (tensor<16000x16xf32>, tensor<16000x16x40xf32>) -> tensor<16000x40xf32>
  return %0 : tensor<16000x40xf32>
}

// A block of one array fits VMEM (here 112 MiB), two of each do not.
// CHECK-LABEL: @two_blocks
// CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2]
// CHECK-SAME: (tensor<{{[0-9]+}}x{{[0-9]+}}x3xbf16>, tensor<{{[0-9]+}}x{{[0-9]+}}x3x300xbf16>)
func.func @two_blocks(%x: tensor<17000x3xbf16>, %y: tensor<17000x3x300xbf16>) -> tensor<17000x300xbf16> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [1] x [1],
      algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32,
      lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1,
      allow_imprecise_accumulation = false>
      : (tensor<17000x3xbf16>, tensor<17000x3x300xbf16>) -> tensor<17000x300xbf16>
  return %0 : tensor<17000x300xbf16>
}

// Many batches of matrices smaller than a vreg: sums of products.
// CHECK-LABEL: @tiny
// CHECK-NOT: stablehlo.dot_general
// CHECK: stablehlo.reduce({{.*}}) applies stablehlo.add across dimensions = [3] : (tensor<1000x3x5x4xf32>, tensor<f32>) -> tensor<1000x3x5xf32>
func.func @tiny(%x: tensor<1000x3x4xbf16>, %y: tensor<1000x4x5xbf16>) -> tensor<1000x3x5xbf16> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<1000x3x4xbf16>, tensor<1000x4x5xbf16>) -> tensor<1000x3x5xbf16>
  return %0 : tensor<1000x3x5xbf16>
}

// 16 by 16 fill an eighth of an array's rows and columns: 4096 times products and sums are a quarter of that, and of 32
// by 32 too. 96 by 96 fill most of it.
// CHECK-LABEL: @small
// CHECK: stablehlo.reduce({{.*}}) applies stablehlo.add across dimensions = [3] : (tensor<4096x16x16x16xf32>, tensor<f32>) -> tensor<4096x16x16xf32>
// CHECK: stablehlo.reduce({{.*}}) applies stablehlo.add across dimensions = [3] : (tensor<4096x32x32x32xf32>, tensor<f32>) -> tensor<4096x32x32xf32>
// CHECK: stablehlo.dot_general
func.func @small(%x: tensor<4096x16x16xf32>, %y: tensor<4096x32x32xf32>, %u: tensor<4096x32x32xf32>,
    %z: tensor<4096x96x96xf32>)
    -> (tensor<4096x16x16xf32>, tensor<4096x32x32xf32>, tensor<4096x96x96xf32>) {
  %0 = stablehlo.dot_general %x, %x, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<4096x16x16xf32>, tensor<4096x16x16xf32>) -> tensor<4096x16x16xf32>
  %1 = stablehlo.dot_general %y, %u, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<4096x32x32xf32>, tensor<4096x32x32xf32>) -> tensor<4096x32x32xf32>
  %2 = stablehlo.dot_general %z, %z, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<4096x96x96xf32>, tensor<4096x96x96xf32>) -> tensor<4096x96x96xf32>
  return %0, %1, %2 : tensor<4096x16x16xf32>, tensor<4096x32x32xf32>, tensor<4096x96x96xf32>
}

// Sums have the batch along lanes, so all that meets them has: elementwise work and other sums may.
// CHECK-LABEL: @chain
// CHECK-NOT: stablehlo.dot_general
// CHECK: stablehlo.exponential
// CHECK: stablehlo.reduce({{.*}} : (tensor<1024x24x24x24xf32>, tensor<f32>) -> tensor<1024x24x24xf32>
func.func @chain(%x: tensor<1024x24x24xf32>, %y: tensor<1024x24x24xf32>) -> tensor<1024x24x24xf32> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<1024x24x24xf32>, tensor<1024x24x24xf32>) -> tensor<1024x24x24xf32>
  %1 = stablehlo.exponential %0 : tensor<1024x24x24xf32>
  %2 = stablehlo.dot_general %1, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<1024x24x24xf32>, tensor<1024x24x24xf32>) -> tensor<1024x24x24xf32>
  return %2 : tensor<1024x24x24xf32>
}

// 129 fill half of two tiles of lanes: with the batch there the arrays would hardly be smaller, and stay as they are.
// CHECK-LABEL: @half_lanes
// CHECK: stablehlo.dot_general
func.func @half_lanes(%x: tensor<129x64x16xbf16>, %y: tensor<129x64x16xbf16>) -> tensor<129x16x16xbf16> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [1] x [1]
      : (tensor<129x64x16xbf16>, tensor<129x64x16xbf16>) -> tensor<129x16x16xbf16>
  return %0 : tensor<129x16x16xbf16>
}

// An array has one order: of a matrix that is multiplied with itself, one of both would be summed along sublanes.
// CHECK-LABEL: @itself
// CHECK: stablehlo.dot_general
func.func @itself(%x: tensor<1024x24x24xf32>) -> tensor<1024x24x24xf32> {
  %0 = stablehlo.dot_general %x, %x, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<1024x24x24xf32>, tensor<1024x24x24xf32>) -> tensor<1024x24x24xf32>
  return %0 : tensor<1024x24x24xf32>
}

// A matmul makes columns along lanes: what takes its result is no sums, and neither is what takes that one's.
// CHECK-LABEL: @kept_order
// CHECK-COUNT-3: stablehlo.dot_general
func.func @kept_order(%x: tensor<24576x24xf32>, %w: tensor<24x24xf32>, %y: tensor<1024x24x24xf32>)
    -> tensor<1024x24x24xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<24576x24xf32>, tensor<24x24xf32>) -> tensor<24576x24xf32>
  %1 = stablehlo.reshape %0 : (tensor<24576x24xf32>) -> tensor<1024x24x24xf32>
  %2 = stablehlo.dot_general %1, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<1024x24x24xf32>, tensor<1024x24x24xf32>) -> tensor<1024x24x24xf32>
  %3 = stablehlo.negate %2 : tensor<1024x24x24xf32>
  %4 = stablehlo.dot_general %3, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<1024x24x24xf32>, tensor<1024x24x24xf32>) -> tensor<1024x24x24xf32>
  return %4 : tensor<1024x24x24xf32>
}

// Of a vector and a few columns, each batch would fill an array of the matrix unit. The matrices are summed as they
// lie.
// CHECK-LABEL: @few_columns
// CHECK-NOT: stablehlo.dot_general
// CHECK: stablehlo.reduce({{.*}}) applies stablehlo.add across dimensions = [2, 3] : (tensor<33x2x6x16xf32>, tensor<f32>) -> tensor<33x2xf32>
func.func @few_columns(%x: tensor<33x6x16xf32>, %y: tensor<33x2x6x16xf32>) -> tensor<33x2xf32> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2, 1] x [3, 2]
      : (tensor<33x6x16xf32>, tensor<33x2x6x16xf32>) -> tensor<33x2xf32>
  return %0 : tensor<33x2xf32>
}

// CHECK-LABEL: @columns_last
// CHECK-NOT: stablehlo.transpose
// CHECK: stablehlo.reduce({{.*}}) applies stablehlo.add across dimensions = [1] : (tensor<64x64x32xf32>, tensor<f32>) -> tensor<64x32xf32>
func.func @columns_last(%x: tensor<64x64xf32>, %y: tensor<64x64x32xf32>) -> tensor<64x32xf32> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [1] x [1]
      : (tensor<64x64xf32>, tensor<64x64x32xf32>) -> tensor<64x32xf32>
  return %0 : tensor<64x32xf32>
}

// A few deep ones of many columns, for which the matrix unit is as fast: HBM brings the matrices no sooner.
// CHECK-LABEL: @deep
// CHECK: stablehlo.dot_general
func.func @deep(%x: tensor<16x2048xf32>, %y: tensor<16x2048x512xf32>) -> tensor<16x512xf32> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [1] x [1]
      : (tensor<16x2048xf32>, tensor<16x2048x512xf32>) -> tensor<16x512xf32>
  return %0 : tensor<16x512xf32>
}

// The matrix unit would have [6, 16] as 96 along lanes, for which all elements move. An algorithm that rounds what it
// multiplies is a dot.
// CHECK-LABEL: @two_sums
// CHECK: stablehlo.reduce({{.*}}) applies stablehlo.add across dimensions = [2, 3]
// CHECK: stablehlo.dot_general {{.*}} algorithm
func.func @two_sums(%x: tensor<33x6x16xf32>, %y: tensor<33x40x6x16xf32>, %u: tensor<4x64xf32>,
    %v: tensor<4x64x2xf32>) -> (tensor<33x40xf32>, tensor<4x2xf32>) {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2, 1] x [3, 2]
      : (tensor<33x6x16xf32>, tensor<33x40x6x16xf32>) -> tensor<33x40xf32>
  %1 = stablehlo.dot_general %u, %v, batching_dims = [0] x [0], contracting_dims = [1] x [1],
      algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32,
      lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1,
      allow_imprecise_accumulation = false> : (tensor<4x64xf32>, tensor<4x64x2xf32>) -> tensor<4x2xf32>
  return %0, %1 : tensor<33x40xf32>, tensor<4x2xf32>
}

// Contracted dims that end both operands, in whatever order the dot names them, are one: 96 lanes instead of 6 rows of
// 16.
// CHECK-LABEL: @joined
// CHECK-DAG: stablehlo.reshape %arg0 : (tensor<30x16x6x16xf32>) -> tensor<30x16x96xf32>
// CHECK-DAG: stablehlo.reshape %arg1 : (tensor<30x24x6x16xf32>) -> tensor<30x24x96xf32>
// CHECK: stablehlo.dot_general {{.*}} batching_dims = [0] x [0], contracting_dims = [2] x [2]
func.func @joined(%x: tensor<30x16x6x16xf32>, %y: tensor<30x24x6x16xf32>) -> tensor<30x16x24xf32> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [3, 2] x [3, 2]
      : (tensor<30x16x6x16xf32>, tensor<30x24x6x16xf32>) -> tensor<30x16x24xf32>
  return %0 : tensor<30x16x24xf32>
}

// A state of 16 for each of 1024 channels: an array of the matrix unit would take 16 rows of weights for one of x.
// CHECK-LABEL: @thin
// CHECK: stablehlo.multiply {{.*}} : tensor<8x1024x16xf32>
// CHECK: stablehlo.reduce({{.*}} across dimensions = [2] : (tensor<8x1024x16xf32>, tensor<f32>) -> tensor<8x1024xf32>
// CHECK: stablehlo.dot_general {{.*}} : (tensor<8x1024x512xf32>, tensor<8x512xf32>) -> tensor<8x1024xf32>
func.func @thin(%x: tensor<8x1024x16xf32>, %c: tensor<8x16xf32>, %y: tensor<8x1024x512xf32>, %d: tensor<8x512xf32>)
    -> (tensor<8x1024xf32>, tensor<8x1024xf32>) {
  %0 = stablehlo.dot_general %x, %c, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<8x1024x16xf32>, tensor<8x16xf32>) -> tensor<8x1024xf32>
  %1 = stablehlo.dot_general %y, %d, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<8x1024x512xf32>, tensor<8x512xf32>) -> tensor<8x1024xf32>
  return %0, %1 : tensor<8x1024xf32>, tensor<8x1024xf32>
}

// A vector by rows in several dims that fill no whole tiles: sums of products, where the rows are. Those that fill them
// are one matrix's.
// CHECK-LABEL: func.func @ragged_rows
// CHECK: stablehlo.reduce
// CHECK: stablehlo.dot_general
// CHECK-SAME: (tensor<6144x768xf32>,
func.func @ragged_rows(%x: tensor<128x49x768xf32>, %y: tensor<128x48x768xf32>, %v: tensor<768xf32>)
    -> (tensor<128x49xf32>, tensor<128x48xf32>) {
  %0 = stablehlo.dot_general %x, %v, contracting_dims = [2] x [0]
      : (tensor<128x49x768xf32>, tensor<768xf32>) -> tensor<128x49xf32>
  %1 = stablehlo.dot_general %y, %v, contracting_dims = [2] x [0]
      : (tensor<128x48x768xf32>, tensor<768xf32>) -> tensor<128x48xf32>
  return %0, %1 : tensor<128x49xf32>, tensor<128x48xf32>
}

// Attention's result for one token, as the sums over keys left it: taken as it lies, 3 of 128 lanes would be a tile's
// rows, 1024 times. One that has more along lanes as it lies is taken so.
// CHECK-LABEL: func.func @few_lanes
// CHECK: %[[T:.*]] = stablehlo.transpose %arg0, dims = [0, 2, 1]
// CHECK: stablehlo.dot_general %[[T]], %arg1, contracting_dims = [0, 1, 2] x [0, 1, 2]
// CHECK: stablehlo.dot_general %arg2, %arg3, contracting_dims = [0, 2, 1] x [0, 1, 2]
func.func @few_lanes(%x: tensor<8x128x3xbf16>, %w: tensor<8x3x128x3072xbf16>, %y: tensor<2x16x128xbf16>,
                     %v: tensor<2x128x16x64xbf16>) -> (tensor<3072xbf16>, tensor<64xbf16>) {
  %0 = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<8x128x3xbf16>) -> tensor<8x3x128xbf16>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [0, 1, 2] x [0, 1, 2]
      : (tensor<8x3x128xbf16>, tensor<8x3x128x3072xbf16>) -> tensor<3072xbf16>
  %2 = stablehlo.transpose %y, dims = [0, 2, 1] : (tensor<2x16x128xbf16>) -> tensor<2x128x16xbf16>
  %3 = stablehlo.dot_general %2, %v, contracting_dims = [0, 1, 2] x [0, 1, 2]
      : (tensor<2x128x16xbf16>, tensor<2x128x16x64xbf16>) -> tensor<64xbf16>
  return %1, %3 : tensor<3072xbf16>, tensor<64xbf16>
}

// Rows whose dims lie among the free ones are moved either way: what lies along lanes stays there, on either side.
// CHECK-LABEL: func.func @among
// CHECK-DAG: stablehlo.transpose %arg0, dims = [1, 3, 0, 2, 4] : (tensor<3x2048x3x49x32xbf16>)
// CHECK-DAG: %[[L:.*]] = stablehlo.reshape {{.*}} -> tensor<100352x288xbf16>
// CHECK: stablehlo.dot_general %[[L]], {{.*}} contracting_dims = [0] x [0]
// CHECK: %[[R:.*]] = stablehlo.reshape {{.*}} -> tensor<100352x288xbf16>
// CHECK: stablehlo.dot_general {{.*}}, %[[R]], contracting_dims = [0] x [0]
func.func @among(%x: tensor<3x2048x3x49x32xbf16>, %y: tensor<2048x49x96xbf16>)
    -> (tensor<3x3x32x96xbf16>, tensor<96x3x3x32xbf16>) {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1, 3] x [0, 1]
      : (tensor<3x2048x3x49x32xbf16>, tensor<2048x49x96xbf16>) -> tensor<3x3x32x96xbf16>
  %1 = stablehlo.dot_general %y, %x, contracting_dims = [0, 1] x [1, 3]
      : (tensor<2048x49x96xbf16>, tensor<3x2048x3x49x32xbf16>) -> tensor<96x3x3x32xbf16>
  return %0, %1 : tensor<3x3x32x96xbf16>, tensor<96x3x3x32xbf16>
}

// A vector by 51 rows of 256 elements for each of 1992 batches, as a contrastive loss compares candidates: matrices
// whose sums lie along lanes would each be turned for one row. Sums along sublanes take them as they lie.
// CHECK-LABEL: @candidates
// CHECK: stablehlo.reduce({{.*}}) applies stablehlo.add across dimensions = [3] : (tensor<8x249x51x256xf32>, tensor<f32>) -> tensor<8x249x51xf32>
// CHECK: stablehlo.dot_general
func.func @candidates(%c: tensor<8x249x256xf32>, %x: tensor<8x249x51x256xf32>)
    -> (tensor<8x249x51xf32>, tensor<8x249x256xf32>) {
  %0 = stablehlo.dot_general %c, %x, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [3]
      : (tensor<8x249x256xf32>, tensor<8x249x51x256xf32>) -> tensor<8x249x51xf32>
  %1 = stablehlo.dot_general %0, %x, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2]
      : (tensor<8x249x51xf32>, tensor<8x249x51x256xf32>) -> tensor<8x249x256xf32>
  return %0, %1 : tensor<8x249x51xf32>, tensor<8x249x256xf32>
}

// A cache of an argument lies as it does: sums would have it turned. An algorithm that rounds nothing is no reason for
// the matrix unit.
// CHECK-LABEL: @part_of_argument
// CHECK: stablehlo.dot_general
// CHECK: stablehlo.reduce({{.*}} : (tensor<512x8x256xf32>, tensor<f32>) -> tensor<512x8xf32>
func.func @part_of_argument(%q: tensor<8x64xf32>, %c: tensor<6x8x1500x64xf32>, %i: tensor<i32>, %u: tensor<512x256xf32>,
    %v: tensor<512x8x256xf32>) -> (tensor<8x1500xf32>, tensor<512x8xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %c, %i, %zero, %zero, %zero, sizes = [1, 8, 1500, 64]
      : (tensor<6x8x1500x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x1500x64xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x8x1500x64xf32>) -> tensor<8x1500x64xf32>
  %2 = stablehlo.dot_general %q, %1, batching_dims = [0] x [0], contracting_dims = [1] x [2]
      : (tensor<8x64xf32>, tensor<8x1500x64xf32>) -> tensor<8x1500xf32>
  %3 = stablehlo.dot_general %u, %v, batching_dims = [0] x [0], contracting_dims = [1] x [2],
      algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32,
      lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1,
      allow_imprecise_accumulation = false> : (tensor<512x256xf32>, tensor<512x8x256xf32>) -> tensor<512x8xf32>
  return %2, %3 : tensor<8x1500xf32>, tensor<512x8xf32>
}

// Batches of which the last has few: with it along lanes most of them would be idle, and arrays around have no such
// order.
// CHECK-LABEL: @few_in_last_batch
// CHECK: stablehlo.dot_general
func.func @few_in_last_batch(%x: tensor<8x8x32x16x16xf32>) -> tensor<8x8x32x16x16xf32> {
  %0 = stablehlo.dot_general %x, %x, batching_dims = [0, 1, 2] x [0, 1, 2], contracting_dims = [4] x [3]
      : (tensor<8x8x32x16x16xf32>, tensor<8x8x32x16x16xf32>) -> tensor<8x8x32x16x16xf32>
  return %0 : tensor<8x8x32x16x16xf32>
}

// What is contracted fills lanes, where sums of it stay: with the batch there nothing else would follow.
// CHECK-LABEL: @full_lanes
// CHECK: stablehlo.dot_general
func.func @full_lanes(%x: tensor<256x20x200xf32>, %y: tensor<256x200x20xf32>) -> tensor<256x20x20xf32> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<256x20x200xf32>, tensor<256x200x20xf32>) -> tensor<256x20x20xf32>
  return %0 : tensor<256x20x20xf32>
}

// Each of 16 sums together takes half a load a product.
// CHECK-LABEL: @of_64
// CHECK-NOT: stablehlo.dot_general
func.func @of_64(%x: tensor<1024x64x64xf32>, %y: tensor<1024x64x64xf32>) -> tensor<1024x64x64xf32> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<1024x64x64xf32>, tensor<1024x64x64xf32>) -> tensor<1024x64x64xf32>
  return %0 : tensor<1024x64x64xf32>
}
