// RUN: tpuc-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

func.func @branch_types(%p: tensor<i1>, %x: tensor<f32>, %y: tensor<i32>) {
  // expected-error@+1 {{expects false_branch result of type 'tensor<f32>', but got 'tensor<i32>'}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %y : tensor<i32>
  }) : (tensor<i1>) -> tensor<f32>
  return
}

// -----

func.func @branch_arguments(%p: tensor<i1>, %x: tensor<f32>) {
  // expected-error@+1 {{expects 0 of true_branch argument, but got 1}}
  %0 = "stablehlo.if"(%p) ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return
}

// -----

func.func @terminator(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{expects true_branch to end in stablehlo.return}}
  %0 = "stablehlo.if"(%p) ({
    "other.return"(%x) : (tensor<f32>) -> ()
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @no_branches(%i: tensor<i32>) {
  // expected-error@+1 {{expects at least one branch}}
  "stablehlo.case"(%i) : (tensor<i32>) -> ()
  return
}

// -----

func.func @condition(%x: tensor<i32>) {
  // expected-error@+1 {{expects cond result of type 'tensor<i1>', but got 'tensor<i32>'}}
  %0 = stablehlo.while(%a = %x) : tensor<i32>
  cond {
    stablehlo.return %a : tensor<i32>
  } do {
    stablehlo.return %a : tensor<i32>
  }
  return
}

// -----

func.func @carried(%x: tensor<i32>, %p: tensor<i1>) {
  // expected-error@+1 {{expects 1 of body result, but got 2}}
  %0 = stablehlo.while(%a = %x) : tensor<i32>
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return %a, %a : tensor<i32>, tensor<i32>
  }
  return
}

// -----

func.func @aliases(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects operand_index of an alias in [0, 1), but got 1}}
  %0 = stablehlo.custom_call @f(%x) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices =
      [], operand_index = 1, operand_tuple_indices = []>]} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @alias_types(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects an alias of one type, but got operand 'tensor<4xf32>' and output 'tensor<5xf32>'}}
  %0 = stablehlo.custom_call @f(%x) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices =
      [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @config(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects a dictionary as backend_config with api_version 4 and a string with others}}
  %0 = stablehlo.custom_call @f(%x) {backend_config = {a = 1 : i32}} : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @layouts(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects operand layout of size 1, but got 2}}
  %0 = stablehlo.custom_call @f(%x) {operand_layouts = [dense<[0, 1]>
      : tensor<2xindex>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @composite_name(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects a name such as dialect.op, but got "square"}}
  %0 = stablehlo.composite "square" %x {decomposition = @composite_name} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @decomposition(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects a function as decomposition, but got @nothing}}
  %0 = stablehlo.composite "my.square" %x {decomposition = @nothing} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @tuple_index(%t: tuple<tensor<f32>>) {
  // expected-error@+1 {{expects index in [0, 1), but got 1}}
  %0 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<f32>>) -> tensor<f32>
  return
}

// -----

func.func @infeed(%t: !stablehlo.token) {
  // expected-error@+1 {{expects a token as last result}}
  %0 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> tensor<4xf32>
  return
}

// -----

func.func @channel(%x: tensor<4xf32>, %t: !stablehlo.token) {
  // expected-error@+1 {{expects a channel of type 2, but got 1}}
  %0 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>,
      is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @async(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects a collective or a slice in its body, but got stablehlo.negate}}
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%a: tensor<4xf32>):
    %s = stablehlo.negate %a : tensor<4xf32>
    stablehlo.return %s : tensor<4xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
  return
}

// -----

// expected-error@+1 {{expects a future of ranked tensors, but got 'f32'}}
func.func private @future() -> !stablehlo.future<f32>

// -----

func.func @buffer_from_something(%x: tensor<2xf32>) {
  // expected-error@+1 {{expects 'CreateBuffer' to take nothing and give one memref, but got 'tensor<2xf32>' to 'memref<2xf32>'}}
  %0 = stablehlo.custom_call @CreateBuffer(%x) : (tensor<2xf32>) -> memref<2xf32>
  return
}

// -----

func.func @buffer_of_two() {
  // expected-error@+1 {{expects 'CreateBuffer' to take nothing and give one memref}}
  %0:2 = stablehlo.custom_call @CreateBuffer() : () -> (memref<2xf32>, memref<2xf32>)
  return
}

// -----

func.func @pin_to_tensor(%x: tensor<2xf32>) {
  // expected-error@+1 {{expects 'Pin' to take one tensor and give one memref, but got 'tensor<2xf32>' to 'tensor<2xf32>'}}
  %0 = stablehlo.custom_call @Pin(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @pin_to_other_shape(%x: tensor<2xf32>) {
  // expected-error@+1 {{expects 'Pin' to keep shape and element type, but got 'tensor<2xf32>' to 'memref<3xf32>'}}
  %0 = stablehlo.custom_call @Pin(%x) : (tensor<2xf32>) -> memref<3xf32>
  return
}

// -----

func.func @unpin_to_other_elements(%m: memref<2xf32>) {
  // expected-error@+1 {{expects 'Unpin' to keep shape and element type, but got 'memref<2xf32>' to 'tensor<2xi32>'}}
  %0 = stablehlo.custom_call @Unpin(%m) : (memref<2xf32>) -> tensor<2xi32>
  return
}

// -----

func.func @operand_aliased_twice(%m: memref<2xf32>) {
  // expected-error@+1 {{expects each memref operand in one alias at most, but got operand 0 at [] twice}}
  %0:2 = stablehlo.custom_call @f(%m) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices =
      [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1],
      operand_index = 0, operand_tuple_indices = []>]} : (memref<2xf32>) -> (memref<2xf32>, memref<2xf32>)
  return
}

// -----

func.func @result_aliased_twice(%m: memref<2xf32>, %n: memref<2xf32>) {
  // expected-error@+1 {{expects each memref result in one alias, but got the one at [] twice}}
  %0 = stablehlo.custom_call @f(%m,
      %n) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0,
      operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1,
      operand_tuple_indices = []>]} : (memref<2xf32>, memref<2xf32>) -> memref<2xf32>
  return
}

// -----

func.func @result_of_no_operand(%m: memref<2xf32>) {
  // expected-error@+1 {{expects an alias for each memref result, but got none for the one at [0, 1]}}
  %0:2 = stablehlo.custom_call @f(%m) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices =
      [0, 0], operand_index = 0, operand_tuple_indices = []>]} : (memref<2xf32>)
      -> (tuple<memref<2xf32>, memref<2xf32>>, tensor<i32>)
  return
}

// -----

// Tensors may be aliased as often as one likes.
func.func @tensor_aliased_twice(%x: tensor<2xf32>) {
  %0:2 = stablehlo.custom_call @f(%x) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices =
      [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1],
      operand_index = 0, operand_tuple_indices = []>]} : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}
