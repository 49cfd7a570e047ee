// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-verify-plan --split-input-file --verify-diagnostics

// What held after fuse holds after plan.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expects every op in a kernel, but got 'stablehlo.add' outside}}
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A loop kernel without a plan.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expects a kernel of kind loop to have a plan [TPUC-STAGE-001]}}
  %0 = kernel.fusion "loop"(%x : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %1 = stablehlo.add %a, %a : tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// The third kernel reads both arrays: they may not lie in the same words.
func.func @main(%x: tensor<8x128xf32>) -> tensor<8x128xf32> {
  // expected-note@+1 {{which is alive with it}}
  %0 = kernel.fusion "loop"(%x : tensor<8x128xf32>) -> tensor<8x128xf32> attributes {
      kernel.places = [[#kernel.place<tensor<8x128xf32> at 0 words 8 rows 8 tiles 1 strides [8]>]],
      kernel.plan = #kernel.plan<grid [parallel d0 = 8 by 8, parallel d1 = 128 by 128]>} {
  ^bb0(%a: tensor<8x128xf32>):
    %1 = stablehlo.tanh %a : tensor<8x128xf32>
    kernel.yield %1 : tensor<8x128xf32>
  }
  // expected-error@+1 {{expects a place in VMEM apart from that of another array}}
  %2 = kernel.fusion "loop"(%x : tensor<8x128xf32>) -> tensor<8x128xf32> attributes {
      kernel.places = [[#kernel.place<tensor<8x128xf32> at 0 words 8 rows 8 tiles 1 strides [8]>]],
      kernel.plan = #kernel.plan<grid [parallel d0 = 8 by 8, parallel d1 = 128 by 128]>} {
  ^bb0(%a: tensor<8x128xf32>):
    %3 = stablehlo.sine %a : tensor<8x128xf32>
    kernel.yield %3 : tensor<8x128xf32>
  }
  %4 = kernel.fusion "loop"(%0, %2 : tensor<8x128xf32>, tensor<8x128xf32>) -> tensor<8x128xf32> attributes {
      kernel.plan = #kernel.plan<grid [parallel d0 = 8 by 8, parallel d1 = 128 by 128]>} {
  ^bb0(%a: tensor<8x128xf32>, %b: tensor<8x128xf32>):
    %5 = stablehlo.add %a, %b : tensor<8x128xf32>
    kernel.yield %5 : tensor<8x128xf32>
  }
  return %4 : tensor<8x128xf32>
}

// -----

// A fetch to nowhere.
func.func @main(%x: tensor<8x128xf32>) -> tensor<8x128xf32> {
  // expected-error@+1 {{expects a fetched array to have a place in VMEM}}
  %0 = kernel.fusion "fetch"(%x : tensor<8x128xf32>) -> tensor<8x128xf32> attributes {
      kernel.plan = #kernel.plan<grid [], transfers>} {
  ^bb0(%a: tensor<8x128xf32>):
    kernel.yield %a : tensor<8x128xf32>
  }
  return %0 : tensor<8x128xf32>
}

// -----

// A fetch brings an array as it is.
func.func @main(%x: tensor<8x128xf32>) -> tensor<8x128xf32> {
  // expected-error@+1 {{expects a fetch to bring one array as it is}}
  %0 = kernel.fusion "fetch"(%x : tensor<8x128xf32>) -> tensor<8x128xf32> attributes {
      kernel.places = [[#kernel.place<tensor<8x128xf32> at 0 words 8 rows 8 tiles 1 strides [8]>]],
      kernel.plan = #kernel.plan<grid [], transfers>} {
  ^bb0(%a: tensor<8x128xf32>):
    %1 = stablehlo.negate %a : tensor<8x128xf32>
    kernel.yield %1 : tensor<8x128xf32>
  }
  return %0 : tensor<8x128xf32>
}

// -----

// A loop reads the first array in each of its iterations: what it makes on the way may not lie there.
func.func @main(%x: tensor<8x128xf32>, %n: tensor<i32>) -> tensor<8x128xf32> {
  // expected-note@+1 {{which is alive with it}}
  %0 = kernel.fusion "loop"(%x : tensor<8x128xf32>) -> tensor<8x128xf32> attributes {
      kernel.places = [[#kernel.place<tensor<8x128xf32> at 0 words 8 rows 8 tiles 1 strides [8]>]],
      kernel.plan = #kernel.plan<grid [parallel d0 = 8 by 8, parallel d1 = 128 by 128]>} {
  ^bb0(%a: tensor<8x128xf32>):
    %1 = stablehlo.tanh %a : tensor<8x128xf32>
    kernel.yield %1 : tensor<8x128xf32>
  }
  %2:2 = stablehlo.while(%i = %n, %s = %x) : tensor<i32>, tensor<8x128xf32>
  cond {
    %c = kernel.fusion "loop"(%i : tensor<i32>) -> tensor<i1> attributes {
        kernel.plan = #kernel.plan<grid []>} {
    ^bb0(%a: tensor<i32>):
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %1 = stablehlo.compare GT, %a, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
      kernel.yield %1 : tensor<i1>
    }
    stablehlo.return %c : tensor<i1>
  } do {
    %3 = kernel.fusion "loop"(%0, %s : tensor<8x128xf32>, tensor<8x128xf32>) -> tensor<8x128xf32> attributes {
        kernel.plan = #kernel.plan<grid [parallel d0 = 8 by 8, parallel d1 = 128 by 128]>} {
    ^bb0(%a: tensor<8x128xf32>, %b: tensor<8x128xf32>):
      %1 = stablehlo.add %a, %b : tensor<8x128xf32>
      kernel.yield %1 : tensor<8x128xf32>
    }
    // expected-error@+1 {{expects a place in VMEM apart from that of another array}}
    %4 = kernel.fusion "loop"(%3 : tensor<8x128xf32>) -> tensor<8x128xf32> attributes {
        kernel.places = [[#kernel.place<tensor<8x128xf32> at 0 words 8 rows 8 tiles 1 strides [8]>]],
        kernel.plan = #kernel.plan<grid [parallel d0 = 8 by 8, parallel d1 = 128 by 128]>} {
    ^bb0(%a: tensor<8x128xf32>):
      %1 = stablehlo.sine %a : tensor<8x128xf32>
      kernel.yield %1 : tensor<8x128xf32>
    }
    %5 = kernel.fusion "loop"(%4 : tensor<8x128xf32>) -> tensor<8x128xf32> attributes {
        kernel.plan = #kernel.plan<grid [parallel d0 = 8 by 8, parallel d1 = 128 by 128]>} {
    ^bb0(%a: tensor<8x128xf32>):
      %1 = stablehlo.negate %a : tensor<8x128xf32>
      kernel.yield %1 : tensor<8x128xf32>
    }
    %6 = kernel.fusion "loop"(%i : tensor<i32>) -> tensor<i32> attributes {
        kernel.plan = #kernel.plan<grid []>} {
    ^bb0(%a: tensor<i32>):
      %one = stablehlo.constant dense<1> : tensor<i32>
      %1 = stablehlo.subtract %a, %one : tensor<i32>
      kernel.yield %1 : tensor<i32>
    }
    stablehlo.return %6, %5 : tensor<i32>, tensor<8x128xf32>
  }
  return %2#1 : tensor<8x128xf32>
}

// -----

// No kernel reads the second array, but it is written while the first one is still to be read.
module {
  func.func @main(%x: tensor<8x128xf32>) -> (tensor<8x128xf32>, tensor<8x128xf32>) {
    // expected-note@+1 {{which is alive with it}}
    %0 = kernel.fusion "loop"(%x : tensor<8x128xf32>) -> tensor<8x128xf32> attributes {
        kernel.places = [[#kernel.place<tensor<8x128xf32> at 0 words 8 rows 8 tiles 1 strides [8]>]],
        kernel.plan = #kernel.plan<grid [parallel d0 = 8 by 8, parallel d1 = 128 by 128]>} {
    ^bb0(%a: tensor<8x128xf32>):
      %3 = stablehlo.tanh %a : tensor<8x128xf32>
      kernel.yield %3 : tensor<8x128xf32>
    }
    // expected-error@+1 {{expects a place in VMEM apart from that of another array}}
    %1 = kernel.fusion "loop"(%x : tensor<8x128xf32>) -> tensor<8x128xf32> attributes {
        kernel.places = [[#kernel.place<tensor<8x128xf32> at 4 words 8 rows 8 tiles 1 strides [8]>]],
        kernel.plan = #kernel.plan<grid [parallel d0 = 8 by 8, parallel d1 = 128 by 128]>} {
    ^bb0(%a: tensor<8x128xf32>):
      %3 = stablehlo.sine %a : tensor<8x128xf32>
      kernel.yield %3 : tensor<8x128xf32>
    }
    %2 = kernel.fusion "loop"(%0 : tensor<8x128xf32>) -> tensor<8x128xf32> attributes {
        kernel.plan = #kernel.plan<grid [parallel d0 = 8 by 8, parallel d1 = 128 by 128]>} {
    ^bb0(%a: tensor<8x128xf32>):
      %3 = stablehlo.negate %a : tensor<8x128xf32>
      kernel.yield %3 : tensor<8x128xf32>
    }
    return %1, %2 : tensor<8x128xf32>, tensor<8x128xf32>
  }
}

// -----

module {
  func.func @main(%x: tensor<8x128xf32>) -> tensor<8x128xf32> {
    // expected-error@+1 {{expects an array in VMEM within its 4096 words, but got one up to word 4098}}
    %0 = kernel.fusion "loop"(%x : tensor<8x128xf32>) -> tensor<8x128xf32> attributes {
        kernel.places = [[#kernel.place<tensor<8x128xf32> at 4090 words 8 rows 8 tiles 1 strides [8]>]],
        kernel.plan = #kernel.plan<grid [parallel d0 = 8 by 8, parallel d1 = 128 by 128], vmem 24 of 4096>} {
    ^bb0(%a: tensor<8x128xf32>):
      %3 = stablehlo.tanh %a : tensor<8x128xf32>
      kernel.yield %3 : tensor<8x128xf32>
    }
    return %0 : tensor<8x128xf32>
  }
}

// -----

// The next value is put over the carried one, which a later kernel of the iteration reads.
func.func @main(%x: tensor<8x128xf32>) -> tensor<8x128xf32> {
  %0:2 = stablehlo.while(%a = %x, %b = %x) : tensor<8x128xf32>, tensor<8x128xf32> attributes {
      kernel.places = [[#kernel.place<tensor<8x128xf32> at 0 words 8 rows 8 tiles 1 strides [8]>], []],
      kernel.trip_count = 3 : i64}
  cond {
    %p = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    // expected-error@+2 {{expects a place in VMEM apart from that of another array}}
    // expected-note@-8 {{which is alive with it}}
    %1 = kernel.fusion "loop"(%a : tensor<8x128xf32>) -> tensor<8x128xf32> attributes {
        kernel.places = [[#kernel.place<tensor<8x128xf32> at 0 words 8 rows 8 tiles 1 strides [8]>]],
        kernel.plan = #kernel.plan<grid [parallel d0 = 8 by 8, parallel d1 = 128 by 128]>} {
    ^bb0(%c: tensor<8x128xf32>):
      %3 = stablehlo.sine %c : tensor<8x128xf32>
      kernel.yield %3 : tensor<8x128xf32>
    }
    %2 = kernel.fusion "loop"(%a : tensor<8x128xf32>) -> tensor<8x128xf32> attributes {
        kernel.plan = #kernel.plan<grid [parallel d0 = 8 by 8, parallel d1 = 128 by 128]>} {
    ^bb0(%c: tensor<8x128xf32>):
      %3 = stablehlo.negate %c : tensor<8x128xf32>
      kernel.yield %3 : tensor<8x128xf32>
    }
    stablehlo.return %1, %2 : tensor<8x128xf32>, tensor<8x128xf32>
  }
  return %0#1 : tensor<8x128xf32>
}

// -----

// What the loop is given is changed in its place, and read behind the loop.
func.func @main(%x: tensor<8x128xf32>) -> tensor<8x128xf32> {
  // expected-note@+1 {{which is alive with it}}
  %0 = kernel.fusion "loop"(%x : tensor<8x128xf32>) -> tensor<8x128xf32> attributes {
      kernel.places = [[#kernel.place<tensor<8x128xf32> at 0 words 8 rows 8 tiles 1 strides [8]>]],
      kernel.plan = #kernel.plan<grid [parallel d0 = 8 by 8, parallel d1 = 128 by 128]>} {
  ^bb0(%c: tensor<8x128xf32>):
    %3 = stablehlo.sine %c : tensor<8x128xf32>
    kernel.yield %3 : tensor<8x128xf32>
  }
  // expected-error@+1 {{expects a place in VMEM apart from that of another array}}
  %1 = stablehlo.while(%a = %0) : tensor<8x128xf32> attributes {
      kernel.places = [[#kernel.place<tensor<8x128xf32> at 0 words 8 rows 8 tiles 1 strides [8]>]],
      kernel.trip_count = 3 : i64}
  cond {
    %p = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return %a : tensor<8x128xf32>
  }
  %2 = kernel.fusion "loop"(%0, %1 : tensor<8x128xf32>, tensor<8x128xf32>) -> tensor<8x128xf32> attributes {
      kernel.plan = #kernel.plan<grid [parallel d0 = 8 by 8, parallel d1 = 128 by 128]>} {
  ^bb0(%c: tensor<8x128xf32>, %d: tensor<8x128xf32>):
    %3 = stablehlo.add %c, %d : tensor<8x128xf32>
    kernel.yield %3 : tensor<8x128xf32>
  }
  return %2 : tensor<8x128xf32>
}

// -----

// Two arrays that a loop exchanges, both in VMEM: fine. The second is put over what another kernel reads.
func.func @main(%x: tensor<8x128xf32>) -> tensor<8x128xf32> {
  // expected-note@+1 {{which is alive with it}}
  %0 = kernel.fusion "loop"(%x : tensor<8x128xf32>) -> tensor<8x128xf32> attributes {
      kernel.places = [[#kernel.place<tensor<8x128xf32> at 8 words 8 rows 8 tiles 1 strides [8]>]],
      kernel.plan = #kernel.plan<grid [parallel d0 = 8 by 8, parallel d1 = 128 by 128]>} {
  ^bb0(%c: tensor<8x128xf32>):
    %3 = stablehlo.sine %c : tensor<8x128xf32>
    kernel.yield %3 : tensor<8x128xf32>
  }
  // expected-error@+1 {{expects a place in VMEM apart from that of another array}}
  %1:2 = stablehlo.while(%a = %x, %b = %x) : tensor<8x128xf32>, tensor<8x128xf32> attributes {
      kernel.places = [[#kernel.place<tensor<8x128xf32> at 0 words 8 rows 8 tiles 1 strides [8]>],
                       [#kernel.place<tensor<8x128xf32> at 8 words 8 rows 8 tiles 1 strides [8]>]],
      kernel.trip_count = 3 : i64}
  cond {
    %p = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return %b, %a : tensor<8x128xf32>, tensor<8x128xf32>
  }
  %2 = kernel.fusion "loop"(%0, %1#0 : tensor<8x128xf32>, tensor<8x128xf32>) -> tensor<8x128xf32> attributes {
      kernel.plan = #kernel.plan<grid [parallel d0 = 8 by 8, parallel d1 = 128 by 128]>} {
  ^bb0(%c: tensor<8x128xf32>, %d: tensor<8x128xf32>):
    %3 = stablehlo.add %c, %d : tensor<8x128xf32>
    kernel.yield %3 : tensor<8x128xf32>
  }
  return %2 : tensor<8x128xf32>
}
