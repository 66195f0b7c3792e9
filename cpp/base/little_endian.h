// SPDX-License-Identifier: Apache-2.0
// Numbers as bytes in files, lowest byte first on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace xgbl {

template <class T>
using BitsOf =
    std::conditional_t<sizeof(T) == 8, std::uint64_t, std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint8_t>>;

// On most machines the compiler makes a plain copy of both.
template <class T>
void EncodeLittle(T value, char* to) {
  BitsOf<T> bits;
  std::memcpy(&bits, &value, sizeof(T));
  for (std::size_t i = 0; i < sizeof(T); ++i) to[i] = static_cast<char>(bits >> (8 * i) & 0xFFU);
}

template <class T>
T DecodeLittle(char const* from) {
  BitsOf<T> bits = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    bits = static_cast<BitsOf<T>>(bits | static_cast<BitsOf<T>>(static_cast<unsigned char>(from[i])) << (8 * i));
  }
  T value;
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

}  // namespace xgbl
