// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"
#include "ingest/matrices.h"
#include "ingest/text_reader.h"

namespace xgbl {
namespace {

TextData Read(std::string const& text, int label_column = -1, float missing = kNan) {
  TestFolder const folder;
  WriteFileAtomically(folder.At("a.csv"), text);
  TextOptions options;
  options.label_column = label_column;
  options.missing = missing;
  return ReadCsv(folder.At("a.csv"), options, Threads(2));
}

void ExpectCells(std::string const& text, std::size_t columns, std::vector<float> const& cells) {
  TextData const data = Read(text);
  EXPECT_EQ(data.features.Columns(), columns) << text;
  EXPECT_TRUE(data.meta.labels.empty());
  ExpectSameCells(CellsOf(data.features), cells);
}

void ExpectRefused(std::string const& text, std::vector<std::string> words, int label_column = -1) {
  words.emplace_back("a.csv");
  ExpectError<DataError>([&] { Read(text, label_column); }, words);
}

TEST(ReadCsv, ReadsNumbersAndEmptyCells) {
  ExpectCells("1,2.5,3\n4,,nan\n", 3, {1, 2.5F, 3, 4, kNan, kNan});
  ExpectCells("1, 2 ,\t3\r\n\r\n4,5,\r\n", 3, {1, 2, 3, 4, 5, kNan});
  ExpectCells("7", 1, {7});
  ExpectCells("\"1\",\"-2e-3\"\n", 2, {1, -2e-3F});
  ExpectCells(
      "\xEF\xBB\xBF"
      "1,2\n",
      2, {1, 2});
  ExpectCells(",\n", 2, {kNan, kNan});
}

TEST(ReadCsv, TakesTheLabelsFromAnyColumn) {
  for (int const column : {0, 1, 2}) {
    TextData const data = Read("1,2,3\n4,5,6\n", column);
    auto const label = static_cast<float>(column + 1);
    EXPECT_EQ(data.meta.labels.values, (std::vector<float>{label, label + 3}));
    EXPECT_EQ(data.features.Columns(), 2U);
  }
}

TEST(ReadCsv, TakesNamesFromTheFirstLine) {
  TextData const data = Read("y,\"größe, cm\",b\n1,2,3\n", 0);
  EXPECT_EQ(data.meta.feature_names, (std::vector<std::string>{"größe, cm", "b"}));
  EXPECT_EQ(data.features.Rows(), 1U);
  EXPECT_TRUE(Read("1,2\n").meta.feature_names.empty());
  TextData const only_names = Read("a,b\n");
  EXPECT_EQ(only_names.features.Rows(), 0U);
  EXPECT_EQ(only_names.features.Columns(), 2U);
}

TEST(ReadCsv, DropsMissingValues) {
  ExpectSameCells(CellsOf(Read("0,1\n2,0\n", -1, 0).features), {kNan, 1, 2, kNan});
  ExpectSameCells(CellsOf(Read("inf,1\n", -1, kInf).features), {kNan, 1});
}

TEST(ReadCsv, NamesTheLineOfAnError) {
  ExpectRefused("1,2,3\n\n4,5\n", {"line 3", "2 cells", "first line has 3"});
  ExpectRefused("1,2\n3,4,5\n", {"line 2", "3 cells"});
  ExpectRefused("1,2\n3,x\n", {"line 2", "cell 1, `x`, is not a number"});
  ExpectRefused("1,x\n3,4\n", {"line 1", "`x`"});
  ExpectRefused("a,b\n1,\"2\n", {"line 2", "quote is not closed"});
  ExpectRefused("\"a,b\n", {"line 1", "quote is not closed"});
  ExpectRefused("1,\"2\"3\n", {"line 1", "quotes"});
  ExpectRefused("1,1e60\n", {"line 1", "Input data contains `inf`"});
}

TEST(ReadCsv, RefusesBadLabels) {
  ExpectRefused("1,2\n,3\n", {"line 2", "label ``"}, 0);
  ExpectRefused("1,2\ninf,3\n", {"line 2", "label `inf`"}, 0);
  ExpectRefused("1,2\n", {"`label_column` is 2", "only 2 columns"}, 2);
  ExpectRefused("1\n2\n", {"no column beside the label"}, 0);
}

TEST(ReadCsv, RefusesFilesWithoutData) {
  ExpectRefused("", {"holds no data"});
  ExpectRefused("\n \r\n", {"holds no data"});
  EXPECT_THROW(ReadCsv("/no/such/file", {}, Context{}), FileMissing);
}

TEST(ReadCsv, ReadsLongFilesInOrder) {
  std::string text;
  for (int i = 0; i < 300000; ++i) text += std::to_string(i) + ",0.5\n";
  TextData const data = Read(text, 0);
  ASSERT_EQ(data.features.Rows(), 300000U);
  for (std::size_t i = 0; i < 300000; ++i) ASSERT_EQ(data.meta.labels.values[i], static_cast<float>(i));
}

}  // namespace
}  // namespace xgbl
