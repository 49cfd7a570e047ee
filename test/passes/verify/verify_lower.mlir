// RUN: tpuc-opt %s --tpuc-verify-lower | FileCheck %s

// CHECK-LABEL: tpu.routine entry @main
module attributes {tpu.arena_bytes = 0 : i64} {
  tpu.routine entry @main {
    tpu.return
  }
}
