// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
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
constexpr std::string_view kTree = "Tree=";
constexpr std::string_view kEnd = "end of trees";
constexpr std::string_view kPandas = "pandas_categorical:";

bool StartsWith(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

// Cuts the first line off, without its end.
std::string_view TakeLine(std::string_view* rest) {
  std::size_t const end = rest->find('\n');
  std::string_view const line = rest->substr(0, end);
  rest->remove_prefix(end == std::string_view::npos ? rest->size() : end + 1);
  return Trim(line);
}

void AddAssignment(std::string_view line, TextSection* section) {
  std::size_t const equals = line.find('=');
  if (equals == std::string_view::npos) return section->Add(line, {});
  section->Add(line.substr(0, equals), line.substr(equals + 1));
}

// The sections of a file.
struct LightgbmText {
  TextSection header{"the header"};
  std::vector<TextSection> trees;
  TextSection parameters{"the list of parameters"};
  std::string_view pandas_categorical;  // JSON; empty if the file has none
};

// What stands behind the trees: parameters as `[key: value]`, and the categories of a pandas frame.
void ReadTail(std::string_view rest, LightgbmText* text) {
  while (!rest.empty()) {
    std::string_view const line = TakeLine(&rest);
    std::size_t const colon = line.find(": ");
    if (StartsWith(line, kPandas)) {
      text->pandas_categorical = Trim(line.substr(kPandas.size()));
    } else if (StartsWith(line, "[") && colon != std::string_view::npos && line.back() == ']') {
      text->parameters.Add(line.substr(1, colon - 1), Trim(line.substr(colon + 1, line.size() - colon - 2)));
    }
  }
}

LightgbmText SplitLightgbm(std::string_view bytes) {
  LightgbmText text;
  TextSection* section = &text.header;
  std::string_view rest = bytes;
  TakeLine(&rest);  // the word by which the file is recognised
  while (!rest.empty()) {
    std::string_view const line = TakeLine(&rest);
    if (line == kEnd) {
      ReadTail(rest, &text);
      return text;
    }
    if (StartsWith(line, kTree)) {
      std::string const index = std::to_string(text.trees.size());
      section = &text.trees.emplace_back("tree " + index);
      if (line.substr(kTree.size()) != index) section->Fail(Text("is called ", line));
    } else if (!line.empty()) {
      AddAssignment(line, section);
    }
  }
  text.header.Fail(Text("is followed by ", text.trees.size(), " trees, but no line `", kEnd,
                        "`: the file ends too early. Save the model anew"));
}

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

void TextSection::Add(std::string_view key, std::string_view value) {
  if (!values_.emplace(key, value).second) Fail(Text("has `", key, "` twice"));
}

std::string_view TextSection::Value(std::string_view key) const {
  auto const found = values_.find(key);
  if (found == values_.end()) Fail(Text("lacks `", key, "`"));
  return found->second;
}

std::vector<std::string_view> TextSection::Words(std::string_view key) const {
  constexpr std::string_view kBlank = " \t";
  std::string_view rest = Value(key);
  std::vector<std::string_view> words;
  for (std::size_t at = rest.find_first_not_of(kBlank); at != std::string_view::npos;
       at = rest.find_first_not_of(kBlank)) {
    rest.remove_prefix(at);
    words.push_back(rest.substr(0, rest.find_first_of(kBlank)));
    rest.remove_prefix(words.back().size());
  }
  return words;
}

std::vector<std::string_view> TextSection::Words(std::string_view key, std::size_t count) const {
  auto words = Words(key);
  if (words.size() != count) Fail(Text("must have ", count, " items in `", key, "`; got ", words.size()));
  return words;
}

std::int64_t TextSection::Whole(std::string_view key, std::int64_t low, std::int64_t high) const {
  return Wholes(key, 1, low, high)[0];
}

std::vector<std::int64_t> TextSection::Wholes(std::string_view key, std::size_t count, std::int64_t low,
                                              std::int64_t high) const {
  std::vector<std::int64_t> numbers;
  for (std::string_view const word : Words(key, count)) {
    std::int64_t number = 0;
    bool const read = ParseNumber(word, &number) && number >= low && number <= high;
    if (!read) Fail(Text("must have whole numbers from ", low, " to ", high, " in `", key, "`; got ", word));
    numbers.push_back(number);
  }
  return numbers;
}

std::vector<double> TextSection::Reals(std::string_view key, std::size_t count, Infinite infinite) const {
  bool const allowed = infinite == Infinite::kAllowed;
  std::vector<double> numbers;
  for (std::string_view const word : Words(key, count)) {
    double number = 0;
    bool const read = ParseNumber(word, &number) && (allowed ? !std::isnan(number) : std::isfinite(number));
    if (!read) Fail(Text("must have ", allowed ? "" : "finite ", "numbers in `", key, "`; got ", word));
    numbers.push_back(number);
  }
  return numbers;
}

void TextSection::Fail(std::string const& problem) const {
  throw ModelError(Text("LightGBM model: ", name_, " ", problem, "."));
}

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
