// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_PASSES_EXPAND_PASSES
#define TPUC_PASSES_EXPAND_PASSES
include "mlir/Pass/PassBase.td"

// First: everything else looks at bodies of plain ops.
def FlattenBodiesPass : Pass<"tpuc-flatten-bodies", "::mlir::func::FuncOp"> {
  let summary = "branches in the computations of reductions, scatters and sorts as selects";
  let description = [{
    `reduce` with `if (x > y) x else x + y` computes both and selects. A loop of a branch runs while the branch is
    taken. Loops stay: maps, reductions and windows run them on whole arrays until no element goes on. A sort whose
    comparator has one compares each element with
    all others first and sorts by rank; a scatter becomes a loop over its windows. So does a scatter whose computation
    reads a value from outside; a comparator's is sorted with the arrays. Scattered arrays of several widths become 32
    bits wide.
  }];
}

// On the program's own types and computations: what follows legalises exchanges as any other move.
def ExpandCollectivesPass : Pass<"tpuc-expand-collectives", "::mlir::func::FuncOp"> {
  let summary = "collectives as exchanges of arrays and blocks, and ordinary ops";
  let description = [{
    Groups become those of device numbers. An `all_gather` along dim 1 is an exchange into blocks and a transpose; an
    `all_reduce` gathers and adds in the order of the group, or, where that sends more than `latency-bytes` too many,
    scatters parts, adds, and gathers the sums.

    ```mlir
    %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({ ... add ... })
    // becomes
    %2 = kernel.exchange_start "gather" %0 groups dense<[[0, 1]]> of "all_reduce" : ... -> tensor<2x8x128xf32>
    %3 = kernel.exchange_done %2, %0 : ...
    %4 = stablehlo.slice %3 [0:1, 0:8, 0:128] ...
    ```
  }];
  let options = [Option<"latencyBytes", "latency-bytes", "int64_t", "65536",
                        "what a chip sends in the time that one more exchange takes">];
  let dependentDialects = ["::tpuc::kernel::KernelDialect"];
}

def DropUnitDimsPass : Pass<"tpuc-drop-unit-dims", "::mlir::func::FuncOp"> {
  let summary = "compute without dims of one element";
  let description = [{
    `transpose [8, 12, 512, 512, 1] -> [8, 12, 1, 512, 512]` becomes a transpose of the four dims that have elements,
    between reshapes; so do elementwise ops, broadcasts, reductions and dots. No array is then padded because of a dim
    of one element.
  }];
}

// Before reductions of part of a dim meet what has kernels.
def UndoSplitsPass : Pass<"tpuc-undo-splits", "::mlir::func::FuncOp"> {
  let summary = "compute on arrays as they are, not split into groups, where they are put together again";
  let description = [{
    A group norm splits `[16, 64, 64, 128]` into `[16, 64, 64, 32, 4]`, of which a tile holds 4 lanes, reduces to `[16,
    32]`, and puts the result together again. Here the array is reduced to `[16, 128]`, that to `[16, 32, 4]` and `[16,
    32]`, and means are spread to
    `[16, 128]` before they are spread to the array.
  }];
}

// Before anything else drops or moves the dims that say so.
def ExpandLookupsPass : Pass<"tpuc-expand-lookups", "::mlir::func::FuncOp"> {
  let summary = "gathers from small arrays as lookups in a vector";
  let description = [{
    Where the operand's elements are few enough for VMEM to hold and each window's are fewer still, every element of the
    result has its own index into the operand as a vector. A kernel then looks up whole vregs of them, where transfers
    would fetch window by window.
  }];
}

def ExpandTalliesPass : Pass<"tpuc-expand-tallies", "::mlir::func::FuncOp"> {
  let summary = "scatters of single elements into small arrays as reductions";
  let description = [{
    Each place of the operand reduces the updates whose index names it: a comparison of all places with all indices that
    no array holds. Updates outside have no place. Where updates replace, the last one's number is what is reduced.
  }];
}

def ExpandPicksPass : Pass<"tpuc-expand-picks", "::mlir::func::FuncOp"> {
  let summary = "gathers and scatters of one element a row as selects";
  let description = [{
    `take_along_axis(x, i[:, None], 1)`, a gather with a batching dim for each dim but one, compares the row's positions
    with its index: one pass that fuses with what makes the rows, where the scalar unit would fetch element by element.
    A scatter of one
    element a row, its gradient, selects likewise.
  }];
}

def SplitIntegerDotsPass : Pass<"tpuc-split-integer-dots", "::mlir::func::FuncOp"> {
  let summary = "int8 products as sums that f32 accumulators hold exactly";
  let description = [{
    For targets whose arrays take only floats: a contraction of more than 1024 int8 products,
    `dot_general [16, 2001] x [2001, 128]`, becomes dots of slices of the contracted dim, added as i32.
  }];
}

def NormaliseDotsPass : Pass<"tpuc-normalise-dots", "::mlir::func::FuncOp"> {
  let summary = "give every dot_general operands that the matrix unit can stream";
  let description = [{
    The streaming operand of a dot has a contracted or one of its free dims last, the weights a free or the same
    contracted one. An operand that lies otherwise (a batch dim last, two different contracted dims last) is transposed.

    A batch of products of a vector and a matrix has its batch along the sublanes, where a block holds all of it. One
    too long for that is split: `[5120, 16] x [5120, 16, 40]` becomes `[20, 256, 16] x [20, 256, 16, 40]`. Where the
    matrix has few columns, or all are a part
    of a vreg, the products are summed in the lanes: `[5120, 16] x [5120, 16, 4]` is a multiplication and a reduction of
    the matrices as they lie.
  }];
  let options = [Option<"vmemBytes", "vmem-bytes", "int64_t", "117440512", "VMEM that a kernel's blocks may use">,
                 Option<"mxuSide", "mxu-side", "int64_t", "128", "rows and columns of an array of the matrix unit">];
}

def ChooseLayoutsPass : Pass<"tpuc-choose-layouts", "::mlir::func::FuncOp"> {
  let summary = "dims of arguments and results in the order whose tiles pad least, where dots make or read them";
  let description = [{
    An array's last two dims lie in tiles of 8p x 128: `[16384, 32]` takes four times its bytes, `[32, 16384]` none
    more. The attribute `tpuc.order` of an argument or result gives its physical order of dims; the type is from here on
    that of the array as it lies.

    ```mlir
    func.func @main(%x: tensor<32x16384xbf16>, %w: tensor<32x16384xbf16> {tpuc.order = array<i64: 1, 0>}) -> ...
    ```
  }];
}

def NarrowLoopOperandsPass : Pass<"tpuc-narrow-loop-operands", "::mlir::func::FuncOp"> {
  let summary = "what a loop's matmuls would round to bf16 each time round is rounded before the loop";
  let description = [{
    An f32 dot of default precision rounds its operands to bf16. Weights that a loop carries unchanged, for such dots
    alone, are bf16 before it: the same numbers, half the bytes to fetch and nothing to pack in each iteration.
    `matmul-precision`: what the user asks for; above default nothing changes.

    ```mlir
    %w16 = stablehlo.convert %w : (tensor<128x512xf32>) -> tensor<128x512xbf16>
    %0 = stablehlo.while(%u = %w16, ...)
    ```
  }];
  let options = [Option<"precision", "matmul-precision", "std::string", "\"\"",
      "default, high or highest; empty: as the program says">];
}

def OrderArraysPass : Pass<"tpuc-order-arrays", "::mlir::func::FuncOp"> {
  let summary = "dims of arrays of three dims and more in the order whose tiles pad least";
  let description = [{
    Heads of 4x32 take eight times their bytes in tiles of 8x128; 32 by 64 positions take twice. An order is taken by
    all arrays that are computed dim by dim with one another, over loops too, where that halves their bytes:
    `tpuc.order` for arguments and results, plain types for
    the rest. Dots are renumbered, what they make is transposed to that order at once.

    ```mlir
    func.func @main(%w: tensor<4x32x128xf32> {tpuc.order = array<i64: 1, 2, 0>}) -> ...   // was 128x4x32
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
    %0 = stablehlo.convolution(%patches, %weights) .. : (tensor<112x224x48xf32>, tensor<16x48x768xf32>) ->
    tensor<112x14x768xf32>
    // was (tensor<8x3x224x224xf32>, tensor<768x3x16x16xf32>) -> tensor<8x768x14x14xf32>
    ```
  }];
}

def OrderConvolutionsPass : Pass<"tpuc-order-convolutions", "::mlir::func::FuncOp"> {
  let summary = "what lies between convolutions in the order of dims that their kernels take";
  let description = [{
    A model with its features first, as PyTorch's are, gets a transpose at each side of each convolution from
    `tpuc-normalise-convolutions`. All that is computed dim by dim between them takes the order of the convolutions'
    sides, arguments and results included where that doesn't blow them up,
    if that moves fewer bytes; what needs its dims as they are is given them by a transpose.

    ```mlir
    %0 = stablehlo.convolution(..) -> tensor<8x56x56x144xf32>
    %1 = stablehlo.maximum %0, %zero : tensor<8x56x56x144xf32>      // was on a transpose, 8x144x56x56
    %2 = stablehlo.convolution(%1, ..)                              // and transposed again
    ```
  }];
}

def ExpandConvolutionPass : Pass<"tpuc-expand-convolution", "::mlir::func::FuncOp"> {
  let summary = "convolutions without a kernel of their own as padded, strided slices and one dot_general";
  let options = [Option<"vmemBytes", "vmem-bytes", "int64_t", "117440512", "VMEM that a kernel's blocks may use">,
                 Option<"arrays", "arrays", "int64_t", "4", "of the matrix unit">,
                 Option<"sumRows", "sum-rows", "int64_t", "4096", "that an array has room for">,
                 Option<"floatArrays", "float-arrays", "bool", "false", "they do not take integers">];
}

def NormaliseConvolutionsPass : Pass<"tpuc-normalise-convolutions", "::mlir::func::FuncOp"> {
  let summary = "convolutions to the form that their kernel takes";
  let description = [{
    Features along lanes: input and result [batch, space.., features], weights [window.., in, out] or [window.., out,
    in]. A reversal of the weights becomes the window's; feature groups become weights that are zero between groups.
    What does not fit
    stays as it is.
  }];
  let options = [Option<"vmemBytes", "vmem-bytes", "int64_t", "117440512", "VMEM that a kernel's blocks may use">,
                 Option<"arrays", "arrays", "int64_t", "4", "of the matrix unit">,
                 Option<"sumRows", "sum-rows", "int64_t", "4096", "that an array has room for">,
                 Option<"floatArrays", "float-arrays", "bool", "false", "they do not take integers">];
}

def ExpandReduceWindowPass : Pass<"tpuc-expand-reduce-window", "::mlir::func::FuncOp"> {
  let summary = "reduce_window without a kernel of its own as strided slices combined elementwise";
  let options = [Option<"vmemBytes", "vmem-bytes", "int64_t", "117440512", "VMEM that a kernel's blocks may use">];
}

// On computations as the program wrote them, before elements change their types.
def OrderReductionsPass : Pass<"tpuc-order-reductions", "::mlir::func::FuncOp"> {
  let summary = "reductions that depend on the order of their elements as trees of neighbours";
  let description = [{
    `(x, y) -> x1 * y0, x1 * y1 + ...` composes: exchanging its sides changes the result, and kernels combine elements
    in the order of
    tiles. Such a reduction over 5 elements is 2 combinations of neighbours, then 1, then 1, elementwise on rows.
    Computations that commute stay as they are; a choice of an extreme and its index takes the smaller index of two
    NaNs.
  }];
}

def ExpandDotPass : Pass<"tpuc-expand-dot", "::mlir::func::FuncOp"> {
  let summary = "dots of types that the matrix unit does not take as products and sums";
}

def IsolateInitialValuesPass : Pass<"tpuc-isolate-initial-values", "::mlir::func::FuncOp"> {
  let summary = "reductions whose initial value counts once, at the end";
}

def NormaliseSortsPass : Pass<"tpuc-normalise-sorts", "::mlir::func::FuncOp"> {
  let summary = "sorts of one or two dims";
  let description = [{
    The sorted dim stays last or comes first, where the others lie along lanes; those become one.
  }];
  let options = [Option<"vmemBytes", "vmem-bytes", "int64_t", "117440512", "VMEM that a kernel's blocks may use">];
}

def ExpandBitsPass : Pass<"tpuc-expand-bits", "::mlir::func::FuncOp"> {
  let summary = "reduce_precision, bitcast_convert between widths and powers of integers, as integer ops";
}

def ExpandRegionsPass : Pass<"tpuc-expand-regions", "::mlir::func::FuncOp"> {
  let summary = "map, and select_and_scatter without a kernel of its own, as elementwise ops";
  let options = [Option<"vmemBytes", "vmem-bytes", "int64_t", "117440512", "VMEM that a kernel's blocks may use">];
}

def ExpandFftPass : Pass<"tpuc-expand-fft", "::mlir::func::FuncOp"> {
  let summary = "Fourier transforms as matmuls";
}

def ExpandLinalgPass : Pass<"tpuc-expand-linalg", "::mlir::func::FuncOp"> {
  let summary = "cholesky, triangular_solve and JAX's calls of factorisations as loops over panels";
  let description = [{
    Also the calls `tpuc.svd`, `tpuc.tridiagonal_solve`, `tpuc.hessenberg`, `tpuc.tridiagonal`, `tpuc.pivoted_qr`,
    `tpuc.schur` and `tpuc.eig` that the stage `simplify` makes of LAPACK's routines.
  }];
  let dependentDialects = ["::tpuc::kernel::KernelDialect"];
}

def ExpandRngPass : Pass<"tpuc-expand-rng", "::mlir::func::FuncOp"> {
  let summary = "rng_bit_generator as rounds of Threefry or Philox, rng as a distribution of Philox's bits";
  let description = [{
    The algorithm DEFAULT is Philox, as XLA's is on other hosts. `rng` names no state: its key is the op's number in the
    program, and the upper half of its counter tells the iterations of the loops around it, so that a program gives the
    same numbers each time
    it runs and others in each iteration.
  }];
  let dependentDialects = ["::tpuc::kernel::KernelDialect"];
}

def ExpandBatchNormPass : Pass<"tpuc-expand-batch-norm", "::mlir::func::FuncOp"> {
  let summary = "batch_norm_training, _inference and _grad as sums and elementwise ops";
}

def LegaliseComplexPass : Pass<"tpuc-legalise-complex", "::mlir::func::FuncOp"> {
  let summary = "complex arrays as their real and imaginary parts";
  let description = [{
    Every complex value becomes two of its parts' type, in regions and control flow too; the function's own arrays are
    split and joined (`kernel.split`, `kernel.join`), which moves nothing.
  }];
  let dependentDialects = ["::tpuc::kernel::KernelDialect"];
}

def LegaliseWidePass : Pass<"tpuc-legalise-wide", "::mlir::ModuleOp"> {
  let summary = "64-bit elements as pairs of 32-bit words, with their arithmetic";
  let description = [{
    Every value of i64, ui64 or f64 becomes two ui32 values, low and high words. Integer arithmetic carries between
    them; f64 is IEEE 754 on integers, rounded to nearest even; chlo's lgamma and digamma are 128-bit fixed point.
    What takes more than a few ops is a `kernel.function` of scalars, applied wherever it is needed. Indices become
    i32, saturated.
  }];
  let dependentDialects = ["::tpuc::kernel::KernelDialect"];
}

def LegaliseQuantisedPass : Pass<"tpuc-legalise-quantised", "::mlir::func::FuncOp"> {
  let summary = "quantised arrays as their storage integers";
  let description = [{
    `add` of two arrays of `!quant.uniform<i8:f32, 0.5:-1>` becomes an add of f32 between `(q + 1) * 0.5` and
    `round(clamp(x / 0.5 - 1))`. Dots and convolutions of 8 bits multiply the centred integers; the function itself
    takes and returns the integers.
  }];
}

def LegaliseNarrowFloatsPass : Pass<"tpuc-legalise-narrow-floats", "::mlir::func::FuncOp"> {
  let summary = "floats of 8 bits and less as their bits, computed on as f32";
  let description = [{
    An f8, f6 or f4 array is an array of ui8 or ui4 (`kernel.split`, `kernel.join`: the same bytes). Ops that compute
    decode their operands to f32 and round their results once; dots take bf16, which holds every such number.
  }];
  let dependentDialects = ["::tpuc::kernel::KernelDialect"];
}

def LegaliseSubBytePass : Pass<"tpuc-legalise-sub-byte", "::mlir::func::FuncOp"> {
  let summary = "integers of 2 and 4 bits as bytes between the program's own arrays";
  let description = [{
    Arguments, results and array constants stay packed; a convert to i8 or ui8 unpacks them, in the kernel that reads
    them.
  }];
}

#endif
