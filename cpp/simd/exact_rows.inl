// SPDX-License-Identifier: Apache-2.0
// Derivatives as integers of a fine grid, beside what histograms have of them. Included by kernels.inl, once per
// instruction set.

// The bits of magnitudes are ordered as these are; of integers compilers find the largest in vectors.
XGBL_ALWAYS_INLINE std::int64_t Larger(std::int64_t bits, double value) {
  auto const own = static_cast<std::int64_t>(ToBits(value) & ~(std::uint64_t{1} << 63U));
  return own > bits ? own : bits;
}

// What histograms have of a row: both halves of one integer, or two integers.
struct NarrowRows {
  std::int32_t const* pairs;
  std::int32_t Gradient(std::size_t i) const { return pairs[i] >> 16; }
  std::int32_t Hessian(std::size_t i) const { return pairs[i] & 0xFFFF; }
};
struct WideRows {
  std::int32_t const* pairs;
  std::int32_t Gradient(std::size_t i) const { return pairs[2 * i]; }
  std::int32_t Hessian(std::size_t i) const { return pairs[2 * i + 1]; }
};

// `kStride` 0: that of the task.
template <std::size_t kStride, class Coarse>
inline ExactRowSums ExactRowsBeside(ExactRowTask const& task, Coarse coarse, std::size_t begin, std::size_t end) {
  float const* const gradients = task.gradient;
  float const* const hessians = task.hessian;
  std::size_t const stride = kStride == 0 ? task.stride : kStride;
  double const gradient_factor = task.gradient_factor, hessian_factor = task.hessian_factor;
  double const gradient_unit = task.coarse_gradient_unit, hessian_unit = task.coarse_hessian_unit;
  constexpr double kNoHessian = 1e-250;  // the ratio of any gradient to it is as good as infinite
  std::int64_t* const rows = task.rows;
  std::int64_t gradient_sum = 0, hessian_sum = 0;
  std::int64_t gradient_off = 0, hessian_off = 0, ratio = 0;
  XGBL_INDEPENDENT
  for (std::size_t i = begin; i < end; ++i) {
    auto const g = static_cast<double>(gradients[i * stride]), h = static_cast<double>(hessians[i * stride]);
    std::int64_t const gradient = NearestInteger(g * gradient_factor), nearest = NearestInteger(h * hessian_factor);
    std::int64_t const hessian = nearest + (((nearest == 0) & (h > 0)) ? 1 : 0);
    rows[2 * i] = gradient;
    rows[2 * i + 1] = hessian;
    gradient_sum += gradient;
    hessian_sum += hessian;
    auto const exact_g = static_cast<double>(gradient), exact_h = static_cast<double>(hessian);
    double const off_g = static_cast<double>(coarse.Gradient(i)) * gradient_unit - exact_g;
    double const off_h = static_cast<double>(coarse.Hessian(i)) * hessian_unit - exact_h;
    gradient_off = Larger(gradient_off, off_g);
    hessian_off = Larger(hessian_off, off_h);
    ratio = Larger(ratio, exact_g / (hessian > 0 ? exact_h : kNoHessian));
  }
  ExactRowSums out;
  out.gradient = gradient_sum;
  out.hessian = hessian_sum;
  out.gradient_error = FromBits<double>(static_cast<std::uint64_t>(gradient_off));
  out.hessian_error = FromBits<double>(static_cast<std::uint64_t>(hessian_off));
  out.most_ratio = FromBits<double>(static_cast<std::uint64_t>(ratio));
  return out;
}

template <class Coarse>
inline ExactRowSums ExactRowsOf(ExactRowTask const& task, Coarse coarse, std::size_t begin, std::size_t end) {
  return task.stride == 1 ? ExactRowsBeside<1>(task, coarse, begin, end) : ExactRowsBeside<0>(task, coarse, begin, end);
}

inline ExactRowSums MakeExactRows(ExactRowTask const& task, std::size_t begin, std::size_t end) {
  return task.coarse_is_wide ? ExactRowsOf(task, WideRows{task.coarse}, begin, end)
                             : ExactRowsOf(task, NarrowRows{task.coarse}, begin, end);
}
