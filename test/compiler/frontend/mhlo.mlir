// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// XLA leaves ops of MHLO in what it prints as StableHLO: in its short form, and in the generic one.
// RUN: tpuc run %s --stop-after=import | FileCheck %s
// RUN: sed 's/mhlo.copy %y/mhlo.bitcast %y/' %s > %t.mlir && %exits 4 tpuc run %t.mlir --stop-after=import 2>&1 | \
// RUN:   FileCheck %s --check-prefix=OTHER
// OTHER: error: custom op 'mhlo.bitcast' is unknown{{.*}} [TPUC-IMPORT-003]
// RUN: sed 's/"mhlo.copy"/"mhlo.fusion"/' %s > %t.mlir && %exits 4 tpuc run %t.mlir --stop-after=import 2>&1 | \
// RUN:   FileCheck %s --check-prefix=GENERIC
// GENERIC: error: expects ops of StableHLO, but got 'mhlo.fusion'{{.*}} [TPUC-IMPORT-003]
// RUN: sed 's/^    %f = mhlo.erf/%g = mhlo.erf %i : tensor<4xi32>\n    %f = mhlo.erf/' %s > %t.mlir && %exits 3 tpuc \
// RUN:   run %t.mlir --stop-after=import 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: error: 'chlo.erf' op {{.*}} [TPUC-IMPORT-002]
// Not a copy: its result has another type.
// RUN: sed 's/(tensor<4xf32>) -> tensor<4xf32>/(tensor<4xf32>) -> tensor<4xf64>/; s/= mhlo.erf %e.*/= \
// RUN:   stablehlo.convert %e : (tensor<4xf64>) -> tensor<4xf32>/' %s > %t.mlir && %exits 4 tpuc run %t.mlir \
// RUN:   --stop-after=import 2>&1 | FileCheck %s --check-prefix=COPY
// COPY: error: expects ops of StableHLO, but got 'mhlo.copy'

// CHECK: func.func @main(%[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[Y:[0-9]+]] = stablehlo.add %[[X]], %[[X]]
// CHECK-NEXT: %[[F:[0-9]+]] = chlo.erf %[[Y]]
// CHECK-NEXT: return %[[F]]
module attributes {mhlo.num_partitions = 1 : i32, mhlo.other = #mhlo.something<"x", [1, 2]>} {
  func.func @main(%x: tensor<4xf32>, %i: tensor<4xi32>) -> tensor<4xf32> {
    %y = stablehlo.add %x, %x : tensor<4xf32>
    %d = mhlo.copy %y {mhlo.sharding = "{replicated}"} : tensor<4xf32>
    %e = "mhlo.copy"(%d) : (tensor<4xf32>) -> tensor<4xf32>
    %f = mhlo.erf %e : tensor<4xf32>
    return %f : tensor<4xf32>
  }
}
