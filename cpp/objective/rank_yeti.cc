// SPDX-License-Identifier: Apache-2.0
// YetiRank (Gulin, Kuralenok and Pavlov 2011): a round draws some orders of a query's rows by adding logistic noise to
// their margins. Neighbours in an order with different labels get the gradient of a logistic loss, times the difference
// of their labels and a factor that falls from rank to rank. O(permutations * rows log rows) a query.
#include <cmath>
#include <memory>
#include <vector>

#include "base/math.h"
#include "base/random.h"
#include "labels/query_groups.h"
#include "objective/lambdarank.h"
#include "parallel/parallel_for.h"
#include "simd/loss_kernels.h"

namespace xgbl {
namespace {

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
