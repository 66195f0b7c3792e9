// SPDX-License-Identifier: Apache-2.0
#include "labels/meta.h"

#include "ingest/matrices.h"

namespace xgbl {
namespace {

constexpr std::size_t kRows = 4, kColumns = 3;

Matrix<float> Column(std::vector<float> values) {
  Matrix<float> out;
  out.rows = values.size();
  out.columns = 1;
  out.values = std::move(values);
  return out;
}

Meta FullMeta() {
  Meta meta;
  meta.labels = Column({0, 1, 2, 3});
  meta.weights = {1, 2, 0, 4};
  meta.base_margin = Matrix<float>(4, 2, 0.5F);
  meta.label_lower = {0, -kInf, 1, 1};
  meta.label_upper = {1, kInf, 1, 2};
  meta.feature_weights = {0, 1, 2};
  meta.feature_names = {"größe", "A=1", ""};
  meta.feature_types = {"float", "c", "i"};
  meta.categories.resize(3);
  return meta;
}

void ExpectRefused(std::function<void(Meta*)> const& change, std::vector<std::string> const& words) {
  Meta meta = FullMeta();
  change(&meta);
  ExpectError<DataError>([&] { meta.Check(kRows, kColumns); }, words);
}

TEST(Meta, AcceptsWhatFits) {
  EXPECT_NO_THROW(FullMeta().Check(kRows, kColumns));
  EXPECT_NO_THROW(Meta().Check(kRows, kColumns));
  EXPECT_NO_THROW(Meta().Check(0, 0));
}

TEST(Meta, RefusesBadLabels) {
  std::string const words = "Label contains NaN, infinity or a value too large";
  ExpectRefused([](Meta* meta) { meta->labels.values[2] = kNan; }, {words, "entry 2"});
  ExpectRefused([](Meta* meta) { meta->labels.values[3] = -kInf; }, {words, "entry 3"});
  ExpectRefused([](Meta* meta) { meta->labels = Column({1, 2}); }, {"`label`", "got 2 for 4 rows"});
}

TEST(Meta, RefusesBadWeights) {
  ExpectRefused([](Meta* meta) { meta->weights = {1, 1}; }, {"sample weight", "got 2 for 4 rows"});
  for (float const bad : {-1.0F, kNan, kInf}) {
    ExpectRefused([&](Meta* meta) { meta->weights[1] = bad; }, {"Weights must be positive values", "entry 1"});
  }
}

TEST(Meta, WantsWeightsByGroupWhereThereAreGroups) {
  auto const grouped = [](std::vector<float> weights) {
    return [weights](Meta* meta) {
      meta->group_begin = {0, 1, 4};
      meta->weights = weights;
    };
  };
  ExpectRefused(grouped({1, 1, 1, 1}), {"equal to the number of query groups", "got 4 for 2 groups"});
  Meta meta = FullMeta();
  grouped({1, 2})(&meta);
  EXPECT_NO_THROW(meta.Check(kRows, kColumns));
}

TEST(Meta, RefusesGroupsThatDoNotCoverTheRows) {
  auto const groups = [](std::vector<std::uint32_t> begin) {
    return [begin](Meta* meta) {
      meta->weights.clear();
      meta->group_begin = begin;
    };
  };
  ExpectRefused(groups({0, 3}), {"add up to 3", "4 rows"});
  ExpectRefused(groups({1, 4}), {"begin at row 0"});
  ExpectRefused(groups({0, 3, 2, 4}), {"must not fall"});
  ExpectRefused(groups({0}), {"add up to 0"});
  Meta meta;
  meta.group_begin = {0, 2, 2, 4};
  EXPECT_NO_THROW(meta.Check(kRows, kColumns));
}

TEST(Meta, RefusesBadMarginsAndBounds) {
  ExpectRefused([](Meta* meta) { meta->base_margin = Matrix<float>(3, 2); }, {"`base_margin`", "got 3 for 4 rows"});
  ExpectRefused([](Meta* meta) { meta->base_margin.values[3] = kNan; }, {"`base_margin`", "contains NaN", "entry 1"});
  ExpectRefused([](Meta* meta) { meta->label_lower = {1}; }, {"`label_lower_bound`", "got 1 for 4 rows"});
  ExpectRefused([](Meta* meta) { meta->label_upper[2] = kNan; }, {"`label_upper_bound` contains NaN", "entry 2"});
}

TEST(Meta, RefusesBadFeatureWeights) {
  ExpectRefused([](Meta* meta) { meta->feature_weights = {1, 2}; }, {"`feature_weights`", "got 2 for 3 columns"});
  for (float const bad : {-1.0F, kNan, kInf}) {
    ExpectRefused([&](Meta* meta) { meta->feature_weights[1] = bad; }, {"`feature_weights`", "entry 1"});
  }
}

TEST(Meta, RefusesBadNamesAndTypes) {
  ExpectRefused([](Meta* meta) { meta->feature_names = {"foo", "bar", "bar"}; },
                {"feature_names", "Duplicates found: ['bar']"});
  ExpectRefused([](Meta* meta) { meta->feature_names = {"a"}; }, {"feature_names", "expected 3, got 1"});
  for (std::string const bad : {"a[", "]", "x<1"}) {
    ExpectRefused([&](Meta* meta) { meta->feature_names[0] = bad; }, {"may not contain [, ] or <", bad});
  }
  ExpectRefused([](Meta* meta) { meta->feature_types[0] = "str"; }, {"{int, float, i, q, c}", "`str`"});
  ExpectRefused([](Meta* meta) { meta->feature_types = {"q"}; }, {"feature_types", "expected 3, got 1"});
  ExpectRefused([](Meta* meta) { meta->categories.resize(1); }, {"categories", "expected 3, got 1"});
}

TEST(Meta, SliceTakesRowsInTheirOrderAndKeepsColumns) {
  Meta const slice = FullMeta().Slice(std::vector<std::size_t>{3, 0, 3}, false);
  EXPECT_EQ(slice.labels.values, (std::vector<float>{3, 0, 3}));
  EXPECT_EQ(slice.weights, (std::vector<float>{4, 1, 4}));
  EXPECT_EQ(slice.base_margin.rows, 3U);
  EXPECT_EQ(slice.base_margin.columns, 2U);
  EXPECT_EQ(slice.label_upper, (std::vector<float>{2, 1, 2}));
  EXPECT_EQ(slice.feature_weights, FullMeta().feature_weights);
  EXPECT_EQ(slice.feature_names, FullMeta().feature_names);
  EXPECT_EQ(slice.feature_types, FullMeta().feature_types);
  EXPECT_NO_THROW(slice.Check(3, kColumns));
}

TEST(Meta, SliceKeepsGroupsOnlyWhenAllowed) {
  Meta meta;
  meta.group_begin = {0, 2, 2, 4};
  meta.weights = {5, 6, 7};
  std::vector<std::size_t> const rows{1, 0, 2, 1};
  ExpectError<DataError>([&] { meta.Slice(rows, false); }, {"slice does not support group structure", "allow_groups"});
  Meta const slice = meta.Slice(rows, true);
  EXPECT_EQ(slice.group_begin, (std::vector<std::uint32_t>{0, 2, 3, 4}));
  EXPECT_EQ(slice.weights, (std::vector<float>{5, 7, 5}));
  Meta const nothing = meta.Slice(std::vector<std::size_t>{}, true);
  EXPECT_NO_THROW(nothing.Check(0, kColumns));
  EXPECT_EQ(nothing.group_begin, std::vector<std::uint32_t>{0});
}

}  // namespace
}  // namespace xgbl
