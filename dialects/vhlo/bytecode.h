//===- bytecode.h - vhlo's encoding of attributes and types ----------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_DIALECTS_VHLO_BYTECODE_H
#define TPUC_DIALECTS_VHLO_BYTECODE_H

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/Types.h"

namespace tpuc::vhlo {

// The codes stand in the files, as they always will.
enum class AttributeCode : uint64_t {
  Array = 1, Boolean = 2, ComparisonDirection = 3, ComparisonType = 4, CustomCallApiVersion = 5, Dictionary = 6,
  FftType = 7, Float = 8, Integer = 9, OutputOperandAlias = 10, Precision = 11, RngAlgorithm = 12,
  RngDistribution = 13, String = 14, Tensor = 15, Transpose = 16, Type = 17, TypeExtensions = 18,
  ResultAccuracyMode = 19, ResultAccuracy = 20, SubAxisInfo = 21, AxisRef = 22, ReplicaGroupMeshAxes = 23,
  MeshAxis = 24, Mesh = 25
};
enum class TypeCode : uint64_t {
  Boolean = 0, Complex = 1, BF16 = 2, F16 = 3, F32 = 4, F64 = 5, F8E4M3FN = 6, F8E5M2 = 7, Function = 8, Index = 9,
  SI4 = 10, SI8 = 11, SI16 = 12, SI32 = 13, SI64 = 14, UI4 = 15, UI8 = 16, UI16 = 17, UI32 = 18, UI64 = 19,
  RankedTensor = 20, EncodedRankedTensor = 21, Token = 22, Tuple = 23, UniformQuantized = 24, UnrankedTensor = 25,
  Witness = 26, F8E4M3FNUZ = 27, F8E5M2FNUZ = 28, F8E4M3B11FNUZ = 29, UniformQuantizedPerAxis = 30, SI2 = 31, UI2 = 32,
  None = 33, TF32 = 34, F8E4M3 = 35, F8E3M4 = 36, F4E2M1FN = 37, F6E2M3FN = 38, F6E3M2FN = 39, F8E8M0FNU = 40,
  RankedBuffer = 41, Future = 42
};

//===-----------------------------------------------------------------------------===//
// The interface
//===-----------------------------------------------------------------------------===//

class BytecodeInterface : public mlir::BytecodeDialectInterface {
public:
  explicit BytecodeInterface(mlir::Dialect *dialect) : BytecodeDialectInterface(dialect) {}
  mlir::Attribute readAttribute(mlir::DialectBytecodeReader &reader) const override;
  mlir::Type readType(mlir::DialectBytecodeReader &reader) const override;
};

mlir::Attribute readAttribute(AttributeCode code, mlir::DialectBytecodeReader &reader);
mlir::Type readType(TypeCode code, mlir::DialectBytecodeReader &reader);

} // namespace tpuc::vhlo

#endif // TPUC_DIALECTS_VHLO_BYTECODE_H
