// SPDX-License-Identifier: Apache-2.0
// LambdaMART (Burges 2010). A pair of rows of a query with different labels gets the gradient of a logistic loss of
// their score difference, times the change of a ranking measure if the two were swapped. The measures are rank:ndcg,
// rank:map and rank:pairwise (no measure: RankNet). Pairs are either the rows that the model ranks highest with all
// rows below (`topk`), or some drawn at random for each row (`mean`). O(rows log rows + pairs) per query.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "objective/ranking.h"

namespace xgbl {

struct LambdaRankParam {
  static constexpr char const* kGroup = "lambdarank_param";
  static constexpr std::int64_t kNotSet = 4294967295;  // what model files have in that place

  std::string pair_method = "topk";
  std::int64_t num_pair_per_sample = kNotSet;
  bool normalization = true;
  bool score_normalization = true;
  bool unbiased = false;
  double bias_norm = 1;
  bool exp_gain = true;

  template <class F>
  static void Describe(F& field) {
    using P = LambdaRankParam;
    field(
        "lambdarank_pair_method", &P::pair_method,
        "Which pairs of a query's rows are compared: those of the rows ranked highest with all others (topk), or some "
        "drawn at random for each row (mean).")
        .OneOf({"mean", "topk"});
    field("lambdarank_num_pair_per_sample", &P::num_pair_per_sample,
          "With topk, how many ranks count as the highest; with mean, how many pairs are drawn for each row. By "
          "default 32 and 1.")
        .Range(1);
    field(
        "lambdarank_normalization", &P::normalization,
        "Whether a query's gradients are scaled by the logarithm of their size (topk) or by the pairs per row (mean).");
    field("lambdarank_score_normalization", &P::score_normalization,
          "Whether the gradient of a pair is divided by the difference of its scores.")
        .Alias({"lambdarank_diff_normalization"});
    field("lambdarank_unbiased", &P::unbiased,
          "Whether to estimate and remove the bias of clicks towards rows that were shown first; rows must be in the "
          "order in which they were shown.");
    field("lambdarank_bias_norm", &P::bias_norm, "Regularisation of the estimated position bias.")
        .Range(0)
        .Needs("`lambdarank_unbiased`", [](P const& p) { return p.unbiased; });
    field("ndcg_exp_gain", &P::exp_gain, "Whether a row gains 2^label - 1 in NDCG, or its label.");
  }

  bool TopK() const { return pair_method == "topk"; }
  std::size_t Pairs() const {
    if (num_pair_per_sample != kNotSet) return static_cast<std::size_t>(num_pair_per_sample);
    return TopK() ? 32 : 1;
  }
  /// Positions of a query whose bias is learned.
  std::size_t Positions(std::size_t largest) const {
    constexpr std::size_t kMost = 32;
    return TopK() ? std::min(Pairs(), std::max(largest, kMost)) : std::min(largest, kMost);
  }
  /// Ranks that count in the measure.
  std::size_t Ranks() const { return TopK() ? Pairs() : static_cast<std::size_t>(-1); }
};

/// What XGBoost up to 1.7 had in files in the place of these.
struct OldRankParam {
  static constexpr char const* kGroup = "lambda_rank_param";
  bool fix_list_weight = false;
  int num_pairsample = 1;

  template <class F>
  static void Describe(F& field) {
    field("fix_list_weight", &OldRankParam::fix_list_weight, "");
    field("num_pairsample", &OldRankParam::num_pairsample, "");
  }
};

/// A query's rows by rank, best score first, and what its pairs are worth: see PairTask.
struct RankedQuery {
  std::vector<float> label;
  std::vector<float> gain, above, above_rest, below, below_rest;  // longer, as kernels want it
  float gain_base = 0;
  float gain_slope = 1;
  double scale = 1;

  std::size_t Size() const { return label.size(); }
  void SetPlace(std::size_t rank, double upper, double lower) {
    above[rank] = static_cast<float>(upper);
    above_rest[rank] = static_cast<float>(upper - double{above[rank]});
    below[rank] = static_cast<float>(lower);
    below_rest[rank] = static_cast<float>(lower - double{below[rank]});
  }
};

class LambdaRank : public RankingObjective {
 public:
  LambdaRank(std::string name, std::string measure) : RankingObjective(std::move(name)), measure_(std::move(measure)) {}

  void Configure(ParamMap const& params) override { param_ = ParamsFrom<LambdaRankParam>(params); }
  ParamMap Params() const override { return TextOf(param_); }
  std::string DefaultMetric() const override;
  void Gradient(GradientTask const& task, Gradients* out) const override;

 protected:
  /// What swapping two rows of a query changes: sets gains, places and their factors from labels, by rank.
  using Judge = std::function<void(RankedQuery*)>;
  /// The judge of a round, for queries of up to `largest` rows.
  virtual Judge MakeJudge(std::size_t largest) const = 0;
  LambdaRankParam const& Param() const { return param_; }

 private:
  class QueryRanker;

  std::string measure_;
  LambdaRankParam param_;
};

}  // namespace xgbl
