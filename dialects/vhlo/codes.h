//===- codes.h - vhlo's codes of attributes and types ----------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The codes stand in the files, as they always will.
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_DIALECTS_VHLO_CODES_H
#define TPUC_DIALECTS_VHLO_CODES_H

#include <cstdint>

namespace tpuc::vhlo {

enum class AttributeCode : uint64_t {
  Array = 1,
  Boolean = 2,
  ComparisonDirection = 3,
  ComparisonType = 4,
  CustomCallApiVersion = 5,
  Dictionary = 6,
  FftType = 7,
  Float = 8,
  Integer = 9,
  OutputOperandAlias = 10,
  Precision = 11,
  RngAlgorithm = 12,
  RngDistribution = 13,
  String = 14,
  Tensor = 15,
  Transpose = 16,
  Type = 17,
  TypeExtensions = 18,
  ResultAccuracyMode = 19,
  ResultAccuracy = 20,
  SubAxisInfo = 21,
  AxisRef = 22,
  ReplicaGroupMeshAxes = 23,
  MeshAxis = 24,
  Mesh = 25
};
enum class TypeCode : uint64_t {
  Boolean = 0,
  Complex = 1,
  BF16 = 2,
  F16 = 3,
  F32 = 4,
  F64 = 5,
  F8E4M3FN = 6,
  F8E5M2 = 7,
  Function = 8,
  Index = 9,
  SI4 = 10,
  SI8 = 11,
  SI16 = 12,
  SI32 = 13,
  SI64 = 14,
  UI4 = 15,
  UI8 = 16,
  UI16 = 17,
  UI32 = 18,
  UI64 = 19,
  RankedTensor = 20,
  EncodedRankedTensor = 21,
  Token = 22,
  Tuple = 23,
  UniformQuantized = 24,
  UnrankedTensor = 25,
  Witness = 26,
  F8E4M3FNUZ = 27,
  F8E5M2FNUZ = 28,
  F8E4M3B11FNUZ = 29,
  UniformQuantizedPerAxis = 30,
  SI2 = 31,
  UI2 = 32,
  None = 33,
  TF32 = 34,
  F8E4M3 = 35,
  F8E3M4 = 36,
  F4E2M1FN = 37,
  F6E2M3FN = 38,
  F6E3M2FN = 39,
  F8E8M0FNU = 40,
  RankedBuffer = 41,
  Future = 42
};

// MLIR's own, for locations and the attributes of modules.
enum class BuiltinAttribute : uint64_t {
  Array = 0,
  Dictionary = 1,
  String = 2,
  TypedString = 3,
  FlatSymbolRef = 4,
  SymbolRef = 5,
  Type = 6,
  Unit = 7,
  Integer = 8,
  Float = 9,
  CallSiteLoc = 10,
  FileLineColLoc = 11,
  FusedLoc = 12,
  FusedLocWithMetadata = 13,
  NameLoc = 14,
  UnknownLoc = 15,
  DenseArray = 17,
  DenseElements = 18,
  FileLineColRange = 22
};
enum class BuiltinType : uint64_t {
  Integer = 0,
  Index = 1,
  Function = 2,
  BF16 = 3,
  F16 = 4,
  F32 = 5,
  F64 = 6,
  Complex = 9,
  None = 12,
  RankedTensor = 13,
  EncodedRankedTensor = 14,
  Tuple = 15,
  TF32 = 21,
  F8E5M2 = 22,
  F8E4M3 = 23,
  F8E4M3FN = 24,
  F8E5M2FNUZ = 25,
  F8E4M3FNUZ = 26,
  F8E4M3B11FNUZ = 27,
  F8E3M4 = 28,
  F4E2M1FN = 29,
  F6E2M3FN = 30,
  F6E3M2FN = 31,
  F8E8M0FNU = 32
};

// StableHLO's own, of bytecode that is no artifact.
enum class StablehloAttribute : uint64_t {
  ChannelHandle = 1,
  ComparisonDirection = 2,
  ComparisonType = 3,
  ConvNumbers = 4,
  DotNumbers = 5,
  FftType = 6,
  GatherNumbers = 7,
  Precision = 8,
  RngAlgorithm = 9,
  RngDistribution = 10,
  ScatterNumbers = 11,
  Transpose = 12,
  TypeExtensions = 13,
  OutputOperandAlias = 14,
  DotAlgorithm = 15,
  ResultAccuracyMode = 16,
  ResultAccuracy = 17
};
enum class StablehloType : uint64_t { Token = 0, Future = 1 };

// Shardy's.
enum class SdyAttribute : uint64_t {
  ManualAxes = 0,
  MeshAxis = 1,
  Mesh = 2,
  SubAxisInfo = 3,
  AxisRef = 4,
  DimensionSharding = 5,
  TensorSharding = 6,
  TensorShardingPerValue = 7,
  DimMapping = 8,
  TensorMapping = 9,
  OpShardingRule = 10,
  AxisRefList = 11,
  ListOfAxisRefLists = 12,
  AllToAllParam = 13,
  AllToAllParamList = 14,
  UnreducedTensorSharding = 15,
  UnreducedTensorShardingPerValue = 16,
  ReducedByTensorSharding = 17
};

// Sections of a file, and what an op's first byte says that it has.
enum Section : uint8_t {
  kStrings,
  kDialects,
  kEntries,
  kEntryOffsets,
  kOps,
  kResources,
  kResourceOffsets,
  kVersions,
  kProperties
};
enum OpMask : uint8_t {
  kHasAttributes = 1,
  kHasResults = 2,
  kHasOperands = 4,
  kHasSuccessors = 8,
  kHasRegions = 16,
  kHasUseOrders = 32,
  kHasProperties = 64
};
// Since these versions of the bytecode: dialects may state versions; isolated regions are sections; orders of uses;
// arguments without locations, and counts of ops; properties.
inline constexpr uint64_t kSinceVersions = 1, kSinceSections = 2, kSinceUseOrders = 3, kSinceElision = 4,
                          kSinceProperties = 5, kNewestBytecode = 6;

}  // namespace tpuc::vhlo

#endif  // TPUC_DIALECTS_VHLO_CODES_H
