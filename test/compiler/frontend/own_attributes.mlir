// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What passes note for each other is not believed of a program's own text: a loop that counts to 5 is said to run
// twice, a kernel's flops, an order of an argument in memory, a constant that is none.
// RUN: tpuc run %s --check
// RUN: tpuc compile %s --stop-after=import -o - | FileCheck %s
// CHECK-NOT: kernel.
// CHECK-NOT: tpu.
// CHECK-NOT: tpuc.
// CHECK: mhlo.num_partitions
module attributes {mhlo.num_partitions = 1 : i32, tpu.arena_bytes = 0 : i64, tpuc.own_results = 7 : i64} {
  func.func private @five(%x: tensor<16x256xf32> {tpuc.order = array<i64: 0, 1>})
      -> (tensor<16x256xf32> {tpuc.order = array<i64: 0, 1>}) {
    return {tpuc.constant} %x : tensor<16x256xf32>
  }
  func.func @main() {
    %zero = stablehlo.constant {tpuc.constant = 3 : i64} dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %five = stablehlo.constant dense<5> : tensor<i32>
    %0 = stablehlo.while(%i = %zero) : tensor<i32> attributes {kernel.trip_count = 2 : i64}
      cond {
        %1 = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %1 : tensor<i1>
      } do {
        %1 = stablehlo.add %i, %one {kernel.flops = array<i64: 1, 1>} : tensor<i32>
        stablehlo.return %1 : tensor<i32>
      }
    check.expect_eq_const %0, dense<5> : tensor<i32>
    %x = stablehlo.constant dense<1.5> : tensor<16x256xf32>
    %y = func.call @five(%x) : (tensor<16x256xf32>) -> tensor<16x256xf32>
    check.expect_eq_const %y, dense<1.5> : tensor<16x256xf32>
    return
  }
}
