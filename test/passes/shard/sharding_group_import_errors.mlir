// RUN: tpuc-opt %s --split-input-file --sdy-sharding-group-import --verify-diagnostics

// A body's values are parts of those outside.
sdy.mesh @mesh = <["x"=2]>
func.func @across(%a: tensor<8xf32>) -> tensor<8xf32> {
  sdy.sharding_group %a group_id=0 : tensor<8xf32>
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh,
      [{"x"}]>] manual_axes={"x"} (%b: tensor<4xf32>) {
    // expected-error@+1 {{expects the members of a group within one manual computation, or all outside}}
    sdy.sharding_group %b group_id=0 : tensor<4xf32>
    sdy.return %b : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
