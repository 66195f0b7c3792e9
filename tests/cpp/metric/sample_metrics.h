// SPDX-License-Identifier: Apache-2.0
// What the laws of metric_laws_test.cc need to know of each metric: predictions and labels that suit it. A metric that
// is not listed gets one prediction from 0 to 1 and a label of 0 or 1 a row.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "sample_meta.h"

namespace xgbl {

struct MetricSample {
  std::size_t outputs = 1;
  double labels = 2;               // whole numbers below it
  bool one_label_suffices = true;  // whether constant labels give a number
  bool rows_are_apart = true;      // the order of rows and how many there are of each do not matter
  ParamMap params;
  std::function<void(Meta*)> complete = [](Meta*) {};  // adds what it needs beside labels and weights
};

inline std::map<std::string, MetricSample> MakeMetricSamples() {
  std::map<std::string, MetricSample> samples;
  for (char const* name : {"merror", "mlogloss"}) {
    samples[name].outputs = 3;
    samples[name].labels = 3;
  }
  samples["auc"].one_label_suffices = false;
  for (char const* name : {"ndcg", "map", "pre", "recall", "mrr"}) {
    samples[name].rows_are_apart = false;
    samples[name].complete = AddQueries;
  }
  samples["ndcg"].labels = 30;  // so that no query is without a relevant row: those are not weighed
  return samples;
}

inline MetricSample const& SampleOf(std::string const& name) {
  static std::map<std::string, MetricSample> const samples = MakeMetricSamples();
  static MetricSample const plain;
  auto const found = samples.find(name);
  return found == samples.end() ? plain : found->second;
}

}  // namespace xgbl
