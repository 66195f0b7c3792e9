// SPDX-License-Identifier: Apache-2.0
// Which thread does which piece of work, where it matters that a thread continues with what it has in its cache.
// Between cores that share no cache, moving a histogram takes longer than working on it.
#pragma once

#include <cstddef>
#include <vector>

#include "base/span.h"

namespace xgbl {

struct WorkPiece {
  double steps = 0;
  int owner = -1;  // the share that has what it needs; -1: none has
};

/// The pieces of each of `count` shares, rising: as many as can stay with their owners without one share having much
/// more to do than its part. None at all if the pieces are too few or too unlike for that.
std::vector<std::vector<std::size_t>> ShareOut(Span<WorkPiece const> pieces, int count);

}  // namespace xgbl
