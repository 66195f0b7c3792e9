// SPDX-License-Identifier: Apache-2.0
// Universal Binary JSON, draft 12: every value is a one-byte marker and a big-endian payload. xgboost writes lengths as
// int64 and arrays of numbers with one marker for all; other writers use shorter lengths and plain arrays. Both are
// read.
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/error.h"
#include "model/archive.h"

namespace xgbl {
namespace {

// Marker of the numeric type: UBJSON has no unsigned ones but the byte, so the others travel as their signed twins.
template <class T>
constexpr char MarkerOf() {
  if constexpr (std::is_floating_point_v<T>) {
    return sizeof(T) == 4 ? 'd' : 'D';
  } else if constexpr (sizeof(T) == 1) {
    return std::is_signed_v<T> ? 'i' : 'U';
  } else {
    return sizeof(T) == 2 ? 'I' : (sizeof(T) == 4 ? 'l' : 'L');
  }
}

template <std::size_t kSize>
using BitsOfSize = std::conditional_t<
    kSize == 1, std::uint8_t,
    std::conditional_t<kSize == 2, std::uint16_t, std::conditional_t<kSize == 4, std::uint32_t, std::uint64_t>>>;

template <class T>
void AppendBigEndian(T value, std::string* out) {
  // One NaN for all, as in JSON: the bits that it may carry are nobody's message.
  if constexpr (std::is_floating_point_v<T>) value = std::isnan(value) ? std::numeric_limits<T>::quiet_NaN() : value;
  BitsOfSize<sizeof(T)> bits{};
  std::memcpy(&bits, &value, sizeof(T));
  for (std::size_t i = sizeof(T); i-- > 0;) {
    *out += static_cast<char>(static_cast<unsigned char>(static_cast<std::uint64_t>(bits) >> (8U * i)));
  }
}

template <class T>
T FromBigEndian(char const* bytes) {
  std::uint64_t wide = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) wide = (wide << 8U) | static_cast<unsigned char>(bytes[i]);
  auto const bits = static_cast<BitsOfSize<sizeof(T)>>(wide);
  T value{};
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

bool IsLittleEndian() {
  std::uint16_t const one = 1;
  char low = 0;
  std::memcpy(&low, &one, 1);
  return low == 1;
}

// The same of many, in a form that compilers turn into vector instructions.
template <class T>
void DecodeAll(char const* bytes, std::size_t count, T* to) {
  if constexpr (sizeof(T) == 1) {
    std::memcpy(to, bytes, count);
  } else if constexpr (sizeof(T) == 4) {
    for (std::size_t i = 0; i < count; ++i) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, bytes + i * sizeof(T), sizeof(T));
      if (IsLittleEndian()) bits = bits << 24U | (bits << 8U & 0xFF0000U) | (bits >> 8U & 0xFF00U) | bits >> 24U;
      std::memcpy(to + i, &bits, sizeof(T));
    }
  } else {
    for (std::size_t i = 0; i < count; ++i) to[i] = FromBigEndian<T>(bytes + i * sizeof(T));
  }
}

// The length of the UTF-8 sequence that begins a text; 0 if it is not one. Overlong forms, surrogates and what lies
// beyond U+10FFFF show in the first two bytes.
std::size_t SequenceLength(std::string_view text) {
  auto const byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  unsigned const first = byte(0);
  if (first < 0x80U) return 1;
  std::size_t const length = first < 0xE0U ? 2 : (first < 0xF0U ? 3 : 4);
  unsigned const low = first == 0xE0U ? 0xA0U : (first == 0xF0U ? 0x90U : 0x80U);
  unsigned const high = first == 0xEDU ? 0x9FU : (first == 0xF4U ? 0x8FU : 0xBFU);
  bool valid = first >= 0xC2U && first <= 0xF4U && byte(1) >= low && byte(1) <= high;
  for (std::size_t i = 2; i < length; ++i) valid = valid && byte(i) >= 0x80U && byte(i) <= 0xBFU;
  return valid ? length : 0;
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  Value Document() {
    Value value;
    Read(NextMarker(), 0, &value);
    Check(bytes_.find_first_not_of('N', at_) == std::string_view::npos, "there is something after the end");
    return value;
  }

 private:
  // How many items a container has, and their common marker; 0 stands for "not said".
  struct Header {
    char type = 0;
    bool counted = false;
    std::size_t count = 0;
  };

  template <class... Parts>
  [[noreturn]] void Fail(Parts const&... parts) const {
    throw ModelError(Text("The model file is not valid UBJSON at byte ", at_, ": ", parts..., "."));
  }
  // Small enough for compilers to put it in line.
  template <class... Parts>
  void Check(bool condition, Parts const&... parts) const {
    if (!condition) Fail(parts...);
  }

  std::size_t Left() const { return bytes_.size() - at_; }

  char const* Take(std::size_t count) {
    Check(count <= Left(), count, " more bytes are needed, ", Left(), " are left");
    char const* const data = bytes_.data() + at_;
    at_ += count;
    return data;
  }

  char TakeByte() { return *Take(1); }

  char NextMarker() {
    char marker = TakeByte();
    while (marker == 'N') marker = TakeByte();
    return marker;
  }

  bool NextIs(char marker) {
    while (at_ < bytes_.size() && bytes_[at_] == 'N' && marker != 'N') ++at_;
    bool const is = at_ < bytes_.size() && bytes_[at_] == marker;
    if (is) ++at_;
    return is;
  }

  template <class T>
  T Number() {
    return FromBigEndian<T>(Take(sizeof(T)));
  }

  std::int64_t Whole(char marker) {
    switch (marker) {
      case 'i':
        return Number<std::int8_t>();
      case 'U':
        return Number<std::uint8_t>();
      case 'I':
        return Number<std::int16_t>();
      case 'l':
        return Number<std::int32_t>();
      case 'L':
        return Number<std::int64_t>();
      default:
        break;
    }
    Fail("a length must be a whole number, but its marker is `", marker, "`");
  }

  std::size_t Length() {
    std::int64_t const length = Whole(NextMarker());
    Check(length >= 0, "the length ", length, " is negative");
    return static_cast<std::size_t>(length);
  }

  std::string_view String() {
    std::size_t const length = Length();
    std::string_view const text(Take(length), length);
    Check(IsUtf8(text), "a text is not UTF-8");
    return text;
  }

  // Not by value: a result of two registers would be put together from bytes that were only just written.
  void ReadHeader(Header* header) {
    if (NextIs('$')) {
      header->type = TakeByte();
      Check(NextIs('#'), "the type of a container is given, but not its count");
      header->counted = true;
    } else {
      header->counted = NextIs('#');
    }
    if (header->counted) header->count = Length();
    // Every item takes a byte at least, so that no count can promise more than the file can hold.
    char const type = header->type;
    Check(type != 'Z' && type != 'T' && type != 'F' && type != 'N', "items of a container may not have the marker `",
          type, "`");
    Check(header->count <= Left(), "a container has ", header->count, " items, but ", Left(), " bytes are left");
  }

  template <class T>
  void ReadNumbers(std::size_t count, Value* to) {
    Check(count <= Left() / sizeof(T), "an array has ", count, " numbers, but ", Left(), " bytes are left");
    char const* const bytes = Take(count * sizeof(T));
    auto& numbers = to->Emplace<Numbers<T>>(count);
    if (count != 0) DecodeAll(bytes, count, numbers.data());
  }

  void ReadArray(std::size_t depth, Value* to) {
    Header header;
    ReadHeader(&header);
    switch (header.type) {
      case 'i':
        return ReadNumbers<std::int8_t>(header.count, to);
      case 'U':
        return ReadNumbers<std::uint8_t>(header.count, to);
      case 'I':
        return ReadNumbers<std::int16_t>(header.count, to);
      case 'l':
        return ReadNumbers<std::int32_t>(header.count, to);
      case 'L':
        return ReadNumbers<std::int64_t>(header.count, to);
      case 'd':
        return ReadNumbers<float>(header.count, to);
      case 'D':
        return ReadNumbers<double>(header.count, to);
      default:
        return ReadItems(header, depth, to);
    }
  }

  void ReadItems(Header const& header, std::size_t depth, Value* to) {
    ArrayBuilder items;
    for (std::size_t i = 0; header.counted ? i < header.count : !NextIs(']'); ++i) {
      char const marker = header.type != 0 ? header.type : NextMarker();
      if (marker == 'd' || marker == 'D') {
        items.Add(marker == 'd' ? Number<float>() : ToFloat(Number<double>()));
      } else {
        Value item;
        Read(marker, depth, &item);
        items.Add(std::move(item));
      }
    }
    *to = items.Finish();
  }

  void ReadObject(std::size_t depth, Value* to) {
    Header header;
    ReadHeader(&header);
    auto& object = to->Emplace<Value::Object>();
    for (std::size_t i = 0; header.counted ? i < header.count : !NextIs('}'); ++i) {
      Value& member = object.Append(Name::Borrowed(String()));
      Read(header.type != 0 ? header.type : NextMarker(), depth, &member);
    }
    object.Close();
  }

  void Read(char marker, std::size_t depth, Value* to) {
    Check(depth < kMaxDepth, "it is nested deeper than ", kMaxDepth, " levels");
    switch (marker) {
      case 'Z':
        return;
      case 'T':
      case 'F':
        to->Emplace<bool>(marker == 'T');
        return;
      case 'd':
        to->Emplace<double>(static_cast<double>(Number<float>()));
        return;
      case 'D':
        to->Emplace<double>(Number<double>());
        return;
      case 'C':
        to->Emplace<std::string>(1, TakeByte());
        return;
      case 'S':
        to->Emplace<std::string>(String());
        return;
      case '[':
        return ReadArray(depth + 1, to);
      case '{':
        return ReadObject(depth + 1, to);
      default:
        to->Emplace<std::int64_t>(Whole(marker));
    }
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
};

// One overload per alternative of Value.
struct UbjsonWriter {
  std::string* out;

  void Length(std::size_t length) const {
    *out += 'L';
    AppendBigEndian(static_cast<std::int64_t>(length), out);
  }
  void Chars(std::string_view text) const {
    Length(text.size());
    *out += text;
  }

  void operator()(std::monostate /*nothing*/) const { *out += 'Z'; }
  void operator()(bool value) const { *out += value ? 'T' : 'F'; }
  void operator()(double value) const {
    *out += 'D';
    AppendBigEndian(value, out);
  }
  void operator()(float value) const { Scalar(value); }
  void operator()(std::int64_t value) const {
    // The ends of a type's range take the next larger one, as xgboost has it.
    if (value > -128 && value < 127) return Scalar(static_cast<std::int8_t>(value));
    if (value > -32768 && value < 32767) return Scalar(static_cast<std::int16_t>(value));
    if (value > -2147483648LL && value < 2147483647LL) return Scalar(static_cast<std::int32_t>(value));
    Scalar(value);
  }
  void operator()(std::string const& text) const {
    *out += 'S';
    Chars(text);
  }
  void operator()(Value::Array const& array) const {
    *out += "[#";
    Length(array.size());
    for (auto const& item : array) std::visit(*this, item.Held());
  }
  void operator()(Value::Object const& object) const {
    *out += '{';
    for (auto const& [key, value] : object) {
      Chars(key.View());
      std::visit(*this, value.Held());
    }
    *out += '}';
  }
  template <class T>
  void operator()(Numbers<T> const& numbers) const {
    *out += "[$";
    *out += MarkerOf<T>();
    *out += '#';
    Length(numbers.size());
    for (T number : numbers) AppendBigEndian(number, out);
  }

 private:
  template <class T>
  void Scalar(T value) const {
    *out += MarkerOf<T>();
    AppendBigEndian(value, out);
  }
};

}  // namespace

bool IsUtf8(std::string_view text) {
  unsigned any = 0;
  for (char const c : text) any |= static_cast<unsigned char>(c);
  if (any < 0x80U) return true;
  while (!text.empty()) {
    std::size_t const length = SequenceLength(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

Value ParseUbjson(std::string_view bytes) { return Reader(bytes).Document(); }

std::string WriteUbjson(Value const& value) {
  std::string out;
  std::visit(UbjsonWriter{&out}, value.Held());
  return out;
}

}  // namespace xgbl
