// SPDX-License-Identifier: Apache-2.0
#include "objective/lambdarank.h"

#include <algorithm>

#include "base/math.h"
#include "base/random.h"
#include "labels/query_groups.h"
#include "objective/position_bias.h"
#include "parallel/parallel_for.h"
#include "simd/ranking_kernels.h"

namespace xgbl {

// Gradients of one query after the other; keeps its buffers.
class LambdaRank::QueryRanker {
 public:
  struct Round {
    LambdaRankParam const& param;
    Judge const& judge;
    PositionBias const* bias;  // nullptr: none
    Context const& ctx;
    Random random;
  };

  explicit QueryRanker(Round const& round)
      : round_(round),
        kernels_(&RankingKernels::Of(round.ctx.simd)),
        order_(round.ctx),
        label_order_(round.ctx),
        pace_(round.ctx) {
    if (round.bias == nullptr) return;
    losses_ = round.bias->NoLosses();
    loss_sums_ = round.bias->NoSums();
  }

  void Add(Query const& query) {
    if (query.Rows() < 2) return;
    Rank(query);
    round_.judge(&ranked_);
    MakeTask();
    size_ = 0;
    if (round_.param.TopK()) {
      AddTopPairs();
    } else {
      AddDrawnPairs(query.first_row);
    }
    loss_sums_.Take(&losses_);
    float const norm = Norm();
    for (std::size_t rank = 0; rank < rows_.size(); ++rank) {
      query.gradient[rows_[rank]] = gradient_[rank] * norm;
      query.hessian[rows_[rank]] = hessian_[rank] * norm;
    }
  }

  PositionBias::LossSums const& LossSums() const { return loss_sums_; }

 private:
  void Rank(Query const& query) {
    std::size_t const n = query.Rows();
    rows_ = order_.Of(query.margins);
    Reserve(n);
    for (std::size_t rank = 0; rank < n; ++rank) {
      score_[rank] = query.margins[rows_[rank]];
      ranked_.label[rank] = query.labels[rows_[rank]];
    }
    if (round_.bias != nullptr) round_.bias->Fill(rows_, high_factor_.data(), low_factor_.data());
  }

  void Reserve(std::size_t rows) {
    std::size_t const size = rows + PairTask::kLanes - 1;
    ranked_.label.resize(rows);
    for (auto* values : {&ranked_.gain, &ranked_.above, &ranked_.above_rest, &ranked_.below, &ranked_.below_rest,
                         &score_, &high_factor_, &low_factor_, &worth_}) {
      values->resize(size);
    }
    gradient_.assign(size, 0.0F);
    hessian_.assign(size, 0.0F);
  }

  void MakeTask() {
    constexpr float kLeastDistance = 0.01F;
    task_.score = score_.data();
    task_.gain = ranked_.gain.data();
    task_.above = ranked_.above.data();
    task_.above_rest = ranked_.above_rest.data();
    task_.below = ranked_.below.data();
    task_.below_rest = ranked_.below_rest.data();
    task_.gain_base = ranked_.gain_base;
    task_.gain_slope = ranked_.gain_slope;
    task_.scale = static_cast<float>(ranked_.scale);
    bool const by_distance = round_.param.score_normalization && score_[0] != score_[rows_.size() - 1];
    task_.distance_base = by_distance ? kLeastDistance : 1.0F;
    task_.distance_slope = by_distance ? 1.0F : 0.0F;
    task_.gradient = gradient_.data();
    task_.hessian = hessian_.data();
    task_.high_factor = high_factor_.data();
    task_.low_factor = low_factor_.data();
    task_.worth = round_.bias == nullptr ? nullptr : worth_.data();
  }

  void AddTopPairs() {
    std::size_t const top = std::min(rows_.size(), round_.param.Pairs());
    for (std::size_t upper = 0; upper < top; ++upper) AddPairs(upper, upper + 1, rows_.size());
  }

  // For each row pairs with rows of other labels, all of them as likely.
  void AddDrawnPairs(std::size_t first_row) {
    auto const ranks = label_order_.Of(ranked_.label);
    std::size_t const pairs = round_.param.Pairs();
    auto const label = [&](std::size_t i) { return ranked_.label[ranks[i]]; };
    for (std::size_t begin = 0, end = 0; begin < ranks.size(); begin = end) {
      while (end < ranks.size() && label(end) == label(begin)) ++end;
      std::size_t const others = ranks.size() - (end - begin);
      if (others == 0) return;
      for (std::size_t i = begin; i < end; ++i) {
        std::uint64_t const row = first_row + rows_[ranks[i]];
        for (std::size_t k = 0; k < pairs; ++k) {
          auto drawn = static_cast<std::size_t>(round_.random.Uniform(row * pairs + k) * static_cast<double>(others));
          if (drawn >= begin) drawn += end - begin;
          auto const [upper, lower] = std::minmax(ranks[i], ranks[drawn]);
          AddPairs(upper, lower, lower + 1);
        }
      }
    }
  }

  void AddPairs(std::size_t upper, std::size_t first, std::size_t end) {
    pace_.Step(end - first);
    PairSums const sums = kernels_->add_pairs(task_, upper, first, end);
    gradient_[upper] += static_cast<float>(sums.gradient);
    hessian_[upper] += static_cast<float>(sums.hessian);
    size_ += sums.size;
    if (round_.bias == nullptr) return;
    for (std::size_t lower = first; lower < end; ++lower) {
      bool const in_order = ranked_.gain[upper] > ranked_.gain[lower];
      std::size_t const high = in_order ? upper : lower, low = in_order ? lower : upper;
      if (worth_[lower] == 0 || !round_.bias->Tracks(rows_[high], rows_[low])) continue;
      double const loss = Softplus(double{score_[high]} - double{score_[low]}) * double{worth_[lower]};
      round_.bias->Add(rows_[high], rows_[low], loss, &losses_);
    }
  }

  float Norm() const {
    if (!round_.param.normalization) return 1;
    if (!round_.param.TopK()) return 1.0F / static_cast<float>(round_.param.Pairs());
    double const size = 2 * size_;  // a pair pulls at two rows
    return size > 0 ? static_cast<float>(Log1p(size) / (Log(2.0) * size)) : 1.0F;
  }

  Round round_;
  RankingKernels const* kernels_;
  RankOrder order_, label_order_;
  PacedCheck pace_;
  Span<std::uint32_t const> rows_;  // by rank
  RankedQuery ranked_;
  std::vector<float> score_, gradient_, hessian_, high_factor_, low_factor_, worth_;
  PairTask task_;
  double size_ = 0;              // of the gradients of all pairs
  PositionBias::Losses losses_;  // of the query
  PositionBias::LossSums loss_sums_;
};

std::string LambdaRank::DefaultMetric() const {
  return param_.TopK() ? measure_ + "@" + std::to_string(param_.Pairs()) : measure_;
}

void LambdaRank::Gradient(GradientTask const& task, Gradients* out) const {
  QueryGroups const groups(task.meta, task.margins.rows(), Name());
  Judge const judge = MakeJudge(groups.Largest());
  PositionBias const bias(param_.unbiased ? param_.Positions(groups.Largest()) : 0, task.state);
  QueryRanker const ranker(
      {param_, judge, param_.unbiased ? &bias : nullptr, task.ctx, Random(task.ctx.seed, Purpose::kPairs, task.round)});
  auto const rankers =
      ForQueries(task, groups, ranker, out, [](Query const& query, QueryRanker* work) { work->Add(query); });
  if (!param_.unbiased || task.state == nullptr) return;
  auto losses = bias.NoSums();
  for (auto const& one : rankers) losses += one.LossSums();
  bias.Learn(losses, param_.bias_norm, task.state);
}

}  // namespace xgbl
