// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The forms of convolution that have a kernel of their own.
#pragma once
#include "dialects/stablehlo/stablehlo.h"

namespace tpuc::analysis {

struct ConvAxis {
  int64_t in, out, window, stride, low, high, baseDilation, dilation;
  bool reversed;
};
llvm::SmallVector<ConvAxis> axesOf(stablehlo::ConvolutionOp op);

// Input and result [batch, space.., features], weights [window.., in, out] or [window.., out, in]; one group; or
// depthwise; one to three spatial dims; types of the matrix unit.
bool isCanonical(stablehlo::ConvolutionOp op);
// Each feature by itself: as many groups as there are features, in and out.
bool isDepthwise(stablehlo::ConvolutionOp op);
// A gradient of weights: input [features, space.., batch], weights [in, positions.., out], result [taps.., batch, out].
bool isGradient(stablehlo::ConvolutionOp op);
// The same of depthwise weights: as many groups of the batch as there are features, in and out; result [taps.., 1,
// out].
bool isDepthwiseGradient(stablehlo::ConvolutionOp op);
// The same with the batch along lanes, for few features and many images: input [space.., in, batch], weights [window..,
// in, out], result [space.., out, batch]; a gradient's second operand [positions.., out, batch], its result [taps..,
// in, out]. An input of one feature has its last spatial dim along sublanes: [space.., in, last, batch]. Kernels have
// code for each 8 rows under a window.
bool hasBatchLanes(stablehlo::ConvolutionOp op);
bool isBatchLanesGradient(stablehlo::ConvolutionOp op);
constexpr int64_t kMostBatchLanesFeatures = 128, kMostBatchLanesRows = 1024;
// Few features of an input may lie along sublanes and its last spatial dim along lanes, where an image takes a fraction
// of the bytes: [batch, space.., features, space], or a gradient's [features, space.., batch, space]. Or the features
// of an image are planes: [batch, features, rows, columns]. Kernels turn it in VMEM. Whether the input is in one of
// these forms, and in the latter.
bool hasTurnedInput(stablehlo::ConvolutionOp op);
bool hasPlanesInput(stablehlo::ConvolutionOp op);
// Whether an op whose input has features along lanes may take it with its dims in another order, and that it does.
bool mayTurnInput(stablehlo::ConvolutionOp op, llvm::ArrayRef<int64_t> order);
void turnInput(stablehlo::ConvolutionOp op, llvm::ArrayRef<int64_t> order);
constexpr int64_t kMostTurned = 8;  // features: the sublanes of a vreg
// A canonical convolution's kernel walks the window: its last axis in one matmul where that has so many positions at
// most, else one by one, of which more than kMostPositions are sooner matmuls of slices.
constexpr int64_t kMostFolded = 64, kMostPositions = 512;
// Whether a kernel takes ops of this form, on a target with room for their blocks (passes/plan/question.h). A
// convolution: canonical or a gradient, of depthwise weights too, or either with its batch along lanes, and not empty.
bool hasKernelForm(stablehlo::ConvolutionOp op);
// A reduce_window: a scan; or an elementwise body with a constant start, nothing along the last dim.
bool hasKernelForm(stablehlo::ReduceWindowOp op);
// A select_and_scatter: a comparison selects, an elementwise op scatters onto a constant, nothing along the last dim.
bool hasKernelForm(stablehlo::SelectAndScatterOp op);
// A window of one element everywhere, one element apart: a matmul as it is.
bool isPointwise(stablehlo::ConvolutionOp op);

}  // namespace tpuc::analysis
