// Moves of packed elements whose rows come out of step: as wide as lanes for the way, and right.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v6e
// RUN: tpuc run %s --constants=arrays
func.func @main() {
  %row = stablehlo.iota dim = 0 : tensor<127x136xbf16>
  %x = stablehlo.optimization_barrier %row : tensor<127x136xbf16>
  %one = stablehlo.constant dense<1> : tensor<129x136xi32>
  %rows = stablehlo.iota dim = 0 : tensor<129x136xi32>
  %less = stablehlo.subtract %rows, %one : tensor<129x136xi32>
  %last = stablehlo.constant dense<127> : tensor<129x136xi32>
  %minus = stablehlo.constant dense<-1> : tensor<129x136xi32>
  %isPad = stablehlo.compare EQ, %less, %last : (tensor<129x136xi32>, tensor<129x136xi32>) -> tensor<129x136xi1>
  %wantedPad = stablehlo.select %isPad, %minus, %less : tensor<129x136xi1>, tensor<129x136xi32>
  %padding = stablehlo.constant dense<-1.0> : tensor<bf16>
  %pad = stablehlo.pad %x, %padding, low = [1, 0], high = [1, 0], interior = [0, 0]
      : (tensor<127x136xbf16>, tensor<bf16>) -> tensor<129x136xbf16>
  %padInts = stablehlo.convert %pad : (tensor<129x136xbf16>) -> tensor<129x136xi32>
  check.expect_eq %padInts, %wantedPad : tensor<129x136xi32>

  %slice = stablehlo.slice %x [3:127:2, 0:136] : (tensor<127x136xbf16>) -> tensor<62x136xbf16>
  %sliceInts = stablehlo.convert %slice : (tensor<62x136xbf16>) -> tensor<62x136xi32>
  %r62 = stablehlo.iota dim = 0 : tensor<62x136xi32>
  %two = stablehlo.constant dense<2> : tensor<62x136xi32>
  %three = stablehlo.constant dense<3> : tensor<62x136xi32>
  %twice = stablehlo.multiply %r62, %two : tensor<62x136xi32>
  %wantedSlice = stablehlo.add %twice, %three : tensor<62x136xi32>
  check.expect_eq %sliceInts, %wantedSlice : tensor<62x136xi32>

  // Bytes, four rows a word; signed ones.
  %b0 = stablehlo.iota dim = 0 : tensor<61x136xi8>
  %b1 = stablehlo.negate %b0 : tensor<61x136xi8>
  %b = stablehlo.optimization_barrier %b1 : tensor<61x136xi8>
  %reversed = stablehlo.reverse %b, dims = [0] : tensor<61x136xi8>
  %joined = stablehlo.concatenate %b, %reversed, dim = 0 : (tensor<61x136xi8>, tensor<61x136xi8>) -> tensor<122x136xi8>
  %joinedInts = stablehlo.convert %joined : (tensor<122x136xi8>) -> tensor<122x136xi32>
  %r122 = stablehlo.iota dim = 0 : tensor<122x136xi32>
  %end = stablehlo.constant dense<121> : tensor<122x136xi32>
  %back = stablehlo.subtract %end, %r122 : tensor<122x136xi32>
  %nearer = stablehlo.minimum %back, %r122 : tensor<122x136xi32>
  %wantedJoined = stablehlo.negate %nearer : tensor<122x136xi32>
  check.expect_eq %joinedInts, %wantedJoined : tensor<122x136xi32>

  %at = stablehlo.constant dense<5> : tensor<i32>
  %start = stablehlo.optimization_barrier %at : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %part = stablehlo.dynamic_slice %x, %start, %zero, sizes = [100, 136]
      : (tensor<127x136xbf16>, tensor<i32>, tensor<i32>) -> tensor<100x136xbf16>
  %partInts = stablehlo.convert %part : (tensor<100x136xbf16>) -> tensor<100x136xi32>
  %r100 = stablehlo.iota dim = 0 : tensor<100x136xi32>
  %five = stablehlo.constant dense<5> : tensor<100x136xi32>
  %wantedPart = stablehlo.add %r100, %five : tensor<100x136xi32>
  check.expect_eq %partInts, %wantedPart : tensor<100x136xi32>

  %count = stablehlo.iota dim = 0 : tensor<126x1xi32>
  %top = stablehlo.constant dense<125> : tensor<126x1xi32>
  %down = stablehlo.subtract %top, %count : tensor<126x1xi32>
  %which = stablehlo.optimization_barrier %down : tensor<126x1xi32>
  %gathered = "stablehlo.gather"(%x, %which) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 136>}>
      : (tensor<127x136xbf16>, tensor<126x1xi32>) -> tensor<126x136xbf16>
  %gatheredInts = stablehlo.convert %gathered : (tensor<126x136xbf16>) -> tensor<126x136xi32>
  %r126 = stablehlo.iota dim = 0 : tensor<126x136xi32>
  %t126 = stablehlo.constant dense<125> : tensor<126x136xi32>
  %wantedGathered = stablehlo.subtract %t126, %r126 : tensor<126x136xi32>
  check.expect_eq %gatheredInts, %wantedGathered : tensor<126x136xi32>
  return
}
