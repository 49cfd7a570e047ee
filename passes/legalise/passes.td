// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_PASSES_LEGALISE_PASSES
#define TPUC_PASSES_LEGALISE_PASSES
include "mlir/Pass/PassBase.td"

def SplitIntegerDotsPass : Pass<"tpuc-split-integer-dots", "::mlir::func::FuncOp"> {
  let summary = "int8 products as sums that f32 accumulators hold exactly";
  let description = [{
    For targets whose arrays take only floats: a contraction of more than 1024 int8 products,
    `dot_general [16, 2001] x [2001, 128]`, becomes dots of slices of the contracted dim, added as i32.

    ```mlir
    func.func @main(%a: tensor<16x2001xi8>, %b: tensor<2001x128xi8>) -> tensor<16x128xi32> {
      %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
          : (tensor<16x2001xi8>, tensor<2001x128xi8>) -> tensor<16x128xi32>
      return %0 : tensor<16x128xi32>
    }
    // becomes
    func.func @main(%arg0: tensor<16x2001xi8>, %arg1: tensor<2001x128xi8>) -> tensor<16x128xi32> {
      %0 = stablehlo.slice %arg1 [0:1024, 0:128] : (tensor<2001x128xi8>) -> tensor<1024x128xi8>
      %1 = stablehlo.slice %arg0 [0:16, 0:1024] : (tensor<16x2001xi8>) -> tensor<16x1024xi8>
      %2 = stablehlo.dot_general %1, %0, contracting_dims = [1] x [0] : (tensor<16x1024xi8>,
          tensor<1024x128xi8>) -> tensor<16x128xi32>
      %3 = stablehlo.slice %arg1 [1024:2001, 0:128] : (tensor<2001x128xi8>) -> tensor<977x128xi8>
      %4 = stablehlo.slice %arg0 [0:16, 1024:2001] : (tensor<16x2001xi8>) -> tensor<16x977xi8>
      %5 = stablehlo.dot_general %4, %3, contracting_dims = [1] x [0] : (tensor<16x977xi8>, tensor<977x128xi8>)
          -> tensor<16x128xi32>
      %6 = stablehlo.add %2, %5 : tensor<16x128xi32>
      return %6 : tensor<16x128xi32>
    }
    ```
  }];
}

// Behind the passes that choose how arrays lie: where one is put in another order, it lies in bytes.
def SlicePackedPass : Pass<"tpuc-slice-packed", "::mlir::func::FuncOp"> {
  let summary = "pieces of arrays of integers below a byte are widened where they are read";
  let description = [{
    The program's arrays of integers below a byte are packed, and take a byte each in between. Of stacked weights a loop
    reads a layer at a time: the layer is widened, not the stack before the loop.

    ```mlir
    func.func @main(%weights: tensor<4x256x128xi4>, %at: tensor<i32>) -> tensor<1x256x128xi8> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %0 = stablehlo.convert %weights : (tensor<4x256x128xi4>) -> tensor<4x256x128xi8>
      %1 = stablehlo.dynamic_slice %0, %at, %zero, %zero, sizes = [1, 256, 128]
          : (tensor<4x256x128xi8>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x256x128xi8>
      return %1 : tensor<1x256x128xi8>
    }
    // becomes
    func.func @main(%arg0: tensor<4x256x128xi4>, %arg1: tensor<i32>) -> tensor<1x256x128xi8> {
      %c = stablehlo.constant dense<0> : tensor<i32>
      %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c, sizes = [1, 256, 128]
          : (tensor<4x256x128xi4>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x256x128xi4>
      %1 = stablehlo.convert %0 : (tensor<1x256x128xi4>) -> tensor<1x256x128xi8>
      return %1 : tensor<1x256x128xi8>
    }
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
    func.func @main(%weights: tensor<128x128xf32>, %x: tensor<8x128xf32>, %n: tensor<i32>) -> tensor<8x128xf32> {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %0:3 = stablehlo.while(%i = %n, %w = %weights, %y = %x) : tensor<i32>, tensor<128x128xf32>, tensor<8x128xf32>
      cond {
        %p = stablehlo.compare GE, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %1 = stablehlo.dot_general %y, %w, contracting_dims = [1] x [0]
            : (tensor<8x128xf32>, tensor<128x128xf32>) -> tensor<8x128xf32>
        %2 = stablehlo.subtract %i, %one : tensor<i32>
        stablehlo.return %2, %w, %1 : tensor<i32>, tensor<128x128xf32>, tensor<8x128xf32>
      }
      return %0#2 : tensor<8x128xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<128x128xf32>, %arg1: tensor<8x128xf32>, %arg2: tensor<i32>) -> tensor<8x128xf32> {
      %c = stablehlo.constant dense<1> : tensor<i32>
      %0 = stablehlo.convert %arg0 : (tensor<128x128xf32>) -> tensor<128x128xbf16>
      %1:3 = stablehlo.while(%iterArg = %arg2, %iterArg_0 = %0, %iterArg_1 = %arg1)
          : tensor<i32>, tensor<128x128xbf16>, tensor<8x128xf32>
      ...
        %2 = stablehlo.dot_general %iterArg_1, %iterArg_0, contracting_dims = [1] x [0]
            : (tensor<8x128xf32>, tensor<128x128xbf16>) -> tensor<8x128xf32>
      ...
    }
    ```
  }];
  let options = [Option<"precision", "matmul-precision", "std::string", "\"\"",
      "default, high or highest; empty: as the program says">];
}

def RoundInDotsPass : Pass<"tpuc-round-in-dots", "::mlir::func::FuncOp"> {
  let summary = "f32 weights that a matmul alone takes as bf16 are rounded on their way into the array";
  let description = [{
    Models keep f32 weights and compute in bf16. Where the program converts them for one matmul of one bf16 pass, the
    matmul takes them as they are: the same numbers, and no array of them beside. Arguments and slices of them only;
    what a kernel computes leaves it as bf16. `matmul-precision`: what the user asks for; above default nothing changes.

    ```mlir
    func.func @main(%x: tensor<128x512xbf16>, %w: tensor<512x256xf32>) -> tensor<128x256xbf16> {
      %0 = stablehlo.convert %w : (tensor<512x256xf32>) -> tensor<512x256xbf16>
      %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0]
          : (tensor<128x512xbf16>, tensor<512x256xbf16>) -> tensor<128x256xbf16>
      return %1 : tensor<128x256xbf16>
    }
    // becomes
    func.func @main(%arg0: tensor<128x512xbf16>, %arg1: tensor<512x256xf32>) -> tensor<128x256xbf16> {
      %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<128x512xbf16>,
          tensor<512x256xf32>) -> tensor<128x256xbf16>
      return %0 : tensor<128x256xbf16>
    }
    ```
  }];
  let options = [
    Option<"precision", "matmul-precision", "std::string", "\"\"",
        "default, high or highest; empty: as the program says">,
    Option<"longRows", "long-rows", "int64_t", "512", "rows that take as long as reading f32 weights again">];
}

def ExpandBitsPass : Pass<"tpuc-expand-bits", "::mlir::func::FuncOp"> {
  let summary = "reduce_precision, bitcast_convert between widths and powers of integers, as integer ops";
  let description = [{
    ```mlir
    func.func @main(%x: tensor<8xi32>) -> tensor<8x2xi16> {
      %0 = stablehlo.bitcast_convert %x : (tensor<8xi32>) -> tensor<8x2xi16>
      return %0 : tensor<8x2xi16>
    }
    // becomes
    func.func @main(%arg0: tensor<8xi32>) -> tensor<8x2xi16> {
      %0 = stablehlo.bitcast_convert %arg0 : (tensor<8xi32>) -> tensor<8xui32>
      %c = stablehlo.constant dense<65535> : tensor<8xui32>
      %1 = stablehlo.and %0, %c : tensor<8xui32>
      %2 = stablehlo.convert %1 : (tensor<8xui32>) -> tensor<8xui16>
      %3 = stablehlo.reshape %2 : (tensor<8xui16>) -> tensor<8x1xui16>
      %c_0 = stablehlo.constant dense<16> : tensor<8xui32>
      %4 = stablehlo.shift_right_logical %0, %c_0 : tensor<8xui32>
      %c_1 = stablehlo.constant dense<65535> : tensor<8xui32>
      %5 = stablehlo.and %4, %c_1 : tensor<8xui32>
      %6 = stablehlo.convert %5 : (tensor<8xui32>) -> tensor<8xui16>
      %7 = stablehlo.reshape %6 : (tensor<8xui16>) -> tensor<8x1xui16>
      %8 = stablehlo.concatenate %3, %7, dim = 1 : (tensor<8x1xui16>, tensor<8x1xui16>) -> tensor<8x2xui16>
      %9 = stablehlo.bitcast_convert %8 : (tensor<8x2xui16>) -> tensor<8x2xi16>
      return %9 : tensor<8x2xi16>
    }
    ```
  }];
}

def LegaliseComplexPass : Pass<"tpuc-legalise-complex", "::mlir::func::FuncOp"> {
  let summary = "complex arrays as their real and imaginary parts";
  let description = [{
    Every complex value becomes two of its parts' type, in regions and control flow too; the function's own arrays are
    split and joined (`kernel.split`, `kernel.join`), which moves nothing.

    ```mlir
    func.func @main(%x: tensor<8xcomplex<f32>>, %y: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>> {
      %0 = stablehlo.add %x, %y : tensor<8xcomplex<f32>>
      return %0 : tensor<8xcomplex<f32>>
    }
    // becomes
    func.func @main(%arg0: tensor<8xcomplex<f32>>, %arg1: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>> {
      %0:2 = kernel.split %arg0 : tensor<8xcomplex<f32>> -> tensor<8xf32>, tensor<8xf32>
      %1:2 = kernel.split %arg1 : tensor<8xcomplex<f32>> -> tensor<8xf32>, tensor<8xf32>
      %2 = stablehlo.add %0#0, %1#0 : tensor<8xf32>
      %3 = stablehlo.add %0#1, %1#1 : tensor<8xf32>
      %4 = kernel.join %2, %3 : tensor<8xf32>, tensor<8xf32> -> tensor<8xcomplex<f32>>
      return %4 : tensor<8xcomplex<f32>>
    }
    ```
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

    ```mlir
    func.func @main(%x: tensor<8xi64>, %y: tensor<8xi64>) -> tensor<8xi64> {
      %0 = stablehlo.and %x, %y : tensor<8xi64>
      return %0 : tensor<8xi64>
    }
    // becomes
    func.func @main(%arg0: tensor<8xi64>, %arg1: tensor<8xi64>) -> tensor<8xi64> {
      %0:2 = kernel.split %arg0 : tensor<8xi64> -> tensor<8xui32>, tensor<8xui32>
      %1:2 = kernel.split %arg1 : tensor<8xi64> -> tensor<8xui32>, tensor<8xui32>
      %2 = stablehlo.and %0#0, %1#0 : tensor<8xui32>
      %3 = stablehlo.and %0#1, %1#1 : tensor<8xui32>
      %4 = kernel.join %2, %3 : tensor<8xui32>, tensor<8xui32> -> tensor<8xi64>
      return %4 : tensor<8xi64>
    }
    ```
  }];
  let dependentDialects = ["::tpuc::kernel::KernelDialect"];
}

def LegaliseQuantisedPass : Pass<"tpuc-legalise-quantised", "::mlir::func::FuncOp"> {
  let summary = "quantised arrays as their storage integers";
  let description = [{
    `add` of two arrays of `!quant.uniform<i8:f32, 0.5:-1>` becomes an add of f32 between `(q + 1) * 0.5` and
    `round(clamp(x / 0.5 - 1))`. Dots and convolutions of 8 bits multiply the centred integers; the function itself
    takes and returns the integers.

    ```mlir
    func.func @main(%x: tensor<8x!quant.uniform<i8:f32, 0.5>>) -> tensor<8xf32> {
      %0 = stablehlo.uniform_dequantize %x : (tensor<8x!quant.uniform<i8:f32, 0.5>>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<8xi8>) -> tensor<8xf32> {
      %cst = stablehlo.constant dense<5.000000e-01> : tensor<8xf32>
      %0 = stablehlo.convert %arg0 : (tensor<8xi8>) -> tensor<8xf32>
      %1 = stablehlo.multiply %0, %cst : tensor<8xf32>
      return %1 : tensor<8xf32>
    }
    ```
  }];
}

def LegaliseNarrowFloatsPass : Pass<"tpuc-legalise-narrow-floats", "::mlir::func::FuncOp"> {
  let summary = "floats of 8 bits and less as their bits, computed on as f32";
  let description = [{
    An f8, f6 or f4 array is an array of ui8 or ui4 (`kernel.split`, `kernel.join`: the same bytes). Ops that compute
    decode their operands to f32 and round their results once; dots take bf16, which holds every such number.

    ```mlir
    func.func @main(%x: tensor<8xf8E5M2>) -> tensor<8xf32> {
      %0 = stablehlo.convert %x : (tensor<8xf8E5M2>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<8xf8E5M2>) -> tensor<8xf32> {
      %0 = kernel.split %arg0 : tensor<8xf8E5M2> -> tensor<8xui8>
      %1 = stablehlo.convert %0 : (tensor<8xui8>) -> tensor<8xui32>
      %c = stablehlo.constant dense<2143289344> : tensor<8xui32>
      %c_0 = stablehlo.constant dense<128> : tensor<8xui32>
      %2 = stablehlo.and %1, %c_0 : tensor<8xui32>
      %c_1 = stablehlo.constant dense<24> : tensor<8xui32>
      %3 = stablehlo.shift_left %2, %c_1 : tensor<8xui32>
      %c_2 = stablehlo.constant dense<127> : tensor<8xui32>
      %4 = stablehlo.and %1, %c_2 : tensor<8xui32>
      %cst = stablehlo.constant dense<5.19229686E+33> : tensor<8xf32>
      %c_3 = stablehlo.constant dense<21> : tensor<8xui32>
      %5 = stablehlo.shift_left %4, %c_3 : tensor<8xui32>
      %6 = stablehlo.bitcast_convert %5 : (tensor<8xui32>) -> tensor<8xf32>
      %7 = stablehlo.multiply %6, %cst : tensor<8xf32>
      %8 = stablehlo.bitcast_convert %7 : (tensor<8xf32>) -> tensor<8xui32>
      ...
      %14 = stablehlo.bitcast_convert %13 : (tensor<8xui32>) -> tensor<8xf32>
      return %14 : tensor<8xf32>
    }
    ```
  }];
  let dependentDialects = ["::tpuc::kernel::KernelDialect"];
}

def LegaliseSubBytePass : Pass<"tpuc-legalise-sub-byte", "::mlir::func::FuncOp"> {
  let summary = "integers of 2 and 4 bits as bytes between the program's own arrays";
  let description = [{
    Arguments, results and array constants stay packed; a convert to i8 or ui8 unpacks them, in the kernel that reads
    them.

    ```mlir
    func.func @main(%x: tensor<8xi4>, %y: tensor<8xi4>) -> tensor<8xi4> {
      %0 = stablehlo.add %x, %y : tensor<8xi4>
      return %0 : tensor<8xi4>
    }
    // becomes
    func.func @main(%arg0: tensor<8xi4>, %arg1: tensor<8xi4>) -> tensor<8xi4> {
      %0 = stablehlo.convert %arg0 : (tensor<8xi4>) -> tensor<8xi8>
      %1 = stablehlo.convert %arg1 : (tensor<8xi4>) -> tensor<8xi8>
      %2 = stablehlo.convert %0 : (tensor<8xi8>) -> tensor<8xi4>
      %3 = stablehlo.convert %1 : (tensor<8xi8>) -> tensor<8xi4>
      %4 = stablehlo.add %2, %3 : tensor<8xi4>
      %5 = stablehlo.convert %4 : (tensor<8xi4>) -> tensor<8xi8>
      %6 = stablehlo.convert %5 : (tensor<8xi8>) -> tensor<8xi4>
      return %6 : tensor<8xi4>
    }
    ```
  }];
}

#endif
