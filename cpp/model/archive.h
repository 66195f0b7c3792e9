// SPDX-License-Identifier: Apache-2.0
// A document: the content of a JSON or UBJSON file before it is interpreted. Arrays of numbers are flat vectors, not
// lists of values, so a model of a million nodes takes a few thousand allocations. Objects keep their keys sorted.
// Readers trust nothing: lengths are checked against the remaining bytes before anything is allocated, nesting is
// limited, and keys must not repeat. They throw only ModelError. In arrays, booleans are read as 0 and 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace xgbl {

template <class T>
using Numbers = std::vector<T>;

class Value;
struct Member;

/// A member's name: its own text, or one that stays in the file's bytes, as most names are too long to be kept without
/// memory of their own.
class Name {
 public:
  Name() = default;
  Name(std::string text) : own_(std::make_shared<std::string const>(std::move(text))), text_(*own_) {}  // NOLINT
  static Name Borrowed(std::string_view text) {
    Name name;
    name.text_ = text;
    return name;
  }

  std::string_view View() const { return text_; }
  std::string Text() const { return std::string(text_); }

 private:
  std::shared_ptr<std::string const> own_;
  std::string_view text_;
};

/// The members of an object by rising name, in one piece of memory.
class Members {
 public:
  Member* begin();
  Member* end();
  Member const* begin() const;
  Member const* end() const;
  std::size_t size() const;
  bool empty() const { return size() == 0; }

  Member* find(std::string_view name);  // end() if there is none
  Member const* find(std::string_view name) const;
  /// The same. `place` is tried first, and then set to that of the next member.
  Member* find(std::string_view name, std::size_t* place);
  std::size_t count(std::string_view name) const { return find(name) == end() ? 0 : 1; }
  /// Adds a member unless there is one of that name.
  void emplace(std::string name, Value value);
  void insert_or_assign(std::string name, Value value);

  /// For readers: adds one in any order, to be filled at once; Close() must follow the last.
  Value& Append(Name&& name);
  /// ModelError if a name is there twice.
  void Close();

 private:
  std::size_t Place(std::string_view name) const;  // of the first whose name is not below it
  void MakeRoom();

  std::vector<Member> members_;
};

class Value {
 public:
  using Array = std::vector<Value>;
  using Object = Members;
  using Variant = std::variant<std::monostate, bool, std::int64_t, double, float, std::string, Array, Object,
                               Numbers<float>, Numbers<double>, Numbers<std::int8_t>, Numbers<std::uint8_t>,
                               Numbers<std::int16_t>, Numbers<std::uint16_t>, Numbers<std::int32_t>,
                               Numbers<std::uint32_t>, Numbers<std::int64_t>, Numbers<std::uint64_t>>;

  Value() = default;
  Value(bool value) : held_(value) {}                      // NOLINT(*-explicit-*)
  Value(std::int64_t value) : held_(value) {}              // NOLINT(*-explicit-*)
  Value(double value) : held_(value) {}                    // NOLINT(*-explicit-*)
  Value(float value) : held_(value) {}                     // NOLINT(*-explicit-*) readers make doubles
  Value(std::string value) : held_(std::move(value)) {}    // NOLINT(*-explicit-*)
  Value(char const* value) : held_(std::string(value)) {}  // NOLINT(*-explicit-*)
  Value(Array value) : held_(std::move(value)) {}          // NOLINT(*-explicit-*)
  Value(Object value) : held_(std::move(value)) {}         // NOLINT(*-explicit-*)
  template <class T>
  Value(Numbers<T> value) : held_(std::move(value)) {}  // NOLINT(*-explicit-*)

  template <class T>
  T const* As() const {
    return std::get_if<T>(&held_);
  }
  template <class T>
  T* As() {
    return std::get_if<T>(&held_);
  }
  Variant const& Held() const { return held_; }
  template <class T, class... Args>
  T& Emplace(Args&&... args) {
    return held_.template emplace<T>(std::forward<Args>(args)...);
  }

 private:
  Variant held_;
};

struct Member {
  Name first;
  Value second;
};

inline Value& Members::Append(Name&& name) {
  if (members_.size() == members_.capacity()) MakeRoom();
  Member& added = members_.emplace_back();
  added.first = std::move(name);
  return added.second;
}

/// Nesting beyond this is refused: models need nine levels.
constexpr std::size_t kMaxDepth = 64;

/// Collects the items of an array whose type only becomes clear while reading: whole numbers, numbers, or anything.
class ArrayBuilder {
 public:
  void Add(std::int64_t item);
  void Add(float item);
  void Add(Value item);
  Value Finish();

 private:
  void Widen();

  Numbers<std::int64_t> whole_;
  Numbers<float> real_;
  Value::Array items_;
};

Value ParseJson(std::string_view text);
/// The names of members stay where they are: `bytes` must outlive the value.
Value ParseUbjson(std::string_view bytes);

/// Without blanks; float32 as the shortest text that reads back as the same number, in the form 1.5E-3. Numbers that
/// JSON lacks are written as xgboost does: NaN, Infinity, -Infinity.
std::string WriteJson(Value const& value);
/// In xgboost's dialect: every length an int64, arrays of numbers typed, big-endian.
std::string WriteUbjson(Value const& value);

/// Whether bytes are UTF-8 (RFC 3629). Names from files reach Python, which refuses anything else.
bool IsUtf8(std::string_view text);

/// A text as it appears between quotes in JSON.
std::string Escaped(std::string_view text);

/// The nearest float32, infinite beyond its range: the language leaves that conversion open.
float ToFloat(double value);

/// The shortest text of a float32 in the form 1.5E-3.
std::string FloatText(float value);

}  // namespace xgbl
