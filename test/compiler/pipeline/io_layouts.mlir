// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array that other programs share lies as its type and shape say; the order that suits this program ends at its
// boundary.
// RUN: tpuc compile %s -o %t.chosen.tpuc && tpuc disasm %t.chosen.tpuc | FileCheck %s --check-prefix=CHOSEN
// CHOSEN: .buffer kind: ARGUMENT {{.*}}order: 1
// RUN: tpuc compile %s --io-layouts=default -o %t.tpuc && tpuc disasm %t.tpuc | FileCheck %s
// CHECK: .buffer kind: ARGUMENT
// CHECK-NOT: .buffer kind: {{ARGUMENT|RESULT}} {{.*}}order:

// The numbers are the same.
// RUN: rm -rf %t.a %t.b && tpuc run %t.chosen.tpuc --random=3 --save=%t.a && tpuc run %t.tpuc --random=3 --save=%t.b
// RUN: cmp %t.a/output.0.npy %t.b/output.0.npy

// RUN: not tpuc compile %s --io-layouts=mine -o %t.c 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: --io-layouts expects default, but got 'mine'

func.func @main(%x: tensor<512x32xbf16>, %w: tensor<4096x32xbf16>, %y: tensor<512x4096xf32>) -> tensor<512x4096xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<512x32xbf16>, tensor<4096x32xbf16>)
      -> tensor<512x4096xf32>
  %1 = stablehlo.add %0, %y : tensor<512x4096xf32>
  return %1 : tensor<512x4096xf32>
}
