// RUN: tpuc-opt %s --split-input-file --sdy-sharding-group-import --verify-diagnostics

// One sharding is for one rank.
sdy.mesh @mesh = <["x"=2]>
func.func @ranks(%a: tensor<8xf32>, %b: tensor<8x8xf32>) {
  sdy.sharding_group %a group_id=0 : tensor<8xf32>
  // expected-error@+1 {{expects the members of a group to have one rank, but got 'tensor<8x8xf32>' beside one of 1}}
  sdy.sharding_group %b group_id=0 : tensor<8x8xf32>
  return
}

// -----

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
