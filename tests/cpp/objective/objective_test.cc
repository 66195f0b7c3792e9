// SPDX-License-Identifier: Apache-2.0
// Numbers marked "reference" come from xgboost 3.4.1, trained for one round on the same labels.
#include "objective/objective.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "sample_meta.h"

namespace xgbl {
namespace {

std::vector<double> InterceptOf(std::string const& name, Meta const& meta, ParamMap const& params = {}) {
  auto const objective = MakeObjective(name, params);
  objective->CheckLabels(meta);
  return objective->Intercept(meta, {});
}

void ExpectNear(std::vector<double> const& got, std::vector<double> const& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t k = 0; k < got.size(); ++k) EXPECT_NEAR(got[k], expected[k], 1e-6);
}

template <class E, class Call>
std::string MessageOf(Call&& call) {
  try {
    call();
  } catch (E const& error) {
    return error.what();
  }
  return "no error";
}

TEST(Objective, UnknownNameIsAnErrorWithTheNearestName) {
  auto const text = MessageOf<ParamError>([] { MakeObjective("binary:logistc", {}); });
  EXPECT_NE(text.find("Did you mean `binary:logistic`?"), std::string::npos) << text;
}

TEST(Objective, NamesOfOtherLibrariesLeadToOneHere) {
  auto const& registry = Registry<Objective>::Get();
  std::set<std::string> all;
  for (auto const& [name, entry] : registry.Entries()) {
    for (auto const& elsewhere : entry.elsewhere) {
      EXPECT_EQ(registry.Find(elsewhere), nullptr) << elsewhere;
      EXPECT_TRUE(all.insert(elsewhere).second) << elsewhere << " is said of two";
      EXPECT_EQ(Lowered(elsewhere), elsewhere);
    }
  }
  EXPECT_FALSE(all.empty());
}

TEST(Objective, DefaultMetricsAndAlias) {
  EXPECT_EQ(MakeObjective("reg:linear", {})->DefaultMetric(), "rmse");
  EXPECT_EQ(MakeObjective("reg:logistic", {})->DefaultMetric(), "rmse");
  EXPECT_EQ(MakeObjective("binary:logistic", {})->DefaultMetric(), "logloss");
  EXPECT_EQ(MakeObjective("binary:logitraw", {})->DefaultMetric(), "logloss");
  EXPECT_EQ(MakeObjective("multi:softmax", {})->DefaultMetric(), "mlogloss");
}

TEST(Objective, InterceptIsTheWeightedMean) {
  ExpectNear(InterceptOf("reg:squarederror", MetaOf({1, 2, 3, 10}, 1, {1, 0, 0, 2.5})), {7.428571});  // reference
  ExpectNear(InterceptOf("reg:squarederror", MetaOf({1, 5, 2, 7}, 2)), {1.5, 6});
  ExpectNear(InterceptOf("binary:logistic", MetaOf({0, 0, 1, 1}, 1, {1, 2, 3, 4})), {0.7});
  ExpectNear(InterceptOf("binary:logitraw", MetaOf({0, 0, 0, 1, 1})), {0.4});
}

TEST(Objective, InterceptWithScalePosWeightIsOneNewtonStep) {  // reference
  ParamMap const twice{{"scale_pos_weight", "2"}};
  ExpectNear(InterceptOf("binary:logistic", MetaOf({0, 0, 0, 1, 1}), twice), {0.57094663});
  ExpectNear(InterceptOf("reg:logistic", MetaOf({0, 0, 0, 1, 0.5F}), twice), {0.41742977});
  ExpectNear(InterceptOf("binary:logitraw", MetaOf({0, 0, 0, 1, 1}), twice), {0.2857143});
  ExpectNear(InterceptOf("binary:logistic", MetaOf({0, 1, 1, 1, 0, 0}, 2, {1, 2, 3}), twice), {0.5, 0.66075635});
  ExpectNear(InterceptOf("reg:squarederror", MetaOf({0, 1, 1, 0, 1}), {{"scale_pos_weight", "3"}}), {0.8181818});
  ExpectNear(InterceptOf("binary:logistic", MetaOf({0, 0, 0, 1, 1}), {{"scale_pos_weight", "1e20"}}), {0.880797});
}

TEST(Objective, ConstantLabelsAreTheInterceptItself) {
  for (std::string const name : {"binary:logistic", "reg:logistic", "reg:squarederror"}) {
    EXPECT_EQ(InterceptOf(name, MetaOf({0, 0, 0})), std::vector<double>{0});
    EXPECT_EQ(InterceptOf(name, MetaOf({1, 1, 1})), std::vector<double>{1});
  }
}

TEST(Objective, MulticlassInterceptIsTheCentredLogShare) {  // reference
  ParamMap const three{{"num_class", "3"}};
  ExpectNear(InterceptOf("multi:softprob", MetaOf({0, 0, 1, 2}), three), {0.4620968, -0.23104835, -0.23104835});
  ExpectNear(InterceptOf("multi:softmax", MetaOf({0, 0, 1, 2}, 1, {1, 2, 3, 4}), three),
             {-0.09589374, -0.09589374, 0.19178742});
  ExpectNear(InterceptOf("multi:softprob", MetaOf({0, 0, 1, 1}), three), {4.3741217, 4.3741217, -8.748243});
  ExpectNear(InterceptOf("multi:softprob", MetaOf({0, 0, 0}), {{"num_class", "1"}}), {0});
}

TEST(Objective, BaseScoreOfALogisticLossIsAProbability) {  // reference
  auto const logistic = MakeObjective("binary:logistic", {});
  EXPECT_NEAR(logistic->ToMargin(0.3), -0.84729785, 1e-6);
  EXPECT_NEAR(logistic->ToMargin(0), -13.81551, 1e-5);
  EXPECT_NEAR(logistic->ToMargin(1), 13.74516, 1e-5);
  EXPECT_EQ(MakeObjective("binary:logitraw", {})->ToMargin(0.3), 0.3);
  EXPECT_EQ(MakeObjective("multi:softprob", {{"num_class", "2"}})->ToMargin(0.3), 0.3);
  for (double const bad : {-0.5, 1.5, std::nan("")}) EXPECT_THROW(logistic->CheckBaseScore(bad), ParamError);
  EXPECT_NO_THROW(logistic->CheckBaseScore(0));
  EXPECT_NO_THROW(MakeObjective("binary:logitraw", {})->CheckBaseScore(-2));
}

TEST(Objective, LabelsOutsideItsRangeAreRefused) {
  auto const logistic = MakeObjective("binary:logistic", {});
  auto const text = MessageOf<DataError>([&] { logistic->CheckLabels(MetaOf({0, 1, 2})); });
  EXPECT_EQ(text,
            "`binary:logistic` needs labels from 0 to 1; got 2 in row 2. Change the labels, or choose another "
            "`objective`.");
  EXPECT_NO_THROW(logistic->CheckLabels(MetaOf({0, 0.5F, 1})));
  EXPECT_THROW(MakeObjective("reg:logistic", {})->CheckLabels(MetaOf({-0.1F})), DataError);
  auto const softmax = MakeObjective("multi:softmax", {{"num_class", "3"}});
  for (float const bad : {3.0F, -1.0F, 0.5F}) EXPECT_THROW(softmax->CheckLabels(MetaOf({0, bad})), DataError);
  EXPECT_THROW(softmax->CheckLabels(MetaOf({0, 1, 1, 2}, 2)), DataError);
}

TEST(Objective, MulticlassNeedsNumClass) {
  EXPECT_THROW(MakeObjective("multi:softprob", {})->Outputs(MetaOf({0, 1})), ParamError);
  EXPECT_EQ(MakeObjective("multi:softprob", {{"num_class", "4"}})->Outputs(MetaOf({0, 1})), 4);
}

TEST(Objective, OutputsAreTargetsOrTheClassesOfACustomObjective) {
  EXPECT_EQ(MakeObjective("reg:squarederror", {})->Outputs(MetaOf({0, 1, 2, 3}, 2)), 2);
  EXPECT_EQ(MakeObjective("reg:squarederror", {})->Outputs(MetaOf({})), 1);
  auto const custom = MakeObjective("reg:squarederror", {{"num_class", "3"}});
  EXPECT_EQ(custom->Outputs(MetaOf({0, 1})), 3);
  EXPECT_THROW(custom->CheckLabels(MetaOf({0, 1})), DataError);
}

TEST(Objective, ScalePosWeightCountsRowsWithLabelOneOnly) {
  Gradients out;
  auto const objective = MakeObjective("binary:logistic", {{"scale_pos_weight", "3"}});
  objective->Gradient({Matrix<float>(3, 1).View(), MetaOf({0, 1, 0.5F}), {}}, &out);
  EXPECT_EQ(out.gradient.values, (std::vector<float>{0.5F, -1.5F, 0}));
  EXPECT_EQ(out.hessian.values, (std::vector<float>{0.25F, 0.75F, 0.25F}));
  EXPECT_EQ(objective->Params(), (ParamMap{{"scale_pos_weight", "3"}}));
  EXPECT_THROW(MakeObjective("binary:logistic", {{"scale_pos_weight", "-1"}}), ParamError);
}

TEST(Objective, CertainPredictionsKeepALeastHessian) {
  Gradients out;
  MakeObjective("binary:logistic", {})->Gradient({MatrixOf({200, -200}).View(), MetaOf({1, 0}), {}}, &out);
  EXPECT_EQ(out.hessian.values, (std::vector<float>{1e-16F, 1e-16F}));
  MakeObjective("multi:softprob", {{"num_class", "2"}})
      ->Gradient({MatrixOf({200, -200}, 2).View(), MetaOf({0}), {}}, &out);
  EXPECT_EQ(out.hessian.values, (std::vector<float>{1e-16F, 1e-16F}));
}

TEST(Objective, TransformGivesWhatUsersSee) {
  auto margins = MatrixOf({0, 1, -1});
  MakeObjective("binary:logitraw", {})->Transform(margins.View(), {});
  EXPECT_EQ(margins.values, (std::vector<float>{0, 1, -1}));
  MakeObjective("binary:logistic", {})->Transform(margins.View(), {});
  EXPECT_NEAR(margins.values[1] + margins.values[2], 1, 1e-7);
  auto classes = MatrixOf({0, 0, -100, -100, 1000, 0}, 2);
  MakeObjective("multi:softprob", {{"num_class", "2"}})->Transform(classes.View(), {});
  EXPECT_EQ(classes.values, (std::vector<float>{0.5F, 0.5F, 0.5F, 0.5F, 1, 0}));
  EXPECT_TRUE(MakeObjective("multi:softmax", {})->PredictsClass());
}

}  // namespace
}  // namespace xgbl
