// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <vector>

#include "explain/explain.h"
#include "explain/forest.h"
#include "explain/shap_plan.h"
#include "simd/shap_kernels.h"

namespace xgbl {
namespace {

// What one thread works with: sums of one output, for the groups of a task's rows. A group has those of features, then
// those of pairs.
struct Sums {
  std::size_t features;
  std::size_t pairs;
  std::vector<double> values;
  double mean = 0;

  double* Group(std::size_t group) { return values.data() + group * (features + pairs) * kGroupRows; }
  double Feature(std::size_t row, std::size_t feature) const {
    return values[(row / kGroupRows * (features + pairs) + feature) * kGroupRows + row % kGroupRows];
  }
  double Pair(std::size_t row, std::size_t slot) const { return Feature(row, features + slot); }
};

// The arrays by level, which grow with the deepest tree.
class Levels {
 public:
  ShapTask TaskFor(ShapPlan const& plan, bool with_pairs) {
    std::size_t const size = plan.levels * plan.points * kGroupRows;
    Grow(&before_, size);
    Grow(&below_, size);
    Grow(&inside_, plan.levels * kGroupRows);
    std::fill_n(before_.begin(), plan.points * kGroupRows, 1.0);
    std::fill_n(inside_.begin(), kGroupRows, 1.0);
    ShapTask task;
    task.steps = plan.steps.data();
    task.count = plan.steps.size();
    task.points = plan.points;
    task.inside = inside_.data();
    task.before = before_.data();
    task.below = below_.data();
    if (!with_pairs) return task;
    Grow(&shares_, size);
    Grow(&terms_, plan.points * kGroupRows);
    static constexpr ShapPair kNone{};
    task.pairs = plan.pairs.empty() ? &kNone : plan.pairs.data();
    task.shares = shares_.data();
    task.terms = terms_.data();
    return task;
  }

 private:
  static void Grow(std::vector<double>* values, std::size_t size) {
    if (values->size() < size) values->resize(size);
  }
  std::vector<double> before_, below_, inside_, shares_, terms_;
};

// Cells that tell the outcome of nodes on categories.
void TellChoices(PackedTree const& tree, ShapPlan const& plan, std::size_t features, RowBlock* rows) {
  for (std::size_t group = 0; group < rows->Groups(); ++group) {
    float* const cells = rows->Cells(group);
    for (std::size_t i = 0; i < plan.choices.size(); ++i) {
      float const* const x = cells + plan.choices[i].cell * kGroupRows;
      float* const outcome = cells + (2 * features + i) * kGroupRows;
      for (std::size_t row = 0; row < kGroupRows; ++row) {
        outcome[row] = GoesLeft(tree, PackedNode{0, 0, 0, plan.choices[i].node}, x[row]) ? -1.0F : 1.0F;
      }
    }
  }
}

void AddTree(PackedTree const& tree, ShapPlan const& plan, ShapKernels const& kernels, RowBlock* rows, Levels* levels,
             Sums* sums) {
  sums->mean += plan.mean;
  if (plan.steps.empty()) return;
  TellChoices(tree, plan, sums->features, rows);
  ShapTask task = levels->TaskFor(plan, sums->pairs > 0);
  for (std::size_t walk = 0; walk < plan.walks; ++walk) {
    task.constants = plan.constants.data() + walk * plan.walk_constants;
    for (std::size_t group = 0; group < rows->Groups(); ++group) {
      task.cells = rows->Cells(group);
      task.sums = sums->Group(group);
      task.pair_sums = task.sums + sums->features * kGroupRows;
      kernels.add_shap(task);
    }
  }
}

// Calls `found(row, output, sums, row of the task)` for all rows and outputs.
template <class Found>
void ForEachRow(Forest const& forest, FeatureMatrix const& features, PairTable const* pairs, Context const& ctx,
                Found const& found) {
  std::size_t const used = forest.Features().size(), num_pairs = pairs == nullptr ? 0 : pairs->Size();
  ForRowBlocks(forest, features, forest.MostChoices(), used + num_pairs, ctx, [&](std::size_t begin, RowBlock rows) {
    Sums sums{used, num_pairs, std::vector<double>(rows.Groups() * (used + num_pairs) * kGroupRows)};
    Levels levels;
    for (std::size_t output = 0; output < forest.Outputs(); ++output) {
      std::fill(sums.values.begin(), sums.values.end(), 0.0);
      sums.mean = 0;
      forest.ForEachTree(output, [&](PackedTree const& tree, std::size_t own_output, double weight) {
        ShapPlan const plan = MakeShapPlan(tree, used, own_output, weight, num_pairs == 0 ? nullptr : pairs);
        AddTree(tree, plan, ShapKernels::Of(ctx.simd), &rows, &levels, &sums);
      });
      for (std::size_t row = 0; row < rows.Rows(); ++row) found(begin + row, output, sums, row);
    }
  });
}

}  // namespace

void AddContributions(Model const& model, FeatureMatrix const& features, RoundRange trees, Context const& ctx,
                      MatrixView<float> out) {
  if (model.linear) return AddLinear(model, features, 1, ctx, out);
  Forest const forest(model, trees);
  std::size_t const width = out.columns() / forest.Outputs();
  ForEachRow(forest, features, nullptr, ctx,
             [&](std::size_t row, std::size_t output, Sums const& sums, std::size_t place) {
               forest.AddSums([&](std::size_t i) { return sums.Feature(place, i); }, sums.mean,
                              out.Row(row).Sub(output * width, width));
             });
}

void AddInteractions(Model const& model, FeatureMatrix const& features, RoundRange trees, Context const& ctx,
                     MatrixView<float> out) {
  std::size_t const cells = out.columns() / static_cast<std::size_t>(model.num_outputs);
  auto const width = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(cells))));
  if (model.linear) return AddLinear(model, features, width + 1, ctx, out);
  Forest const forest(model, trees);
  PairTable pairs;
  for (std::size_t t = 0; t < forest.Size(); ++t) pairs.Add(forest.At(t), forest.Features().size());
  ForEachRow(forest, features, &pairs, ctx,
             [&](std::size_t row, std::size_t output, Sums const& sums, std::size_t place) {
               float* const to = &out(row, output * width * width);
               std::vector<double> own(sums.features);
               for (std::size_t i = 0; i < own.size(); ++i) own[i] = sums.Feature(place, i);
               pairs.ForEach([&](std::uint32_t a, std::uint32_t b, std::uint32_t slot) {
                 double const half = sums.Pair(place, slot) / 2;
                 own[a] -= half;
                 own[b] -= half;
                 std::size_t const i = forest.Features()[a], j = forest.Features()[b];
                 to[i * width + j] = to[j * width + i] = static_cast<float>(half);
               });
               for (std::size_t i = 0; i < own.size(); ++i) {
                 std::size_t const feature = forest.Features()[i];
                 to[feature * width + feature] = static_cast<float>(own[i]);
               }
               float& bias = to[width * width - 1];
               bias = static_cast<float>(static_cast<double>(bias) + sums.mean);
             });
}

}  // namespace xgbl
