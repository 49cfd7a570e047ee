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
// Few features of an input may lie along sublanes and its last spatial dim along lanes, where an image takes a fraction
// of the bytes: [batch, space.., features, space], or a gradient's [features, space.., batch, space]. Kernels turn it
// in VMEM. Whether an op whose input has features along lanes has the other form, whether it is in it, and that it is.
bool mayTurnInput(stablehlo::ConvolutionOp op);
bool hasTurnedInput(stablehlo::ConvolutionOp op);
void turnInput(stablehlo::ConvolutionOp op);
// What a convolution's kernel has: bytes of VMEM, arrays of the matrix unit, rows of sums in each, and whether these
// are f32 for integers too.
struct ConvRoom {
  int64_t vmemBytes, arrays, sumRows;
  bool floatArrays;
};
// Canonical or a gradient, its smallest block and its sums have room, and the sums are exact.
bool hasKernel(stablehlo::ConvolutionOp op, const ConvRoom &room);
// Whether a kernel takes a reduce_window: a scan; or an elementwise body with a constant start, nothing along the last
// dim.
bool hasKernel(stablehlo::ReduceWindowOp op, int64_t vmemBytes);
// Whether its kernel takes a select_and_scatter: a comparison selects, an elementwise op scatters onto a constant,
// nothing along the last dim.
bool hasKernel(stablehlo::SelectAndScatterOp op, int64_t vmemBytes);
// A window of one element everywhere, one element apart: a matmul as it is.
bool isPointwise(stablehlo::ConvolutionOp op);

}  // namespace tpuc::analysis
