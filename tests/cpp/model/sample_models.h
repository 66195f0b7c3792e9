// SPDX-License-Identifier: Apache-2.0
// Small models for tests: one tree or a few, with every kind of node.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/model.h"

namespace xgbl {

/// Three features; the root splits on the second, its left child on categories {1, 3} of the third.
inline Tree SampleTree() {
  Tree tree;
  tree.AddNode(kNoNode);
  NodeId const left = tree.Split(0, 1, 0.5F, true);
  tree.Split(left, 2, 0.0F, false);
  tree.categorical[1] = 1;
  tree.category = {1, 3};
  tree.category_begin = {0, 0, 2, 2, 2, 2};
  tree.gain = {12.5F, 3.25F, 0, 0, 0};
  tree.cover = {10, 6, 4, 2.5F, 3.5F};
  tree.weight = {0.25F, -0.125F, 0.5F, 1.5F, -2};
  tree.value = {0, 0, 0.05F, 0.15F, -0.2F};
  return tree;
}

inline Tree VectorTree() {
  Tree tree;
  tree.outputs = 2;
  tree.AddNode(kNoNode);
  tree.Split(0, 0, 1.0F, false);
  tree.weight = {1, 2, 3, 4, 5, 6};
  tree.value = {0, 0, 0.5F, -0.5F, 1.5F, -1.5F};
  return tree;
}

inline Tree LeafTree(float value) {
  Tree tree;
  tree.AddNode(kNoNode);
  tree.value[0] = value;
  return tree;
}

inline Model ModelOf(std::vector<Tree> trees, int outputs = 1) {
  Model model;
  model.num_features = 3;
  model.num_outputs = model.num_target = outputs;
  model.base_score = {0.5F};
  for (auto& tree : trees) model.AppendRound({std::make_shared<Tree const>(std::move(tree))}, {0});
  return model;
}

/// A model with something in every field of a file.
inline Model FullModel() {
  Model model = ModelOf({SampleTree(), LeafTree(-1e-45F)});
  model.objective = "binary:logistic";
  model.objective_params = {{"scale_pos_weight", "2"}};
  model.base_score = {0.25F};
  model.feature_names = {"a b", "quote\"", "\xC3\xA9"};
  model.feature_types = {"float", "int", "c"};
  model.categories.resize(3);
  model.categories[2].names = {"zeta", "", "\xC3\xA9", "alpha"};
  model.attributes = {{"best_iteration", "1"}, {"note", "line\nbreak \x01"}};
  return model;
}

inline Model VectorModel() {
  Model model = ModelOf({VectorTree(), VectorTree()}, 2);
  model.base_score = {0.5F, -1.25F};
  return model;
}

/// Trees that count for more or less.
inline Model WeightedModel() {
  Model model = ModelOf({SampleTree(), LeafTree(4), LeafTree(-3)});
  model.tree_weights = {0.3F, 2.0F, 1.0F};
  return model;
}

inline Model LinearSample(int outputs = 1) {
  Model model = ModelOf({}, outputs);
  model.base_score = {0.25F};
  LinearModel linear;
  linear.rounds = 7;
  for (int i = 0; i < 4 * outputs; ++i) linear.weights.push_back(0.5F - 0.25F * static_cast<float>(i));
  model.linear = std::make_shared<LinearModel const>(std::move(linear));
  return model;
}

inline std::string Replaced(std::string text, std::string const& from, std::string const& to) {
  auto const place = text.find(from);
  return place == std::string::npos ? text : text.replace(place, from.size(), to);
}

}  // namespace xgbl
