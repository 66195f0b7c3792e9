// SPDX-License-Identifier: Apache-2.0
// Shapley values by their definitions, in long double: slow, and nothing like the code under test.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "predict/sample_rows.h"

namespace xgbl {

using Exact = long double;
using Row = float const*;

/// What a tree gives if only the features of a set are known.
using Game = std::function<Exact(std::size_t known)>;

inline bool GoesLeft(Tree const& tree, NodeId node, float x) {
  return std::isnan(x) ? tree.default_left[Tree::At(node)] != 0 : tree.GoesLeft(node, x);
}

/// By covers.
inline Exact MeanBelow(Tree const& tree, Row x, std::size_t known, NodeId node = 0) {
  if (tree.IsLeaf(node)) return tree.value[Tree::At(node)];
  std::size_t const i = Tree::At(node);
  NodeId const left = tree.left[i], right = tree.right[i];
  if ((known >> tree.feature[i] & 1U) != 0) {
    return MeanBelow(tree, x, known, GoesLeft(tree, node, x[tree.feature[i]]) ? left : right);
  }
  Exact const all = tree.cover[i];
  return MeanBelow(tree, x, known, left) * (Exact{tree.cover[Tree::At(left)]} / all) +
         MeanBelow(tree, x, known, right) * (Exact{tree.cover[Tree::At(right)]} / all);
}

/// With unknown features from each row of `background`.
inline Exact MeanOver(Tree const& tree, Row x, Table const& background, std::size_t known) {
  Exact sum = 0;
  for (std::size_t other = 0; other < background.rows; ++other) {
    NodeId const leaf = tree.LeafOf([&](std::uint32_t f) {
      return (known >> f & 1U) != 0 ? x[f] : background.values[other * background.columns + f];
    });
    sum += tree.value[Tree::At(leaf)];
  }
  return sum / static_cast<Exact>(background.rows);
}

inline std::size_t SetSize(std::size_t set) {
  std::size_t size = 0;
  for (; set != 0; set >>= 1U) size += set & 1U;
  return size;
}

inline Exact Factorial(std::size_t n) { return n == 0 ? 1 : static_cast<Exact>(n) * Factorial(n - 1); }

/// The Shapley value of a feature, over all subsets of the others.
inline Exact Shapley(Game const& game, std::size_t features, std::size_t feature) {
  Exact sum = 0;
  for (std::size_t set = 0; set < std::size_t{1} << features; ++set) {
    if ((set >> feature & 1U) != 0) continue;
    Exact const ways = Factorial(SetSize(set)) * Factorial(features - SetSize(set) - 1);
    sum += ways / Factorial(features) * (game(set | std::size_t{1} << feature) - game(set));
  }
  return sum;
}

/// Half the Shapley interaction index of two features.
inline Exact HalfInteraction(Game const& game, std::size_t features, std::size_t a, std::size_t b) {
  Exact sum = 0;
  std::size_t const bit_a = std::size_t{1} << a, bit_b = std::size_t{1} << b;
  for (std::size_t set = 0; set < std::size_t{1} << features; ++set) {
    if ((set & (bit_a | bit_b)) != 0) continue;
    Exact const ways = Factorial(SetSize(set)) * Factorial(features - SetSize(set) - 2) / Factorial(features - 1);
    sum += ways * (game(set | bit_a | bit_b) - game(set | bit_a) - game(set | bit_b) + game(set));
  }
  return sum / 2;
}

/// A feature's share and whether a row goes along, on the way to a leaf.
using Path = std::map<std::uint32_t, std::pair<Exact, Exact>>;

/// The Shapley values of a tree of any depth, leaf by leaf: the coefficients of the product over the path's other
/// features say how many sets of each size leave what of the leaf's value.
inline void AddByLeaves(Tree const& tree, Row x, NodeId node, Path const& path, std::vector<Exact>* sums) {
  std::size_t const i = Tree::At(node);
  if (!tree.IsLeaf(node)) {
    bool const goes_left = GoesLeft(tree, node, x[tree.feature[i]]);
    for (NodeId const child : {tree.left[i], tree.right[i]}) {
      Path longer = path;
      auto& [share, along] = longer.try_emplace(tree.feature[i], 1, 1).first->second;
      share *= Exact{tree.cover[Tree::At(child)]} / Exact{tree.cover[i]};
      along *= (child == tree.left[i]) == goes_left ? 1 : 0;
      AddByLeaves(tree, x, child, longer, sums);
    }
    return;
  }
  for (auto const& [feature, own] : path) {
    std::vector<Exact> product{1};
    for (auto const& [other, factor] : path) {
      if (other == feature) continue;
      product.push_back(0);
      for (std::size_t k = product.size() - 1; k > 0; --k) {
        product[k] = product[k] * factor.first + product[k - 1] * factor.second;
      }
      product[0] *= factor.first;
    }
    Exact sum = 0;
    for (std::size_t k = 0; k < path.size(); ++k) {
      sum += product[k] * Factorial(k) * Factorial(path.size() - 1 - k) / Factorial(path.size());
    }
    (*sums)[feature] += Exact{tree.value[i]} * (own.second - own.first) * sum;
  }
}

/// Gives every node a cover that its children's add up to; some children have none.
inline void AddCovers(Tree* tree, std::uint64_t seed) {
  Random const random(seed, Purpose::kRows, 3);
  for (std::size_t i = tree->Size(); i-- > 0;) {
    bool const leaf = tree->left[i] == kNoNode;
    std::uint64_t const bits = random.Bits(i);
    if (leaf) tree->cover[i] = bits % 8 == 0 ? 0.0F : static_cast<float>(bits % 100) * 0.25F + 0.25F;
    if (!leaf) tree->cover[i] = tree->cover[Tree::At(tree->left[i])] + tree->cover[Tree::At(tree->right[i])];
    if (!leaf && tree->cover[i] == 0) {
      tree->cover[Tree::At(tree->left[i])] = tree->cover[i] = 1;
    }
  }
}

/// With leaves of both signs.
inline Tree CoveredTree(std::uint64_t seed, int splits, std::uint32_t columns, bool chain = false) {
  Tree tree = RandomTree(seed, splits, columns, chain);
  for (std::size_t i = 0; i < tree.Size(); ++i) tree.value[i] = i % 2 == 0 ? tree.value[i] : -tree.value[i];
  AddCovers(&tree, seed);
  return tree;
}

}  // namespace xgbl
