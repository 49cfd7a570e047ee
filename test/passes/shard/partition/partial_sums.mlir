// RUN: tpuc-opt %s '--tpuc-partition=partial-sums=true' --cse --split-input-file | FileCheck %s
// RUN: tpuc-opt %s --tpuc-partition --cse --split-input-file | FileCheck %s --check-prefix=WHOLE

// A product of parts stays one on each device. Callers that take whole arrays get the sum.
// CHECK-LABEL: func.func @product
// CHECK: tensor<8x3xf32> {tpuc.global_type = tensor<8x3xf32>,
// CHECK-SAME: tpuc.sharding = "{devices=[1,1,4]<=[4] last_tile_dims={unreduced}}"}
// CHECK-NOT: all_reduce
// WHOLE-LABEL: func.func @product
// WHOLE-SAME: -> tensor<8x3xf32> attributes {
// WHOLE: all_reduce
sdy.mesh @mesh = <["x"=4]>
func.func @product(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
    %b: tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x"}>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
      {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>}
      : (tensor<8x16xf32>, tensor<16x3xf32>) -> tensor<8x3xf32>
  return %0 : tensor<8x3xf32>
}

// -----

// Ops that are linear in parts compute with them: scaled, transposed, added. The copies of each part are named.
// CHECK-LABEL: func.func @linear
// CHECK-SAME: tpuc.sharding = "{devices=[2,1,2,2]<=[2,2,2]T(0,2,1) last_tile_dims={replicated, unreduced}}"
// CHECK-NOT: all_reduce
// CHECK: stablehlo.multiply
// CHECK: stablehlo.transpose
// CHECK: stablehlo.add
// CHECK-NOT: stablehlo.select
// CHECK: return
// WHOLE-LABEL: func.func @linear
// WHOLE-NOT: all_reduce
// WHOLE: return
sdy.mesh @mesh = <["d"=2, "x"=2, "y"=2]>
func.func @linear(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}], unreduced={"x"}>},
    %b: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"d"}], unreduced={"x"}>},
    %s: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>})
    -> (tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"d"}], unreduced={"x"}>}) {
  %0 = stablehlo.multiply %a, %s {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"d"}, {}], unreduced={"x"}>]>}
      : tensor<8x6xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0]
      {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"d"}], unreduced={"x"}>]>}
      : (tensor<8x6xf32>) -> tensor<6x8xf32>
  %2 = stablehlo.add %1, %b {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"d"}], unreduced={"x"}>]>}
      : tensor<6x8xf32>
  return %2 : tensor<6x8xf32>
}

// -----

// A square is not linear in its operand: reduced first; the first device then has the whole, others nothing.
// CHECK-LABEL: func.func @square
// CHECK: %[[SUM:.*]] = "stablehlo.all_reduce"(%arg0)
// CHECK: %[[SQUARE:.*]] = stablehlo.multiply %[[SUM]], %[[SUM]]
// CHECK: stablehlo.select {{.*}}%[[SQUARE]]
sdy.mesh @mesh = <["x"=4]>
func.func @square(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>})
    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
  %0 = stablehlo.multiply %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"x"}>]>}
      : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Rounding to integers is not linear either, and a difference with a constant is.
// CHECK-LABEL: func.func @rounded
// CHECK: all_reduce
// CHECK: stablehlo.convert
// Nor is giving integers more bits, since parts may have wrapped around; giving them fewer is.
// CHECK-LABEL: func.func @widened
// CHECK: all_reduce
// CHECK: stablehlo.convert
// CHECK-LABEL: func.func @narrowed
// CHECK-NOT: all_reduce
// CHECK: return
// CHECK-LABEL: func.func @shifted
// CHECK-NOT: all_reduce
// CHECK: stablehlo.select
// CHECK: stablehlo.subtract
sdy.mesh @mesh = <["x"=4]>
func.func @rounded(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>})
    -> (tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
  %0 = stablehlo.convert %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"x"}>]>}
      : (tensor<8xf32>) -> tensor<8xi32>
  return %0 : tensor<8xi32>
}
func.func @widened(%a: tensor<8xui32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>})
    -> (tensor<8xui64> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
  %0 = stablehlo.convert %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"x"}>]>}
      : (tensor<8xui32>) -> tensor<8xui64>
  return %0 : tensor<8xui64>
}
func.func @narrowed(%a: tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>})
    -> (tensor<8xi16> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
  %0 = stablehlo.convert %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"x"}>]>}
      : (tensor<8xi32>) -> tensor<8xi16>
  return %0 : tensor<8xi16>
}
func.func @shifted(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>})
    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
  %c = stablehlo.constant dense<1.0> : tensor<8xf32>
  %0 = stablehlo.subtract %a, %c {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"x"}>]>}
      : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// What is sharded along an axis and becomes unreduced along it stays where it is: nothing is gathered.
// CHECK-LABEL: func.func @spread
// CHECK-NOT: all_gather
// CHECK: stablehlo.select
// CHECK: tensor<8xf32>
// CHECK: return
sdy.mesh @mesh = <["x"=4]>
func.func @spread(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
  %0 = sdy.reshard %a <@mesh, [{}], unreduced={"x"}> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A loop carries parts where its body's result is stated so: one reduction after it.
// CHECK-LABEL: func.func @loop
// CHECK: stablehlo.while
// CHECK-NOT: all_reduce
// CHECK: stablehlo.return
// CHECK-NOT: all_reduce
// CHECK: stablehlo.return
// CHECK: all_reduce
// CHECK-NOT: all_reduce
sdy.mesh @mesh = <["x"=4]>
func.func @loop(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
    %b: tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<8x3xf32>
  %i0 = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<5> : tensor<i32>
  %0:2 = stablehlo.while(%i = %i0, %s = %zero) : tensor<i32>, tensor<8x3xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
        {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>}
        : (tensor<8x16xf32>, tensor<16x3xf32>) -> tensor<8x3xf32>
    %2 = stablehlo.add %s, %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>}
        : tensor<8x3xf32>
    %3 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %3, %2 : tensor<i32>, tensor<8x3xf32>
  }
  return %0#1 : tensor<8x3xf32>
}

// -----

// The module says the shardings of its main function, as clients read them.
// CHECK: mhlo.spmd_output_sharding = "{{[{][{]}}devices=[4]<=[4]}, {replicated}}"
// CHECK-SAME: mhlo.spmd_parameters_shardings = ["{devices=[4]<=[4]}", "{replicated}"]
// CHECK-LABEL: func.func @main
// WHOLE-NOT: mhlo.spmd
// WHOLE-LABEL: func.func @main
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<3xf32>)
    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<3xf32>) {
  return %a, %b : tensor<8xf32>, tensor<3xf32>
}
