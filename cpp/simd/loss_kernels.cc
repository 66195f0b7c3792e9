// SPDX-License-Identifier: Apache-2.0
#include "simd/loss_kernels.h"

#define XGBL_KERNELS LossKernels
#define XGBL_SOURCE "simd/loss_kernels.inl"
#include "simd/each_level.inl"
