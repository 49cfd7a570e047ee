// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A vector of 512 bytes along a leading dim of larger arrays is held whole, and the dim is cut: all 512 batches of 9 by
// 100 do not fit v2's VMEM.
// RUN: tpuc run %s --target=v2 --check
// RUN: tpuc run %s --target=v4
func.func @main() {
  // 262 of the numbers below 512 are below 50 by 100, so that many come first.
  %i = stablehlo.iota dim = 0 : tensor<512xi32>
  %hundred = stablehlo.constant dense<100> : tensor<512xi32>
  %j = stablehlo.remainder %i, %hundred : tensor<512xi32>
  %bytes = stablehlo.convert %j : (tensor<512xi32>) -> tensor<512xi8>
  %sorted = "stablehlo.sort"(%bytes) <{dimension = 0 : i64, is_stable = false}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %less = stablehlo.compare LT, %a, %b : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<512xi8>) -> tensor<512xi8>
  %y0 = stablehlo.iota dim = 2 : tensor<512x9x100xi8>
  %y = "stablehlo.sort"(%y0) <{dimension = 2 : i64, is_stable = false}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %less = stablehlo.compare GT, %a, %b : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<512x9x100xi8>) -> tensor<512x9x100xi8>
  %fifty = stablehlo.constant dense<50> : tensor<512xi8>
  %large = stablehlo.compare GE, %sorted, %fifty : (tensor<512xi8>, tensor<512xi8>) -> tensor<512xi1>
  %mask = stablehlo.broadcast_in_dim %large, dims = [0] : (tensor<512xi1>) -> tensor<512x9x100xi1>
  %x = stablehlo.iota dim = 0 : tensor<512x9x100xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<512x9x100xf32>
  %yf = stablehlo.convert %y : (tensor<512x9x100xi8>) -> tensor<512x9x100xf32>
  %xy = stablehlo.add %x, %yf : tensor<512x9x100xf32>
  %got = stablehlo.select %mask, %xy, %zero : tensor<512x9x100xi1>, tensor<512x9x100xf32>
  %other = stablehlo.select %mask, %zero, %xy : tensor<512x9x100xi1>, tensor<512x9x100xf32>
  %first = stablehlo.constant dense<262.0> : tensor<512x9x100xf32>
  %last = stablehlo.constant dense<99.0> : tensor<512x9x100xf32>
  %row = stablehlo.iota dim = 2 : tensor<512x9x100xf32>
  %left = stablehlo.subtract %last, %row : tensor<512x9x100xf32>
  %sum = stablehlo.add %x, %left : tensor<512x9x100xf32>
  %behind = stablehlo.compare GE, %x, %first : (tensor<512x9x100xf32>, tensor<512x9x100xf32>) -> tensor<512x9x100xi1>
  %expected = stablehlo.select %behind, %sum, %zero : tensor<512x9x100xi1>, tensor<512x9x100xf32>
  check.expect_eq %got, %expected : tensor<512x9x100xf32>
  %rest = stablehlo.select %behind, %zero, %sum : tensor<512x9x100xi1>, tensor<512x9x100xf32>
  check.expect_eq %other, %rest : tensor<512x9x100xf32>
  return
}
