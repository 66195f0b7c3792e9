// SPDX-License-Identifier: Apache-2.0
// Boosting of linear weights: a round is one pass of coordinate descent (Friedman, Hastie and Tibshirani 2010) over the
// bias and the features of every output. A step moves one weight to the minimum of the loss's quadratic approximation
// with L1 and L2 penalties, times the learning rate, and costs the cells of its column. `shotgun`, which lets threads
// race for the weights elsewhere, takes one feature after the other here. It gives the same weights for any number of
// threads; threads share the rows of a column, or the outputs.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "boost/booster_kind.h"
#include "parallel/parallel_for.h"
#include "parallel/reduce.h"

namespace xgbl {
namespace {

// Neighbouring columns that are read together: a cache line of a table in row order.
constexpr std::size_t kColumnsAtOnce = 16;
// Features that hardly vary have no useful curvature.
constexpr double kLeastCurvature = 1e-5;

struct LinearParam {
  std::string updater = "shotgun";
  std::string feature_selector = "cyclic";
  int top_k = 0;
  double tolerance = 0;
  double learning_rate = 0.5;
  double reg_lambda = 0;
  double reg_alpha = 0;

  template <class F>
  static void Describe(F& field) {
    using P = LinearParam;
    field("updater", &P::updater, "How gblinear moves its weights.").OneOf({"shotgun", "coord_descent"});
    field("feature_selector", &P::feature_selector,
          "Which feature gblinear takes next: in their order, shuffled, drawn with replacement, or by the largest "
          "change at the time (greedy) or at the beginning of the round (thrifty).")
        .OneOf({"cyclic", "shuffle", "random", "greedy", "thrifty"});
    field("top_k", &P::top_k, "With feature_selector greedy and thrifty: features that a round changes; 0 is no limit.")
        .Range(0)
        .Needs("`feature_selector` greedy or thrifty",
               [](P const& p) { return p.feature_selector == "greedy" || p.feature_selector == "thrifty"; });
    field("tolerance", &P::tolerance, "gblinear stops when no weight changes by more than this; 0 means never.")
        .Range(0);
    field("learning_rate", &P::learning_rate, "Share of the best change that a weight is moved by.")
        .Alias({"eta"})
        .Range(0);
    field("reg_lambda", &P::reg_lambda, "L2 penalty on weights.").Alias({"lambda"}).Range(0);
    field("reg_alpha", &P::reg_alpha, "L1 penalty on weights.").Alias({"alpha"}).Range(0);
  }
};

// Calls `visit(row, column, value)` for all present cells; those of one column in the order of rows, columns in
// parallel where that is possible.
template <class Visit>
void ForEachCell(FeatureMatrix const& features, Context const& ctx, Visit const& visit) {
  std::size_t const rows = features.Rows();
  if (DenseTable const* table = features.Dense()) {
    ParallelBlocks(ForWork(ctx, rows * table->columns), table->columns, kColumnsAtOnce,
                   [&](std::size_t begin, std::size_t end) {
                     for (std::size_t row = 0; row < rows; ++row) {
                       for (std::size_t column = begin; column < end; ++column) {
                         float const value = table->At(row, column);
                         if (!std::isnan(value)) visit(row, column, value);
                       }
                     }
                   });
    return;
  }
  for (std::size_t row = 0; row < rows; ++row) {
    features.ForEachPresent(row, [&](std::size_t column, float value) { visit(row, column, value); });
  }
}

// The present cells of each column, rows rising, which coordinate descent goes through again and again. A column
// without missing cells stores no row numbers.
class LinearColumns {
 public:
  struct Column {
    Span<float const> values;
    Span<std::uint32_t const> rows;  // empty: every row has a value

    std::size_t Row(std::size_t i) const { return rows.empty() ? i : rows[i]; }
  };

  LinearColumns(FeatureMatrix const& features, Context const& ctx)
      : row_count_(features.Rows()), begin_(features.Columns() + 1, 0) {
    ForEachCell(features, ctx, [&](std::size_t, std::size_t column, float) { ++begin_[column + 1]; });
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    values_.resize(begin_.back());
    if (values_.size() < row_count_ * Count()) rows_.resize(values_.size());
    std::vector<std::size_t> place(begin_.begin(), begin_.end() - 1);
    ForEachCell(features, ctx, [&](std::size_t row, std::size_t column, float value) {
      std::size_t const at = place[column]++;
      values_[at] = value;
      if (!rows_.empty()) rows_[at] = static_cast<std::uint32_t>(row);
    });
  }

  std::size_t Count() const { return begin_.size() - 1; }
  std::size_t Cells() const { return values_.size(); }
  Column operator[](std::size_t column) const {
    std::size_t const begin = begin_[column], count = begin_[column + 1] - begin;
    auto const values = Span<float const>(values_).Sub(begin, count);
    if (count == row_count_) return {values, {}};
    return {values, Span<std::uint32_t const>(rows_).Sub(begin, count)};
  }

 private:
  std::size_t row_count_;
  std::vector<std::size_t> begin_;
  std::vector<float> values_;
  std::vector<std::uint32_t> rows_;  // empty if no column has missing cells
};

struct LinearPenalty {
  double learning_rate;
  double l1;  // both times the sum of the rows' weights, as gradients are sums over rows
  double l2;
};

// Moves the weights of one output.
class CoordinateDescent {
 public:
  // That of feature 0 at `first`, those of the next ones `stride` apart, and the bias.
  struct Weights {
    float* first;
    std::size_t stride;
    float* bias;
  };

  CoordinateDescent(Context const& ctx, LinearColumns const& columns, OutputGradients const& gradients,
                    LinearPenalty penalty, Weights weights)
      : ctx_(ctx),
        columns_(columns),
        penalty_(penalty),
        weights_(weights),
        gradient_(gradients.rows),
        hessian_(gradients.rows) {
    for (std::size_t row = 0; row < gradients.rows; ++row) {
      gradient_[row] = gradients.G(row);
      hessian_[row] = gradients.H(row);
    }
  }

  void StepBias() {
    std::size_t const rows = gradient_.size();
    Context const ctx = ForWork(ctx_, rows);
    auto const [gradient, hessian] = SumTogether<2>(ctx, rows, [&](std::size_t row) {
      return std::array<double, 2>{double{gradient_[row]}, double{hessian_[row]}};
    });
    if (!(hessian > 0)) return;
    auto const change = static_cast<float>(-penalty_.learning_rate * gradient / hessian);
    *weights_.bias += change;
    ParallelBlocks(ctx, rows, kReduceTask, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row) gradient_[row] += hessian_[row] * change;
    });
  }

  // The best change of a weight, before the learning rate.
  double BestChange(std::size_t feature) const {
    LinearColumns::Column const column = columns_[feature];
    std::size_t const cells = column.values.size();
    Context const ctx = ForWork(ctx_, cells);
    auto const sums = [&](auto row_of) {
      return SumTogether<2>(ctx, cells, [&, row_of](std::size_t i) {
        std::size_t const row = row_of(i);
        double const value = double{column.values[i]};
        return std::array<double, 2>{double{gradient_[row]} * value, double{hessian_[row]} * value * value};
      });
    };
    // Apart, so that the loop over all rows becomes vector code.
    auto const [slope, curvature] = column.rows.empty() ? sums([](std::size_t i) { return i; })
                                                        : sums([&](std::size_t i) { return column.rows[i]; });
    if (!(curvature >= kLeastCurvature)) return 0;
    double const weight = double{Weight(feature)};
    double const gradient = slope + penalty_.l2 * weight;
    double const hessian = curvature + penalty_.l2;
    // The penalty on the absolute value pulls towards 0 and stops there.
    if (weight - gradient / hessian >= 0) return std::max(-(gradient + penalty_.l1) / hessian, -weight);
    return std::min(-(gradient - penalty_.l1) / hessian, -weight);
  }

  void Step(std::size_t feature) {
    auto const change = static_cast<float>(penalty_.learning_rate * BestChange(feature));
    if (!(change < 0) && !(change > 0)) return;
    Weight(feature) += change;
    LinearColumns::Column const column = columns_[feature];
    std::size_t const cells = column.values.size();
    ParallelBlocks(ForWork(ctx_, cells), cells, kReduceTask, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        std::size_t const row = column.Row(i);
        gradient_[row] += hessian_[row] * column.values[i] * change;
      }
    });
  }

  Context const& Threads() const { return ctx_; }
  LinearColumns const& Columns() const { return columns_; }

 private:
  float& Weight(std::size_t feature) const { return weights_.first[feature * weights_.stride]; }

  Context ctx_;
  LinearColumns const& columns_;
  LinearPenalty penalty_;
  Weights weights_;
  std::vector<float> gradient_;  // at the weights as they are now
  std::vector<float> hessian_;
};

using Features = std::vector<std::size_t>;

Features Cyclic(std::size_t count) {
  Features features(count);
  std::iota(features.begin(), features.end(), std::size_t{0});
  return features;
}

Features Drawn(std::size_t count, Random const& random) {
  Features features(count);
  for (std::size_t i = 0; i < count; ++i) features[i] = static_cast<std::size_t>(random.Bits(i) % count);
  return features;
}

Features Shuffled(std::size_t count, Random const& random) {
  Features features = Cyclic(count);
  for (std::size_t i = count; i > 1; --i) std::swap(features[i - 1], features[random.Bits(i) % i]);
  return features;
}

std::vector<double> Changes(CoordinateDescent const& descent) {
  std::vector<double> sizes(descent.Columns().Count());
  ParallelTasks(ForWork(descent.Threads(), descent.Columns().Cells()), sizes.size(),
                [&](std::size_t feature, int) { sizes[feature] = std::fabs(descent.BestChange(feature)); });
  return sizes;
}

Features ByChange(CoordinateDescent const& descent) {
  std::vector<double> const sizes = Changes(descent);
  Features features = Cyclic(sizes.size());
  std::stable_sort(features.begin(), features.end(), [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
  return features;
}

// As in xgboost, the last of several features is left out even if there is no limit.
std::size_t LimitOf(int top_k, std::size_t features) {
  std::size_t const most = features > 1 ? features - 1 : features;
  return top_k == 0 ? most : std::min(static_cast<std::size_t>(top_k), most);
}

double SumOfWeights(DMatrix const& data, Context const& ctx) {
  Meta const& info = data.Info();
  if (info.weights.empty()) return static_cast<double>(data.Rows());
  std::vector<float> const by_row = info.WeightsByRow(data.Rows());
  std::vector<float> const& weights = by_row.empty() ? info.weights : by_row;
  return SumRows(ctx, weights.size(), [&](std::size_t i) { return double{weights[i]}; });
}

class GbLinear : public BoosterKind {
 public:
  void Configure(ParamMap const& params) override {
    param_ = ParamsFrom<LinearParam>(params);
    bool const simple = param_.feature_selector == "cyclic" || param_.feature_selector == "shuffle";
    Require<ParamError>(simple || param_.updater == "coord_descent",
                        "`feature_selector` must be cyclic or shuffle with `updater` shotgun; got ",
                        param_.feature_selector, ". Use `updater` coord_descent.");
  }
  ParamMap Params() const override { return TextOf(param_); }

  void Check(KindSetting const& setting) const override {
    Require<ParamError>(setting.model.trees.empty(),
                        "The model is made of trees, and `booster` gblinear cannot go on from it. Train a new model, "
                        "or go on with `booster` gbtree.");
    Require<ParamError>(setting.learner.multi_strategy == "one_output_per_tree", "`multi_strategy` ",
                        setting.learner.multi_strategy, " is for trees, not for `booster` gblinear.");
    auto const& types = setting.data.Info().feature_types;
    bool const categorical = std::find(types.begin(), types.end(), "c") != types.end();
    Require<DataError>(!categorical,
                       "`gblinear` doesn't support categorical features. Encode them as numbers, such as one column of "
                       "0 and 1 for each category.");
  }

  bool GrowsTrees() const override { return false; }

  Round Grow(RoundInput const& task, RoundMemory* memory) const override {
    std::size_t const outputs = task.gradients.gradient.columns();
    auto next = task.model->linear ? *task.model->linear : LinearModel();
    next.weights.resize((task.model->num_features + 1) * outputs, 0.0F);
    bool const moves = !(param_.tolerance > 0) || double{next.last_step} > param_.tolerance;
    if (moves) next.last_step = Move(task, CellsOf(task, memory), &next.weights);
    ++next.rounds;
    Round round;
    round.linear = std::make_shared<LinearModel const>(std::move(next));
    round.changes_earlier = true;
    if (!moves) round.margins = task.margins;
    return round;
  }

 private:
  // Returns the largest change.
  float Move(RoundInput const& task, LinearColumns const& columns, std::vector<float>* weights) const {
    std::vector<float> const before = *weights;
    std::size_t const outputs = task.gradients.gradient.columns();
    double const total = SumOfWeights(task.data, task.ctx);
    LinearPenalty const penalty{param_.learning_rate, param_.reg_alpha * total, param_.reg_lambda * total};
    auto const move = [&](std::size_t k, int) {
      OutputGradients const gradients = ColumnsOf(task.gradients, k, 1)[0];
      RangeOf(gradients, task.ctx);  // throws if they are not finite
      float* const first = weights->data() + k;
      CoordinateDescent descent(task.ctx, columns, gradients, penalty,
                                {first, outputs, first + task.model->num_features * outputs});
      descent.StepBias();
      StepFeatures(task, &descent);
    };
    // One loop within the other would leave threads idle, or be serial.
    Context const across = outputs < static_cast<std::size_t>(task.ctx.threads) ? Context() : task.ctx;
    if (across.threads > 1) {
      ParallelTasks(across, outputs, move);
    } else {
      for (std::size_t k = 0; k < outputs; ++k) move(k, 0);
    }
    float largest = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      Require<DataError>(std::isfinite((*weights)[i]),
                         "A weight of the linear model left the range of numbers. Scale the features to similar "
                         "ranges, or lower `learning_rate`.");
      largest = std::max(largest, std::fabs((*weights)[i] - before[i]));
    }
    return largest;
  }

  void StepFeatures(RoundInput const& task, CoordinateDescent* descent) const {
    std::size_t const count = descent->Columns().Count();
    if (param_.feature_selector == "greedy") {
      for (std::size_t step = 0; step < LimitOf(param_.top_k, count); ++step) {
        CheckInterrupt(task.ctx);
        auto const sizes = Changes(*descent);
        descent->Step(static_cast<std::size_t>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin()));
      }
      return;
    }
    for (std::size_t const feature : OrderOf(task, *descent)) descent->Step(feature);
  }

  Features OrderOf(RoundInput const& task, CoordinateDescent const& descent) const {
    std::size_t const count = descent.Columns().Count();
    Random const random(task.ctx.seed, Purpose::kLinearFeatures, task.round);
    if (param_.feature_selector == "cyclic") return Cyclic(count);
    if (param_.feature_selector == "shuffle") return Shuffled(count, random);
    if (param_.feature_selector == "random") return Drawn(count, random);
    Features features = ByChange(descent);
    features.resize(LimitOf(param_.top_k, count));
    return features;
  }

  static LinearColumns const& CellsOf(RoundInput const& task, RoundMemory* memory) {
    if (!memory->kept) {
      task.data.CheckUnchanged(task.ctx);
      memory->kept = std::make_shared<LinearColumns const>(task.data.Features(), task.ctx);
    }
    return *static_cast<LinearColumns const*>(memory->kept.get());
  }

  LinearParam param_;
};

auto const kGbLinear =
    Register<BoosterKind, GbLinear>("gblinear", "A linear model, fitted by coordinate descent.").Params<LinearParam>();

}  // namespace
}  // namespace xgbl
