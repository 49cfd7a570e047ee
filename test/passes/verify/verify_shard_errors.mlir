// RUN: tpuc-opt %s --tpuc-verify-shard --split-input-file --verify-diagnostics

// For how many devices it is stands nowhere.
// expected-error@+1 {{expects mhlo.num_partitions and mhlo.num_replicas [TPUC-STAGE-001]}}
module {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}

// -----

// A constraint is left.
module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error@+1 {{expects no ops of sdy, but got 'sdy.sharding_constraint' [TPUC-STAGE-001]}}
    %0 = sdy.sharding_constraint %x <mesh<["x"=2]>, [{"x"}]> : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

// Two collectives of one channel.
module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.collective_permute"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
        source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    // expected-error@+1 {{expects a positive channel of its own, but got 1 [TPUC-STAGE-001]}}
    %1 = "stablehlo.collective_permute"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
        source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}

// -----

// A group names a device that is not there.
module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func @main(%x: tensor<4xf32>) -> tensor<12xf32> {
    // expected-error@+1 {{expects one of 2 devices, but got 2 [TPUC-STAGE-001]}}
    %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
        replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>, use_global_device_ids}>
        : (tensor<4xf32>) -> tensor<12xf32>
    return %0 : tensor<12xf32>
  }
}

// -----

// A sharding of an argument.
module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  // expected-error@+1 {{expects no shardings of arguments and results, but got 'sdy.sharding'}}
  func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=2]>, [{"x"}]>}) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}
