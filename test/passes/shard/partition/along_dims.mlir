// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-partition --cse --split-input-file | FileCheck %s
// RUN: tpuc-opt %s --tpuc-partition --split-input-file --remarks-filter=sharding 2>&1 >/dev/null \
// RUN:   | FileCheck %s --check-prefix=NOTE
// Ops that go on along a sharded dimension: what the devices exchange instead of the whole dimension.

// Sums up to each element: 4 sums of 4 elements each, then those of the devices before.
// CHECK-LABEL: func.func @cumulative
// CHECK: %[[OWN:.*]] = "stablehlo.reduce_window"(%arg0
// CHECK-SAME: padding = dense<{{\[\[}}3, 0], [0, 0]]>
// CHECK-SAME: window_dimensions = array<i64: 4, 1>
// CHECK: %[[LAST:.*]] = stablehlo.slice %[[OWN]] [3:4, 0:3]
// CHECK: %[[ALL:.*]] = "stablehlo.all_gather"(%[[LAST]])
// CHECK-SAME: (tensor<1x3xf32>) -> tensor<4x3xf32>
// CHECK: %[[BEFORE:.*]] = stablehlo.select {{.*}} %[[ALL]]
// CHECK: %[[SUM:.*]] = stablehlo.reduce(%[[BEFORE]] init: {{.*}}) applies stablehlo.add across dimensions = [0]
// CHECK: %[[EACH:.*]] = stablehlo.broadcast_in_dim %[[SUM]], dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>
// CHECK: stablehlo.add %[[EACH]], %[[OWN]]
// CHECK-NOT: all_gather
sdy.mesh @mesh = <["x"=4]>
func.func @cumulative(%a: tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%a, %c) <{window_dimensions = array<i64: 16, 1>,
      padding = dense<[[15, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<16x3xf32>, tensor<f32>)
      -> tensor<16x3xf32>
  return %0 : tensor<16x3xf32>
}

// -----

// From each element on, of 10 in blocks of 3: the padding of the last block is no part of it.
// CHECK-LABEL: func.func @from_here_on
// CHECK: %[[OWN:.*]] = stablehlo.select
// CHECK: %[[MOST:.*]] = "stablehlo.reduce_window"(%[[OWN]]
// CHECK-SAME: padding = dense<{{\[\[}}0, 2]]>
// CHECK: stablehlo.slice %[[MOST]] [0:1]
// CHECK: "stablehlo.all_gather"{{.*}}(tensor<1xf32>) -> tensor<4xf32>
// CHECK: stablehlo.maximum
sdy.mesh @mesh = <["x"=4]>
func.func @from_here_on(%a: tensor<10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %c = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%a, %c) <{window_dimensions = array<i64: 10>,
      padding = dense<[[0, 9]]> : tensor<1x2xi64>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.maximum %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<10xf32>, tensor<f32>) -> tensor<10xf32>
  return %0 : tensor<10xf32>
}

// -----

// An initial value that is not neutral joins each window once: no sum of blocks.
// CHECK-LABEL: func.func @not_neutral
// CHECK-NOT: stablehlo.reduce(
// CHECK: return
sdy.mesh @mesh = <["x"=4]>
func.func @not_neutral(%a: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%a, %c) <{window_dimensions = array<i64: 16>,
      padding = dense<[[15, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>, tensor<f32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

// 3 of each device's 250, then 3 of those 12.
// CHECK-LABEL: func.func @largest
// CHECK: %[[V:.*]], %[[I:.*]] = chlo.top_k(%arg0, k = 3) : tensor<1x250xf32>
// CHECK: %[[P:.*]] = stablehlo.add %[[I]]
// CHECK: %[[VS:.*]] = "stablehlo.all_gather"(%[[V]]){{.*}}-> tensor<1x12xf32>
// CHECK: %[[PS:.*]] = "stablehlo.all_gather"(%[[P]]){{.*}}-> tensor<1x12xi32>
// CHECK: %[[B:.*]], %[[C:.*]] = chlo.top_k(%[[VS]], k = 3)
// CHECK: "stablehlo.gather"(%[[PS]], %[[C]])
sdy.mesh @mesh = <["x"=4]>
func.func @largest(%a: tensor<1x1000xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<1x3xf32>, tensor<1x3xi32>) {
  %0:2 = chlo.top_k(%a, k = 3) : tensor<1x1000xf32> -> (tensor<1x3xf32>, tensor<1x3xi32>)
  return %0#0, %0#1 : tensor<1x3xf32>, tensor<1x3xi32>
}

// -----

// A transform of both dimensions: axes go to the other one before each. Nothing is gathered.
// CHECK-LABEL: func.func @plane
// CHECK: stablehlo.fft %arg0, type = FFT, length = [8] : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
// CHECK: "stablehlo.all_to_all"
// CHECK: stablehlo.transpose
// CHECK: stablehlo.fft
// CHECK: stablehlo.transpose
// CHECK-NOT: all_gather
sdy.mesh @mesh = <["x"=4]>
func.func @plane(%a: tensor<8x8xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<8x8xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.fft %a, type = FFT, length = [8, 8]
      : (tensor<8x8xcomplex<f32>>) -> tensor<8x8xcomplex<f32>>
  return %0 : tensor<8x8xcomplex<f32>>
}

// -----

// 64 elements on 4 devices in four steps: lines of 4, turned, and of 16; the third exchange puts them in order.
// CHECK-LABEL: func.func @line
// CHECK: stablehlo.reshape %arg0 : (tensor<16xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
// CHECK: "stablehlo.all_to_all"
// CHECK: stablehlo.fft {{.*}} length = [4]
// CHECK: stablehlo.multiply
// CHECK: "stablehlo.all_to_all"
// CHECK: stablehlo.fft {{.*}} length = [16]
// CHECK: "stablehlo.all_to_all"
// CHECK-NOT: all_gather
sdy.mesh @mesh = <["x"=4]>
func.func @line(%a: tensor<64xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<64xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.fft %a, type = FFT, length = [64] : (tensor<64xcomplex<f32>>) -> tensor<64xcomplex<f32>>
  return %0 : tensor<64xcomplex<f32>>
}

// -----

// 10 elements are not blocks of 4 that 4 divide.
// NOTE: remark: {{.*}}'stablehlo.fft' needs dimension 0 of operand 0 whole
// NOTE-SAME: bytes are moved; shard another dimension
// CHECK-LABEL: func.func @short_line
// CHECK: "stablehlo.all_gather"
sdy.mesh @mesh = <["x"=4]>
func.func @short_line(%a: tensor<10xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> tensor<10xcomplex<f32>> {
  %0 = stablehlo.fft %a, type = FFT, length = [10] : (tensor<10xcomplex<f32>>) -> tensor<10xcomplex<f32>>
  return %0 : tensor<10xcomplex<f32>>
}

// -----

// A sorted dimension that is the only one is gathered, and it is said so; the rows of a matrix take its axes, even
// where these do not divide them.
// NOTE: remark: {{.*}}'stablehlo.sort' needs dimension 0 of operand 0 whole: {{[0-9]+}} bytes are moved
// CHECK-LABEL: func.func @sorted
// CHECK: "stablehlo.all_gather"
// CHECK: "stablehlo.sort"
sdy.mesh @mesh = <["x"=4]>
func.func @sorted(%a: tensor<64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<64xf32> {
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %l = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  }) : (tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// Eight blocks of 8: one meeting in groups of 2, two in groups of 4, three in groups of 8; sorts before and after each.
// CHECK-LABEL: func.func @sorted_blocks
// CHECK: "stablehlo.sort"(%arg0)
// CHECK-COUNT-6: "stablehlo.collective_permute"
// CHECK-NOT: "stablehlo.collective_permute"
// CHECK: "stablehlo.sort"
// CHECK: (tensor<8xi32>) -> tensor<8xi32>
// CHECK-NOT: all_gather
sdy.mesh @mesh = <["x"=8]>
func.func @sorted_blocks(%a: tensor<64xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<64xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %l = stablehlo.compare LT, %p, %q : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<64xi32>) -> tensor<64xi32>
  return %0 : tensor<64xi32>
}

// -----

// Floats that are equal may differ in their bits: with their places that is as many bytes again, more than all have.
// NOTE: remark: {{.*}}'stablehlo.sort' needs dimension 0 of operand 0 whole: {{[0-9]+}} bytes are moved
// CHECK-LABEL: func.func @sorted_floats
// CHECK: "stablehlo.all_gather"
sdy.mesh @mesh = <["x"=8]>
func.func @sorted_floats(%a: tensor<64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %l = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// Of elements and their places, which are one of the arrays already: 15 meetings of 32 blocks, in which both go along.
// CHECK-LABEL: func.func @places
// CHECK-COUNT-30: "stablehlo.collective_permute"
// CHECK-NOT: "stablehlo.collective_permute"
sdy.mesh @mesh = <["x"=32]>
func.func @places(%a: tensor<128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<128xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %i = stablehlo.iota dim = 0 : tensor<128xi32>
  %0:2 = "stablehlo.sort"(%a, %i) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>, %pi: tensor<i32>, %qi: tensor<i32>):
    %l = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>, <@mesh, [{"x"}]>]>}
      : (tensor<128xf32>, tensor<128xi32>) -> (tensor<128xf32>, tensor<128xi32>)
  return %0#1 : tensor<128xi32>
}

// -----

// 1024 real numbers from half of their transform: two ranges from the neighbours, and three exchanges.
// CHECK-LABEL: func.func @real_line
// CHECK: "stablehlo.collective_permute"
// CHECK-COUNT-3: "stablehlo.all_to_all"
// CHECK-NOT: all_gather
// CHECK: return {{.*}} : tensor<128xf32>
sdy.mesh @mesh = <["x"=8]>
func.func @real_line(%a: tensor<513xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.fft %a, type = IRFFT, length = [1024]
      {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<513xcomplex<f32>>) -> tensor<1024xf32>
  return %0 : tensor<1024xf32>
}

// -----

// CHECK-LABEL: func.func @sorted_rows
// CHECK-NOT: all_gather
// CHECK: "stablehlo.all_to_all"
// CHECK: "stablehlo.sort"
// CHECK: (tensor<2x64xf32>) -> tensor<2x64xf32>
sdy.mesh @mesh = <["x"=4]>
func.func @sorted_rows(%a: tensor<7x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<7x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = "stablehlo.sort"(%a) <{dimension = 1 : i64}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %l = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<7x64xf32>) -> tensor<7x64xf32>
  return %0 : tensor<7x64xf32>
}

// -----

// Columns of random bits: each device computes the counters of its own, of four words each.
// CHECK-LABEL: func.func @columns
// CHECK-NOT: rng_bit_generator
// CHECK: stablehlo.partition_id
// CHECK: tensor<8x4xui64>
// CHECK: stablehlo.reshape {{.*}} -> tensor<8x16xui32>
// CHECK-NOT: rng_bit_generator
sdy.mesh @mesh = <["x"=4]>
func.func @columns(%a: tensor<2xui64>)
    -> (tensor<2xui64>, tensor<8x64xui32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0, %1 = stablehlo.rng_bit_generator %a, algorithm = PHILOX
      {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>, <@mesh, [{}, {"x"}]>]>}
      : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8x64xui32>)
  return %0, %1 : tensor<2xui64>, tensor<8x64xui32>
}
