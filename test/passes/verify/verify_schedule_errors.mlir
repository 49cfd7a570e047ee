// RUN: tpuc-opt %s --tpuc-verify-schedule=target=v2 --split-input-file --verify-diagnostics

// The v2 has two slots of the vector ALU.
// expected-error@+1 {{bundle 0: }}
tpu.bundles entry @main {
  "v.add.f32 v0, v1, v2 ; v.add.f32 v3, v1, v2 ; v.add.f32 v4, v1, v2 ; halt"
}

// -----

// No such instruction.
// expected-error@+2 {{bundle 0: 'v.lgamma v0, v1': }}
tpu.bundles entry @main {
  "v.lgamma v0, v1 ; halt"
}

// -----

// The v2's arrays have no int8.
// expected-error@+1 {{the target has no 'mxu.push.s8}}
tpu.bundles entry @main {
  "mxu.push.s8 v0, -, 0 ; halt"
}

// -----

// The v2 has 16 MiB of VMEM, 32768 words of 512 bytes.
tpu.bundles entry @main facts {smem_bytes = 0 : i64, vmem_words = 0 : i64} {
  "halt"
}
// expected-error@+1 {{expects routine 'k0' with its spilled registers to fit 16777216 bytes of v2's VMEM, but got 16781312; }}
tpu.bundles @k0 facts {smem_bytes = 0 : i64, vmem_words = 32776 : i64} {
  "ret"
}

// -----

// What it takes of VMEM is unknown, so nothing says that it fits.
// expected-error@+1 {{expects routine 'main' to say how much VMEM it takes, in vmem_words}}
tpu.bundles entry @main facts {smem_bytes = 0 : i64} {
  "halt"
}

// -----

// Nor SMEM.
// expected-error@+1 {{expects routine 'main' to say how much SMEM it takes, in smem_bytes}}
tpu.bundles entry @main facts {vmem_words = 0 : i64} {
  "halt"
}
