// SPDX-License-Identifier: Apache-2.0
#include "metric/confusion.h"

namespace xgbl {
namespace {

class Hamming : public ConfusionMetric {
 public:
  using ConfusionMetric::ConfusionMetric;

  bool HigherIsBetter() const override { return false; }

 protected:
  double Score(ClassCounts const& classes) const override { return ScoreOfMany({classes}); }

  double ScoreOfMany(std::vector<ClassCounts> const& targets) const override {
    double wrong = 0, cells = 0;
    for (auto const& classes : targets) {
      for (auto const& one : classes) {
        wrong += one.labelled - one.right;
        cells += one.labelled;
      }
    }
    return wrong / cells;
  }
};

auto const kHamming =
    Register<Metric, Hamming>("hamming", "Share of cells (row, target) whose class is predicted wrongly.")
        .Elsewhere({"hammingloss"});

}  // namespace
}  // namespace xgbl
