// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "base/error.h"
#include "base/numbers.h"
#include "model/lightgbm.h"
#include "model/xgboost_format.h"
#include "model/xgboost_schema.h"

namespace xgbl {
namespace {

bool LooksLikeJson(std::string_view bytes) {
  // Behind the brace JSON has a blank, a key in quotes or the end; UBJSON has the marker of a length.
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (bytes.substr(0, kByteOrderMark.size()) == kByteOrderMark) return true;
  constexpr std::string_view kBlank = " \t\r\n";
  std::size_t const first = bytes.find_first_not_of(kBlank);
  if (first != 0) return first != std::string_view::npos && bytes[first] == '{';
  return bytes.size() > 1 && bytes[0] == '{' &&
         (bytes[1] == '"' || bytes[1] == '}' || kBlank.find(bytes[1]) != kBlank.npos);
}

Value Parse(std::string_view bytes) {
  Require<ModelError>(!bytes.empty(), "The model file is empty. Save the model anew.");
  if (LooksLikeJson(bytes)) return ParseJson(bytes);
  Require<ModelError>(bytes[0] == '{',
                      "This is not a model in JSON or UBJSON, which begin with `{`, nor LightGBM's text. Models in "
                      "xgboost's old binary "
                      "format must be loaded with a version of xgboost below 3.1 and saved as .json or .ubj.");
  return ParseUbjson(bytes);
}

std::vector<float> LoadBaseScore(Field const& param, std::string const& text, std::size_t outputs) {
  std::vector<float> scores;
  if (!text.empty() && text.front() == '[') {
    Value list = ParseJson(text);
    scores = Field(&list).NumbersOf<float>();
  } else {
    scores = {param["base_score"].Real()};
  }
  bool const finite = std::all_of(scores.begin(), scores.end(), [](float x) { return std::isfinite(x); });
  if (!finite || (scores.size() != 1 && scores.size() != outputs)) {
    param.Fail(Text("must have a finite base_score, or one for each of ", outputs, " outputs; got ", text));
  }
  return scores;
}

void LoadLearnerModel(Field const& param, LearnerModelRecord const& record, Model* model) {
  std::int64_t const outputs = std::max({std::int64_t{1}, record.num_class, record.num_target});
  if (outputs > kMaxOutputs) param.Fail(Text("asks for ", outputs, " outputs; at most ", kMaxOutputs, " are allowed"));
  model->num_features = static_cast<std::size_t>(record.num_feature);
  model->num_outputs = static_cast<int>(outputs);
  model->num_class = static_cast<int>(record.num_class);
  model->num_target = static_cast<int>(std::max(std::int64_t{1}, record.num_target));
  model->base_score = LoadBaseScore(param, record.base_score, static_cast<std::size_t>(outputs));
}

// Files before 2.0 do not say where rounds begin: one has num_parallel_tree trees for each output.
std::vector<std::size_t> LoadRounds(Field const& forest, std::size_t per_round, std::size_t trees) {
  std::vector<std::size_t> begin{0};
  if (!forest.Has("iteration_indptr") || (trees == 0 && forest["iteration_indptr"].Size() == 0)) {
    while (begin.back() < trees) begin.push_back(std::min(trees, begin.back() + per_round));
    return begin;
  }
  auto const rounds = forest["iteration_indptr"].NumbersOf<std::int64_t>();
  bool const whole = !rounds.empty() && rounds.front() == 0 && std::is_sorted(rounds.begin(), rounds.end()) &&
                     rounds.back() == static_cast<std::int64_t>(trees);
  if (!whole) forest.Fail(Text("must have an iteration_indptr that rises from 0 to the ", trees, " trees"));
  begin.assign(rounds.begin(), rounds.end());
  return begin;
}

// The weights that dart gives to trees; none if all are 1.
Numbers<float> LoadTreeWeights(Field const& booster, Field const& forest, std::size_t trees) {
  // Up to 3.2 at least they stand beside the forest, and the booster is called dart; 3.4 has them within it.
  Field const holder = booster.Has("weight_drop") ? booster : forest;
  if (!holder.Has("weight_drop")) return {};
  auto weights = holder["weight_drop"].NumbersOf<float>();
  bool const finite = std::all_of(weights.begin(), weights.end(), [](float w) { return std::isfinite(w) && w >= 0; });
  if (weights.size() != trees || !finite) {
    holder.Fail(Text("must have a finite weight_drop >= 0 for each of ", trees, " trees"));
  }
  bool const plain = std::all_of(weights.begin(), weights.end(), [](float w) { return !(w < 1) && !(w > 1); });
  return plain ? Numbers<float>() : weights;
}

void LoadTrees(Field const& booster, Field const& forest, Model* model) {
  auto const record = Load<ForestRecord>(forest["gbtree_model_param"]);
  Field const trees = forest["trees"];
  std::size_t const count = trees.Size();
  model->tree_output = forest["tree_info"].NumbersOf<std::int32_t>();
  if (static_cast<std::size_t>(record.num_trees) != count || model->tree_output.size() != count) {
    forest.Fail(Text("must have `num_trees` = ", record.num_trees, " trees and as many items in tree_info"));
  }
  model->tree_weights = LoadTreeWeights(booster, forest, count);
  for (std::size_t i = 0; i < count; ++i) {
    Field const item = trees.Item(i);
    auto tree = std::make_shared<Tree>(LoadTree(item, model->num_features));
    bool const known = model->tree_output[i] >= 0 && model->tree_output[i] < model->num_outputs;
    if (!known || (tree->outputs != 1 && tree->outputs != model->num_outputs)) {
      item.Fail(Text("must add to the model's ", model->num_outputs, " outputs, or to one of them"));
    }
    model->trees.push_back(std::move(tree));
  }
  constexpr std::int64_t kMax = std::numeric_limits<int>::max();
  model->num_parallel_tree = static_cast<int>(std::clamp(record.num_parallel_tree, std::int64_t{1}, kMax));
  auto const outputs = static_cast<std::size_t>(model->num_outputs);
  model->round_begin = LoadRounds(forest, outputs * static_cast<std::size_t>(model->num_parallel_tree), count);
}

LinearModel LoadLinear(Field const& booster, std::size_t num_features, std::size_t num_outputs) {
  Field const model = booster["model"];
  LinearModel linear;
  linear.weights = model["weights"].NumbersOf<float>();
  std::size_t const expected = (num_features + 1) * num_outputs;
  if (linear.weights.size() != expected) {
    model.Fail(Text("must have ", expected, " weights, for ", num_features, " features and the bias, ", num_outputs,
                    " each; it has ", linear.weights.size()));
  }
  bool const finite =
      std::all_of(linear.weights.begin(), linear.weights.end(), [](float w) { return std::isfinite(w); });
  if (!finite) model.Fail("must have finite weights");
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  // Files before 1.4 do not count rounds.
  bool const counted = model.Has("boosted_rounds");
  linear.rounds = counted ? static_cast<std::size_t>(model["boosted_rounds"].Whole(0, kMost)) : 1;
  return linear;
}

void LoadBooster(Field const& booster, Model* model) {
  std::string const name = booster["name"].Text();
  if (name == "gblinear") {
    auto const outputs = static_cast<std::size_t>(model->num_outputs);
    model->base_score.resize(1);  // xgboost's linear models use the first one for all outputs
    LinearModel linear = LoadLinear(booster, model->num_features, outputs);
    if (linear.rounds > 0) model->linear = std::make_shared<LinearModel const>(std::move(linear));
    return;
  }
  if (name != "gbtree" && name != "dart") booster.Fail(Text("must have the name gbtree, dart or gblinear; got ", name));
  Field const holder = booster.Has("gbtree") ? booster["gbtree"] : booster;
  Field const forest = holder["model"];
  LoadTrees(booster, forest, model);
  if (forest.Has("cats")) model->categories = LoadCategories(forest["cats"]);
}

std::vector<std::string> LoadFeatureTexts(Field const& learner, std::string_view name) {
  return learner.Has(name) ? learner[name].Texts() : std::vector<std::string>();
}

void CheckPerFeature(Field const& learner, Model const& model) {
  for (std::size_t const size : {model.feature_names.size(), model.feature_types.size(), model.categories.size()}) {
    if (size != 0 && size != model.num_features) {
      learner.Fail(Text("names or describes ", size, " features; the model has ", model.num_features));
    }
  }
}

// xgboost since this version trains absolute and quantile error on smoothed losses, and sorts predicted quantiles.
constexpr std::array<std::int64_t, 2> kSmoothQuantiles = {3, 4};

std::array<std::int64_t, 2> VersionOf(Field const& document) {
  if (!document.Has("version")) return {};
  auto const parts = document["version"].NumbersOf<std::int64_t>();
  return {parts.empty() ? 0 : parts[0], parts.size() < 2 ? 0 : parts[1]};
}

// So that models of theirs are trained on as they were; files of ours say what they need.
void AddTheirDefaults(bool smooth, Model* model) {
  ParamMap const theirs{{"leaf_estimation_method", smooth ? "smooth" : "exact"},
                        {"sort_quantiles", smooth ? "1" : "0"}};
  for (auto const& param : theirs) {
    if (IsKeptAsAttribute(param.first, model->objective)) model->objective_params.insert(param);
  }
}

}  // namespace

Model ReadModel(std::string_view bytes) {
  if (LooksLikeLightgbm(bytes)) return ReadLightgbm(bytes);
  Value document = Parse(bytes);
  Field const learner = Field(&document)["learner"];
  Model model;
  Field const param = learner["learner_model_param"];
  auto const record = Load<LearnerModelRecord>(param);
  LoadLearnerModel(param, record, &model);
  LoadBooster(learner["gradient_booster"], &model);
  bool const unknown = record.boost_from_average != 0 && model.Rounds() == 0;
  if (unknown && model.base_score == std::vector<float>{0.5F}) model.base_score.clear();
  LoadObjective(learner["objective"], &model);
  if (learner.Has("attributes")) LoadAttributes(learner["attributes"], &model);
  AddTheirDefaults(VersionOf(Field(&document)) >= kSmoothQuantiles, &model);
  model.feature_names = LoadFeatureTexts(learner, "feature_names");
  model.feature_types = LoadFeatureTexts(learner, "feature_types");
  CheckPerFeature(learner, model);
  return model;
}

}  // namespace xgbl
