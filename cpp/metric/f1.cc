// SPDX-License-Identifier: Apache-2.0
// The harmonic mean of precision and recall: of the positive class where there are two, else a mean over classes, or
// over targets, that the argument names.
#include "metric/confusion.h"

namespace xgbl {
namespace {

enum class Average { kNone, kMacro, kMicro, kWeighted };

double AverageF1(ClassCounts const& classes, Average average) {
  ClassCount all;
  double sum = 0, weighted = 0;
  for (auto const& one : classes) {
    all.right += one.right;
    all.labelled += one.labelled;
    all.taken += one.taken;
    sum += one.F1();
    weighted += one.F1() * one.labelled;
  }
  if (average == Average::kMicro) return all.F1();
  if (average == Average::kWeighted) return all.labelled > 0 ? weighted / all.labelled : 0;
  return sum / static_cast<double>(classes.size());
}

class F1 : public ConfusionMetric {
 public:
  using ConfusionMetric::ConfusionMetric;

  void SetArgument(std::string const& argument) override {
    average_ = argument == "macro"      ? Average::kMacro
               : argument == "micro"    ? Average::kMicro
               : argument == "weighted" ? Average::kWeighted
                                        : Average::kNone;
    Require<ParamError>(average_ != Average::kNone, "`f1@` needs `macro`, `micro` or `weighted`; got `", argument,
                        "`.");
  }

 protected:
  double Score(ClassCounts const& classes) const override {
    bool const positive_only = classes.size() == 2 && average_ == Average::kNone;
    return positive_only ? classes[1].F1() : AverageF1(classes, average_);
  }

  double ScoreOfMany(std::vector<ClassCounts> const& targets) const override {
    ClassCounts positive;
    for (auto const& classes : targets) positive.push_back(classes[1]);
    return AverageF1(positive, average_);
  }

 private:
  Average average_ = Average::kNone;
};

auto const kF1 = Register<Metric, F1>("f1",
                                      "Harmonic mean of precision and recall; of several classes or targets the plain "
                                      "mean of theirs, or as `f1@micro` and `f1@weighted` say.")
                     .Elsewhere({"totalf1"});

}  // namespace
}  // namespace xgbl
