// SPDX-License-Identifier: Apache-2.0
#include "simd/bin_search.inl"

constexpr BinKernels kTable = {BinsOf};
