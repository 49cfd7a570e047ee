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
