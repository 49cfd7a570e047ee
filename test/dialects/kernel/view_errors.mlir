// RUN: tpuc-opt %s --split-input-file --verify-diagnostics

// Rows of 12 do not fill tiles of 8: the second matrix starts in a tile of its own.
func.func @rows(%x: tensor<2x12x128xf32>) -> tensor<24x128xf32> {
  // expected-error @+1 {{expects types whose elements lie in the same places, but got 'tensor<2x12x128xf32>' and 'tensor<24x128xf32>'}}
  %0 = kernel.view %x : tensor<2x12x128xf32> -> tensor<24x128xf32>
  return %0 : tensor<24x128xf32>
}

// -----

// Tiles of bf16 have 16 rows.
func.func @packed(%x: tensor<2x24x128xbf16>) -> tensor<48x128xbf16> {
  // expected-error @+1 {{expects types whose elements lie in the same places}}
  %0 = kernel.view %x : tensor<2x24x128xbf16> -> tensor<48x128xbf16>
  return %0 : tensor<48x128xbf16>
}

// -----

// Elements move along lanes.
func.func @columns(%x: tensor<8x256xf32>) -> tensor<16x128xf32> {
  // expected-error @+1 {{expects types whose elements lie in the same places}}
  %0 = kernel.view %x : tensor<8x256xf32> -> tensor<16x128xf32>
  return %0 : tensor<16x128xf32>
}

// -----

func.func @types(%x: tensor<8x128xf32>) -> tensor<8x128xi32> {
  // expected-error @+1 {{expects types whose elements lie in the same places}}
  %0 = kernel.view %x : tensor<8x128xf32> -> tensor<8x128xi32>
  return %0 : tensor<8x128xi32>
}
