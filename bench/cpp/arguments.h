// SPDX-License-Identifier: Apache-2.0
// The arguments of a bench by name: `auto const [rows, threads] = ArgumentsOf<2>(state);`, in the order of ArgNames().
#pragma once

#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace xgbl {

template <std::size_t Count>
std::array<std::int64_t, Count> ArgumentsOf(benchmark::State const& state) {
  std::array<std::int64_t, Count> arguments{};
  for (std::size_t i = 0; i < Count; ++i) arguments[i] = state.range(i);
  return arguments;
}

}  // namespace xgbl
