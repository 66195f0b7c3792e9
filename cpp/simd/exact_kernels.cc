// SPDX-License-Identifier: Apache-2.0
#include "simd/exact_kernels.h"

#define XGBL_KERNELS ExactKernels
#define XGBL_SOURCE "simd/exact_kernels.inl"
#include "simd/each_level.inl"
