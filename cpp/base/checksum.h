// SPDX-License-Identifier: Apache-2.0
// A 64-bit checksum that detects damaged files. It does not protect against intent. It depends on the bytes alone, not
// on how they are split into pieces. Eight bytes at a time go through an invertible function, so damage to a single
// such word is always detected, and any other damage is missed once in 2^64. Runs at a few bytes per nanosecond.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "base/random.h"

namespace xgbl {

// Numbers as bytes in files, lowest byte first on every machine.

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

class Checksum {
 public:
  void Add(char const* bytes, std::size_t size) {
    if (std::size_t const begun = size_ % kWord; begun != 0) {
      std::size_t const more = std::min(size, kWord - begun);
      std::copy_n(bytes, more, word_.data() + begun);
      size_ += more;
      if (size_ % kWord != 0) return;
      hash_ = Mix(hash_ ^ DecodeLittle<std::uint64_t>(word_.data()));
      bytes += more;
      size -= more;
    }
    std::size_t const whole = size / kWord * kWord;
    for (std::size_t i = 0; i < whole; i += kWord) hash_ = Mix(hash_ ^ DecodeLittle<std::uint64_t>(bytes + i));
    std::copy_n(bytes + whole, size - whole, word_.data());
    size_ += size;
  }

  std::uint64_t Value() const {
    auto rest = word_;
    std::fill(rest.begin() + static_cast<std::ptrdiff_t>(size_ % kWord), rest.end(), '\0');
    return Mix(Mix(hash_ ^ DecodeLittle<std::uint64_t>(rest.data())) ^ size_);
  }

 private:
  static constexpr std::size_t kWord = 8;

  std::uint64_t hash_ = 0;
  std::uint64_t size_ = 0;          // of all bytes
  std::array<char, kWord> word_{};  // that has begun
};

}  // namespace xgbl
