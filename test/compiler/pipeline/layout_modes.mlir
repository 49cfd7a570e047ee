// Arguments and results that programs share lie in the order that the program asks for, from the fastest dim on: %a and
// the first result by columns, %b in its own order, the second result as nobody asks ("auto"), the third one as %a is
// not. %d asks for an order of other dims than it has.
// RUN: tpuc compile %s --io-layouts=default -o %t.tpuc && tpuc disasm %t.tpuc | FileCheck %s
// CHECK: .buffer kind: ARGUMENT size: {{.*}} order: 1 order: 0 }
// CHECK-NOT: order:
// CHECK: .buffer kind: ARGUMENT index: 3
// CHECK-NOT: order:
// CHECK: .buffer kind: RESULT size: {{.*}} order: 1 order: 0 }
// CHECK-NOT: order:
// CHECK: .buffer kind: RESULT index: 3
// CHECK-NOT: {{(ARGUMENT|RESULT).*order:}}

// The numbers are the same as without.
// RUN: sed 's/mhlo.layout_mode = "[^"]*"/mhlo.other/' %s > %t.plain.mlir
// RUN: rm -rf %t.a %t.b && tpuc run %t.plain.mlir --random=3 --save=%t.a && tpuc run %t.tpuc --random=3 --save=%t.b
// RUN: cmp %t.a/output.0.npy %t.b/output.0.npy && cmp %t.a/output.1.npy %t.b/output.1.npy
// RUN: cmp %t.a/output.2.npy %t.b/output.2.npy

func.func @main(%a: tensor<40x200xf32> {mhlo.layout_mode = "{0,1:T(8,128)}"},
                %b: tensor<40x200xf32> {mhlo.layout_mode = "{1,0}"}, %c: tensor<40x200xf32>,
                %d: tensor<3x40x200xf32> {mhlo.layout_mode = "{0,1}"})
    -> (tensor<40x200xf32> {mhlo.layout_mode = "{0,1}"}, tensor<40x200xf32> {mhlo.layout_mode = "auto"},
        tensor<40x200xf32> {mhlo.layout_mode = "{1,0}"}, tensor<3x40x200xf32>) {
  %0 = stablehlo.add %a, %b : tensor<40x200xf32>
  %1 = stablehlo.multiply %0, %c : tensor<40x200xf32>
  %2 = stablehlo.negate %d : tensor<3x40x200xf32>
  return %0, %1, %a, %2 : tensor<40x200xf32>, tensor<40x200xf32>, tensor<40x200xf32>, tensor<3x40x200xf32>
}
