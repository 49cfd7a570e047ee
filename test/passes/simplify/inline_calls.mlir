// RUN: tpuc-opt %s --tpuc-inline-calls --split-input-file --mlir-print-debuginfo --mlir-print-local-scope | FileCheck \
// RUN:   %s

// CHECK-LABEL: func public @main
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<8xf32>
func.func public @main(%x: tensor<8xf32>, %n: tensor<i32>) -> (tensor<8xf32>, tensor<i32>) {
  // The callee's place, as called from the call's.
  // CHECK-NEXT: %[[Y:.*]] = stablehlo.add %[[X]], %[[X]] : tensor<8xf32> loc(callsite("add"("model.py":3:4) at "call"("model.py":9:1)))
  // CHECK-NOT: call
  %0 = call @double(%x) : (tensor<8xf32>) -> tensor<8xf32> loc("call"("model.py":9:1))
  // Calls within regions too.
  // CHECK: stablehlo.while
  %1 = stablehlo.while(%i = %n) : tensor<i32>
  cond {
    // CHECK: stablehlo.compare
    %p = func.call @positive(%i) : (tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    // CHECK: stablehlo.subtract
    %j = func.call @less(%i) : (tensor<i32>) -> tensor<i32>
    stablehlo.return %j : tensor<i32>
  }
  // A composite is its decomposition.
  // CHECK: %[[Z:.*]] = stablehlo.multiply %[[Y]], %[[Y]]
  %2 = stablehlo.composite "my.square" %0 {decomposition = @square} : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK: return %[[Z]]
  return %2, %1 : tensor<8xf32>, tensor<i32>
}

// CHECK-NOT: func private @double
func.func private @double(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.add %x, %x : tensor<8xf32> loc("add"("model.py":3:4))
  return %0 : tensor<8xf32>
}
func.func private @positive(%i: tensor<i32>) -> tensor<i1> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.compare GT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
  return %0 : tensor<i1>
}
func.func private @less(%i: tensor<i32>) -> tensor<i32> {
  %c = func.call @one() : () -> tensor<i32>
  %0 = stablehlo.subtract %i, %c : tensor<i32>
  return %0 : tensor<i32>
}
func.func private @one() -> tensor<i32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  return %c : tensor<i32>
}
func.func private @square(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.multiply %x, %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}
// Public, but main is what the program is.
// CHECK-NOT: func @increment
func.func @increment(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.add %x, %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Named by an op that calls nothing, a function stays. Without a main, so do all public ones.
// CHECK: func.func private @named
func.func private @named(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
// CHECK: func @other
func.func @other(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: stablehlo.custom_call @kernel
  %0 = stablehlo.custom_call @kernel(%x) {called_computations = [@named]} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// An op of chlo, said as portable artifacts say it; one that takes no such attributes is its decomposition.
// CHECK-LABEL: func @main
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  // CHECK: %[[E:.*]] = chlo.erf %arg0
  %0 = stablehlo.composite "chlo.erf" %x {decomposition = @impl, version = 1 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: %[[N:.*]] = stablehlo.negate %arg0
  %1 = stablehlo.composite "chlo.zeta" %x {decomposition = @impl} : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: return %[[E]], %[[N]]
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}
func.func private @impl(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.negate %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
