// SPDX-License-Identifier: Apache-2.0
#include "metric/metric.h"

#include "base/error.h"
#include "parallel/reduce.h"

namespace xgbl {

void Metric::SetArgument(std::string const& argument) {
  Require<ParamError>(argument.empty(), "This metric takes nothing behind its name; got `@", argument, "`.");
}

bool AllNumbers(Span<float const> predictions, Context const& ctx) {
  return AllRows(ctx, predictions.size(), [&](std::size_t i) { return predictions[i] == predictions[i]; });
}

std::unique_ptr<Metric> MakeMetric(std::string const& name, ParamMap const& params) {
  auto const at = name.find('@');
  auto metric = Registry<Metric>::Get().At(name.substr(0, at), "metric").make();
  bool const dangling = at != std::string::npos && at + 1 == name.size();
  Require<ParamError>(!dangling, "`", name,
                      "` has nothing behind `@`. Leave it out, or name a value as in `error@0.3`.");
  metric->Configure(params);
  if (at != std::string::npos) metric->SetArgument(name.substr(at + 1));
  return metric;
}

}  // namespace xgbl
