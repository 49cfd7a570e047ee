// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages of plain C++ members, described by tables that cmake/messages.py makes of .proto files: their form in bytes
// is protobuf's, their form as text protobuf's text format, without its library (docs/rationale/executable.md).
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tpuc::schema {

enum class Kind : uint8_t { Bool, Int32, Int64, Uint32, Uint64, Double, String, Enum, Message, StringMap };

struct EnumValue {
  const char *name;
  int32_t value;
};
struct Enum {
  const char *name;
  const EnumValue *values;
  int count;
};

// A message in a message, and whether there is one.
template <typename T>
struct Part {
  bool set = false;
  T value;
};

// A list of messages.
struct List {
  size_t (*size)(const void *list);
  void *(*get)(void *list, size_t i);
  void *(*add)(void *list);
};
template <typename T>
inline constexpr List listOf = {
    [](const void *list) { return static_cast<const std::vector<T> *>(list)->size(); },
    [](void *list, size_t i) -> void * { return &(*static_cast<std::vector<T> *>(list))[i]; },
    [](void *list) -> void * { return &static_cast<std::vector<T> *>(list)->emplace_back(); }};

struct Type;
struct Field {
  const char *name;
  uint32_t number;
  Kind kind;
  bool repeated;
  void *(*at)(void *message);        // the member; that of a part is there afterwards
  bool (*has)(const void *message);  // of a part
  const Type &(*message)();          // of messages
  const Enum *values;                // of enums
  const List *list;                  // of repeated messages
};
struct Type {
  const char *name;
  const Field *fields;
  int count;
  const Field *find(std::string_view name) const;
  const Field *find(uint32_t number) const;
  std::string fieldNames() const;  // "a, b, c"
};

// A message and its table. Reading goes through the same pointers as writing; a const message is only read.
struct Ref {
  const Type *type;
  void *message;
};
template <typename T>
Ref refOf(const T &message) {
  return {&T::messageType(), const_cast<T *>(&message)};
}

// The message in protobuf's wire format: fields in the order of the table, defaults left out, numbers in lists packed.
std::string serialize(Ref message);
// Adds to what the message holds. Fields that the table does not know are skipped. False for what is damaged.
bool parse(std::string_view bytes, Ref message);
template <typename T>
std::string serialize(const T &message) {
  return serialize(refOf(message));
}
template <typename T>
bool parse(std::string_view bytes, T &message) {
  message = T();
  return parse(bytes, refOf(message));
}

// Protobuf's text format; one line each field, or all in one line.
std::string toText(Ref message, bool oneLine = false);
std::string valueText(Ref message, const Field &field);  // of a single value
template <typename T>
std::string toText(const T &message, bool oneLine = false) {
  return toText(refOf(message), oneLine);
}

struct TextError {
  int line = 0, column = 0;  // from 1
  std::string message;
};
// Adds to what the message holds.
bool parseText(std::string_view text, Ref message, TextError &error);
template <typename T>
bool parseText(std::string_view text, T &message, TextError &error) {
  return parseText(text, refOf(message), error);
}

}  // namespace tpuc::schema
