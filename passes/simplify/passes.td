//===- passes.td - passes of the simplify stage, in the order in which they run ------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_PASSES_SIMPLIFY_PASSES
#define TPUC_PASSES_SIMPLIFY_PASSES

include "mlir/Pass/PassBase.td"

def InlineCallsPass : Pass<"tpuc-inline-calls", "::mlir::ModuleOp"> {
  let summary = "put every called function where it is called";
  let description = [{
    JAX outlines each jitted helper into a private function. Fusion works within one function, so calls go first:
    callees before callers, each op of a copy located at its own place as called from the call's. Composites are
    calls of their decomposition, those that say an op of chlo become that op. Private functions are erased; a cycle of
    calls is an error.

    ```mlir
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = call @twice(%x) : (tensor<8xf32>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    func.func private @twice(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = stablehlo.add %x, %x : tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      %0 = stablehlo.add %arg0, %arg0 : tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    ```
  }];
  let dependentDialects = ["::tpuc::chlo::ChloDialect"];
  let options = [Option<"maxOps", "max-ops", "int64_t", "4000000",
                        "ops after inlining beyond which the module is refused">];
}

// While tokens say what is sent after what.
def PairTransfersPass : Pass<"tpuc-pair-transfers", "::mlir::func::FuncOp"> {
  let summary = "a send and the recv of its channel as collective permutes";
  let description = [{
    Each array that the send sends is permuted along its pairs. The two stand in one block, and nothing needs what is
    received before it is sent: anything else is refused.

    ```mlir
    module attributes {mhlo.num_partitions = 2 : i32} {
      func.func @main(%x: tensor<4xf32>, %token: !stablehlo.token) -> tensor<4xf32> {
        %t = "stablehlo.send"(%x, %token) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>,
            source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}
            : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
        %y, %t2 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>}
            : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
        return %y : tensor<4xf32>
      }
    }
    // becomes
    func.func @main(%arg0: tensor<4xf32>, %arg1: !stablehlo.token) -> tensor<4xf32> {
      %0 = "stablehlo.collective_permute"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
          source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```
  }];
}

def DropTokensPass : Pass<"tpuc-drop-tokens", "::mlir::ModuleOp"> {
  let summary = "arrays of no element for tokens";
  let description = [{
    The machine runs a program's ops in their order: a token orders nothing. Arguments, results and loop-carried values
    that are tokens stay, as arrays of no element, so that callers find as many as they wrote. Ops that talk to the host
    over a token are refused later, by what they are.

    ```mlir
    func.func @main(%x: tensor<8xf32>) -> (tensor<8xf32>, !stablehlo.token) {
      %0 = stablehlo.create_token : !stablehlo.token
      %1 = stablehlo.after_all %0, %0 : !stablehlo.token
      return %x, %1 : tensor<8xf32>, !stablehlo.token
    }
    // becomes
    func.func @main(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<0xi1>) {
      %c = stablehlo.constant dense<> : tensor<0xi1>
      %c_0 = stablehlo.constant dense<> : tensor<0xi1>
      return %arg0, %c_0 : tensor<8xf32>, tensor<0xi1>
    }
    ```
  }];
}

def LegalizeCustomCallsPass : Pass<"tpuc-legalize-custom-calls", "::mlir::ModuleOp"> {
  let summary = "ops of the dialects for the custom calls that JAX and older exporters make of them";
  let description = [{
    `custom_call @Sharding(%x)` on one device is `%x`; `@ApproxTopK` is a sort with the comparator that it names and a
    slice, as exact results are approximate ones too; `@mhlo.erf` is `chlo.erf`, `@mhlo.topk` and `@TopK` are
    `chlo.top_k`. The factorisations (`@Qr`,
    `@LuDecomposition`, `@ProductOfElementaryHouseholderReflectors`, `@Eigh`) stay for the stage `expand`. LAPACK's
    routines, which JAX calls where it lowers for a CPU, become those or ops. Other names are refused.

    ```mlir
    func.func @main(%a: tensor<4x4xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %0 = stablehlo.custom_call @lapack_strsm_ffi(%a, %b) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8,
          trans_x = 78 : ui8, uplo = 76 : ui8}} : (tensor<4x4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<4x4xf32>, %arg1: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %0 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, lower = true,
          transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}>
          : (tensor<4x4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
    ```
  }];
  let dependentDialects = ["::tpuc::chlo::ChloDialect"];
}

def ExtractChecksPass : Pass<"tpuc-extract-checks", "::mlir::ModuleOp"> {
  let summary = "turn what a program expects of its values into results and a table";
  let description = [{
    Runs after the calls are gone, as checks stand in called functions too. Both sides of a check become results of
    main: the machine computes them, and whoever runs the program compares, by the table in the module's attribute.
    The custom calls `check.expect_eq`, `check.expect_almost_eq`, `check.expect_close` and `check.eq` mean the same.

    ```mlir
    func.func @main(%x: tensor<2xf32>) {
      check.expect_eq_const %x, dense<1.0> : tensor<2xf32>
      return
    }
    // becomes, in a module with {check.expectations = [#check.expectation<equal, actual = 0, expected = 1, ...>]}
    func.func @main(%arg0: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<2xf32>
      return %arg0, %cst : tensor<2xf32>, tensor<2xf32>
    }
    ```
  }];
  let dependentDialects = ["::tpuc::check::CheckDialect", "::tpuc::stablehlo::StablehloDialect"];
}

def LegalizeChloPass : Pass<"tpuc-legalize-chlo", "::mlir::func::FuncOp"> {
  let summary = "write chlo ops in stablehlo";
  let description = [{
    Broadcasting forms, constants, predicates and what is defined by a few exact operations; functions such as erf or
    lgamma as formulas, computed in f32 (or f64) within 3 values of the exact result; top_k by a sort, scan by a loop,
    ragged_dot by masks. lgamma and digamma of f64 stay, for the pass that computes on words.

    ```mlir
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = chlo.square %x : tensor<8xf32> -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      %0 = stablehlo.multiply %arg0, %arg0 : tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    ```
  }];
  let dependentDialects = ["::tpuc::kernel::KernelDialect", "::tpuc::stablehlo::StablehloDialect"];
}

def SimplifyPass : Pass<"tpuc-simplify"> {
  let summary = "algebra, composition of moves, folding of splats";
  let description = [{
    Rewrites to a fixed point. A rewrite gives the same bits for every input, or what the specification leaves open:
    x + 0 stays where x may be -0, x * 0 stays where x may be NaN. Only splats and shapes are folded, never the
    elements of an array: constants are arrays in memory and computing is the machine's work. Of splats only the
    operations that IEEE 754 rounds correctly are folded, and not where a NaN or a denormal is in play.

    ```mlir
    func.func @main(%x: tensor<16xf32>) -> tensor<8x16xf32> {
      %c = stablehlo.constant dense<1.0> : tensor<f32>
      %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
      %1 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<16xf32>) -> tensor<1x16xf32>
      %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x16xf32>) -> tensor<8x16xf32>
      %3 = stablehlo.multiply %2, %0 : tensor<8x16xf32>
      return %3 : tensor<8x16xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<16xf32>) -> tensor<8x16xf32> {
      %0 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<16xf32>) -> tensor<8x16xf32>
      return %0 : tensor<8x16xf32>
    }
    ```
  }];
  let dependentDialects = ["::tpuc::stablehlo::StablehloDialect"];
}

// Before any product changes.
def CountFlopsPass : Pass<"tpuc-count-flops", "::mlir::func::FuncOp"> {
  let summary = "note what the program's own products take, in their locations";
  let description = [{
    Operations of `dot_general`, `dot`, `einsum`, `convolution` and `chlo.ragged_dot`, 2 a multiply-add, of all
    iterations of loops whose trip count is known. A location stays with whatever later passes make of an op, so that
    each kernel knows what it does of the program's work, and
    no zero that a pass put in counts.

    ```mlir
    // --tpuc-count-flops
    // --mlir-print-debuginfo
    // --mlir-print-local-scope
    func.func @main(%x: tensor<4x10xf32>, %w: tensor<10x20xf32>) -> tensor<4x20xf32> {
      %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
          : (tensor<4x10xf32>, tensor<10x20xf32>) -> tensor<4x20xf32> loc("mlp.py":3:8)
      return %0 : tensor<4x20xf32>
    }
    // becomes
    ...
      %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0]
          : (tensor<4x10xf32>, tensor<10x20xf32>) -> tensor<4x20xf32>
          loc(fused<{flops = 1.600000e+03 : f64, product = 0 : i64}>["mlp.py":3:8])
    ...
    ```
  }];
}

def UnrollLoopsPass : Pass<"tpuc-unroll-loops", "::mlir::func::FuncOp"> {
  let summary = "short loops of elementwise work as straight code";
  let description = [{
    A loop of eight iterations at most whose body is elementwise, 512 ops in all, is its iterations one after the other:
    they fuse, where each would read and write all arrays. Parts of small vectors of constants, as the rotations of a
    random number generator are, are constants then.

    ```mlir
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<8xf32>
      cond {
        %two = stablehlo.constant dense<2> : tensor<i32>
        %p = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %n = stablehlo.add %i, %one : tensor<i32>
        %z = stablehlo.tanh %y : tensor<8xf32>
        stablehlo.return %n, %z : tensor<i32>, tensor<8xf32>
      }
      return %0#1 : tensor<8xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      %c = stablehlo.constant dense<0> : tensor<i32>
      %c_0 = stablehlo.constant dense<1> : tensor<i32>
      %0 = stablehlo.add %c, %c_0 : tensor<i32>
      %1 = stablehlo.tanh %arg0 : tensor<8xf32>
      %c_1 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %0, %c_1 : tensor<i32>
      %3 = stablehlo.tanh %1 : tensor<8xf32>
      return %3 : tensor<8xf32>
    }
    ```
  }];
}

// On the program's own types, before they are split, and again when the loops of expansions are there.
def CountLoopsPass : Pass<"tpuc-count-loops", "::mlir::func::FuncOp"> {
  let summary = "say of loops how often they run, where no data decides it";
  let description = [{
    The scalars that a condition depends on are computed iteration by iteration: counters of any type, direction and
    step, conjunctions, branches, inner loops. `kernel.trip_count` is from then on how often the loop runs: the scalar
    unit counts, and the condition is not evaluated. What depends on an argument or an array stays as it is.

    ```mlir
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<8xf32>
      cond {
        %twelve = stablehlo.constant dense<12> : tensor<i32>
        %p = stablehlo.compare LT, %i, %twelve : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %three = stablehlo.constant dense<3> : tensor<i32>
        %n = stablehlo.add %i, %three : tensor<i32>
        %z = stablehlo.tanh %y : tensor<8xf32>
        stablehlo.return %n, %z : tensor<i32>, tensor<8xf32>
      }
      return %0#1 : tensor<8xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      %c = stablehlo.constant dense<0> : tensor<i32>
      %0:2 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg0) : tensor<i32>, tensor<8xf32> attributes
          {kernel.trip_count = 4 : i64}
      cond {
        %c_1 = stablehlo.constant dense<12> : tensor<i32>
        %1 = stablehlo.compare LT, %iterArg, %c_1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %1 : tensor<i1>
      } do {
        %c_1 = stablehlo.constant dense<3> : tensor<i32>
        %1 = stablehlo.add %iterArg, %c_1 : tensor<i32>
        %2 = stablehlo.tanh %iterArg_0 : tensor<8xf32>
        stablehlo.return %1, %2 : tensor<i32>, tensor<8xf32>
      }
      return %0#1 : tensor<8xf32>
    }
    ```
  }];
  let dependentDialects = ["::tpuc::kernel::KernelDialect"];
}

def DropBarriersPass : Pass<"tpuc-drop-barriers", "::mlir::func::FuncOp"> {
  let summary = "remove optimization barriers";
  let description = [{
    A barrier keeps recomputed values apart from those they repeat, so it has to outlive common subexpression
    elimination. After that it is in the way of fusion.

    ```mlir
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = stablehlo.optimization_barrier %x : tensor<8xf32>
      %1 = stablehlo.negate %0 : tensor<8xf32>
      return %1 : tensor<8xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      %0 = stablehlo.negate %arg0 : tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    ```
  }];
}

#endif
