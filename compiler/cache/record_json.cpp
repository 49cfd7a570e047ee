// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records as text.
#include "compiler/cache/record.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

namespace tpuc::cache {
namespace {

namespace json = llvm::json;

bool read(const json::Object &object, llvm::StringRef name, std::string &out) {
  auto text = object.getString(name);
  if (text) out = text->str();
  return text.has_value();
}

// The objects of an array, each read by `one`.
bool readAll(const json::Object &object, llvm::StringRef name, llvm::function_ref<bool(const json::Object &)> one) {
  const json::Array *array = object.getArray(name);
  return array && llvm::all_of(*array, [&](const json::Value &value) {
           return value.getAsObject() && one(*value.getAsObject());
         });
}

// Eight hexadecimal digits an op.
std::string digits(const std::vector<Record::Op> &ops) {
  std::string out;
  for (const Record::Op &op : ops) out += llvm::utohexstr(op.digest, /*LowerCase=*/true, /*Width=*/8);
  return out;
}

bool readDigits(llvm::StringRef text, std::vector<Record::Op> &ops) {
  for (; !text.empty(); text = text.drop_front(8)) {
    Record::Op &op = ops.emplace_back();
    if (text.size() < 8 || text.take_front(8).getAsInteger(16, op.digest)) return false;
  }
  return true;
}

}  // namespace

std::string toJson(const Record &record) {
  std::string out;
  llvm::raw_string_ostream os(out);
  json::OStream j(os);
  j.object([&] {
    j.attribute("name", json::fixUTF8(record.name));
    j.attribute("build", record.build);
    j.attribute("target", json::fixUTF8(record.target));
    j.attribute("options", json::fixUTF8(record.options));
    j.attributeArray("arguments", [&] {
      for (const Record::Argument &a : record.arguments)
        j.object([&] { j.attribute("type", a.type), j.attribute("name", json::fixUTF8(a.name)); });
    });
    j.attributeArray("constants", [&] {
      for (const Record::Constant &c : record.constants)
        j.object([&] {
          j.attribute("type", c.type), j.attribute("digest", c.digest), j.attribute("value", json::fixUTF8(c.value));
        });
    });
    j.attribute("ops", digits(record.ops));
  });
  return out;
}

bool fromJson(llvm::StringRef text, Record &record) {
  auto parsed = json::parse(text);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return false;
  }
  const json::Object *object = parsed->getAsObject();
  std::string ops;
  if (!object || !read(*object, "name", record.name) || !read(*object, "build", record.build) ||
      !read(*object, "target", record.target) || !read(*object, "options", record.options) ||
      !read(*object, "ops", ops) || !readDigits(ops, record.ops))
    return false;
  auto argument = [&](const json::Object &one) {
    Record::Argument &a = record.arguments.emplace_back();
    return read(one, "type", a.type) && read(one, "name", a.name);
  };
  auto constant = [&](const json::Object &one) {
    Record::Constant &c = record.constants.emplace_back();
    return read(one, "type", c.type) && read(one, "digest", c.digest) && read(one, "value", c.value);
  };
  return readAll(*object, "arguments", argument) && readAll(*object, "constants", constant);
}

}  // namespace tpuc::cache
