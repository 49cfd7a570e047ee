// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A message of the protobuf wire format, as fields by number; nothing of its bytes is copied.
#ifndef TPUC_COMPILER_FRONTEND_HLO_MESSAGE_H
#define TPUC_COMPILER_FRONTEND_HLO_MESSAGE_H

#include <cstdint>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace tpuc::frontend::hlo {

// Messages inside are read when asked for. Bytes that are none set `damaged`, and read as a message without fields.
// Where a field that is to be single occurs several times, the last counts.
class Message {
 public:
  Message() = default;
  Message(llvm::StringRef bytes, bool *damaged);

  bool has(uint32_t field) const { return find(field); }
  int64_t number(uint32_t field, int64_t otherwise = 0) const;
  bool flag(uint32_t field) const { return number(field) != 0; }
  float single(uint32_t field) const;
  llvm::StringRef bytes(uint32_t field) const;
  Message message(uint32_t field) const;
  // Repeated fields; numbers packed or one by one.
  llvm::SmallVector<int64_t> numbers(uint32_t field) const;
  llvm::SmallVector<llvm::StringRef> strings(uint32_t field) const;
  std::vector<Message> messages(uint32_t field) const;
  // The same without a list between.
  void eachNumber(uint32_t field, llvm::function_ref<void(uint64_t)> use) const;
  // A repeated field of fixed-width numbers, or one of bytes, as it lies in the file. Empty where it lies in several
  // pieces.
  llvm::StringRef packed(uint32_t field) const;

 private:
  struct Field {
    uint32_t number;
    bool isBytes;
    uint64_t value;
    llvm::StringRef bytes;
  };
  const Field *find(uint32_t field) const;

  llvm::SmallVector<Field, 0> fields_;
  bool *damaged_ = nullptr;
};

// Whether all of the bytes are the fields of a message, whatever its type.
bool isMessage(llvm::StringRef bytes);

}  // namespace tpuc::frontend::hlo

#endif  // TPUC_COMPILER_FRONTEND_HLO_MESSAGE_H
