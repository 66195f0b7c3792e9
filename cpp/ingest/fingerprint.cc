// SPDX-License-Identifier: Apache-2.0
#include "ingest/fingerprint.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "base/error.h"
#include "base/random.h"
#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

constexpr std::size_t kLanes = 8;
constexpr std::size_t kStripe = 2 * kLanes;   // words of 32 bits
constexpr std::size_t kPiece = 64 * kStripe;  // floats that are gathered at a time from strided memory
constexpr std::size_t kHashBlockCells = std::size_t{1} << 16U;  // a unit of work

using Words = std::array<std::uint64_t, kLanes>;

bool IsInfinite(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return (bits & 0x7FFFFFFFU) == 0x7F800000U;
}

class Hasher {
 public:
  explicit Hasher(float missing) : missing_(missing) {
    for (std::size_t i = 0; i < kLanes; ++i) key_[i] = Mix(i + 1);
  }

  void Add(float const* values, std::size_t count) {
    AddWords(values, count);
    unsigned infinite = 0;
    for (std::size_t i = 0; i < count; ++i) {
      infinite |= static_cast<unsigned>(IsInfinite(values[i])) & static_cast<unsigned>(values[i] != missing_);
    }
    has_infinity_ |= infinite != 0;
  }

  // Words of 32 bits, whatever they mean.
  template <class Word>
  void AddWords(Word const* words, std::size_t count) {
    static_assert(sizeof(Word) == sizeof(std::uint32_t));
    std::size_t const whole = count / kStripe * kStripe;
    for (std::size_t i = 0; i < whole; i += kStripe) AddStripe(words + i);
    if (whole == count) return;
    std::array<Word, kStripe> rest{};
    std::copy(words + whole, words + count, rest.begin());
    AddStripe(rest.data());
  }

  TableScan Result() const {
    std::uint64_t hash = 0;
    for (std::uint64_t const lane : sum_) hash = Mix(hash ^ lane);
    return {hash, has_infinity_};
  }

 private:
  void AddStripe(void const* stripe) {
    Words words;
    std::memcpy(words.data(), stripe, sizeof(words));
    for (std::size_t i = 0; i < kLanes; ++i) {
      std::uint64_t const keyed = words[i] ^ key_[i];
      sum_[i] += (keyed & 0xFFFFFFFFU) * (keyed >> 32U) + words[i];
      key_[i] += 0x9E3779B97F4A7C15ULL;  // a key of its own for each stripe: their order counts
    }
  }

  float missing_;
  Words key_{};
  Words sum_{};
  bool has_infinity_ = false;
};

// A table seen as lines of neighbouring cells: its rows, or its columns if those are nearer to being without gaps.
struct Lines {
  float const* data;
  std::size_t count, length;
  std::ptrdiff_t stride, step;
};

Lines RowsOf(DenseTable const& table) {
  return {table.data, table.rows, table.columns, table.row_stride, table.column_stride};
}

Lines LinesOf(DenseTable const& table) {
  if (std::abs(table.column_stride) <= std::abs(table.row_stride)) return RowsOf(table);
  return {table.data, table.columns, table.rows, table.column_stride, table.row_stride};
}

void AddLine(Lines const& lines, std::size_t line, Hasher* hasher) {
  float const* const from = lines.data + static_cast<std::ptrdiff_t>(line) * lines.stride;
  if (lines.step == 1) return hasher->Add(from, lines.length);
  std::array<float, kPiece> piece;
  for (std::size_t begin = 0; begin < lines.length; begin += kPiece) {
    std::size_t const count = std::min(kPiece, lines.length - begin);
    for (std::size_t i = 0; i < count; ++i) piece[i] = from[static_cast<std::ptrdiff_t>(begin + i) * lines.step];
    hasher->Add(piece.data(), count);
  }
}

// Calls `add(begin, end, hasher)` for blocks of what is to be hashed, and brings their results together.
template <class Add>
TableScan HashBlocks(std::size_t count, std::size_t block, float missing, Context const& ctx, Add&& add) {
  std::vector<TableScan> parts((count + block - 1) / block);
  ParallelBlocks(ctx, count, block, [&](std::size_t begin, std::size_t end) {
    Hasher hasher(missing);
    add(begin, end, &hasher);
    parts[begin / block] = hasher.Result();
  });
  TableScan all;
  for (TableScan const& part : parts) {
    all.fingerprint = Mix(all.fingerprint ^ part.fingerprint);
    all.has_infinity |= part.has_infinity;
  }
  return all;
}

TableScan ScanLines(Lines const& lines, float missing, Context const& ctx) {
  std::size_t const block = std::max<std::size_t>(1, kHashBlockCells / std::max<std::size_t>(1, lines.length));
  return HashBlocks(lines.count, block, missing, ctx, [&](std::size_t begin, std::size_t end, Hasher* hasher) {
    for (std::size_t line = begin; line < end; ++line) AddLine(lines, line, hasher);
  });
}

// How many cells each row has.
std::uint64_t HashCounts(SparseTable const& table, Context const& ctx) {
  auto const add = [&](std::size_t begin, std::size_t end, Hasher* hasher) {
    std::vector<std::uint32_t> counts;
    for (std::size_t row = begin; row < end; ++row) {
      counts.push_back(static_cast<std::uint32_t>(table.row_begin[row + 1] - table.row_begin[row]));
    }
    hasher->AddWords(counts.data(), counts.size());
  };
  return HashBlocks(table.rows(), kHashBlockCells, kMissing, ctx, add).fingerprint;
}

template <class Table>
void CheckTable(Table const* table, Context const& ctx) {
  if (table == nullptr || !table->fingerprint) return;
  Require<DataError>(
      Scan(*table, ctx).fingerprint == *table->fingerprint,
      "The array was changed after the DMatrix was made of it. Large float32 arrays are not copied: make a",
      " new DMatrix after a change, or pass a copy (`DMatrix(data.copy())`).");
}

}  // namespace

TableScan Scan(DenseTable const& table, Context const& ctx) { return ScanLines(LinesOf(table), table.missing, ctx); }

TableScan Scan(SparseTable const& table, Context const& ctx) {
  auto const add = [&](std::size_t begin, std::size_t end, Hasher* hasher) {
    hasher->AddWords(table.column.data() + begin, end - begin);
    hasher->Add(table.value.data() + begin, end - begin);
  };
  return HashBlocks(table.value.size(), kHashBlockCells, kMissing, ctx, add);
}

std::uint64_t HashRows(FeatureMatrix const& features, Span<float const> weights, Context const& ctx) {
  std::uint64_t hash = Mix(features.Rows()) ^ features.Columns();
  if (DenseTable const* table = features.Dense()) {
    hash = Mix(hash ^ ScanLines(RowsOf(*table), table->missing, ctx).fingerprint);
  } else if (SparseTable const* rows = features.Sparse()) {
    hash = Mix(Mix(hash ^ HashCounts(*rows, ctx)) ^ Scan(*rows, ctx).fingerprint);
  }
  Hasher of_weights(kMissing);
  of_weights.AddWords(weights.data(), weights.size());
  return Mix(hash ^ of_weights.Result().fingerprint);
}

void CheckUnchanged(FeatureMatrix const& features, Context const& ctx) {
  CheckTable(features.Dense(), ctx);
  CheckTable(features.Sparse(), ctx);
}

}  // namespace xgbl
