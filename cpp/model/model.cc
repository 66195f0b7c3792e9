// SPDX-License-Identifier: Apache-2.0
#include "model/model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/numbers.h"

namespace xgbl {
namespace {

// Twice the room each time, as reserve() alone would copy everything in every round.
template <class T>
void MakeRoom(std::vector<T>* items, std::size_t more) {
  std::size_t const needed = items->size() + more;
  if (needed > items->capacity()) items->reserve(std::max(needed, 2 * items->capacity()));
}

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

constexpr char kBetweenFeatures = ';', kBehindFeature = ':', kBetweenRanges = ',', kWithinRange = '-';

// Adds a range that begins no lower than the last one.
void Append(CodeRange range, CodeSet* to) {
  if (to->empty() || range.first > to->back().last + 1) {
    to->push_back(range);
  } else {
    to->back().last = std::max(to->back().last, range.last);
  }
}

// Calls `take(part)` for the parts of a text until one is refused.
template <class Take>
bool ForEachPart(std::string_view text, char between, Take const& take) {
  while (true) {
    std::size_t const end = text.find(between);
    if (!take(text.substr(0, end))) return false;
    if (end == std::string_view::npos) return true;
    text.remove_prefix(end + 1);
  }
}

bool IsDigits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool ParseCode(std::string_view text, std::int32_t* code) {
  std::int64_t number = 0;
  if (!IsDigits(text) || !ParseNumber(text, &number) || number > kMostCode) return false;
  *code = static_cast<std::int32_t>(number);
  return true;
}

bool ParseRange(std::string_view text, CodeSet* to) {
  std::size_t const cut = text.find(kWithinRange);
  CodeRange range;
  bool const good = ParseCode(text.substr(0, cut), &range.first) &&
                    ParseCode(cut == std::string_view::npos ? text : text.substr(cut + 1), &range.last) &&
                    range.first <= range.last && (to->empty() || range.first > to->back().last + 1);
  if (good) to->push_back(range);
  return good;
}

}  // namespace

void Model::AppendRound(std::vector<std::shared_ptr<Tree const>> round, std::vector<std::int32_t> const& outputs) {
  Ensure(round.size() == outputs.size(), round.size(), " trees of a round come with ", outputs.size(), " outputs.");
  MakeRoom(&trees, round.size());  // what follows cannot fail half-way
  MakeRoom(&tree_output, round.size());
  MakeRoom(&round_begin, 1);
  if (!tree_weights.empty()) tree_weights.resize(trees.size() + round.size(), 1.0F);
  trees.insert(trees.end(), std::make_move_iterator(round.begin()), std::make_move_iterator(round.end()));
  tree_output.insert(tree_output.end(), outputs.begin(), outputs.end());
  round_begin.push_back(trees.size());
}

Model Model::WithoutRounds() const {
  Model bare = *this;
  bare.trees.clear();
  bare.tree_output.clear();
  bare.round_begin = {0};
  bare.tree_weights.clear();
  bare.linear = nullptr;
  bare.earlier_states.clear();
  return bare;
}

Model Model::Slice(std::size_t begin, std::size_t end, std::size_t step) const {
  Require<ParamError>(step >= 1, "The step of a slice must be >= 1; got ", step, ".");
  Require<ParamError>(begin < end && end <= Rounds(), "A slice must be a range of rounds within [0, ", Rounds(),
                      "]; got [", begin, ", ", end, ").");
  Require<ParamError>(!linear, "A linear model cannot be sliced: its rounds all change the same weights.");
  Model slice = WithoutRounds();
  if (begin == 0 && step == 1) {  // else rounds have other numbers
    slice.earlier_states.insert(earlier_states.begin(), earlier_states.lower_bound(end));
  }
  slice.attributes.erase("best_iteration");  // they speak of the rounds of the whole model
  slice.attributes.erase("best_score");
  for (std::size_t round = begin; round < end; round += step) {
    for (std::size_t tree = round_begin[round]; tree < round_begin[round + 1]; ++tree) {
      slice.trees.push_back(trees[tree]);
      slice.tree_output.push_back(tree_output[tree]);
      if (!tree_weights.empty()) slice.tree_weights.push_back(tree_weights[tree]);
    }
    slice.round_begin.push_back(slice.trees.size());
    if (step > end - round) break;  // adding the step might wrap round
  }
  return slice;
}

RoundRange ResolveTrees(Model const& model, RoundRange rounds) {
  std::size_t const end = rounds.end == 0 ? model.Rounds() : rounds.end;
  bool const all = rounds.begin == 0 && rounds.end == 0;
  Require<ParamError>(all || (rounds.begin < end && end <= model.Rounds()),
                      "Invalid `iteration_range`: it must lie within the ", model.Rounds(),
                      " rounds of the model and not be empty; got (", rounds.begin, ", ", rounds.end,
                      "). Use (0, 0) for all rounds.");
  Require<ParamError>(!model.linear || rounds.begin == 0, "`iteration_range` of a linear model must begin with 0; got ",
                      rounds.begin, ". Its rounds all change the same weights.");
  if (model.linear) return {0, 0};
  return {model.round_begin[rounds.begin], model.round_begin[end]};
}

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

bool Contains(CodeSet const& codes, float value) {
  if (!(value >= 0 && value <= static_cast<float>(kMostCode)) || value != std::floor(value)) return false;
  auto const code = static_cast<std::int32_t>(value);
  auto const after = std::upper_bound(codes.begin(), codes.end(), code,
                                      [](std::int32_t wanted, CodeRange const& range) { return wanted < range.first; });
  return after != codes.begin() && code <= std::prev(after)->last;
}

CodeSet CodeSetOf(std::vector<std::int32_t> const& codes) {
  CodeSet set;
  for (std::int32_t const code : codes) Append({code, code}, &set);
  return set;
}

CodeSet Union(CodeSet const& a, CodeSet const& b) {
  CodeSet sorted = a, all;
  sorted.insert(sorted.end(), b.begin(), b.end());
  std::sort(sorted.begin(), sorted.end(), [](CodeRange const& x, CodeRange const& y) { return x.first < y.first; });
  for (CodeRange const range : sorted) Append(range, &all);
  return all;
}

std::string CodesText(std::map<std::size_t, CodeSet> const& codes) {
  std::string text;
  for (auto const& [feature, set] : codes) {
    if (!text.empty()) text += kBetweenFeatures;
    text += std::to_string(feature) + kBehindFeature;
    for (std::size_t i = 0; i < set.size(); ++i) {
      if (i > 0) text += kBetweenRanges;
      text += std::to_string(set[i].first);
      if (set[i].last > set[i].first) text += kWithinRange + std::to_string(set[i].last);
    }
  }
  return text;
}

bool ParseCodes(std::string_view text, std::size_t features, std::map<std::size_t, CodeSet>* codes) {
  codes->clear();
  return ForEachPart(text, kBetweenFeatures, [&](std::string_view part) {
    std::size_t const cut = part.find(kBehindFeature);
    std::int64_t feature = 0;
    if (cut == std::string_view::npos || !IsDigits(part.substr(0, cut)) || !ParseNumber(part.substr(0, cut), &feature))
      return false;
    bool const fits = static_cast<std::uint64_t>(feature) < features;
    auto const added = codes->emplace(static_cast<std::size_t>(feature), CodeSet{});
    if (!fits || !added.second) return false;
    CodeSet* const set = &added.first->second;
    std::string_view const ranges = part.substr(cut + 1);
    if (ranges.empty()) return true;  // training had nothing but missing values
    return ForEachPart(ranges, kBetweenRanges, [&](std::string_view range) { return ParseRange(range, set); });
  });
}

}  // namespace xgbl
