// RUN: tpuc-opt %s --tpuc-trim-loops | FileCheck %s

// Rows 2, 1, 0 in turn: all of %y is written, and %w handed on as it is.
// CHECK-LABEL: @reverse
// CHECK-SAME: (%[[W:.*]]: tensor<4xf32>)
// CHECK: %[[I:.*]] = stablehlo.constant dense<0>
// CHECK: %[[U:.*]] = kernel.undefined : tensor<3x4xf32>
// CHECK: %[[R:.*]]:2 = stablehlo.while(%[[K:.*]] = %[[I]], %[[Y:.*]] = %[[U]])
// CHECK: stablehlo.add %[[W]], %[[W]]
// CHECK: stablehlo.dynamic_update_slice %[[Y]]
// CHECK: return %[[R]]#1, %[[W]]
func.func @reverse(%w: tensor<4xf32>) -> (tensor<3x4xf32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %zeros = stablehlo.constant dense<0.0> : tensor<3x4xf32>
  %0:3 = stablehlo.while(%i = %zero, %v = %w, %y = %zeros) : tensor<i32>, tensor<4xf32>, tensor<3x4xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %v, %v : tensor<4xf32>
      %2 = stablehlo.reshape %1 : (tensor<4xf32>) -> tensor<1x4xf32>
      %3 = stablehlo.subtract %three, %i : tensor<i32>
      %4 = stablehlo.subtract %3, %one : tensor<i32>
      %5 = stablehlo.dynamic_update_slice %y, %2, %4, %zero
          : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
      %6 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %6, %v, %5 : tensor<i32>, tensor<4xf32>, tensor<3x4xf32>
    }
  return %0#2, %0#1 : tensor<3x4xf32>, tensor<4xf32>
}

// Two rows of three: the third is the initial value's.
// CHECK-LABEL: @two_rows
// CHECK-NOT: kernel.undefined
func.func @two_rows(%w: tensor<1x4xf32>) -> tensor<3x4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %zeros = stablehlo.constant dense<0.0> : tensor<3x4xf32>
  %0:2 = stablehlo.while(%i = %zero, %y = %zeros) : tensor<i32>, tensor<3x4xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %two, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.dynamic_update_slice %y, %w, %i, %zero
          : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
      %2 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %2, %1 : tensor<i32>, tensor<3x4xf32>
    }
  return %0#1 : tensor<3x4xf32>
}

// The rows read are those of the turn before.
// CHECK-LABEL: @read
// CHECK-NOT: kernel.undefined
func.func @read(%w: tensor<1x4xf32>) -> tensor<3x4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %zeros = stablehlo.constant dense<0.0> : tensor<3x4xf32>
  %0:2 = stablehlo.while(%i = %zero, %y = %zeros) : tensor<i32>, tensor<3x4xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.slice %y [0:1, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
      %2 = stablehlo.add %1, %w : tensor<1x4xf32>
      %3 = stablehlo.dynamic_update_slice %y, %2, %i, %zero
          : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
      %4 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %4, %3 : tensor<i32>, tensor<3x4xf32>
    }
  return %0#1 : tensor<3x4xf32>
}

// How often it goes round is not known.
// CHECK-LABEL: @unknown
// CHECK-NOT: kernel.undefined
func.func @unknown(%w: tensor<1x4xf32>, %n: tensor<i32>) -> tensor<3x4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zeros = stablehlo.constant dense<0.0> : tensor<3x4xf32>
  %0:2 = stablehlo.while(%i = %zero, %y = %zeros) : tensor<i32>, tensor<3x4xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.dynamic_update_slice %y, %w, %i, %zero
          : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
      %2 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %2, %1 : tensor<i32>, tensor<3x4xf32>
    }
  return %0#1 : tensor<3x4xf32>
}

// A loop that changes nothing keeps one value.
// CHECK-LABEL: @nothing
// CHECK: stablehlo.while(%{{.*}} = %arg0)
func.func @nothing(%p: tensor<i1>) -> tensor<i1> {
  %0 = stablehlo.while(%q = %p) : tensor<i1>
    cond {
      stablehlo.return %q : tensor<i1>
    } do {
      stablehlo.return %q : tensor<i1>
    }
  return %0 : tensor<i1>
}

// The trip count is known: nothing reads the counter, nor what counts the iterations beside it. What the result depends
// on, directly and through another carried value, stays.
// CHECK-LABEL: @counted
// CHECK: stablehlo.while(%[[A:.*]] = %arg0, %[[B:.*]] = %arg1) : tensor<4xf32>, tensor<4xf32> attributes {kernel.trip_count = 5 : i64}
// CHECK-NEXT: cond {
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<true> : tensor<i1>
// CHECK-NEXT: stablehlo.return %[[C]]
// CHECK: do {
// CHECK-NEXT: %[[S:.*]] = stablehlo.add %[[A]], %[[B]]
// CHECK-NEXT: %[[N:.*]] = stablehlo.negate %[[B]]
// CHECK-NEXT: stablehlo.return %[[S]], %[[N]]
func.func @counted(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %0:4 = stablehlo.while(%i = %zero, %k = %one, %a = %x, %b = %y)
      : tensor<i32>, tensor<i32>, tensor<4xf32>, tensor<4xf32> attributes {kernel.trip_count = 5 : i64}
    cond {
      %1 = stablehlo.compare LT, %i, %five, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %one : tensor<i32>
      %2 = stablehlo.add %k, %i : tensor<i32>
      %3 = stablehlo.add %a, %b : tensor<4xf32>
      %4 = stablehlo.negate %b : tensor<4xf32>
      stablehlo.return %1, %2, %3, %4 : tensor<i32>, tensor<i32>, tensor<4xf32>, tensor<4xf32>
    }
  return %0#2 : tensor<4xf32>
}

// The same without a count: its condition reads the counter.
// CHECK-LABEL: @not_counted
// CHECK: stablehlo.while(%{{.*}} = %{{.*}}, %{{.*}} = %arg0) : tensor<i32>, tensor<4xf32>
// CHECK: stablehlo.compare
func.func @not_counted(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<4xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %five, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %one : tensor<i32>
      %2 = stablehlo.add %a, %a : tensor<4xf32>
      stablehlo.return %1, %2 : tensor<i32>, tensor<4xf32>
    }
  return %0#1 : tensor<4xf32>
}

// A call of the host stays, though nobody reads its result; so does a branch that has one. The counter goes.
// CHECK-LABEL: @calls
// CHECK: stablehlo.while(%[[A:.*]] = %arg0) : tensor<4xf32>
// CHECK: stablehlo.custom_call @tpuc.host_call(%[[A]])
// CHECK: stablehlo.if
// CHECK: stablehlo.custom_call @tpuc.host_call(%[[A]])
// CHECK: stablehlo.tanh %[[A]]
func.func @calls(%x: tensor<4xf32>, %c: tensor<i1>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<4xf32> attributes {kernel.trip_count = 5 : i64}
    cond {
      %p = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.custom_call @tpuc.host_call(%a) {api_version = 4 : i32, has_side_effect = true,
          mhlo.backend_config = {index = 1 : ui64}} : (tensor<4xf32>) -> tensor<4xf32>
      %2 = "stablehlo.if"(%c) ({
        %3 = stablehlo.custom_call @tpuc.host_call(%a) {api_version = 4 : i32, has_side_effect = true,
            mhlo.backend_config = {index = 2 : ui64}} : (tensor<4xf32>) -> tensor<4xf32>
        stablehlo.return %3 : tensor<4xf32>
      }, {
        stablehlo.return %a : tensor<4xf32>
      }) : (tensor<i1>) -> tensor<4xf32>
      %4 = stablehlo.tanh %a : tensor<4xf32>
      %5 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %5, %4 : tensor<i32>, tensor<4xf32>
    }
  return %0#1 : tensor<4xf32>
}
