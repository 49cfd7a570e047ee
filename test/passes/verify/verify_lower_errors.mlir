// RUN: tpuc-opt %s --tpuc-verify-lower --split-input-file --verify-diagnostics

// Nowhere to begin.
// expected-error@+1 {{expects one entry, but got 0 [TPUC-STAGE-001]}}
module {
}

// -----

// A grid of a routine that does not exist.
module {
  tpu.routine entry @main {
    // expected-error@+1 {{expects a routine that is no entry, and a step at least, but got @k0 and 4}}
    tpu.grid @k0 steps 4
    tpu.return
  }
}

// -----

// A temporary of 512 bytes at 4096 ends at 4608, the arena at 4096.
module attributes {tpu.arena_bytes = 4096 : i64} {
  // expected-error@+1 {{expects an end within the arena's 4096 bytes, but got 4608}}
  tpu.buffer @tmp0 "arena" 0 at 4096 size 512 : tensor<128xf32> order [0]
  tpu.routine entry @main {
    tpu.return
  }
}

// -----

// Argument 0 is missing.
// expected-error@+1 {{expects argument 0, but got 1}}
module {
  tpu.buffer @arg1 "argument" 1 at 0 size 512 : tensor<128xf32> order [0]
  tpu.routine entry @main {
    tpu.return
  }
}

// -----

// A kernel's ops are instructions by now.
module {
  // expected-error@+1 {{expects buffers and routines, but got 'func.func'}}
  func.func @main() {
    return
  }
}

// -----

// Both are alive in kernel 1, and bytes 4096 to 8192 are both's.
module attributes {tpu.vmem_shared_bytes = 16384 : i64} {
  tpu.buffer @vmem0 "vmem" 0 at 0 size 8192 : tensor<16x128xf32> order [0, 1] {live = array<i64: 0, 1>}
  // expected-error@+1 {{expects a place apart from @vmem0, which is alive with it}}
  tpu.buffer @vmem1 "vmem" 1 at 4096 size 8192 : tensor<16x128xf32> order [0, 1] {live = array<i64: 1, 2>}
  tpu.routine entry @main {
    tpu.return
  }
}

// -----

// It may lie over an array that its maker reads last, but kernel 2 reads @vmem0 too.
module attributes {tpu.vmem_shared_bytes = 8192 : i64} {
  tpu.buffer @vmem0 "vmem" 0 at 0 size 8192 : tensor<16x128xf32> order [0, 1] {live = array<i64: 0, 2>}
  // expected-error@+1 {{expects a place apart from @vmem0, which is alive with it}}
  tpu.buffer @vmem1 "vmem" 1 at 0 size 8192
      : tensor<16x128xf32> order [0, 1] {live = array<i64: 1, 2>, replaces = @vmem0}
  tpu.routine entry @main {
    tpu.return
  }
}

// -----

// The kernel's own blocks begin at word 4, byte 2048, among what stays on chip.
module attributes {tpu.vmem_shared_bytes = 8192 : i64} {
  tpu.buffer @vmem0 "vmem" 0 at 0 size 8192 : tensor<16x128xf32> order [0, 1] {live = array<i64: 0, 1>}
  // expected-error@+1 {{expects blocks of its own behind the 8192 bytes of VMEM between kernels}}
  tpu.routine @k0 facts {number = 0 : i64, on_chip = [@vmem0], vmem_first = 4 : i64} {
  ^bb0(%start: i64, %count: i64):
    tpu.return
  }
  tpu.routine entry @main {
    tpu.grid @k0 steps 1
    tpu.return
  }
}

// -----

// Kernel 2 reads what was alive up to kernel 1.
module attributes {tpu.vmem_shared_bytes = 8192 : i64} {
  tpu.buffer @vmem0 "vmem" 0 at 0 size 8192 : tensor<16x128xf32> order [0, 1] {live = array<i64: 0, 1>}
  // expected-error@+1 {{meets @vmem0, which is not alive then}}
  tpu.routine @k2 facts {number = 2 : i64, on_chip = [@vmem0], vmem_first = 16 : i64} {
  ^bb0(%start: i64, %count: i64):
    tpu.return
  }
  tpu.routine entry @main {
    tpu.grid @k2 steps 1
    tpu.return
  }
}

// -----

// 4096 + 8192 is past the shared part's end.
module attributes {tpu.vmem_shared_bytes = 8192 : i64} {
  // expected-error@+1 {{expects an end within the 8192 bytes of VMEM between kernels, but got 12288}}
  tpu.buffer @vmem0 "vmem" 0 at 4096 size 8192 : tensor<16x128xf32> order [0, 1] {live = array<i64: 0, 1>}
  tpu.routine entry @main {
    tpu.return
  }
}

// -----

// Two results cannot lie in one place.
module {
  tpu.buffer @arg0 "argument" 0 at 0 size 512 : tensor<128xf32> order [0]
  tpu.buffer @res0 "result" 0 at 0 size 512 : tensor<128xf32> order [0] {alias_argument = 0 : i64}
  // expected-error@+1 {{expects argument 0 to give its place to one result}}
  tpu.buffer @res1 "result" 1 at 0 size 512 : tensor<128xf32> order [0] {alias_argument = 0 : i64}
  tpu.routine entry @main {
    tpu.return
  }
}

// -----

// A twin is another routine's, not the entry's.
module {
  // expected-error@+1 {{expects a routine that is no entry, but got @main}}
  tpu.twin @k0 of @main from [] to []
  tpu.routine entry @main {
    tpu.return
  }
}

// -----

// It names buffers.
module {
  tpu.buffer @arg0 "argument" 0 at 0 size 512 : tensor<128xf32> order [0]
  tpu.routine @k0 {
  ^bb0(%first: i64, %count: i64):
    tpu.return
  }
  // expected-error@+1 {{expects a buffer @arg1}}
  tpu.twin @k1 of @k0 from [@arg0] to [@arg1]
  tpu.routine entry @main {
    tpu.return
  }
}

// -----

// What is on chip lies where the original's does.
module attributes {tpu.vmem_shared_bytes = 16384 : i64} {
  tpu.buffer @vmem0 "vmem" 0 at 0 size 4096 : tensor<8x128xf32> order [0, 1] {live = array<i64: 0, 1>}
  tpu.buffer @vmem1 "vmem" 1 at 4096 size 4096 : tensor<8x128xf32> order [0, 1] {live = array<i64: 0, 1>}
  tpu.routine @k0 facts {vmem_first = 32 : i64} {
  ^bb0(%first: i64, %count: i64):
    tpu.return
  }
  // expected-error@+1 {{expects @vmem1 on chip where @vmem0 is}}
  tpu.twin @k1 of @k0 from [@vmem0] to [@vmem1] facts {vmem_first = 32 : i64}
  tpu.routine entry @main {
    tpu.return
  }
}

// -----

// As many buffers.
tpu.buffer @arg0 "argument" 0 at 0 size 512 : tensor<128xf32> order [0]
tpu.routine @k0 {
^bb0(%first: i64, %count: i64):
  tpu.return
}
// expected-error@+1 {{expects a buffer for each of the original's 1, but got 0}}
tpu.twin @k1 of @k0 from [@arg0] to []
tpu.routine entry @main {
  tpu.return
}

// -----

// A kernel is started by a grid.
module {
  tpu.routine entry @main {
    // expected-error@+1 {{expects a launch without steps, from the entry routine, but got @k0}}
    tpu.call @k0
    tpu.return
  }
  tpu.routine @k0 facts {kind = "loop"} {
  ^bb0(%first: i64, %count: i64):
    tpu.return
  }
}

// -----

module {
  tpu.routine entry @main {
    tpu.call @launch0
    tpu.return
  }
  tpu.routine @launch0 facts {kind = "launch"} {
  ^bb0(%first: i64, %count: i64):
    // expected-error@+1 {{expects nothing but grids, transfers and counted loops in a launch, but got 'tpu.inst'}}
    %id = tpu.inst "v.laneid"() : () -> !tpu.vreg
    tpu.return
  }
}

// -----

// This one runs less often than the steps it is given.
module {
  tpu.routine entry @main {
    tpu.grid @launch0 steps 4
    tpu.return
  }
  tpu.routine @launch0 facts {kind = "launch"} {
  ^bb0(%first: i64, %count: i64):
    %one = arith.constant 1 : i64
    // expected-error@+1 {{expects nothing but grids, transfers and counted loops in a launch, but got 'scf.for'}}
    scf.for %i = %one to %count step %one : i64 {
    }
    tpu.return
  }
}

// -----

// A grid gives a core its steps; a call does not.
module {
  tpu.routine entry @main {
    // expected-error@+1 {{expects a launch without steps, from the entry routine, but got @launch0}}
    tpu.call @launch0
    tpu.return
  }
  tpu.routine @launch0 facts {kind = "launch"} {
  ^bb0(%first: i64, %count: i64):
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    scf.for %i = %zero to %count step %one : i64 {
    }
    tpu.return
  }
}

// -----

// Cores with a VMEM each share no part of it: @k1's blocks begin at byte 4096, where @vmem0 lies until @k2.
module {
  tpu.buffer @vmem0 "vmem" 0 at 0 size 8192 : tensor<16x128xf32> order [0, 1] {live = array<i64: 0, 2>}
  tpu.routine entry @main {
    tpu.return
  }
  // expected-error@+1 {{expects blocks of its own behind @vmem0, which is alive then}}
  tpu.routine @k1 facts {number = 1 : i64, vmem_first = 8 : i64} {
  ^bb0(%first: i64, %count: i64):
    tpu.return
  }
}

// -----

// The last call reads @tmp0, whose bytes 256 to 512 the call before writes as @tmp1.
module attributes {tpu.arena_bytes = 768 : i64} {
  tpu.buffer @tmp0 "arena" 0 at 0 size 512 : tensor<128xf32> order [0]
  // expected-error@+1 {{expects a place apart from @tmp0, which is alive with it}}
  tpu.buffer @tmp1 "arena" 1 at 256 size 512 : tensor<128xf32> order [0]
  tpu.routine entry @main {
    tpu.host_call 0 [] [] -> [@tmp0] [tensor<128xf32>]
    tpu.host_call 1 [] [] -> [@tmp1] [tensor<128xf32>]
    tpu.host_call 2 [@tmp0] [tensor<128xf32>] -> [] []
    tpu.return
  }
}

// -----

// What it replaces is read once more.
module attributes {tpu.arena_bytes = 512 : i64} {
  tpu.buffer @tmp0 "arena" 0 at 0 size 512 : tensor<128xf32> order [0]
  // expected-error@+1 {{expects a place apart from @tmp0, which is alive with it}}
  tpu.buffer @tmp1 "arena" 1 at 0 size 512 : tensor<128xf32> order [0] {replaces = @tmp0}
  tpu.routine entry @main {
    tpu.host_call 0 [] [] -> [@tmp0] [tensor<128xf32>]
    tpu.host_call 1 [@tmp0] [tensor<128xf32>] -> [@tmp1] [tensor<128xf32>]
    tpu.host_call 2 [@tmp0] [tensor<128xf32>] -> [] []
    tpu.return
  }
}

// -----

// It takes a part of the place alone.
module attributes {tpu.arena_bytes = 768 : i64} {
  tpu.buffer @tmp0 "arena" 0 at 0 size 512 : tensor<128xf32> order [0]
  // expected-error@+1 {{expects a place apart from @tmp0, which is alive with it}}
  tpu.buffer @tmp1 "arena" 1 at 256 size 512 : tensor<128xf32> order [0] {replaces = @tmp0}
  tpu.routine entry @main {
    tpu.host_call 0 [] [] -> [@tmp0] [tensor<128xf32>]
    tpu.host_call 1 [@tmp0] [tensor<128xf32>] -> [@tmp1] [tensor<128xf32>]
    tpu.return
  }
}

// -----

// A view is a part of its whole: the last call reads bytes 256 to 512 of @tmp0.
module attributes {tpu.arena_bytes = 512 : i64} {
  tpu.buffer @tmp0 "arena" 0 at 0 size 512 : tensor<128xf32> order [0]
  // expected-error@+1 {{expects a place apart from @tmp0, which is alive with it}}
  tpu.buffer @tmp1 "arena" 1 at 0 size 512 : tensor<128xf32> order [0]
  tpu.buffer @view0 "view" 0 at 256 size 256 : tensor<64xf32> order [0] {view_of = @tmp0}
  tpu.routine entry @main {
    tpu.host_call 0 [] [] -> [@tmp0] [tensor<128xf32>]
    tpu.host_call 1 [] [] -> [@tmp1] [tensor<128xf32>]
    tpu.host_call 2 [@view0] [tensor<64xf32>] -> [] []
    tpu.return
  }
}

// -----

// The next iteration reads @tmp0 first, so it is alive in all of the loop, behind its last use too.
module attributes {tpu.arena_bytes = 512 : i64} {
  tpu.buffer @tmp0 "arena" 0 at 0 size 512 : tensor<128xf32> order [0]
  // expected-error@+1 {{expects a place apart from @tmp0, which is alive with it}}
  tpu.buffer @tmp1 "arena" 1 at 0 size 512 : tensor<128xf32> order [0]
  tpu.routine entry @main {
    %0 = arith.constant 0 : i64
    %1 = arith.constant 1 : i64
    tpu.host_call 0 [] [] -> [@tmp0] [tensor<128xf32>]
    scf.for %i = %0 to %1 step %1 : i64 {
      tpu.host_call 1 [@tmp0] [tensor<128xf32>] -> [] []
      tpu.host_call 2 [] [] -> [@tmp1] [tensor<128xf32>]
    }
    tpu.return
  }
}
