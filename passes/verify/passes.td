// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_PASSES_VERIFY_PASSES
#define TPUC_PASSES_VERIFY_PASSES
include "mlir/Pass/PassBase.td"

// In the order of the flow: what holds at each stage's end. The import's boundary is compiler/frontend's checkModule,
// as it tells a user what is wrong with a program; the encoder's is isa::validate, as the runtime checks it again on
// load.

def VerifyShapesPass : Pass<"tpuc-verify-shapes", "::mlir::ModuleOp"> {
  let summary = "after shapes: every array has a size, nothing is called";
  let description = [{
    `@main` has a body without calls, and every tensor's extents in it are known.

    ```mlir
    func.func @main(%x: tensor<4xf32>, %n: tensor<1xi32>) -> tensor<?xf32> {
      %0 = stablehlo.dynamic_broadcast_in_dim %x, %n, dims = [0] : (tensor<4xf32>, tensor<1xi32>) -> tensor<?xf32>
      return %0 : tensor<?xf32>
    }
    // refused: expects arrays of known size, but got 'tensor<?xf32>'
    ```
  }];
}

def VerifySimplifyPass : Pass<"tpuc-verify-simplify", "::mlir::ModuleOp"> {
  let summary = "after simplify: one function, nothing to call";
  let description = [{
    The module holds one function with a body, `@main`, and no calls, so that the later stages see the whole program in
    one place. No op of chlo, no composite and no check is left, but for `chlo.lgamma` and `chlo.digamma` of f64, which
    the stage `expand` has on words.

    ```mlir
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      return %x : tensor<4xf32>
    }
    func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      return %x : tensor<4xf32>
    }
    // refused: expects no function besides @main, but got @f
    ```
  }];
}

def VerifyShardPass : Pass<"tpuc-verify-shard", "::mlir::ModuleOp"> {
  let summary = "after shard: one device's program, collectives whole";
  let description = [{
    As after simplify. Nothing of `sdy` is left, on ops, arguments or results; the module says for how many devices it
    is; each collective has a channel of its own and groups of those devices.

    ```mlir
    module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
      func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
        %0 = "stablehlo.collective_permute"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
            source_target_pairs = dense<[[0, 2]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
        return %0 : tensor<4xf32>
      }
    }
    // refused: expects one of 2 devices, but got 2
    ```
  }];
}

def VerifyExpandPass : Pass<"tpuc-verify-expand", "::mlir::ModuleOp"> {
  let summary = "after expand: sizes, plain ops, elements that a lane holds";
  let description = [{
    As after simplify. Every tensor's extents are known. No op of linear algebra, no transform, no random numbers, no
    batch norm and no map is left. Elementwise ops take and give elements that a 32-bit lane holds.

    ```mlir
    func.func @main(%x: tensor<4xf64>) -> tensor<4xf64> {
      %0 = stablehlo.add %x, %x : tensor<4xf64>
      return %0 : tensor<4xf64>
    }
    // refused: expects elements that a lane of 32 bits holds, but got 'f64'
    ```
  }];
}

def VerifyFusePass : Pass<"tpuc-verify-fuse", "::mlir::ModuleOp"> {
  let summary = "after fuse: each op that computes in a kernel";
  let description = [{
    Outside of kernels there are only constants, views, counters, planes of wide arrays, exchanges, calls of the host,
    control flow and results. In a kernel there is no kernel, and the op that its kind names is there.

    ```mlir
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.add %x, %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    // refused: expects every op in a kernel, but got 'stablehlo.add' outside
    ```
  }];
}

def VerifyPlanPass : Pass<"tpuc-verify-plan", "::mlir::ModuleOp"> {
  let summary = "after plan: kernels of planned kinds have plans, which fit";
  let description = [{
    What holds after fuse, and: every kernel of a kind whose plans stand in the IR has one; arrays in VMEM lie within
    it, and those that kernels meet at the same time lie apart. A plan's blocks follow from its grid, and may be left
    out: the lowering makes them, and refuses a plan that does not suit its kernel.

    ```mlir
    func.func @main(%x: tensor<8x128xf32>) -> tensor<8x128xf32> {
      %0 = kernel.fusion "loop"(%x : tensor<8x128xf32>) -> tensor<8x128xf32> attributes {
          kernel.places = [[#kernel.place<tensor<8x128xf32> at 0 words 8 rows 8 tiles 1 strides [8]>]],
          kernel.plan = #kernel.plan<grid [parallel d0 = 8 by 8, parallel d1 = 128 by 128]>} {
      ^bb0(%a: tensor<8x128xf32>):
        %3 = stablehlo.tanh %a : tensor<8x128xf32>
        kernel.yield %3 : tensor<8x128xf32>
      }
      %1 = kernel.fusion "loop"(%x : tensor<8x128xf32>) -> tensor<8x128xf32> attributes {
          kernel.places = [[#kernel.place<tensor<8x128xf32> at 4 words 8 rows 8 tiles 1 strides [8]>]],
          kernel.plan = #kernel.plan<grid [parallel d0 = 8 by 8, parallel d1 = 128 by 128]>} {
      ^bb0(%a: tensor<8x128xf32>):
        %3 = stablehlo.sine %a : tensor<8x128xf32>
        kernel.yield %3 : tensor<8x128xf32>
      }
      %2 = kernel.fusion "loop"(%0, %1 : tensor<8x128xf32>, tensor<8x128xf32>) -> tensor<8x128xf32> attributes {
          kernel.plan = #kernel.plan<grid [parallel d0 = 8 by 8, parallel d1 = 128 by 128]>} {
      ^bb0(%a: tensor<8x128xf32>, %b: tensor<8x128xf32>):
        %3 = stablehlo.add %a, %b : tensor<8x128xf32>
        kernel.yield %3 : tensor<8x128xf32>
      }
      return %2 : tensor<8x128xf32>
    }
    // refused: expects a place in VMEM apart from that of another array
    ```
  }];
}

def VerifyLowerPass : Pass<"tpuc-verify-lower", "::mlir::ModuleOp"> {
  let summary = "after lower: buffers with a place, routines, one entry";
  let description = [{
    The module holds buffers and routines only. Arguments and results are numbered without gaps; temporaries lie inside
    the arena, apart from each other while the instructions show them alive, or in the place of the one that they
    replace; grids and transfers name routines and buffers that exist; in routines there are only `tpu`, `scf` and
    `arith` ops.

    ```mlir
    module attributes {tpu.arena_bytes = 768 : i64} {
      tpu.buffer @tmp0 "arena" 0 at 0 size 512 : tensor<128xf32> order [0]
      tpu.buffer @tmp1 "arena" 1 at 256 size 512 : tensor<128xf32> order [0]
      tpu.routine entry @main {
        tpu.host_call 0 [] [] -> [@tmp0] [tensor<128xf32>]
        tpu.host_call 1 [] [] -> [@tmp1] [tensor<128xf32>]
        tpu.host_call 2 [@tmp0] [tensor<128xf32>] -> [] []
        tpu.return
      }
    }
    // refused: expects a place apart from @tmp0, which is alive with it
    ```
  }];
}

def VerifySchedulePass : Pass<"tpuc-verify-schedule", "::mlir::ModuleOp"> {
  let summary = "after schedule: every bundle is the target's, and memory fits";
  let description = [{
    The module holds buffers and scheduled routines only. Every line is a bundle of well-formed instructions that the
    target has and that fit its slots; each has a source line or none. Each routine says what its blocks and spilled
    registers take of VMEM (`vmem_words`) and SMEM (`smem_bytes`), and that fits.

    ```mlir
    // --tpuc-verify-schedule=target=v2
    tpu.bundles entry @main facts {smem_bytes = 0 : i64, vmem_words = 0 : i64} {
      "v.add.f32 v0, v1, v2 ; v.add.f32 v3, v1, v2 ; v.add.f32 v4, v1, v2 ; halt"
    }
    // refused: bundle 0: 3 vector instructions for 2 slots
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"v5e\"", "bundled target's name or path of a textproto">,
    ListOption<"sets", "set", "std::string", "constants of the target to change: path=value">
  ];
}
#endif
