// SPDX-License-Identifier: Apache-2.0
#include "model/model.h"

#include <algorithm>
#include <cmath>

#include "base/numbers.h"

namespace xgbl {
namespace {

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
