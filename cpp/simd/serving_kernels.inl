// SPDX-License-Identifier: Apache-2.0
#include "simd/byte_trees.inl"

#if XGBL_LEVEL < 3

#include "simd/bin_search.inl"
#include "simd/code_rows.inl"
#include "simd/plane_trees.inl"

constexpr ServingKernels kTable = {CodeRows, AddCodeSet, CompareCell, AddPlaneTrees, FindLeaves, CodeRow, AddByteTrees};

#else

constexpr ServingKernels WithByteTrees(ServingKernels kernels) {
  kernels.add_byte_trees = AddByteTrees;
  return kernels;
}
constexpr ServingKernels kTable = WithByteTrees(avx512::kTable);

#endif
