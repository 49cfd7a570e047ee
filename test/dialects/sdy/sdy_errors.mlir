// RUN: tpuc-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{expects axes of different names, but got x twice}}
sdy.mesh @mesh = <["x"=4, "x"=2]>

// -----

// expected-error@+1 {{expects 4 device ids, but got 3}}
sdy.mesh @mesh = <["x"=4], device_ids=[0, 1, 2]>

// -----

func.func @no_mesh(%x: tensor<8xf32>) {
  // expected-error@+1 {{expects a mesh, but found no symbol @mesh}}
  %0 = sdy.sharding_constraint %x <@mesh, [{}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4]>
func.func @rank(%x: tensor<8xf32>) {
  // expected-error@+1 {{expects shardings of 1 dimensions for 'tensor<8xf32>', but got 2}}
  %0 = sdy.sharding_constraint %x <@mesh, [{}, {}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4]>
func.func @axis(%x: tensor<8xf32>) {
  // expected-error@+1 {{expects an axis of the mesh, but got "y"}}
  %0 = sdy.sharding_constraint %x <@mesh, [{"y"}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4]>
func.func @part(%x: tensor<8xf32>) {
  // expected-error@+1 {{expects a part of axis "x" of size 4, but got (1)3}}
  %0 = sdy.sharding_constraint %x <@mesh, [{"x":(1)3}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4]>
func.func @twice(%x: tensor<8x8xf32>) {
  // expected-error@+1 {{expects each axis once, but got "x" twice}}
  %0 = sdy.sharding_constraint %x <@mesh, [{"x"}, {"x"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4]>
func.func @counts(%x: tensor<8xf32>) {
  // expected-error@+1 {{expects 1 in_shardings, but got 2}}
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{}]>, <@mesh, [{}]>] out_shardings=[<@mesh, [{}]>] manual_axes={} (%a: tensor<8xf32>) {
    sdy.return %a : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}
