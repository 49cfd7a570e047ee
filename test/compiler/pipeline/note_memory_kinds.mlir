// Arguments and results that callers have in the host's memory. A resumed compilation knows them too.
// RUN: tpuc compile %s --stop-after=schedule -o %t.mlir && FileCheck %s --input-file=%t.mlir
// RUN: tpuc compile %s -o %t.whole && tpuc compile %t.mlir --start-from=encode -o %t.resumed && cmp %t.whole %t.resumed
// CHECK-DAG: tpuc.host_arguments = array<i32: 1>
// CHECK-DAG: tpuc.host_results = array<i32: 0, 2>
func.func @main(%a: tensor<8x128xf32> {mhlo.memory_kind = "device"},
                %b: tensor<8x128xf32> {mhlo.memory_kind = "pinned_host"}, %c: tensor<16xf32>)
    -> (tensor<8x128xf32> {mhlo.memory_kind = "pinned_host"}, tensor<8x128xf32>,
        tensor<16xf32> {mhlo.memory_kind = "pinned_host"}) {
  %0 = stablehlo.add %a, %b : tensor<8x128xf32>
  %1 = stablehlo.custom_call @annotate_device_placement(%0) {backend_config = "", has_side_effect = true,
      mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<8x128xf32>) -> tensor<8x128xf32>
  return %1, %b, %c : tensor<8x128xf32>, tensor<8x128xf32>, tensor<16xf32>
}
