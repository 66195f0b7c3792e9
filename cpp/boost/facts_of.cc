// SPDX-License-Identifier: Apache-2.0
#include "boost/facts_of.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

constexpr std::size_t kBlockRows = 4096;

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

  void Add(CodeMarks const& other) {
    for (std::size_t feature = 0; feature < marks_.size(); ++feature) {
      auto& marks = marks_[feature];
      auto const& more = other.marks_[feature];
      if (more.size() > marks.size()) marks.resize(more.size());
      for (std::size_t code = 0; code < more.size(); ++code) {
        if (more[code]) marks[code] = true;
      }
    }
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

// By all threads, each of which marks codes of its own.
CodeMarks MarkAll(FeatureMatrix const& features, WantedFeatures const& wanted, Context const& ctx) {
  std::size_t const rows = features.Rows(), count = wanted.features.size();
  Context const worth = ForWork(ctx, rows * count);
  std::vector<CodeMarks> marks(static_cast<std::size_t>(worth.threads), CodeMarks(count));
  ParallelTasks(worth, (rows + kBlockRows - 1) / kBlockRows, [&](std::size_t block, int thread) {
    std::size_t const begin = block * kBlockRows;
    Mark(features, wanted, begin, std::min(rows, begin + kBlockRows), &marks[static_cast<std::size_t>(thread)]);
  });
  for (std::size_t i = 1; i < marks.size(); ++i) marks[0].Add(marks[i]);
  return std::move(marks[0]);
}

}  // namespace

TrainingFacts FactsOf(DMatrix const& train, Context const& ctx) {
  TrainingFacts facts;
  facts.base_margin = !train.Info().base_margin.empty();
  WantedFeatures const wanted = WithoutLabels(train);
  if (wanted.features.empty()) return facts;
  CodeMarks const marks = MarkAll(train.PassingFeatures(ctx), wanted, ctx);
  for (std::size_t i = 0; i < wanted.features.size(); ++i) facts.codes.emplace(wanted.features[i], marks.SetOf(i));
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
