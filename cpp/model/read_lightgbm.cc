// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <utility>

#include "base/error.h"
#include "base/numbers.h"
#include "model/field.h"
#include "model/lightgbm.h"
#include "objective/objective.h"

namespace xgbl {
namespace {

constexpr std::string_view kFirstLine = "tree";

// What the trees of a round add to.
enum class Outputs { kOne, kClasses, kTargets };

// An objective there and here. Margins are all in the trees, so that the intercept is the `base_score` of margin 0. A
// parameter is taken over for those who train on.
struct Counterpart {
  std::string_view theirs;
  char const* ours;
  float zero;
  std::string_view their_param = {};
  char const* our_param = nullptr;
  Outputs outputs = Outputs::kOne;
};

constexpr std::array kCounterparts = {
    Counterpart{"regression", "reg:squarederror", 0},
    Counterpart{"regression_l1", "reg:absoluteerror", 0},
    Counterpart{"huber", "reg:huber", 0, "alpha", "huber_delta"},
    Counterpart{"fair", "reg:fair", 0, "fair_c", "fair_c"},
    Counterpart{"poisson", "count:poisson", 1, "poisson_max_delta_step", "max_delta_step"},
    Counterpart{"quantile", "reg:quantileerror", 0, "alpha", "quantile_alpha"},
    Counterpart{"mape", "reg:mape", 0},
    Counterpart{"gamma", "reg:gamma", 1},
    Counterpart{"tweedie", "reg:tweedie", 1, "tweedie_variance_power", "tweedie_variance_power"},
    Counterpart{"binary", "binary:logistic", 0.5F, "scale_pos_weight", "scale_pos_weight"},
    Counterpart{"cross_entropy", "binary:crossentropy", 0.5F},
    Counterpart{"multiclass", "multi:softprob", 0, {}, nullptr, Outputs::kClasses},
    // One against all: the probabilities are not divided by their sum, as they are in multi:ova.
    Counterpart{"multiclassova", "binary:multilabel", 0.5F, {}, nullptr, Outputs::kTargets},
    Counterpart{"lambdarank", "rank:ndcg", 0},
    Counterpart{"rank_xendcg", "rank:xendcg", 0},
};

// The first word names the objective, others are marks or `key:value`. A model trained on a custom objective has none,
// and predicts margins.
struct Task {
  Counterpart counterpart = kCounterparts.front();
  double sigmoid = 1;  // a factor on the margins
};

void ReadTaskWord(TextSection const& header, std::string_view word, Task* task) {
  constexpr std::string_view kSigmoid = "sigmoid:";
  if (word == "sqrt") {
    header.Fail("asks for squared predictions (reg_sqrt), which no objective here makes. Train without reg_sqrt");
  }
  if (word.substr(0, kSigmoid.size()) != kSigmoid) return;
  bool const read = ParseNumber(word.substr(kSigmoid.size()), &task->sigmoid);
  if (!read || !(task->sigmoid > 0)) header.Fail(Text("must have a sigmoid above 0; got ", word));
}

Task ReadTask(TextSection const& header) {
  Task task;
  if (!header.Has("objective")) {
    task.counterpart.outputs = Outputs::kTargets;
    return task;
  }
  auto const words = header.Words("objective");
  if (words.empty()) header.Fail("must have a name in `objective`");
  auto const found = std::find_if(kCounterparts.begin(), kCounterparts.end(),
                                  [&](Counterpart const& known) { return known.theirs == words.front(); });
  if (found == kCounterparts.end()) {
    header.Fail(Text("names the objective ", words.front(), ", whose predictions no objective here makes"));
  }
  task.counterpart = *found;
  for (std::size_t i = 1; i < words.size(); ++i) ReadTaskWord(header, words[i], &task);
  return task;
}

void SetOutputs(TextSection const& header, Outputs outputs, Model* model) {
  if (outputs == Outputs::kOne && model->num_outputs != 1) {
    header.Fail(Text("has ", model->num_outputs, " trees in a round; its objective has one output"));
  }
  if (outputs == Outputs::kTargets) model->num_target = model->num_outputs;
  if (outputs == Outputs::kClasses) model->num_class = model->num_outputs;
  if (outputs != Outputs::kOne && header.Has("num_class") &&
      header.Whole("num_class", 1, kMaxOutputs) != model->num_outputs) {
    header.Fail(Text("must have as many classes as trees in a round, ", model->num_outputs));
  }
}

void SetObjective(LightgbmText const& text, Counterpart const& counterpart, Model* model) {
  model->objective = counterpart.ours;
  model->base_score = {counterpart.zero};
  ParamMap params;
  if (model->num_class != 0) params["num_class"] = std::to_string(model->num_class);
  if (counterpart.our_param != nullptr && text.parameters.Has(counterpart.their_param)) {
    params[counterpart.our_param] = std::string(text.parameters.Value(counterpart.their_param));
  }
  try {
    model->objective_params = MakeObjective(model->objective, params)->Params();
  } catch (ParamError const& error) {
    text.parameters.Fail(Text("is damaged: ", error.what()));
  }
}

void LoadTrees(LightgbmText const& text, double sigmoid, Model* model) {
  auto const outputs = static_cast<std::size_t>(model->num_outputs);
  if (text.trees.size() % outputs != 0) {
    text.header.Fail(Text("is followed by ", text.trees.size(), " trees, which ", outputs, " outputs do not divide"));
  }
  if (text.header.Has("tree_sizes") && text.header.Words("tree_sizes").size() != text.trees.size()) {
    text.header.Fail(Text("is followed by ", text.trees.size(), " trees; its `tree_sizes` is of another number"));
  }
  std::size_t const rounds = text.trees.size() / outputs;
  // Random forests predict the mean of their rounds.
  double const factor = text.header.Has("average_output") ? sigmoid / static_cast<double>(rounds) : sigmoid;
  for (std::size_t i = 0; i < text.trees.size(); ++i) {
    model->trees.push_back(std::make_shared<Tree>(LoadLightgbmTree(text.trees[i], model->num_features, factor)));
    model->tree_output.push_back(static_cast<std::int32_t>(i % outputs));
  }
  for (std::size_t round = 1; round <= rounds; ++round) model->round_begin.push_back(round * outputs);
}

// Columns without names are called by their numbers there, and not at all here.
void LoadNames(TextSection const& header, Model* model) {
  auto const names = header.Words("feature_names");
  if (names.size() != model->num_features) {
    header.Fail(Text("names ", names.size(), " features; the model has ", model->num_features));
  }
  bool any = false;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!IsUtf8(names[i])) header.Fail(Text("names feature ", i, " in bytes that are not UTF-8"));
    any = any || names[i] != Text("Column_", i);
  }
  if (any) model->feature_names.assign(names.begin(), names.end());
}

// A range in brackets stands for numbers, a list with colons for categories.
void LoadTypes(TextSection const& header, Model* model) {
  std::vector<std::string> types(model->num_features, "q");
  if (header.Has("feature_infos")) {
    auto const infos = header.Words("feature_infos");
    if (infos.size() != types.size()) {
      header.Fail(Text("describes ", infos.size(), " features; the model has ", types.size()));
    }
    for (std::size_t i = 0; i < infos.size(); ++i) {
      if (infos[i] != "none" && infos[i].front() != '[') types[i] = "c";
    }
  }
  for (auto const& tree : model->trees) {
    for (std::size_t i = 0; i < tree->Size(); ++i) {
      if (tree->categorical[i] != 0) types[tree->feature[i]] = "c";
    }
  }
  if (std::find(types.begin(), types.end(), "c") != types.end()) model->feature_types = std::move(types);
}

Categories CategoriesOf(TextSection const& header, Field const& list) {
  Categories categories;
  if (list.Get().As<Value::Array>() != nullptr) {
    categories.names = list.Texts();
  } else if (list.Get().As<Numbers<float>>() != nullptr) {
    header.Fail("was trained on a pandas frame with fractions as categories. Train with texts or whole numbers");
  } else {
    constexpr double kMost = 0x1p53;  // up to here every whole number is a double
    categories.numbers = list.NumbersOf<double>();
    bool const exact = std::all_of(categories.numbers.begin(), categories.numbers.end(),
                                   [](double number) { return number > -kMost && number < kMost; });
    if (!exact) header.Fail("was trained on a pandas frame with categories beyond 2^53. Train with texts");
    if (!categories.empty()) categories.number_type = "int64";
  }
  return categories;
}

// The frame's columns of type category in their order; without as many categorical features, nobody can tell which.
void LoadPandasCategories(LightgbmText const& text, Model* model) {
  if (text.pandas_categorical.empty() || text.pandas_categorical == "null") return;
  Value document = ParseJson(text.pandas_categorical);
  Field const lists(&document);
  if (lists.Size() == 0) return;
  std::string columns(text.parameters.Has("categorical_feature") ? text.parameters.Value("categorical_feature") : "");
  std::replace(columns.begin(), columns.end(), ',', ' ');
  TextSection given("the list of parameters");
  given.Add("categorical_feature", columns);
  auto const high = static_cast<std::int64_t>(model->num_features) - 1;
  auto const features = given.Wholes("categorical_feature", lists.Size(), 0, high);
  model->categories.assign(model->num_features, {});
  for (std::size_t i = 0; i < features.size(); ++i) {
    model->categories[static_cast<std::size_t>(features[i])] = CategoriesOf(text.header, lists.Item(i));
  }
}

}  // namespace

bool LooksLikeLightgbm(std::string_view bytes) {
  return bytes.substr(0, kFirstLine.size()) == kFirstLine && Trim(bytes.substr(0, bytes.find('\n'))) == kFirstLine;
}

Model ReadLightgbm(std::string_view bytes) {
  LightgbmText const text = SplitLightgbm(bytes);
  TextSection const& header = text.header;
  auto const version = header.Value("version");
  if (version != "v3" && version != "v4") {
    header.Fail(
        Text("has the version ", version, "; v3 and v4 are read. Load and save the model with LightGBM 3 or 4"));
  }
  Model model;
  model.num_features =
      static_cast<std::size_t>(header.Whole("max_feature_idx", 0, std::numeric_limits<std::int32_t>::max() - 1)) + 1;
  model.num_outputs = static_cast<int>(header.Whole("num_tree_per_iteration", 1, kMaxOutputs));
  LoadNames(header, &model);
  Task const task = ReadTask(header);
  SetOutputs(header, task.counterpart.outputs, &model);
  SetObjective(text, task.counterpart, &model);
  LoadTrees(text, task.sigmoid, &model);
  LoadTypes(header, &model);
  LoadPandasCategories(text, &model);
  return model;
}

}  // namespace xgbl
