// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-partition --split-input-file | FileCheck %s
// RUN: tpuc-opt %s --tpuc-partition --split-input-file --remarks-filter=sharding 2>&1 >/dev/null \
// RUN:   | FileCheck %s --check-prefix=NOTE --implicit-check-not=remark:
// An operand of which a device gets more than its part: a remark has the line, the bytes, and what spares it.

// Both operands' parts lie along x; the result has it once. 8 x 8 x 4 bytes come together.
// NOTE: gathers.mlir:[[#@LINE+8]]:{{.*}} remark: {{.*}}'stablehlo.dot_general' needs dimension 1 of operand 1 whole: 256
// NOTE-SAME: bytes are moved, as its axes go along dimension 0 of result 0; shard one of both along other axes
// CHECK-LABEL: func.func @dot
// CHECK: "stablehlo.all_gather"(%arg1)
sdy.mesh @mesh = <["x"=4]>
func.func @dot(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
               %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
      {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
      : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// What the program states needs no remark, nor what goes to another dimension.
// CHECK-LABEL: func.func @stated
// CHECK: "stablehlo.all_gather"
// CHECK: "stablehlo.all_to_all"
sdy.mesh @mesh = <["x"=4]>
func.func @stated(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                  %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<8x8xf32>, tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = sdy.reshard %a <@mesh, [{}, {}]> : tensor<8x8xf32>
  %1 = stablehlo.add %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// Rows of a kernel that each window needs.
// NOTE: remark: {{.*}}'stablehlo.convolution' needs dimension 0 of operand 1 whole: {{[0-9]+}} bytes
// NOTE-SAME: shard another dimension of it, which the op passes on
// CHECK-LABEL: func.func @kernel_rows
sdy.mesh @mesh = <["x"=4]>
func.func @kernel_rows(%a: tensor<2x8x8x3xf32>,
                       %k: tensor<4x3x3x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}, {}]>})
    -> tensor<2x5x6x8xf32> {
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x8x8x3xf32>, tensor<4x3x3x8xf32>) -> tensor<2x5x6x8xf32>
  return %0 : tensor<2x5x6x8xf32>
}

// -----

// Slices of two rows may lie on two devices.
// NOTE: remark: {{.*}}'stablehlo.gather' needs dimension 0 of operand 0 whole: 64 bytes
// NOTE-SAME: shard another dimension of it
// CHECK-LABEL: func.func @two_rows
// CHECK: "stablehlo.all_gather"(%arg0)
sdy.mesh @mesh = <["x"=4]>
func.func @two_rows(%a: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %i: tensor<3x1xi32>)
    -> tensor<3x2xf32> {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2>}>
      : (tensor<16xf32>, tensor<3x1xi32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

// The last update of a place stays: all updates in one order.
// NOTE: remark: {{.*}}'stablehlo.scatter' needs dimension 0 of operand 1 whole: 32 bytes
// NOTE-SAME: shard another dimension of it
// NOTE: remark: {{.*}}'stablehlo.scatter' needs dimension 0 of operand 2 whole: 256 bytes
// NOTE-SAME: shard another dimension of it
// CHECK-LABEL: func.func @last_one
sdy.mesh @mesh = <["x"=4]>
func.func @last_one(%a: tensor<16x8xf32>, %i: tensor<8x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                    %u: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<16x8xf32> {
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    stablehlo.return %q : tensor<f32>
  }) : (tensor<16x8xf32>, tensor<8x1xi32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// 3 blocks of 4: no device has a row of them.
// NOTE: remark: {{.*}}'stablehlo.reshape' needs dimension 0 of operand 0 whole: 48 bytes
// NOTE-SAME: shard another dimension of it
// CHECK-LABEL: func.func @reshape
sdy.mesh @mesh = <["x"=4]>
func.func @reshape(%a: tensor<12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<3x4xf32> {
  %0 = stablehlo.reshape %a : (tensor<12xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

// An update whose place is only known when it runs.
// NOTE: remark: {{.*}}'stablehlo.dynamic_update_slice' needs dimension 0 of operand 1 whole: 128 bytes
// CHECK-LABEL: func.func @update
sdy.mesh @mesh = <["x"=4]>
func.func @update(%a: tensor<16x8xf32>, %u: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                  %i: tensor<i32>) -> tensor<16x8xf32> {
  %0 = stablehlo.dynamic_update_slice %a, %u, %i, %i
      : (tensor<16x8xf32>, tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// NOTE: remark: {{.*}}'stablehlo.cholesky' needs dimension 1 of operand 0 whole: 256 bytes
// NOTE-SAME: shard another dimension of it
// CHECK-LABEL: func.func @factors
sdy.mesh @mesh = <["x"=4]>
func.func @factors(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.cholesky %a, lower = true : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// NOTE: remark: {{.*}}'stablehlo.triangular_solve' needs dimension 0 of operand 1 whole: 128 bytes
// NOTE-SAME: shard another dimension of it
// CHECK-LABEL: func.func @unknowns
sdy.mesh @mesh = <["x"=4]>
func.func @unknowns(%a: tensor<8x8xf32>, %b: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> tensor<8x4xf32> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false,
      transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

// As many candidates as elements.
// NOTE: remark: {{.*}}'chlo.top_k' needs dimension 0 of operand 0 whole: 64 bytes
// CHECK-LABEL: func.func @most
sdy.mesh @mesh = <["x"=4]>
func.func @most(%a: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<12xf32>, tensor<12xi32>) {
  %0:2 = chlo.top_k(%a, k = 12) : tensor<16xf32> -> (tensor<12xf32>, tensor<12xi32>)
  return %0#0, %0#1 : tensor<12xf32>, tensor<12xi32>
}

// -----

// NOTE: remark: {{.*}}'stablehlo.while' needs dimension 0 of operand 1 whole: 64 bytes
// NOTE-SAME: shard what its regions return alike
// CHECK-LABEL: func.func @loop
sdy.mesh @mesh = <["x"=4]>
func.func @loop(%a: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<16xf32> {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %0:2 = stablehlo.while(%j = %i, %v = %a) : tensor<i32>, tensor<16xf32>
  cond {
    %c = stablehlo.compare LT, %j, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %k = stablehlo.add %j, %one : tensor<i32>
    %w = stablehlo.add %v, %v : tensor<16xf32>
    stablehlo.return %k, %w : tensor<i32>, tensor<16xf32>
  }
  return %0#1 : tensor<16xf32>
}

// -----

// NOTE: remark: {{.*}}'stablehlo.if' needs dimension 0 of value 0 that its region returns whole: 64 bytes
// NOTE-SAME: shard what its regions return alike
// CHECK-LABEL: func.func @branch
sdy.mesh @mesh = <["x"=4]>
func.func @branch(%p: tensor<i1>, %a: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                  %b: tensor<16xf32>) -> tensor<16xf32> {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<16xf32>
  }, {
    stablehlo.return %b : tensor<16xf32>
  }) : (tensor<i1>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

// Of a call of which nothing is known all is whole.
// NOTE: remark: {{.*}}'stablehlo.custom_call' needs dimension 0 of operand 0 whole: 64 bytes
// NOTE-SAME: state it replicated where it is made
// CHECK-LABEL: func.func @call
sdy.mesh @mesh = <["x"=4]>
func.func @call(%a: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<3xf32> {
  %0 = stablehlo.custom_call @something(%a) : (tensor<16xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// NOTE: remark: {{.*}}'stablehlo.custom_call' needs dimension 0 of operand 0 whole: 64 bytes
// NOTE-SAME: the host takes whole arrays
// CHECK-LABEL: func.func @host
sdy.mesh @mesh = <["x"=4]>
func.func @host(%a: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<16xf32> {
  %0 = stablehlo.custom_call @tpuc.host_call(%a) {has_side_effect = true, mhlo.backend_config = {index = 0 : ui64}}
      : (tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

// NOTE: remark: {{.*}}'stablehlo.rng_bit_generator' needs dimension 0 of operand 0 whole: 16 bytes
// CHECK-LABEL: func.func @state
sdy.mesh @mesh = <["x"=2]>
func.func @state(%a: tensor<2xui64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<2xui64>, tensor<8xui32>) {
  %0, %1 = stablehlo.rng_bit_generator %a, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8xui32>)
  return %0, %1 : tensor<2xui64>, tensor<8xui32>
}

// -----

// Parts of 3 rows, which y does not divide.
// NOTE: remark: {{.*}}'sdy.manual_computation' needs an operand whole along axes that are not manual: {{[0-9]+}} bytes
// CHECK-LABEL: func.func @manual
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @manual(%a: tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) -> tensor<6x4xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x", "y"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>]
      manual_axes={"x"} (%p: tensor<3x4xf32>) {
    %1 = stablehlo.add %p, %p : tensor<3x4xf32>
    sdy.return %1 : tensor<3x4xf32>
  } : (tensor<6x4xf32>) -> tensor<6x4xf32>
  return %0 : tensor<6x4xf32>
}

// -----

// Both operands have their parts of what is summed, but they are small beside the result: 2 x 512 bytes, instead of a
// sum of 4096.
// NOTE: remark: {{.*}}'stablehlo.dot_general' needs dimension 0 of operand 0 whole: 512 bytes are moved, as is dimension 0
// NOTE-SAME: of operand 1, which
// NOTE-SAME: takes less time than to add partial results; to keep the parts, state the result's sharding
// NOTE: remark: {{.*}}'stablehlo.dot_general' needs dimension 0 of operand 1 whole: 512 bytes are moved, as is dimension 0
sdy.mesh @mesh = <["x"=4]>
func.func @short(%a: tensor<4x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %b: tensor<4x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<32x32xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0]
      : (tensor<4x32xf32>, tensor<4x32xf32>) -> tensor<32x32xf32>
  return %0 : tensor<32x32xf32>
}
