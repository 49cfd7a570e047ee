// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transfers of whole arrays by the entry routine, between HBM and places in VMEM.
#pragma once
#include "passes/lowering/code.h"
#include "passes/plan/memory/buffers.h"

namespace tpuc::lowering {

// Brings an array from a buffer in HBM to its place.
void startFetch(Code &code, const std::string &from, const Resident &place, int64_t semaphore);

// Copies that control flow needs, one after the other: each may read what another one has written.
void emitRelocations(Code &code, const BufferPlan &plan, llvm::ArrayRef<Relocation> copies);

}  // namespace tpuc::lowering
