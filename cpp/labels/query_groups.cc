// SPDX-License-Identifier: Apache-2.0
#include "labels/query_groups.h"

#include <algorithm>

#include "base/error.h"
#include "base/math.h"
#include "parallel/exact_sum.h"

namespace xgbl {
namespace {

std::vector<std::size_t> Begins(Meta const& meta, std::size_t rows) {
  if (meta.group_begin.size() > 1) return {meta.group_begin.begin(), meta.group_begin.end()};
  if (rows == 0) return {0};
  return {0, rows};
}

}  // namespace

QueryGroups::QueryGroups(Meta const& meta, std::size_t rows, std::string const& user)
    : begin_(Begins(meta, rows)), weights_(meta.weights) {
  Matrix<float> const& labels = meta.labels;
  Require<DataError>(labels.values.size() == rows && (rows == 0 || labels.columns == 1), "`", user,
                     "` needs one label for each of ", rows, " rows; got labels for ", labels.rows, " x ",
                     labels.columns, ".");
  Require<DataError>(begin_.back() == rows, "`", user, "` needs query groups of all ", rows,
                     " rows; their sizes add up to ", begin_.back(), ".");
  Require<DataError>(
      weights_.empty() || weights_.size() == Count(), "The number of weights must be equal to the ",
      "number of query groups for `", user, "`: got ", weights_.size(), " for ", Count(),
      meta.group_begin.size() > 1 ? " groups." : " group, as all rows are one without `qid` or `group`.");
  MakeBlocks();
}

double QueryGroups::TotalWeight() const {
  if (weights_.empty()) return static_cast<double>(Count());
  ExactSum sum;
  for (float const weight : weights_) sum += double{weight};
  return sum.Value();
}

void QueryGroups::MakeBlocks() {
  constexpr std::size_t kRowsOfABlock = 4096;
  std::size_t rows = 0;
  for (std::size_t query = 0; query < Count(); ++query) {
    largest_ = std::max(largest_, Size(query));
    rows += Size(query);
    if (rows < kRowsOfABlock && query + 1 < Count()) continue;
    blocks_.push_back(query + 1);
    rows = 0;
  }
}

Span<std::uint32_t const> RankOrder::Of(Span<float const> scores, std::size_t top) {
  top = std::min(top, scores.size());
  rows_.resize(scores.size());
  if (scores.size() <= kMostRanked) {
    ranks_.resize(scores.size());
    kernels_->ranks_of(scores.data(), scores.size(), ranks_.data());
    for (std::size_t row = 0; row < scores.size(); ++row) rows_[ranks_[row]] = static_cast<std::uint32_t>(row);
  } else {
    Sort(scores, top);
  }
  return {rows_.data(), top};
}

void RankOrder::Sort(Span<float const> scores, std::size_t top) {
  keys_.resize(scores.size());
  // The key above the row: one sort of plain integers.
  for (std::size_t i = 0; i < scores.size(); ++i) keys_[i] = (std::uint64_t{FallingKey(scores[i])} << 32U) | i;
  auto const middle = keys_.begin() + static_cast<std::ptrdiff_t>(top);
  if (middle != keys_.end()) std::nth_element(keys_.begin(), middle, keys_.end());
  std::sort(keys_.begin(), middle);
  std::transform(keys_.begin(), middle, rows_.begin(),
                 [](std::uint64_t key) { return static_cast<std::uint32_t>(key); });
}

}  // namespace xgbl
