// SPDX-License-Identifier: Apache-2.0
#include "simd/ranking_kernels.h"

#define XGBL_KERNELS RankingKernels
#define XGBL_SOURCE "simd/ranking_kernels.inl"
#include "simd/each_level.inl"
