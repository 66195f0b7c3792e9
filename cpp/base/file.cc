// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <random>
#include <system_error>
#include <utility>

#if !defined(_WIN32)
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace xgbl {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPiece = std::size_t{1} << 16U;

fs::path PathOf(std::string const& path) {
  Require<FileError>(!path.empty(), "A file's path must not be empty.");
  Require<FileError>(path.find('\0') == std::string::npos, "A file's path must not hold a zero byte.");
  return fs::u8path(path);
}

fs::path FollowLink(fs::path const& path) {
  std::error_code error;
  if (!fs::is_symlink(path, error)) return path;
  fs::path const linked = fs::weakly_canonical(path, error);
  return error ? path : linked;
}

// What the system says of its last failure; streams keep no reason of their own.
std::string Reason(int error) { return error == 0 ? "unknown reason" : std::generic_category().message(error); }

void WriteInPlace(fs::path const& target, std::string const& shown, std::function<void(std::ostream&)> const& write) {
  errno = 0;
  std::ofstream out(target, std::ios::binary | std::ios::trunc);
  Require<FileError>(out.is_open(), "Cannot write `", shown, "`: ", Reason(errno),
                     ". Its folder must exist and be yours to write to.");
  write(out);
  out.close();
  Require<FileError>(!out.fail(), "Cannot write `", shown, "`: ", Reason(errno), ".");
}

namespace fs = std::filesystem;

constexpr std::string_view kMark = ".tmp-";
constexpr std::string_view kDigits = "0123456789abcdef";
constexpr std::size_t kLength = 16;

// With a name that no other writer of the same file picks.
fs::path NameBeside(fs::path target) {
  std::random_device source;
  std::string suffix(kMark);
  for (std::size_t i = 0; i < kLength; ++i) suffix += kDigits[source() % kDigits.size()];
  return target += suffix;
}

bool IsScratchOf(std::string const& target, std::string const& name) {
  std::size_t const digits = target.size() + kMark.size();
  if (name.size() != digits + kLength || name.compare(0, target.size(), target) != 0) return false;
  return name.compare(target.size(), kMark.size(), kMark) == 0 &&
         name.find_first_not_of(kDigits, digits) == std::string::npos;
}

// Removes a file whose maker is gone, with its lock held: a maker that has yet to take the lock sees that the file is
// gone when it has it. Without locks, a writer that has not written for a day is taken for gone.
void RemoveIfAbandoned(fs::path const& path) {
  std::error_code ignored;
#if defined(_WIN32)
  auto const written = fs::last_write_time(path, ignored);
  if (!ignored && fs::file_time_type::clock::now() - written > std::chrono::hours(24)) fs::remove(path, ignored);
#else
  int const descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return;
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) fs::remove(path, ignored);
  ::close(descriptor);
#endif
}

}  // namespace

std::ifstream OpenFile(std::string const& path) {
  fs::path const source = PathOf(path);
  std::error_code error;
  Require<FileMissing>(fs::exists(source, error) || error, "No such file: `", path, "`. Check the path.");
  Require<FileError>(!fs::is_directory(source, error), "Cannot read `", path, "`: it is a folder.");
  errno = 0;
  std::ifstream in(source, std::ios::binary);
  Require<FileError>(in.is_open(), "Cannot read `", path, "`: ", Reason(errno), ".");
  return in;
}

std::string ReadWholeFile(std::string const& path) {
  std::ifstream in = OpenFile(path);
  std::error_code error;
  auto const expected = fs::file_size(PathOf(path), error);
  // Not by the size alone: a pipe has none, and a file may grow. One byte more sees the end at once.
  std::string bytes(error ? kPiece : static_cast<std::size_t>(expected) + 1, '\0');
  std::size_t size = 0;
  errno = 0;
  do {
    if (size == bytes.size()) bytes.resize(size + std::max(size, kPiece));
    in.read(bytes.data() + size, static_cast<std::streamsize>(bytes.size() - size));
    size += static_cast<std::size_t>(in.gcount());
  } while (in);
  bytes.resize(size);
  Require<FileError>(!in.bad(), "Cannot read `", path, "`: ", Reason(errno), ".");
  return bytes;
}

void WriteFileAtomically(std::string const& path, std::string_view bytes, bool durable) {
  auto const write = [bytes](std::ostream& out) {
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  };
  WriteFileAtomically(path, write, durable);
}

void WriteFileAtomically(std::string const& path, std::function<void(std::ostream&)> const& write, bool durable) {
  fs::path const target = FollowLink(PathOf(path));
  std::error_code error;
  Require<FileError>(!fs::is_directory(target, error), "Cannot write `", path, "`: it is a folder.");
  if (fs::exists(target, error) && !fs::is_regular_file(target, error)) return WriteInPlace(target, path, write);
  RemoveAbandoned(target);
  ScratchFile scratch(target);
  WriteInPlace(scratch.Path(), path, write);
  scratch.TakePlace(durable, &error);
  Require<FileError>(!error, "Cannot write `", path, "`: ", error.message(), ".");
}

void RemoveAbandonedWrites(std::string const& path) { RemoveAbandoned(FollowLink(PathOf(path))); }

ScratchFile::ScratchFile(fs::path target) : target_(std::move(target)) {
  while (!Make()) Close();
}

ScratchFile::~ScratchFile() {
  std::error_code ignored;
  if (!in_place_) fs::remove(path_, ignored);
  Close();
}

// False if somebody took the file for abandoned before it was locked. What cannot be made at all fails when it is
// opened.
bool ScratchFile::Make() {
  path_ = NameBeside(target_);
#if !defined(_WIN32)
  std::error_code ignored;
  bool const replaces = fs::exists(target_, ignored);
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, replaces ? 0600 : 0666);
  if (descriptor_ < 0 || ::flock(descriptor_, LOCK_EX) != 0) return true;
  return fs::exists(path_, ignored);
#else
  return true;
#endif
}

void ScratchFile::TakePlace(bool durable, std::error_code* error) {
#if !defined(_WIN32)
  if (descriptor_ >= 0) TakeRights();
  if (descriptor_ >= 0 && durable && ::fsync(descriptor_) != 0) {
    *error = {errno, std::generic_category()};
    return;
  }
#else
  static_cast<void>(durable);
#endif
  fs::rename(path_, target_, *error);
  in_place_ = !*error;
}

// Of owner and group as much as the system lets; where the group is another one, it gets no rights.
void ScratchFile::TakeRights() const {
#if !defined(_WIN32)
  struct stat before{};
  if (::stat(target_.c_str(), &before) != 0) return;
  bool const shared = ::fchown(descriptor_, before.st_uid, before.st_gid) == 0 ||
                      ::fchown(descriptor_, static_cast<uid_t>(-1), before.st_gid) == 0;
  ::fchmod(descriptor_, before.st_mode & (shared ? 0777U : 0707U));
#endif
}

void ScratchFile::Close() {
#if !defined(_WIN32)
  if (descriptor_ >= 0) ::close(descriptor_);
#endif
  descriptor_ = -1;
}

void RemoveAbandoned(fs::path const& target) {
  std::error_code error;
  fs::path const folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  std::string const name = target.filename().u8string();
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (IsScratchOf(name, at->path().filename().u8string())) RemoveIfAbandoned(at->path());
  }
}

}  // namespace xgbl
