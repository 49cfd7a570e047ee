// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of HLO's opcodes: what emits each, how many operands and computations it has, and which op it becomes.
#include "compiler/frontend/hlo/families.h"
#include "llvm/ADT/StringMap.h"

namespace tpuc::frontend::hlo {
namespace {

constexpr int kAny = -1;
constexpr bool kArrays = true, kValues = false;

const Opcode kOpcodes[] = {
    {"parameter", nullptr, 0, 0, kArrays, ""},
    {"constant", emitConstant, 0, 0, kArrays, ""},
    {"iota", emitOneDim, 0, 0, kArrays, "stablehlo.iota"},
    // One operand, element by element.
    {"abs", emitPlain, 1, 0, kArrays, "stablehlo.abs"},
    {"acos", emitPlain, 1, 0, kArrays, "chlo.acos"},
    {"acosh", emitPlain, 1, 0, kArrays, "chlo.acosh"},
    {"asin", emitPlain, 1, 0, kArrays, "chlo.asin"},
    {"asinh", emitPlain, 1, 0, kArrays, "chlo.asinh"},
    {"atanh", emitPlain, 1, 0, kArrays, "chlo.atanh"},
    {"cbrt", emitPlain, 1, 0, kArrays, "stablehlo.cbrt"},
    {"ceil", emitPlain, 1, 0, kArrays, "stablehlo.ceil"},
    {"convert", emitPlain, 1, 0, kArrays, "stablehlo.convert"},
    {"cosh", emitPlain, 1, 0, kArrays, "chlo.cosh"},
    {"cosine", emitPlain, 1, 0, kArrays, "stablehlo.cosine"},
    {"count-leading-zeros", emitPlain, 1, 0, kArrays, "stablehlo.count_leading_zeros"},
    {"erf", emitPlain, 1, 0, kArrays, "chlo.erf"},
    {"exponential", emitPlain, 1, 0, kArrays, "stablehlo.exponential"},
    {"exponential-minus-one", emitPlain, 1, 0, kArrays, "stablehlo.exponential_minus_one"},
    {"floor", emitPlain, 1, 0, kArrays, "stablehlo.floor"},
    {"imag", emitPlain, 1, 0, kArrays, "stablehlo.imag"},
    {"is-finite", emitPlain, 1, 0, kArrays, "stablehlo.is_finite"},
    {"log", emitPlain, 1, 0, kArrays, "stablehlo.log"},
    {"log-plus-one", emitPlain, 1, 0, kArrays, "stablehlo.log_plus_one"},
    {"logistic", emitPlain, 1, 0, kArrays, "stablehlo.logistic"},
    {"negate", emitPlain, 1, 0, kArrays, "stablehlo.negate"},
    {"not", emitPlain, 1, 0, kArrays, "stablehlo.not"},
    {"popcnt", emitPlain, 1, 0, kArrays, "stablehlo.popcnt"},
    {"real", emitPlain, 1, 0, kArrays, "stablehlo.real"},
    {"reduce-precision", emitReducePrecision, 1, 0, kArrays, "stablehlo.reduce_precision"},
    {"round-nearest-afz", emitPlain, 1, 0, kArrays, "stablehlo.round_nearest_afz"},
    {"round-nearest-even", emitPlain, 1, 0, kArrays, "stablehlo.round_nearest_even"},
    {"rsqrt", emitPlain, 1, 0, kArrays, "stablehlo.rsqrt"},
    {"sign", emitPlain, 1, 0, kArrays, "stablehlo.sign"},
    {"sine", emitPlain, 1, 0, kArrays, "stablehlo.sine"},
    {"sinh", emitPlain, 1, 0, kArrays, "chlo.sinh"},
    {"sqrt", emitPlain, 1, 0, kArrays, "stablehlo.sqrt"},
    {"tan", emitPlain, 1, 0, kArrays, "stablehlo.tan"},
    {"tanh", emitPlain, 1, 0, kArrays, "stablehlo.tanh"},
    // Two and three operands.
    {"add", emitPlain, 2, 0, kArrays, "stablehlo.add"},
    {"and", emitPlain, 2, 0, kArrays, "stablehlo.and"},
    {"atan2", emitPlain, 2, 0, kArrays, "stablehlo.atan2"},
    {"compare", emitCompare, 2, 0, kArrays, "stablehlo.compare"},
    {"complex", emitPlain, 2, 0, kArrays, "stablehlo.complex"},
    {"divide", emitPlain, 2, 0, kArrays, "stablehlo.divide"},
    {"maximum", emitPlain, 2, 0, kArrays, "stablehlo.maximum"},
    {"minimum", emitPlain, 2, 0, kArrays, "stablehlo.minimum"},
    {"mulhi", emitPlain, 2, 0, kArrays, "chlo.mulhi"},
    {"multiply", emitPlain, 2, 0, kArrays, "stablehlo.multiply"},
    {"or", emitPlain, 2, 0, kArrays, "stablehlo.or"},
    {"power", emitPlain, 2, 0, kArrays, "stablehlo.power"},
    {"remainder", emitPlain, 2, 0, kArrays, "stablehlo.remainder"},
    {"shift-left", emitPlain, 2, 0, kArrays, "stablehlo.shift_left"},
    {"shift-right-arithmetic", emitPlain, 2, 0, kArrays, "stablehlo.shift_right_arithmetic"},
    {"shift-right-logical", emitPlain, 2, 0, kArrays, "stablehlo.shift_right_logical"},
    {"subtract", emitPlain, 2, 0, kArrays, "stablehlo.subtract"},
    {"xor", emitPlain, 2, 0, kArrays, "stablehlo.xor"},
    {"clamp", emitPlain, 3, 0, kArrays, "stablehlo.clamp"},
    {"select", emitSelect, 3, 0, kArrays, "stablehlo.select"},
    // What moves elements.
    {"bitcast", emitBitcast, 1, 0, kArrays, ""},
    {"bitcast-convert", emitPlain, 1, 0, kArrays, "stablehlo.bitcast_convert"},
    {"broadcast", emitBroadcast, 1, 0, kArrays, "stablehlo.broadcast_in_dim"},
    {"concatenate", emitOneDim, kAny, 0, kArrays, "stablehlo.concatenate"},
    {"copy", emitIdentity, 1, 0, kValues, ""},
    {"get-dimension-size", emitOneDim, 1, 0, kArrays, "stablehlo.get_dimension_size"},
    {"pad", emitPad, 2, 0, kArrays, "stablehlo.pad"},
    {"reshape", emitPlain, 1, 0, kArrays, "stablehlo.reshape"},
    {"dynamic-reshape", emitDynamicReshape, kAny, 0, kArrays, "stablehlo.dynamic_reshape"},
    {"reverse", emitDims, 1, 0, kArrays, "stablehlo.reverse"},
    {"set-dimension-size", emitOneDim, 2, 0, kArrays, "stablehlo.set_dimension_size"},
    {"slice", emitSlice, 1, 0, kArrays, "stablehlo.slice"},
    {"transpose", emitDims, 1, 0, kArrays, "stablehlo.transpose"},
    {"dynamic-slice", emitDynamicSlice, kAny, 0, kArrays, "stablehlo.dynamic_slice"},
    {"dynamic-update-slice", emitDynamicUpdateSlice, kAny, 0, kArrays, "stablehlo.dynamic_update_slice"},
    {"gather", emitGather, 2, 0, kArrays, "stablehlo.gather"},
    {"scatter", emitScatter, kAny, 1, kArrays, "stablehlo.scatter"},
    // Sums of products, and what reduces.
    {"dot", emitDot, 2, 0, kArrays, "stablehlo.dot_general"},
    {"ragged-dot", emitRaggedDot, 3, 0, kArrays, "chlo.ragged_dot"},
    {"convolution", emitConvolution, 2, 0, kArrays, "stablehlo.convolution"},
    {"reduce", emitReduce, kAny, 1, kArrays, "stablehlo.reduce"},
    {"reduce-window", emitReduceWindow, kAny, 1, kArrays, "stablehlo.reduce_window"},
    {"select-and-scatter", emitSelectAndScatter, 3, 2, kArrays, "stablehlo.select_and_scatter"},
    {"map", emitMap, kAny, 1, kArrays, "stablehlo.map"},
    {"scan", emitScan, kAny, 1, kArrays, "chlo.scan"},
    {"sort", emitSort, kAny, 1, kArrays, "stablehlo.sort"},
    {"topk", emitTopK, 1, kAny, kArrays, "chlo.top_k"},
    {"batch-norm-grad", emitBatchNorm, 5, 0, kArrays, "stablehlo.batch_norm_grad"},
    {"batch-norm-inference", emitBatchNorm, 5, 0, kArrays, "stablehlo.batch_norm_inference"},
    {"batch-norm-training", emitBatchNorm, 3, 0, kArrays, "stablehlo.batch_norm_training"},
    // Transforms, factorisations, random numbers.
    {"fft", emitFft, 1, 0, kArrays, "stablehlo.fft"},
    {"cholesky", emitCholesky, 1, 0, kArrays, "stablehlo.cholesky"},
    {"triangular-solve", emitTriangularSolve, 2, 0, kArrays, "stablehlo.triangular_solve"},
    {"rng", emitRng, 2, 0, kArrays, "stablehlo.rng"},
    {"rng-bit-generator", emitRngBits, 1, 0, kArrays, "stablehlo.rng_bit_generator"},
    // Tuples, calls, loops, branches, order.
    {"tuple", emitTuple, kAny, 0, kValues, ""},
    {"get-tuple-element", emitTupleElement, 1, 0, kValues, ""},
    {"call", emitCall, kAny, 1, kValues, ""},
    {"fusion", emitInlined, kAny, 1, kValues, ""},
    {"while", emitWhile, 1, 2, kValues, "stablehlo.while"},
    {"conditional", emitConditional, kAny, kAny, kValues, ""},
    {"custom-call", emitCustomCall, kAny, kAny, kValues, "stablehlo.custom_call"},
    {"opt-barrier", emitPlain, kAny, 0, kValues, "stablehlo.optimization_barrier"},
    {"after-all", emitAfterAll, kAny, 0, kValues, "stablehlo.after_all"},
    {"add-dependency", emitFirst, 2, 0, kValues, ""},
    {"domain", emitIdentity, 1, 0, kValues, ""},
    // The host, and one other device.
    {"infeed", emitInfeed, 1, 0, kValues, "stablehlo.infeed"},
    {"outfeed", emitOutfeed, 2, 0, kValues, "stablehlo.outfeed"},
    {"send", emitSend, 2, 0, kValues, "stablehlo.send"},
    {"send-done", emitDone, 1, 0, kValues, ""},
    {"recv", emitRecv, 1, 0, kValues, "stablehlo.recv"},
    {"recv-done", emitDone, 1, 0, kValues, ""},
    // Several devices.
    {"partition-id", emitPlain, 0, 0, kArrays, "stablehlo.partition_id"},
    {"replica-id", emitPlain, 0, 0, kArrays, "stablehlo.replica_id"},
    {"all-gather", emitCollective, kAny, 0, kArrays, "stablehlo.all_gather"},
    {"all-gather-start", emitCollective, kAny, 0, kArrays, "stablehlo.all_gather"},
    {"all-gather-done", emitDone, 1, 0, kValues, ""},
    {"all-reduce", emitCollective, kAny, 1, kArrays, "stablehlo.all_reduce"},
    {"all-reduce-start", emitCollective, kAny, 1, kArrays, "stablehlo.all_reduce"},
    {"all-reduce-done", emitDone, 1, 0, kValues, ""},
    {"all-to-all", emitCollective, kAny, 0, kArrays, "stablehlo.all_to_all"},
    {"collective-broadcast", emitCollective, kAny, 0, kArrays, "stablehlo.collective_broadcast"},
    {"reduce-scatter", emitCollective, 1, 1, kArrays, "stablehlo.reduce_scatter"},
    {"collective-permute", emitCollectivePermute, 1, 0, kArrays, "stablehlo.collective_permute"},
    {"collective-permute-start", emitCollectivePermute, 1, 0, kArrays, "stablehlo.collective_permute"},
    {"collective-permute-done", emitDone, 1, 0, kValues, ""},
    {"async-start", emitInlined, kAny, 1, kValues, ""},
    {"async-update", emitDone, 1, kAny, kValues, ""},
    {"async-done", emitDone, 1, kAny, kValues, ""},
    {"copy-start", emitCopyStart, 1, 0, kValues, ""},
    {"copy-done", emitDone, 1, 0, kValues, ""},
};

}  // namespace

const Opcode *findOpcode(llvm::StringRef name) {
  static const llvm::StringMap<const Opcode *> byName = [] {
    llvm::StringMap<const Opcode *> table;
    for (const Opcode &opcode : kOpcodes) table[opcode.name] = &opcode;
    return table;
  }();
  return byName.lookup(name);
}

}  // namespace tpuc::frontend::hlo
