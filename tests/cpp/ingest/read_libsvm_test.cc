// SPDX-License-Identifier: Apache-2.0
// Also tests text_reader.cc.
#include "base/file.h"
#include "ingest/matrices.h"
#include "ingest/text_reader.h"

namespace xgbl {
namespace {

TextData Read(std::string const& text, TextOptions const& options = {}, int threads = 1) {
  TestFolder const folder;
  WriteFileAtomically(folder.At("a.libsvm"), text);
  return ReadLibsvm(folder.At("a.libsvm"), options, Threads(threads));
}

void ExpectRefused(std::string const& text, std::vector<std::string> words, TextOptions const& options = {}) {
  words.emplace_back("a.libsvm");
  ExpectError<DataError>([&] { Read(text, options); }, words);
}

TEST(ReadLibsvm, ReadsLabelsAndCells) {
  TextData const data = Read("1 0:1 3:2.5e0\r\n\n# a comment\n-1\t2:+4 1:nan # 9:9\n0\n");
  EXPECT_EQ(data.meta.labels.values, (std::vector<float>{1, -1, 0}));
  EXPECT_TRUE(data.meta.weights.empty());
  EXPECT_TRUE(data.meta.group_begin.empty());
  ASSERT_EQ(data.features.Columns(), 4U);
  ExpectSameCells(CellsOf(data.features), {1, kNan, kNan, 2.5F, kNan, kNan, 4, kNan, kNan, kNan, kNan, kNan});
}

TEST(ReadLibsvm, ReadsWeightsGroupsAndBareIndices) {
  TextData const data = Read("1:2.5 qid:7 1\n0 qid:7 0:3\n1 qid:8 0:4");
  EXPECT_EQ(data.meta.weights, (std::vector<float>{2.5F, 1, 1}));
  EXPECT_EQ(data.meta.group_begin, (std::vector<std::uint32_t>{0, 2, 3}));
  ExpectSameCells(CellsOf(data.features), {kNan, 1, 3, kNan, 4, kNan});
}

TEST(ReadLibsvm, CountsColumnsFromZeroOrOne) {
  TextOptions options;
  EXPECT_EQ(Read("1 1:5 3:1\n", options).features.Columns(), 4U);
  options.indexing_mode = 1;
  EXPECT_EQ(Read("1 1:5 3:1\n", options).features.Columns(), 3U);
  ExpectRefused("1 1:5\n1 0:1\n", {"line 2", "`0:1`", "begin with 1"}, options);
  ExpectRefused("1 -9223372036854775808:1\n", {"out of range"}, options);
  options.indexing_mode = 2;
  EXPECT_THROW(Read("1 1:5\n", options), ParamError);
}

TEST(ReadLibsvm, SortsCellsAndDropsMissing) {
  TextOptions options;
  options.missing = 9;
  ExpectSameCells(CellsOf(Read("0 2:1 0:9 1:3\n", options).features), {kNan, 3, 1});
}

TEST(ReadLibsvm, TakesNumbersOfAnyMagnitude) {
  TextData const data = Read("0 0:1e-60 1:1e-45 2:3.4e38\n");
  ExpectSameCells(CellsOf(data.features), {0, 1e-45F, 3.4e38F});
  ExpectRefused("0 0:1e60\n", {"Input data contains `inf`", "line 1"});
  ExpectRefused("0 0:inf\n", {"Input data contains `inf`"});
}

TEST(ReadLibsvm, NamesTheLineOfAnError) {
  ExpectRefused("1 0:1\n\nx 0:1\n", {"line 3", "label `x`"});
  ExpectRefused("nan 0:1\n", {"line 1", "label `nan`"});
  ExpectRefused("1:w 0:1\n", {"weight `w`"});
  ExpectRefused("1 a:1\n", {"`index:value`", "`a:1`"});
  ExpectRefused("1 0:x\n", {"value of `0:x`"});
  ExpectRefused("1 0:1:2\n", {"value of `0:1:2`"});
  ExpectRefused("1 -1:2\n", {"out of range"});
  ExpectRefused("1 99999999999:1\n", {"out of range"});
  ExpectRefused("1 99999999999999999999:1\n", {"`index:value`"});
  ExpectRefused("1 qid:a 0:1\n", {"`qid:a`"});
  ExpectRefused("1 3:1 1:2 3:1\n", {"index 3", "more than once"});
}

TEST(ReadLibsvm, WantsGroupsForAllRowsOrNone) {
  ExpectRefused("1 0:1\n1 qid:1 0:1\n", {"line 2", "qid"});
  ExpectRefused("1 qid:1 0:1\n\n1 0:1\n", {"line 3", "no `qid:`"});
}

TEST(ReadLibsvm, RefusesFilesWithoutRows) {
  ExpectRefused("", {"holds no data"});
  ExpectRefused("\n# only this\n", {"holds no data"});
  EXPECT_THROW(ReadLibsvm("/no/such/file", {}, Context{}), FileMissing);
}

TEST(ReadLibsvm, GivesTheSameForAnyThreads) {
  std::string text;
  for (int i = 0; i < 120000; ++i)
    text += std::to_string(i % 3) + " " + std::to_string(i % 50) + ":0.125 60:" + std::to_string(i) + "\n";
  ASSERT_GT(text.size(), std::size_t{2} << 20U);
  TextData const one = Read(text);
  EXPECT_EQ(one.features.Rows(), 120000U);
  for (int const threads : {2, 3, 7}) {
    TextData const more = Read(text, {}, threads);
    EXPECT_EQ(more.meta.labels.values, one.meta.labels.values);
    SparseTable const &rows = *more.features.Sparse(), &expected = *one.features.Sparse();
    EXPECT_TRUE(
        std::equal(rows.row_begin.begin(), rows.row_begin.end(), expected.row_begin.begin(), expected.row_begin.end()));
    EXPECT_TRUE(std::equal(rows.value.begin(), rows.value.end(), expected.value.begin(), expected.value.end()));
  }
  ExpectRefused(text + "1 x\n" + text + "1 y\n", {"line 120001:"});
}

}  // namespace
}  // namespace xgbl
