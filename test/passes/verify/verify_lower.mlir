// RUN: tpuc-opt %s --tpuc-verify-lower | FileCheck %s

// The three take 512 bytes in turn: @tmp0 is dead when the loop begins. In it @tmp1 is written before it is read, so no
// iteration needs the one before, and @tmp2 may follow it.
// CHECK-LABEL: tpu.routine entry @main
module attributes {tpu.arena_bytes = 512 : i64} {
  tpu.buffer @tmp0 "arena" 0 at 0 size 512 : tensor<128xf32> order [0]
  tpu.buffer @tmp1 "arena" 1 at 0 size 512 : tensor<128xf32> order [0]
  tpu.buffer @tmp2 "arena" 2 at 0 size 512 : tensor<128xf32> order [0]
  tpu.routine entry @main {
    %0 = arith.constant 0 : i64
    %1 = arith.constant 1 : i64
    tpu.host_call 0 [] [] -> [@tmp0] [tensor<128xf32>]
    tpu.host_call 1 [@tmp0] [tensor<128xf32>] -> [] []
    scf.for %i = %0 to %1 step %1 : i64 {
      tpu.host_call 2 [] [] -> [@tmp1] [tensor<128xf32>]
      tpu.host_call 3 [@tmp1] [tensor<128xf32>] -> [] []
      tpu.host_call 4 [] [] -> [@tmp2] [tensor<128xf32>]
    }
    tpu.return
  }
}
