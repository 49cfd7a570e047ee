// Layers whose weights are gathered in a loop, of 4, 3 and 5 layers. All devices count the same, and no transfer meets
// what another one's kernel reads.
// RUN: tpuc run %s --check --target=v5e
// RUN: tpuc run %s --target=v4 --threads=1
// RUN: tpuc run %s --stats | FileCheck %s
// CHECK: run and timing count the same
module {
  func.func @process(%x: tensor<5x1x130xi32>) -> (tensor<130xi32>, tensor<130xi32>, tensor<130xi32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<130xi32>
    %none = stablehlo.constant dense<0> : tensor<130xi32>
    %ten = stablehlo.constant dense<10> : tensor<5x1x130xi32>
    // Layer i of device d: 10 i + d + 1.
    %i = stablehlo.iota dim = 0 : tensor<5x1x130xi32>
    %t = stablehlo.multiply %i, %ten : tensor<5x1x130xi32>
    %w = stablehlo.add %t, %x : tensor<5x1x130xi32>
    %n4 = stablehlo.constant dense<4> : tensor<i32>
    %r4:2 = stablehlo.while(%k = %zero, %y = %none) : tensor<i32>, tensor<130xi32>
      cond {
        %c = stablehlo.compare LT, %k, %n4 : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %l = stablehlo.dynamic_slice %w, %k, %zero, %zero, sizes = [1, 1, 130]
            : (tensor<5x1x130xi32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x130xi32>
        %p = stablehlo.reshape %l : (tensor<1x1x130xi32>) -> tensor<1x130xi32>
        %g = "stablehlo.all_gather"(%p) {all_gather_dim = 0 : i64,
            replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>, use_global_device_ids,
            channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}
            : (tensor<1x130xi32>) -> tensor<3x130xi32>
        %s = stablehlo.reduce(%g init: %zero) applies stablehlo.add across dimensions = [0]
            : (tensor<3x130xi32>, tensor<i32>) -> tensor<130xi32>
        %d = stablehlo.multiply %y, %two : tensor<130xi32>
        %z = stablehlo.add %d, %s : tensor<130xi32>
        %m = stablehlo.add %k, %one : tensor<i32>
        stablehlo.return %m, %z : tensor<i32>, tensor<130xi32>
      }
    %n3 = stablehlo.constant dense<3> : tensor<i32>
    %r3:2 = stablehlo.while(%k = %zero, %y = %none) : tensor<i32>, tensor<130xi32>
      cond {
        %c = stablehlo.compare LT, %k, %n3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %l = stablehlo.dynamic_slice %w, %k, %zero, %zero, sizes = [1, 1, 130]
            : (tensor<5x1x130xi32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x130xi32>
        %p = stablehlo.reshape %l : (tensor<1x1x130xi32>) -> tensor<1x130xi32>
        %g = "stablehlo.all_gather"(%p) {all_gather_dim = 0 : i64,
            replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>, use_global_device_ids,
            channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}
            : (tensor<1x130xi32>) -> tensor<3x130xi32>
        %s = stablehlo.reduce(%g init: %zero) applies stablehlo.add across dimensions = [0]
            : (tensor<3x130xi32>, tensor<i32>) -> tensor<130xi32>
        %d = stablehlo.multiply %y, %two : tensor<130xi32>
        %z = stablehlo.add %d, %s : tensor<130xi32>
        %m = stablehlo.add %k, %one : tensor<i32>
        stablehlo.return %m, %z : tensor<i32>, tensor<130xi32>
      }
    %n5 = stablehlo.constant dense<5> : tensor<i32>
    %r5:2 = stablehlo.while(%k = %zero, %y = %none) : tensor<i32>, tensor<130xi32>
      cond {
        %c = stablehlo.compare LT, %k, %n5 : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %l = stablehlo.dynamic_slice %w, %k, %zero, %zero, sizes = [1, 1, 130]
            : (tensor<5x1x130xi32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x130xi32>
        %p = stablehlo.reshape %l : (tensor<1x1x130xi32>) -> tensor<1x130xi32>
        %g = "stablehlo.all_gather"(%p) {all_gather_dim = 0 : i64,
            replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>, use_global_device_ids,
            channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}
            : (tensor<1x130xi32>) -> tensor<3x130xi32>
        %s = stablehlo.reduce(%g init: %zero) applies stablehlo.add across dimensions = [0]
            : (tensor<3x130xi32>, tensor<i32>) -> tensor<130xi32>
        %d = stablehlo.multiply %y, %two : tensor<130xi32>
        %z = stablehlo.add %d, %s : tensor<130xi32>
        %m = stablehlo.add %k, %one : tensor<i32>
        stablehlo.return %m, %z : tensor<i32>, tensor<130xi32>
      }
    return %r4#1, %r3#1, %r5#1 : tensor<130xi32>, tensor<130xi32>, tensor<130xi32>
  }
  func.func @main() {
    %a = stablehlo.constant dense<1> : tensor<5x1x130xi32>
    %b = stablehlo.constant dense<2> : tensor<5x1x130xi32>
    %c = stablehlo.constant dense<3> : tensor<5x1x130xi32>
    %0:9 = "interpreter.run_parallel"(%a, %b, %c) {programs = [[@process, @process, @process]]}
        : (tensor<5x1x130xi32>, tensor<5x1x130xi32>, tensor<5x1x130xi32>)
        -> (tensor<130xi32>, tensor<130xi32>, tensor<130xi32>, tensor<130xi32>, tensor<130xi32>, tensor<130xi32>,
            tensor<130xi32>, tensor<130xi32>, tensor<130xi32>)
    // Sums of a layer over the devices: 6, 36, 66, 96, 126. Doubled and added: 6, 48, 162, 420, 966.
    check.expect_eq_const %0#0, dense<420> : tensor<130xi32>
    check.expect_eq_const %0#1, dense<162> : tensor<130xi32>
    check.expect_eq_const %0#2, dense<966> : tensor<130xi32>
    check.expect_eq_const %0#3, dense<420> : tensor<130xi32>
    check.expect_eq_const %0#4, dense<162> : tensor<130xi32>
    check.expect_eq_const %0#5, dense<966> : tensor<130xi32>
    check.expect_eq_const %0#6, dense<420> : tensor<130xi32>
    check.expect_eq_const %0#7, dense<162> : tensor<130xi32>
    check.expect_eq_const %0#8, dense<966> : tensor<130xi32>
    return
  }
}
