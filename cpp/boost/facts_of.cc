// SPDX-License-Identifier: Apache-2.0
#include "boost/facts_of.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace xgbl {
namespace {

// The codes of some features, each met any number of times.
class CodeMarks {
 public:
  explicit CodeMarks(std::size_t features) : marks_(features) {}

  void Add(std::size_t feature, float value) {
    if (!(value >= 0 && value <= static_cast<float>(kMostCode)) || value != std::floor(value)) return;
    auto const code = static_cast<std::size_t>(value);
    auto& marks = marks_[feature];
    if (code >= marks.size()) marks.resize(code + 1);
    marks[code] = true;
  }

  CodeSet Take(std::size_t feature) const {
    std::vector<std::int32_t> codes;
    for (std::size_t code = 0; code < marks_[feature].size(); ++code) {
      if (marks_[feature][code]) codes.push_back(static_cast<std::int32_t>(code));
    }
    return CodeSetOf(codes);
  }

 private:
  std::vector<std::vector<bool>> marks_;
};

// The features whose codes nothing else tells.
std::vector<std::uint8_t> WithoutLabels(DMatrix const& train) {
  Meta const& info = train.Info();
  if (info.feature_types.empty()) return {};
  std::vector<std::uint8_t> wanted = info.CategoricalFlags(train.Columns());
  for (std::size_t i = 0; i < info.categories.size(); ++i) {
    if (!info.categories[i].empty()) wanted[i] = 0;
  }
  return wanted;
}

void Mark(FeatureMatrix const& features, std::vector<std::uint8_t> const& wanted, CodeMarks* marks) {
  bool const sparse = features.Sparse() != nullptr;
  for (std::size_t row = 0; row < features.Rows(); ++row) {
    if (sparse) {
      features.ForEachPresent(row, [&](std::size_t i, float value) {
        if (wanted[i] != 0) marks->Add(i, value);
      });
      continue;
    }
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i] != 0) marks->Add(i, features.Value(row, i));
    }
  }
}

}  // namespace

TrainingFacts FactsOf(DMatrix const& train) {
  TrainingFacts facts;
  facts.base_margin = !train.Info().base_margin.empty();
  auto const wanted = WithoutLabels(train);
  if (std::find(wanted.begin(), wanted.end(), 1) == wanted.end()) return facts;
  CodeMarks marks(wanted.size());
  Mark(train.PassingFeatures(), wanted, &marks);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] != 0) facts.codes.emplace(i, marks.Take(i));
  }
  return facts;
}

void Remember(TrainingFacts const& facts, Model* model) {
  TrainingFacts& known = model->facts;
  known.base_margin = known.base_margin || facts.base_margin;
  if (model->Rounds() == 0) {
    known.codes = facts.codes;
    return;
  }
  for (auto& [feature, codes] : known.codes) {
    auto const more = facts.codes.find(feature);
    if (more != facts.codes.end()) codes = Union(codes, more->second);
  }
}

}  // namespace xgbl
