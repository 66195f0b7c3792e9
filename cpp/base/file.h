// SPDX-License-Identifier: Apache-2.0
// Reads and writes whole files. Paths are UTF-8 on every system. Errors give the path and the system's reason.
#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>

#include "base/error.h"

namespace xgbl {

struct FileError : ModelError {  // a file that cannot be read or written
  using ModelError::ModelError;
};
struct FileMissing : FileError {  // there is no file of that name
  using FileError::FileError;
};

/// Opens a file for reading its bytes; refuses folders.
std::ifstream OpenFile(std::string const& path);
std::string ReadWholeFile(std::string const& path);

/// Writes through a temporary file in the same folder and a rename: readers see the old file or the new one, never
/// half. The new file has the permissions of the old one, and fewer while it is written. A link is followed, and what
/// is no regular file (a pipe, a device) is written in place. `durable`: the old file stays until the new one is on the
/// disk, which is not promised on Windows.
void WriteFileAtomically(std::string const& path, std::string_view bytes, bool durable = false);
/// The same for content that `write` makes piece by piece.
void WriteFileAtomically(std::string const& path, std::function<void(std::ostream&)> const& write,
                         bool durable = false);
/// Removes temporary files left by processes that were killed while writing this file; on Windows, those older than a
/// day. The next write does so, too.
void RemoveAbandonedWrites(std::string const& path);

/// A temporary file that replaces another file once it is complete. It lies next to that file and is removed unless it
/// took its place. The writer holds a lock on it. This tells a file that a killed process left behind from one that is
/// being written, on this machine or on another that shares the folder. On Windows a file is taken for abandoned after
/// a day.
class ScratchFile {
 public:
  /// Makes an empty file with a unique name. If `target` exists, only its maker can read the new one.
  explicit ScratchFile(std::filesystem::path target);
  ScratchFile(ScratchFile const&) = delete;
  ScratchFile& operator=(ScratchFile const&) = delete;
  ~ScratchFile();

  std::filesystem::path const& Path() const { return path_; }
  /// Gives the file the permissions of `target`, if that exists, and its place. `durable` waits for the disk first,
  /// except on Windows.
  void TakePlace(bool durable, std::error_code* error);

 private:
  bool Make();
  void TakeRights() const;
  void Close();

  std::filesystem::path target_, path_;
  int descriptor_ = -1;  // where systems have such; it holds the lock
  bool in_place_ = false;
};

/// Removes what killed processes left when they were writing `target`.
void RemoveAbandoned(std::filesystem::path const& target);

}  // namespace xgbl
