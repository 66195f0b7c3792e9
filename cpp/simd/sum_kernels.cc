// SPDX-License-Identifier: Apache-2.0
#include "simd/sum_kernels.h"

#define XGBL_KERNELS SumKernels
#define XGBL_SOURCE "simd/sum_kernels.inl"
#include "simd/each_level.inl"
