// SPDX-License-Identifier: Apache-2.0
// Some of the rows of a table, a bit a row: those of a million rows that are looked up in any order stay in the cache.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/span.h"

namespace xgbl {

class RowSet {
 public:
  /// `rows`: how many the table has.
  explicit RowSet(std::size_t rows) : words_((rows + 63) / 64) {}

  bool Has(std::uint32_t row) const { return (words_[row / 64] >> row % 64 & 1U) != 0; }

  /// To a set that has none. What is in the word so far is carried from row to row, as reading it would wait for the
  /// write before, and written every time, as asking whether it is complete could not be foreseen.
  void Add(Span<std::uint32_t const> rising) {
    std::size_t at = 0;
    std::uint64_t word = 0;
    for (auto const row : rising) {
      std::uint64_t const same = row / 64 == at ? ~std::uint64_t{0} : 0;
      at = row / 64;
      word = (word & same) | std::uint64_t{1} << row % 64;
      words_[at] = word;
    }
  }

  /// Takes the rows out that were added.
  void Remove(Span<std::uint32_t const> rows) {
    if (rows.size() >= words_.size()) {
      std::fill(words_.begin(), words_.end(), 0);
    } else {
      for (auto const row : rows) words_[row / 64] = 0;
    }
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace xgbl
