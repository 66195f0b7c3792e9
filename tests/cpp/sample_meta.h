// SPDX-License-Identifier: Apache-2.0
// What tests of objectives and metrics share: labels and weights in a Meta, and every way to run on this machine.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "base/random.h"
#include "labels/meta.h"
#include "simd/level.h"

namespace xgbl {

inline Matrix<float> MatrixOf(std::vector<float> values, std::size_t columns = 1) {
  Matrix<float> matrix;
  matrix.rows = values.size() / columns;
  matrix.columns = columns;
  matrix.values = std::move(values);
  return matrix;
}

inline Meta MetaOf(std::vector<float> labels, std::size_t targets = 1, std::vector<float> weights = {}) {
  Meta meta;
  meta.labels = MatrixOf(std::move(labels), targets);
  meta.weights = std::move(weights);
  return meta;
}

/// Makes queries of seven rows and a shorter last one, with weights for them in place of weights for the rows.
inline void AddQueries(Meta* meta) {
  constexpr std::size_t kRows = 7;
  std::size_t const rows = meta->labels.rows, queries = (rows + kRows - 1) / kRows;
  for (std::size_t i = 0; i < queries; ++i) meta->group_begin.push_back(static_cast<std::uint32_t>(i * kRows));
  if (rows > 0) meta->group_begin.push_back(static_cast<std::uint32_t>(rows));
  if (meta->weights.size() == rows) meta->weights.resize(queries);
}

/// Places of `rows` in random order, with runs of so many kept together, as those of AddQueries' queries.
inline std::vector<std::uint32_t> Shuffled(std::size_t rows, std::uint64_t seed, std::size_t run = 1) {
  Random const random(seed, Purpose::kRows, 1);
  std::vector<std::uint32_t> runs(rows / run), order;
  std::iota(runs.begin(), runs.end(), 0U);
  for (std::size_t i = runs.size(); i > 1; --i) {
    std::swap(runs[i - 1], runs[static_cast<std::size_t>(random.Uniform(i) * static_cast<double>(i))]);
  }
  for (std::uint32_t const one : runs) {
    for (std::size_t i = 0; i < run; ++i) order.push_back(static_cast<std::uint32_t>(one * run + i));
  }
  return order;
}

/// The rows of a matrix that `order` names.
inline Matrix<float> Rows(Matrix<float> const& from, std::vector<std::uint32_t> const& order) {
  Matrix<float> out(order.size(), from.columns);
  for (std::size_t i = 0; i < order.size(); ++i) {
    auto const row = from.View().Row(order[i]);
    std::copy(row.begin(), row.end(), out.View().Row(i).begin());
  }
  return out;
}

inline std::vector<float> Rows(std::vector<float> const& from, std::vector<std::uint32_t> const& order) {
  return Rows(MatrixOf(from), order).values;
}

/// Numbers in [low, high), the same in every run.
inline std::vector<float> Uniform(std::size_t n, double low, double high, std::uint64_t seed = 7) {
  Random const random(seed, Purpose::kRows, 0);
  std::vector<float> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(low + (high - low) * random.Uniform(i));
  return values;
}

/// Every instruction set of this machine with several numbers of threads.
inline std::vector<Context> AllContexts() {
  std::vector<Context> contexts;
  for (SimdLevel const level : AvailableSimd()) {
    for (int const threads : {1, 2, 3, 8}) {
      Context context;
      context.simd = level;
      context.threads = threads;
      contexts.push_back(context);
    }
  }
  return contexts;
}

}  // namespace xgbl
