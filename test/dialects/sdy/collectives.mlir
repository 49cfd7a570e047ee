// RUN: tpuc-opt %s | tpuc-opt | FileCheck %s
// RUN: tpuc-opt %s --mlir-print-op-generic | tpuc-opt | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2, "z"=2]>
sdy.mesh @other = <["x"=4, "y"=2, "z"=2], device_ids=[15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]>

// CHECK-LABEL: func @gather_and_slice
func.func @gather_and_slice(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}, {"z"}]>}) {
  // CHECK: sdy.all_gather [{"x"}, {"z"}] %{{.*}} out_sharding=<@mesh, [{"y"}, {}]> : tensor<16x8xf32>
  %0 = sdy.all_gather [{"x"}, {"z"}] %a out_sharding=<@mesh, [{"y"}, {}]> : tensor<16x8xf32>
  // A part of an axis: x is (1)2 and (2)2.
  // CHECK: sdy.all_gather [{"x":(2)2}, {}] %{{.*}} out_sharding=<@mesh, [{"y", "x":(1)2}, {"z"}]>
  %1 = sdy.all_gather [{"x":(2)2}, {}] %a out_sharding=<@mesh, [{"y", "x":(1)2}, {"z"}]> : tensor<16x8xf32>
  // CHECK: sdy.all_slice [{"x":(2)2}, {}] %{{.*}} out_sharding=<@mesh, [{"y", "x"}, {"z"}]>
  %2 = sdy.all_slice [{"x":(2)2}, {}] %1 out_sharding=<@mesh, [{"y", "x"}, {"z"}]> : tensor<16x8xf32>
  return
}

// CHECK-LABEL: func @move
func.func @move(%a: tensor<16x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}, {}, {"z"}]>}) {
  // CHECK: sdy.all_to_all [{"x"}: 0->1] %{{.*}} out_sharding=<@mesh, [{"y"}, {"x"}, {"z"}]>
  %0 = sdy.all_to_all [{"x"}: 0->1] %a out_sharding=<@mesh, [{"y"}, {"x"}, {"z"}]> : tensor<16x8x8xf32>
  // CHECK: sdy.collective_permute %{{.*}} out_sharding=<@mesh, [{"x", "z"}, {}, {"y"}]>
  %1 = sdy.collective_permute %a out_sharding=<@mesh, [{"x", "z"}, {}, {"y"}]> : tensor<16x8x8xf32>
  // CHECK: sdy.collective_permute %{{.*}} out_sharding=<@other, [{"y", "x"}, {}, {"z"}]>
  %2 = sdy.collective_permute %a out_sharding=<@other, [{"y", "x"}, {}, {"z"}]> : tensor<16x8x8xf32>
  return
}

// CHECK-LABEL: func @reduce
func.func @reduce(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}], unreduced=max{"x", "z"}>}) {
  // CHECK: sdy.all_reduce max {"x"} %{{.*}} out_sharding=<@mesh, [{"y"}, {}], unreduced=max{"z"}>
  %0 = sdy.all_reduce max {"x"} %a out_sharding=<@mesh, [{"y"}, {}], unreduced=max{"z"}> : tensor<16x8xf32>
  // CHECK: sdy.reduce_scatter [{}, {"x"}] %{{.*}} out_sharding=<@mesh, [{"y"}, {"x"}]>
  %1 = sdy.reduce_scatter [{}, {"x"}] %a out_sharding=<@mesh, [{"y"}, {"x"}]> : tensor<16x8xf32>
  // CHECK: sdy.sharded_to_unreduced [{"y"}, {}] %{{.*}} out_sharding=<@mesh, [{}, {}], unreduced=max{"x", "y", "z"}>
  %2 = sdy.sharded_to_unreduced [{"y"}, {}] %a out_sharding=<@mesh, [{}, {}], unreduced=max{"x", "y", "z"}>
      : tensor<16x8xf32>
  return
}

// CHECK-LABEL: func @others
func.func @others(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> tensor<8xf32> {
  // CHECK: sdy.replicated_to_unreduced {"x"} %{{.*}} out_sharding=<@mesh, [{"y"}], unreduced={"x"}>
  %0 = sdy.replicated_to_unreduced {"x"} %a out_sharding=<@mesh, [{"y"}], unreduced={"x"}> : tensor<8xf32>
  // CHECK: sdy.sharding_group %{{.*}} group_id=7 : tensor<8xf32>
  sdy.sharding_group %a group_id=7 : tensor<8xf32>
  // CHECK: sdy.constant dense<1.000000e+00> : tensor<8xf32>
  %1 = sdy.constant dense<1.0> : tensor<8xf32>
  %2 = stablehlo.optimization_barrier %1 : tensor<8xf32>
  // CHECK: sdy.data_flow_edge %{{.*}} sharding=<@mesh, [{"y"}]> : tensor<8xf32>
  %3 = sdy.data_flow_edge %2 sharding=<@mesh, [{"y"}]> : tensor<8xf32>
  // CHECK: sdy.propagation_edges = #sdy.propagation_edges<[{step-2 = [{"y" = operand-1 -> [operand-0, result-0]}]}]>
  %4 = stablehlo.add %3, %3 {sdy.propagation_edges = #sdy.propagation_edges<[{step-2 = [{"y" = operand-1
      -> [operand-0, result-0]}]}]>} : tensor<8xf32>
  return %4 : tensor<8xf32>
}
