// RUN: tpuc-opt %s --split-input-file --verify-diagnostics

// A rule has a mapping of each operand.
func.func @operands(%x: tensor<8xf32>) {
  // expected-error @below {{expects a sharding rule of 2 operands, but got one of 1}}
  %0 = stablehlo.add %x, %x {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}>} : tensor<8xf32>
  return
}

// -----

func.func @rank(%x: tensor<8x4xf32>) {
  // expected-error @below {{expects factors of each dimension of 'tensor<8x4xf32>', but got those of 1}}
  %0 = stablehlo.abs %x {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i, j]) {i=8, j=4}>} : tensor<8x4xf32>
  return
}

// -----

func.func @unsized(%x: tensor<8xf32>) {
  // expected-error @below {{expects the size of factor j}}
  %0 = stablehlo.abs %x {sdy.sharding_rule = #sdy.op_sharding_rule<([j])->([i]) {i=8}>} : tensor<8xf32>
  return
}

// -----

func.func @twice(%x: tensor<8x8xf32>) {
  // expected-error @below {{expects each factor once in an array, but got twice factor i}}
  %0 = stablehlo.abs %x {sdy.sharding_rule = #sdy.op_sharding_rule<([i, i])->([i, j]) {i=8, j=8}>} : tensor<8x8xf32>
  return
}

// -----

func.func @one(%x: tensor<8xf32>) {
  // expected-error @below {{expects factors larger than 1 where a dimension has several, but got factor j}}
  %0 = stablehlo.abs %x {sdy.sharding_rule = #sdy.op_sharding_rule<([ij])->([i]) {i=8, j=1}>} : tensor<8xf32>
  return
}

// -----

func.func @unused(%x: tensor<8xf32>) {
  // expected-error @below {{expects each factor in an operand or a result, but in none is factor j}}
  %0 = stablehlo.abs %x {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8, j=8}>} : tensor<8xf32>
  return
}

// -----

func.func @reduced(%x: tensor<8xf32>) {
  // expected-error @below {{expects that a reduction leaves nothing of its factors, but a result has factor i}}
  %0 = stablehlo.abs %x {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8} reduction={i}>} : tensor<8xf32>
  return
}

// -----

func.func @properties(%x: tensor<8xf32>) {
  // expected-error @below {{expects one property of a factor, but got two of factor i}}
  %0 = stablehlo.abs %x {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8} need_replication={i}
      permutation={i}>} : tensor<8xf32>
  return
}

// -----

func.func @nothing() {
  // expected-error @below {{expects a sharding rule of an op with operands or results}}
  "stablehlo.custom_call"() <{call_target_name = "f"}> {sdy.sharding_rule = #sdy.op_sharding_rule<()->()>} : () -> ()
  return
}

// -----

func.func @kind(%x: tensor<8xf32>) {
  // expected-error @below {{expects #sdy.op_sharding_rule as sdy.sharding_rule, but got "rule"}}
  %0 = stablehlo.abs %x {sdy.sharding_rule = "rule"} : tensor<8xf32>
  return
}

// -----

func.func @letter(%x: tensor<8xf32>) {
  // expected-error @below {{expects factors from i to z, z_1, z_2, ..., but got a}}
  %0 = stablehlo.abs %x {sdy.sharding_rule = #sdy.op_sharding_rule<([a])->([i]) {i=8}>} : tensor<8xf32>
  return
}

// -----

func.func @order(%x: tensor<8x8xf32>) {
  // expected-error @below {{expects the sizes of all factors in their order, from i on}}
  %0 = stablehlo.abs %x {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {j=8, i=8}>} : tensor<8x8xf32>
  return
}
