// SPDX-License-Identifier: Apache-2.0
// Maps names to plug-ins. A plug-in (objective, metric, tree method, kind of booster) is one .cc file that registers
// itself and says there what others need to know of it:
//
//   auto const kHuber = Register<Objective, Huber>("reg:huber", "Huber loss: squared error for small residuals.")
//                           .Params<HuberParam>()
//                           .Own("reg:squarederror");
//
// The engine is an object library, so no linker drops a registration. Entries are added when the library is loaded.
// They are kept in the order of their names, so nothing depends on the order of static initialisation.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/params.h"

namespace xgbl {

template <class Interface>
class Registry {
 public:
  struct Entry {
    std::string name;
    std::string doc;
    std::function<std::unique_ptr<Interface>()> make;
    Strings aliases;
    Strings elsewhere;                // see Elsewhere()
    std::vector<ParamSpec> params;    // its own
    std::vector<ParamSpec> in_files;  // those that XGBoost's files have in groups
    std::string group;                // see Repeats()
    bool own = false;                 // XGBoost does not have it
    std::string twin;

    bool Has(std::string const& param) const {
      return std::any_of(params.begin(), params.end(), [&](ParamSpec const& spec) { return spec.name == param; });
    }
  };

  static Registry& Get() {
    static Registry& registry = *new Registry;  // never destroyed: daemon threads may train while the process ends
    return registry;
  }

  Entry* Add(Entry entry) {
    auto name = entry.name;
    return &(entries_[std::move(name)] = std::move(entry));
  }

  std::map<std::string, Entry> const& Entries() const { return entries_; }

  Entry const* Find(std::string const& name) const {
    auto const by_name = entries_.find(name);
    return by_name != entries_.end() ? &by_name->second : FindIn(&Entry::aliases, name);
  }

  /// The entry of that name or alias; otherwise a ParamError with its possible name here, or the nearest name. `kind`
  /// is the word for it in the message.
  Entry const& At(std::string const& name, std::string const& kind) const {
    Entry const* entry = Find(name);
    if (entry == nullptr) {
      Strings names;
      for (auto const& [key, value] : entries_) names.push_back(key);
      std::string const here = NameHere(name);
      std::string const hint = here.empty() ? DidYouMean(name, names) : " Use `" + here + "`.";
      throw ParamError(Text("Unknown ", kind, " `", name, "`.", hint, " Known: ", Joined(names, ", "), "."));
    }
    return *entry;
  }

  /// Whether any of them has a parameter of that name.
  bool HasParam(std::string const& name) const {
    return std::any_of(entries_.begin(), entries_.end(), [&](auto const& named) { return named.second.Has(name); });
  }

 private:
  Entry const* FindIn(Strings Entry::* names, std::string const& name) const {
    for (auto const& [key, entry] : entries_) {
      Strings const& known = entry.*names;
      if (std::find(known.begin(), known.end(), name) != known.end()) return &entry;
    }
    return nullptr;
  }

  // Of a name of another library, or of one of ours in other letters, perhaps with parameters as in `name:x=1`. Else
  // "".
  std::string NameHere(std::string const& name) const {
    std::string const small = Lowered(name);
    std::string const bare = small.substr(0, small.find('=') == std::string::npos ? small.size() : small.find(':'));
    Entry const* entry = Find(bare);
    if (entry == nullptr) entry = FindIn(&Entry::elsewhere, bare);
    return entry == nullptr ? "" : entry->name;
  }

  std::map<std::string, Entry> entries_;
};

template <class P, class = void>
constexpr char const* kGroupOf = "";
template <class P>
constexpr char const* kGroupOf<P, std::void_t<decltype(P::kGroup)>> = P::kGroup;

/// An entry that was just added; each call sets one more of its facts.
template <class Interface>
class Registration {
 public:
  explicit Registration(typename Registry<Interface>::Entry entry)
      : entry_(Registry<Interface>::Get().Add(std::move(entry))) {}

  Registration const& Alias(Strings names) const {
    entry_->aliases = std::move(names);
    return *this;
  }
  /// Names in other libraries, in lower case. They are suggested but not accepted, because parameters may differ.
  Registration const& Elsewhere(Strings names) const {
    entry_->elsewhere = std::move(names);
    return *this;
  }
  /// Parameters that it has. If P says in kGroup where XGBoost's files keep them, files have them there.
  template <class P>
  Registration const& Params() const {
    auto const specs = SpecsOf<P>();
    entry_->params.insert(entry_->params.end(), specs.begin(), specs.end());
    return OnlyInFiles<P>();
  }
  /// Parameters that XGBoost's files have with it, although it has no use for them.
  template <class P>
  Registration const& OnlyInFiles() const {
    for (ParamSpec& spec : SpecsOf<P>()) {
      spec.group = kGroupOf<P>;
      if (!spec.own && !spec.group.empty()) entry_->in_files.push_back(std::move(spec));
    }
    return *this;
  }
  /// An objective's parameters that XGBoost's configurations repeat with it.
  template <class P>
  Registration const& Repeats() const {
    entry_->group = P::kGroup;
    return *this;
  }
  /// XGBoost does not have it; of an objective, perhaps one that predicts the same from the same margins.
  Registration const& Own(std::string twin = "") const {
    entry_->own = true;
    entry_->twin = std::move(twin);
    return *this;
  }

 private:
  typename Registry<Interface>::Entry* entry_;
};

/// Registers a class; it is made from `more`, with the name before them if it wants that.
template <class Interface, class PlugIn, class... More>
Registration<Interface> Register(std::string name, std::string doc, More... more) {
  auto make = [=]() -> std::unique_ptr<Interface> {
    if constexpr (std::is_constructible_v<PlugIn, std::string, More...>) {
      return std::make_unique<PlugIn>(name, more...);
    } else {
      return std::make_unique<PlugIn>(more...);
    }
  };
  typename Registry<Interface>::Entry entry;
  entry.name = std::move(name);
  entry.doc = std::move(doc);
  entry.make = std::move(make);
  return Registration<Interface>(std::move(entry));
}

}  // namespace xgbl
