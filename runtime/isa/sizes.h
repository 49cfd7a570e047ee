// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of open sizes: what the true sizes of a run are, which entry holds them, and how large its arrays are then.
#pragma once
#include <optional>
#include <span>

#include "runtime/isa/executable.h"

namespace tpuc::isa {

// A number for each symbol of the index.
using Extents = std::vector<int64_t>;

// Sizes that follow from the shapes of the caller's arguments: each symbol's, and that no two contradict each other, or
// the program's conditions. False with `error`.
bool extentsOf(const proto::Index &index, std::span<const std::vector<int64_t>> shapes, Extents &extents,
               std::string &error);
// The smallest entry that holds them; -1 with `error`.
int entryFor(const proto::Index &index, const Extents &extents, std::string &error);
// Those that follow from the symbols of their own, which are given. False where a size is none.
bool completeExtents(const proto::Index &index, Extents &extents);
// An entry's own sizes, the largest that it holds.
Extents extentsOf(const proto::Entry &entry);
// The name by which a condition speaks of what a scalar argument holds: "argument0 - 17" is 0.
std::string valueName(int argument);
// The number that an argument has to hold, since the program's shapes were computed from it; nothing for others.
std::optional<int64_t> heldBy(const proto::Index &index, int argument);
// Whether `data`, the argument's one integer of `bytes` bytes, is the number that it has to be. False with `error`.
bool holdsSize(const proto::Index &index, int argument, const void *data, size_t bytes, std::string &error);
// SMEM's first bytes with the system area as the runtime writes it for the first of `devices`; empty without one.
std::vector<uint8_t> systemBytes(const proto::Index &index, const Extents &extents);

// The array's dims at these sizes.
std::vector<int64_t> trueDims(const proto::Array &array, const Extents &extents);
// "b=17, s=300": the symbols of their own.
std::string textOf(const proto::Index &index, const Extents &extents);

}  // namespace tpuc::isa
