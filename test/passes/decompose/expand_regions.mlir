// RUN: tpuc-opt %s --tpuc-expand-regions | FileCheck %s

// CHECK-LABEL: @map
// CHECK: stablehlo.multiply %arg0, %arg1 : tensor<4xf32>
// CHECK-NOT: stablehlo.map
func.func @map(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.map"(%x, %y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Windows of 40, 44 apart, without an element in common: what lies between them is left out, and the last NaN, the
// largest element behind it and the first place that holds this are reductions over each window.
// CHECK-LABEL: @apart
// CHECK: %[[PAD:.*]] = stablehlo.pad %arg0, {{.*}}, low = [1], high = [7], interior = [0]
// CHECK: %[[BLOCKS:.*]] = stablehlo.reshape %[[PAD]] : (tensor<88xf32>) -> tensor<2x44xf32>
// CHECK: %[[X:.*]] = stablehlo.slice %[[BLOCKS]] [0:2, 0:40]
// CHECK: %[[NUMBERS:.*]] = stablehlo.select {{.*}} : tensor<2x40xi1>, tensor<2x40xi32>
// CHECK: %[[NAN:.*]] = stablehlo.compare NE, %[[X]], %[[X]]
// CHECK: stablehlo.select %[[NAN]], %[[NUMBERS]]
// CHECK: stablehlo.reduce({{.*}}) applies stablehlo.maximum across dimensions = [1] : (tensor<2x40xi32>
// CHECK: %[[BEHIND:.*]] = stablehlo.compare GT, %[[NUMBERS]]
// CHECK: stablehlo.select %[[BEHIND]], %[[X]]
// CHECK: stablehlo.reduce({{.*}}) applies stablehlo.maximum across dimensions = [1] : (tensor<2x40xf32>
// CHECK: stablehlo.compare EQ, %[[X]]
// CHECK: stablehlo.reduce({{.*}}) applies stablehlo.minimum across dimensions = [1] : (tensor<2x40xi32>
// CHECK: stablehlo.add {{.*}} : tensor<2xf32>
// CHECK: stablehlo.pad {{.*}}, %arg2, low = [0, 0], high = [0, 4]
// CHECK: stablehlo.reshape {{.*}} -> tensor<88xf32>
// CHECK: stablehlo.pad {{.*}}, %arg2, low = [-1], high = [-7]
// CHECK-NOT: stablehlo.while
// CHECK: return
func.func @apart(%x: tensor<80xf32>, %source: tensor<2xf32>, %init: tensor<f32>) -> tensor<80xf32> {
  %0 = "stablehlo.select_and_scatter"(%x, %source, %init) <{padding = dense<[[1, 3]]> : tensor<1x2xi64>,
      window_dimensions = array<i64: 40>, window_strides = array<i64: 44>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<80xf32>, tensor<2xf32>, tensor<f32>) -> tensor<80xf32>
  return %0 : tensor<80xf32>
}

// Overlapping windows of 3 x 20: a loop over rows, and in it two steps of 10 places, of which each reads the row from
// its place on. The result's rows are read, combined and written back, the last ones first.
// CHECK-LABEL: @overlapping
// CHECK: %[[CHOICE:.*]]:3 = stablehlo.while
// CHECK: %[[ROW:.*]] = stablehlo.dynamic_slice %arg0, {{.*}} sizes = [6, 50]
// CHECK: stablehlo.while({{.*}} = %[[ROW]])
// CHECK: stablehlo.pad {{.*}}, low = [0, -1], high = [0, 1]
// CHECK: stablehlo.pad {{.*}}, low = [0, -9], high = [0, 9]
// CHECK: stablehlo.pad {{.*}}, low = [0, -10], high = [0, 10]
// CHECK: %[[CHOSEN:.*]] = stablehlo.slice %[[CHOICE]]#2 [0:6, 0:31]
// CHECK: stablehlo.pad %[[CHOSEN]], {{.*}}, low = [0, 19], high = [0, 0]
// CHECK: stablehlo.pad %arg1, {{.*}}, low = [0, 19], high = [0, 0]
// CHECK: stablehlo.while
// CHECK: %[[OLD:.*]] = stablehlo.dynamic_slice {{.*}} sizes = [6, 50]
// CHECK: %[[NEW:.*]]:4 = stablehlo.while({{.*}} = %[[OLD]]
// CHECK: stablehlo.dynamic_update_slice {{.*}}, %[[NEW]]#1
func.func @overlapping(%x: tensor<8x50xf32>, %source: tensor<6x31xf32>) -> tensor<8x50xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %source, %zero) <{window_dimensions = array<i64: 3, 20>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x50xf32>, tensor<6x31xf32>, tensor<f32>) -> tensor<8x50xf32>
  return %0 : tensor<8x50xf32>
}

// Of 6 features a kernel would copy 128 lanes: elementwise ops on arrays whose lanes are pixels are sooner. 64 have a
// kernel.
// CHECK-LABEL: @few_features
// CHECK: stablehlo.select_and_scatter
// CHECK-SAME: array<i64: 1, 2, 2, 1>
// CHECK: (tensor<8x24x24x64xf32>
// CHECK-NOT: stablehlo.select_and_scatter
// CHECK: return
func.func @few_features(%x: tensor<8x24x24x64xf32>, %v: tensor<8x12x12x64xf32>, %y: tensor<256x24x24x6xf32>,
    %w: tensor<256x12x12x6xf32>) -> (tensor<8x24x24x64xf32>, tensor<256x24x24x6xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %v, %zero) <{window_dimensions = array<i64: 1, 2, 2, 1>,
      window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x24x24x64xf32>, tensor<8x12x12x64xf32>, tensor<f32>) -> tensor<8x24x24x64xf32>
  %1 = "stablehlo.select_and_scatter"(%y, %w, %zero) <{window_dimensions = array<i64: 1, 2, 2, 1>,
      window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<256x24x24x6xf32>, tensor<256x12x12x6xf32>, tensor<f32>) -> tensor<256x24x24x6xf32>
  return %0, %1 : tensor<8x24x24x64xf32>, tensor<256x24x24x6xf32>
}
