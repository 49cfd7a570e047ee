// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files as a command should write them.
//
// 1. Follow links by hand: what lies in /dev or /proc, as /dev/stdout does, is written into whatever it leads to.
// 2. A regular file of one name, or none yet: a new file beside it, which takes its name when it is whole. Until then
//    it has none, where the file system can do so: whoever ends the process leaves nothing behind.
// 3. Anything else, and where the folder takes no new file: open and write.
#include "runtime/isa/write_file.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace tpuc::isa {
namespace {

bool startsWith(const std::string &text, const char *prefix) {
  return text.compare(0, std::strlen(prefix), prefix) == 0;
}

// Where the chain of links ends; `special` when it goes through /dev or /proc.
std::string followLinks(std::string path, bool &special) {
  special = false;
  for (int hops = 0; hops < 40; ++hops) {
    special |= startsWith(path, "/dev/") || startsWith(path, "/proc/");
    char target[PATH_MAX];
    ssize_t length = special ? -1 : readlink(path.c_str(), target, sizeof target);
    if (length < 0) break;
    std::string next(target, static_cast<size_t>(length));
    size_t slash = path.rfind('/');
    path = !next.empty() && next[0] == '/' ? next
           : slash == std::string::npos    ? next
                                           : path.substr(0, slash + 1) + next;
  }
  return path;
}

bool writeAll(int fd, std::span<const std::string_view> pieces) {
  for (std::string_view piece : pieces)
    while (!piece.empty()) {
      ssize_t n = write(fd, piece.data(), std::min<size_t>(piece.size(), size_t{1} << 30));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return false;
      piece.remove_prefix(static_cast<size_t>(n));
    }
  return true;
}

bool writeInto(const std::string &path, std::span<const std::string_view> pieces) {
  int fd = open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666);
  if (fd < 0) return false;
  bool written = writeAll(fd, pieces);
  int why = errno;
  bool closed = close(fd) == 0;
  if (!written) errno = why;
  return written && closed;
}

enum class Replaced { Yes, No, NoPlace };

std::string folderOf(const std::string &path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

// Names the file behind `fd`, which has no name yet.
bool nameFile(int fd, const std::string &name) {
  const std::string self = "/proc/self/fd/" + std::to_string(fd);
  return linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

Replaced replace(const std::string &path, const struct stat *old, std::span<const std::string_view> pieces) {
  std::string temp = path + ".tmp" + std::to_string(getpid());
  int fd = access("/proc/self/fd", X_OK) ? -1 : open(folderOf(path).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  const bool nameless = fd >= 0;
  if (!nameless) fd = open(temp.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
  if (fd < 0) return Replaced::NoPlace;
  bool good = writeAll(fd, pieces) && (!old || fchmod(fd, old->st_mode & 07777) == 0);
  // Another owner's file would become ours.
  if (good && old && (old->st_uid != geteuid() || old->st_gid != getegid()))
    (void)!fchown(fd, old->st_uid, old->st_gid);
  if (good && nameless && !nameFile(fd, temp)) {
    close(fd);
    return Replaced::NoPlace;
  }
  const bool named = !nameless || good;
  int why = errno;
  bool closed = close(fd) == 0;
  if (good && !closed) why = errno;
  good &= closed;
  if (good && rename(temp.c_str(), path.c_str()) == 0) return Replaced::Yes;
  if (good) why = errno;
  if (named) unlink(temp.c_str());
  errno = why;
  return Replaced::No;
}

bool writeTo(const std::string &path, std::span<const std::string_view> pieces) {
  bool special;
  const std::string target = followLinks(path, special);
  struct stat old;
  const bool exists = stat(target.c_str(), &old) == 0;
  if (special || (exists && (!S_ISREG(old.st_mode) || old.st_nlink > 1))) return writeInto(target, pieces);
  if (exists && access(target.c_str(), W_OK) != 0) return false;
  Replaced replaced = replace(target, exists ? &old : nullptr, pieces);
  return replaced == Replaced::NoPlace ? writeInto(target, pieces) : replaced == Replaced::Yes;
}

}  // namespace

bool writeFile(const std::string &path, std::span<const std::string_view> pieces, std::string &error) {
  if (writeTo(path, pieces)) return true;
  error = "cannot write '" + path + "': " + std::strerror(errno);
  return false;
}

bool writeFile(const std::string &path, std::string_view text, std::string &error) {
  return writeFile(path, std::span(&text, 1), error);
}

}  // namespace tpuc::isa
