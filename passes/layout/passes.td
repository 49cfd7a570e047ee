// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_PASSES_LAYOUT_PASSES
#define TPUC_PASSES_LAYOUT_PASSES
include "mlir/Pass/PassBase.td"

def DropUnitDimsPass : Pass<"tpuc-drop-unit-dims", "::mlir::func::FuncOp"> {
  let summary = "compute without dims of one element";
  let description = [{
    `transpose [8, 12, 512, 512, 1] -> [8, 12, 1, 512, 512]` becomes a transpose of the four dims that have elements,
    between reshapes; so do elementwise ops, broadcasts, reductions and dots. No array is then padded because of a dim
    of one element.

    ```mlir
    func.func @main(%x: tensor<8x128x1xf32>) -> tensor<128x1x8xf32> {
      %0 = stablehlo.transpose %x, dims = [1, 2, 0] : (tensor<8x128x1xf32>) -> tensor<128x1x8xf32>
      return %0 : tensor<128x1x8xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<8x128x1xf32>) -> tensor<128x1x8xf32> {
      %0 = stablehlo.reshape %arg0 : (tensor<8x128x1xf32>) -> tensor<8x128xf32>
      %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x128xf32>) -> tensor<128x8xf32>
      %2 = stablehlo.reshape %1 : (tensor<128x8xf32>) -> tensor<128x1x8xf32>
      return %2 : tensor<128x1x8xf32>
    }
    ```
  }];
}

def UndoJoinsPass : Pass<"tpuc-undo-joins", "::mlir::func::FuncOp"> {
  let summary = "batches of products as the dims that they were joined of, where these hold parts of others";
  let description = [{
    PyTorch's attention joins the batch and the heads, which are parts of its features: `[512, 8, 768]` is `[512, 96,
    64]`. No pass that knows dims sees through such a reshape. Here scores, softmax and products are those of `[8, 12]`
    instead of `[96]`, up to where the features are put together again, and reshapes split and join whole dims. A matmul
    makes heads then (`--tpuc-find-heads`), and orders of dims pass.

    ```mlir
    func.func @main(%x: tensor<512x8x768xf32>, %p: tensor<96x512x512xf32>) -> tensor<512x8x768xf32> {
      %0 = stablehlo.reshape %x : (tensor<512x8x768xf32>) -> tensor<512x96x64xf32>
      %1 = stablehlo.dot_general %p, %0, batching_dims = [0] x [1], contracting_dims = [2] x [0]
          : (tensor<96x512x512xf32>, tensor<512x96x64xf32>) -> tensor<96x512x64xf32>
      %2 = stablehlo.transpose %1, dims = [1, 0, 2] : (tensor<96x512x64xf32>) -> tensor<512x96x64xf32>
      %3 = stablehlo.reshape %2 : (tensor<512x96x64xf32>) -> tensor<512x8x768xf32>
      return %3 : tensor<512x8x768xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<512x8x768xf32>, %arg1: tensor<96x512x512xf32>) -> tensor<512x8x768xf32> {
      %0 = stablehlo.reshape %arg1 : (tensor<96x512x512xf32>) -> tensor<8x12x512x512xf32>
      %1 = stablehlo.reshape %arg0 : (tensor<512x8x768xf32>) -> tensor<512x8x12x64xf32>
      %2 = stablehlo.dot_general %0, %1, batching_dims = [0, 1] x [1, 2], contracting_dims = [3] x [0] :
          (tensor<8x12x512x512xf32>, tensor<512x8x12x64xf32>) -> tensor<8x12x512x64xf32>
      %3 = stablehlo.transpose %2, dims = [2, 0, 1, 3] : (tensor<8x12x512x64xf32>) -> tensor<512x8x12x64xf32>
      %4 = stablehlo.reshape %3 : (tensor<512x8x12x64xf32>) -> tensor<512x8x768xf32>
      return %4 : tensor<512x8x768xf32>
    }
    ```
  }];
}

// Before reductions of part of a dim meet what has kernels.
def FindHeadsPass : Pass<"tpuc-find-heads", "::mlir::func::FuncOp"> {
  let summary = "matmuls make heads as a dim of their own where the program splits their result into them";
  let description = [{
    A linear layer makes `[b, s, 768]`, which is split into 12 heads of 64: an array of another layout, in which a tile
    holds 64 lanes and rows are heads. Split is the weight instead, which is smaller: the matmul's result has the heads
    as a dim, and any order. Biases are split likewise, and weights of queries, keys and values in one are cut apart. A
    matmul of what has been joined of heads takes them as they were, where the matrix unit can.

    ```mlir
    func.func @main(%x: tensor<32x197x768xbf16>, %w: tensor<768x768xbf16>) -> tensor<32x197x12x64xbf16> {
      %0 = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0]
          : (tensor<32x197x768xbf16>, tensor<768x768xbf16>) -> tensor<32x197x768xbf16>
      %1 = stablehlo.reshape %0 : (tensor<32x197x768xbf16>) -> tensor<32x197x12x64xbf16>
      return %1 : tensor<32x197x12x64xbf16>
    }
    // becomes
    func.func @main(%arg0: tensor<32x197x768xbf16>, %arg1: tensor<768x768xbf16>) -> tensor<32x197x12x64xbf16> {
      %0 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<768x768xbf16>) -> tensor<768x768xbf16>
      %1 = stablehlo.reshape %0 : (tensor<768x768xbf16>) -> tensor<12x64x768xbf16>
      %2 = stablehlo.dot_general %arg0, %1, contracting_dims = [2] x [2] : (tensor<32x197x768xbf16>,
          tensor<12x64x768xbf16>) -> tensor<32x197x12x64xbf16>
      return %2 : tensor<32x197x12x64xbf16>
    }
    ```
  }];
  let options = [Option<"mxuSide", "mxu-side", "int64_t", "128", "rows and columns of an array of the matrix unit">];
}

def UndoSplitsPass : Pass<"tpuc-undo-splits", "::mlir::func::FuncOp"> {
  let summary = "compute on arrays as they are, not split into groups, where they are put together again";
  let description = [{
    A group norm splits `[16, 64, 64, 128]` into `[16, 64, 64, 32, 4]`, of which a tile holds 4 lanes, reduces to `[16,
    32]`, and puts the result together again. Here the array is reduced to `[16, 128]`, that to `[16, 32, 4]` and `[16,
    32]`, and means are spread to
    `[16, 128]` before they are spread to the array.

    ```mlir
    func.func @main(%x: tensor<2x4096x128xf32>) -> tensor<2x32xf32> {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.reshape %x : (tensor<2x4096x128xf32>) -> tensor<2x4096x32x4xf32>
      %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1, 3]
          : (tensor<2x4096x32x4xf32>, tensor<f32>) -> tensor<2x32xf32>
      return %1 : tensor<2x32xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<2x4096x128xf32>) -> tensor<2x32xf32> {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] :
          (tensor<2x4096x128xf32>, tensor<f32>) -> tensor<2x128xf32>
      %1 = stablehlo.reshape %0 : (tensor<2x128xf32>) -> tensor<2x32x4xf32>
      %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x32x4xf32>,
          tensor<f32>) -> tensor<2x32xf32>
      return %2 : tensor<2x32xf32>
    }
    ```
  }];
}

def TransposeProductsPass : Pass<"tpuc-transpose-products", "::mlir::func::FuncOp"> {
  let summary = "transposes right before and behind products, whose kernels take and store arrays in other orders";
  let description = [{
    A matmul of a batch with its sequence first, which is transposed before, is one of the batch as it lies, whose
    result is transposed: with the transpose behind it that is often none. Likewise a transpose of a product with a
    bias is one of the product, where that has blocks in the order that is wanted and not in its own; and one of keys
    that are scaled before a product is one of what is scaled.

    ```mlir
    func.func @main(%x: tensor<8x512x768xbf16>, %w: tensor<12x64x768xbf16>) -> tensor<8x12x512x64xbf16> {
      %0 = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<8x512x768xbf16>) -> tensor<512x8x768xbf16>
      %1 = stablehlo.dot_general %0, %w, contracting_dims = [2] x [2]
          : (tensor<512x8x768xbf16>, tensor<12x64x768xbf16>) -> tensor<512x8x12x64xbf16>
      %2 = stablehlo.transpose %1, dims = [1, 2, 0, 3] : (tensor<512x8x12x64xbf16>) -> tensor<8x12x512x64xbf16>
      return %2 : tensor<8x12x512x64xbf16>
    }
    // becomes
    func.func @main(%arg0: tensor<8x512x768xbf16>, %arg1: tensor<12x64x768xbf16>) -> tensor<8x12x512x64xbf16> {
      %0 = stablehlo.transpose %arg0, dims = [1, 0, 2] : (tensor<8x512x768xbf16>) -> tensor<512x8x768xbf16>
      %1 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [2] x [2] :
          (tensor<8x512x768xbf16>, tensor<12x64x768xbf16>) -> tensor<8x512x12x64xbf16>
      %2 = stablehlo.transpose %1, dims = [0, 2, 1, 3] : (tensor<8x512x12x64xbf16>) -> tensor<8x12x512x64xbf16>
      return %2 : tensor<8x12x512x64xbf16>
    }
    ```
  }];
  let options = [Option<"mxuSide", "mxu-side", "int64_t", "128", "rows and columns of an array of the matrix unit">];
}

def SwapDotOperandsPass : Pass<"tpuc-swap-dot-operands", "::mlir::func::FuncOp"> {
  let summary = "operands of a batch of products in the order that a transpose behind them asks for";
  let description = [{
    Attention over arrays with their sequence first is traced as the values times the probabilities, and a transpose
    that puts the values' features last. The probabilities times the values have them last as they are.

    ```mlir
    func.func @main(%v: tensor<512x96x64xbf16>, %p: tensor<96x512x512xbf16>) -> tensor<512x96x64xbf16> {
      %0 = stablehlo.dot_general %v, %p, batching_dims = [1] x [0], contracting_dims = [0] x [2]
          : (tensor<512x96x64xbf16>, tensor<96x512x512xbf16>) -> tensor<96x64x512xbf16>
      %1 = stablehlo.transpose %0, dims = [2, 0, 1] : (tensor<96x64x512xbf16>) -> tensor<512x96x64xbf16>
      return %1 : tensor<512x96x64xbf16>
    }
    // becomes
    func.func @main(%arg0: tensor<512x96x64xbf16>, %arg1: tensor<96x512x512xbf16>) -> tensor<512x96x64xbf16> {
      %0 = stablehlo.dot_general %arg1, %arg0, batching_dims = [0] x [1], contracting_dims = [2] x [0] :
          (tensor<96x512x512xbf16>, tensor<512x96x64xbf16>) -> tensor<96x512x64xbf16>
      %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<96x512x64xbf16>) -> tensor<512x96x64xbf16>
      return %1 : tensor<512x96x64xbf16>
    }
    ```
  }];
}

def TurnForMatricesPass : Pass<"tpuc-turn-for-matrices", "::mlir::func::FuncOp"> {
  let summary = "products with matrices along several dims of an array, these dims last";
  let description = [{
    A resize multiplies an image's rows by one matrix and its columns by another. Where features come last, neither is
    along lanes: each product would move the image. With features in front, one transpose before and one behind are all
    that moves, and are only orders of arguments and results where nothing else wants them otherwise. The planner's
    estimates decide.

    ```mlir
    func.func @main(%x: tensor<8x512x512x3xf32>, %h: tensor<512x1024xf32>, %w: tensor<512x1024xf32>)
        -> tensor<1024x8x3x1024xf32> {
      %0 = stablehlo.dot_general %h, %x, contracting_dims = [0] x [1]
          : (tensor<512x1024xf32>, tensor<8x512x512x3xf32>) -> tensor<1024x8x512x3xf32>
      %1 = stablehlo.dot_general %0, %w, contracting_dims = [2] x [0]
          : (tensor<1024x8x512x3xf32>, tensor<512x1024xf32>) -> tensor<1024x8x3x1024xf32>
      return %1 : tensor<1024x8x3x1024xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<8x512x512x3xf32>, %arg1: tensor<512x1024xf32>, %arg2: tensor<512x1024xf32>)
        -> tensor<1024x8x3x1024xf32> {
      %0 = stablehlo.transpose %arg0, dims = [0, 3, 1, 2] : (tensor<8x512x512x3xf32>) -> tensor<8x3x512x512xf32>
      %1 = stablehlo.dot_general %arg1, %0, contracting_dims = [0] x [2] :
          (tensor<512x1024xf32>, tensor<8x3x512x512xf32>) -> tensor<1024x8x3x512xf32>
      %2 = stablehlo.transpose %1, dims = [1, 2, 0, 3] : (tensor<1024x8x3x512xf32>) -> tensor<8x3x1024x512xf32>
      %3 = stablehlo.dot_general %2, %arg2, contracting_dims = [3] x [0] :
          (tensor<8x3x1024x512xf32>, tensor<512x1024xf32>) -> tensor<8x3x1024x1024xf32>
      %4 = stablehlo.transpose %3, dims = [2, 0, 1, 3] : (tensor<8x3x1024x1024xf32>) -> tensor<1024x8x3x1024xf32>
      return %4 : tensor<1024x8x3x1024xf32>
    }
    ```
  }];
  let dependentDialects = ["::tpuc::kernel::KernelDialect"];
  let options = [Option<"target", "target", "std::string", "\"v5e\"", "bundled target's name or path of a textproto">,
                 ListOption<"sets", "set", "std::string", "constants of the target to change: path=value">];
}

def NormaliseDotsPass : Pass<"tpuc-normalise-dots", "::mlir::func::FuncOp"> {
  let summary = "give every dot_general operands that the matrix unit can stream";
  let description = [{
    The streaming operand of a dot has a contracted or one of its free dims last, the weights a free or the same
    contracted one. An operand that lies otherwise (a batch dim last, two different contracted dims last) is transposed.

    A batch of products of a vector and a matrix has its batch along the sublanes, where a block holds all of it. One
    too long for that is split: `[5120, 16] x [5120, 16, 40]` becomes `[20, 256, 16] x [20, 256, 16, 40]`.

    The matrix unit takes each batch by itself. Where the planner's estimates say so, a batch of vectors or of small
    matrices is products and sums on the vector unit: `[5120, 16] x [5120, 16, 4]` is a multiplication and a reduction
    of the matrices as they lie.

    ```mlir
    func.func @main(%x: tensor<64x32x4xf32>, %y: tensor<32x64x4xf32>) -> tensor<4x64x64xf32> {
      %0 = stablehlo.dot_general %x, %y, batching_dims = [2] x [2], contracting_dims = [1] x [0]
          : (tensor<64x32x4xf32>, tensor<32x64x4xf32>) -> tensor<4x64x64xf32>
      return %0 : tensor<4x64x64xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<64x32x4xf32>, %arg1: tensor<32x64x4xf32>) -> tensor<4x64x64xf32> {
      %0 = stablehlo.transpose %arg1, dims = [2, 0, 1] : (tensor<32x64x4xf32>) -> tensor<4x32x64xf32>
      %1 = stablehlo.transpose %arg0, dims = [2, 0, 1] : (tensor<64x32x4xf32>) -> tensor<4x64x32xf32>
      %2 = stablehlo.dot_general %1, %0, batching_dims = [0] x [0], contracting_dims = [2] x [1] :
          (tensor<4x64x32xf32>, tensor<4x32x64xf32>) -> tensor<4x64x64xf32>
      return %2 : tensor<4x64x64xf32>
    }
    ```
  }];
  let dependentDialects = ["::tpuc::kernel::KernelDialect"];
  let options = [Option<"vmemBytes", "vmem-bytes", "int64_t", "117440512", "VMEM that a kernel's blocks may use">,
                 Option<"mxuSide", "mxu-side", "int64_t", "128", "rows and columns of an array of the matrix unit">,
                 Option<"target", "target", "std::string", "\"v5e\"", "bundled target's name or path of a textproto">,
                 ListOption<"sets", "set", "std::string", "constants of the target to change: path=value">];
}

def ChooseLayoutsPass : Pass<"tpuc-choose-layouts", "::mlir::func::FuncOp"> {
  let summary = "dims of arguments and results in the order whose tiles pad least, where dots make or read them";
  let description = [{
    An array's last two dims lie in tiles of 8p x 128: `[16384, 32]` takes four times its bytes, `[32, 16384]` none
    more. The attribute `tpuc.order` of an argument or result gives its physical order of dims; the type is from here on
    that of the array as it lies.

    ```mlir
    func.func @main(%x: tensor<16384x32xf32>, %w: tensor<32x128xf32>) -> tensor<16384x128xf32> {
      %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
          : (tensor<16384x32xf32>, tensor<32x128xf32>) -> tensor<16384x128xf32>
      return %0 : tensor<16384x128xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<32x16384xf32> {tpuc.order = array<i64: 1, 0>}, %arg1: tensor<32x128xf32>) ->
        tensor<16384x128xf32> {
      %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [0] : (tensor<32x16384xf32>,
          tensor<32x128xf32>) -> tensor<16384x128xf32>
      return %0 : tensor<16384x128xf32>
    }
    ```
  }];
  let options = [Option<"mxuSide", "mxu-side", "int64_t", "128", "rows and columns of an array of the matrix unit">];
}

def OrderArraysPass : Pass<"tpuc-order-arrays", "::mlir::func::FuncOp"> {
  let summary = "dims of arrays of three dims and more in the order whose tiles pad least";
  let description = [{
    Heads of 4x32 take eight times their bytes in tiles of 8x128; 32 by 64 positions take twice. An order is taken by
    all arrays that are computed dim by dim with one another, over loops too, where a third of their bytes goes:
    `tpuc.order` for arguments and results, plain types for the rest. Dots are renumbered, what they make is transposed
    to that order at once. A convolution takes an input of 8 features at most with its last spatial dim along lanes: an
    image of 224x224x3 has 16 rows of bf16 features there, and 128 lanes of them otherwise.

    ```mlir
    func.func @main(%x: tensor<8x1024x4x32xf32>, %y: tensor<8x1024x4x32xf32>) -> tensor<8x1024x4x32xf32> {
      %0 = stablehlo.add %x, %y : tensor<8x1024x4x32xf32>
      return %0 : tensor<8x1024x4x32xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<8x4x32x1024xf32> {tpuc.order = array<i64: 0, 2, 3, 1>}, %arg1:
        tensor<8x4x32x1024xf32> {tpuc.order = array<i64: 0, 2, 3, 1>}) -> (tensor<8x4x32x1024xf32> {tpuc.order =
        array<i64: 0, 2, 3, 1>}) {
      %0 = stablehlo.add %arg0, %arg1 : tensor<8x4x32x1024xf32>
      return %0 : tensor<8x4x32x1024xf32>
    }
    ```
  }];
  let options = [Option<"mxuSide", "mxu-side", "int64_t", "128", "rows and columns of an array of the matrix unit">];
}

def DropIndexDimsPass : Pass<"tpuc-drop-index-dims", "::mlir::func::FuncOp"> {
  let summary = "indices of one component as numbers, not vectors of one";
  let description = [{
    Gathers and scatters that JAX traces name a row by a vector of one component. `[n, 1]` has each in 128 lanes of its
    own; `[n]` are the same indices in a vector, where the index vectors' dim is the one past the last.

    ```mlir
    func.func @main(%x: tensor<64x128xf32>, %i: tensor<40x1xi32>) -> tensor<40x128xf32> {
      %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims =
          [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 128>}>
          : (tensor<64x128xf32>, tensor<40x1xi32>) -> tensor<40x128xf32>
      return %0 : tensor<40x128xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<64x128xf32>, %arg1: tensor<40x1xi32>) -> tensor<40x128xf32> {
      %0 = stablehlo.reshape %arg1 : (tensor<40x1xi32>) -> tensor<40xi32>
      %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims
          = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 128>}>
          : (tensor<64x128xf32>, tensor<40xi32>) -> tensor<40x128xf32>
      return %1 : tensor<40x128xf32>
    }
    ```
  }];
}

def FindPatchesPass : Pass<"tpuc-find-patches", "::mlir::func::FuncOp"> {
  let summary = "matmuls of an image's patches as convolutions of the image";
  let description = [{
    Patches cut out of an image of few features by a reshape, a transpose and a reshape move each of its elements, of
    which three lie in 128 lanes. Where only matmuls over what a patch holds read them, or gradients of such, these are
    convolutions of the image, whose window moves by its own size.

    ```mlir
    func.func @main(%x: tensor<8x224x224x3xf32>, %w: tensor<768x512xf32>) -> tensor<8x196x512xf32> {
      %0 = stablehlo.reshape %x : (tensor<8x224x224x3xf32>) -> tensor<8x14x16x14x16x3xf32>
      %1 = stablehlo.transpose %0, dims = [0, 1, 3, 2, 4, 5]
          : (tensor<8x14x16x14x16x3xf32>) -> tensor<8x14x14x16x16x3xf32>
      %2 = stablehlo.reshape %1 : (tensor<8x14x14x16x16x3xf32>) -> tensor<8x196x768xf32>
      %3 = stablehlo.dot_general %2, %w, contracting_dims = [2] x [0]
          : (tensor<8x196x768xf32>, tensor<768x512xf32>) -> tensor<8x196x512xf32>
      return %3 : tensor<8x196x512xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<8x224x224x3xf32>, %arg1: tensor<768x512xf32>) -> tensor<8x196x512xf32> {
      %0 = stablehlo.reshape %arg1 : (tensor<768x512xf32>) -> tensor<16x16x3x512xf32>
      %1 = stablehlo.convolution(%arg0, %0) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride =
          [16, 16], rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
          : (tensor<8x224x224x3xf32>, tensor<16x16x3x512xf32>) -> tensor<8x14x14x512xf32>
      %2 = stablehlo.reshape %1 : (tensor<8x14x14x512xf32>) -> tensor<8x196x512xf32>
      return %2 : tensor<8x196x512xf32>
    }
    ```
  }];
}

def FoldWindowsPass : Pass<"tpuc-fold-windows", "::mlir::func::FuncOp"> {
  let summary = "patches of an image as windows along one dim, of more features";
  let description = [{
    A convolution over three features with windows of 16 by 16, 16 apart, would stream three of 128 rows of the matrix
    unit 256 times. Where the windows don't overlap along all spatial dims but the last, their positions there become
    features, and the other dims batches.

    ```mlir
    func.func @main(%x: tensor<8x224x224x3xf32>, %w: tensor<16x16x3x768xf32>) -> tensor<8x14x14x768xf32> {
      %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride
          = [16, 16]}
          {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
          : (tensor<8x224x224x3xf32>, tensor<16x16x3x768xf32>) -> tensor<8x14x14x768xf32>
      return %0 : tensor<8x14x14x768xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<8x224x224x3xf32>, %arg1: tensor<16x16x3x768xf32>) -> tensor<8x14x14x768xf32> {
      %0 = stablehlo.transpose %arg0, dims = [0, 3, 1, 2] : (tensor<8x224x224x3xf32>) -> tensor<8x3x224x224xf32>
      %1 = stablehlo.reshape %0 : (tensor<8x3x224x224xf32>) -> tensor<8x3x14x16x224xf32>
      %2 = stablehlo.transpose %1, dims = [0, 2, 1, 3, 4] : (tensor<8x3x14x16x224xf32>) ->
          tensor<8x14x3x16x224xf32>
      %3 = stablehlo.reshape %2 : (tensor<8x14x3x16x224xf32>) -> tensor<112x48x224xf32>
      %4 = stablehlo.transpose %3, dims = [0, 2, 1] : (tensor<112x48x224xf32>) -> tensor<112x224x48xf32>
      %5 = stablehlo.transpose %arg1, dims = [1, 2, 0, 3] : (tensor<16x16x3x768xf32>) -> tensor<16x3x16x768xf32>
      %6 = stablehlo.reshape %5 : (tensor<16x3x16x768xf32>) -> tensor<16x48x768xf32>
      %7 = stablehlo.convolution(%4, %6) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [16],
          pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64,
          feature_group_count = 1 : i64} : (tensor<112x224x48xf32>, tensor<16x48x768xf32>) ->
          tensor<112x14x768xf32>
      %8 = stablehlo.reshape %7 : (tensor<112x14x768xf32>) -> tensor<8x14x14x768xf32>
      return %8 : tensor<8x14x14x768xf32>
    }
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"v5e\"", "bundled target's name or path of a textproto">,
                 ListOption<"sets", "set", "std::string", "constants of the target to change: path=value">];
}

def OrderConvolutionsPass : Pass<"tpuc-order-convolutions", "::mlir::func::FuncOp"> {
  let summary = "what lies between convolutions in the order of dims that their kernels take";
  let description = [{
    A model with its features first, as PyTorch's are, gets a transpose at each side of each convolution from
    `tpuc-normalise-convolutions`. All that is computed dim by dim between them takes the order of the convolutions'
    sides, arguments and results included where that doesn't blow them up,
    if that moves fewer bytes; what needs its dims as they are is given them by a transpose.

    ```mlir
    func.func @main(%x: tensor<2x42x42x64xf32>, %w: tensor<3x3x64x64xf32>) -> tensor<2x38x38x64xf32> {
      %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
          {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
          : (tensor<2x42x42x64xf32>, tensor<3x3x64x64xf32>) -> tensor<2x40x40x64xf32>
      %1 = stablehlo.transpose %0, dims = [0, 3, 1, 2] : (tensor<2x40x40x64xf32>) -> tensor<2x64x40x40xf32>
      %2 = stablehlo.tanh %1 : tensor<2x64x40x40xf32>
      %3 = stablehlo.transpose %2, dims = [0, 2, 3, 1] : (tensor<2x64x40x40xf32>) -> tensor<2x40x40x64xf32>
      %4 = stablehlo.convolution(%3, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
          {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
          : (tensor<2x40x40x64xf32>, tensor<3x3x64x64xf32>) -> tensor<2x38x38x64xf32>
      return %4 : tensor<2x38x38x64xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<2x42x42x64xf32>, %arg1: tensor<3x3x64x64xf32>) -> tensor<2x38x38x64xf32> {
      %0 = stablehlo.convolution(%arg0, %arg1) ... -> tensor<2x40x40x64xf32>
      %1 = stablehlo.tanh %0 : tensor<2x40x40x64xf32>
      %2 = stablehlo.convolution(%1, %arg1) ... -> tensor<2x38x38x64xf32>
      return %2 : tensor<2x38x38x64xf32>
    }
    ```
  }];
}

def BatchRowsPass : Pass<"tpuc-batch-rows", "::mlir::func::FuncOp"> {
  let summary = "convolutions of small images with their batch along sublanes";
  let description = [{
    Images whose last spatial dim fills less than ten elevenths of a tile's rows, of more than 28 pixels less than two
    thirds, where the batch fills them: it becomes the last spatial dim, of a window of one, and of a gradient of all
    images. The operands are transposed to it. Where taps of few features lie side by side in lanes, the rows have to
    gain as much again as the taps that would then be apart lose.

    ```mlir
    func.func @main(%x: tensor<128x4x4x256xbf16>, %w: tensor<3x3x256x256xbf16>) -> tensor<128x4x4x256xbf16> {
      %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
          window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
          : (tensor<128x4x4x256xbf16>, tensor<3x3x256x256xbf16>) -> tensor<128x4x4x256xbf16>
      return %0 : tensor<128x4x4x256xbf16>
    }
    // becomes
    func.func @main(%arg0: tensor<128x4x4x256xbf16>, %arg1: tensor<3x3x256x256xbf16>) -> tensor<128x4x4x256xbf16> {
      %0 = stablehlo.reshape %arg0 : (tensor<128x4x4x256xbf16>) -> tensor<1x128x4x4x256xbf16>
      %1 = stablehlo.transpose %0, dims = [0, 2, 3, 1, 4] : (tensor<1x128x4x4x256xbf16>) -> tensor<1x4x4x128x256xbf16>
      %2 = stablehlo.reshape %arg1 : (tensor<3x3x256x256xbf16>) -> tensor<3x3x1x256x256xbf16>
      %3 = stablehlo.convolution(%1, %2) dim_numbers = [b, 0, 1, 2, f]x[0, 1, 2, i, o]->[b, 0, 1, 2, f],
          window = {stride = [1, 1, 1], pad = [[1, 1], [1, 1], [0, 0]], lhs_dilate = [1, 1, 1], rhs_dilate = [1, 1, 1],
          reverse = [false, false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
          : (tensor<1x4x4x128x256xbf16>, tensor<3x3x1x256x256xbf16>) -> tensor<1x4x4x128x256xbf16>
      %4 = stablehlo.transpose %3, dims = [0, 3, 1, 2, 4] : (tensor<1x4x4x128x256xbf16>) -> tensor<1x128x4x4x256xbf16>
      %5 = stablehlo.reshape %4 : (tensor<1x128x4x4x256xbf16>) -> tensor<128x4x4x256xbf16>
      return %5 : tensor<128x4x4x256xbf16>
    }
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"v5e\"", "bundled target's name or path of a textproto">,
                 ListOption<"sets", "set", "std::string", "constants of the target to change: path=value">];
  // The pass asks the planner with kernels of this dialect.
  let dependentDialects = ["::tpuc::kernel::KernelDialect"];
}

def SwapGradientsPass : Pass<"tpuc-swap-gradients", "::mlir::func::FuncOp"> {
  let summary = "gradients of transposed convolutions' weights with their operands swapped";
  let description = [{
    A convolution with more positions in its window than in its result, as gradients of weights have it, whose input is
    dilated: the window becomes the input and the input, undilated, the window, where the products with zeros take
    longer than the result takes to be reversed and transposed.

    ```mlir
    func.func @main(%x: tensor<32x32x32x64xbf16>, %dy: tensor<32x64x64x32xbf16>) -> tensor<4x4x64x32xbf16> {
      %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
          window = {pad = [[2, 2], [2, 2]], lhs_dilate = [2, 2]}
          {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
          : (tensor<32x32x32x64xbf16>, tensor<32x64x64x32xbf16>) -> tensor<4x4x64x32xbf16>
      return %0 : tensor<4x4x64x32xbf16>
    }
    // becomes
    func.func @main(%arg0: tensor<32x32x32x64xbf16>, %arg1: tensor<32x64x64x32xbf16>) -> tensor<4x4x64x32xbf16> {
      %0 = stablehlo.convolution(%arg1, %arg0) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
          window = {pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2]}
          {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
          : (tensor<32x64x64x32xbf16>, tensor<32x32x32x64xbf16>) -> tensor<4x4x32x64xbf16>
      %1 = stablehlo.reverse %0, dims = [0, 1] : tensor<4x4x32x64xbf16>
      %2 = stablehlo.transpose %1, dims = [0, 1, 3, 2] : (tensor<4x4x32x64xbf16>) -> tensor<4x4x64x32xbf16>
      return %2 : tensor<4x4x64x32xbf16>
    }
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"v5e\"", "bundled target's name or path of a textproto">,
                 ListOption<"sets", "set", "std::string", "constants of the target to change: path=value">];
}

def MergeGroupsPass : Pass<"tpuc-merge-groups", "::mlir::func::FuncOp"> {
  let summary = "convolutions in groups as some of one group";
  let description = [{
    The matrix unit takes 128 or 256 features at once, a group has few. So groups side by side are one with weights that
    are zero between them, and of many groups there are several of these, each of a slice of the operands: how many is
    estimated. Of groups of the batch (gradients of such weights) all results are computed, and those within a group
    taken. Groups of one feature have kernels of their own.

    ```mlir
    func.func @main(%x: tensor<1x9x9x8xf32>, %w: tensor<3x3x4x12xf32>) -> tensor<1x7x7x12xf32> {
      %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
          {batch_group_count = 1 : i64, feature_group_count = 2 : i64}
          : (tensor<1x9x9x8xf32>, tensor<3x3x4x12xf32>) -> tensor<1x7x7x12xf32>
      return %0 : tensor<1x7x7x12xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<1x9x9x8xf32>, %arg1: tensor<3x3x4x12xf32>) -> tensor<1x7x7x12xf32> {
      %0 = stablehlo.concatenate %arg1, %arg1, dim = 2 : (tensor<3x3x4x12xf32>, tensor<3x3x4x12xf32>) ->
          tensor<3x3x8x12xf32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x3x8x12xf32>
      %2 = stablehlo.iota dim = 3 : tensor<3x3x8x12xi32>
      %c = stablehlo.constant dense<6> : tensor<3x3x8x12xi32>
      %3 = stablehlo.divide %2, %c : tensor<3x3x8x12xi32>
      %4 = stablehlo.iota dim = 2 : tensor<3x3x8x12xi32>
      %c_0 = stablehlo.constant dense<4> : tensor<3x3x8x12xi32>
      %5 = stablehlo.divide %4, %c_0 : tensor<3x3x8x12xi32>
      %6 = stablehlo.compare EQ, %5, %3 : (tensor<3x3x8x12xi32>, tensor<3x3x8x12xi32>) -> tensor<3x3x8x12xi1>
      %7 = stablehlo.select %6, %0, %1 : tensor<3x3x8x12xi1>, tensor<3x3x8x12xf32>
      %8 = stablehlo.convolution(%arg0, %7) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
          {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x9x9x8xf32>,
          tensor<3x3x8x12xf32>) -> tensor<1x7x7x12xf32>
      return %8 : tensor<1x7x7x12xf32>
    }
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"v5e\"", "bundled target's name or path of a textproto">,
                 ListOption<"sets", "set", "std::string", "constants of the target to change: path=value">];
}
def NormaliseConvolutionsPass : Pass<"tpuc-normalise-convolutions", "::mlir::func::FuncOp"> {
  let summary = "convolutions to the form that their kernel takes";
  let description = [{
    Features along lanes: input and result [batch, space.., features], weights [window.., in, out] or [window.., out,
    in]. Where few features meet many images, the batch along lanes: input and result [space.., features, batch]; both
    forms are estimated. A reversal of the weights becomes the window's. What does not fit stays as it is.

    ```mlir
    func.func @main(%x: tensor<1x8x16x16xf32>, %w: tensor<8x8x3x3xf32>) -> tensor<1x8x14x14xf32> {
      %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {}
          {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
          : (tensor<1x8x16x16xf32>, tensor<8x8x3x3xf32>) -> tensor<1x8x14x14xf32>
      return %0 : tensor<1x8x14x14xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<1x8x16x16xf32>, %arg1: tensor<8x8x3x3xf32>) -> tensor<1x8x14x14xf32> {
      %0 = stablehlo.transpose %arg0, dims = [0, 2, 3, 1] : (tensor<1x8x16x16xf32>) -> tensor<1x16x16x8xf32>
      %1 = stablehlo.transpose %arg1, dims = [2, 3, 1, 0] : (tensor<8x8x3x3xf32>) -> tensor<3x3x8x8xf32>
      %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
          {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x16x16x8xf32>,
          tensor<3x3x8x8xf32>) -> tensor<1x14x14x8xf32>
      %3 = stablehlo.transpose %2, dims = [0, 3, 1, 2] : (tensor<1x14x14x8xf32>) -> tensor<1x8x14x14xf32>
      return %3 : tensor<1x8x14x14xf32>
    }
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"v5e\"", "bundled target's name or path of a textproto">,
                 ListOption<"sets", "set", "std::string", "constants of the target to change: path=value">];
  // The pass asks the planner with kernels of this dialect.
  let dependentDialects = ["::tpuc::kernel::KernelDialect"];
}

#endif
