// SPDX-License-Identifier: Apache-2.0
// Everything about a matrix except its features: labels, weights, margins, groups, names, types, categories. A plain
// record. DMatrix runs Check() on every record it is given, so what a DMatrix holds always fits its features.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/span.h"

namespace xgbl {

/// The most margins per row: far beyond any use, but a damaged file or mistyped number cannot ask for all memory.
constexpr int kMaxOutputs = 1 << 20;

/// The categories of one feature, in the order of their codes; empty for a feature without.
struct Categories {
  std::vector<std::string> names;  // category of strings; or
  std::vector<double> numbers;     // category of numbers
  std::string number_type;         // "int64", "float32" …: what `numbers` were
  bool empty() const { return names.empty() && numbers.empty(); }
  bool operator==(Categories const& other) const {
    return names == other.names && numbers == other.numbers && number_type == other.number_type;
  }
};

struct Meta {
  Matrix<float> labels;            // rows x targets; empty if there are none; of several targets some may be NaN
  std::vector<float> weights;      // one per row, or one per query group; empty means 1
  Matrix<float> base_margin;       // rows x outputs; empty means the model's own
  std::vector<float> label_lower;  // survival bounds
  std::vector<float> label_upper;
  std::vector<float> feature_weights;
  std::vector<std::uint32_t> group_begin;  // first row of each query group, then the number of rows; empty: no groups
  std::vector<std::string> feature_names;  // empty or one per column
  std::vector<std::string> feature_types;  // empty or one per column: int, float, i, q, c
  std::vector<Categories> categories;      // empty or one per column

  /// Throws DataError unless everything fits a matrix of that size.
  void Check(std::size_t rows, std::size_t columns) const;
  /// A flag for each column: whether its type is `c`.
  std::vector<std::uint8_t> CategoricalFlags(std::size_t columns) const;
  /// The weight of each row if weights are given by query group; else empty.
  std::vector<float> WeightsByRow(std::size_t rows) const;
  /// What is known of those rows, in that order; each must be below the number of rows. Neighbours that came from one
  /// query group stay one. Groups are refused unless `allow_groups`.
  Meta Slice(Span<std::size_t const> rows, bool allow_groups) const;
};

}  // namespace xgbl
