// SPDX-License-Identifier: Apache-2.0
// The walk that adds up Shapley values, for a block of rows and up to four points of quadrature at once: all loops are
// over the rows, and the points are written out. Each row is computed as if alone.

// Constants stand point by point for rows that go left, then for those that go right, then for those that an earlier
// split on the same feature kept from coming along. They are copied, as vector code chooses between values in
// registers.
template <std::size_t kPoints>
struct ShapConstants {
  double left[kPoints], right[kPoints], dead[kPoints];

  explicit ShapConstants(double const* from) {
    for (std::size_t point = 0; point < kPoints; ++point) {
      left[point] = from[point];
      right[point] = from[kPoints + point];
      dead[point] = from[2 * kPoints + point];
    }
  }
};

template <bool kRepeats, std::size_t kPoint, std::size_t kPoints>
inline double ShapChoice(ShapConstants<kPoints> const& constants, bool left, bool alive) {
  double const choice = left ? constants.left[kPoint] : constants.right[kPoint];
  if constexpr (kRepeats) return alive ? choice : constants.dead[kPoint];
  static_cast<void>(alive);
  return choice;
}

// What rows know at a node.
struct ShapNode {
  float const* x;
  double const* alive;
  double threshold;
  double const* constants;

  ShapNode(ShapTask const& task, ShapStep const& step)
      : x(task.cells + step.cell * ShapTask::kRows),
        alive(task.inside + step.alive * ShapTask::kRows),
        threshold(static_cast<double>(step.threshold)),
        constants(task.constants + step.constants * task.points) {}
  bool Left(std::size_t row) const { return static_cast<double>(x[row]) < threshold; }
  template <bool kRepeats>
  bool Alive(std::size_t row) const {
    if constexpr (kRepeats) return alive[row] != 0;
    static_cast<void>(row);
    return true;
  }
};

template <bool kRepeats, std::size_t... kPoint>
inline void ShapDown(ShapTask const& task, ShapStep const& step, std::index_sequence<kPoint...>) {
  constexpr std::size_t kRows = ShapTask::kRows, kPoints = sizeof...(kPoint);
  ShapNode const node(task, step);
  ShapConstants<kPoints> const constants(node.constants);
  double const* const from = task.before + step.level * kPoints * kRows;
  double* const to = task.before + (step.level + 1) * kPoints * kRows;
  XGBL_INDEPENDENT
  for (std::size_t row = 0; row < kRows; ++row) {
    bool const left = node.Left(row), alive = node.Alive<kRepeats>(row);
    ((to[kPoint * kRows + row] = from[kPoint * kRows + row] * ShapChoice<kRepeats, kPoint>(constants, left, alive)),
     ...);
  }
  if (!step.remembers) return;
  double* const inside = task.inside + (step.level + 1) * kRows;
  // Products, as a choice between a load and a constant would become a branch.
  double const if_left = step.left ? 1 : 0, if_right = step.left ? 0 : 1;
  XGBL_INDEPENDENT
  for (std::size_t row = 0; row < kRows; ++row) inside[row] = node.alive[row] * (node.Left(row) ? if_left : if_right);
}

// What the edge to a child is worth to its feature, apart from the leaves.
template <bool kRepeats, std::size_t... kPoint>
inline void ShapShare(ShapTask const& task, ShapStep const& step, std::index_sequence<kPoint...>) {
  constexpr std::size_t kRows = ShapTask::kRows, kPoints = sizeof...(kPoint);
  ShapNode const node(task, step);
  double const along[] = {node.constants[3 * kPoints + kPoint]...};
  double const outside[] = {node.constants[4 * kPoints + kPoint]...};
  double* const shares = task.shares + (step.level + 1) * kPoints * kRows;
  bool const side = step.left;
  XGBL_INDEPENDENT
  for (std::size_t row = 0; row < kRows; ++row) {
    bool const same = node.Left(row) == side, alive = node.Alive<kRepeats>(row);
    ((shares[kPoint * kRows + row] = same ? (alive ? along[kPoint] : outside[kPoint]) : outside[kPoint]), ...);
  }
}

// What a child, or the leaves, add to the sum over the node and to the feature. The constants of leaves are those of
// their sums, then those of the feature.
template <bool kRepeats, bool kPairs, bool kFirst, bool kLeaves, std::size_t... kPoint>
inline void ShapUp(ShapTask const& task, ShapStep const& step, std::index_sequence<kPoint...>) {
  constexpr std::size_t kRows = ShapTask::kRows, kPoints = sizeof...(kPoint);
  ShapNode const node(task, step);
  ShapConstants<kPoints> const constants(node.constants), gains(node.constants + (kLeaves ? 3 * kPoints : 0));
  std::size_t const level = step.level * kPoints * kRows;
  double const* const from = kLeaves ? task.before + level : task.below + level + kPoints * kRows;
  double* const sum = task.below + level;
  double* const feature = task.sums + step.feature * kRows;
  double* const terms = task.terms;
  XGBL_INDEPENDENT
  for (std::size_t row = 0; row < kRows; ++row) {
    bool const left = node.Left(row), alive = node.Alive<kRepeats>(row);
    double const term[] = {(from[kPoint * kRows + row] * ShapChoice<kRepeats, kPoint>(gains, left, alive))...};
    double const value[] = {(kLeaves ? from[kPoint * kRows + row] * ShapChoice<kRepeats, kPoint>(constants, left, alive)
                                     : from[kPoint * kRows + row])...};
    feature[row] += (... + term[kPoint]);
    if constexpr (kPairs) ((terms[kPoint * kRows + row] = term[kPoint]), ...);
    ((sum[kPoint * kRows + row] = kFirst ? value[kPoint] : sum[kPoint * kRows + row] + value[kPoint]), ...);
  }
}

template <std::size_t... kPoint>
inline void ShapPairs(ShapTask const& task, ShapStep const& step, std::index_sequence<kPoint...>) {
  constexpr std::size_t kRows = ShapTask::kRows, kPoints = sizeof...(kPoint);
  double const* const terms = task.terms;
  for (std::uint32_t i = step.pair_begin; i < step.pair_end; ++i) {
    double const* const shares = task.shares + task.pairs[i].level * kPoints * kRows;
    double* const sums = task.pair_sums + task.pairs[i].slot * kRows;
    XGBL_INDEPENDENT
    for (std::size_t row = 0; row < kRows; ++row) {
      sums[row] += (... + (terms[kPoint * kRows + row] * shares[kPoint * kRows + row]));
    }
  }
}

template <bool kRepeats, bool kPairs, class Points>
inline void ShapStepOf(ShapTask const& task, ShapStep const& step, Points points) {
  if (step.kind == ShapStep::Kind::kDown) {
    ShapDown<kRepeats>(task, step, points);
    if constexpr (kPairs) ShapShare<kRepeats>(task, step, points);
    return;
  }
  if (step.kind == ShapStep::Kind::kUp) {
    step.first ? ShapUp<kRepeats, kPairs, true, false>(task, step, points)
               : ShapUp<kRepeats, kPairs, false, false>(task, step, points);
  } else {
    step.first ? ShapUp<kRepeats, kPairs, true, true>(task, step, points)
               : ShapUp<kRepeats, kPairs, false, true>(task, step, points);
  }
  if constexpr (kPairs) ShapPairs(task, step, points);
}

template <bool kPairs, std::size_t kPoints>
inline void ShapWalk(ShapTask const& task) {
  constexpr auto kSequence = std::make_index_sequence<kPoints>();
  for (std::size_t i = 0; i < task.count; ++i) {
    ShapStep const& step = task.steps[i];
    step.alive != 0 ? ShapStepOf<true, kPairs>(task, step, kSequence)
                    : ShapStepOf<false, kPairs>(task, step, kSequence);
  }
}

template <bool kPairs>
inline void ShapWalkWith(ShapTask const& task) {
  static_assert(ShapTask::kMostPoints == 4, "one case for each number of points");
  if (task.points == 1) return ShapWalk<kPairs, 1>(task);
  if (task.points == 2) return ShapWalk<kPairs, 2>(task);
  task.points == 3 ? ShapWalk<kPairs, 3>(task) : ShapWalk<kPairs, 4>(task);
}

inline void AddShap(ShapTask const& task) {
  task.pairs != nullptr ? ShapWalkWith<true>(task) : ShapWalkWith<false>(task);
}

constexpr ShapKernels kTable = {AddShap};
