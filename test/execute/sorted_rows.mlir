// Rows that are put and added in the order of the rows that they name: many of one row, none of others, out of range on
// both sides; elements that share words; rows of tiles, of one element, and longer than a vreg. Against products with
// ones, reductions and selects.
// RUN: tpuc run %s --check --target=v5e --matmul-precision=highest
// RUN: tpuc run %s --check --target=v5p --matmul-precision=highest --set=core.smem_bytes=65536
// RUN: tpuc run %s --target=v4 --matmul-precision=highest --constants=arrays
func.func @main() {
  %i = stablehlo.iota dim = 0 : tensor<1331xi32>
  %seven = stablehlo.constant dense<7> : tensor<1331xi32>
  %many = stablehlo.constant dense<41> : tensor<1331xi32>
  %two = stablehlo.constant dense<2> : tensor<1331xi32>
  %j = stablehlo.multiply %i, %seven : tensor<1331xi32>
  %k = stablehlo.remainder %j, %many : tensor<1331xi32>
  %shifted = stablehlo.subtract %k, %two : tensor<1331xi32>
  // -2 to 38, of rows 0 to 36.
  %at = stablehlo.optimization_barrier %shifted : tensor<1331xi32>
  %places = stablehlo.iota dim = 0 : tensor<37x1331xi32>
  %ats = stablehlo.broadcast_in_dim %at, dims = [1] : (tensor<1331xi32>) -> tensor<37x1331xi32>
  %named = stablehlo.compare EQ, %places, %ats : (tensor<37x1331xi32>, tensor<37x1331xi32>) -> tensor<37x1331xi1>
  %ones = stablehlo.convert %named : (tensor<37x1331xi1>) -> tensor<37x1331xf32>

  // add of f32, rows of 200.
  %u00 = stablehlo.iota dim = 0 : tensor<1331x200xi32>
  %u10 = stablehlo.iota dim = 1 : tensor<1331x200xi32>
  %u20 = stablehlo.add %u00, %u10 : tensor<1331x200xi32>
  %u30 = stablehlo.constant dense<5> : tensor<1331x200xi32>
  %u40 = stablehlo.remainder %u20, %u30 : tensor<1331x200xi32>
  %u50 = stablehlo.convert %u40 : (tensor<1331x200xi32>) -> tensor<1331x200xf32>
  %u0 = stablehlo.optimization_barrier %u50 : tensor<1331x200xf32>
  %t00 = stablehlo.iota dim = 0 : tensor<37x200xf32>
  %t0 = stablehlo.optimization_barrier %t00 : tensor<37x200xf32>
  %r0 = "stablehlo.scatter"(%t0, %at, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
      index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }) : (tensor<37x200xf32>, tensor<1331xi32>, tensor<1331x200xf32>) -> tensor<37x200xf32>
  %f0 = stablehlo.convert %u0 : (tensor<1331x200xf32>) -> tensor<1331x200xf32>
  %s0 = stablehlo.dot_general %ones, %f0, contracting_dims = [1] x [0]
      : (tensor<37x1331xf32>, tensor<1331x200xf32>) -> tensor<37x200xf32>
  %g0 = stablehlo.convert %s0 : (tensor<37x200xf32>) -> tensor<37x200xf32>
  %e0 = stablehlo.add %g0, %t0 : tensor<37x200xf32>
  check.expect_eq %r0, %e0 : tensor<37x200xf32>

  // add of bf16, rows of 136.
  %u01 = stablehlo.iota dim = 0 : tensor<1331x136xi32>
  %u11 = stablehlo.iota dim = 1 : tensor<1331x136xi32>
  %u21 = stablehlo.add %u01, %u11 : tensor<1331x136xi32>
  %u31 = stablehlo.constant dense<5> : tensor<1331x136xi32>
  %u41 = stablehlo.remainder %u21, %u31 : tensor<1331x136xi32>
  %u51 = stablehlo.convert %u41 : (tensor<1331x136xi32>) -> tensor<1331x136xbf16>
  %u1 = stablehlo.optimization_barrier %u51 : tensor<1331x136xbf16>
  %t01 = stablehlo.iota dim = 0 : tensor<37x136xbf16>
  %t1 = stablehlo.optimization_barrier %t01 : tensor<37x136xbf16>
  %r1 = "stablehlo.scatter"(%t1, %at, %u1) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
      index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
      %c = stablehlo.add %a, %b : tensor<bf16>
      stablehlo.return %c : tensor<bf16>
    }) : (tensor<37x136xbf16>, tensor<1331xi32>, tensor<1331x136xbf16>) -> tensor<37x136xbf16>
  %f1 = stablehlo.convert %u1 : (tensor<1331x136xbf16>) -> tensor<1331x136xf32>
  %s1 = stablehlo.dot_general %ones, %f1, contracting_dims = [1] x [0]
      : (tensor<37x1331xf32>, tensor<1331x136xf32>) -> tensor<37x136xf32>
  %g1 = stablehlo.convert %s1 : (tensor<37x136xf32>) -> tensor<37x136xbf16>
  %e1 = stablehlo.add %g1, %t1 : tensor<37x136xbf16>
  check.expect_eq %r1, %e1 : tensor<37x136xbf16>

  // add of i32, rows of 8.
  %u02 = stablehlo.iota dim = 0 : tensor<1331x8xi32>
  %u12 = stablehlo.iota dim = 1 : tensor<1331x8xi32>
  %u22 = stablehlo.add %u02, %u12 : tensor<1331x8xi32>
  %u32 = stablehlo.constant dense<5> : tensor<1331x8xi32>
  %u42 = stablehlo.remainder %u22, %u32 : tensor<1331x8xi32>
  %u52 = stablehlo.convert %u42 : (tensor<1331x8xi32>) -> tensor<1331x8xi32>
  %u2 = stablehlo.optimization_barrier %u52 : tensor<1331x8xi32>
  %t02 = stablehlo.iota dim = 0 : tensor<37x8xi32>
  %t2 = stablehlo.optimization_barrier %t02 : tensor<37x8xi32>
  %r2 = "stablehlo.scatter"(%t2, %at, %u2) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
      index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %c = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %c : tensor<i32>
    }) : (tensor<37x8xi32>, tensor<1331xi32>, tensor<1331x8xi32>) -> tensor<37x8xi32>
  %f2 = stablehlo.convert %u2 : (tensor<1331x8xi32>) -> tensor<1331x8xf32>
  %s2 = stablehlo.dot_general %ones, %f2, contracting_dims = [1] x [0]
      : (tensor<37x1331xf32>, tensor<1331x8xf32>) -> tensor<37x8xf32>
  %g2 = stablehlo.convert %s2 : (tensor<37x8xf32>) -> tensor<37x8xi32>
  %e2 = stablehlo.add %g2, %t2 : tensor<37x8xi32>
  check.expect_eq %r2, %e2 : tensor<37x8xi32>

  // add of f32, rows of 5000.
  %u03 = stablehlo.iota dim = 0 : tensor<1331x5000xi32>
  %u13 = stablehlo.iota dim = 1 : tensor<1331x5000xi32>
  %u23 = stablehlo.add %u03, %u13 : tensor<1331x5000xi32>
  %u33 = stablehlo.constant dense<5> : tensor<1331x5000xi32>
  %u43 = stablehlo.remainder %u23, %u33 : tensor<1331x5000xi32>
  %u53 = stablehlo.convert %u43 : (tensor<1331x5000xi32>) -> tensor<1331x5000xf32>
  %u3 = stablehlo.optimization_barrier %u53 : tensor<1331x5000xf32>
  %t03 = stablehlo.iota dim = 0 : tensor<37x5000xf32>
  %t3 = stablehlo.optimization_barrier %t03 : tensor<37x5000xf32>
  %r3 = "stablehlo.scatter"(%t3, %at, %u3) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
      index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }) : (tensor<37x5000xf32>, tensor<1331xi32>, tensor<1331x5000xf32>) -> tensor<37x5000xf32>
  %f3 = stablehlo.convert %u3 : (tensor<1331x5000xf32>) -> tensor<1331x5000xf32>
  %s3 = stablehlo.dot_general %ones, %f3, contracting_dims = [1] x [0]
      : (tensor<37x1331xf32>, tensor<1331x5000xf32>) -> tensor<37x5000xf32>
  %g3 = stablehlo.convert %s3 : (tensor<37x5000xf32>) -> tensor<37x5000xf32>
  %e3 = stablehlo.add %g3, %t3 : tensor<37x5000xf32>
  check.expect_eq %r3, %e3 : tensor<37x5000xf32>

  // add of i8, rows of 140.
  %u04 = stablehlo.iota dim = 0 : tensor<1331x140xi32>
  %u14 = stablehlo.iota dim = 1 : tensor<1331x140xi32>
  %u24 = stablehlo.add %u04, %u14 : tensor<1331x140xi32>
  %u34 = stablehlo.constant dense<5> : tensor<1331x140xi32>
  %u44 = stablehlo.remainder %u24, %u34 : tensor<1331x140xi32>
  %u54 = stablehlo.convert %u44 : (tensor<1331x140xi32>) -> tensor<1331x140xi8>
  %u4 = stablehlo.optimization_barrier %u54 : tensor<1331x140xi8>
  %t04 = stablehlo.iota dim = 0 : tensor<37x140xi8>
  %t4 = stablehlo.optimization_barrier %t04 : tensor<37x140xi8>
  %r4 = "stablehlo.scatter"(%t4, %at, %u4) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
      index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<i8>, %b: tensor<i8>):
      %c = stablehlo.add %a, %b : tensor<i8>
      stablehlo.return %c : tensor<i8>
    }) : (tensor<37x140xi8>, tensor<1331xi32>, tensor<1331x140xi8>) -> tensor<37x140xi8>
  %f4 = stablehlo.convert %u4 : (tensor<1331x140xi8>) -> tensor<1331x140xf32>
  %s4 = stablehlo.dot_general %ones, %f4, contracting_dims = [1] x [0]
      : (tensor<37x1331xf32>, tensor<1331x140xf32>) -> tensor<37x140xf32>
  %g4 = stablehlo.convert %s4 : (tensor<37x140xf32>) -> tensor<37x140xi8>
  %e4 = stablehlo.add %g4, %t4 : tensor<37x140xi8>
  check.expect_eq %r4, %e4 : tensor<37x140xi8>

  // maximum of i32, rows of 33.
  %u05 = stablehlo.iota dim = 0 : tensor<1331x33xi32>
  %u15 = stablehlo.iota dim = 1 : tensor<1331x33xi32>
  %u25 = stablehlo.add %u05, %u15 : tensor<1331x33xi32>
  %u35 = stablehlo.constant dense<5> : tensor<1331x33xi32>
  %u45 = stablehlo.remainder %u25, %u35 : tensor<1331x33xi32>
  %u55 = stablehlo.convert %u45 : (tensor<1331x33xi32>) -> tensor<1331x33xi32>
  %u5 = stablehlo.optimization_barrier %u55 : tensor<1331x33xi32>
  %t05 = stablehlo.iota dim = 0 : tensor<37x33xi32>
  %t5 = stablehlo.optimization_barrier %t05 : tensor<37x33xi32>
  %r5 = "stablehlo.scatter"(%t5, %at, %u5) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
      index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %c = stablehlo.maximum %a, %b : tensor<i32>
      stablehlo.return %c : tensor<i32>
    }) : (tensor<37x33xi32>, tensor<1331xi32>, tensor<1331x33xi32>) -> tensor<37x33xi32>
  %b5 = stablehlo.broadcast_in_dim %u5, dims = [1, 2] : (tensor<1331x33xi32>) -> tensor<37x1331x33xi32>
  %n5 = stablehlo.broadcast_in_dim %named, dims = [0, 1] : (tensor<37x1331xi1>) -> tensor<37x1331x33xi1>
  %z5 = stablehlo.constant dense<-100> : tensor<37x1331x33xi32>
  %y5 = stablehlo.select %n5, %b5, %z5 : tensor<37x1331x33xi1>, tensor<37x1331x33xi32>
  %l5 = stablehlo.constant dense<-100> : tensor<i32>
  %m5 = stablehlo.reduce(%y5 init: %l5) applies stablehlo.maximum across dimensions = [1]
      : (tensor<37x1331x33xi32>, tensor<i32>) -> tensor<37x33xi32>
  %e5 = stablehlo.maximum %m5, %t5 : tensor<37x33xi32>
  check.expect_eq %r5, %e5 : tensor<37x33xi32>

  // add of f16, rows of 300.
  %u06 = stablehlo.iota dim = 0 : tensor<1331x300xi32>
  %u16 = stablehlo.iota dim = 1 : tensor<1331x300xi32>
  %u26 = stablehlo.add %u06, %u16 : tensor<1331x300xi32>
  %u36 = stablehlo.constant dense<5> : tensor<1331x300xi32>
  %u46 = stablehlo.remainder %u26, %u36 : tensor<1331x300xi32>
  %u56 = stablehlo.convert %u46 : (tensor<1331x300xi32>) -> tensor<1331x300xf16>
  %u6 = stablehlo.optimization_barrier %u56 : tensor<1331x300xf16>
  %t06 = stablehlo.iota dim = 0 : tensor<37x300xf16>
  %t6 = stablehlo.optimization_barrier %t06 : tensor<37x300xf16>
  %r6 = "stablehlo.scatter"(%t6, %at, %u6) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
      index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f16>, %b: tensor<f16>):
      %c = stablehlo.add %a, %b : tensor<f16>
      stablehlo.return %c : tensor<f16>
    }) : (tensor<37x300xf16>, tensor<1331xi32>, tensor<1331x300xf16>) -> tensor<37x300xf16>
  %f6 = stablehlo.convert %u6 : (tensor<1331x300xf16>) -> tensor<1331x300xf32>
  %s6 = stablehlo.dot_general %ones, %f6, contracting_dims = [1] x [0]
      : (tensor<37x1331xf32>, tensor<1331x300xf32>) -> tensor<37x300xf32>
  %g6 = stablehlo.convert %s6 : (tensor<37x300xf32>) -> tensor<37x300xf16>
  %e6 = stablehlo.add %g6, %t6 : tensor<37x300xf16>
  check.expect_eq %r6, %e6 : tensor<37x300xf16>

  // The last of each row stays, here the number of the update; others are as they were.
  %c0 = stablehlo.broadcast_in_dim %i, dims = [0] : (tensor<1331xi32>) -> tensor<1331x3x130xi32>
  %c = stablehlo.optimization_barrier %c0 : tensor<1331x3x130xi32>
  %old = stablehlo.constant dense<-1> : tensor<40x3x130xi32>
  %put = "stablehlo.scatter"(%old, %at, %c) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
      index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      stablehlo.return %b : tensor<i32>
    }) : (tensor<40x3x130xi32>, tensor<1331xi32>, tensor<1331x3x130xi32>) -> tensor<40x3x130xi32>
  %places40 = stablehlo.iota dim = 0 : tensor<40x1331xi32>
  %ats40 = stablehlo.broadcast_in_dim %at, dims = [1] : (tensor<1331xi32>) -> tensor<40x1331xi32>
  %named40 = stablehlo.compare EQ, %places40, %ats40 : (tensor<40x1331xi32>, tensor<40x1331xi32>) -> tensor<40x1331xi1>
  %numbers = stablehlo.iota dim = 1 : tensor<40x1331xi32>
  %never = stablehlo.constant dense<-1> : tensor<40x1331xi32>
  %some = stablehlo.select %named40, %numbers, %never : tensor<40x1331xi1>, tensor<40x1331xi32>
  %none = stablehlo.constant dense<-1> : tensor<i32>
  %last = stablehlo.reduce(%some init: %none) applies stablehlo.maximum across dimensions = [1]
      : (tensor<40x1331xi32>, tensor<i32>) -> tensor<40xi32>
  %lasts = stablehlo.broadcast_in_dim %last, dims = [0] : (tensor<40xi32>) -> tensor<40x3x130xi32>
  check.expect_eq %put, %lasts : tensor<40x3x130xi32>

  // 100,000 numbers, of which i mod 5000 gets i / 5000 twenty times.
  %p = stablehlo.iota dim = 0 : tensor<100000xi32>
  %q = stablehlo.constant dense<5000> : tensor<100000xi32>
  %far0 = stablehlo.remainder %p, %q : tensor<100000xi32>
  %far = stablehlo.optimization_barrier %far0 : tensor<100000xi32>
  %d0 = stablehlo.divide %p, %q : tensor<100000xi32>
  %d = stablehlo.optimization_barrier %d0 : tensor<100000xi32>
  %empty = stablehlo.constant dense<0> : tensor<9000xi32>
  %sum = "stablehlo.scatter"(%empty, %far, %d) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %e = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %e : tensor<i32>
    }) : (tensor<9000xi32>, tensor<100000xi32>, tensor<100000xi32>) -> tensor<9000xi32>
  %where = stablehlo.iota dim = 0 : tensor<9000xi32>
  %end = stablehlo.constant dense<5000> : tensor<9000xi32>
  %is = stablehlo.compare LT, %where, %end : (tensor<9000xi32>, tensor<9000xi32>) -> tensor<9000xi1>
  %full = stablehlo.constant dense<190> : tensor<9000xi32>
  %wanted = stablehlo.select %is, %full, %empty : tensor<9000xi1>, tensor<9000xi32>
  check.expect_eq %sum, %wanted : tensor<9000xi32>
  return
}
