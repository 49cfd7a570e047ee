// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages as text.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "runtime/schema/message.h"

namespace tpuc::schema {
namespace {

// What is no printable ASCII becomes an escape.
std::string quote(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n')
      out += "\\n";
    else if (c == '\r')
      out += "\\r";
    else if (c == '\t')
      out += "\\t";
    else if (c == '"' || c == '\'' || c == '\\')
      (out += '\\') += c;
    else if (byte >= 0x20 && byte < 0x7f)
      out += c;
    else
      for (int part : {int{'\\'}, '0' + (byte >> 6), '0' + (byte >> 3 & 7), '0' + (byte & 7)})
        out += static_cast<char>(part);
  }
  return out + "\"";
}

// The shortest of 15 or 17 digits that reads back as the same number.
std::string number(double v) {
  if (std::isnan(v)) return "nan";
  if (std::isinf(v)) return v < 0 ? "-inf" : "inf";
  char text[40];
  std::snprintf(text, sizeof text, "%.15g", v);
  if (std::strtod(text, nullptr) != v) std::snprintf(text, sizeof text, "%.17g", v);
  return text;
}

std::string name(const Enum &values, int32_t v) {
  for (int i = 0; i < values.count; ++i)
    if (values.values[i].value == v) return values.values[i].name;
  return std::to_string(v);
}

// Value i of a list, or a single one.
template <typename T>
T value(const Field &f, void *at, size_t i) {
  if (f.repeated) return (*static_cast<std::vector<T> *>(at))[i];
  return *static_cast<T *>(at);
}

std::string scalar(const Field &f, void *at, size_t i) {
  switch (f.kind) {
    case Kind::Bool:
      return value<bool>(f, at, i) ? "true" : "false";
    case Kind::Int32:
      return std::to_string(value<int32_t>(f, at, i));
    case Kind::Int64:
      return std::to_string(value<int64_t>(f, at, i));
    case Kind::Uint32:
      return std::to_string(value<uint32_t>(f, at, i));
    case Kind::Uint64:
      return std::to_string(value<uint64_t>(f, at, i));
    case Kind::Double:
      return number(value<double>(f, at, i));
    case Kind::Enum:
      return name(*f.values, value<int32_t>(f, at, i));
    default:
      return quote(value<std::string>(f, at, i));
  }
}

size_t countOf(const Field &f, void *at) {
  if (!f.repeated) return 1;
  switch (f.kind) {
    case Kind::Bool:
      return static_cast<std::vector<bool> *>(at)->size();
    case Kind::Int32:
    case Kind::Enum:
      return static_cast<std::vector<int32_t> *>(at)->size();
    case Kind::Int64:
      return static_cast<std::vector<int64_t> *>(at)->size();
    case Kind::Uint32:
      return static_cast<std::vector<uint32_t> *>(at)->size();
    case Kind::Uint64:
      return static_cast<std::vector<uint64_t> *>(at)->size();
    case Kind::Double:
      return static_cast<std::vector<double> *>(at)->size();
    case Kind::String:
      return static_cast<std::vector<std::string> *>(at)->size();
    default:
      return f.list->size(at);
  }
}

// A single value that has its type's default is not there.
bool isDefault(const Field &f, void *at) {
  if (f.repeated) return false;
  switch (f.kind) {
    case Kind::Bool:
      return !*static_cast<bool *>(at);
    case Kind::Int32:
    case Kind::Enum:
      return !*static_cast<int32_t *>(at);
    case Kind::Int64:
      return !*static_cast<int64_t *>(at);
    case Kind::Uint32:
      return !*static_cast<uint32_t *>(at);
    case Kind::Uint64:
      return !*static_cast<uint64_t *>(at);
    case Kind::Double:
      return *static_cast<double *>(at) == 0;
    case Kind::String:
      return static_cast<std::string *>(at)->empty();
    default:
      return false;
  }
}

class Printer {
 public:
  explicit Printer(bool oneLine) : oneLine_(oneLine) {}

  void message(Ref ref) {
    for (int i = 0; i < ref.type->count; ++i) field(ref.type->fields[i], ref.message);
  }
  std::string take() {
    while (oneLine_ && !out_.empty() && out_.back() == ' ') out_.pop_back();
    return std::move(out_);
  }

 private:
  void line(const std::string &text) {
    if (!oneLine_) out_.append(2 * depth_, ' ');
    out_ += text;
    out_ += oneLine_ ? ' ' : '\n';
  }
  template <typename Body>
  void block(const char *name, Body body) {
    line(std::string(name) + " {");
    ++depth_;
    body();
    --depth_;
    line("}");
  }

  void field(const Field &f, void *owner) {
    if (f.has && !f.has(owner)) return;
    void *at = f.at(owner);
    if (f.kind == Kind::StringMap) {
      for (const auto &[key, text] : *static_cast<std::map<std::string, std::string> *>(at))
        block(f.name, [&] {
          line("key: " + quote(key));
          line("value: " + quote(text));
        });
      return;
    }
    if (isDefault(f, at)) return;
    for (size_t i = 0; i < countOf(f, at); ++i) {
      if (f.kind == Kind::Message)
        block(f.name, [&] { message({&f.message(), f.repeated ? f.list->get(at, i) : at}); });
      else
        line(std::string(f.name) + ": " + scalar(f, at, i));
    }
  }

  const bool oneLine_;
  int depth_ = 0;
  std::string out_;
};

}  // namespace

std::string toText(Ref ref, bool oneLine) {
  Printer printer(oneLine);
  printer.message(ref);
  return printer.take();
}

std::string valueText(Ref ref, const Field &field) { return scalar(field, field.at(ref.message), 0); }

}  // namespace tpuc::schema
