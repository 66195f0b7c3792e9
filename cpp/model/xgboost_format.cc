// SPDX-License-Identifier: Apache-2.0
#include "model/xgboost_format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "base/error.h"
#include "base/numbers.h"
#include "model/lightgbm.h"
#include "model/xgboost_schema.h"

namespace xgbl {
namespace {

struct LearnerModelRecord {
  std::string base_score;
  std::int64_t boost_from_average = 1, num_class = 0, num_feature = 0, num_target = 1;

  template <class F>
  static void Describe(F& field) {
    field("base_score", &LearnerModelRecord::base_score);
    field("boost_from_average", &LearnerModelRecord::boost_from_average, Presence::kNewer);
    field("num_class", &LearnerModelRecord::num_class);
    field("num_feature", &LearnerModelRecord::num_feature);
    field("num_target", &LearnerModelRecord::num_target, Presence::kNewer);
  }
};

struct ForestRecord {
  std::int64_t num_parallel_tree = 1, num_trees = 0;

  template <class F>
  static void Describe(F& field) {
    field("num_parallel_tree", &ForestRecord::num_parallel_tree, Presence::kNewer);
    field("num_trees", &ForestRecord::num_trees);
  }
};

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

// A model that has seen no data yet has no features, but may have their names.
void CheckPerFeature(Field const& learner, Model const& model) {
  for (std::size_t const size : {model.feature_names.size(), model.feature_types.size(), model.categories.size()}) {
    if (size != 0 && model.num_features != 0 && size != model.num_features) {
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

std::string WriteModel(Model const& model, FileFormat format) {
  Value const document = SaveDocument(model);
  return format == FileFormat::kJson ? WriteJson(document) : WriteUbjson(document);
}

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
