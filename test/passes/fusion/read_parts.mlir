// RUN: tpuc-opt %s --split-input-file --tpuc-fuse-kernels | FileCheck %s

// A rotary embedding: halves of rows turned, and put together again. Each half is seen from the whole row: x itself,
// and x moved by half of its 64 lanes to either side. Which half a lane is of is its position.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<256x64xf32>
// CHECK: kernel.fusion "loop"({{.*}}%[[X]],
// CHECK-DAG: stablehlo.pad %{{.*}}, low = [0, -32], high = [0, 32]
// CHECK-DAG: stablehlo.pad %{{.*}}, low = [0, 32], high = [0, -32]
// CHECK: stablehlo.iota dim = 1 : tensor<256x64xi32>
// CHECK: stablehlo.select
// CHECK-NEXT: kernel.yield {{.*}} : tensor<256x64xf32>
// CHECK-NOT: kernel.fusion
func.func @main(%x: tensor<256x64xf32>, %c: tensor<256x32xf32>, %s: tensor<256x32xf32>) -> tensor<256x64xf32> {
  %a = stablehlo.slice %x [0:256, 0:32] : (tensor<256x64xf32>) -> tensor<256x32xf32>
  %b = stablehlo.slice %x [0:256, 32:64] : (tensor<256x64xf32>) -> tensor<256x32xf32>
  %0 = stablehlo.multiply %a, %c : tensor<256x32xf32>
  %1 = stablehlo.multiply %b, %s : tensor<256x32xf32>
  %2 = stablehlo.subtract %0, %1 : tensor<256x32xf32>
  %3 = stablehlo.multiply %b, %c : tensor<256x32xf32>
  %4 = stablehlo.multiply %a, %s : tensor<256x32xf32>
  %5 = stablehlo.add %3, %4 : tensor<256x32xf32>
  %6 = stablehlo.concatenate %2, %5, dim = 1 : (tensor<256x32xf32>, tensor<256x32xf32>) -> tensor<256x64xf32>
  return %6 : tensor<256x64xf32>
}

// -----

// What an elementary function makes is not made again for other lanes: it is an array, of which the loop reads a
// view.
// CHECK-LABEL: func.func @main
// CHECK: stablehlo.tanh {{.*}} : tensor<256x32xf32>
// CHECK: stablehlo.pad {{.*}} -> tensor<256x64xf32>
func.func @main(%x: tensor<256x32xf32>, %y: tensor<256x32xf32>) -> tensor<256x64xf32> {
  %0 = stablehlo.tanh %x : tensor<256x32xf32>
  %1 = stablehlo.concatenate %0, %y, dim = 1 : (tensor<256x32xf32>, tensor<256x32xf32>) -> tensor<256x64xf32>
  return %1 : tensor<256x64xf32>
}

// -----

// Parts of whole tiles are runs of a transfer, and so are rows; predicates have no views; a slice of a leading dim that
// a view would move beside lanes stays one; of many parts each would be evaluated everywhere.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-5: stablehlo.concatenate
// CHECK-NOT: stablehlo.select
func.func @main(%x: tensor<256x128xf32>, %p: tensor<256x32xi1>, %z: tensor<4x32x40xf32>, %r: tensor<13x40xf32>,
    %m: tensor<2048x20xf32>)
    -> (tensor<256x256xf32>, tensor<26x40xf32>, tensor<256x64xi1>, tensor<2x32x80xf32>, tensor<2048x240xf32>) {
  %0 = stablehlo.concatenate %x, %x, dim = 1 : (tensor<256x128xf32>, tensor<256x128xf32>) -> tensor<256x256xf32>
  %1 = stablehlo.concatenate %r, %r, dim = 0 : (tensor<13x40xf32>, tensor<13x40xf32>) -> tensor<26x40xf32>
  %2 = stablehlo.concatenate %p, %p, dim = 1 : (tensor<256x32xi1>, tensor<256x32xi1>) -> tensor<256x64xi1>
  %3 = stablehlo.slice %z [1:3, 0:32, 0:40] : (tensor<4x32x40xf32>) -> tensor<2x32x40xf32>
  %4 = stablehlo.concatenate %3, %3, dim = 2 : (tensor<2x32x40xf32>, tensor<2x32x40xf32>) -> tensor<2x32x80xf32>
  %5 = stablehlo.concatenate %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, dim = 1
      : (tensor<2048x20xf32>, tensor<2048x20xf32>, tensor<2048x20xf32>, tensor<2048x20xf32>, tensor<2048x20xf32>,
         tensor<2048x20xf32>, tensor<2048x20xf32>, tensor<2048x20xf32>, tensor<2048x20xf32>, tensor<2048x20xf32>,
         tensor<2048x20xf32>, tensor<2048x20xf32>) -> tensor<2048x240xf32>
  return %0, %1, %2, %4, %5
      : tensor<256x256xf32>, tensor<26x40xf32>, tensor<256x64xi1>, tensor<2x32x80xf32>, tensor<2048x240xf32>
}

// -----

// A pad of a slice is another view of its array, low - start on one side and high - what the slice cuts off on the
// other, and a mask where the array has elements that the slice had not: rows 3 to 190 of 200 behind 7 are the array's
// from -4 on.
// CHECK-LABEL: func.func @main
// CHECK: stablehlo.pad %{{.*}}, %{{.*}}, low = [4, -4], high = [-1, 90], interior = [0, 0]
// CHECK-COUNT-4: stablehlo.select
// CHECK: kernel.yield
// CHECK-NOT: kernel.fusion
func.func @main(%x: tensor<200x300xf32>) -> tensor<203x386xf32> {
  %v = stablehlo.constant dense<-1.0> : tensor<f32>
  %0 = stablehlo.slice %x [3:190, 5:290] : (tensor<200x300xf32>) -> tensor<187x285xf32>
  %1 = stablehlo.pad %0, %v, low = [7, 1], high = [9, 100], interior = [0, 0]
      : (tensor<187x285xf32>, tensor<f32>) -> tensor<203x386xf32>
  return %1 : tensor<203x386xf32>
}
