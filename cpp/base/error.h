// SPDX-License-Identifier: Apache-2.0
// The errors that the engine throws. Each says what is wrong, what was given, what is allowed and what to do. The
// bindings turn each class into the Python exception of the same name.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace xgbl {

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct ParamError : Error {  // a parameter's name or value
  using Error::Error;
};
struct DataError : Error {  // the user's data
  using Error::Error;
};
struct ModelError : Error {  // a model or matrix file
  using Error::Error;
};
struct InternalError : Error {  // a broken invariant: a defect of ours
  using Error::Error;
};
struct Cancelled : Error {  // the user interrupted a long call
  using Error::Error;
};

template <class... Parts>
std::string Text(Parts const&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

/// Throws `E` with the joined parts unless `condition` holds.
template <class E, class... Parts>
void Require(bool condition, Parts const&... parts) {
  if (!condition) throw E(Text(parts...));
}

/// States an invariant of the engine itself.
template <class... Parts>
void Ensure(bool condition, Parts const&... parts) {
  Require<InternalError>(condition, "Internal error in xgb_like: ", parts...);
}

}  // namespace xgbl
