// RUN: tpuc-opt %s --tpuc-verify-fuse --split-input-file --verify-diagnostics

// An op that no kernel took.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expects every op in a kernel, but got 'stablehlo.add' outside [TPUC-STAGE-001]}}
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// The matrix unit's kernel without a matmul.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expects a dot_general in a kernel of kind dot}}
  %0 = kernel.fusion "dot"(%x : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    kernel.yield %a : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// Kernels do not nest.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note@+1 {{the outer kernel}}
  %0 = kernel.fusion "loop"(%x : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    // expected-error@+1 {{expects no kernel within a kernel}}
    %1 = kernel.fusion "loop"(%a : tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%b: tensor<4xf32>):
      kernel.yield %b : tensor<4xf32>
    }
    kernel.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// The window's kernel without a window.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expects a window in a kernel of kind window}}
  %0 = kernel.fusion "window"(%x : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    kernel.yield %a : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// The matrix unit's other kernel without a convolution.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expects a convolution in a kernel of kind conv}}
  %0 = kernel.fusion "conv"(%x : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    kernel.yield %a : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// A move that brings another dim to the lanes.
func.func @main(%x: tensor<8x128xf32>) -> tensor<128x8xf32> {
  // expected-error@+1 {{expects reshapes, transposes and broadcasts that keep lanes in a kernel of kind relayout}}
  %0 = kernel.fusion "relayout"(%x : tensor<8x128xf32>) -> tensor<128x8xf32> {
  ^bb0(%a: tensor<8x128xf32>):
    %1 = stablehlo.transpose %a, dims = [1, 0] : (tensor<8x128xf32>) -> tensor<128x8xf32>
    kernel.yield %1 : tensor<128x8xf32>
  }
  return %0 : tensor<128x8xf32>
}
