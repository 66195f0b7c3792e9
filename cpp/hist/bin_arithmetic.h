// SPDX-License-Identifier: Apache-2.0
// Sums and differences of whole histograms, bin by bin. A packed bin is one integer, (gradient << 32) + hessian; a wide
// one is two: gradient, hessian. Packed bins and the words of wide ones are added and subtracted as plain integers.
// Overflow in between does not matter, because the results fit. Ranges do not overlap.
#pragma once

#include <cstddef>
#include <cstdint>

namespace xgbl {

/// sum += part, then part = 0.
void FlushWords(std::int64_t* part, std::size_t words, std::int64_t* sum);
/// The same, from packed bins to wide ones.
void FlushPackedToWide(std::int64_t* part, std::size_t bins, std::int64_t* sum);

/// wide += packed, one of several sums that take turns in memory: each is `stride` from the one before.
void AddLaneToWide(std::int64_t const* packed, std::size_t stride, std::size_t bins, std::int64_t* wide);

/// from -= what.
void SubtractWords(std::int64_t* from, std::int64_t const* what, std::size_t words);
/// wide -= packed.
void SubtractPackedFromWide(std::int64_t* wide, std::int64_t const* packed, std::size_t bins);

/// packed = wide - what; the difference must fit.
void PackWideMinusPacked(std::int64_t const* wide, std::int64_t const* what, std::size_t bins, std::int64_t* packed);

}  // namespace xgbl
