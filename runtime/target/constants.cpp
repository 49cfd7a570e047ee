// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants of a description by path: listing them, changing one.
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "runtime/target/fields.h"
#include "runtime/target/target.h"

namespace tpuc::target {
namespace {

using schema::Field;
using schema::Kind;

void collect(const schema::Type &type, const FieldPath &prefix, std::vector<FieldPath> &out) {
  for (int i = 0; i < type.count; ++i) {
    const Field &field = type.fields[i];
    if (field.kind == Kind::StringMap || field.kind == Kind::String) continue;
    FieldPath path = prefix;
    path.path += (path.path.empty() ? "" : ".") + std::string(field.name);
    path.steps.push_back(&field);
    if (field.kind == Kind::Message)
      collect(field.message(), path, out);
    else
      out.push_back(path);
  }
}

// Where the constant is in `target`; a part that was not there is there afterwards.
void *placeOf(Target &target, const FieldPath &path) {
  void *at = &target;
  for (const Field *step : path.steps) at = step->at(at);
  return at;
}

std::string underscored(std::string path) {
  for (char &c : path)
    if (c == '.') c = '_';
  return path;
}

std::string spaced(std::string path) {
  for (char &c : path)
    if (c == '.' || c == '_') c = ' ';
  return path;
}

bool endsAtWord(const std::string &text, const std::string &tail) {
  if (text.size() < tail.size() || text.compare(text.size() - tail.size(), tail.size(), tail) != 0) return false;
  return text.size() == tail.size() || text[text.size() - tail.size() - 1] == '_';
}

// The constants `name` can mean: an exact path, else a field's own name, else the end of a path.
std::vector<const FieldPath *> candidates(const std::string &name) {
  std::vector<const FieldPath *> exact, own, tail;
  const std::string want = underscored(name);
  for (const FieldPath &field : allFields()) {
    if (field.path == name) exact.push_back(&field);
    if (field.steps.back()->name == want) own.push_back(&field);
    if (endsAtWord(underscored(field.path), want)) tail.push_back(&field);
  }
  return !exact.empty() ? exact : !own.empty() ? own : tail;
}

std::string list(const std::vector<const FieldPath *> &fields) {
  std::string out;
  for (const FieldPath *field : fields) out += (out.empty() ? "" : ", ") + field->path;
  return out;
}

// Whether the paths have a word in common: "hbm_bandwith" and "memory.hbm_bytes".
bool shareWord(const std::string &a, const std::string &b) {
  std::istringstream words(spaced(a));
  for (std::string word; words >> word;)
    if ((" " + spaced(b) + " ").find(" " + word + " ") != std::string::npos) return true;
  return false;
}

// Empty when `name` names exactly one constant. Else the list of what there is: of the leading message if that exists,
// or of the same words.
std::string resolve(const std::string &name, const FieldPath *&field) {
  std::vector<const FieldPath *> found = candidates(name);
  if (found.size() == 1) {
    field = found[0];
    return "";
  }
  if (!found.empty()) return "ambiguous constant '" + name + "': could be " + list(found);
  std::vector<const FieldPath *> near;
  for (const FieldPath &f : allFields())
    if (f.path.substr(0, f.path.find('.')) == name.substr(0, name.find('.'))) near.push_back(&f);
  if (near.empty())
    for (const FieldPath &f : allFields())
      if (shareWord(name, f.path)) near.push_back(&f);
  if (near.empty())
    for (const FieldPath &f : allFields()) near.push_back(&f);
  return "unknown constant '" + name + "'; the fields are " + list(near);
}

// Empty when `value` was of the field's type and is set.
std::string assign(void *at, Kind kind, const std::string &value) {
  if (kind == Kind::Bool) {
    if (value != "true" && value != "false") return "expects true or false";
    *static_cast<bool *>(at) = value == "true";
    return "";
  }
  char *end = nullptr;
  double number = std::strtod(value.c_str(), &end);
  if (value.empty() || *end || !std::isfinite(number)) return "expects a number";
  if (kind == Kind::Double) {
    *static_cast<double *>(at) = number;
    return "";
  }
  if (number < 0 || number != std::floor(number) || number > 4294967295.0)
    return "expects a whole number up to 4294967295";
  *static_cast<uint32_t *>(at) = static_cast<uint32_t>(number);
  return "";
}

double numberAt(const void *at, Kind kind) {
  if (kind == Kind::Double) return *static_cast<const double *>(at);
  if (kind == Kind::Bool) return *static_cast<const bool *>(at);
  return *static_cast<const uint32_t *>(at);
}

}  // namespace

const std::vector<FieldPath> &allFields() {
  static const std::vector<FieldPath> fields = [] {
    std::vector<FieldPath> out;
    collect(Target::messageType(), {}, out);
    return out;
  }();
  return fields;
}

std::vector<Constant> constants(const Target &target) {
  std::vector<Constant> out;
  Target copy = target;  // looking into a part makes it
  for (const FieldPath &field : allFields()) {
    Constant constant;
    constant.path = field.path;
    constant.value = numberAt(placeOf(copy, field), field.steps.back()->kind);
    auto source = target.source().find(field.path);
    if (source != target.source().end()) constant.source = source->second;
    out.push_back(constant);
  }
  return out;
}

bool setConstant(Target &target, const std::string &assignment, std::string &error) {
  size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0) {
    error = "expects NAME=VALUE, but got '" + assignment + "'";
    return false;
  }
  const std::string name = assignment.substr(0, equals), value = assignment.substr(equals + 1);
  const FieldPath *field = nullptr;
  if (error = resolve(name, field); !error.empty()) return false;
  Target changed = target;
  if (std::string why = assign(placeOf(changed, *field), field->steps.back()->kind, value); !why.empty()) {
    error = field->path + " " + why + ", but got '" + value + "'";
    return false;
  }
  (*changed.mutable_source())[field->path] = "set by the user";
  if (error = validate(changed); !error.empty()) return false;
  target = std::move(changed);
  return true;
}

}  // namespace tpuc::target
