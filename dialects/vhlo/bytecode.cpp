//===- bytecode.cpp - vhlo's encoding: which code, then what it says ------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/vhlo/bytecode.h"

using namespace mlir;

namespace tpuc::vhlo {

Attribute BytecodeInterface::readAttribute(DialectBytecodeReader &reader) const {
  uint64_t code;
  if (failed(reader.readVarInt(code)))
    return {};
  return vhlo::readAttribute(static_cast<AttributeCode>(code), reader);
}

Type BytecodeInterface::readType(DialectBytecodeReader &reader) const {
  uint64_t code;
  if (failed(reader.readVarInt(code)))
    return {};
  return vhlo::readType(static_cast<TypeCode>(code), reader);
}

} // namespace tpuc::vhlo
