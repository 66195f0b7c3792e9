// SPDX-License-Identifier: Apache-2.0
// Rows with odd values, and trees of random shape to send them through.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "base/random.h"
#include "ingest/feature_matrix.h"
#include "model/sample_models.h"
#include "tree/tree.h"

namespace xgbl {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Table {
  std::vector<float> values;
  std::size_t rows;
  std::size_t columns;

  FeatureMatrix ByRow(float missing = kMissing) const {
    DenseTable table;
    table.data = values.data();
    table.rows = rows;
    table.columns = columns;
    table.row_stride = static_cast<std::ptrdiff_t>(columns);
    table.column_stride = 1;
    table.missing = missing;
    return FeatureMatrix(table);
  }
  FeatureMatrix Sparse() const {
    SparseRows sparse;
    sparse.columns = columns;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!std::isnan(values[i])) {
        sparse.column.push_back(static_cast<std::uint32_t>(i % columns));
        sparse.value.push_back(values[i]);
      }
      if ((i + 1) % columns == 0) sparse.row_begin.push_back(sparse.value.size());
    }
    return FeatureMatrix(std::move(sparse));
  }
};

// Numbers, categories, missing, infinite and denormal values.
inline Table RandomTable(std::size_t rows, std::size_t columns) {
  Random const random(7, Purpose::kRows, 1);
  std::vector<float> const odd = {kMissing, kInfinity, -kInfinity, 1e-45F, -0.0F, 3.4e38F, -7};
  Table table{{}, rows, columns};
  for (std::size_t i = 0; i < rows * columns; ++i) {
    std::uint64_t const bits = random.Bits(i);
    bool const is_odd = bits % 4 == 0;
    table.values.push_back(is_odd ? odd[(bits >> 8U) % odd.size()] : static_cast<float>((bits >> 8U) % 12) * 0.5F);
  }
  return table;
}

// A tree of random shape, some of its nodes on categories.
inline Tree RandomTree(std::uint64_t seed, int splits, std::uint32_t columns, bool chain) {
  Random const random(seed, Purpose::kRows, 2);
  Tree tree;
  std::vector<NodeId> leaves{tree.AddNode(kNoNode)};
  std::vector<bool> on_categories;
  for (int i = 0; i < splits; ++i) {
    std::uint64_t const bits = random.Bits(static_cast<std::uint64_t>(i));
    std::size_t const place = chain ? leaves.size() - 1 : bits % leaves.size();
    NodeId const node = leaves[place];
    auto const feature = static_cast<std::uint32_t>((bits >> 20U) % columns);
    NodeId const left =
        tree.Split(node, feature, static_cast<float>((bits >> 30U) % 12) * 0.5F, (bits >> 40U) % 2 == 0);
    tree.categorical[Tree::At(node)] = (bits >> 41U) % 3 == 0 ? 1 : 0;
    leaves[place] = left;
    leaves.push_back(left + 1);
  }
  tree.category_begin = {0};
  for (std::size_t i = 0; i < tree.Size(); ++i) {
    if (tree.categorical[i] != 0) tree.category.insert(tree.category.end(), {1, static_cast<int>(2 + i % 3), 5});
    tree.category_begin.push_back(tree.category.size());
    tree.value[i] = static_cast<float>(i) * 0.37F;
  }
  return tree;
}

inline Tree WithoutCategories(Tree tree) {
  std::fill(tree.categorical.begin(), tree.categorical.end(), std::uint8_t{0});
  tree.category.clear();
  tree.category_begin.clear();
  return tree;
}

// Trees of one output after the other, every third with vector leaves instead, that count for more or less; of five
// features.
inline Model ModelOfManyOutputs(std::uint64_t trees) {
  Model model = ModelOf({}, 3);
  model.num_features = 5;
  for (std::uint64_t seed = 0; seed < trees; ++seed) {
    Tree tree = RandomTree(seed, seed % 2 == 0 ? 20 : 300, 5, false);
    if (seed % 3 == 0) {
      tree.outputs = 3;
      tree.weight.resize(tree.Size() * 3);
      tree.value.resize(tree.Size() * 3);
      for (std::size_t i = 0; i < tree.value.size(); ++i) tree.value[i] = static_cast<float>(i) * 0.11F;
    }
    model.AppendRound({std::make_shared<Tree const>(std::move(tree))}, {static_cast<std::int32_t>(seed % 3)});
    model.tree_weights.push_back(0.3F + static_cast<float>(seed));
  }
  return model;
}

}  // namespace xgbl
