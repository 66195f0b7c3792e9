// SPDX-License-Identifier: Apache-2.0
// Reads a CSV file as columns of numbers and of text. The rules are the same whatever is installed, and in every
// locale. A column holds numbers if each cell that is not missing consists of digits with an optional sign, point and
// exponent, or is `inf`. Every other column is text. The file is read at once, cut into chunks of whole records and
// parsed in parallel: first the numbers, then the text columns. The result does not depend on the number of threads.
// Errors give the file and the line.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/context.h"

namespace xgbl {

struct TextTableOptions {
  char delimiter = ',';
  char decimal = '.';
  bool header = true;                // the first record is left out
  std::vector<std::string> missing;  // what a missing cell of a column of numbers may hold; numbers go by their value
  std::vector<std::size_t> texts;    // columns that are texts in any case
};

struct TextTableColumn {
  bool is_text = false;
  bool has_decimals = false;         // of numbers: the sign before decimals occurs
  std::vector<double> numbers;       // of numbers: NaN where missing
  std::vector<std::uint32_t> codes;  // of texts: which label each row has
  std::vector<std::string> labels;   // in the order in which they come first
};

struct TextTableColumns {
  std::vector<TextTableColumn> columns;
  std::vector<std::uint32_t> lines;  // the line that each row begins on, counted from 1
};

class TextTable {
 public:
  /// Reads the file; `name` is what messages call it.
  TextTable(std::string const& path, std::string name);
  TextTable(TextTable const&) = delete;
  TextTable& operator=(TextTable const&) = delete;

  /// The first records, unchanged.
  std::vector<std::vector<std::string>> Sample(char delimiter, std::size_t records) const;
  TextTableColumns Read(TextTableOptions const& options, Context const& ctx) const;

 private:
  std::string name_;
  std::string text_;
  std::string_view rest_;  // without the byte order mark
};

/// Reads the records of a delimited text one after the other (RFC 4180, and common extensions). Quoted cells may
/// contain delimiters, line ends and doubled quotes. \n, \r\n and \r end a record; blank lines are skipped. The text
/// must outlive the reader; a cell is valid until the next one is read.
class RecordReader {
 public:
  RecordReader(std::string_view text, char delimiter)
      : at_(text.data()), end_(text.data() + text.size()), delimiter_(delimiter) {}

  /// Calls `on_cell(number, text)` for each cell of the next record; false if there is none.
  template <class OnCell>
  bool Next(OnCell&& on_cell) {
    while (at_ != end_) {
      line_ = lines_read_;
      cells_ = 0;
      std::string_view cell;
      bool const quoted = ReadCell(&cell);
      if (!AtDelimiter() && !quoted && cell.find_first_not_of(" \t") == std::string_view::npos) {
        EndRecord();
        continue;
      }
      on_cell(cells_++, cell);
      while (AtDelimiter()) {
        ++at_;
        ReadCell(&cell);
        on_cell(cells_++, cell);
      }
      EndRecord();
      return true;
    }
    return false;
  }

  /// For the last record: how many cells it has, the line that it begins on, counted from 0, and whether it ends within
  /// quotes.
  std::size_t Cells() const { return cells_; }
  std::size_t Line() const { return line_; }
  bool IsOpen() const { return open_; }
  /// How many lines are read, and what follows.
  std::size_t LinesRead() const { return lines_read_; }
  std::string_view Rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }

 private:
  bool AtDelimiter() const { return at_ != end_ && *at_ == delimiter_; }
  bool AtEndOfCell(char const* at) const { return at == end_ || *at == delimiter_ || *at == '\n' || *at == '\r'; }

  // Moves behind the cell; true if it is in quotes.
  bool ReadCell(std::string_view* cell) {
    char const* const begin = at_;
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t') && *at_ != delimiter_) ++at_;
    if (at_ != end_ && *at_ == '"') {
      *cell = ReadQuoted();
      return true;
    }
    while (!AtEndOfCell(at_)) ++at_;
    *cell = {begin, static_cast<std::size_t>(at_ - begin)};
    return false;
  }

  // What follows the closing quote is part of the cell.
  std::string_view ReadQuoted() {
    char const* begin = ++at_;
    unquoted_.clear();
    for (;;) {
      auto const* const quote =
          at_ == end_ ? nullptr : static_cast<char const*>(std::memchr(at_, '"', static_cast<std::size_t>(end_ - at_)));
      open_ = quote == nullptr;
      char const* const stop = open_ ? end_ : quote;
      bool const ends_a_line = open_ && stop != at_ && stop[-1] == '\n';  // which EndRecord counts
      lines_read_ += static_cast<std::size_t>(std::count(at_, stop - ends_a_line, '\n'));
      bool const doubled = !open_ && stop + 1 != end_ && stop[1] == '"';
      at_ = open_ ? end_ : stop + 1;
      if (!doubled && unquoted_.empty() && AtEndOfCell(at_)) return {begin, static_cast<std::size_t>(stop - begin)};
      unquoted_.append(begin, doubled ? stop + 1 : stop);
      if (!doubled) break;
      begin = ++at_;
    }
    char const* const tail = at_;
    while (!AtEndOfCell(at_)) ++at_;
    unquoted_.append(tail, at_);
    return unquoted_;
  }

  void EndRecord() {
    if (at_ != end_ && *at_ == '\r') ++at_;
    if (at_ != end_ && *at_ == '\n') ++at_;
    ++lines_read_;
  }

  char const* at_;
  char const* end_;
  char delimiter_;
  std::size_t cells_ = 0, line_ = 0, lines_read_ = 0;
  bool open_ = false;
  std::string unquoted_;
};

}  // namespace xgbl
