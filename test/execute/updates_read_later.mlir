// Arrays that are updated, whose old contents something still reads: what a loop carries, which its condition updates,
// and the planes of a complex array.
// RUN: tpuc run %s --check --target=v5e | FileCheck %s
// RUN: tpuc run %s --check --target=v5p | FileCheck %s
// RUN: tpuc run %s --check --no-fuse | FileCheck %s
// CHECK-COUNT-6: {{ equal$}}

module {
  // Twice as large until all rows but one reach 30,000. The condition's array has zeros in row `row`; the loop's does
  // not.
  func.func @carried(%x: tensor<64x128xf32>, %row: tensor<i32>) -> tensor<64x128xf32> {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %none = stablehlo.constant dense<0.0> : tensor<1x128xf32>
    %end = stablehlo.constant dense<30000.0> : tensor<f32>
    %r = stablehlo.while(%v = %x) : tensor<64x128xf32>
      cond {
        %u = stablehlo.dynamic_update_slice %v, %none, %row, %zero
            : (tensor<64x128xf32>, tensor<1x128xf32>, tensor<i32>, tensor<i32>) -> tensor<64x128xf32>
        %alone = stablehlo.optimization_barrier %u : tensor<64x128xf32>
        %m = stablehlo.reduce(%alone init: %low) applies stablehlo.maximum across dimensions = [0, 1]
            : (tensor<64x128xf32>, tensor<f32>) -> tensor<f32>
        %c = stablehlo.compare LT, %m, %end : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %w = stablehlo.add %v, %v : tensor<64x128xf32>
        stablehlo.return %w : tensor<64x128xf32>
      }
    return %r : tensor<64x128xf32>
  }

  // The same beside a second array that is carried on, and that the condition's update takes its row from.
  func.func @both(%x: tensor<64x128xf32>, %y: tensor<1x128xf32>, %row: tensor<i32>)
      -> (tensor<64x128xf32>, tensor<1x128xf32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %end = stablehlo.constant dense<30000.0> : tensor<f32>
    %one = stablehlo.constant dense<1.0> : tensor<1x128xf32>
    %r:2 = stablehlo.while(%v = %x, %s = %y) : tensor<64x128xf32>, tensor<1x128xf32>
      cond {
        %u = stablehlo.dynamic_update_slice %v, %s, %row, %zero
            : (tensor<64x128xf32>, tensor<1x128xf32>, tensor<i32>, tensor<i32>) -> tensor<64x128xf32>
        %alone = stablehlo.optimization_barrier %u : tensor<64x128xf32>
        %m = stablehlo.reduce(%alone init: %low) applies stablehlo.maximum across dimensions = [0, 1]
            : (tensor<64x128xf32>, tensor<f32>) -> tensor<f32>
        %c = stablehlo.compare LT, %m, %end : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %w = stablehlo.add %v, %v : tensor<64x128xf32>
        %t = stablehlo.add %s, %one : tensor<1x128xf32>
        stablehlo.return %w, %t : tensor<64x128xf32>, tensor<1x128xf32>
      }
    return %r#0, %r#1 : tensor<64x128xf32>, tensor<1x128xf32>
  }

  // A plane is updated for the array, and once more for itself.
  func.func @planes(%x: tensor<16x128xf32>, %row: tensor<1x128xf32>, %at: tensor<i32>)
      -> (tensor<16x128xf32>, tensor<16x128xcomplex<f32>>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %im = stablehlo.constant dense<7.0> : tensor<16x128xf32>
    %a = stablehlo.dynamic_update_slice %x, %row, %zero, %zero
        : (tensor<16x128xf32>, tensor<1x128xf32>, tensor<i32>, tensor<i32>) -> tensor<16x128xf32>
    %c = stablehlo.complex %a, %im : tensor<16x128xcomplex<f32>>
    %d = stablehlo.dynamic_update_slice %a, %row, %at, %zero
        : (tensor<16x128xf32>, tensor<1x128xf32>, tensor<i32>, tensor<i32>) -> tensor<16x128xf32>
    return %d, %c : tensor<16x128xf32>, tensor<16x128xcomplex<f32>>
  }

  func.func @main() {
    %one = stablehlo.constant dense<1.0> : tensor<64x128xf32>
    %rows = stablehlo.iota dim = 0 : tensor<64x128xf32>
    %first = stablehlo.add %rows, %one : tensor<64x128xf32>
    %x = stablehlo.optimization_barrier %first : tensor<64x128xf32>
    %last = stablehlo.constant dense<63> : tensor<i32>
    %row = stablehlo.optimization_barrier %last : tensor<i32>
    %times = stablehlo.constant dense<512.0> : tensor<64x128xf32>
    %want = stablehlo.multiply %first, %times : tensor<64x128xf32>

    %0 = func.call @carried(%x, %row) : (tensor<64x128xf32>, tensor<i32>) -> tensor<64x128xf32>
    check.expect_eq %0, %want : tensor<64x128xf32>
    %1 = stablehlo.dot_general %0, %0, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST]
        : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x64xf32>
    %2 = stablehlo.slice %1 [63:64, 63:64] : (tensor<64x64xf32>) -> tensor<1x1xf32>
    check.expect_eq_const %2, dense<137438953472.0> : tensor<1x1xf32>

    %few = stablehlo.constant dense<5.0> : tensor<1x128xf32>
    %y = stablehlo.optimization_barrier %few : tensor<1x128xf32>
    %3:2 = func.call @both(%x, %y, %row)
        : (tensor<64x128xf32>, tensor<1x128xf32>, tensor<i32>) -> (tensor<64x128xf32>, tensor<1x128xf32>)
    check.expect_eq %3#0, %want : tensor<64x128xf32>
    check.expect_eq_const %3#1, dense<14.0> : tensor<1x128xf32>

    %z = stablehlo.constant dense<1.0> : tensor<16x128xf32>
    %old = stablehlo.optimization_barrier %z : tensor<16x128xf32>
    %nine = stablehlo.constant dense<9> : tensor<i32>
    %at = stablehlo.optimization_barrier %nine : tensor<i32>
    %4:2 = func.call @planes(%old, %y, %at)
        : (tensor<16x128xf32>, tensor<1x128xf32>, tensor<i32>) -> (tensor<16x128xf32>, tensor<16x128xcomplex<f32>>)
    %re = stablehlo.real %4#1 : (tensor<16x128xcomplex<f32>>) -> tensor<16x128xf32>
    %number = stablehlo.iota dim = 0 : tensor<16x128xi32>
    %none = stablehlo.constant dense<0> : tensor<16x128xi32>
    %nines = stablehlo.constant dense<9> : tensor<16x128xi32>
    %fives = stablehlo.constant dense<5.0> : tensor<16x128xf32>
    %is0 = stablehlo.compare EQ, %number, %none : (tensor<16x128xi32>, tensor<16x128xi32>) -> tensor<16x128xi1>
    %is9 = stablehlo.compare EQ, %number, %nines : (tensor<16x128xi32>, tensor<16x128xi32>) -> tensor<16x128xi1>
    %5 = stablehlo.select %is0, %fives, %z : tensor<16x128xi1>, tensor<16x128xf32>
    %6 = stablehlo.select %is9, %fives, %5 : tensor<16x128xi1>, tensor<16x128xf32>
    check.expect_eq %re, %5 : tensor<16x128xf32>
    check.expect_eq %4#0, %6 : tensor<16x128xf32>
    return
  }
}
