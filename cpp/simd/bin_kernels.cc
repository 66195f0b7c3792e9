// SPDX-License-Identifier: Apache-2.0
#include "simd/bin_kernels.h"

#define XGBL_KERNELS BinKernels
#define XGBL_SOURCE "simd/bin_kernels.inl"
#include "simd/each_level.inl"
