// SPDX-License-Identifier: Apache-2.0
// A metric: one number that says how good predictions are. Stateless after Configure(). Sums are exact
// (parallel/reduce.h), so the number depends neither on threads nor on the order of the rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>

#include "base/context.h"
#include "base/error.h"
#include "base/params.h"
#include "base/registry.h"
#include "base/span.h"
#include "labels/meta.h"

namespace xgbl {

/// What a metric is where it is not defined, such as without rows.
constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

class Metric {
 public:
  virtual ~Metric() = default;

  /// Takes from the objective's parameters, as the user set them, those that the metric needs too. The objective's name
  /// is there as `objective`.
  virtual void Configure(ParamMap const& /*params*/) {}
  /// The same for a metric that nobody named: the objective's default.
  virtual void ConfigureDefault(ParamMap const& params) { Configure(params); }
  /// The text after `@` in the metric's name: "0.3" of `error@0.3`. Not called if there is none.
  virtual void SetArgument(std::string const& argument);
  /// Whether each row must have a label; else Evaluate() says which fields it reads.
  virtual bool NeedsLabels() const { return true; }
  /// Whether it wants predictions as they are before the objective transforms them.
  virtual bool SeesMargins() const { return false; }
  /// `predictions` are rows x outputs, as the objective's TransformForMetrics() has left them unless SeesMargins().
  /// Throws DataError if it can't be computed on them.
  virtual double Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const = 0;
  virtual bool HigherIsBetter() const { return false; }
};

/// Whether no prediction is NaN. Metrics that sort or compare predictions would hide it.
bool AllNumbers(Span<float const> predictions, Context const& ctx);

/// The label of a row as a class; throws DataError unless it is a whole number below `classes`.
inline std::size_t ClassOf(float label, std::size_t classes, std::string const& metric) {
  bool const good = label >= 0.0F && label < static_cast<float>(classes) && label == std::floor(label);
  Require<DataError>(good, "`", metric, "` needs labels that are whole numbers below the number of predictions a row, ",
                     classes, "; got ", label, ".");
  return static_cast<std::size_t>(label);
}

/// The class with the largest prediction, the first if several.
inline std::size_t LikeliestClass(Span<float const> row) {
  return static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin());
}

/// The metric of a name such as `rmse` or `error@0.3`; a ParamError names the nearest if there is none.
std::unique_ptr<Metric> MakeMetric(std::string const& name, ParamMap const& params, bool is_default = false);

}  // namespace xgbl
