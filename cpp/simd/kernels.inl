// SPDX-License-Identifier: Apache-2.0
// The kernels, compiled once per instruction set into a namespace each (see kernels.cc). A new kernel is a member of
// Kernels in kernels.h, a function here, and its name in kTable, in the order of the members.
#include "base/math_functions.inl"
#include "simd/bin_bounds.inl"
#include "simd/bin_search.inl"
#include "simd/bit_planes.inl"
#include "simd/byte_heaps.inl"
#include "simd/code_rows.inl"
#include "simd/exact_rows.inl"
#include "simd/lane_bins.inl"
#include "simd/pack_gradients.inl"
#include "simd/pick_leaves.inl"
#include "simd/plane_trees.inl"
#include "simd/rank_pairs.inl"
#include "simd/ranks.inl"
#include "simd/shap.inl"
#include "simd/sign_sums.inl"
#include "simd/softmax.inl"
#include "simd/split_gains.inl"
#include "simd/split_rows.inl"

inline void SigmoidOf(float const* x, float* out, std::size_t n) {
  XGBL_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) out[i] = Sigmoid(x[i]);
}

inline void ExpOf(float const* x, float* out, std::size_t n) {
  XGBL_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) out[i] = Exp(x[i]);
}

inline void LogOf(float const* x, float* out, std::size_t n) {
  XGBL_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) out[i] = Log(x[i]);
}

constexpr Kernels kTable = {
    SigmoidOf, ExpOf,     LogOf,    BinsOf,       PackGradients, MakeExactRows, SplitRows,  AddLanes,         AddGains,
    SumSigns,  BinBounds, AnyBeats, PrefixPacked, PrefixWide,    FirstMaximum,  SoftmaxOf,  SoftmaxGradients, AddPairs,
    RanksOf,   AddShap,   CodeRows, AddCodeSet,   CompareCell,   AddTrees,      FindLeaves, CodeRow,          AddHeaps};
