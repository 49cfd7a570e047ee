// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops over no dims, over dims of one element and of none: each family has them.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --no-fuse
func.func @main() {
  // A convolution without spatial dims is a matrix product.
  %x = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %w = stablehlo.constant dense<[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]> : tensor<3x2xf32>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f]x[i, o]->[b, f], window = {} {batch_group_count = 1 : i64,
      feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]
      } : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %0, dense<[[4.0, 5.0], [10.0, 11.0]]> : tensor<2x2xf32>
  // Of groups: three features by one weight each.
  %g = stablehlo.constant dense<[[2.0, 3.0, 4.0]]> : tensor<1x3xf32>
  %1 = stablehlo.convolution(%x, %g) dim_numbers = [b, f]x[i, o]->[b, f], window = {} {batch_group_count = 1 : i64,
      feature_group_count = 3 : i64} : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %1, dense<[[2.0, 6.0, 12.0], [8.0, 15.0, 24.0]]> : tensor<2x3xf32>
  // Of groups of the batch.
  %2 = stablehlo.convolution(%x, %w) dim_numbers = [b, f]x[i, o]->[b, f], window = {} {batch_group_count = 2 : i64,
      feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]
      } : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<1x2xf32>
  check.expect_eq_const %2, dense<[[4.0, 11.0]]> : tensor<1x2xf32>

  // Reductions over no dims combine each element with the initial value.
  %c = stablehlo.complex %x, %x : tensor<2x3xcomplex<f32>>
  %ci = stablehlo.constant dense<(1.0, 2.0)> : tensor<complex<f32>>
  %3 = "stablehlo.reduce"(%c, %ci) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %s = stablehlo.multiply %a, %b : tensor<complex<f32>>
    stablehlo.return %s : tensor<complex<f32>>
  }) : (tensor<2x3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<2x3xcomplex<f32>>
  %re = stablehlo.real %3 : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
  %minus = stablehlo.negate %x : tensor<2x3xf32>
  check.expect_eq %re, %minus : tensor<2x3xf32>
  %d = stablehlo.convert %x : (tensor<2x3xf32>) -> tensor<2x3xf64>
  %di = stablehlo.constant dense<0.5> : tensor<f64>
  %4 = stablehlo.reduce(%d init: %di) applies stablehlo.add across dimensions = [] : (tensor<2x3xf64>, tensor<f64>)
      -> tensor<2x3xf64>
  check.expect_eq_const %4, dense<[[1.5, 2.5, 3.5], [4.5, 5.5, 6.5]]> : tensor<2x3xf64>
  %i = stablehlo.constant dense<7> : tensor<i32>
  %ii = stablehlo.constant dense<5> : tensor<i32>
  %5 = stablehlo.reduce(%i init: %ii) across dimensions = [] : (tensor<i32>, tensor<i32>) -> tensor<i32>
   reducer(%a: tensor<i32>, %b: tensor<i32>) {
    %m = stablehlo.multiply %a, %b : tensor<i32>
    %n = stablehlo.subtract %m, %a : tensor<i32>
    %o = stablehlo.subtract %n, %b : tensor<i32>
    stablehlo.return %o : tensor<i32>
  }
  check.expect_eq_const %5, dense<23> : tensor<i32>

  // Transforms of one element are the element.
  %z = stablehlo.constant dense<[[(1.0, 2.0)], [(3.0, 4.0)]]> : tensor<2x1xcomplex<f64>>
  %6 = stablehlo.fft %z, type = FFT, length = [1] : (tensor<2x1xcomplex<f64>>) -> tensor<2x1xcomplex<f64>>
  %zr = stablehlo.real %6 : (tensor<2x1xcomplex<f64>>) -> tensor<2x1xf64>
  check.expect_eq_const %zr, dense<[[1.0], [3.0]]> : tensor<2x1xf64>
  // Over two dims with one of one element: 1 and 3, 1 - 3 and 2 - 4.
  %7 = stablehlo.fft %z, type = FFT, length = [2, 1] : (tensor<2x1xcomplex<f64>>) -> tensor<2x1xcomplex<f64>>
  %71 = stablehlo.imag %7 : (tensor<2x1xcomplex<f64>>) -> tensor<2x1xf64>
  check.expect_eq_const %71, dense<[[6.0], [-2.0]]> : tensor<2x1xf64>
  %zf = stablehlo.convert %z : (tensor<2x1xcomplex<f64>>) -> tensor<2x1xcomplex<f32>>
  %8 = stablehlo.fft %zf, type = IFFT, length = [2, 1] : (tensor<2x1xcomplex<f32>>) -> tensor<2x1xcomplex<f32>>
  %81 = stablehlo.real %8 : (tensor<2x1xcomplex<f32>>) -> tensor<2x1xf32>
  check.expect_eq_const %81, dense<[[2.0], [-1.0]]> : tensor<2x1xf32>
  %r = stablehlo.constant dense<[[[3.0]], [[5.0]]]> : tensor<2x1x1xf32>
  %9 = stablehlo.fft %r, type = RFFT, length = [1, 1] : (tensor<2x1x1xf32>) -> tensor<2x1x1xcomplex<f32>>
  %91 = stablehlo.real %9 : (tensor<2x1x1xcomplex<f32>>) -> tensor<2x1x1xf32>
  %92 = stablehlo.imag %9 : (tensor<2x1x1xcomplex<f32>>) -> tensor<2x1x1xf32>
  check.expect_eq %91, %r : tensor<2x1x1xf32>
  check.expect_eq_const %92, dense<0.0> : tensor<2x1x1xf32>
  %10 = stablehlo.fft %9, type = IRFFT, length = [2, 1, 1] : (tensor<2x1x1xcomplex<f32>>) -> tensor<2x1x1xf32>
  check.expect_eq_const %10, dense<[[[4.0]], [[-1.0]]]> : tensor<2x1x1xf32>

  // A pad of one element, and other moves of one, in a computation.
  %y = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %11 = "stablehlo.reduce"(%y, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = stablehlo.pad %a, %b, low = [], high = [], interior = [] : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %s = stablehlo.add %p, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %11, dense<10> : tensor<i32>
  %12 = "stablehlo.reduce"(%y, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %a1 = stablehlo.reshape %a : (tensor<i32>) -> tensor<1xi32>
    %b1 = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
    %fill = stablehlo.constant dense<9> : tensor<i32>
    %p = stablehlo.pad %a1, %fill, low = [0], high = [0], interior = [3] : (tensor<1xi32>, tensor<i32>) -> tensor<1xi32>
    %q = stablehlo.reverse %b1, dims = [0] : tensor<1xi32>
    %t = stablehlo.slice %q [0:1] : (tensor<1xi32>) -> tensor<1xi32>
    %u = stablehlo.concatenate %t, dim = 0 : (tensor<1xi32>) -> tensor<1xi32>
    %s = stablehlo.add %p, %u : tensor<1xi32>
    %v = stablehlo.reshape %s : (tensor<1xi32>) -> tensor<i32>
    stablehlo.return %v : tensor<i32>
  }) : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %12, dense<10> : tensor<i32>
  return
}
