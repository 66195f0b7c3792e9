// SPDX-License-Identifier: Apache-2.0
// Finds category codes in rows that a model does not know from its training. One pass over the categorical columns by
// all threads; the same result for any number of them.
#pragma once

#include <cstddef>
#include <vector>

#include "base/context.h"
#include "model/model.h"
#include "predict/row_source.h"

namespace xgbl {

struct UnseenCodes {
  std::size_t feature = 0;
  std::vector<float> values;  // each once, in the order of their rows
  bool certain = true;        // as in KnownCodes
};

/// Whether the rows have no others. Ends soon after the first one; a few rows are read without further ado.
bool HasKnownCodes(std::vector<KnownCodes> const& known, RowSource const& rows, Context const& ctx);
/// The others, by feature; nothing of features that have none.
std::vector<UnseenCodes> FindUnseenCodes(std::vector<KnownCodes> const& known, RowSource const& rows,
                                         Context const& ctx);

}  // namespace xgbl
