// SPDX-License-Identifier: Apache-2.0
#include "boost/combine.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "base/error.h"
#include "boost/leaf_values.h"
#include "boost/updaters.h"
#include "predict/predictor.h"

namespace xgbl {
namespace {

template <class T>
void CheckSame(char const* what, T const& first, T const& second) {
  Require<ParamError>(first == second || first.empty() || second.empty(), "The models differ in their ", what,
                      ", so that they cannot be merged.");
}

void CheckMergeable(Model const& first, Model const& second) {
  Require<ParamError>(!first.base_score.empty() && !second.base_score.empty(),
                      "A booster that was neither trained nor loaded cannot be merged.");
  Require<ParamError>(first.objective == second.objective, "Models to be merged must have one objective; got ",
                      first.objective, " and ", second.objective, ".");
  Require<ParamError>(first.num_outputs == second.num_outputs && first.num_features == second.num_features,
                      "Models to be merged must have the same features and outputs; got ", first.num_features, " and ",
                      second.num_features, " features, ", first.num_outputs, " and ", second.num_outputs, " outputs.");
  Require<ParamError>((first.linear == nullptr) == (second.linear == nullptr),
                      "A linear model and one of trees cannot be merged.");
  CheckSame("objective's parameters", first.objective_params, second.objective_params);
  CheckSame("feature names", first.feature_names, second.feature_names);
  CheckSame("feature types", first.feature_types, second.feature_types);
  CheckSame("categories", first.categories, second.categories);
}

// Codes are known if they are so of both models. One that began from the margins of the other needs none from outside.
TrainingFacts FactsOfBoth(TrainingFacts const& first, TrainingFacts const& second, bool both_begin) {
  TrainingFacts both;
  both.base_margin = first.base_margin || (both_begin && second.base_margin);
  for (auto const& [feature, codes] : first.codes) {
    auto const more = second.codes.find(feature);
    if (more != second.codes.end()) both.codes.emplace(feature, Union(codes, more->second));
  }
  return both;
}

bool AddsTo(Model const& model, std::size_t tree, std::size_t output) {
  bool const counts = model.TreeWeight(tree) > 0;
  return counts && (model.trees[tree]->outputs > 1 || model.tree_output[tree] == static_cast<std::int32_t>(output));
}

// Adds a constant to the leaves of the first tree of an output, which adds it to every margin.
void AddToFirstTree(std::size_t output, double constant, Model* model) {
  std::size_t t = 0;
  while (t < model->trees.size() && !AddsTo(*model, t, output)) ++t;
  Require<ParamError>(t < model->trees.size(), "The second model has no tree for output ", output,
                      " that could take its intercept. Pass `add_intercept=False`.");
  Tree tree = *model->trees[t];
  auto const outputs = static_cast<std::size_t>(tree.outputs);
  for (NodeId const node : ReachableNodes(tree)) {
    if (!tree.IsLeaf(node)) continue;
    float& value = tree.value[Tree::At(node) * outputs + (outputs > 1 ? output : 0)];
    value = static_cast<float>(double{value} + constant / double{model->TreeWeight(t)});
  }
  model->trees[t] = std::make_shared<Tree const>(std::move(tree));
}

std::shared_ptr<LinearModel const> SumOf(LinearModel const& first, LinearModel const& second,
                                         std::vector<double> const& intercept) {
  LinearModel sum = first;
  std::size_t const biases = sum.weights.size() - intercept.size();
  for (std::size_t i = 0; i < sum.weights.size(); ++i) {
    double const more = i < biases ? 0.0 : intercept[i - biases];
    sum.weights[i] = static_cast<float>(double{sum.weights[i]} + double{second.weights[i]} + more);
  }
  sum.rounds += second.rounds;
  return std::make_shared<LinearModel const>(std::move(sum));
}

void AppendAll(Model const& from, Model* to) {
  std::vector<float> weights;
  if (!from.tree_weights.empty() || !to->tree_weights.empty()) {
    for (Model const* part : {static_cast<Model const*>(to), &from}) {
      for (std::size_t t = 0; t < part->trees.size(); ++t) weights.push_back(part->TreeWeight(t));
    }
  }
  for (std::size_t round = 0; round < from.Rounds(); ++round) {
    auto const begin = static_cast<std::ptrdiff_t>(from.round_begin[round]);
    auto const end = static_cast<std::ptrdiff_t>(from.round_begin[round + 1]);
    to->AppendRound({from.trees.begin() + begin, from.trees.begin() + end},
                    {from.tree_output.begin() + begin, from.tree_output.begin() + end});
  }
  to->tree_weights = std::move(weights);
}

// The tree with leaves that lean towards what the data say.
Tree Refitted(LeafValueTask const& task, Tree const& old, std::size_t output, Gradients const& gradients,
              FeatureMatrix const& features, double decay) {
  Tree fresh = old;
  LeafRows rows = RowsByLeaf(old, features, task.ctx);
  RefreshTree(task.ctx, task.param, true, ColumnsOf(gradients.View(), output, old.outputs), {&rows}, &fresh);
  FitLeavesAnew(task, std::move(rows), output, &fresh);
  Tree tree = old;
  for (std::size_t i = 0; i < tree.value.size(); ++i) {
    tree.value[i] = static_cast<float>(decay * double{old.value[i]} + (1 - decay) * double{fresh.value[i]});
  }
  return tree;
}

}  // namespace

Model Merged(Learner const& first, Learner const& second, bool add_intercept) {
  CheckMergeable(first.GetModel(), second.GetModel());
  Model merged = first.GetModel(), other = second.GetModel();
  auto const outputs = static_cast<std::size_t>(other.num_outputs);
  Doubles const intercept = add_intercept ? second.Intercept(outputs) : Doubles(outputs, 0.0);
  merged.facts = FactsOfBoth(merged.facts, other.facts, add_intercept);
  merged.attributes.erase("best_iteration");  // they speak of the rounds of one model
  merged.attributes.erase("best_score");
  if (merged.linear) {
    merged.linear = SumOf(*merged.linear, *other.linear, intercept);
    return merged;
  }
  for (std::size_t k = 0; k < intercept.size(); ++k) {
    if (intercept[k] < 0 || intercept[k] > 0) AddToFirstTree(k, intercept[k], &other);
  }
  AppendAll(other, &merged);
  return merged;
}

Model Refitted(Learner const& learner, DMatrix const& data, double decay, Context const& ctx) {
  Require<ParamError>(decay >= 0 && decay <= 1, "`decay` must be from 0 to 1; got ", decay, ".");
  Model const& old = learner.GetModel();
  Require<ParamError>(learner.Started() && !old.linear, "Only a model of trees can be refitted.");
  Require<ParamError>(learner.GetKind().FollowsGradients(), "`booster` ", learner.GetSettings().boost.booster,
                      " follows labels, not gradients: its leaves cannot be refitted.");
  Require<DataError>(data.Rows() > 0, "`data` has no rows to refit the leaves to. Give some that have labels.");
  learner.CheckLabels(data);
  learner.CheckFeatures(data);
  data.CheckUnchanged(ctx);
  Model model = old.WithoutRounds();
  Matrix<float> margins = learner.StartMargins(data);
  Gradients gradients;
  gradients.Resize(margins.rows, margins.columns);
  ObjectiveState state = old.objective_state;
  TreeParam param = learner.GetSettings().Trees();
  param.learning_rate /= static_cast<double>(old.num_parallel_tree);
  for (std::size_t round = 0; round < old.Rounds(); ++round) {
    learner.GetObjective().Gradient({margins.View(), data.Info(), ctx, round, &state}, &gradients);
    std::size_t const begin = old.round_begin[round], end = old.round_begin[round + 1];
    std::vector<std::shared_ptr<Tree const>> trees;
    std::vector<std::int32_t> const outputs(old.tree_output.begin() + static_cast<std::ptrdiff_t>(begin),
                                            old.tree_output.begin() + static_cast<std::ptrdiff_t>(end));
    LeafValueTask const task{ctx, data.Info(), param, &learner.GetObjective(), margins, round, &state};
    for (std::size_t t = begin; t < end; ++t) {
      auto const output = static_cast<std::size_t>(old.tree_output[t]);
      trees.push_back(
          std::make_shared<Tree const>(Refitted(task, *old.trees[t], output, gradients, data.Features(), decay)));
    }
    model.AppendRound(std::move(trees), outputs);
    if (!old.tree_weights.empty()) {
      model.tree_weights.assign(old.tree_weights.begin(), old.tree_weights.begin() + static_cast<std::ptrdiff_t>(end));
    }
    AddMargins(model, data.Features(), {begin, end}, ctx, margins.View());
  }
  return model;
}

void RollBack(Model* model) {
  Require<ParamError>(model->Rounds() > 0, "The model has no round to take back.");
  Require<ParamError>(!model->linear && model->tree_weights.empty(),
                      "The last round cannot be taken back: it changed weights, and what they were is not kept.");
  std::size_t const left = model->Rounds() - 1;
  auto const before = model->earlier_states.extract(left);
  if (!before.empty()) model->objective_state = before.mapped();
  *model = left > 0 ? model->Slice(0, left, 1) : model->WithoutRounds();
}

void SetLeaf(Model* model, std::size_t tree, NodeId leaf, std::vector<float> const& values) {
  Require<ParamError>(tree < model->trees.size(), "`tree_id` must be below ", model->trees.size(), "; got ", tree, ".");
  Tree const& old = *model->trees[tree];
  auto const nodes = ReachableNodes(old);
  bool const is_leaf = std::find(nodes.begin(), nodes.end(), leaf) != nodes.end() && old.IsLeaf(leaf);
  Require<ParamError>(is_leaf, "`leaf_id` must be the number of a leaf of tree ", tree, "; got ", leaf, ".");
  bool const finite = std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
  Require<ParamError>(finite && values.size() == static_cast<std::size_t>(old.outputs),
                      "`value` must be a finite float32 for each of the ", old.outputs, " outputs of the tree.");
  Tree changed = old;
  std::copy(values.begin(), values.end(),
            changed.value.begin() + static_cast<std::ptrdiff_t>(Tree::At(leaf) * values.size()));
  model->trees[tree] = std::make_shared<Tree const>(std::move(changed));
}

}  // namespace xgbl
