// RUN: tpuc-opt %s --tpuc-expand-reduce-window | FileCheck %s

// A window of 3 with one element of padding on either side: 5 + 2 = 7 columns, three slices of 5.
// CHECK-LABEL: @cumulative
// CHECK: %[[PAD:.*]] = stablehlo.pad %arg0, %arg1, low = [0, 1], high = [0, 1]
// CHECK: stablehlo.slice %[[PAD]] [0:3, 0:5]
// CHECK: stablehlo.add
// CHECK: stablehlo.slice %[[PAD]] [0:3, 1:6]
// CHECK: stablehlo.add
// CHECK: stablehlo.slice %[[PAD]] [0:3, 2:7]
// CHECK: stablehlo.add
// CHECK-NOT: reduce_window
func.func @cumulative(%x: tensor<3x5xf32>, %init: tensor<f32>) -> tensor<3x5xf32> {
  %0 = "stablehlo.reduce_window"(%x, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3>, padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>}
      : (tensor<3x5xf32>, tensor<f32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// A window that holds all elements up to its own is a scan, which has a kernel; one with another start than the neutral
// element is not.
// CHECK-LABEL: @scan
// CHECK: reduce_window
// CHECK-LABEL: @started
// CHECK-NOT: reduce_window
func.func @scan(%x: tensor<3x500xf32>) -> tensor<3x500xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 1, 500>, padding = dense<[[0, 0], [499, 0]]> : tensor<2x2xi64>}
      : (tensor<3x500xf32>, tensor<f32>) -> tensor<3x500xf32>
  return %0 : tensor<3x500xf32>
}
func.func @started(%x: tensor<3x500xf32>) -> tensor<3x500xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %one) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 1, 500>, padding = dense<[[0, 0], [499, 0]]> : tensor<2x2xi64>}
      : (tensor<3x500xf32>, tensor<f32>) -> tensor<3x500xf32>
  return %0 : tensor<3x500xf32>
}

// A start that only the run knows goes into the padding, and once into each sum: the window itself has a kernel then.
// CHECK-LABEL: @started_from_memory
// CHECK: %[[PAD:.*]] = stablehlo.pad %arg0, %arg1, low = [3, 0], high = [0, 0]
// CHECK: %[[NEUTRAL:.*]] = stablehlo.constant dense<-0.000000e+00> : tensor<bf16>
// CHECK: %[[SUMS:.*]] = "stablehlo.reduce_window"(%[[PAD]], %[[NEUTRAL]]) <{window_dimensions = array<i64: 4, 1>}>
// CHECK: %[[START:.*]] = stablehlo.broadcast_in_dim %arg1
// CHECK: stablehlo.add %[[START]], %[[SUMS]]
func.func @started_from_memory(%x: tensor<4x2xbf16>, %init: tensor<bf16>) -> tensor<4x2xbf16> {
  %0 = "stablehlo.reduce_window"(%x, %init) ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) {window_dimensions = array<i64: 4, 1>, padding = dense<[[3, 0], [0, 0]]> : tensor<2x2xi64>}
      : (tensor<4x2xbf16>, tensor<bf16>) -> tensor<4x2xbf16>
  return %0 : tensor<4x2xbf16>
}

// Differences have no neutral element.
// CHECK-LABEL: @no_neutral
// CHECK-NOT: reduce_window
// CHECK: return
func.func @no_neutral(%x: tensor<4x2xbf16>, %init: tensor<bf16>) -> tensor<4x2xbf16> {
  %0 = "stablehlo.reduce_window"(%x, %init) ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.subtract %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) {window_dimensions = array<i64: 4, 1>, padding = dense<[[3, 0], [0, 0]]> : tensor<2x2xi64>}
      : (tensor<4x2xbf16>, tensor<bf16>) -> tensor<4x2xbf16>
  return %0 : tensor<4x2xbf16>
}

// Long computations of f64 stand once in a loop, not once for each element.
// CHECK-LABEL: @long
// CHECK: stablehlo.while
// CHECK: dynamic_slice
// CHECK-COUNT-1: stablehlo.log_plus_one
// CHECK-NOT: stablehlo.log_plus_one
// CHECK: return
func.func @long(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %init = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %0 = "stablehlo.reduce_window"(%x, %init) ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %m = stablehlo.maximum %a, %b : tensor<f64>
    %d = stablehlo.subtract %a, %b : tensor<f64>
    %n = stablehlo.compare NE, %d, %d : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %s = stablehlo.add %a, %b : tensor<f64>
    %p = stablehlo.abs %d : tensor<f64>
    %q = stablehlo.negate %p : tensor<f64>
    %e = stablehlo.exponential %q : tensor<f64>
    %l = stablehlo.log_plus_one %e : tensor<f64>
    %t = stablehlo.add %m, %l : tensor<f64>
    %r = stablehlo.select %n, %s, %t : tensor<i1>, tensor<f64>
    stablehlo.return %r : tensor<f64>
  }) {window_dimensions = array<i64: 1, 4>, padding = dense<[[0, 0], [3, 0]]> : tensor<2x2xi64>} :
    (tensor<3x4xf64>, tensor<f64>) -> tensor<3x4xf64>
  return %0 : tensor<3x4xf64>
}

// The gradient of pooling sums over an array that a pad spreads: the window pads and spreads it itself, one on either
// side and one between, and its own padding of 1 comes on top.
// CHECK-LABEL: @takes_padding
// CHECK-NOT: stablehlo.pad
// CHECK: "stablehlo.reduce_window"(%arg0, %{{.*}}) <{base_dilations = array<i64: 1, 2, 1>
// CHECK-SAME{LITERAL}: padding = dense<[[0, 0], [2, 1], [0, 0]]> : tensor<3x2xi64>
// CHECK: (tensor<2x7x6xf32>, tensor<f32>) -> tensor<2x15x6xf32>
func.func @takes_padding(%x: tensor<2x7x6xf32>) -> tensor<2x15x6xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %p = stablehlo.pad %x, %zero, low = [0, 1, 0], high = [0, 1, 0], interior = [0, 1, 0] :
    (tensor<2x7x6xf32>, tensor<f32>) -> tensor<2x15x6xf32>
  %0 = "stablehlo.reduce_window"(%p, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 1, 2, 1>, padding = dense<[[0, 0], [1, 0], [0, 0]]> : tensor<3x2xi64>}
      : (tensor<2x15x6xf32>, tensor<f32>) -> tensor<2x15x6xf32>
  return %0 : tensor<2x15x6xf32>
}

// The neighbours that keep their pad. Another value than the window starts from: -0 is not 0.
// CHECK-LABEL: @other_value
// CHECK: stablehlo.pad
func.func @other_value(%x: tensor<2x7x6xf32>) -> tensor<2x14x6xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %minus = stablehlo.constant dense<-0.0> : tensor<f32>
  %p = stablehlo.pad %x, %minus, low = [0, 1, 0], high = [0, 1, 0], interior = [0, 1, 0] :
    (tensor<2x7x6xf32>, tensor<f32>) -> tensor<2x15x6xf32>
  %0 = "stablehlo.reduce_window"(%p, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 1, 2, 1>} : (tensor<2x15x6xf32>, tensor<f32>) -> tensor<2x14x6xf32>
  return %0 : tensor<2x14x6xf32>
}

// A pad that cuts: the window's own padding would bring back what it cuts off.
// CHECK-LABEL: @cuts
// CHECK: stablehlo.pad
func.func @cuts(%x: tensor<2x7x6xf32>) -> tensor<2x6x6xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %p = stablehlo.pad %x, %zero, low = [0, -1, 0], high = [0, 0, 0], interior = [0, 0, 0] :
    (tensor<2x7x6xf32>, tensor<f32>) -> tensor<2x6x6xf32>
  %0 = "stablehlo.reduce_window"(%p, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 1, 2, 1>, padding = dense<[[0, 0], [1, 0], [0, 0]]> : tensor<3x2xi64>}
      : (tensor<2x6x6xf32>, tensor<f32>) -> tensor<2x6x6xf32>
  return %0 : tensor<2x6x6xf32>
}

// A padded array that something else reads is written anyway.
// CHECK-LABEL: @read_twice
// CHECK: %[[PAD:.*]] = stablehlo.pad
// CHECK: "stablehlo.reduce_window"(%[[PAD]]
// CHECK: return %[[PAD]]
func.func @read_twice(%x: tensor<2x7x6xf32>) -> (tensor<2x15x6xf32>, tensor<2x14x6xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %p = stablehlo.pad %x, %zero, low = [0, 1, 0], high = [0, 1, 0], interior = [0, 1, 0] :
    (tensor<2x7x6xf32>, tensor<f32>) -> tensor<2x15x6xf32>
  %0 = "stablehlo.reduce_window"(%p, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 1, 2, 1>} : (tensor<2x15x6xf32>, tensor<f32>) -> tensor<2x14x6xf32>
  return %p, %0 : tensor<2x15x6xf32>, tensor<2x14x6xf32>
}

// Padding along lanes: no kernel takes it.
// CHECK-LABEL: @pads_lanes
// CHECK: stablehlo.pad
func.func @pads_lanes(%x: tensor<2x7x6xf32>) -> tensor<2x6x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %p = stablehlo.pad %x, %zero, low = [0, 0, 1], high = [0, 0, 1], interior = [0, 0, 0] :
    (tensor<2x7x6xf32>, tensor<f32>) -> tensor<2x7x8xf32>
  %0 = "stablehlo.reduce_window"(%p, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 1, 2, 1>} : (tensor<2x7x8xf32>, tensor<f32>) -> tensor<2x6x8xf32>
  return %0 : tensor<2x6x8xf32>
}

// A window of 13 x 13 elements is more than a kernel walks: one of 13 along rows, one along columns. The maximum may
// meet what it starts from more than once; with its strides, dilations and padding.
// CHECK-LABEL: @of_two_dims
// CHECK: %[[ROWS:.*]] = "stablehlo.reduce_window"(%arg0, %{{.*}}) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<{{\[\[}}0, 0], [0, 0], [6, 6], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 1, 13, 1>, window_strides = array<i64: 1, 1, 2, 1>}>
// CHECK: -> tensor<2x20x10x256xf32>
// CHECK: "stablehlo.reduce_window"(%[[ROWS]], %{{.*}}) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<{{\[\[}}0, 0], [6, 5], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 13, 1, 1>, window_strides = array<i64: 1, 1, 1, 1>}>
// CHECK: -> tensor<2x19x10x256xf32>
func.func @of_two_dims(%x: tensor<2x20x20x256xf32>) -> tensor<2x19x10x256xf32> {
  %least = stablehlo.constant dense<-1.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %least) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 1, 13, 13, 1>, window_strides = array<i64: 1, 1, 2, 1>,
      padding = dense<[[0, 0], [6, 5], [6, 6], [0, 0]]> : tensor<4x2xi64>}
      : (tensor<2x20x20x256xf32>, tensor<f32>) -> tensor<2x19x10x256xf32>
  return %0 : tensor<2x19x10x256xf32>
}

// A sum that starts from 1 has it once in each window.
// CHECK-LABEL: @from_one
// CHECK-NOT: "stablehlo.reduce_window"
func.func @from_one(%x: tensor<2x20x20x256xf32>) -> tensor<2x8x8x256xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %one) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 1, 13, 13, 1>}
      : (tensor<2x20x20x256xf32>, tensor<f32>) -> tensor<2x8x8x256xf32>
  return %0 : tensor<2x8x8x256xf32>
}

// A computation that leaves an argument out is no sum: its windows are no sums of sums, and start from no zero.
// CHECK-LABEL: @of_one_argument
// CHECK-NOT: "stablehlo.reduce_window"
func.func @of_one_argument(%x: tensor<2x20x20x256xf32>, %init: tensor<f32>)
    -> (tensor<2x8x8x256xf32>, tensor<2x19x19x256xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %b, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 1, 13, 13, 1>}
      : (tensor<2x20x20x256xf32>, tensor<f32>) -> tensor<2x8x8x256xf32>
  %1 = "stablehlo.reduce_window"(%x, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %a : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 1, 2, 2, 1>}
      : (tensor<2x20x20x256xf32>, tensor<f32>) -> tensor<2x19x19x256xf32>
  return %0, %1 : tensor<2x8x8x256xf32>, tensor<2x19x19x256xf32>
}

// A sum that starts from zero may start from it more than once.
// CHECK-LABEL: @from_zero
// CHECK-COUNT-2: "stablehlo.reduce_window"
func.func @from_zero(%x: tensor<2x20x20x256xf32>) -> tensor<2x8x8x256xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 1, 13, 13, 1>}
      : (tensor<2x20x20x256xf32>, tensor<f32>) -> tensor<2x8x8x256xf32>
  return %0 : tensor<2x8x8x256xf32>
}
