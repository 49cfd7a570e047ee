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
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{}]>, <@mesh, [{}]>] out_shardings=[<@mesh,
      [{}]>] manual_axes={} (%a: tensor<8xf32>) {
    sdy.return %a : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=8]>
func.func @overlap(%x: tensor<8x8xf32>) {
  // expected-error@+1 {{expects parts of an axis that do not overlap, but got "x":(1)4 and "x":(2)4}}
  %0 = sdy.sharding_constraint %x <@mesh, [{"x":(1)4}, {"x":(2)4}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=8]>
func.func @merged(%x: tensor<8xf32>) {
  // expected-error@+1 {{expects parts of an axis that follow each other as one, but got "x":(1)2 and "x":(2)2}}
  %0 = sdy.sharding_constraint %x <@mesh, [{"x":(1)2, "x":(2)2}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @replicated_order(%x: tensor<8xf32>) {
  // expected-error@+1 {{expects axes in the mesh's order, but got "x" after "y"}}
  %0 = sdy.sharding_constraint %x <@mesh, [{}], replicated={"y", "x"}> : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4]>
func.func @priority(%x: tensor<8xf32>) {
  // expected-error@+1 {{expects no priority of a closed dimension without axes}}
  %0 = sdy.sharding_constraint %x <@mesh, [{}p1]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4]>
// expected-error@+1 {{argument 0: expects shardings of 1 dimensions for 'tensor<8xf32>', but got 2}}
func.func @of_argument(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  return
}

// -----

sdy.mesh @mesh = <["x"=4]>
// expected-error@+1 {{result 0: expects an axis of the mesh, but got "y"}}
func.func @of_result(%x: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) {
  return %x : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=4]>
func.func @of_op(%x: tensor<8xf32>) {
  // expected-error@+1 {{expects shardings of 1 results, but got 2}}
  %0 = stablehlo.abs %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>, <@mesh, [{}]>]>} : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4]>
func.func @local_type(%x: tensor<8xf32>) {
  // expected-error@+1 {{expects the type 'tensor<2xf32>' of operand 0 in the body, but got 'tensor<8xf32>'}}
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh,
      [{"x"}]>] manual_axes={"x"} (%a: tensor<8xf32>) {
    sdy.return %a : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// Free axes are minor to manual ones.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @free_first(%x: tensor<8xf32>) {
  // expected-error@+1 {{expects manual axes before free ones in dimension 0 of operand 0}}
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"y", "x"}]>] out_shardings=[<@mesh,
      [{"x"}]>] manual_axes={"x"} (%a: tensor<4xf32>) {
    sdy.return %a : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4]>
func.func @divides(%x: tensor<6xf32>) {
  // expected-error@+1 {{expects a size that the manual axes divide, but got 6 in dimension 0 of operand 0}}
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh,
      [{"x"}]>] manual_axes={"x"} (%a: tensor<2xf32>) {
    sdy.return %a : tensor<2xf32>
  } : (tensor<6xf32>) -> tensor<6xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @taken(%x: tensor<8xf32>) {
  // expected-note@+1 {{taken here}}
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh,
      [{"x"}]>] manual_axes={"x"} (%a: tensor<4xf32>) {
    // expected-error@+1 {{expects an axis that no manual computation around it takes, but got "x"}}
    %1 = sdy.sharding_constraint %a <@mesh, [{"x"}]> : tensor<4xf32>
    sdy.return %1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @unknown_manual(%x: tensor<8xf32>) {
  // expected-error@+1 {{expects manual axes of the mesh, but got "y"}}
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{}]>] out_shardings=[<@mesh,
      [{}]>] manual_axes={"y"} (%a: tensor<8xf32>) {
    sdy.return %a : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @both(%x: tensor<8xf32>) {
  // expected-error@+1 {{expects FORWARD, BACKWARD or NONE, but got BOTH, which bars nothing}}
  %0 = sdy.propagation_barrier %x allowed_direction=BOTH : tensor<8xf32>
  return
}

// -----

func.func @edge_user(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.optimization_barrier %x : tensor<8xf32>
  // expected-error@+1 {{expects to be the only user of its operand}}
  %1 = sdy.data_flow_edge %0 : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @func_edge(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.abs %x : tensor<8xf32>
  // expected-error@+1 {{expects a result of a call, but got one of stablehlo.abs}}
  %1 = sdy.func_data_flow_edge %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @new_maximum(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  // expected-error@+1 {{expects sum over unreduced axes that are new, but got max}}
  %0 = sdy.reshard %x <@mesh, [{}], unreduced=max{"x"}> : tensor<8xf32>
  return
}

// -----

// expected-error@+1 {{expects a device from 0 on, but got -1}}
sdy.mesh @mesh = <[], device_ids=[-1]>

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{expects each manual axis once, but got "x" twice}}
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{}]>] out_shardings=[<@mesh, [{}]>]
      manual_axes={"x", "x"} (%a: tensor<8xf32>) {
    sdy.return %a : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
