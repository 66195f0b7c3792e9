// SPDX-License-Identifier: Apache-2.0
// Whole files, read and written. Paths are UTF-8 on every system. Errors name the path and the system's reason.
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
/// half. A link is followed, and what is no regular file (a pipe, a device) is written in place.
void WriteFileAtomically(std::string const& path, std::string_view bytes);
/// The same for content that `write` makes piece by piece.
void WriteFileAtomically(std::string const& path, std::function<void(std::ostream&)> const& write);

}  // namespace xgbl
