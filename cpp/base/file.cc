// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "base/scratch_file.h"

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

}  // namespace xgbl
