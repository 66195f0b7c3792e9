// SPDX-License-Identifier: Apache-2.0
// What a model remembers of its training data, to detect data that do not match: the codes of categories without
// labels, and whether boosting began from margins that came with the rows. In files these are attributes, which xgboost
// keeps without knowing them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace xgbl {

/// Codes of categories as rising ranges with gaps between them. A range includes both ends.
struct CodeRange {
  std::int32_t first = 0;
  std::int32_t last = 0;
  bool operator==(CodeRange const& other) const { return first == other.first && last == other.last; }
};
using CodeSet = std::vector<CodeRange>;

constexpr std::int32_t kMostCode = (1 << 24) - 1;  // codes are float32: beyond it neighbours become equal

/// Whether a value is one of the codes.
bool Contains(CodeSet const& codes, float value);
/// The set of these codes, which rise.
CodeSet CodeSetOf(std::vector<std::int32_t> const& codes);
CodeSet Union(CodeSet const& a, CodeSet const& b);

struct TrainingFacts {
  bool base_margin = false;
  std::map<std::size_t, CodeSet> codes;  // by feature; one that is not here has labels, or nobody knows its codes

  bool operator==(TrainingFacts const& other) const { return base_margin == other.base_margin && codes == other.codes; }
};

/// Features and their codes as text, "0:0-4,7;3:0-1", and back; false if the text is none, or not of `features`.
std::string CodesText(std::map<std::size_t, CodeSet> const& codes);
bool ParseCodes(std::string_view text, std::size_t features, std::map<std::size_t, CodeSet>* codes);

}  // namespace xgbl
