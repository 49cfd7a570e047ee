// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Few results of many features are sums over lanes in steps: of 640 features by 384, so that the last step has a tile
// that no array has. What lay in its place was multiplied by what lay in the other's.
// RUN: tpuc run %s --random=1 --check
// RUN: tpuc run %s --random=1 --check --target=v5p
// RUN: tpuc compile %s --stop-after=plan -o - | FileCheck %s
// CHECK: sequential d3 = 640 by 384
func.func @main(%x: tensor<1x2x2x640xf32>, %w: tensor<3x3x640x64xf32>) -> tensor<1x2x2x64xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1],
      [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<1x2x2x640xf32>, tensor<3x3x640x64xf32>) -> tensor<1x2x2x64xf32>
  return %0 : tensor<1x2x2x64xf32>
}
