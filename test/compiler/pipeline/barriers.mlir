// A barrier outlives what merges values, and is in no kernel.
// RUN: tpuc compile %s --stop-after=expand -o %t.expand
// RUN: FileCheck %s --check-prefix=EXPAND < %t.expand
// RUN: tpuc compile %s --stop-after=fuse -o %t.fuse
// RUN: FileCheck %s --check-prefix=FUSE < %t.fuse
// RUN: tpuc run %s --random=1

// EXPAND: stablehlo.optimization_barrier
// FUSE-NOT: optimization_barrier
func.func @main(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.sine %x : tensor<8xf32>
  %1 = stablehlo.optimization_barrier %x : tensor<8xf32>
  %2 = stablehlo.sine %1 : tensor<8xf32>
  return %0, %2 : tensor<8xf32>, tensor<8xf32>
}
