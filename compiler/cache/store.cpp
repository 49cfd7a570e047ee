// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The folder. An entry appears by being renamed when it is whole; a lock is an advisory one of the kernel on a file
// beside the entry.
//
// An entry's file: the executable, the record, then a Trailer. The executable has checksums of its own.
#include "compiler/cache/store.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <set>

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

namespace tpuc::cache {
namespace {

namespace fs = llvm::sys::fs;

constexpr char kPrefix[] = "llvmcache-";  // pruning looks at no other files
constexpr char kLock[] = ".lock", kNew[] = ".new-";
constexpr unsigned kOwners = 0600;
constexpr size_t kLargestRecord = size_t{64} << 20;

struct Trailer {
  std::array<uint8_t, 32> digest;  // of the rest and the record
  Key key;
  uint64_t exeBytes, recordBytes;
  char magic[8];
};
constexpr char kMagic[8] = {'T', 'P', 'U', 'C', 'K', 'E', 'P', '1'};

void update(llvm::BLAKE3 &hash, llvm::StringRef bytes) {
  uint8_t length[8];
  llvm::support::endian::write64le(length, bytes.size());
  hash.update(length);
  hash.update(bytes);
}

Key digestOf(const Trailer &trailer, llvm::StringRef record) {
  llvm::BLAKE3 hash;
  hash.update(llvm::ArrayRef(reinterpret_cast<const uint8_t *>(&trailer) + sizeof trailer.digest,
                             sizeof trailer - sizeof trailer.digest));
  update(hash, record);
  return hash.final<32>();
}

bool readAt(fs::file_t file, uint64_t offset, llvm::MutableArrayRef<char> to) {
  while (!to.empty()) {
    auto read = fs::readNativeFileSlice(file, to, offset);
    if (!read || *read == 0) {
      llvm::consumeError(read.takeError());
      return false;
    }
    offset += *read;
    to = to.drop_front(*read);
  }
  return true;
}

bool readEnd(fs::file_t file, uint64_t size, Trailer &trailer, std::string &record) {
  if (size < sizeof trailer ||
      !readAt(file, size - sizeof trailer, {reinterpret_cast<char *>(&trailer), sizeof trailer}))
    return false;
  if (std::memcmp(trailer.magic, kMagic, sizeof kMagic) || trailer.recordBytes > kLargestRecord) return false;
  if (trailer.exeBytes != size - sizeof trailer - trailer.recordBytes) return false;
  record.resize(trailer.recordBytes);
  return readAt(file, trailer.exeBytes, {record.data(), record.size()}) && digestOf(trailer, record) == trailer.digest;
}

// An entry's file, open; its time of use is now.
class File {
 public:
  explicit File(const std::string &path) {
    auto file = fs::openNativeFileForRead(path);
    if (file)
      open_ = !fs::status(file_ = *file, status_) && status_.type() == fs::file_type::regular_file;
    else
      llvm::consumeError(file.takeError());
  }
  ~File() {
    if (file_ != fs::kInvalidFile) (void)fs::closeFile(file_);
  }
  bool readEnd(Trailer &trailer, std::string &record) const {
    return open_ && cache::readEnd(file_, status_.getSize(), trailer, record);
  }
  bool isOpen() const { return open_; }
  void touch() const {
    (void)fs::setLastAccessAndModificationTime(file_, std::chrono::system_clock::now(),
                                               status_.getLastModificationTime());
  }

 private:
  fs::file_t file_ = fs::kInvalidFile;
  fs::file_status status_;
  bool open_ = false;
};

// The kernel's locks are a process's: threads of one wait for each other here.
struct Claimed {
  std::mutex mutex;
  std::condition_variable changed;
  std::set<std::string> paths;
};
Claimed &claimed() {
  static auto *all = new Claimed;  // threads may outlive main
  return *all;
}

bool writeAll(int fd, std::initializer_list<llvm::StringRef> pieces, std::string &error) {
  llvm::raw_fd_ostream os(fd, /*shouldClose=*/true, /*unbuffered=*/true);
  for (llvm::StringRef piece : pieces) os << piece;
  os.close();
  if (!os.has_error()) return true;
  error = os.error().message();
  os.clear_error();  // which would end the process
  return false;
}

}  // namespace

Key keyOf(llvm::ArrayRef<llvm::StringRef> parts) {
  llvm::BLAKE3 hash;
  for (llvm::StringRef part : parts) update(hash, part);
  return hash.final<32>();
}

std::string text(const Key &key) { return llvm::toHex(key, /*LowerCase=*/true); }

Claim &Claim::operator=(Claim &&other) noexcept {
  std::swap(path_, other.path_);
  std::swap(fd_, other.fd_);
  return *this;
}

Claim::~Claim() {
  if (fd_ >= 0) {
    // Whoever waits for it has it open, and finds the entry; nobody new needs it.
    (void)fs::remove(path_);
    fs::file_t file = fd_;
    (void)fs::closeFile(file);
  }
  if (path_.empty()) return;
  Claimed &all = claimed();
  std::lock_guard lock(all.mutex);
  all.paths.erase(path_);
  all.changed.notify_all();
}

std::string Store::pathOf(const Key &key) const {
  llvm::SmallString<256> path(folder_);
  llvm::sys::path::append(path, kPrefix + text(key));
  return path.str().str();
}

bool Store::find(const Key &key, isa::Executable &exe) const {
  const std::string path = pathOf(key);
  std::string record, error;
  Trailer trailer;
  File file(path);
  if (!file.isOpen()) return false;
  if (file.readEnd(trailer, record) && trailer.key == key && isa::load(path, exe, error)) {
    file.touch();
    return true;
  }
  (void)fs::remove(path);
  exe = {};
  return false;
}

Claim Store::claim(const Key &key) const {
  Claim claim;
  const std::string path = pathOf(key) + kLock;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(kPatience);
  Claimed &all = claimed();
  {
    std::unique_lock lock(all.mutex);
    if (!all.changed.wait_until(lock, end, [&] { return !all.paths.count(path); })) return claim;
    all.paths.insert(path);
  }
  claim.path_ = path;
  int fd;
  if (fs::create_directories(folder_, /*IgnoreExisting=*/true, fs::perms::owner_all) ||
      fs::openFileForReadWrite(path, fd, fs::CD_OpenAlways, fs::OF_None, kOwners))
    return claim;
  claim.fd_ = fd;
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
  (void)fs::tryLockFile(fd, std::max(left, std::chrono::milliseconds(0)));
  return claim;
}

std::string Store::keep(const Key &key, const isa::Executable &exe, llvm::StringRef record) {
  if (std::error_code code = fs::create_directories(folder_, /*IgnoreExisting=*/true, fs::perms::owner_all))
    return "cannot create '" + folder_ + "': " + code.message();
  const std::string path = pathOf(key), bytes = isa::serialize(exe);
  Trailer trailer = {};
  trailer.key = key;
  trailer.exeBytes = bytes.size();
  trailer.recordBytes = record.size();
  std::memcpy(trailer.magic, kMagic, sizeof kMagic);
  trailer.digest = digestOf(trailer, record);
  int fd;
  const std::string temporary = path + kNew + llvm::utohexstr(llvm::sys::Process::GetRandomNumber());
  std::string error;
  std::error_code code = fs::openFileForWrite(temporary, fd, fs::CD_CreateNew, fs::OF_None, kOwners);
  if (code) return "cannot write into '" + folder_ + "': " + code.message();
  if (writeAll(fd, {bytes, record, {reinterpret_cast<const char *>(&trailer), sizeof trailer}}, error)) {
    code = fs::rename(temporary, path);
    if (code) error = code.message();
  }
  if (!error.empty()) {
    (void)fs::remove(temporary);
    return "cannot write '" + path + "': " + error;
  }
  unpruned_ += bytes.size() + record.size();
  if (unpruned_ > mostBytes_ / 16) {
    prune();
    unpruned_ = 0;
  }
  return "";
}

void Store::prune() const {
  llvm::CachePruningPolicy policy;
  policy.Interval = std::chrono::seconds(0);
  policy.Expiration = std::chrono::hours(24 * 30);  // locks and parts of processes that were killed
  policy.MaxSizeBytes = mostBytes_;
  (void)llvm::pruneCache(folder_, policy);
}

std::vector<std::string> Store::records(size_t most) const {
  std::vector<std::pair<llvm::sys::TimePoint<>, std::string>> files;
  std::error_code code;
  for (fs::directory_iterator it(folder_, code), end; it != end && !code; it.increment(code)) {
    llvm::StringRef name = llvm::sys::path::filename(it->path());
    auto status = it->status();
    if (status && name.starts_with(kPrefix) && !name.contains('.'))
      files.emplace_back(status->getLastAccessedTime(), it->path());
  }
  std::sort(files.rbegin(), files.rend());
  std::vector<std::string> out;
  for (auto &[time, path] : files) {
    Trailer trailer;
    std::string record;
    if (out.size() == most) break;
    if (File(path).readEnd(trailer, record)) out.push_back(std::move(record));
  }
  return out;
}

}  // namespace tpuc::cache
