// SPDX-License-Identifier: Apache-2.0
// What the laws of objective_laws_test.cc need to know of each objective: labels that suit it, and its loss written
// down once more, in double and with the C library. An objective that is not listed is tested as a plain regression
// whose loss is not known.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

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
  bool positive_hessian = true;                        // at extreme margins; else 0 is allowed
  bool weights_are_relative = false;                   // one factor on all changes nothing
  std::function<void(Meta*)> complete = [](Meta*) {};  // adds what it needs beside labels and weights
};

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

inline ObjectiveSample const& SampleOf(std::string const& name) {
  static std::map<std::string, ObjectiveSample> const samples = MakeObjectiveSamples();
  static ObjectiveSample const plain;
  auto const found = samples.find(name);
  return found == samples.end() ? plain : found->second;
}

}  // namespace xgbl
