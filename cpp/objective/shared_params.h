// SPDX-License-Identifier: Apache-2.0
// Parameters of objectives that their metrics read, too, and the groups in which XGBoost's files keep them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/params.h"

namespace xgbl {

// How to choose splits and leaf values where derivatives say little about the size of a residual. Absolute and quantile
// error are such losses: they have only slopes, with a hessian of 1. A smoothed loss, whose derivatives tell nearly
// right rows from others, chooses better splits. The loss itself gives better leaves. By default each is used for what
// it does best.
constexpr char kAutoLeaves[] = "auto";
constexpr char kExactLeaves[] = "exact";
constexpr char kSmoothLeaves[] = "smooth";

/// Declares the member of `P` that has the method.
template <class P, class F>
void DescribeLeafMethod(F& field, std::string P::* member) {
  field("leaf_estimation_method", member,
        "Of absolute and quantile error. auto: splits are chosen by a smoothed loss, and leaves get the median or "
        "quantile of what is left of their rows' labels (min_child_weight and covers count hessians of the smoothed "
        "loss); smooth: they get a Newton step of the smoothed loss, as in "
        "XGBoost since 3.4; exact: splits are chosen by the slopes of the loss, and leaves are as with auto, as in "
        "XGBoost up to 3.3; newton: the slopes, and a Newton step, as XGBoost up to 3.3 did with tree_method "
        "exact.")
      .OneOf({kAutoLeaves, kExactLeaves, "newton", kSmoothLeaves})
      .Own();
}

inline bool SmoothsLoss(std::string const& method) { return method == kAutoLeaves || method == kSmoothLeaves; }
inline bool FitsLeavesBy(std::string const& method) { return method == kAutoLeaves || method == kExactLeaves; }

struct HuberSlopeParam {
  static constexpr char const* kGroup = "pseudo_huber_param";
  double huber_slope = 1;

  template <class F>
  static void Describe(F& field) {
    field("huber_slope", &HuberSlopeParam::huber_slope,
          "Slope of the pseudo-Huber loss far from the label; errors well below it count as squares.")
        .Above(0);
  }
};

struct TweedieParam {
  static constexpr char const* kGroup = "tweedie_regression_param";
  double tweedie_variance_power = 1.5;

  template <class F>
  static void Describe(F& field) {
    field("tweedie_variance_power", &TweedieParam::tweedie_variance_power,
          "The variance is the mean to this power: near 1 like Poisson, near 2 like gamma.")
        .Range(1, 2);
  }
};

struct QuantileParam {
  static constexpr char const* kGroup = "quantile_loss_param";
  Doubles quantile_alpha;
  bool sort_quantiles = true;
  std::string leaf_estimation_method = kAutoLeaves;

  template <class F>
  static void Describe(F& field) {
    using P = QuantileParam;
    field("quantile_alpha", &P::quantile_alpha,
          "Levels of `reg:quantileerror`, each from 0 to 1: one output for each.");
    field("sort_quantiles", &P::sort_quantiles,
          "Whether to sort predictions of several quantiles, so that none lies below one of a lower level.")
        .Needs("several levels in `quantile_alpha`", [](P const& p) { return p.quantile_alpha.size() > 1; })
        .Own();
    DescribeLeafMethod(field, &P::leaf_estimation_method);
  }
};

struct ExpectileParam {
  static constexpr char const* kGroup = "expectile_loss_param";
  Doubles expectile_alpha;

  template <class F>
  static void Describe(F& field) {
    field("expectile_alpha", &ExpectileParam::expectile_alpha,
          "Levels of `reg:expectileerror`, rising, each from 0 to 1: one output for each.");
  }
};

/// Of LambdaMART.
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

}  // namespace xgbl
