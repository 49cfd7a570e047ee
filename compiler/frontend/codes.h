//===- codes.h - the catalogue of what can be wrong with a program -------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A diagnostic ends in its code, [TPUC-IMPORT-004]; `tpuc explain` prints what stands here. A code keeps its
// meaning for ever: add at the end, never reuse.
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_COMPILER_FRONTEND_CODES_H
#define TPUC_COMPILER_FRONTEND_CODES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tpuc::frontend {

// How the command ends: what is asked is wrong, the program is, or tpuc can't do it, or the target is too small.
enum class Exit { Usage = 2, Invalid = 3, Unsupported = 4, DoesNotFit = 5 };

struct Code {
  llvm::StringLiteral name;
  Exit exit;
  llvm::StringLiteral explanation;
};

inline constexpr Code kCannotRead = {
    "TPUC-IMPORT-001", Exit::Usage,
    "The file cannot be opened or read. Check the path and its permissions; - reads from standard input."};
inline constexpr Code kMalformed = {
    "TPUC-IMPORT-002", Exit::Invalid,
    "The text is not a well-formed program, or an op in it breaks a constraint of the StableHLO specification. The "
    "message says what was expected and what was found, and the line is the program's. Text from a newer JAX can have "
    "syntax that this version does not know: export again with an older target version."};
inline constexpr Code kUnknownOp = {
    "TPUC-IMPORT-003", Exit::Unsupported,
    "The op is neither StableHLO's, nor CHLO's, nor func's. Legalize other dialects to StableHLO first; in JAX, "
    "jax.export and .lower().as_text() already do."};
inline constexpr Code kNoMain = {
    "TPUC-IMPORT-004", Exit::Invalid,
    "A program is a module with a function main that has a body. A module with one public function counts too, "
    "whatever its name. JAX always writes main."};
inline constexpr Code kSeveralModules = {
    "TPUC-IMPORT-005", Exit::Invalid,
    "The file holds more than one module. Give each its own file, or use --split-input-file where a command has it."};
inline constexpr Code kCyclicCalls = {
    "TPUC-IMPORT-006", Exit::Invalid,
    "Functions call each other in a circle. Calls are inlined, so a program with recursion has no end; write the "
    "repetition as stablehlo.while."};
inline constexpr Code kDynamicShape = {
    "TPUC-IMPORT-007", Exit::Unsupported,
    "A dimension has neither a size nor a bound. Export with concrete shapes, or state a bound as in "
    "tensor<?x8xf32, #stablehlo.bounds<64, ?>>."};
inline constexpr Code kTooLarge = {
    "TPUC-IMPORT-008", Exit::DoesNotFit,
    "An array has more bytes than an address can count. No target holds it; check the shape for a mistake."};
inline constexpr Code kPortableArtifact = {
    "TPUC-IMPORT-009", Exit::Unsupported,
    "The file is a portable artifact of a version that this tpuc does not read. Write it for an older version of "
    "StableHLO, or as text: print(jax.jit(f).lower(*args).as_text())."};
inline constexpr Code kJaxExport = {
    "TPUC-IMPORT-010", Exit::Invalid,
    "The file looks like what jax.export(...).serialize() writes, but holds no portable artifact: it is damaged or "
    "another program's. Export again, or write exported.mlir_module()."};
inline constexpr Code kNestsTooDeep = {
    "TPUC-IMPORT-011", Exit::Invalid,
    "Brackets nest deeper than any program's would. The file is damaged or made to exhaust the stack."};
inline constexpr Code kUnknownType = {
    "TPUC-IMPORT-012", Exit::Unsupported,
    "A value has a type that is not StableHLO's: ranked tensors of the specification's element types, tokens and "
    "tuples."};

inline constexpr Code kNoBody = {
    "TPUC-IMPORT-013", Exit::Invalid,
    "A function that is called, or a composite's decomposition, is declared but has no body. A program has to be "
    "complete; there is nothing to link it with."};

llvm::ArrayRef<const Code *> allCodes();
// Null for a name that no code has.
const Code *findCode(llvm::StringRef name);

} // namespace tpuc::frontend

#endif // TPUC_COMPILER_FRONTEND_CODES_H
