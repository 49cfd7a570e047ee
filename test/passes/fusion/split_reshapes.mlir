// RUN: tpuc-opt %s --tpuc-fuse-kernels | FileCheck %s

// A word an element: each row's pieces of 128 lanes lie in the line one after the other.
// CHECK-LABEL: @ragged_words
// CHECK-NEXT: kernel.fusion "copy"(%arg0 : tensor<1003x701xf32>) -> tensor<703103xf32>
func.func @ragged_words(%x: tensor<1003x701xf32>) -> tensor<703103xf32> {
  %0 = stablehlo.reshape %x : (tensor<1003x701xf32>) -> tensor<703103xf32>
  return %0 : tensor<703103xf32>
}

// CHECK-LABEL: @other_rows
// CHECK: kernel.fusion "copy"(%arg0 : tensor<703x501xf32>) -> tensor<352203xf32>
// CHECK: kernel.fusion "copy"(%{{.*}} : tensor<352203xf32>) -> tensor<501x703xf32>
func.func @other_rows(%x: tensor<703x501xf32>) -> tensor<501x703xf32> {
  %0 = stablehlo.reshape %x : (tensor<703x501xf32>) -> tensor<501x703xf32>
  return %0 : tensor<501x703xf32>
}

// Rows of two share a word; where a row of the one is no row of the other, each element would be a run of its own.
// CHECK-LABEL: @halves
// CHECK: kernel.fusion "loop"(%arg0 : tensor<256x1024xbf16>) -> tensor<256x1024xf32>
// CHECK: kernel.fusion "copy"(%{{.*}} : tensor<256x1024xf32>) -> tensor<262144xf32>
// CHECK: kernel.fusion "loop"(%{{.*}} : tensor<262144xf32>) -> tensor<262144xbf16>
func.func @halves(%x: tensor<256x1024xbf16>) -> tensor<262144xbf16> {
  %0 = stablehlo.reshape %x : (tensor<256x1024xbf16>) -> tensor<262144xbf16>
  return %0 : tensor<262144xbf16>
}

// CHECK-LABEL: @bits
// CHECK: kernel.fusion "loop"(%arg0 : tensor<703103xi1>) -> tensor<703103xi32>
// CHECK: kernel.fusion "copy"(%{{.*}} : tensor<703103xi32>) -> tensor<1003x701xi32>
// CHECK: kernel.fusion "loop"(%{{.*}} : tensor<1003x701xi32>) -> tensor<1003x701xi1>
func.func @bits(%x: tensor<703103xi1>) -> tensor<1003x701xi1> {
  %0 = stablehlo.reshape %x : (tensor<703103xi1>) -> tensor<1003x701xi1>
  return %0 : tensor<1003x701xi1>
}

// Whole words move where rows stay rows, and few elements go one by one.
// CHECK-LABEL: @as_they_are
// CHECK-NEXT: kernel.fusion "copy"(%arg0 : tensor<40x24x1024xbf16>) -> tensor<960x1024xbf16>
// CHECK: kernel.fusion "copy"(%arg1 : tensor<8x128xbf16>) -> tensor<1024xbf16>
func.func @as_they_are(%x: tensor<40x24x1024xbf16>, %y: tensor<8x128xbf16>)
    -> (tensor<960x1024xbf16>, tensor<1024xbf16>) {
  %0 = stablehlo.reshape %x : (tensor<40x24x1024xbf16>) -> tensor<960x1024xbf16>
  %1 = stablehlo.reshape %y : (tensor<8x128xbf16>) -> tensor<1024xbf16>
  return %0, %1 : tensor<960x1024xbf16>, tensor<1024xbf16>
}

// 2, then 7 against 4 / 2: what rows of both cut repeats every seven pieces.
// CHECK-LABEL: @repeats
// CHECK-NEXT: kernel.fusion "copy"(%arg0 : tensor<70x16x7x2xui32>) -> tensor<3920x4xui32>
func.func @repeats(%x: tensor<70x16x7x2xui32>) -> tensor<3920x4xui32> {
  %0 = stablehlo.reshape %x : (tensor<70x16x7x2xui32>) -> tensor<3920x4xui32>
  return %0 : tensor<3920x4xui32>
}

// Nothing moves.
// CHECK-LABEL: @nothing
// CHECK-NEXT: kernel.fusion "copy"(%arg0 : tensor<0x5xf32>) -> tensor<5x0xf32>
func.func @nothing(%x: tensor<0x5xf32>) -> tensor<5x0xf32> {
  %0 = stablehlo.reshape %x : (tensor<0x5xf32>) -> tensor<5x0xf32>
  return %0 : tensor<5x0xf32>
}
