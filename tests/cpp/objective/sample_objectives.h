// SPDX-License-Identifier: Apache-2.0
// What the laws of objective_laws_test.cc need to know of each objective: labels that suit it, and its loss written
// down once more, in double and with the C library. An objective that is not listed is tested as a plain regression
// whose loss is not known.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "labels/label_bounds.h"
#include "sample_meta.h"

namespace xgbl {

struct ObjectiveSample {
  using Loss = std::function<double(Span<double const> margins, float label)>;

  Loss loss;                          // of one row with one label; empty: not tested
  double hessian_factor = 1;          // the hessian over the slope of the gradient; 0: it has nothing to do with it
  bool zero_sum_at_intercept = true;  // whether gradients sum to 0 where the model starts
  std::size_t outputs = 1;
  ParamMap params;
  std::vector<float> labels{0, 1};       // taken in turn
  std::array<double, 2> margins{-4, 4};  // between which the loss is tested
  bool many_targets = true;
  bool weights_are_counts = true;     // whether a row of weight 2 has the intercept of that row twice
  bool overflows = false;             // whether predictions of extreme margins are infinite
  bool positive_hessian = true;       // at extreme margins; else 0 is allowed
  bool ties_go_by_row = false;        // what one of like rows counts for depends on the others before it
  bool weights_are_relative = false;  // one factor on all changes nothing
  std::function<void(Meta*)> complete = [](Meta*) {};  // adds what it needs beside labels and weights
};

/// Labels 0 to 3 become an event, and times that are known from the right, from both sides and from the left.
inline LabelBounds::Interval BoundsOf(float label) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr LabelBounds::Interval kBounds[] = {{1.5F, 1.5F}, {2.0F, kInfinity}, {0.5F, 3.0F}, {0.0F, 1.0F}};
  return label >= 0 && label <= 3 ? kBounds[static_cast<std::size_t>(label)] : LabelBounds::Interval{label, label};
}

/// Minus the log of the normal density of the logarithm of the time, or of the normal chance of the bounds.
inline double AftLoss(double margin, LabelBounds::Interval bounds) {
  auto const below = [&](float time) { return std::erfc((margin - std::log(double{time})) / std::sqrt(2.0)) / 2; };
  double const z = std::log(double{bounds.lower}) - margin;
  if (bounds.IsEvent()) return z * z / 2;
  return -std::log(below(bounds.upper) - (bounds.HasLower() ? below(bounds.lower) : 0.0));
}

// Elementwise losses whose leaves are Newton steps.
inline void AddLosses(std::map<std::string, ObjectiveSample>* samples) {
  using Margins = Span<double const>;
  auto const log_odds_loss = [](Margins x, float y) { return std::log1p(std::exp(x[0])) - double{y} * x[0]; };
  for (char const* name : {"binary:crossentropy", "binary:multilabel"}) (*samples)[name].loss = log_odds_loss;
  (*samples)["binary:crossentropy"].labels = {0, 0.25F, 1};

  ObjectiveSample& log_error = (*samples)["reg:squaredlogerror"];
  log_error.loss = [](Margins x, float y) {
    double const ratio = std::log1p(std::max(x[0], -1 + 1e-6)) - std::log1p(double{y});
    return ratio * ratio / 2;
  };
  log_error.hessian_factor = 0;  // bounded where the loss is concave
  log_error.zero_sum_at_intercept = false;
  log_error.margins = {-0.5, 3};

  ObjectiveSample& pseudo_huber = (*samples)["reg:pseudohubererror"];
  pseudo_huber.params = {{"huber_slope", "1.5"}};
  pseudo_huber.loss = [](Margins x, float y) {
    double const u = (x[0] - double{y}) / 1.5;
    return 2.25 * (std::sqrt(1 + u * u) - 1);
  };
  pseudo_huber.zero_sum_at_intercept = false;

  ObjectiveSample& hinge = (*samples)["binary:hinge"];
  hinge.loss = [](Margins x, float y) { return std::max(0.0, 1 - x[0] * (2 * double{y} - 1)); };
  hinge.hessian_factor = 0;
  hinge.zero_sum_at_intercept = false;

  ObjectiveSample& poisson = (*samples)["count:poisson"];
  poisson.loss = [](Margins x, float y) { return std::exp(x[0]) - double{y} * x[0]; };
  poisson.hessian_factor = std::exp(0.5);
  poisson.params = {{"max_delta_step", "0.5"}};
  poisson.labels = {0, 1, 2, 5};

  ObjectiveSample& gamma = (*samples)["reg:gamma"];
  gamma.loss = [](Margins x, float y) { return x[0] + double{y} * std::exp(-x[0]); };
  gamma.labels = {0.5F, 1, 3};

  ObjectiveSample& tweedie = (*samples)["reg:tweedie"];
  tweedie.loss = [](Margins x, float y) {
    return std::exp(0.7 * x[0]) / 0.7 + double{y} * std::exp(-0.3 * x[0]) / 0.3;
  };
  tweedie.params = {{"tweedie_variance_power", "1.3"}};
  tweedie.labels = {0, 1, 3};

  ObjectiveSample& log_cosh = (*samples)["reg:logcosh"];
  log_cosh.loss = [](Margins x, float y) { return std::log(std::cosh(x[0] - double{y})); };
  log_cosh.hessian_factor = 0;  // that of a parabola above the loss

  ObjectiveSample& fair = (*samples)["reg:fair"];
  fair.params = {{"fair_c", "2"}};
  fair.loss = [](Margins x, float y) {
    double const u = std::fabs(x[0] - double{y}) / 2;
    return 4 * (u - std::log1p(u));
  };

  ObjectiveSample& mape = (*samples)["reg:mape"];
  mape.loss = [](Margins x, float y) { return std::fabs(x[0] - double{y}) / std::max(1.0, std::fabs(double{y})); };
  mape.hessian_factor = 0;  // the weights
  mape.zero_sum_at_intercept = false;
  mape.labels = {1, 2, -5};

  ObjectiveSample& focal = (*samples)["binary:focal"];
  focal.params = {{"focal_gamma", "1.5"}, {"focal_alpha", "0.4"}};
  focal.loss = [](Margins x, float y) {
    double const p = 1 / (1 + std::exp(y > 0 ? -x[0] : x[0]));
    return -(y > 0 ? 0.4 : 0.6) * std::pow(1 - p, 1.5) * std::log(p);
  };
  focal.hessian_factor = 0;  // turned round where the loss is concave

  (*samples)["binary:exponential"].loss = [](Margins x, float y) { return std::exp(y > 0 ? -x[0] : x[0]); };

  ObjectiveSample& gaussian = (*samples)["reg:gaussian"];
  gaussian.hessian_factor = 0;  // the gradient is the natural one
  gaussian.outputs = 2;
  gaussian.many_targets = false;
  gaussian.labels = {0, 1, 4};

  ObjectiveSample& one_vs_all = (*samples)["multi:ova"];
  one_vs_all.loss = [](Margins x, float y) {
    double sum = -x[static_cast<std::size_t>(y)];
    for (double const margin : x) sum += std::log1p(std::exp(margin));
    return sum;
  };
  one_vs_all.outputs = 3;
  one_vs_all.params = {{"num_class", "3"}};
  one_vs_all.labels = {0, 1, 2};
  one_vs_all.many_targets = false;
}

inline std::map<std::string, ObjectiveSample> MakeObjectiveSamples() {
  using Margins = Span<double const>;
  std::map<std::string, ObjectiveSample> samples;
  samples["reg:squarederror"].loss = [](Margins x, float y) { return (x[0] - double{y}) * (x[0] - double{y}) / 2; };
  for (char const* name : {"reg:logistic", "binary:logistic", "binary:logitraw"}) {
    samples[name].loss = [](Margins x, float y) { return std::log1p(std::exp(x[0])) - double{y} * x[0]; };
  }
  samples["binary:logitraw"].zero_sum_at_intercept = false;  // starts at the mean label
  ObjectiveSample& absolute = samples["reg:absoluteerror"];
  absolute.loss = [](Margins x, float y) { return std::fabs(x[0] - double{y}); };
  absolute.hessian_factor = 0;  // 1 where the loss has none
  absolute.zero_sum_at_intercept = false;
  absolute.params = {{"leaf_estimation_method", "exact"}};  // others have derivatives of a smoothed loss
  ObjectiveSample& quantile = samples["reg:quantileerror"];
  quantile = absolute;
  quantile.loss = [](Margins x, float y) { return (x[0] < double{y} ? -0.25 : 0.75) * (x[0] - double{y}); };
  quantile.params = {{"leaf_estimation_method", "exact"}, {"quantile_alpha", "0.25"}};
  ObjectiveSample& expectile = samples["reg:expectileerror"];
  expectile.loss = [](Margins x, float y) {
    double const low = x[0] - double{y}, high = low + 1e-6 + std::log1p(std::exp(x[1]));
    return (low < 0 ? 0.2 : 0.8) * low * low / 2 + (high < 0 ? 0.75 : 0.25) * high * high / 2;
  };
  expectile.hessian_factor = 0;  // that of Gauss and Newton
  expectile.zero_sum_at_intercept = false;
  expectile.outputs = 2;
  expectile.params = {{"expectile_alpha", "[0.2,0.75]"}};
  expectile.many_targets = false;
  ObjectiveSample& huber = samples["reg:huber"];
  huber.loss = [](Margins x, float y) {
    double const size = std::fabs(x[0] - double{y});
    return size < 1 ? size * size / 2 : size - 0.5;
  };
  huber.hessian_factor = 0;  // 1, also where the loss is linear
  huber.zero_sum_at_intercept = false;
  AddLosses(&samples);
  for (char const* name : {"multi:softmax", "multi:softprob"}) {
    ObjectiveSample& sample = samples[name];
    sample.loss = [](Margins x, float y) {
      double sum = 0;
      for (double const margin : x) sum += std::exp(margin);
      return std::log(sum) - x[static_cast<std::size_t>(y)];
    };
    sample.hessian_factor = 2;  // an upper bound on the whole matrix, see multiclass.cc
    sample.outputs = 3;
    sample.params = {{"num_class", "3"}};
    sample.labels = {0, 1, 2};
    sample.many_targets = false;
  }
  ObjectiveSample& cox = samples["survival:cox"];  // no sum over rows, and a diagonal for the hessian
  cox.ties_go_by_row = true;
  cox.hessian_factor = 0;
  cox.zero_sum_at_intercept = cox.many_targets = cox.weights_are_counts = false;
  cox.overflows = true;
  cox.labels = {3, -2, 7, 5, -6, 1, 4.5F};
  ObjectiveSample& aft = samples["survival:aft"];
  aft.loss = [](Margins x, float y) { return AftLoss(x[0], BoundsOf(y)); };
  aft.zero_sum_at_intercept = aft.many_targets = false;
  aft.overflows = true;
  aft.labels = {0, 1, 2, 3};
  aft.complete = [](Meta* meta) {
    for (float const label : meta->labels.values) {
      meta->label_lower.push_back(BoundsOf(label).lower);
      meta->label_upper.push_back(BoundsOf(label).upper);
    }
  };
  for (char const* name : {"rank:ndcg", "rank:map", "rank:pairwise", "rank:xendcg", "rank:yeti"}) {
    ObjectiveSample& sample = samples[name];
    sample.hessian_factor = 0;
    sample.labels = {0, 1, 1, 0, 1};
    sample.many_targets = false;
    sample.positive_hessian = false;
    sample.weights_are_relative = true;
    sample.complete = AddQueries;
  }
  return samples;
}

/// By name. A test file with a plug-in of its own adds the sample of that.
inline std::map<std::string, ObjectiveSample>& ObjectiveSamples() {
  static std::map<std::string, ObjectiveSample> samples = MakeObjectiveSamples();
  return samples;
}

inline ObjectiveSample const& ObjectiveSampleOf(std::string const& name) {
  static ObjectiveSample const plain;
  auto const found = ObjectiveSamples().find(name);
  return found == ObjectiveSamples().end() ? plain : found->second;
}

}  // namespace xgbl
