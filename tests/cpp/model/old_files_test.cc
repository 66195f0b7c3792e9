// SPDX-License-Identifier: Apache-2.0
// What older versions of xgboost wrote otherwise than the newest, and what they did not write yet.
#include <gtest/gtest.h>

#include <limits>

#include "base/error.h"
#include "model/sample_models.h"
#include "model/xgboost_format.h"

namespace xgbl {
namespace {

std::string Json(Model const& model) { return WriteModel(model, FileFormat::kJson); }

// As 1.0 wrote it: no categories, rounds, deleted nodes or targets; truth values for default_left.
std::string FileOf1_0() {
  return R"({"learner":{"attributes":{},"gradient_booster":{"model":{"gbtree_model_param":{"num_trees":"2",
    "size_leaf_vector":"0"},"tree_info":[0,0],"trees":[
    {"base_weights":[0.5,1,2],"default_left":[true,false,false],"id":0,"leaf_child_counts":[0,0,0],
     "left_children":[1,-1,-1],"loss_changes":[3,0,0],"parents":[2147483647,0,0],"right_children":[2,-1,-1],
     "split_conditions":[0.25,-1.5,2.5],"split_indices":[1,0,0],"sum_hessian":[5,2,3],
     "tree_param":{"num_feature":"2","num_nodes":"3","size_leaf_vector":"0"}},
    {"base_weights":[0.5],"default_left":[false],"id":1,"left_children":[-1],"loss_changes":[0],
     "parents":[2147483647],"right_children":[-1],"split_conditions":[0.125],"split_indices":[0],"sum_hessian":[5],
     "tree_param":{"num_feature":"2","num_nodes":"1","size_leaf_vector":"0"}}]},"name":"gbtree"},
    "learner_model_param":{"base_score":0.75,"num_class":"0","num_feature":"2"},
    "objective":{"name":"reg:squarederror","reg_loss_param":{"scale_pos_weight":"1"}}},"version":[1,0,2]})";
}

TEST(OldFiles, Version1_0IsRead) {
  Model const model = ReadModel(FileOf1_0());
  EXPECT_EQ(model.base_score, std::vector<float>{0.75F});
  EXPECT_EQ(model.round_begin, (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(model.trees[0]->value, (std::vector<float>{0, -1.5F, 2.5F}));
  EXPECT_EQ(model.trees[0]->default_left, (std::vector<std::uint8_t>{1, 0, 0}));
  EXPECT_TRUE(model.feature_names.empty());
  EXPECT_EQ(model.num_target, 1);
}

TEST(OldFiles, RoundsAreCountedByOutputsAndParallelTrees) {
  Model model = ModelOf({}, 2);
  for (int round = 0; round < 3; ++round) {
    auto const leaf = std::make_shared<Tree const>(LeafTree(1));
    model.AppendRound({leaf, leaf, leaf, leaf}, {0, 0, 1, 1});
  }
  model.num_parallel_tree = 2;
  std::string const json = Replaced(Json(model), R"("iteration_indptr":[0,4,8,12],)", "");
  EXPECT_EQ(ReadModel(json).round_begin, model.round_begin);
}

TEST(OldFiles, VectorLeavesWereBaseWeights) {
  std::string const leaves = R"("leaf_weights":[5E-1,-5E-1,1.5E0,-1.5E0],)";
  std::string json = Json(VectorModel());
  for (int tree = 0; tree < 2; ++tree) {
    json = Replaced(Replaced(json, leaves, ""), R"("right_children":[2,0,1])", R"("right_children":[2,-1,-1])");
  }
  EXPECT_EQ(json.find("leaf_weights"), std::string::npos);
  EXPECT_EQ(ReadModel(json).trees[0]->value, VectorTree().value);
}

TEST(OldFiles, ThresholdsOfCategoriesWereNaN) {
  std::string const json =
      Replaced(Json(FullModel()), R"("split_conditions":[5E-1,0E0,)", R"("split_conditions":[5E-1,NaN,)");
  ASSERT_NE(json, Json(FullModel()));
  EXPECT_EQ(ReadModel(json).trees[0]->threshold[1], std::numeric_limits<float>::denorm_min());
}

TEST(OldFiles, DartBesideItsForestIsReadWithItsWeights) {
  std::string json = Replaced(Json(ModelOf({LeafTree(4), LeafTree(-3)})), R"("gradient_booster":{)",
                              R"("gradient_booster":{"weight_drop":[5E-1,2E0],"gbtree":{)");
  json = Replaced(json, R"("name":"gbtree"})", R"("name":"gbtree"},"name":"dart"})");
  Model const model = ReadModel(json);
  EXPECT_EQ(model.trees[0]->value[0], 4.0F);
  EXPECT_EQ(model.tree_weights, (std::vector<float>{0.5F, 2.0F}));
}

TEST(OldFiles, DartWithinItsForestToo) {
  std::string const json =
      Replaced(Json(ModelOf({LeafTree(4)})), R"("tree_info")", R"("weight_drop":[2.5E-1],"tree_info")");
  EXPECT_EQ(ReadModel(json).tree_weights, (std::vector<float>{0.25F}));
}

TEST(OldFiles, GroupsThatWereMisspelledOrMovedAreUnderstood) {
  std::string json = Json(ModelOf({}));
  json =
      Replaced(json, R"("reg_loss_param":{"scale_pos_weight":"1"})", R"("pseduo_huber_param":{"huber_slope":"1.5"})");
  EXPECT_EQ(ReadModel(json).objective_params, (ParamMap{{"huber_slope", "1.5"}}));
}

TEST(OldFiles, LinearModelsDidNotCountTheirRounds) {
  Model model = ModelOf({});
  model.linear = std::make_shared<LinearModel const>(LinearModel{{1, 2, 3, 4}, 7});
  std::string const json = Replaced(Json(model), R"("boosted_rounds":7,)", "");
  EXPECT_EQ(ReadModel(json).linear->weights, model.linear->weights);
  EXPECT_EQ(ReadModel(json).Rounds(), 1U);
}

TEST(OldFiles, TheBinaryFormatIsRefusedWithAdvice) {
  for (char const* bytes : {"binf\x01\x02", "bs64xyz", "\x80\x04\x95", "0:[f0<1]"}) {
    EXPECT_THROW(ReadModel(bytes), ModelError) << bytes;
  }
}

}  // namespace
}  // namespace xgbl
