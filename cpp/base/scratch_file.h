// SPDX-License-Identifier: Apache-2.0
// A file that takes the place of another one when it is complete. It stands beside that one and is removed unless it
// has taken its place. Its maker holds a lock on it: so what a killed process left can be told from what is being
// written, on this machine or another one that shares the folder. On Windows it is told by its age, a day.
#pragma once

#include <filesystem>

namespace xgbl {

class ScratchFile {
 public:
  /// Makes an empty file with a name of its own. If `target` exists, nobody but its maker can read the new one.
  explicit ScratchFile(std::filesystem::path target);
  ScratchFile(ScratchFile const&) = delete;
  ScratchFile& operator=(ScratchFile const&) = delete;
  ~ScratchFile();

  std::filesystem::path const& Path() const { return path_; }
  /// Gives the file the rights that `target` has, if that exists, and its place. `durable` waits for the disk before,
  /// but not on Windows.
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
