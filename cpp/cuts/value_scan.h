// SPDX-License-Identifier: Apache-2.0
// One look at the values of a feature, for the makers of cuts: how much weight lies between given edges, and single
// values where those are wanted. Collected values take bounded memory: those of the rows with the lowest ranks
// (row_sample.h) are kept, so the result does not depend on the order of the rows. One thread fills a ValueTally;
// tallies are then merged. Sums are integers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "cuts/cut_sample.h"

namespace xgbl {

/// Interval c holds the values in [edges[c - 1], edges[c]).
struct ValueScan {
  enum Use : std::uint8_t { kIgnore, kCount, kCollect };

  std::vector<float> edges;       // rising
  std::vector<std::uint8_t> use;  // by interval: a Use
  std::size_t room = 0;           // for collected values, at least one
  bool collects = false;          // some interval does
  bool first = false;             // range and number of the present cells are wanted, too
  bool categorical = false;       // all that is wanted, after a check that the cells are categories
};

struct CollectedValue {
  std::uint32_t row = 0;
  float weight = 0;  // of the row
  float value = 0;

  RowRank Rank() const { return RowRank::Of(row, weight); }
};

/// A run of cells of one feature, NaN if missing.
struct CellRun {
  Span<float const> values;
  std::uint32_t const* rows = nullptr;     // the row of each within its piece; nullptr: they follow one another
  std::size_t first = 0;                   // the first of them then
  std::uint64_t const* weights = nullptr;  // of the piece's rows, as integers; nullptr: 1
};

/// Throws DataError for a present value that is not the code of a category.
void CheckCategories(std::size_t feature, Span<float const> values);

struct ValueTally {
  std::vector<std::uint64_t> weight;  // by interval; one more for missing cells
  std::size_t present = 0;
  float lowest = std::numeric_limits<float>::infinity();
  float highest = -std::numeric_limits<float>::infinity();
  std::vector<CollectedValue> collected;
  RowRank bound = RowRank::End();  // no value of this row or a later one is kept

  /// Prepares it for the next scan.
  void Reset(ValueScan const& scan);
  /// `codes`: room for as many as the run has values.
  void Add(ValueScan const& scan, std::size_t feature, CellRun const& run, RowPiece const& piece, Context const& ctx,
           std::uint16_t* codes);
  void Merge(ValueScan const& scan, ValueTally const& other);
  /// Whether collected values had to be left out.
  bool Dropped() const { return bound < RowRank::End(); }
  /// Leaves no more collected values than there is room for.
  void Shrink(std::size_t room);

 private:
  void Measure(std::size_t feature, CellRun const& run, bool categorical);
  void Count(CellRun const& run, std::uint16_t const* codes);
  void Collect(ValueScan const& scan, CellRun const& run, RowPiece const& piece, std::uint16_t const* codes);
  void Keep(CollectedValue const& value, std::size_t room);
};

}  // namespace xgbl
