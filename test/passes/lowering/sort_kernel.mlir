// Networks: a loop for each few steps over all of their vregs.
// RUN: tpuc-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels,tpuc-lower-kernels)' | FileCheck %s

// 1000 elements of 8 rows are 8 vregs, the low 3 bits of a position: exchanges of whole vregs, then 7 merges of lanes.
// Merge number k of them (from 0) takes all 8 vregs: 4 pairs of which one is permuted, there and back, and k steps
// within each vreg. 8 x 7 + 8 x (0 + 1 + .. 5) = 176 permutations are those of the first six merges and the pairs of
// the last; up to 5 steps fit beside them, 8 x 5 = 40.
// CHECK-LABEL: tpu.routine @k0
// CHECK-NOT: x.perm
// A float in total order came as an integer, of which equal ones are the same: no comparison, no positions.
// CHECK: tpu.inst "v.min.i32"
// CHECK-NOT: {{x.perm|v.lt.s32}}
// CHECK-COUNT-216: tpu.inst "x.perm.lane"
// CHECK-NOT: {{x.perm|v.lt.s32}}
// The last merge's sixth step within vregs, and those of whole ones.
// CHECK: scf.for %{{.*}} to %c8_i64
// CHECK: tpu.inst "x.perm.lane"
// CHECK-NOT: {{x.perm|v.lt.s32}}
// Three bits of rows and lanes trade places: 3 x 4 pairs of vregs, a permutation each.
// CHECK-COUNT-12: tpu.inst "x.perm.lane"
// CHECK-NOT: {{x.perm|v.lt.s32}}
// CHECK: tpu.return
func.func @main(%x: tensor<8x1000xf32>) -> tensor<8x1000xf32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %lt = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<8x1000xf32>) -> tensor<8x1000xf32>
  return %0 : tensor<8x1000xf32>
}

// -----

// Zeros of both signs are equal, and must keep their order: by a key, computed once, of seven vregs in a loop and of
// the last one, then by positions.
// CHECK-LABEL: tpu.routine @k0
// CHECK-COUNT-2: tpu.inst "v.eq.f32"
// CHECK-NOT: "v.eq.f32"
// CHECK: tpu.inst "v.eq.i32"
// CHECK: tpu.inst "x.perm.lane"
// CHECK-NOT: "v.eq.f32"
// CHECK: tpu.return
func.func @main(%x: tensor<8x1000xf32>) -> tensor<8x1000xf32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.compare EQ, %a, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %zero, %a : tensor<i1>, tensor<f32>
    %3 = stablehlo.compare EQ, %b, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.select %3, %zero, %b : tensor<i1>, tensor<f32>
    %lt = stablehlo.compare LT, %2, %4, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<8x1000xf32>) -> tensor<8x1000xf32>
  return %0 : tensor<8x1000xf32>
}

// -----

// Equal integers are the same: the greater of two goes first, no positions. Rows are vregs, 1024 columns in each, so
// nothing crosses lanes.
// CHECK-LABEL: tpu.routine @k0
// CHECK-NOT: {{x.perm|v.sel}}
// CHECK: tpu.inst "v.max.i32"
// CHECK: tpu.inst "v.min.i32"
// CHECK-NOT: {{x.perm|v.sel}}
// CHECK: tpu.return
func.func @main(%x: tensor<64x1024xi32>) -> tensor<64x1024xi32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %lt = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<64x1024xi32>) -> tensor<64x1024xi32>
  return %0 : tensor<64x1024xi32>
}

// -----

// The first two of 64, one after the other: no network.
// CHECK-LABEL: tpu.routine @k0
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : i64
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[TWO]]
// CHECK: tpu.inst "x.max.lane.s32"
// CHECK: tpu.inst "x.min.lane.s32"
// CHECK-NOT: x.perm
// CHECK: tpu.return
func.func @main(%x: tensor<4096x64xf32>) -> (tensor<4096x2xf32>, tensor<4096x2xi32>) {
  %i = stablehlo.iota dim = 1 : tensor<4096x64xi32>
  %0:2 = "stablehlo.sort"(%x, %i) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %p: tensor<i32>, %q: tensor<i32>):
    %gt = stablehlo.compare GT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %gt : tensor<i1>
  }) : (tensor<4096x64xf32>, tensor<4096x64xi32>) -> (tensor<4096x64xf32>, tensor<4096x64xi32>)
  %1 = stablehlo.slice %0#0 [0:4096, 0:2] : (tensor<4096x64xf32>) -> tensor<4096x2xf32>
  %2 = stablehlo.slice %0#1 [0:4096, 0:2] : (tensor<4096x64xi32>) -> tensor<4096x2xi32>
  return %1, %2 : tensor<4096x2xf32>, tensor<4096x2xi32>
}

// -----

// The first 5 of 2000 integers, 16 vregs a row: runs of 8 vregs are sorted, halved to one, and joined over the 7 bits
// of lanes.
// CHECK-LABEL: tpu.routine @k0
// CHECK-NOT: x.perm.lane
// CHECK: scf.for %{{.*}} to %c8_i64
// CHECK: tpu.inst "v.max.i32"
// CHECK: scf.for %{{.*}} to %c4_i64
// CHECK-COUNT-14: tpu.inst "x.perm.lane"
// CHECK-NOT: x.perm.lane
// CHECK: tpu.return
func.func @main(%x: tensor<8x2000xi32>) -> tensor<8x5xi32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %gt = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %gt : tensor<i1>
  }) : (tensor<8x2000xi32>) -> tensor<8x2000xi32>
  %1 = stablehlo.slice %0 [0:8, 0:5] : (tensor<8x2000xi32>) -> tensor<8x5xi32>
  return %1 : tensor<8x5xi32>
}

// -----

// JAX's order, of elements alone: a float and its position are one integer, as positions are needed of zeros and NaNs
// only. Three comparisons make it (two of them less-than), of seven vregs in a loop and of the last one, which one more
// fills up; three take it apart; exchanges have none.
// CHECK-LABEL: tpu.routine @k0
// CHECK-COUNT-5: tpu.inst "v.lt.s32"
// CHECK-NOT: "v.lt.s32"
// CHECK: tpu.inst "x.perm.lane"
// CHECK-COUNT-3: tpu.inst "v.lt.s32"
// CHECK-NOT: "v.lt.s32"
// CHECK: tpu.return
func.func @main(%x: tensor<8x1000xf32>) -> tensor<8x1000xf32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %1 = stablehlo.compare EQ, %a, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %zero, %a : tensor<i1>, tensor<f32>
    %3 = stablehlo.compare NE, %a, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.select %3, %nan, %2 : tensor<i1>, tensor<f32>
    %5 = stablehlo.compare EQ, %b, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.select %5, %zero, %b : tensor<i1>, tensor<f32>
    %7 = stablehlo.compare NE, %b, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %8 = stablehlo.select %7, %nan, %6 : tensor<i1>, tensor<f32>
    %lt = stablehlo.compare LT, %4, %8, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<8x1000xf32>) -> tensor<8x1000xf32>
  return %0 : tensor<8x1000xf32>
}

// -----

// Keys of 16 bits and positions are one integer.
// CHECK-LABEL: tpu.routine @k0
// CHECK: tpu.inst "v.or"
// CHECK: tpu.inst "v.lt.s32"
// CHECK-NOT: "v.lt.s32"
// CHECK: tpu.inst "x.perm.lane"
// CHECK-NOT: "v.lt.s32"
// CHECK: tpu.return
func.func @main(%x: tensor<16x1000xi16>) -> (tensor<16x1000xi16>, tensor<16x1000xi32>) {
  %i = stablehlo.iota dim = 1 : tensor<16x1000xi32>
  %0:2 = "stablehlo.sort"(%x, %i) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i16>, %b: tensor<i16>, %p: tensor<i32>, %q: tensor<i32>):
    %lt = stablehlo.compare LT, %a, %b : (tensor<i16>, tensor<i16>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<16x1000xi16>, tensor<16x1000xi32>) -> (tensor<16x1000xi16>, tensor<16x1000xi32>)
  return %0#0, %0#1 : tensor<16x1000xi16>, tensor<16x1000xi32>
}

// -----

// Positions are read as well. A key of JAX's order is less than the greatest integer: one more tells equal keys by
// their positions, two comparisons instead of three. Where runs of one half of a merge lie behind those of the other,
// only a lesser key overtakes: the first step compares keys alone.
// CHECK-LABEL: tpu.routine @k0
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: "v.add.i32"
// CHECK: %[[LESS:.*]] = tpu.inst "v.lt.s32"(%[[B:.*]], %[[A:.*]]) :
// CHECK-NEXT: tpu.inst "v.sel"(%[[LESS]], %[[B]], %[[A]])
// CHECK-COUNT-3: tpu.inst "v.sel"(%[[LESS]]
// CHECK: tpu.inst "v.lt.s32"
// CHECK: %[[NEXT:.*]] = tpu.inst "v.add.i32"(%[[KEY:.*]], %
// CHECK-NEXT: %[[MOST:.*]] = tpu.inst "v.sel"(%{{.*}}, %[[NEXT]], %[[KEY]])
// CHECK-NEXT: tpu.inst "v.lt.s32"(%{{.*}}, %[[MOST]])
// CHECK-NOT: "v.eq.i32"
// CHECK: tpu.return
func.func @main(%x: tensor<8x1000xf32>) -> tensor<8x1000xi32> {
  %i = stablehlo.iota dim = 1 : tensor<8x1000xi32>
  %0:2 = "stablehlo.sort"(%x, %i) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %p: tensor<i32>, %q: tensor<i32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %1 = stablehlo.compare EQ, %a, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %zero, %a : tensor<i1>, tensor<f32>
    %3 = stablehlo.compare NE, %a, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.select %3, %nan, %2 : tensor<i1>, tensor<f32>
    %5 = stablehlo.compare EQ, %b, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.select %5, %zero, %b : tensor<i1>, tensor<f32>
    %7 = stablehlo.compare NE, %b, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %8 = stablehlo.select %7, %nan, %6 : tensor<i1>, tensor<f32>
    %lt = stablehlo.compare LT, %4, %8, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<8x1000xf32>, tensor<8x1000xi32>) -> (tensor<8x1000xf32>, tensor<8x1000xi32>)
  return %0#1 : tensor<8x1000xi32>
}

// -----

// 8192 elements of one sequence: 8 vregs of 8 sublanes are 64 rows of 128 lanes, and a load's stride says which eight
// of them are a vreg's. Runs of 4 rows are sorted with rows 4 apart in sublanes, mirrored halves of 32 are taken
// downwards, and nothing crosses sublanes.
// CHECK-LABEL: tpu.routine @k0
// CHECK-NOT: x.perm
// CHECK: "v.ld"{{.*}}stride = 4
// CHECK: tpu.inst "v.min.i32"
// CHECK-NOT: x.perm
// CHECK: "v.ld"{{.*}}stride = -1
// CHECK: tpu.inst "v.min.i32"
// CHECK: tpu.inst "x.perm.lane"
// CHECK-NOT: x.perm.sub
// CHECK: tpu.return
func.func @main(%x: tensor<8192xi32>) -> tensor<8192xi32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %lt = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<8192xi32>) -> tensor<8192xi32>
  return %0 : tensor<8192xi32>
}

// -----

// Rows that are sorted with others along lanes: tiles of 128 x 128 go through a transpose buffer, nothing is permuted,
// and tiles go back the same way. Of 200 rows the last tile has nine groups of 8.
// CHECK-LABEL: tpu.routine @k0
// CHECK-COUNT-16: "x.tr.push"
// CHECK-COUNT-16: "x.tr.pop"
// CHECK-COUNT-9: "x.tr.push"
// CHECK-NOT: "x.tr.push"
// CHECK-COUNT-16: "x.tr.pop"
// CHECK-NOT: x.perm
// CHECK: tpu.inst "v.min.i32"
// CHECK-NOT: x.perm
// CHECK-COUNT-16: "x.tr.push"
// CHECK-COUNT-16: "x.tr.pop"
// CHECK-COUNT-16: "x.tr.push"
// CHECK-COUNT-9: "x.tr.pop"
// CHECK-NOT: "x.tr.pop"
// CHECK: tpu.return
func.func @main(%x: tensor<200x100xi32>) -> tensor<200x100xi32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %lt = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<200x100xi32>) -> tensor<200x100xi32>
  return %0 : tensor<200x100xi32>
}
