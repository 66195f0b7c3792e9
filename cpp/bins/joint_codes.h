// SPDX-License-Identifier: Apache-2.0
// Joins columns of few codes into columns of one byte, whose codes number the combinations that occur. One update of a
// histogram then serves all of them: flags, indicators, small counts and whatever depends on one another. Columns are
// taken in their order; each goes to the open group where it makes the fewest new combinations, judged by a sample of
// the rows and counted in all of them. The same for any number of threads.
// Takes O(rows) a column and group that is tried, and a byte a row and group of several columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "parallel/buffer.h"

namespace xgbl {

/// A code below `codes` of each row.
struct CodedColumn {
  std::uint8_t const* code = nullptr;
  std::uint32_t codes = 0;
};

struct JointColumn {
  std::vector<std::uint32_t> columns;  // rising, no more than 256
  std::uint32_t codes = 0;
  Buffer<std::uint8_t> code;          // by row
  std::vector<std::uint8_t> code_of;  // of the columns, one after the other, for each joint code
};

/// The most codes of a column that is joined with others.
constexpr std::uint32_t kMostJoinedCodes = 64;
/// With fewer columns a code saves less than it takes to look it up where rows are split.
constexpr std::size_t kFewestJoined = 4;

/// What could be joined; columns that are best alone are in none. Those that are must outlive it.
std::vector<JointColumn> JoinColumns(Span<CodedColumn const> columns, std::size_t rows, Context const& ctx);

}  // namespace xgbl
