// RUN: tpuc-opt %s --tpuc-verify-expand --split-input-file --verify-diagnostics

// An extent that is not known: shapes are static from here on.
// expected-error@+1 {{expects arrays of known size, but got 'tensor<?xf32>' [TPUC-STAGE-001]}}
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
