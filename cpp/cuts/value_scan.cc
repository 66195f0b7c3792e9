// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "cuts/value_counts.h"
#include "parallel/parallel_for.h"
#include "simd/bin_kernels.h"

namespace xgbl {
namespace {

constexpr float kMostCategories = 16777216;   // 2^24: larger codes are not exact in float32
constexpr std::size_t kScanBlockRows = 2048;  // of a dense table: as many cells of each feature in a run
constexpr std::size_t kScanTileRows = 16;
constexpr std::size_t kScanTaskRows = 32 * kScanBlockRows;
constexpr std::size_t kGroupFeatures = 32;                   // whose blocks are in the cache at a time
constexpr std::size_t kColumnRoom = kScanBlockRows + 16;     // not a power of two: columns would share cache sets
constexpr std::size_t kSparseCells = std::size_t{1} << 18U;  // of a block of sparse rows, at least
constexpr std::size_t kCellsAColumn = 16;                    // and so many times the columns
constexpr std::size_t kColumnsAGroup = 64;                   // that one thread at a time adds to

float const* ColumnOf(DenseTable const& table, FeatureScan const& scan) {
  return table.data + static_cast<std::ptrdiff_t>(scan.scan.feature) * table.column_stride;
}

// Copies the features' cells of a block of rows into columns.
void Turn(DenseTable const& table, Span<FeatureScan const> scans, std::size_t first, std::size_t rows, float* columns) {
  for (std::size_t tile = 0; tile < rows; tile += kScanTileRows) {
    std::size_t const count = std::min(kScanTileRows, rows - tile);
    std::ptrdiff_t const offset = static_cast<std::ptrdiff_t>(first + tile) * table.row_stride;
    for (std::size_t k = 0; k < scans.size(); ++k) {
      float const* from = ColumnOf(table, scans[k]) + offset;
      float* const to = columns + k * kColumnRoom + tile;
      for (std::size_t i = 0; i < count; ++i, from += table.row_stride) to[i] = *from;
    }
  }
  if (std::isnan(table.missing)) return;
  for (std::size_t k = 0; k < scans.size(); ++k) {
    float* const column = columns + k * kColumnRoom;
    std::replace(column, column + rows, table.missing, kMissing);
  }
}

// What scans of neighbouring features find in some rows of a dense table.
std::vector<ValueTally> TallyRows(RowPiece const& piece, Span<FeatureScan const> scans, std::size_t begin,
                                  std::size_t end, Context const& ctx) {
  DenseTable const& table = *piece.features.Dense();
  bool const in_place = table.row_stride == 1 && std::isnan(table.missing);
  std::unique_ptr<float[]> const columns(in_place ? nullptr : new float[scans.size() * kColumnRoom]);
  std::array<std::uint16_t, kScanBlockRows> codes;
  std::vector<ValueTally> tallies(scans.size());
  for (std::size_t k = 0; k < scans.size(); ++k) tallies[k].Reset(scans[k].scan);
  for (std::size_t row = begin; row < end; row += kScanBlockRows) {
    std::size_t const rows = std::min(kScanBlockRows, end - row);
    if (!in_place) Turn(table, scans, row, rows, columns.get());
    for (std::size_t k = 0; k < scans.size(); ++k) {
      float const* const values = in_place ? ColumnOf(table, scans[k]) + row : columns.get() + k * kColumnRoom;
      tallies[k].Add(scans[k].scan, {{values, rows}, nullptr, row}, piece, ctx, codes.data());
    }
  }
  return tallies;
}

void ScanDense(RowPiece const& piece, Span<FeatureScan> scans, Context const& ctx) {
  std::size_t const rows = piece.features.Rows();
  std::size_t const groups = (scans.size() + kGroupFeatures - 1) / kGroupFeatures;
  std::size_t const size = (scans.size() + groups - 1) / groups;
  std::size_t const parts = (rows + kScanTaskRows - 1) / kScanTaskRows;
  std::vector<std::mutex> mutexes(groups);
  ParallelTasks(ForWork(ctx, rows * scans.size()), groups * parts, [&](std::size_t index, int) {
    std::size_t const group = index % groups, part = index / groups;
    if (group * size >= scans.size()) return;
    auto const own = scans.Sub(group * size, std::min(size, scans.size() - group * size));
    auto const tallies = TallyRows(piece, own, part * kScanTaskRows, std::min(rows, (part + 1) * kScanTaskRows), ctx);
    std::lock_guard<std::mutex> const lock(mutexes[group]);
    for (std::size_t k = 0; k < own.size(); ++k) own[k].tally.Merge(own[k].scan, tallies[k]);
  });
}

// The cells of some sparse rows in the order of their scans, and of their rows within a scan.
struct TurnedRows {
  std::vector<std::size_t> begin;  // scans + 1
  std::vector<float> values;
  std::vector<std::uint32_t> rows;
  std::vector<std::uint16_t> codes;  // room for those of a scan

  // `scan_of`: by column; as many as there are scans for a column that is not wanted.
  void Fill(SparseTable const& from, std::size_t first, std::size_t last, Span<std::uint32_t const> scan_of,
            std::size_t scans) {
    begin.assign(scans + 2, 0);
    for (std::size_t k = from.row_begin[first]; k < from.row_begin[last]; ++k) ++begin[scan_of[from.column[k]] + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    values.resize(begin[scans]);
    rows.resize(begin[scans]);
    for (std::size_t row = first; row < last; ++row) {
      for (std::size_t k = from.row_begin[row]; k < from.row_begin[row + 1]; ++k) {
        std::uint32_t const scan = scan_of[from.column[k]];
        if (scan == scans) continue;
        std::size_t const to = begin[scan]++;
        values[to] = from.value[k];
        rows[to] = static_cast<std::uint32_t>(row);
      }
    }
    std::copy_backward(begin.begin(), begin.end() - 2, begin.end() - 1);
    begin[0] = 0;
  }
};

// Where blocks of about so many cells end.
std::vector<std::size_t> BlockEnds(SparseTable const& rows, std::size_t cells) {
  std::vector<std::size_t> ends;
  std::size_t begin = 0;
  for (std::size_t row = 1; row <= rows.rows(); ++row) {
    if (rows.row_begin[row] - rows.row_begin[begin] < cells && row < rows.rows()) continue;
    ends.push_back(row);
    begin = row;
  }
  return ends;
}

void ScanSparse(RowPiece const& piece, Span<FeatureScan> scans, Context const& ctx) {
  SparseTable const& rows = *piece.features.Sparse();
  std::vector<std::uint32_t> scan_of(rows.columns, static_cast<std::uint32_t>(scans.size()));
  for (std::size_t k = 0; k < scans.size(); ++k) scan_of[scans[k].scan.feature] = static_cast<std::uint32_t>(k);
  auto const ends = BlockEnds(rows, std::max(kSparseCells, kCellsAColumn * scans.size()));
  std::size_t const groups = (scans.size() + kColumnsAGroup - 1) / kColumnsAGroup;
  std::vector<std::mutex> mutexes(groups);
  std::vector<TurnedRows> turned(static_cast<std::size_t>(std::max(1, ctx.threads)));
  ParallelTasks(ForWork(ctx, rows.value.size()), ends.size(), [&](std::size_t block, int thread) {
    TurnedRows& own = turned[static_cast<std::size_t>(thread)];
    own.Fill(rows, block == 0 ? 0 : ends[block - 1], ends[block], scan_of, scans.size());
    for (std::size_t k = 0; k < groups; ++k) {
      std::size_t const group = (k + block) % groups;  // threads that run side by side begin at different ones
      std::lock_guard<std::mutex> const lock(mutexes[group]);
      for (std::size_t s = group * kColumnsAGroup; s < std::min(scans.size(), (group + 1) * kColumnsAGroup); ++s) {
        std::size_t const from = own.begin[s], cells = own.begin[s + 1] - from;
        if (cells == 0) continue;
        if (own.codes.size() < cells) own.codes.resize(cells);
        CellRun const run{{own.values.data() + from, cells}, own.rows.data() + from, 0};
        scans[s].tally.Add(scans[s].scan, run, piece, ctx, own.codes.data());
      }
    }
  });
}

}  // namespace

void CheckCategories(std::size_t feature, Span<float const> values) {
  for (float const value : values) {
    bool const missing = value != value;
    bool const code = value >= 0 && value < kMostCategories && value == static_cast<float>(static_cast<int>(value));
    Require<DataError>(missing || code, "Feature ", feature,
                       " is categorical: its values must be whole numbers from 0 ",
                       "to 16777215, the codes of the categories; got ", value, ".");
  }
}

void ValueTally::Reset(ValueScan const& scan) {
  *this = ValueTally();
  weight.assign(scan.edges.size() + 2, 0);
}

void ValueTally::Add(ValueScan const& scan, CellRun const& run, RowPiece const& piece, Context const& ctx,
                     std::uint16_t* codes) {
  if (scan.categorical) CheckCategories(scan.feature, run.values);
  if (scan.first) Measure(run.values);
  if (scan.categorical) return;
  BinKernels::Of(ctx.simd).bins_of(run.values.data(), run.values.size(), scan.edges.data(), scan.edges.size() + 1,
                                   codes);
  Count(run, piece.units, codes);
  if (scan.collects) Collect(scan, run, piece, codes);
}

void ValueTally::Measure(Span<float const> values) {
  constexpr std::size_t kLanes = 8;
  std::array<float, kLanes> low, high;
  std::array<std::uint32_t, kLanes> count{};
  low.fill(lowest);
  high.fill(highest);
  float const* const x = values.data();
  std::size_t const n = values.size(), whole = n - n % kLanes;
  for (std::size_t i = 0; i < whole; i += kLanes) {
    for (std::size_t k = 0; k < kLanes; ++k) {  // comparisons with NaN are false
      low[k] = x[i + k] < low[k] ? x[i + k] : low[k];
      high[k] = x[i + k] > high[k] ? x[i + k] : high[k];
      count[k] += x[i + k] == x[i + k] ? 1U : 0U;
    }
  }
  for (std::size_t i = whole; i < n; ++i) {
    low[0] = x[i] < low[0] ? x[i] : low[0];
    high[0] = x[i] > high[0] ? x[i] : high[0];
    count[0] += x[i] == x[i] ? 1U : 0U;
  }
  lowest = *std::min_element(low.begin(), low.end());
  highest = *std::max_element(high.begin(), high.end());
  for (std::uint32_t const lane : count) present += lane;
}

void ValueTally::Count(CellRun const& run, Span<std::uint64_t const> units, std::uint16_t const* codes) {
  std::size_t const n = run.values.size();
  std::uint64_t* const sum = weight.data();
  if (units.empty()) {
    for (std::size_t i = 0; i < n; ++i) ++sum[codes[i]];
  } else if (run.rows == nullptr) {
    for (std::size_t i = 0; i < n; ++i) sum[codes[i]] += units[run.first + i];
  } else {
    for (std::size_t i = 0; i < n; ++i) sum[codes[i]] += units[run.rows[i]];
  }
}

void ValueTally::Collect(ValueScan const& scan, CellRun const& run, RowPiece const& piece, std::uint16_t const* codes) {
  for (std::size_t i = 0; i < run.values.size(); ++i) {
    if (codes[i] == scan.use.size() || scan.use[codes[i]] != ValueScan::kCollect) continue;
    std::size_t const row = run.rows == nullptr ? run.first + i : run.rows[i];
    float const value = run.values[i] + 0.0F;  // -0.0 becomes 0.0
    Keep({static_cast<std::uint32_t>(piece.first + row), piece.Weight(row), value}, scan.room);
  }
}

void ValueTally::Keep(CollectedValue const& value, std::size_t room) {
  if (Dropped() && !(value.Rank() < bound)) return;
  collected.push_back(value);
  if (collected.size() > 2 * room) Shrink(room);
}

void ValueTally::Shrink(std::size_t room) {
  if (collected.size() <= room) return;
  std::vector<std::pair<RowRank, CollectedValue>> ranked;
  ranked.reserve(collected.size());
  for (CollectedValue const& value : collected) ranked.emplace_back(value.Rank(), value);
  std::nth_element(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(room), ranked.end(),
                   [](auto const& a, auto const& b) { return a.first < b.first; });
  bound = ranked[room].first;
  collected.resize(room);
  for (std::size_t i = 0; i < room; ++i) collected[i] = ranked[i].second;
}

void ValueTally::Merge(ValueScan const& scan, ValueTally const& other) {
  for (std::size_t i = 0; i < weight.size(); ++i) weight[i] += other.weight[i];
  present += other.present;
  lowest = std::min(lowest, other.lowest);
  highest = std::max(highest, other.highest);
  if (other.bound < bound) {
    bound = other.bound;
    auto const late = [&](CollectedValue const& value) { return !(value.Rank() < bound); };
    collected.erase(std::remove_if(collected.begin(), collected.end(), late), collected.end());
  }
  for (CollectedValue const& value : other.collected) Keep(value, scan.room);
}

void ScanCells(RowPiece const& piece, std::vector<FeatureScan>* scans, Context const& ctx) {
  if (scans->empty() || piece.features.Rows() == 0) return;
  piece.features.Dense() != nullptr ? ScanDense(piece, *scans, ctx) : ScanSparse(piece, *scans, ctx);
}

}  // namespace xgbl
