// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>

#include "base/numbers.h"
#include "metric/multiclass.h"

namespace xgbl {
namespace {

struct MulticlassError {
  std::int64_t tried = 0;  // how many classes may be right; 0: the likeliest one, the first if several

  float Loss(Span<float const> row, std::size_t label) const {
    if (tried == 0) return LikeliestClass(row) == label ? 0.0F : 1.0F;
    float const own = row[label];
    auto const ahead = std::count_if(row.begin(), row.end(), [own](float value) { return !(value < own); });
    return ahead <= tried ? 0.0F : 1.0F;
  }
};

class MulticlassErrorMetric : public MulticlassMetric<MulticlassError> {
 public:
  using MulticlassMetric::MulticlassMetric;

  void SetArgument(std::string const& argument) override {
    Require<ParamError>(ParseNumber(argument, &loss_.tried) && loss_.tried > 0,
                        "`merror@` needs a number of classes, 1 or more; got `", argument, "`.");
  }
};

auto const kMulticlassError =
    Register<Metric, MulticlassErrorMetric>(
        "merror",
        "Share of rows whose largest prediction, the first if several, is of another class; in `merror@k` of rows "
        "whose class is not among the `k` largest, equal ones counting as larger.")
        .Elsewhere({"multi_error"});

}  // namespace
}  // namespace xgbl
