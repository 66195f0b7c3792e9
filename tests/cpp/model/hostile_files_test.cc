// SPDX-License-Identifier: Apache-2.0
// Files that are damaged or made to do harm: each is read as a sound model or refused with ModelError.
#include <gtest/gtest.h>

#include <map>

#include "base/error.h"
#include "model/dump.h"
#include "model/sample_models.h"
#include "model/xgboost_format.h"

namespace xgbl {
namespace {

std::string Json(Model const& model) { return WriteModel(model, FileFormat::kJson); }

// Whether the bytes are a model; what is read must be fit to be written and dumped.
bool IsRead(std::string const& bytes) {
  try {
    Model const model = ReadModel(bytes);
    std::string const json = Json(model);
    EXPECT_EQ(Json(ReadModel(json)), json);
    DumpModel(model, {});
    return true;
  } catch (ModelError const&) {
    return false;
  }
}

class HostileFiles : public testing::TestWithParam<FileFormat> {};

TEST_P(HostileFiles, EveryTruncationIsRefused) {
  for (Model const& model : {FullModel(), VectorModel(), WeightedModel(), LinearSample(2)}) {
    std::string const bytes = WriteModel(model, GetParam());
    for (std::size_t size = 0; size < bytes.size(); ++size) EXPECT_THROW(ReadModel(bytes.substr(0, size)), ModelError);
  }
}

TEST_P(HostileFiles, EveryAlteredByteIsReadOrRefused) {
  for (Model const& model : {FullModel(), VectorModel(), WeightedModel(), LinearSample(2)}) {
    std::string const bytes = WriteModel(model, GetParam());
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      for (int const change : {0x01, 0x10, 0x80, 0xFF}) {
        std::string altered = bytes;
        altered[i] = static_cast<char>(altered[i] ^ change);
        IsRead(altered);
      }
    }
  }
}

TEST_P(HostileFiles, EveryRemovedByteIsReadOrRefused) {
  std::string const bytes = WriteModel(FullModel(), GetParam());
  for (std::size_t i = 0; i < bytes.size(); ++i) IsRead(bytes.substr(0, i) + bytes.substr(i + 1));
}

INSTANTIATE_TEST_SUITE_P(BothFormats, HostileFiles, testing::Values(FileFormat::kJson, FileFormat::kUbjson));

struct Forgery {
  char const* from;
  char const* to;
};

// Each replaces a part of FullModel's JSON.
class Forgeries : public testing::TestWithParam<Forgery> {};

TEST_P(Forgeries, AreRefused) {
  std::string const json = Json(FullModel());
  std::string const forged = Replaced(json, GetParam().from, GetParam().to);
  ASSERT_NE(forged, json) << "nothing was replaced";
  EXPECT_THROW(ReadModel(forged), ModelError) << forged;
}

INSTANTIATE_TEST_SUITE_P(Links, Forgeries,
                         testing::Values(Forgery{R"("left_children":[1,3,)", R"("left_children":[1,0,)"},
                                         Forgery{R"("left_children":[1,3,)", R"("left_children":[1,99,)"},
                                         Forgery{R"("left_children":[1,3,)", R"("left_children":[1,-5,)"},
                                         Forgery{R"("left_children":[1,3,)", R"("left_children":[1,1e9,)"},
                                         Forgery{R"("left_children":[1,3,)", R"("left_children":[1,4294967299,)"},
                                         Forgery{R"("left_children":[1,3,)", R"("left_children":["a",3,)"},
                                         Forgery{R"("right_children":[2,4,)", R"("right_children":[2,2,)"},
                                         Forgery{R"("parents":[2147483647,0,)", R"("parents":[2147483647,1,)"},
                                         Forgery{R"("split_indices":[1,2,)", R"("split_indices":[1,3,)"},
                                         Forgery{R"("split_indices":[1,2,)", R"("split_indices":[1,-1,)"}));

INSTANTIATE_TEST_SUITE_P(Counts, Forgeries,
                         testing::Values(Forgery{R"("num_nodes":"5")", R"("num_nodes":"4")"},
                                         Forgery{R"("num_nodes":"5")", R"("num_nodes":"-5")"},
                                         Forgery{R"("num_nodes":"5")", R"("num_nodes":"99999999999999999999")"},
                                         Forgery{R"("num_nodes":"5")", R"("num_nodes":"five")"},
                                         Forgery{R"("size_leaf_vector":"1")", R"("size_leaf_vector":"4000000000")"},
                                         Forgery{R"("size_leaf_vector":"1")", R"("size_leaf_vector":"5")"},
                                         Forgery{R"("num_trees":"2")", R"("num_trees":"3")"},
                                         Forgery{R"("num_feature":"3","num_target")",
                                                 R"("num_feature":"1","num_target")"},
                                         Forgery{R"("num_class":"0")", R"("num_class":"2000000000")"},
                                         Forgery{R"("num_target":"1")", R"("num_target":"-1")"},
                                         Forgery{R"("iteration_indptr":[0,1,2])", R"("iteration_indptr":[0,2,1])"},
                                         Forgery{R"("iteration_indptr":[0,1,2])", R"("iteration_indptr":[1,2])"},
                                         Forgery{R"("iteration_indptr":[0,1,2])", R"("iteration_indptr":[])"},
                                         Forgery{R"("tree_info":[0,0])", R"("tree_info":[0,1])"},
                                         Forgery{R"("tree_info":[0,0])", R"("tree_info":[-1,0])"},
                                         Forgery{R"("tree_info":[0,0])", R"("tree_info":[0])"}));

INSTANTIATE_TEST_SUITE_P(Categories, Forgeries,
                         testing::Values(Forgery{R"("categories":[1,3])", R"("categories":[3,1])"},
                                         Forgery{R"("categories":[1,3])", R"("categories":[1,16777216])"},
                                         Forgery{R"("categories_sizes":[2])", R"("categories_sizes":[3])"},
                                         Forgery{R"("categories_sizes":[2])", R"("categories_sizes":[-1])"},
                                         Forgery{R"("categories_sizes":[2])",
                                                 R"("categories_sizes":[9223372036854775807])"},
                                         Forgery{R"("categories_segments":[0])", R"("categories_segments":[1])"},
                                         Forgery{R"("categories_segments":[0])", R"("categories_segments":[])"},
                                         Forgery{R"("categories_nodes":[1])", R"("categories_nodes":[2])"},
                                         Forgery{R"("categories_nodes":[1])", R"("categories_nodes":[-1])"},
                                         Forgery{R"("offsets":[0,4,4,6,11])", R"("offsets":[0,4,3,6,11])"},
                                         Forgery{R"("offsets":[0,4,4,6,11])", R"("offsets":[0,4,4,6,99])"},
                                         Forgery{R"("offsets":[0,4,4,6,11])", R"("offsets":[0,4,4,5,11])"},
                                         Forgery{R"("values":[122,)", R"("values":[1000,)"}));

INSTANTIATE_TEST_SUITE_P(Kinds, Forgeries,
                         testing::Values(Forgery{R"("base_score":"2.5E-1")", R"("base_score":"NaN")"},
                                         Forgery{R"("base_score":"2.5E-1")", R"("base_score":"")"},
                                         Forgery{R"("base_score":"2.5E-1")", R"("base_score":"[]")"},
                                         Forgery{R"("base_score":"2.5E-1")", R"("base_score":"[0.5,0.5]")"},
                                         Forgery{R"("base_score":"2.5E-1")", R"("base_score":"[0.5")"},
                                         Forgery{R"("base_score":"2.5E-1")", R"("base_score":{})"},
                                         Forgery{R"("trees":[{)", R"("trees":[5,{)"},
                                         Forgery{R"("model":{)", R"("model":7,"x":{)"},
                                         Forgery{R"("attributes":{)", R"("attributes":[],"x":{)"},
                                         Forgery{R"("feature_names":["a b",)", R"("feature_names":[)"},
                                         Forgery{R"("name":"gbtree")", R"("name":"forest")"},
                                         Forgery{R"("name":"gbtree")", R"("name":"gbtree","name":"gbtree")"},
                                         Forgery{R"("name":"binary:logistic")", R"("title":"binary:logistic")"},
                                         Forgery{R"("default_left")", R"("default_right")"},
                                         Forgery{R"("reg_loss_param":{"scale_pos_weight":"2"})", R"("":{"x":"2"})"},
                                         Forgery{R"("reg_loss_param":{"scale_pos_weight":"2"})", R"("ti+":["oops"])"}));

TEST(HostileFiles, DocumentsThatAreNoModelAreRefused) {
  for (char const* bytes :
       {"{}", "{\"learner\":{}}", "{\"learner\":[]}", "[1]", "7", "\"x\"", "null", "  ", "\xEF\xBB\xBF{}"}) {
    EXPECT_THROW(ReadModel(bytes), ModelError) << bytes;
  }
}

TEST(HostileFiles, OverlappingCategorySetsCannotMultiply) {
  std::string const json =
      Replaced(Json(FullModel()), R"("categories_nodes":[1],"categories_segments":[0],"categories_sizes":[2])",
               R"("categories_nodes":[0,1],"categories_segments":[0,0],"categories_sizes":[2,2])");
  EXPECT_THROW(ReadModel(json), ModelError);
}

TEST(HostileFiles, ErrorsNameThePlace) {
  try {
    ReadModel(Replaced(Json(FullModel()), R"("num_nodes":"5")", R"("num_nodes":"five")"));
    FAIL();
  } catch (ModelError const& error) {
    EXPECT_NE(std::string(error.what()).find("learner.gradient_booster.model.trees[0].tree_param.num_nodes"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace xgbl
