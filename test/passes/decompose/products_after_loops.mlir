// RUN: tpuc-opt %s --tpuc-products-after-loops --split-input-file | FileCheck %s

// The gradients of a recurrence's weights and bias, last step first: 8x64 are stored where 8x16 lie already, 64x16 are
// no longer added up.
// CHECK-LABEL: @recurrence
// CHECK-SAME: (%[[XS:[^:]*]]: tensor<4x8x16xf32>, %{{[^:]*}}: tensor<8x64xf32>, %[[U:[^:]*]]: tensor<16x32xf32>, %[[V:[^:]*]]: tensor<16x32xf32>, %[[B:[^:]*]]: tensor<64xf32>)
// CHECK: %[[W:.*]]:3 = stablehlo.while(%[[I:.*]] = {{.*}}, %{{.*}} = {{.*}}, %[[S:.*]] = %{{.*}}) : tensor<i32>, tensor<8x64xf32>, tensor<4x8x64xf32> attributes {kernel.trip_count = 4 : i64}
// CHECK: %[[AT:.*]] = stablehlo.subtract
// CHECK: %[[H:.*]] = stablehlo.tanh
// CHECK-NOT: dot_general
// CHECK: %[[L:.*]] = stablehlo.reshape %[[H]] : (tensor<8x64xf32>) -> tensor<1x8x64xf32>
// CHECK: stablehlo.dynamic_update_slice %[[S]], %[[L]], %[[AT]], %
// CHECK: %[[D:.*]] = stablehlo.dot_general %[[W]]#2, %[[XS]], contracting_dims = [0, 1] x [0, 1]
// CHECK-SAME: (tensor<4x8x64xf32>, tensor<4x8x16xf32>) -> tensor<64x16xf32>
// CHECK: %[[T:.*]] = stablehlo.transpose %[[D]], dims = [1, 0]
// CHECK: %[[LEFT:.*]] = stablehlo.slice %[[T]] [0:16, 0:32]
// CHECK: stablehlo.add %[[U]], %[[LEFT]]
// CHECK: %[[RIGHT:.*]] = stablehlo.slice %[[T]] [0:16, 32:64]
// CHECK: stablehlo.add %[[V]], %[[RIGHT]]
// CHECK: %[[R:.*]] = stablehlo.reduce(%[[W]]#2 init: %{{.*}}) applies stablehlo.add across dimensions = [0, 1]
// CHECK: stablehlo.add %[[B]], %[[R]]
func.func @recurrence(%xs: tensor<4x8x16xf32>, %s: tensor<8x64xf32>, %u: tensor<16x32xf32>, %v: tensor<16x32xf32>,
                 %w: tensor<64xf32>) -> (tensor<16x32xf32>, tensor<16x32xf32>, tensor<64xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %last = stablehlo.constant dense<3> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %0:5 = stablehlo.while(%i = %zero, %a = %s, %du = %u, %dv = %v, %db = %w)
      : tensor<i32>, tensor<8x64xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<64xf32>
    attributes {kernel.trip_count = 4 : i64}
    cond {
      %p = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %at = stablehlo.subtract %last, %i : tensor<i32>
      %1 = stablehlo.dynamic_slice %xs, %at, %zero, %zero, sizes = [1, 8, 16]
          : (tensor<4x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x16xf32>
      %x = stablehlo.reshape %1 : (tensor<1x8x16xf32>) -> tensor<8x16xf32>
      %h = stablehlo.tanh %a : tensor<8x64xf32>
      %d = stablehlo.dot_general %h, %x, contracting_dims = [0] x [0]
          : (tensor<8x64xf32>, tensor<8x16xf32>) -> tensor<64x16xf32>
      %t = stablehlo.transpose %d, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
      %2 = stablehlo.slice %t [0:16, 0:32] : (tensor<16x64xf32>) -> tensor<16x32xf32>
      %3 = stablehlo.slice %t [0:16, 32:64] : (tensor<16x64xf32>) -> tensor<16x32xf32>
      %4 = stablehlo.add %du, %2 : tensor<16x32xf32>
      %5 = stablehlo.add %3, %dv : tensor<16x32xf32>
      %6 = stablehlo.reduce(%h init: %none) applies stablehlo.add across dimensions = [0]
          : (tensor<8x64xf32>, tensor<f32>) -> tensor<64xf32>
      %7 = stablehlo.add %db, %6 : tensor<64xf32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %h, %4, %5, %7
          : tensor<i32>, tensor<8x64xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<64xf32>
    }
  return %0#2, %0#3, %0#4 : tensor<16x32xf32>, tensor<16x32xf32>, tensor<64xf32>
}

// -----

// Nothing lies in a stack: both operands are stored, by a counter of the loop's own.
// CHECK-LABEL: @no_stack
// CHECK: stablehlo.while({{.*}}, %[[N:[^ ]*]] = %{{[^ ,]*}}, %[[P:[^ ]*]] = %{{[^ ,]*}}, %[[Q:[^ ]*]] = %{{[^ ,)]*}}) :
// CHECK-SAME: tensor<i32>, tensor<8x64xf32>, tensor<8x16xf32>, tensor<64x64xf32>, tensor<i32>, tensor<4x8x64xf32>, tensor<4x8x16xf32>
// CHECK: stablehlo.dynamic_update_slice %[[P]], %{{.*}}, %[[N]], %
// CHECK: stablehlo.dynamic_update_slice %[[Q]], %{{.*}}, %[[N]], %
// CHECK: stablehlo.dot_general %{{.*}}#5, %{{.*}}#6, contracting_dims = [0, 1] x [0, 1]
func.func @no_stack(%x: tensor<8x16xf32>, %s: tensor<8x64xf32>, %w: tensor<64x16xf32>, %m: tensor<64x64xf32>)
    -> (tensor<8x64xf32>, tensor<8x16xf32>, tensor<64x16xf32>, tensor<64x64xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %last = stablehlo.constant dense<3> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %0:5 = stablehlo.while(%i = %zero, %a = %s, %b = %x, %sum = %w, %more = %m)
      : tensor<i32>, tensor<8x64xf32>, tensor<8x16xf32>, tensor<64x16xf32>, tensor<64x64xf32>
    attributes {kernel.trip_count = 4 : i64}
    cond {
      %p = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %h = stablehlo.tanh %a : tensor<8x64xf32>
      %x1 = stablehlo.cosine %b : tensor<8x16xf32>
      %d = stablehlo.dot_general %h, %x1, contracting_dims = [0] x [0]
          : (tensor<8x64xf32>, tensor<8x16xf32>) -> tensor<64x16xf32>
      %2 = stablehlo.add %sum, %d : tensor<64x16xf32>
      %m1 = stablehlo.negate %more : tensor<64x64xf32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %h, %x1, %2, %m1
          : tensor<i32>, tensor<8x64xf32>, tensor<8x16xf32>, tensor<64x16xf32>, tensor<64x64xf32>
    }
  return %0#1, %0#2, %0#3, %0#4 : tensor<8x64xf32>, tensor<8x16xf32>, tensor<64x16xf32>, tensor<64x64xf32>
}

// -----

// A bf16 product that is added up as f32 is rounded no more.
// CHECK-LABEL: @widened
// CHECK: stablehlo.while
// CHECK-NOT: dot_general
// CHECK: stablehlo.return %{{.*}} : tensor<i32>, tensor<8x64xbf16>, tensor<4x8x64xbf16>
// CHECK: stablehlo.dot_general {{.*}} : (tensor<4x8x64xbf16>, tensor<4x8x16xbf16>) -> tensor<64x16xf32>
// CHECK-NOT: convert
func.func @widened(%xs: tensor<4x8x16xbf16>, %s: tensor<8x64xbf16>, %w: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %last = stablehlo.constant dense<3> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %0:3 = stablehlo.while(%i = %zero, %a = %s, %sum = %w) : tensor<i32>, tensor<8x64xbf16>, tensor<64x16xf32>
    attributes {kernel.trip_count = 4 : i64}
    cond {
      %p = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %at = stablehlo.subtract %last, %i : tensor<i32>
      %1 = stablehlo.dynamic_slice %xs, %i, %zero, %zero, sizes = [1, 8, 16]
          : (tensor<4x8x16xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x16xbf16>
      %x = stablehlo.reshape %1 : (tensor<1x8x16xbf16>) -> tensor<8x16xbf16>
      %h = stablehlo.tanh %a : tensor<8x64xbf16>
      %d = stablehlo.dot_general %h, %x, contracting_dims = [0] x [0]
          : (tensor<8x64xbf16>, tensor<8x16xbf16>) -> tensor<64x16xbf16>
      %c = stablehlo.convert %d : (tensor<64x16xbf16>) -> tensor<64x16xf32>
      %2 = stablehlo.add %sum, %c : tensor<64x16xf32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %h, %2 : tensor<i32>, tensor<8x64xbf16>, tensor<64x16xf32>
    }
  return %0#2 : tensor<64x16xf32>
}

// -----

// The sum is read within the loop.
// CHECK-LABEL: @read_in_loop
// CHECK: stablehlo.while
// CHECK: stablehlo.dot_general
// CHECK: stablehlo.return %
func.func @read_in_loop(%xs: tensor<4x8x16xf32>, %s: tensor<8x64xf32>, %w: tensor<64x16xf32>)
    -> (tensor<64x16xf32>, tensor<64x16xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %last = stablehlo.constant dense<3> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %0:4 = stablehlo.while(%i = %zero, %a = %s, %sum = %w, %seen = %w)
      : tensor<i32>, tensor<8x64xf32>, tensor<64x16xf32>, tensor<64x16xf32>
    attributes {kernel.trip_count = 4 : i64}
    cond {
      %p = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %at = stablehlo.subtract %last, %i : tensor<i32>
      %1 = stablehlo.dynamic_slice %xs, %i, %zero, %zero, sizes = [1, 8, 16]
          : (tensor<4x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x16xf32>
      %x = stablehlo.reshape %1 : (tensor<1x8x16xf32>) -> tensor<8x16xf32>
      %h = stablehlo.tanh %a : tensor<8x64xf32>
      %d = stablehlo.dot_general %h, %x, contracting_dims = [0] x [0]
          : (tensor<8x64xf32>, tensor<8x16xf32>) -> tensor<64x16xf32>
      %2 = stablehlo.add %sum, %d : tensor<64x16xf32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %h, %2, %sum : tensor<i32>, tensor<8x64xf32>, tensor<64x16xf32>, tensor<64x16xf32>
    }
  return %0#2, %0#3 : tensor<64x16xf32>, tensor<64x16xf32>
}

// -----

// So is the product.
// CHECK-LABEL: @product_is_read
// CHECK: stablehlo.while
// CHECK: stablehlo.dot_general
// CHECK: stablehlo.return %
func.func @product_is_read(%xs: tensor<4x8x16xf32>, %s: tensor<8x64xf32>, %w: tensor<64x16xf32>)
    -> (tensor<64x16xf32>, tensor<64x16xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %last = stablehlo.constant dense<3> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %0:4 = stablehlo.while(%i = %zero, %a = %s, %sum = %w, %seen = %w)
      : tensor<i32>, tensor<8x64xf32>, tensor<64x16xf32>, tensor<64x16xf32>
    attributes {kernel.trip_count = 4 : i64}
    cond {
      %p = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %at = stablehlo.subtract %last, %i : tensor<i32>
      %1 = stablehlo.dynamic_slice %xs, %i, %zero, %zero, sizes = [1, 8, 16]
          : (tensor<4x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x16xf32>
      %x = stablehlo.reshape %1 : (tensor<1x8x16xf32>) -> tensor<8x16xf32>
      %h = stablehlo.tanh %a : tensor<8x64xf32>
      %d = stablehlo.dot_general %h, %x, contracting_dims = [0] x [0]
          : (tensor<8x64xf32>, tensor<8x16xf32>) -> tensor<64x16xf32>
      %2 = stablehlo.add %sum, %d : tensor<64x16xf32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %h, %2, %d : tensor<i32>, tensor<8x64xf32>, tensor<64x16xf32>, tensor<64x16xf32>
    }
  return %0#2, %0#3 : tensor<64x16xf32>, tensor<64x16xf32>
}

// -----

// An operand is the same all along: it is not stored again and again.
// CHECK-LABEL: @same_operand
// CHECK: stablehlo.while
// CHECK: stablehlo.dot_general
// CHECK: stablehlo.return %
func.func @same_operand(%xs: tensor<4x8x16xf32>, %s: tensor<8x64xf32>, %w: tensor<64x16xf32>, %x: tensor<8x16xf32>)
    -> tensor<64x16xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %last = stablehlo.constant dense<3> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %0:3 = stablehlo.while(%i = %zero, %a = %s, %sum = %w) : tensor<i32>, tensor<8x64xf32>, tensor<64x16xf32>
    attributes {kernel.trip_count = 4 : i64}
    cond {
      %p = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %h = stablehlo.tanh %a : tensor<8x64xf32>
      %d = stablehlo.dot_general %h, %x, contracting_dims = [0] x [0]
          : (tensor<8x64xf32>, tensor<8x16xf32>) -> tensor<64x16xf32>
      %2 = stablehlo.add %sum, %d : tensor<64x16xf32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %h, %2 : tensor<i32>, tensor<8x64xf32>, tensor<64x16xf32>
    }
  return %0#2 : tensor<64x16xf32>
}

// -----

// Some layers come twice, others never: that stack is not one of the iterations, and to store both operands is too
// much.
// CHECK-LABEL: @layers_missing
// CHECK: stablehlo.while
// CHECK: stablehlo.dot_general
// CHECK: stablehlo.return %
func.func @layers_missing(%xs: tensor<4x8x16xf32>, %s: tensor<8x64xf32>, %w: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %last = stablehlo.constant dense<3> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %0:3 = stablehlo.while(%i = %zero, %a = %s, %sum = %w) : tensor<i32>, tensor<8x64xf32>, tensor<64x16xf32>
    attributes {kernel.trip_count = 4 : i64}
    cond {
      %p = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %at = stablehlo.minimum %i, %one : tensor<i32>
      %1 = stablehlo.dynamic_slice %xs, %at, %zero, %zero, sizes = [1, 8, 16]
          : (tensor<4x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x16xf32>
      %x = stablehlo.reshape %1 : (tensor<1x8x16xf32>) -> tensor<8x16xf32>
      %h = stablehlo.tanh %a : tensor<8x64xf32>
      %d = stablehlo.dot_general %h, %x, contracting_dims = [0] x [0]
          : (tensor<8x64xf32>, tensor<8x16xf32>) -> tensor<64x16xf32>
      %2 = stablehlo.add %sum, %d : tensor<64x16xf32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %h, %2 : tensor<i32>, tensor<8x64xf32>, tensor<64x16xf32>
    }
  return %0#2 : tensor<64x16xf32>
}

// -----

// What would be stored is larger than the sum: batches in parts.
// CHECK-LABEL: @larger_operand
// CHECK: stablehlo.while
// CHECK: stablehlo.dot_general
// CHECK: stablehlo.return %
func.func @larger_operand(%xs: tensor<4x512x16xf32>, %s: tensor<512x64xf32>, %w: tensor<64x16xf32>)
    -> tensor<64x16xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %last = stablehlo.constant dense<3> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %0:3 = stablehlo.while(%i = %zero, %a = %s, %sum = %w) : tensor<i32>, tensor<512x64xf32>, tensor<64x16xf32>
    attributes {kernel.trip_count = 4 : i64}
    cond {
      %p = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %at = stablehlo.subtract %last, %i : tensor<i32>
      %1 = stablehlo.dynamic_slice %xs, %i, %zero, %zero, sizes = [1, 512, 16]
          : (tensor<4x512x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x512x16xf32>
      %x = stablehlo.reshape %1 : (tensor<1x512x16xf32>) -> tensor<512x16xf32>
      %h = stablehlo.tanh %a : tensor<512x64xf32>
      %d = stablehlo.dot_general %h, %x, contracting_dims = [0] x [0]
          : (tensor<512x64xf32>, tensor<512x16xf32>) -> tensor<64x16xf32>
      %2 = stablehlo.add %sum, %d : tensor<64x16xf32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %h, %2 : tensor<i32>, tensor<512x64xf32>, tensor<64x16xf32>
    }
  return %0#2 : tensor<64x16xf32>
}

// -----

// A sum that starts anywhere else than at 0.
// CHECK-LABEL: @starts_from_one
// CHECK: stablehlo.while
// CHECK: stablehlo.reduce
// CHECK: stablehlo.return %
func.func @starts_from_one(%s: tensor<8x64xf32>, %w: tensor<64xf32>) -> tensor<64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %last = stablehlo.constant dense<3> : tensor<i32>
  %none = stablehlo.constant dense<1.0> : tensor<f32>
  %0:3 = stablehlo.while(%i = %zero, %a = %s, %sum = %w) : tensor<i32>, tensor<8x64xf32>, tensor<64xf32>
    attributes {kernel.trip_count = 4 : i64}
    cond {
      %p = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %h = stablehlo.tanh %a : tensor<8x64xf32>
      %6 = stablehlo.reduce(%h init: %none) applies stablehlo.add across dimensions = [0]
          : (tensor<8x64xf32>, tensor<f32>) -> tensor<64xf32>
      %7 = stablehlo.add %sum, %6 : tensor<64xf32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %h, %7 : tensor<i32>, tensor<8x64xf32>, tensor<64xf32>
    }
  return %0#2 : tensor<64xf32>
}

// -----

// A step's result is its state times the same weights: the states are stacked, and multiplied at once.
// CHECK-LABEL: @stacked
// CHECK-SAME: (%{{.*}}: tensor<8x64xf32>, %[[W:.*]]: tensor<64x16xf32>, %{{.*}}: tensor<4x8x16xf32>
// CHECK: %[[L:.*]]:4 = stablehlo.while
// CHECK-NOT: dot_general
// CHECK: stablehlo.return %{{.*}} : tensor<i32>, tensor<8x64xf32>, tensor<64x64xf32>, tensor<4x8x64xf32>
// CHECK: %[[Y:.*]] = stablehlo.dot_general %[[L]]#3, %[[W]], contracting_dims = [2] x [0]
// CHECK: return %[[L]]#2, %[[Y]] : tensor<64x64xf32>, tensor<4x8x16xf32>
func.func @stacked(%s: tensor<8x64xf32>, %w: tensor<64x16xf32>, %u: tensor<4x8x16xf32>,
    %r: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<4x8x16xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %last = stablehlo.constant dense<3> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %0:4 = stablehlo.while(%i = %zero, %a = %s, %ys = %u, %rest = %r)
      : tensor<i32>, tensor<8x64xf32>, tensor<4x8x16xf32>, tensor<64x64xf32>
    attributes {kernel.trip_count = 4 : i64}
    cond {
      %p = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %h = stablehlo.tanh %a : tensor<8x64xf32>
      %d = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0]
          : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
      %1 = stablehlo.reshape %d : (tensor<8x16xf32>) -> tensor<1x8x16xf32>
      %2 = stablehlo.dynamic_update_slice %ys, %1, %i, %zero, %zero
          : (tensor<4x8x16xf32>, tensor<1x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>)
          -> tensor<4x8x16xf32>
      %3 = stablehlo.negate %rest : tensor<64x64xf32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %h, %2, %3 : tensor<i32>, tensor<8x64xf32>, tensor<4x8x16xf32>, tensor<64x64xf32>
    }
  return %0#3, %0#2 : tensor<64x64xf32>, tensor<4x8x16xf32>
}

// -----

// A layer is not written: it stays what it was.
// CHECK-LABEL: @not_all_layers
// CHECK: stablehlo.while
// CHECK: stablehlo.dot_general
// CHECK: stablehlo.return %
func.func @not_all_layers(%s: tensor<8x64xf32>, %w: tensor<64x16xf32>, %u: tensor<4x8x16xf32>,
    %r: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<4x8x16xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %last = stablehlo.constant dense<3> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %0:4 = stablehlo.while(%i = %zero, %a = %s, %ys = %u, %rest = %r)
      : tensor<i32>, tensor<8x64xf32>, tensor<4x8x16xf32>, tensor<64x64xf32>
    attributes {kernel.trip_count = 4 : i64}
    cond {
      %p = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %at = stablehlo.minimum %i, %one : tensor<i32>
      %h = stablehlo.tanh %a : tensor<8x64xf32>
      %d = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0]
          : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
      %1 = stablehlo.reshape %d : (tensor<8x16xf32>) -> tensor<1x8x16xf32>
      %2 = stablehlo.dynamic_update_slice %ys, %1, %at, %zero, %zero
          : (tensor<4x8x16xf32>, tensor<1x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>)
          -> tensor<4x8x16xf32>
      %3 = stablehlo.negate %rest : tensor<64x64xf32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %h, %2, %3 : tensor<i32>, tensor<8x64xf32>, tensor<4x8x16xf32>, tensor<64x64xf32>
    }
  return %0#3, %0#2 : tensor<64x64xf32>, tensor<4x8x16xf32>
}

// -----

// The right side is another one in each iteration.
// CHECK-LABEL: @other_weights
// CHECK: stablehlo.while
// CHECK: stablehlo.dot_general
// CHECK: stablehlo.return %
func.func @other_weights(%s: tensor<8x64xf32>, %w: tensor<64x16xf32>, %u: tensor<4x8x16xf32>,
    %r: tensor<64x64xf32>, %v: tensor<64x16xf32>) -> (tensor<64x64xf32>, tensor<4x8x16xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %last = stablehlo.constant dense<3> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %0:5 = stablehlo.while(%i = %zero, %a = %s, %ys = %u, %rest = %r, %b = %v)
      : tensor<i32>, tensor<8x64xf32>, tensor<4x8x16xf32>, tensor<64x64xf32>, tensor<64x16xf32>
    attributes {kernel.trip_count = 4 : i64}
    cond {
      %p = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %h = stablehlo.tanh %a : tensor<8x64xf32>
      %d = stablehlo.dot_general %h, %b, contracting_dims = [1] x [0]
          : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
      %1 = stablehlo.reshape %d : (tensor<8x16xf32>) -> tensor<1x8x16xf32>
      %2 = stablehlo.dynamic_update_slice %ys, %1, %i, %zero, %zero
          : (tensor<4x8x16xf32>, tensor<1x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>)
          -> tensor<4x8x16xf32>
      %3 = stablehlo.negate %rest : tensor<64x64xf32>
      %4 = stablehlo.cosine %b : tensor<64x16xf32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %h, %2, %3, %4
          : tensor<i32>, tensor<8x64xf32>, tensor<4x8x16xf32>, tensor<64x64xf32>, tensor<64x16xf32>
    }
  return %0#3, %0#2 : tensor<64x64xf32>, tensor<4x8x16xf32>
}
