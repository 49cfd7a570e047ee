// RUN: tpuc-opt %s --split-input-file --tpuc-expand-collectives --verify-diagnostics

// Device 4 of four.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @outside(%x: tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{expects numbers of 4 partitions, but got 4}}
    %0 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 4]]> : tensor<1x2xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

// Replica 1 of one: without a channel the numbers are replicas'.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @replicas(%x: tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{expects numbers of 1 replicas, but got 1}}
    %0 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}
        : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

// Devices 2 and 3 are in no group.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @missing(%x: tensor<8xf32>) -> tensor<16xf32> {
    // expected-error @+1 {{expects each of the 4 devices in a group, but got 2}}
    %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids}
        : (tensor<8xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
}

// -----

// Three times as many elements for groups of two.
module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @size(%x: tensor<8xf32>) -> tensor<24xf32> {
    // expected-error @+1 {{expects groups of 3 devices, as its types say, but got 2}}
    %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids}
        : (tensor<8xf32>) -> tensor<24xf32>
    return %0 : tensor<24xf32>
  }
}
