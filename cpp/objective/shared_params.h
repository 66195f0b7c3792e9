// SPDX-License-Identifier: Apache-2.0
// Parameters of objectives that their metrics read, too, and the groups in which XGBoost's files keep them.
#pragma once

#include <string>

#include "base/params.h"
#include "objective/leaf_method.h"

namespace xgbl {

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

}  // namespace xgbl
