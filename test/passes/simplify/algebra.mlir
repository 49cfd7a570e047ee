// RUN: tpuc-opt %s --tpuc-simplify | FileCheck %s

// What gives back its operand, bit for bit.
// CHECK-LABEL: func @neutral
func.func @neutral(%x: tensor<4xf32>, %i: tensor<4xi32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi32>, tensor<4xi32>,
    tensor<4xi32>) {
  // CHECK-NEXT: return %arg0, %arg0, %arg0, %arg0, %arg0, %arg1, %arg1, %arg1
  %m0 = stablehlo.constant dense<-0.0> : tensor<4xf32>
  %p0 = stablehlo.constant dense<0.0> : tensor<4xf32>
  %one = stablehlo.constant dense<1.0> : tensor<4xf32>
  %inf = stablehlo.constant dense<0xFF800000> : tensor<4xf32>
  %z = stablehlo.constant dense<0> : tensor<4xi32>
  %ones = stablehlo.constant dense<-1> : tensor<4xi32>
  %0 = stablehlo.add %x, %m0 : tensor<4xf32>
  %1 = stablehlo.subtract %x, %p0 : tensor<4xf32>
  %2 = stablehlo.multiply %one, %x : tensor<4xf32>
  %3 = stablehlo.divide %x, %one : tensor<4xf32>
  %4 = stablehlo.maximum %inf, %x : tensor<4xf32>
  %5 = stablehlo.add %i, %z : tensor<4xi32>
  %6 = stablehlo.and %i, %ones : tensor<4xi32>
  %7 = stablehlo.shift_left %i, %z : tensor<4xi32>
  return %0, %1, %2, %3, %4, %5, %6, %7
      : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi32>, tensor<4xi32>,
      tensor<4xi32>
}

// What looks neutral and isn't: -0 + +0 is +0, a NaN times 0 is a NaN, a NaN wins over infinity.
// CHECK-LABEL: func @not_neutral
func.func @not_neutral(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %p0 = stablehlo.constant dense<0.0> : tensor<4xf32>
  %inf = stablehlo.constant dense<0x7F800000> : tensor<4xf32>
  // CHECK: stablehlo.add
  %0 = stablehlo.add %x, %p0 : tensor<4xf32>
  // CHECK: stablehlo.multiply
  %1 = stablehlo.multiply %x, %p0 : tensor<4xf32>
  // CHECK: stablehlo.maximum
  %2 = stablehlo.maximum %x, %inf : tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func @absorbing
func.func @absorbing(%i: tensor<4xi32>, %b: tensor<4xi1>)
    -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi1>, tensor<4xi1>) {
  // CHECK-DAG: %[[Z:.*]] = stablehlo.constant dense<0> : tensor<4xi32>
  // CHECK-DAG: %[[M:.*]] = stablehlo.constant dense<2147483647> : tensor<4xi32>
  // CHECK-DAG: %[[T:.*]] = stablehlo.constant dense<true> : tensor<4xi1>
  // CHECK-DAG: %[[N:.*]] = stablehlo.not %arg1
  // CHECK: return %[[Z]], %[[M]], %[[T]], %[[N]]
  %z = stablehlo.constant dense<0> : tensor<4xi32>
  %m = stablehlo.constant dense<2147483647> : tensor<4xi32>
  %t = stablehlo.constant dense<true> : tensor<4xi1>
  %0 = stablehlo.multiply %i, %z : tensor<4xi32>
  %1 = stablehlo.maximum %i, %m : tensor<4xi32>
  %2 = stablehlo.or %b, %t : tensor<4xi1>
  %3 = stablehlo.xor %b, %t : tensor<4xi1>
  return %0, %1, %2, %3 : tensor<4xi32>, tensor<4xi32>, tensor<4xi1>, tensor<4xi1>
}

// CHECK-LABEL: func @divide
func.func @divide(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK-DAG: %[[C:.*]] = stablehlo.constant dense<2.500000e-01>
  %four = stablehlo.constant dense<4.0> : tensor<4xf32>
  %three = stablehlo.constant dense<3.0> : tensor<4xf32>
  %huge = stablehlo.constant dense<0x7F000000> : tensor<4xf32>
  // CHECK-DAG: stablehlo.multiply %arg0, %[[C]]
  %0 = stablehlo.divide %x, %four : tensor<4xf32>
  // 1/3 is rounded.
  // CHECK-DAG: stablehlo.divide
  %1 = stablehlo.divide %x, %three : tensor<4xf32>
  // 2^-127 is denormal.
  // CHECK-DAG: stablehlo.divide
  %2 = stablehlo.divide %x, %huge : tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func @signs
func.func @signs(%x: tensor<4xf32>, %y: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK-DAG: %[[C:.*]] = stablehlo.constant dense<-5.000000e-01>
  // CHECK-DAG: %[[R0:.*]] = stablehlo.subtract %arg0, %arg1
  // CHECK-DAG: %[[R1:.*]] = stablehlo.add %arg0, %arg1
  // CHECK-DAG: %[[R2:.*]] = stablehlo.multiply %arg0, %arg1
  // CHECK-DAG: %[[R3:.*]] = stablehlo.negate %arg0
  // CHECK-DAG: %[[R4:.*]] = stablehlo.multiply %arg0, %[[C]]
  // CHECK: return %[[R0]], %[[R1]], %[[R2]], %[[R3]], %[[R4]]
  %half = stablehlo.constant dense<0.5> : tensor<4xf32>
  %m1 = stablehlo.constant dense<-1.0> : tensor<4xf32>
  %nx = stablehlo.negate %x : tensor<4xf32>
  %ny = stablehlo.negate %y : tensor<4xf32>
  %0 = stablehlo.add %x, %ny : tensor<4xf32>
  %1 = stablehlo.subtract %x, %ny : tensor<4xf32>
  %2 = stablehlo.multiply %nx, %ny : tensor<4xf32>
  %3 = stablehlo.multiply %x, %m1 : tensor<4xf32>
  %h = stablehlo.multiply %x, %half : tensor<4xf32>
  %4 = stablehlo.negate %h : tensor<4xf32>
  return %0, %1, %2, %3, %4 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func @pairs
func.func @pairs(%x: tensor<4xf32>, %b: tensor<4xi1>)
    -> (tensor<4xf32>, tensor<4xi1>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK-DAG: %[[A:.*]] = stablehlo.abs %arg0
  // CHECK-DAG: %[[M:.*]] = stablehlo.multiply %arg0, %arg0
  // CHECK: return %arg0, %arg1, %[[A]], %arg0, %[[M]]
  %n = stablehlo.negate %x : tensor<4xf32>
  %0 = stablehlo.negate %n : tensor<4xf32>
  %m = stablehlo.not %b : tensor<4xi1>
  %1 = stablehlo.not %m : tensor<4xi1>
  %a = stablehlo.abs %x : tensor<4xf32>
  %2 = stablehlo.abs %a : tensor<4xf32>
  %3 = stablehlo.maximum %x, %x : tensor<4xf32>
  %two = stablehlo.constant dense<2.0> : tensor<4xf32>
  %4 = stablehlo.power %x, %two : tensor<4xf32>
  return %0, %1, %2, %3, %4 : tensor<4xf32>, tensor<4xi1>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Roots, of 0 for -0 and of inf for -inf as powers have them; not other powers, nor of a type without infinities.
// CHECK-LABEL: func @roots
func.func @roots(%x: tensor<4xf32>, %y: tensor<4xf8E4M3FN>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf8E4M3FN>) {
  // CHECK-DAG: %[[INF:.*]] = stablehlo.constant dense<0x7F800000> : tensor<4xf32>
  // CHECK-DAG: %[[END:.*]] = stablehlo.constant dense<0xFF800000> : tensor<4xf32>
  // CHECK-DAG: %[[ZERO:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
  // CHECK: %[[IS:.*]] = stablehlo.compare EQ, %arg0, %[[END]]
  // CHECK: %[[P:.*]] = stablehlo.add %arg0, %[[ZERO]]
  // CHECK: %[[B:.*]] = stablehlo.select %[[IS]], %[[INF]], %[[P]]
  // CHECK: stablehlo.sqrt %[[B]]
  // CHECK: stablehlo.rsqrt
  // CHECK-COUNT-2: stablehlo.power
  %half = stablehlo.constant dense<0.5> : tensor<4xf32>
  %0 = stablehlo.power %x, %half : tensor<4xf32>
  %less = stablehlo.constant dense<-0.5> : tensor<4xf32>
  %1 = stablehlo.power %x, %less : tensor<4xf32>
  %other = stablehlo.constant dense<0.75> : tensor<4xf32>
  %2 = stablehlo.power %x, %other : tensor<4xf32>
  %narrow = stablehlo.constant dense<0.5> : tensor<4xf8E4M3FN>
  %3 = stablehlo.power %y, %narrow : tensor<4xf8E4M3FN>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf8E4M3FN>
}
