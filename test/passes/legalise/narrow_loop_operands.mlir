// RUN: tpuc-opt %s --tpuc-narrow-loop-operands | FileCheck %s
// RUN: tpuc-opt %s --tpuc-narrow-loop-operands=matmul-precision=highest | FileCheck %s --check-prefix=WIDE

// %w is read by dots alone; %v is added too, and one dot wants more precision of %h.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<128x128xf32>
// CHECK: %[[N:.*]] = stablehlo.convert %[[W]] : (tensor<128x128xf32>) -> tensor<128x128xbf16>
// CHECK-NOT: convert
// CHECK: while(%[[A:.*]] = %[[N]],
// CHECK-SAME: tensor<128x128xbf16>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<8x128xf32>, tensor<i32>
// CHECK: dot_general %{{.*}}, %[[A]]{{.*}} : (tensor<8x128xf32>, tensor<128x128xbf16>) -> tensor<8x128xf32>
// WIDE-LABEL: func.func @main
// WIDE-NOT: bf16
func.func @main(%w: tensor<128x128xf32>, %v: tensor<128x128xf32>, %h: tensor<128x128xf32>, %x: tensor<8x128xf32>)
    -> tensor<8x128xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:5 = stablehlo.while(%a = %w, %b = %v, %c = %h, %y = %x, %i = %zero)
      : tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<8x128xf32>, tensor<i32>
  cond {
    %n = stablehlo.constant dense<8> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.dot_general %y, %a, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT]
        : (tensor<8x128xf32>, tensor<128x128xf32>) -> tensor<8x128xf32>
    %2 = stablehlo.dot_general %1, %b, contracting_dims = [1] x [0] : (tensor<8x128xf32>, tensor<128x128xf32>)
        -> tensor<8x128xf32>
    %3 = stablehlo.add %b, %b : tensor<128x128xf32>
    %4 = stablehlo.dot_general %2, %3, contracting_dims = [1] x [0] : (tensor<8x128xf32>, tensor<128x128xf32>)
        -> tensor<8x128xf32>
    %5 = stablehlo.dot_general %4, %c, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST]
        : (tensor<8x128xf32>, tensor<128x128xf32>) -> tensor<8x128xf32>
    %6 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %a, %b, %c, %5, %6
        : tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<8x128xf32>, tensor<i32>
  }
  return %0#3 : tensor<8x128xf32>
}
