// RUN: not tpuc compile %s -o %t 2>&1 | FileCheck %s
// Three numbers are not four.
// CHECK: error: expects a resource 'w' with the bytes of 'tensor<4xf32>', but got another number of them [TPUC-IMPORT-002]
func.func @main() -> tensor<4xf32> {
  %x = stablehlo.constant dense_resource<w> : tensor<4xf32>
  return %x : tensor<4xf32>
}

{-#
  dialect_resources: {
    builtin: {
      w: "0x040000000000803F0000004000004040"
    }
  }
#-}
