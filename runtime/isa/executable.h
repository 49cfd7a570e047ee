// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The executable file: an index (executable.proto) and raw, aligned sections. Saved by the encoder, mapped by the
// runtime.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/isa/executable_messages.h"
#include "runtime/isa/isa.h"

namespace tpuc::isa {

inline constexpr char kMagic[8] = {'T', 'P', 'U', 'C', 'E', 'X', 'E', '\0'};
inline constexpr uint32_t kFormatVersion = 2;
inline constexpr std::string_view kLaunchKind = "launch";  // a routine that runs kernels, one after the other

// Which line of the user's program a bundle comes from: sorted by bundle, each entry holds until the next.
struct SourceLine {
  uint32_t bundle = 0;
  std::string location;
};

// An executable in memory, owned. The constants of a loaded one point into its mapping.
class Executable {
 public:
  proto::Index index;
  std::vector<Inst> code;
  std::vector<DmaDescriptor> descriptors;
  std::vector<SourceLine> sourceMap;
  std::span<const uint8_t> constants;  // view of ownedConstants or of the mapping
  std::vector<uint8_t> ownedConstants;

  Executable() = default;
  Executable(Executable &&) = default;  // a copy's span would point into the original
  Executable &operator=(Executable &&) = default;

  int numEntries() const { return index.entries_size(); }
  // Whether entry `entry` has the buffer.
  static bool has(const proto::Buffer &buffer, int entry);

  // First instruction of each bundle, plus one past the end.
  std::vector<uint32_t> bundleStarts() const;

 private:
  friend struct ExecutableIo;
  std::shared_ptr<void> mapping_;
};

// The same executable gives the same bytes.
std::string serialize(const Executable &exe);
// False with `error` when the bytes are no executable of this version and table, or are corrupt: every section's bounds
// and checksum, every instruction, branch target, descriptor and buffer index is checked.
bool parse(std::string_view bytes, Executable &exe, std::string &error);
bool save(const Executable &exe, const std::string &path, std::string &error);
bool load(const std::string &path, Executable &exe, std::string &error);
// The checks of `parse` on an executable in memory.
std::string validate(const Executable &exe);

// Assembly text. Bundles are lines "{ inst ; inst }", `name:` labels routines, descriptors are ".dma N ..." lines.
// Constants above `maxConstantBytes` are left out; such a text cannot be assembled again.
std::string disassemble(const Executable &exe, size_t maxConstantBytes = size_t{1} << 20);
std::string format(const Inst &inst);
std::string format(const DmaDescriptor &d);
// "v.add.f32 v1, v2, v3" -> inst; false with `error`.
bool parseInst(std::string_view text, Inst &inst, std::string &error);
bool parseDescriptor(std::string_view text, DmaDescriptor &d, std::string &error);
// The inverse of disassemble for code and descriptors; the index's buffers and sizes come from `.buffer` and `.set`
// lines.
bool assemble(std::string_view text, Executable &exe, std::string &error);

// docs/isa.md from the table.
std::string isaPage();

}  // namespace tpuc::isa
