// SPDX-License-Identifier: Apache-2.0
// A law that must hold for whatever a reader does not refuse; the fuzzer keeps the input that broke it.
#pragma once

#include <cstdlib>
#include <iostream>

inline void Demand(bool holds, char const* law) {
  if (holds) return;
  std::cerr << "broken: " << law << "\n";
  std::abort();
}
