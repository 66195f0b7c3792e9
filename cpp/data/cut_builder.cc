// SPDX-License-Identifier: Apache-2.0
#include "data/cut_builder.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "data/cell_scan.h"
#include "data/row_sample.h"
#include "data/sorted_columns.h"
#include "data/value_counts.h"
#include "data/weight_units.h"
#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

constexpr std::size_t kFewRows = std::size_t{1} << 15U;  // all of them are sorted
constexpr std::size_t kSampleRowsABin = 48;
constexpr std::size_t kLeastSampleRows = 8192;
constexpr std::size_t kMostSampleCells = std::size_t{1} << 25U;
constexpr std::size_t kSplitsABin = 4;
constexpr std::size_t kLeastSplits = 512;
constexpr std::size_t kMostEdges = std::size_t{1} << 24U;      // of all features together
constexpr std::size_t kMostCollected = std::size_t{1} << 22U;  // values in a pass
constexpr std::size_t kShifts = 4;                             // passes that share what must be collected
constexpr std::size_t kLeastRoom = 64;
constexpr float kEdgeGap = 1e-5F;  // of the first and the last cut from the data; as in XGBoost

// The largest limit that keeps the sum of all needs, none above the limit, within the budget.
std::size_t FairLimit(std::vector<std::size_t> const& needs, std::size_t budget) {
  std::size_t low = 0, high = budget;
  while (low < high) {
    std::size_t const middle = high - (high - low) / 2;
    std::size_t sum = 0;
    for (std::size_t const need : needs) sum += std::min(need, middle);
    if (sum <= budget) low = middle;
    else high = middle - 1;
  }
  return low;
}

float Below(float lowest) {
  float const edge = lowest - (std::fabs(lowest) + kEdgeGap);
  return std::max(edge, std::numeric_limits<float>::lowest());
}

// Infinite only where no other number is larger than the value.
float Beyond(float highest) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  float const edge = highest + (std::fabs(highest) + kEdgeGap);
  return highest < kLargest ? std::min(edge, kLargest) : edge;
}

}  // namespace

class CutBuilder::State {
 public:
  State(std::size_t columns, std::vector<std::uint8_t> categorical, int max_bin)
      : categorical_(std::move(categorical)),
        max_bin_(static_cast<std::size_t>(max_bin)),
        sample_(MostRows(kFewRows, columns), MostRows(kLeastSampleRows, columns)),
        counts_(columns) {
    categorical_.resize(columns);
  }

  void Push(FeatureMatrix const& features, Span<float const> weights, Context const& ctx);
  bool EndPass(Context const& ctx);
  Cuts Finish();
  std::size_t Rows() const { return rows_; }
  Span<std::size_t const> Present() const { return present_; }

 private:
  std::size_t MostRows(std::size_t least, std::size_t columns) const {
    std::size_t const affordable = kMostSampleCells / std::max<std::size_t>(1, columns);
    return std::max<std::size_t>(16, std::min(affordable, std::max(least, kSampleRowsABin * max_bin_)));
  }
  std::size_t Bins(std::size_t feature) const;
  void EndSample(Context const& ctx);
  void EndScans(Context const& ctx);
  bool PlanScans(Context const& ctx);
  void TakeSample(std::size_t feature, Span<float const> values, Span<std::uint32_t const> rows);

  std::vector<std::uint8_t> categorical_;
  std::size_t max_bin_;
  CutSample sample_;
  std::vector<ValueCounts> counts_;
  std::vector<FeatureScan> scans_;  // of the present pass; features rise
  int pass_ = 0;
  std::size_t rows_ = 0;
  std::size_t pushed_ = 0;  // in this pass
  float largest_weight_ = 0;
  bool weighted_ = false;
  WeightUnits units_;
  std::size_t splits_ = 0;
  std::vector<std::size_t> present_;
};

void CutBuilder::State::Push(FeatureMatrix const& features, Span<float const> weights, Context const& ctx) {
  std::size_t const columns = counts_.size();
  Require<DataError>(features.Columns() == columns, "A batch has ", features.Columns(), " columns; the first one has ",
                     columns, ".");
  Require<DataError>(weights.empty() || weights.size() == features.Rows(), "A batch of ", features.Rows(),
                     " rows comes with ", weights.size(), " weights; give one for each row.");
  CheckShape(pushed_ + features.Rows(), columns);
  RowPiece const piece{features, weights, pushed_};
  pushed_ += features.Rows();
  if (pass_ == 0) {
    weighted_ = weighted_ || !weights.empty();
    for (float const weight : weights) largest_weight_ = std::max(largest_weight_, weight);
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
  ScanCells(piece, units, &scans_, ctx);
}

bool CutBuilder::State::EndPass(Context const& ctx) {
  Require<DataError>(pass_ == 0 || pushed_ == rows_, "The batches have ", pushed_, " rows, but ", rows_,
                     " in the first pass. They must be the same in every pass.");
  if (pass_ == 0) {
    EndSample(ctx);
  } else {
    EndScans(ctx);
  }
  pushed_ = 0;
  ++pass_;
  bool const again = PlanScans(ctx);
  if (!again) {
    for (ValueCounts const& counts : counts_) present_.push_back(counts.Present());
  }
  return again;
}

void CutBuilder::State::EndSample(Context const& ctx) {
  rows_ = pushed_;
  if (weighted_) units_ = WeightUnits(std::max(largest_weight_, 0.0F), rows_);
  sample_.Finish(counts_.size());
  ForEachSortedColumn(sample_.Cells(), ctx, [&](std::size_t feature, auto values, auto rows) {
    TakeSample(feature, values, rows);
  });
  std::vector<std::size_t> needs;
  for (ValueCounts const& counts : counts_) needs.push_back(std::max(kLeastSplits, 2 * counts.SampledValues()));
  std::size_t const most = std::min(ValueCounts::kMostSplits, kSplitsABin * max_bin_);
  splits_ = std::max(kLeastSplits, std::min(most, FairLimit(needs, kMostEdges)));
  sample_ = CutSample(0, 0);
}

void CutBuilder::State::TakeSample(std::size_t feature, Span<float const> values, Span<std::uint32_t const> rows) {
  bool const complete = sample_.Complete();
  if (categorical_[feature] != 0) CheckCategories(feature, values);
  std::uint64_t const least = complete ? 0 : units_(sample_.FirstDropped().LeastWeight());
  std::vector<CountedValue> counted;
  for (std::size_t i = 0; i < values.size(); ++i) {
    AddCell(values[i], std::max(units_(sample_.Rows()[rows[i]].weight), least), &counted);
  }
  if (complete) {
    counts_[feature].SetAll(counted);
  } else {
    counts_[feature].Begin(std::move(counted), static_cast<double>(sample_.Rows().size()) / static_cast<double>(rows_));
  }
}

void CutBuilder::State::EndScans(Context const& ctx) {
  ParallelTasks(ctx, scans_.size(), [&](std::size_t i, int) {
    counts_[scans_[i].feature].Absorb(scans_[i].scan, std::move(scans_[i].tally), units_);
  });
}

// Prepares the scans of the next pass; false if none is needed. What would collect too much waits for another pass.
bool CutBuilder::State::PlanScans(Context const& ctx) {
  std::vector<FeatureScan> scans(counts_.size());
  std::vector<std::size_t> needs(counts_.size(), 0);
  std::vector<std::uint8_t> wanted(counts_.size(), 0);
  ParallelTasks(ctx, counts_.size(), [&](std::size_t feature, int) {
    if (!counts_[feature].Wants(Bins(feature), splits_)) return;
    wanted[feature] = 1;
    scans[feature].feature = feature;
    scans[feature].scan = counts_[feature].Plan(splits_);
    scans[feature].scan.categorical = categorical_[feature] != 0;
    needs[feature] = counts_[feature].Need(scans[feature].scan);
  });
  std::size_t const room = std::max(kLeastRoom, FairLimit(needs, kShifts * kMostCollected));
  std::size_t collected = 0;
  scans_.clear();
  for (std::size_t feature = 0; feature < counts_.size(); ++feature) {
    std::size_t const own = std::min(room, needs[feature]);
    if (wanted[feature] == 0 || (collected > 0 && collected + own > kMostCollected)) continue;
    collected += own;
    scans_.push_back(std::move(scans[feature]));
    scans_.back().scan.room = std::max(own, kLeastRoom);
    scans_.back().tally.Reset(scans_.back().scan);
  }
  if (getenv("XGBL_DBG")) { std::size_t e=0,n=0,w=0; for (auto& s : scans_) { e+=s.scan.edges.size(); n+=needs[s.feature]; for (auto u : s.scan.use) w+=u!=0; } fprintf(stderr,"pass %d scans %zu edges %zu used %zu need %zu room %zu splits %zu\n",pass_,scans_.size(),e,w,n,room,splits_); }
  return !scans_.empty();
}

std::size_t CutBuilder::State::Bins(std::size_t feature) const {
  return max_bin_ - (max_bin_ == 256 && counts_[feature].Present() < rows_ ? 1 : 0);
}

Cuts CutBuilder::State::Finish() {
  Cuts cuts;
  cuts.categorical = categorical_;
  for (std::size_t feature = 0; feature < counts_.size(); ++feature) {
    ValueCounts const& counts = counts_[feature];
    if (categorical_[feature] != 0) {
      auto const codes = static_cast<std::size_t>(counts.Highest()) + 1;
      for (std::size_t code = 0; code < codes; ++code) cuts.upper.push_back(static_cast<float>(code));
      cuts.lowest.push_back(0);
    } else {
      std::vector<float> const begins = counts.BinBegins(Bins(feature));
      if (!begins.empty()) cuts.upper.insert(cuts.upper.end(), begins.begin() + 1, begins.end());
      cuts.upper.push_back(Beyond(counts.Highest()));
      cuts.lowest.push_back(Below(counts.Lowest()));
    }
    cuts.begin.push_back(static_cast<std::uint32_t>(cuts.upper.size()));
  }
  return cuts;
}

CutBuilder::CutBuilder(std::size_t columns, std::vector<std::uint8_t> categorical, int max_bin) {
  Require<ParamError>(max_bin >= 2 && max_bin <= 65535, "`max_bin` must be from 2 to 65535; got ", max_bin, ".");
  Ensure(categorical.empty() || categorical.size() == columns, "one flag a column is needed.");
  state_ = std::make_unique<State>(columns, std::move(categorical), max_bin);
}

CutBuilder::~CutBuilder() = default;
CutBuilder::CutBuilder(CutBuilder&&) noexcept = default;
CutBuilder& CutBuilder::operator=(CutBuilder&&) noexcept = default;

void CutBuilder::Push(FeatureMatrix const& piece, Span<float const> weights, Context const& ctx) {
  state_->Push(piece, weights, ctx);
}
bool CutBuilder::EndPass(Context const& ctx) { return state_->EndPass(ctx); }
Cuts CutBuilder::Finish() { return state_->Finish(); }
std::size_t CutBuilder::Rows() const { return state_->Rows(); }
Span<std::size_t const> CutBuilder::Present() const { return state_->Present(); }

Cuts MakeCuts(FeatureMatrix const& features, Span<float const> weights, std::vector<std::uint8_t> categorical,
              int max_bin, Context const& ctx) {
  CutBuilder builder(features.Columns(), std::move(categorical), max_bin);
  do builder.Push(features, weights, ctx);
  while (builder.EndPass(ctx));
  return builder.Finish();
}

}  // namespace xgbl
