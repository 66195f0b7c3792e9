// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <vector>

#include "ingest/text_table.h"

namespace xgbl {
namespace {

using Record = std::vector<std::string>;

std::vector<Record> RecordsOf(std::string_view text, char delimiter = ',') {
  std::vector<Record> records;
  RecordReader reader(text, delimiter);
  Record cells;
  while (reader.Next([&](std::size_t i, std::string_view cell) {
    EXPECT_EQ(i, cells.size());
    cells.emplace_back(cell);
  })) {
    EXPECT_EQ(reader.Cells(), cells.size());
    records.push_back(std::move(cells));
    cells.clear();
  }
  EXPECT_TRUE(reader.Rest().empty());
  return records;
}

TEST(RecordReader, EndsRecordsAtAnyEndOfLine) {
  std::vector<Record> const expected{{"a", "b"}, {"c", ""}, {"", "d"}};
  for (char const* text : {"a,b\nc,\n,d", "a,b\r\nc,\r\n,d\r\n", "a,b\rc,\r,d\r", "a,b\n\r\n \nc,\n\n,d\n"}) {
    EXPECT_EQ(RecordsOf(text), expected) << text;
  }
  EXPECT_EQ(RecordsOf("a\r\rb"), (std::vector<Record>{{"a"}, {"b"}}));
  for (char const* text : {"", "\n", "\r", " \t\r\n"}) EXPECT_TRUE(RecordsOf(text).empty()) << text;
}

TEST(RecordReader, TakesQuotesOff) {
  EXPECT_EQ(RecordsOf("\"a,\n\r\",\"\"\n\"b\"\"\"\"c\"d,e\"f\"\n"),
            (std::vector<Record>{{"a,\n\r", ""}, {"b\"\"cd", "e\"f\""}}));
  EXPECT_EQ(RecordsOf("\"\"\n"), (std::vector<Record>{{""}})) << "no blank line";
  EXPECT_EQ(RecordsOf(" \"a\"\tb\t\"c\"", '\t'), (std::vector<Record>{{"a", "b", "c"}}));
}

TEST(RecordReader, CountsLinesWithinQuotesToo) {
  RecordReader reader("\n\"1\n2\r\n3\",x\ny,z", ',');
  auto const ignore = [](std::size_t, std::string_view) {};
  ASSERT_TRUE(reader.Next(ignore));
  EXPECT_EQ(reader.Line(), 1U);
  EXPECT_EQ(reader.LinesRead(), 4U);
  EXPECT_EQ(reader.Rest(), "y,z");
  ASSERT_TRUE(reader.Next(ignore));
  EXPECT_EQ(reader.Line(), 4U);
  EXPECT_FALSE(reader.Next(ignore));
}

TEST(RecordReader, TellsAQuoteThatStaysOpen) {
  for (char const* text : {"a,\"b\nc\n", "a,\"b\nc", "a,\"b\n\"\""}) {
    RecordReader reader(text, ',');
    Record cells;
    ASSERT_TRUE(reader.Next([&](std::size_t, std::string_view cell) { cells.emplace_back(cell); }));
    EXPECT_TRUE(reader.IsOpen()) << text;
    EXPECT_EQ(cells.size(), 2U);
    EXPECT_EQ(reader.LinesRead(), 2U) << text;
    EXPECT_TRUE(reader.Rest().empty());
  }
}

}  // namespace
}  // namespace xgbl
