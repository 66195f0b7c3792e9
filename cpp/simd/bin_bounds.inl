// SPDX-License-Identifier: Apache-2.0
// What splits within a bin may score: a bound before its rows are looked at, and whether some of its places may win
// once they are. Included by kernels.inl, once per instruction set.
//
// The left sums of a split within a bin lie in a hexagon: two of its corners are the sums below and above the bin; at
// the largest and at the least gradient the hessian is at least what the gradients that were taken need, and at most
// what those that were left allow. Errors make it larger, and the least hessian of a side cuts off what is outside of a
// strip, which moves a corner that is there along the two edges that meet in it. The score is convex: the corners
// bound it.

// The best of a few scores, as a fraction: one division for all of them.
struct ScoreBound {
  double total, node, lambda, alpha;
  double above = -1, below = 1;

  XGBL_ALWAYS_INLINE static double Shrink(double gradient, double alpha) {
    double const size = (gradient < 0 ? -gradient : gradient) - alpha;
    return size > 0 ? size : 0;
  }
  XGBL_ALWAYS_INLINE void Add(double gradient, double hessian) {
    double const left = Shrink(gradient, alpha), right = Shrink(node - gradient, alpha);
    double const left_h = hessian + lambda, right_h = total - hessian + lambda;
    double const score = left * left * right_h + right * right * left_h, both = left_h * right_h;
    bool const better = score * below > above * both;
    above = better ? score : above;
    below = better ? both : below;
  }
};

inline double Least(double a, double b) { return a < b ? a : b; }
inline double Most(double a, double b) { return a > b ? a : b; }

inline void BinBounds(BoundTask const& task) {
  double const ratio = task.most_ratio, slope = 1 / ratio, least = task.least_hessian, most = task.hessian - least;
  double const row_g = task.gradient_error, row_h = task.hessian_error + slope * row_g;
  double const node = task.gradient, total = task.hessian, lambda = task.lambda, alpha = task.alpha;
  double const* const left_gradient = task.left_gradient;
  double const* const left_hessian = task.left_hessian;
  double const* const rises = task.rise;
  double const* const error_rows = task.error_rows;
  double* const bound = task.bound;
  XGBL_INDEPENDENT
  for (std::size_t i = 0; i < task.count; ++i) {
    double const error_g = error_rows[i] * row_g, error_h = error_rows[i] * row_h;
    double const g = left_gradient[i], next_g = left_gradient[i + 1];
    double const h = left_hessian[i] - error_h, next_h = left_hessian[i + 1] + error_h;
    double const rise = rises[i], fall = rise - (next_g - g);
    double const top = g + rise + error_g, bottom = g - fall - error_g;
    double const under = error_g + Most(least - h, 0) * ratio, over = error_g + Most(next_h - most, 0) * ratio;
    double const low = Most(h, least), high = Least(next_h, most);
    ScoreBound score{total, node, lambda, alpha};
    score.Add(top, Least(Most(h + rise * slope, low), high));
    score.Add(top, Most(Least(next_h - fall * slope, high), low));
    score.Add(bottom, Least(Most(h + fall * slope, low), high));
    score.Add(bottom, Most(Least(next_h - rise * slope, high), low));
    score.Add(Least(g + under, top), low);
    score.Add(Most(g - under, bottom), low);
    score.Add(Least(next_g + over, top), high);
    score.Add(Most(next_g - over, bottom), high);
    double const largest = low <= high ? score.above / score.below : -1;
    bound[i] = largest > bound[i] ? largest : bound[i];
  }
}

// Whether left sums that are known up to errors may belong to a split that scores above the bar. The score is
// multiplied out, so that nothing is divided; errors count in favour of both sides.
inline bool AnyBeats(BeatTask const& task) {
  double const node = task.gradient, all = task.hessian, least = task.least_hessian, bar = task.bar;
  double const lambda = task.lambda, error_g = task.gradient_error - task.alpha, error_h = task.hessian_error;
  double const first_g = task.gradient_shift, first_h = task.hessian_shift;
  double const* const left_gradient = task.left_gradient;
  double const* const left_hessian = task.left_hessian;
  std::uint64_t beats = 0;
  XGBL_INDEPENDENT
  for (std::size_t i = 0; i < task.count; ++i) {
    double const gradient = first_g + left_gradient[i], hessian = first_h + left_hessian[i], rest = node - gradient;
    double const left_g = Most((gradient < 0 ? -gradient : gradient) + error_g, 0);
    double const right_g = Most((rest < 0 ? -rest : rest) + error_g, 0);
    double const left_h = Most(hessian - error_h, least) + lambda;
    double const right_h = Most(all - hessian - error_h, least) + lambda;
    double const score = left_g * left_g * right_h + right_g * right_g * left_h;
    beats |= score > bar * (left_h * right_h) ? std::uint64_t{1} : std::uint64_t{0};
  }
  return beats != 0;
}
