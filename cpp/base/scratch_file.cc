// SPDX-License-Identifier: Apache-2.0
#include "base/scratch_file.h"

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <random>
#include <string>
#include <string_view>
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
