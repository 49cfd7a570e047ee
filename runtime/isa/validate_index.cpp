// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/isa/validate_index.h"

#include <algorithm>
#include <set>

#include "runtime/isa/dim_expr.h"
#include "runtime/isa/layout.h"
#include "runtime/isa/sizes.h"

namespace tpuc::isa {
namespace {

constexpr uint32_t kMaxSemaphores = 65536, kMaxDevices = 1 << 20;
constexpr int64_t kMaxExtent = int64_t{1} << 40;
constexpr uint64_t kSystemWord = 4;

// Is it an expression of the first `count` symbols?
bool followsFrom(const proto::Index &index, std::string_view text, int count) {
  std::string error;
  const std::optional<DimExpr> expression = DimExpr::parse(text, error);
  if (!expression) return false;
  DimExpr::Symbols names;
  expression->collectSymbols(names);
  for (int i = 0; i < count; ++i) names.erase(index.symbols(i).name());
  return names.empty();
}

// A condition on what an argument of one integer holds.
bool isAboutValue(const proto::Index &index, const proto::SizeCondition &condition) {
  for (const proto::Buffer &b : index.buffers()) {
    if (b.kind() != proto::ARGUMENT || b.array().dims_size() || b.index() < 0) continue;
    std::string error;
    const std::optional<DimExpr> expression = DimExpr::parse(condition.size(), error);
    if (expression && condition.zero() && expression->solve(valueName(b.index()), 0, {})) return true;
  }
  return false;
}

std::string validateSymbols(const proto::Index &index) {
  for (int i = 0; i < index.symbols_size(); ++i) {
    const proto::Symbol &s = index.symbols(i);
    if (s.least() < 0 || s.most() < s.least() || s.most() > kMaxExtent) return at("symbol", i, "bad bounds");
    if (s.multiple() < 0 || s.multiple() > kMaxExtent) return at("symbol", i, "bad multiple");
    if (!s.value().empty() && !followsFrom(index, s.value(), i))
      return at("symbol", i, "a value that does not follow from symbols before it");
  }
  for (int i = 0; i < index.conditions_size(); ++i)
    if (!isAboutValue(index, index.conditions(i)) &&
        !followsFrom(index, index.conditions(i).size(), index.symbols_size()))
      return at("condition", i, "a size that does not follow from symbols");
  return {};
}

std::string validateEntries(const proto::Index &index) {
  if (index.entries_size() == 0) return "no entry";
  for (int i = 0; i < index.entries_size(); ++i) {
    const proto::Entry &e = index.entries(i);
    if (e.bundle() >= index.num_bundles()) return at("entry", i, "outside of the code");
    if (e.arena_bytes() > static_cast<uint64_t>(kMaxBytes) || e.hbm_peak_bytes() > static_cast<uint64_t>(kMaxBytes))
      return at("entry", i, "takes too much memory");
    if (e.vmem_bytes() > index.vmem_bytes() || e.vmem_shared_bytes() > e.vmem_bytes() ||
        e.vmem_shared_bytes() % kVregBytes)
      return at("entry", i, "bad VMEM");
    if (e.extents_size() != index.symbols_size()) return at("entry", i, "expects an extent for each symbol");
    if (e.least_size() && e.least_size() != e.extents_size())
      return at("entry", i, "expects a smallest size for each symbol, or none");
    for (int s = 0; s < e.least_size(); ++s)
      if (e.least(s) < index.symbols(s).least() || e.least(s) > e.extents(s))
        return at("entry", i, "a smallest size outside of its symbol's bounds");
    for (int s = 0; s < e.extents_size(); ++s)
      if (e.extents(s) < index.symbols(s).least() || e.extents(s) > index.symbols(s).most())
        return at("entry", i, "an extent outside of its symbol's bounds");
  }
  return {};
}

std::string validateSystem(const proto::Index &index) {
  if (index.num_devices() > kMaxDevices) return "too many devices";
  if (index.num_partitions() && index.num_devices() % index.num_partitions())
    return "partitions that do not divide the devices";
  if (index.chip_semaphores_size() > static_cast<int>(kMaxSemaphores)) return "too many chip semaphores";
  const std::string &precision = index.matmul_precision();
  if (!precision.empty() && precision != "default" && precision != "high" && precision != "highest")
    return "unknown matmul precision";
  if (!index.has_system()) return index.symbols_size() ? "symbols, but no system area" : "";
  const proto::SystemArea &area = index.system();
  if (area.offset() % kSystemWord || area.size() % kSystemWord) return "the system area is no whole number of words";
  if (area.size() < (2 + static_cast<uint64_t>(index.symbols_size())) * kSystemWord)
    return "the system area is too small";
  if (area.size() > index.smem_bytes() || area.offset() > index.smem_bytes() - area.size())
    return "the system area is outside of SMEM";
  return {};
}

std::string validateArray(const proto::Index &index, const proto::Array &array) {
  for (int64_t dim : array.dims())
    if (dim < 0) return "negative extent";
  if (array.symbols_size() && array.symbols_size() != array.dims_size())
    return "expects a symbol for each dim, or none";
  for (uint32_t symbol : array.symbols())
    if (symbol > static_cast<uint32_t>(index.symbols_size())) return "unknown symbol";
  return {};
}

std::string validateBuffer(const Executable &exe, const proto::Buffer &b) {
  const proto::Index &index = exe.index;
  if (!proto::BufferKind_IsValid(b.kind())) return "unknown kind";
  if (b.size() > static_cast<uint64_t>(kMaxBytes) || b.offset() > static_cast<uint64_t>(kMaxBytes)) return "too large";
  std::set<uint32_t> entries;
  for (uint32_t e : b.entries())
    if (e >= static_cast<uint32_t>(index.entries_size()) || !entries.insert(e).second) return "bad entries";
  if (b.kind() == proto::ARENA)
    for (int e = 0; e < index.entries_size(); ++e)
      if (Executable::has(b, e) && b.offset() + b.size() > index.entries(e).arena_bytes())
        return "outside of the arena";
  if (b.kind() == proto::CONSTANT && b.offset() + b.size() > exe.constants.size()) return "outside of the constants";
  const bool outer = b.kind() == proto::ARGUMENT || b.kind() == proto::RESULT;
  if (outer && (b.index() < 0 || b.index() >= index.buffers_size())) return "bad argument or result number";
  if (!outer && !b.sharding().empty()) return "a sharding of what is no argument and no result";
  if (b.donated() && b.kind() != proto::ARGUMENT) return "only arguments are donated";
  if (b.on_host() && b.kind() != proto::ARGUMENT && b.kind() != proto::RESULT)
    return "only arguments and results are in the host's memory";
  if (b.alias_argument() && b.kind() != proto::RESULT) return "bad alias";
  const bool number = b.kind() == proto::ARGUMENT && b.array().type() == "i32" && b.array().dims_size() == 0;
  if (b.extent() && (!number || b.extent() > static_cast<uint32_t>(index.symbols_size()))) return "bad extent";
  if (!(b.matmul_error() >= 0 && b.matmul_error() <= 1)) return "bad error of its matmuls";
  return validateArray(index, b.array());
}

// The arguments and results that entry `e` has: each number once, results over arguments that there are, each taken
// once.
std::string validateOuter(const proto::Index &index, int e) {
  std::set<std::pair<int, int>> seen;
  std::set<int> taken;
  int arguments = 0, firstExtent = INT32_MAX, lastOwn = -1;
  uint32_t results = 0;
  for (const proto::Buffer &b : index.buffers()) {
    arguments += b.kind() == proto::ARGUMENT && Executable::has(b, e);
    results += b.kind() == proto::RESULT && Executable::has(b, e);
  }
  if (index.own_results() > results + 1) return "more results of its own than results";
  for (int i = 0; i < index.buffers_size(); ++i) {
    const proto::Buffer &b = index.buffers(i);
    if ((b.kind() != proto::ARGUMENT && b.kind() != proto::RESULT) || !Executable::has(b, e)) continue;
    if (!seen.insert({b.kind(), b.index()}).second) return at("buffer", i, "bad argument or result number");
    if (b.extent())
      firstExtent = std::min(firstExtent, b.index());
    else if (b.kind() == proto::ARGUMENT)
      lastOwn = std::max(lastOwn, b.index());
    if (b.alias_argument() < 0 || b.alias_argument() > arguments) return at("buffer", i, "bad alias");
    if (b.alias_argument() && !taken.insert(b.alias_argument()).second)
      return at("buffer", i, "takes over an argument that another result has");
  }
  if (firstExtent < lastOwn) return "an argument behind those of true sizes";
  return {};
}

std::string validateRoutines(const proto::Index &index) {
  for (int i = 0; i < index.routines_size(); ++i) {
    const proto::Routine &r = index.routines(i);
    if (r.bundle() > index.num_bundles() || r.bundles() > index.num_bundles() - r.bundle())
      return at("routine", i, "outside of the code");
  }
  for (int i = 0; i < index.residents_size(); ++i) {
    const proto::Resident &r = index.residents(i);
    // Behind the shared part it is each core's own.
    const uint64_t shared = index.vmem_shared_bytes(), bytes = r.offset() < shared ? shared : index.vmem_bytes();
    if (r.offset() > bytes || r.size() > bytes - r.offset()) return at("resident array", i, "outside of its VMEM");
    if (r.first_routine() >= static_cast<uint32_t>(index.routines_size()) ||
        r.last_routine() >= static_cast<uint32_t>(index.routines_size()))
      return at("resident array", i, "of an unknown routine");
    if (std::string why = validateArray(index, r.array()); !why.empty()) return at("resident array", i, why);
  }
  return {};
}

std::string validateHostArray(const proto::Index &index, const proto::HostArray &a) {
  if (a.buffer() >= static_cast<uint32_t>(index.buffers_size())) return "unknown buffer";
  const proto::Buffer &b = index.buffers(static_cast<int>(a.buffer()));
  if (std::string why = validateArray(index, a.array()); !why.empty()) return why;
  ArrayLayout layout;
  std::string error;
  const std::vector<int64_t> dims(a.array().dims().begin(), a.array().dims().end());
  const std::vector<int32_t> order(a.array().order().begin(), a.array().order().end());
  if (!makeLayout(a.array().type(), dims, order, layout, error)) return error;
  if (a.offset() > b.size() || static_cast<uint64_t>(layout.bytes) > b.size() - a.offset())
    return "an array outside of its buffer";
  return {};
}

std::string validateHostCall(const proto::Index &index, const proto::HostCall &call) {
  for (const proto::HostArray &a : call.operands())
    if (std::string why = validateHostArray(index, a); !why.empty()) return why;
  for (const proto::HostArray &a : call.results()) {
    if (std::string why = validateHostArray(index, a); !why.empty()) return why;
    const proto::Buffer &b = index.buffers(static_cast<int>(a.buffer()));
    if (b.kind() == proto::CONSTANT) return "writes a constant";
    const bool taken = std::any_of(index.buffers().begin(), index.buffers().end(), [&](const proto::Buffer &r) {
      return r.kind() == proto::RESULT && r.alias_argument() == b.index() + 1;
    });
    if (b.kind() == proto::ARGUMENT && !taken) return "writes an argument that no result takes over";
  }
  return {};
}

}  // namespace

std::string validateIndex(const Executable &exe) {
  const proto::Index &index = exe.index;
  if (index.vmem_bytes() > (uint64_t{1} << 40) || index.smem_bytes() > (uint64_t{1} << 32))
    return "a memory is too large";
  if (index.vmem_shared_bytes() > index.vmem_bytes()) return "more shared VMEM than VMEM";
  if (index.vmem_shared_bytes() % kVregBytes) return "shared VMEM is no multiple of 4096 bytes";
  if (index.semaphores() > kMaxSemaphores) return "too many semaphores";
  for (auto check : {validateSymbols, validateEntries, validateSystem, validateRoutines})
    if (std::string why = check(index); !why.empty()) return why;
  for (int i = 0; i < index.buffers_size(); ++i)
    if (std::string why = validateBuffer(exe, index.buffers(i)); !why.empty()) return at("buffer", i, why);
  for (int i = 0; i < index.host_calls_size(); ++i)
    if (std::string why = validateHostCall(index, index.host_calls(i)); !why.empty()) return at("host call", i, why);
  for (int e = 0; e < index.entries_size(); ++e)
    if (std::string why = validateOuter(index, e); !why.empty())
      return index.entries_size() > 1 ? at("entry", e, why) : why;
  return {};
}

}  // namespace tpuc::isa
