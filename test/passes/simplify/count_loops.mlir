// RUN: tpuc-opt %s --split-input-file --tpuc-count-loops | FileCheck %s

// From 0 by 3 to below 20: 0, 3, .., 18.
// CHECK-LABEL: @up
// CHECK: stablehlo.while{{.*}} attributes {kernel.trip_count = 7 : i64}
func.func @up(%x: tensor<f32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %end = stablehlo.constant dense<20> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<f32>
    cond {
      %1 = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %three : tensor<i32>
      %2 = stablehlo.add %v, %v : tensor<f32>
      stablehlo.return %1, %2 : tensor<i32>, tensor<f32>
    }
  return %0#1 : tensor<f32>
}

// -----

// Down through zero of an unsigned byte: 3, 2, 1, 0, 255, and not below 200.
// CHECK-LABEL: @down_and_around
// CHECK: kernel.trip_count = 4 : i64
func.func @down_and_around() -> tensor<ui8> {
  %three = stablehlo.constant dense<3> : tensor<ui8>
  %one = stablehlo.constant dense<1> : tensor<ui8>
  %end = stablehlo.constant dense<200> : tensor<ui8>
  %0 = stablehlo.while(%i = %three) : tensor<ui8>
    cond {
      %1 = stablehlo.compare LT, %i, %end : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.subtract %i, %one : tensor<ui8>
      stablehlo.return %1 : tensor<ui8>
    }
  return %0 : tensor<ui8>
}

// -----

// A signed byte passes 127 and wraps: 100, 120, -116, .., 124, -112 and so on never is 1; the state comes back, and
// nothing is said.
// CHECK-LABEL: @endless
// CHECK-NOT: kernel.trip_count
func.func @endless() -> tensor<i8> {
  %start = stablehlo.constant dense<100> : tensor<i8>
  %step = stablehlo.constant dense<20> : tensor<i8>
  %end = stablehlo.constant dense<1> : tensor<i8>
  %0 = stablehlo.while(%i = %start) : tensor<i8>
    cond {
      %1 = stablehlo.compare NE, %i, %end : (tensor<i8>, tensor<i8>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %step : tensor<i8>
      stablehlo.return %1 : tensor<i8>
    }
  return %0 : tensor<i8>
}

// -----

// Doubles until it is 64 or a flag that is never set: 1, 2, 4, .., 32.
// CHECK-LABEL: @conjunction
// CHECK: kernel.trip_count = 6 : i64
func.func @conjunction() -> tensor<i64> {
  %one = stablehlo.constant dense<1> : tensor<i64>
  %end = stablehlo.constant dense<64> : tensor<i64>
  %yes = stablehlo.constant dense<true> : tensor<i1>
  %0:2 = stablehlo.while(%i = %one, %goes = %yes) : tensor<i64>, tensor<i1>
    cond {
      %1 = stablehlo.compare NE, %i, %end : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %2 = stablehlo.and %1, %goes : tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %i : tensor<i64>
      %2 = stablehlo.not %goes : tensor<i1>
      %3 = stablehlo.not %2 : tensor<i1>
      stablehlo.return %1, %3 : tensor<i64>, tensor<i1>
    }
  return %0#0 : tensor<i64>
}

// -----

// The bound is handed on by the outer loop, and converted: 3 times 5. What the inner loop left behind counts the outer
// one on.
// CHECK-LABEL: @nested
// CHECK: stablehlo.while{{.*}} attributes {kernel.trip_count = 3 : i64}
// CHECK: stablehlo.while{{.*}} attributes {kernel.trip_count = 5 : i64}
func.func @nested(%x: tensor<f32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %bound = stablehlo.constant dense<5.0> : tensor<f32>
  %end = stablehlo.constant dense<11> : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %b = %bound, %v = %x) : tensor<i32>, tensor<f32>, tensor<f32>
    cond {
      %1 = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1:2 = stablehlo.while(%k = %zero, %w = %v) : tensor<i32>, tensor<f32>
        cond {
          %4 = stablehlo.convert %b : (tensor<f32>) -> tensor<i32>
          %5 = stablehlo.compare GT, %4, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %5 : tensor<i1>
        } do {
          %4 = stablehlo.add %k, %one : tensor<i32>
          %5 = stablehlo.add %w, %w : tensor<f32>
          stablehlo.return %4, %5 : tensor<i32>, tensor<f32>
        }
      %2 = stablehlo.add %i, %1#0 : tensor<i32>
      stablehlo.return %2, %b, %1#1 : tensor<i32>, tensor<f32>, tensor<f32>
    }
  return %0#2 : tensor<f32>
}

// -----

// The inner loop runs once, twice, three times: not one number. The outer one's is known all the same.
// CHECK-LABEL: @triangle
// CHECK: stablehlo.while{{.*}} attributes {kernel.trip_count = 3 : i64}
// CHECK-NOT: kernel.trip_count
func.func @triangle(%x: tensor<f32>) -> tensor<f32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<3> : tensor<i32>
  %0:2 = stablehlo.while(%i = %one, %v = %x) : tensor<i32>, tensor<f32>
    cond {
      %1 = stablehlo.compare LE, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1:2 = stablehlo.while(%k = %one, %w = %v) : tensor<i32>, tensor<f32>
        cond {
          %4 = stablehlo.compare LE, %k, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %4 : tensor<i1>
        } do {
          %4 = stablehlo.add %k, %one : tensor<i32>
          %5 = stablehlo.add %w, %w : tensor<f32>
          stablehlo.return %4, %5 : tensor<i32>, tensor<f32>
        }
      %2 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %2, %1#1 : tensor<i32>, tensor<f32>
    }
  return %0#1 : tensor<f32>
}

// -----

// The body's branch steps the counter: by 2 while it is below 6, by 5 then. 0, 2, 4, 6, 11.
// CHECK-LABEL: @branches
// CHECK: kernel.trip_count = 4 : i64
func.func @branches() -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %six = stablehlo.constant dense<6> : tensor<i32>
  %end = stablehlo.constant dense<10> : tensor<i32>
  %0 = stablehlo.while(%i = %zero) : tensor<i32>
    cond {
      %1 = stablehlo.compare GE, %end, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.compare LT, %i, %six : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %2 = "stablehlo.if"(%1) ({
        %3 = stablehlo.add %i, %two : tensor<i32>
        stablehlo.return %3 : tensor<i32>
      }, {
        %3 = stablehlo.add %i, %five : tensor<i32>
        stablehlo.return %3 : tensor<i32>
      }) : (tensor<i1>) -> tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }
  return %0 : tensor<i32>
}

// -----

// Zero iterations; and 2000000000 by a closed form: from -1000000000 to 1000000000.
// CHECK-LABEL: @none_and_many
// CHECK: kernel.trip_count = 0 : i64
// CHECK: kernel.trip_count = 2000000000 : i64
func.func @none_and_many() -> (tensor<i32>, tensor<i32>) {
  %low = stablehlo.constant dense<-1000000000> : tensor<i32>
  %high = stablehlo.constant dense<1000000000> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.while(%i = %high) : tensor<i32>
    cond {
      %1 = stablehlo.compare LT, %i, %low : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %1 : tensor<i32>
    }
  %1 = stablehlo.while(%i = %low) : tensor<i32>
    cond {
      %2 = stablehlo.compare LT, %i, %high : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %2 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }
  return %0, %1 : tensor<i32>, tensor<i32>
}

// -----

// By 3 to the greatest number, inclusive: the counter wraps around below it, and goes on.
// CHECK-LABEL: @wraps
// CHECK-NOT: kernel.trip_count
func.func @wraps() -> tensor<i32> {
  %low = stablehlo.constant dense<0> : tensor<i32>
  %high = stablehlo.constant dense<2147483647> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.while(%i = %low) : tensor<i32>
    cond {
      %1 = stablehlo.compare LE, %i, %high : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %two : tensor<i32>
      stablehlo.return %1 : tensor<i32>
    }
  return %0 : tensor<i32>
}

// -----

// Each takes one thing from data: where it begins, how far it goes, its step, and a second condition.
// CHECK-LABEL: @data
// CHECK-NOT: kernel.trip_count
func.func @data(%n: tensor<i32>, %x: tensor<f32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<4> : tensor<i32>
  %0 = stablehlo.while(%i = %n) : tensor<i32>
    cond {
      %4 = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %4 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %4 : tensor<i32>
    }
  %1 = stablehlo.while(%i = %zero) : tensor<i32>
    cond {
      %4 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %4 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %4 : tensor<i32>
    }
  %2 = stablehlo.while(%i = %zero) : tensor<i32>
    cond {
      %4 = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %4 = stablehlo.add %i, %n : tensor<i32>
      stablehlo.return %4 : tensor<i32>
    }
  %3:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<f32>
    cond {
      %4 = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %5 = stablehlo.compare LT, %v, %x : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.and %4, %5 : tensor<i1>
      stablehlo.return %6 : tensor<i1>
    } do {
      %4 = stablehlo.add %i, %one : tensor<i32>
      %5 = stablehlo.add %v, %v : tensor<f32>
      stablehlo.return %4, %5 : tensor<i32>, tensor<f32>
    }
  return %0, %1, %2, %3#0 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
}

// -----

// A second loop goes as far as the first one went; one whose counter an inner loop of data steps is not counted.
// CHECK-LABEL: @after_another
// CHECK: stablehlo.while{{.*}} attributes {kernel.trip_count = 4 : i64}
// CHECK: stablehlo.while{{.*}} attributes {kernel.trip_count = 8 : i64}
// CHECK-NOT: kernel.trip_count
func.func @after_another(%n: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %end = stablehlo.constant dense<8> : tensor<i32>
  %0 = stablehlo.while(%i = %zero) : tensor<i32>
    cond {
      %3 = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %3 = stablehlo.add %i, %two : tensor<i32>
      stablehlo.return %3 : tensor<i32>
    }
  %1 = stablehlo.while(%i = %0) : tensor<i32>
    cond {
      %3 = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %3 = stablehlo.subtract %i, %one : tensor<i32>
      stablehlo.return %3 : tensor<i32>
    }
  %2 = stablehlo.while(%i = %zero) : tensor<i32>
    cond {
      %3 = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %3 = stablehlo.while(%k = %i) : tensor<i32>
        cond {
          %4 = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %4 : tensor<i1>
        } do {
          %4 = stablehlo.add %k, %one : tensor<i32>
          stablehlo.return %4 : tensor<i32>
        }
      stablehlo.return %3 : tensor<i32>
    }
  return %1, %2 : tensor<i32>, tensor<i32>
}
