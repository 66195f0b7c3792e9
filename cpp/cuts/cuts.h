// SPDX-License-Identifier: Apache-2.0
// Where the values of each feature are cut into bins. Bin b of a numeric feature has the values in [upper[b - 1],
// upper[b]). A cut is a value of the data, so a split at it means the same to every reader of the model (x < upper[b]
// goes left). Each category is a bin of its own, numbered by its code.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/context.h"
#include "base/search.h"
#include "base/span.h"

namespace xgbl {

struct Cuts {
  std::vector<std::uint32_t> begin{0};    // columns + 1: the first bin of each feature among the bins of all
  std::vector<float> upper;               // by bin; the last of a numeric feature lies above all its values
  std::vector<float> lowest;              // by feature: below all its values
  std::vector<std::uint8_t> categorical;  // by feature

  std::size_t Columns() const { return begin.size() - 1; }
  std::uint32_t Bins(std::size_t feature) const { return begin[feature + 1] - begin[feature]; }
  Span<float const> Upper(std::size_t feature) const {
    return Span<float const>(upper).Sub(begin[feature], Bins(feature));
  }

  /// The bin of a present value within its feature; values above the last cut are in the last bin. A category that the
  /// feature does not have gives Bins(feature). Inline and free of branches on the value, which would be unpredictable.
  std::uint32_t BinOf(std::size_t feature, float value) const {
    std::uint32_t const bins = Bins(feature);
    if (categorical[feature] != 0) {
      return value >= 0 && value < static_cast<float>(bins) ? static_cast<std::uint32_t>(value) : bins;
    }
    float const* const edges = upper.data() + begin[feature];
    std::size_t const below = CountFirst(edges, std::max(bins, 1U) - 1, [=](float edge) { return edge <= value; });
    return static_cast<std::uint32_t>(below);
  }
  /// A value that lies in the bin: its lower cut, or the category.
  float ValueOf(std::size_t feature, std::uint32_t bin) const;
  /// BinOf for many values of a feature with at most 65,535 bins; missing ones (NaN) give Bins(feature).
  void BinsOf(std::size_t feature, Span<float const> values, Context const& ctx, std::uint16_t* bins) const;

  bool operator==(Cuts const& other) const {
    return begin == other.begin && upper == other.upper && lowest == other.lowest && categorical == other.categorical;
  }
};

/// At most `max_bin` bins of each numeric feature, made by joining bins of `fine`; `weight` is by bin of `fine`. Used
/// to propose cuts for every round from the hessians that fall into fine bins.
Cuts GroupCuts(Cuts const& fine, Span<std::uint64_t const> weight, int max_bin);

/// Where bins with about equal numbers of rows end, that is, where the next one begins, at most this many; for callers
/// that need no guarantee. A value with many rows gets a bin of its own almost surely. Takes all values of a column,
/// none of them missing, in rising order. The last bin takes everything above, the first one everything below.
std::vector<float> EndsByRank(Span<float const> rising, std::size_t most);

/// The same by a sample of the values, in any order; NaN: missing.
std::vector<float> EndsBySample(Span<float const> values, std::size_t most);

/// The cuts of which these are the ends of all columns.
Cuts CutsAt(std::vector<std::vector<float>> const& ends);

}  // namespace xgbl
