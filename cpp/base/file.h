// SPDX-License-Identifier: Apache-2.0
// Reads and writes whole files. Paths are UTF-8 on every system. Errors give the path and the system's reason.
#pragma once

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

}  // namespace xgbl
