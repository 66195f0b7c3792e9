// SPDX-License-Identifier: Apache-2.0
#include "model/dump.h"

#include <gtest/gtest.h>

#include <map>

#include "base/error.h"
#include "model/sample_models.h"

namespace xgbl {
namespace {

DumpOptions Options(DumpFormat format, bool with_stats) {
  DumpOptions options;
  options.format = format;
  options.with_stats = with_stats;
  return options;
}

std::string Dump(Tree const& tree, DumpOptions const& options) { return DumpModel(ModelOf({tree}), options)[0]; }

TEST(Dump, AModelWithoutTreesGivesNoTexts) { EXPECT_TRUE(DumpModel(ModelOf({}), {}).empty()); }

TEST(Dump, TextHasALineForEachNode) {
  EXPECT_EQ(Dump(SampleTree(), {}),
            "0:[f1<0.5] yes=1,no=2,missing=1\n"
            "\t1:[f2:{1,3}] yes=4,no=3,missing=4\n"
            "\t\t3:leaf=0.150000006\n"
            "\t\t4:leaf=-0.200000003\n"
            "\t2:leaf=0.0500000007\n");
}

TEST(Dump, TextShowsGainAndCover) {
  EXPECT_EQ(Dump(SampleTree(), Options(DumpFormat::kText, true)),
            "0:[f1<0.5] yes=1,no=2,missing=1,gain=12.5,cover=10\n"
            "\t1:[f2:{1,3}] yes=4,no=3,missing=4,gain=3.25,cover=6\n"
            "\t\t3:leaf=0.150000006,cover=2.5\n"
            "\t\t4:leaf=-0.200000003,cover=3.5\n"
            "\t2:leaf=0.0500000007,cover=4\n");
}

TEST(Dump, JsonNestsTheChildren) {
  EXPECT_EQ(
      Dump(SampleTree(), Options(DumpFormat::kJson, false)),
      R"(  { "nodeid": 0, "depth": 0, "split": "f1", "split_condition": 0.5, "yes": 1, "no": 2, "missing": 1 ,)"
      " \"children\": [\n"
      R"(    { "nodeid": 1, "depth": 1, "split": "f2", "split_condition": [1, 3], "yes": 4, "no": 3, "missing": 4 ,)"
      " \"children\": [\n"
      "      { \"nodeid\": 3, \"leaf\": 0.150000006 }, \n"
      "      { \"nodeid\": 4, \"leaf\": -0.200000003 }\n"
      "    ]}, \n"
      "    { \"nodeid\": 2, \"leaf\": 0.0500000007 }\n"
      "  ]}");
}

TEST(Dump, JsonShowsGainAndCover) {
  EXPECT_EQ(Dump(LeafTree(0.5F), Options(DumpFormat::kJson, true)), R"(  { "nodeid": 0, "leaf": 0.5 , "cover": 0 })");
}

TEST(Dump, DotDrawsEdges) {
  EXPECT_EQ(Dump(SampleTree(), Options(DumpFormat::kDot, false)),
            R"(digraph {
    graph [ rankdir=TB ]

    0 [ label="f1<0.5" ]
    0 -> 1 [label="yes, missing" color="#0000FF"]
    0 -> 2 [label="no" color="#FF0000"]

    1 [ label="f2:{1,3}" ]
    1 -> 3 [label="no" color="#FF0000"]
    1 -> 4 [label="yes, missing" color="#0000FF"]

    3 [ label="leaf=0.150000006" ]

    4 [ label="leaf=-0.200000003" ]

    2 [ label="leaf=0.0500000007" ]
})");
}

TEST(Dump, DotTakesColoursAndAttributes) {
  DumpOptions options = Options(DumpFormat::kDot, true);
  options.dot = {{"rankdir", "LR"},
                 {"no_color", "red"},
                 {"yes_color", "blue"},
                 {"condition_node_params", R"({"shape": "box", "a": "b"})"},
                 {"leaf_node_params", R"({"style": "filled"})"}};
  std::string const dot = Dump(SampleTree(), options);
  EXPECT_NE(dot.find("    graph [ rankdir=TB ]\n    graph [ rankdir=\"LR\" ]\n\n"), std::string::npos);
  EXPECT_NE(dot.find("0 [ label=\"f1<0.5\ngain=12.5\ncover=10\" a=\"b\" shape=\"box\" ]"), std::string::npos);
  EXPECT_NE(dot.find("2 [ label=\"leaf=0.0500000007\ncover=4\" style=\"filled\" ]"), std::string::npos);
  EXPECT_NE(dot.find("0 -> 2 [label=\"no\" color=\"red\"]"), std::string::npos);
  EXPECT_NE(dot.find("0 -> 1 [label=\"yes, missing\" color=\"blue\"]"), std::string::npos);
}

TEST(Dump, DotRefusesParametersItDoesNotKnow) {
  DumpOptions options = Options(DumpFormat::kDot, false);
  options.dot = {{"rank_dir", "LR"}};
  EXPECT_THROW(Dump(SampleTree(), options), ParamError);
}

TEST(Dump, NamesAreEscaped) {
  DumpOptions options;
  options.feature_names = {"a", "q\"\\\n\x01", "c"};
  EXPECT_EQ(Dump(SampleTree(), options).substr(0, 21), R"(0:[q\"\\\n\u0001<0.5])");
}

TEST(Dump, ThresholdsOfIntegersAreRoundedUp) {
  DumpOptions options;
  options.feature_types = {"int", "int", "c"};
  for (auto const& [threshold, text] :
       std::map<float, std::string>{{0.5F, "1"}, {-0.5F, "0"}, {-1.5F, "-1"}, {2, "2"}, {3e9F, "3000000000"}}) {
    Tree tree = SampleTree();
    tree.threshold[0] = threshold;
    std::string const head = "0:[f1<" + text + "]";
    EXPECT_EQ(Dump(tree, options).substr(0, head.size()), head);
  }
}

// A stump of an indicator, which XGBoost's dumps take for one whose absence means "no".
std::string IndicatorText(float threshold, bool default_left, DumpFormat format) {
  Tree tree = SampleTree();
  tree.threshold[0] = threshold;
  tree.default_left[0] = default_left ? 1 : 0;
  DumpOptions options = Options(format, false);
  options.feature_types = {"q", "i", "c"};
  return Dump(tree, options);
}

TEST(Dump, IndicatorsSayWhereOnesZerosAndMissingValuesGo) {
  struct Case {
    float threshold;
    bool default_left;
    std::string text, left, right;
  };
  for (auto const& [threshold, default_left, text, left, right] : std::vector<Case>{
           {1.0F, true, "[f1] yes=2,no=1", "no, missing", "yes"},
           {1.0F, false, "[f1] yes=2,no=1,missing=2", "no", "yes, missing"},
           {1e-6F, false, "[f1] yes=2,no=1,missing=2", "no", "yes, missing"},
           {0.0F, true, "[f1] yes=2,no=1", "missing", "yes, no"},
           {2.0F, false, "[f1] yes=1,no=2", "yes, no", "missing"},
           {2.0F, true, "[f1<2] yes=1,no=2,missing=1", "yes, missing", "no"},
           {0.0F, false, "[f1<0] yes=1,no=2,missing=2", "yes", "no, missing"},
       }) {
    std::string const dump = IndicatorText(threshold, default_left, DumpFormat::kText);
    EXPECT_EQ(dump.substr(0, dump.find('\n')), "0:" + text);
    std::string const dot = IndicatorText(threshold, default_left, DumpFormat::kDot);
    EXPECT_NE(dot.find("0 -> 1 [label=\"" + left + "\""), std::string::npos) << dot;
    EXPECT_NE(dot.find("0 -> 2 [label=\"" + right + "\""), std::string::npos) << dot;
    std::string const json = IndicatorText(threshold, default_left, DumpFormat::kJson);
    bool const told = text.find("missing") != std::string::npos;
    EXPECT_EQ(json.substr(0, json.find('\n')).find("\"missing\"") != std::string::npos, told) << json;
  }
}

TEST(Dump, DotNamesCategoriesIfAsked) {
  Model model = ModelOf({SampleTree()});
  DumpOptions options = Options(DumpFormat::kDot, false);
  options.dot = {{"category_names", "true"}};
  auto const label = [&] { return DumpModel(model, options)[0]; };
  EXPECT_NE(label().find(R"("f2 in {1, 3}")"), std::string::npos);
  model.categories.resize(3);
  model.categories[2].names = {"a", "quo\"te", "c"};
  EXPECT_NE(label().find(R"("f2 in {quo\"te, 3}")"), std::string::npos);
  model.categories[2].names[1] = std::string(70, 'x');
  EXPECT_NE(label().find("{" + std::string(70, 'x') + ",\n3}"), std::string::npos);
  model.categories[2] = {{}, {0, 1.5, 2, 1990}, "float64"};
  EXPECT_NE(label().find(R"("f2 in {1.5, 1990}")"), std::string::npos);
  options.dot = {{"category_names", "0"}};
  EXPECT_NE(label().find(R"("f2:{1,3}")"), std::string::npos);
  options.dot = {{"category_names", "perhaps"}};
  EXPECT_THROW(label(), ParamError);
}

TEST(Dump, IndicatorsAskOnlyWhetherTheyAreThere) {
  DumpOptions options = Options(DumpFormat::kText, true);
  options.feature_types = {"q", "i", "c"};
  std::string const text = Dump(SampleTree(), options);
  EXPECT_EQ(text.substr(0, text.find('\n')), "0:[f1] yes=2,no=1,gain=12.5,cover=10");
  options.format = DumpFormat::kJson;
  std::string const json = Dump(SampleTree(), options);
  EXPECT_EQ(
      json.substr(0, json.find('\n')),
      R"(  { "nodeid": 0, "depth": 0, "split": "f1", "yes": 2, "no": 1 , "gain": 12.5, "cover": 10, "children": [)");
}

TEST(Dump, VectorLeavesAreLists) {
  Model const model = VectorModel();
  EXPECT_EQ(DumpModel(model, {})[0], "0:[f0<1] yes=1,no=2,missing=2\n\t1:leaf=[0.5, -0.5]\n\t2:leaf=[1.5, -1.5]\n");
}

TEST(Dump, LongVectorsAreAbridgedInTextOnly) {
  Tree tree;
  tree.outputs = 5;
  tree.AddNode(kNoNode);
  tree.value = {1, 2, 3, 4, 5};
  Model const model = ModelOf({tree}, 5);
  EXPECT_EQ(DumpModel(model, {})[0], "0:leaf=[1, 2, ..., 5]\n");
  EXPECT_EQ(DumpModel(model, Options(DumpFormat::kJson, false))[0], R"(  { "nodeid": 0, "leaf": [1, 2, 3, 4, 5] })");
}

TEST(Dump, LinearModelsAreBiasesAndWeights) {
  EXPECT_EQ(DumpModel(LinearSample(), {}), (std::vector<std::string>{"bias:\n-0.25\nweight:\n0.5\n0.25\n0\n"}));
  EXPECT_EQ(DumpModel(LinearSample(), Options(DumpFormat::kJson, true))[0],
            "  { \"bias\": [\n      -0.25\n    ],\n    \"weight\": [\n      0.5,\n      0.25,\n      0\n    ]\n  }");
  EXPECT_THROW(DumpModel(LinearSample(), Options(DumpFormat::kDot, false)), ParamError);
}

TEST(Dump, ChainsThatWouldFillTheMemoryAreRefused) {
  Tree tree;
  NodeId node = tree.AddNode(kNoNode);
  for (int i = 0; i < 20000; ++i) node = tree.Split(node, 0, 0, true);
  EXPECT_THROW(Dump(tree, {}), ParamError);
}

}  // namespace
}  // namespace xgbl
