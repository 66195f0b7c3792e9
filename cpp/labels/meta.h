// SPDX-License-Identifier: Apache-2.0
// Everything about a matrix except its features: labels, weights, margins, groups, names, types, categories. A plain
// record. DMatrix runs Check() on every record it is given, so what a DMatrix holds always fits its features.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
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

/// Event times known up to an interval, for survival losses and metrics: a lower and an upper bound per row. Equal
/// bounds are an observed event. An infinite upper bound means that the event was still to come when the row was last
/// seen (right-censored). A lower bound of 0 or -infinity means that it came before the upper bound (left-censored). A
/// view: the Meta must outlive it.
class LabelBounds {
 public:
  struct Interval {
    float lower;
    float upper;
    bool IsEvent() const { return lower == upper; }
    bool HasLower() const { return lower > 0.0F; }
    bool HasUpper() const { return !std::isinf(upper); }
  };

  /// `user` is the objective or metric that a message names.
  LabelBounds(Meta const& meta, std::size_t rows, std::string user)
      : lower_(meta.label_lower), upper_(meta.label_upper), user_(std::move(user)) {
    Require<DataError>(
        lower_.size() == rows && upper_.size() == rows, "`", user_,
        "` needs `label_lower_bound` and `label_upper_bound`, one of each a row: ", rows, "; got ", lower_.size(),
        " and ", upper_.size(),
        ". Set both to the time of an event that was seen, and the upper one to infinity if it was not.");
  }

  /// Throws DataError unless the bounds of the row hold a time. One of 0 is earlier than any prediction.
  Interval operator[](std::size_t row) const {
    Interval const bounds{lower_[row], upper_[row]};
    bool const is_time = std::isinf(bounds.lower) ? bounds.lower < 0.0F : bounds.lower >= 0.0F;
    bool const good = is_time && bounds.lower <= bounds.upper && bounds.upper >= 0.0F;
    if (!good) Refuse(row, bounds);
    return bounds;
  }

 private:
  [[noreturn]] void Refuse(std::size_t row, Interval const& bounds) const {
    throw DataError(Text("`", user_, "` needs times of events: 0 <= `label_lower_bound` <= `label_upper_bound`, ",
                         "the lower one finite; got ", bounds.lower, " and ", bounds.upper, " in row ", row,
                         ". Equal bounds are an event that was seen, an infinite upper bound is one that was not."));
  }

  std::vector<float> const& lower_;
  std::vector<float> const& upper_;
  std::string user_;
};

}  // namespace xgbl
