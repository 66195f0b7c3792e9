// SPDX-License-Identifier: Apache-2.0
// A subset of the rows of a table, one bit per row. Those of a million rows, looked up in any order, stay in the cache.
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

  /// To a set that has none. Both halves at once, as within a half each step waits for the one before.
  void Add(Span<std::uint32_t const> rising) {
    std::size_t half = rising.size() / 2;
    while (half > 0 && rising[half] / 64 == rising[half - 1] / 64) --half;  // halves share no word
    Span<std::uint32_t const> const first = rising.Sub(0, half), second = rising.Sub(half, rising.size() - half);
    Writer one, other;
    for (std::size_t i = 0; i < first.size(); ++i) {
      one.Write(first[i], words_.data());
      other.Write(second[i], words_.data());
    }
    for (std::size_t i = first.size(); i < second.size(); ++i) other.Write(second[i], words_.data());
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
  // What is in the word so far is carried from row to row, as reading it would wait for the write before, and written
  // every time, as asking whether it is complete could not be foreseen.
  struct Writer {
    std::size_t at = 0;
    std::uint64_t word = 0;

    void Write(std::uint32_t row, std::uint64_t* words) {
      std::uint64_t const same = row / 64 == at ? ~std::uint64_t{0} : 0;
      at = row / 64;
      word = (word & same) | std::uint64_t{1} << row % 64;
      words[at] = word;
    }
  };

  std::vector<std::uint64_t> words_;
};

}  // namespace xgbl
