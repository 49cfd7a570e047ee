// RUN: tpuc-opt %s --tpuc-import-hlo-shardings --split-input-file --verify-diagnostics

// Device 1 twice.
// expected-error@+1 {{expects a sharding as HLO writes it, but got '{devices=[2]1,1}'}}
func.func @main(%x: tensor<4xf32> {mhlo.sharding = "{devices=[2]1,1}"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// 3 devices for 4 parts.
// expected-error@+1 {{but got '{devices=[4]<=[3]}'}}
func.func @main(%x: tensor<4xf32> {mhlo.sharding = "{devices=[4]<=[3]}"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// Both kinds.
// expected-error@+1 {{expects shardings of sdy or of GSPMD, but got both}}
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<4xf32> {mhlo.sharding = "{devices=[2]<=[2]}"},
    %y: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
