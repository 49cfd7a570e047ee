//===- linalg.cpp - verifiers of transforms, factorizations and random numbers -----------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/stablehlo/assembly.h"
#include "dialects/stablehlo/infer.h"

using namespace mlir;

namespace tpuc::stablehlo {

//===-----------------------------------------------------------------------------===//
// fft
//===-----------------------------------------------------------------------------===//

// The element type of the result: fft_c2
static FailureOr<Type> fftElement(Emit emit, FftType kind, Type element) {
  auto complex = dyn_cast<ComplexType>(element);
  if (kind == FftType::RFFT) {
    if (!element.isF32() && !element.isF64())
      return emit() << "expects an operand of f32 or f64 for RFFT, but got " << element;
    return Type(ComplexType::get(element));
  }
  if (!complex) return emit() << "expects a complex operand for " << stringifyFftType(kind) << ", but got " << element;
  return kind == FftType::IRFFT ? complex.getElementType() : element;
}

LogicalResult FftOp::verify() {
  auto emit = errorsOf(*this);
  ArrayRef<int64_t> length = getFftLength();
  RankedTensorType operand = getOperand().getType(), result = getType();
  // fft_c3
  if (length.empty() || length.size() > 3)
    return emit() << "expects 1 to 3 numbers in fft_length, but got " << length.size();
  if (failed(checkAtLeast(emit, "fft_length", length, 0))) return failure();
  // fft_c1
  if (static_cast<int64_t>(length.size()) > operand.getRank())
    return emit() << "expects an operand of rank " << length.size() << " at least, but got " << operand;
  FailureOr<Type> element = fftElement(emit, getFftType(), operand.getElementType());
  if (failed(element) || failed(checkElement(emit, "result", result.getElementType(), *element))) return failure();
  // fft_c4: a real tensor ends in fft_length.
  SmallVector<int64_t> shape(operand.getShape());
  auto halved = [](int64_t size) { return size == 0 ? 0 : size / 2 + 1; };
  if (getFftType() == FftType::RFFT &&
      failed(checkShape(emit, "the transformed dimensions", operand.getShape().take_back(length.size()), length)))
    return failure();
  if (getFftType() == FftType::IRFFT) {
    SmallVector<int64_t> expected(length);
    expected.back() = halved(expected.back());
    if (failed(checkShape(emit, "the transformed dimensions", operand.getShape().take_back(length.size()), expected)))
      return failure();
  }
  if (getFftType() == FftType::FFT || getFftType() == FftType::IFFT)
    if (failed(checkShape(emit, "the transformed dimensions", operand.getShape().take_back(length.size()), length)))
      return failure();
  // fft_c5
  if (getFftType() == FftType::RFFT) shape.back() = halved(length.back());
  if (getFftType() == FftType::IRFFT) shape.back() = length.back();
  return checkShape(emit, "result", result.getShape(), shape);
}

//===-----------------------------------------------------------------------------===//
// Factorizations
//===-----------------------------------------------------------------------------===//

// Square in the last two dimensions: cholesky_c2, c3; triangular_solve_c2, c3
static LogicalResult checkSquare(Emit emit, RankedTensorType type) {
  if (type.getRank() < 2 || !sameDim(type.getShape().back(), type.getShape().drop_back().back()))
    return emit() << "expects a square matrix in the last two dimensions, but got " << type;
  return success();
}

LogicalResult CholeskyOp::verify() { return checkSquare(errorsOf(*this), getA().getType()); }

LogicalResult TriangularSolveOp::verify() {
  auto emit = errorsOf(*this);
  RankedTensorType a = getA().getType(), b = getB().getType();
  // triangular_solve_c1
  if (failed(checkElement(emit, "b", b.getElementType(), a.getElementType()))) return failure();
  // triangular_solve_c2
  if (failed(checkSquare(emit, a))) return failure();
  if (b.getRank() != a.getRank()) return emit() << "expects a and b of the same rank, but got " << a << " and " << b;
  // triangular_solve_c3
  if (failed(checkShape(emit, "the leading dimensions of b", b.getShape().drop_back(2), a.getShape().drop_back(2))))
    return failure();
  int64_t side = b.getDimSize(b.getRank() - (getLeftSide() ? 2 : 1));
  if (!sameDim(side, a.getShape().back()))
    return emit() << "expects size " << a.getShape().back() << " of b on the side that a stands, but got " << side;
  if (getTransposeA() == Transpose::TRANSPOSE_INVALID)
    return emit() << "expects transpose_a of NO_TRANSPOSE, TRANSPOSE or ADJOINT, but got TRANSPOSE_INVALID";
  // triangular_solve_c4
  return checkType(emit, "result", getType(), b);
}

//===-----------------------------------------------------------------------------===//
// Random numbers
//===-----------------------------------------------------------------------------===//

LogicalResult RngOp::verify() {
  auto emit = errorsOf(*this);
  Type element = getType().getElementType();
  // rng_c1
  if (failed(checkElement(emit, "a", getA().getType().getElementType(), element)) ||
      failed(checkElement(emit, "b", getB().getType().getElementType(), element)))
    return failure();
  // rng_c2
  if (getRngDistribution() == RngDistribution::UNDEFINED)
    return emit() << "expects a distribution of UNIFORM or NORMAL, but got UNDEFINED";
  if (getRngDistribution() == RngDistribution::NORMAL && !(elementKind(element) & kFloat))
    return emit() << "expects a floating-point type for NORMAL, but got " << element;
  // rng_c3
  if (!sameDim(getShape().getType().getDimSize(0), getType().getRank()))
    return emit() << "expects a shape of " << getType().getRank() << " numbers, but got " << getShape().getType();
  std::optional<SmallVector<int64_t>> sizes = constantVector(getShape());
  return sizes ? checkShape(emit, "result", getType().getShape(), *sizes) : success();
}

LogicalResult RngBitGeneratorOp::verify() {
  auto emit = errorsOf(*this);
  // rng_bit_generator_c1
  if (failed(checkType(emit, "output_state", getOutputState().getType(), getInitialState().getType())))
    return failure();
  // rng_bit_generator_c2, of states as the specification has them
  RankedTensorType state = getInitialState().getType();
  if (state.getRank() != 1 || !state.getElementType().isUnsignedInteger(64) || state.isDynamicDim(0)) return success();
  int64_t size = state.getDimSize(0);
  bool fits = getRngAlgorithm() == RngAlgorithm::THREE_FRY ? size == 2
              : getRngAlgorithm() == RngAlgorithm::PHILOX  ? size == 2 || size == 3
                                                           : true;
  if (!fits) return emit() << "expects a state of 2 numbers, or 3 for PHILOX, but got " << size;
  return success();
}

}  // namespace tpuc::stablehlo

using namespace tpuc::stablehlo;
#define GET_OP_CLASSES
#include "dialects/stablehlo/linalg.cpp.inc"
