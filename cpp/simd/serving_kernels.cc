// SPDX-License-Identifier: Apache-2.0
#include "simd/serving_kernels.h"

#define XGBL_KERNELS ServingKernels
#define XGBL_HAS_VBMI
#define XGBL_SOURCE "simd/serving_kernels.inl"
#include "simd/each_level.inl"

namespace xgbl {

void FillEdgeTable(float const* edges, std::size_t count, float* table) {
  // NaN stands for what is not there: no value lies above it.
  auto const edge = [&](std::size_t at) { return at < count ? edges[at] : std::numeric_limits<float>::quiet_NaN(); };
  bool const few = count <= kFewEdges;
  std::size_t const group = few ? 1 : 16;
  for (std::size_t lane = 0; lane < 16; ++lane) {
    for (std::size_t k = 0; k < 4; ++k) table[k * 16 + lane] = edge((group << k) - 1 + lane * group);
    for (std::size_t j = 0; !few && j < 15; ++j) table[(4 + j) * 16 + lane] = edge(j + lane * 16);
  }
}

}  // namespace xgbl
