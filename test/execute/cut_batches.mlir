// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gradients of attention of six heads, in a VMEM that holds the scores and shares of one: two loops, before and
// behind what the result goes through, against those of each head by itself, which have none. 300 queries of 260 keys,
// behind a causal mask and a slope of each head.
// RUN: tpuc run %s --check --target=v5e --set=core.vmem_bytes=4194304 --set=launch_overhead_ns=0 \
// RUN:     --set=memory.dma_latency_ns=0
// RUN: tpuc run %s --check --target=v4 --set=memory.dma_latency_ns=0
// RUN: tpuc compile %s --target=v4 --set=memory.dma_latency_ns=0 --stop-after=plan -o - \
// RUN:   | FileCheck %s --check-prefix=CORES
// CORES: stablehlo.while{{.*}} attributes {kernel.over_cores, kernel.trip_count
// RUN: tpuc compile %s --target=v5e --set=core.vmem_bytes=4194304 --set=launch_overhead_ns=0 \
// RUN:     --set=memory.dma_latency_ns=0 --stop-after=fuse -o - | FileCheck %s
// CHECK: stablehlo.while{{.*}} tensor<6x300x260xf32>
// CHECK: stablehlo.while{{.*}} tensor<3x2x48x300xbf16>
// CHECK-NOT: stablehlo.while
module {
  func.func @all(%q: tensor<6x300x48xf32>, %k: tensor<6x260x48xf32>, %v: tensor<6x260x48xf32>,
      %w: tensor<48x48xf32>, %slope: tensor<6xf32>)
      -> (tensor<6x260x48xf32>, tensor<6x260x48xf32>, tensor<6x48x300xbf16>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %none = stablehlo.constant dense<-1.0e30> : tensor<6x300x260xf32>
    %nothing = stablehlo.constant dense<0.0> : tensor<6x300x260xf32>
    %i = stablehlo.iota dim = 1 : tensor<6x300x260xi32>
    %j = stablehlo.iota dim = 2 : tensor<6x300x260xi32>
    %c = stablehlo.compare GE, %i, %j, SIGNED : (tensor<6x300x260xi32>, tensor<6x300x260xi32>) -> tensor<6x300x260xi1>
    %jf = stablehlo.convert %j : (tensor<6x300x260xi32>) -> tensor<6x300x260xf32>
    %sl = stablehlo.broadcast_in_dim %slope, dims = [0] : (tensor<6xf32>) -> tensor<6x300x260xf32>
    %bias = stablehlo.multiply %jf, %sl : tensor<6x300x260xf32>
    %s0 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2],
        precision = [HIGHEST, HIGHEST] : (tensor<6x300x48xf32>, tensor<6x260x48xf32>) -> tensor<6x300x260xf32>
    %s1 = stablehlo.add %s0, %bias : tensor<6x300x260xf32>
    %s = stablehlo.select %c, %s1, %none : tensor<6x300x260xi1>, tensor<6x300x260xf32>
    %m = stablehlo.reduce(%s init: %least) applies stablehlo.maximum across dimensions = [2]
        : (tensor<6x300x260xf32>, tensor<f32>) -> tensor<6x300xf32>
    %mb = stablehlo.broadcast_in_dim %m, dims = [0, 1] : (tensor<6x300xf32>) -> tensor<6x300x260xf32>
    %d = stablehlo.subtract %s, %mb : tensor<6x300x260xf32>
    %e = stablehlo.exponential %d : tensor<6x300x260xf32>
    %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2]
        : (tensor<6x300x260xf32>, tensor<f32>) -> tensor<6x300xf32>
    %tb = stablehlo.broadcast_in_dim %t, dims = [0, 1] : (tensor<6x300xf32>) -> tensor<6x300x260xf32>
    %p = stablehlo.divide %e, %tb : tensor<6x300x260xf32>
    %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1],
        precision = [HIGHEST, HIGHEST] : (tensor<6x300x260xf32>, tensor<6x260x48xf32>) -> tensor<6x300x48xf32>
    %do = stablehlo.dot_general %o, %w, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST]
        : (tensor<6x300x48xf32>, tensor<48x48xf32>) -> tensor<6x300x48xf32>
    %dv = stablehlo.dot_general %p, %do, batching_dims = [0] x [0], contracting_dims = [1] x [1],
        precision = [HIGHEST, HIGHEST] : (tensor<6x300x260xf32>, tensor<6x300x48xf32>) -> tensor<6x260x48xf32>
    %dp = stablehlo.dot_general %do, %v, batching_dims = [0] x [0], contracting_dims = [2] x [2],
        precision = [HIGHEST, HIGHEST] : (tensor<6x300x48xf32>, tensor<6x260x48xf32>) -> tensor<6x300x260xf32>
    %pd = stablehlo.multiply %dp, %p : tensor<6x300x260xf32>
    %r = stablehlo.reduce(%pd init: %zero) applies stablehlo.add across dimensions = [2]
        : (tensor<6x300x260xf32>, tensor<f32>) -> tensor<6x300xf32>
    %n = stablehlo.negate %r : tensor<6x300xf32>
    %nb = stablehlo.broadcast_in_dim %n, dims = [0, 1] : (tensor<6x300xf32>) -> tensor<6x300x260xf32>
    %dd = stablehlo.add %dp, %nb : tensor<6x300x260xf32>
    %ds0 = stablehlo.multiply %dd, %p : tensor<6x300x260xf32>
    %ds = stablehlo.select %c, %ds0, %nothing : tensor<6x300x260xi1>, tensor<6x300x260xf32>
    %dk = stablehlo.dot_general %ds, %q, batching_dims = [0] x [0], contracting_dims = [1] x [1],
        precision = [HIGHEST, HIGHEST] : (tensor<6x300x260xf32>, tensor<6x300x48xf32>) -> tensor<6x260x48xf32>
    %dq = stablehlo.dot_general %ds, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1],
        precision = [HIGHEST, HIGHEST] : (tensor<6x300x260xf32>, tensor<6x260x48xf32>) -> tensor<6x300x48xf32>
    %dqt = stablehlo.transpose %dq, dims = [0, 2, 1] : (tensor<6x300x48xf32>) -> tensor<6x48x300xf32>
    %dqn = stablehlo.convert %dqt : (tensor<6x48x300xf32>) -> tensor<6x48x300xbf16>
    return %dv, %dk, %dqn : tensor<6x260x48xf32>, tensor<6x260x48xf32>, tensor<6x48x300xbf16>
  }
  func.func @one(%q: tensor<1x300x48xf32>, %k: tensor<1x260x48xf32>, %v: tensor<1x260x48xf32>,
      %w: tensor<48x48xf32>, %slope: tensor<1xf32>)
      -> (tensor<1x260x48xf32>, tensor<1x260x48xf32>, tensor<1x48x300xbf16>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %none = stablehlo.constant dense<-1.0e30> : tensor<1x300x260xf32>
    %nothing = stablehlo.constant dense<0.0> : tensor<1x300x260xf32>
    %i = stablehlo.iota dim = 1 : tensor<1x300x260xi32>
    %j = stablehlo.iota dim = 2 : tensor<1x300x260xi32>
    %c = stablehlo.compare GE, %i, %j, SIGNED : (tensor<1x300x260xi32>, tensor<1x300x260xi32>) -> tensor<1x300x260xi1>
    %jf = stablehlo.convert %j : (tensor<1x300x260xi32>) -> tensor<1x300x260xf32>
    %sl = stablehlo.broadcast_in_dim %slope, dims = [0] : (tensor<1xf32>) -> tensor<1x300x260xf32>
    %bias = stablehlo.multiply %jf, %sl : tensor<1x300x260xf32>
    %s0 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2],
        precision = [HIGHEST, HIGHEST] : (tensor<1x300x48xf32>, tensor<1x260x48xf32>) -> tensor<1x300x260xf32>
    %s1 = stablehlo.add %s0, %bias : tensor<1x300x260xf32>
    %s = stablehlo.select %c, %s1, %none : tensor<1x300x260xi1>, tensor<1x300x260xf32>
    %m = stablehlo.reduce(%s init: %least) applies stablehlo.maximum across dimensions = [2]
        : (tensor<1x300x260xf32>, tensor<f32>) -> tensor<1x300xf32>
    %mb = stablehlo.broadcast_in_dim %m, dims = [0, 1] : (tensor<1x300xf32>) -> tensor<1x300x260xf32>
    %d = stablehlo.subtract %s, %mb : tensor<1x300x260xf32>
    %e = stablehlo.exponential %d : tensor<1x300x260xf32>
    %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2]
        : (tensor<1x300x260xf32>, tensor<f32>) -> tensor<1x300xf32>
    %tb = stablehlo.broadcast_in_dim %t, dims = [0, 1] : (tensor<1x300xf32>) -> tensor<1x300x260xf32>
    %p = stablehlo.divide %e, %tb : tensor<1x300x260xf32>
    %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1],
        precision = [HIGHEST, HIGHEST] : (tensor<1x300x260xf32>, tensor<1x260x48xf32>) -> tensor<1x300x48xf32>
    %do = stablehlo.dot_general %o, %w, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST]
        : (tensor<1x300x48xf32>, tensor<48x48xf32>) -> tensor<1x300x48xf32>
    %dv = stablehlo.dot_general %p, %do, batching_dims = [0] x [0], contracting_dims = [1] x [1],
        precision = [HIGHEST, HIGHEST] : (tensor<1x300x260xf32>, tensor<1x300x48xf32>) -> tensor<1x260x48xf32>
    %dp = stablehlo.dot_general %do, %v, batching_dims = [0] x [0], contracting_dims = [2] x [2],
        precision = [HIGHEST, HIGHEST] : (tensor<1x300x48xf32>, tensor<1x260x48xf32>) -> tensor<1x300x260xf32>
    %pd = stablehlo.multiply %dp, %p : tensor<1x300x260xf32>
    %r = stablehlo.reduce(%pd init: %zero) applies stablehlo.add across dimensions = [2]
        : (tensor<1x300x260xf32>, tensor<f32>) -> tensor<1x300xf32>
    %n = stablehlo.negate %r : tensor<1x300xf32>
    %nb = stablehlo.broadcast_in_dim %n, dims = [0, 1] : (tensor<1x300xf32>) -> tensor<1x300x260xf32>
    %dd = stablehlo.add %dp, %nb : tensor<1x300x260xf32>
    %ds0 = stablehlo.multiply %dd, %p : tensor<1x300x260xf32>
    %ds = stablehlo.select %c, %ds0, %nothing : tensor<1x300x260xi1>, tensor<1x300x260xf32>
    %dk = stablehlo.dot_general %ds, %q, batching_dims = [0] x [0], contracting_dims = [1] x [1],
        precision = [HIGHEST, HIGHEST] : (tensor<1x300x260xf32>, tensor<1x300x48xf32>) -> tensor<1x260x48xf32>
    %dq = stablehlo.dot_general %ds, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1],
        precision = [HIGHEST, HIGHEST] : (tensor<1x300x260xf32>, tensor<1x260x48xf32>) -> tensor<1x300x48xf32>
    %dqt = stablehlo.transpose %dq, dims = [0, 2, 1] : (tensor<1x300x48xf32>) -> tensor<1x48x300xf32>
    %dqn = stablehlo.convert %dqt : (tensor<1x48x300xf32>) -> tensor<1x48x300xbf16>
    return %dv, %dk, %dqn : tensor<1x260x48xf32>, tensor<1x260x48xf32>, tensor<1x48x300xbf16>
  }
  func.func @main() {
    %q0 = stablehlo.iota dim = 0 : tensor<6x300x48xf32>
    %qc0 = stablehlo.constant dense<1.7> : tensor<6x300x48xf32>
    %qp0 = stablehlo.multiply %q0, %qc0 : tensor<6x300x48xf32>
    %q1 = stablehlo.iota dim = 1 : tensor<6x300x48xf32>
    %qc1 = stablehlo.constant dense<0.37> : tensor<6x300x48xf32>
    %qp1 = stablehlo.multiply %q1, %qc1 : tensor<6x300x48xf32>
    %q2 = stablehlo.iota dim = 2 : tensor<6x300x48xf32>
    %qc2 = stablehlo.constant dense<0.91> : tensor<6x300x48xf32>
    %qp2 = stablehlo.multiply %q2, %qc2 : tensor<6x300x48xf32>
    %qs1 = stablehlo.add %qp0, %qp1 : tensor<6x300x48xf32>
    %qs2 = stablehlo.add %qs1, %qp2 : tensor<6x300x48xf32>
    %qw = stablehlo.sine %qs2 : tensor<6x300x48xf32>
    %q = stablehlo.optimization_barrier %qw : tensor<6x300x48xf32>
    %k0 = stablehlo.iota dim = 0 : tensor<6x260x48xf32>
    %kc0 = stablehlo.constant dense<0.3> : tensor<6x260x48xf32>
    %kp0 = stablehlo.multiply %k0, %kc0 : tensor<6x260x48xf32>
    %k1 = stablehlo.iota dim = 1 : tensor<6x260x48xf32>
    %kc1 = stablehlo.constant dense<0.61> : tensor<6x260x48xf32>
    %kp1 = stablehlo.multiply %k1, %kc1 : tensor<6x260x48xf32>
    %k2 = stablehlo.iota dim = 2 : tensor<6x260x48xf32>
    %kc2 = stablehlo.constant dense<0.23> : tensor<6x260x48xf32>
    %kp2 = stablehlo.multiply %k2, %kc2 : tensor<6x260x48xf32>
    %ks1 = stablehlo.add %kp0, %kp1 : tensor<6x260x48xf32>
    %ks2 = stablehlo.add %ks1, %kp2 : tensor<6x260x48xf32>
    %kw = stablehlo.sine %ks2 : tensor<6x260x48xf32>
    %k = stablehlo.optimization_barrier %kw : tensor<6x260x48xf32>
    %v0 = stablehlo.iota dim = 0 : tensor<6x260x48xf32>
    %vc0 = stablehlo.constant dense<0.9> : tensor<6x260x48xf32>
    %vp0 = stablehlo.multiply %v0, %vc0 : tensor<6x260x48xf32>
    %v1 = stablehlo.iota dim = 1 : tensor<6x260x48xf32>
    %vc1 = stablehlo.constant dense<0.17> : tensor<6x260x48xf32>
    %vp1 = stablehlo.multiply %v1, %vc1 : tensor<6x260x48xf32>
    %v2 = stablehlo.iota dim = 2 : tensor<6x260x48xf32>
    %vc2 = stablehlo.constant dense<1.31> : tensor<6x260x48xf32>
    %vp2 = stablehlo.multiply %v2, %vc2 : tensor<6x260x48xf32>
    %vs1 = stablehlo.add %vp0, %vp1 : tensor<6x260x48xf32>
    %vs2 = stablehlo.add %vs1, %vp2 : tensor<6x260x48xf32>
    %vw = stablehlo.sine %vs2 : tensor<6x260x48xf32>
    %v = stablehlo.optimization_barrier %vw : tensor<6x260x48xf32>
    %w0 = stablehlo.iota dim = 0 : tensor<48x48xf32>
    %wc0 = stablehlo.constant dense<0.77> : tensor<48x48xf32>
    %wp0 = stablehlo.multiply %w0, %wc0 : tensor<48x48xf32>
    %w1 = stablehlo.iota dim = 1 : tensor<48x48xf32>
    %wc1 = stablehlo.constant dense<0.19> : tensor<48x48xf32>
    %wp1 = stablehlo.multiply %w1, %wc1 : tensor<48x48xf32>
    %ws1 = stablehlo.add %wp0, %wp1 : tensor<48x48xf32>
    %ww = stablehlo.sine %ws1 : tensor<48x48xf32>
    %w = stablehlo.optimization_barrier %ww : tensor<48x48xf32>
    %slope0 = stablehlo.iota dim = 0 : tensor<6xf32>
    %slopec = stablehlo.constant dense<0.01> : tensor<6xf32>
    %slope1 = stablehlo.multiply %slope0, %slopec : tensor<6xf32>
    %slope = stablehlo.optimization_barrier %slope1 : tensor<6xf32>
    %all:3 = func.call @all(%q, %k, %v, %w, %slope)
        : (tensor<6x300x48xf32>, tensor<6x260x48xf32>, tensor<6x260x48xf32>,
           tensor<48x48xf32>, tensor<6xf32>)
        -> (tensor<6x260x48xf32>, tensor<6x260x48xf32>, tensor<6x48x300xbf16>)
    %q0h = stablehlo.slice %q [0:1, 0:300, 0:48] : (tensor<6x300x48xf32>) -> tensor<1x300x48xf32>
    %k0h = stablehlo.slice %k [0:1, 0:260, 0:48] : (tensor<6x260x48xf32>) -> tensor<1x260x48xf32>
    %v0h = stablehlo.slice %v [0:1, 0:260, 0:48] : (tensor<6x260x48xf32>) -> tensor<1x260x48xf32>
    %sl0 = stablehlo.slice %slope [0:1] : (tensor<6xf32>) -> tensor<1xf32>
    %one0:3 = func.call @one(%q0h, %k0h, %v0h, %w, %sl0)
        : (tensor<1x300x48xf32>, tensor<1x260x48xf32>, tensor<1x260x48xf32>,
           tensor<48x48xf32>, tensor<1xf32>)
        -> (tensor<1x260x48xf32>, tensor<1x260x48xf32>, tensor<1x48x300xbf16>)
    %got00 = stablehlo.slice %all#0 [0:1, 0:260, 0:48] : (tensor<6x260x48xf32>) -> tensor<1x260x48xf32>
    check.expect_almost_eq %got00, %one0#0 : tensor<1x260x48xf32>
    %got01 = stablehlo.slice %all#1 [0:1, 0:260, 0:48] : (tensor<6x260x48xf32>) -> tensor<1x260x48xf32>
    check.expect_almost_eq %got01, %one0#1 : tensor<1x260x48xf32>
    %got02 = stablehlo.slice %all#2 [0:1, 0:48, 0:300] : (tensor<6x48x300xbf16>) -> tensor<1x48x300xbf16>
    check.expect_almost_eq %got02, %one0#2 : tensor<1x48x300xbf16>
    %q3h = stablehlo.slice %q [3:4, 0:300, 0:48] : (tensor<6x300x48xf32>) -> tensor<1x300x48xf32>
    %k3h = stablehlo.slice %k [3:4, 0:260, 0:48] : (tensor<6x260x48xf32>) -> tensor<1x260x48xf32>
    %v3h = stablehlo.slice %v [3:4, 0:260, 0:48] : (tensor<6x260x48xf32>) -> tensor<1x260x48xf32>
    %sl3 = stablehlo.slice %slope [3:4] : (tensor<6xf32>) -> tensor<1xf32>
    %one3:3 = func.call @one(%q3h, %k3h, %v3h, %w, %sl3)
        : (tensor<1x300x48xf32>, tensor<1x260x48xf32>, tensor<1x260x48xf32>,
           tensor<48x48xf32>, tensor<1xf32>)
        -> (tensor<1x260x48xf32>, tensor<1x260x48xf32>, tensor<1x48x300xbf16>)
    %got30 = stablehlo.slice %all#0 [3:4, 0:260, 0:48] : (tensor<6x260x48xf32>) -> tensor<1x260x48xf32>
    check.expect_almost_eq %got30, %one3#0 : tensor<1x260x48xf32>
    %got31 = stablehlo.slice %all#1 [3:4, 0:260, 0:48] : (tensor<6x260x48xf32>) -> tensor<1x260x48xf32>
    check.expect_almost_eq %got31, %one3#1 : tensor<1x260x48xf32>
    %got32 = stablehlo.slice %all#2 [3:4, 0:48, 0:300] : (tensor<6x48x300xbf16>) -> tensor<1x48x300xbf16>
    check.expect_almost_eq %got32, %one3#2 : tensor<1x48x300xbf16>
    %q5h = stablehlo.slice %q [5:6, 0:300, 0:48] : (tensor<6x300x48xf32>) -> tensor<1x300x48xf32>
    %k5h = stablehlo.slice %k [5:6, 0:260, 0:48] : (tensor<6x260x48xf32>) -> tensor<1x260x48xf32>
    %v5h = stablehlo.slice %v [5:6, 0:260, 0:48] : (tensor<6x260x48xf32>) -> tensor<1x260x48xf32>
    %sl5 = stablehlo.slice %slope [5:6] : (tensor<6xf32>) -> tensor<1xf32>
    %one5:3 = func.call @one(%q5h, %k5h, %v5h, %w, %sl5)
        : (tensor<1x300x48xf32>, tensor<1x260x48xf32>, tensor<1x260x48xf32>,
           tensor<48x48xf32>, tensor<1xf32>)
        -> (tensor<1x260x48xf32>, tensor<1x260x48xf32>, tensor<1x48x300xbf16>)
    %got50 = stablehlo.slice %all#0 [5:6, 0:260, 0:48] : (tensor<6x260x48xf32>) -> tensor<1x260x48xf32>
    check.expect_almost_eq %got50, %one5#0 : tensor<1x260x48xf32>
    %got51 = stablehlo.slice %all#1 [5:6, 0:260, 0:48] : (tensor<6x260x48xf32>) -> tensor<1x260x48xf32>
    check.expect_almost_eq %got51, %one5#1 : tensor<1x260x48xf32>
    %got52 = stablehlo.slice %all#2 [5:6, 0:48, 0:300] : (tensor<6x48x300xbf16>) -> tensor<1x48x300xbf16>
    check.expect_almost_eq %got52, %one5#2 : tensor<1x48x300xbf16>
    return
  }
}
