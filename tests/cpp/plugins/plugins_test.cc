// SPDX-License-Identifier: Apache-2.0
// What an objective, a metric, a tree method and a parameter get from one file each: the files beside this one are no
// part of the engine and are linked with its objects. The laws of objectives and metrics run on them, too.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "boost/param_table.h"
#include "boost/training.h"
#include "metric/metric.h"

namespace xgbl {
namespace {

template <class F>
std::string RefusalOf(F&& call) {
  try {
    call();
  } catch (ParamError const& error) {
    return error.what();
  }
  return "accepted";
}

bool Says(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

Booster::Pairs const kLopsided{{"objective", "reg:lopsided"}, {"lopsided_factor", "5"}};

std::string WarningsOf(Booster::Pairs const& params) {
  Booster booster = Trained(params, Training(60), 1);
  std::string all;
  for (auto const& message : booster.TakeMessages()) all += message.text + "\n";
  return all;
}

std::vector<float> Predicted(Booster const& booster) {
  return booster.Predict(*Training(), PredictionKind::kValue, {}, false).values;
}

TEST(PlugIns, AreListedWithTheirParameters) {
  auto const& [group, spec] = DeclarationOf("lopsided_factor");
  EXPECT_EQ(group, "objective");
  EXPECT_EQ(spec.default_text, "3");
  EXPECT_EQ(spec.doc, "What an error of one side counts for.");
  EXPECT_TRUE(Says(RefusalOf([] { MakeObjective("reg:other", {}); }), "reg:lopsided"));
  EXPECT_TRUE(Says(RefusalOf([] { MakeMetric("other", {}); }), "rm4e"));
  ParamSpec const& method = DeclarationOf("tree_method").second;
  EXPECT_NE(std::find(method.choices.begin(), method.choices.end(), "handed_on"), method.choices.end());
  EXPECT_TRUE(Says(method.doc, "handed_on: Splits are those of hist."));
  EXPECT_TRUE(Says(DeclarationOf("updater").second.doc, "grow_handed_on (handed_on)"));
}

TEST(PlugIns, AreSuggested) {
  EXPECT_TRUE(Says(RefusalOf([] { MakeObjective("reg:lopsidd", {}); }), "Did you mean `reg:lopsided`?"));
  EXPECT_TRUE(Says(RefusalOf([] { MakeObjective("asymmetric_mse", {}); }), "Use `reg:lopsided`."));
  EXPECT_TRUE(Says(RefusalOf([] { MakeMetric("l4", {}); }), "Use `rm4e`."));
  EXPECT_TRUE(Says(RefusalOf([] { CanonicalName("lopsided_factr"); }), "Did you mean `lopsided_factor`?"));
  EXPECT_TRUE(Says(RefusalOf([] { Trained({{"tree_method", "handed_onn"}}, Training(), 0); }), "`handed_on`"));
  EXPECT_TRUE(Says(RefusalOf([] { Trained({{"updater", "grow_x"}}, Training(), 0); }), "grow_handed_on"));
  EXPECT_TRUE(Says(RefusalOf([] { Trained({{"objective", "lopsided"}, {"lopsided_factor", "0"}}, Training(), 0); }),
                   "a float >= 0.001"));
}

TEST(PlugIns, TrainTogether) {
  Booster::Pairs params = kLopsided;
  params.insert(params.end(), {{"tree_method", "handed_on"}, {"eval_metric", "rm4e"}});
  Booster few = Trained(params, Training(), 1), many = Trained(params, Training(), 20);
  EXPECT_LT(many.Evaluate(Training())[0].second, few.Evaluate(Training())[0].second);
}

TEST(PlugIns, AMethodIsAStepToo) {
  auto const by_name = Predicted(Trained({{"tree_method", "handed_on"}}, Training(), 3));
  EXPECT_EQ(Predicted(Trained({{"updater", "grow_handed_on,prune"}}, Training(), 3)), by_name);
  EXPECT_EQ(Predicted(Trained({{"tree_method", "hist"}}, Training(), 3)), by_name);
  auto const weights = [](char const* method) {
    return Trained({{"tree_method", method}}, Training(), 1).Snapshot()->GetModel().trees[0]->weight;
  };
  EXPECT_NE(weights("handed_on"), weights("hist"));  // of leaves: one of them is shrunk
}

TEST(PlugIns, AreSavedAndLoaded) {
  Booster const trained = Trained(kLopsided, Training(), 5);
  for (FileFormat const format : {FileFormat::kJson, FileFormat::kUbjson}) {
    Booster loaded;
    loaded.SetModel(ReadModel(WriteModel(trained.Snapshot()->GetModel(), format)));
    EXPECT_EQ(Predicted(loaded), Predicted(trained));
    EXPECT_EQ(loaded.Snapshot()->Params().at("objective").at("lopsided_factor"), "5");
  }
}

TEST(PlugIns, SayWhatOthersNeedToKnow) {
  auto const& entry = Registry<Objective>::Get().At("lopsided", "objective");
  EXPECT_EQ(MakeObjective("lopsided", {})->Link(), "identity");
  EXPECT_TRUE(entry.own);
  EXPECT_EQ(entry.twin, "reg:squarederror");
}

TEST(PlugIns, AreKnownToWarningsOfUnusedParameters) {
  EXPECT_TRUE(Says(WarningsOf({{"lopsided_factor", "5"}}), "`lopsided_factor` is not used by the objective"));
  EXPECT_EQ(WarningsOf(kLopsided), "");
  Booster::Pairs const even{{"objective", "reg:lopsided"}, {"lopsided_factor", "1"}, {"lopsided_above", "1"}};
  EXPECT_TRUE(Says(WarningsOf(even), "`lopsided_above` has no effect: it needs another `lopsided_factor` than 1"));
  EXPECT_EQ(WarningsOf({{"tree_method", "handed_on"}, {"max_bin", "9"}}), "");
  for (char const* method : {"hist", "approx", "handed_on"}) {
    EXPECT_TRUE(Says(WarningsOf({{"tree_method", "exact"}, {"max_bin", "9"}}), method)) << method;
  }
  EXPECT_TRUE(Says(WarningsOf({{"tree_method", "handed_on"}, {"cut_proposal", "local"}}), "`tree_method` approx."));
}

}  // namespace
}  // namespace xgbl
