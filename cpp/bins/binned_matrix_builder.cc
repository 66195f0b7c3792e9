// SPDX-License-Identifier: Apache-2.0
#include "bins/binned_matrix_builder.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <utility>

#include "base/error.h"
#include "bins/bin_layout.h"
#include "bins/block_codes.h"
#include "bins/joint_codes.h"
#include "cuts/cuts.h"
#include "parallel/buffer.h"
#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

/// Turns rows of features into the codes of their slots, one block at a time. The values of a group of features are
/// laid out by column in the innermost cache, and many bins are searched at once. Sparse rows work the same way where a
/// feature occurs often; the cells of the other features are searched one by one. One binner per thread.
class RowBinner {
 public:
  /// `present` of `rows`: as the layout was planned with.
  RowBinner(Cuts const& cuts, BinLayout const& layout, Span<std::size_t const> present, std::size_t rows,
            BinCells* cells, Context const& ctx);

  /// The codes of rows [begin, end) of a piece, at most BlockCodes::kRows, which are the rows from `to` of the matrix.
  void Bin(DenseTable const& table, std::size_t begin, std::size_t end, std::size_t to);
  void Bin(SparseTable const& rows, std::size_t begin, std::size_t end, std::size_t to);

 private:
  void BinColumn(std::uint32_t feature, float const* values);
  void WriteColumn(std::size_t slot, std::uint32_t feature);
  void FillMissing(bool sparse);

  Cuts const& cuts_;
  BinLayout const& layout_;
  Context const& ctx_;
  BlockCodes codes_;
  std::vector<std::uint32_t> features_;   // that have a slot
  std::vector<std::uint32_t> frequent_;   // of those, what sparse rows have laid out by columns,
  std::vector<std::uint32_t> column_of_;  // and by feature its place there
  std::vector<float> values_;
  std::vector<std::uint16_t> bins_;
};

constexpr std::size_t kBlockRows = BlockCodes::kRows;
// Features that are laid out at a time: a cache line of a row.
constexpr std::size_t kGroup = 16;
// Sparse rows have a feature laid out by columns if it is present in at least one row of so many.
constexpr std::size_t kFrequent = 4;
constexpr std::uint32_t kNotFrequent = 0xFFFFFFFFU;

// Lays out some columns of a table: each takes kBlockRows values.
void LayOut(DenseTable const& table, std::size_t begin, std::size_t end, Span<std::uint32_t const> features,
            float* values) {
  for (std::size_t row = begin; row < end; ++row, ++values) {
    for (std::size_t i = 0; i < features.size(); ++i) values[i * kBlockRows] = table.At(row, features[i]);
  }
}

RowBinner::RowBinner(Cuts const& cuts, BinLayout const& layout, Span<std::size_t const> present, std::size_t rows,
                     BinCells* cells, Context const& ctx)
    : cuts_(cuts), layout_(layout), ctx_(ctx), codes_(layout, cells), column_of_(cuts.Columns(), kNotFrequent) {
  for (std::uint32_t feature = 0; feature < cuts.Columns(); ++feature) {
    BinPlace const& place = layout.places[feature];
    if (place.Sparse()) continue;
    features_.push_back(feature);
    if (present[feature] < rows / kFrequent || layout.slots[place.slot].Bundle()) continue;
    column_of_[feature] = static_cast<std::uint32_t>(frequent_.size());
    frequent_.push_back(feature);
  }
  values_.resize(std::max(kGroup, frequent_.size()) * kBlockRows);
  bins_.resize(kBlockRows);
}

void RowBinner::Bin(DenseTable const& table, std::size_t begin, std::size_t end, std::size_t to) {
  codes_.Start(to, end - begin);
  FillMissing(false);
  bool const as_it_lies = table.row_stride == 1 && std::isnan(table.missing);
  for (std::size_t first = 0; first < features_.size(); first += kGroup) {
    auto const group = Span<std::uint32_t const>(features_).Sub(first, std::min(kGroup, features_.size() - first));
    if (!as_it_lies) LayOut(table, begin, end, group, values_.data());
    for (std::size_t i = 0; i < group.size(); ++i) {
      float const* const column = table.data + static_cast<std::ptrdiff_t>(group[i]) * table.column_stride;
      BinColumn(group[i], as_it_lies ? column + begin : values_.data() + i * kBlockRows);
    }
  }
  codes_.Finish();
}

void RowBinner::Bin(SparseTable const& rows, std::size_t begin, std::size_t end, std::size_t to) {
  codes_.Start(to, end - begin);
  std::fill_n(values_.data(), frequent_.size() * kBlockRows, kMissing);
  FillMissing(true);
  for (std::size_t row = begin; row < end; ++row) {
    for (std::size_t k = rows.row_begin[row]; k < rows.row_begin[row + 1]; ++k) {
      std::uint32_t const feature = rows.column[k], column = column_of_[feature];
      BinPlace const& place = layout_.places[feature];
      if (column != kNotFrequent) {
        values_[column * kBlockRows + row - begin] = rows.value[k];
      } else if (!place.Sparse()) {
        std::uint32_t const bin = cuts_.BinOf(feature, rows.value[k]);
        if (bin < place.bins) codes_.Put(place.slot, row - begin, place.offset + bin);
      }
    }
  }
  for (std::size_t i = 0; i < frequent_.size(); ++i) BinColumn(frequent_[i], values_.data() + i * kBlockRows);
  codes_.Finish();
}

// The slots that are not written column by column: bundles and, of sparse rows, those that are not frequent.
void RowBinner::FillMissing(bool sparse) {
  for (std::size_t slot = 0; slot < layout_.slots.size(); ++slot) {
    BinSlot const& own = layout_.slots[slot];
    if (own.Bundle() || (sparse && column_of_[own.features.front()] == kNotFrequent)) {
      codes_.Fill(slot, layout_.MissingCode(own));
    }
  }
}

void RowBinner::BinColumn(std::uint32_t feature, float const* values) {
  BinPlace const& place = layout_.places[feature];
  if (place.bins == 0) {
    std::fill_n(bins_.data(), codes_.Count(), std::uint16_t{0});
  } else {
    cuts_.BinsOf(feature, {values, codes_.Count()}, ctx_, bins_.data());
  }
  if (!layout_.slots[place.slot].Bundle()) return WriteColumn(place.slot, feature);
  for (std::size_t i = 0; i < codes_.Count(); ++i) {
    if (bins_[i] < place.bins) codes_.Put(place.slot, i, place.offset + bins_[i]);
  }
}

void RowBinner::WriteColumn(std::size_t slot, std::uint32_t feature) {
  std::uint32_t const codes = std::max<std::uint32_t>(1, layout_.slots[slot].codes);
  std::size_t const count = codes_.Count();
  std::uint16_t const* const bins = bins_.data();
  std::uint16_t last = 0;
  for (std::size_t i = 0; i < count; ++i) last = std::max(last, bins[i]);
  Require<DataError>(last < codes, "Feature ", feature,
                     " has missing cells where it had none when its cuts were made. Batches must ",
                     "be the same in every pass, and an array must not be changed while it is used.");
  codes_.WithColumn(slot, [&](auto* to) {
    for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<std::decay_t<decltype(*to)>>(bins[i]);
  });
}

constexpr std::size_t kTaskRows = 8 * kBlockRows;
constexpr std::size_t kSparseBlock = std::size_t{1} << 16U;
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

bool MayBeJoined(BinSlot const& slot) { return !slot.Joint() && slot.codes <= kMostJoinedCodes; }

std::size_t CountJoinable(std::vector<BinSlot> const& slots) {
  return static_cast<std::size_t>(std::count_if(slots.begin(), slots.end(), MayBeJoined));
}

// The code of a slot for each of its codes with finer cuts.
CodeMap MapCodes(BinSlot const& slot, BinLayout const& layout, Cuts const& cuts, BinnedMatrix const& fine) {
  if (slot.Joint()) {
    CodeMap same(slot.codes);
    std::iota(same.begin(), same.end(), std::uint16_t{0});
    return same;
  }
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
                                         Span<std::size_t const> present, Bundles const& bundles, SlotJoining joining)
    : BinnedMatrixBuilder(cuts, rows, present, PlanLayout(*cuts, rows, present, bundles), joining) {}

BinnedMatrixBuilder::BinnedMatrixBuilder(std::shared_ptr<Cuts const> cuts, std::size_t rows,
                                         Span<std::size_t const> present, BinLayout layout, SlotJoining joining)
    : matrix_(std::make_shared<BinnedMatrix>()) {
  BinnedMatrix& matrix = *matrix_;
  matrix.rows_ = rows;
  matrix.layout_ = std::move(layout);
  matrix.present_.assign(present.begin(), present.end());
  matrix.cuts_ = std::move(cuts);
  bool const by_columns = MakeColumns();
  auto const& slots = matrix.layout_.slots;
  joins_ = joining == SlotJoining::kOn && by_columns && CountJoinable(slots) >= kFewestJoined;
  if (!joins_) MakeTiles();
  std::size_t cells = 0;
  for (std::uint32_t const feature : matrix.layout_.sparse_features) cells += present[feature];
  if (cells == 0) return;
  matrix.sparse_.row_begin = Buffer<std::size_t>(rows + 1);
  matrix.sparse_.row_begin[0] = 0;
  matrix.sparse_.bin = Buffer<std::uint32_t>(cells);
}

bool BinnedMatrixBuilder::MakeColumns() {
  BinLayout const& layout = matrix_->layout_;
  std::size_t bytes = 0;
  for (BinTile const& tile : layout.tiles) bytes += matrix_->rows_ * tile.slots * tile.cell_bytes;
  if (bytes > kMostColumnBytes) return false;
  for (BinSlot const& slot : layout.slots) {
    matrix_->cells_.columns.emplace_back(matrix_->rows_ * layout.tiles[slot.tile].cell_bytes, Pages::kAny);
  }
  return true;
}

void BinnedMatrixBuilder::MakeTiles() {
  for (BinTile& tile : matrix_->layout_.tiles) {
    matrix_->cells_.tiles.emplace_back(matrix_->rows_ * tile.row_bytes);
    tile.cells = matrix_->cells_.tiles.back().data();
  }
}

// All codes are known by columns, but not yet interleaved.
void BinnedMatrixBuilder::JoinSlots(Context const& ctx) {
  BinnedMatrix& matrix = *matrix_;
  BinLayout const plain = std::move(matrix.layout_);
  std::vector<std::uint32_t> slots;
  std::vector<CodedColumn> columns;
  for (std::uint32_t s = 0; s < plain.slots.size(); ++s) {
    if (!MayBeJoined(plain.slots[s])) continue;
    slots.push_back(s);
    columns.push_back({matrix.cells_.columns[s].data(), std::max<std::uint32_t>(1, plain.slots[s].codes)});
  }
  std::vector<JointColumn> joints = JoinColumns(columns, matrix.rows_, ctx);
  for (JointColumn& joint : joints) {
    for (std::uint32_t& column : joint.columns) column = slots[column];
  }
  matrix.layout_ = JoinedLayout(*matrix.cuts_, matrix.rows_, plain, joints);
  std::vector<Buffer<std::uint8_t>> from;
  from.swap(matrix.cells_.columns);
  for (JointColumn& joint : joints) from[joint.columns.front()] = std::move(joint.code);
  for (BinSlot const& slot : matrix.layout_.slots) {
    matrix.cells_.columns.push_back(std::move(from[plain.places[slot.features.front()].slot]));
  }
  if (!matrix.sparse_.empty()) ShiftSparse(plain, ctx);
}

// The bins of sparse features follow those of the slots, which are others now.
void BinnedMatrixBuilder::ShiftSparse(BinLayout const& plain, Context const& ctx) {
  SparseBins& sparse = matrix_->sparse_;
  std::uint32_t const feature = plain.sparse_features.front();
  std::uint32_t const shift = matrix_->layout_.places[feature].histogram - plain.places[feature].histogram;
  ParallelBlocks(ctx, sparse.row_begin[matrix_->rows_], kSparseBlock, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) sparse.bin[i] += shift;
  });
}

void BinnedMatrixBuilder::FillTiles(Context const& ctx) {
  BinnedMatrix& matrix = *matrix_;
  auto const make = [&] { return std::make_unique<BlockCodes>(matrix.layout_, &matrix.cells_); };
  ForEachBlock(matrix.rows_, ForWork(ctx, matrix.rows_ * matrix.layout_.slots.size()), make,
               [](BlockCodes& codes, std::size_t begin, std::size_t end) {
                 codes.Start(begin, end - begin);
                 codes.Finish();
               });
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

std::shared_ptr<BinnedMatrix const> BinnedMatrixBuilder::Finish(Context const& ctx) {
  Require<DataError>(done_ == matrix_->rows_, "The batches have ", done_, " rows, but had ", matrix_->rows_,
                     " in the first pass. They must be the same in every pass.");
  if (joins_) {
    JoinSlots(ctx);
    MakeTiles();
    FillTiles(ctx);
  }
  return std::move(matrix_);
}

std::shared_ptr<BinnedMatrix const> BinMatrix(FeatureMatrix const& features, std::shared_ptr<Cuts const> cuts,
                                              Span<std::size_t const> present, Context const& ctx,
                                              SlotJoining joining) {
  features.NeedValues("Binning");
  Bundles const bundles = FindBundles(features, *cuts, present, ctx);
  BinnedMatrixBuilder builder(std::move(cuts), features.Rows(), present, bundles, joining);
  builder.Append(features, ctx);
  return builder.Finish(ctx);
}

std::shared_ptr<BinnedMatrix const> Regroup(BinnedMatrix const& fine, std::shared_ptr<Cuts const> coarse,
                                            Context const& ctx) {
  std::vector<std::size_t> present;
  for (std::size_t feature = 0; feature < fine.Columns(); ++feature) present.push_back(fine.Present(feature));
  BinLayout layout = CoarserLayout(*coarse, fine.Rows(), present, fine.Layout(), fine.GetCuts());
  BinnedMatrixBuilder builder(std::move(coarse), fine.Rows(), present, std::move(layout), SlotJoining::kOff);
  builder.Append(fine, ctx);
  return builder.Finish(ctx);
}

}  // namespace xgbl
