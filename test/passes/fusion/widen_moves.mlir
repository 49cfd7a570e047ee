// RUN: tpuc-opt %s --tpuc-fuse-kernels | FileCheck %s

// Rows of bf16 move down by one, beside a leading dim that moves too: each element would be a transfer. The padding is
// wide without a conversion.
// CHECK-LABEL: func.func @main
// CHECK: stablehlo.convert %{{.*}} : (tensor<1x127x136xbf16>) -> tensor<1x127x136xf32>
// CHECK: stablehlo.pad {{.*}} -> tensor<2x129x136xf32>
// CHECK: stablehlo.convert %{{.*}} -> tensor<2x129x136xbf16>
// Rows that stay in step, and few elements, move as they are.
// CHECK: stablehlo.pad {{.*}} -> tensor<2x129x136xbf16>
// CHECK: stablehlo.pad {{.*}} -> tensor<2x9x136xbf16>
// Rows of a large table, one of which is wanted.
// CHECK: gather{{.*}} -> tensor<1x136xbf16>
func.func @main(%x: tensor<1x127x136xbf16>, %few: tensor<1x8x136xbf16>, %table: tensor<4096x136xbf16>,
    %at: tensor<1x1xi32>)
    -> (tensor<2x129x136xbf16>, tensor<2x129x136xbf16>, tensor<2x9x136xbf16>, tensor<1x136xbf16>) {
  %padding = stablehlo.constant dense<-1.0> : tensor<bf16>
  %0 = stablehlo.pad %x, %padding, low = [1, 1, 0], high = [0, 1, 0], interior = [0, 0, 0]
      : (tensor<1x127x136xbf16>, tensor<bf16>) -> tensor<2x129x136xbf16>
  %1 = stablehlo.pad %x, %padding, low = [1, 2, 0], high = [0, 0, 0], interior = [0, 0, 0]
      : (tensor<1x127x136xbf16>, tensor<bf16>) -> tensor<2x129x136xbf16>
  %2 = stablehlo.pad %few, %padding, low = [1, 1, 0], high = [0, 0, 0], interior = [0, 0, 0]
      : (tensor<1x8x136xbf16>, tensor<bf16>) -> tensor<2x9x136xbf16>
  %3 = "stablehlo.gather"(%table, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 136>}>
      : (tensor<4096x136xbf16>, tensor<1x1xi32>) -> tensor<1x136xbf16>
  return %0, %1, %2, %3 : tensor<2x129x136xbf16>, tensor<2x129x136xbf16>, tensor<2x9x136xbf16>, tensor<1x136xbf16>
}

// Rows that share words are put together by the gather's kernel.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: convert
// CHECK: gather{{.*}} -> tensor<4096x136xbf16>
func.func @rows(%table: tensor<4096x136xbf16>, %at: tensor<4096x1xi32>) -> tensor<4096x136xbf16> {
  %0 = "stablehlo.gather"(%table, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 136>}>
      : (tensor<4096x136xbf16>, tensor<4096x1xi32>) -> tensor<4096x136xbf16>
  return %0 : tensor<4096x136xbf16>
}
