// RUN: tpuc-opt %s --split-input-file --tpuc-plan-kernels=target=v5e --tpuc-lower-kernels=target=v5e | FileCheck %s

// Rows behind b are nobody's: of 8192 rows in steps of 512 those are computed that hold some of the first b.
// (b + 511) / 512, at most 16.
// CHECK-LABEL: tpu.routine @k0
// CHECK: %[[B:.*]] = tpu.inst "s.ldw"(%{{.*}}) : (i64) -> i64
// CHECK: %[[UP:.*]] = arith.addi %[[B]], %c511_i64
// CHECK: arith.shrui %{{.*}}, %c9_i64
// CHECK: arith.minsi %{{.*}}, %c16_i64
// CHECK: arith.cmpi sgt
// CHECK: scf.if
// CHECK: scf.for
// CHECK: tpu.return
func.func @main(%x: tensor<8192x1024xf32>, %n: tensor<i32> {shapes.extent = "b"})
    -> (tensor<8192x1024xf32> {shapes.dims = ["b", "1024"]}) {
  %0 = kernel.fusion "loop"(%x : tensor<8192x1024xf32>) -> tensor<8192x1024xf32> {
  ^bb0(%a: tensor<8192x1024xf32>):
    %1 = stablehlo.tanh %a : tensor<8192x1024xf32>
    kernel.yield %1 : tensor<8192x1024xf32>
  }
  return %0 : tensor<8192x1024xf32>
}

// -----

// A sum masked behind b reads its operand before b alone: the kernel that makes it ends there. So does the sum, whose
// first step is taken all the same. Of arrays as long as 2 * b + 1 so many are computed.
// CHECK-LABEL: tpu.routine @k0
// CHECK: "s.ldw"
// CHECK: tpu.return
// CHECK-LABEL: tpu.routine @k1
// CHECK: "s.ldw"
// CHECK: arith.maxsi %{{.*}}, %c1_i64
// CHECK: scf.for
// CHECK: tpu.return
// CHECK-LABEL: tpu.routine @k2
// CHECK: %[[B:.*]] = tpu.inst "s.ldw"
// CHECK: %[[TWO:.*]] = arith.muli %[[B]], %c2_i64
// 1 + 511
// CHECK: arith.addi %[[TWO]], %c512_i64
// CHECK: tpu.return
func.func @main(%x: tensor<8192x1024xf32>, %n: tensor<i32> {shapes.extent = "b"})
    -> (tensor<1024xf32>, tensor<8192x1024xf32> {shapes.dims = ["2*b + 1", "1024"]}) {
  %0 = kernel.fusion "loop"(%x : tensor<8192x1024xf32>) -> tensor<8192x1024xf32> {
  ^bb0(%a: tensor<8192x1024xf32>):
    %3 = stablehlo.tanh %a : tensor<8192x1024xf32>
    kernel.yield %3 : tensor<8192x1024xf32>
  }
  %1 = kernel.fusion "loop"(%0, %n : tensor<8192x1024xf32>, tensor<i32>) -> tensor<1024xf32> {
  ^bb0(%a: tensor<8192x1024xf32>, %size: tensor<i32>):
    %zero = stablehlo.constant dense<0.0> : tensor<8192x1024xf32>
    %init = stablehlo.constant dense<0.0> : tensor<f32>
    %rows = stablehlo.iota dim = 0 : tensor<8192x1024xi32>
    %end = stablehlo.broadcast_in_dim %size, dims = [] : (tensor<i32>) -> tensor<8192x1024xi32>
    %in = stablehlo.compare LT, %rows, %end, SIGNED
        : (tensor<8192x1024xi32>, tensor<8192x1024xi32>) -> tensor<8192x1024xi1>
    %masked = stablehlo.select %in, %a, %zero : tensor<8192x1024xi1>, tensor<8192x1024xf32>
    %sum = stablehlo.reduce(%masked init: %init) applies stablehlo.add across dimensions = [0]
        : (tensor<8192x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    kernel.yield %sum : tensor<1024xf32>
  }
  %2 = kernel.fusion "loop"(%x : tensor<8192x1024xf32>) -> tensor<8192x1024xf32> {
  ^bb0(%a: tensor<8192x1024xf32>):
    %3 = stablehlo.exponential %a : tensor<8192x1024xf32>
    kernel.yield %3 : tensor<8192x1024xf32>
  }
  return %1, %2 : tensor<1024xf32>, tensor<8192x1024xf32>
}

// -----

// Dims that lie in another order in memory: the type has them in it, the sizes as the program has them.
// CHECK-LABEL: tpu.routine @k0
// CHECK: "s.ldw"
// CHECK: arith.minsi %{{.*}}, %c{{8|16}}_i64
// CHECK: tpu.return
func.func @main(%x: tensor<8192x16x128xf32>, %n: tensor<i32> {shapes.extent = "b"})
    -> (tensor<8192x16x128xf32> {shapes.dims = ["16", "128", "b"], tpuc.order = array<i64: 2, 0, 1>}) {
  %0 = kernel.fusion "loop"(%x : tensor<8192x16x128xf32>) -> tensor<8192x16x128xf32> {
  ^bb0(%a: tensor<8192x16x128xf32>):
    %1 = stablehlo.tanh %a : tensor<8192x16x128xf32>
    kernel.yield %1 : tensor<8192x16x128xf32>
  }
  return %0 : tensor<8192x16x128xf32>
}

// -----

// Sizes that do not fit the type's dims say nothing.
// CHECK-LABEL: tpu.routine @k0
// CHECK-NOT: "s.ldw"
// CHECK: tpu.return
func.func @main(%x: tensor<8192x16x128xf32>, %n: tensor<i32> {shapes.extent = "b"})
    -> (tensor<8192x16x128xf32> {shapes.dims = ["b", "128", "16"]}) {
  %0 = kernel.fusion "loop"(%x : tensor<8192x16x128xf32>) -> tensor<8192x16x128xf32> {
  ^bb0(%a: tensor<8192x16x128xf32>):
    %1 = stablehlo.tanh %a : tensor<8192x16x128xf32>
    kernel.yield %1 : tensor<8192x16x128xf32>
  }
  return %0 : tensor<8192x16x128xf32>
}

// -----

// A result that is asked for whole, two results of other sizes, one that a sum reads to its end, another comparison, a
// mask along the other dim, a number that is no size: every step.
// CHECK-NOT: arith.minsi
func.func @main(%x: tensor<8192x1024xf32>, %n: tensor<i32> {shapes.extent = "b"}, %m: tensor<i32> {shapes.extent = "s"},
                %i: tensor<i32>)
    -> (tensor<8192x1024xf32>, tensor<8192x1024xf32> {shapes.dims = ["b", "1024"]},
        tensor<8192x1024xf32> {shapes.dims = ["s", "1024"]}, tensor<1024xf32>, tensor<1024xf32>, tensor<8192xf32>,
        tensor<1024xf32>) {
  %0 = kernel.fusion "loop"(%x : tensor<8192x1024xf32>) -> tensor<8192x1024xf32> {
  ^bb0(%a: tensor<8192x1024xf32>):
    %7 = stablehlo.tanh %a : tensor<8192x1024xf32>
    kernel.yield %7 : tensor<8192x1024xf32>
  }
  %1:2 = kernel.fusion "loop"(%x : tensor<8192x1024xf32>) -> tensor<8192x1024xf32>, tensor<8192x1024xf32> {
  ^bb0(%a: tensor<8192x1024xf32>):
    %7 = stablehlo.exponential %a : tensor<8192x1024xf32>
    %8 = stablehlo.negate %a : tensor<8192x1024xf32>
    kernel.yield %7, %8 : tensor<8192x1024xf32>, tensor<8192x1024xf32>
  }
  %2 = kernel.fusion "loop"(%x : tensor<8192x1024xf32>) -> tensor<8192x1024xf32> {
  ^bb0(%a: tensor<8192x1024xf32>):
    %7 = stablehlo.cosine %a : tensor<8192x1024xf32>
    kernel.yield %7 : tensor<8192x1024xf32>
  }
  %3 = kernel.fusion "loop"(%2 : tensor<8192x1024xf32>) -> tensor<1024xf32> {
  ^bb0(%a: tensor<8192x1024xf32>):
    %init = stablehlo.constant dense<0.0> : tensor<f32>
    %sum = stablehlo.reduce(%a init: %init) applies stablehlo.add across dimensions = [0]
        : (tensor<8192x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    kernel.yield %sum : tensor<1024xf32>
  }
  %4 = kernel.fusion "loop"(%2, %n : tensor<8192x1024xf32>, tensor<i32>) -> tensor<1024xf32> {
  ^bb0(%a: tensor<8192x1024xf32>, %size: tensor<i32>):
    %zero = stablehlo.constant dense<0.0> : tensor<8192x1024xf32>
    %init = stablehlo.constant dense<0.0> : tensor<f32>
    %rows = stablehlo.iota dim = 0 : tensor<8192x1024xi32>
    %end = stablehlo.broadcast_in_dim %size, dims = [] : (tensor<i32>) -> tensor<8192x1024xi32>
    %in = stablehlo.compare GE, %rows, %end, SIGNED
        : (tensor<8192x1024xi32>, tensor<8192x1024xi32>) -> tensor<8192x1024xi1>
    %masked = stablehlo.select %in, %a, %zero : tensor<8192x1024xi1>, tensor<8192x1024xf32>
    %sum = stablehlo.reduce(%masked init: %init) applies stablehlo.add across dimensions = [0]
        : (tensor<8192x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    kernel.yield %sum : tensor<1024xf32>
  }
  %5 = kernel.fusion "loop"(%2, %n : tensor<8192x1024xf32>, tensor<i32>) -> tensor<8192xf32> {
  ^bb0(%a: tensor<8192x1024xf32>, %size: tensor<i32>):
    %zero = stablehlo.constant dense<0.0> : tensor<8192x1024xf32>
    %init = stablehlo.constant dense<0.0> : tensor<f32>
    %rows = stablehlo.iota dim = 1 : tensor<8192x1024xi32>
    %end = stablehlo.broadcast_in_dim %size, dims = [] : (tensor<i32>) -> tensor<8192x1024xi32>
    %in = stablehlo.compare LT, %rows, %end, SIGNED
        : (tensor<8192x1024xi32>, tensor<8192x1024xi32>) -> tensor<8192x1024xi1>
    %masked = stablehlo.select %in, %a, %zero : tensor<8192x1024xi1>, tensor<8192x1024xf32>
    %sum = stablehlo.reduce(%masked init: %init) applies stablehlo.add across dimensions = [1]
        : (tensor<8192x1024xf32>, tensor<f32>) -> tensor<8192xf32>
    kernel.yield %sum : tensor<8192xf32>
  }
  %6 = kernel.fusion "loop"(%2, %i : tensor<8192x1024xf32>, tensor<i32>) -> tensor<1024xf32> {
  ^bb0(%a: tensor<8192x1024xf32>, %size: tensor<i32>):
    %zero = stablehlo.constant dense<0.0> : tensor<8192x1024xf32>
    %init = stablehlo.constant dense<0.0> : tensor<f32>
    %rows = stablehlo.iota dim = 0 : tensor<8192x1024xi32>
    %end = stablehlo.broadcast_in_dim %size, dims = [] : (tensor<i32>) -> tensor<8192x1024xi32>
    %in = stablehlo.compare LT, %rows, %end, SIGNED
        : (tensor<8192x1024xi32>, tensor<8192x1024xi32>) -> tensor<8192x1024xi1>
    %masked = stablehlo.select %in, %a, %zero : tensor<8192x1024xi1>, tensor<8192x1024xf32>
    %sum = stablehlo.reduce(%masked init: %init) applies stablehlo.add across dimensions = [0]
        : (tensor<8192x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    kernel.yield %sum : tensor<1024xf32>
  }
  return %0, %1#0, %1#1, %3, %4, %5, %6
      : tensor<8192x1024xf32>, tensor<8192x1024xf32>, tensor<8192x1024xf32>, tensor<1024xf32>, tensor<1024xf32>,
        tensor<8192xf32>, tensor<1024xf32>
}
