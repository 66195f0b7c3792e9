// SPDX-License-Identifier: Apache-2.0
// Rows in order of falling score, cut at every distinct score: what areas under curves are summed over. Made once for
// one column of scores; Sum() may then be called as often as wanted, and the rows that it was made from may go. A radix
// sort, first into buckets by the leading bits that differ, then each bucket in the cache: O(n), in parallel, and the
// same bits for any number of threads. A row takes 4 bytes without weights, otherwise 8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

#include "base/context.h"
#include "base/math.h"
#include "base/span.h"
#include "parallel/buffer.h"
#include "parallel/parallel_for.h"

namespace xgbl {

/// The weight of the positive and of the negative rows.
struct Tally {
  double positives = 0;
  double negatives = 0;

  Tally& operator+=(Tally const& other) {
    positives += other.positives;
    negatives += other.negatives;
    return *this;
  }
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

/// Adds up rows; those without weights in whole numbers, which takes half the time.
class RowCount {
 public:
  explicit RowCount(Tally const& from)
      : positives_(static_cast<std::uint64_t>(from.positives)), rows_(static_cast<std::uint64_t>(from.Sum())) {}

  void Add(NarrowRow row) {
    positives_ += row.bits & 1U;
    ++rows_;
  }
  Tally Sum() const { return {static_cast<double>(positives_), static_cast<double>(rows_ - positives_)}; }

 private:
  std::uint64_t positives_;
  std::uint64_t rows_;
};

class RowWeight {
 public:
  explicit RowWeight(Tally const& from) : sum_(from) {}

  void Add(WideRow row) {
    auto const bits = static_cast<std::uint32_t>(row.bits);
    std::uint32_t const weight = bits & 0x7fffffffU, if_positive = 0U - (bits >> 31U);
    sum_.positives += double{FromBits<float>(weight & if_positive)};
    sum_.negatives += double{FromBits<float>(weight & ~if_positive)};
  }
  Tally Sum() const { return sum_; }

 private:
  Tally sum_;
};

template <class Row>
using Adder = std::conditional_t<std::is_same_v<Row, NarrowRow>, RowCount, RowWeight>;

class ThresholdSweep {
 public:
  ThresholdSweep(ScoredRows const& rows, Context const& ctx);

  Tally const& Total() const { return total_; }

  /// The sum of step(rows above a score, rows above or at it) over all distinct scores.
  template <class Step>
  double Sum(Step const& step) const {
    return Fold(step, [](double a, double b) { return a + b; });
  }

  /// The largest of them, and at least 0.
  template <class Step>
  double Largest(Step const& step) const {
    return Fold(step, [](double a, double b) { return a < b ? b : a; });
  }

 private:
  struct Part {  // a run of rows that shares no score with others
    std::size_t begin;
    std::size_t end;
    Tally above;
  };

  template <class Row, class Source>
  Buffer<Row> Sorted(Source const& source);

  template <class Step, class Join>
  double Fold(Step const& step, Join const& join) const {
    return wide_.empty() ? FoldParts(narrow_, step, join) : FoldParts(wide_, step, join);
  }

  template <class Row, class Step, class Join>
  double FoldParts(Buffer<Row> const& rows, Step const& step, Join const& join) const {
    std::vector<double> values(parts_.size());
    ParallelTasks(ctx_, parts_.size(),
                  [&](std::size_t p, int) { values[p] = FoldPart(parts_[p], rows.data(), step, join); });
    return std::accumulate(values.begin(), values.end(), 0.0, join);
  }

  template <class Row, class Step, class Join>
  static double FoldPart(Part const& part, Row const* rows, Step const& step, Join const& join) {
    double value = 0;
    Adder<Row> count(part.above);
    for (std::size_t i = part.begin; i < part.end;) {
      Tally const above = count.Sum();
      std::uint32_t const key = rows[i].Key();
      do count.Add(rows[i]);
      while (++i < part.end && rows[i].Key() == key);
      value = join(value, step(above, count.Sum()));
    }
    return value;
  }

  Context ctx_;
  Buffer<NarrowRow> narrow_;
  Buffer<WideRow> wide_;
  std::vector<Part> parts_;
  Tally total_;
};

/// The probability that a positive row scores above a negative one, ties counting half; NaN unless there are both.
double RocArea(ThresholdSweep const& sweep);

}  // namespace xgbl
