// RUN: tpuc-opt %s --tpuc-fuse-kernels=set=core.vmem_bytes=16777216 | FileCheck %s --check-prefix=SMALL
// RUN: tpuc-opt %s --tpuc-fuse-kernels | FileCheck %s --check-prefix=LARGE
// RUN: tpuc compile %s --target=v4 -o %t.tpuc
// Lanes that are reduced stay whole, and rows under a tile take all of it: 4 x 8 x 40064 x 4 bytes of %x, 4 x 32 x
// 40064 of %p, two blocks of each are
// 20.5 million. Without the padding they would be 6.4.
// SMALL-LABEL: func.func @main
// SMALL: kernel.fusion "loop"{{.*}} -> tensor<4x40000xf32>
// SMALL: kernel.fusion "loop"{{.*}} -> tensor<i1>
// LARGE-LABEL: func.func @main
// LARGE: kernel.fusion
// LARGE-NOT: kernel.fusion
func.func @main(%x: tensor<4x4x40000xf32>, %p: tensor<4x4x40000xi1>) -> tensor<i1> {
  %none = stablehlo.constant dense<0.0> : tensor<4x4x40000xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %kept = stablehlo.select %p, %x, %none : tensor<4x4x40000xi1>, tensor<4x4x40000xf32>
  %rows = stablehlo.reduce(%kept init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<4x4x40000xf32>, tensor<f32>) -> tensor<4x40000xf32>
  %sums = stablehlo.reduce(%rows init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<4x40000xf32>, tensor<f32>) -> tensor<40000xf32>
  %few = stablehlo.constant dense<1.0> : tensor<40000xf32>
  %many = stablehlo.compare LT, %few, %sums : (tensor<40000xf32>, tensor<40000xf32>) -> tensor<40000xi1>
  %any = stablehlo.reduce(%many init: %false) applies stablehlo.or across dimensions = [0]
      : (tensor<40000xi1>, tensor<i1>) -> tensor<i1>
  return %any : tensor<i1>
}
