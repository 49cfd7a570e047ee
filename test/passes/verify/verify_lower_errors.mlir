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
