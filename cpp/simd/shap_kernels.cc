// SPDX-License-Identifier: Apache-2.0
#include "simd/shap_kernels.h"

#define XGBL_KERNELS ShapKernels
#define XGBL_SOURCE "simd/shap_kernels.inl"
#include "simd/each_level.inl"
