// Loops of known trip count: the scalar unit counts them, and no data is needed to say how long they take.
// RUN: tpuc run %s --matmul-precision=highest | FileCheck %s --check-prefix=OK
// RUN: tpuc run %s --matmul-precision=highest --no-fuse | FileCheck %s --check-prefix=OK
// RUN: tpuc run %s --check | FileCheck %s --check-prefix=OK
// OK-COUNT-7: {{ equal$}}

// RUN: tpuc report %s | FileCheck %s --check-prefix=TIMED
// TIMED: step time

func.func @main() -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %ten = stablehlo.constant dense<10> : tensor<i32>
  %x = stablehlo.iota dim = 0 : tensor<8xf32>

  // 2^10 x; the counter is a result too.
  %0:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<8xf32>
    cond {
      %c = stablehlo.compare LT, %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %n = stablehlo.add %i, %one : tensor<i32>
      %w = stablehlo.add %v, %v : tensor<8xf32>
      stablehlo.return %n, %w : tensor<i32>, tensor<8xf32>
    }
  check.expect_eq_const %0#0, dense<10> : tensor<i32>
  check.expect_eq_const %0#1, dense<[0.0, 1024.0, 2048.0, 3072.0, 4096.0, 5120.0, 6144.0, 7168.0]> : tensor<8xf32>

  // Down from 10 in steps of 4, the last of them below 0: 10, 6, 2.
  %1:2 = stablehlo.while(%i = %ten, %s = %zero) : tensor<i32>, tensor<i32>
    cond {
      %c = stablehlo.compare GE, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %n = stablehlo.subtract %i, %four : tensor<i32>
      %t = stablehlo.add %s, %i : tensor<i32>
      stablehlo.return %n, %t : tensor<i32>, tensor<i32>
    }
  check.expect_eq_const %1#0, dense<-2> : tensor<i32>
  check.expect_eq_const %1#1, dense<18> : tensor<i32>

  // Four times ten within it; carried values change places.
  %2:3 = stablehlo.while(%i = %zero, %a = %one, %b = %zero) : tensor<i32>, tensor<i32>, tensor<i32>
    cond {
      %c = stablehlo.compare NE, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %n = stablehlo.add %i, %one : tensor<i32>
      %3:3 = stablehlo.while(%k = %zero, %p = %a, %q = %b) : tensor<i32>, tensor<i32>, tensor<i32>
        cond {
          %c = stablehlo.compare LT, %k, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %c : tensor<i1>
        } do {
          %m = stablehlo.add %k, %one : tensor<i32>
          %r = stablehlo.add %p, %q : tensor<i32>
          stablehlo.return %m, %r, %p : tensor<i32>, tensor<i32>, tensor<i32>
        }
      stablehlo.return %n, %3#1, %3#2 : tensor<i32>, tensor<i32>, tensor<i32>
    }
  // Fibonacci's numbers 41 and 40.
  check.expect_eq_const %2#1, dense<165580141> : tensor<i32>
  check.expect_eq_const %2#2, dense<102334155> : tensor<i32>

  // Not once.
  %4:2 = stablehlo.while(%i = %ten, %v = %four) : tensor<i32>, tensor<i32>
    cond {
      %c = stablehlo.compare LT, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %n = stablehlo.add %i, %one : tensor<i32>
      %w = stablehlo.add %v, %v : tensor<i32>
      stablehlo.return %n, %w : tensor<i32>, tensor<i32>
    }
  check.expect_eq_const %4#1, dense<4> : tensor<i32>
  return %4#0 : tensor<i32>
}
