// SPDX-License-Identifier: Apache-2.0
// Also tests value_counts.cc and value_scan.cc.
#include "cuts/cut_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "cuts/even_parts.h"
#include "ingest/matrices.h"
#include "simd/level.h"

namespace xgbl {
namespace {

constexpr std::size_t kManyRows = (std::size_t{1} << 17U) + 12345;

using Values = std::vector<float>;

double Uniform(std::size_t i) { return Random(11, Purpose::kCuts, 5).Uniform(i); }

template <class Make>
Values ValuesOf(std::size_t rows, Make&& make) {
  Values values(rows);
  for (std::size_t i = 0; i < rows; ++i) values[i] = static_cast<float>(make(i));
  return values;
}

FeatureMatrix Column(Values const& values) { return FeatureMatrix(TableOf(values.size(), 1, values)); }

Cuts MakeCuts(FeatureMatrix const& features, Span<float const> weights, std::vector<std::uint8_t> categorical,
              int max_bin, Context const& ctx) {
  CutBuilder builder(features.Columns(), std::move(categorical), max_bin);
  builder.PushAll(features, weights, ctx);
  return builder.Finish();
}

Cuts CutsOf(Values const& values, int max_bin, Values const& weights = {}) {
  return MakeCuts(Column(values), weights, {}, max_bin, Threads(1));
}

Values Upper(Cuts const& cuts, std::size_t feature = 0) {
  return Values(cuts.Upper(feature).begin(), cuts.Upper(feature).end());
}

// What a feature's cuts promise, checked against all its values.
void ExpectFairBins(Values const& values, Values const& weights, Cuts const& cuts, std::size_t max_bin,
                    std::size_t feature = 0) {
  std::map<float, double> weight_of;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isnan(values[i])) weight_of[values[i]] += weights.empty() ? 1 : weights[i];
  }
  ASSERT_LE(cuts.Bins(feature), max_bin);
  if (weight_of.size() <= max_bin) {
    ASSERT_EQ(cuts.Bins(feature), weight_of.size());
  }
  double const total = std::accumulate(weight_of.begin(), weight_of.end(), 0.0,
                                       [](double sum, auto const& value) { return sum + value.second; });
  std::vector<std::uint64_t> units;
  for (auto const& value : weight_of) units.push_back(static_cast<std::uint64_t>(value.second / total * 0x1p50));
  double const share = static_cast<double>(ShareOf(units, {}, max_bin).weight) * 0x1p-50 * total;
  std::vector<double> sum(cuts.Bins(feature)), largest(cuts.Bins(feature));
  std::vector<int> count(cuts.Bins(feature));
  for (auto const& [value, weight] : weight_of) {
    ASSERT_TRUE(value > cuts.lowest[feature] && value < cuts.upper[cuts.begin[feature + 1] - 1]);
    std::uint32_t const bin = cuts.BinOf(feature, value);
    sum[bin] += weight;
    largest[bin] = std::max(largest[bin], weight);
    ++count[bin];
  }
  // Groups by rank begin at the nearest weight: those of few, light ones may have three shares.
  double const bound = weight_of.size() < 4 * max_bin ? 3 : 2.26;
  for (std::size_t bin = 0; bin < sum.size(); ++bin) {
    EXPECT_GT(count[bin], 0) << "bin " << bin << " is empty";
    if (count[bin] > 1) {
      EXPECT_LE(sum[bin] - (largest[bin] > share ? largest[bin] : 0), bound * share) << "bin " << bin;
    }
  }
}

TEST(CutBuilder, GivesEachOfFewValuesABinAsInXgboost) {
  Cuts const cuts = CutsOf({0, 1, 0, 1, 1}, 256);
  EXPECT_EQ(Upper(cuts), (Values{1, 2.00001F}));
  EXPECT_EQ(cuts.lowest, (Values{-1e-5F}));
  EXPECT_EQ(Upper(CutsOf({-2, 3, 7}, 3)), (Values{3, 7, 7 + (7 + 1e-5F)}));
}

TEST(CutBuilder, NoRowsNoCellsAndOneRow) {
  for (Values const& values : {Values{}, Values{kNan, kNan}}) {
    Cuts const cuts = CutsOf(values, 16);
    EXPECT_EQ(Upper(cuts), Values{1e-5F});
    EXPECT_EQ(cuts.lowest, Values{-1e-5F});
  }
  EXPECT_EQ(Upper(CutsOf({5}, 16)), Values{5 + (5 + 1e-5F)});
  EXPECT_EQ(MakeCuts(FeatureMatrix(TableOf(3, 0, {})), {}, {}, 16, Threads(2)).Columns(), 0U);
}

TEST(CutBuilder, NegativeZeroIsZero) {
  Cuts const cuts = CutsOf({-0.0F, 0.0F, -0.0F, 1}, 16);
  EXPECT_EQ(Upper(cuts), (Values{1, 2.00001F}));
  Cuts const zeros = CutsOf({-1, -0.0F}, 16);
  EXPECT_FALSE(std::signbit(zeros.upper[0]));
}

TEST(CutBuilder, HugeAndDenormalValuesStayInOrder) {
  float const most = std::numeric_limits<float>::max(), least = std::numeric_limits<float>::denorm_min();
  Cuts const cuts = CutsOf({3e38F, -3e38F, least, -least, 0, 2 * least}, 16);
  EXPECT_EQ(Upper(cuts), (Values{-least, 0, least, 2 * least, 3e38F, most}));
  EXPECT_EQ(cuts.lowest[0], -most);
  EXPECT_GT(CutsOf({most}, 2).upper[0], most);
}

TEST(CutBuilder, MaxBinIsChecked) {
  for (int const max_bin : {-1, 0, 1, 65536}) {
    ExpectError<ParamError>([&] { CutsOf({1}, max_bin); }, {"`max_bin`", std::to_string(max_bin)});
  }
}

TEST(CutBuilder, CategoriesAreBinsUpToTheLargestCode) {
  for (std::size_t const rows : {std::size_t{7}, kManyRows}) {
    Values const values = ValuesOf(rows, [&](std::size_t i) { return i % 7 == 0 ? 5 : i % 7 == 1 ? kNan : 2; });
    Cuts const cuts = MakeCuts(Column(values), {}, {1}, 4, Threads(1));
    EXPECT_EQ(Upper(cuts), (Values{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(cuts.lowest[0], 0);
  }
  EXPECT_EQ(Upper(MakeCuts(Column({kNan}), {}, {1}, 4, Threads(1))), Values{0});
}

TEST(CutBuilder, CategoriesMustBeCodes) {
  for (float const bad : {-1.0F, 0.5F, 16777216.0F, kInf, -kInf}) {
    for (std::size_t const rows : {std::size_t{3}, kManyRows}) {
      Values const values = ValuesOf(rows, [&](std::size_t i) { return i == 1 ? bad : 1; });
      ExpectError<DataError>([&] { MakeCuts(Column(values), {}, {1}, 4, Threads(1)); }, {"Feature 0 is categorical"});
    }
  }
}

TEST(CutBuilder, MissingCellsLeaveAByteRoomForThem) {
  Values values = ValuesOf(1000, [](std::size_t i) { return i; });
  EXPECT_EQ(CutsOf(values, 256).Bins(0), 256U);
  values[7] = kNan;
  EXPECT_EQ(CutsOf(values, 256).Bins(0), 255U);
  EXPECT_EQ(CutsOf(values, 255).Bins(0), 255U);
  EXPECT_EQ(CutsOf(values, 512).Bins(0), 512U);
}

// Distributions that are hard on sketches, each with how its values depend on the row.
struct Shape {
  char const* name;
  double (*value)(std::size_t);
};

double Normal(std::size_t i) {
  double sum = -6;
  for (std::size_t k = 0; k < 12; ++k) sum += Uniform(12 * i + k);
  return sum;
}

Shape const kShapes[] = {
    {"uniform", [](std::size_t i) { return Uniform(i); }},
    {"normal", Normal},
    {"rising", [](std::size_t i) { return static_cast<double>(i); }},
    {"falling", [](std::size_t i) { return -static_cast<double>(i) / 3; }},
    {"heavy_tails", [](std::size_t i) { return std::tan(3.14159265 * (Uniform(i) - 0.5)); }},
    {"powers", [](std::size_t i) { return std::pow(10.0, 60 * Uniform(i) - 30); }},
    {"mostly_zero", [](std::size_t i) { return i % 100 == 3 ? Normal(i) : 0; }},
    {"almost_all_zero", [](std::size_t i) { return i % 10000 == 3 ? Normal(i) : 0; }},
    {"mostly_missing", [](std::size_t i) { return i % 100 == 3 ? Normal(i) : kNan; }},
    {"almost_all_missing", [](std::size_t i) { return i % 10000 == 3 ? Normal(i) : kNan; }},
    {"tiny_range", [](std::size_t i) { return i % 1000 == 0 ? Uniform(i) * 1e9 : 1 + Uniform(i) * 1e-3; }},
    {"neighbours", [](std::size_t i) { return 1.0 + static_cast<double>(i % 5000) * 0x1p-23; }},
    {"integers", [](std::size_t i) { return std::floor(std::pow(Uniform(i), -0.7)); }},
    {"few_with_rare", [](std::size_t i) { return i == 77777 ? 12.5
                                                 : i == 9   ? -3
                                                            : static_cast<double>(i % 20); }},
    {"constant", [](std::size_t) { return 3.0; }},
    {"two_heavy", [](std::size_t i) { return i % 10 < 4   ? 1
                                             : i % 10 < 8 ? 2
                                                          : 4 * Uniform(i); }},
    {"denormal", [](std::size_t i) { return 1e-42 * Normal(i); }},
};

class EveryShape : public testing::TestWithParam<Shape> {};
INSTANTIATE_TEST_SUITE_P(CutBuilder, EveryShape, testing::ValuesIn(kShapes),
                         [](auto const& shape) { return std::string(shape.param.name); });

TEST_P(EveryShape, KeepsTheBound) {
  Values const values = ValuesOf(kManyRows, GetParam().value);
  for (int const max_bin : {2, 16, 256, 2000}) {
    std::size_t const missing = std::any_of(values.begin(), values.end(), [](float x) { return std::isnan(x); });
    std::size_t const bins = static_cast<std::size_t>(max_bin) - (max_bin == 256 ? missing : 0);
    ExpectFairBins(values, {}, CutsOf(values, max_bin), bins);
  }
}

TEST_P(EveryShape, KeepsTheBoundWithWeights) {
  Values const values = ValuesOf(kManyRows, GetParam().value);
  for (double const spread : {2.0, 30.0}) {
    Values const weights = ValuesOf(kManyRows, [&](std::size_t i) {
      return std::pow(10.0, spread * (Uniform(i + (std::size_t{1} << 40U)) - 0.5));
    });
    ExpectFairBins(values, weights, CutsOf(values, 100, weights), 100);
  }
}

TEST(CutBuilder, CutsOfManyValuesAreAtTheirRanks) {
  Values const values = ValuesOf(kManyRows, [](std::size_t i) { return static_cast<double>(i * 7919 % kManyRows); });
  Cuts const cuts = CutsOf(values, 256);
  ASSERT_EQ(cuts.Bins(0), 256U);
  double const share = static_cast<double>(kManyRows) / 256;
  for (std::size_t k = 1; k < 256; ++k) {
    EXPECT_NEAR(cuts.upper[k - 1], static_cast<double>(k) * share, 0.38 * share) << k;  // a value is its own rank
    EXPECT_EQ(cuts.upper[k - 1], std::floor(cuts.upper[k - 1])) << "not a value of the data";
  }
}

// Features of all shapes in one table, row by row.
Values MixedCells(std::size_t rows) {
  Values cells;
  for (std::size_t i = 0; i < rows; ++i) {
    for (Shape const& shape : kShapes) cells.push_back(static_cast<float>(shape.value(i)));
  }
  return cells;
}

constexpr std::size_t kMixedColumns = std::size(kShapes);

class Equality : public testing::TestWithParam<bool> {  // with weights?
 protected:
  Equality() : cells_(MixedCells(kManyRows)), table_(TableOf(kManyRows, kMixedColumns, cells_)) {
    if (GetParam()) weights_ = ValuesOf(kManyRows, [](std::size_t i) { return 1 + Uniform(i + 99) * 100; });
    expected_ = MakeCuts(FeatureMatrix(table_), weights_, {}, 64, Threads(1));
  }
  Values cells_;
  Values weights_;
  DenseTable table_;
  Cuts expected_;
};
INSTANTIATE_TEST_SUITE_P(CutBuilder, Equality, testing::Bool(),
                         [](auto const& with) { return with.param ? "weights" : "no_weights"; });

TEST_P(Equality, OfThreadsAndInstructionSets) {
  for (SimdLevel const level : AvailableSimd()) {
    for (int const threads : {1, 2, 3, 7}) {
      Context ctx = Threads(threads);
      ctx.simd = level;
      EXPECT_EQ(MakeCuts(FeatureMatrix(table_), weights_, {}, 64, ctx), expected_) << threads << SimdName(level);
    }
  }
}

TEST_P(Equality, OfSparseAndDense) {
  FeatureMatrix const sparse(RowsOf(FeatureMatrix(table_)));
  EXPECT_EQ(MakeCuts(sparse, weights_, {}, 64, Threads(1)), expected_);
  EXPECT_EQ(MakeCuts(sparse, weights_, {}, 64, Threads(3)), expected_);
}

TEST_P(Equality, OfLayouts) {
  float* to = nullptr;
  DenseTable turned = NewTable(kManyRows, kMixedColumns, &to);
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    float const cell = std::isnan(cells_[i]) ? -999 : cells_[i];
    to[i % kMixedColumns * kManyRows + i / kMixedColumns] = cell;
  }
  turned.row_stride = 1;
  turned.column_stride = static_cast<std::ptrdiff_t>(kManyRows);
  turned.missing = -999;
  EXPECT_EQ(MakeCuts(FeatureMatrix(turned), weights_, {}, 64, Threads(2)), expected_);
}

TEST_P(Equality, OfPiecesAndWhole) {
  CutBuilder builder(kMixedColumns, {}, 64);
  std::vector<std::size_t> const ends{0, 1, 5000, 5000, 90001, kManyRows};
  do {
    for (std::size_t p = 1; p < ends.size(); ++p) {
      DenseTable piece = table_;
      piece.data += ends[p - 1] * kMixedColumns;
      piece.rows = ends[p] - ends[p - 1];
      Span<float const> const weights(weights_);
      bool const sparse = p % 2 == 0;
      builder.Push(sparse ? FeatureMatrix(RowsOf(FeatureMatrix(piece))) : FeatureMatrix(piece),
                   weights.empty() ? weights : weights.Sub(ends[p - 1], piece.rows), Threads(2));
    }
  } while (builder.EndPass(Threads(2)));
  EXPECT_EQ(builder.Finish(), expected_);
  EXPECT_EQ(builder.Rows(), kManyRows);
}

TEST(CutBuilder, TellsHowManyCellsArePresent) {
  for (std::size_t const rows : {std::size_t{1000}, kManyRows}) {
    CutBuilder builder(2, {}, 16);
    Values const cells = ValuesOf(2 * rows, [](std::size_t i) { return i % 2 == 0 || i % 5 == 0 ? Uniform(i) : kNan; });
    FeatureMatrix const features(TableOf(rows, 2, cells));
    do builder.Push(features, {}, Threads(1));
    while (builder.EndPass(Threads(1)));
    EXPECT_EQ(builder.Present()[0], rows);
    EXPECT_EQ(builder.Present()[1], rows / 5 + (rows % 5 >= 3 ? 1 : 0));
  }
}

TEST(CutBuilder, WholeWeightsAreCopiesOfRows) {
  Values values, weights, copies;
  for (std::size_t i = 0; i < 500; ++i) {  // so few that none are thinned out, which goes by the number of cells
    values.push_back(static_cast<float>(Normal(i)));
    weights.push_back(static_cast<float>(1 + i % 5));
    copies.insert(copies.end(), 1 + i % 5, values.back());
  }
  EXPECT_EQ(CutsOf(values, 64, weights), CutsOf(copies, 64));
}

TEST(CutBuilder, OneWeightForAllIsNoWeight) {
  Values const values = ValuesOf(kManyRows, Normal);
  Cuts const expected = CutsOf(values, 256);
  for (float const weight : {0.0F, 1e-30F, 1.0F, 3.0F, 1e30F}) {
    EXPECT_EQ(CutsOf(values, 256, Values(kManyRows, weight)), expected) << weight;
  }
}

TEST(CutBuilder, RowThatOutweighsAllOthersGetsABinOfItsOwn) {
  Values const values = ValuesOf(kManyRows, Uniform);
  Values weights(kManyRows, 1e-30F);
  weights[4711] = 1e30F;
  Cuts const cuts = CutsOf(values, 16, weights);
  std::uint32_t const bin = cuts.BinOf(0, values[4711]);
  EXPECT_EQ(std::count_if(values.begin(), values.end(), [&](float x) { return cuts.BinOf(0, x) == bin; }), 1);
}

TEST(CutBuilder, ManyBins) {
  Values const values = ValuesOf(kManyRows, [](std::size_t i) { return static_cast<double>(i * 7919 % kManyRows); });
  Cuts const cuts = CutsOf(values, 65535);
  EXPECT_EQ(cuts.Bins(0), 65535U);
}

TEST(CutBuilder, WideSparseRows) {
  SparseRows rows;
  rows.columns = 17000;
  for (std::size_t row = 0; row < 40000; ++row) {
    for (std::size_t k = 0; k < 10; ++k) {
      rows.column.push_back(static_cast<std::uint32_t>(k * 1700 + Random(1, Purpose::kCuts, k).Bits(row) % 1700));
      rows.value.push_back(k % 2 == 0 ? 1.0F : static_cast<float>(Uniform(10 * row + k)));
    }
    rows.row_begin.push_back(rows.column.size());
  }
  std::vector<Values> values(rows.columns);
  for (std::size_t k = 0; k < rows.value.size(); ++k) values[rows.column[k]].push_back(rows.value[k]);
  Cuts const cuts = MakeCuts(FeatureMatrix(rows), {}, {}, 16, Threads(2));
  for (std::size_t feature = 0; feature < rows.columns; feature += 97) {
    ExpectFairBins(values[feature], {}, cuts, 16, feature);
  }
}

TEST(CutBuilder, PassesMustAgree) {
  Values const values = ValuesOf(kManyRows, Normal);
  CutBuilder builder(1, {}, 16);
  builder.Push(Column(values), {}, Threads(1));
  ASSERT_TRUE(builder.EndPass(Threads(1)));
  ExpectError<DataError>([&] { builder.EndPass(Threads(1)); }, {"0 rows", "same in every pass"});
  builder.Push(Column(values), {}, Threads(1));
  ExpectError<DataError>([&] { builder.Push(Column({1}), {}, Threads(1)); }, {"more rows", "same in every pass"});
  ExpectError<DataError>([&] { builder.Push(FeatureMatrix(TableOf(1, 2, {1, 2})), {}, Threads(1)); }, {"2 columns"});
  ExpectError<DataError>([&] { builder.Push(Column({1}), Values{1, 2}, Threads(1)); }, {"2 weights"});
}

}  // namespace
}  // namespace xgbl
