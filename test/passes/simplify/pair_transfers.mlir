// RUN: tpuc-opt %s --split-input-file --tpuc-pair-transfers | FileCheck %s

module attributes {mhlo.num_partitions = 2 : i32} {
  // CHECK-LABEL: @pair
  // CHECK: "stablehlo.collective_permute"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
  // CHECK-SAME: source_target_pairs = dense<{{\[}}[0, 1]]> : tensor<1x2xi64>}>
  // CHECK-NOT: stablehlo.send
  // CHECK-NOT: stablehlo.recv
  func.func @pair(%x: tensor<4xf32>) -> tensor<4xf32> {
    %token = stablehlo.create_token : !stablehlo.token
    %t = "stablehlo.send"(%x, %token) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>,
        source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
    %y, %t2 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>}
        : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
    return %y : tensor<4xf32>
  }

  // Another channel's.
  // CHECK-LABEL: @alone
  // CHECK: stablehlo.send
  // CHECK: stablehlo.recv
  func.func @alone(%x: tensor<4xf32>) -> tensor<4xf32> {
    %token = stablehlo.create_token : !stablehlo.token
    %t = "stablehlo.send"(%x, %token) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>,
        source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
    %y, %t2 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 6, type = 1>}
        : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
    return %y : tensor<4xf32>
  }
}
