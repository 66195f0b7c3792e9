// SPDX-License-Identifier: Apache-2.0
// Binned matrices, and gradients for them, for the tests of histograms and row partitions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "base/random.h"
#include "bins/binned_matrix_builder.h"
#include "simd/level.h"
#include "tree/fixed_point.h"

namespace xgbl {

inline Context WithThreads(int threads) {
  Context ctx;
  ctx.threads = threads;
  ctx.simd = DefaultSimd();
  return ctx;
}

struct FeatureRecipe {
  std::uint32_t bins = 1;
  double missing = 0;  // share of the rows
  bool categorical = false;
  int copy_of = -1;         // a feature before it with the same recipe, or none
  std::uint32_t drawn = 0;  // bins that are met, spread over all; 0: all
};

/// A matrix whose cells are drawn at random, and the bins that they were given.
struct BinnedSample {
  std::shared_ptr<BinnedMatrix const> matrix;
  std::vector<std::vector<std::uint32_t>> bins;  // by feature, by row; the number of bins: missing

  bool Missing(std::size_t row, std::size_t feature) const { return bins[feature][row] >= matrix->Place(feature).bins; }
};

inline std::shared_ptr<Cuts const> UnitCuts(std::vector<FeatureRecipe> const& features) {
  auto cuts = std::make_shared<Cuts>();
  for (FeatureRecipe const& feature : features) {
    std::uint32_t const first = feature.categorical ? 0 : 1;  // a category's is its code
    for (std::uint32_t bin = first; bin < feature.bins; ++bin) cuts->upper.push_back(static_cast<float>(bin));
    if (!feature.categorical) cuts->upper.push_back(std::numeric_limits<float>::infinity());
    cuts->begin.push_back(static_cast<std::uint32_t>(cuts->upper.size()));
    cuts->lowest.push_back(-1);
    cuts->categorical.push_back(feature.categorical ? 1 : 0);
  }
  return cuts;
}

/// Value b is in bin b. The features of a bundle take turns: each row has one of them.
inline BinnedSample MakeBinned(std::size_t rows, std::vector<FeatureRecipe> const& features,
                               Bundles const& bundles = {}, SlotJoining joining = SlotJoining::kOff) {
  Random const random(rows, Purpose::kRows, features.size());
  BinnedSample sample;
  sample.bins.assign(features.size(), std::vector<std::uint32_t>(rows));
  std::vector<std::size_t> turn(features.size(), 0), period(features.size(), 1);
  for (auto const& bundle : bundles) {
    for (std::size_t i = 0; i < bundle.size(); ++i) {
      turn[bundle[i]] = i;
      period[bundle[i]] = bundle.size();
    }
  }
  SparseRows cells;
  cells.columns = features.size();
  std::vector<std::size_t> present(features.size(), 0);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t f = 0; f < features.size(); ++f) {
      std::size_t const from = features[f].copy_of < 0 ? f : static_cast<std::size_t>(features[f].copy_of);
      std::size_t const cell = row * features.size() + from;
      bool const missing = random.Uniform(2 * cell) < features[f].missing || row % period[f] != turn[f];
      std::uint32_t const bins = features[f].bins, drawn = features[f].drawn == 0 ? bins : features[f].drawn;
      auto const bin =
          static_cast<std::uint32_t>(random.Bits(2 * cell + 1) % drawn) * ((bins - 1) / std::max(drawn - 1, 1U));
      sample.bins[f][row] = missing ? features[f].bins : bin;
      if (missing) continue;
      cells.column.push_back(static_cast<std::uint32_t>(f));
      cells.value.push_back(static_cast<float>(bin));
      ++present[f];
    }
    cells.row_begin.push_back(cells.column.size());
  }
  BinnedMatrixBuilder builder(UnitCuts(features), rows, present, bundles, joining);
  builder.Append(FeatureMatrix(std::move(cells)), Context{});
  sample.matrix = builder.Finish(Context{});
  return sample;
}

/// Many features of few bins: some in a bundle, some with missing cells, one in twelve with more bins than are joined.
inline BinnedSample MakeJoined(std::size_t rows) {
  std::vector<FeatureRecipe> features;
  for (std::uint32_t f = 0; f < 60; ++f) features.push_back({f % 12 == 11 ? 200 : 1 + f % 4, f % 3 == 0 ? 0.2 : 0.0});
  return MakeBinned(rows, features, {{0, 1, 2}}, SlotJoining::kOn);
}

/// Gradients in [-1, 1), hessians in [0, 0.25); `columns` outputs side by side.
struct RandomGradients {
  std::vector<float> gradient, hessian;
  std::size_t columns;

  RandomGradients(std::size_t rows, std::size_t outputs, std::uint64_t seed = 1)
      : gradient(rows * outputs), hessian(rows * outputs), columns(outputs) {
    Random const random(seed, Purpose::kRows, rows);
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      gradient[i] = static_cast<float>(2 * random.Uniform(2 * i) - 1);
      hessian[i] = static_cast<float>(random.Uniform(2 * i + 1) / 4);
    }
  }
  OutputGradients Of(std::size_t output) const {
    return {gradient.data() + output, hessian.data() + output, gradient.size() / columns, columns};
  }
};

}  // namespace xgbl
