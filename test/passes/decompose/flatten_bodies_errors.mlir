// RUN: tpuc-opt %s --tpuc-flatten-bodies --verify-diagnostics

// 100000 elements make 10^10 pairs, which no memory holds.
func.func @sort(%x: tensor<100000xf32>) -> tensor<100000xf32> {
  // expected-error @below {{expects a comparator without loops for more than 67108864 pairs of elements, but got 'tensor<100000xf32>'; write the loop's steps one after the other [TPUC-EXPAND-001]}}
  %r = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %w = stablehlo.while(%s = %a) : tensor<f32>
    cond {
      %c = stablehlo.compare LT, %s, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %s2 = stablehlo.add %s, %s : tensor<f32>
      stablehlo.return %s2 : tensor<f32>
    }
    %lt = stablehlo.compare LT, %w, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<100000xf32>) -> tensor<100000xf32>
  return %r : tensor<100000xf32>
}
