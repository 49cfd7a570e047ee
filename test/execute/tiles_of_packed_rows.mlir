// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tile of bf16 has 16 rows, where the space of a result of f32 has units of 8: a block has room for whole tiles, or
// the transfer of one would run into the next.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v4
// RUN: tpuc run %s --check --target=v5p
// RUN: tpuc run %s --check --target=v6e
func.func @main() {
  %c0 = stablehlo.constant
      dense<"0xC0BF80BE803F80BF803EC03F00BF403FA0BF0000A03F40BF003FC0BF80BE803F"> : tensor<2x2x4xbf16>
  %c1 = stablehlo.constant
      dense<"0x20C0803F80BF2040003FC0BF0040000000C0C03F00BF20C0803F80BF2040003F"> : tensor<2x1x8xbf16>
  %a = stablehlo.optimization_barrier %c0 : tensor<2x2x4xbf16>
  %b = stablehlo.optimization_barrier %c1 : tensor<2x1x8xbf16>
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
      window = {stride = [1], pad = [[0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 4 : i64}
      : (tensor<2x2x4xbf16>, tensor<2x1x8xbf16>) -> tensor<2x1x8xf32>
  check.expect_eq_const %r, dense<"0x00005040000090BF000000BF00008CC000000000000080BF000000BE0000C03E00000840000000BF0000403F000070400000C03E0000D0BF0000803F0000003F"> : tensor<2x1x8xf32>
  return
}
