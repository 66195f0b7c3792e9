// SPDX-License-Identifier: Apache-2.0
#include "bins/binned_matrix_builder.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "bins/bin_layout.h"
#include "bins/row_binner.h"
#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

constexpr std::size_t kBlockRows = BlockCodes::kRows;
constexpr std::size_t kTaskRows = 8 * kBlockRows;
// A copy by columns is made unless it would be larger.
constexpr std::size_t kMostColumnBytes = std::size_t{1} << 30U;

using CodeMap = std::vector<std::uint16_t>;

// Calls `body(worker, begin, end)` for blocks of rows; each thread has a worker of its own, made by `make()`.
template <class Make, class Body>
void ForEachBlock(std::size_t rows, Context const& ctx, Make&& make, Body&& body) {
  std::vector<decltype(make())> workers(static_cast<std::size_t>(std::max(1, ctx.threads)));
  ParallelTasks(ctx, (rows + kTaskRows - 1) / kTaskRows, [&](std::size_t task, int thread) {
    auto& worker = workers[static_cast<std::size_t>(thread)];
    if (!worker) worker = make();
    std::size_t const end = std::min(rows, (task + 1) * kTaskRows);
    for (std::size_t begin = task * kTaskRows; begin < end; begin += kBlockRows) {
      body(*worker, begin, std::min(end, begin + kBlockRows));
    }
  });
}

// Calls `visit(feature, value)` for the cells of a row that have no slot, features rising.
template <class Visit>
void ForEachSparse(FeatureMatrix const& piece, BinLayout const& layout, std::size_t row, Visit&& visit) {
  if (DenseTable const* table = piece.Dense()) {
    for (std::uint32_t const feature : layout.sparse_features) {
      float const value = table->At(row, feature);
      if (!std::isnan(value)) visit(feature, value);
    }
    return;
  }
  SparseTable const& rows = *piece.Sparse();
  for (std::size_t k = rows.row_begin[row]; k < rows.row_begin[row + 1]; ++k) {
    if (layout.places[rows.column[k]].Sparse()) visit(rows.column[k], rows.value[k]);
  }
}

// The code of a slot for each of its codes with finer cuts.
CodeMap MapCodes(BinSlot const& slot, BinLayout const& layout, Cuts const& cuts, BinnedMatrix const& fine) {
  CodeMap map;
  auto const add = [&](std::uint32_t code) { map.push_back(static_cast<std::uint16_t>(code)); };
  if (slot.Bundle()) add(layout.MissingCode(slot));
  for (std::uint32_t const feature : slot.features) {
    for (std::uint32_t bin = 0; bin < fine.GetCuts().Bins(feature); ++bin) {
      add(layout.places[feature].offset + cuts.BinOf(feature, fine.GetCuts().ValueOf(feature, bin)));
    }
  }
  if (!slot.Bundle()) add(layout.MissingCode(slot));
  return map;
}

}  // namespace

BinnedMatrixBuilder::BinnedMatrixBuilder(std::shared_ptr<Cuts const> cuts, std::size_t rows,
                                         Span<std::size_t const> present, Bundles const& bundles)
    : matrix_(std::make_shared<BinnedMatrix>()) {
  BinnedMatrix& matrix = *matrix_;
  matrix.rows_ = rows;
  matrix.layout_ = PlanLayout(*cuts, rows, present, bundles);
  matrix.present_.assign(present.begin(), present.end());
  matrix.cuts_ = std::move(cuts);
  std::size_t column_bytes = 0;
  for (BinTile& tile : matrix.layout_.tiles) {
    matrix.cells_.tiles.emplace_back(rows * tile.row_bytes);
    tile.cells = matrix.cells_.tiles.back().data();
    column_bytes += rows * tile.slots * tile.cell_bytes;
  }
  if (column_bytes <= kMostColumnBytes) {
    for (BinSlot const& slot : matrix.layout_.slots) {
      matrix.cells_.columns.emplace_back(rows * matrix.layout_.tiles[slot.tile].cell_bytes, Pages::kAny);
    }
  }
  std::size_t cells = 0;
  for (std::uint32_t const feature : matrix.layout_.sparse_features) cells += present[feature];
  if (cells == 0) return;
  matrix.sparse_.row_begin = Buffer<std::size_t>(rows + 1);
  matrix.sparse_.row_begin[0] = 0;
  matrix.sparse_.bin = Buffer<std::uint32_t>(cells);
}

void BinnedMatrixBuilder::MakeRoom(std::size_t rows, std::size_t columns) const {
  Require<DataError>(columns == matrix_->Columns(), "A batch has ", columns, " columns; expected ", matrix_->Columns(),
                     ".");
  Require<DataError>(rows <= matrix_->rows_ - done_, "The batches have more than the ", matrix_->rows_,
                     " rows of the first pass. They must be the same in every pass.");
}

void BinnedMatrixBuilder::Append(FeatureMatrix const& piece, Context const& ctx) {
  piece.NeedValues("Binning");
  MakeRoom(piece.Rows(), piece.Columns());
  Context const worth = ForWork(ctx, piece.Rows() * (1 + matrix_->layout_.slots.size()));
  auto const make = [&] {
    return std::make_unique<RowBinner>(*matrix_->cuts_, matrix_->layout_, matrix_->present_, matrix_->rows_,
                                       &matrix_->cells_, worth);
  };
  ForEachBlock(piece.Rows(), worth, make, [&](RowBinner& binner, std::size_t begin, std::size_t end) {
    if (DenseTable const* table = piece.Dense()) {
      binner.Bin(*table, begin, end, done_ + begin);
    } else {
      binner.Bin(*piece.Sparse(), begin, end, done_ + begin);
    }
  });
  if (!matrix_->sparse_.empty()) AppendSparse(piece, ctx);
  done_ += piece.Rows();
}

void BinnedMatrixBuilder::AppendSparse(FeatureMatrix const& piece, Context const& ctx) {
  SparseBins& sparse = matrix_->sparse_;
  std::size_t* const row_begin = sparse.row_begin.data() + done_;
  Cuts const& cuts = *matrix_->cuts_;
  ParallelBlocks(ctx, piece.Rows(), kTaskRows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      std::size_t count = 0;
      ForEachSparse(piece, matrix_->layout_, row, [&](std::uint32_t feature, float value) {
        bool const in_a_bin = cuts.categorical[feature] == 0 || cuts.BinOf(feature, value) < cuts.Bins(feature);
        count += in_a_bin && cuts.Bins(feature) > 0 ? 1 : 0;
      });
      row_begin[row + 1] = count;
    }
  });
  for (std::size_t row = 0; row < piece.Rows(); ++row) row_begin[row + 1] += row_begin[row];
  Require<DataError>(
      sparse.row_begin[done_ + piece.Rows()] <= sparse.bin.size(),
      "The batches have more present cells than in the first pass. They must be the same in every pass.");
  ParallelBlocks(ctx, piece.Rows(), kTaskRows, [&](std::size_t begin, std::size_t end) {
    std::uint32_t* next = sparse.bin.data() + sparse.row_begin[done_ + begin];
    for (std::size_t row = begin; row < end; ++row) {
      ForEachSparse(piece, matrix_->layout_, row, [&](std::uint32_t feature, float value) {
        BinPlace const& place = matrix_->layout_.places[feature];
        std::uint32_t const bin = cuts.BinOf(feature, value);
        if (bin < place.bins) *next++ = place.histogram + bin;
      });
    }
  });
}

void BinnedMatrixBuilder::Append(BinnedMatrix const& fine, Context const& ctx) {
  MakeRoom(fine.Rows(), fine.Columns());
  BinLayout const& layout = matrix_->layout_;
  Ensure(layout.sparse_features == fine.Layout().sparse_features, "the layouts of regrouped bins are not alike.");
  std::vector<CodeMap> maps(layout.slots.size());
  ParallelTasks(ctx, maps.size(), [&](std::size_t slot, int) {
    maps[slot] = MapCodes(layout.slots[slot], layout, *matrix_->cuts_, fine);
  });
  auto const make = [&] { return std::make_unique<BlockCodes>(layout, &matrix_->cells_); };
  ForEachBlock(fine.Rows(), ctx, make, [&](BlockCodes& codes, std::size_t begin, std::size_t end) {
    codes.Start(done_ + begin, end - begin);
    for (std::size_t slot = 0; slot < maps.size(); ++slot) {
      codes.WithColumn(slot, [&](auto* to) {
        CodeColumn(fine, layout.slots[slot].features.front()).Visit([&](auto const& from) {
          for (std::size_t row = begin; row < end; ++row) {
            to[row - begin] = static_cast<std::decay_t<decltype(*to)>>(maps[slot][from.At(row)]);
          }
        });
      });
    }
    codes.Finish();
  });
  if (!matrix_->sparse_.empty()) AppendSparse(fine, ctx);
  done_ += fine.Rows();
}

void BinnedMatrixBuilder::AppendSparse(BinnedMatrix const& fine, Context const& ctx) {
  std::uint32_t const first = fine.Place(matrix_->layout_.sparse_features.front()).histogram;
  std::vector<std::uint32_t> map;
  for (std::uint32_t const feature : matrix_->layout_.sparse_features) {
    for (std::uint32_t bin = 0; bin < fine.GetCuts().Bins(feature); ++bin) {
      float const value = fine.GetCuts().ValueOf(feature, bin);
      map.push_back(matrix_->layout_.places[feature].histogram + matrix_->cuts_->BinOf(feature, value));
    }
  }
  SparseBins& to = matrix_->sparse_;
  SparseBins const& from = fine.Sparse();
  std::size_t const before = to.row_begin[done_];
  ParallelBlocks(ctx, fine.Rows(), kTaskRows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) to.row_begin[done_ + row + 1] = before + from.row_begin[row + 1];
    for (std::size_t k = from.row_begin[begin]; k < from.row_begin[end]; ++k) {
      to.bin[before + k] = map[from.bin[k] - first];
    }
  });
}

std::shared_ptr<BinnedMatrix const> BinnedMatrixBuilder::Finish() {
  Require<DataError>(done_ == matrix_->rows_, "The batches have ", done_, " rows, but had ", matrix_->rows_,
                     " in the first pass. They must be the same in every pass.");
  return std::move(matrix_);
}

std::shared_ptr<BinnedMatrix const> BinMatrix(FeatureMatrix const& features, std::shared_ptr<Cuts const> cuts,
                                              Span<std::size_t const> present, Context const& ctx) {
  features.NeedValues("Binning");
  Bundles const bundles = FindBundles(features, *cuts, present, ctx);
  BinnedMatrixBuilder builder(std::move(cuts), features.Rows(), present, bundles);
  builder.Append(features, ctx);
  return builder.Finish();
}

std::shared_ptr<BinnedMatrix const> Regroup(BinnedMatrix const& fine, std::shared_ptr<Cuts const> coarse,
                                            Context const& ctx) {
  std::vector<std::size_t> present;
  for (std::size_t feature = 0; feature < fine.Columns(); ++feature) present.push_back(fine.Present(feature));
  Bundles bundles;
  for (BinSlot const& slot : fine.Layout().slots) {
    if (slot.Bundle()) bundles.push_back(slot.features);
  }
  BinnedMatrixBuilder builder(std::move(coarse), fine.Rows(), present, bundles);
  builder.Append(fine, ctx);
  return builder.Finish();
}

}  // namespace xgbl
