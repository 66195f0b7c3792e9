// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "model/xgboost_format.h"
#include "model/xgboost_schema.h"

namespace xgbl {
namespace {

// The version of xgboost whose schema this is: the first with leaf_weights. Every xgboost since 1.7 reads the files and
// goes by what is in them, not by this.
constexpr std::array<std::int64_t, 3> kSchemaVersion = {3, 2, 0};

// xgboost since 3.1 writes the intercept as a list, "[5E-1]", which older versions silently take for 0.5. A bare number
// is read by all, so a list is only written where the outputs differ, which older versions cannot express.
std::string BaseScoreText(std::vector<float> const& base_score) {
  if (base_score.empty()) return FloatText(0.5F);
  bool const one = std::all_of(base_score.begin(), base_score.end(), [&](float x) { return x == base_score[0]; });
  return one ? FloatText(base_score[0]) : WriteJson(base_score);
}

Value SaveLearnerModel(Model const& model) {
  LearnerModelRecord record;
  record.base_score = BaseScoreText(model.base_score);
  // Says whether training may still choose the intercept, which it does before the first round.
  record.boost_from_average = model.base_score.empty() || model.Rounds() > 0 ? 1 : 0;
  record.num_class = model.num_class;
  record.num_feature = static_cast<std::int64_t>(model.num_features);
  // Readers take the larger of classes and targets for the number of outputs; quantiles count as targets.
  record.num_target =
      std::max(model.num_class, model.num_target) >= model.num_outputs ? model.num_target : model.num_outputs;
  return Save(record);
}

// xgboost writes these lists item by item, unlike those within trees.
template <class T>
Value PlainArray(std::vector<T> const& numbers) {
  Value::Array out;
  for (T const number : numbers) out.emplace_back(static_cast<std::int64_t>(number));
  return out;
}

Value TextArray(std::vector<std::string> const& texts) { return Value::Array(texts.begin(), texts.end()); }

Value SaveForest(Model const& model) {
  ForestRecord record;
  record.num_parallel_tree = model.num_parallel_tree;
  record.num_trees = static_cast<std::int64_t>(model.trees.size());
  Value::Array trees;
  for (std::size_t i = 0; i < model.trees.size(); ++i) {
    trees.push_back(SaveTree(*model.trees[i], i, model.num_features));
  }
  Value::Object forest;
  forest.emplace("cats", SaveCategories(model.categories));
  forest.emplace("gbtree_model_param", Save(record));
  forest.emplace("iteration_indptr", PlainArray(model.round_begin));
  forest.emplace("tree_info", PlainArray(model.tree_output));
  forest.emplace("trees", std::move(trees));
  Value::Object booster;
  booster.emplace("model", std::move(forest));
  booster.emplace("name", "gbtree");
  return booster;
}

// Linear models: the member `gradient_booster` of a model whose booster is gblinear.
Value SaveLinear(LinearModel const& linear) {
  Value::Object model;
  model.emplace("boosted_rounds", static_cast<std::int64_t>(linear.rounds));
  model.emplace("weights", linear.weights);
  Value::Object booster;
  booster.emplace("model", std::move(model));
  booster.emplace("name", "gblinear");
  return booster;
}

// Trees with weights stand within a booster called dart, which xgboost reads in all its versions; since 3.4 it writes
// the weights beside the trees, where older ones do not look.
Value SaveBooster(Model const& model) {
  if (model.linear) return SaveLinear(*model.linear);
  Value forest = SaveForest(model);
  if (model.tree_weights.empty()) return forest;
  Value::Array weights;  // not a typed array, which xgboost does not take here
  for (float const weight : model.tree_weights) weights.emplace_back(weight);
  Value::Object booster;
  booster.emplace("gbtree", std::move(forest));
  booster.emplace("name", "dart");
  booster.emplace("weight_drop", std::move(weights));
  return booster;
}

Value SaveDocument(Model const& model) {
  Value::Object learner;
  learner.emplace("attributes", SaveAttributes(model));
  learner.emplace("feature_names", TextArray(model.feature_names));
  learner.emplace("feature_types", TextArray(model.feature_types));
  learner.emplace("gradient_booster", SaveBooster(model));
  learner.emplace("learner_model_param", SaveLearnerModel(model));
  learner.emplace("objective", SaveObjective(model));
  Value::Object document;
  document.emplace("learner", std::move(learner));
  document.emplace("version", PlainArray(std::vector<std::int64_t>(kSchemaVersion.begin(), kSchemaVersion.end())));
  return document;
}

}  // namespace

std::string WriteModel(Model const& model, FileFormat format) {
  Value const document = SaveDocument(model);
  return format == FileFormat::kJson ? WriteJson(document) : WriteUbjson(document);
}

}  // namespace xgbl
