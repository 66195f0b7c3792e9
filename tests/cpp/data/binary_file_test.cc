// SPDX-License-Identifier: Apache-2.0
#include "base/checksum.h"
#include "base/file.h"
#include "data/dmatrix.h"
#include "ingest/matrices.h"

namespace xgbl {
namespace {

Meta FullMeta() {
  Meta meta;
  meta.labels = Matrix<float>(3, 2, 0.5F);
  meta.weights = {1, 2};
  meta.base_margin = Matrix<float>(3, 1, -1.0F);
  meta.label_lower = {0, 1, 2};
  meta.label_upper = {1, 2, kInf};
  meta.feature_weights = {1, 0};
  meta.group_begin = {0, 1, 3};
  meta.feature_names = {"größe", "b"};
  meta.feature_types = {"float", "c"};
  meta.categories = {{}, {{"x", ""}, {}, ""}};
  return meta;
}

void ExpectEqual(Meta const& a, Meta const& b) {
  EXPECT_EQ(a.labels.values, b.labels.values);
  EXPECT_EQ(a.labels.columns, b.labels.columns);
  EXPECT_EQ(a.base_margin.values, b.base_margin.values);
  EXPECT_EQ(a.base_margin.rows, b.base_margin.rows);
  EXPECT_EQ(a.weights, b.weights);
  EXPECT_EQ(a.label_lower, b.label_lower);
  EXPECT_EQ(a.label_upper, b.label_upper);
  EXPECT_EQ(a.feature_weights, b.feature_weights);
  EXPECT_EQ(a.group_begin, b.group_begin);
  EXPECT_EQ(a.feature_names, b.feature_names);
  EXPECT_EQ(a.feature_types, b.feature_types);
  EXPECT_TRUE(a.categories == b.categories);
}

// Mostly present, and mostly missing: the two ways in which cells are stored.
FeatureMatrix Full() { return FeatureMatrix(TableOf(3, 2, {1, kNan, -0.0F, 1e-45F, 5, 3e38F})); }
FeatureMatrix Thin() { return FeatureMatrix(TableOf(3, 2, {kNan, kNan, 3, kNan, kNan, kNan})); }

std::string Saved(FeatureMatrix const& features, Meta const& meta, TestFolder const& folder) {
  SaveBinary(DMatrix(features, meta), folder.At("m.bin"));
  return ReadWholeFile(folder.At("m.bin"));
}

// Loads a file with those bytes: either it is refused with an error of ours, or it is a matrix that can be used.
bool Loads(std::string const& bytes, TestFolder const& folder) {
  WriteFileAtomically(folder.At("altered.bin"), bytes);
  try {
    auto const matrix = LoadBinary(folder.At("altered.bin"));
    ColumnBlocks::Build(matrix->Features(), Context{});
    return true;
  } catch (ModelError const&) {
    return false;
  }
}

TEST(BinaryFile, GivesBackCellsAndInfo) {
  TestFolder const folder;
  for (FeatureMatrix const& features : {Full(), Thin()}) {
    Saved(features, FullMeta(), folder);
    EXPECT_TRUE(IsBinaryMatrix(folder.At("m.bin")));
    auto const loaded = LoadBinary(folder.At("m.bin"));
    ExpectSameCells(CellsOf(loaded->Features()), CellsOf(features));
    ExpectEqual(loaded->Info(), FullMeta());
  }
}

TEST(BinaryFile, EqualDataGiveEqualBytes) {
  TestFolder const folder;
  for (FeatureMatrix const& features : {Full(), Thin()}) {
    std::string const bytes = Saved(features, FullMeta(), folder);
    EXPECT_EQ(Saved(FeatureMatrix(RowsOf(features)), FullMeta(), folder), bytes);
    EXPECT_EQ(Saved(LoadBinary(folder.At("m.bin"))->Features(), FullMeta(), folder), bytes);
  }
  DenseTable zeros = TableOf(3, 2, {0, 0, 3, 0, 0, 0});
  zeros.missing = 0;
  EXPECT_EQ(Saved(FeatureMatrix(zeros), {}, folder), Saved(Thin(), {}, folder));
}

TEST(BinaryFile, KeepsCategoriesOfNumbersAndEmptyMatrices) {
  TestFolder const folder;
  Meta meta;
  meta.categories = {{{}, {1, 2.5}, "float64"}, {}};
  Saved(FeatureMatrix(TableOf(0, 2, {})), meta, folder);
  auto const loaded = LoadBinary(folder.At("m.bin"));
  EXPECT_EQ(loaded->Rows(), 0U);
  EXPECT_EQ(loaded->Columns(), 2U);
  ExpectEqual(loaded->Info(), meta);
  Saved(FeatureMatrix(), {}, folder);
  EXPECT_EQ(LoadBinary(folder.At("m.bin"))->Columns(), 0U);
}

TEST(BinaryFile, TellsOtherFilesApart) {
  TestFolder const folder;
  for (std::string const content : {"", "xgbl", "1 0:2\n", "\x01\xab\xff\xff matrix"}) {
    WriteFileAtomically(folder.At("other"), content);
    EXPECT_FALSE(IsBinaryMatrix(folder.At("other")));
    ExpectError<ModelError>([&] { LoadBinary(folder.At("other")); }, {"Cannot load the matrix", "other"});
  }
  EXPECT_THROW(IsBinaryMatrix(folder.At("absent")), FileMissing);
  EXPECT_THROW(LoadBinary(folder.At("absent")), FileMissing);
}

TEST(BinaryFile, RefusesEveryTruncationAndAddition) {
  TestFolder const folder;
  for (FeatureMatrix const& features : {Full(), Thin()}) {
    std::string const bytes = Saved(features, FullMeta(), folder);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      ASSERT_FALSE(Loads(bytes.substr(0, size), folder)) << size;
    }
    EXPECT_FALSE(Loads(bytes + '\0', folder));
    EXPECT_TRUE(Loads(bytes, folder));
  }
}

std::string WithChecksum(std::string bytes) {
  Checksum sum;
  sum.Add(bytes.data(), bytes.size() - 8);
  EncodeLittle(sum.Value(), bytes.data() + bytes.size() - 8);
  return bytes;
}

TEST(BinaryFile, RefusesEveryAlteredByte) {
  TestFolder const folder;
  for (FeatureMatrix const& features : {Full(), Thin()}) {
    std::string bytes = Saved(features, FullMeta(), folder);
    for (char& byte : bytes) {
      byte = static_cast<char>(byte ^ 1);
      ASSERT_FALSE(Loads(bytes, folder)) << &byte - bytes.data();
      byte = static_cast<char>(byte ^ 1);
    }
  }
}

TEST(BinaryFile, SurvivesEveryByteAlteredOnPurpose) {
  TestFolder const folder;
  for (FeatureMatrix const& features : {Full(), Thin()}) {
    std::string const bytes = Saved(features, FullMeta(), folder);
    ASSERT_EQ(WithChecksum(bytes), bytes);
    int refused = 0;
    for (std::size_t i = 0; i + 8 < bytes.size(); ++i) {
      for (char const flip : {'\x01', '\x7F', '\xFF'}) {
        std::string altered = bytes;
        altered[i] = static_cast<char>(altered[i] ^ flip);
        refused += Loads(WithChecksum(altered), folder) ? 0 : 1;
      }
    }
    EXPECT_GT(refused, 100);
  }
}

TEST(BinaryFile, SaysThatTheChecksumIsWrong) {
  TestFolder const folder;
  std::string bytes = Saved(Full(), {}, folder);
  bytes[36] = static_cast<char>(bytes[36] ^ 1);  // in the first cell
  WriteFileAtomically(folder.At("m.bin"), bytes);
  ExpectError<ModelError>([&] { LoadBinary(folder.At("m.bin")); }, {"m.bin", "damaged", "checksum", "from its source"});
}

TEST(BinaryFile, NamesAVersionThatItDoesNotRead) {
  TestFolder const folder;
  std::string bytes = Saved(Full(), {}, folder);
  bytes[8] = 9;
  WriteFileAtomically(folder.At("m.bin"), bytes);
  ExpectError<ModelError>([&] { LoadBinary(folder.At("m.bin")); }, {"version 9", "version 1"});
}

}  // namespace
}  // namespace xgbl
