// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "explain/background.h"
#include "explain/explain.h"
#include "explain/forest.h"
#include "parallel/parallel_for.h"
#include "parallel/reduce.h"

namespace xgbl {
namespace {

constexpr std::size_t kWordBits = 64;
constexpr std::size_t kMostPairRows = 2048;
constexpr std::size_t kTaskBytes = std::size_t{1} << 26U;

std::size_t RowsOfTask(Context const& ctx, std::size_t rows, std::size_t bytes_per_row) {
  std::size_t const share = rows / static_cast<std::size_t>(ctx.threads) + 1;
  return std::clamp<std::size_t>(std::min(share, kTaskBytes / std::max<std::size_t>(1, bytes_per_row)), 1,
                                 kMostPairRows);
}

// Takes a block of rows to all leaves of a tree at once, and reports at each leaf which features of its path each row
// satisfies. Memory is rows x depth words of bits.
class PatternWalk {
 public:
  using AtLeaf = std::function<void(NodeId leaf, std::vector<std::uint32_t> const& features, PatternView rows,
                                    PatternView background)>;

  PatternWalk(PackedTree const& tree, std::size_t features)
      : tree_(tree), features_(features), levels_(static_cast<std::size_t>(tree.depth) + 1), position_(features, 0) {}

  // Calls `at_leaf` for each leaf, with the features of its path in the order of their bits.
  void Run(RowBlock const& rows, RowBlock const& background, AtLeaf const& at_leaf) {
    std::size_t const words = (std::min(features_, levels_) + kWordBits - 1) / kWordBits;  // for all features of a path
    Side x(rows, levels_, words), z(background, levels_, words);
    std::vector<Open> open{{0, 0}};
    std::vector<bool> added;  // by level: whether the node brought a new feature
    auto const set_bit = [&](Side* side, std::size_t level, std::size_t bit, bool value) {
      std::uint64_t* const word = side->bits.data() + level * side->LevelSize() + bit / kWordBits * side->rows.Rows();
      std::uint64_t const mask = std::uint64_t{1} << bit % kWordBits;
      for (std::size_t row = 0; row < side->rows.Rows(); ++row)
        word[row] = value ? word[row] | mask : word[row] & ~mask;
    };
    while (!open.empty()) {
      Open& at = open.back();
      std::size_t const level = open.size() - 1;
      if (IsLeaf(tree_, at.place)) {
        at_leaf(tree_.nodes[at.place].id, path_, x.At(level), z.At(level));
        open.pop_back();
        continue;
      }
      std::uint32_t const feature = FeatureOfCell(tree_.nodes[at.place].cell, features_);
      if (at.next == 0) {
        added.push_back(position_[feature] == 0);
        if (added.back()) {
          path_.push_back(feature);
          position_[feature] = static_cast<std::uint32_t>(path_.size());
          set_bit(&x, level, path_.size() - 1, true);
          set_bit(&z, level, path_.size() - 1, true);
        }
      }
      if (at.next == 2) {
        if (added.back()) {
          position_[feature] = 0;
          path_.pop_back();
        }
        added.pop_back();
        open.pop_back();
        continue;
      }
      bool const left = at.next++ == 0;
      Enter(at.place, left, level, &x);
      Enter(at.place, left, level, &z);
      open.push_back({tree_.nodes[at.place].left + (left ? 0U : 1U), 0});
    }
  }

 private:
  // The patterns of a block by level.
  struct Side {
    Side(RowBlock const& block, std::size_t levels, std::size_t num_words)
        : rows(block), words(num_words), bits(levels * num_words * block.Rows()) {}
    std::size_t LevelSize() const { return words * rows.Rows(); }
    PatternView At(std::size_t level) const { return {bits.data() + level * LevelSize(), rows.Rows(), words}; }

    RowBlock const& rows;
    std::size_t words;
    std::vector<std::uint64_t> bits;
  };
  struct Open {
    std::uint32_t place;
    int next;
  };

  // The patterns of the children's level: those of the node, with what its split says on one side.
  void Enter(std::uint32_t place, bool left, std::size_t level, Side* side) const {
    PackedNode const& node = tree_.nodes[place];
    std::size_t const bit = position_[FeatureOfCell(node.cell, features_)] - 1;
    std::size_t const count = side->rows.Rows();
    std::uint64_t const* const from = side->bits.data() + level * side->LevelSize();
    std::uint64_t* const to = side->bits.data() + (level + 1) * side->LevelSize();
    std::copy_n(from, side->LevelSize(), to);
    std::uint64_t const mask = std::uint64_t{1} << bit % kWordBits;
    std::uint64_t* const word = to + bit / kWordBits * count;
    for (std::size_t row = 0; row < count; ++row) {
      float const x = side->rows.Row(row)[node.cell * kGroupRows];
      word[row] &= GoesLeft(tree_, node, x) == left ? ~std::uint64_t{0} : ~mask;
    }
  }

  PackedTree const& tree_;
  std::size_t features_;
  std::size_t levels_;
  std::vector<std::uint32_t> path_;      // distinct features
  std::vector<std::uint32_t> position_;  // by feature: one more than its place in path_, 0 if it is not there
};

// The background.
struct Others {
  RowBlock rows;
  std::vector<double> weights;
};

// `sums`: rows x outputs, by used feature. `all_rows`: those of the call, as how a task's rows are shared out must not
// decide how a leaf is computed.
void AddTree(Forest const& forest, std::size_t tree_number, RowBlock const& rows, Others const& background,
             std::size_t all_rows, MatrixView<double> sums) {
  PackedTree const& tree = forest.At(tree_number);
  PatternWalk walk(tree, forest.Features().size());
  std::vector<std::pair<std::size_t, double>> values;  // that a leaf gives to outputs
  walk.Run(rows, background.rows, [&](NodeId leaf, auto const& features, PatternView x, PatternView z) {
    if (features.empty()) return;
    values.clear();
    forest.ForEachOutput(tree_number, [&](std::size_t output, std::size_t own, double weight) {
      values.emplace_back(output, weight * static_cast<double>(tree.tree->Value(leaf)[own]));
    });
    LeafShares shares(z, features.size(), std::min(all_rows, kMostPairRows), background.weights);
    for (std::size_t row = 0; row < x.rows; ++row) {
      Span<double const> const of_row = shares.Of(x, row);
      for (auto const& [output, value] : values) {
        double* const to = sums.Row(row * forest.Outputs() + output).data();
        for (std::size_t i = 0; i < of_row.size(); ++i) to[features[i]] += value * of_row[i];
      }
    }
  });
}

// The mean of the trees over the background, by output.
std::vector<double> MeanOf(Forest const& forest, Others const& background, Context const& ctx) {
  auto const add = [&](std::size_t begin, std::size_t end, ExactSums* sums) {
    for (std::size_t row = begin; row < end; ++row) {
      for (std::size_t t = 0; t < forest.Size(); ++t) {
        PackedTree const& tree = forest.At(t);
        std::uint32_t place = 0;
        while (!IsLeaf(tree, place)) place = NextPlace(tree, place, background.rows.Row(row));
        Span<float const> const leaf = tree.tree->Value(tree.nodes[place].id);
        forest.ForEachOutput(t, [&](std::size_t output, std::size_t own, double weight) {
          (*sums)[output] += background.weights[row] * weight * static_cast<double>(leaf[own]);
        });
      }
    }
  };
  auto means = ReduceRows(ctx, background.rows.Rows(), ExactSums(forest.Outputs()), add).Values();
  double const total = std::accumulate(background.weights.begin(), background.weights.end(), 0.0);
  for (double& mean : means) mean /= total;
  return means;
}

}  // namespace

void AddInterventional(Model const& model, FeatureMatrix const& features, Background const& background,
                       RoundRange trees, Context const& ctx, MatrixView<float> out) {
  if (model.linear) return AddLinearInterventional(model, features, background, ctx, out);
  Forest const forest(model, trees);
  auto const& used = forest.Features();
  std::size_t const count = background.rows.Rows();
  Others const others{RowBlock(background.rows, used, 0, count, 0), WholeWeights(background.weights, count)};
  std::vector<double> const means = MeanOf(forest, others, ctx);
  std::size_t const width = out.columns() / forest.Outputs();
  std::size_t const bytes = (forest.Outputs() * used.size() + forest.Depth() + 1) * sizeof(double);
  std::size_t const block = RowsOfTask(ctx, features.Rows(), bytes);
  ParallelTasks(ctx, (features.Rows() + block - 1) / block, [&](std::size_t task, int) {
    std::size_t const begin = task * block, end = std::min(features.Rows(), begin + block);
    RowBlock const rows(features, used, begin, end, 0);
    Matrix<double> sums(rows.Rows() * forest.Outputs(), used.size());
    for (std::size_t t = 0; t < forest.Size(); ++t) {
      CheckInterrupt(ctx);
      AddTree(forest, t, rows, others, features.Rows(), sums.View());
    }
    for (std::size_t row = 0; row < rows.Rows(); ++row) {
      for (std::size_t output = 0; output < forest.Outputs(); ++output) {
        forest.AddSums([own = sums.View().Row(row * forest.Outputs() + output)](std::size_t i) { return own[i]; },
                       means[output], out.Row(begin + row).Sub(output * width, width));
      }
    }
  });
}

}  // namespace xgbl
