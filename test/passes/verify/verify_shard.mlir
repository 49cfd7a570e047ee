// RUN: tpuc-opt %s --tpuc-verify-shard | FileCheck %s

// CHECK-LABEL: func.func @main
module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func @main(%x: tensor<4xf32> {tpuc.global_type = tensor<8xf32>, tpuc.sharding = "{devices=[2]<=[2]}"})
      -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}
