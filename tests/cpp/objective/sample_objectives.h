// SPDX-License-Identifier: Apache-2.0
// What the laws of objective_laws_test.cc need to know of each objective: labels that suit it, and its loss written
// down once more, in double and with the C library. An objective that is not listed is tested as a plain regression
// whose loss is not known.
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "data/label_bounds.h"
#include "sample_meta.h"

namespace xgbl {

struct ObjectiveSample {
  using Loss = std::function<double(Span<double const> margins, float label)>;

  Loss loss;                          // of one row with one label; empty: not tested
  double hessian_factor = 1;          // the hessian over the slope of the gradient; 0: it has nothing to do with it
  bool zero_sum_at_intercept = true;  // whether gradients sum to 0 where the model starts
  std::size_t outputs = 1;
  ParamMap params;
  std::vector<float> labels{0, 1};  // taken in turn
  bool many_targets = true;
  bool weights_are_counts = true;                      // whether a row of weight 2 has the intercept of that row twice
  bool overflows = false;                              // whether predictions of extreme margins are infinite
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

inline std::map<std::string, ObjectiveSample> MakeObjectiveSamples() {
  using Margins = Span<double const>;
  std::map<std::string, ObjectiveSample> samples;
  samples["reg:squarederror"].loss = [](Margins x, float y) { return (x[0] - double{y}) * (x[0] - double{y}) / 2; };
  for (char const* name : {"reg:logistic", "binary:logistic", "binary:logitraw"}) {
    samples[name].loss = [](Margins x, float y) { return std::log1p(std::exp(x[0])) - double{y} * x[0]; };
  }
  samples["binary:logitraw"].zero_sum_at_intercept = false;  // starts at the mean label
  for (char const* name : {"multi:softmax", "multi:softprob"}) {
    ObjectiveSample& sample = samples[name];
    sample.loss = [](Margins x, float y) {
      double sum = 0;
      for (double const margin : x) sum += std::exp(margin);
      return std::log(sum) - x[static_cast<std::size_t>(y)];
    };
    sample.hessian_factor = 2;  // an upper bound on the whole matrix, see softmax.cc
    sample.outputs = 3;
    sample.params = {{"num_class", "3"}};
    sample.labels = {0, 1, 2};
    sample.many_targets = false;
  }
  ObjectiveSample& cox = samples["survival:cox"];  // no sum over rows, and a diagonal for the hessian
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
  return samples;
}

inline ObjectiveSample const& SampleOf(std::string const& name) {
  static std::map<std::string, ObjectiveSample> const samples = MakeObjectiveSamples();
  static ObjectiveSample const plain;
  auto const found = samples.find(name);
  return found == samples.end() ? plain : found->second;
}

}  // namespace xgbl
