// SPDX-License-Identifier: Apache-2.0
#include "metric/metric.h"

#include "parallel/reduce.h"

namespace xgbl {

void Metric::SetArgument(std::string const& argument) {
  Require<ParamError>(argument.empty(), "This `eval_metric` takes nothing behind its name; got `@", argument,
                      "`. Leave that out.");
}

bool AllNumbers(Span<float const> predictions, Context const& ctx) {
  return AllRows(ctx, predictions.size(), [&](std::size_t i) { return predictions[i] == predictions[i]; });
}

std::unique_ptr<Metric> MakeMetric(std::string const& name, ParamMap const& params, bool is_default) {
  // What the name takes stands behind `@`; a single `-` may stand without.
  auto const at = std::min(name.find('@'), name.size());
  bool const minus = at == name.size() && name.size() > 1 && name.back() == '-';
  auto metric = Registry<Metric>::Get().At(name.substr(0, minus ? at - 1 : at), "metric").make();
  Require<ParamError>(at + 1 != name.size(), "`", name,
                      "` has nothing behind `@`. Leave it out, or name a value as in `error@0.3`.");
  is_default ? metric->ConfigureDefault(params) : metric->Configure(params);
  if (minus) metric->SetArgument("-");
  if (at < name.size()) metric->SetArgument(name.substr(at + 1));
  return metric;
}

}  // namespace xgbl
