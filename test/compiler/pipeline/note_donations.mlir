// Arguments that the caller gives up, whether or not a result takes their memory over: of %c none does. A resumed
// compilation knows them too.
// RUN: tpuc compile %s --stop-after=schedule -o %t.mlir && FileCheck %s --input-file=%t.mlir
// RUN: tpuc compile %s -o %t.whole && tpuc compile %t.mlir --start-from=encode -o %t.resumed && cmp %t.whole %t.resumed
// CHECK: tpuc.donated = array<i32: 0, 2>
func.func @main(%a: tensor<8x128xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<8x128xf32> {jax.buffer_donor = false},
                %c: tensor<16xf32> {jax.buffer_donor = true}) -> (tensor<8x128xf32>, tensor<f32>) {
  %0 = stablehlo.add %a, %b : tensor<8x128xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%c init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>)
      -> tensor<f32>
  return %0, %1 : tensor<8x128xf32>, tensor<f32>
}
