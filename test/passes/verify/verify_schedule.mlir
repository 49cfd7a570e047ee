// RUN: tpuc-opt %s --tpuc-verify-schedule | FileCheck %s

// CHECK: tpu.bundles entry @main
tpu.bundles entry @main {
  "halt"
}
