// RUN: tpuc-opt %s --tpuc-schedule-bundles=target=v5e | FileCheck %s
// RUN: tpuc-opt %s --tpuc-schedule-bundles=target=v2 | FileCheck %s --check-prefix=V2

// Four additions that do not depend on one another: one bundle of the v5e's four slots, never three in one of the v2's
// two. The grid's routine ends in ret, the entry in halt.
// CHECK: tpu.bundles entry @main
// CHECK: "grid 4, target=1
// CHECK: halt"
// CHECK: tpu.bundles @k0
// CHECK: v.add.f32 {{.*}}v.add.f32 {{.*}}v.add.f32 {{.*}}v.add.f32
// CHECK: ret"
// V2: tpu.bundles @k0
// V2-NOT: v.add.f32 {{.*}}v.add.f32 {{.*}}v.add.f32
// V2: v.add.f32 {{.*}}v.add.f32
// V2-NOT: v.add.f32 {{.*}}v.add.f32 {{.*}}v.add.f32
// V2: ret"
tpu.routine entry @main {
  tpu.grid @k0 steps 4
  tpu.return
}
tpu.routine @k0 {
^bb0(%start: i64, %count: i64):
  %zero = arith.constant 0 : i64
  %x = tpu.inst "v.ld"(%zero) {stride = 1 : i64} region 0 : (i64) -> !tpu.vreg
  %y = tpu.inst "v.ld"(%zero) {off = 8 : i64, stride = 1 : i64} region 0 : (i64) -> !tpu.vreg
  %0 = tpu.inst "v.add.f32"(%x, %x) : (!tpu.vreg, !tpu.vreg) -> !tpu.vreg
  %1 = tpu.inst "v.add.f32"(%x, %y) : (!tpu.vreg, !tpu.vreg) -> !tpu.vreg
  %2 = tpu.inst "v.add.f32"(%y, %y) : (!tpu.vreg, !tpu.vreg) -> !tpu.vreg
  %3 = tpu.inst "v.add.f32"(%y, %x) : (!tpu.vreg, !tpu.vreg) -> !tpu.vreg
  tpu.inst "v.st"(%0, %zero) {off = 16 : i64, stride = 1 : i64} region 1 : (!tpu.vreg, i64)
  tpu.inst "v.st"(%1, %zero) {off = 24 : i64, stride = 1 : i64} region 1 : (!tpu.vreg, i64)
  tpu.inst "v.st"(%2, %zero) {off = 32 : i64, stride = 1 : i64} region 1 : (!tpu.vreg, i64)
  tpu.inst "v.st"(%3, %zero) {off = 40 : i64, stride = 1 : i64} region 1 : (!tpu.vreg, i64)
  tpu.return
}
