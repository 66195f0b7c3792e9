// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "boost/training.h"

namespace xgbl {
namespace {

// The warnings of a first round with these parameters.
std::string Warnings(Booster::Pairs const& params) {
  Booster booster = Trained(params, Training(40), 1);
  std::string all;
  for (auto const& message : booster.TakeMessages()) all += message.text + "\n";
  return all;
}

struct Case {
  Booster::Pairs unused;
  Booster::Pairs needed;  // beside which it is used
  std::string why;
};

TEST(UnusedParams, SayWhatTheyNeed) {
  Case const cases[] = {
      {{{"huber_slope", "2"}}, {{"objective", "reg:pseudohubererror"}}, "the objective `reg:squarederror`"},
      {{{"top_rate", "0.3"}}, {{"sampling_method", "goss"}}, "`sampling_method` goss"},
      {{{"cut_proposal", "local"}}, {{"tree_method", "approx"}}, "`tree_method` approx"},
  };
  for (auto const& [unused, needed, why] : cases) {
    std::string const text = Warnings(unused);
    EXPECT_NE(text.find("`" + unused[0].first + "`"), std::string::npos) << text;
    EXPECT_NE(text.find(why), std::string::npos) << text;
    Booster::Pairs both = needed;
    both.push_back(unused[0]);
    EXPECT_EQ(Warnings(both).find("`" + unused[0].first + "`"), std::string::npos) << unused[0].first;
  }
}

TEST(UnusedParams, DefaultsAreNoMatter) {
  EXPECT_EQ(Warnings({{"cut_proposal", "global"}, {"huber_slope", "1.0"}, {"bagging_by_query", "False"}}), "");
  EXPECT_NE(Warnings({{"huber_slope", "1.5"}}), "");
}

TEST(UnusedParams, NamesAreThoseThatTheUserWroteAndTheDefaultMethodComesFirst) {
  std::string const unused = Warnings({{"booster", "gblinear"}, {"gamma", "3"}});
  EXPECT_EQ(unused, "Parameter `gamma` is not used by the booster `gblinear`.\n");
  EXPECT_EQ(Warnings({{"tree_method", "exact"}, {"max_bin", "33"}}),
            "Parameter `max_bin` has no effect: it needs `tree_method` hist or approx.\n");
}

TEST(Settings, OfAParameterGivenTwiceTheLastValueCounts) {
  EXPECT_EQ(Warnings({{"gamma", "3"}, {"gamma", "4"}}),
            "Parameter `gamma` is given twice, as `3` and `4`: the last value counts.\n");
  EXPECT_EQ(
      Warnings({{"gamma", "3"}, {"min_split_loss", "4"}}),
      "Parameter `gamma` is given twice, as `3` and, under the name `min_split_loss`, `4`: the last value counts.\n");
  EXPECT_EQ(Warnings({{"gamma", "3"}, {"min_split_loss", "3"}}), "");
}

TEST(Settings, MethodsAreListedInXgboostsOrder) {
  try {
    Booster().SetParams({{"tree_method", "fast"}});
    FAIL();
  } catch (ParamError const& error) {
    EXPECT_EQ(std::string(error.what()).find("`tree_method` must be one of auto, exact, approx, hist; got `fast`."),
              0U);
  }
}

TEST(UnusedParams, TreeParametersOfALinearModel) {
  EXPECT_NE(Warnings({{"booster", "gblinear"}, {"max_depth", "3"}}).find("`max_depth`"), std::string::npos);
}

}  // namespace
}  // namespace xgbl
