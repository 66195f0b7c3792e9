// SPDX-License-Identifier: Apache-2.0
// Small training sets, and trees grown on them, for the tests of this layer.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/random.h"
#include "data/dmatrix.h"
#include "tree/grow.h"

namespace xgbl {

struct Sample {
  std::shared_ptr<DMatrix> data;
  std::vector<float> gradient, hessian;
};

inline std::shared_ptr<DMatrix> DenseMatrix(std::vector<float> values, std::size_t columns) {
  auto owned = std::make_shared<std::vector<float>>(std::move(values));
  DenseTable table;
  table.data = owned->data();
  table.columns = columns;
  table.rows = owned->size() / columns;
  table.row_stride = static_cast<std::ptrdiff_t>(columns);
  table.column_stride = 1;
  table.owner = owned;
  return std::make_shared<DMatrix>(FeatureMatrix(table), Meta{});
}

/// Values on a grid of `levels` (so that there are ties), a share of them missing; gradients that depend on them.
inline Sample RandomSample(std::uint64_t seed, std::size_t rows, std::size_t columns, int levels, double missing) {
  Random const random(seed, Purpose::kRows, 0);
  Sample sample;
  std::vector<float> values(rows * columns);
  for (std::size_t i = 0; i < values.size(); ++i) {
    bool const absent = random.Uniform(2 * i) < missing;
    values[i] =
        absent ? kMissing : std::floor(static_cast<float>(random.Uniform(2 * i + 1)) * static_cast<float>(levels));
  }
  for (std::size_t row = 0; row < rows; ++row) {
    float const first = std::isnan(values[row * columns]) ? 1.0F : values[row * columns];
    double const noise = random.Uniform(1'000'000'000 + row) - 0.5;
    sample.gradient.push_back(static_cast<float>(noise) * 3 + (first > static_cast<float>(levels) / 3 ? 1.0F : -1.0F));
    sample.hessian.push_back(static_cast<float>(0.1 + random.Uniform(2'000'000'000 + row)));
  }
  sample.data = DenseMatrix(std::move(values), columns);
  return sample;
}

inline GrownTree PrepareAndGrow(TreeTask task, TreeMethod const& method, bool prune = true) {
  std::vector<TreeTask> tasks;
  tasks.push_back(std::move(task));
  method.Prepare(&tasks);
  return GrowTree(std::move(tasks[0]), method, prune);
}

inline GrownTree Grow(Sample const& sample, TreeParam const& param, int threads = 1, TreeKey key = {},
                      bool prune = true, std::string const& tree_method = "exact") {
  Context ctx;
  ctx.threads = threads;
  auto const method = Registry<TreeMethod>::Get().At(tree_method, "tree method").make();
  std::vector<OutputGradients> const gradients{
      {sample.gradient.data(), sample.hessian.data(), sample.gradient.size(), 1}};
  RowSample const rows = SampleRows(param, key, gradients, ctx);
  return PrepareAndGrow({ctx, *sample.data, param, rows, gradients, key}, *method, prune);
}

/// The leaf of each row.
inline std::vector<NodeId> LeafOfRow(GrownTree const& grown) {
  std::vector<NodeId> leaf_of_row(grown.rows.sampled.rows.size() + grown.rows.others.rows.size(), kNoNode);
  for (LeafRows const* part : {&grown.rows.sampled, &grown.rows.others}) {
    for (auto const& leaf : part->leaves) {
      for (std::size_t i = leaf.begin; i < leaf.end; ++i) leaf_of_row[part->rows[i]] = leaf.node;
    }
  }
  return leaf_of_row;
}

/// Everything that tells two trees apart.
inline bool SameTree(Tree const& a, Tree const& b) {
  return a.left == b.left && a.right == b.right && a.feature == b.feature && a.threshold == b.threshold &&
         a.default_left == b.default_left && a.gain == b.gain && a.cover == b.cover && a.value == b.value;
}

}  // namespace xgbl
