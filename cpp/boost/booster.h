// SPDX-License-Identifier: Apache-2.0
// Trains a learner. One Update() is a round: margins, gradients, one tree per output and parallel tree, updated
// margins. A round either completes or leaves the booster as it was.
// Safe to use from many threads at once. Calls that train or change the booster take turns. Calls that only read it
// never wait for a round; they see the state before or after it. Readers share a copy, made on the first read after a
// change.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "boost/learner.h"
#include "boost/round.h"
#include "data/dmatrix.h"
#include "model/model.h"
#include "objective/objective.h"
#include "parallel/fork_safe_mutex.h"
#include "parallel/turns.h"
#include "predict/row_reader.h"
#include "predict/serving.h"

namespace xgbl {

/// A model ready to predict. Everything a call needs is prepared: layouts of the trees, the margins that rows start
/// from, threads and instruction set. Later changes to the booster do not affect it. Safe to use from many threads at
/// once, which share nothing that is written. A single row takes hardly any memory, and small work wakes no thread.
class FrozenPredictor {
 public:
  /// `learner` must have its intercept and not be linear.
  explicit FrozenPredictor(std::shared_ptr<Learner const> learner);

  static bool Suits(Learner const& learner) { return learner.Started() && !learner.GetModel().linear; }

  Learner const& GetLearner() const { return *learner_; }
  /// Predictions per row.
  std::size_t Columns(PredictionKind kind) const;
  /// Whether training had all codes of categories that the rows have.
  bool KnowsCodes(RowSource const& source, Interrupt const& interrupted) const;
  std::vector<KnownCodes> const& Codes() const { return codes_; }
  /// Whether a call is so short that doing other things meanwhile is not worth it.
  bool IsQuick(std::size_t rows) const { return static_cast<double>(rows) * row_cycles_ < kQuickCycles; }
  /// Rows from values to `out`, rows x Columns(kind); the columns must be as many as the model's features, or fewer if
  /// sparse.
  void Predict(RowSource const& source, PredictionKind kind, RoundRange rounds, Interrupt const& interrupted,
               MatrixView<float> out) const;
  /// One row whose features lie `stride` values apart.
  void PredictRow(float const* values, std::ptrdiff_t stride, float missing, PredictionKind kind, RoundRange rounds,
                  float* out) const;

 private:
  static constexpr double kQuickCycles = 100'000;
  static constexpr double kCodeCycles = 20;  // to look whether training had a code

  std::shared_ptr<Learner const> learner_;
  std::shared_ptr<Serving const> serving_;
  std::vector<float> starts_;  // by output
  std::vector<KnownCodes> codes_;
  Context ctx_;
  double row_cycles_;
};

/// Margins of matrices that a booster has seen, so that a round only adds its trees to them. Does not keep a matrix
/// alive. Margins are valid for the first `rounds` rounds and for the Meta they were made with. They become stale when
/// a round changes the weight of earlier trees.
class MarginCache {
 public:
  struct Entry {
    std::weak_ptr<DMatrix const> data;
    std::uint64_t info_version = 0;
    std::size_t rounds = 0;
    bool checked = false;     // whether its labels are known to suit the objective
    bool remembered = false;  // whether the model knows what it is to remember of it
    bool stale = false;
    bool compared = false;  // with what was read of the user's memory, in the call that is running
    Matrix<float> margins;
    RoundMemory memory;
  };

  /// The entry of a matrix, nullptr if there is none or its Meta has changed since. Forgets matrices that are gone.
  Entry* Find(std::shared_ptr<DMatrix const> const& data) {
    entries_.remove_if([&](Entry const& entry) {
      auto const held = entry.data.lock();
      return !held || (held == data && entry.info_version != data->InfoVersion());
    });
    auto const found =
        std::find_if(entries_.begin(), entries_.end(), [&](Entry const& entry) { return entry.data.lock() == data; });
    return found == entries_.end() ? nullptr : &*found;
  }
  Entry* Add(std::shared_ptr<DMatrix const> const& data, Matrix<float> margins) {
    Entry& entry = entries_.emplace_back();
    entry.data = data;
    entry.info_version = data->InfoVersion();
    entry.margins = std::move(margins);
    return &entry;
  }
  void Clear() { entries_.clear(); }
  void MarkStale() {
    for (Entry& entry : entries_) entry.stale = true;
  }

 private:
  std::list<Entry> entries_;
};

class Booster {
 public:
  using Data = std::shared_ptr<DMatrix const>;
  using Pairs = Settings::Pairs;
  using Score = std::pair<std::string, double>;

  Booster() = default;
  explicit Booster(Learner learner) : learner_(std::move(learner)) {}
  /// In a copy, updates of trees (process_type) start again.
  Booster(Booster const& other) : learner_(*other.Snapshot()) { learner_.EndUpdates(); }
  ~Booster();

  /// The booster as it is now: later changes do not affect it.
  std::shared_ptr<Learner const> Snapshot() const;
  /// The same, ready to predict. All callers share it until the booster changes. nullptr if there are no trees to lay
  /// out.
  std::shared_ptr<FrozenPredictor const> Frozen() const;
  /// The same, or nullptr if nobody has asked for it since the last change. Never takes long.
  std::shared_ptr<FrozenPredictor const> FrozenIfMade() const;
  /// `reader(learner)`, by value. For a fact or two: changes wait until the reader returns.
  template <class Reader>
  auto Read(Reader const& reader) const {
    std::lock_guard<ForkSafeMutex> const lock(learner_mutex_);
    return std::invoke(reader, learner_);
  }
  Matrix<float> Predict(DMatrix const& data, PredictionKind kind, RoundRange rounds, bool training = false,
                        Interrupt const& interrupted = {}) const {
    return Snapshot()->Predict(data, kind, rounds, training, interrupted);
  }

  /// As Learner's.
  void SetParams(Pairs const& given, Interrupt const& interrupted = {});
  void SetModel(Model model, Interrupt const& interrupted = {});
  /// For names, types and attributes, not for trees.
  void EditModel(std::function<void(Model*)> const& edit, Interrupt const& interrupted = {});

  /// For trees and weights: known margins are dropped.
  void EditTrees(std::function<void(Model*)> const& edit, Interrupt const& interrupted = {});

  void Update(Data const& train, Interrupt const& interrupted = {});
  /// A round on given derivatives, rows x outputs. `split`, if not empty, has other derivatives of the same rows for
  /// choosing the splits of vector leaves, such as fewer columns.
  void Boost(Data const& train, GradientView const& gradients, GradientView const& split = {},
             Interrupt const& interrupted = {});
  /// The margins that the next round's derivatives are taken from: of all rounds, unless the kind of booster leaves
  /// some out.
  Matrix<float> Margins(Data const& data, Interrupt const& interrupted = {});
  std::vector<Score> Evaluate(Data const& data, Interrupt const& interrupted = {});
  /// What Predict() gives of all rounds, from margins that are kept from round to round.
  Matrix<float> KnownPredictions(Data const& data, PredictionKind kind, Interrupt const& interrupted = {});
  /// Forgets training data and, with process_type=update, the rounds that are not updated yet.
  void DropCaches(Interrupt const& interrupted = {});

  std::vector<MessageLog::Message> TakeMessages() { return log_.Take(); }
  void SetDefaultVerbosity(int verbosity) { log_.SetDefaultVerbosity(verbosity); }

 private:
  class StartGuard;

  template <class Edit>
  void Change(Edit const& edit) {
    std::shared_ptr<Learner const> outdated;  // they go after the lock: they may be large
    std::shared_ptr<FrozenPredictor const> outdated_predictor;
    std::lock_guard<ForkSafeMutex> const lock(learner_mutex_);
    outdated.swap(snapshot_);
    outdated_predictor.swap(frozen_);
    edit(&learner_);
  }

  /// Comes first in every function that is not const. ParamError where it would wait for itself, or for ever.
  Turns::Turn TakeTurn(Interrupt const& interrupted);
  /// The number of the round to be made; updates of trees begin at the first one again.
  std::size_t NextRound() const;
  MarginCache::Entry& PrepareTraining(Data const& train, bool needs_label, Context const& ctx);
  /// The margins that a round starts from: the entry's, brought up to date, or others in `apart`.
  Matrix<float> const& TrainingMargins(Data const& train, Context const& ctx, Matrix<float>* apart);
  void GrowRound(RoundInput const& input, ObjectiveState const& state, MarginCache::Entry* cached);
  RoundInput InputFor(DMatrix const& train, GradientView const& gradients, Matrix<float> const& margins,
                      Context const& ctx) const;
  MarginCache::Entry& EntryOf(Data const& data, Context const& ctx);
  void CheckSplitGradients(DMatrix const& train, GradientView const& split) const;
  /// Of all rounds; before the first one those of the default intercept, which are not kept, as it may change.
  Matrix<float> MarginsSoFar(Data const& data, Context const& ctx);
  MarginCache::Entry& CachedMargins(Data const& data, Context const& ctx);

  Turns turns_;
  // Read by the thread whose turn it is, and under the lock by others; changed under the lock by the former.
  Learner learner_;
  mutable std::shared_ptr<Learner const> snapshot_;  // nullptr when outdated
  mutable std::shared_ptr<FrozenPredictor const> frozen_;
  mutable ForkSafeMutex learner_mutex_;  // guards these; its holder waits for nothing else
  MarginCache cache_;                    // for the thread whose turn it is
  MessageLog log_;
};

}  // namespace xgbl
