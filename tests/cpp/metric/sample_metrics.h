// SPDX-License-Identifier: Apache-2.0
// What the laws of metric_laws_test.cc need to know of each metric: predictions and labels that suit it. A metric that
// is not listed gets one prediction from 0 to 1 and a label of 0 or 1 a row.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <string>

#include "sample_meta.h"

namespace xgbl {

struct MetricSample {
  std::size_t outputs = 1;
  double labels = 2;               // whole numbers below it
  double least_label = 0;          // from here on
  bool one_label_suffices = true;  // whether constant labels give a number
  bool weights_count = true;
  bool labels_are_best = true;  // as predictions
  bool weights_are_relative = true;
  bool rows_are_apart = true;  // the order of rows and how many there are of each do not matter
  ParamMap params;
  std::function<void(Meta*)> complete = [](Meta*) {};  // adds what it needs beside labels and weights
};

inline std::map<std::string, MetricSample> MakeMetricSamples() {
  std::map<std::string, MetricSample> samples;
  for (char const* name : {"merror", "mlogloss", "auc_mu"}) {
    samples[name].outputs = 3;
    samples[name].labels = 3;
  }
  samples["auc"].one_label_suffices = false;
  samples["cox-nloglik"].weights_count = false;
  for (char const* name : {"cindex", "cox-nloglik"}) {
    MetricSample& sample = samples[name];
    sample.labels = 40;
    sample.one_label_suffices = false;  // which may be one without an event
    sample.complete = [](Meta* meta) {
      for (float& label : meta->labels.values) label = static_cast<int>(label) % 3 == 0 ? -label : label;
    };
  }
  for (char const* name : {"aft-nloglik", "interval-regression-accuracy"}) {
    MetricSample& sample = samples[name];
    sample.labels = 4;
    sample.complete = [](Meta* meta) {
      for (float const label : meta->labels.values) {
        meta->label_lower.push_back(label);
        meta->label_upper.push_back(label < 2 ? std::numeric_limits<float>::infinity() : label);
      }
    };
  }
  samples["interval-coverage"].outputs = samples["interval-width"].outputs = 2;
  samples["quantile"].params = {{"quantile_alpha", "0.25"}};
  samples["expectile"].params = {{"expectile_alpha", "0.25"}};
  for (char const* name : {"auc", "aucpr", "average_precision", "auc_mu", "r2"})
    samples[name].one_label_suffices = false;
  for (char const* name : {"mape", "gamma-deviance"}) {
    samples[name].least_label = 1;
    samples[name].labels = 4;
  }
  samples["gaussian-nloglik"].outputs = 2;
  for (char const* name : {"gaussian-nloglik", "aft-nloglik", "interval-regression-accuracy", "interval-coverage",
                           "interval-width", "pre", "recall"})
    samples[name].labels_are_best = false;  // other predictions are as good, or predictions mean something else
  samples["ams"].weights_are_relative = false;
  for (char const* name : {"ndcg", "map", "pre", "recall", "mrr"}) {
    samples[name].rows_are_apart = false;
    samples[name].complete = AddQueries;
  }
  samples["ndcg"].labels = 30;  // so that no query is without a relevant row: those are not weighed
  return samples;
}

/// By name. A test file with a plug-in of its own adds the sample of that.
inline std::map<std::string, MetricSample>& MetricSamples() {
  static std::map<std::string, MetricSample> samples = MakeMetricSamples();
  return samples;
}

inline MetricSample const& MetricSampleOf(std::string const& name) {
  static MetricSample const plain;
  auto const found = MetricSamples().find(name);
  return found == MetricSamples().end() ? plain : found->second;
}

}  // namespace xgbl
