// SPDX-License-Identifier: Apache-2.0
#include "simd/histogram_kernels.h"

#define XGBL_KERNELS HistogramKernels
#define XGBL_SOURCE "simd/histogram_kernels.inl"
#include "simd/each_level.inl"
