//===- base.td - the stablehlo dialect, its types and the classes of its ops ----===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every family of ops (elementwise.td, shape.td, ...) is written with. An op
// is one entry in its family; an entry with constraints of its own adds
// `hasVerifier = 1` and one function beside its family.
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_STABLEHLO_BASE_TD
#define TPUC_STABLEHLO_BASE_TD

include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def StablehloDialect : Dialect {
  let name = "stablehlo";
  let summary = "the operation set of StableHLO";
  let description = [{
    Spelled as the public specification has it, pretty and generic form. See
    `docs/rationale/stablehlo.md` for what the dialect is for and what it is not.
  }];
  let cppNamespace = "::tpuc::stablehlo";
  let dependentDialects = ["::mlir::quant::QuantDialect"];
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser, ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attribute, ::mlir::DialectAsmPrinter &printer) const override;
   private:
    // In attributes.cpp, where the generated parsers are.
    void registerAttributes();
    // In types.cpp.
    void registerTypes();
   public:
  }];
}

//===-----------------------------------------------------------------------------===//
// Types
//===-----------------------------------------------------------------------------===//

class StableHLO_Type<string cppName, string typeMnemonic> : TypeDef<StablehloDialect, cppName> {
  let mnemonic = typeMnemonic;
}

def StableHLO_TokenType : StableHLO_Type<"Token", "token"> {
  let summary = "orders operations that have effects";
}

def StableHLO_FutureType : StableHLO_Type<"Future", "future"> {
  let summary = "what an asynchronous operation will have produced";
  let parameters = (ins ArrayRefParameter<"::mlir::Type">:$types);
  let assemblyFormat = "`<` $types `>`";
  let genVerifyDecl = 1;
}

// A class of element types; the bits stand in types.h.
class ElementKind<string bitName, string word> {
  string cpp = "::tpuc::stablehlo::" # bitName;
  string name = word;
}
def BoolKind : ElementKind<"kBool", "boolean">;
def IntKind : ElementKind<"kInt", "signless integer">;
def UIntKind : ElementKind<"kUInt", "unsigned integer">;
def FloatKind : ElementKind<"kFloat", "floating-point">;
def ComplexKind : ElementKind<"kComplex", "complex">;
def QuantKind : ElementKind<"kQuant", "per-tensor quantized">;
def QuantAxisKind : ElementKind<"kQuantAxis", "per-axis quantized">;
def IndexKind : ElementKind<"kIndex", "index">;

class KindMask<list<ElementKind> kinds> {
  string cpp = !interleave(!foreach(k, kinds, k.cpp), " | ");
  string names = !interleave(!foreach(k, kinds, k.name), ", ");
}

class TensorOfKinds<list<ElementKind> kinds>
    : Type<CPred<"::tpuc::stablehlo::isTensorOf($_self, " # KindMask<kinds>.cpp # ")">,
           "ranked tensor of " # KindMask<kinds>.names # " type", "::mlir::RankedTensorType">;

class RankedTensorOfKinds<int rank, list<ElementKind> kinds>
    : Type<CPred<"::tpuc::stablehlo::isTensorOf($_self, " # KindMask<kinds>.cpp # ", " # rank # ")">,
           rank # "-dimensional tensor of " # KindMask<kinds>.names # " type",
           "::mlir::RankedTensorType">;

defvar AnyInt = [IntKind, UIntKind];
defvar BoolOrInt = [BoolKind, IntKind, UIntKind];
defvar Number = [IntKind, UIntKind, FloatKind, ComplexKind];
defvar Plain = [BoolKind, IntKind, UIntKind, FloatKind, ComplexKind];
defvar AnyElement = [BoolKind, IntKind, UIntKind, FloatKind, ComplexKind, QuantKind];
defvar AnyElementOrAxis = [BoolKind, IntKind, UIntKind, FloatKind, ComplexKind, QuantKind, QuantAxisKind];

def AnyHloTensor : TensorOfKinds<AnyElementOrAxis>;
def PerTensorHloTensor : TensorOfKinds<AnyElement>;
def PredTensor : TensorOfKinds<[BoolKind]>;
def ScalarPred : RankedTensorOfKinds<0, [BoolKind]>;
def ScalarTensor : RankedTensorOfKinds<0, AnyElement>;
def ScalarInt : RankedTensorOfKinds<0, AnyInt>;
def ScalarI32 : Type<CPred<"::tpuc::stablehlo::isScalarI32($_self)">,
                     "0-dimensional tensor of 32-bit integer type", "::mlir::RankedTensorType">;
def IntTensor : TensorOfKinds<AnyInt>;
def FloatTensor : TensorOfKinds<[FloatKind]>;
def FloatVector : RankedTensorOfKinds<1, [FloatKind, QuantKind]>;
// Extents and indices as values: of an integer or of the index type.
def ExtentTensor : RankedTensorOfKinds<1, [IntKind, UIntKind, IndexKind]>;
// A tensor of extents, one for each of the result's dimensions.
def StaticExtentTensor
    : Type<And<[ExtentTensor.predicate,
                CPred<"::llvm::cast<::mlir::RankedTensorType>($_self).hasStaticShape()">]>,
           !strconcat("statically shaped ", ExtentTensor.summary), "::mlir::RankedTensorType">;

def Token : Type<CPred<"::llvm::isa<::tpuc::stablehlo::TokenType>($_self)">, "token",
                 "::tpuc::stablehlo::TokenType">;
def Tuple : Type<CPred<"::llvm::isa<::mlir::TupleType>($_self)">, "tuple", "::mlir::TupleType">;
def Future : Type<CPred<"::llvm::isa<::tpuc::stablehlo::FutureType>($_self)">, "future",
                  "::tpuc::stablehlo::FutureType">;
def Buffer : Type<CPred<"::llvm::isa<::mlir::MemRefType>($_self)">, "memref", "::mlir::MemRefType">;
def TensorOrToken : AnyTypeOf<[AnyHloTensor, Token]>;
def AnyHloValue : AnyTypeOf<[AnyHloTensor, Token, Tuple]>;
// What loops carry and tuples hold besides: memory that custom calls share.
def AnyHloValueOrBuffer : AnyTypeOf<[AnyHloTensor, Token, Tuple, Buffer]>;
// What only a custom call takes is not StableHLO's: buffers, tensors of unknown rank.
def AnyCallValue : AnyTypeOf<[AnyHloTensor, AnyUnrankedTensor, Token, Tuple, Future, Buffer]>;
def BarrierValue : AnyTypeOf<[PerTensorHloTensor, Token, Tuple]>;

//===-----------------------------------------------------------------------------===//
// Traits and op classes
//===-----------------------------------------------------------------------------===//

class StableHLO_Trait<string name> : NativeOpTrait<name> {
  let cppNamespace = "::tpuc::stablehlo";
}
// One scalar function applied to each element; all shapes equal, or rank 0 where the op says so.
def ElementwiseOp : StableHLO_Trait<"IsElementwise">;

class StableHLO_Op<string mnemonic, list<Trait> traits = []>
    : Op<StablehloDialect, mnemonic, traits>;

// Result types follow from the operands. The trait compares them with the op's own; MLIR's comparison is
// switched off, as it adds an error to the one that says what is wrong.
def CheckedTypes : StableHLO_Trait<"ChecksInferredTypes">;
defvar InferringTraits = [DeclareOpInterfaceMethods<InferTypeOpInterface, ["refineReturnTypes"]>, CheckedTypes];

class InferenceOf<string infer> {
  string cpp = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *context, ::std::optional<::mlir::Location> location, ::mlir::ValueRange operands,
        ::mlir::DictionaryAttr attributes, ::mlir::OpaqueProperties properties, ::mlir::RegionRange regions,
        ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      [[maybe_unused]] Adaptor adaptor(operands, attributes, properties, regions);
      [[maybe_unused]] auto emit = errorsOf(getOperationName(), location);
      return }] # infer # [{;
    }
    ::llvm::LogicalResult $cppClass::refineReturnTypes(
        ::mlir::MLIRContext *, ::std::optional<::mlir::Location>, ::mlir::ValueRange, ::mlir::DictionaryAttr,
        ::mlir::OpaqueProperties, ::mlir::RegionRange, ::llvm::SmallVectorImpl<::mlir::Type> &) {
      return ::llvm::success();
    }
  }];
}

class InferringOp<string mnemonic, string infer, list<Trait> traits>
    : StableHLO_Op<mnemonic, InferringTraits # traits> {
  let extraClassDefinition = InferenceOf<infer>.cpp;
}

#endif
