// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums take turns where the code of a vreg is short. Long code, of more than 128 ops, has one: four of it would be four
// times as long and no sooner done.
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(tpuc-plan-kernels,tpuc-lower-kernels)' --split-input-file | FileCheck %s

// 1024 columns are 8 tiles.
// CHECK-LABEL: tpu.routine @k0
// CHECK: scf.for {{.*}} = %c0_i64 to %c8_i64 step %c4_i64 iter_args({{.*}}) -> (!tpu.vreg, !tpu.vreg, !tpu.vreg, !tpu.vreg)
func.func @main(%x: tensor<8x1024xf32>) -> tensor<8xf32> {
  %0 = kernel.fusion "loop"(%x : tensor<8x1024xf32>) -> tensor<8xf32> {
  ^bb0(%a: tensor<8x1024xf32>):
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [1]
        : (tensor<8x1024xf32>, tensor<f32>) -> tensor<8xf32>
    kernel.yield %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: tpu.routine @k0
// CHECK-NOT: !tpu.vreg, !tpu.vreg)
// CHECK: scf.for {{.*}} = %c0_i64 to %c8_i64 step %{{.*}} iter_args({{.*}}) -> (!tpu.vreg)
func.func @main(%x: tensor<64x1024xf32>) -> tensor<64xf32> {
  %0 = kernel.fusion "loop"(%x : tensor<64x1024xf32>) -> tensor<64xf32> {
  ^bb0(%n0: tensor<64x1024xf32>):
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %n1 = stablehlo.negate %n0 : tensor<64x1024xf32>
    %n2 = stablehlo.negate %n1 : tensor<64x1024xf32>
    %n3 = stablehlo.negate %n2 : tensor<64x1024xf32>
    %n4 = stablehlo.negate %n3 : tensor<64x1024xf32>
    %n5 = stablehlo.negate %n4 : tensor<64x1024xf32>
    %n6 = stablehlo.negate %n5 : tensor<64x1024xf32>
    %n7 = stablehlo.negate %n6 : tensor<64x1024xf32>
    %n8 = stablehlo.negate %n7 : tensor<64x1024xf32>
    %n9 = stablehlo.negate %n8 : tensor<64x1024xf32>
    %n10 = stablehlo.negate %n9 : tensor<64x1024xf32>
    %n11 = stablehlo.negate %n10 : tensor<64x1024xf32>
    %n12 = stablehlo.negate %n11 : tensor<64x1024xf32>
    %n13 = stablehlo.negate %n12 : tensor<64x1024xf32>
    %n14 = stablehlo.negate %n13 : tensor<64x1024xf32>
    %n15 = stablehlo.negate %n14 : tensor<64x1024xf32>
    %n16 = stablehlo.negate %n15 : tensor<64x1024xf32>
    %n17 = stablehlo.negate %n16 : tensor<64x1024xf32>
    %n18 = stablehlo.negate %n17 : tensor<64x1024xf32>
    %n19 = stablehlo.negate %n18 : tensor<64x1024xf32>
    %n20 = stablehlo.negate %n19 : tensor<64x1024xf32>
    %n21 = stablehlo.negate %n20 : tensor<64x1024xf32>
    %n22 = stablehlo.negate %n21 : tensor<64x1024xf32>
    %n23 = stablehlo.negate %n22 : tensor<64x1024xf32>
    %n24 = stablehlo.negate %n23 : tensor<64x1024xf32>
    %n25 = stablehlo.negate %n24 : tensor<64x1024xf32>
    %n26 = stablehlo.negate %n25 : tensor<64x1024xf32>
    %n27 = stablehlo.negate %n26 : tensor<64x1024xf32>
    %n28 = stablehlo.negate %n27 : tensor<64x1024xf32>
    %n29 = stablehlo.negate %n28 : tensor<64x1024xf32>
    %n30 = stablehlo.negate %n29 : tensor<64x1024xf32>
    %n31 = stablehlo.negate %n30 : tensor<64x1024xf32>
    %n32 = stablehlo.negate %n31 : tensor<64x1024xf32>
    %n33 = stablehlo.negate %n32 : tensor<64x1024xf32>
    %n34 = stablehlo.negate %n33 : tensor<64x1024xf32>
    %n35 = stablehlo.negate %n34 : tensor<64x1024xf32>
    %n36 = stablehlo.negate %n35 : tensor<64x1024xf32>
    %n37 = stablehlo.negate %n36 : tensor<64x1024xf32>
    %n38 = stablehlo.negate %n37 : tensor<64x1024xf32>
    %n39 = stablehlo.negate %n38 : tensor<64x1024xf32>
    %n40 = stablehlo.negate %n39 : tensor<64x1024xf32>
    %n41 = stablehlo.negate %n40 : tensor<64x1024xf32>
    %n42 = stablehlo.negate %n41 : tensor<64x1024xf32>
    %n43 = stablehlo.negate %n42 : tensor<64x1024xf32>
    %n44 = stablehlo.negate %n43 : tensor<64x1024xf32>
    %n45 = stablehlo.negate %n44 : tensor<64x1024xf32>
    %n46 = stablehlo.negate %n45 : tensor<64x1024xf32>
    %n47 = stablehlo.negate %n46 : tensor<64x1024xf32>
    %n48 = stablehlo.negate %n47 : tensor<64x1024xf32>
    %n49 = stablehlo.negate %n48 : tensor<64x1024xf32>
    %n50 = stablehlo.negate %n49 : tensor<64x1024xf32>
    %n51 = stablehlo.negate %n50 : tensor<64x1024xf32>
    %n52 = stablehlo.negate %n51 : tensor<64x1024xf32>
    %n53 = stablehlo.negate %n52 : tensor<64x1024xf32>
    %n54 = stablehlo.negate %n53 : tensor<64x1024xf32>
    %n55 = stablehlo.negate %n54 : tensor<64x1024xf32>
    %n56 = stablehlo.negate %n55 : tensor<64x1024xf32>
    %n57 = stablehlo.negate %n56 : tensor<64x1024xf32>
    %n58 = stablehlo.negate %n57 : tensor<64x1024xf32>
    %n59 = stablehlo.negate %n58 : tensor<64x1024xf32>
    %n60 = stablehlo.negate %n59 : tensor<64x1024xf32>
    %n61 = stablehlo.negate %n60 : tensor<64x1024xf32>
    %n62 = stablehlo.negate %n61 : tensor<64x1024xf32>
    %n63 = stablehlo.negate %n62 : tensor<64x1024xf32>
    %n64 = stablehlo.negate %n63 : tensor<64x1024xf32>
    %n65 = stablehlo.negate %n64 : tensor<64x1024xf32>
    %n66 = stablehlo.negate %n65 : tensor<64x1024xf32>
    %n67 = stablehlo.negate %n66 : tensor<64x1024xf32>
    %n68 = stablehlo.negate %n67 : tensor<64x1024xf32>
    %n69 = stablehlo.negate %n68 : tensor<64x1024xf32>
    %n70 = stablehlo.negate %n69 : tensor<64x1024xf32>
    %n71 = stablehlo.negate %n70 : tensor<64x1024xf32>
    %n72 = stablehlo.negate %n71 : tensor<64x1024xf32>
    %n73 = stablehlo.negate %n72 : tensor<64x1024xf32>
    %n74 = stablehlo.negate %n73 : tensor<64x1024xf32>
    %n75 = stablehlo.negate %n74 : tensor<64x1024xf32>
    %n76 = stablehlo.negate %n75 : tensor<64x1024xf32>
    %n77 = stablehlo.negate %n76 : tensor<64x1024xf32>
    %n78 = stablehlo.negate %n77 : tensor<64x1024xf32>
    %n79 = stablehlo.negate %n78 : tensor<64x1024xf32>
    %n80 = stablehlo.negate %n79 : tensor<64x1024xf32>
    %n81 = stablehlo.negate %n80 : tensor<64x1024xf32>
    %n82 = stablehlo.negate %n81 : tensor<64x1024xf32>
    %n83 = stablehlo.negate %n82 : tensor<64x1024xf32>
    %n84 = stablehlo.negate %n83 : tensor<64x1024xf32>
    %n85 = stablehlo.negate %n84 : tensor<64x1024xf32>
    %n86 = stablehlo.negate %n85 : tensor<64x1024xf32>
    %n87 = stablehlo.negate %n86 : tensor<64x1024xf32>
    %n88 = stablehlo.negate %n87 : tensor<64x1024xf32>
    %n89 = stablehlo.negate %n88 : tensor<64x1024xf32>
    %n90 = stablehlo.negate %n89 : tensor<64x1024xf32>
    %n91 = stablehlo.negate %n90 : tensor<64x1024xf32>
    %n92 = stablehlo.negate %n91 : tensor<64x1024xf32>
    %n93 = stablehlo.negate %n92 : tensor<64x1024xf32>
    %n94 = stablehlo.negate %n93 : tensor<64x1024xf32>
    %n95 = stablehlo.negate %n94 : tensor<64x1024xf32>
    %n96 = stablehlo.negate %n95 : tensor<64x1024xf32>
    %n97 = stablehlo.negate %n96 : tensor<64x1024xf32>
    %n98 = stablehlo.negate %n97 : tensor<64x1024xf32>
    %n99 = stablehlo.negate %n98 : tensor<64x1024xf32>
    %n100 = stablehlo.negate %n99 : tensor<64x1024xf32>
    %n101 = stablehlo.negate %n100 : tensor<64x1024xf32>
    %n102 = stablehlo.negate %n101 : tensor<64x1024xf32>
    %n103 = stablehlo.negate %n102 : tensor<64x1024xf32>
    %n104 = stablehlo.negate %n103 : tensor<64x1024xf32>
    %n105 = stablehlo.negate %n104 : tensor<64x1024xf32>
    %n106 = stablehlo.negate %n105 : tensor<64x1024xf32>
    %n107 = stablehlo.negate %n106 : tensor<64x1024xf32>
    %n108 = stablehlo.negate %n107 : tensor<64x1024xf32>
    %n109 = stablehlo.negate %n108 : tensor<64x1024xf32>
    %n110 = stablehlo.negate %n109 : tensor<64x1024xf32>
    %n111 = stablehlo.negate %n110 : tensor<64x1024xf32>
    %n112 = stablehlo.negate %n111 : tensor<64x1024xf32>
    %n113 = stablehlo.negate %n112 : tensor<64x1024xf32>
    %n114 = stablehlo.negate %n113 : tensor<64x1024xf32>
    %n115 = stablehlo.negate %n114 : tensor<64x1024xf32>
    %n116 = stablehlo.negate %n115 : tensor<64x1024xf32>
    %n117 = stablehlo.negate %n116 : tensor<64x1024xf32>
    %n118 = stablehlo.negate %n117 : tensor<64x1024xf32>
    %n119 = stablehlo.negate %n118 : tensor<64x1024xf32>
    %n120 = stablehlo.negate %n119 : tensor<64x1024xf32>
    %n121 = stablehlo.negate %n120 : tensor<64x1024xf32>
    %n122 = stablehlo.negate %n121 : tensor<64x1024xf32>
    %n123 = stablehlo.negate %n122 : tensor<64x1024xf32>
    %n124 = stablehlo.negate %n123 : tensor<64x1024xf32>
    %n125 = stablehlo.negate %n124 : tensor<64x1024xf32>
    %n126 = stablehlo.negate %n125 : tensor<64x1024xf32>
    %n127 = stablehlo.negate %n126 : tensor<64x1024xf32>
    %n128 = stablehlo.negate %n127 : tensor<64x1024xf32>
    %n129 = stablehlo.negate %n128 : tensor<64x1024xf32>
    %n130 = stablehlo.negate %n129 : tensor<64x1024xf32>
    %1 = stablehlo.reduce(%n130 init: %zero) applies stablehlo.add across dimensions = [1]
        : (tensor<64x1024xf32>, tensor<f32>) -> tensor<64xf32>
    kernel.yield %1 : tensor<64xf32>
  }
  return %0 : tensor<64xf32>
}

// -----

// Maxima of 16 packed rows are two of each sum's, one after the other: four sums take turns.
// CHECK-LABEL: tpu.routine @k0
// CHECK: scf.for {{.*}} step %c4_i64 iter_args({{.*}}) -> (!tpu.vreg, !tpu.vreg, !tpu.vreg, !tpu.vreg)
// CHECK-COUNT-8: "v.max.f32"
// CHECK: scf.yield
func.func @main(%x: tensor<64x1024xbf16>) -> tensor<bf16> {
  %0 = kernel.fusion "loop"(%x : tensor<64x1024xbf16>) -> tensor<bf16> {
  ^bb0(%a: tensor<64x1024xbf16>):
    %least = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %1 = stablehlo.reduce(%a init: %least) applies stablehlo.maximum across dimensions = [0, 1]
        : (tensor<64x1024xbf16>, tensor<bf16>) -> tensor<bf16>
    kernel.yield %1 : tensor<bf16>
  }
  return %0 : tensor<bf16>
}

// -----

// Of 32-bit rows there is one, which takes no longer than its load.
// CHECK-LABEL: tpu.routine @k0
// CHECK-NOT: !tpu.vreg, !tpu.vreg)
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (!tpu.vreg)
// CHECK: "v.max.f32"
func.func @main(%x: tensor<64x1024xf32>) -> tensor<f32> {
  %0 = kernel.fusion "loop"(%x : tensor<64x1024xf32>) -> tensor<f32> {
  ^bb0(%a: tensor<64x1024xf32>):
    %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%a init: %least) applies stablehlo.maximum across dimensions = [0, 1]
        : (tensor<64x1024xf32>, tensor<f32>) -> tensor<f32>
    kernel.yield %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}
