// SPDX-License-Identifier: Apache-2.0
// Cuts and checks for the tests of binned matrices.
#pragma once

#include <algorithm>
#include <memory>
#include <set>
#include <vector>

#include "bins/binned_matrix_builder.h"
#include "ingest/matrices.h"

namespace xgbl {

/// At most `most` bins a feature, cut at values of the data; a feature with `levels[i]` > 0 is categorical.
inline std::shared_ptr<Cuts const> CutsOf(FeatureMatrix const& features, std::size_t most,
                                          std::vector<std::uint32_t> levels = {}) {
  std::vector<std::set<float>> values(features.Columns());
  for (std::size_t row = 0; row < features.Rows(); ++row) {
    features.ForEachPresent(row, [&](std::size_t column, float value) { values[column].insert(value); });
  }
  levels.resize(features.Columns());
  auto cuts = std::make_shared<Cuts>();
  for (std::size_t column = 0; column < features.Columns(); ++column) {
    std::vector<float> const all(values[column].begin(), values[column].end());
    std::size_t const bins = std::min(most, all.size());
    if (levels[column] > 0) {
      for (std::uint32_t code = 0; code < levels[column]; ++code) cuts->upper.push_back(static_cast<float>(code));
    } else {
      for (std::size_t b = 1; b < bins; ++b) cuts->upper.push_back(all[b * all.size() / bins]);
      cuts->upper.push_back(kInf);
    }
    cuts->begin.push_back(static_cast<std::uint32_t>(cuts->upper.size()));
    cuts->lowest.push_back(all.empty() ? 0.0F : all.front());
    cuts->categorical.push_back(levels[column] > 0 ? 1 : 0);
  }
  return cuts;
}

/// Compares every cell, through the rows and through the column copy, with Cuts::BinOf.
inline void ExpectBins(BinnedMatrix const& bins, FeatureMatrix const& features) {
  ASSERT_EQ(bins.Rows(), features.Rows());
  ASSERT_EQ(bins.Columns(), features.Columns());
  Cuts const& cuts = bins.GetCuts();
  for (std::size_t row = 0; row < features.Rows(); ++row) {
    std::vector<std::uint32_t> present(features.Columns());
    for (std::size_t f = 0; f < present.size(); ++f) present[f] = bins.Place(f).bins;
    bins.ForEachPresent(row, [&](std::uint32_t feature, std::uint32_t bin) { present[feature] = bin; });
    for (std::size_t feature = 0; feature < features.Columns(); ++feature) {
      float const value = features.Value(row, feature);
      BinPlace const& place = bins.Place(feature);
      std::uint32_t const expected = std::isnan(value) ? place.bins : cuts.BinOf(feature, value);
      ASSERT_EQ(bins.BinOf(row, feature), expected) << "row " << row << ", feature " << feature << ": " << value;
      ASSERT_EQ(present[feature], expected) << "row " << row << ", feature " << feature;
      if (place.Sparse()) continue;
      auto const* narrow = bins.Column8(place.slot);
      std::uint32_t const code = narrow != nullptr ? narrow[row] : bins.Column16(place.slot)[row];
      ASSERT_EQ(bins.Layout().BinIn(place, code), expected) << "row " << row << ", feature " << feature;
    }
  }
}

}  // namespace xgbl
