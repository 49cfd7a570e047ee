// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the wire format with protozero. In the frontend this file alone has exceptions: protozero's end here.
#include "compiler/frontend/hlo/message.h"

#include <cstring>
#include <protozero/pbf_reader.hpp>

namespace tpuc::frontend::hlo {
namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;

llvm::StringRef view(protozero::data_view data) { return {data.data(), data.size()}; }

}  // namespace

Message::Message(llvm::StringRef bytes, bool *damaged) : damaged_(damaged) {
  try {
    pbf_reader reader(bytes.data(), bytes.size());
    while (reader.next()) {
      Field field{reader.tag(), false, 0, {}};
      switch (reader.wire_type()) {
        case pbf_wire_type::varint:
          field.value = reader.get_uint64();
          break;
        case pbf_wire_type::fixed64:
          field.value = reader.get_fixed64();
          break;
        case pbf_wire_type::fixed32:
          field.value = reader.get_fixed32();
          break;
        case pbf_wire_type::length_delimited:
          field.isBytes = true;
          field.bytes = view(reader.get_view());
          break;
        default:
          throw protozero::unknown_pbf_wire_type_exception();
      }
      fields_.push_back(field);
    }
  } catch (const protozero::exception &) {
    *damaged_ = true;
    fields_.clear();
  }
}

const Message::Field *Message::find(uint32_t number) const {
  for (size_t i = fields_.size(); i-- > 0;)
    if (fields_[i].number == number) return &fields_[i];
  return nullptr;
}

int64_t Message::number(uint32_t number, int64_t otherwise) const {
  const Field *field = find(number);
  if (!field) return otherwise;
  if (field->isBytes) *damaged_ = true;
  return static_cast<int64_t>(field->value);
}

float Message::single(uint32_t number) const {
  const uint32_t bits = static_cast<uint32_t>(this->number(number));
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

llvm::StringRef Message::bytes(uint32_t number) const {
  const Field *field = find(number);
  if (field && !field->isBytes) *damaged_ = true;
  return field ? field->bytes : llvm::StringRef();
}

Message Message::message(uint32_t number) const { return Message(bytes(number), damaged_); }

void Message::eachNumber(uint32_t number, llvm::function_ref<void(uint64_t)> use) const {
  for (const Field &field : fields_) {
    if (field.number != number) continue;
    if (!field.isBytes) {
      use(field.value);
      continue;
    }
    try {
      const char *at = field.bytes.begin();
      while (at != field.bytes.end()) use(protozero::decode_varint(&at, field.bytes.end()));
    } catch (const protozero::exception &) {
      *damaged_ = true;
    }
  }
}

llvm::SmallVector<int64_t> Message::numbers(uint32_t number) const {
  llvm::SmallVector<int64_t> values;
  eachNumber(number, [&](uint64_t value) { values.push_back(static_cast<int64_t>(value)); });
  return values;
}

llvm::SmallVector<llvm::StringRef> Message::strings(uint32_t number) const {
  llvm::SmallVector<llvm::StringRef> values;
  for (const Field &field : fields_) {
    if (field.number != number) continue;
    if (!field.isBytes) *damaged_ = true;
    values.push_back(field.bytes);
  }
  return values;
}

std::vector<Message> Message::messages(uint32_t number) const {
  std::vector<Message> values;
  for (llvm::StringRef bytes : strings(number)) values.emplace_back(bytes, damaged_);
  return values;
}

llvm::StringRef Message::packed(uint32_t number) const {
  const Field *only = nullptr;
  for (const Field &field : fields_) {
    if (field.number != number) continue;
    if (only) return {};
    only = &field;
  }
  return only && only->isBytes ? only->bytes : llvm::StringRef();
}

bool isMessage(llvm::StringRef bytes) {
  bool damaged = false;
  Message message(bytes, &damaged);
  return !damaged;
}

}  // namespace tpuc::frontend::hlo
