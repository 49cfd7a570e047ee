// RUN: tpuc run %s --matmul-precision=highest
// RUN: tpuc run %s --matmul-precision=highest --no-fuse

// What a loop adds up, of layers in reverse order and of a state that it carries, and what it multiplies with the same
// weights, against all of it written out.
func.func @main() {
  %n = stablehlo.iota dim = 0 : tensor<3x8x40xf32>
  %m = stablehlo.iota dim = 2 : tensor<3x8x40xf32>
  %nm = stablehlo.multiply %n, %m : tensor<3x8x40xf32>
  %xs = stablehlo.cosine %nm : tensor<3x8x40xf32>
  %k = stablehlo.iota dim = 1 : tensor<8x20xf32>
  %s = stablehlo.sine %k : tensor<8x20xf32>
  %g = stablehlo.iota dim = 0 : tensor<20x40xf32>
  %b = stablehlo.iota dim = 0 : tensor<20xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %0:4 = stablehlo.while(%i = %zero, %a = %s, %sum = %g, %bias = %b)
      : tensor<i32>, tensor<8x20xf32>, tensor<20x40xf32>, tensor<20xf32>
    cond {
      %p = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %at = stablehlo.subtract %two, %i : tensor<i32>
      %x1 = stablehlo.dynamic_slice %xs, %at, %zero, %zero, sizes = [1, 8, 40]
          : (tensor<3x8x40xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x40xf32>
      %x = stablehlo.reshape %x1 : (tensor<1x8x40xf32>) -> tensor<8x40xf32>
      %h = stablehlo.cosine %a : tensor<8x20xf32>
      %d = stablehlo.dot_general %x, %h, contracting_dims = [0] x [0]
          : (tensor<8x40xf32>, tensor<8x20xf32>) -> tensor<40x20xf32>
      %t = stablehlo.transpose %d, dims = [1, 0] : (tensor<40x20xf32>) -> tensor<20x40xf32>
      %more = stablehlo.add %sum, %t : tensor<20x40xf32>
      %r = stablehlo.reduce(%h init: %none) applies stablehlo.add across dimensions = [0]
          : (tensor<8x20xf32>, tensor<f32>) -> tensor<20xf32>
      %further = stablehlo.add %r, %bias : tensor<20xf32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %h, %more, %further
          : tensor<i32>, tensor<8x20xf32>, tensor<20x40xf32>, tensor<20xf32>
    }
  %h0 = stablehlo.cosine %s : tensor<8x20xf32>
  %h1 = stablehlo.cosine %h0 : tensor<8x20xf32>
  %h2 = stablehlo.cosine %h1 : tensor<8x20xf32>
  %hs = stablehlo.concatenate %h2, %h1, %h0, dim = 0
      : (tensor<8x20xf32>, tensor<8x20xf32>, tensor<8x20xf32>) -> tensor<24x20xf32>
  %all = stablehlo.reshape %xs : (tensor<3x8x40xf32>) -> tensor<24x40xf32>
  %w = stablehlo.dot_general %hs, %all, contracting_dims = [0] x [0]
      : (tensor<24x20xf32>, tensor<24x40xf32>) -> tensor<20x40xf32>
  %wanted = stablehlo.add %w, %g : tensor<20x40xf32>
  check.expect_almost_eq %0#2, %wanted : tensor<20x40xf32>
  %v = stablehlo.reduce(%hs init: %none) applies stablehlo.add across dimensions = [0]
      : (tensor<24x20xf32>, tensor<f32>) -> tensor<20xf32>
  %wantedBias = stablehlo.add %v, %b : tensor<20xf32>
  check.expect_almost_eq %0#3, %wantedBias : tensor<20xf32>
  check.expect_almost_eq %0#1, %h2 : tensor<8x20xf32>

  // Inputs times weights before the loop, states times others behind it.
  %q = stablehlo.iota dim = 1 : tensor<40x20xf32>
  %v40 = stablehlo.sine %q : tensor<40x20xf32>
  %ys0 = stablehlo.iota dim = 0 : tensor<3x8x40xf32>
  %q2 = stablehlo.iota dim = 0 : tensor<20x40xf32>
  %v20 = stablehlo.cosine %q2 : tensor<20x40xf32>
  %1:3 = stablehlo.while(%i = %zero, %a = %s, %ys = %ys0) : tensor<i32>, tensor<8x20xf32>, tensor<3x8x40xf32>
    cond {
      %p = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %at = stablehlo.subtract %two, %i : tensor<i32>
      %x1 = stablehlo.dynamic_slice %xs, %at, %zero, %zero, sizes = [1, 8, 40]
          : (tensor<3x8x40xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x40xf32>
      %x = stablehlo.reshape %x1 : (tensor<1x8x40xf32>) -> tensor<8x40xf32>
      %d = stablehlo.dot_general %x, %v40, contracting_dims = [1] x [0]
          : (tensor<8x40xf32>, tensor<40x20xf32>) -> tensor<8x20xf32>
      %da = stablehlo.add %d, %a : tensor<8x20xf32>
      %h = stablehlo.cosine %da : tensor<8x20xf32>
      %y = stablehlo.dot_general %h, %v20, contracting_dims = [1] x [0]
          : (tensor<8x20xf32>, tensor<20x40xf32>) -> tensor<8x40xf32>
      %y1 = stablehlo.reshape %y : (tensor<8x40xf32>) -> tensor<1x8x40xf32>
      %more = stablehlo.dynamic_update_slice %ys, %y1, %i, %zero, %zero
          : (tensor<3x8x40xf32>, tensor<1x8x40xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x8x40xf32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %h, %more : tensor<i32>, tensor<8x20xf32>, tensor<3x8x40xf32>
    }
  %xv = stablehlo.dot_general %xs, %v40, contracting_dims = [2] x [0]
      : (tensor<3x8x40xf32>, tensor<40x20xf32>) -> tensor<3x8x20xf32>
  %xv2 = stablehlo.slice %xv [2:3, 0:8, 0:20] : (tensor<3x8x20xf32>) -> tensor<1x8x20xf32>
  %xv1 = stablehlo.slice %xv [1:2, 0:8, 0:20] : (tensor<3x8x20xf32>) -> tensor<1x8x20xf32>
  %xv0 = stablehlo.slice %xv [0:1, 0:8, 0:20] : (tensor<3x8x20xf32>) -> tensor<1x8x20xf32>
  %s1 = stablehlo.reshape %s : (tensor<8x20xf32>) -> tensor<1x8x20xf32>
  %a0 = stablehlo.add %xv2, %s1 : tensor<1x8x20xf32>
  %b0 = stablehlo.cosine %a0 : tensor<1x8x20xf32>
  %a1 = stablehlo.add %xv1, %b0 : tensor<1x8x20xf32>
  %b1 = stablehlo.cosine %a1 : tensor<1x8x20xf32>
  %a2 = stablehlo.add %xv0, %b1 : tensor<1x8x20xf32>
  %b2 = stablehlo.cosine %a2 : tensor<1x8x20xf32>
  %bs = stablehlo.concatenate %b0, %b1, %b2, dim = 0
      : (tensor<1x8x20xf32>, tensor<1x8x20xf32>, tensor<1x8x20xf32>) -> tensor<3x8x20xf32>
  %wantedRows = stablehlo.dot_general %bs, %v20, contracting_dims = [2] x [0]
      : (tensor<3x8x20xf32>, tensor<20x40xf32>) -> tensor<3x8x40xf32>
  check.expect_almost_eq %1#2, %wantedRows : tensor<3x8x40xf32>
  return
}
