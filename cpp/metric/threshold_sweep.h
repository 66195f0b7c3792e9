// SPDX-License-Identifier: Apache-2.0
// Rows in order of falling score, cut at every distinct score: what areas under curves are summed over. Made once for
// one column of scores; Sum() may then be called as often as wanted, and the rows that it was made from may go. A radix
// sort, first into buckets by the leading bits that differ, then each bucket in the cache: O(n), in parallel, and the
// same bits for any number of threads. A row takes 4 bytes without weights, otherwise 8.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/context.h"
#include "base/math.h"
#include "base/span.h"
#include "parallel/buffer.h"
#include "parallel/exact_sum.h"
#include "parallel/parallel_for.h"

namespace xgbl {

/// The weight of the positive and of the negative rows.
struct Tally {
  double positives = 0;
  double negatives = 0;

  bool HasBoth() const { return positives > 0 && negatives > 0; }
  double Sum() const { return positives + negatives; }
};

struct ScoredRows {
  Span<float const> scores;   // none NaN
  Span<float const> shares;   // how far the row is positive, from 0 to 1; rows that are NaN are left out
  Span<float const> weights;  // empty: 1
};

/// A row without a weight: its key, which rises as the score falls, above 1 bit, 1 if positive.
struct NarrowRow {
  static constexpr unsigned kPayloadBits = 1;
  std::uint32_t bits;

  std::uint32_t Key() const { return bits >> 1U; }
};

/// A row with a weight: the key above the weight, whose sign is set if positive.
struct WideRow {
  static constexpr unsigned kPayloadBits = 32;
  std::uint64_t bits;

  std::uint32_t Key() const { return static_cast<std::uint32_t>(bits >> 32U); }
};

/// Weights of rows in whole numbers of units, so that no order of adding them matters: a unit of a side is 2^-62 of
/// what all rows might weigh on it, or 1 without weights.
struct RowTotals {
  std::int64_t positives = 0;
  std::int64_t negatives = 0;

  RowTotals& operator+=(RowTotals const& other) {
    positives += other.positives;
    negatives += other.negatives;
    return *this;
  }
};

struct SideUnits {
  double in_one[2] = {1, 1};  // units in a weight of 1, of negative and of positive rows; powers of two
  double weight[2] = {1, 1};  // of a unit

  static void Add(NarrowRow row, RowTotals* totals) {
    totals->positives += row.bits & 1U;
    totals->negatives += ~row.bits & 1U;
  }
  void Add(WideRow row, RowTotals* totals) const {
    auto const bits = static_cast<std::uint32_t>(row.bits);
    std::uint32_t const positive = bits >> 31U;
    auto const units = static_cast<std::int64_t>(double{FromBits<float>(bits & 0x7fffffffU)} * in_one[positive]);
    std::int64_t const of_positive = units & -std::int64_t{positive};
    totals->positives += of_positive;
    totals->negatives += units - of_positive;
  }
  Tally Weigh(RowTotals const& totals) const {
    return {static_cast<double>(totals.positives) * weight[1], static_cast<double>(totals.negatives) * weight[0]};
  }
};

class ThresholdSweep {
 public:
  ThresholdSweep(ScoredRows const& rows, Context const& ctx);

  Tally Total() const { return units_.Weigh(total_); }

  /// The sum of step(rows above a score, rows above or at it) over all distinct scores.
  template <class Step>
  double Sum(Step const& step) const {
    std::vector<ExactSum> sums(parts_.size() + 1);
    ParallelTasks(ctx_, parts_.size(), [&](std::size_t p, int) {
      BufferedSum sum(ctx_.simd);
      ForEachScore(parts_[p], [&](Tally const& above, Tally const& through) { sum += step(above, through); });
      sums[p] = sum.Exact();
    });
    for (std::size_t p = 0; p < parts_.size(); ++p) sums.back() += sums[p];
    return sums.back().Value();
  }

  /// The largest of them, and at least 0.
  template <class Step>
  double Largest(Step const& step) const {
    std::vector<double> values(parts_.size() + 1);
    ParallelTasks(ctx_, parts_.size(), [&](std::size_t p, int) {
      double value = 0;
      ForEachScore(parts_[p],
                   [&](Tally const& above, Tally const& through) { value = std::max(value, step(above, through)); });
      values[p] = value;
    });
    return *std::max_element(values.begin(), values.end());
  }

 private:
  struct Part {  // a run of rows that shares no score with others
    std::size_t begin;
    std::size_t end;
    RowTotals above;
  };

  template <class Row, class Source>
  Buffer<Row> Sorted(Source const& source);

  template <class Visit>
  void ForEachScore(Part const& part, Visit const& visit) const {
    wide_.empty() ? ForEachScore(part, narrow_.data(), visit) : ForEachScore(part, wide_.data(), visit);
  }

  template <class Row, class Visit>
  void ForEachScore(Part const& part, Row const* rows, Visit const& visit) const {
    RowTotals totals = part.above;
    SideUnits const units = units_;
    Tally above = units.Weigh(totals);
    for (std::size_t i = part.begin; i < part.end;) {
      std::uint32_t const key = rows[i].Key();
      do units.Add(rows[i], &totals);
      while (++i < part.end && rows[i].Key() == key);
      Tally const through = units.Weigh(totals);
      visit(above, through);
      above = through;
    }
  }

  Context ctx_;
  Buffer<NarrowRow> narrow_;
  Buffer<WideRow> wide_;
  std::vector<Part> parts_;
  SideUnits units_;
  RowTotals total_;
};

/// The probability that a positive row scores above a negative one, ties counting half; NaN unless there are both.
double RocArea(ThresholdSweep const& sweep);

}  // namespace xgbl
