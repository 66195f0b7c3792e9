// SPDX-License-Identifier: Apache-2.0
// Parses the lines of a text file in parallel, in chunks that end with a line. Lines are only counted when there is an
// error. Of several errors the first in the file is reported, for any number of threads.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/context.h"
#include "base/error.h"
#include "parallel/parallel_for.h"

namespace xgbl {

/// What is wrong with the line that is being parsed.
struct LineError : Error {
  using Error::Error;
};

/// What follows the mark of UTF-8 that some programs put first.
std::string_view WithoutByteOrderMark(std::string_view text);

class TextLines {
 public:
  explicit TextLines(std::string const& path);
  TextLines(TextLines const&) = delete;
  TextLines& operator=(TextLines const&) = delete;

  /// The first line that is not blank; DataError if there is none.
  std::string_view First() const;
  /// Makes Parse begin after it.
  void SkipFirst();

  /// Calls `parse(line, Part*)` for each line that is not blank, with one Part per chunk, and returns the parts in
  /// order.
  template <class Part, class ParseLine>
  std::vector<Part> Parse(Context const& ctx, ParseLine const& parse) const {
    std::vector<std::string_view> const chunks = Chunks();
    std::vector<Part> parts(chunks.size());
    std::vector<std::optional<Failure>> failures(chunks.size());
    ParallelTasks(ctx, chunks.size(), [&](std::size_t i, int) {
      std::string_view rest = chunks[i], line;
      try {
        while (NextLine(&rest, &line)) parse(line, &parts[i]);
      } catch (LineError const& error) {
        failures[i] = Failure{line.data(), error.what()};
      }
    });
    for (auto const& failure : failures) {
      if (failure) ThrowAt(failure->where, failure->what);
    }
    return parts;
  }

  /// Throws DataError with the path and the number of the line that `where` points into.
  [[noreturn]] void ThrowAt(char const* where, std::string const& what) const;

 private:
  struct Failure {
    char const* where;
    std::string what;
  };

  /// Takes the next line that is not blank off `rest`, without its end; false if there is none.
  static bool NextLine(std::string_view* rest, std::string_view* line);
  std::vector<std::string_view> Chunks() const;

  std::string path_;
  std::string text_;
  std::string_view rest_;
};

/// Reads a float of any magnitude: too small ones become 0, too large ones infinity. False if it is no number.
bool ParseFloat(std::string_view text, float* out);

}  // namespace xgbl
