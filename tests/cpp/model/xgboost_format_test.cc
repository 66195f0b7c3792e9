// SPDX-License-Identifier: Apache-2.0
// Also tests category_schema.cc, objective_schema.cc and tree_schema.cc.
#include "model/xgboost_format.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "model/sample_models.h"

namespace xgbl {
namespace {

std::string Json(Model const& model) { return WriteModel(model, FileFormat::kJson); }

void ExpectStable(Model const& model) {
  std::string const json = Json(model);
  std::string const ubjson = WriteModel(model, FileFormat::kUbjson);
  for (auto const& bytes : {json, ubjson}) {
    Model const again = ReadModel(bytes);
    EXPECT_EQ(Json(again), json);
    EXPECT_EQ(WriteModel(again, FileFormat::kUbjson), ubjson);
  }
}

TEST(XgboostFormat, SavingTwiceGivesTheSameBytes) {
  ExpectStable(ModelOf({}));
  ExpectStable(ModelOf({LeafTree(0.5F)}));
  ExpectStable(FullModel());
  ExpectStable(VectorModel());
  ExpectStable(WeightedModel());
  ExpectStable(LinearSample());
  ExpectStable(LinearSample(2));
}

TEST(XgboostFormat, WeightsOfTreesStandBesideTheForestOfADart) {
  std::string const json = Json(WeightedModel());
  EXPECT_NE(json.find(R"("name":"dart","weight_drop":[3E-1,2E0,1E0])"), std::string::npos) << json;
  EXPECT_EQ(ReadModel(json).tree_weights, WeightedModel().tree_weights);
  EXPECT_EQ(Json(ModelOf({LeafTree(1)})).find("dart"), std::string::npos);
}

TEST(XgboostFormat, LinearModelsAreWeightsAndRounds) {
  std::string const json = Json(LinearSample());
  EXPECT_NE(json.find(R"({"model":{"boosted_rounds":7,"weights":[5E-1,2.5E-1,0E0,-2.5E-1]},"name":"gblinear"})"),
            std::string::npos)
      << json;
  Model const again = ReadModel(json);
  EXPECT_EQ(again.Rounds(), 7U);
  EXPECT_EQ(again.linear->weights, LinearSample().linear->weights);
}

// Models are trained on as they were: xgboost has smoothed absolute and quantile error since 3.4.
TEST(XgboostFormat, LeavesOfOtherVersionsAreFittedAsTheyDo) {
  Model model = ModelOf({LeafTree(1)});
  for (std::string const name : {"reg:absoluteerror", "reg:quantileerror", "reg:squarederror"}) {
    model.objective = name;
    bool const fits = name != "reg:squarederror";
    auto const method = [&](std::string const& version) {
      Model const read = ReadModel(Replaced(Json(model), R"("version":[3,2,0])", R"("version":)" + version));
      auto const found = read.objective_params.find("leaf_estimation_method");
      return found == read.objective_params.end() ? "" : found->second;
    };
    EXPECT_EQ(method("[3,2,0]"), fits ? "exact" : "");
    EXPECT_EQ(method("[3,4,0]"), fits ? "smooth" : "");
  }
  model.objective = "reg:absoluteerror";
  model.objective_params = {{"leaf_estimation_method", "auto"}};
  model.attributes = {{"note", "a"}};
  EXPECT_EQ(ReadModel(Json(model)).objective_params, model.objective_params);
  EXPECT_EQ(ReadModel(Json(model)).attributes, model.attributes);
  EXPECT_NE(Json(model).find(R"("objective":{"name":"reg:absoluteerror"})"), std::string::npos);
}

TEST(XgboostFormat, AttributesNamedLikeParametersOfOtherObjectivesStayAttributes) {
  Model model = ModelOf({LeafTree(1)});
  model.objective = "reg:squarederror";
  model.attributes = {{"xgb_like.leaf_estimation_method", "a"}, {"xgb_like.sort_quantiles", "b"}};
  Model read = ReadModel(Json(model));
  EXPECT_EQ(read.attributes, model.attributes);
  EXPECT_EQ(read.objective_params.count("leaf_estimation_method") + read.objective_params.count("sort_quantiles"), 0U);
  model.objective = "reg:absoluteerror";
  model.objective_params = {{"leaf_estimation_method", "newton"}};
  read = ReadModel(Json(model));
  EXPECT_EQ(read.attributes, (std::map<std::string, std::string>{{"xgb_like.sort_quantiles", "b"}}));
  EXPECT_EQ(read.objective_params, model.objective_params);
}

// As xgboost predicts with them.
TEST(XgboostFormat, LinearModelsBeginWithTheFirstBaseScore) {
  std::string const json =
      Replaced(Json(LinearSample(2)), R"("base_score":"2.5E-1")", R"("base_score":"[2.5E-1,7.5E-1]")");
  EXPECT_EQ(ReadModel(json).base_score, std::vector<float>{0.25F});
}

TEST(XgboostFormat, WeightsThatDoNotFitAreRefused) {
  for (char const* bad : {"[3E-1,2E0]", "[3E-1,2E0,NaN]", "[3E-1,2E0,-1E0]", "[3E-1,2E0,\"1\"]"}) {
    EXPECT_THROW(ReadModel(Replaced(Json(WeightedModel()), "[3E-1,2E0,1E0]", bad)), ModelError) << bad;
  }
  for (char const* bad : {"[]", "[1E0]", "[5E-1,2.5E-1,0E0,-2.5E-1,1E0]", "[5E-1,2E-1,-1E-1,Infinity]", "{}"}) {
    EXPECT_THROW(ReadModel(Replaced(Json(LinearSample()), "[5E-1,2.5E-1,0E0,-2.5E-1]", bad)), ModelError) << bad;
  }
  EXPECT_THROW(ReadModel(Replaced(Json(LinearSample()), R"("boosted_rounds":7)", R"("boosted_rounds":-1)")),
               ModelError);
}

TEST(XgboostFormat, KeepsEveryFieldOfAModel) {
  Model const model = FullModel();
  Model const again = ReadModel(Json(model));
  EXPECT_EQ(again.objective, model.objective);
  EXPECT_EQ(again.objective_params, model.objective_params);
  EXPECT_EQ(again.base_score, model.base_score);
  EXPECT_EQ(again.feature_names, model.feature_names);
  EXPECT_EQ(again.feature_types, model.feature_types);
  EXPECT_EQ(again.categories, model.categories);
  EXPECT_EQ(again.attributes, model.attributes);
  EXPECT_EQ(again.round_begin, model.round_begin);
  EXPECT_EQ(again.num_features, 3U);
}

// As before a first round, when nobody knows how many features there will be.
TEST(XgboostFormat, NamesMayBeKnownBeforeTheirNumber) {
  Model model;
  model.feature_names = {"a", "b"};
  model.feature_types = {"q", "int"};
  for (FileFormat const format : {FileFormat::kJson, FileFormat::kUbjson}) {
    Model const again = ReadModel(WriteModel(model, format));
    EXPECT_EQ(again.feature_names, model.feature_names);
    EXPECT_EQ(again.feature_types, model.feature_types);
    EXPECT_EQ(again.num_features, 0U);
  }
}

TEST(XgboostFormat, KeepsEveryFieldOfATree) {
  Tree const tree = SampleTree();
  Tree const again = *ReadModel(Json(FullModel())).trees[0];
  EXPECT_EQ(again.left, tree.left);
  EXPECT_EQ(again.right, tree.right);
  EXPECT_EQ(again.parent, tree.parent);
  EXPECT_EQ(again.feature, tree.feature);
  EXPECT_EQ(again.threshold, tree.threshold);
  EXPECT_EQ(again.default_left, tree.default_left);
  EXPECT_EQ(again.categorical, tree.categorical);
  EXPECT_EQ(again.gain, tree.gain);
  EXPECT_EQ(again.cover, tree.cover);
  EXPECT_EQ(again.weight, tree.weight);
  EXPECT_EQ(again.value, tree.value);
  EXPECT_EQ(again.category, tree.category);
  EXPECT_EQ(again.category_begin, tree.category_begin);
}

TEST(XgboostFormat, KeepsVectorLeavesAndOneInterceptPerOutput) {
  Model const again = ReadModel(WriteModel(VectorModel(), FileFormat::kUbjson));
  EXPECT_EQ(again.base_score, (std::vector<float>{0.5F, -1.25F}));
  EXPECT_EQ(again.trees[1]->value, VectorTree().value);
  EXPECT_EQ(again.trees[1]->outputs, 2);
}

TEST(XgboostFormat, OneInterceptIsABareNumberThatOldVersionsRead) {
  EXPECT_NE(Json(FullModel()).find(R"("base_score":"2.5E-1")"), std::string::npos);
  EXPECT_NE(Json(VectorModel()).find(R"("base_score":"[5E-1,-1.25E0]")"), std::string::npos);
}

TEST(XgboostFormat, AnInterceptThatIsNotYetKnownStaysUnknown) {
  Model model = ModelOf({});
  model.base_score.clear();
  EXPECT_TRUE(ReadModel(Json(model)).base_score.empty());
  model.base_score = {0.5F};
  EXPECT_EQ(ReadModel(Json(model)).base_score, std::vector<float>{0.5F});
}

TEST(XgboostFormat, OutputsComeBackWhateverTheyAreOf) {
  struct Case {
    int classes, targets, outputs;
  };
  for (Case const c : {Case{0, 1, 1}, {0, 3, 3}, {0, 1, 3}, {4, 1, 4}, {2, 3, 3}}) {
    Model model = ModelOf({});
    model.num_class = c.classes;
    model.num_target = c.targets;
    model.num_outputs = c.outputs;
    EXPECT_EQ(ReadModel(Json(model)).num_outputs, c.outputs);
    ExpectStable(model);
  }
}

TEST(XgboostFormat, ObjectivesGetTheGroupsThatXgboostInsistsOn) {
  Model model = ModelOf({});
  model.objective = "multi:softprob";
  model.num_class = model.num_outputs = 3;
  EXPECT_NE(Json(model).find(R"("softmax_multiclass_param":{"num_class":"3"})"), std::string::npos);
  model.objective = "count:poisson";
  EXPECT_NE(Json(model).find(R"("poisson_regression_param":{"max_delta_step":)"), std::string::npos);
}

TEST(XgboostFormat, UnknownObjectivesKeepTheirParameters) {
  Model model = ModelOf({});
  model.objective = "some:thing";
  model.objective_params = {{"group/name", "a"}, {"alone", "b"}, {"huber_slope", "2"}};
  EXPECT_EQ(ReadModel(Json(model)).objective_params, model.objective_params);
  ExpectStable(model);
}

TEST(XgboostFormat, WhatObjectivesLearnedIsKeptAsArrays) {
  Model model = ModelOf({});
  model.objective = "rank:ndcg";
  model.objective_state = {{"ti+", {1, 0.5F}}, {"tj-", {1, 1e-45F}}, {"none", {}}};
  EXPECT_NE(Json(model).find(R"("ti+":[1E0,5E-1])"), std::string::npos);
  EXPECT_EQ(ReadModel(Json(model)).objective_state, model.objective_state);
  EXPECT_EQ(ReadModel(WriteModel(model, FileFormat::kUbjson)).objective_state, model.objective_state);
  ExpectStable(model);
}

TEST(XgboostFormat, CategoriesOfEveryTypeComeBack) {
  for (char const* type :
       {"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64"}) {
    Model model = ModelOf({});
    model.categories.resize(3);
    model.categories[1].number_type = type;
    model.categories[1].numbers = {7, 3, 100};
    EXPECT_EQ(ReadModel(Json(model)).categories, model.categories) << type;
    EXPECT_EQ(ReadModel(WriteModel(model, FileFormat::kUbjson)).categories, model.categories) << type;
  }
}

TEST(XgboostFormat, LargeUnsignedCategoriesComeBackPositive) {
  Model model = ModelOf({});
  model.categories.resize(3);
  model.categories[0] = {{}, {65535, 1}, "uint16"};
  model.categories[2] = {{}, {4294967295.0, 0}, "uint32"};
  EXPECT_EQ(ReadModel(WriteModel(model, FileFormat::kUbjson)).categories, model.categories);
  EXPECT_EQ(ReadModel(Json(model)).categories, model.categories);
}

TEST(XgboostFormat, FractionalCategoriesKeepEveryDigit) {
  Model model = ModelOf({});
  model.categories.resize(3);
  model.categories[0] = {{}, {0.1, -1e-300}, "float64"};
  ExpectStable(model);
  EXPECT_EQ(ReadModel(Json(model)).categories, model.categories);
}

TEST(XgboostFormat, DeletedNodesKeepTheirNumbers) {
  Tree tree = SampleTree();
  tree.left[1] = tree.right[1] = kNoNode;  // nodes 3 and 4 hang in the air
  tree.categorical[1] = 0;
  tree.category = {};
  tree.category_begin = {};
  std::string const json = Json(ModelOf({tree}));
  EXPECT_NE(json.find(R"("num_deleted":"2")"), std::string::npos);
  EXPECT_EQ(ReadModel(json).trees[0]->Size(), 5U);
}

TEST(XgboostFormat, JsonMayBePrettyPrinted) {
  std::string const json = Json(ModelOf({SampleTree()}));
  std::string spaced = "\n ";
  for (char const c : json) spaced += c == ',' ? std::string(",\n\t ") : std::string(1, c);
  EXPECT_EQ(Json(ReadModel(spaced + "\n")), json);
}

}  // namespace
}  // namespace xgbl
