// SPDX-License-Identifier: Apache-2.0
#include "bins/bin_order.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "ingest/fingerprint.h"
#include "ingest/matrices.h"

namespace xgbl {
namespace {

// Columns: any value, few values, one value or none, one value, nothing; some are missing or -0.
std::shared_ptr<FeatureMatrix> MixedTable(std::size_t rows) {
  Random const random(3, Purpose::kRows, 0);
  std::vector<float> cells;
  for (std::size_t row = 0; row < rows; ++row) {
    auto const x = static_cast<float>(random.Uniform(row) - 0.5);
    bool const missing = random.Uniform(1'000'000 + row) < 0.2;
    cells.insert(cells.end(), {x, missing ? kNan : std::round(x * 4), missing ? kNan : 7.0F, -0.0F, kNan});
  }
  return std::make_shared<FeatureMatrix>(TableOf(rows, 5, cells));
}

void ExpectOrder(FeatureMatrix const& data, BinOrder const& order) {
  for (std::uint32_t f = 0; f < data.Columns(); ++f) {
    std::size_t present = 0;
    for (std::uint32_t bin = 0; bin < order.Bins().Place(f).bins; ++bin) {
      if (order.Count(f, bin) == 0) continue;
      auto const rows = order.Rows(f, bin);
      ASSERT_EQ(rows.size(), order.Count(f, bin));
      ASSERT_EQ(order.RowsBelow(f)[bin], present);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        float const value = order.Values(f)[rows[i]];
        ASSERT_EQ(value, data.Value(rows[i], f));
        ASSERT_EQ(order.Bins().BinOf(rows[i], f), bin);
        ASSERT_EQ(CodeColumn(order.Bins(), f).At(rows[i]), bin);
        if (i == 0) continue;
        ASSERT_LT(std::make_tuple(order.Values(f)[rows[i - 1]], rows[i - 1]), std::make_tuple(value, rows[i]));
      }
      bool const equal = order.Values(f)[rows[0]] == order.Values(f)[rows[rows.size() - 1]];
      ASSERT_EQ(order.OneValue(f, bin), equal);
      present += rows.size();
    }
    ASSERT_EQ(present, order.Bins().Present(f));
  }
}

TEST(BinOrder, RowsOfABinAreInTheOrderOfTheirValues) {
  for (std::size_t const rows : {5000U, 300'000U}) {
    auto const data = MixedTable(rows);
    auto const order = BinOrder::Make(*data, Threads(2));
    ASSERT_NE(order, nullptr);
    ExpectOrder(*data, *order);
    std::vector<bool> one_value, missing;
    for (std::size_t f = 0; f < 5; ++f) {
      one_value.push_back(order->HasOneValue(f));
      missing.push_back(order->HasMissing(f));
    }
    EXPECT_EQ(one_value, (std::vector<bool>{false, false, true, true, false}));
    EXPECT_EQ(missing, (std::vector<bool>{false, true, true, false, true}));
    EXPECT_FALSE(std::signbit(order->Values(3)[0]));
  }
}

TEST(BinOrder, ThreadsMayAskAtOnce) {
  for (std::size_t const rows : {20'000U, 260'000U}) {  // sorted at once, and when they are asked for
    auto const data = MixedTable(rows);
    auto const order = BinOrder::Make(*data, Threads(1));
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) threads.emplace_back([&] { ExpectOrder(*data, *order); });
    for (auto& thread : threads) thread.join();
  }
}

// The cells of MixedTable, -9 where they are missing; the user's if there is a fingerprint.
DenseTable OtherTable(FeatureMatrix const& mixed, bool by_column, std::vector<float>* cells, bool of_user) {
  std::size_t const rows = mixed.Rows(), columns = mixed.Columns();
  cells->resize(rows * columns);
  DenseTable table;
  table.rows = rows;
  table.columns = columns;
  table.row_stride = static_cast<std::ptrdiff_t>(by_column ? 1 : columns);
  table.column_stride = static_cast<std::ptrdiff_t>(by_column ? rows : 1);
  table.missing = -9;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t f = 0; f < columns; ++f) {
      float const value = mixed.Value(row, f);
      (*cells)[by_column ? f * rows + row : row * columns + f] = std::isnan(value) ? -9 : value;
    }
  }
  table.data = cells->data();
  if (of_user) table.fingerprint = Scan(table, Threads(1)).fingerprint;
  return table;
}

TEST(BinOrder, TablesOfAnyLayoutAndMarkOfMissingCellsAreInOrder) {
  for (std::size_t const rows : {5000U, 260'000U}) {
    auto const mixed = MixedTable(rows);
    for (bool const by_column : {false, true}) {
      for (bool const of_user : {false, true}) {
        std::vector<float> cells;
        FeatureMatrix const data(OtherTable(*mixed, by_column, &cells, of_user));
        auto const order = BinOrder::Make(data, Threads(2));
        ASSERT_NE(order, nullptr);
        ExpectOrder(data, *order);
      }
    }
  }
}

TEST(BinOrder, WhatBecomesOfTheUsersArrayDoesNotMatter) {
  auto const mixed = MixedTable(5000);
  std::vector<float> cells;
  FeatureMatrix const data(OtherTable(*mixed, false, &cells, true));
  auto const order = BinOrder::Make(data, Threads(1));
  std::fill(cells.begin(), cells.end(), 3.0F);
  ExpectOrder(*mixed, *order);
  FeatureMatrix const changed(*data.Dense());
  ExpectError<DataError>([&] { BinOrder::Make(changed, Threads(1)); }, {"changed"});
}

TEST(BinOrder, OutlivesTheMatrix) {
  auto data = MixedTable(5000);
  auto const order = BinOrder::Make(*data, Threads(1));
  data.reset();
  ExpectOrder(*MixedTable(5000), *order);
}

TEST(BinOrder, ATableWithARareColumnIsLeftToWhoWalksIt) {
  std::vector<float> cells;
  for (std::size_t row = 0; row < 800; ++row) {
    auto const value = static_cast<float>(row);
    cells.insert(cells.end(), {value, row % 9 == 0 ? value : kNan});
  }
  EXPECT_EQ(BinOrder::Make(FeatureMatrix(TableOf(800, 2, cells)), Threads(1)), nullptr);
}

TEST(BinOrder, SparseRowsAndBundlesAreNotRead) {
  std::vector<float> cells;
  for (std::size_t row = 0; row < 500; ++row) {
    for (std::size_t f = 0; f < 100; ++f) cells.push_back(row % 100 == f ? 1.0F : kNan);
  }
  FeatureMatrix const one_hot(TableOf(500, 100, cells));
  EXPECT_EQ(BinOrder::Make(one_hot, Threads(1)), nullptr);
}

// Whether codes have arrays of their own or not, and whatever their width.
TEST(CodeColumn, IsVisitedAsItIsRead) {
  std::vector<std::uint8_t> bytes(64 * 10);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(7 * i + i / 64);
  for (bool const wide : {false, true}) {
    for (std::size_t const stride : {wide ? 2U : 1U, 4U, 64U}) {
      CodeColumn const codes(bytes.data(), stride, wide);
      for (std::size_t row = 0; row < 10; ++row) {
        std::uint32_t const low = bytes[row * stride], high = bytes[row * stride + 1];
        std::uint32_t const expected = wide ? low + 256 * high : low;
        EXPECT_EQ(codes.At(row), expected);
        codes.Visit([&](auto const own) { EXPECT_EQ(own.At(row), expected) << stride << " " << wide; });
      }
    }
  }
}

}  // namespace
}  // namespace xgbl
