// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{expects every dim up to d1 in the grid}}
func.func @main() attributes {a = #kernel.plan<grid [parallel d1 = 8 by 8]>} { return }

// -----

// expected-error@+1 {{expects each dim once, but got d0 again}}
func.func @main() attributes {a = #kernel.plan<grid [parallel d0 = 8 by 8, sequential d0 = 8 by 8]>} { return }

// -----

// expected-error@+1 {{expects steps of 1 and more along d0, but got 0}}
func.func @main() attributes {a = #kernel.plan<grid [parallel d0 = 8 by 0]>} { return }

// -----

// expected-error@+1 {{expects a dim to be parallel, sequential or whole, but got odd}}
func.func @main() attributes {a = #kernel.plan<grid [odd d0 = 8 by 8]>} { return }

// -----

// expected-error@+1 {{expects 112 words of VMEM at most, but got 113}}
func.func @main() attributes {a = #kernel.plan<grid [parallel d0 = 8 by 8], vmem 113 of 112>} { return }

// -----

// expected-error@+1 {{expects maps of 1 dims, but got 2}}
func.func @main() attributes {a = #kernel.plan<grid [parallel d0 = 8 by 8], reads [[8] (d0, d1) -> (d0) in hbm]>}
    { return }

// -----

// expected-error@+1 {{expects a block of 2 dims to have a map to as many}}
func.func @main() attributes {a = #kernel.plan<grid [parallel d0 = 8 by 8], reads [[8, 1] (d0) -> (d0) in hbm]>}
    { return }

// -----

// expected-error@+1 {{expects a block in hbm or vmem, but got smem}}
func.func @main() attributes {a = #kernel.plan<grid [parallel d0 = 8 by 8], reads [[8] (d0) -> (d0) in smem]>}
    { return }

// -----

// expected-error@+1 {{expects kernel.plan to be a kernel's}}
func.func @main() attributes {kernel.plan = #kernel.plan<grid [parallel d0 = 8 by 8]>} { return }

// -----

func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{expects a #kernel.plan, but got 1 : i64}}
  %0 = kernel.fusion "loop"(%x : tensor<8xf32>) -> tensor<8xf32> attributes {kernel.plan = 1} {
  ^bb0(%a: tensor<8xf32>):
    kernel.yield %a : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{kernel.places expects a list for each of 1 results}}
  %0 = kernel.fusion "loop"(%x : tensor<8xf32>) -> tensor<8xf32> attributes {kernel.places = []} {
  ^bb0(%a: tensor<8xf32>):
    kernel.yield %a : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{kernel.places expects one of 1 inputs below, but got 1}}
  %0 = kernel.fusion "loop"(%x : tensor<8xf32>) -> tensor<8xf32>
      attributes {kernel.places = [[#kernel.place<tensor<8xf32> at 0 words 8 rows 8 tiles 0 strides [8] over 1>]]} {
  ^bb0(%a: tensor<8xf32>):
    kernel.yield %a : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

// The carried array is in HBM: none of VMEM is copied when the loop ends.
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{kernel.apart expects numbers of arrays that a loop carries in VMEM, but got array<i64: 0>}}
  %0 = stablehlo.while(%a = %x) : tensor<8xf32> attributes {kernel.apart = array<i64: 0>, kernel.places = [[]]}
  cond {
    %p = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return %a : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

// A loop has a list for each array that it carries.
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{kernel.places expects a list for each of 1 results}}
  %0 = stablehlo.while(%a = %x) : tensor<8xf32> attributes {kernel.places = []}
  cond {
    %p = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return %a : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}
