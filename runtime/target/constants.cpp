// Constants of a description by path: listing them, changing one.
#include <google/protobuf/message.h>

#include <cmath>
#include <cstdlib>

#include "runtime/target/fields.h"
#include "runtime/target/target.h"

namespace tpuc::target {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

void collect(const Descriptor *type, const FieldPath &prefix, std::vector<FieldPath> &out) {
  for (int i = 0; i < type->field_count(); ++i) {
    const FieldDescriptor *field = type->field(i);
    if (field->is_map() || field->cpp_type() == FieldDescriptor::CPPTYPE_STRING) continue;
    FieldPath path = prefix;
    path.path += (path.path.empty() ? "" : ".") + field->name();
    path.steps.push_back(field);
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) collect(field->message_type(), path, out);
    else out.push_back(path);
  }
}

std::string underscored(std::string path) {
  for (char &c : path)
    if (c == '.') c = '_';
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
    if (field.steps.back()->name() == want) own.push_back(&field);
    if (endsAtWord(underscored(field.path), want)) tail.push_back(&field);
  }
  return !exact.empty() ? exact : !own.empty() ? own : tail;
}

std::string list(const std::vector<const FieldPath *> &fields) {
  std::string out;
  for (const FieldPath *field : fields) out += (out.empty() ? "" : ", ") + field->path;
  return out;
}

// Empty when `name` names exactly one constant; a leading message that exists narrows the list of what there is.
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
    for (const FieldPath &f : allFields()) near.push_back(&f);
  return "unknown constant '" + name + "'; the fields are " + list(near);
}

// Empty when `value` was of the field's type and is set.
std::string assign(Message *message, const FieldDescriptor *field, const std::string &value) {
  const auto *reflection = message->GetReflection();
  if (field->cpp_type() == FieldDescriptor::CPPTYPE_BOOL) {
    if (value != "true" && value != "false") return "expects true or false";
    reflection->SetBool(message, field, value == "true");
    return "";
  }
  char *end = nullptr;
  double number = std::strtod(value.c_str(), &end);
  if (value.empty() || *end || !std::isfinite(number)) return "expects a number";
  if (field->cpp_type() == FieldDescriptor::CPPTYPE_DOUBLE) {
    reflection->SetDouble(message, field, number);
    return "";
  }
  if (number < 0 || number != std::floor(number) || number > 4294967295.0) return "expects a whole number up to 4294967295";
  reflection->SetUInt32(message, field, static_cast<uint32_t>(number));
  return "";
}

}  // namespace

const std::vector<FieldPath> &allFields() {
  static const std::vector<FieldPath> fields = [] {
    std::vector<FieldPath> out;
    collect(Target::descriptor(), {}, out);
    return out;
  }();
  return fields;
}

std::string fieldsOf(const std::string &messageType) {
  const Descriptor *type = Target::descriptor()->file()->pool()->FindMessageTypeByName(messageType);
  if (!type) return "";
  std::string out = "the fields of " + type->name() + " are ";
  for (int i = 0; i < type->field_count(); ++i) out += (i ? ", " : "") + type->field(i)->name();
  return out;
}

std::vector<Constant> constants(const Target &target) {
  std::vector<Constant> out;
  for (const FieldPath &field : allFields()) {
    const Message *message = &target;
    for (size_t i = 0; i + 1 < field.steps.size(); ++i)
      message = &message->GetReflection()->GetMessage(*message, field.steps[i]);
    const FieldDescriptor *leaf = field.steps.back();
    const auto *reflection = message->GetReflection();
    Constant constant;
    constant.path = field.path;
    if (leaf->cpp_type() == FieldDescriptor::CPPTYPE_DOUBLE) constant.value = reflection->GetDouble(*message, leaf);
    else if (leaf->cpp_type() == FieldDescriptor::CPPTYPE_BOOL) constant.value = reflection->GetBool(*message, leaf);
    else constant.value = reflection->GetUInt32(*message, leaf);
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
  Message *message = &changed;
  for (size_t i = 0; i + 1 < field->steps.size(); ++i)
    message = message->GetReflection()->MutableMessage(message, field->steps[i]);
  if (std::string why = assign(message, field->steps.back(), value); !why.empty()) {
    error = field->path + " " + why + ", but got '" + value + "'";
    return false;
  }
  (*changed.mutable_source())[field->path] = "set by the user";
  if (error = validate(changed); !error.empty()) return false;
  target = std::move(changed);
  return true;
}

}  // namespace tpuc::target
