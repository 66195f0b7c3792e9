// SPDX-License-Identifier: Apache-2.0
// Maps names to factories. A plug-in (objective, metric, tree method) is one .cc file that registers itself:
//
//   static Registration<Objective> const kHuber{"reg:huber", {}, "Huber loss", SpecsOf<HuberParam>(),
//                                               [] { return std::make_unique<Huber>(); }};
//
// The engine is an object library, so no linker drops a registration. Entries are added before main() only. They are
// kept in the order of their names, so nothing depends on the order of static initialisation.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/params.h"
#include "base/suggest.h"

namespace xgbl {

template <class Interface>
class Registry {
 public:
  struct Entry {
    std::string name;
    std::vector<std::string> aliases;
    std::string doc;
    std::vector<ParamSpec> params;
    std::function<std::unique_ptr<Interface>()> make;
  };

  static Registry& Get() {
    static Registry registry;
    return registry;
  }

  void Add(Entry entry) {
    for (auto const& alias : entry.aliases) aliases_[alias] = entry.name;
    auto name = entry.name;
    entries_[std::move(name)] = std::move(entry);
  }

  /// Names in other libraries, in lower case. They are suggested but not accepted, because parameters may differ.
  void AddElsewhere(std::map<std::string, std::string> const& name_here) {
    elsewhere_.insert(name_here.begin(), name_here.end());
  }

  std::map<std::string, Entry> const& Entries() const { return entries_; }
  std::map<std::string, std::string> const& Elsewhere() const { return elsewhere_; }

  Entry const* Find(std::string const& name) const {
    auto const alias = aliases_.find(name);
    auto const found = entries_.find(alias == aliases_.end() ? name : alias->second);
    return found == entries_.end() ? nullptr : &found->second;
  }

  /// The entry of that name or alias; otherwise a ParamError with its possible name here, or the nearest name. `kind`
  /// is the word for it in the message.
  Entry const& At(std::string const& name, std::string const& kind) const {
    Entry const* entry = Find(name);
    if (entry == nullptr) {
      std::vector<std::string> names;
      std::string all;
      for (auto const& [key, value] : entries_) {
        names.push_back(key);
        all += (all.empty() ? "" : ", ") + key;
      }
      std::string const here = NameHere(name);
      std::string const hint = here.empty() ? DidYouMean(name, names) : " Use `" + here + "`.";
      throw ParamError(Text("Unknown ", kind, " `", name, "`.", hint, " Known: ", all, "."));
    }
    return *entry;
  }

 private:
  // Of a name of another library, or of one of ours in other letters, perhaps with parameters as in `name:x=1`. Else
  // "".
  std::string NameHere(std::string const& name) const {
    std::string const small = Lowered(name);
    std::string const bare = small.substr(0, small.find('=') == std::string::npos ? small.size() : small.find(':'));
    if (Entry const* entry = Find(bare)) return entry->name;
    auto const found = elsewhere_.find(bare);
    return found == elsewhere_.end() ? "" : found->second;
  }

  std::map<std::string, Entry> entries_;
  std::map<std::string, std::string> aliases_;
  std::map<std::string, std::string> elsewhere_;
};

template <class Interface>
struct Registration {
  Registration(std::string name, std::vector<std::string> aliases, std::string doc, std::vector<ParamSpec> params,
               std::function<std::unique_ptr<Interface>()> make) {
    Registry<Interface>::Get().Add(
        {std::move(name), std::move(aliases), std::move(doc), std::move(params), std::move(make)});
  }
};

template <class Interface>
struct NamesElsewhere {
  explicit NamesElsewhere(std::map<std::string, std::string> const& name_here) {
    Registry<Interface>::Get().AddElsewhere(name_here);
  }
};

}  // namespace xgbl
