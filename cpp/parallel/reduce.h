// SPDX-License-Identifier: Apache-2.0
// Sums over rows that depend neither on threads nor on how rows are cut into pieces: each thread adds up what it meets,
// in integers or exactly (exact_sum.h), and the threads' sums are added up.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "parallel/exact_sum.h"
#include "parallel/parallel_for.h"

namespace xgbl {

constexpr std::size_t kReduceBlock = 4096;

/// The sum of all rows: `add(begin, end, sum)` adds those of a block. `Sum` has operator+=, which no order changes.
template <class Sum, class Add>
Sum ReduceRows(Context const& ctx, std::size_t rows, Sum const& zero, Add&& add) {
  std::size_t const blocks = (rows + kReduceBlock - 1) / kReduceBlock;
  std::vector<Sum> parts(std::max<std::size_t>(1, std::min(blocks, static_cast<std::size_t>(ctx.threads))), zero);
  Context limited = ctx;
  limited.threads = static_cast<int>(parts.size());
  ParallelTasks(limited, blocks, [&](std::size_t block, int thread) {
    add(block * kReduceBlock, std::min(rows, (block + 1) * kReduceBlock), &parts[static_cast<std::size_t>(thread)]);
  });
  for (std::size_t i = 1; i < parts.size(); ++i) parts[0] += parts[i];
  return std::move(parts[0]);
}

/// Several sums, each of a kind that no order changes; they are added up one by one.
template <class Sum>
struct SumArray : std::vector<Sum> {
  using std::vector<Sum>::vector;

  SumArray& operator+=(SumArray const& other) {
    for (std::size_t k = 0; k < this->size(); ++k) (*this)[k] += other[k];
    return *this;
  }
  std::vector<double> Values() const {
    std::vector<double> values;
    for (Sum const& sum : *this) values.push_back(sum.Value());
    return values;
  }
};

/// The sum of `part(begin, end)` over all blocks: of integers, or of what else no order of adding changes.
template <class Sum, class Part>
Sum ReduceBlocks(Context const& ctx, std::size_t rows, Sum const& zero, Part&& part) {
  return ReduceRows(ctx, rows, zero, [&](std::size_t begin, std::size_t end, Sum* sum) { *sum += part(begin, end); });
}

/// The sum of `term(row)` over all rows.
template <class Term>
double SumRows(Context const& ctx, std::size_t rows, Term&& term) {
  auto const add = [&](std::size_t begin, std::size_t end, ExactSum* sum) {
    std::array<double, kReduceBlock> terms;  // NOLINT(*-member-init)
    for (std::size_t i = begin; i < end; ++i) terms[i - begin] = term(i);
    sum->Add(terms.data(), end - begin);
  };
  return ReduceRows(ctx, rows, ExactSum(), add).Value();
}

/// The sums of `Count` quantities in one pass: `terms(row)` has what a row has of each.
template <std::size_t Count, class Terms>
std::array<double, Count> SumTogether(Context const& ctx, std::size_t rows, Terms&& terms) {
  using Sums = SumArray<ExactSum>;
  auto const add = [&](std::size_t begin, std::size_t end, Sums* sums) {
    std::array<std::array<double, kReduceBlock>, Count> columns;  // NOLINT(*-member-init)
    for (std::size_t i = begin; i < end; ++i) {
      std::array<double, Count> const of_row = terms(i);
      for (std::size_t k = 0; k < Count; ++k) columns[k][i - begin] = of_row[k];
    }
    for (std::size_t k = 0; k < Count; ++k) (*sums)[k].Add(columns[k].data(), end - begin);
  };
  std::array<double, Count> values;  // NOLINT(*-member-init)
  Sums const sums = ReduceRows(ctx, rows, Sums(Count), add);
  std::transform(sums.begin(), sums.end(), values.begin(), [](ExactSum const& sum) { return sum.Value(); });
  return values;
}

/// Whether test(row) is true of every row.
template <class Test>
bool AllRows(Context const& ctx, std::size_t rows, Test&& test) {
  auto const failed = ReduceBlocks(ctx, rows, std::uint32_t{0}, [&](std::size_t begin, std::size_t end) {
    std::uint32_t some = 0;  // no early end, so that the loop becomes vector code
    for (std::size_t i = begin; i < end; ++i) some |= test(i) ? 0U : 1U;
    return some;
  });
  return failed == 0;
}

/// The sums of several quantities at once: `add(row, terms)` adds what a row has of each to `count` zeros.
template <class Add>
std::vector<double> SumVectors(Context const& ctx, std::size_t rows, std::size_t count, Add&& add) {
  auto const add_block = [&](std::size_t begin, std::size_t end, SumArray<ExactSum>* sums) {
    std::size_t const at_once = std::max<std::size_t>(1, kReduceBlock / std::max<std::size_t>(1, count));
    std::vector<double> terms(at_once * count), one(at_once);
    for (std::size_t first = begin; first < end; first += at_once) {
      std::size_t const some = std::min(at_once, end - first);
      std::fill_n(terms.begin(), some * count, 0.0);
      for (std::size_t i = 0; i < some; ++i) add(first + i, terms.data() + i * count);
      for (std::size_t k = 0; k < count; ++k) {
        for (std::size_t i = 0; i < some; ++i) one[i] = terms[i * count + k];
        (*sums)[k].Add(one.data(), some);
      }
    }
  };
  return ReduceRows(ctx, rows, SumArray<ExactSum>(count), add_block).Values();
}

/// A sum of weights, many of which are 1, and most of which are of about one size.
class WeightSum {
 public:
  WeightSum& operator+=(float weight) {
    if (weight == 1.0F) {
      ++ones_;
      return *this;
    }
    double const one = double{weight}, sum = plain_ + one;
    bool const exact = sum - plain_ == one && sum - one == plain_;
    if (!exact) others_ += plain_;
    plain_ = exact ? sum : one;
    return *this;
  }
  WeightSum& operator+=(WeightSum const& other) {
    ones_ += other.ones_;
    others_ += other.others_;
    others_ += other.plain_;
    return *this;
  }
  friend WeightSum operator+(WeightSum a, WeightSum const& b) { return a += b; }
  double Value() const {
    ExactSum sum = others_;
    sum += plain_;
    sum += static_cast<double>(ones_);
    return sum.Value();
  }

 private:
  std::uint64_t ones_ = 0;
  double plain_ = 0;  // a sum without an error
  ExactSum others_;
};

/// The weights of rows by kind: `add(row, sums)` adds a row's to some of `count` sums.
template <class Add>
SumArray<WeightSum> SumWeights(Context const& ctx, std::size_t rows, std::size_t count, Add&& add) {
  return ReduceRows(ctx, rows, SumArray<WeightSum>(count),
                    [&](std::size_t begin, std::size_t end, SumArray<WeightSum>* sums) {
                      for (std::size_t i = begin; i < end; ++i) add(i, sums->data());
                    });
}

}  // namespace xgbl
