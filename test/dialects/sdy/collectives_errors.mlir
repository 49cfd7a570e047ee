// RUN: tpuc-opt %s --split-input-file --verify-diagnostics

sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @no_sharding(%a: tensor<16x8xf32>) {
  // expected-error@+1 {{expects an operand with a sharding}}
  %0 = sdy.all_gather [{"x"}, {}] %a out_sharding=<@mesh, [{}, {}]> : tensor<16x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4, "y"=2]>
sdy.mesh @other = <["x"=8]>
func.func @meshes(%a: tensor<16xf32> {sdy.sharding = #sdy.sharding<@other, [{"x"}]>}) {
  // expected-error@+1 {{expects the operand's mesh, but got another one}}
  %0 = sdy.all_gather [{"x"}] %a out_sharding=<@mesh, [{}]> : tensor<16xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @rank(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // expected-error@+1 {{expects axes of 2 dimensions, but got those of 1}}
  %0 = sdy.all_gather [{"x"}] %a out_sharding=<@mesh, [{}, {}]> : tensor<16x8xf32>
  return
}

// -----

// Only the last axes of a dimension can be gathered.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @suffix(%a: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}) {
  // expected-error@+1 {{expects dimension 0 to end in {"x"}, but it has {"x", "y"}}}
  %0 = sdy.all_gather [{"x"}] %a out_sharding=<@mesh, [{"y"}]> : tensor<16xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @result(%a: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}) {
  // expected-error@+1 {{expects {"x"} in dimension 0 of out_sharding, but got {}}}
  %0 = sdy.all_gather [{"y"}] %a out_sharding=<@mesh, [{}]> : tensor<16xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @empty(%a: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // expected-error@+1 {{expects at least one axis}}
  %0 = sdy.all_slice [{}] %a out_sharding=<@mesh, [{"x"}]> : tensor<16xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @twice(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  // expected-error@+1 {{expects each axis once, but got "x" twice}}
  %0 = sdy.all_slice [{"x"}, {"x"}] %a out_sharding=<@mesh, [{"x"}, {}]> : tensor<16x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @no_move(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // expected-error@+1 {{expects at least one move}}
  %0 = sdy.all_to_all [] %a out_sharding=<@mesh, [{"x"}, {}]> : tensor<16x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @outside(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // expected-error@+1 {{expects dimensions from 0 to 1, but got 2}}
  %0 = sdy.all_to_all [{"x"}: 0->2] %a out_sharding=<@mesh, [{}, {"x"}]> : tensor<16x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @same(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // expected-error@+1 {{expects each dimension once, but got 0 twice}}
  %0 = sdy.all_to_all [{"x"}: 0->0] %a out_sharding=<@mesh, [{"x"}, {}]> : tensor<16x8xf32>
  return
}

// -----

// A reduction along an axis that shards the operand would add different parts.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @sharded(%a: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // expected-error@+1 {{expects axes apart from those that shard the operand, but got {"x"}}}
  %0 = sdy.all_reduce {"x"} %a out_sharding=<@mesh, [{"x"}]> : tensor<16xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @order(%a: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x", "y"}>}) {
  // expected-error@+1 {{expects axes in the mesh's order, but got "x" after "y"}}
  %0 = sdy.all_reduce {"y", "x"} %a out_sharding=<@mesh, [{}]> : tensor<16xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @parts(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // expected-error@+1 {{expects 4 parts of dimension 0, but got 2}}
  %0 = sdy.collective_permute %a out_sharding=<@mesh, [{"y"}, {}]> : tensor<16x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @unreduced(%a: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // expected-error@+1 {{expects unreduced {"x"} in out_sharding, but got {}}}
  %0 = sdy.sharded_to_unreduced [{"x"}] %a out_sharding=<@mesh, [{}]> : tensor<16xf32>
  return
}
