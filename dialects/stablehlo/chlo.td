//===- chlo.td - ops of client libraries, above StableHLO -----------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_STABLEHLO_CHLO_TD
#define TPUC_STABLEHLO_CHLO_TD

include "dialects/stablehlo/attributes.td"

def ChloDialect : Dialect {
  let name = "chlo";
  let summary = "what client libraries say in one op and StableHLO in several";
  let cppNamespace = "::tpuc::chlo";
  let dependentDialects = ["::tpuc::stablehlo::StablehloDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
}

//===-----------------------------------------------------------------------------===//
// Attributes: the enumerations are StableHLO's, in words of this dialect
//===-----------------------------------------------------------------------------===//

class ChloEnumAttr<HloEnum enumeration> : EnumAttr<ChloDialect, enumeration, enumeration.summary> {
  // EnumAttr takes the enumeration's namespace for the attribute's.
  let constBuilderCall =
      "::tpuc::chlo::" # enumeration.className # "Attr::get($_builder.getContext(), $0)";
}

def ChloComparisonDirectionAttr : ChloEnumAttr<ComparisonDirectionEnum>;
def ChloComparisonTypeAttr : ChloEnumAttr<ComparisonTypeEnum>;
def ChloPrecisionAttr : ChloEnumAttr<PrecisionEnum>;

def RaggedDotDimensionNumbersAttr : AttrDef<ChloDialect, "RaggedDotDimensionNumbers"> {
  let mnemonic = "ragged_dot";
  let parameters = (ins DimList<>:$lhs_batching_dimensions, DimList<>:$rhs_batching_dimensions,
    DimList<>:$lhs_contracting_dimensions, DimList<>:$rhs_contracting_dimensions,
    DimList<>:$lhs_ragged_dimensions, DimList<>:$rhs_group_dimensions);
  let assemblyFormat = "`<` struct(params) `>`";
}

//===-----------------------------------------------------------------------------===//
// Classes of ops
//===-----------------------------------------------------------------------------===//

class ChloOp<string mnemonic, list<Trait> traits = []> : Op<ChloDialect, mnemonic, traits>;

class ChloInferring<string mnemonic, string infer, list<Trait> traits>
    : ChloOp<mnemonic, InferringTraits # traits> {
  let extraClassDefinition = InferenceOf<infer>.cpp;
}

class ChloUnary<string mnemonic, list<ElementKind> kinds>
    : ChloInferring<mnemonic, "inferSameAsOperands(emit, operands, types)", [Pure, ElementwiseOp]> {
  let arguments = (ins TensorOfKinds<kinds>:$operand);
  let results = (outs TensorOfKinds<kinds>:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
}

class ChloPredicate<string mnemonic>
    : ChloInferring<mnemonic, "inferPredicate(emit, operands, types)", [Pure, ElementwiseOp]> {
  let arguments = (ins FloatTensor:$operand);
  let results = (outs PredTensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
}

class ChloBinary<string mnemonic, list<ElementKind> kinds>
    : ChloInferring<mnemonic, "inferSameAsOperands(emit, operands, types)", [Pure, ElementwiseOp]> {
  let arguments = (ins TensorOfKinds<kinds>:$lhs, TensorOfKinds<kinds>:$rhs);
  let results = (outs TensorOfKinds<kinds>:$result);
  let assemblyFormat =
      "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)";
}

// Three ops take tensors of unknown rank: top_k, constant_like, broadcast_compare. Programs with them are read, not
// compiled.
class OrUnranked<Type ranked>
    : Type<Or<[ranked.predicate, AnyUnrankedTensor.predicate]>, ranked.summary, "::mlir::TensorType">;
defvar HloTensorOfAnyRank = OrUnranked<AnyHloTensor>;
defvar PredOfAnyRank = OrUnranked<PredTensor>;

// As the StableHLO op of the name, after both operands are broadcast to one shape:
// aligned at the last dimension, or, the one of lower rank, by `broadcast_dimensions`.
class ChloBroadcastBase<string mnemonic, string element, list<ElementKind> inputs,
                        list<ElementKind> outputs, dag extra, list<Trait> traits>
    : ChloInferring<mnemonic, "inferBroadcast(emit, operands, adaptor.getBroadcastDimensions(), "
                              # element # ", types)", [Pure] # traits> {
  let arguments = !con((ins TensorOfKinds<inputs>:$lhs, TensorOfKinds<inputs>:$rhs,
                            OptionalAttr<DenseI64ArrayAttr>:$broadcast_dimensions), extra);
  let results = (outs TensorOfKinds<outputs>:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
}
class ChloBroadcast<string mnemonic, list<ElementKind> kinds, list<Trait> traits = []>
    : ChloBroadcastBase<"broadcast_" # mnemonic, "Result::Same", kinds, kinds, (ins), traits>;

//===-----------------------------------------------------------------------------===//
// Elementwise
//===-----------------------------------------------------------------------------===//

defvar Real = [FloatKind];
defvar RealOrComplex = [FloatKind, ComplexKind];

def AcosOp : ChloUnary<"acos", RealOrComplex>;
def AcoshOp : ChloUnary<"acosh", RealOrComplex>;
def AsinOp : ChloUnary<"asin", RealOrComplex>;
def AsinhOp : ChloUnary<"asinh", RealOrComplex>;
def AtanOp : ChloUnary<"atan", RealOrComplex>;
def AtanhOp : ChloUnary<"atanh", RealOrComplex>;
def AsinAcosKernelOp : ChloUnary<"_asin_acos_kernel", [ComplexKind]>;
def BesselI1eOp : ChloUnary<"bessel_i1e", RealOrComplex>;
def ConjOp : ChloUnary<"conj", RealOrComplex>;
def CoshOp : ChloUnary<"cosh", RealOrComplex>;
def DigammaOp : ChloUnary<"digamma", Real>;
def ErfOp : ChloUnary<"erf", Real>;
def ErfInvOp : ChloUnary<"erf_inv", Real>;
def ErfcOp : ChloUnary<"erfc", Real>;
def LgammaOp : ChloUnary<"lgamma", Real>;
def SinhOp : ChloUnary<"sinh", RealOrComplex>;
def SquareOp : ChloUnary<"square", RealOrComplex>;
def TanOp : ChloUnary<"tan", RealOrComplex>;
def IsInfOp : ChloPredicate<"is_inf">;
def IsNegInfOp : ChloPredicate<"is_neg_inf">;
def IsPosInfOp : ChloPredicate<"is_pos_inf">;
def MulhiOp : ChloBinary<"mulhi", AnyInt>;
def NextAfterOp : ChloBinary<"next_after", Real>;
def PolygammaOp : ChloBinary<"polygamma", Real>;
def ZetaOp : ChloBinary<"zeta", Real>;

//===-----------------------------------------------------------------------------===//
// With broadcasting
//===-----------------------------------------------------------------------------===//

def BroadcastAddOp : ChloBroadcast<"add", AnyElementOrAxis, [Commutative]>;
def BroadcastAndOp : ChloBroadcast<"and", BoolOrInt, [Commutative]>;
def BroadcastAtan2Op : ChloBroadcast<"atan2", AnyElementOrAxis>;
def BroadcastDivOp : ChloBroadcast<"divide", AnyElementOrAxis>;
def BroadcastMaxOp : ChloBroadcast<"maximum", AnyElementOrAxis, [Commutative]>;
def BroadcastMinOp : ChloBroadcast<"minimum", AnyElementOrAxis, [Commutative]>;
def BroadcastMulOp : ChloBroadcast<"multiply", AnyElementOrAxis, [Commutative]>;
def BroadcastNextAfterOp : ChloBroadcast<"next_after", AnyElementOrAxis>;
def BroadcastOrOp : ChloBroadcast<"or", BoolOrInt, [Commutative]>;
def BroadcastPolygammaOp : ChloBroadcast<"polygamma", AnyElementOrAxis>;
def BroadcastPowOp : ChloBroadcast<"power", AnyElementOrAxis>;
def BroadcastRemOp : ChloBroadcast<"remainder", AnyElementOrAxis>;
def BroadcastShiftLeftOp : ChloBroadcast<"shift_left", AnyElementOrAxis>;
def BroadcastShiftRightArithmeticOp : ChloBroadcast<"shift_right_arithmetic", AnyElementOrAxis>;
def BroadcastShiftRightLogicalOp : ChloBroadcast<"shift_right_logical", AnyElementOrAxis>;
def BroadcastSubOp : ChloBroadcast<"subtract", AnyElementOrAxis>;
def BroadcastXorOp : ChloBroadcast<"xor", BoolOrInt, [Commutative]>;
def BroadcastZetaOp : ChloBroadcast<"zeta", Real>;
def BroadcastComplexOp : ChloBroadcastBase<"broadcast_complex", "Result::Complex", [FloatKind],
                                           [ComplexKind], (ins), []>;
def BroadcastCompareOp : ChloInferring<"broadcast_compare",
    "inferBroadcastCompare(emit, operands, adaptor.getBroadcastDimensions(), types)", [Pure]> {
  let arguments = (ins HloTensorOfAnyRank:$lhs, HloTensorOfAnyRank:$rhs,
      OptionalAttr<DenseI64ArrayAttr>:$broadcast_dimensions,
                       ChloComparisonDirectionAttr:$comparison_direction,
                       OptionalAttr<ChloComparisonTypeAttr>:$compare_type);
  let results = (outs PredOfAnyRank:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
}

def BroadcastSelectOp
    : ChloInferring<"broadcast_select", "inferBroadcastSelect(emit, operands, types)", [Pure]> {
  let arguments = (ins PredTensor:$pred, AnyHloTensor:$on_true, AnyHloTensor:$on_false);
  let results = (outs AnyHloTensor:$result);
  let assemblyFormat = "$pred `,` $on_true `,` $on_false attr-dict"
                       " `:` functional-type(operands, results)";
}

//===-----------------------------------------------------------------------------===//
// Others
//===-----------------------------------------------------------------------------===//

def ConstantOp : ChloOp<"constant", [Pure, ConstantLike, AllTypesMatch<["value", "output"]>]> {
  let arguments = (ins ElementsAttr:$value);
  let results = (outs PerTensorHloTensor:$output);
  let hasFolder = 1;
  let assemblyFormat = "attr-dict $value";
}

// A splat of the operand's shape.
def ConstantLikeOp : ChloInferring<"constant_like",
    "inferConstantLike(emit, operands, adaptor.getValue(), types)", [Pure]> {
  let arguments = (ins HloTensorOfAnyRank:$operand, TypedAttrInterface:$value);
  let results = (outs HloTensorOfAnyRank:$result);
}

def RaggedDotOp : ChloOp<"ragged_dot", [Pure]> {
  let arguments = (ins AnyHloTensor:$lhs, AnyHloTensor:$rhs, IntTensor:$group_sizes,
                       RaggedDotDimensionNumbersAttr:$ragged_dot_dimension_numbers,
                       OptionalAttr<TypedArrayAttrBase<ChloPrecisionAttr, "list of precisions">>
                         :$precision_config);
  let results = (outs AnyHloTensor:$result);
  let hasVerifier = 1;
}

// The body takes a slice of each input and the carries, and returns a slice of each output and
// the new carries.
def ScanOp : ChloOp<"scan", [AttrSizedOperandSegments, AttrSizedResultSegments,
                             RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let arguments = (ins Variadic<AnyHloTensor>:$inputs, Variadic<AnyHloTensor>:$inits,
                       I64Attr:$dimension, OptionalAttr<I64Attr>:$scan_dim_size,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$is_reverse,
                       OptionalAttr<BoolAttr>:$is_associative);
  let results = (outs Variadic<AnyHloTensor>:$outputs, Variadic<AnyHloTensor>:$carries);
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
  let hasCustomAssemblyFormat = 1;
}

defvar SortableOfAnyRank = OrUnranked<TensorOfKinds<[BoolKind, IntKind, UIntKind, FloatKind]>>;

def TopKOp : ChloInferring<"top_k", "inferTopK(emit, operands, adaptor.getK(), types)", [Pure]> {
  let arguments = (ins SortableOfAnyRank:$operand, I64Attr:$k, OptionalAttr<BoolAttr>:$is_stable);
  let results = (outs SortableOfAnyRank:$values, SortableOfAnyRank:$indices);
  let assemblyFormat = "`(` $operand `,` `k` `=` custom<I64>($k) (`,` `is_stable` `=` $is_stable^)? `)`"
                       " attr-dict `:` type($operand) `->` `(` type($values) `,` type($indices) `)`";
}

#endif
