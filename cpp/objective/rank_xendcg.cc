// SPDX-License-Identifier: Apache-2.0
// Cross-entropy surrogate of NDCG (Bruch 2021, An Alternative Cross Entropy Loss for Learning-to-Rank): a query's rows
// have the chances softmax(margins), and ought to have chances in proportion to 2^label - u, u drawn anew from [0, 1)
// for each row and round. The gradient has the paper's corrections of second and third order. O(rows).
#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "base/random.h"
#include "objective/cumulative_gain.h"
#include "objective/lambdarank.h"
#include "simd/loss_kernels.h"

namespace xgbl {
namespace {

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

  void Configure(ParamMap const& /*params*/) override {}
  ParamMap Params() const override { return {}; }
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

}  // namespace
}  // namespace xgbl
