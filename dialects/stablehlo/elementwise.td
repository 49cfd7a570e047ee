//===- elementwise.td - ops that apply one scalar function to each element ---------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_STABLEHLO_ELEMENTWISE_TD
#define TPUC_STABLEHLO_ELEMENTWISE_TD

include "dialects/stablehlo/attributes.td"

// The result has the operands' type, up to what is dynamic or quantized.
class Elementwise<string mnemonic, list<Trait> traits = []>
    : InferringOp<mnemonic, "inferSameAsOperands(emit, operands, types)",
                  [Pure, ElementwiseOp] # traits>;

class UnaryElementwise<string mnemonic, list<ElementKind> kinds, list<Trait> traits = []>
    : Elementwise<mnemonic, traits> {
  let arguments = (ins TensorOfKinds<kinds>:$operand);
  let results = (outs TensorOfKinds<kinds>:$result);
  let assemblyFormat =
      "$operand attr-dict `:` custom<SameOperandsAndResult>(type($operand), type($result))";
}

// A function whose accuracy the program may ask for.
class UnaryMath<string mnemonic, list<ElementKind> kinds = [FloatKind, ComplexKind, QuantKind]>
    : UnaryElementwise<mnemonic, kinds> {
  let arguments = (ins TensorOfKinds<kinds>:$operand,
                       OptionalAttr<ResultAccuracyAttr>:$result_accuracy);
  let builders = [OpBuilder<(ins "::mlir::Value":$operand),
                            [{ build($_builder, $_state, operand, ResultAccuracyAttr()); }]>];
}

class BinaryElementwise<string mnemonic, list<ElementKind> kinds, list<Trait> traits = []>
    : Elementwise<mnemonic, traits> {
  let arguments = (ins TensorOfKinds<kinds>:$lhs, TensorOfKinds<kinds>:$rhs);
  let results = (outs TensorOfKinds<kinds>:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` "
                       "custom<SameOperandsAndResult>(type($lhs), type($rhs), type($result))";
}

//===-----------------------------------------------------------------------------===//
// One operand
//===-----------------------------------------------------------------------------===//

// The magnitude of a complex number is real.
def AbsOp : InferringOp<"abs", "inferComplexPart(emit, operands, types)", [Pure, ElementwiseOp]> {
  let arguments = (ins TensorOfKinds<[IntKind, UIntKind, FloatKind, ComplexKind, QuantKind]>:$operand);
  let results = (outs TensorOfKinds<[IntKind, UIntKind, FloatKind, QuantKind]>:$result);
  let assemblyFormat =
      "$operand attr-dict `:` custom<SameOperandsAndResult>(type($operand), type($result))";
}
def CbrtOp : UnaryMath<"cbrt">;
def CeilOp : UnaryElementwise<"ceil", [FloatKind, QuantKind]>;
def ClzOp : UnaryElementwise<"count_leading_zeros", AnyInt>;
def CosineOp : UnaryMath<"cosine">;
def ExpOp : UnaryMath<"exponential">;
def Expm1Op : UnaryMath<"exponential_minus_one">;
def FloorOp : UnaryElementwise<"floor", [FloatKind, QuantKind]>;
def LogOp : UnaryMath<"log">;
def Log1pOp : UnaryMath<"log_plus_one">;
def LogisticOp : UnaryMath<"logistic">;
def NegOp : UnaryElementwise<"negate", [IntKind, UIntKind, FloatKind, ComplexKind, QuantKind]>;
def NotOp : UnaryElementwise<"not", BoolOrInt>;
def PopulationCountOp : UnaryElementwise<"popcnt", AnyInt>;
def RoundNearestAfzOp : UnaryElementwise<"round_nearest_afz", [FloatKind, QuantKind]>;
def RoundNearestEvenOp : UnaryElementwise<"round_nearest_even", [FloatKind, QuantKind]>;
def RsqrtOp : UnaryMath<"rsqrt">;
def SignOp : UnaryElementwise<"sign", [IntKind, UIntKind, FloatKind, ComplexKind, QuantKind]>;
def SineOp : UnaryMath<"sine">;
def SqrtOp : UnaryMath<"sqrt">;
def TanOp : UnaryMath<"tan">;
def TanhOp : UnaryMath<"tanh">;

def ReducePrecisionOp : UnaryElementwise<"reduce_precision", [FloatKind, QuantKind]> {
  let arguments = (ins TensorOfKinds<[FloatKind, QuantKind]>:$operand, I32Attr:$exponent_bits,
                       I32Attr:$mantissa_bits);
  let results = (outs TensorOfKinds<[FloatKind, QuantKind]>:$output);
  let assemblyFormat = "$operand `,` `format` `=` custom<FloatFormat>($exponent_bits, $mantissa_bits)"
                       " attr-dict `:` custom<SameOperandsAndResult>(type($operand), type($output))";
  let hasVerifier = 1;
}

def IsFiniteOp : InferringOp<"is_finite", "inferPredicate(emit, operands, types)",
                             [Pure, ElementwiseOp]> {
  let arguments = (ins TensorOfKinds<[FloatKind, QuantKind]>:$x);
  let results = (outs PredTensor:$y);
  let assemblyFormat = "$x attr-dict `:` functional-type(operands, results)";
}

class ComplexPart<string mnemonic>
    : InferringOp<mnemonic, "inferComplexPart(emit, operands, types)", [Pure, ElementwiseOp]> {
  let arguments = (ins TensorOfKinds<[FloatKind, ComplexKind]>:$operand);
  let results = (outs FloatTensor:$result);
  let assemblyFormat =
      "$operand attr-dict `:` custom<SameOperandsAndResult>(type($operand), type($result))";
}
def RealOp : ComplexPart<"real">;
def ImagOp : ComplexPart<"imag">;

def ConvertOp : StableHLO_Op<"convert", [Pure, ElementwiseOp]> {
  let arguments = (ins PerTensorHloTensor:$operand);
  let results = (outs PerTensorHloTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat =
      "$operand attr-dict `:` custom<SameOperandsAndResult>(type($operand), type($result))";
}

def UniformQuantizeOp : StableHLO_Op<"uniform_quantize", [Pure, ElementwiseOp]> {
  let arguments = (ins TensorOfKinds<[FloatKind, QuantKind, QuantAxisKind]>:$operand);
  let results = (outs TensorOfKinds<[QuantKind, QuantAxisKind]>:$result);
  let hasVerifier = 1;
  let assemblyFormat =
      "$operand attr-dict `:` custom<SameOperandsAndResult>(type($operand), type($result))";
}
def UniformDequantizeOp
    : InferringOp<"uniform_dequantize", "inferDequantized(emit, operands, types)",
                  [Pure, ElementwiseOp]> {
  let arguments = (ins TensorOfKinds<[QuantKind, QuantAxisKind]>:$operand);
  let results = (outs FloatTensor:$result);
  let assemblyFormat =
      "$operand attr-dict `:` custom<SameOperandsAndResult>(type($operand), type($result))";
}

//===-----------------------------------------------------------------------------===//
// Two operands
//===-----------------------------------------------------------------------------===//

def AddOp : BinaryElementwise<"add", AnyElementOrAxis, [Commutative]>;
def AndOp : BinaryElementwise<"and", BoolOrInt, [Commutative]>;
def Atan2Op : BinaryElementwise<"atan2", [FloatKind, ComplexKind, QuantKind]>;
def DivOp : BinaryElementwise<"divide", [IntKind, UIntKind, FloatKind, ComplexKind, QuantKind]>;
def MaxOp : BinaryElementwise<"maximum", AnyElement, [Commutative]>;
def MinOp : BinaryElementwise<"minimum", AnyElement, [Commutative]>;
def MulOp : BinaryElementwise<"multiply", AnyElement, [Commutative]>;
def OrOp : BinaryElementwise<"or", BoolOrInt, [Commutative]>;
def PowOp : BinaryElementwise<"power", [IntKind, UIntKind, FloatKind, ComplexKind, QuantKind]>;
def RemOp : BinaryElementwise<"remainder", [IntKind, UIntKind, FloatKind, ComplexKind, QuantKind]>;
def ShiftLeftOp : BinaryElementwise<"shift_left", AnyInt>;
def ShiftRightArithmeticOp : BinaryElementwise<"shift_right_arithmetic", AnyInt>;
def ShiftRightLogicalOp : BinaryElementwise<"shift_right_logical", AnyInt>;
def SubtractOp : BinaryElementwise<"subtract", [IntKind, UIntKind, FloatKind, ComplexKind, QuantKind]>;
def XorOp : BinaryElementwise<"xor", BoolOrInt, [Commutative]>;

def ComplexOp : InferringOp<"complex", "inferComplex(emit, operands, types)",
                            [Pure, ElementwiseOp]> {
  let arguments = (ins FloatTensor:$lhs, FloatTensor:$rhs);
  let results = (outs TensorOfKinds<[ComplexKind]>:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` "
                       "custom<ComplexType>(type($lhs), type($rhs), type($result))";
}

def CompareOp : InferringOp<"compare", "inferPredicate(emit, operands, types)",
                            [Pure, ElementwiseOp]> {
  let arguments = (ins PerTensorHloTensor:$lhs, PerTensorHloTensor:$rhs,
                       ComparisonDirectionAttr:$comparison_direction,
                       OptionalAttr<ComparisonTypeAttr>:$compare_type);
  let results = (outs PredTensor:$result);
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs,
                                 "::tpuc::stablehlo::ComparisonDirection":$direction)>];
  let assemblyFormat = "`` $comparison_direction `,` $lhs `,` $rhs (`,` `` $compare_type^)? attr-dict"
                       " `:` functional-type(operands, results)";
}

//===-----------------------------------------------------------------------------===//
// Three operands
//===-----------------------------------------------------------------------------===//

def SelectOp : InferringOp<"select", "inferSelect(emit, operands, types)",
                           [Pure, ElementwiseOp]> {
  let arguments = (ins PredTensor:$pred, PerTensorHloTensor:$on_true, PerTensorHloTensor:$on_false);
  let results = (outs PerTensorHloTensor:$result);
  let assemblyFormat = "operands attr-dict `:` custom<SelectType>(type($pred), type($on_true),"
                       " type($on_false), type($result))";
}

def ClampOp : InferringOp<"clamp", "inferClamp(emit, operands, types)", [Pure, ElementwiseOp]> {
  let arguments = (ins PerTensorHloTensor:$min, PerTensorHloTensor:$operand,
                       PerTensorHloTensor:$max);
  let results = (outs PerTensorHloTensor:$result);
  let assemblyFormat = "$min `,` $operand `,` $max attr-dict `:` custom<SameOperandsAndResult>("
                       "type($min), type($operand), type($max), type($result))";
}

#endif
