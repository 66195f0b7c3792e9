// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "tree/growing.h"

namespace xgbl {
namespace {

// One categorical feature and whole gradients; of the categories many do not occur.
struct CategoryCase {
  std::shared_ptr<DMatrix> data;
  std::vector<float> codes;
  std::vector<std::vector<float>> gradients;  // by output
  std::vector<float> hessian;
  TreeParam param;
};

struct CaseShape {
  std::uint32_t categories = 0;
  std::size_t rows = 0;
  std::size_t outputs = 1;
  int threshold = 64;
  double missing = 0;
  double low = 0.5;  // the share of the categories whose gradients tend to be positive, and so their weights negative
};

CategoryCase MakeCase(std::uint64_t seed, CaseShape const& shape) {
  CategoryCase made;
  Random const random(seed, Purpose::kRows, 0);
  auto uniform = [&, next = std::uint64_t{0}]() mutable { return random.Uniform(next++); };
  std::vector<float> effect;
  std::vector<std::uint32_t> occurring;
  for (std::uint32_t code = 0; code < shape.categories; ++code) {
    if (uniform() < 0.5) occurring.push_back(code);
    effect.push_back(uniform() < shape.low ? 3.0F : -3.0F);
  }
  occurring.push_back(shape.categories);  // the last bin: all codes below it have one
  effect.push_back(1.0F);
  made.gradients.resize(shape.outputs);
  for (std::size_t row = 0; row < shape.rows; ++row) {
    auto const code = occurring[static_cast<std::size_t>(uniform() * static_cast<double>(occurring.size()))];
    made.codes.push_back(uniform() < shape.missing ? kMissing : static_cast<float>(code));
    for (auto& output : made.gradients) {
      output.push_back(std::round(effect[code] + static_cast<float>(uniform() * 8 - 4)));
    }
  }
  made.hessian.assign(shape.rows, 1.0F);
  made.data = DenseMatrix(made.codes, 1);
  Meta meta;
  meta.feature_types = {"c"};
  made.data->SetInfo(meta);
  made.param.max_depth = 1;
  made.param.reg_lambda = 0;
  made.param.min_child_weight = 0;
  made.param.max_cat_to_onehot = 1;
  made.param.max_cat_threshold = shape.threshold;
  return made;
}

Tree GrowOne(CategoryCase const& given) {
  Context ctx;
  std::vector<OutputGradients> views;
  for (auto const& gradient : given.gradients) {
    views.push_back({gradient.data(), given.hessian.data(), gradient.size(), 1});
  }
  auto const method = Registry<TreeMethod>::Get().At("hist", "tree method").make();
  RowSample const rows = SampleRows(given.param, {}, views, ctx);
  return PrepareAndGrow({ctx, *given.data, given.param, rows, views, {}}, *method).tree;
}

// Sums of gradients by output, and the number of rows.
struct Group {
  std::vector<double> gradient;
  double count = 0;

  double Gain() const {
    if (count == 0) return 0;
    return std::inner_product(gradient.begin(), gradient.end(), gradient.begin(), 0.0) / count;
  }
  double Dot(std::vector<double> const& axis) const {
    return std::inner_product(gradient.begin(), gradient.end(), axis.begin(), 0.0);
  }
  void Add(Group const& other, double sign = 1) {
    for (std::size_t k = 0; k < gradient.size(); ++k) gradient[k] += sign * other.gradient[k];
    count += sign * other.count;
  }
};

// The node by category, and without one; looked at without any of the engine's code.
class Oracle {
 public:
  explicit Oracle(CategoryCase const& given) : missing_{Zero(given)}, all_{Zero(given)} {
    std::vector<Group> by_code;
    for (std::size_t row = 0; row < given.codes.size(); ++row) {
      Group own = Zero(given);
      for (std::size_t k = 0; k < own.gradient.size(); ++k)
        own.gradient[k] = static_cast<double>(given.gradients[k][row]);
      own.count = 1;
      all_.Add(own);
      if (std::isnan(given.codes[row])) {
        missing_.Add(own);
        continue;
      }
      auto const code = static_cast<std::size_t>(given.codes[row]);
      by_code.resize(std::max(by_code.size(), code + 1), Zero(given));
      by_code[code].Add(own);
    }
    std::copy_if(by_code.begin(), by_code.end(), std::back_inserter(present_), [](auto& g) { return g.count > 0; });
    std::vector<double> const axis = MainAxis();
    auto const weight = [&](Group const& group) { return static_cast<float>(-group.Dot(axis) / group.count); };
    std::stable_sort(present_.begin(), present_.end(), [&](auto& a, auto& b) { return weight(a) < weight(b); });
    absent_ = by_code.size() - present_.size();
    low_ = static_cast<std::size_t>(
        std::count_if(present_.begin(), present_.end(), [&](auto& group) { return weight(group) < 0; }));
  }

  // Over all sets of the lowest and of the highest categories that are small enough; between the weights below 0 and
  // the others stand the absent categories, which count.
  double BestInOrder(std::size_t most) const {
    double best = 0;
    for (bool const from_below : {true, false}) {
      Group set = Zero();
      std::size_t const own_side = from_below ? low_ : present_.size() - low_;
      std::size_t const beyond = most > absent_ ? most - absent_ : 0;
      std::size_t const reach = std::max(std::min(most, own_side), beyond);
      for (std::size_t i = 0; i < std::min(reach, present_.size()); ++i) {
        set.Add(present_[from_below ? i : present_.size() - 1 - i]);
        best = std::max(best, BestGain(set));
      }
    }
    return best;
  }

  double BestOfAllSets() const {
    double best = 0;
    for (std::uint32_t bits = 1; bits < std::uint32_t{1} << present_.size(); ++bits) {
      Group set = Zero();
      for (std::size_t i = 0; i < present_.size(); ++i) {
        if ((bits >> i & 1U) != 0) set.Add(present_[i]);
      }
      best = std::max(best, BestGain(set));
    }
    return best;
  }

 private:
  static Group Zero(CategoryCase const& given) { return {std::vector<double>(given.gradients.size()), 0}; }
  Group Zero() const { return {std::vector<double>(all_.gradient.size()), 0}; }

  // A few steps of power iteration, as in the engine: which order is right is a matter of how far it went.
  std::vector<double> MainAxis() const {
    if (all_.gradient.size() == 1 || present_.empty()) return std::vector<double>(all_.gradient.size(), 1.0);
    auto const less = [](Group const& a, Group const& b) { return a.Gain() < b.Gain(); };
    Group const& most = *std::max_element(present_.begin(), present_.end(), less);
    std::vector<double> axis;
    for (double const gradient : most.gradient) axis.push_back(-gradient / most.count);
    for (int step = 0; step < 3; ++step) {
      std::vector<double> turned(axis.size());
      for (Group const& group : present_) {
        for (std::size_t k = 0; k < axis.size(); ++k) turned[k] += group.Dot(axis) * group.gradient[k] / group.count;
      }
      double const size = std::sqrt(std::inner_product(turned.begin(), turned.end(), turned.begin(), 0.0));
      for (std::size_t k = 0; k < axis.size() && size > 0; ++k) axis[k] = turned[k] / size;
    }
    bool const flip = std::accumulate(axis.begin(), axis.end(), 0.0) < 0;
    for (double& part : axis) part = flip ? -part : part;
    return axis;
  }

  // What is missing with the set or with the rest.
  double BestGain(Group set) const {
    double const alone = GainOf(set);
    set.Add(missing_);
    return std::max(alone, GainOf(set));
  }
  double GainOf(Group const& set) const {
    Group rest = all_;
    rest.Add(set, -1);
    return set.count == 0 || rest.count == 0 ? 0 : set.Gain() + rest.Gain() - all_.Gain();
  }

  std::vector<Group> present_;  // in order of weight
  std::size_t absent_ = 0;
  std::size_t low_ = 0;  // number of those whose weight is below 0
  Group missing_, all_;
};

void ExpectGain(Tree const& tree, double best, std::string const& what) {
  EXPECT_NEAR(static_cast<double>(tree.gain[0]), best, 1e-4 * (1 + best)) << what;
}

TEST(CategoryScan, FindsTheBestSetWhereLevelsAreAbsent) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CaseShape shape;
    shape.categories = 2 + static_cast<std::uint32_t>(seed % 14);
    shape.rows = 10 + seed % 50;
    shape.missing = seed % 3 == 0 ? 0.3 : 0;
    shape.low = 0.2 * static_cast<double>(seed % 6);
    CategoryCase const given = MakeCase(seed, shape);
    ExpectGain(GrowOne(given), Oracle(given).BestOfAllSets(), "seed " + std::to_string(seed));
  }
}

TEST(CategoryScan, FindsTheBestSmallSetOfTheOrder) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    for (std::size_t const outputs : {1U, 3U}) {
      for (int const threshold : {2, 4, 9, 64}) {
        CaseShape shape;
        shape.categories = 20 + static_cast<std::uint32_t>(seed % 200);
        shape.rows = 20 + 3 * (seed % 100);
        shape.outputs = outputs;
        shape.threshold = threshold;
        shape.missing = seed % 2 == 0 ? 0.2 : 0;
        shape.low = 0.1 * static_cast<double>(seed % 11);
        CategoryCase const given = MakeCase(seed, shape);
        Tree const tree = GrowOne(given);
        std::string const what = "seed " + std::to_string(seed) + ", threshold " + std::to_string(threshold);
        ExpectGain(tree, Oracle(given).BestInOrder(static_cast<std::size_t>(threshold) - 1), what);
        EXPECT_LT(tree.CategorySet(0).size(), static_cast<std::size_t>(threshold)) << what;
      }
    }
  }
}

// So many that most need not be sorted.
TEST(CategoryScan, FindsTheBestSetsOfTheEndsOfALongOrder) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    for (std::size_t const outputs : {1U, 2U}) {
      for (int const threshold : {3, 64, 500}) {
        CaseShape shape;
        shape.categories = 1500 + 300 * static_cast<std::uint32_t>(seed);
        shape.rows = 4000;
        shape.outputs = outputs;
        shape.threshold = threshold;
        shape.missing = seed % 2 == 0 ? 0.2 : 0;
        shape.low = 0.1 * static_cast<double>(seed % 11);
        CategoryCase const given = MakeCase(seed, shape);
        std::string const what = "seed " + std::to_string(seed) + ", threshold " + std::to_string(threshold);
        ExpectGain(GrowOne(given), Oracle(given).BestInOrder(static_cast<std::size_t>(threshold) - 1), what);
      }
    }
  }
}

// Nothing of a node speaks for the levels that it does not have: they go where their weight, 0, belongs.
TEST(CategoryScan, AbsentLevelsAreInNoSet) {
  CaseShape shape;
  shape.categories = 300;
  shape.rows = 2000;
  shape.low = 0.9;
  CategoryCase const given = MakeCase(1, shape);
  Tree const tree = GrowOne(given);
  ASSERT_EQ(tree.categorical[0], 1);
  for (std::int32_t const code : tree.CategorySet(0)) {
    EXPECT_NE(std::find(given.codes.begin(), given.codes.end(), static_cast<float>(code)), given.codes.end());
  }
}

}  // namespace
}  // namespace xgbl
