// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "explain/background.h"
#include "explain/explain.h"
#include "explain/forest.h"
#include "explain/linear.h"
#include "explain/pattern_walk.h"
#include "explain/row_block.h"
#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

constexpr std::size_t kMostPairRows = 2048;
constexpr std::size_t kTaskBytes = std::size_t{1} << 26U;

std::size_t RowsOfTask(Context const& ctx, std::size_t rows, std::size_t bytes_per_row) {
  std::size_t const share = rows / static_cast<std::size_t>(ctx.threads) + 1;
  return std::clamp<std::size_t>(std::min(share, kTaskBytes / std::max<std::size_t>(1, bytes_per_row)), 1,
                                 kMostPairRows);
}

// Sums of a block's rows: rows x outputs x used features.
class BlockSums {
 public:
  BlockSums(Forest const& forest, std::size_t rows)
      : outputs_(forest.Outputs()), used_(forest.Features().size()), sums_(rows * outputs_ * used_) {}
  double* Of(std::size_t row, std::size_t output) { return sums_.data() + (row * outputs_ + output) * used_; }

 private:
  std::size_t outputs_;
  std::size_t used_;
  std::vector<double> sums_;
};

// What a leaf gives to one output.
struct LeafValue {
  std::size_t output;
  double value;
};

// The background.
struct Others {
  RowBlock rows;
  Span<float const> weights;
};

// `all_rows`: those of the call, as how a task's rows are shared out must not decide how a leaf is computed.
void AddTree(Forest const& forest, std::size_t tree_number, RowBlock const& rows, Others const& background,
             std::size_t all_rows, BlockSums* sums) {
  PackedTree const& tree = forest.At(tree_number);
  PatternWalk walk(tree, forest.Features().size());
  std::vector<LeafValue> values;
  walk.Run(rows, background.rows, [&](NodeId leaf, auto const& features, PatternView x, PatternView z) {
    if (features.empty()) return;
    values.clear();
    forest.ForEachOutput(tree_number, [&](std::size_t output, std::size_t own, double weight) {
      values.push_back({output, weight * static_cast<double>(tree.tree->Value(leaf)[own])});
    });
    LeafShares shares(z, features.size(), std::min(all_rows, kMostPairRows), background.weights);
    for (std::size_t row = 0; row < x.rows; ++row) {
      Span<double const> const of_row = shares.Of(x, row);
      for (auto const& [output, value] : values) {
        double* const to = sums->Of(row, output);
        for (std::size_t i = 0; i < of_row.size(); ++i) to[features[i]] += value * of_row[i];
      }
    }
  });
}

// The mean of the trees over the background, by output.
std::vector<double> MeanOf(Forest const& forest, Others const& background) {
  std::vector<double> means(forest.Outputs());
  for (std::size_t t = 0; t < forest.Size(); ++t) {
    PackedTree const& tree = forest.At(t);
    for (std::size_t row = 0; row < background.rows.Rows(); ++row) {
      Span<float const> const leaf = tree.tree->Value(LeafOf(tree, background.rows, row));
      double const of_row = WeightOf(background.weights, row);
      forest.ForEachOutput(t, [&](std::size_t output, std::size_t own, double weight) {
        means[output] += of_row * weight * static_cast<double>(leaf[own]);
      });
    }
  }
  double const total = TotalWeight(background.weights, background.rows.Rows());
  for (double& mean : means) mean /= total;
  return means;
}

}  // namespace

void AddInterventional(Model const& model, FeatureMatrix const& features, Background const& background,
                       RoundRange trees, Context const& ctx, MatrixView<float> out) {
  if (model.linear) return AddLinearInterventional(model, features, background, ctx, out);
  Forest const forest(model, trees);
  auto const& used = forest.Features();
  Others const others{RowBlock(background.rows, used, 0, background.rows.Rows(), 0), background.weights};
  std::vector<double> const means = MeanOf(forest, others);
  std::size_t const width = out.columns() / forest.Outputs();
  std::size_t const bytes = (forest.Outputs() * used.size() + forest.Depth() + 1) * sizeof(double);
  std::size_t const block = RowsOfTask(ctx, features.Rows(), bytes);
  ParallelTasks(ctx, (features.Rows() + block - 1) / block, [&](std::size_t task, int) {
    std::size_t const begin = task * block, end = std::min(features.Rows(), begin + block);
    RowBlock const rows(features, used, begin, end, 0);
    BlockSums sums(forest, rows.Rows());
    for (std::size_t t = 0; t < forest.Size(); ++t) {
      CheckInterrupt(ctx);
      AddTree(forest, t, rows, others, features.Rows(), &sums);
    }
    for (std::size_t row = 0; row < rows.Rows(); ++row) {
      for (std::size_t output = 0; output < forest.Outputs(); ++output) {
        float* const to = &out(begin + row, output * width);
        for (std::size_t i = 0; i < used.size(); ++i) to[used[i]] += static_cast<float>(sums.Of(row, output)[i]);
        to[width - 1] = static_cast<float>(static_cast<double>(to[width - 1]) + means[output]);
      }
    }
  });
}

}  // namespace xgbl
