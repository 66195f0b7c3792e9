// SPDX-License-Identifier: Apache-2.0
// A temporary file that replaces another file once it is complete. It lies next to that file and is removed unless it
// took its place. The writer holds a lock on it. This tells a file that a killed process left behind from one that is
// being written, on this machine or on another that shares the folder. On Windows a file is taken for abandoned after a
// day.
#pragma once

#include <filesystem>

namespace xgbl {

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
