// SPDX-License-Identifier: Apache-2.0
// Reads a CSV file as columns of numbers and of text. The rules are the same whatever is installed, and in every
// locale. A column holds numbers if each cell that is not missing consists of digits with an optional sign, point and
// exponent, or is `inf`. Every other column is text. The file is read at once, cut into chunks of whole records and
// parsed in parallel: first the numbers, then the text columns. The result does not depend on the number of threads.
// Errors give the file and the line.
#pragma once

#include <cstddef>
#include <cstdint>
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

}  // namespace xgbl
