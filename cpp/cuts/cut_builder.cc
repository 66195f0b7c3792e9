// SPDX-License-Identifier: Apache-2.0
#include "cuts/cut_builder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.h"
#include "columns/column_blocks.h"
#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

constexpr std::size_t kFewRows = std::size_t{1} << 15U;  // all of them are sorted
constexpr std::size_t kSampleRowsABin = 48;
constexpr std::size_t kLeastSampleRows = 8192;
constexpr std::size_t kMostSampleCells = std::size_t{1} << 25U;
constexpr std::size_t kSplitsABin = 4;
constexpr std::size_t kLeastSplits = 512;
constexpr std::size_t kMostEdgesInAll = std::size_t{1} << 24U;  // of all features together
constexpr std::size_t kMostCollected = std::size_t{1} << 22U;   // values in a pass
constexpr std::size_t kShifts = 4;                              // passes that share what must be collected
constexpr std::size_t kSomeRoom = 128;
constexpr float kEdgeGap = 1e-5F;  // of the first and the last cut from the data; as in XGBoost

// The largest limit that keeps the sum of all needs, none above the limit, within the budget.
std::size_t FairLimit(std::vector<std::size_t> const& needs, std::size_t budget) {
  std::size_t low = 0, high = budget;
  while (low < high) {
    std::size_t const middle = high - (high - low) / 2;
    std::size_t sum = 0;
    for (std::size_t const need : needs) sum += std::min(need, middle);
    if (sum <= budget)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

float Below(float lowest) {
  float const edge = lowest - std::fabs(lowest) - kEdgeGap;
  return std::max(edge, std::numeric_limits<float>::lowest());
}

// Infinite only where no other number is larger than the value.
float Beyond(float highest) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  float const edge = highest + std::fabs(highest) + kEdgeGap;
  return highest < kLargest ? std::min(edge, kLargest) : edge;
}

std::size_t CheckedBins(int max_bin) {
  Require<ParamError>(max_bin >= 2 && max_bin <= 65535, "`max_bin` must be from 2 to 65535; got ", max_bin, ".");
  return static_cast<std::size_t>(max_bin);
}

}  // namespace

CutBuilder::CutBuilder(std::size_t columns, std::vector<std::uint8_t> categorical, int max_bin)
    : categorical_(std::move(categorical)),
      max_bin_(CheckedBins(max_bin)),
      splits_(std::clamp(kMostEdgesInAll / std::max<std::size_t>(1, columns), kLeastSplits,
                         std::max(kLeastSplits, std::min(ValueCounts::kMostSplits, kSplitsABin * max_bin_)))),
      sample_(MostRows(kFewRows, columns), MostRows(kLeastSampleRows, columns)),
      counts_(columns) {
  Ensure(categorical_.empty() || categorical_.size() == columns, "one flag a column is needed.");
  categorical_.resize(columns);
}

std::size_t CutBuilder::MostRows(std::size_t least, std::size_t columns) const {
  std::size_t const affordable = kMostSampleCells / std::max<std::size_t>(1, columns);
  return std::max<std::size_t>(16, std::min(affordable, std::max(least, kSampleRowsABin * max_bin_)));
}

void CutBuilder::Push(FeatureMatrix const& features, Span<float const> weights, Context const& ctx) {
  std::size_t const columns = counts_.size();
  Require<DataError>(features.Columns() == columns, "A batch has ", features.Columns(), " columns; the first one has ",
                     columns, ".");
  Require<DataError>(weights.empty() || weights.size() == features.Rows(), "A batch of ", features.Rows(),
                     " rows comes with ", weights.size(), " weights; give one for each row.");
  CheckShape(pushed_ + features.Rows(), columns);
  RowPiece piece{features, weights, pushed_};
  pushed_ += features.Rows();
  if (pass_ == 0) {
    NoteWeights(weights, features.Rows());
    sample_.Push(piece, ctx);
    return;
  }
  Require<DataError>(pushed_ <= rows_, "The batches have more rows than in the first pass: ", rows_,
                     ". They must be the same in every pass.");
  std::vector<std::uint64_t> units;
  if (!units_.AllEqual()) {
    units.resize(features.Rows());
    ParallelBlocks(ctx, units.size(), 65536, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row) units[row] = units_(piece.Weight(row));
    });
  }
  piece.units = units;
  ScanCells(piece, &scans_, ctx);
}

void CutBuilder::NoteWeights(Span<float const> weights, std::size_t rows) {
  if (rows == 0) return;
  weighted_ = weighted_ || !weights.empty();
  largest_weight_ =
      std::max(largest_weight_, weights.empty() ? 1.0F : *std::max_element(weights.begin(), weights.end()));
}

bool CutBuilder::TakeAll(FeatureMatrix const& features, Span<float const> weights, Context const& ctx) {
  if (features.Rows() > MostRows(kFewRows, counts_.size())) return false;
  NoteWeights(weights, features.Rows());
  rows_ = features.Rows();
  if (weighted_) units_ = WeightUnits(largest_weight_, rows_);
  ForEachSortedColumn(features, ctx, [&](std::size_t feature, auto values, auto rows) {
    if (categorical_[feature] != 0) CheckCategories(feature, values);
    std::vector<std::uint64_t> units;
    if (!units_.AllEqual()) {
      units.reserve(rows.size());
      for (std::uint32_t const row : rows) units.push_back(units_(weights[row]));
    }
    counts_[feature].SetAll(values, units);
    Settle(feature);
  });
  return true;
}

bool CutBuilder::EndPass(Context const& ctx) {
  Require<DataError>(pass_ == 0 || pushed_ == rows_, "The batches have ", pushed_, " rows, but ", rows_,
                     " in the first pass. They must be the same in every pass.");
  if (pass_ == 0) {
    EndSample(ctx);
  } else {
    EndScans(ctx);
  }
  pushed_ = 0;
  ++pass_;
  return PlanScans();
}

void CutBuilder::EndSample(Context const& ctx) {
  rows_ = pushed_;
  sample_.Finish(counts_.size(), ctx);
  if (sample_.Complete()) {
    std::vector<float> weights;
    for (CutSample::Row const& row : sample_.Rows()) {
      if (weighted_) weights.push_back(row.weight);
    }
    TakeAll(sample_.Cells(), weights, ctx);
    return;
  }
  if (weighted_) units_ = WeightUnits(largest_weight_, rows_);
  std::uint64_t const least = units_(sample_.FirstDropped().LeastWeight());
  std::vector<std::uint64_t> units;
  for (CutSample::Row const& row : sample_.Rows()) units.push_back(std::max(units_(row.weight), least));
  double const kept_share = static_cast<double>(units.size()) / static_cast<double>(rows_);
  ForEachSortedColumn(sample_.Cells(), ctx, [&](std::size_t feature, auto values, auto rows) {
    std::vector<CountedValue> counted;
    counted.reserve(values.size());
    ForEachDistinct(
        values, [&](std::size_t i) { return units[rows[i]]; },
        [&](CountedValue const& value) { counted.push_back(value); });
    counts_[feature].Begin(std::move(counted), kept_share, splits_);
  });
  sample_ = CutSample(0, 0);
}

void CutBuilder::EndScans(Context const& ctx) {
  ParallelTasks(ctx, scans_.size(), [&](std::size_t i, int) {
    std::size_t const feature = scans_[i].scan.feature;
    counts_[feature].Absorb(scans_[i].scan, std::move(scans_[i].tally), units_);
    Settle(feature);
  });
}

// Prepares the scans of the next pass; false if none is needed. What would collect too much waits for another pass.
bool CutBuilder::PlanScans() {
  std::vector<std::size_t> needs;
  for (ValueCounts const& counts : counts_) needs.push_back(counts.IsPlanned() ? counts.Need() : 0);
  std::size_t const most = FairLimit(needs, kShifts * kMostCollected);
  std::size_t collected = 0;
  scans_.clear();
  for (std::size_t feature = 0; feature < counts_.size(); ++feature) {
    std::size_t const need = std::min(most, needs[feature]);
    if (!counts_[feature].IsPlanned() || (collected > 0 && collected + need > kMostCollected)) continue;
    collected += need;
    FeatureScan scan;
    scan.scan = counts_[feature].TakeScan();
    scan.scan.feature = feature;
    scan.scan.categorical = categorical_[feature] != 0;
    scan.scan.room = 2 * need + kSomeRoom;  // needs are estimated
    scan.tally.Reset(scan.scan);
    scans_.push_back(std::move(scan));
  }
  return !scans_.empty();
}

void CutBuilder::Settle(std::size_t feature) {
  bool const missing = counts_[feature].Present() < rows_;
  counts_[feature].Settle(max_bin_ == 256 && missing ? 255 : max_bin_, splits_);
}

Cuts CutBuilder::Finish() {
  Cuts cuts;
  cuts.categorical = categorical_;
  for (std::size_t feature = 0; feature < counts_.size(); ++feature) {
    ValueCounts const& counts = counts_[feature];
    if (categorical_[feature] != 0) {
      auto const codes = static_cast<std::size_t>(counts.Highest()) + 1;
      for (std::size_t code = 0; code < codes; ++code) cuts.upper.push_back(static_cast<float>(code));
      cuts.lowest.push_back(0);
    } else {
      Span<float const> const begins = counts.BinBegins();
      if (!begins.empty()) cuts.upper.insert(cuts.upper.end(), begins.begin() + 1, begins.end());
      cuts.upper.push_back(Beyond(counts.Highest()));
      cuts.lowest.push_back(Below(counts.Lowest()));
    }
    cuts.begin.push_back(static_cast<std::uint32_t>(cuts.upper.size()));
  }
  return cuts;
}

void CutBuilder::PushAll(FeatureMatrix const& features, Span<float const> weights, Context const& ctx) {
  if (TakeAll(features, weights, ctx)) return;
  do Push(features, weights, ctx);
  while (EndPass(ctx));
}

std::vector<std::size_t> CutBuilder::Present() const {
  std::vector<std::size_t> present;
  for (ValueCounts const& counts : counts_) present.push_back(counts.Present());
  return present;
}

}  // namespace xgbl
