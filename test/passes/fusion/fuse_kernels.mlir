// RUN: tpuc-opt %s --tpuc-fuse-kernels | FileCheck %s

// A matmul with its bias and activation: one kernel, and the constant inside of it.
// CHECK-LABEL: @epilogue
// CHECK: %[[K:.*]] = kernel.fusion "dot"(%arg0, %arg1, %arg2
// CHECK: stablehlo.dot_general
// CHECK: stablehlo.broadcast_in_dim
// CHECK: stablehlo.add
// CHECK: %[[MAX:.*]] = stablehlo.maximum
// CHECK: kernel.yield %[[MAX]]
// CHECK: return %[[K]]
func.func @epilogue(%x: tensor<64x128xf32>, %w: tensor<128x256xf32>, %b: tensor<256xf32>) -> tensor<64x256xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<64x256xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x128xf32>, tensor<128x256xf32>)
      -> tensor<64x256xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<256xf32>) -> tensor<64x256xf32>
  %2 = stablehlo.add %0, %1 : tensor<64x256xf32>
  %3 = stablehlo.maximum %2, %zero : tensor<64x256xf32>
  return %3 : tensor<64x256xf32>
}

// Two reductions over rows that stay in VMEM: one pass over HBM.
// CHECK-LABEL: @softmax
// CHECK: kernel.fusion "loop"(%arg0 : tensor<64x128xf32>) -> tensor<64x128xf32>
// CHECK: stablehlo.reduce
// CHECK: stablehlo.exponential
// CHECK: stablehlo.reduce
// CHECK: stablehlo.divide
// CHECK-NOT: kernel.fusion
// CHECK: return
func.func @softmax(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1]
      : (tensor<64x128xf32>, tensor<f32>) -> tensor<64xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<64xf32>) -> tensor<64x128xf32>
  %d = stablehlo.subtract %x, %mb : tensor<64x128xf32>
  %e = stablehlo.exponential %d : tensor<64x128xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<64x128xf32>, tensor<f32>) -> tensor<64xf32>
  %tb = stablehlo.broadcast_in_dim %t, dims = [0] : (tensor<64xf32>) -> tensor<64x128xf32>
  %p = stablehlo.divide %e, %tb : tensor<64x128xf32>
  return %p : tensor<64x128xf32>
}

// A result that no kernel writes gets one that copies it.
// CHECK-LABEL: @argument
// CHECK: %[[COPY:.*]] = kernel.fusion "loop"(%arg0
// CHECK: return %[[COPY]]
func.func @argument(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// Reshapes that move nothing: leading dims join, whole tiles of rows do, a vector of whole tiles is rows of 128.
// CHECK-LABEL: @views
// CHECK: kernel.view %arg0 : tensor<2x3x12x130xf32> -> tensor<6x12x130xf32>
// CHECK: kernel.view %arg1 : tensor<4x64x128xf32> -> tensor<256x128xf32>
// CHECK: kernel.view %arg2 : tensor<4096xbf16> -> tensor<32x128xbf16>
// CHECK-NOT: kernel.fusion
// CHECK: return
func.func @views(%x: tensor<2x3x12x130xf32>, %y: tensor<4x64x128xf32>, %z: tensor<4096xbf16>)
    -> (tensor<6x12x130xf32>, tensor<256x128xf32>, tensor<32x128xbf16>) {
  %0 = stablehlo.reshape %x : (tensor<2x3x12x130xf32>) -> tensor<6x12x130xf32>
  %1 = stablehlo.reshape %y : (tensor<4x64x128xf32>) -> tensor<256x128xf32>
  %2 = stablehlo.reshape %z : (tensor<4096xbf16>) -> tensor<32x128xbf16>
  return %0, %1, %2 : tensor<6x12x130xf32>, tensor<256x128xf32>, tensor<32x128xbf16>
}

// Rows of 12 do not fill tiles of 8.
// CHECK-LABEL: @ragged
// CHECK: kernel.fusion "copy"
func.func @ragged(%x: tensor<2x12x128xf32>) -> tensor<24x128xf32> {
  %0 = stablehlo.reshape %x : (tensor<2x12x128xf32>) -> tensor<24x128xf32>
  return %0 : tensor<24x128xf32>
}

// Positions that are constants stand in the kernel.
// CHECK-LABEL: @position
// CHECK: kernel.fusion "copy"(%arg0, %arg1 : tensor<8x64xf32>, tensor<i32>)
// CHECK-NOT: kernel.fusion
// CHECK: return
func.func @position(%x: tensor<8x64xf32>, %i: tensor<i32>) -> tensor<1x64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %x, %i, %zero, sizes = [1, 64] : (tensor<8x64xf32>, tensor<i32>, tensor<i32>)
      -> tensor<1x64xf32>
  return %0 : tensor<1x64xf32>
}

// Sines of 128 positions are 16 vregs; for 2 x 8 heads each, 256: an array of their own. A row's length leads back to
// the row: it stays.
// CHECK-LABEL: @table
// CHECK: %[[SINES:.*]] = kernel.fusion "loop"() -> tensor<128x32xf32>
// CHECK: stablehlo.sine
// CHECK: kernel.fusion "loop"(%[[SINES]], %arg0 :
// CHECK-NOT: stablehlo.sine
// CHECK: return
func.func @table(%x: tensor<2x128x8x32xf32>) -> tensor<2x128x8x32xf32> {
  %i = stablehlo.iota dim = 0 : tensor<128x32xf32>
  %s = stablehlo.sine %i : tensor<128x32xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [1, 3] : (tensor<128x32xf32>) -> tensor<2x128x8x32xf32>
  %y = stablehlo.multiply %x, %b : tensor<2x128x8x32xf32>
  return %y : tensor<2x128x8x32xf32>
}

// CHECK-LABEL: @row_length
// CHECK: kernel.fusion "loop"(%arg0 : tensor<4096x128xf32>) -> tensor<4096x128xf32>
// CHECK-NOT: kernel.fusion
// CHECK: return
func.func @row_length(%x: tensor<4096x128xf32>) -> tensor<4096x128xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<4096x128xf32>, tensor<f32>) -> tensor<4096xf32>
  %e = stablehlo.exponential %t : tensor<4096xf32>
  %b = stablehlo.broadcast_in_dim %e, dims = [0] : (tensor<4096xf32>) -> tensor<4096x128xf32>
  %y = stablehlo.multiply %x, %b : tensor<4096x128xf32>
  return %y : tensor<4096x128xf32>
}

// Slices of whole tiles, and of lanes within one, are read where they lie.
// CHECK-LABEL: @slices
// CHECK: kernel.fusion "loop"(%arg0 : tensor<16x256xf32>) -> tensor<16x64xf32>
// CHECK-COUNT-2: stablehlo.slice
// CHECK-NOT: kernel.fusion
// CHECK: return
func.func @slices(%x: tensor<16x256xf32>) -> tensor<16x64xf32> {
  %0 = stablehlo.slice %x [0:16, 128:192] : (tensor<16x256xf32>) -> tensor<16x64xf32>
  %1 = stablehlo.slice %x [0:16, 32:96] : (tensor<16x256xf32>) -> tensor<16x64xf32>
  %2 = stablehlo.add %0, %1 : tensor<16x64xf32>
  return %2 : tensor<16x64xf32>
}

// Lanes 100 to 164 are in two tiles and shuffled where they are read; row 3 is not a tile's first: rows of 32 bits are
// loaded from where they begin.
// CHECK-LABEL: @across
// CHECK: kernel.fusion "loop"
// CHECK: stablehlo.slice {{.*}} [0:8, 100:164]
// CHECK: stablehlo.slice {{.*}} [3:11, 0:64]
// CHECK-NOT: kernel.fusion
func.func @across(%x: tensor<16x256xf32>) -> tensor<8x64xf32> {
  %0 = stablehlo.slice %x [0:8, 100:164] : (tensor<16x256xf32>) -> tensor<8x64xf32>
  %1 = stablehlo.slice %x [3:11, 0:64] : (tensor<16x256xf32>) -> tensor<8x64xf32>
  %2 = stablehlo.add %0, %1 : tensor<8x64xf32>
  return %2 : tensor<8x64xf32>
}

// One number for two operands whose second dims are not the same: it ties nothing.
// CHECK-LABEL: @shared_number
// CHECK: kernel.fusion "loop"(%arg0, %arg1 : tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK: stablehlo.reduce
// CHECK-NOT: kernel.fusion
// CHECK: return
func.func @shared_number(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %c = stablehlo.constant dense<2.0> : tensor<8x8xf32>
  %0 = stablehlo.maximum %x, %c : tensor<8x8xf32>
  %1 = stablehlo.maximum %y, %c : tensor<8x8xf32>
  %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x8xf32>
  %3 = stablehlo.broadcast_in_dim %1, dims = [0, 2] : (tensor<8x8xf32>) -> tensor<8x8x8xf32>
  %4 = stablehlo.multiply %2, %3 : tensor<8x8x8xf32>
  %5 = stablehlo.reduce(%4 init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<8x8x8xf32>, tensor<f32>) -> tensor<8x8xf32>
  return %5 : tensor<8x8xf32>
}

// What windows slide over is an array, of one number too; what they start from stays a number. An equal array that is
// added later is none.
// CHECK-LABEL: @window_of_one_number
// CHECK: %[[ONES:.*]] = kernel.fusion "loop"() -> tensor<9x4xf32>
// CHECK: kernel.fusion "window"(%[[ONES]], %arg0 : tensor<9x4xf32>, tensor<9x4xf32>)
// CHECK: stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK: stablehlo.constant dense<1.000000e+00> : tensor<9x4xf32>
// CHECK: "stablehlo.reduce_window"
func.func @window_of_one_number(%x: tensor<9x4xf32>) -> tensor<9x4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %ones = stablehlo.constant dense<1.0> : tensor<9x4xf32>
  %0 = "stablehlo.reduce_window"(%ones, %zero) <{window_dimensions = array<i64: 3, 1>, padding = dense<[[1, 1], [0,
      0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<9x4xf32>, tensor<f32>) -> tensor<9x4xf32>
  %1 = stablehlo.add %0, %x : tensor<9x4xf32>
  %2 = stablehlo.multiply %1, %ones : tensor<9x4xf32>
  %3 = stablehlo.subtract %2, %ones : tensor<9x4xf32>
  return %3 : tensor<9x4xf32>
}

// Two reductions walk the scores, so that a loop would scale and mask each of them twice: the matmul does it as they
// leave.
// CHECK-LABEL: @scores
// CHECK: %[[S:.*]] = kernel.fusion "dot"(%arg0, %arg1
// CHECK: stablehlo.dot_general
// CHECK: stablehlo.multiply
// CHECK: stablehlo.select
// CHECK: kernel.fusion "loop"(%[[S]] : tensor<64x256xf32>)
// CHECK-NOT: stablehlo.multiply
// CHECK-NOT: stablehlo.select
// CHECK: stablehlo.reduce
// CHECK: return
func.func @scores(%x: tensor<64x128xf32>, %w: tensor<128x256xf32>) -> tensor<64x256xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %scale = stablehlo.constant dense<0.3> : tensor<64x256xf32>
  %none = stablehlo.constant dense<-1.0e30> : tensor<64x256xf32>
  %row = stablehlo.iota dim = 0 : tensor<64x256xi32>
  %column = stablehlo.iota dim = 1 : tensor<64x256xi32>
  %seen = stablehlo.compare GE, %row, %column : (tensor<64x256xi32>, tensor<64x256xi32>) -> tensor<64x256xi1>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x128xf32>, tensor<128x256xf32>)
      -> tensor<64x256xf32>
  %1 = stablehlo.multiply %0, %scale : tensor<64x256xf32>
  %2 = stablehlo.select %seen, %1, %none : tensor<64x256xi1>, tensor<64x256xf32>
  %m = stablehlo.reduce(%2 init: %low) applies stablehlo.maximum across dimensions = [1]
      : (tensor<64x256xf32>, tensor<f32>) -> tensor<64xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<64xf32>) -> tensor<64x256xf32>
  %d = stablehlo.subtract %2, %mb : tensor<64x256xf32>
  %e = stablehlo.exponential %d : tensor<64x256xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<64x256xf32>, tensor<f32>) -> tensor<64xf32>
  %tb = stablehlo.broadcast_in_dim %t, dims = [0] : (tensor<64xf32>) -> tensor<64x256xf32>
  %p = stablehlo.divide %e, %tb : tensor<64x256xf32>
  return %p : tensor<64x256xf32>
}

// A concatenation takes slices from where they lie: a roll is one kernel.
// CHECK-LABEL: @rolled
// CHECK: kernel.fusion "copy"(%arg0 : tensor<100x128xf32>) -> tensor<100x128xf32>
// CHECK: stablehlo.slice
// CHECK: stablehlo.slice
// CHECK: stablehlo.concatenate
// CHECK-NOT: kernel.fusion
// CHECK: return
func.func @rolled(%x: tensor<100x128xf32>) -> tensor<100x128xf32> {
  %0 = stablehlo.slice %x [99:100, 0:128] : (tensor<100x128xf32>) -> tensor<1x128xf32>
  %1 = stablehlo.slice %x [0:99, 0:128] : (tensor<100x128xf32>) -> tensor<99x128xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x128xf32>, tensor<99x128xf32>) -> tensor<100x128xf32>
  return %2 : tensor<100x128xf32>
}

// Two rows of bf16 share a word: a loop reads them where they lie, and selects.
// CHECK-LABEL: @packed
// CHECK: kernel.fusion "loop"(%arg0 : tensor<40000x128xbf16>) -> tensor<40000x128xbf16>
// CHECK: %[[LAST:.*]] = stablehlo.pad %{{.*}}, low = [-39999, 0], high = [39999, 0]
// CHECK: %[[OTHERS:.*]] = stablehlo.pad %{{.*}}, low = [1, 0], high = [-1, 0]
// CHECK: %[[FIRST:.*]] = stablehlo.compare LT
// CHECK: stablehlo.select %[[FIRST]], %[[LAST]], %[[OTHERS]]
// CHECK-NOT: kernel.fusion
func.func @packed(%x: tensor<40000x128xbf16>) -> tensor<40000x128xbf16> {
  %0 = stablehlo.slice %x [39999:40000, 0:128] : (tensor<40000x128xbf16>) -> tensor<1x128xbf16>
  %1 = stablehlo.slice %x [0:39999, 0:128] : (tensor<40000x128xbf16>) -> tensor<39999x128xbf16>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x128xbf16>, tensor<39999x128xbf16>) -> tensor<40000x128xbf16>
  return %2 : tensor<40000x128xbf16>
}

// A reshape that two kernels have leaves neither of them. The second reads rows of one element then, as it writes them:
// rows of 21 lanes have another order.
// CHECK-LABEL: @shared
// CHECK: kernel.fusion "loop"(%{{.*}} : tensor<10x4x21x1xi32>, tensor<4x10xi32>) -> tensor<4x21x1xi32>
func.func @shared(%x: tensor<4x10x21xi32>, %b: tensor<4x10xi32>) -> (tensor<4xi32>, tensor<4x21x1xi32>) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %a = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<4x10x21xi32>) -> tensor<10x4x21xi32>
  %16 = stablehlo.reshape %a : (tensor<10x4x21xi32>) -> tensor<10x4x21x1xi32>
  %23 = stablehlo.reshape %16 : (tensor<10x4x21x1xi32>) -> tensor<10x4x21xi32>
  %24 = stablehlo.reduce(%23 init: %c) applies stablehlo.add across dimensions = [0, 2]
      : (tensor<10x4x21xi32>, tensor<i32>) -> tensor<4xi32>
  %17 = stablehlo.reshape %16 : (tensor<10x4x21x1xi32>) -> tensor<10x4x21xi32>
  %18 = stablehlo.transpose %b, dims = [1, 0] : (tensor<4x10xi32>) -> tensor<10x4xi32>
  %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<10x4xi32>) -> tensor<10x4x21xi32>
  %20 = stablehlo.multiply %17, %19 : tensor<10x4x21xi32>
  %21 = stablehlo.reduce(%20 init: %c) applies stablehlo.add across dimensions = [0]
      : (tensor<10x4x21xi32>, tensor<i32>) -> tensor<4x21xi32>
  %22 = stablehlo.reshape %21 : (tensor<4x21xi32>) -> tensor<4x21x1xi32>
  return %24, %22 : tensor<4xi32>, tensor<4x21x1xi32>
}

// -----

// What a kernel reverses along sublanes is an array for the transpose of leading dims behind it: a loop too, not a copy
// of two bytes at a time.
// CHECK-LABEL: @reversed_and_transposed
// CHECK: kernel.fusion "loop"
// CHECK: stablehlo.reverse
// CHECK: kernel.fusion "loop"
// CHECK: stablehlo.transpose
func.func @reversed_and_transposed(%x: tensor<64x32x512xbf16>) -> tensor<32x64x512xbf16> {
  %0 = stablehlo.reverse %x, dims = [1] : tensor<64x32x512xbf16>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<64x32x512xbf16>) -> tensor<32x64x512xbf16>
  return %1 : tensor<32x64x512xbf16>
}
