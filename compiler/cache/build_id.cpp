// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The note .note.gnu.build-id of the object, as it lies in memory.
#include "compiler/cache/build_id.h"

#include <elf.h>
#include <link.h>

#include <cstring>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

namespace tpuc::cache {
namespace {

struct Search {
  ElfW(Addr) inside;  // an address of the object
  std::string id;
};

std::string idInNotes(const char *at, const char *end) {
  while (at + sizeof(ElfW(Nhdr)) <= end) {
    ElfW(Nhdr) note;
    std::memcpy(&note, at, sizeof note);
    const char *name = at + sizeof note, *bytes = name + llvm::alignTo(note.n_namesz, 4);
    if (bytes + note.n_descsz > end) break;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && !std::memcmp(name, "GNU", 4))
      return llvm::toHex(llvm::ArrayRef(reinterpret_cast<const uint8_t *>(bytes), note.n_descsz), /*LowerCase=*/true);
    at = bytes + llvm::alignTo(note.n_descsz, 4);
  }
  return "";
}

int visit(dl_phdr_info *object, size_t, void *data) {
  auto &search = *static_cast<Search *>(data);
  llvm::ArrayRef<ElfW(Phdr)> segments(object->dlpi_phdr, object->dlpi_phnum);
  auto holds = [&](const ElfW(Phdr) & s) {
    return s.p_type == PT_LOAD && search.inside - object->dlpi_addr - s.p_vaddr < s.p_memsz;
  };
  if (llvm::none_of(segments, holds)) return 0;
  for (const ElfW(Phdr) &s : segments) {
    const char *at = reinterpret_cast<const char *>(object->dlpi_addr + s.p_vaddr);
    if (s.p_type == PT_NOTE && search.id.empty()) search.id = idInNotes(at, at + s.p_memsz);
  }
  return 1;
}

}  // namespace

const std::string &buildId() {
  static const std::string id = [] {
    Search search = {reinterpret_cast<ElfW(Addr)>(&buildId), ""};
    dl_iterate_phdr(visit, &search);
    return search.id;
  }();
  return id;
}

}  // namespace tpuc::cache
