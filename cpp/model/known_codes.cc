// SPDX-License-Identifier: Apache-2.0
#include "model/known_codes.h"

#include <algorithm>
#include <cstdint>
#include <map>

namespace xgbl {
namespace {

// The highest code in the sets of each feature that is split by some. Reads all nodes.
std::map<std::size_t, std::int32_t> HighestCodes(Model const& model) {
  std::map<std::size_t, std::int32_t> highest;
  for (auto const& tree : model.trees) {
    if (tree->category_begin.empty()) continue;
    for (std::size_t node = 0; node < tree->Size(); ++node) {
      if (tree->categorical[node] == 0 || tree->left[node] == kNoNode) continue;
      auto const set = tree->CategorySet(static_cast<NodeId>(node));
      std::int32_t& most = highest.emplace(tree->feature[node], -1).first->second;
      if (!set.empty()) most = std::max(most, set[set.size() - 1]);
    }
  }
  return highest;
}

CodeSet UpTo(std::int64_t last) {
  return last < 0 ? CodeSet{} : CodeSet{{0, static_cast<std::int32_t>(std::min<std::int64_t>(last, kMostCode))}};
}

std::size_t LabelsOf(Model const& model, std::size_t feature) {
  if (feature >= model.categories.size()) return 0;
  return std::max(model.categories[feature].names.size(), model.categories[feature].numbers.size());
}

// Whether sets of trees say what nothing else does: of categories without labels whose codes training did not note, and
// of all features if nobody knows which ones are categories.
bool NeedsSets(Model const& model) {
  for (std::size_t feature = 0; feature < model.num_features; ++feature) {
    if (feature < model.feature_types.size() && model.feature_types[feature] != "c") continue;
    if (LabelsOf(model, feature) == 0 && model.facts.codes.count(feature) == 0) return true;
  }
  return false;
}

}  // namespace

std::vector<bool> SplitBySets(Model const& model) {
  std::vector<bool> found;
  for (auto const& [feature, highest] : HighestCodes(model)) {
    found.resize(feature + 1);
    found[feature] = true;
  }
  return found;
}

std::vector<KnownCodes> KnownCodesOf(Model const& model) {
  std::vector<KnownCodes> known;
  if (model.linear) return known;
  auto const highest = NeedsSets(model) ? HighestCodes(model) : std::map<std::size_t, std::int32_t>{};
  for (std::size_t feature = 0; feature < model.num_features; ++feature) {
    auto const told = model.facts.codes.find(feature);
    auto const split = highest.find(feature);
    if (std::size_t const labels = LabelsOf(model, feature); labels > 0) {
      known.push_back({feature, UpTo(static_cast<std::int64_t>(labels) - 1), true});
    } else if (told != model.facts.codes.end()) {
      known.push_back({feature, told->second, true});
    } else if (split != highest.end()) {
      known.push_back({feature, UpTo(split->second), false});
    }
  }
  return known;
}

}  // namespace xgbl
