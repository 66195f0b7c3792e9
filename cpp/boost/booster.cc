// SPDX-License-Identifier: Apache-2.0
#include "boost/booster.h"

#include <algorithm>

#include "base/error.h"
#include "boost/round.h"
#include "data/fingerprint.h"
#include "predict/predictor.h"

namespace xgbl {

std::shared_ptr<Learner const> Booster::Snapshot() const {
  std::lock_guard<std::mutex> const lock(learner_mutex_);
  if (!snapshot_) snapshot_ = std::make_shared<Learner const>(learner_);
  return snapshot_;
}

void Booster::SetParams(Pairs const& given, Interrupt const& interrupted) {
  Turns::Turn const turn(&turns_, interrupted);
  std::string const objective = learner_.GetModel().objective;
  Change([&](Learner* learner) { learner->SetParams(given, &log_); });
  if (learner_.GetModel().objective != objective) cache_.Clear();  // another intercept's margins
}

void Booster::SetModel(Model model, Interrupt const& interrupted) {
  Turns::Turn const turn(&turns_, interrupted);
  Change([&](Learner* learner) { learner->SetModel(std::move(model)); });
  cache_.Clear();
}

void Booster::EditModel(std::function<void(Model*)> const& edit, Interrupt const& interrupted) {
  Turns::Turn const turn(&turns_, interrupted);
  Change([&](Learner* learner) { edit(&learner->MutableModel()); });
}

void Booster::DropCaches(Interrupt const& interrupted) {
  Turns::Turn const turn(&turns_, interrupted);
  cache_.Clear();
}

// What a first round sets before its trees are grown, taken back unless the round completes.
class Booster::StartGuard {
 public:
  explicit StartGuard(Booster* booster) : booster_(booster), was_started_(booster->learner_.Started()) {
    if (!was_started_) before_ = booster->learner_.GetModel();
  }
  StartGuard(StartGuard const&) = delete;
  StartGuard& operator=(StartGuard const&) = delete;
  ~StartGuard() {
    if (was_started_ || booster_->learner_.GetModel().Rounds() > before_.Rounds()) return;
    booster_->Change([&](Learner* learner) { learner->MutableModel() = std::move(before_); });
    booster_->cache_.Clear();
  }

 private:
  Booster* booster_;
  bool was_started_;
  Model before_;
};

void Booster::Update(Data const& train, Interrupt const& interrupted) {
  Turns::Turn const turn(&turns_, interrupted);
  StartGuard const guard(this);
  Context const ctx = learner_.MakeContext(&log_, interrupted);
  MarginCache::Entry& cached = PrepareTraining(train, true, ctx);
  Gradients gradients;
  gradients.Resize(train->Rows(), static_cast<std::size_t>(learner_.GetModel().num_outputs));
  ObjectiveState state = learner_.GetModel().objective_state;
  GradientTask const task{cached.margins.View(), train->Info(), ctx, learner_.GetModel().Rounds(), &state};
  learner_.GetObjective().Gradient(task, &gradients);
  RoundTask round = TaskFor(*train, gradients.View(), cached.margins, ctx);
  round.objective = &learner_.GetObjective();
  round.state = &state;
  GrowRound(round, state, &cached);
}

void Booster::Boost(Data const& train, GradientView const& gradients, GradientView const& split,
                    Interrupt const& interrupted) {
  Turns::Turn const turn(&turns_, interrupted);
  StartGuard const guard(this);
  Context const ctx = learner_.MakeContext(&log_, interrupted);
  MarginCache::Entry& cached = PrepareTraining(train, false, ctx);
  auto const outputs = static_cast<std::size_t>(learner_.GetModel().num_outputs);
  for (auto const& part : {gradients.gradient, gradients.hessian}) {
    Require<DataError>(part.rows() == train->Rows() && part.columns() == outputs,
                       "`grad` and `hess` must have one row per training row and one column per output, here ",
                       train->Rows(), " x ", outputs, "; got ", part.rows(), " x ", part.columns(), ".");
  }
  RoundTask round = TaskFor(*train, gradients, cached.margins, ctx);
  if (split.gradient.columns() > 0) CheckSplitGradients(*train, split);
  round.split_gradients = split;
  GrowRound(round, learner_.GetModel().objective_state, &cached);
}

void Booster::CheckSplitGradients(DMatrix const& train, GradientView const& split) const {
  Require<ParamError>(
      learner_.GetSettings().learner.multi_strategy == "multi_output_tree",
      "`split_grad` gives derivatives to choose splits by, which only trees with a value for each output "
      "take. Set `multi_strategy` to multi_output_tree, or let `split_grad` return None.");
  bool const fits = split.gradient.rows() == train.Rows() && split.hessian.rows() == train.Rows() &&
                    split.gradient.columns() == split.hessian.columns();
  Require<DataError>(fits, "`split_grad` must return a gradient and a hessian of one shape with a row for each of the ",
                     train.Rows(), " training rows; got ", split.gradient.rows(), " x ", split.gradient.columns(),
                     " and ", split.hessian.rows(), " x ", split.hessian.columns(), ".");
}

MarginCache::Entry& Booster::PrepareTraining(Data const& train, bool needs_label, Context const& ctx) {
  MarginCache::Entry const* known = cache_.Find(train);
  bool const checked = known != nullptr && known->checked;
  if (!checked && needs_label) learner_.CheckLabels(*train);
  if (!learner_.Started()) {
    Model start = learner_.StartModel(*train, needs_label, ctx);
    Change([&](Learner* learner) { learner->MutableModel() = std::move(start); });
    cache_.Clear();  // margins from before began at the default intercept
    learner_.WarnOfUnused(ctx);
  }
  MarginCache::Entry& entry = CachedMargins(train, ctx);
  entry.checked = entry.checked || needs_label;
  return entry;
}

RoundTask Booster::TaskFor(DMatrix const& train, GradientView const& gradients, Matrix<float> const& margins,
                           Context const& ctx) const {
  Learner::Settings const& settings = learner_.GetSettings();
  return {ctx,
          train,
          learner_.Trees(),
          settings.boost,
          gradients,
          margins,
          learner_.GetModel().Rounds(),
          settings.learner.multi_strategy == "multi_output_tree"};
}

void Booster::GrowRound(RoundTask const& task, ObjectiveState state, MarginCache::Entry* cached) {
  Round round = GrowRoundOfTrees(task);
  ParamMap objective_params = learner_.GetObjective().Params();
  Change([&](Learner* learner) {
    learner->MutableModel().objective_params = std::move(objective_params);
    learner->MutableModel().objective_state = std::move(state);
    learner->MutableModel().AppendRound(std::move(round.trees), round.outputs);
  });
  cached->margins = std::move(round.margins);
  cached->rounds = learner_.GetModel().Rounds();
}

Matrix<float> Booster::Margins(Data const& data, Interrupt const& interrupted) {
  Turns::Turn const turn(&turns_, interrupted);
  Context const ctx = learner_.MakeContext(&log_, interrupted);
  return (learner_.Started() ? CachedMargins(data, ctx) : PrepareTraining(data, false, ctx)).margins;
}

std::vector<Booster::Score> Booster::Evaluate(Data const& data, Interrupt const& interrupted) {
  Turns::Turn const turn(&turns_, interrupted);
  bool const labelled = data->Rows() == 0 || !data->Info().labels.empty();
  for (auto const& [name, metric] : learner_.GetMetrics()) {
    Require<DataError>(labelled || !metric->NeedsLabels(), "The evaluation matrix has no labels, and `", name,
                       "` needs them. Set its `label`.");
  }
  Context const ctx = learner_.MakeContext(&log_, interrupted);
  // Before training the intercept is not known yet: what is predicted then must not be kept.
  Matrix<float> predictions = !learner_.Started() ? learner_.StartMargins(*data) : CachedMargins(data, ctx).margins;
  auto const& metrics = learner_.GetMetrics();
  bool const keep =
      std::any_of(metrics.begin(), metrics.end(), [](auto const& it) { return it.second->SeesMargins(); });
  Matrix<float> const margins = keep ? predictions : Matrix<float>{};
  learner_.GetObjective().TransformForMetrics(predictions.View(), ctx);
  std::vector<Score> scores;
  for (auto const& [name, metric] : metrics) {
    auto const& seen = metric->SeesMargins() ? margins : predictions;
    scores.emplace_back(name, metric->Evaluate(seen.View(), data->Info(), ctx));
  }
  return scores;
}

MarginCache::Entry& Booster::CachedMargins(Data const& data, Context const& ctx) {
  Model const& model = learner_.GetModel();
  MarginCache::Entry* entry = cache_.Find(data);
  if (entry == nullptr) {
    learner_.CheckFeatures(*data);
    entry = cache_.Add(data, learner_.StartMargins(*data));
  }
  if (entry->rounds < model.Rounds()) {
    CheckUnchanged(data->Features(), ctx);
    RoundRange const trees = ResolveTrees(model, {entry->rounds, model.Rounds()});
    Matrix<float> margins = entry->margins;  // an interrupted call must not leave half of the trees added
    AddMargins(model, data->Features(), trees, ctx, margins.View());
    entry->margins = std::move(margins);
    entry->rounds = model.Rounds();
  }
  return *entry;
}

}  // namespace xgbl
