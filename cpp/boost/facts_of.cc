// SPDX-License-Identifier: Apache-2.0
#include "boost/round.h"

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "parallel/reduce.h"

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

  CodeMarks& operator+=(CodeMarks const& other) {
    for (std::size_t feature = 0; feature < marks_.size(); ++feature) {
      auto& marks = marks_[feature];
      auto const& more = other.marks_[feature];
      if (more.size() > marks.size()) marks.resize(more.size());
      for (std::size_t code = 0; code < more.size(); ++code) {
        if (more[code]) marks[code] = true;
      }
    }
    return *this;
  }

  CodeSet SetOf(std::size_t feature) const {
    std::vector<std::int32_t> codes;
    for (std::size_t code = 0; code < marks_[feature].size(); ++code) {
      if (marks_[feature][code]) codes.push_back(static_cast<std::int32_t>(code));
    }
    return CodeSetOf(codes);
  }

 private:
  std::vector<std::vector<bool>> marks_;
};

constexpr std::uint32_t kNotWanted = ~std::uint32_t{0};

// The features whose codes nothing else tells.
struct WantedFeatures {
  std::vector<std::size_t> features;
  std::vector<std::uint32_t> place;  // by feature: where it is among them
};

WantedFeatures WithoutLabels(DMatrix const& train) {
  WantedFeatures wanted;
  Meta const& info = train.Info();
  if (info.feature_types.empty()) return wanted;
  auto const flags = info.CategoricalFlags(train.Columns());
  wanted.place.resize(flags.size(), kNotWanted);
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (flags[i] == 0 || (i < info.categories.size() && !info.categories[i].empty())) continue;
    wanted.place[i] = static_cast<std::uint32_t>(wanted.features.size());
    wanted.features.push_back(i);
  }
  return wanted;
}

// Of rows [begin, end).
void Mark(FeatureMatrix const& features, WantedFeatures const& wanted, std::size_t begin, std::size_t end,
          CodeMarks* marks) {
  bool const sparse = features.Sparse() != nullptr;
  for (std::size_t row = begin; row < end; ++row) {
    if (sparse) {
      features.ForEachPresent(row, [&](std::size_t i, float value) {
        if (wanted.place[i] != kNotWanted) marks->Add(wanted.place[i], value);
      });
      continue;
    }
    for (std::size_t i = 0; i < wanted.features.size(); ++i) marks->Add(i, features.Value(row, wanted.features[i]));
  }
}

}  // namespace

TrainingFacts FactsOf(DMatrix const& train, Context const& ctx) {
  TrainingFacts facts;
  facts.base_margin = !train.Info().base_margin.empty();
  WantedFeatures const wanted = WithoutLabels(train);
  if (wanted.features.empty()) return facts;
  FeatureMatrix const features = train.PassingFeatures(ctx);
  auto const mark = [&](std::size_t begin, std::size_t end, CodeMarks* marks) {
    Mark(features, wanted, begin, end, marks);
  };
  std::size_t const count = wanted.features.size();
  auto const marks = ReduceRows(ForWork(ctx, features.Rows() * count), features.Rows(), CodeMarks(count), mark);
  for (std::size_t i = 0; i < count; ++i) facts.codes.emplace(wanted.features[i], marks.SetOf(i));
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
