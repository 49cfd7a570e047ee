// Collectives in loops and branches that all devices take alike: a ring around three devices in a loop of known count,
// a loop that ends by what all devices have together, a pipeline whose first device gets nothing.
// RUN: tpuc run %s --check --target=v5e
// RUN: tpuc run %s --target=v4 --threads=1
// RUN: tpuc run %s --stats | FileCheck %s
// CHECK: to other chips
// CHECK: run and timing count the same
module {
  func.func @process(%x: tensor<2x130xi32>) -> (tensor<2x130xi32>, tensor<i32>, tensor<2x130xi32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %three = stablehlo.constant dense<3> : tensor<i32>
    %limit = stablehlo.constant dense<100> : tensor<i32>
    %none = stablehlo.constant dense<0> : tensor<2x130xi32>
    // Once around, everybody has seen everybody's.
    %r:3 = stablehlo.while(%i = %zero, %y = %x, %s = %none) : tensor<i32>, tensor<2x130xi32>, tensor<2x130xi32>
      cond {
        %c = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %n = stablehlo.add %i, %one : tensor<i32>
        %t = stablehlo.add %s, %y : tensor<2x130xi32>
        %z = "stablehlo.collective_permute"(%y) {source_target_pairs = dense<[[0, 1], [1, 2], [2, 0]]>
            : tensor<3x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}
            : (tensor<2x130xi32>) -> tensor<2x130xi32>
        stablehlo.return %n, %z, %t : tensor<i32>, tensor<2x130xi32>, tensor<2x130xi32>
      }
    // Sums over all devices: 6, 18, 54, 162.
    %first = stablehlo.slice %x [0:1, 0:1] : (tensor<2x130xi32>) -> tensor<1x1xi32>
    %own = stablehlo.reshape %first : (tensor<1x1xi32>) -> tensor<i32>
    %w = stablehlo.while(%v = %own) : tensor<i32>
      cond {
        %c = stablehlo.compare LT, %v, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %u = "stablehlo.all_reduce"(%v) ({
          ^bb0(%a: tensor<i32>, %b: tensor<i32>):
            %c = stablehlo.add %a, %b : tensor<i32>
            stablehlo.return %c : tensor<i32>
        }) {replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>, use_global_device_ids,
            channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (tensor<i32>) -> tensor<i32>
        stablehlo.return %u : tensor<i32>
      }
    %p = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (tensor<2x130xi32>) -> tensor<2x130xi32>
    return %r#2, %w, %p : tensor<2x130xi32>, tensor<i32>, tensor<2x130xi32>
  }
  func.func @main() {
    %a = stablehlo.constant dense<1> : tensor<2x130xi32>
    %b = stablehlo.constant dense<2> : tensor<2x130xi32>
    %c = stablehlo.constant dense<3> : tensor<2x130xi32>
    %0:9 = "interpreter.run_parallel"(%a, %b, %c) {programs = [[@process, @process, @process]]}
        : (tensor<2x130xi32>, tensor<2x130xi32>, tensor<2x130xi32>)
        -> (tensor<2x130xi32>, tensor<i32>, tensor<2x130xi32>, tensor<2x130xi32>, tensor<i32>, tensor<2x130xi32>,
            tensor<2x130xi32>, tensor<i32>, tensor<2x130xi32>)
    check.expect_eq_const %0#0, dense<6> : tensor<2x130xi32>
    check.expect_eq_const %0#1, dense<162> : tensor<i32>
    check.expect_eq_const %0#2, dense<0> : tensor<2x130xi32>
    check.expect_eq_const %0#3, dense<6> : tensor<2x130xi32>
    check.expect_eq_const %0#4, dense<162> : tensor<i32>
    check.expect_eq_const %0#5, dense<1> : tensor<2x130xi32>
    check.expect_eq_const %0#7, dense<162> : tensor<i32>
    check.expect_eq_const %0#8, dense<2> : tensor<2x130xi32>
    return
  }
}
