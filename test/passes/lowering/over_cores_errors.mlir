// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that an edited plan lets cores share, whose iterations meet: all from the second on write the last piece, as
// positions behind it are clamped; each writes the same one; both cores would write an array in HBM.
// RUN: tpuc-opt %S/over_cores.mlir --tpuc-plan-kernels=target=v4 -o %t
// RUN: sed 's/trip_count = 2/trip_count = 3/' %t | not tpuc-opt --tpuc-lower-kernels=target=v4 2>&1 | FileCheck %s
// RUN: sed 's/counter 0 by 1/counter 0 by 0/' %t | not tpuc-opt --tpuc-lower-kernels=target=v4 2>&1 | FileCheck %s
// CHECK: error: expects each iteration to write pieces of its own, but got carried value 0;
// CHECK-SAME: take kernel.over_cores off the loop
// RUN: sed 's/kernel.places = .*]>]], //' %t | not tpuc-opt --tpuc-lower-kernels=target=v4 2>&1 \
// RUN:   | FileCheck %s --check-prefix=HBM
// HBM: error: expects arrays in VMEM, but got one in HBM
