// RUN: tpuc run %s --constants=arrays | FileCheck %s
// RUN: tpuc compile %s --constants=arrays --stop-after=shard -o - | FileCheck %s --check-prefix=PARTS

// What each of four devices draws are its rows of what one would draw, and the state afterwards is that one's: of
// Philox from a counter whose low word overflows on the way, and of Threefry.
// PARTS: algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<2x12xui32>)
// PARTS: algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8x12xui32>)
// PARTS: algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x12xui32>)
// PARTS: algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8x12xui32>)
// CHECK: result 0 {{.*}} true
// CHECK: result 1 {{.*}} true
// CHECK: result 2 {{.*}} true
// CHECK: result 3 {{.*}} true
module attributes {mhlo.num_partitions = 4 : i32} {
sdy.mesh @mesh = <["x"=4]>
func.func @main() -> (tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>) {
  %true = stablehlo.constant dense<true> : tensor<i1>
  %state = stablehlo.constant dense<[7, 18446744073709551611]> : tensor<2xui64>
  %less = stablehlo.constant dense<[3, 18446744073709551610]> : tensor<2xui64>
  %more = stablehlo.constant dense<[4, 1]> : tensor<2xui64>
  %again = stablehlo.add %less, %more : tensor<2xui64>  // the same, of which no pass knows
  %s0, %b0 = stablehlo.rng_bit_generator %state, algorithm = PHILOX
      : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8x12xui32>)
  %parts0 = sdy.sharding_constraint %b0 <@mesh, [{"x"}, {}]> : tensor<8x12xui32>
  %s1, %b1 = stablehlo.rng_bit_generator %again, algorithm = PHILOX
      : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8x12xui32>)
  %whole0 = sdy.sharding_constraint %b1 <@mesh, [{}, {}]> : tensor<8x12xui32>
  %s2, %b2 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY
      : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8x12xui32>)
  %parts1 = sdy.sharding_constraint %b2 <@mesh, [{"x"}, {}]> : tensor<8x12xui32>
  %s3, %b3 = stablehlo.rng_bit_generator %again, algorithm = THREE_FRY
      : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8x12xui32>)
  %whole1 = sdy.sharding_constraint %b3 <@mesh, [{}, {}]> : tensor<8x12xui32>
  %e0 = stablehlo.compare EQ, %parts0, %whole0 : (tensor<8x12xui32>, tensor<8x12xui32>) -> tensor<8x12xi1>
  %e1 = stablehlo.compare EQ, %parts1, %whole1 : (tensor<8x12xui32>, tensor<8x12xui32>) -> tensor<8x12xi1>
  %e2 = stablehlo.compare EQ, %s0, %s1 : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xi1>
  %e3 = stablehlo.compare EQ, %s2, %s3 : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xi1>
  %r0 = stablehlo.reduce(%e0 init: %true) applies stablehlo.and across dimensions = [0, 1]
      : (tensor<8x12xi1>, tensor<i1>) -> tensor<i1>
  %r1 = stablehlo.reduce(%e1 init: %true) applies stablehlo.and across dimensions = [0, 1]
      : (tensor<8x12xi1>, tensor<i1>) -> tensor<i1>
  %r2 = stablehlo.reduce(%e2 init: %true) applies stablehlo.and across dimensions = [0]
      : (tensor<2xi1>, tensor<i1>) -> tensor<i1>
  %r3 = stablehlo.reduce(%e3 init: %true) applies stablehlo.and across dimensions = [0]
      : (tensor<2xi1>, tensor<i1>) -> tensor<i1>
  return %r0, %r1, %r2, %r3 : tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>
}
}
