// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. The walk says how often each transfer of the code was issued; a transfer is of one array, or of two, and of the
//    kernel that it stands in.
// 2. A kernel moves an array so many times: its bytes at the largest sizes over those that the array takes.
// 3. So often the true elements are moved, and what pads them to tiles; the rest was moved for the bucket.
#include "compiler/report/ledger.h"

#include <algorithm>
#include <map>
#include <utility>

#include "compiler/report/units.h"
#include "runtime/isa/layout.h"

namespace tpuc::report {
namespace {

using Group = std::pair<int, int>;  // a routine, -1 for the entries' own; a buffer
struct Moved {
  int64_t read = 0, written = 0;
};

// An array's bytes: of its true elements, of those with their tiles, of the bucket's elements, and all.
struct Sizes {
  int64_t own = 0, tiled = 0, bucket = 0, all = 0;
};

int64_t bytesOf(const isa::proto::Array &array, const std::vector<int64_t> &dims, bool tiled) {
  isa::ArrayLayout layout;
  std::string error;
  const std::vector<int32_t> order(array.order().begin(), array.order().end());
  if (!isa::makeLayout(array.type(), dims, order, layout, error)) return 0;
  // A part of a lane an element, in each of the planes.
  const int64_t planes = layout.planeBytes ? layout.bytes / layout.planeBytes : 1;
  const int64_t packing = layout.type->packing;
  return tiled ? layout.bytes : (layout.elements * planes * 4 + packing - 1) / packing;
}

Sizes sizesOf(const isa::proto::Array &array, int64_t all, const isa::Extents &extents) {
  const std::vector<int64_t> dims(array.dims().begin(), array.dims().end()), own = isa::trueDims(array, extents);
  return {bytesOf(array, own, false), bytesOf(array, own, true), bytesOf(array, dims, false), all};
}

int64_t times(int64_t bytes, int64_t moved, int64_t all) {
  return all > 0 ? static_cast<int64_t>(static_cast<__int128>(bytes) * moved / all) : 0;
}

// Divides `moved` bytes of an array that moves `largest` / `sizes.all` times.
Split splitOf(const Sizes &sizes, int64_t moved, int64_t largest) {
  Split split;
  split.logical = std::min(moved, times(sizes.own, largest, sizes.all));
  split.alignment = std::min(moved - split.logical, times(sizes.tiled - sizes.own, largest, sizes.all));
  split.bucketing = moved - split.logical - split.alignment;
  // At the largest sizes nothing is filled up: what rounding left over is alignment's.
  if (sizes.own == sizes.bucket) split.alignment += std::exchange(split.bucketing, 0);
  return split;
}

Split storedOf(const Sizes &sizes) { return splitOf(sizes, sizes.all, sizes.all); }

std::map<Group, Moved> groupsOf(const isa::Executable &exe, const timing::TimingResult &timed) {
  std::map<Group, Moved> groups;
  std::vector<std::pair<uint32_t, int>> begins;
  for (int i = 0; i < exe.index.routines_size(); ++i)
    if (exe.index.routines(i).kind() != "entry") begins.push_back({exe.index.routines(i).bundle(), i});
  std::sort(begins.begin(), begins.end());
  for (const timing::Transfers &t : timed.transfers) {
    auto after = std::upper_bound(begins.begin(), begins.end(), std::pair<uint32_t, int>(t.bundle, INT32_MAX));
    int routine = after == begins.begin() ? -1 : std::prev(after)->second;
    if (routine >= 0 && t.bundle >= exe.index.routines(routine).bundle() + exe.index.routines(routine).bundles())
      routine = -1;
    const isa::DmaDescriptor &d = exe.descriptors[t.descriptor];
    const int64_t bytes = t.times * d.totalBytes();
    if (d.srcSpace == isa::Space::Hbm) groups[{routine, d.srcBuffer}].read += bytes;
    if (d.dstSpace == isa::Space::Hbm) groups[{routine, d.dstBuffer}].written += bytes;
  }
  return groups;
}

std::string typeText(const isa::proto::Array &array, const isa::Extents &extents) {
  std::string text = array.type() + "[", own;
  const std::vector<int64_t> dims = isa::trueDims(array, extents);
  for (int i = 0; i < array.dims_size(); ++i) {
    text += (i ? "," : "") + std::to_string(array.dims(i));
    own += (i ? "," : "") + std::to_string(dims[i]);
  }
  return std::equal(dims.begin(), dims.end(), array.dims().begin()) ? text + "]" : text + "] of [" + own + "]";
}

std::string nameOf(const isa::proto::Buffer &b) {
  const std::string number = " " + std::to_string(b.index());
  const std::string user = b.array().name().empty() ? "" : " (" + b.array().name() + ")";
  switch (b.kind()) {
    case isa::proto::ARGUMENT:
      return "argument" + number + user;
    case isa::proto::RESULT:
      return "result" + number + user;
    case isa::proto::CONSTANT:
      return "constant";
    default:
      return "temporary";
  }
}

// Advice for one of the two dims under a tile: the one that wastes more.
std::string adviceFor(const isa::proto::Array &array) {
  isa::ArrayLayout layout;
  std::string error;
  const std::vector<int64_t> dims(array.dims().begin(), array.dims().end());
  const std::vector<int32_t> order(array.order().begin(), array.order().end());
  if (dims.empty() || !isa::makeLayout(array.type(), dims, order, layout, error) || !layout.elements) return "";
  const int rank = static_cast<int>(dims.size());
  auto sizeAt = [&](int place) { return dims[layout.order.empty() ? place : layout.order[place]]; };
  if (!layout.tiled()) return betterSize(sizeAt(0), int64_t{128} * layout.type->packing);
  auto share = [](int64_t size, int64_t tile) {
    return static_cast<double>(size) / static_cast<double>((size + tile - 1) / tile * tile);
  };
  const int64_t rows = sizeAt(rank - 2), columns = sizeAt(rank - 1);
  return share(columns, 128) <= share(rows, layout.tileRows()) ? betterSize(columns, 128)
                                                               : betterSize(rows, layout.tileRows());
}

// A row of each mode goes through an array of side x side, whatever part of it holds weights.
double machineFlops(const target::Target &target, const std::array<int64_t, 3> &pushes) {
  const double side = target.core().mxu_side();
  const double rows = 16.0 * static_cast<double>(pushes[0]) + 32.0 * static_cast<double>(pushes[1]) +
                      8.0 * static_cast<double>(pushes[2]);
  return 2 * rows * side * side;
}

template <typename T>
void worstFirst(std::vector<T> &rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const T &a, const T &b) { return a.moved.waste() > b.moved.waste(); });
}

}  // namespace

void Split::add(const Split &other) {
  logical += other.logical;
  bucketing += other.bucketing;
  alignment += other.alignment;
}

std::string betterSize(int64_t size, int64_t tile) {
  const int64_t up = (size + tile - 1) / tile * tile, down = size / tile * tile;
  if (size <= 0 || up == size) return "";
  const std::string wasted = fixed(100.0 * static_cast<double>(up - size) / static_cast<double>(up), 0);
  return std::to_string(size) + " -> " + std::to_string(up) + " wastes " + wasted + "%; " +
         (down ? std::to_string(down) + " or " + std::to_string(up) + " waste none"
               : std::to_string(up) + " wastes none");
}

Ledger makeLedger(const isa::Executable &exe, const target::Target &target, int entry, const isa::Extents &extents,
                  const timing::TimingResult &timed, const timing::TimingResult &largest) {
  Ledger ledger;
  const std::map<Group, Moved> groups = groupsOf(exe, timed);
  std::map<Group, Moved> most = groupsOf(exe, largest);
  std::vector<Sizes> sizes;
  std::vector<int64_t> most_(exe.index.buffers_size());
  std::vector<LedgerArray> arrays(exe.index.buffers_size());
  for (int i = 0; i < exe.index.buffers_size(); ++i) {
    const isa::proto::Buffer &b = exe.index.buffers(i);
    sizes.push_back(sizesOf(b.array(), static_cast<int64_t>(b.size()), extents));
    arrays[i] = {nameOf(b), typeText(b.array(), extents), "", false, storedOf(sizes[i]), {}, ""};
    if (arrays[i].stored.alignment) arrays[i].advice = adviceFor(b.array());
  }
  std::map<int, LedgerKernel> kernels;
  for (int i = 0; i < exe.index.routines_size(); ++i) {
    const isa::proto::Routine &r = exe.index.routines(i);
    if (r.kind() == "entry" || r.kind() == isa::kLaunchKind || !timed.routines[i].calls) continue;
    LedgerKernel &k = kernels[i] = {r.name(), r.kind(), r.location(), {}, 0, 0};
    k.flops = static_cast<double>(timed.routines[i].calls) * static_cast<double>(r.flops());
    k.machineFlops = machineFlops(target, timed.routines[i].pushes);
    for (size_t p = 0; p < ledger.pushes.size(); ++p) ledger.pushes[p] += timed.routines[i].pushes[p];
  }
  for (const auto &[group, moved] : groups) {
    const auto [routine, buffer] = group;
    const Moved &full = most[group];
    Split split = splitOf(sizes[buffer], moved.read, full.read);
    split.add(splitOf(sizes[buffer], moved.written, full.written));
    arrays[buffer].moved.add(split);
    kernels[routine].moved.add(split);
    ledger.moved.add(split);
    ledger.readBytes += moved.read;
    ledger.writeBytes += moved.written;
    if (routine < 0 || split.total() <= most_[buffer]) continue;
    most_[buffer] = split.total();
    arrays[buffer].location = exe.index.routines(routine).location();
  }
  for (int i = 0; i < exe.index.buffers_size(); ++i)
    if (isa::Executable::has(exe.index.buffers(i), entry)) ledger.arrays.push_back(std::move(arrays[i]));
  for (const isa::proto::Resident &r : exe.index.residents()) {
    const Sizes s = sizesOf(r.array(), static_cast<int64_t>(r.size()), extents);
    ledger.arrays.push_back({"on chip",
                             typeText(r.array(), extents),
                             exe.index.routines(r.first_routine()).location(),
                             true,
                             storedOf(s),
                             {},
                             adviceFor(r.array())});
  }
  for (auto &[routine, kernel] : kernels) ledger.kernels.push_back(std::move(kernel));
  worstFirst(ledger.arrays);
  worstFirst(ledger.kernels);
  return ledger;
}

}  // namespace tpuc::report
