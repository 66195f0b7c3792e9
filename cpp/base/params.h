// SPDX-License-Identifier: Apache-2.0
// Declarative parameters. A parameter is declared once, in a struct:
//
//   struct TreeParam {
//     int max_depth = 6;
//     template <class F> static void Describe(F& field) {
//       field("max_depth", &TreeParam::max_depth, "Deepest level of a tree; 0 is no limit.").Range(0);
//     }
//   };
//
// The member's initialiser is its default. The parser, the range check and its message, the aliases, what it needs to
// have an effect, its place in files, `xgb-like params`, the Python types and the docs all come from this declaration.
// A struct may have another for a base and let that describe its own fields.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

namespace xgbl {

/// Parameter values as text by name, as the user gave them.
using ParamMap = std::map<std::string, std::string>;
using Ints = std::vector<int>;
using IntSets = std::vector<std::vector<int>>;
using Doubles = std::vector<double>;
using Strings = std::vector<std::string>;

/// What is declared of one parameter.
struct ParamSpec {
  std::string name;
  std::string type;  // int, float, bool, string, or "list of …"
  std::string default_text;
  std::string doc;
  Strings aliases;
  Strings elsewhere;  // names in other libraries: suggested but not accepted, because ranges and meanings may differ
  Strings choices;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;  // `low` itself is not allowed
  bool own = false;       // XGBoost has no such parameter, where it has others of the group
  bool of_trees = false;  // models without trees have no use for it
  std::string group;      // where XGBoost's files keep it; "": beside the groups, or not at all
  std::string needs;      // what it has no effect without; "": nothing
  std::function<bool(ParamMap const& in_force)> has_needs;  // of the struct that declares it

  bool Answers(std::string const& key) const;
  /// "an int >= 0", "one of a, b": what a message calls the allowed values.
  std::string Allowed() const;
  bool InRange(double value) const;
};

std::string Joined(Strings const& texts, std::string const& between);

/// The candidate with the smallest edit distance to `name`; empty if none is near enough to be a typo.
std::string Nearest(std::string_view name, Strings const& candidates);

/// In lower case; ASCII only.
std::string Lowered(std::string_view text);

/// " Did you mean `x`?", or "" when nothing is near.
std::string DidYouMean(std::string_view name, Strings const& candidates);

// One parser and one printer per type of parameter; parsers throw ParamError in the words of `spec`.
void ParseParam(ParamSpec const& spec, std::string const& text, int* out);
void ParseParam(ParamSpec const& spec, std::string const& text, std::int64_t* out);
void ParseParam(ParamSpec const& spec, std::string const& text, double* out);
void ParseParam(ParamSpec const& spec, std::string const& text, bool* out);
void ParseParam(ParamSpec const& spec, std::string const& text, std::string* out);
void ParseParam(ParamSpec const& spec, std::string const& text, Ints* out);
void ParseParam(ParamSpec const& spec, std::string const& text, IntSets* out);
void ParseParam(ParamSpec const& spec, std::string const& text, Doubles* out);
void ParseParam(ParamSpec const& spec, std::string const& text, Strings* out);

std::string PrintParam(int value);
std::string PrintParam(std::int64_t value);
std::string PrintParam(double value);
std::string PrintParam(bool value);
std::string PrintParam(std::string const& value);
std::string PrintParam(Ints const& value);
std::string PrintParam(IntSets const& value);
std::string PrintParam(Doubles const& value);
std::string PrintParam(Strings const& value);

inline char const* TypeName(int const*) { return "int"; }
inline char const* TypeName(std::int64_t const*) { return "int"; }
inline char const* TypeName(double const*) { return "float"; }
inline char const* TypeName(bool const*) { return "bool"; }
inline char const* TypeName(std::string const*) { return "string"; }
inline char const* TypeName(Ints const*) { return "list of int"; }
inline char const* TypeName(IntSets const*) { return "list of lists of int"; }
inline char const* TypeName(Doubles const*) { return "list of float"; }
inline char const* TypeName(Strings const*) { return "list of string"; }

/// `P` with the values of `given`; other names are ignored.
template <class P>
P ParamsFrom(ParamMap const& given);

/// The declared fields of `P`, with their setters and getters.
template <class P>
class Schema {
 public:
  struct Field {
    ParamSpec spec;
    std::function<void(P&, ParamSpec const&, std::string const&)> set;
    std::function<std::string(P const&)> get;

    Field& Alias(Strings names) {
      spec.aliases = std::move(names);
      return *this;
    }
    Field& Elsewhere(Strings names) {
      spec.elsewhere = std::move(names);
      return *this;
    }
    Field& Range(double low, double high = std::numeric_limits<double>::infinity()) {
      spec.low = low;
      spec.high = high;
      return *this;
    }
    Field& Above(double low, double high = std::numeric_limits<double>::infinity()) {
      spec.low_open = true;
      return Range(low, high);
    }
    Field& Own() {
      spec.own = true;
      return *this;
    }
    Field& OfTrees() {
      spec.of_trees = true;
      return *this;
    }
    Field& OneOf(Strings choices) {
      spec.choices = std::move(choices);
      return *this;
    }
    /// `what` says in words what is asked of the others of the struct: without it this one changes nothing.
    Field& Needs(std::string what, bool (*is_met)(P const&)) {
      spec.needs = std::move(what);
      spec.has_needs = [is_met](ParamMap const& in_force) { return is_met(ParamsFrom<P>(in_force)); };
      return *this;
    }
  };

  static Schema const& Get() {
    static Schema const& schema = *new Schema;  // never destroyed, as the registries
    return schema;
  }

  std::vector<Field> const& Fields() const { return fields_; }

  Field const* Find(std::string const& key) const {
    for (auto const& field : fields_) {
      if (field.spec.Answers(key)) return &field;
    }
    return nullptr;
  }

 private:
  struct Adder {
    std::vector<Field>* fields;
    template <class T, class Base>  // a base of P that describes itself, or P
    Field& operator()(std::string name, T Base::* member, std::string doc) {
      Field field;
      field.spec.name = std::move(name);
      field.spec.type = TypeName(static_cast<T const*>(nullptr));
      field.spec.default_text = PrintParam(P{}.*member);
      field.spec.doc = std::move(doc);
      field.set = [member](P& p, ParamSpec const& spec, std::string const& text) {
        ParseParam(spec, text, &(p.*member));
      };
      field.get = [member](P const& p) { return PrintParam(p.*member); };
      fields->push_back(std::move(field));
      return fields->back();
    }
  };

  Schema() {
    Adder adder{&fields_};
    P::Describe(adder);
  }

  std::vector<Field> fields_;
};

/// Sets the parameter that answers to `key`; false if `P` has none.
template <class P>
bool SetParam(P& params, std::string const& key, std::string const& text) {
  auto const* field = Schema<P>::Get().Find(key);
  if (field == nullptr) return false;
  ParamSpec spec = field->spec;
  spec.name = key;  // messages use the word that the user wrote, be it an alias
  field->set(params, spec, text);
  return true;
}

template <class P>
P ParamsFrom(ParamMap const& given) {
  P params;
  for (auto const& [key, text] : given) SetParam(params, key, text);
  return params;
}

template <class P>
std::vector<ParamSpec> SpecsOf() {
  std::vector<ParamSpec> specs;
  for (auto const& field : Schema<P>::Get().Fields()) specs.push_back(field.spec);
  return specs;
}

/// Every parameter of `P` as text.
template <class P>
ParamMap TextOf(P const& params) {
  ParamMap out;
  for (auto const& field : Schema<P>::Get().Fields()) out[field.spec.name] = field.get(params);
  return out;
}

}  // namespace xgbl
