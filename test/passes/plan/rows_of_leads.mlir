// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5e | FileCheck %s

// Eight sequences of 512 rows, and an epilogue of 24 ops one after the other: a result is stored some 50 cycles after
// it was popped, once for each loop over rows. Blocks of 128 rows of all sequences would have 8 loops of 8 units of 16
// rows a tile; blocks of all rows of two have 2 loops of 32.
// CHECK: kernel.plan<grid [parallel d0 = 8 by 2, parallel d2 = 512 by 512,
// CHECK-SAME: pops_among_pushes
module {
  func.func @main(%x: tensor<8x512x1024xbf16>, %w: tensor<1024x4096xbf16>) -> tensor<8x512x4096xbf16> {
    %0 = kernel.fusion "dot"(%x, %w : tensor<8x512x1024xbf16>, tensor<1024x4096xbf16>) -> tensor<8x512x4096xbf16> {
    ^bb0(%a: tensor<8x512x1024xbf16>, %b: tensor<1024x4096xbf16>):
      %1 = stablehlo.dot_general %a, %b, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT]
          : (tensor<8x512x1024xbf16>, tensor<1024x4096xbf16>) -> tensor<8x512x4096xbf16>
      %2 = stablehlo.multiply %1, %1 : tensor<8x512x4096xbf16>
      %3 = stablehlo.add %2, %1 : tensor<8x512x4096xbf16>
      %4 = stablehlo.multiply %3, %1 : tensor<8x512x4096xbf16>
      %5 = stablehlo.add %4, %1 : tensor<8x512x4096xbf16>
      %6 = stablehlo.multiply %5, %1 : tensor<8x512x4096xbf16>
      %7 = stablehlo.add %6, %1 : tensor<8x512x4096xbf16>
      %8 = stablehlo.multiply %7, %1 : tensor<8x512x4096xbf16>
      %9 = stablehlo.add %8, %1 : tensor<8x512x4096xbf16>
      %10 = stablehlo.multiply %9, %1 : tensor<8x512x4096xbf16>
      %11 = stablehlo.add %10, %1 : tensor<8x512x4096xbf16>
      %12 = stablehlo.multiply %11, %1 : tensor<8x512x4096xbf16>
      %13 = stablehlo.add %12, %1 : tensor<8x512x4096xbf16>
      %14 = stablehlo.multiply %13, %1 : tensor<8x512x4096xbf16>
      %15 = stablehlo.add %14, %1 : tensor<8x512x4096xbf16>
      %16 = stablehlo.multiply %15, %1 : tensor<8x512x4096xbf16>
      %17 = stablehlo.add %16, %1 : tensor<8x512x4096xbf16>
      %18 = stablehlo.multiply %17, %1 : tensor<8x512x4096xbf16>
      %19 = stablehlo.add %18, %1 : tensor<8x512x4096xbf16>
      %20 = stablehlo.multiply %19, %1 : tensor<8x512x4096xbf16>
      %21 = stablehlo.add %20, %1 : tensor<8x512x4096xbf16>
      %22 = stablehlo.multiply %21, %1 : tensor<8x512x4096xbf16>
      %23 = stablehlo.add %22, %1 : tensor<8x512x4096xbf16>
      %24 = stablehlo.multiply %23, %1 : tensor<8x512x4096xbf16>
      %25 = stablehlo.add %24, %1 : tensor<8x512x4096xbf16>
      kernel.yield %25 : tensor<8x512x4096xbf16>
    }
    return %0 : tensor<8x512x4096xbf16>
  }
}
