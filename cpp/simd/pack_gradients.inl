// SPDX-License-Identifier: Apache-2.0
// Quantised gradients. Included by kernels.inl, once per instruction set.
//
// A derivative is brought to fixed point with 16 (gradient) or 15 (hessian) bits behind the point, so many random bits
// are added, and what is behind the point is dropped: it is rounded up with a probability equal to its fraction. The
// random bits are a hash of key and row (two rounds of xor-shift and multiply, constants of C. Wellons's "lowbias32").
// Halves in their place round to nearest.

inline std::uint32_t RandomBits(std::uint64_t key, std::uint32_t row) {
  std::uint32_t x = row ^ static_cast<std::uint32_t>(key);
  x = (x ^ (x >> 16U)) * 0x7FEB352DU + static_cast<std::uint32_t>(key >> 32U);
  x = (x ^ (x >> 15U)) * 0x846CA68BU;
  return x ^ (x >> 16U);
}

// `kStride` 0: that of the task.
template <bool kNearest, bool kOneHessian, std::size_t kStride>
inline void PackRows(PackTask const& task, std::uint32_t begin, std::uint32_t end) {
  constexpr double kGradientPoint = 0x1p16, kHessianPoint = 0x1p15;
  constexpr std::uint32_t kHalves = 0x80004000U;
  float const* const gradient = task.gradient;
  float const* const hessian = task.hessian;
  std::int32_t* const packed = task.packed;
  std::size_t const stride = kStride == 0 ? task.stride : kStride;
  double const gradient_factor = task.gradient_factor * kGradientPoint;
  double const hessian_factor = task.hessian_factor * kHessianPoint;
  std::uint64_t const key = task.key;
  XGBL_INDEPENDENT
  for (std::uint32_t i = begin; i < end; ++i) {
    std::uint32_t const random = kNearest ? kHalves : RandomBits(key, i);
    auto const g = static_cast<std::int32_t>(static_cast<double>(gradient[i * stride]) * gradient_factor);
    std::uint32_t const upper = (static_cast<std::uint32_t>(g) + (random >> 16U)) & 0xFFFF0000U;
    std::uint32_t lower = 1;
    if (!kOneHessian) {
      auto const h = static_cast<std::int32_t>(static_cast<double>(hessian[i * stride]) * hessian_factor);
      lower = (static_cast<std::uint32_t>(h) + (random & 0x7FFFU)) >> 15U;
    }
    packed[i] = static_cast<std::int32_t>(upper | lower);
  }
}

template <bool kNearest, bool kOneHessian>
inline void PackRowsOf(PackTask const& task, std::uint32_t begin, std::uint32_t end) {
  return task.stride == 1 ? PackRows<kNearest, kOneHessian, 1>(task, begin, end)
                          : PackRows<kNearest, kOneHessian, 0>(task, begin, end);
}

template <bool kNearest>
inline void PackRowsBy(PackTask const& task, std::uint32_t begin, std::uint32_t end) {
  return task.hessian == nullptr ? PackRowsOf<kNearest, true>(task, begin, end)
                                 : PackRowsOf<kNearest, false>(task, begin, end);
}

inline void PackGradients(PackTask const& task, std::size_t begin, std::size_t end) {
  auto const first = static_cast<std::uint32_t>(begin), last = static_cast<std::uint32_t>(end);
  return task.nearest ? PackRowsBy<true>(task, first, last) : PackRowsBy<false>(task, first, last);
}
