// RUN: tpuc-opt %s --tpuc-slice-in-place --split-input-file | FileCheck %s

// A layer of stacked weights is read where it lies: the kernel's body begins with the slice.
// CHECK-LABEL: @layer
// CHECK-SAME: (%[[X:.*]]: tensor<16x64xf32>, %[[W:.*]]: tensor<6x64x128xf32>, %[[I:.*]]: tensor<i32>)
// CHECK-NOT: kernel.fusion "copy"
// CHECK: kernel.fusion "dot"(%[[X]], %[[W]], %[[I]]
// CHECK: %[[S:.*]] = stablehlo.dynamic_slice {{.*}} sizes = [1, 64, 128]
// CHECK: %[[M:.*]] = stablehlo.reshape %[[S]]
// CHECK: stablehlo.dot_general {{.*}}, %[[M]]
func.func @layer(%x: tensor<16x64xf32>, %w: tensor<6x64x128xf32>, %i: tensor<i32>) -> tensor<16x128xf32> {
  %0 = kernel.fusion "copy"(%w, %i : tensor<6x64x128xf32>, tensor<i32>) -> tensor<1x64x128xf32> {
  ^bb0(%a: tensor<6x64x128xf32>, %k: tensor<i32>):
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_slice %a, %k, %c, %c, sizes = [1, 64, 128]
        : (tensor<6x64x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x128xf32>
    kernel.yield %1 : tensor<1x64x128xf32>
  }
  %1 = kernel.view %0 : tensor<1x64x128xf32> -> tensor<64x128xf32>
  %2 = kernel.fusion "dot"(%x, %1 : tensor<16x64xf32>, tensor<64x128xf32>) -> tensor<16x128xf32> {
  ^bb0(%a: tensor<16x64xf32>, %b: tensor<64x128xf32>):
    %3 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
        : (tensor<16x64xf32>, tensor<64x128xf32>) -> tensor<16x128xf32>
    kernel.yield %3 : tensor<16x128xf32>
  }
  return %2 : tensor<16x128xf32>
}

// -----

// A row of a matrix of 32-bit elements is a piece for kernels that move blocks.
// CHECK-LABEL: @row
// CHECK-NOT: kernel.fusion "copy"
// CHECK: kernel.fusion "loop"
// CHECK: stablehlo.dynamic_slice
// CHECK: stablehlo.exponential
func.func @row(%x: tensor<128xf32>, %w: tensor<6x128xf32>, %i: tensor<i32>) -> tensor<1x128xf32> {
  %0 = kernel.fusion "copy"(%w, %i : tensor<6x128xf32>, tensor<i32>) -> tensor<1x128xf32> {
  ^bb0(%a: tensor<6x128xf32>, %k: tensor<i32>):
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_slice %a, %k, %c, sizes = [1, 128]
        : (tensor<6x128xf32>, tensor<i32>, tensor<i32>) -> tensor<1x128xf32>
    kernel.yield %1 : tensor<1x128xf32>
  }
  %1 = kernel.fusion "loop"(%0 : tensor<1x128xf32>) -> tensor<1x128xf32> {
  ^bb0(%a: tensor<1x128xf32>):
    %2 = stablehlo.exponential %a : tensor<1x128xf32>
    kernel.yield %2 : tensor<1x128xf32>
  }
  return %1 : tensor<1x128xf32>
}

// -----

// Rows of 16-bit elements share words.
// CHECK-LABEL: @narrow_row
// CHECK: kernel.fusion "copy"
func.func @narrow_row(%x: tensor<128xbf16>, %w: tensor<6x128xbf16>, %i: tensor<i32>) -> tensor<1x128xbf16> {
  %0 = kernel.fusion "copy"(%w, %i : tensor<6x128xbf16>, tensor<i32>) -> tensor<1x128xbf16> {
  ^bb0(%a: tensor<6x128xbf16>, %k: tensor<i32>):
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_slice %a, %k, %c, sizes = [1, 128]
        : (tensor<6x128xbf16>, tensor<i32>, tensor<i32>) -> tensor<1x128xbf16>
    kernel.yield %1 : tensor<1x128xbf16>
  }
  %1 = kernel.fusion "loop"(%0 : tensor<1x128xbf16>) -> tensor<1x128xbf16> {
  ^bb0(%a: tensor<1x128xbf16>):
    %2 = stablehlo.exponential %a : tensor<1x128xbf16>
    kernel.yield %2 : tensor<1x128xbf16>
  }
  return %1 : tensor<1x128xbf16>
}

// -----

// What the loop carries is written over before the slice is read: the slice is a copy.
// CHECK-LABEL: @written
// CHECK: do {
// CHECK: kernel.fusion "copy"
// CHECK: stablehlo.dynamic_slice
// CHECK: kernel.fusion "loop"
// CHECK: stablehlo.dynamic_update_slice
// CHECK: kernel.fusion "loop"
// CHECK-NOT: stablehlo.dynamic_slice
// CHECK: stablehlo.return
func.func @written(%w: tensor<6x8x128xf32>, %x: tensor<8x128xf32>, %n: tensor<i32>)
    -> (tensor<6x8x128xf32>, tensor<8x128xf32>) {
  %0:2 = stablehlo.while(%a = %w, %s = %x) : tensor<6x8x128xf32>, tensor<8x128xf32>
    attributes {kernel.trip_count = 3 : i64}
    cond {
      %p = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = kernel.fusion "copy"(%a, %n : tensor<6x8x128xf32>, tensor<i32>) -> tensor<1x8x128xf32> {
      ^bb0(%b: tensor<6x8x128xf32>, %k: tensor<i32>):
        %c = stablehlo.constant dense<0> : tensor<i32>
        %2 = stablehlo.dynamic_slice %b, %k, %c, %c, sizes = [1, 8, 128]
            : (tensor<6x8x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x128xf32>
        kernel.yield %2 : tensor<1x8x128xf32>
      }
      %2 = kernel.fusion "loop"(%s : tensor<8x128xf32>) -> tensor<1x8x128xf32> {
      ^bb0(%b: tensor<8x128xf32>):
        %3 = stablehlo.reshape %b : (tensor<8x128xf32>) -> tensor<1x8x128xf32>
        %4 = stablehlo.exponential %3 : tensor<1x8x128xf32>
        kernel.yield %4 : tensor<1x8x128xf32>
      }
      %3 = kernel.fusion "copy"(%a, %2, %n : tensor<6x8x128xf32>, tensor<1x8x128xf32>, tensor<i32>)
          -> tensor<6x8x128xf32> {
      ^bb0(%b: tensor<6x8x128xf32>, %u: tensor<1x8x128xf32>, %k: tensor<i32>):
        %c = stablehlo.constant dense<0> : tensor<i32>
        %4 = stablehlo.dynamic_update_slice %b, %u, %k, %c, %c : (tensor<6x8x128xf32>, tensor<1x8x128xf32>,
            tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x8x128xf32>
        kernel.yield %4 : tensor<6x8x128xf32>
      }
      %4 = kernel.fusion "loop"(%1 : tensor<1x8x128xf32>) -> tensor<8x128xf32> {
      ^bb0(%b: tensor<1x8x128xf32>):
        %5 = stablehlo.reshape %b : (tensor<1x8x128xf32>) -> tensor<8x128xf32>
        %6 = stablehlo.exponential %5 : tensor<8x128xf32>
        kernel.yield %6 : tensor<8x128xf32>
      }
      stablehlo.return %3, %4 : tensor<6x8x128xf32>, tensor<8x128xf32>
    }
  return %0#0, %0#1 : tensor<6x8x128xf32>, tensor<8x128xf32>
}

// -----

// A kernel writes what it makes to its place among what the loop saves, and for the one that reads it too; the counter
// that says where is there before it.
// CHECK-LABEL: @saved
// CHECK: stablehlo.while(%[[I:.*]] = {{.*}}, %[[V:.*]] = {{.*}}, %[[Y:.*]] = {{.*}})
// CHECK: do {
// CHECK: %[[K:.*]] = kernel.fusion "loop"(%[[I]]
// CHECK: %[[H:.*]]:2 = kernel.fusion "dot"(%[[V]], {{.*}}, %[[Y]], %[[K]]
// CHECK: %[[P:.*]] = stablehlo.dot_general
// CHECK: %[[R:.*]] = stablehlo.reshape %[[P]]
// CHECK: %[[U:.*]] = stablehlo.dynamic_update_slice {{.*}}, %[[R]]
// CHECK: kernel.yield %[[P]], %[[U]]
// CHECK-NOT: kernel.fusion "copy"
// CHECK: stablehlo.return {{.*}}, %[[H]]#0, %[[H]]#1
func.func @saved(%x: tensor<16x64xf32>, %w: tensor<64x64xf32>, %n: tensor<i32>)
    -> (tensor<16x64xf32>, tensor<6x16x64xf32>) {
  %u = kernel.undefined : tensor<6x16x64xf32>
  %0:3 = stablehlo.while(%i = %n, %v = %x, %y = %u) : tensor<i32>, tensor<16x64xf32>, tensor<6x16x64xf32>
    attributes {kernel.trip_count = 6 : i64}
    cond {
      %p = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = kernel.fusion "dot"(%v, %w : tensor<16x64xf32>, tensor<64x64xf32>) -> tensor<16x64xf32> {
      ^bb0(%a: tensor<16x64xf32>, %b: tensor<64x64xf32>):
        %3 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
            : (tensor<16x64xf32>, tensor<64x64xf32>) -> tensor<16x64xf32>
        kernel.yield %3 : tensor<16x64xf32>
      }
      %2 = kernel.view %1 : tensor<16x64xf32> -> tensor<1x16x64xf32>
      %3 = kernel.fusion "loop"(%i : tensor<i32>) -> tensor<i32> {
      ^bb0(%a: tensor<i32>):
        %6 = stablehlo.negate %a : tensor<i32>
        kernel.yield %6 : tensor<i32>
      }
      %4 = kernel.fusion "copy"(%y, %2, %3 : tensor<6x16x64xf32>, tensor<1x16x64xf32>, tensor<i32>)
          -> tensor<6x16x64xf32> {
      ^bb0(%a: tensor<6x16x64xf32>, %b: tensor<1x16x64xf32>, %k: tensor<i32>):
        %c = stablehlo.constant dense<0> : tensor<i32>
        %6 = stablehlo.dynamic_update_slice %a, %b, %k, %c, %c : (tensor<6x16x64xf32>, tensor<1x16x64xf32>,
            tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x16x64xf32>
        kernel.yield %6 : tensor<6x16x64xf32>
      }
      stablehlo.return %3, %1, %4 : tensor<i32>, tensor<16x64xf32>, tensor<6x16x64xf32>
    }
  return %0#1, %0#2 : tensor<16x64xf32>, tensor<6x16x64xf32>
}

// -----

// The kernel that makes the piece also says where it goes: it is put there afterwards.
// CHECK-LABEL: @own_position
// CHECK: kernel.fusion "loop"
// CHECK-NOT: dynamic_update_slice
// CHECK: kernel.fusion "copy"
// CHECK: dynamic_update_slice
func.func @own_position(%y: tensor<6x8x128xf32>, %n: tensor<i32>) -> tensor<6x8x128xf32> {
  %0:2 = kernel.fusion "loop"(%n : tensor<i32>) -> tensor<i32>, tensor<1x8x128xf32> {
  ^bb0(%a: tensor<i32>):
    %2 = stablehlo.negate %a : tensor<i32>
    %3 = stablehlo.convert %2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<1x8x128xf32>
    kernel.yield %2, %4 : tensor<i32>, tensor<1x8x128xf32>
  }
  %1 = kernel.fusion "copy"(%y, %0#1, %0#0 : tensor<6x8x128xf32>, tensor<1x8x128xf32>, tensor<i32>)
      -> tensor<6x8x128xf32> {
  ^bb0(%a: tensor<6x8x128xf32>, %b: tensor<1x8x128xf32>, %k: tensor<i32>):
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.dynamic_update_slice %a, %b, %k, %c, %c : (tensor<6x8x128xf32>, tensor<1x8x128xf32>,
        tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x8x128xf32>
    kernel.yield %2 : tensor<6x8x128xf32>
  }
  return %1 : tensor<6x8x128xf32>
}

// -----

// A sort needs its operand and its result whole, pass after pass.
// CHECK-LABEL: @sorted
// CHECK: dynamic_slice
// CHECK: kernel.fusion "copy"
// CHECK-NOT: dynamic_slice
// CHECK: stablehlo.sort
// CHECK-NOT: dynamic_update_slice
// CHECK: kernel.fusion "copy"
// CHECK: dynamic_update_slice
func.func @sorted(%xs: tensor<2x8x128xf32>, %y: tensor<2x8x128xf32>, %i: tensor<i32>) -> tensor<2x8x128xf32> {
  %s = kernel.fusion "copy"(%xs, %i : tensor<2x8x128xf32>, tensor<i32>) -> tensor<1x8x128xf32> {
  ^bb0(%a: tensor<2x8x128xf32>, %k: tensor<i32>):
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.dynamic_slice %a, %k, %c, %c, sizes = [1, 8, 128]
        : (tensor<2x8x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x128xf32>
    kernel.yield %3 : tensor<1x8x128xf32>
  }
  %x = kernel.view %s : tensor<1x8x128xf32> -> tensor<8x128xf32>
  %0 = kernel.fusion "copy"(%x : tensor<8x128xf32>) -> tensor<8x128xf32> {
  ^bb0(%a: tensor<8x128xf32>):
    %3 = "stablehlo.sort"(%a) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %4 = stablehlo.compare LT, %l, %r, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    }) : (tensor<8x128xf32>) -> tensor<8x128xf32>
    kernel.yield %3 : tensor<8x128xf32>
  }
  %1 = kernel.view %0 : tensor<8x128xf32> -> tensor<1x8x128xf32>
  %2 = kernel.fusion "copy"(%y, %1, %i : tensor<2x8x128xf32>, tensor<1x8x128xf32>, tensor<i32>)
      -> tensor<2x8x128xf32> {
  ^bb0(%a: tensor<2x8x128xf32>, %b: tensor<1x8x128xf32>, %k: tensor<i32>):
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.dynamic_update_slice %a, %b, %k, %c, %c : (tensor<2x8x128xf32>, tensor<1x8x128xf32>,
        tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x8x128xf32>
    kernel.yield %3 : tensor<2x8x128xf32>
  }
  return %2 : tensor<2x8x128xf32>
}

// -----

// A loop changes the array before the piece is read: in place it would have to keep a copy of the whole.
// CHECK-LABEL: @changed_by_loop
// CHECK: kernel.fusion "copy"
// CHECK: dynamic_slice
// CHECK: stablehlo.while
// CHECK: kernel.fusion "loop"(%{{[^ ,]*}} : tensor<1x8x128xf32>)
func.func @changed_by_loop(%y: tensor<6x8x128xf32>, %p: tensor<1x8x128xf32>, %n: tensor<i32>)
    -> (tensor<6x8x128xf32>, tensor<1x8x128xf32>) {
  %0 = kernel.fusion "copy"(%y, %n : tensor<6x8x128xf32>, tensor<i32>) -> tensor<1x8x128xf32> {
  ^bb0(%a: tensor<6x8x128xf32>, %k: tensor<i32>):
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.dynamic_slice %a, %k, %c, %c, sizes = [1, 8, 128]
        : (tensor<6x8x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x128xf32>
    kernel.yield %3 : tensor<1x8x128xf32>
  }
  %1 = stablehlo.while(%x = %y) : tensor<6x8x128xf32> attributes {kernel.trip_count = 3 : i64}
    cond {
      %t = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %t : tensor<i1>
    } do {
      %3 = kernel.fusion "copy"(%x, %p, %n : tensor<6x8x128xf32>, tensor<1x8x128xf32>, tensor<i32>)
          -> tensor<6x8x128xf32> {
      ^bb0(%a: tensor<6x8x128xf32>, %b: tensor<1x8x128xf32>, %k: tensor<i32>):
        %c = stablehlo.constant dense<0> : tensor<i32>
        %4 = stablehlo.dynamic_update_slice %a, %b, %k, %c, %c : (tensor<6x8x128xf32>, tensor<1x8x128xf32>,
            tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x8x128xf32>
        kernel.yield %4 : tensor<6x8x128xf32>
      }
      stablehlo.return %3 : tensor<6x8x128xf32>
    }
  %2 = kernel.fusion "loop"(%0 : tensor<1x8x128xf32>) -> tensor<1x8x128xf32> {
  ^bb0(%a: tensor<1x8x128xf32>):
    %3 = stablehlo.negate %a : tensor<1x8x128xf32>
    kernel.yield %3 : tensor<1x8x128xf32>
  }
  return %1, %2 : tensor<6x8x128xf32>, tensor<1x8x128xf32>
}

// -----

// A part of a slice is a piece of the array: position k, then 1 of its 3 matrices.
// CHECK-LABEL: @part
// CHECK-SAME: (%[[X:.*]]: tensor<16x64xf32>, %[[W:.*]]: tensor<6x3x64x128xf32>, %[[I:.*]]: tensor<i32>)
// CHECK-NOT: kernel.fusion "copy"
// CHECK: kernel.fusion "dot"(%[[X]], %[[W]], %[[I]]
// CHECK: ^bb0(%{{.*}}, %[[A:.*]]: tensor<6x3x64x128xf32>, %[[K:.*]]: tensor<i32>):
// CHECK: %[[ONE:.*]] = stablehlo.constant dense<1> : tensor<i32>
// CHECK: stablehlo.dynamic_slice %[[A]], %[[K]], %[[ONE]], %{{.*}}, %{{.*}}, sizes = [1, 1, 64, 128]
func.func @part(%x: tensor<16x64xf32>, %w: tensor<6x3x64x128xf32>, %i: tensor<i32>) -> tensor<16x128xf32> {
  %0 = kernel.fusion "copy"(%w, %i : tensor<6x3x64x128xf32>, tensor<i32>) -> tensor<1x3x64x128xf32> {
  ^bb0(%a: tensor<6x3x64x128xf32>, %k: tensor<i32>):
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.dynamic_slice %a, %k, %c, %c, %c, sizes = [1, 3, 64, 128]
        : (tensor<6x3x64x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x3x64x128xf32>
    kernel.yield %3 : tensor<1x3x64x128xf32>
  }
  %1 = kernel.fusion "copy"(%0 : tensor<1x3x64x128xf32>) -> tensor<1x1x64x128xf32> {
  ^bb0(%a: tensor<1x3x64x128xf32>):
    %3 = stablehlo.slice %a [0:1, 1:2, 0:64, 0:128] : (tensor<1x3x64x128xf32>) -> tensor<1x1x64x128xf32>
    kernel.yield %3 : tensor<1x1x64x128xf32>
  }
  %2 = kernel.view %1 : tensor<1x1x64x128xf32> -> tensor<64x128xf32>
  %3 = kernel.fusion "dot"(%x, %2 : tensor<16x64xf32>, tensor<64x128xf32>) -> tensor<16x128xf32> {
  ^bb0(%a: tensor<16x64xf32>, %b: tensor<64x128xf32>):
    %4 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
        : (tensor<16x64xf32>, tensor<64x128xf32>) -> tensor<16x128xf32>
    kernel.yield %4 : tensor<16x128xf32>
  }
  return %3 : tensor<16x128xf32>
}

// -----

// Not so a part along a dim whose position is not known: two matrices from 5 on are 4 and 5, the first is 4; one from 5
// on is 5.
// CHECK-LABEL: @part_of_some
// CHECK: kernel.fusion "copy"
// CHECK: stablehlo.dynamic_slice {{.*}} sizes = [2, 64, 128]
// CHECK: stablehlo.slice {{.*}} [0:1, 0:64, 0:128]
func.func @part_of_some(%x: tensor<16x64xf32>, %w: tensor<6x64x128xf32>, %i: tensor<i32>) -> tensor<16x128xf32> {
  %0 = kernel.fusion "copy"(%w, %i : tensor<6x64x128xf32>, tensor<i32>) -> tensor<2x64x128xf32> {
  ^bb0(%a: tensor<6x64x128xf32>, %k: tensor<i32>):
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.dynamic_slice %a, %k, %c, %c, sizes = [2, 64, 128]
        : (tensor<6x64x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x64x128xf32>
    kernel.yield %3 : tensor<2x64x128xf32>
  }
  %1 = kernel.fusion "copy"(%0 : tensor<2x64x128xf32>) -> tensor<1x64x128xf32> {
  ^bb0(%a: tensor<2x64x128xf32>):
    %3 = stablehlo.slice %a [0:1, 0:64, 0:128] : (tensor<2x64x128xf32>) -> tensor<1x64x128xf32>
    kernel.yield %3 : tensor<1x64x128xf32>
  }
  %2 = kernel.view %1 : tensor<1x64x128xf32> -> tensor<64x128xf32>
  %3 = kernel.fusion "dot"(%x, %2 : tensor<16x64xf32>, tensor<64x128xf32>) -> tensor<16x128xf32> {
  ^bb0(%a: tensor<16x64xf32>, %b: tensor<64x128xf32>):
    %4 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
        : (tensor<16x64xf32>, tensor<64x128xf32>) -> tensor<16x128xf32>
    kernel.yield %4 : tensor<16x128xf32>
  }
  return %3 : tensor<16x128xf32>
}

// -----

// What reshapes and transposes make is moved by a kernel with one result: read by another one too, it is copied.
// CHECK-LABEL: @moved_and_read
// CHECK: kernel.fusion "relayout"{{.*}} -> tensor<16x1024xf32> {
// CHECK: kernel.fusion "copy"
// CHECK: stablehlo.dynamic_update_slice
func.func @moved_and_read(%x: tensor<16x32x32xf32>, %s: tensor<64x16x1024xf32>, %i: tensor<i32>)
    -> (tensor<64x16x1024xf32>, tensor<16x1024xf32>) {
  %0 = kernel.fusion "relayout"(%x : tensor<16x32x32xf32>) -> tensor<16x1024xf32> {
  ^bb0(%a: tensor<16x32x32xf32>):
    %1 = stablehlo.reshape %a : (tensor<16x32x32xf32>) -> tensor<16x1024xf32>
    kernel.yield %1 : tensor<16x1024xf32>
  }
  %1 = kernel.view %0 : tensor<16x1024xf32> -> tensor<1x16x1024xf32>
  %2 = kernel.fusion "copy"(%s, %1, %i : tensor<64x16x1024xf32>, tensor<1x16x1024xf32>, tensor<i32>)
      -> tensor<64x16x1024xf32> {
  ^bb0(%a: tensor<64x16x1024xf32>, %b: tensor<1x16x1024xf32>, %k: tensor<i32>):
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.dynamic_update_slice %a, %b, %k, %c, %c
        : (tensor<64x16x1024xf32>, tensor<1x16x1024xf32>, tensor<i32>, tensor<i32>, tensor<i32>)
        -> tensor<64x16x1024xf32>
    kernel.yield %3 : tensor<64x16x1024xf32>
  }
  %3 = kernel.fusion "loop"(%0 : tensor<16x1024xf32>) -> tensor<16x1024xf32> {
  ^bb0(%a: tensor<16x1024xf32>):
    %4 = stablehlo.tanh %a : tensor<16x1024xf32>
    kernel.yield %4 : tensor<16x1024xf32>
  }
  return %2, %3 : tensor<64x16x1024xf32>, tensor<16x1024xf32>
}

// -----

// The sums of 4 x 256 rows come in tiles of 4 x 128, so that a block of scores and one of probabilities have 16 MiB, in
// two slots each. With the probabilities' stack beside them three more would not fit 112 MiB.
// CHECK-LABEL: @no_room_beside
// CHECK: kernel.fusion "loop"{{.*}} -> tensor<4x256x16384xbf16>, tensor<4x256x16384xbf16>, tensor<4x256xbf16> {
// CHECK: kernel.fusion "copy"
// CHECK: stablehlo.dynamic_update_slice
func.func @no_room_beside(%x: tensor<4x256x16384xbf16>, %s: tensor<2x4x256x16384xbf16>, %i: tensor<i32>)
    -> (tensor<4x256x16384xbf16>, tensor<4x256xbf16>, tensor<2x4x256x16384xbf16>, tensor<4x256x16384xbf16>) {
  %0:3 = kernel.fusion "loop"(%x : tensor<4x256x16384xbf16>)
      -> tensor<4x256x16384xbf16>, tensor<4x256x16384xbf16>, tensor<4x256xbf16> {
  ^bb0(%a: tensor<4x256x16384xbf16>):
    %low = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %1 = stablehlo.reduce(%a init: %low) applies stablehlo.maximum across dimensions = [2]
        : (tensor<4x256x16384xbf16>, tensor<bf16>) -> tensor<4x256xbf16>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<4x256xbf16>) -> tensor<4x256x16384xbf16>
    %3 = stablehlo.subtract %a, %2 : tensor<4x256x16384xbf16>
    %4 = stablehlo.exponential %3 : tensor<4x256x16384xbf16>
    kernel.yield %3, %4, %1 : tensor<4x256x16384xbf16>, tensor<4x256x16384xbf16>, tensor<4x256xbf16>
  }
  %1 = kernel.view %0#1 : tensor<4x256x16384xbf16> -> tensor<1x4x256x16384xbf16>
  %2 = kernel.fusion "copy"(%s, %1, %i : tensor<2x4x256x16384xbf16>, tensor<1x4x256x16384xbf16>, tensor<i32>)
      -> tensor<2x4x256x16384xbf16> {
  ^bb0(%a: tensor<2x4x256x16384xbf16>, %b: tensor<1x4x256x16384xbf16>, %k: tensor<i32>):
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.dynamic_update_slice %a, %b, %k, %c, %c, %c
        : (tensor<2x4x256x16384xbf16>, tensor<1x4x256x16384xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
        -> tensor<2x4x256x16384xbf16>
    kernel.yield %3 : tensor<2x4x256x16384xbf16>
  }
  %3 = kernel.fusion "loop"(%0#1 : tensor<4x256x16384xbf16>) -> tensor<4x256x16384xbf16> {
  ^bb0(%a: tensor<4x256x16384xbf16>):
    %4 = stablehlo.negate %a : tensor<4x256x16384xbf16>
    kernel.yield %4 : tensor<4x256x16384xbf16>
  }
  return %0#0, %0#2, %2, %3
      : tensor<4x256x16384xbf16>, tensor<4x256xbf16>, tensor<2x4x256x16384xbf16>, tensor<4x256x16384xbf16>
}
