// SPDX-License-Identifier: Apache-2.0
// Also tests bin_layout.cc, binned_matrix_builder.cc and block_codes.cc.
#include "bins/binned_matrix.h"

#include <cstring>

#include "bins/bins.h"

namespace xgbl {
namespace {

Random const kRandom(11, Purpose::kRows, 0);

// Cells of [0, levels), each missing with the given probability.
FeatureMatrix Table(std::size_t rows, std::vector<std::size_t> const& levels, double missing = 0) {
  std::vector<float> cells(rows * levels.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    auto const count = static_cast<double>(levels[i % levels.size()]);
    bool const there = kRandom.Uniform(i + cells.size()) >= missing;
    cells[i] = there ? static_cast<float>(std::floor(kRandom.Uniform(i) * count)) : kNan;
  }
  return FeatureMatrix(TableOf(rows, levels.size(), cells));
}

std::shared_ptr<BinnedMatrix const> Bin(FeatureMatrix const& features, std::shared_ptr<Cuts const> const& cuts,
                                        int threads = 1, SlotJoining joining = SlotJoining::kOn) {
  return BinMatrix(features, cuts, PresentOf(features), Threads(threads), joining);
}

std::shared_ptr<BinnedMatrix const> Bin(FeatureMatrix const& features, std::size_t most) {
  return Bin(features, CutsOf(features, most));
}

std::shared_ptr<BinnedMatrix const> BinApart(FeatureMatrix const& features, std::shared_ptr<Cuts const> const& cuts) {
  return Bin(features, cuts, 1, SlotJoining::kOff);
}

// Both shapes of the same cells must give the right bins.
void ExpectBothShapes(FeatureMatrix const& dense, std::shared_ptr<Cuts const> const& cuts) {
  ExpectBins(*Bin(dense, cuts), dense);
  ExpectBins(*Bin(FeatureMatrix(RowsOf(dense)), cuts), dense);
}

// All that kernels read.
void ExpectSame(BinnedMatrix const& a, BinnedMatrix const& b) {
  ASSERT_EQ(a.Tiles().size(), b.Tiles().size());
  ASSERT_EQ(a.HistogramBins(), b.HistogramBins());
  for (std::size_t t = 0; t < a.Tiles().size(); ++t) {
    BinTile const &tile = a.Tiles()[t], &other = b.Tiles()[t];
    ASSERT_EQ(tile.row_bytes, other.row_bytes);
    EXPECT_EQ(std::memcmp(tile.cells, other.cells, a.Rows() * tile.row_bytes), 0) << "tile " << t;
  }
  ASSERT_EQ(a.Sparse().row_begin.size(), b.Sparse().row_begin.size());
  if (a.Sparse().empty()) return;
  EXPECT_TRUE(
      std::equal(a.Sparse().row_begin.data(), a.Sparse().row_begin.data() + a.Rows() + 1, b.Sparse().row_begin.data()));
  EXPECT_TRUE(
      std::equal(a.Sparse().bin.data(), a.Sparse().bin.data() + a.Sparse().row_begin[a.Rows()], b.Sparse().bin.data()));
}

TEST(BinnedMatrix, HasTheBinOfEveryCell) {
  for (double const missing : {0.0, 0.3}) {
    FeatureMatrix const table = Table(1300, {2, 5, 40, 1000, 300, 17, 1000000}, missing);
    ExpectBothShapes(table, CutsOf(table, 200));
  }
}

std::size_t CountJoint(BinnedMatrix const& bins) {
  auto const& slots = bins.Layout().slots;
  return static_cast<std::size_t>(
      std::count_if(slots.begin(), slots.end(), [](auto const& slot) { return slot.Joint(); }));
}

TEST(BinnedMatrix, FeaturesOfFewBinsShareSlots) {
  std::vector<std::size_t> levels(40, 2);
  levels[3] = 300;
  levels[20] = 5;
  FeatureMatrix const flags = Table(20'000, levels), gaps = Table(20'000, levels, 0.1);
  auto const bins = Bin(flags, 256);
  EXPECT_EQ(CountJoint(*bins), 5U);
  EXPECT_EQ(bins->Layout().slots.size(), 7U);  // one has too many codes, another found no room
  EXPECT_EQ(CountJoint(*BinApart(flags, CutsOf(flags, 256))), 0U);
  for (FeatureMatrix const& table : {flags, gaps}) ExpectBothShapes(table, CutsOf(table, 256));
  auto const cuts = CutsOf(gaps, 256);
  for (int const threads : {2, 3, 7}) ExpectSame(*Bin(gaps, cuts), *Bin(FeatureMatrix(RowsOf(gaps)), cuts, threads));
}

// Copies and constants add no combination, so that one group could take all of them.
TEST(BinnedMatrix, HundredsOfFeaturesMayShareASlot) {
  std::size_t const rows = 20'000, columns = 600;
  std::vector<float> cells(rows * columns, 3.0F);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t c = 0; c < 300; ++c)
      cells[row * columns + c] = static_cast<float>(kRandom.Bits(row * 8 + c % 7) % 2);
  }
  FeatureMatrix const table(TableOf(rows, columns, cells));
  auto const bins = Bin(table, 16);
  EXPECT_LT(bins->Layout().slots.size(), 8U);
  for (BinSlot const& slot : bins->Layout().slots) EXPECT_LE(slot.features.size(), 256U);
  for (std::size_t const feature : {0U, 6U, 255U, 256U, 299U, 300U, 599U}) {
    for (std::size_t row = 0; row < 500; ++row)
      ASSERT_EQ(bins->At(row, feature) >= 1.0F, table.Value(row, feature) >= 1.0F);
  }
  ExpectBins(*bins, table);
}

TEST(BinnedMatrix, SparseRowsFollowTheBinsOfSharedSlots) {
  std::vector<float> cells(5000 * 200, kNan);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    bool const often = i % 200 < 20;
    if (kRandom.Uniform(i) < (often ? 0.9 : 0.02)) cells[i] = static_cast<float>(kRandom.Bits(i + 7) % 2);
  }
  FeatureMatrix const table(TableOf(5000, 200, cells));
  auto const bins = Bin(table, 16);
  EXPECT_GT(CountJoint(*bins), 0U);
  EXPECT_TRUE(bins->Place(150).Sparse());
  ExpectBothShapes(table, CutsOf(table, 16));
}

TEST(BinnedMatrix, TakesOneByteAsLongAsCodesFit) {
  FeatureMatrix const full = Table(5000, {1000});
  EXPECT_NE(Bin(full, 256)->Column8(0), nullptr);
  EXPECT_EQ(Bin(full, 256)->Column16(0), nullptr);
  EXPECT_NE(Bin(full, 257)->Column16(0), nullptr);
  FeatureMatrix const gaps = Table(5000, {1000}, 0.1);
  auto const cuts = CutsOf(gaps, 256);
  ASSERT_EQ(cuts->Bins(0), 256U);
  EXPECT_EQ(Bin(gaps, cuts)->Column8(0), nullptr);
  ExpectBothShapes(gaps, cuts);
}

TEST(BinnedMatrix, MixesWidthsFromOneBitToSparse) {
  FeatureMatrix const table = Table(3000, {100000, 2, 100000, 3, 700}, 0.2);
  auto const cuts = CutsOf(table, 2000, {100000, 0, 0, 0, 0});
  auto const bins = BinApart(table, cuts);
  EXPECT_TRUE(bins->Place(0).Sparse());
  EXPECT_EQ(bins->Tiles().size(), 2U);
  EXPECT_EQ(bins->Tiles()[1].cell_bytes, 2U);
  ExpectBothShapes(table, cuts);
}

TEST(BinnedMatrix, KeepsOneTileForFewSlotsAndSortsMany) {
  FeatureMatrix const narrow = Table(20'000, {2, 300, 30, 2});
  auto const mixed = BinApart(narrow, CutsOf(narrow, 256));
  ASSERT_EQ(mixed->Tiles().size(), 1U);
  EXPECT_EQ(mixed->Tiles()[0].bin_stride, 256U);
  std::vector<std::size_t> levels(80, 300);
  for (std::size_t i = 0; i < 80; i += 2) levels[i] = 10;
  FeatureMatrix const wide = Table(20'000, levels);
  auto const bins = BinApart(wide, CutsOf(wide, 256));
  ASSERT_EQ(bins->Tiles().size(), 3U);
  EXPECT_EQ(bins->Tiles()[0].bin_stride, 16U);
  EXPECT_EQ(bins->Tiles()[0].row_bytes, 32U);
  EXPECT_EQ(bins->Tiles()[2].row_bytes, 16U);
  ExpectBins(*bins, wide);
  FeatureMatrix const few = Table(400, {2, 300, 30, 2});
  auto const apart = BinApart(few, CutsOf(few, 256));
  ASSERT_EQ(apart->Tiles().size(), 3U);
  EXPECT_EQ(apart->Tiles()[0].slots, 2U);
}

TEST(BinnedMatrix, AlignsTilesAndZeroesUnusedBytes) {
  auto const bins = Bin(Table(7, {5, 5, 5, 5, 5}), 8);
  BinTile const& tile = bins->Tiles()[0];
  EXPECT_EQ(tile.row_bytes, 8U);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tile.cells) % 64, 0U);
  for (std::size_t row = 0; row < 7; ++row) EXPECT_EQ(std::count(tile.Row(row) + 5, tile.Row(row) + 8, 0), 3);
}

TEST(BinnedMatrix, NumbersHistogramBinsWithoutOverlap) {
  FeatureMatrix const table = Table(900, {3, 400, 90000, 20, 900}, 0.1);
  auto const bins = Bin(table, CutsOf(table, 300, {0, 0, 90000, 0, 0}));
  std::vector<int> owners(bins->HistogramBins());
  for (std::size_t feature = 0; feature < 5; ++feature) {
    BinPlace const& place = bins->Place(feature);
    for (std::uint32_t b = 0; b < place.bins; ++b) ++owners.at(place.histogram + b);
    std::uint32_t const first = place.Sparse() ? place.histogram : bins->SlotHistogram()[place.slot] + place.offset;
    EXPECT_EQ(place.histogram, first);
  }
  EXPECT_LE(*std::max_element(owners.begin(), owners.end()), 1);
}

TEST(BinnedMatrix, KeepsManyRareFeaturesAsSparseRows) {
  FeatureMatrix const table = Table(5000, std::vector<std::size_t>(150, 9), 0.96);
  auto const bins = Bin(table, 256);
  EXPECT_FALSE(bins->Sparse().empty());
  EXPECT_EQ(bins->SparseFeature(bins->Place(77).histogram + bins->Place(77).bins - 1), 77U);
  ExpectBothShapes(table, CutsOf(table, 4));
  EXPECT_TRUE(Bin(Table(800, std::vector<std::size_t>(20, 9), 0.97), 256)->Sparse().empty());
}

TEST(BinnedMatrix, FeaturesThatAreNeverPresentTakeNoRoom) {
  FeatureMatrix const table(TableOf(3, 3, {kNan, 1, kNan, kNan, 2, kNan, kNan, kNan, kNan}));
  auto const bins = Bin(table, 16);
  EXPECT_EQ(bins->Layout().slots.size(), 1U);
  EXPECT_TRUE(bins->Place(0).Sparse());
  EXPECT_TRUE(bins->Sparse().empty());
  ExpectBothShapes(table, CutsOf(table, 16));
}

TEST(BinnedMatrix, EdgeShapes) {
  FeatureMatrix const shapes[] = {Table(0, {3, 3}),      Table(1, {3, 3}), Table(9, {1}),
                                  Table(9, {4, 4}, 1.0), Table(5, {}),     FeatureMatrix()};
  for (FeatureMatrix const& shape : shapes) ExpectBothShapes(shape, CutsOf(shape, 16));
}

TEST(BinnedMatrix, ExtremeValues) {
  FeatureMatrix const table(TableOf(8, 1, {1e-45F, -1e-45F, 0, -0.0F, 3e38F, -3e38F, kNan, 1}));
  ExpectBothShapes(table, CutsOf(table, 16));
  ExpectBothShapes(FeatureMatrix(TableOf(3, 1, {kInf, -kInf, 0})), CutsOf(table, 16));
}

TEST(BinnedMatrix, ReadsAnyStridesAndMissingMark) {
  DenseTable table = *Table(700, {9, 90, 900}).Dense();
  table.missing = 3;
  ExpectBothShapes(FeatureMatrix(table), CutsOf(FeatureMatrix(table), 64));
  std::swap(table.rows, table.columns);
  std::swap(table.row_stride, table.column_stride);
  ExpectBothShapes(FeatureMatrix(table), CutsOf(FeatureMatrix(table), 64));
}

TEST(BinnedMatrix, UnknownCategoriesAreMissing) {
  FeatureMatrix const table = Table(2000, {300, 300});
  auto const cuts = CutsOf(table, 16, {256, 0});
  auto const bins = Bin(table, cuts);
  ExpectBins(*bins, table);
  EXPECT_EQ(bins->BinOf(0, 0) == 256, table.Value(0, 0) >= 256);
}

TEST(BinnedMatrix, IsTheSameForAnyNumberOfThreads) {
  FeatureMatrix const dense = Table(140000, {300, 3, 40000, 20}, 0.1);
  FeatureMatrix const wide = Table(20000, std::vector<std::size_t>(120, 9), 0.97);
  for (FeatureMatrix const& table : {dense, wide}) {
    auto const cuts = CutsOf(table, 500);
    auto const one = Bin(table, cuts);
    FeatureMatrix const sparse(RowsOf(table));
    for (int const threads : {2, 3, 7}) ExpectSame(*one, *Bin(table, cuts, threads));
    for (int const threads : {1, 2, 3, 7}) ExpectSame(*one, *Bin(sparse, cuts, threads));
  }
}

TEST(BinnedMatrix, IsTheSameInPieces) {
  FeatureMatrix const table = Table(140000, {300, 3, 40000, 20}, 0.1);
  auto const cuts = CutsOf(table, 500);
  BinnedMatrixBuilder builder(cuts, 140000, PresentOf(table));
  for (std::size_t first = 0; first < 140000;) {
    DenseTable piece = *table.Dense();
    piece.rows = std::min<std::size_t>(140000 - first, first % 3 == 0 ? 1 : 31111);
    piece.data += first * 4;
    builder.Append(first % 2 == 0 ? FeatureMatrix(piece) : FeatureMatrix(RowsOf(FeatureMatrix(piece))), Threads(2));
    first += piece.rows;
  }
  ExpectSame(*Bin(table, cuts), *builder.Finish(Threads(3)));
}

TEST(BinnedMatrix, RegroupingEqualsBinningWithTheCoarserCuts) {
  FeatureMatrix const shapes[] = {Table(3000, {700, 3, 90000, 20, 1, 99999}, 0.2),
                                  Table(5000, std::vector<std::size_t>(150, 99), 0.96),
                                  Table(9000, {60, 2, 2, 2, 30, 2, 2, 2}, 0.1), Table(0, {3})};
  bool any_joint = false;
  for (FeatureMatrix const& table : shapes) {
    std::vector<std::uint32_t> levels(table.Columns());
    if (levels.size() == 6) levels[2] = 90000;
    auto const fine = CutsOf(table, 1024, levels), coarse = CutsOf(table, 8, levels);
    auto merged = std::make_shared<Cuts>(*coarse);  // every cut of `coarse` must be one of the fine ones
    for (std::size_t f = 0; f < table.Columns(); ++f) {
      std::uint32_t const bins = merged->Bins(f);
      if (merged->categorical[f] != 0) continue;
      for (std::uint32_t b = 0; b + 1 < bins; ++b) {
        merged->upper[merged->begin[f] + b] = fine->Upper(f)[(b + 1) * fine->Bins(f) / (bins + 1)];
      }
    }
    auto const finely = Bin(table, fine);
    any_joint = any_joint || CountJoint(*finely) > 0;
    auto const apart = BinApart(table, fine);
    for (int const threads : {1, 3}) {
      ExpectSame(*BinApart(table, merged), *Regroup(*apart, merged, Threads(threads)));
      ExpectBins(*Regroup(*finely, merged, Threads(threads)), table);
    }
  }
  EXPECT_TRUE(any_joint);
}

TEST(BinnedMatrixBuilder, RefusesWhatWasNotCounted) {
  FeatureMatrix const table = Table(3000, {300, 4});
  auto const cuts = CutsOf(table, 256);
  ASSERT_EQ(cuts->Bins(0), 256U);
  auto const build = [&](std::size_t rows, FeatureMatrix const& piece) {
    BinnedMatrixBuilder builder(cuts, rows, std::vector<std::size_t>{rows, rows});
    builder.Append(piece, Threads(2));
    builder.Finish(Threads(2));
  };
  build(3000, table);
  ExpectError<DataError>([&] { build(2999, table); }, {"more than", "2999"});
  ExpectError<DataError>([&] { build(3001, table); }, {"3000 rows", "3001"});
  ExpectError<DataError>([&] { build(3000, Table(3000, {300})); }, {"1 columns", "2"});
  FeatureMatrix const gaps = Table(3000, {300, 4}, 0.1);
  ExpectError<DataError>([&] { build(3000, gaps); }, {"Feature 0", "every pass"});
  ExpectError<DataError>([&] { build(3000, FeatureMatrix(RowsOf(gaps))); }, {"Feature 0", "every pass"});
}

}  // namespace
}  // namespace xgbl
