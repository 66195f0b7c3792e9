// SPDX-License-Identifier: Apache-2.0
#include "cuts/cell_scan.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <numeric>

#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

constexpr std::size_t kScanBlockRows = 2048;  // of a dense table: as many cells of each feature in a run
constexpr std::size_t kScanTileRows = 16;
constexpr std::size_t kScanTaskRows = 32 * kScanBlockRows;
constexpr std::size_t kGroupFeatures = 32;                   // whose blocks are in the cache at a time
constexpr std::size_t kColumnRoom = kScanBlockRows + 16;     // not a power of two: columns would share cache sets
constexpr std::size_t kSparseCells = std::size_t{1} << 18U;  // of a block of sparse rows, at least
constexpr std::size_t kCellsAColumn = 16;                    // and so many times the columns
constexpr std::size_t kColumnsAGroup = 64;                   // that one thread at a time adds to

std::uint64_t const* Pointer(Span<std::uint64_t const> weights) { return weights.empty() ? nullptr : weights.data(); }

// Scans of neighbouring features over some rows of a dense table.
class DenseTask {
 public:
  DenseTask(RowPiece const& piece, Span<std::uint64_t const> weights, Span<FeatureScan> scans, Context const& ctx)
      : piece_(piece), weights_(weights), scans_(scans), ctx_(ctx), tallies_(scans.size()) {
    for (std::size_t k = 0; k < scans.size(); ++k) tallies_[k].Reset(scans[k].scan);
  }

  void Run(std::size_t begin, std::size_t end) {
    DenseTable const& table = *piece_.features.Dense();
    bool const in_place = table.row_stride == 1 && std::isnan(table.missing);
    for (std::size_t row = begin; row < end; row += kScanBlockRows) {
      std::size_t const rows = std::min(kScanBlockRows, end - row);
      if (!in_place) Turn(table, row, rows);
      for (std::size_t k = 0; k < scans_.size(); ++k) {
        float const* const values =
            in_place ? Column(table, scans_[k].feature) + row : columns_.get() + k * kColumnRoom;
        CellRun const run{{values, rows}, nullptr, row, Pointer(weights_)};
        tallies_[k].Add(scans_[k].scan, scans_[k].feature, run, piece_, ctx_, codes_);
      }
    }
  }

  void Merge(std::mutex* mutex) {
    std::lock_guard<std::mutex> const lock(*mutex);
    for (std::size_t k = 0; k < scans_.size(); ++k) scans_[k].tally.Merge(scans_[k].scan, tallies_[k]);
  }

 private:
  static float const* Column(DenseTable const& table, std::size_t feature) {
    return table.data + static_cast<std::ptrdiff_t>(feature) * table.column_stride;
  }

  // Copies the features' cells of a block into columns.
  void Turn(DenseTable const& table, std::size_t first, std::size_t rows) {
    if (!columns_) columns_.reset(new float[scans_.size() * kColumnRoom]);
    for (std::size_t tile = 0; tile < rows; tile += kScanTileRows) {
      std::size_t const count = std::min(kScanTileRows, rows - tile);
      std::ptrdiff_t const offset = static_cast<std::ptrdiff_t>(first + tile) * table.row_stride;
      for (std::size_t k = 0; k < scans_.size(); ++k) {
        float const* from = Column(table, scans_[k].feature) + offset;
        float* const to = columns_.get() + k * kColumnRoom + tile;
        for (std::size_t i = 0; i < count; ++i, from += table.row_stride) to[i] = *from;
      }
    }
    if (std::isnan(table.missing)) return;
    for (std::size_t k = 0; k < scans_.size(); ++k) {
      float* const column = columns_.get() + k * kColumnRoom;
      std::replace(column, column + rows, table.missing, kMissing);
    }
  }

  RowPiece const& piece_;
  Span<std::uint64_t const> weights_;
  Span<FeatureScan> scans_;
  Context const& ctx_;
  std::vector<ValueTally> tallies_;
  std::unique_ptr<float[]> columns_;
  std::uint16_t codes_[kScanBlockRows];
};

void ScanDense(RowPiece const& piece, Span<std::uint64_t const> weights, Span<FeatureScan> scans, Context const& ctx) {
  std::size_t const rows = piece.features.Rows();
  std::size_t const groups = (scans.size() + kGroupFeatures - 1) / kGroupFeatures;
  std::size_t const size = (scans.size() + groups - 1) / groups;
  std::size_t const parts = (rows + kScanTaskRows - 1) / kScanTaskRows;
  std::vector<std::mutex> mutexes(groups);
  ParallelTasks(ForWork(ctx, rows * scans.size()), groups * parts, [&](std::size_t index, int) {
    std::size_t const group = index % groups, part = index / groups;
    if (group * size >= scans.size()) return;
    std::size_t const count = std::min(size, scans.size() - group * size);
    auto const task = std::make_unique<DenseTask>(piece, weights, scans.Sub(group * size, count), ctx);
    task->Run(part * kScanTaskRows, std::min(rows, (part + 1) * kScanTaskRows));
    task->Merge(&mutexes[group]);
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

void ScanSparse(RowPiece const& piece, Span<std::uint64_t const> weights, Span<FeatureScan> scans, Context const& ctx) {
  SparseTable const& rows = *piece.features.Sparse();
  std::vector<std::uint32_t> scan_of(rows.columns, static_cast<std::uint32_t>(scans.size()));
  for (std::size_t k = 0; k < scans.size(); ++k) scan_of[scans[k].feature] = static_cast<std::uint32_t>(k);
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
        CellRun const run{{own.values.data() + from, cells}, own.rows.data() + from, 0, Pointer(weights)};
        scans[s].tally.Add(scans[s].scan, scans[s].feature, run, piece, ctx, own.codes.data());
      }
    }
  });
}

}  // namespace

void ScanCells(RowPiece const& piece, Span<std::uint64_t const> weights, std::vector<FeatureScan>* scans,
               Context const& ctx) {
  if (scans->empty() || piece.features.Rows() == 0) return;
  if (piece.features.Dense() != nullptr) {
    ScanDense(piece, weights, *scans, ctx);
  } else {
    ScanSparse(piece, weights, *scans, ctx);
  }
}

}  // namespace xgbl
