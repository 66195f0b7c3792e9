// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "base/bits.h"
#include "base/search.h"
#include "hist/row_partition.h"

namespace xgbl {
namespace {

// The code of a row: read from a copy by columns, from a tile, or looked up in the sparse rows.
template <class Cell>
struct ColumnCodes {
  Cell const* cells;
  std::uint32_t operator()(std::uint32_t row) const { return cells[row]; }
};

template <class Cell>
struct TileCodes {
  std::uint8_t const* cells;
  std::size_t row_bytes;

  TileCodes(BinTile const& tile, std::uint32_t slot)
      : cells(tile.cells + (slot - tile.first_slot) * sizeof(Cell)), row_bytes(tile.row_bytes) {}
  std::uint32_t operator()(std::uint32_t row) const {
    Cell code = 0;
    std::memcpy(&code, cells + row * row_bytes, sizeof(code));
    return code;
  }
};

// As BinnedMatrix::BinOf(). What takes time is to wait for cells. But a feature's place among the cells of a row is a
// like share of them in all rows, so the cells around it are fetched in advance, and rarely are others looked at.
class SparseCodes {
 public:
  static constexpr std::size_t kAhead = 64;  // rows that are fetched in advance

  /// Learns the share from some of the rows.
  SparseCodes(SparseBins const& cells, BinPlace const& place, Span<std::uint32_t const> rows)
      : cells_(cells.bin.data()), row_begin_(cells.row_begin.data()), first_(place.histogram), bins_(place.bins) {
    if (cells.empty()) return;
    constexpr std::size_t kLearnedFrom = 16;
    std::size_t const step = std::max<std::size_t>(rows.size() / kLearnedFrom, 1);
    std::size_t before = 0, count = 1;
    for (std::size_t i = 0; i < rows.size(); i += step) {
      Span<std::uint32_t const> const row = Row(rows[i]);
      before += Before(row);
      count += row.size();
    }
    share_ = (before << kShareBits) / count;
  }

  void Fetch(std::uint32_t row) const {
    if (row_begin_ == nullptr) return;
    Span<std::uint32_t const> const cells = Row(row);
    if (cells.empty()) return;
    std::size_t const begin = WindowOf(cells.size());
    Prefetch(cells.data() + begin - std::min<std::size_t>(begin, 1));
    Prefetch(cells.data() + std::min(begin + kWindow, cells.size() - 1));
  }

  std::uint32_t operator()(std::uint32_t row) const {
    if (row_begin_ == nullptr) return bins_;
    Span<std::uint32_t const> const cells = Row(row);
    std::size_t const before = BeforeByGuess(cells);
    return before == cells.size() ? bins_ : std::min(cells[before] - first_, bins_);
  }

 private:
  static constexpr std::size_t kWindow = 15, kShareBits = 32;

  Span<std::uint32_t const> Row(std::uint32_t row) const {
    return {cells_ + row_begin_[row], row_begin_[row + 1] - row_begin_[row]};
  }
  // How many cells are of features before this one.
  std::size_t Before(Span<std::uint32_t const> cells) const {
    return static_cast<std::size_t>(std::lower_bound(cells.begin(), cells.end(), first_) - cells.begin());
  }
  // Where the cells begin that the place is likely to be among, of a row with so many.
  std::size_t WindowOf(std::size_t cells) const {
    std::size_t const guess = (cells * share_) >> kShareBits, last = cells - std::min(cells, kWindow);
    return std::min(guess - std::min(guess, kWindow / 2 + 1), last);
  }
  std::size_t BeforeByGuess(Span<std::uint32_t const> cells) const {
    std::size_t const begin = WindowOf(cells.size()), end = begin + kWindow;
    bool const inside = cells.size() >= kWindow && (begin == 0 || cells[begin - 1] < first_) &&
                        (end == cells.size() || cells[end] >= first_);
    if (!inside) return Before(cells);
    return begin + CountFirst(cells.data() + begin, kWindow, [this](std::uint32_t bin) { return bin < first_; });
  }

  std::uint32_t const* cells_;
  std::size_t const* row_begin_;
  std::uint32_t first_;
  std::uint32_t bins_;
  std::size_t share_ = 0;  // of a row's cells, times 2^kShareBits
};

template <class Convert>
void ForRows(Span<std::uint32_t const> rows, std::uint8_t* out, Convert convert) {
  for (std::size_t i = 0; i < rows.size(); ++i) out[i] = static_cast<std::uint8_t>(convert(rows[i]));
}

bool GoesLeft(RowPartition::Move const& move, BinPlace const& place, std::uint32_t bin) {
  if (bin == place.bins) return move.missing_left;
  if (move.right_bins.empty()) return bin <= move.last_left_bin;
  return bin / 64 >= move.right_bins.size() || (move.right_bins[bin / 64] >> (bin % 64) & 1U) == 0;
}

bool Consecutive(Span<std::uint32_t const> rows) { return rows[rows.size() - 1] - rows[0] == rows.size() - 1; }

}  // namespace

RowRouter::RowRouter(BinnedMatrix const& bins, RowPartition::Move const& move, Source source)
    : bins_(bins), place_(bins.Place(move.feature)) {
  if (!place_.Sparse()) tile_ = &bins.Tiles()[bins.Layout().slots[place_.slot].tile];
  if (!place_.Sparse() && source == Source::kColumns) {
    column8_ = bins.Column8(place_.slot);
    column16_ = bins.Column16(place_.slot);
  }
  if (tile_ != nullptr && bins.Layout().slots[place_.slot].Joint()) {
    for (std::uint32_t code = 0; code < bins.Layout().slots[place_.slot].codes; ++code) {
      code_left_.push_back(GoesLeft(move, place_, bins.Layout().BinIn(place_, code)) ? 1 : 0);
    }
    return;
  }
  if (move.right_bins.empty()) {
    // All but the bins on the right go left if missing values do, else all but the bins on the left go right.
    std::uint32_t const left_bins = move.last_left_bin < place_.bins ? move.last_left_bin + 1 : place_.bins;
    inside_left_ = !move.missing_left;
    low_ = place_.offset + (inside_left_ ? 0 : left_bins);
    width_ = inside_left_ ? left_bins : place_.bins - left_bins;
    return;
  }
  std::size_t const codes = place_.Sparse() ? place_.bins + 1 : bins.Layout().slots[place_.slot].codes;
  code_left_.assign(std::max<std::size_t>(codes, place_.offset + place_.bins + 1), move.missing_left ? 1 : 0);
  std::fill_n(code_left_.begin() + place_.offset, place_.bins, std::uint8_t{1});
  for (std::size_t word = 0; word < move.right_bins.size(); ++word) {
    for (std::uint64_t bits = move.right_bins[word]; bits != 0; bits &= bits - 1) {
      std::size_t const bin = word * 64 + LowestBit(bits);
      if (bin < place_.bins) code_left_[place_.offset + bin] = 0;
    }
  }
}

template <class Codes>
void RowRouter::FlagsBy(Codes codes, Span<std::uint32_t const> rows, std::uint8_t* flags) const {
  if (code_left_.empty()) {
    ForRows(rows, flags, [=, low = low_, width = width_, inside_left = inside_left_](std::uint32_t row) {
      return (codes(row) - low < width) == inside_left;
    });
  } else {
    ForRows(rows, flags, [=, left = code_left_.data()](std::uint32_t row) { return left[codes(row)]; });
  }
}

void RowRouter::LeftFlags(Span<std::uint32_t const> rows, std::uint8_t* flags) const {
  if (tile_ == nullptr) {
    SparseCodes const codes(bins_.Sparse(), place_, rows);
    for (std::size_t begin = 0; begin < rows.size(); begin += SparseCodes::kAhead) {
      auto const next = rows.Sub(begin, std::min(SparseCodes::kAhead, rows.size() - begin));
      for (std::uint32_t const row : next) codes.Fetch(row);
      FlagsBy(codes, next, flags + begin);
    }
    return;
  }
  if (column8_ != nullptr) return FlagsBy(ColumnCodes<std::uint8_t>{column8_}, rows, flags);
  if (column16_ != nullptr) return FlagsBy(ColumnCodes<std::uint16_t>{column16_}, rows, flags);
  if (tile_->cell_bytes == 1) return FlagsBy(TileCodes<std::uint8_t>(*tile_, place_.slot), rows, flags);
  FlagsBy(TileCodes<std::uint16_t>(*tile_, place_.slot), rows, flags);
}

std::size_t RowRouter::Route(Span<std::uint32_t const> rows, std::uint32_t* left, std::uint32_t* right,
                             Context const& ctx) const {
  bool const by_code = column8_ != nullptr && code_left_.empty() && width_ > 0;  // else by flag
  return PartRows(rows, left, right, ctx, [&](Span<std::uint32_t const> block, std::uint8_t* codes, SplitTask* task) {
    task->first = by_code ? static_cast<std::uint8_t>(low_) : 1;
    task->last = by_code ? static_cast<std::uint8_t>(width_ - 1) : 0;
    task->inside_left = !by_code || inside_left_;
    if (!by_code) {
      LeftFlags(block, codes);
    } else if (Consecutive(block)) {
      task->codes = column8_ + block[0];
    } else {
      ForRows(block, codes, ColumnCodes<std::uint8_t>{column8_});
    }
  });
}

}  // namespace xgbl
