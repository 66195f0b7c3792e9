// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "objective/objective.h"

namespace xgbl {

/// The derivatives of an objective, row by row, however it lays them out.
inline Gradients RowByRow(Gradients given) {
  if (!given.by_output) return given;
  Gradients rows;
  rows.Resize(given.gradient.rows, given.gradient.columns);
  for (std::size_t i = 0; i < rows.gradient.values.size(); ++i) {
    std::size_t const from = i % given.gradient.columns * given.gradient.rows + i / given.gradient.columns;
    rows.gradient.values[i] = given.gradient.values[from];
    rows.hessian.values[i] = given.hessian.values[from];
  }
  return rows;
}

}  // namespace xgbl
