// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "metric/multiclass.h"

namespace xgbl {
namespace {

struct MulticlassError {
  static float Loss(Span<float const> row, std::size_t label) {
    auto const largest = static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin());
    return largest == label ? 0.0F : 1.0F;
  }
};

Registration<Metric> const kMulticlassError{
    "merror", {}, "Share of rows whose largest prediction, the first if several, is of another class.", {}, [] {
      return std::make_unique<MulticlassMetric<MulticlassError>>("merror");
    }};

}  // namespace
}  // namespace xgbl
