// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <random>
#include <system_error>

namespace xgbl {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPiece = std::size_t{1} << 16U;

fs::path PathOf(std::string const& path) {
  Require<FileError>(!path.empty(), "A file's path must not be empty.");
  Require<FileError>(path.find('\0') == std::string::npos, "A file's path must not hold a zero byte.");
  return fs::u8path(path);
}

// What the system says of its last failure; streams keep no reason of their own.
std::string Reason(int error) { return error == 0 ? "unknown reason" : std::generic_category().message(error); }

// Beside `target`, with a name that no other writer of the same file picks.
fs::path TemporaryBeside(fs::path target) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::random_device source;
  std::string suffix = ".tmp-";
  for (int i = 0; i < 16; ++i) suffix += kDigits[source() % 16U];
  return target += suffix;
}

class RemovedAtEnd {
 public:
  explicit RemovedAtEnd(fs::path path) : path_(std::move(path)) {}
  RemovedAtEnd(RemovedAtEnd const&) = delete;
  RemovedAtEnd& operator=(RemovedAtEnd const&) = delete;
  ~RemovedAtEnd() {
    std::error_code ignored;
    if (!kept_) fs::remove(path_, ignored);
  }
  void Keep() { kept_ = true; }

 private:
  fs::path path_;
  bool kept_ = false;
};

void WriteInPlace(fs::path const& target, std::string const& shown, std::function<void(std::ostream&)> const& write) {
  errno = 0;
  std::ofstream out(target, std::ios::binary | std::ios::trunc);
  Require<FileError>(out.is_open(), "Cannot write `", shown, "`: ", Reason(errno),
                     ". Its folder must exist and be yours to write to.");
  write(out);
  out.close();
  Require<FileError>(!out.fail(), "Cannot write `", shown, "`: ", Reason(errno), ".");
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

void WriteFileAtomically(std::string const& path, std::string_view bytes) {
  WriteFileAtomically(
      path, [bytes](std::ostream& out) { out.write(bytes.data(), static_cast<std::streamsize>(bytes.size())); });
}

void WriteFileAtomically(std::string const& path, std::function<void(std::ostream&)> const& write) {
  fs::path target = PathOf(path);
  std::error_code error;
  if (fs::is_symlink(target, error)) {
    fs::path const linked = fs::weakly_canonical(target, error);
    if (!error) target = linked;
  }
  Require<FileError>(!fs::is_directory(target, error), "Cannot write `", path, "`: it is a folder.");
  if (fs::exists(target, error) && !fs::is_regular_file(target, error)) return WriteInPlace(target, path, write);
  fs::path const temporary = TemporaryBeside(target);
  RemovedAtEnd guard(temporary);
  WriteInPlace(temporary, path, write);
  fs::rename(temporary, target, error);
  Require<FileError>(!error, "Cannot write `", path, "`: ", error.message(), ".");
  guard.Keep();
}

}  // namespace xgbl
