// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/isa/sizes.h"

#include <algorithm>
#include <cstring>

#include "runtime/isa/dim_expr.h"

namespace tpuc::isa {
namespace {

constexpr std::string_view kValueName = "argument";

std::optional<DimExpr> parsed(const std::string &text) {
  std::string error;
  return DimExpr::parse(text, error);
}

std::string shapeText(const std::vector<int64_t> &shape) {
  std::string text;
  for (int64_t size : shape) text += (text.empty() ? "" : "x") + std::to_string(size);
  return text.empty() ? "no dimensions" : text;
}

// One dimension of an argument, its size as it was given.
struct Given {
  int argument, dim;
  const proto::Symbol *symbol;
  int64_t size;
};

// What an argument's shape says of symbols; false with `error` where it is no shape of the argument.
bool compareShape(const proto::Index &index, const proto::Buffer &b, const std::vector<int64_t> &shape,
                  std::vector<Given> &given, std::string &error) {
  const proto::Array &array = b.array();
  bool fits = static_cast<int>(shape.size()) == array.dims_size();
  for (int d = 0; fits && d < array.dims_size(); ++d) {
    const uint32_t symbol = array.symbols_size() ? array.symbols(d) : 0;
    if (symbol)
      given.push_back({b.index(), d, &index.symbols(static_cast<int>(symbol) - 1), shape[d]});
    else
      fits = shape[d] == array.dims(d);
  }
  if (fits) return true;
  std::string expected;
  for (int d = 0; d < array.dims_size(); ++d) {
    const uint32_t symbol = array.symbols_size() ? array.symbols(d) : 0;
    expected +=
        (d ? "x" : "") + (symbol ? index.symbols(static_cast<int>(symbol) - 1).name() : std::to_string(array.dims(d)));
  }
  error = "argument " + std::to_string(b.index()) + " expects " + (expected.empty() ? "no dimensions" : expected) +
          ", but got " + shapeText(shape);
  return false;
}

std::string dimText(const Given &g) {
  return "dimension " + std::to_string(g.dim) + " of argument " + std::to_string(g.argument);
}

// One unknown at a time.
bool solve(const proto::Index &index, const std::vector<Given> &given, DimExpr::Sizes &sizes) {
  for (bool found = true; found;) {
    found = false;
    for (const Given &g : given) {
      if (g.symbol->value().empty()) {
        found |= sizes.emplace(g.symbol->name(), g.size).second;
        continue;
      }
      const std::optional<DimExpr> expression = parsed(g.symbol->value());
      DimExpr::Symbols unknown;
      if (expression) expression->collectSymbols(unknown);
      for (const auto &[name, size] : sizes) unknown.erase(name);
      if (unknown.size() != 1) continue;
      const std::optional<int64_t> size = expression->solve(*unknown.begin(), g.size, sizes);
      if (size) found |= sizes.emplace(*unknown.begin(), *size).second;
    }
  }
  return true;
}

// The argument whose value the condition is about; -1 for one about sizes.
int argumentOf(const proto::SizeCondition &condition) {
  const std::optional<DimExpr> expression = parsed(condition.size());
  DimExpr::Symbols names;
  if (expression) expression->collectSymbols(names);
  if (names.size() != 1 || !names.begin()->starts_with(kValueName)) return -1;
  const std::string number = names.begin()->substr(kValueName.size());
  const bool digits = !number.empty() && number.size() < 9 && std::all_of(number.begin(), number.end(), ::isdigit);
  return digits ? std::stoi(number) : -1;
}

}  // namespace

std::string valueName(int argument) { return std::string(kValueName) + std::to_string(argument); }

std::optional<int64_t> heldBy(const proto::Index &index, int argument) {
  for (const proto::SizeCondition &condition : index.conditions())
    if (argumentOf(condition) == argument && condition.zero())
      return parsed(condition.size())->solve(valueName(argument), 0, {});
  return std::nullopt;
}

bool holdsSize(const proto::Index &index, int argument, const void *data, size_t bytes, std::string &error) {
  const std::optional<int64_t> held = heldBy(index, argument);
  if (!held) return true;
  uint64_t value = 0;
  std::memcpy(&value, data, std::min(bytes, sizeof value));
  const uint64_t kept = bytes < sizeof value ? (uint64_t{1} << (8 * bytes)) - 1 : ~uint64_t{0};
  if (value == (static_cast<uint64_t>(*held) & kept)) return true;
  for (const proto::SizeCondition &condition : index.conditions())
    if (argumentOf(condition) == argument) error = condition.message() + ", but got " + std::to_string(value);
  return false;
}

bool extentsOf(const proto::Index &index, std::span<const std::vector<int64_t>> shapes, Extents &extents,
               std::string &error) {
  std::vector<Given> given;
  for (const proto::Buffer &b : index.buffers()) {
    if (b.kind() != proto::ARGUMENT || b.extent() || !Executable::has(b, 0)) continue;
    if (b.index() < static_cast<int>(shapes.size()) && !compareShape(index, b, shapes[b.index()], given, error))
      return false;
  }
  DimExpr::Sizes sizes;
  solve(index, given, sizes);
  extents.clear();
  for (const proto::Symbol &symbol : index.symbols()) {
    const auto known = sizes.find(symbol.name());
    const std::optional<DimExpr> expression = symbol.value().empty() ? std::nullopt : parsed(symbol.value());
    const std::optional<int64_t> size = known != sizes.end() ? std::optional(known->second)
                                        : expression         ? expression->evaluate(sizes)
                                                             : std::nullopt;
    if (!size) {
      error = "no argument's shape says the size of " + symbol.name();
      return false;
    }
    extents.push_back(*size);
    sizes.emplace(symbol.name(), *size);
  }
  for (const Given &g : given) {
    if (sizes[g.symbol->name()] == g.size) continue;
    error = dimText(g) + " expects " + g.symbol->name() + ", which is " + std::to_string(sizes[g.symbol->name()]) +
            " as the other sizes have it, but got " + std::to_string(g.size);
    return false;
  }
  for (const proto::SizeCondition &condition : index.conditions()) {
    if (argumentOf(condition) >= 0) continue;
    const std::optional<DimExpr> expression = parsed(condition.size());
    const std::optional<int64_t> value = expression ? expression->evaluate(sizes) : std::nullopt;
    if (value && (condition.zero() ? *value == 0 : *value >= 0)) continue;
    error = condition.message() + " (" + textOf(index, extents) + ")";
    return false;
  }
  return true;
}

bool completeExtents(const proto::Index &index, Extents &extents) {
  DimExpr::Sizes sizes;
  for (int s = 0; s < index.symbols_size(); ++s)
    if (index.symbols(s).value().empty()) sizes.emplace(index.symbols(s).name(), extents[s]);
  for (int s = 0; s < index.symbols_size(); ++s) {
    if (index.symbols(s).value().empty()) continue;
    const std::optional<DimExpr> expression = parsed(index.symbols(s).value());
    const std::optional<int64_t> size = expression ? expression->evaluate(sizes) : std::nullopt;
    if (!size) return false;
    extents[s] = *size;
  }
  return true;
}

Extents extentsOf(const proto::Entry &entry) { return Extents(entry.extents().begin(), entry.extents().end()); }

std::vector<uint8_t> systemBytes(const proto::Index &index, const Extents &extents) {
  if (!index.has_system()) return {};
  std::vector<int32_t> words = {0, static_cast<int32_t>(std::max(index.num_devices(), 1u))};
  for (const int64_t extent : extents) words.push_back(static_cast<int32_t>(extent));
  std::vector<uint8_t> bytes(index.system().offset() + 4 * words.size());
  std::memcpy(bytes.data() + index.system().offset(), words.data(), 4 * words.size());
  return bytes;
}

int entryFor(const proto::Index &index, const Extents &extents, std::string &error) {
  int best = -1;
  double bestSize = 0;
  for (int e = 0; e < index.entries_size(); ++e) {
    const proto::Entry &entry = index.entries(e);
    bool holds = true;
    double size = 1;
    for (int s = 0; s < index.symbols_size(); ++s) {
      if (!index.symbols(s).value().empty()) continue;
      holds &= extents[s] <= entry.extents(s) &&
               extents[s] >= (entry.least_size() ? entry.least(s) : index.symbols(s).least());
      size *= static_cast<double>(entry.extents(s));
    }
    if (!holds || (best >= 0 && size >= bestSize)) continue;
    best = e;
    bestSize = size;
  }
  if (best >= 0) return best;
  error = "no bucket holds " + textOf(index, extents) + ": they are for ";
  for (int e = 0; e < std::min(index.entries_size(), 8); ++e)
    error += (e ? "; " : "") + textOf(index, extentsOf(index.entries(e)));
  if (index.entries_size() > 8) error += "; ...; " + textOf(index, extentsOf(index.entries(index.entries_size() - 1)));
  for (int s = 0; s < index.symbols_size(); ++s)
    if (index.symbols(s).value().empty() && extents[s] < index.symbols(s).least())
      error += "; " + index.symbols(s).name() + " is " + std::to_string(index.symbols(s).least()) + " at least";
  return -1;
}

std::vector<int64_t> trueDims(const proto::Array &array, const Extents &extents) {
  std::vector<int64_t> dims(array.dims().begin(), array.dims().end());
  for (int d = 0; d < array.symbols_size() && !extents.empty(); ++d)
    if (array.symbols(d)) dims[d] = std::clamp<int64_t>(extents[array.symbols(d) - 1], 0, dims[d]);
  return dims;
}

std::string textOf(const proto::Index &index, const Extents &extents) {
  std::string text;
  for (int s = 0; s < index.symbols_size(); ++s)
    if (index.symbols(s).value().empty())
      text += (text.empty() ? "" : ", ") + index.symbols(s).name() + "=" + std::to_string(extents[s]);
  return text;
}

}  // namespace tpuc::isa
