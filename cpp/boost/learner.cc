// SPDX-License-Identifier: Apache-2.0
#include "boost/learner.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "ingest/fingerprint.h"
#include "predict/predictor.h"

namespace xgbl {
namespace {

constexpr double kDefaultBaseScore = 0.5;

// A file says what a model is made of, not by which kind of booster its trees were made.
std::string BoosterFor(Model const& model, std::string const& before) {
  if (model.linear) return "gblinear";
  if (!model.tree_weights.empty()) return "dart";
  return before == "gblinear" ? "gbtree" : before;
}

}  // namespace

void Learner::SetParams(Settings::Pairs const& given, MessageLog* log) {
  Settings next = settings_;
  Strings warnings = next.Set(given, Started(), trained_);
  next.MakePlugins(Started() ? model_.objective : "");
  if (Started() && next.learner.objective != settings_.learner.objective) AdoptObjective(next);
  if (Started() && next.learner.base_score != settings_.learner.base_score) {
    warnings.emplace_back(
        "Parameter `base_score` has no effect on a model that was trained or loaded: it keeps its own.");
  }
  if (next.boost.process_type != "update") source_.reset();
  bool const same_steps = next.boost.updater == settings_.boost.updater;
  bool const replaces = next.boost.tree_method != "auto";
  if (!same_steps && replaces && !next.boost.updater.empty() && next.kind->GrowsTrees()) {
    warnings.push_back(Text("Parameter `updater` takes the place of `tree_method`: a tree is made by the steps ",
                            PrintParam(next.boost.updater), "."));
  }
  settings_ = std::move(next);
  if (settings_.general.verbosity > 0) {
    for (auto& text : warnings) log->Add(MessageLog::Level::kWarning, std::move(text));
  }
}

// Another objective for a model that is there: what it predicts and what its file says follow the new one.
void Learner::AdoptObjective(Settings const& next) {
  if (!next.objective) MakeObjective(next.learner.objective, {});  // throws and names what there is
  Meta like_training;
  like_training.labels.columns = static_cast<std::size_t>(model_.num_target);
  int const outputs = next.objective->Outputs(like_training);
  Require<ParamError>(outputs == model_.num_outputs, "`objective` ", next.learner.objective, " has ", outputs,
                      " outputs per row, but the model has ", model_.num_outputs,
                      ". Train a new model, or choose an objective with as many outputs.");
  model_.objective = Registry<Objective>::Get().At(next.learner.objective, "objective").name;
  model_.objective_params = next.objective->Params();
  model_.objective_state.clear();
}

Objective const& Learner::GetObjective() const {
  if (!settings_.objective) MakeObjective(settings_.learner.objective, {});  // throws and names what there is
  return *settings_.objective;
}

std::map<std::string, ParamMap> Learner::Params() const {
  return {{"general", TextOf(settings_.general)},
          {"learner", TextOf(settings_.learner)},
          {"boosting", TextOf(settings_.boost)},
          {"booster", settings_.kind->Params()},
          {"tree", TextOf(settings_.Trees())},
          {"objective", settings_.objective ? settings_.objective->Params() : model_.objective_params}};
}

void Learner::SetModel(Model model) {
  Learner next(*this);  // takes this one's place only when nothing threw
  next.settings_.learner.objective = model.objective;
  next.settings_.learner.num_class = model.num_class;
  next.settings_.boost.num_parallel_tree = model.num_parallel_tree;
  next.settings_.boost.booster = BoosterFor(model, settings_.boost.booster);
  next.source_.reset();
  next.trained_ = false;
  for (auto const& [name, value] : model.objective_params) next.settings_.plug_ins[name] = value;
  if (model.num_features == 0 && model.Rounds() == 0 && !model.base_score.empty()) {  // saved before it saw any data
    next.settings_.learner.base_score.assign(model.base_score.begin(), model.base_score.end());
    model.base_score.clear();
  }
  next.MutableModel() = std::move(model);
  next.settings_.MakePlugins(next.Started() ? next.model_.objective : "");
  *this = std::move(next);
}

Learner Learner::With(Model model) const {
  Learner other = *this;
  other.MutableModel() = std::move(model);
  other.source_.reset();
  return other;
}

void Learner::CheckLabels(DMatrix const& train) const {
  Meta const& info = train.Info();
  Objective const& objective = GetObjective();
  bool const labelled = info.labels.rows == train.Rows() || (info.labels.empty() && !objective.NeedsLabels());
  Require<DataError>(labelled, "The training matrix has ", train.Rows(), " rows but ", info.labels.rows,
                     " labels. Set `label` to one value per row.");
  objective.CheckLabels(info);
  int const targets = settings_.learner.num_target;
  Require<ParamError>(targets == 1 || static_cast<std::size_t>(targets) == info.labels.columns, "`num_target` is ",
                      targets, ", but the label has ", info.labels.columns,
                      " columns. Unset `num_target`: the columns say it.");
  int const outputs = objective.Outputs(info);
  Require<ParamError>(!Started() || outputs == model_.num_outputs, "The model has ", model_.num_outputs,
                      " outputs per row, but `", settings_.learner.objective, "` on this matrix has ", outputs,
                      ". Continue with the objective and labels that the model was made with.");
}

// The model before its first round: what it takes from the training data, and its intercept.
Model Learner::StartModel(DMatrix const& train, bool needs_label, Context const& ctx) const {
  Objective const& objective = GetObjective();
  Meta const& info = train.Info();
  Model model = model_;
  model.num_features = train.Columns();
  model.num_outputs = objective.Outputs(info);
  model.num_class = settings_.learner.num_class;
  model.num_target = std::max(settings_.learner.num_target, static_cast<int>(info.labels.columns));
  model.objective = Registry<Objective>::Get().At(settings_.learner.objective, "objective").name;
  model.num_parallel_tree = settings_.boost.num_parallel_tree;
  if (model.feature_names.empty()) model.feature_names = info.feature_names;
  if (model.feature_types.empty()) model.feature_types = info.feature_types;
  model.categories = info.categories;
  Doubles scores = settings_.learner.base_score;
  if (scores.empty() && settings_.kind->BaseScore()) scores = {*settings_.kind->BaseScore()};
  if (scores.empty()) scores = needs_label ? objective.Intercept(info, ctx) : Doubles{kDefaultBaseScore};
  if (!settings_.kind->GrowsTrees()) {
    Require<ParamError>(settings_.learner.base_score.size() <= 1,
                        "`base_score` of `booster` gblinear must be one number for all outputs; got ",
                        settings_.learner.base_score.size(), ".");
    scores.resize(1);  // see Intercept(); biases make up for the others
  }
  bool const fits = scores.size() == 1 || scores.size() == static_cast<std::size_t>(model.num_outputs);
  Require<ParamError>(fits, "`base_score` must have one value, or one per output (", model.num_outputs, "); got ",
                      scores.size(), ".");
  for (double const score : scores) {
    Require<ParamError>(std::isfinite(static_cast<float>(score)), "`base_score` must fit a float32; got ", score, ".");
    objective.CheckBaseScore(score);
  }
  model.base_score.assign(scores.begin(), scores.end());
  return model;
}

Model Learner::ModelToSave() const {
  Model model = model_;
  if (Started() || !settings_.objective) return model;
  Meta one_target;
  one_target.labels.columns = 1;
  model.num_outputs = settings_.objective->Outputs(one_target);
  model.num_class = settings_.learner.num_class;
  model.objective = Registry<Objective>::Get().At(settings_.learner.objective, "objective").name;
  model.objective_params = settings_.objective->Params();
  model.num_parallel_tree = settings_.boost.num_parallel_tree;
  Doubles const& scores = settings_.learner.base_score;
  model.base_score.assign(scores.begin(), scores.end());
  return model;
}

void Learner::Add(Round round, ObjectiveState const& state) {
  if (round.starts_over) source_ = std::make_shared<Model const>(model_);
  model_.objective_params = GetObjective().Params();
  if (state != model_.objective_state) {
    model_.earlier_states[model_.Rounds()] = std::exchange(model_.objective_state, state);
  }
  AddRound(std::move(round), &MutableModel());
  trained_ = true;
}

// Margins per row: of an untrained model what its objective would have on such data.
std::size_t Learner::OutputsFor(DMatrix const& data) const {
  return static_cast<std::size_t>(Started() ? model_.num_outputs : GetObjective().Outputs(data.Info()));
}

Matrix<float> Learner::StartMargins(DMatrix const& data) const {
  std::size_t const outputs = OutputsFor(data);
  Matrix<float> margins(data.Rows(), outputs);
  Matrix<float> const& given = data.Info().base_margin;
  if (!given.empty()) {
    Require<DataError>(given.values.size() == margins.values.size(),
                       "`base_margin` must have one value per row and output (", data.Rows(), " x ", outputs, "); got ",
                       given.rows, " x ", given.columns, ".");
    margins.values = given.values;
    return margins;
  }
  std::vector<float> const starts = Starts(outputs);
  for (std::size_t row = 0; row < data.Rows(); ++row) {
    std::copy(starts.begin(), starts.end(), margins.View().Row(row).begin());
  }
  return margins;
}

Doubles Learner::Intercept(std::size_t outputs) const {
  Doubles scores(model_.base_score.begin(), model_.base_score.end());
  if (scores.empty()) scores = settings_.learner.base_score;
  for (double& score : scores) score = double{static_cast<float>(score)};  // as files keep it
  if (scores.size() != outputs) scores.resize(outputs, scores.empty() ? kDefaultBaseScore : scores.front());
  Doubles starts = GetObjective().ToMargins(std::move(scores));
  // xgboost's linear models begin with the margin of the first output everywhere.
  if (model_.linear || !settings_.kind->GrowsTrees()) starts.assign(outputs, starts.front());
  return starts;
}

std::vector<float> Learner::Starts(std::size_t outputs) const {
  std::vector<float> starts;
  for (double const start : Intercept(outputs)) starts.push_back(static_cast<float>(start));
  return starts;
}

void Learner::CheckFeatures(DMatrix const& data) const {
  bool const fits = !Started() || data.Columns() == model_.num_features ||
                    (data.Features().Sparse() != nullptr && data.Columns() < model_.num_features);
  Require<DataError>(fits, "The model was trained on ", model_.num_features, " features, but the data have ",
                     data.Columns(), ". Give the same columns as in training.");
}

Matrix<float> Learner::Predict(DMatrix const& data, PredictionKind kind, RoundRange rounds, bool training,
                               Interrupt const& interrupted) const {
  CheckFeatures(data);
  Context const ctx = settings_.MakeContext(nullptr, interrupted);
  CheckUnchanged(data.Features(), ctx);
  RoundRange const trees = ResolveTrees(model_, rounds);
  bool const whole = rounds.begin == 0 && (rounds.end == 0 || rounds.end == model_.Rounds());
  Require<ParamError>(!training || whole, "`training` is about all rounds; got an `iteration_range` of some of them.");
  std::optional<Matrix<float>> margins;
  if (training) margins = MarginsApart(data, ctx);
  if (!margins) {
    margins = StartMargins(data);
    AddModel(data.Features(), trees, ctx, margins->View());
  }
  return Decided(std::move(*margins), kind, ctx);
}

void Learner::AddModel(FeatureMatrix const& features, RoundRange trees, Context const& ctx,
                       MatrixView<float> margins) const {
  if (model_.linear) return AddMargins(model_, features, trees, ctx, margins);
  if (trees.begin == trees.end) return;
  auto const serving = serving_.GetIfWorth(model_, features.Rows());
  if (serving) return serving->AddMargins(features, trees, ctx, margins);
  AddMargins(model_, features, trees, ctx, margins);
}

std::optional<Matrix<float>> Learner::MarginsApart(DMatrix const& data, Context const& ctx) const {
  std::vector<float> const weights = settings_.kind->TrainingWeights({model_, source_ != nullptr, ctx.seed});
  if (weights.empty()) return std::nullopt;
  CheckUnchanged(data.Features(), ctx);
  Matrix<float> margins = StartMargins(data);
  AddWeightedTrees(model_, weights, data.Features(), ctx, margins.View());
  return margins;
}

Matrix<std::int32_t> Learner::Leaves(DMatrix const& data, RoundRange rounds, Interrupt const& interrupted) const {
  CheckFeatures(data);
  Context const ctx = settings_.MakeContext(nullptr, interrupted);
  CheckUnchanged(data.Features(), ctx);
  return PredictLeaves(model_, data.Features(), ResolveTrees(model_, rounds), ctx);
}

Matrix<float> Learner::Decided(Matrix<float> margins, PredictionKind kind, Context const& ctx) const {
  Matrix<float> classes(kind == PredictionKind::kClass ? margins.rows : 0, 1);
  Matrix<float>& out = kind == PredictionKind::kClass ? classes : margins;
  Decide(margins.View(), kind, ctx, out.View());
  return std::move(out);
}

void Learner::Decide(MatrixView<float> margins, PredictionKind kind, Context const& ctx, MatrixView<float> out) const {
  if (kind != PredictionKind::kMargin) GetObjective().Transform(margins, ctx);
  if (kind != PredictionKind::kClass) {
    if (out.data() != margins.data()) std::copy(margins.Flat().begin(), margins.Flat().end(), out.data());
    return;
  }
  for (std::size_t row = 0; row < margins.rows(); ++row) {
    Span<float> const scores = margins.Row(row);
    auto const best = std::max_element(scores.begin(), scores.end());
    out(row, 0) = static_cast<float>(best - scores.begin());
  }
}

}  // namespace xgbl
