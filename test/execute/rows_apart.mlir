// One packed row of each matrix, every other lane: the kernel's rows are another dim than the view's.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --constants=arrays
module {
  func.func @main() {
    %i = stablehlo.iota dim = 0 : tensor<128xi16>
    %x = stablehlo.reshape %i : (tensor<128xi16>) -> tensor<2x8x8xi16>
    %y = stablehlo.optimization_barrier %x : tensor<2x8x8xi16>
    %0 = stablehlo.slice %y [0:2, 5:6, 1:4:2] : (tensor<2x8x8xi16>) -> tensor<2x1x2xi16>
    %1 = stablehlo.reshape %0 : (tensor<2x1x2xi16>) -> tensor<2x2xi16>
    %2 = stablehlo.add %1, %1 : tensor<2x2xi16>
    check.expect_eq_const %2, dense<[[82, 86], [210, 214]]> : tensor<2x2xi16>
    return
  }
}
