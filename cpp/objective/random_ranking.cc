// SPDX-License-Identifier: Apache-2.0
// Ranking by gains or orders that are drawn anew in each round.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/math.h"
#include "base/random.h"
#include "labels/rank_order.h"
#include "objective/cumulative_gain.h"
#include "objective/ranking.h"
#include "objective/shared_params.h"
#include "parallel/parallel_for.h"
#include "simd/loss_kernels.h"

namespace xgbl {
namespace {

// Cross-entropy surrogate of NDCG (Bruch 2021, An Alternative Cross Entropy Loss for Learning-to-Rank): a query's rows
// have the chances softmax(margins), and ought to have chances in proportion to 2^label - u, u drawn anew from [0, 1)
// for each row and round. The gradient has the paper's corrections of second and third order. O(rows).
constexpr double kLeastDivisor = 1e-15;  // of what is divided by

class ListEntropy {
 public:
  ListEntropy(LossKernels const& kernels, Random random) : kernels_(&kernels), random_(random) {}

  void Add(Query const& query) {
    std::size_t const n = query.Rows();
    if (n < 2) return;
    SetChances(query.margins);
    gradient_.resize(n);
    share_.resize(n);
    double wanted = 0;
    for (std::size_t i = 0; i < n; ++i) {
      auto const grades = static_cast<double>(1U << static_cast<unsigned>(query.labels[i]));
      wanted += share_[i] = grades - random_.Uniform(query.first_row + i);
    }
    for (std::size_t i = 0; i < n; ++i) gradient_[i] = chance_[i] - share_[i] / std::max(wanted, kLeastDivisor);
    share_ = gradient_;
    Correct();
    Correct();
    for (std::size_t i = 0; i < n; ++i) {
      query.gradient[i] = static_cast<float>(gradient_[i]);
      query.hessian[i] = static_cast<float>(chance_[i] * (1 - chance_[i]));
    }
  }

 private:
  void SetChances(Span<float const> margins) {
    float const largest = *std::max_element(margins.begin(), margins.end());
    odds_.resize(margins.size());
    std::transform(margins.begin(), margins.end(), odds_.begin(), [=](float margin) { return margin - largest; });
    kernels_->exp(odds_.data(), odds_.data(), odds_.size());
    double const sum = std::accumulate(odds_.begin(), odds_.end(), 0.0);
    chance_.resize(margins.size());
    std::transform(odds_.begin(), odds_.end(), chance_.begin(), [=](float odds) { return double{odds} / sum; });
  }

  // Adds to the gradient the next order, which follows from the last one, `share_`.
  void Correct() {
    double sum = 0;
    for (std::size_t i = 0; i < share_.size(); ++i) sum += share_[i] /= std::max(1 - chance_[i], kLeastDivisor);
    for (std::size_t i = 0; i < share_.size(); ++i) gradient_[i] += share_[i] = chance_[i] * (sum - share_[i]);
  }

  LossKernels const* kernels_;
  Random random_;
  std::vector<float> odds_;
  std::vector<double> chance_, share_, gradient_;
};

class RankXendcg : public RankingObjective {
 public:
  RankXendcg() : RankingObjective("rank:xendcg") {}

  std::string DefaultMetric() const override { return "ndcg"; }

  void Gradient(GradientTask const& task, Gradients* out) const override {
    QueryGroups const groups(task.meta, task.margins.rows(), Name());
    ListEntropy const work(LossKernels::Of(task.ctx.simd), Random(task.ctx.seed, Purpose::kGains, task.round));
    ForQueries(task, groups, work, out, [](Query const& query, ListEntropy* entropy) { entropy->Add(query); });
  }

 protected:
  void CheckGrades(Span<float const> labels) const override { CumulativeGain::CheckLabels(labels, true, Name()); }
};

auto const kRankXendcg =
    Register<Objective, RankXendcg>("rank:xendcg", "Cross-entropy surrogate of NDCG with random gains: graded labels.")
        .Alias({"rank_xendcg"})
        .Elsewhere({"xendcg", "xe_ndcg", "xe_ndcg_mart", "xendcg_mart"})
        .Own("rank:ndcg")
        .OnlyInFiles<LambdaRankParam>()
        .OnlyInFiles<OldRankParam>();

// YetiRank (Gulin, Kuralenok and Pavlov 2011): a round draws some orders of a query's rows by adding logistic noise to
// their margins. Neighbours in an order with different labels get the gradient of a logistic loss, times the difference
// of their labels and a factor that falls from rank to rank. O(permutations * rows log rows) a query.
struct YetiParam {
  int permutations = 10;
  double decay = 0.85;

  template <class F>
  static void Describe(F& field) {
    field("yeti_permutations", &YetiParam::permutations,
          "Number of random orders that `rank:yeti` draws for each query and round.")
        .Range(1);
    field("yeti_decay", &YetiParam::decay, "With `rank:yeti`, how much less a pair counts than the one a rank above.")
        .Range(0, 1);
  }
};

class Permutations {
 public:
  Permutations(YetiParam const& param, Context const& ctx, Random random)
      : param_(param), kernels_(&LossKernels::Of(ctx.simd)), random_(random), order_(ctx), pace_(ctx) {}

  void Add(Query const& query) {
    if (query.Rows() < 2) return;
    for (auto* values : {&noisy_, &difference_, &right_, &weight_}) values->resize(query.Rows());
    for (int i = 0; i < param_.permutations; ++i) {
      pace_.Step(query.Rows());
      AddNoise(query, static_cast<std::uint64_t>(i));
      AddNeighbours(query, order_.Of(noisy_));
    }
  }

 private:
  void AddNoise(Query const& query, std::uint64_t permutation) {
    auto const permutations = static_cast<std::uint64_t>(param_.permutations);
    for (std::size_t i = 0; i < query.Rows(); ++i) {
      std::uint64_t const bits = random_.Bits((query.first_row + i) * permutations + permutation);
      float const uniform = (static_cast<float>(bits >> 42U) + 0.5F) * 0x1p-22F;  // within (0, 1)
      noisy_[i] = uniform / (1 - uniform);
    }
    for (std::size_t i = 0; i < query.Rows(); ++i) noisy_[i] = query.margins[i] + Log(noisy_[i]);
  }

  void AddNeighbours(Query const& query, Span<std::uint32_t const> order) {
    std::size_t const pairs = order.size() - 1;
    double decay = 1.0 / param_.permutations;
    for (std::size_t rank = 0; rank < pairs; ++rank, decay *= param_.decay) {
      std::uint32_t const upper = order[rank], lower = order[rank + 1];
      float const more = query.labels[upper] - query.labels[lower];
      float const distance = query.margins[upper] - query.margins[lower];
      difference_[rank] = more > 0 ? distance : -distance;
      weight_[rank] = more * static_cast<float>(decay);
    }
    kernels_->sigmoid(difference_.data(), right_.data(), pairs);
    for (std::size_t rank = 0; rank < pairs; ++rank) {
      std::uint32_t const upper = order[rank], lower = order[rank + 1];
      float const pull = (1 - right_[rank]) * weight_[rank];
      float const hessian = right_[rank] * (1 - right_[rank]) * std::fabs(weight_[rank]);
      query.gradient[upper] -= pull;
      query.gradient[lower] += pull;
      query.hessian[upper] += hessian;
      query.hessian[lower] += hessian;
    }
  }

  YetiParam param_;
  LossKernels const* kernels_;
  Random random_;
  RankOrder order_;
  PacedCheck pace_;
  std::vector<float> noisy_, difference_, right_, weight_;
};

class RankYeti : public RankingObjective {
 public:
  RankYeti() : RankingObjective("rank:yeti") {}

  void Configure(ParamMap const& params) override { param_ = ParamsFrom<YetiParam>(params); }
  ParamMap Params() const override { return TextOf(param_); }
  std::string DefaultMetric() const override { return "ndcg"; }

  void Gradient(GradientTask const& task, Gradients* out) const override {
    QueryGroups const groups(task.meta, task.margins.rows(), Name());
    Permutations const work(param_, task.ctx, Random(task.ctx.seed, Purpose::kScores, task.round));
    ForQueries(task, groups, work, out, [](Query const& query, Permutations* some) { some->Add(query); });
  }

 protected:
  void CheckGrades(Span<float const> /*labels*/) const override {}

 private:
  YetiParam param_;
};

auto const kRankYeti =
    Register<Objective, RankYeti>("rank:yeti", "YetiRank: logistic loss of neighbours in orders drawn with noise.")
        .Params<YetiParam>()
        .Elsewhere({"yetirank", "yetirankpairwise"})
        .Own("rank:ndcg")
        .OnlyInFiles<LambdaRankParam>()
        .OnlyInFiles<OldRankParam>();

}  // namespace
}  // namespace xgbl
