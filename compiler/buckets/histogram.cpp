// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/buckets/histogram.h"

#include <map>
#include <set>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace tpuc::buckets {
namespace {

constexpr int64_t kMostSize = int64_t{1} << 31;
constexpr double kMostRuns = 1e15;
constexpr const char *kBetween = " \t\r,;";

using Fields = llvm::SmallVector<llvm::StringRef>;

Fields fieldsOf(llvm::StringRef line) {
  Fields fields;
  llvm::SplitString(line.split('#').first, fields, kBetween);
  return fields;
}

bool isNumber(llvm::StringRef field) {
  double value;
  return !field.getAsDouble(value);
}

// Which column is the count; -1 for none.
struct Columns {
  std::vector<std::string> symbols;
  int count = -1;
  size_t width = 0;
};

std::optional<Columns> headerOf(const Fields &fields, std::string &error) {
  Columns columns;
  if (llvm::any_of(fields, isNumber)) {
    error = "expects a first line that names the columns, as \"s count\", but got '" + fields.front().str() + "'";
    return std::nullopt;
  }
  columns.width = fields.size();
  for (auto [i, field] : llvm::enumerate(fields)) {
    bool again = llvm::is_contained(columns.symbols, field.str()) || (field == "count" && columns.count >= 0);
    if (again) error = "expects each column once, but got '" + field.str() + "' twice";
    if (field == "count")
      columns.count = static_cast<int>(i);
    else
      columns.symbols.push_back(field.str());
  }
  if (error.empty() && columns.symbols.empty()) error = "expects a column of sizes beside the count";
  return error.empty() ? std::optional(columns) : std::nullopt;
}

bool parseRow(const Fields &fields, const Columns &columns, Histogram::Row &row, std::string &error) {
  if (fields.size() != columns.width) {
    error = "expects " + std::to_string(columns.width) + " numbers, but got " + std::to_string(fields.size());
    return false;
  }
  row.count = 1;
  for (auto [i, field] : llvm::enumerate(fields)) {
    int64_t size = 0;
    if (static_cast<int>(i) == columns.count) {
      if (field.getAsDouble(row.count) || !(row.count >= 0 && row.count <= kMostRuns))
        error = "expects a count from 0 to 1e15, but got '" + field.str() + "'";
    } else if (field.getAsInteger(10, size) || size < 1 || size >= kMostSize) {
      error = "expects a size of 1 at least and below 2^31, but got '" + field.str() + "'";
    } else {
      row.sizes.push_back(size);
    }
    if (!error.empty()) return false;
  }
  return true;
}

}  // namespace

double Histogram::total() const {
  double sum = 0;
  for (const Row &row : rows) sum += row.count;
  return sum;
}

std::vector<int64_t> Histogram::sizesOf(size_t symbol) const {
  std::set<int64_t> sizes;
  for (const Row &row : rows) sizes.insert(row.sizes[symbol]);
  return {sizes.begin(), sizes.end()};
}

std::optional<Histogram> parseHistogram(llvm::StringRef text, std::string &error) {
  std::optional<Columns> columns;
  std::map<std::vector<int64_t>, double> counts;
  text.consume_front("\xef\xbb\xbf");
  for (size_t number = 1; !text.empty(); ++number) {
    auto [line, rest] = text.split('\n');
    text = rest;
    Fields fields = fieldsOf(line);
    if (fields.empty()) continue;
    Histogram::Row row;
    if (!columns)
      columns = headerOf(fields, error);
    else if (parseRow(fields, *columns, row, error) && row.count > 0)
      counts[row.sizes] += row.count;
    if (error.empty()) continue;
    error = "line " + std::to_string(number) + ": " + error;
    return std::nullopt;
  }
  if (counts.empty()) {
    error = "expects sizes that occur, but got none";
    return std::nullopt;
  }
  Histogram histogram;
  histogram.symbols = columns->symbols;
  for (const auto &[sizes, count] : counts) histogram.rows.push_back({sizes, count});
  return histogram;
}

}  // namespace tpuc::buckets
