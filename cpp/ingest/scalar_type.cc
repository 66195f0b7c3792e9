// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstring>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/error.h"
#include "ingest/arrays.h"

namespace xgbl {
namespace {

struct Half {
  std::uint16_t bits;
};

struct Bool {
  std::uint8_t byte;
};

template <class T>
float FloatOf(T value) {
  return static_cast<float>(value);
}

float FloatOf(Bool value) { return value.byte != 0 ? 1.0F : 0.0F; }

// IEEE 754 binary16. Multiplying by 2^112 moves the exponent's bias from 15 to 127 and is exact, subnormals included.
float FloatOf(Half value) {
  std::uint32_t const magnitude = static_cast<std::uint32_t>(value.bits & 0x7FFFU) << 13U;
  std::uint32_t const sign = static_cast<std::uint32_t>(value.bits & 0x8000U) << 16U;
  float number = 0;
  std::memcpy(&number, &magnitude, sizeof(number));
  number *= 0x1p112F;
  std::uint32_t bits = 0;
  std::memcpy(&bits, &number, sizeof(bits));
  if (magnitude >= 0x0F800000U) bits = magnitude | 0x7F800000U;  // infinity and NaN
  bits |= sign;
  std::memcpy(&number, &bits, sizeof(number));
  return number;
}

template <class T>
T Load(char const* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

template <class T>
void Convert(char const* from, std::ptrdiff_t stride, std::size_t count, float* to) {
  if (stride == static_cast<std::ptrdiff_t>(sizeof(T))) {  // apart, so that it is vectorised
    for (std::size_t i = 0; i < count; ++i) to[i] = FloatOf(Load<T>(from + i * sizeof(T)));
  } else {
    for (std::size_t i = 0; i < count; ++i) to[i] = FloatOf(Load<T>(from + static_cast<std::ptrdiff_t>(i) * stride));
  }
}

// A value of each type, in the order of ScalarType.
using Scalar = std::variant<Bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                            std::uint32_t, std::uint64_t, Half, float, double>;

template <std::size_t... kTypes>
constexpr std::array<Scalar, sizeof...(kTypes)> OneOfEach(std::index_sequence<kTypes...>) {
  return {Scalar(std::in_place_index<kTypes>)...};
}

// Calls `visit` with a value of the type that stands for `type`.
template <class Visit>
auto WithType(ScalarType type, Visit&& visit) {
  static constexpr auto kScalars = OneOfEach(std::make_index_sequence<std::variant_size_v<Scalar>>());
  return std::visit(visit, kScalars.at(static_cast<std::size_t>(type)));
}

template <class T>
bool ConvertIndices(char const* from, std::uint64_t limit, Span<std::uint64_t> to) {
  bool good = true;
  for (std::size_t i = 0; i < to.size(); ++i) {
    // A negative one becomes a huge one.
    auto const index = static_cast<std::uint64_t>(static_cast<std::int64_t>(Load<T>(from + i * sizeof(T))));
    good &= index < limit;
    to[i] = index;
  }
  return good;
}

}  // namespace

std::size_t SizeOf(ScalarType type) {
  return WithType(type, [](auto value) { return sizeof(value); });
}

void ToFloat(ScalarType type, void const* from, std::ptrdiff_t stride, std::size_t count, float* to) {
  WithType(type, [&](auto value) { Convert<decltype(value)>(static_cast<char const*>(from), stride, count, to); });
}

void ToFloat(ScalarArray const& array, std::size_t first, Span<float> to) {
  std::size_t const size = SizeOf(array.type);
  ToFloat(array.type, static_cast<char const*>(array.data) + first * size, static_cast<std::ptrdiff_t>(size), to.size(),
          to.data());
}

bool ToIndex(ScalarArray const& array, std::size_t first, std::uint64_t limit, Span<std::uint64_t> to) {
  return WithType(array.type, [&](auto value) {
    using T = decltype(value);
    if constexpr (std::is_integral_v<T>) {
      return ConvertIndices<T>(static_cast<char const*>(array.data) + first * sizeof(T), limit, to);
    } else {
      throw DataError("Indices of sparse data must be integers.");
      return false;
    }
  });
}

}  // namespace xgbl
