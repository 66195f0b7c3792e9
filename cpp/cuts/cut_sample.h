// SPDX-License-Identifier: Apache-2.0
// A weighted sample of rows, taken while the rows arrive in pieces. Row i of weight w has the rank u_i / w, where u_i
// is a hash of its index. The rows with the lowest ranks are kept (priority sampling: Duffield, Lund and Thorup, JACM
// 2007). So the sample depends neither on pieces nor on threads nor on the shape of the input, and a row that outweighs
// all others is always in it. If there are few rows, the sample is all of them.
// Memory: the rows of the sample. Time: O(rows) for the ranks, plus O(cells) of the rows that were kept at any time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/context.h"
#include "base/random.h"
#include "base/span.h"
#include "ingest/feature_matrix.h"

namespace xgbl {

/// The order in which rows enter samples: by rank, ties by index.
struct RowRank {
  double rank = 0;
  std::size_t row = 0;

  static RowRank Of(std::size_t row, float weight) {
    constexpr double kLeast = 0x1p-149;  // rows of no weight come last, in random order
    double const uniform = Random(0, Purpose::kCuts, 0).Uniform(row) + 0x1p-54;
    return {uniform / (weight > kLeast ? static_cast<double>(weight) : kLeast), row};
  }
  /// Greater than all rows.
  static RowRank End() { return {std::numeric_limits<double>::infinity(), std::numeric_limits<std::size_t>::max()}; }
  /// A row of less weight than this stands for several that were equally likely to be kept, with this weight in total.
  double LeastWeight() const { return 1 / rank; }

  bool operator<(RowRank const& other) const { return rank < other.rank || (!(other.rank < rank) && row < other.row); }
};

/// A piece of the rows.
struct RowPiece {
  FeatureMatrix const& features;
  Span<float const> weights;             // empty, or one for each of them
  std::size_t first = 0;                 // index of its first row among all
  Span<std::uint64_t const> units = {};  // the weights as integers, for scans; empty: 1 each

  float Weight(std::size_t row) const { return weights.empty() ? 1.0F : weights[row]; }
};

class CutSample {
 public:
  struct Row {
    RowRank rank;
    float weight = 1;
    std::vector<std::uint32_t> columns;  // of a sparse row
    std::vector<float> values;
  };

  /// If there are at most `most_rows` rows, all are kept; otherwise `rows` of them, which is no larger.
  CutSample(std::size_t most_rows, std::size_t rows) : most_rows_(most_rows), sample_rows_(rows) {}

  void Push(RowPiece const& piece, Context const& ctx);
  /// Brings the rows into their order; nothing may be pushed afterwards.
  void Finish(std::size_t columns, Context const& ctx);

  Span<Row const> Rows() const { return rows_; }
  /// Row i is Rows()[i], whose cells moved to here.
  FeatureMatrix const& Cells() const { return cells_; }
  bool Complete() const { return rows_.size() == seen_rows_; }
  RowRank const& FirstDropped() const { return bound_; }

 private:
  void Take(RowPiece const& piece, std::size_t begin, std::size_t end, Context const& ctx);

  std::size_t most_rows_;
  std::size_t sample_rows_;
  std::size_t seen_rows_ = 0;
  RowRank bound_ = RowRank::End();  // the first that was dropped
  std::vector<Row> rows_;           // by rank
  FeatureMatrix cells_;
};

}  // namespace xgbl
