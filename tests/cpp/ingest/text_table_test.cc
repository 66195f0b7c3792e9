// SPDX-License-Identifier: Apache-2.0
#include "ingest/text_table.h"

#include "base/file.h"
#include "ingest/matrices.h"

namespace xgbl {
namespace {

using Strings = std::vector<std::string>;

TextTableColumns Read(std::string const& text, TextTableOptions const& options = {}, int threads = 2) {
  TestFolder const folder;
  WriteFileAtomically(folder.At("a.csv"), text);
  return TextTable(folder.At("a.csv"), "a.csv").Read(options, Threads(threads));
}

void ExpectNumbers(TextTableColumn const& column, std::vector<double> const& expected) {
  EXPECT_FALSE(column.is_text);
  ASSERT_EQ(column.numbers.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (std::isnan(expected[i])) {
      EXPECT_TRUE(std::isnan(column.numbers[i])) << i;
    } else {
      EXPECT_EQ(column.numbers[i], expected[i]) << i;
    }
  }
}

void ExpectTexts(TextTableColumn const& column, Strings const& expected) {
  EXPECT_TRUE(column.is_text);
  Strings found;
  for (auto const code : column.codes) found.push_back(column.labels.at(code));
  EXPECT_EQ(found, expected);
}

void ExpectRefused(std::string const& text, std::vector<std::string> const& words) {
  ExpectError<DataError>([&] { Read(text); }, words);
}

TEST(TextTable, TellsNumbersFromTexts) {
  auto const table = Read("a,b,c,d\n1, 2.5 ,0x1f,1_2\r\n-3e2,,7,x\n+.5,nan,\"7\",\n");
  ExpectNumbers(table.columns[0], {1, -300, 0.5});
  ExpectNumbers(table.columns[1], {2.5, kNan, kNan});
  ExpectTexts(table.columns[2], {"0x1f", "7", "7"});
  ExpectTexts(table.columns[3], {"1_2", "x", ""});
  EXPECT_TRUE(table.columns[0].has_decimals);
  EXPECT_EQ(table.lines, (std::vector<std::uint32_t>{2, 3, 4}));
}

TEST(TextTable, ReadsQuotedCells) {
  auto const table = Read("a,b\n\"x, \"\"y\"\"\",\"1\"\n  \"p\nq\"r,2\n\n\"\",3\n");
  ExpectTexts(table.columns[0], {"x, \"y\"", "p\nqr", ""});
  ExpectNumbers(table.columns[1], {1, 2, 3});
  EXPECT_EQ(table.lines, (std::vector<std::uint32_t>{2, 3, 6}));
}

TEST(TextTable, TakesSomeCellsAsMissingAndSomeColumnsAsTexts) {
  TextTableOptions options;
  options.header = false;
  options.delimiter = ';';
  options.decimal = ',';
  options.missing = {"-", "-999"};
  options.texts = {1};
  auto const table = Read("1,5;1,5\n - ;-\n-999,0;7\ninf;1\n", options);
  ExpectNumbers(table.columns[0], {1.5, kNan, kNan, std::numeric_limits<double>::infinity()});
  ExpectTexts(table.columns[1], {"1,5", "-", "7", "1"});
}

TEST(TextTable, IsTheSameForAnyNumberOfThreads) {
  std::string text = "i,t\n";
  for (int i = 0; i < 300'000; ++i) text += Text(i, ",\"", i % 1013, i % 2 == 0 ? "\"\"" : "\n", "\"\n");
  auto const one = Read(text, {}, 1), two = Read(text, {}, 2);
  ASSERT_EQ(one.columns[0].numbers.size(), 300'000U);
  EXPECT_EQ(one.columns[0].numbers, two.columns[0].numbers);
  EXPECT_EQ(one.columns[0].numbers.back(), 299'999);
  EXPECT_EQ(one.columns[1].codes, two.columns[1].codes);
  EXPECT_EQ(one.columns[1].labels, two.columns[1].labels);
  EXPECT_EQ(one.lines, two.lines);
  EXPECT_EQ(one.lines.back(), 450'000U);
}

TEST(TextTable, GivesTheFirstRecords) {
  TestFolder const folder;
  WriteFileAtomically(folder.At("a.csv"),
                      "\xEF\xBB\xBF"
                      "a;b\n\n1;\"2;\n3\"\n4;5");
  TextTable const table(folder.At("a.csv"), "a.csv");
  EXPECT_EQ(table.Sample(';', 9), (std::vector<Strings>{{"a", "b"}, {"1", "2;\n3"}, {"4", "5"}}));
  EXPECT_EQ(table.Sample(',', 1), (std::vector<Strings>{{"a;b"}}));
}

TEST(TextTable, ReadsFilesWithoutRows) {
  EXPECT_TRUE(Read("").columns.empty());
  EXPECT_TRUE(Read("\n \n").columns.empty());
  auto const table = Read("a,b");
  ASSERT_EQ(table.columns.size(), 2U);
  ExpectNumbers(table.columns[1], {});
  EXPECT_TRUE(table.lines.empty());
}

TEST(TextTable, NamesTheLineOfWhatIsWrong) {
  ExpectRefused("a,b\n1,2\n\n3\n", {"Line 4 of a.csv has 1 cells; 2 were expected", "separated by `,`"});
  ExpectRefused("a,b\n1,\"2\n3\"\n4,5,6\n", {"Line 4 of a.csv has 3 cells"});
  ExpectRefused("a,b\n1,\"2\n3\n4\n", {"Line 2 of a.csv has no end", "stays open up to line 4"});
  ExpectRefused("a,b\n\"1,2\n3,4\n", {"Line 2 of a.csv has 1 cells", "stays open up to line 3"});
  ExpectRefused(std::string("a,b\n1,\0\n", 8), {"Line 2 of a.csv has a zero byte", "UTF-16"});
}

}  // namespace
}  // namespace xgbl
