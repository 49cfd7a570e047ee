// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention of 300 queries and 260 keys behind a causal mask and a bias of keys, in a VMEM that holds 223 rows of
// scores and probabilities: two blocks of 160 queries a head. The same with probabilities that are read twice, and stay
// whole: each row of them sums to 1.
// RUN: tpuc run %s --check --target=v5e --set=core.vmem_bytes=2097152 --set=launch_overhead_ns=0 \
// RUN:     --set=memory.dma_latency_ns=0
// RUN: tpuc compile %s --target=v5e --set=core.vmem_bytes=2097152 --set=launch_overhead_ns=0 \
// RUN:     --set=memory.dma_latency_ns=0 --stop-after=fuse -o - | FileCheck %s
// CHECK: stablehlo.while{{.*}} tensor<6x160x80xf32>
// CHECK-NOT: stablehlo.while
func.func @main() {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %none = stablehlo.constant dense<-1.0e30> : tensor<3x300x260xf32>
  %q0 = stablehlo.iota dim = 0 : tensor<3x300x80xf32>
  %q1 = stablehlo.iota dim = 1 : tensor<3x300x80xf32>
  %q2 = stablehlo.iota dim = 2 : tensor<3x300x80xf32>
  %qc0 = stablehlo.constant dense<1.7> : tensor<3x300x80xf32>
  %qc1 = stablehlo.constant dense<0.37> : tensor<3x300x80xf32>
  %qc2 = stablehlo.constant dense<0.91> : tensor<3x300x80xf32>
  %q3 = stablehlo.multiply %q0, %qc0 : tensor<3x300x80xf32>
  %q4 = stablehlo.multiply %q1, %qc1 : tensor<3x300x80xf32>
  %q5 = stablehlo.multiply %q2, %qc2 : tensor<3x300x80xf32>
  %q6 = stablehlo.add %q3, %q4 : tensor<3x300x80xf32>
  %q7 = stablehlo.add %q6, %q5 : tensor<3x300x80xf32>
  %q8 = stablehlo.sine %q7 : tensor<3x300x80xf32>
  %q = stablehlo.optimization_barrier %q8 : tensor<3x300x80xf32>
  %qw = stablehlo.optimization_barrier %q8 : tensor<3x300x80xf32>
  %k0 = stablehlo.iota dim = 0 : tensor<3x260x80xf32>
  %k1 = stablehlo.iota dim = 1 : tensor<3x260x80xf32>
  %k2 = stablehlo.iota dim = 2 : tensor<3x260x80xf32>
  %kc0 = stablehlo.constant dense<0.3> : tensor<3x260x80xf32>
  %kc1 = stablehlo.constant dense<0.61> : tensor<3x260x80xf32>
  %kc2 = stablehlo.constant dense<0.23> : tensor<3x260x80xf32>
  %k3 = stablehlo.multiply %k0, %kc0 : tensor<3x260x80xf32>
  %k4 = stablehlo.multiply %k1, %kc1 : tensor<3x260x80xf32>
  %k5 = stablehlo.multiply %k2, %kc2 : tensor<3x260x80xf32>
  %k6 = stablehlo.add %k3, %k4 : tensor<3x260x80xf32>
  %k7 = stablehlo.add %k6, %k5 : tensor<3x260x80xf32>
  %k8 = stablehlo.sine %k7 : tensor<3x260x80xf32>
  %k = stablehlo.optimization_barrier %k8 : tensor<3x260x80xf32>
  %kw = stablehlo.optimization_barrier %k8 : tensor<3x260x80xf32>
  %v0 = stablehlo.iota dim = 0 : tensor<3x260x80xf32>
  %v1 = stablehlo.iota dim = 1 : tensor<3x260x80xf32>
  %v2 = stablehlo.iota dim = 2 : tensor<3x260x80xf32>
  %vc0 = stablehlo.constant dense<0.9> : tensor<3x260x80xf32>
  %vc1 = stablehlo.constant dense<0.17> : tensor<3x260x80xf32>
  %vc2 = stablehlo.constant dense<1.31> : tensor<3x260x80xf32>
  %v3 = stablehlo.multiply %v0, %vc0 : tensor<3x260x80xf32>
  %v4 = stablehlo.multiply %v1, %vc1 : tensor<3x260x80xf32>
  %v5 = stablehlo.multiply %v2, %vc2 : tensor<3x260x80xf32>
  %v6 = stablehlo.add %v3, %v4 : tensor<3x260x80xf32>
  %v7 = stablehlo.add %v6, %v5 : tensor<3x260x80xf32>
  %v8 = stablehlo.sine %v7 : tensor<3x260x80xf32>
  %v = stablehlo.optimization_barrier %v8 : tensor<3x260x80xf32>
  %vw = stablehlo.optimization_barrier %v8 : tensor<3x260x80xf32>
  %bias0 = stablehlo.iota dim = 0 : tensor<3x1x260xf32>
  %bias1 = stablehlo.iota dim = 1 : tensor<3x1x260xf32>
  %bias2 = stablehlo.iota dim = 2 : tensor<3x1x260xf32>
  %biasc0 = stablehlo.constant dense<0.2> : tensor<3x1x260xf32>
  %biasc1 = stablehlo.constant dense<0.13> : tensor<3x1x260xf32>
  %biasc2 = stablehlo.constant dense<0.71> : tensor<3x1x260xf32>
  %bias3 = stablehlo.multiply %bias0, %biasc0 : tensor<3x1x260xf32>
  %bias4 = stablehlo.multiply %bias1, %biasc1 : tensor<3x1x260xf32>
  %bias5 = stablehlo.multiply %bias2, %biasc2 : tensor<3x1x260xf32>
  %bias6 = stablehlo.add %bias3, %bias4 : tensor<3x1x260xf32>
  %bias7 = stablehlo.add %bias6, %bias5 : tensor<3x1x260xf32>
  %bias8 = stablehlo.sine %bias7 : tensor<3x1x260xf32>
  %bias = stablehlo.optimization_barrier %bias8 : tensor<3x1x260xf32>
  %biasw = stablehlo.optimization_barrier %bias8 : tensor<3x1x260xf32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2],
      precision = [HIGHEST, HIGHEST]
      : (tensor<3x300x80xf32>, tensor<3x260x80xf32>) -> tensor<3x300x260xf32>
  %a = stablehlo.broadcast_in_dim %bias, dims = [0, 1, 2] : (tensor<3x1x260xf32>) -> tensor<3x300x260xf32>
  %b = stablehlo.add %s, %a : tensor<3x300x260xf32>
  %i = stablehlo.iota dim = 1 : tensor<3x300x260xi32>
  %j = stablehlo.iota dim = 2 : tensor<3x300x260xi32>
  %c = stablehlo.compare GE, %i, %j, SIGNED : (tensor<3x300x260xi32>, tensor<3x300x260xi32>) -> tensor<3x300x260xi1>
  %m = stablehlo.select %c, %b, %none : tensor<3x300x260xi1>, tensor<3x300x260xf32>
  %x = stablehlo.reduce(%m init: %least) applies stablehlo.maximum across dimensions = [2]
      : (tensor<3x300x260xf32>, tensor<f32>) -> tensor<3x300xf32>
  %y = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<3x300xf32>) -> tensor<3x300x260xf32>
  %d = stablehlo.subtract %m, %y : tensor<3x300x260xf32>
  %e = stablehlo.exponential %d : tensor<3x300x260xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<3x300x260xf32>, tensor<f32>) -> tensor<3x300xf32>
  %u = stablehlo.broadcast_in_dim %t, dims = [0, 1] : (tensor<3x300xf32>) -> tensor<3x300x260xf32>
  %p = stablehlo.divide %e, %u : tensor<3x300x260xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1],
      precision = [HIGHEST, HIGHEST]
      : (tensor<3x300x260xf32>, tensor<3x260x80xf32>) -> tensor<3x300x80xf32>
  %sw = stablehlo.dot_general %qw, %kw, batching_dims = [0] x [0], contracting_dims = [2] x [2],
      precision = [HIGHEST, HIGHEST]
      : (tensor<3x300x80xf32>, tensor<3x260x80xf32>) -> tensor<3x300x260xf32>
  %aw = stablehlo.broadcast_in_dim %biasw, dims = [0, 1, 2] : (tensor<3x1x260xf32>) -> tensor<3x300x260xf32>
  %bw = stablehlo.add %sw, %aw : tensor<3x300x260xf32>
  %iw = stablehlo.iota dim = 1 : tensor<3x300x260xi32>
  %jw = stablehlo.iota dim = 2 : tensor<3x300x260xi32>
  %cw = stablehlo.compare GE, %iw, %jw, SIGNED : (tensor<3x300x260xi32>, tensor<3x300x260xi32>) -> tensor<3x300x260xi1>
  %mw = stablehlo.select %cw, %bw, %none : tensor<3x300x260xi1>, tensor<3x300x260xf32>
  %xw = stablehlo.reduce(%mw init: %least) applies stablehlo.maximum across dimensions = [2]
      : (tensor<3x300x260xf32>, tensor<f32>) -> tensor<3x300xf32>
  %yw = stablehlo.broadcast_in_dim %xw, dims = [0, 1] : (tensor<3x300xf32>) -> tensor<3x300x260xf32>
  %dw = stablehlo.subtract %mw, %yw : tensor<3x300x260xf32>
  %ew = stablehlo.exponential %dw : tensor<3x300x260xf32>
  %tw = stablehlo.reduce(%ew init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<3x300x260xf32>, tensor<f32>) -> tensor<3x300xf32>
  %uw = stablehlo.broadcast_in_dim %tw, dims = [0, 1] : (tensor<3x300xf32>) -> tensor<3x300x260xf32>
  %pw = stablehlo.divide %ew, %uw : tensor<3x300x260xf32>
  %ow = stablehlo.dot_general %pw, %vw, batching_dims = [0] x [0], contracting_dims = [2] x [1],
      precision = [HIGHEST, HIGHEST]
      : (tensor<3x300x260xf32>, tensor<3x260x80xf32>) -> tensor<3x300x80xf32>
  %sums = stablehlo.reduce(%pw init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<3x300x260xf32>, tensor<f32>) -> tensor<3x300xf32>
  %ones = stablehlo.constant dense<1.0> : tensor<3x300xf32>
  check.expect_almost_eq %sums, %ones : tensor<3x300xf32>
  check.expect_almost_eq %o, %ow : tensor<3x300x80xf32>
  return
}
