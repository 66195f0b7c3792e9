// SPDX-License-Identifier: Apache-2.0
// Derivatives of losses over cells (row, target, level) that do not fit Elementwise, computed in parallel over rows. A
// NaN label is an unknown target and gets derivatives of 0.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>

#include "labels/row_weights.h"
#include "objective/label_checks.h"
#include "objective/objective.h"
#include "parallel/parallel_for.h"

namespace xgbl {

struct CellDerivatives {
  float gradient;
  float hessian;
};

struct Cell {
  std::size_t output;  // target * levels + level
  float margin;
  float label;
  float weight;
};

/// Fills `out` with `derive(cell)`, where each label has `levels` outputs. `name` is the objective that messages name.
template <class Derive>
void FillCells(std::string const& name, GradientTask const& task, std::size_t levels, Derive const& derive,
               Gradients* out) {
  constexpr std::size_t kRowBlock = 4096;
  auto const margins = task.margins;
  CheckCells(name, margins, task.meta, levels);
  auto const labels = task.meta.labels.View();
  RowWeights const weights(task.meta, margins.rows(), name);
  out->Resize(margins.rows(), margins.columns());
  auto const gradient = out->gradient.View(), hessian = out->hessian.View();
  ParallelBlocks(task.ctx, margins.rows(), kRowBlock, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t k = 0; k < margins.columns(); ++k) {
        float const label = labels(i, levels == 1 ? k : k / levels);
        CellDerivatives const known = derive(Cell{k, margins(i, k), label, weights[i]});
        CellDerivatives const own = std::isnan(label) ? CellDerivatives{0, 0} : known;
        gradient(i, k) = own.gradient;
        hessian(i, k) = own.hessian;
      }
    }
  });
}

}  // namespace xgbl
