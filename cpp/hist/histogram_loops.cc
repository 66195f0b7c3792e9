// SPDX-License-Identifier: Apache-2.0
// The bound is one load, addition and store a cycle. To get there a row is read as a few 64-bit words, its codes are
// shifted out of registers, and all slots of a row are unrolled with the slot's place as a constant.
#include "hist/histogram_loops.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <type_traits>
#include <utility>

#include "base/bits.h"
#include "base/error.h"

namespace xgbl {
namespace {

constexpr std::size_t kAhead = 28;  // rows that are fetched in advance

// Of each form: the words of a code, the bins of a code, whether a bin is packed, whether one-byte tiles use it, and
// where the bins of a value begin.
struct NarrowToPacked {
  static constexpr std::size_t kWords = BinWords(BinForm::kNarrowToPacked), kSides = 1;
  static constexpr bool kPacked = true, kOfBytes = true;
  using Value = std::int64_t;
  static std::int32_t const* Data(PackedGradients const& gradients) { return gradients.narrow.data(); }
  static Value Load(std::int32_t pair) { return PackedBin(pair); }
  static std::int64_t* BinsOf(std::int64_t* bins, Value /*value*/) { return bins; }
  static void Add(std::int64_t* first, std::size_t code, Value value) { first[code] += value; }
};

struct ToWide {
  static constexpr std::size_t kWords = BinWords(BinForm::kWideToWide), kSides = 1;
  static constexpr bool kPacked = false, kOfBytes = true;
  using Value = FixedSum;
  static std::int64_t* BinsOf(std::int64_t* bins, Value /*value*/) { return bins; }
  static void Add(std::int64_t* first, std::size_t code, Value value) {
    std::int64_t* const bin = first + 2 * code;
    bin[0] += value.gradient;
    bin[1] += value.hessian;
  }
};

struct NarrowToWide : ToWide {
  static constexpr bool kOfBytes = false;
  static std::int32_t const* Data(PackedGradients const& gradients) { return gradients.narrow.data(); }
  static Value Load(std::int32_t pair) { return {pair >> 16, pair & 0xFFFF}; }
};

struct WideToWide : ToWide {
  using Pair = PackedGradients::WidePair;
  static Pair const* Data(PackedGradients const& gradients) { return gradients.wide_pairs.data(); }
  static Value Load(Pair pair) { return {pair.gradient, pair.hessian}; }
};

template <class Form>
using Plain = Form;

// The same, rows of negative gradient in bins of their own.
template <class Form>
struct BySign : Form {
  static constexpr std::size_t kWords = 2 * Form::kWords, kSides = 2;
  struct Value {
    typename Form::Value value;
    std::size_t side;
  };
  static Value Load(std::int32_t pair) { return {Form::Load(pair), pair < 0 ? std::size_t{1} : std::size_t{0}}; }
  static Value Load(PackedGradients::WidePair pair) {
    return {Form::Load(pair), pair.gradient < 0 ? std::size_t{1} : std::size_t{0}};
  }
  static std::int64_t* BinsOf(std::int64_t* bins, Value value) { return bins + value.side * Form::kWords; }
  static void Add(std::int64_t* first, std::size_t code, Value value) { Form::Add(first, 2 * code, value.value); }
};

// Calls `add(row, value)` for each row of a run, and `fetch(row)` a while before. One place only calls `add`, so that
// it becomes part of the loop.
template <class Form, bool kListed, class Add, class Fetch>
inline void ForEachRow(PackedGradients const& gradients, RowRun run, Add&& add, Fetch&& fetch) {
  auto const* const pairs = Form::Data(gradients);
  for (std::size_t i = run.begin; i < run.end; ++i) {
    std::size_t row = i, next = std::min(i + kAhead, run.end - 1);
    if constexpr (kListed) {
      row = run.list[row];
      next = run.list[next];
      Prefetch(pairs + next);
    }
    fetch(next);
    add(row, Form::Load(pairs[row]));
  }
}

// A row of a tile in registers: each word is a copy of its own, as one of all would be made through memory.
template <std::size_t kBytes>
struct RowWords {
  using Word = std::conditional_t<(kBytes < 8), std::uint32_t, std::uint64_t>;
  std::array<Word, kBytes / sizeof(Word)> words;

  explicit RowWords(std::uint8_t const* cells) {
    for (std::size_t i = 0; i < words.size(); ++i) std::memcpy(&words[i], cells + i * sizeof(Word), sizeof(Word));
  }
  /// Code `i`, of `kCellBytes` each; the machine is little-endian.
  template <std::size_t kCellBytes, std::size_t i>
  std::size_t Code() const {
    constexpr std::size_t kPerWord = sizeof(Word) / kCellBytes, kMask = (std::size_t{1} << (8 * kCellBytes)) - 1;
    return static_cast<std::size_t>(words[i / kPerWord] >> (i % kPerWord * kCellBytes * 8)) & kMask;
  }
};

constexpr std::size_t PaddedBytes(std::size_t bytes) {
  std::size_t padded = 4;
  while (padded < bytes) padded *= 2;
  return padded;
}

// `kStride`: from slot to slot; 0 if slots lie anywhere.
template <class Form, bool kListed, std::size_t kCellBytes, std::size_t kStride, std::size_t... kSlot>
inline void AddTile(HistogramPiece const& piece, PackedGradients const& gradients, RowRun run, std::int64_t* bins,
                    std::index_sequence<kSlot...> /*slots*/) {
  constexpr std::size_t kBytes = PaddedBytes(kCellBytes * sizeof...(kSlot));
  std::uint8_t const* const cells = piece.tile.cells;
  std::array<std::size_t, sizeof...(kSlot)> first{};
  if constexpr (kStride == 0) {
    for (std::size_t i = 0; i < first.size(); ++i) first[i] = piece.slot_bin[i] * Form::kWords;
  }
  ForEachRow<Form, kListed>(
      gradients, run,
      [=, &first](std::size_t row, typename Form::Value value) {
        RowWords<kBytes> const words(cells + row * kBytes);
        std::int64_t* const own = Form::BinsOf(bins, value);
        (Form::Add(own + (kStride == 0 ? first[kSlot] : kSlot * kStride * Form::kWords),
                   words.template Code<kCellBytes, kSlot>(), value),
         ...);
      },
      [=](std::size_t row) { Prefetch(cells + row * kBytes); });
}

template <class Form, bool kListed, std::size_t kCellBytes, std::size_t kStride, std::size_t kSlots>
void AddTileRows(HistogramPiece const& piece, PackedGradients const& gradients, RowRun run, std::int64_t* bins) {
  AddTile<Form, kListed, kCellBytes, kStride>(piece, gradients, run, bins, std::make_index_sequence<kSlots>());
}

// Of few rows: each is added to all bins that its joint codes stand for.
template <class Form, bool kListed>
void AddJointRows(HistogramPiece const& piece, PackedGradients const& gradients, RowRun run, std::int64_t* bins) {
  std::uint8_t const* const cells = piece.tile.cells;
  std::size_t const row_bytes = piece.tile.row_bytes;
  ForEachRow<Form, kListed>(
      gradients, run,
      [=, &piece](std::size_t row, typename Form::Value value) {
        std::int64_t* const first = Form::BinsOf(bins, value);
        std::uint8_t const* cell = cells + row * row_bytes;
        for (std::uint32_t const slot : piece.slot_bin) {
          std::uint32_t const* const begin = piece.code_begin.data() + slot + *cell++;
          for (std::uint32_t i = begin[0]; i < begin[1]; ++i) Form::Add(first, piece.code_bin[i], value);
        }
      },
      [=](std::size_t row) { Prefetch(cells + row * row_bytes); });
}

template <class Form, bool kListed>
void AddSparseRows(HistogramPiece const& piece, PackedGradients const& gradients, RowRun run, std::int64_t* bins) {
  if (piece.sparse->bin.empty()) return;  // features without a cell have bins, too
  std::size_t const* const row_begin = piece.sparse->row_begin.data();
  std::uint32_t const* const places = piece.sparse->bin.data();
  std::size_t const origin = piece.begin / Form::kSides;
  ForEachRow<Form, kListed>(
      gradients, run,
      [=](std::size_t row, typename Form::Value value) {
        std::int64_t* const first = Form::BinsOf(bins, value);
        for (std::size_t i = row_begin[row]; i < row_begin[row + 1]; ++i) Form::Add(first, places[i] - origin, value);
      },
      [=](std::size_t row) { Prefetch(row_begin + row); });
}

template <class Form, bool kListed, std::size_t kCellBytes, std::size_t kStride, std::size_t... kSlot>
AddRows LoopOfSlots(std::size_t slots, std::index_sequence<kSlot...> /*slots*/) {
  static constexpr std::array<AddRows, sizeof...(kSlot)> kTable = {
      AddTileRows<Form, kListed, kCellBytes, kStride, kSlot + 1>...};
  return kTable[slots - 1];
}

// Of the first of these distances that the tile's slots have; or of the last.
template <class Form, bool kListed, std::size_t kCellBytes, std::size_t kStride, std::size_t... kOthers>
AddRows LoopOfTile(BinTile const& tile) {
  if constexpr (sizeof...(kOthers) > 0) {
    if (tile.bin_stride != kStride) return LoopOfTile<Form, kListed, kCellBytes, kOthers...>(tile);
  }
  return LoopOfSlots<Form, kListed, kCellBytes, kStride>(tile.slots, std::make_index_sequence<BinTile::kMostSlots>());
}

// Packed bins have a loop for each distance from slot to slot; where two integers are added it gains nothing, and by
// sign, where hardly any tile is of one byte, it is not worth its code.
template <class Form, bool kListed>
AddRows LoopOf(HistogramPiece const& piece, bool to_codes) {
  constexpr auto kPairs = BinTile::kPairStrides;
  if (piece.sparse != nullptr) return AddSparseRows<Form, kListed>;
  if (piece.Joint() && !to_codes) return AddJointRows<Form, kListed>;
  if (piece.tile.cell_bytes == 2) {
    if constexpr (Form::kPacked) return LoopOfTile<Form, kListed, 2, kPairs[0], kPairs[1], 0>(piece.tile);
    return LoopOfTile<Form, kListed, 2, 0>(piece.tile);
  }
  if constexpr (!Form::kOfBytes) {
    Ensure(false, "there is no loop for a one-byte tile and wide bins");
    return nullptr;
  } else if constexpr (Form::kPacked && Form::kSides == 1) {
    return LoopOfTile<Form, kListed, 1, 16, 64, 128, 256>(piece.tile);
  } else {
    return LoopOfTile<Form, kListed, 1, 0>(piece.tile);
  }
}

template <template <class> class As, bool kListed>
AddRows LoopOf(HistogramPiece const& piece, BinForm form, bool to_codes) {
  switch (form) {
    case BinForm::kNarrowToPacked:
      return LoopOf<As<NarrowToPacked>, kListed>(piece, to_codes);
    case BinForm::kNarrowToWide:
      return LoopOf<As<NarrowToWide>, kListed>(piece, to_codes);
    default:
      return LoopOf<As<WideToWide>, kListed>(piece, to_codes);
  }
}

template <bool kListed>
AddRows LoopOf(HistogramPiece const& piece, BinForm form, bool to_codes) {
  return piece.by_sign ? LoopOf<BySign, kListed>(piece, form, to_codes) : LoopOf<Plain, kListed>(piece, form, to_codes);
}

void CheckTile(BinTile const& tile) {
  Ensure(tile.slots > 0 && tile.slots <= BinTile::kMostSlots, "a tile of ", tile.slots, " slots");
  Ensure(tile.row_bytes == PaddedBytes(tile.slots * std::size_t{tile.cell_bytes}), "a tile of ", tile.slots,
         " slots has rows of ", tile.row_bytes, " bytes");
  constexpr std::array<std::uint32_t, 4> kOfBytes = {16, 64, 128, 256};
  constexpr std::array<std::uint32_t, 3> kOfPairs = {0, BinTile::kPairStrides[0], BinTile::kPairStrides[1]};
  auto const has = [&](auto const& strides) {
    return std::find(strides.begin(), strides.end(), tile.bin_stride) != strides.end();
  };
  Ensure(tile.cell_bytes == 1 ? has(kOfBytes) : has(kOfPairs), "bins are ", tile.bin_stride, " apart");
}

void ListBinsOfCodes(BinnedMatrix const& bins, HistogramPiece* piece) {
  BinTile const& tile = piece->tile;
  piece->codes = tile.slots * tile.bin_stride;
  for (std::uint32_t s = 0; s < tile.slots; ++s) {
    BinSlot const& slot = bins.Layout().slots[tile.first_slot + s];
    piece->slot_bin.push_back(s * tile.bin_stride);
    for (std::uint32_t code = 0; code < tile.bin_stride; ++code) {
      piece->code_begin.push_back(static_cast<std::uint32_t>(piece->code_bin.size()));
      if (code >= slot.codes) continue;
      for (std::uint32_t const feature : slot.features) {
        BinPlace const& place = bins.Place(feature);
        std::uint32_t const bin = bins.Layout().BinIn(place, code);
        if (bin < place.bins) piece->code_bin.push_back(place.histogram - piece->begin + bin);
      }
    }
  }
  piece->code_begin.push_back(static_cast<std::uint32_t>(piece->code_bin.size()));
}

HistogramPiece PieceOf(BinnedMatrix const& bins, BinTile const& tile) {
  CheckTile(tile);
  HistogramPiece piece;
  piece.tile = tile;
  piece.begin = tile.histogram_begin;
  piece.bins = tile.histogram_bins;
  piece.cells_per_row = tile.slots;
  if (bins.Layout().slots[tile.first_slot].Joint()) {
    ListBinsOfCodes(bins, &piece);
    return piece;
  }
  piece.codes = piece.bins;
  auto const first = bins.SlotHistogram().Sub(tile.first_slot, tile.slots);
  for (std::uint32_t const bin : first) piece.slot_bin.push_back(bin - piece.begin);
  return piece;
}

constexpr double kChunksPerThread = 4;   // so that a thread that is late has others take over
constexpr double kLeastUpdates = 32768;  // of a chunk that is cut for the sake of threads
constexpr double kFlushWorth = 2;        // updates for each word that is flushed
constexpr std::size_t kClearedAtOnce = 4;
constexpr double kMostOfMean = 1.2;  // what the largest share may have
constexpr std::size_t kMostThreadWords = std::size_t{1} << 25U;

BinForm FormOf(HistogramTarget const& target) {
  if (target.gradients->wide) return BinForm::kWideToWide;
  bool const flushed = target.Rows() > kNarrowRows;
  double const updates = target.piece->cells_per_row * static_cast<double>(kNarrowRows);
  bool const too_many_bins = updates < kFlushWorth * target.piece->codes;
  return flushed && too_many_bins ? BinForm::kNarrowToWide : BinForm::kNarrowToPacked;
}

std::size_t ChunksOf(HistogramTarget const& target, double grain) {
  bool const overflows = target.form == BinForm::kNarrowToPacked;
  std::size_t const needed = overflows ? (target.Rows() + kNarrowRows - 1) / kNarrowRows : 1;
  auto const words = static_cast<double>(std::max(target.ChunkWords(), target.piece->code_bin.size()));
  double const worth = target.ChunkWords() > kMostThreadWords ? 0 : target.Updates() / (kFlushWorth * words);
  auto const wanted = static_cast<std::size_t>(std::max(0.0, std::min(worth, target.Updates() / grain)));
  return std::max({wanted, needed, std::size_t{1}});
}

// Whether a row's bins are added to at once: of few rows the sums of joint codes would take longer to clear and flush.
bool IsDirect(HistogramTarget const& target) {
  HistogramPiece const& piece = *target.piece;
  if (!piece.Joint()) return true;
  std::size_t const codes = std::max<std::size_t>(piece.code_begin.size(), 1), additions = piece.code_bin.size();
  return target.Rows() * piece.slot_bin.size() * additions / codes < additions + piece.codes / kClearedAtOnce;
}

}  // namespace

std::vector<HistogramPiece> PiecesOf(BinnedMatrix const& bins, bool by_sign) {
  std::vector<HistogramPiece> pieces;
  std::uint32_t end = 0;
  for (BinTile const& tile : bins.Tiles()) {
    pieces.push_back(PieceOf(bins, tile));
    end = std::max(end, tile.histogram_begin + tile.histogram_bins);
  }
  if (end < bins.HistogramBins()) {
    HistogramPiece piece;
    piece.sparse = &bins.Sparse();
    piece.begin = end;
    piece.bins = bins.HistogramBins() - end;
    piece.codes = piece.bins;
    auto const rows = static_cast<double>(std::max<std::size_t>(bins.Rows(), 1));
    piece.cells_per_row = static_cast<double>(bins.Sparse().bin.size()) / rows;
    pieces.push_back(std::move(piece));
  }
  for (HistogramPiece& piece : pieces) {
    piece.by_sign = by_sign;
    piece.begin *= by_sign ? 2 : 1;
    piece.bins *= by_sign ? 2 : 1;
    piece.codes *= by_sign ? 2 : 1;
  }
  return pieces;
}

AddRows AddRowsFor(HistogramPiece const& piece, BinForm form, bool listed, bool to_codes) {
  return listed ? LoopOf<true>(piece, form, to_codes) : LoopOf<false>(piece, form, to_codes);
}

std::vector<HistogramChunk> PlanChunks(std::vector<HistogramTarget>* targets, int threads) {
  double total = 0;
  for (auto const& target : *targets) total += target.Updates();
  double const grain =
      threads == 1 ? total + 1 : std::max(kLeastUpdates, total / (kChunksPerThread * static_cast<double>(threads)));

  std::vector<HistogramChunk> chunks;
  for (std::size_t t = 0; t < targets->size(); ++t) {
    HistogramTarget& target = (*targets)[t];
    target.form = FormOf(target);
    std::size_t const count = ChunksOf(target, grain), rows = target.Rows();
    target.whole = count == 1 && IsDirect(target);
    for (std::size_t i = 0; i < count; ++i) {
      RowRun const run{target.rows.list, target.rows.begin + rows * i / count,
                       target.rows.begin + rows * (i + 1) / count};
      chunks.push_back({t, run, target.Updates() / static_cast<double>(count)});
    }
  }
  if (threads > 1) {
    std::stable_sort(chunks.begin(), chunks.end(), [](auto const& a, auto const& b) { return a.work > b.work; });
  }
  return chunks;
}

std::vector<std::vector<std::size_t>> ShareOut(Span<WorkPiece const> pieces, int count) {
  if (count < 2 || pieces.size() < static_cast<std::size_t>(count)) return {};
  double most = 0;
  for (WorkPiece const& piece : pieces) most += piece.steps;
  most *= kMostOfMean / static_cast<double>(count);
  std::vector<std::size_t> order(pieces.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return pieces[a].steps > pieces[b].steps; });
  std::vector<std::vector<std::size_t>> shares(static_cast<std::size_t>(count));
  std::vector<double> steps(shares.size());
  for (std::size_t const i : order) {  // the largest first; it stays with its owner while that has room
    WorkPiece const& piece = pieces[i];
    auto share = static_cast<std::size_t>(std::min_element(steps.begin(), steps.end()) - steps.begin());
    auto const owner = static_cast<std::size_t>(std::max(piece.owner, 0));
    if (piece.owner >= 0 && owner < steps.size() && steps[owner] + piece.steps <= most) share = owner;
    shares[share].push_back(i);
    steps[share] += piece.steps;
  }
  if (*std::max_element(steps.begin(), steps.end()) > most) return {};
  for (auto& share : shares) std::sort(share.begin(), share.end());
  return shares;
}

}  // namespace xgbl
