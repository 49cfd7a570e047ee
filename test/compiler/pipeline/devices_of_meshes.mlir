// RUN: tpuc run %s | FileCheck %s
// RUN: tpuc compile %s --stop-after=simplify -o - | FileCheck %s --check-prefix=SIMPLE

// Its mesh alone says that the program is of four devices: none of them is taken as the only one before they are told
// apart.
// SIMPLE: mhlo.num_partitions = 4
// SIMPLE: stablehlo.partition_id
// SIMPLE: sdy.sharding_constraint
// CHECK: result 0 {{.*}} [2, 3, 4, 5, 6, 7, 8, 9]
sdy.mesh @mesh = <["x"=4]>
sdy.mesh @third = <[], device_ids=[2]>
func.func @main() -> tensor<8xi32> {
  %id = stablehlo.partition_id : tensor<ui32>
  %0 = stablehlo.convert %id {sdy.sharding = #sdy.sharding_per_value<[<@third, []>]>} : (tensor<ui32>) -> tensor<i32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<8xi32>
  %2 = stablehlo.iota dim = 0 : tensor<8xi32>
  %3 = stablehlo.add %1, %2 : tensor<8xi32>
  %4 = sdy.sharding_constraint %3 <@mesh, [{"x"}]> : tensor<8xi32>
  return %4 : tensor<8xi32>
}
