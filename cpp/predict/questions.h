// SPDX-License-Identifier: Apache-2.0
// What a group of trees asks of the codes of a row (code_book.h), each question once, and the planes that answer them
// (simd/serving_tasks.h). Questions on one cell stand together, so its codes are read once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/context.h"
#include "simd/serving_tasks.h"

namespace xgbl {

/// A node goes right where the code in its cell is at least the edge; cells are counted. The lower byte is the edge.
using Question = std::uint32_t;

class Questions {
 public:
  Questions() = default;
  /// Of questions in any order, each once.
  explicit Questions(std::vector<Question> asked);

  std::size_t size() const { return asked_.size(); }
  /// The place of a question that is asked, which its plane has, too.
  std::uint32_t PlaceOf(Question question) const;
  /// Fills size() planes of WordsFor(blocks) words; `codes` are those of the first block.
  void Answer(std::uint8_t const* codes, std::size_t block_bytes, std::size_t blocks, Context const& ctx,
              std::uint64_t* planes) const;

 private:
  struct Cell {
    std::uint32_t cell = 0;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };
  std::vector<Question> asked_;  // rising
  std::vector<std::uint8_t> edges_;
  std::vector<Cell> cells_;
};

}  // namespace xgbl
