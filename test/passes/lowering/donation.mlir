// RUN: tpuc-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels,tpuc-lower-kernels,tpuc-verify-lower)' \
// RUN:   --split-input-file | FileCheck %s

// Each step reads the block of the argument that it writes of the result: it may lie where it lay.
// CHECK-LABEL: module
// CHECK: tpu.buffer @res0 "result"{{.*}}alias_argument = 0
// CHECK: dma_start "vmem"{{.*}} to "hbm" @arg0
func.func @main(%p: tensor<700x300xf32> {tf.aliasing_output = 0 : i32}, %g: tensor<700x300xf32>)
    -> tensor<700x300xf32> {
  %0 = stablehlo.add %p, %g : tensor<700x300xf32>
  return %0 : tensor<700x300xf32>
}

// -----

// A step reads rows that another one has written already.
// CHECK-LABEL: module
// CHECK-NOT: alias_argument
func.func @main(%p: tensor<700x700xf32> {tf.aliasing_output = 0 : i32}) -> tensor<700x700xf32> {
  %0 = stablehlo.transpose %p, dims = [1, 0] : (tensor<700x700xf32>) -> tensor<700x700xf32>
  return %0 : tensor<700x700xf32>
}

// -----

// The product reads %p after the sum is there.
// CHECK-LABEL: module
// CHECK-NOT: alias_argument
func.func @main(%p: tensor<512x512xf32> {tf.aliasing_output = 0 : i32}, %g: tensor<512x512xf32>)
    -> (tensor<512x512xf32>, tensor<512x512xf32>) {
  %0 = stablehlo.add %p, %g : tensor<512x512xf32>
  %1 = stablehlo.dot_general %p, %0, contracting_dims = [1] x [0] : (tensor<512x512xf32>, tensor<512x512xf32>)
      -> tensor<512x512xf32>
  return %0, %1 : tensor<512x512xf32>, tensor<512x512xf32>
}

// -----

// An update of a given array moves nothing but the update; JAX has not said which result takes its place.
// CHECK-LABEL: module
// CHECK: tpu.buffer @res1 "result" 1{{.*}}alias_argument = 0
// CHECK-LABEL: tpu.routine @k0
// CHECK-NOT: dma_start "hbm" @arg0
// CHECK: tpu.return
func.func @main(%c: tensor<40x16x128xf32> {jax.buffer_donor = true}, %u: tensor<1x16x128xf32>, %i: tensor<i32>)
    -> (tensor<1x16x128xf32>, tensor<40x16x128xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %c, %u, %i, %zero, %zero
      : (tensor<40x16x128xf32>, tensor<1x16x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<40x16x128xf32>
  %1 = stablehlo.add %u, %u : tensor<1x16x128xf32>
  return %1, %0 : tensor<1x16x128xf32>, tensor<40x16x128xf32>
}

// -----

// What a loop carries stays where it is given: no copy in, none out.
// CHECK-LABEL: module
// CHECK: alias_argument = 0
// CHECK-LABEL: tpu.routine entry @main
// CHECK-NOT: to "hbm" @res0
// CHECK: scf.while
func.func @main(%x: tensor<512x512xf32> {tf.aliasing_output = 0 : i32}, %n: tensor<i32>) -> tensor<512x512xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %s = %x) : tensor<i32>, tensor<512x512xf32>
  cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %t = stablehlo.tanh %s : tensor<512x512xf32>
    stablehlo.return %j, %t : tensor<i32>, tensor<512x512xf32>
  }
  return %0#1 : tensor<512x512xf32>
}

// -----

// Every step reads the first rows, which one of them writes.
// CHECK-LABEL: module
// CHECK-NOT: alias_argument
func.func @main(%p: tensor<4096x512xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4096x512xf32> {
  %0 = stablehlo.slice %p [0:1, 0:512] : (tensor<4096x512xf32>) -> tensor<1x512xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x512xf32>) -> tensor<512xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<512xf32>) -> tensor<4096x512xf32>
  %3 = stablehlo.add %p, %2 : tensor<4096x512xf32>
  return %3 : tensor<4096x512xf32>
}

// -----

// Weights and momenta are read where the new ones are written, in the kernel of their gradient.
// CHECK-LABEL: module
// CHECK: tpu.buffer @res0 "result"{{.*}}alias_argument = 0
// CHECK: tpu.buffer @res1 "result"{{.*}}alias_argument = 1
func.func @main(%p: tensor<700x512xf32> {tf.aliasing_output = 0 : i32},
    %m: tensor<700x512xf32> {tf.aliasing_output = 1 : i32}, %x: tensor<300x700xf32>, %g: tensor<300x512xf32>)
    -> (tensor<700x512xf32>, tensor<700x512xf32>) {
  %0 = stablehlo.dot_general %x, %g, contracting_dims = [0] x [0]
      : (tensor<300x700xf32>, tensor<300x512xf32>) -> tensor<700x512xf32>
  %1 = stablehlo.add %m, %0 : tensor<700x512xf32>
  %2 = stablehlo.subtract %p, %1 : tensor<700x512xf32>
  return %2, %1 : tensor<700x512xf32>, tensor<700x512xf32>
}

// -----

// A step's products read what other steps write.
// CHECK-LABEL: module
// CHECK-NOT: alias_argument
func.func @main(%p: tensor<700x700xf32> {tf.aliasing_output = 0 : i32}, %g: tensor<700x700xf32>)
    -> tensor<700x700xf32> {
  %0 = stablehlo.dot_general %p, %g, contracting_dims = [1] x [0]
      : (tensor<700x700xf32>, tensor<700x700xf32>) -> tensor<700x700xf32>
  %1 = stablehlo.add %g, %0 : tensor<700x700xf32>
  return %1 : tensor<700x700xf32>
}

// -----

// Of a transpose's kernel a step reads the other operand where it writes the sum.
// CHECK-LABEL: module
// CHECK: tpu.buffer @res0 "result"{{.*}}alias_argument = 0
func.func @main(%m: tensor<700x300xf32> {tf.aliasing_output = 0 : i32}, %g: tensor<300x700xf32>)
    -> tensor<700x300xf32> {
  %0 = stablehlo.transpose %g, dims = [1, 0] : (tensor<300x700xf32>) -> tensor<700x300xf32>
  %1 = stablehlo.add %m, %0 : tensor<700x300xf32>
  return %1 : tensor<700x300xf32>
}

// -----

// Where it is the transpose's own as well, another step reads it.
// CHECK-LABEL: module
// CHECK-NOT: alias_argument
func.func @main(%m: tensor<700x700xf32> {tf.aliasing_output = 0 : i32}) -> tensor<700x700xf32> {
  %0 = stablehlo.transpose %m, dims = [1, 0] : (tensor<700x700xf32>) -> tensor<700x700xf32>
  %1 = stablehlo.add %m, %0 : tensor<700x700xf32>
  return %1 : tensor<700x700xf32>
}
