// RUN: tpuc-opt %s --split-input-file --tpuc-plan-kernels=target=v5e --tpuc-lower-kernels=target=v5e | FileCheck %s

// Both operands are zero from a true size on: it comes from SMEM's word, behind the device's and that of how many there
// are, and says how many tiles of k are pushed. No mask is computed from the argument.
// CHECK-LABEL: tpu.routine @k0
// CHECK: tpu.inst "s.ldw"(%{{.*}}) : (i64) -> i64
// CHECK-NOT: x.bcast.lane
// CHECK: scf.for
// CHECK: mxu.push
// CHECK: tpu.return
func.func @main(%x: tensor<512x128xbf16>, %y: tensor<512x128xbf16>, %n: tensor<i32> {shapes.extent = "s"})
    -> tensor<128x128xf32> {
  %0 = kernel.fusion "dot"(%x, %y, %n : tensor<512x128xbf16>, tensor<512x128xbf16>, tensor<i32>)
      -> tensor<128x128xf32> {
  ^bb0(%a: tensor<512x128xbf16>, %b: tensor<512x128xbf16>, %size: tensor<i32>):
    %zero = stablehlo.constant dense<0.0> : tensor<512x128xbf16>
    %rows = stablehlo.iota dim = 0 : tensor<512x128xi32>
    %end = stablehlo.broadcast_in_dim %size, dims = [] : (tensor<i32>) -> tensor<512x128xi32>
    %in = stablehlo.compare LT, %rows, %end, SIGNED
        : (tensor<512x128xi32>, tensor<512x128xi32>) -> tensor<512x128xi1>
    %c = stablehlo.select %in, %a, %zero : tensor<512x128xi1>, tensor<512x128xbf16>
    %d = stablehlo.select %in, %b, %zero : tensor<512x128xi1>, tensor<512x128xbf16>
    %1 = stablehlo.dot_general %c, %d, contracting_dims = [0] x [0]
        : (tensor<512x128xbf16>, tensor<512x128xbf16>) -> tensor<128x128xf32>
    kernel.yield %1 : tensor<128x128xf32>
  }
  return %0 : tensor<128x128xf32>
}

// -----

// One side alone: what the other has there may be NaN. Its words are cleared as they go into the array.
// CHECK-LABEL: tpu.routine @k0
// CHECK-NOT: s.ldw
// CHECK: "v.and"
// CHECK: mxu.ldw
// CHECK-NOT: s.ldw
// CHECK: tpu.return
func.func @main(%x: tensor<128x512xbf16>, %y: tensor<512x128xbf16>, %n: tensor<i32> {shapes.extent = "s"})
    -> tensor<128x128xf32> {
  %0 = kernel.fusion "dot"(%x, %y, %n : tensor<128x512xbf16>, tensor<512x128xbf16>, tensor<i32>)
      -> tensor<128x128xf32> {
  ^bb0(%a: tensor<128x512xbf16>, %b: tensor<512x128xbf16>, %size: tensor<i32>):
    %zero = stablehlo.constant dense<0.0> : tensor<512x128xbf16>
    %rows = stablehlo.iota dim = 0 : tensor<512x128xi32>
    %end = stablehlo.broadcast_in_dim %size, dims = [] : (tensor<i32>) -> tensor<512x128xi32>
    %in = stablehlo.compare LT, %rows, %end, SIGNED
        : (tensor<512x128xi32>, tensor<512x128xi32>) -> tensor<512x128xi1>
    %d = stablehlo.select %in, %b, %zero : tensor<512x128xi1>, tensor<512x128xbf16>
    %1 = stablehlo.dot_general %a, %d, contracting_dims = [1] x [0]
        : (tensor<128x512xbf16>, tensor<512x128xbf16>) -> tensor<128x128xf32>
    kernel.yield %1 : tensor<128x128xf32>
  }
  return %0 : tensor<128x128xf32>
}

// -----

// Two sizes, a number that is none, another comparison, a fill that is not zero: masks.
// CHECK-LABEL: tpu.routine @k0
// CHECK-NOT: s.ldw
// CHECK-LABEL: tpu.routine @k1
// CHECK-NOT: s.ldw
// CHECK-LABEL: tpu.routine @k2
// CHECK-NOT: s.ldw
// CHECK-LABEL: tpu.routine @k3
// CHECK-NOT: s.ldw
// CHECK: tpu.return
func.func @main(%x: tensor<512x128xbf16>, %y: tensor<512x128xbf16>, %n: tensor<i32> {shapes.extent = "s"},
                %m: tensor<i32> {shapes.extent = "t"}, %i: tensor<i32>)
    -> (tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>) {
  %0 = kernel.fusion "dot"(%x, %y, %n, %m : tensor<512x128xbf16>, tensor<512x128xbf16>, tensor<i32>, tensor<i32>)
      -> tensor<128x128xf32> {
  ^bb0(%a: tensor<512x128xbf16>, %b: tensor<512x128xbf16>, %size: tensor<i32>, %other: tensor<i32>):
    %zero = stablehlo.constant dense<0.0> : tensor<512x128xbf16>
    %rows = stablehlo.iota dim = 0 : tensor<512x128xi32>
    %end = stablehlo.broadcast_in_dim %size, dims = [] : (tensor<i32>) -> tensor<512x128xi32>
    %end2 = stablehlo.broadcast_in_dim %other, dims = [] : (tensor<i32>) -> tensor<512x128xi32>
    %in = stablehlo.compare LT, %rows, %end, SIGNED
        : (tensor<512x128xi32>, tensor<512x128xi32>) -> tensor<512x128xi1>
    %in2 = stablehlo.compare LT, %rows, %end2, SIGNED
        : (tensor<512x128xi32>, tensor<512x128xi32>) -> tensor<512x128xi1>
    %c = stablehlo.select %in, %a, %zero : tensor<512x128xi1>, tensor<512x128xbf16>
    %d = stablehlo.select %in2, %b, %zero : tensor<512x128xi1>, tensor<512x128xbf16>
    %1 = stablehlo.dot_general %c, %d, contracting_dims = [0] x [0]
        : (tensor<512x128xbf16>, tensor<512x128xbf16>) -> tensor<128x128xf32>
    kernel.yield %1 : tensor<128x128xf32>
  }
  %2 = kernel.fusion "dot"(%x, %y, %i : tensor<512x128xbf16>, tensor<512x128xbf16>, tensor<i32>)
      -> tensor<128x128xf32> {
  ^bb0(%a: tensor<512x128xbf16>, %b: tensor<512x128xbf16>, %size: tensor<i32>):
    %zero = stablehlo.constant dense<0.0> : tensor<512x128xbf16>
    %rows = stablehlo.iota dim = 0 : tensor<512x128xi32>
    %end = stablehlo.broadcast_in_dim %size, dims = [] : (tensor<i32>) -> tensor<512x128xi32>
    %in = stablehlo.compare LT, %rows, %end, SIGNED
        : (tensor<512x128xi32>, tensor<512x128xi32>) -> tensor<512x128xi1>
    %c = stablehlo.select %in, %a, %zero : tensor<512x128xi1>, tensor<512x128xbf16>
    %d = stablehlo.select %in, %b, %zero : tensor<512x128xi1>, tensor<512x128xbf16>
    %1 = stablehlo.dot_general %c, %d, contracting_dims = [0] x [0]
        : (tensor<512x128xbf16>, tensor<512x128xbf16>) -> tensor<128x128xf32>
    kernel.yield %1 : tensor<128x128xf32>
  }
  %3 = kernel.fusion "dot"(%x, %y, %n : tensor<512x128xbf16>, tensor<512x128xbf16>, tensor<i32>)
      -> tensor<128x128xf32> {
  ^bb0(%a: tensor<512x128xbf16>, %b: tensor<512x128xbf16>, %size: tensor<i32>):
    %zero = stablehlo.constant dense<0.0> : tensor<512x128xbf16>
    %rows = stablehlo.iota dim = 0 : tensor<512x128xi32>
    %end = stablehlo.broadcast_in_dim %size, dims = [] : (tensor<i32>) -> tensor<512x128xi32>
    %in = stablehlo.compare LE, %rows, %end, SIGNED
        : (tensor<512x128xi32>, tensor<512x128xi32>) -> tensor<512x128xi1>
    %c = stablehlo.select %in, %a, %zero : tensor<512x128xi1>, tensor<512x128xbf16>
    %d = stablehlo.select %in, %b, %zero : tensor<512x128xi1>, tensor<512x128xbf16>
    %1 = stablehlo.dot_general %c, %d, contracting_dims = [0] x [0]
        : (tensor<512x128xbf16>, tensor<512x128xbf16>) -> tensor<128x128xf32>
    kernel.yield %1 : tensor<128x128xf32>
  }
  %4 = kernel.fusion "dot"(%x, %y, %n : tensor<512x128xbf16>, tensor<512x128xbf16>, tensor<i32>)
      -> tensor<128x128xf32> {
  ^bb0(%a: tensor<512x128xbf16>, %b: tensor<512x128xbf16>, %size: tensor<i32>):
    %zero = stablehlo.constant dense<0.0> : tensor<512x128xbf16>
    %one = stablehlo.constant dense<1.0> : tensor<512x128xbf16>
    %rows = stablehlo.iota dim = 0 : tensor<512x128xi32>
    %end = stablehlo.broadcast_in_dim %size, dims = [] : (tensor<i32>) -> tensor<512x128xi32>
    %in = stablehlo.compare LT, %rows, %end, SIGNED
        : (tensor<512x128xi32>, tensor<512x128xi32>) -> tensor<512x128xi1>
    %c = stablehlo.select %in, %a, %zero : tensor<512x128xi1>, tensor<512x128xbf16>
    %d = stablehlo.select %in, %b, %one : tensor<512x128xi1>, tensor<512x128xbf16>
    %1 = stablehlo.dot_general %c, %d, contracting_dims = [0] x [0]
        : (tensor<512x128xbf16>, tensor<512x128xbf16>) -> tensor<128x128xf32>
    kernel.yield %1 : tensor<128x128xf32>
  }
  return %0, %2, %3, %4 : tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>
}

// -----

// Kernels that end at two sizes are no twins; those that end at one are.
// CHECK: %[[S:.*]] = arith.constant 72 : i64
// CHECK: "s.ldw"(%[[S]])
// CHECK-LABEL: tpu.routine @k1
// CHECK: %[[T:.*]] = arith.constant 76 : i64
// CHECK: "s.ldw"(%[[T]])
// CHECK: tpu.twin @k2 of @k0
func.func @main(%x: tensor<512x128xbf16>, %y: tensor<512x128xbf16>, %s: tensor<i32> {shapes.extent = "s"},
                %t: tensor<i32> {shapes.extent = "t"})
    -> (tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>) {
  %0 = kernel.fusion "dot"(%x, %y, %s : tensor<512x128xbf16>, tensor<512x128xbf16>, tensor<i32>)
      -> tensor<128x128xf32> {
  ^bb0(%a: tensor<512x128xbf16>, %b: tensor<512x128xbf16>, %size: tensor<i32>):
    %zero = stablehlo.constant dense<0.0> : tensor<512x128xbf16>
    %rows = stablehlo.iota dim = 0 : tensor<512x128xi32>
    %end = stablehlo.broadcast_in_dim %size, dims = [] : (tensor<i32>) -> tensor<512x128xi32>
    %in = stablehlo.compare LT, %rows, %end, SIGNED
        : (tensor<512x128xi32>, tensor<512x128xi32>) -> tensor<512x128xi1>
    %c = stablehlo.select %in, %a, %zero : tensor<512x128xi1>, tensor<512x128xbf16>
    %d = stablehlo.select %in, %b, %zero : tensor<512x128xi1>, tensor<512x128xbf16>
    %1 = stablehlo.dot_general %c, %d, contracting_dims = [0] x [0]
        : (tensor<512x128xbf16>, tensor<512x128xbf16>) -> tensor<128x128xf32>
    kernel.yield %1 : tensor<128x128xf32>
  }
  %2 = kernel.fusion "dot"(%x, %y, %t : tensor<512x128xbf16>, tensor<512x128xbf16>, tensor<i32>)
      -> tensor<128x128xf32> {
  ^bb0(%a: tensor<512x128xbf16>, %b: tensor<512x128xbf16>, %size: tensor<i32>):
    %zero = stablehlo.constant dense<0.0> : tensor<512x128xbf16>
    %rows = stablehlo.iota dim = 0 : tensor<512x128xi32>
    %end = stablehlo.broadcast_in_dim %size, dims = [] : (tensor<i32>) -> tensor<512x128xi32>
    %in = stablehlo.compare LT, %rows, %end, SIGNED
        : (tensor<512x128xi32>, tensor<512x128xi32>) -> tensor<512x128xi1>
    %c = stablehlo.select %in, %a, %zero : tensor<512x128xi1>, tensor<512x128xbf16>
    %d = stablehlo.select %in, %b, %zero : tensor<512x128xi1>, tensor<512x128xbf16>
    %1 = stablehlo.dot_general %c, %d, contracting_dims = [0] x [0]
        : (tensor<512x128xbf16>, tensor<512x128xbf16>) -> tensor<128x128xf32>
    kernel.yield %1 : tensor<128x128xf32>
  }
  %3 = kernel.fusion "dot"(%x, %y, %s : tensor<512x128xbf16>, tensor<512x128xbf16>, tensor<i32>)
      -> tensor<128x128xf32> {
  ^bb0(%a: tensor<512x128xbf16>, %b: tensor<512x128xbf16>, %size: tensor<i32>):
    %zero = stablehlo.constant dense<0.0> : tensor<512x128xbf16>
    %rows = stablehlo.iota dim = 0 : tensor<512x128xi32>
    %end = stablehlo.broadcast_in_dim %size, dims = [] : (tensor<i32>) -> tensor<512x128xi32>
    %in = stablehlo.compare LT, %rows, %end, SIGNED
        : (tensor<512x128xi32>, tensor<512x128xi32>) -> tensor<512x128xi1>
    %c = stablehlo.select %in, %a, %zero : tensor<512x128xi1>, tensor<512x128xbf16>
    %d = stablehlo.select %in, %b, %zero : tensor<512x128xi1>, tensor<512x128xbf16>
    %1 = stablehlo.dot_general %c, %d, contracting_dims = [0] x [0]
        : (tensor<512x128xbf16>, tensor<512x128xbf16>) -> tensor<128x128xf32>
    kernel.yield %1 : tensor<128x128xf32>
  }
  return %0, %2, %3 : tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>
}
