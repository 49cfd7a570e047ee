// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The field numbers and enumerators of HloModuleProto and the messages in it, as XLA publishes them.
#ifndef TPUC_COMPILER_FRONTEND_HLO_FIELDS_H
#define TPUC_COMPILER_FRONTEND_HLO_FIELDS_H

#include <cstdint>

namespace tpuc::frontend::hlo {

enum FileField : uint32_t { kHloModule = 1 };  // HloProto and HloModuleProtoWithConfig alike

enum ModuleField : uint32_t {
  kModuleName = 1,
  kComputations = 3,
  kEntryComputationId = 6,
  kInputOutputAlias = 8,
  kSpmdOutputSharding = 12,
  kSpmdParametersShardings = 14,
  kStackFrameIndex = 17,
  kBufferDonor = 18,
  kModuleFrontendAttributes = 19,
};

enum AliasField : uint32_t { kAliasEntries = 1 };  // HloInputOutputAliasProto and HloBufferDonorProto
enum AliasEntryField : uint32_t { kAliasOutputIndex = 1, kAliasParameter = 2, kAliasParameterIndex = 3 };
enum DonorEntryField : uint32_t { kDonorParameter = 1, kDonorParameterIndex = 2 };

enum StackField : uint32_t { kFileNames = 1, kFunctionNames = 2, kFileLocations = 3, kStackFrames = 4 };
enum FileLocationField : uint32_t { kFileName = 1, kFunctionName = 2, kLine = 3, kColumn = 4 };
enum StackFrameField : uint32_t { kFrameLocation = 1, kParentFrame = 2 };

enum ComputationField : uint32_t { kComputationName = 1, kInstructions = 2, kComputationId = 5, kRootId = 6 };

enum InstructionField : uint32_t {
  kName = 1,
  kOpcode = 2,
  kShape = 3,
  kMetadata = 7,
  kLiteral = 8,
  kParameterNumber = 9,
  kTupleIndex = 13,
  kDimensions = 14,
  kWindow = 15,
  kConvolutionNumbers = 16,
  kSliceDimensions = 17,
  kExponentBits = 18,
  kMantissaBits = 19,
  kDynamicSliceSizes = 20,
  kPaddingConfig = 21,
  kOutfeedConfig = 22,
  kDistribution = 23,
  kEpsilon = 24,
  kFeatureIndex = 25,
  kChannelId = 26,
  kInfeedConfig = 27,
  kCustomCallTarget = 28,
  kDotNumbers = 30,
  kFftType = 31,
  kFftLength = 32,
  kGatherNumbers = 33,
  kGatherSliceSizes = 34,
  kId = 35,
  kOperandIds = 36,
  kCalledComputationIds = 38,
  kSharding = 40,
  kBackendConfig = 43,
  kIsHostTransfer = 47,
  kScatterNumbers = 48,
  kReplicaGroups = 49,
  kFeatureGroupCount = 50,
  kPrecisionConfig = 51,
  kSourceTargetPairs = 52,
  kConstrainLayout = 56,
  kOperandShapesWithLayout = 57,
  kBatchGroupCount = 58,
  kTriangularSolveOptions = 59,
  kIsStable = 60,
  kCholeskyOptions = 62,
  kComparisonDirection = 63,
  kHasSideEffect = 65,
  kIndicesAreSorted = 67,
  kFrontendAttributes = 68,
  kUniqueIndices = 69,
  kRngAlgorithm = 70,
  kUseGlobalDeviceIds = 71,
  kComparisonType = 72,
  kOutputOperandAliasing = 74,
  kApiVersion = 77,
  kK = 81,
  kLargest = 85,
  kDeviceList = 87,
  kRaggedDotNumbers = 90,
  kIotaDeviceList = 92,
  kMeshAxesDeviceList = 93,
  kIsReverse = 94,
  kNumCarries = 95,
  kIsAssociative = 96,
};

enum TriState : uint32_t { kUnspecified = 0, kTrue = 1, kFalse = 2 };

enum MetadataField : uint32_t { kOpName = 2, kSourceFile = 3, kSourceLine = 4, kStackFrame = 15, kSourceColumn = 18 };

enum ShapeField : uint32_t { kElementType = 2, kShapeDims = 3, kTupleShapes = 4, kLayout = 5, kIsDynamic = 6 };
enum LayoutField : uint32_t { kMinorToMajor = 1 };

// PrimitiveType, and the field of LiteralProto that holds its elements.
enum PrimitiveType : uint32_t {
  kPred = 1,
  kS8 = 2,
  kS16 = 3,
  kS32 = 4,
  kS64 = 5,
  kU8 = 6,
  kU16 = 7,
  kU32 = 8,
  kU64 = 9,
  kF16 = 10,
  kF32 = 11,
  kF64 = 12,
  kTuple = 13,
  kC64 = 15,
  kBf16 = 16,
  kToken = 17,
  kC128 = 18,
  kF8E5M2 = 19,
  kF8E4M3FN = 20,
  kS4 = 21,
  kU4 = 22,
  kF8E4M3B11FNUZ = 23,
  kF8E5M2FNUZ = 24,
  kF8E4M3FNUZ = 25,
  kS2 = 26,
  kU2 = 27,
  kF8E4M3 = 28,
  kF8E3M4 = 29,
  kF4E2M1FN = 32,
  kF8E8M0FNU = 33,
};
enum LiteralField : uint32_t {
  kLiteralShape = 1,
  kPreds = 2,
  kU8s = 3,
  kS32s = 4,
  kS64s = 5,
  kU32s = 6,
  kU64s = 7,
  kF32s = 8,
  kF64s = 9,
  kTupleLiterals = 10,
  kF16s = 11,
  kC64s = 12,
  kBf16s = 13,
  kS8s = 15,
  kU16s = 16,
  kS16s = 17,
  kC128s = 18,
  kF8E5M2s = 19,
  kF8E4M3FNs = 20,
  kS4s = 21,
  kU4s = 22,
  kF8E4M3B11FNUZs = 23,
  kF8E5M2FNUZs = 24,
  kF8E4M3FNUZs = 25,
  kS2s = 26,
  kU2s = 27,
  kF8E4M3s = 28,
  kF8E3M4s = 29,
  kF4E2M1FNs = 32,
  kF8E8M0FNUs = 33,
};

enum WindowField : uint32_t { kWindowDims = 1 };
enum WindowDimField : uint32_t {
  kWindowSize = 1,
  kWindowStride = 2,
  kPaddingLow = 3,
  kPaddingHigh = 4,
  kWindowDilation = 5,
  kBaseDilation = 6,
  kReversal = 7,
};
enum ConvolutionField : uint32_t {
  kKernelInputFeature = 3,
  kKernelOutputFeature = 4,
  kKernelSpatial = 6,
  kInputBatch = 7,
  kInputFeature = 8,
  kOutputBatch = 9,
  kOutputFeature = 10,
  kInputSpatial = 11,
  kOutputSpatial = 12,
};
enum DotField : uint32_t { kLhsContracting = 1, kRhsContracting = 2, kLhsBatch = 3, kRhsBatch = 4 };
enum RaggedDotField : uint32_t { kRaggedDot = 1, kLhsRagged = 2, kRhsGroup = 3 };
enum PrecisionField : uint32_t { kOperandPrecision = 1, kAlgorithm = 2 };
enum GatherField : uint32_t {
  kOffsetDims = 1,
  kCollapsedDims = 2,
  kStartIndexMap = 3,
  kIndexVectorDim = 4,
  kOperandBatching = 5,
  kIndicesBatching = 6,
};
enum ScatterField : uint32_t {
  kUpdateWindowDims = 1,
  kInsertedDims = 2,
  kScatterDimsMap = 3,
  kScatterVectorDim = 4,
  kInputBatching = 5,
  kScatterIndicesBatching = 6,
};
enum SliceField : uint32_t { kSliceStart = 1, kSliceLimit = 2, kSliceStride = 3 };
enum PaddingField : uint32_t { kPaddingDims = 1 };
enum PaddingDimField : uint32_t { kEdgeLow = 1, kEdgeHigh = 2, kInterior = 3 };
enum TriangularField : uint32_t { kLeftSide = 1, kTriangularLower = 2, kUnitDiagonal = 3, kTransposeA = 4 };
enum CholeskyField : uint32_t { kCholeskyLower = 1 };

enum ReplicaGroupField : uint32_t { kReplicaIds = 1 };
enum SourceTargetField : uint32_t { kSource = 1, kTarget = 2 };
enum DeviceListField : uint32_t { kListGroups = 1, kListIota = 2 };
enum IotaListField : uint32_t { kIotaGroups = 1, kIotaGroupSize = 2, kIotaReshape = 3, kIotaTranspose = 4 };
enum OutputAliasField : uint32_t { kOutputIndex = 1, kOperandIndex = 2, kOperandShapeIndex = 3 };
enum AttributesField : uint32_t { kMap = 1 };
enum MapEntryField : uint32_t { kKey = 1, kValue = 2 };

enum ShardingField : uint32_t {
  kShardingType = 1,
  kTileDims = 3,
  kTileDevices = 4,
  kTupleShardings = 5,
  kReplicateLast = 6,
  kLastTileDims = 8,
  kShardingReshape = 9,
  kShardingTranspose = 10,
};
enum ShardingType : uint32_t {
  kReplicated = 0,
  kMaximal = 1,
  kTupleSharding = 2,
  kOther = 3,
  kManual = 4,
  kUnknown = 5,
  kUnreduced = 6,
};

}  // namespace tpuc::frontend::hlo

#endif  // TPUC_COMPILER_FRONTEND_HLO_FIELDS_H
