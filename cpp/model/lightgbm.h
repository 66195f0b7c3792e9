// SPDX-License-Identifier: Apache-2.0
// Reads models in LightGBM's text format, versions v3 and v4. Predictions are the same for every float32 value:
// LightGBM asks whether a value is at most a double, this engine whether it is below a float32, and the least float32
// above that double separates values in the same way. What the engine cannot express is refused: linear trees, links
// that no objective here has, and splits that treat zero as missing where one threshold cannot do so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/model.h"
#include "tree/tree.h"

namespace xgbl {

/// Whether bytes begin as such a file does.
bool LooksLikeLightgbm(std::string_view bytes);

/// ModelError if the file is damaged or says what the engine cannot.
Model ReadLightgbm(std::string_view bytes);

/// The sections of a LightGBM file, each a set of lines `key=value`, before they are interpreted. Views into the file,
/// which must outlive them. Every accessor throws ModelError if the value is missing or malformed.
class TextSection {
 public:
  explicit TextSection(std::string name) : name_(std::move(name)) {}

  void Add(std::string_view key, std::string_view value);

  bool Has(std::string_view key) const { return values_.count(key) != 0; }
  std::string_view Value(std::string_view key) const;
  std::vector<std::string_view> Words(std::string_view key) const;
  std::int64_t Whole(std::string_view key, std::int64_t low, std::int64_t high) const;
  /// This many whole numbers, each in [low, high].
  std::vector<std::int64_t> Wholes(std::string_view key, std::size_t count, std::int64_t low, std::int64_t high) const;
  enum class Infinite { kAllowed, kRefused };
  /// This many numbers, none of them NaN.
  std::vector<double> Reals(std::string_view key, std::size_t count, Infinite infinite = Infinite::kRefused) const;

  /// Refuses the file: "LightGBM model: <section> <problem>."
  [[noreturn]] void Fail(std::string const& problem) const;

 private:
  std::vector<std::string_view> Words(std::string_view key, std::size_t count) const;

  std::string name_;
  std::map<std::string_view, std::string_view> values_;
};

/// One tree of a LightGBM file. Inner nodes keep their numbers; leaf i of n becomes node n - 1 + i. Covers are counts
/// of rows, the weights of LightGBM's own contributions. The tree with its values times `factor`; it has passed
/// CheckTree.
Tree LoadLightgbmTree(TextSection const& text, std::size_t num_features, double factor);

}  // namespace xgbl
