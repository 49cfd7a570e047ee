// RUN: tpuc-opt %s '--tpuc-partition=partial-sums=true' --verify-diagnostics

// Callers know of sums alone.
sdy.mesh @mesh = <["x"=4]>
// expected-error@+1 {{expects unreduced arguments to be summands, but argument 1 has another reduction}}
func.func @largest(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>},
    %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=max{"x"}>}) -> tensor<8xf32> {
  return %b : tensor<8xf32>
}
