// SPDX-License-Identifier: Apache-2.0
#include "bins/bin_groups.h"

#include <algorithm>
#include <cstddef>

namespace xgbl {
namespace {

constexpr std::uint32_t kLeastGrouped = 128;  // bins
constexpr std::uint32_t kNever = 0xFFFFFFFFU;

// Between two borders that are both seen from below all errors below the upper one count; from above, those above the
// lower one. If the lower one is seen from below and the upper one from above, the largest left gradient follows from
// the lower one and from what rises, so that all errors below the upper one count, and the least from the upper one, so
// that those above the lower one do.
double RowsBetween(Span<std::uint32_t const> rows_below, std::uint32_t lower, std::uint32_t upper, bool lower_above,
                   bool upper_above) {
  std::uint32_t const below = rows_below[upper], above = rows_below[rows_below.size() - 1] - rows_below[lower];
  return static_cast<double>(lower_above ? above : upper_above ? std::max(above, below) : below);
}

}  // namespace

double RowsAtBorder(Span<std::uint32_t const> rows_below, std::uint32_t bin, std::uint32_t from_above) {
  return RowsBetween(rows_below, bin, bin, bin >= from_above, bin >= from_above);
}

BinGroups GroupBins(Span<std::uint32_t const> rows_below, bool has_missing) {
  BinGroups out;
  out.bins = static_cast<std::uint32_t>(rows_below.size() - 1);
  out.group_bins = out.bins < kLeastGrouped ? 1 : BinGroups::kMostBins;
  out.groups = (out.bins + out.group_bins - 1) / out.group_bins;
  auto const middle = std::upper_bound(rows_below.begin(), rows_below.end(), rows_below[out.bins] / 2);
  auto const middle_group = static_cast<std::uint32_t>(middle - rows_below.begin()) / out.group_bins;
  out.from_above = {has_missing ? kNever : middle_group * out.group_bins, 0};
  for (std::size_t side = 0; side < (has_missing ? 2 : 1); ++side) {
    std::uint32_t const from_above = out.from_above[side];
    for (std::uint32_t first = 0; first < out.bins; first += out.group_bins) {
      std::uint32_t const end = std::min(out.bins, first + out.group_bins);
      out.rows_of_group[side].push_back(RowsBetween(rows_below, first, end, first >= from_above, end >= from_above));
    }
    for (std::uint32_t bin = 0; bin < out.bins; ++bin) {
      bool const above = bin >= from_above;
      out.rows_of_bin[side].push_back(RowsBetween(rows_below, bin, bin + 1, above, above));
    }
  }
  return out;
}

}  // namespace xgbl
