// SPDX-License-Identifier: Apache-2.0
// Event times known up to an interval, for survival losses and metrics: a lower and an upper bound per row. Equal
// bounds are an observed event. An infinite upper bound means that the event was still to come when the row was last
// seen (right-censored). A lower bound of 0 or -infinity means that it came before the upper bound (left-censored). A
// view: the Meta must outlive it.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "labels/meta.h"

namespace xgbl {

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
    bool const good = bounds.lower <= bounds.upper && bounds.upper >= 0.0F && !IsInfiniteTime(bounds.lower) &&
                      (bounds.lower >= 0.0F || std::isinf(bounds.lower));
    if (!good) Refuse(row, bounds);
    return bounds;
  }

 private:
  static bool IsInfiniteTime(float lower) { return std::isinf(lower) && lower > 0.0F; }

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
