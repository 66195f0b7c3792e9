// SPDX-License-Identifier: Apache-2.0
// What all files of the extension module share. Long calls run without the GIL, and Ctrl-C ends them.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <functional>

#include "base/context.h"
#include "base/error.h"
#include "parallel/parallel_for.h"
#include "simd/level.h"

namespace xgbl {

/// Lets other threads of Python run, as gil_scoped_release does. Python ends a daemon thread that asks for the GIL of a
/// finished interpreter by unwinding it, and objects of Python would then be released by a thread without the GIL. So
/// such a thread does not ask, but sleeps until the process has ended.
class WithoutGil {
 public:
  WithoutGil() : state_(PyEval_SaveThread()) {}
  ~WithoutGil();
  WithoutGil(WithoutGil const&) = delete;
  WithoutGil& operator=(WithoutGil const&) = delete;

  /// To be called when the interpreter is about to end. Returns when nobody waits for the GIL in here.
  static void EndForOtherThreads();
  /// To be called in a forked child, which has none of the threads that waited.
  static void StartInChild();

 private:
  struct Gate;

  PyThreadState* state_;
};

/// Asks Python now and then whether a signal came, and lets the signal's handler raise. The exception waits until the
/// engine has unwound: only the thread that called in may see it. Handlers run in Python's main thread; the others do
/// not ask.
class SignalWatch {
 public:
  bool operator()() {
    if (!hears_) return false;
    auto const now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(100)) return false;
    last_ = now;
    pybind11::gil_scoped_acquire const gil;
    return PyErr_CheckSignals() != 0;
  }

 private:
  static bool IsMainThread() {
    static auto const* const main_thread =
        new pybind11::object(pybind11::module_::import("threading").attr("main_thread"));
    return (*main_thread)().attr("ident").cast<unsigned long>() == PyThread_get_thread_ident();
  }

  bool hears_ = IsMainThread();
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// `nthread` as users give it: 0 is all threads.
inline Context ContextOf(int nthread, Interrupt const& interrupted) {
  Context ctx;
  ctx.interrupted = interrupted;
  ctx.threads = ThreadCount(nthread);
  ctx.simd = DefaultSimd();
  return ctx;
}

/// Runs a call that takes long, or waits for its turn, without the GIL; Ctrl-C ends it with Python's own exception.
template <class Call>
auto Interruptible(Call const& call) {
  SignalWatch watch;
  try {
    WithoutGil const released;
    return call(Interrupt(std::ref(watch)));
  } catch (Cancelled const&) {
    throw pybind11::error_already_set();
  }
}

// The parts of the extension module, one function per file.
void BindParams(pybind11::module_& module);
void BindData(pybind11::module_& module);
void BindBooster(pybind11::module_& module);
void BindPredictor(pybind11::module_& module);

}  // namespace xgbl
