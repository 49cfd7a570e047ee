// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A long computation of f64 stands once in a loop: its windows are those of a short one with the same numbers.
// RUN: tpuc run %s --check
func.func @main() {
  %init = stablehlo.constant dense<0.0> : tensor<f64>
  // Cumulative.
  %i0 = stablehlo.iota dim = 0 : tensor<222xi32>
  %p0 = stablehlo.constant dense<37> : tensor<222xi32>
  %q0 = stablehlo.constant dense<23> : tensor<222xi32>
  %j0 = stablehlo.multiply %i0, %p0 : tensor<222xi32>
  %k0 = stablehlo.remainder %j0, %q0 : tensor<222xi32>
  %c0 = stablehlo.convert %k0 : (tensor<222xi32>) -> tensor<222xf64>
  %x0 = stablehlo.reshape %c0 : (tensor<222xf64>) -> tensor<6x37xf64>
  %l0 = "stablehlo.reduce_window"(%x0, %init) ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %t = stablehlo.add %a, %b : tensor<f64>
    %m = stablehlo.maximum %a, %b : tensor<f64>
    %n = stablehlo.minimum %a, %b : tensor<f64>
    %d = stablehlo.subtract %m, %n : tensor<f64>
    %e = stablehlo.add %d, %n : tensor<f64>
    %f = stablehlo.add %e, %n : tensor<f64>
    %g = stablehlo.subtract %f, %t : tensor<f64>
    %h = stablehlo.add %t, %g : tensor<f64>
    stablehlo.return %h : tensor<f64>
  }) {
    window_dimensions = array<i64: 1, 37>,
    padding = dense<[[0, 0], [36, 0]]> : tensor<2x2xi64>
  } : (tensor<6x37xf64>, tensor<f64>) -> tensor<6x37xf64>
  %s0 = "stablehlo.reduce_window"(%x0, %init) ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %t = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %t : tensor<f64>
  }) {
    window_dimensions = array<i64: 1, 37>,
    padding = dense<[[0, 0], [36, 0]]> : tensor<2x2xi64>
  } : (tensor<6x37xf64>, tensor<f64>) -> tensor<6x37xf64>
  check.expect_eq %l0, %s0 : tensor<6x37xf64>
  // Strides and dilations.
  %i1 = stablehlo.iota dim = 0 : tensor<600xi32>
  %p1 = stablehlo.constant dense<37> : tensor<600xi32>
  %q1 = stablehlo.constant dense<23> : tensor<600xi32>
  %j1 = stablehlo.multiply %i1, %p1 : tensor<600xi32>
  %k1 = stablehlo.remainder %j1, %q1 : tensor<600xi32>
  %c1 = stablehlo.convert %k1 : (tensor<600xi32>) -> tensor<600xf64>
  %x1 = stablehlo.reshape %c1 : (tensor<600xf64>) -> tensor<6x100xf64>
  %l1 = "stablehlo.reduce_window"(%x1, %init) ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %t = stablehlo.add %a, %b : tensor<f64>
    %m = stablehlo.maximum %a, %b : tensor<f64>
    %n = stablehlo.minimum %a, %b : tensor<f64>
    %d = stablehlo.subtract %m, %n : tensor<f64>
    %e = stablehlo.add %d, %n : tensor<f64>
    %f = stablehlo.add %e, %n : tensor<f64>
    %g = stablehlo.subtract %f, %t : tensor<f64>
    %h = stablehlo.add %t, %g : tensor<f64>
    stablehlo.return %h : tensor<f64>
  }) {
    window_dimensions = array<i64: 1, 21>,
    window_strides = array<i64: 1, 3>,
    window_dilations = array<i64: 1, 2>,
    padding = dense<[[0, 0], [7, 5]]> : tensor<2x2xi64>
  } : (tensor<6x100xf64>, tensor<f64>) -> tensor<6x24xf64>
  %s1 = "stablehlo.reduce_window"(%x1, %init) ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %t = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %t : tensor<f64>
  }) {
    window_dimensions = array<i64: 1, 21>,
    window_strides = array<i64: 1, 3>,
    window_dilations = array<i64: 1, 2>,
    padding = dense<[[0, 0], [7, 5]]> : tensor<2x2xi64>
  } : (tensor<6x100xf64>, tensor<f64>) -> tensor<6x24xf64>
  check.expect_eq %l1, %s1 : tensor<6x24xf64>
  // Two dims.
  %i2 = stablehlo.iota dim = 0 : tensor<760xi32>
  %p2 = stablehlo.constant dense<37> : tensor<760xi32>
  %q2 = stablehlo.constant dense<23> : tensor<760xi32>
  %j2 = stablehlo.multiply %i2, %p2 : tensor<760xi32>
  %k2 = stablehlo.remainder %j2, %q2 : tensor<760xi32>
  %c2 = stablehlo.convert %k2 : (tensor<760xi32>) -> tensor<760xf64>
  %x2 = stablehlo.reshape %c2 : (tensor<760xf64>) -> tensor<19x40xf64>
  %l2 = "stablehlo.reduce_window"(%x2, %init) ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %t = stablehlo.add %a, %b : tensor<f64>
    %m = stablehlo.maximum %a, %b : tensor<f64>
    %n = stablehlo.minimum %a, %b : tensor<f64>
    %d = stablehlo.subtract %m, %n : tensor<f64>
    %e = stablehlo.add %d, %n : tensor<f64>
    %f = stablehlo.add %e, %n : tensor<f64>
    %g = stablehlo.subtract %f, %t : tensor<f64>
    %h = stablehlo.add %t, %g : tensor<f64>
    stablehlo.return %h : tensor<f64>
  }) {
    window_dimensions = array<i64: 5, 7>,
    window_strides = array<i64: 2, 1>
  } : (tensor<19x40xf64>, tensor<f64>) -> tensor<8x34xf64>
  %s2 = "stablehlo.reduce_window"(%x2, %init) ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %t = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %t : tensor<f64>
  }) {
    window_dimensions = array<i64: 5, 7>,
    window_strides = array<i64: 2, 1>
  } : (tensor<19x40xf64>, tensor<f64>) -> tensor<8x34xf64>
  check.expect_eq %l2, %s2 : tensor<8x34xf64>
  // Few elements, one after the other.
  %i3 = stablehlo.iota dim = 0 : tensor<360xi32>
  %p3 = stablehlo.constant dense<37> : tensor<360xi32>
  %q3 = stablehlo.constant dense<23> : tensor<360xi32>
  %j3 = stablehlo.multiply %i3, %p3 : tensor<360xi32>
  %k3 = stablehlo.remainder %j3, %q3 : tensor<360xi32>
  %c3 = stablehlo.convert %k3 : (tensor<360xi32>) -> tensor<360xf64>
  %x3 = stablehlo.reshape %c3 : (tensor<360xf64>) -> tensor<9x40xf64>
  %l3 = "stablehlo.reduce_window"(%x3, %init) ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %t = stablehlo.add %a, %b : tensor<f64>
    %m = stablehlo.maximum %a, %b : tensor<f64>
    %n = stablehlo.minimum %a, %b : tensor<f64>
    %d = stablehlo.subtract %m, %n : tensor<f64>
    %e = stablehlo.add %d, %n : tensor<f64>
    %f = stablehlo.add %e, %n : tensor<f64>
    %g = stablehlo.subtract %f, %t : tensor<f64>
    %h = stablehlo.add %t, %g : tensor<f64>
    stablehlo.return %h : tensor<f64>
  }) {
    window_dimensions = array<i64: 2, 3>,
    window_strides = array<i64: 2, 3>,
    window_dilations = array<i64: 1, 2>,
    padding = dense<[[1, 0], [2, 1]]> : tensor<2x2xi64>
  } : (tensor<9x40xf64>, tensor<f64>) -> tensor<5x13xf64>
  %s3 = "stablehlo.reduce_window"(%x3, %init) ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %t = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %t : tensor<f64>
  }) {
    window_dimensions = array<i64: 2, 3>,
    window_strides = array<i64: 2, 3>,
    window_dilations = array<i64: 1, 2>,
    padding = dense<[[1, 0], [2, 1]]> : tensor<2x2xi64>
  } : (tensor<9x40xf64>, tensor<f64>) -> tensor<5x13xf64>
  check.expect_eq %l3, %s3 : tensor<5x13xf64>
  return
}
