// RUN: tpuc-opt %s | tpuc-opt | FileCheck %s
// RUN: tpuc-opt %s --mlir-print-op-generic | tpuc-opt | FileCheck %s

// CHECK: sdy.mesh @mesh = <["x"=4, "y"=2]>
sdy.mesh @mesh = <["x"=4, "y"=2]>
// CHECK: sdy.mesh @ordered = <["x"=2, "y"=2], device_ids=[0, 2, 1, 3]>
sdy.mesh @ordered = <["x"=2, "y"=2], device_ids=[0, 2, 1, 3]>
// CHECK: sdy.mesh @single = <[], device_ids=[3]>
sdy.mesh @single = <[], device_ids=[3]>

// CHECK-LABEL: func @shardings
// CHECK-SAME: #sdy.sharding<@mesh, [{"x"}, {"y", ?}p1]>
func.func @shardings(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y", ?}p1]>}) {
  // CHECK: sdy.sharding_constraint %{{.*}} <@mesh, [{"x":(1)2}, {?}], replicated={"y"}> : tensor<8x8xf32>
  %0 = sdy.sharding_constraint %x <@mesh, [{"x":(1)2}, {?}], replicated={"y"}> : tensor<8x8xf32>
  // CHECK-NEXT: sdy.reshard %{{.*}} <mesh<["z"=8]>, [{}, {"z"}]> : tensor<8x8xf32>
  %1 = sdy.reshard %0 <mesh<["z"=8]>, [{}, {"z"}]> : tensor<8x8xf32>
  // CHECK-NEXT: sdy.propagation_barrier %{{.*}} allowed_direction=NONE : tensor<8x8xf32>
  %2 = sdy.propagation_barrier %1 allowed_direction=NONE : tensor<8x8xf32>
  // CHECK-NEXT: stablehlo.add %{{.*}}, %{{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>}
  %3 = stablehlo.add %2, %2 {sdy.sharding =
      #sdy.sharding_per_value<[#sdy.sharding<@mesh, [{}, {}], unreduced={"x"}>]>}
      : tensor<8x8xf32>
  // CHECK-NEXT: sdy.manual_computation(%{{.*}}) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{}, {"x"}]>] manual_axes={"x"} (%[[A:.*]]: tensor<2x8xf32>) {
  %4 = sdy.manual_computation(%3) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{},
      {"x"}]>] manual_axes={"x"} (%a: tensor<2x8xf32>) {
    // CHECK-NEXT: stablehlo.transpose %[[A]]
    %t = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x8xf32>) -> tensor<8x2xf32>
    sdy.return %t : tensor<8x2xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: sdy.named_computation<"block">(%{{.*}}) (%{{.*}}: tensor<8x8xf32>) {
  %5 = sdy.named_computation<"block">(%4) (%a: tensor<8x8xf32>) {
    sdy.return %a : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
