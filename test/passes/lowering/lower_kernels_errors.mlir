// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5e --tpuc-lower-kernels=target=v5e --split-input-file \
// RUN:   --verify-diagnostics

// An argument and a result of 2^33 bytes each, 16 GiB together; the v5e has 15.75.
// expected-error@+2 {{expects a program of 16911433728 bytes of v5e's HBM at most, but got 17179869184; shard it over more chips, reduce the batch, or choose another target [TPUC-FIT-001]}}
// expected-note@+1 {{alive at the peak: 'tensor<2147483648xf32>', 8589934592 bytes}}
func.func @main(%x: tensor<2147483648xf32>) -> tensor<2147483648xf32> {
  // expected-note@+1 {{alive at the peak: 'tensor<2147483648xf32>', 8589934592 bytes}}
  %0 = kernel.fusion "loop"(%x : tensor<2147483648xf32>) -> tensor<2147483648xf32> {
  ^bb0(%a: tensor<2147483648xf32>):
    %1 = stablehlo.add %a, %a : tensor<2147483648xf32>
    kernel.yield %1 : tensor<2147483648xf32>
  }
  return %0 : tensor<2147483648xf32>
}

// -----

// Ops that no kernel is made of, as an edited dump may have them.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = kernel.fusion "loop"(%x : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    // expected-error@+1 {{expects ops that the instruction set has for their types, but got 'chlo.erf' of 'tensor<4xf32>'; cast around it or write it in simpler ops [TPUC-LOWER-003]}}
    %1 = chlo.erf %a : tensor<4xf32> -> tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = kernel.fusion "loop"(%x : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    // expected-error@+1 {{expects constants of one value in a kernel, but got an array [TPUC-STAGE-001]}}
    %b = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
    %1 = stablehlo.add %a, %b : tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// Nor a function, in a kernel or not.
kernel.function @erf {
^bb0(%x: tensor<f32>):
  // expected-error@+1 {{expects ops that the instruction set has for their types, but got 'chlo.erf' of 'tensor<f32>'; cast around it or write it in simpler ops [TPUC-LOWER-003]}}
  %0 = chlo.erf %x : tensor<f32> -> tensor<f32>
  kernel.return %0 : tensor<f32>
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = kernel.fusion "loop"(%x : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %1 = kernel.apply @erf(%a) : (tensor<4xf32>) -> tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// A comparator has no functions.
kernel.function @twice {
^bb0(%x: tensor<f32>):
  %0 = stablehlo.add %x, %x : tensor<f32>
  kernel.return %0 : tensor<f32>
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = kernel.fusion "copy"(%x : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    // expected-error@+1 {{[TPUC-LOWER-003]}}
    %1 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %2 = kernel.apply @twice(%l) : (tensor<f32>) -> tensor<f32>
      %3 = stablehlo.compare LT, %2, %r : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
