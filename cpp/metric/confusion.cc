// SPDX-License-Identifier: Apache-2.0
// Metrics that need only three counts per class: how many rows have it, how many are predicted as it, and how many are
// both. This is all that F1, recall and correlation need of the confusion matrix. An output of one prediction is two
// classes divided by a threshold; with several targets it is several such questions. A NaN prediction makes the metric
// NaN.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/numbers.h"
#include "metric/elementwise.h"

namespace xgbl {
namespace {

/// Weights of the rows of one class.
struct ClassCount {
  double right = 0;     // of this class and taken for it
  double labelled = 0;  // of this class
  double taken = 0;     // taken for it

  double Recall() const { return right / labelled; }
  double F1() const { return labelled + taken > 0 ? 2 * right / (labelled + taken) : 0; }
};

/// The classes of one question, and of all.
using ClassCounts = std::vector<ClassCount>;
using Questions = std::vector<ClassCounts>;

/// The mean of those that have a score.
template <double (*kScore)(ClassCounts const& classes)>
double MeanScore(Questions const& questions) {
  double sum = 0, known = 0;
  for (auto const& classes : questions) {
    double const score = kScore(classes);
    if (std::isnan(score)) continue;
    sum += score;
    known += 1;
  }
  return sum / known;
}

/// Throws DataError unless the label of a cell with two classes is 0 or 1.
void CheckSide(float label, std::string const& metric) {
  Require<DataError>(label == 0.0F || label == 1.0F, "`", metric, "` needs labels that are 0 or 1; got ", label,
                     ". For more classes an objective such as `multi:softprob` gives a prediction for each.");
}

constexpr std::size_t kKinds = 8;  // of cells: known or not, of class 1 or not, taken for it or not

/// Some cells of a target.
struct TargetCells {
  float const* labels;
  float const* predictions;
  std::size_t targets;  // cells from one to the next in both
  float threshold;
};

// Every second row has kinds of its own, so that no addition waits for the one before it. False if some label is not
// allowed. Not by branches, which nobody could foresee.
bool FillKinds(TargetCells const& cells, std::size_t count, std::uint8_t* kinds) {
  std::size_t const stride = cells.targets;
  float const threshold = cells.threshold;
  std::uint32_t bad = 0;
  for (std::size_t i = 0; i < count; ++i) {
    float const label = cells.labels[i * stride];
    auto const one = static_cast<std::uint8_t>(label == 1.0F), zero = static_cast<std::uint8_t>(label == 0.0F);
    auto const above = static_cast<std::uint8_t>(cells.predictions[i * stride] > threshold);
    auto const known = static_cast<std::uint8_t>(one | zero);
    bad |= 1U ^ (known | static_cast<std::uint32_t>((stride > 1) & (label != label)));
    kinds[i] = static_cast<std::uint8_t>(kKinds * (i % 2) + 4 * known + 2 * one + above);
  }
  return bad == 0;
}

class ConfusionMetric : public Metric {
 public:
  using Score = double (*)(Questions const& questions);

  ConfusionMetric(std::string name, Score score, bool higher_is_better = true)
      : score_(score), name_(std::move(name)), higher_is_better_(higher_is_better) {}

  /// The threshold between two classes.
  void SetArgument(std::string const& argument) override {
    Require<ParamError>(ParseNumber(argument, &threshold_), "`", name_, "@` needs a number as the threshold; got `",
                        argument, "`.");
  }
  bool HigherIsBetter() const override { return higher_is_better_; }

  double Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override {
    auto const& labels = meta.labels;
    bool const targets = labels.columns == predictions.columns();
    Require<DataError>(labels.rows == predictions.rows() && (predictions.empty() || targets || labels.columns == 1),
                       "`", name_, "` needs one label a row, or one for each prediction: ", predictions.rows(), " x ",
                       predictions.columns(), "; got labels for ", labels.rows, " x ", labels.columns, ".");
    if (predictions.empty() || !AllNumbers(predictions.Flat(), ctx)) return kUndefined;
    return targets ? EvaluateTargets(predictions, meta, ctx) : score_({CountClasses(predictions, meta, ctx)});
  }

 protected:
  /// Of two classes for each prediction.
  virtual double EvaluateTargets(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const {
    return score_(CountTargets(predictions, meta, ctx));
  }

  Score score_;
  std::string name_;
  float threshold_ = 0.5F;

 private:
  Questions CountTargets(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const {
    RowWeights(meta, predictions.rows(), name_);
    auto const labels = meta.labels.View();
    auto const add = [&](std::size_t begin, std::size_t end, std::int64_t const* weights, std::int64_t* sums) {
      for (std::size_t k = 0; k < labels.columns(); ++k, sums += kKinds) {
        std::array<std::uint8_t, kReduceBlock> kinds;  // NOLINT(*-member-init)
        std::size_t const first = begin * labels.columns() + k;
        bool const good = FillKinds({labels.data() + first, predictions.data() + first, labels.columns(), threshold_},
                                    end - begin, kinds.data());
        for (std::size_t i = begin; !good && i < end; ++i) {
          if (labels.columns() == 1 || !std::isnan(labels(i, k))) CheckSide(labels(i, k), name_);
        }
        std::array<std::int64_t, 2 * kKinds> own{};
        for (std::size_t i = 0; i < end - begin; ++i) own[kinds[i]] += weights[i];
        for (std::size_t kind = 0; kind < kKinds; ++kind) sums[kind] += own[kind] + own[kKinds + kind];
      }
    };
    auto const sums = SumWeights(ctx, predictions.rows(), meta.weights, kKinds * labels.columns(), add);
    Questions out;
    for (std::size_t k = 0; k < labels.columns(); ++k) {
      double const* const known = sums.data() + kKinds * k + 4;
      out.push_back(
          {{known[0], known[0] + known[1], known[0] + known[2]}, {known[3], known[2] + known[3], known[1] + known[3]}});
    }
    return out;
  }

  ClassCounts CountClasses(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const {
    std::size_t const classes = predictions.columns();
    RowWeights(meta, predictions.rows(), name_);
    auto const add = [&](std::size_t begin, std::size_t end, std::int64_t const* weights, std::int64_t* sums) {
      std::array<std::uint32_t, kReduceBlock> taken;  // NOLINT(*-member-init)
      for (std::size_t i = begin; i < end; ++i) {
        taken[i - begin] = static_cast<std::uint32_t>(LikeliestClass(predictions.Row(i)));
      }
      for (std::size_t i = begin; i < end; ++i) {
        std::int64_t const weight = weights[i - begin];
        std::size_t const label = ClassOf(meta.labels.values[i], classes, name_);
        sums[3 * label] += label == taken[i - begin] ? weight : 0;
        sums[3 * label + 1] += weight;
        sums[3 * taken[i - begin] + 2] += weight;
      }
    };
    auto const sums = SumWeights(ctx, predictions.rows(), meta.weights, 3 * classes, add);
    ClassCounts out;
    for (std::size_t k = 0; k < classes; ++k) out.push_back({sums[3 * k], sums[3 * k + 1], sums[3 * k + 2]});
    return out;
  }

  bool higher_is_better_;
};

double RightShare(ClassCounts const& classes) {
  double right = 0, rows = 0;
  for (auto const& one : classes) {
    right += one.right;
    rows += one.labelled;
  }
  return right / rows;
}

/// A row with several targets is right if all that it has are.
class Accuracy : public ConfusionMetric {
 public:
  explicit Accuracy(std::string name) : ConfusionMetric(std::move(name), MeanScore<RightShare>) {}

 protected:
  double EvaluateTargets(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override {
    if (predictions.columns() == 1) return ConfusionMetric::EvaluateTargets(predictions, meta, ctx);
    RowWeights const weights(meta, predictions.rows(), name_);
    auto const labels = meta.labels.View();
    auto const right = [&](std::size_t i) { return IsRight(predictions.Row(i), labels.Row(i)) ? 1.0 : 0.0; };
    auto const known = [&](std::size_t i) {
      auto const row = labels.Row(i);
      return std::any_of(row.begin(), row.end(), [](float label) { return !std::isnan(label); });
    };
    return SumLosses(ctx, weights, predictions.rows(), 1, right, known).Mean();
  }

 private:
  bool IsRight(Span<float const> predictions, Span<float const> labels) const {
    bool right = true;
    for (std::size_t k = 0; k < labels.size(); ++k) {
      if (std::isnan(labels[k])) continue;
      CheckSide(labels[k], name_);
      right &= (labels[k] == 1.0F) == (predictions[k] > threshold_);
    }
    return right;
  }
};

auto const kAccuracy =
    Register<Metric, Accuracy>("accuracy", "Share of rows whose classes are all predicted correctly.");

double MeanRecall(ClassCounts const& classes) {
  double sum = 0, present = 0;
  for (auto const& one : classes) {
    if (one.labelled <= 0) continue;
    sum += one.Recall();
    present += 1;
  }
  return sum / present;
}

auto const kBalancedAccuracy =
    Register<Metric, ConfusionMetric>("balanced_accuracy",
                                      "Mean over classes of the share of their rows that are predicted correctly.",
                                      MeanScore<MeanRecall>)
        .Elsewhere({"balancedaccuracy"});

double WrongShare(Questions const& questions) {
  double wrong = 0, cells = 0;
  for (auto const& classes : questions) {
    for (auto const& one : classes) {
      wrong += one.labelled - one.right;
      cells += one.labelled;
    }
  }
  return wrong / cells;
}

auto const kHamming =
    Register<Metric, ConfusionMetric>("hamming", "Share of cells (row, target) whose class is predicted wrongly.",
                                      WrongShare, false)
        .Elsewhere({"hammingloss"});

enum class Average { kNone, kMacro, kMicro, kWeighted };

/// The harmonic mean of precision and recall: of the positive class where there are two, else a mean over classes, or
/// over the positive classes of several targets, that the argument names.
template <Average kAverage>
double F1Score(Questions const& questions) {
  ClassCounts positive;
  for (auto const& classes : questions) positive.push_back(classes[1]);
  ClassCounts const& classes = questions.size() == 1 ? questions[0] : positive;
  if (kAverage == Average::kNone && questions.size() == 1 && classes.size() == 2) return classes[1].F1();
  ClassCount all;
  double sum = 0, weighted = 0;
  for (auto const& one : classes) {
    all.right += one.right;
    all.labelled += one.labelled;
    all.taken += one.taken;
    sum += one.F1();
    weighted += one.F1() * one.labelled;
  }
  if (kAverage == Average::kMicro) return all.F1();
  if (kAverage == Average::kWeighted) return all.labelled > 0 ? weighted / all.labelled : 0;
  return sum / static_cast<double>(classes.size());
}

class F1 : public ConfusionMetric {
 public:
  explicit F1(std::string name) : ConfusionMetric(std::move(name), F1Score<Average::kNone>) {}

  void SetArgument(std::string const& argument) override {
    score_ = argument == "macro"      ? F1Score<Average::kMacro>
             : argument == "micro"    ? F1Score<Average::kMicro>
             : argument == "weighted" ? F1Score<Average::kWeighted>
                                      : nullptr;
    Require<ParamError>(score_ != nullptr, "`f1@` needs `macro`, `micro` or `weighted`; got `", argument, "`.");
  }
};

auto const kF1 = Register<Metric, F1>("f1",
                                      "Harmonic mean of precision and recall; of several classes or targets the plain "
                                      "mean of theirs, or as `f1@micro` and `f1@weighted` say.")
                     .Elsewhere({"totalf1"});

// Matthews' correlation of labels and predicted classes; for several classes as Gorodkin (2004) extends it: the
// covariance of their indicators, summed over classes, over the root of the product of both variances.
double Correlation(ClassCounts const& classes) {
  double right = 0, rows = 0, both = 0, labelled = 0, taken = 0;
  for (auto const& one : classes) {
    right += one.right;
    rows += one.labelled;
    both += one.labelled * one.taken;
    labelled += one.labelled * one.labelled;
    taken += one.taken * one.taken;
  }
  double const variances = (rows * rows - labelled) * (rows * rows - taken);
  return variances > 0 ? (right * rows - both) / std::sqrt(variances) : 0;
}

auto const kMcc = Register<Metric, ConfusionMetric>("mcc", "Matthews' correlation of labels and predicted classes.",
                                                    MeanScore<Correlation>);

}  // namespace
}  // namespace xgbl
