// SPDX-License-Identifier: Apache-2.0
#include "metric/threshold_sweep.h"

#include <array>
#include <cmath>
#include <utility>

#include "parallel/reduce.h"

namespace xgbl {
namespace {

constexpr std::size_t kParts = 64;           // many, so that threads end together
constexpr unsigned kMostBucketBits = 12;     // of the first step: more buckets would not be in the cache together
constexpr std::size_t kRowsOfABucket = 256;  // aimed at
constexpr unsigned kDigitBits = 10;
constexpr std::size_t kComparedRows = 96;  // up to here a comparison sort is faster (measured)

/// What has to be known of all rows before they can be packed.
struct Extent {
  std::uint32_t differing = 0;  // bits of keys that are not the same in all rows
  std::uint32_t mixed = 0;      // not 0 if some share is neither 0 nor 1

  Extent& operator+=(Extent const& other) {
    differing |= other.differing;
    mixed |= other.mixed;
    return *this;
  }
};

Extent ExtentOf(ScoredRows const& rows, Context const& ctx) {
  std::uint32_t const first = FallingKey(rows.scores[0]);
  return ReduceBlocks(ctx, rows.scores.size(), Extent{}, [&](std::size_t begin, std::size_t end) {
    Extent part;
    for (std::size_t i = begin; i < end; ++i) part.differing |= FallingKey(rows.scores[i]) ^ first;
    for (std::size_t i = begin; i < end; ++i) {
      bool const above = rows.shares[i] != 0.0F, below = rows.shares[i] != 1.0F;
      part.mixed |= static_cast<std::uint32_t>(above) & static_cast<std::uint32_t>(below);
    }
    return part;
  });
}

unsigned BucketWidth(std::size_t bits) {
  unsigned width = 0;
  for (; bits != 0; bits >>= 1U) ++width;
  return width;
}

struct NarrowSource {
  ScoredRows const& rows;
  unsigned width;  // of keys, without the leading bits that are the same in all

  template <class Emit>
  void ForEach(std::size_t begin, std::size_t end, Emit&& emit) const {
    std::uint32_t const mask = (1U << width) - 1;
    for (std::size_t i = begin; i < end; ++i) {
      std::uint32_t const key = FallingKey(rows.scores[i]) & mask;
      emit(NarrowRow{key << NarrowRow::kPayloadBits | static_cast<std::uint32_t>(rows.shares[i] != 0.0F)});
    }
  }
};

/// A row that is positive in part becomes two.
struct WideSource {
  ScoredRows const& rows;
  unsigned width;

  template <class Emit>
  void ForEach(std::size_t begin, std::size_t end, Emit&& emit) const {
    std::uint64_t const mask = (std::uint64_t{1} << width) - 1;
    for (std::size_t i = begin; i < end; ++i) {
      float const share = rows.shares[i];
      if (std::isnan(share)) continue;
      float const weight = rows.weights.empty() ? 1.0F : rows.weights[i];
      std::uint64_t const key = (FallingKey(rows.scores[i]) & mask) << WideRow::kPayloadBits;
      bool const positive = share == 1.0F;
      emit(WideRow{key | (positive ? 0x80000000U : 0U) | ToBits(positive ? weight : weight * (1.0F - share))});
      if (share > 0.0F && !positive) emit(WideRow{key | 0x80000000U | ToBits(weight * share)});
    }
  }
};

/// Sorts one bucket after the other, all of whose rows share the bits of the key from `bits` up.
template <class Row>
class BucketSorter {
 public:
  explicit BucketSorter(unsigned bits) : bits_(bits) {}

  void Sort(Row* rows, std::size_t count) {
    if (bits_ == 0 || count < 2) return;
    if (count <= kComparedRows) {
      return std::sort(rows, rows + count, [](Row a, Row b) { return a.bits < b.bits; });
    }
    if (other_.size() < count) other_ = Buffer<Row>(count);
    unsigned const passes = (bits_ + kDigitBits - 1) / kDigitBits;
    unsigned const digit = (bits_ + passes - 1) / passes;
    Row *from = rows, *to = other_.data();
    for (unsigned pass = 0; pass < passes; ++pass, std::swap(from, to)) {
      Move(from, to, count, Row::kPayloadBits + pass * digit, digit);
    }
    if (from != rows) std::copy(from, from + count, rows);
  }

 private:
  void Move(Row const* from, Row* to, std::size_t count, unsigned shift, unsigned bits) {
    std::size_t const digits = std::size_t{1} << bits, mask = digits - 1;
    std::fill_n(next_.begin(), digits, 0U);
    for (std::size_t i = 0; i < count; ++i) ++next_[static_cast<std::size_t>(from[i].bits >> shift) & mask];
    std::uint32_t total = 0;
    for (std::size_t d = 0; d < digits; ++d) total += std::exchange(next_[d], total);
    for (std::size_t i = 0; i < count; ++i) {
      to[next_[static_cast<std::size_t>(from[i].bits >> shift) & mask]++] = from[i];
    }
  }

  unsigned bits_;
  Buffer<Row> other_;
  std::array<std::uint32_t, std::size_t{1} << kDigitBits> next_;  // NOLINT(*-member-init)
};

/// Rows in buckets; which rows a bucket has depends on the leading bits of their keys.
template <class Row>
struct Buckets {
  Buffer<Row> rows;
  std::vector<std::size_t> begin;  // of each bucket, then the number of rows
};

// The first place of each chunk of rows in each bucket, from how many rows it has for it.
std::vector<std::size_t> ToPlaces(MatrixView<std::size_t> counts) {
  std::vector<std::size_t> begin(counts.columns() + 1);
  std::size_t total = 0;
  for (std::size_t b = 0; b < counts.columns(); ++b) {
    begin[b] = total;
    for (std::size_t c = 0; c < counts.rows(); ++c) total += std::exchange(counts(c, b), total);
  }
  begin.back() = total;
  return begin;
}

template <class Row, class Source>
Buckets<Row> IntoBuckets(Source const& source, unsigned bucket_bits, Context const& ctx) {
  std::size_t const n = source.rows.scores.size();
  std::size_t const block = (n - 1) / static_cast<std::size_t>(ctx.threads) + 1;
  unsigned const rest = source.width - bucket_bits;
  auto const bucket_of = [rest](Row row) { return static_cast<std::size_t>(std::uint64_t{row.Key()} >> rest); };
  Matrix<std::size_t> next((n - 1) / block + 1, std::size_t{1} << bucket_bits);
  ParallelBlocks(ctx, n, block, [&](std::size_t begin, std::size_t end) {
    auto const counts = next.View().Row(begin / block);
    source.ForEach(begin, end, [&](Row row) { ++counts[bucket_of(row)]; });
  });
  auto begins = ToPlaces(next.View());
  Buffer<Row> rows(begins.back());
  ParallelBlocks(ctx, n, block, [&](std::size_t begin, std::size_t end) {
    auto const places = next.View().Row(begin / block);
    Row* const to = rows.data();
    source.ForEach(begin, end, [&](Row row) { to[places[bucket_of(row)]++] = row; });
  });
  return {std::move(rows), std::move(begins)};
}

// The first of every run of buckets that has its share of the rows, then the number of buckets.
std::vector<std::size_t> Runs(std::vector<std::size_t> const& begin) {
  std::vector<std::size_t> runs{0};
  std::size_t const least = begin.back() / kParts + 1;
  for (std::size_t b = 1; b < begin.size(); ++b) {
    if (begin[b] - begin[runs.back()] >= least || b + 1 == begin.size()) runs.push_back(b);
  }
  return runs;
}

/// The largest weight of a row on each side, as bits, which floats from 0 are ordered by: so loops become vector code.
struct SideWeights {
  std::uint32_t positive = 0;
  std::uint32_t negative = 0;

  SideWeights& operator+=(SideWeights const& other) {
    positive = std::max(positive, other.positive);
    negative = std::max(negative, other.negative);
    return *this;
  }
};

SideUnits UnitsOf(ScoredRows const& rows, Context const& ctx) {
  std::size_t const count = rows.scores.size();
  auto const largest = ReduceBlocks(ctx, count, SideWeights{}, [&](std::size_t begin, std::size_t end) {
    SideWeights part;
    for (std::size_t i = begin; i < end; ++i) {
      float const weight = rows.weights.empty() ? 1.0F : rows.weights[i], share = rows.shares[i];
      float const positive = weight * share, negative = weight * (1.0F - share);
      part += {ToBits(share == share ? positive : 0.0F), ToBits(share == share ? negative : 0.0F)};
    }
    return part;
  });
  auto const units_in_one = [&](std::uint32_t bits) {
    constexpr int kBits = 62;
    float const weight = FromBits<float>(bits);
    return weight > 0 ? std::ldexp(1.0, kBits - 1 - std::ilogb(double{weight} * static_cast<double>(count))) : 1.0;
  };
  double const positive = units_in_one(largest.positive), negative = units_in_one(largest.negative);
  return {{negative, positive}, {1 / negative, 1 / positive}};
}

}  // namespace

template <class Row, class Source>
Buffer<Row> ThresholdSweep::Sorted(Source const& source) {
  unsigned const aimed = BucketWidth(source.rows.scores.size() / kRowsOfABucket);
  unsigned const bucket_bits = std::min({aimed, source.width, kMostBucketBits});
  auto buckets = IntoBuckets<Row>(source, bucket_bits, ctx_);
  auto const runs = Runs(buckets.begin);
  parts_.resize(runs.size() - 1);
  std::vector<BucketSorter<Row>> sorters;
  for (int t = 0; t < ctx_.threads; ++t) sorters.emplace_back(source.width - bucket_bits);
  ParallelTasks(ctx_, parts_.size(), [&](std::size_t p, int thread) {
    auto& sorter = sorters[static_cast<std::size_t>(thread)];
    std::size_t const* const begin = buckets.begin.data();
    for (std::size_t b = runs[p]; b < runs[p + 1]; ++b)
      sorter.Sort(buckets.rows.data() + begin[b], begin[b + 1] - begin[b]);
    RowTotals totals;
    for (std::size_t i = begin[runs[p]]; i < begin[runs[p + 1]]; ++i) units_.Add(buckets.rows[i], &totals);
    parts_[p] = {begin[runs[p]], begin[runs[p + 1]], totals};
  });
  for (Part& part : parts_) {
    RowTotals const own = std::exchange(part.above, total_);
    total_ += own;
  }
  return std::move(buckets.rows);
}

ThresholdSweep::ThresholdSweep(ScoredRows const& rows, Context const& ctx)
    : ctx_(ForWork(ctx, rows.scores.size() * 4)) {
  if (rows.scores.empty()) return;
  Extent const extent = ExtentOf(rows, ctx_);
  unsigned const width = BucketWidth(extent.differing);
  if (rows.weights.empty() && extent.mixed == 0 && width + NarrowRow::kPayloadBits <= 32) {
    narrow_ = Sorted<NarrowRow>(NarrowSource{rows, width});
  } else {
    units_ = UnitsOf(rows, ctx_);
    wide_ = Sorted<WideRow>(WideSource{rows, width});
  }
}

double RocArea(ThresholdSweep const& sweep) {
  double const area = sweep.Sum([](Tally const& above, Tally const& through) {
    return (through.negatives - above.negatives) * (above.positives + through.positives) / 2;
  });
  Tally const total = sweep.Total();
  return area / (total.positives * total.negatives);
}

}  // namespace xgbl
