// RUN: tpuc-opt %s --sdy-populate-op-sharding-rules | FileCheck %s

// CHECK-LABEL: func @contractions
func.func @contractions(%a: tensor<6x10xf32>, %b: tensor<10x14xf32>, %c: tensor<3x6x10xf32>, %d: tensor<3x10x4xf32>) {
  // CHECK: <([i, k], [k, j])->([i, j]) {i=6, j=14, k=10} reduction={k}>
  %0 = stablehlo.dot %a, %b : (tensor<6x10xf32>, tensor<10x14xf32>) -> tensor<6x14xf32>
  // CHECK: <([i, j, l], [i, l, k])->([i, j, k]) {i=3, j=6, k=4, l=10} reduction={l}>
  %1 = stablehlo.dot_general %c, %d, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<3x6x10xf32>, tensor<3x10x4xf32>) -> tensor<3x6x4xf32>
  // CHECK: <([i, k], [k, j])->([i, j]) {i=6, j=14, k=10} reduction={k}>
  %2 = stablehlo.einsum %a, %b, config = "ab,bc->ac" : (tensor<6x10xf32>, tensor<10x14xf32>) -> tensor<6x14xf32>
  return
}

// CHECK-LABEL: func @reshapes
func.func @reshapes(%a: tensor<10x21xf32>, %b: tensor<5x1x7xf32>, %c: tensor<0x3xf32>) {
  // 10 and 15 share 5; then 2 against 3 until both sides have 30; 7 of both is last: 10*3*7 = 15*2*7.
  // CHECK: <([ij, ln])->([ik, mn]) {i=5, j=2, k=3, l=3, m=2, n=7}>
  %0 = stablehlo.reshape %a : (tensor<10x21xf32>) -> tensor<15x14xf32>
  // CHECK: <([i, j, k])->([ik]) {i=5, j=1, k=7}>
  %1 = stablehlo.reshape %b : (tensor<5x1x7xf32>) -> tensor<35xf32>
  // An array of no element has no rule.
  // CHECK: stablehlo.reshape %{{[^{]*}} : (tensor<0x3xf32>)
  %2 = stablehlo.reshape %c : (tensor<0x3xf32>) -> tensor<3x0xf32>
  return
}

// A scatter that adds sums what devices have; one that keeps the last update needs all of them.
// CHECK-LABEL: func @scatters
func.func @scatters(%a: tensor<9x4xf32>, %i: tensor<5x1xi32>, %u: tensor<5x4xf32>) {
  // CHECK: "stablehlo.scatter"
  // CHECK: sdy.sharding_rule = #sdy.op_sharding_rule<([k, j], [i, l], [i, j])->([k, j]) {i=5, j=4, k=9, l=1} reduction={i} need_replication={l}>
  %0 = "stablehlo.scatter"(%a, %i, %u) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
      : (tensor<9x4xf32>, tensor<5x1xi32>, tensor<5x4xf32>) -> tensor<9x4xf32>
  // CHECK: "stablehlo.scatter"
  // CHECK: sdy.sharding_rule = #sdy.op_sharding_rule<([k, j], [i, l], [i, j])->([k, j]) {i=5, j=4, k=9, l=1} need_replication={i, l}>
  %1 = "stablehlo.scatter"(%a, %i, %u) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
      : (tensor<9x4xf32>, tensor<5x1xi32>, tensor<5x4xf32>) -> tensor<9x4xf32>
  return
}
