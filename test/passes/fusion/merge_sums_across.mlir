// RUN: tpuc-opt %s --tpuc-fuse-kernels=target=v4 --tpuc-merge-kernels=target=v4 | FileCheck %s
// RUN: tpuc-opt %s --tpuc-fuse-kernels=target=v5e --tpuc-merge-kernels=target=v5e | FileCheck %s --check-prefix=ROOM

// Averages of the squares' rows and columns, as Adafactor has them: together they need whole matrices of 16 MiB, twice.
// That fits in v5e's VMEM, not in v4's.
// CHECK-COUNT-2: kernel.fusion "loop"(%{{.*}} : {{.*}}) -> tensor<12x{{(1024|4096)}}xf32>
// ROOM: kernel.fusion "loop"(%{{.*}} : {{.*}}) -> tensor<12x1024xf32>, tensor<12x4096xf32>
// ROOM-NOT: kernel.fusion
func.func @main(%g: tensor<12x1024x4096xf32>, %r: tensor<12x1024xf32>, %c: tensor<12x4096xf32>)
    -> (tensor<12x1024xf32>, tensor<12x4096xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.multiply %g, %g : tensor<12x1024x4096xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<12x1024x4096xf32>, tensor<f32>) -> tensor<12x1024xf32>
  %2 = stablehlo.add %r, %1 : tensor<12x1024xf32>
  %3 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<12x1024x4096xf32>, tensor<f32>) -> tensor<12x4096xf32>
  %4 = stablehlo.add %c, %3 : tensor<12x4096xf32>
  return %2, %4 : tensor<12x1024xf32>, tensor<12x4096xf32>
}
