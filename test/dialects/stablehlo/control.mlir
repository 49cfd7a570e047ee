// RUN: tpuc-opt %s | tpuc-opt | FileCheck %s
// RUN: tpuc-opt %s --mlir-print-op-generic | tpuc-opt | FileCheck %s

// CHECK-LABEL: func @branches
func.func @branches(%p: tensor<i1>, %i: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {
  // CHECK: "stablehlo.if"(%{{.*}}) ({
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<f32>
  }, {
    %n = stablehlo.negate %x : tensor<f32>
    stablehlo.return %n : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  // CHECK: "stablehlo.case"(%{{.*}}) ({
  %1 = "stablehlo.case"(%i) ({
    stablehlo.return %0 : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func @loop
// CHECK-SAME: %[[N:.*]]: tensor<i32>, %[[X:.*]]: tensor<4xf32>
func.func @loop(%n: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  // CHECK: %[[W:.*]]:2 = stablehlo.while(%[[I:.*]] = %[[N]], %[[A:.*]] = %[[X]]) : tensor<i32>, tensor<4xf32> attributes {note}
  // CHECK-NEXT: cond {
  %0:2 = stablehlo.while(%i = %n, %a = %x) : tensor<i32>, tensor<4xf32> attributes {note}
  cond {
    // CHECK-NEXT: stablehlo.compare GT, %[[I]],
    %p = stablehlo.compare GT, %i, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  // CHECK: } do {
  } do {
    // CHECK-NEXT: stablehlo.subtract %[[I]],
    %j = stablehlo.subtract %i, %c : tensor<i32>
    // CHECK-NEXT: stablehlo.add %[[A]], %[[A]]
    %b = stablehlo.add %a, %a : tensor<4xf32>
    stablehlo.return %j, %b : tensor<i32>, tensor<4xf32>
  }
  // CHECK: stablehlo.while()
  stablehlo.while()
  cond {
    %p = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return
  }
  return %0#1 : tensor<4xf32>
}

// CHECK-LABEL: func @barriers_and_calls
func.func @barriers_and_calls(%x: tensor<4xf32>, %t: tuple<tensor<4xf32>, tensor<f32>>) {
  // CHECK: stablehlo.optimization_barrier %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32>
  %0:2 = stablehlo.optimization_barrier %x, %x : tensor<4xf32>, tensor<4xf32>
  // CHECK-NEXT: stablehlo.optimization_barrier()
  stablehlo.optimization_barrier()
  // CHECK-NEXT: stablehlo.custom_call @target(%{{.*}}) {backend_config = "x", has_side_effect = true} : (tensor<4xf32>) -> tensor<2xf32>
  %1 = stablehlo.custom_call @target(%x) {backend_config = "x", has_side_effect = true} : (tensor<4xf32>)
      -> tensor<2xf32>
  // CHECK-NEXT: stablehlo.custom_call @"not-a name"(%{{.*}}) {api_version = 4 : i32, backend_config = {key = 1 : i64}, output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.custom_call @"not-a name"(%x) {api_version = 4 : i32, backend_config = {key = 1 : i64},
      output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0,
      operand_tuple_indices = []>]} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: stablehlo.custom_call @layouts(%{{.*}}) {operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]}
  %3 = stablehlo.custom_call @layouts(%x) {operand_layouts = [dense<0>
      : tensor<1xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<4xf32>) -> tensor<2x2xf32>
  // CHECK-NEXT: stablehlo.composite "my.square" %{{.*}} {composite_attributes = {n = 1 : i32}, decomposition = @square, version = 2 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  %4 = stablehlo.composite "my.square" %x {composite_attributes = {n = 1 : i32}, decomposition = @square,
      version = 2 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: stablehlo.tuple %{{.*}}, %{{.*}} : tuple<tensor<4xf32>, tensor<2xf32>>
  %5 = stablehlo.tuple %x, %1 : tuple<tensor<4xf32>, tensor<2xf32>>
  // CHECK-NEXT: stablehlo.get_tuple_element %{{.*}}[1] : (tuple<tensor<4xf32>, tensor<f32>>) -> tensor<f32>
  %6 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<4xf32>, tensor<f32>>) -> tensor<f32>
  return
}
func.func private @square(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.multiply %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func @tokens
func.func @tokens(%x: tensor<4xf32>) {
  // CHECK: %[[T:.*]] = stablehlo.create_token : !stablehlo.token
  %t = stablehlo.create_token : !stablehlo.token
  // CHECK-NEXT: stablehlo.after_all %[[T]], %[[T]] : !stablehlo.token
  %0 = stablehlo.after_all %t, %t : !stablehlo.token
  // CHECK-NEXT: "stablehlo.infeed"(%{{.*}}) <{infeed_config = "c", layout = {{\[\[}}0]]}>
  %1:2 = "stablehlo.infeed"(%0) <{infeed_config = "c", layout = [[0]]}> : (!stablehlo.token)
      -> (tensor<4xf32>, !stablehlo.token)
  // CHECK-NEXT: "stablehlo.outfeed"
  %2 = "stablehlo.outfeed"(%x, %1#1) <{outfeed_config = ""}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  // CHECK-NEXT: "stablehlo.send"(%{{.*}}, %{{.*}}) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true}>
  %3 = "stablehlo.send"(%x, %2) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>,
      is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  // CHECK-NEXT: "stablehlo.recv"
  %4:2 = "stablehlo.recv"(%3) <{channel_handle = #stablehlo.channel_handle<handle = 6, type = 1>,
      source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (!stablehlo.token)
      -> (tensor<4xf32>, !stablehlo.token)
  // CHECK-NEXT: stablehlo.replica_id : tensor<ui32>
  %5 = stablehlo.replica_id : tensor<ui32>
  // CHECK-NEXT: stablehlo.partition_id : tensor<ui32>
  %6 = stablehlo.partition_id : tensor<ui32>
  return
}

// CHECK-LABEL: func @async
func.func @async(%x: tensor<4xf32>) {
  // CHECK: "stablehlo.async_start"(%{{.*}}) ({
  // CHECK: }) : (tensor<4xf32>) -> !stablehlo.future<tensor<2xf32>>
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%a: tensor<4xf32>):
    %s = stablehlo.slice %a [0:2] : (tensor<4xf32>) -> tensor<2xf32>
    stablehlo.return %s : tensor<2xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<2xf32>>
  // CHECK: "stablehlo.async_done"(%{{.*}}) : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
  %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
  return
}

// Memory of a tensor's: pinned, handed through calls, loops and tuples, and unpinned.
// CHECK-LABEL: func @pinned
func.func @pinned(%p: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: stablehlo.custom_call @Pin(%arg1) : (tensor<2xf32>) -> memref<2xf32>
  %0 = stablehlo.custom_call @Pin(%x) : (tensor<2xf32>) -> memref<2xf32>
  // CHECK: stablehlo.custom_call @CreateBuffer() : () -> memref<4xi8>
  %1 = stablehlo.custom_call @CreateBuffer() : () -> memref<4xi8>
  // CHECK: stablehlo.tuple {{.*}} : tuple<memref<2xf32>, memref<4xi8>>
  %2 = stablehlo.tuple %0, %1 : tuple<memref<2xf32>, memref<4xi8>>
  // CHECK: stablehlo.get_tuple_element {{.*}} -> memref<2xf32>
  %3 = stablehlo.get_tuple_element %2[0] : (tuple<memref<2xf32>, memref<4xi8>>) -> memref<2xf32>
  // CHECK: stablehlo.while{{.*}} : tensor<i1>, memref<2xf32>
  %4:2 = stablehlo.while(%a = %p, %m = %3) : tensor<i1>, memref<2xf32> cond {
    stablehlo.return %a : tensor<i1>
  } do {
    %5 = stablehlo.custom_call @f(%m) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices =
        [], operand_index = 0, operand_tuple_indices = []>]} : (memref<2xf32>) -> memref<2xf32>
    stablehlo.return %a, %5 : tensor<i1>, memref<2xf32>
  }
  // CHECK: stablehlo.custom_call @Unpin({{.*}}) : (memref<2xf32>) -> tensor<2xf32>
  %6 = stablehlo.custom_call @Unpin(%4#1) : (memref<2xf32>) -> tensor<2xf32>
  return %6 : tensor<2xf32>
}
