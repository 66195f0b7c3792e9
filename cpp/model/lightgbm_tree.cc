// SPDX-License-Identifier: Apache-2.0
#include "model/lightgbm.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.h"
#include "model/archive.h"

namespace xgbl {
namespace {

// Of a node's decision type: one bit each, then a number of two bits.
constexpr std::int64_t kCategorical = 1;
constexpr std::int64_t kDefaultLeft = 2;
constexpr int kMissingShift = 2;
enum Missing : std::int64_t { kNone, kZero, kNan };

// Up to here, on either side, LightGBM takes a number for zero.
constexpr float kZeroBound = 1e-35F;
constexpr std::int64_t kMostLeaves = 1 << 30;
constexpr std::int64_t kCategoryLimit = 1 << 24;
constexpr std::int64_t kWordBits = 32;

// `x <= bound` is `x < LeastAbove(bound)` of every float32.
float LeastAbove(double bound) {
  float const near = ToFloat(bound);
  return static_cast<double>(near) > bound ? near : std::nextafter(near, std::numeric_limits<float>::infinity());
}

class Loader {
 public:
  Loader(TextSection const& text, double factor) : text_(text), factor_(factor) {
    leaves_ = static_cast<std::size_t>(text.Whole("num_leaves", 1, kMostLeaves));
    inner_ = leaves_ - 1;
  }

  Tree Load() {
    if (text_.Has("is_linear") && text_.Value("is_linear") != "0") {
      text_.Fail("has linear models in its leaves (linear_tree), which have no counterpart here. Train without them");
    }
    auto const leaf_values = text_.Reals("leaf_value", leaves_);
    for (std::size_t i = 0; i < inner_ + leaves_; ++i) tree_.AddNode(kNoNode);
    FillValues(leaf_values);
    FillStatistics();
    if (inner_ == 0) return std::move(tree_);
    Link("left_child", &tree_.left);
    Link("right_child", &tree_.right);
    FillSplits();
    return std::move(tree_);
  }

 private:
  static constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();

  void FillValues(std::vector<double> const& leaf_values) {
    for (std::size_t i = 0; i < leaves_; ++i) {
      tree_.value[inner_ + i] = tree_.weight[inner_ + i] = ToFloat(leaf_values[i] * factor_);
    }
    if (inner_ == 0 || !text_.Has("internal_value")) return;
    auto const values = text_.Reals("internal_value", inner_);
    for (std::size_t i = 0; i < inner_; ++i) tree_.weight[i] = ToFloat(values[i] * factor_);
  }

  void FillStatistics() {
    if (text_.Has("leaf_count") && !text_.Words("leaf_count").empty())
      Copy("leaf_count", inner_, leaves_, &tree_.cover);
    if (inner_ == 0) return;
    if (text_.Has("internal_count")) Copy("internal_count", 0, inner_, &tree_.cover);
    if (text_.Has("split_gain")) Copy("split_gain", 0, inner_, &tree_.gain);
  }

  void Copy(std::string_view key, std::size_t first, std::size_t count, std::vector<float>* to) {
    auto const numbers = text_.Reals(key, count);
    for (std::size_t i = 0; i < count; ++i) (*to)[first + i] = ToFloat(numbers[i]);
  }

  // A child is an inner node, or the complement of a leaf.
  void Link(std::string_view key, std::vector<NodeId>* children) {
    auto const inner = static_cast<std::int64_t>(inner_);
    auto const links = text_.Wholes(key, inner_, -static_cast<std::int64_t>(leaves_), inner - 1);
    for (std::size_t i = 0; i < inner_; ++i) {
      std::int64_t const node = links[i] >= 0 ? links[i] : inner + ~links[i];
      (*children)[i] = static_cast<NodeId>(node);
      tree_.parent[static_cast<std::size_t>(node)] = static_cast<NodeId>(i);
    }
  }

  void FillSplits() {
    auto const features = text_.Wholes("split_feature", inner_, 0, kMost);
    auto const decisions = text_.Wholes("decision_type", inner_, 0, 15);
    auto const thresholds = text_.Reals("threshold", inner_, TextSection::Infinite::kAllowed);
    LoadCategories();
    for (std::size_t i = 0; i < inner_; ++i) {
      tree_.feature[i] = static_cast<std::uint32_t>(features[i]);
      if ((decisions[i] & kCategorical) != 0) {
        SplitCategories(i, thresholds[i]);
      } else {
        SplitNumbers(i, thresholds[i], decisions[i]);
      }
      if (!set_ends_.empty()) tree_.category_begin[i + 1] = tree_.category.size();
    }
    for (std::size_t i = inner_; i < tree_.Size() && !set_ends_.empty(); ++i) {
      tree_.category_begin[i + 1] = tree_.category.size();
    }
  }

  void LoadCategories() {
    std::int64_t const sets = text_.Has("num_cat") ? text_.Whole("num_cat", 0, kMostLeaves) : 0;
    if (sets == 0) return;
    set_ends_ = text_.Wholes("cat_boundaries", static_cast<std::size_t>(sets) + 1, 0, kMost);
    for (std::size_t i = 1; i < set_ends_.size(); ++i) {
      if (set_ends_[0] != 0 || set_ends_[i] < set_ends_[i - 1]) text_.Fail("must have cat_boundaries that rise from 0");
    }
    auto const words = static_cast<std::size_t>(set_ends_.back());
    words_ = text_.Wholes("cat_threshold", words, 0, std::numeric_limits<std::uint32_t>::max());
    tree_.category_begin.assign(tree_.Size() + 1, 0);
  }

  // The set goes left there and right here, and what is missing or in no set the other way.
  void SplitCategories(std::size_t node, double set) {
    bool const next =
        set_ + 1 < set_ends_.size() && !(set < static_cast<double>(set_)) && !(set > static_cast<double>(set_));
    if (!next) text_.Fail("must use each set of categories once, in their order");
    std::swap(tree_.left[node], tree_.right[node]);
    tree_.categorical[node] = 1;
    tree_.default_left[node] = 1;
    std::int64_t const begin = set_ends_[set_];
    for (std::int64_t bit = 0; bit < (set_ends_[set_ + 1] - begin) * kWordBits; ++bit) {
      std::int64_t const word = words_[static_cast<std::size_t>(begin + bit / kWordBits)];
      if ((word >> (bit % kWordBits) & 1) == 0) continue;
      if (bit >= kCategoryLimit)
        text_.Fail(Text("splits on category ", bit, "; below ", kCategoryLimit, " is allowed"));
      tree_.category.push_back(static_cast<std::int32_t>(bit));
    }
    ++set_;
  }

  void SplitNumbers(std::size_t node, double threshold, std::int64_t decision) {
    std::int64_t const missing = decision >> kMissingShift;
    bool const default_left = (decision & kDefaultLeft) != 0;
    if (missing > kNan) text_.Fail(Text("has an unknown decision_type ", decision));
    // Where no missing values were met in training, one counts as 0.
    bool const missing_left = missing == kNone ? threshold >= 0 : default_left;
    bool const zero_left = missing == kZero ? default_left : threshold >= 0;
    if (zero_left && threshold == std::numeric_limits<double>::infinity()) return SplitPresent(node, missing_left);
    tree_.default_left[node] = missing_left ? 1 : 0;
    tree_.threshold[node] = AroundZero(node, threshold, zero_left);
  }

  // All that is present goes left there, infinity, too, and right here: it is not below minus infinity.
  void SplitPresent(std::size_t node, bool missing_left) {
    std::swap(tree_.left[node], tree_.right[node]);
    tree_.default_left[node] = missing_left ? 0 : 1;
    tree_.threshold[node] = -std::numeric_limits<float>::infinity();
  }

  // All that counts as zero goes one way: still one threshold, unless both its neighbours go the other.
  float AroundZero(std::size_t node, double threshold, bool zero_left) const {
    float const above = LeastAbove(threshold);
    float const first_positive = LeastAbove(kZeroBound);
    if (zero_left && above >= -kZeroBound) return std::max(above, first_positive);
    if (!zero_left && above <= first_positive) return std::min(above, -kZeroBound);
    text_.Fail(
        Text("treats zero as missing (zero_as_missing) at node ", node,
             ", where zero goes another way than its neighbours, which no split here can say. Train with NaN for "
             "missing values"));
  }

  TextSection const& text_;
  double factor_;
  std::size_t leaves_ = 0;
  std::size_t inner_ = 0;
  std::vector<std::int64_t> set_ends_;  // where each set of categories begins among the words, and the end
  std::vector<std::int64_t> words_;
  std::size_t set_ = 0;  // the next one
  Tree tree_;
};

}  // namespace

Tree LoadLightgbmTree(TextSection const& text, std::size_t num_features, double factor) {
  Tree tree = Loader(text, factor).Load();
  try {
    CheckTree(tree, num_features);
  } catch (ModelError const& error) {
    text.Fail(Text("is damaged: ", error.what()));
  }
  return tree;
}

}  // namespace xgbl
