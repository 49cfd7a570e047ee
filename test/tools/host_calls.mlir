// A program that calls its host compiles and is timed; nobody answers a file's calls.
// RUN: tpuc compile %s -o %t.tpuc
// RUN: tpuc disasm %t.tpuc | FileCheck %s --check-prefix=ASM
// RUN: tpuc disasm %t.tpuc > %t.s
// RUN: tpuc asm %t.s -o %t2.tpuc && cmp %t.tpuc %t2.tpuc
// RUN: tpuc report %t.tpuc | FileCheck %s --check-prefix=REPORT
// RUN: tpuc report %t.tpuc --json | FileCheck %s --check-prefix=JSON
// RUN: not tpuc run %t.tpuc --random=1 2>&1 | FileCheck %s --check-prefix=REFUSED

// ASM: .host id: 41 operands { array { type: "f32" dims: 8 dims: 128 } } results { buffer: {{[0-9]+}} array { type: "f64" dims: 3 } } location: "{{.*}}host_calls.mlir:25"
// ASM: host.call 0x00000000
// REPORT: host callbacks {{ *}}5, not timed
// JSON: "host_calls_not_timed": 5
// REFUSED: the program calls functions of the process that it was traced in{{.*}}[TPUC-RUN-007]
func.func @main(%x: tensor<8x128xf32>) -> tensor<3xf64> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<5> : tensor<i32>
  %init = stablehlo.constant dense<0.0> : tensor<3xf64>
  %0:2 = stablehlo.while(%i = %zero, %v = %init) : tensor<i32>, tensor<3xf64>
    cond {
      %1 = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.custom_call @tpuc.host_call(%x) {api_version = 4 : i32, has_side_effect = true,
          mhlo.backend_config = {index = 41 : ui64}} : (tensor<8x128xf32>) -> tensor<3xf64>
      %2 = stablehlo.add %v, %1 : tensor<3xf64>
      %3 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %3, %2 : tensor<i32>, tensor<3xf64>
    }
  return %0#1 : tensor<3xf64>
}
