// RUN: tpuc-opt %s | tpuc-opt | FileCheck %s
// RUN: tpuc-opt %s --mlir-print-op-generic | tpuc-opt | FileCheck %s
// RUN: tpuc-opt %s --emit-bytecode | tpuc-opt | FileCheck %s

// CHECK-LABEL: func @rules
func.func @rules(%x: tensor<8x4xf32>, %y: tensor<4x16xf32>, %s: tensor<f32>) {
  // CHECK: #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=16, k=4} reduction={k}>
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k],[k,
      j])->([i, j]) {i=8, j=16, k=4} reduction={k}>} : (tensor<8x4xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
  // A dimension of two factors, results without dimensions, each property.
  // CHECK: #sdy.op_sharding_rule<([ij, k])->([i, jk], []) {i=2, j=4, k=4} need_replication={i} permutation={j, k} blocked_propagation={i}, custom>
  %1:2 = stablehlo.custom_call @f(%x) {sdy.sharding_rule = #sdy.op_sharding_rule<([ij, k])->([i, jk], []) {i=2, j=4,
      k=4} need_replication={i} permutation={j, k} blocked_propagation={i}, custom>} : (tensor<8x4xf32>)
      -> (tensor<2x16xf32>, tensor<f32>)
  // CHECK: #sdy.op_sharding_rule<([], [])->([])>
  %2 = stablehlo.add %s, %s {sdy.sharding_rule = #sdy.op_sharding_rule<([], [])->([])>} : tensor<f32>
  return
}

// The nineteenth factor is z_1.
// CHECK-LABEL: func @many
// CHECK: #sdy.op_sharding_rule<([ijklmnopqr, stuvwxyzz_1])->() {i=2, j=2, k=2, l=2, m=2, n=2, o=2, p=2, q=2, r=2, s=2, t=2, u=2, v=2, w=2, x=2, y=2, z=2, z_1=2}, custom>
func.func @many(%x: tensor<1024x512xf32>) {
  "stablehlo.custom_call"(%x) <{call_target_name = "f"}> {sdy.sharding_rule = #sdy.op_sharding_rule<([ijklmnopqr,
      stuvwxyzz_1])->() {i=2, j=2, k=2, l=2, m=2, n=2, o=2, p=2, q=2, r=2, s=2, t=2, u=2, v=2, w=2, x=2, y=2, z=2,
      z_1=2}, custom>} : (tensor<1024x512xf32>) -> ()
  return
}
