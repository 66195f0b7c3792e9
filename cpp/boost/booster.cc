// SPDX-License-Identifier: Apache-2.0
#include "boost/booster.h"

#include "base/error.h"
#include "ingest/fingerprint.h"
#include "parallel/buffer.h"
#include "predict/predictor.h"

namespace xgbl {

Turns::Turn Booster::TakeTurn(Interrupt const& interrupted) {
  Require<ParamError>(!turns_.Mine(),
                      "The booster is in the middle of a call of this thread, and cannot be trained or changed from "
                      "within it, as by a signal handler. Do it after that call.");
  Require<ParamError>(!turns_.WasForkedInATurn(),
                      "The booster was in the middle of a call of another thread when this process was forked, and "
                      "cannot be trained or changed here. Use a copy.");
  return {&turns_, interrupted};
}

std::shared_ptr<Learner const> Booster::Snapshot() const {
  std::lock_guard<ForkSafeMutex> const lock(learner_mutex_);
  if (!snapshot_) snapshot_ = std::make_shared<Learner const>(learner_);
  return snapshot_;
}

std::shared_ptr<FrozenPredictor const> Booster::FrozenIfMade() const {
  std::lock_guard<ForkSafeMutex> const lock(learner_mutex_);
  return frozen_;
}

std::shared_ptr<FrozenPredictor const> Booster::Frozen() const {
  {
    std::lock_guard<ForkSafeMutex> const lock(learner_mutex_);
    if (frozen_) return frozen_;
    if (!FrozenPredictor::Suits(learner_)) return nullptr;
  }
  // Laid out without the lock, as it may take long; two threads may do it, and one of both is kept.
  auto const snapshot = Snapshot();
  if (!FrozenPredictor::Suits(*snapshot)) return nullptr;  // it has changed meanwhile
  auto const made = std::make_shared<FrozenPredictor const>(snapshot);
  std::lock_guard<ForkSafeMutex> const lock(learner_mutex_);
  if (snapshot_ == snapshot) frozen_ = made;
  return made;
}

void Booster::SetParams(Pairs const& given, Interrupt const& interrupted) {
  Turns::Turn const turn = TakeTurn(interrupted);
  std::string const objective = learner_.GetModel().objective;
  std::string const kind = learner_.GetSettings().boost.booster;
  Change([&](Learner* learner) { learner->SetParams(given, &log_); });
  // Another intercept's margins, or what another kind of booster kept.
  bool const outdated = learner_.GetModel().objective != objective || learner_.GetSettings().boost.booster != kind;
  if (outdated) cache_.Clear();
}

void Booster::SetModel(Model model, Interrupt const& interrupted) {
  Turns::Turn const turn = TakeTurn(interrupted);
  Change([&](Learner* learner) { learner->SetModel(std::move(model)); });
  cache_.Clear();
}

void Booster::EditModel(std::function<void(Model*)> const& edit, Interrupt const& interrupted) {
  Turns::Turn const turn = TakeTurn(interrupted);
  Change([&](Learner* learner) { edit(&learner->MutableModel()); });
}

void Booster::EditTrees(std::function<void(Model*)> const& edit, Interrupt const& interrupted) {
  Turns::Turn const turn = TakeTurn(interrupted);
  Change([&](Learner* learner) { edit(&learner->MutableModel()); });
  cache_.Clear();
}

Booster::~Booster() { SpareMemory::Get().Clear(); }

void Booster::DropCaches(Interrupt const& interrupted) {
  SpareMemory::Get().Clear();
  Turns::Turn const turn = TakeTurn(interrupted);
  Change([](Learner* learner) { learner->EndUpdates(); });
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
  Turns::Turn const turn = TakeTurn(interrupted);
  StartGuard const guard(this);
  SpareMemory::Round const round_memory;
  Context const ctx = learner_.GetSettings().MakeContext(&log_, interrupted);
  MarginCache::Entry& cached = PrepareTraining(train, true, ctx);
  Matrix<float> apart;
  Matrix<float> const& margins = TrainingMargins(train, ctx, &apart);
  Gradients& gradients = cached.memory.gradients;
  ObjectiveState state = learner_.GetModel().objective_state;
  if (learner_.GetKind().FollowsGradients()) {
    GradientTask const task{margins.View(), train->Info(), ctx, NextRound(), &state};
    learner_.GetObjective().Gradient(task, &gradients);
  }
  RoundInput round = InputFor(*train, gradients.View(), margins, ctx);
  round.objective = &learner_.GetObjective();
  round.state = &state;
  GrowRound(round, state, &cached);
}

void Booster::Boost(Data const& train, GradientView const& gradients, GradientView const& split,
                    Interrupt const& interrupted) {
  Turns::Turn const turn = TakeTurn(interrupted);
  StartGuard const guard(this);
  SpareMemory::Round const round_memory;
  Context const ctx = learner_.GetSettings().MakeContext(&log_, interrupted);
  Require<ParamError>(learner_.GetKind().FollowsGradients(), "`booster` ", learner_.GetSettings().boost.booster,
                      " follows labels, not gradients. Train it without a custom objective.");
  MarginCache::Entry& cached = PrepareTraining(train, false, ctx);
  auto const outputs = static_cast<std::size_t>(learner_.GetModel().num_outputs);
  for (auto const& part : {gradients.gradient, gradients.hessian}) {
    Require<DataError>(part.rows() == train->Rows() && part.columns() == outputs,
                       "`grad` and `hess` must have one row per training row and one column per output, here ",
                       train->Rows(), " x ", outputs, "; got ", part.rows(), " x ", part.columns(), ".");
  }
  Matrix<float> apart;
  Matrix<float> const& margins = TrainingMargins(train, ctx, &apart);
  RoundInput round = InputFor(*train, gradients, margins, ctx);
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

std::size_t Booster::NextRound() const {
  bool const starts_over = learner_.GetSettings().boost.process_type == "update" && learner_.Source() == nullptr;
  return starts_over ? 0 : learner_.GetModel().Rounds();
}

MarginCache::Entry& Booster::PrepareTraining(Data const& train, bool needs_label, Context const& ctx) {
  MarginCache::Entry const* known = cache_.Find(train);
  bool const checked = known != nullptr && known->checked;
  if (!checked && needs_label) learner_.CheckLabels(*train);
  if (!learner_.Started()) {
    Model start = learner_.StartModel(*train, needs_label, ctx);
    Change([&](Learner* learner) { learner->MutableModel() = std::move(start); });
    cache_.Clear();  // margins from before began at the default intercept
    learner_.GetSettings().WarnOfUnused(train->Columns(), ctx);
  }
  Settings const& settings = learner_.GetSettings();
  learner_.GetKind().Check({settings.learner, settings.boost, learner_.GetModel(), *train});
  MarginCache::Entry& entry = EntryOf(train, ctx);
  entry.checked = entry.checked || needs_label;
  return entry;
}

Matrix<float> const& Booster::TrainingMargins(Data const& train, Context const& ctx, Matrix<float>* apart) {
  auto found = learner_.MarginsApart(*train, ctx);
  if (!found) return CachedMargins(train, ctx).margins;
  *apart = std::move(*found);
  return *apart;
}

RoundInput Booster::InputFor(DMatrix const& train, GradientView const& gradients, Matrix<float> const& margins,
                             Context const& ctx) const {
  Settings const& settings = learner_.GetSettings();
  RoundInput input{ctx,
                   train,
                   learner_.GetSettings().Trees(),
                   settings.boost,
                   gradients,
                   margins,
                   NextRound(),
                   settings.learner.multi_strategy == "multi_output_tree"};
  input.model = &learner_.GetModel();
  input.source = learner_.Source();
  return input;
}

void Booster::GrowRound(RoundInput const& input, ObjectiveState const& state, MarginCache::Entry* cached) {
  if (!cached->remembered) ReportStart(input, learner_.GetKind().GrowsTrees());
  Round round = learner_.GetKind().Grow(input, &cached->memory);
  Matrix<float> margins = std::move(round.margins);
  if (round.changes_earlier) cache_.MarkStale();
  if (!cached->remembered) {
    TrainingFacts const facts = FactsOf(input.data, input.ctx);
    Change([&](Learner* learner) { Remember(facts, &learner->MutableModel()); });
    cached->remembered = true;
  }
  Change([&](Learner* learner) { learner->Add(std::move(round), state); });
  ReportTrees(learner_.GetModel(), learner_.GetModel().Rounds() - 1, input.ctx);
  cached->compared = false;
  if (margins.empty()) return;
  cached->memory.spare = std::exchange(cached->margins, std::move(margins));
  cached->rounds = learner_.GetModel().Rounds();
  cached->stale = false;
}

Matrix<float> Booster::Margins(Data const& data, Interrupt const& interrupted) {
  Turns::Turn const turn = TakeTurn(interrupted);
  Context const ctx = learner_.GetSettings().MakeContext(&log_, interrupted);
  PrepareTraining(data, false, ctx);
  Matrix<float> apart;
  return TrainingMargins(data, ctx, &apart);
}

std::vector<Booster::Score> Booster::Evaluate(Data const& data, Interrupt const& interrupted) {
  Turns::Turn const turn = TakeTurn(interrupted);
  bool const labelled = data->Rows() == 0 || !data->Info().labels.empty();
  for (auto const& [name, metric] : learner_.GetSettings().metrics) {
    Require<DataError>(labelled || !metric->NeedsLabels(), "The evaluation matrix has no labels, and `", name,
                       "` needs them. Set its `label`.");
  }
  Context const ctx = learner_.GetSettings().MakeContext(&log_, interrupted);
  Matrix<float> predictions = MarginsSoFar(data, ctx);
  auto const& metrics = learner_.GetSettings().metrics;
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

Matrix<float> Booster::KnownPredictions(Data const& data, PredictionKind kind, Interrupt const& interrupted) {
  Turns::Turn const turn = TakeTurn(interrupted);
  Context const ctx = learner_.GetSettings().MakeContext(&log_, interrupted);
  return learner_.Decided(MarginsSoFar(data, ctx), kind, ctx);
}

Matrix<float> Booster::MarginsSoFar(Data const& data, Context const& ctx) {
  return learner_.Started() ? CachedMargins(data, ctx).margins : learner_.StartMargins(*data);
}

MarginCache::Entry& Booster::EntryOf(Data const& data, Context const& ctx) {
  MarginCache::Entry* entry = cache_.Find(data);
  if (entry != nullptr) return *entry;
  learner_.CheckFeatures(*data);
  bool const has_views = data->HasViews();  // they say nothing of it; who makes some compares then
  if (has_views) data->CheckUnchanged(ctx);
  entry = cache_.Add(data, learner_.StartMargins(*data));
  entry->compared = has_views;
  return *entry;
}

MarginCache::Entry& Booster::CachedMargins(Data const& data, Context const& ctx) {
  Model const& model = learner_.GetModel();
  MarginCache::Entry& entry = EntryOf(data, ctx);
  bool const compared = std::exchange(entry.compared, false);
  if (!entry.stale && entry.rounds == model.Rounds()) return entry;
  if (!compared) CheckUnchanged(data->Features(), ctx);
  std::size_t const known = entry.stale ? 0 : entry.rounds;
  // A copy: an interrupted call must not leave half of the trees added.
  Matrix<float> margins = entry.stale ? learner_.StartMargins(*data) : entry.margins;
  if (known < model.Rounds()) {
    AddMargins(model, data->Features(), ResolveTrees(model, {known, model.Rounds()}), ctx, margins.View());
  }
  entry.margins = std::move(margins);
  entry.rounds = model.Rounds();
  entry.stale = false;
  return entry;
}

FrozenPredictor::FrozenPredictor(std::shared_ptr<Learner const> learner)
    : learner_(std::move(learner)),
      serving_(learner_->ToServe()),
      starts_(learner_->Starts(static_cast<std::size_t>(learner_->GetModel().num_outputs))),
      codes_(KnownCodesOf(learner_->GetModel())),
      ctx_(learner_->GetSettings().MakeContext(nullptr, {})),
      row_cycles_(serving_->MostCycles() + kCodeCycles * static_cast<double>(codes_.size())) {}

bool FrozenPredictor::KnowsCodes(RowSource const& source, Interrupt const& interrupted) const {
  if (codes_.empty()) return true;
  Context ctx = ctx_;
  ctx.interrupted = interrupted;
  return HasKnownCodes(codes_, source, ctx);
}

std::size_t FrozenPredictor::Columns(PredictionKind kind) const {
  return kind == PredictionKind::kClass ? 1 : starts_.size();
}

void FrozenPredictor::Predict(RowSource const& source, PredictionKind kind, RoundRange rounds,
                              Interrupt const& interrupted, MatrixView<float> out) const {
  Ensure(out.rows() == source.Rows() && out.columns() == Columns(kind), "Predictions of ", out.rows(), " x ",
         out.columns(), " are asked of ", source.Rows(), " rows.");
  RoundRange const trees = ResolveTrees(learner_->GetModel(), rounds);
  Context ctx = ctx_;
  ctx.interrupted = interrupted;
  Matrix<float> apart;
  MatrixView<float> margins = out;
  if (out.columns() != starts_.size()) {
    apart = Matrix<float>(out.rows(), starts_.size());
    margins = apart.View();
  }
  for (std::size_t row = 0; row < margins.rows(); ++row) {
    std::copy(starts_.begin(), starts_.end(), margins.Row(row).begin());
  }
  if (trees.begin < trees.end) serving_->AddMargins(source, trees, ctx, margins);
  learner_->Decide(margins, kind, ctx, out);
}

void FrozenPredictor::PredictRow(float const* values, std::ptrdiff_t stride, float missing, PredictionKind kind,
                                 RoundRange rounds, float* out) const {
  RoundRange const trees = ResolveTrees(learner_->GetModel(), rounds);
  bool const apart = Columns(kind) != starts_.size();
  std::vector<float> many(apart ? starts_.size() : 0);
  float* const margins = apart ? many.data() : out;
  std::copy(starts_.begin(), starts_.end(), margins);
  if (trees.begin < trees.end) serving_->AddRow(values, stride, missing, trees, ctx_, margins);
  learner_->Decide({margins, 1, starts_.size()}, kind, ctx_, {out, 1, Columns(kind)});
}

}  // namespace xgbl
