// RUN: tpuc-opt %s --tpuc-drop-tokens | FileCheck %s
// RUN: tpuc compile %s -o %t.tpuc

// Arguments and results keep their number; a token in a loop and in a tuple is an array like any other.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[T:.*]]: tensor<0xi1>, %[[X:.*]]: tensor<4xf32>) -> (tensor<0xi1>, tensor<4xf32>)
func.func @main(%t: !stablehlo.token, %x: tensor<4xf32>) -> (!stablehlo.token, tensor<4xf32>) {
  // CHECK: stablehlo.constant dense<> : tensor<0xi1>
  %0 = stablehlo.create_token : !stablehlo.token
  // CHECK: %[[A:.*]] = stablehlo.constant dense<> : tensor<0xi1>
  %1 = stablehlo.after_all %0, %t : !stablehlo.token
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  // CHECK: stablehlo.while({{.*}} = %[[A]]{{.*}}) : tensor<i32>, tensor<0xi1>, tensor<4xf32>
  %2:3 = stablehlo.while(%i = %zero, %u = %1, %y = %x) : tensor<i32>, !stablehlo.token, tensor<4xf32>
  cond {
    %p = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %n = stablehlo.add %i, %one : tensor<i32>
    %v = stablehlo.after_all %u : !stablehlo.token
    %z = stablehlo.add %y, %y : tensor<4xf32>
    stablehlo.return %n, %v, %z : tensor<i32>, !stablehlo.token, tensor<4xf32>
  }
  // CHECK: stablehlo.tuple {{.*}} : tuple<tensor<0xi1>, tensor<4xf32>>
  %3 = stablehlo.tuple %2#1, %2#2 : tuple<!stablehlo.token, tensor<4xf32>>
  %4 = stablehlo.get_tuple_element %3[0] : (tuple<!stablehlo.token, tensor<4xf32>>) -> !stablehlo.token
  func.return %4, %2#2 : !stablehlo.token, tensor<4xf32>
}

// A token's layout is that of no dims, which its array has not.
// CHECK-LABEL: func.func @calls(
// CHECK: stablehlo.custom_call @tpuc.host_call(%arg0, %arg1)
// CHECK-NOT: layouts
func.func @calls(%t: !stablehlo.token, %x: tensor<4xf32>) -> !stablehlo.token {
  %0 = stablehlo.custom_call @tpuc.host_call(%t, %x) {api_version = 4 : i32, has_side_effect = true,
      mhlo.backend_config = {index = 1 : ui64},
      operand_layouts = [dense<> : tensor<0xindex>, dense<0> : tensor<1xindex>], result_layouts = [dense<>
          : tensor<0xindex>]} : (!stablehlo.token, tensor<4xf32>) -> !stablehlo.token
  func.return %0 : !stablehlo.token
}

// Shardings of tokens have no dims, and those of their arrays one.
// CHECK-LABEL: func.func @sharded
// CHECK: sdy.manual_computation(%{{.*}}, %{{.*}}) in_shardings=[<@mesh, [{}]>, <@mesh, [{"x"}]>]
// CHECK-SAME: out_shardings=[<@mesh, [{}]>, <@mesh, [{"x"}]>]
// CHECK: stablehlo.custom_call @tpuc.host_call
// CHECK-SAME: sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>
sdy.mesh @mesh = <["x"=2]>
func.func @sharded(%t: !stablehlo.token, %x: tensor<4xf32>) -> (!stablehlo.token, tensor<4xf32>) {
  %0:2 = sdy.manual_computation(%t, %x) in_shardings=[<@mesh, []>, <@mesh, [{"x"}]>]
      out_shardings=[<@mesh, []>, <@mesh, [{"x"}]>] manual_axes={"x"} (%u: !stablehlo.token, %y: tensor<2xf32>) {
    %1 = stablehlo.custom_call @tpuc.host_call(%u, %y) {has_side_effect = true,
        mhlo.backend_config = {index = 0 : ui64}, sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>]>}
        : (!stablehlo.token, tensor<2xf32>) -> !stablehlo.token
    sdy.return %1, %y : !stablehlo.token, tensor<2xf32>
  } : (!stablehlo.token, tensor<4xf32>) -> (!stablehlo.token, tensor<4xf32>)
  return %0#0, %0#1 : !stablehlo.token, tensor<4xf32>
}
