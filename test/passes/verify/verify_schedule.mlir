// RUN: tpuc-opt %s --tpuc-verify-schedule | FileCheck %s

// CHECK: tpu.bundles entry @main
tpu.bundles entry @main facts {smem_bytes = 0 : i64, vmem_words = 0 : i64} {
  "halt"
}
