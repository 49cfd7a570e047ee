// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-count-places --split-input-file | FileCheck %s
// RUN: tpuc-opt %s --tpuc-count-places=target=v1 --split-input-file | FileCheck %s --check-prefix=INTEGERS
// Scatters of one value.

// Tokens that were seen, row by row: 128256 = 1002 * 128 places.
// CHECK-LABEL: func.func @main
// CHECK: stablehlo.iota dim = 1 : tensor<8x1002x256xi32>
// CHECK: stablehlo.iota dim = 1 : tensor<8x128x256xi32>
// CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<8x1002x256xbf16>, tensor<8x128x256xbf16>) -> tensor<8x1002x128xf32>
// CHECK: stablehlo.reshape %{{.*}} : (tensor<8x1002x128xf32>) -> tensor<8x128256xf32>
// CHECK: stablehlo.compare GT
// CHECK: stablehlo.select
// CHECK-NOT: stablehlo.scatter
// INTEGERS-LABEL: func.func @main
// INTEGERS: stablehlo.dot_general {{.*}} (tensor<8x1002x256xi8>, tensor<8x128x256xi8>) -> tensor<8x1002x128xi32>
// INTEGERS: stablehlo.compare GT, %{{.*}} : (tensor<8x128256xi32>, tensor<8x128256xi32>)
func.func @main(%seen: tensor<8x128256xi1>, %i: tensor<8x256x1xi32>) -> tensor<8x128256xi1> {
  %true = stablehlo.constant dense<true> : tensor<8x256xi1>
  %0 = "stablehlo.scatter"(%seen, %i, %true) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0],
      scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    stablehlo.return %b : tensor<i1>
  }) : (tensor<8x128256xi1>, tensor<8x256x1xi32>, tensor<8x256xi1>) -> tensor<8x128256xi1>
  return %0 : tensor<8x128256xi1>
}

// -----

// A sum has the value times the count; indices of two components are numbers of places; the last hi is cut.
// CHECK-LABEL: func.func @main
// CHECK: stablehlo.multiply %{{.*}}, %{{.*}} : tensor<4096xi32>
// CHECK: -> tensor<1x235x128xf32>
// CHECK: stablehlo.slice %{{.*}} [0:1, 0:30000]
// CHECK: %[[TIMES:.*]] = stablehlo.convert %{{.*}} : (tensor<1x30000xf32>) -> tensor<1x30000xi32>
// CHECK: stablehlo.multiply %[[TIMES]], %{{.*}}
// CHECK: stablehlo.add
func.func @main(%bins: tensor<300x100xi32>, %i: tensor<4096x2xi32>) -> tensor<300x100xi32> {
  %three = stablehlo.constant dense<3> : tensor<4096xi32>
  %0 = "stablehlo.scatter"(%bins, %i, %three) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<300x100xi32>, tensor<4096x2xi32>, tensor<4096xi32>) -> tensor<300x100xi32>
  return %0 : tensor<300x100xi32>
}

// -----

// A sum of floats is exact where powers of two are added to zeros, and keeps its order elsewhere: of 3.0, to others.
// CHECK-LABEL: func.func @main
// CHECK: stablehlo.dot_general
// CHECK-COUNT-2: stablehlo.scatter
func.func @main(%bins: tensor<50000xf32>, %i: tensor<4096x1xi32>)
    -> (tensor<50000xf32>, tensor<50000xf32>, tensor<50000xf32>) {
  %zeros = stablehlo.constant dense<0.0> : tensor<50000xf32>
  %half = stablehlo.constant dense<0.5> : tensor<4096xf32>
  %three = stablehlo.constant dense<3.0> : tensor<4096xf32>
  %0 = "stablehlo.scatter"(%zeros, %i, %half) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<50000xf32>, tensor<4096x1xi32>, tensor<4096xf32>) -> tensor<50000xf32>
  %1 = "stablehlo.scatter"(%zeros, %i, %three) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<50000xf32>, tensor<4096x1xi32>, tensor<4096xf32>) -> tensor<50000xf32>
  %2 = "stablehlo.scatter"(%bins, %i, %half) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<50000xf32>, tensor<4096x1xi32>, tensor<4096xf32>) -> tensor<50000xf32>
  return %0, %1, %2 : tensor<50000xf32>, tensor<50000xf32>, tensor<50000xf32>
}

// -----

// Few indices are put one by one, few places compared with each of them (expand_tallies).
// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: stablehlo.scatter
func.func @main(%x: tensor<50000xi32>, %y: tensor<64xi32>, %i: tensor<4x1xi32>, %j: tensor<4096x1xi32>)
    -> (tensor<50000xi32>, tensor<64xi32>) {
  %few = stablehlo.constant dense<1> : tensor<4xi32>
  %many = stablehlo.constant dense<1> : tensor<4096xi32>
  %0 = "stablehlo.scatter"(%x, %i, %few) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<50000xi32>, tensor<4x1xi32>, tensor<4xi32>) -> tensor<50000xi32>
  %1 = "stablehlo.scatter"(%y, %j, %many) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<64xi32>, tensor<4096x1xi32>, tensor<4096xi32>) -> tensor<64xi32>
  return %0, %1 : tensor<50000xi32>, tensor<64xi32>
}

// -----

// jax.ops.segment_sum of f32 into zeros: the product has each update instead of a one, exactly. What is not finite is
// zero there, and counted apart: updates that are not above 0 but for the infinite ones, and not below.
// CHECK-LABEL: func.func @main
// CHECK-DAG: %[[FINITE:.*]] = stablehlo.is_finite %{{.*}} : (tensor<1x16384xf32>)
// CHECK: %[[SUM:.*]] = stablehlo.dot_general %{{.*}}, %{{.*}}, batching_dims = [0] x [0], contracting_dims = [2] x [2], algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, {{.*}} : (tensor<1x128x16384xf32>, tensor<1x128x16384xf32>) -> tensor<1x128x128xf32>
// CHECK: stablehlo.compare LT
// CHECK: stablehlo.dot_general {{.*}} : (tensor<1x128x16384xbf16>, tensor<1x128x16384xbf16>) -> tensor<1x128x128xf32>
// CHECK: stablehlo.constant dense<0x7F800000>
// CHECK: stablehlo.compare GT
// CHECK: stablehlo.dot_general {{.*}} : (tensor<1x128x16384xbf16>, tensor<1x128x16384xbf16>) -> tensor<1x128x128xf32>
// CHECK: stablehlo.constant dense<0xFF800000>
// CHECK-NOT: stablehlo.scatter
func.func @main(%i: tensor<16384x1xi32>, %u: tensor<16384xf32>) -> tensor<16384xf32> {
  %zeros = stablehlo.constant dense<0.0> : tensor<16384xf32>
  %0 = "stablehlo.scatter"(%zeros, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<16384xf32>, tensor<16384x1xi32>, tensor<16384xf32>) -> tensor<16384xf32>
  return %0 : tensor<16384xf32>
}

// -----

// Into an array that has values of its own, whose zeros may be negative; of halves, which round each sum; the greatest;
// few places, which the vector unit compares sooner.
// CHECK-LABEL: func.func @main
// CHECK-NOT: stablehlo.dot_general
// CHECK: return
func.func @main(%i: tensor<16384x1xi32>, %u: tensor<16384xf32>, %x: tensor<16384xf32>, %h: tensor<16384xbf16>)
    -> (tensor<16384xf32>, tensor<16384xbf16>, tensor<16384xf32>, tensor<128xf32>) {
  %zeros = stablehlo.constant dense<0.0> : tensor<16384xf32>
  %halves = stablehlo.constant dense<0.0> : tensor<16384xbf16>
  %few = stablehlo.constant dense<0.0> : tensor<128xf32>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<16384xf32>, tensor<16384x1xi32>, tensor<16384xf32>) -> tensor<16384xf32>
  %1 = "stablehlo.scatter"(%halves, %i, %h) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<16384xbf16>, tensor<16384x1xi32>, tensor<16384xbf16>) -> tensor<16384xbf16>
  %2 = "stablehlo.scatter"(%zeros, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<16384xf32>, tensor<16384x1xi32>, tensor<16384xf32>) -> tensor<16384xf32>
  %3 = "stablehlo.scatter"(%few, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<128xf32>, tensor<16384x1xi32>, tensor<16384xf32>) -> tensor<128xf32>
  return %0, %1, %2, %3 : tensor<16384xf32>, tensor<16384xbf16>, tensor<16384xf32>, tensor<128xf32>
}
