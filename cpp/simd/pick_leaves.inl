// SPDX-License-Identifier: Apache-2.0
// Leaves of a tree looked up in registers. Included by kernels.inl, and for the processors that byte_heaps.inl is
// included for once more.

#if XGBL_LEVEL >= 2

template <int kBits>
inline __m512 PickLeaves(float const* leaves, __m512i at) {
  if constexpr (kBits == 5) {
    return _mm512_permutex2var_ps(_mm512_loadu_ps(leaves), at, _mm512_loadu_ps(leaves + 16));
  } else {
    constexpr int kHalf = 1 << (kBits - 1);
    __mmask16 const high = _mm512_test_epi32_mask(at, _mm512_set1_epi32(kHalf));
    return _mm512_mask_blend_ps(high, PickLeaves<kBits - 1>(leaves, at), PickLeaves<kBits - 1>(leaves + kHalf, at));
  }
}

#endif
