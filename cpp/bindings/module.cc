// SPDX-License-Identifier: Apache-2.0
// The extension module, and the engine's errors as Python exceptions: all under XgbLikeError and under the built-in
// ones that callers expect.
#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "base/error.h"
#include "base/file.h"
#include "bindings/bind.h"

namespace xgbl {
namespace py = pybind11;
namespace {

py::object MakeException(py::module_& module, char const* name, py::tuple const& bases) {
  py::dict body;
  body["__module__"] = "xgb_like";
  py::object const type = py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(&PyType_Type));
  py::object made = type(name, bases, body);
  module.attr(name) = made;
  return made;
}

py::object Builtin(PyObject* type) { return py::reinterpret_borrow<py::object>(type); }

// Looked up by name when an error is thrown, so that no Python object outlives the interpreter in a C++ static.
void Raise(char const* name, char const* text) {
  // A text may quote the bytes of a damaged file, which need not be UTF-8.
  auto const length = static_cast<Py_ssize_t>(std::strlen(text));
  auto const message = py::reinterpret_steal<py::object>(PyUnicode_DecodeUTF8(text, length, "replace"));
  py::object const type = py::module_::import("xgb_like._core").attr(name);
  PyErr_SetObject(type.ptr(), message.ptr());
}

void RaiseMemoryError() {
  PyErr_SetString(PyExc_MemoryError,
                  "There is not enough memory. Give fewer rows, columns, targets or classes (`num_class`), or lower "
                  "`max_bin` or `max_depth`.");
}

void BindErrors(py::module_& module) {
  py::object const base = MakeException(module, "XgbLikeError", py::make_tuple(Builtin(PyExc_ValueError)));
  MakeException(module, "ParameterError", py::make_tuple(base, Builtin(PyExc_TypeError)));
  MakeException(module, "DataError", py::make_tuple(base));
  py::object const format = MakeException(module, "ModelFormatError", py::make_tuple(base));
  MakeException(module, "ModelFileNotFoundError", py::make_tuple(format, Builtin(PyExc_FileNotFoundError)));
  MakeException(module, "InternalError", py::make_tuple(base, Builtin(PyExc_RuntimeError)));

  py::register_local_exception_translator([](std::exception_ptr error) {  // NOLINT(performance-unnecessary-value-param)
    try {
      if (error) std::rethrow_exception(error);
    } catch (ParamError const& e) {
      Raise("ParameterError", e.what());
    } catch (DataError const& e) {
      Raise("DataError", e.what());
    } catch (FileMissing const& e) {
      Raise("ModelFileNotFoundError", e.what());
    } catch (ModelError const& e) {
      Raise("ModelFormatError", e.what());
    } catch (Error const& e) {
      Raise("InternalError", e.what());
    } catch (std::bad_alloc const&) {
      RaiseMemoryError();
    } catch (std::length_error const&) {  // more than a container can hold
      RaiseMemoryError();
    } catch (std::runtime_error const& e) {
      constexpr std::string_view kOfPybind = "Could not allocate";  // objects of Python: bytes, lists, strings
      if (std::string_view(e.what()).substr(0, kOfPybind.size()) != kOfPybind) throw;
      RaiseMemoryError();
    }
  });
}

}  // namespace

struct WithoutGil::Gate {
  std::atomic<int> returning{0};  // threads that wait for the GIL
  std::atomic<std::thread::id> last{std::thread::id()};

  static Gate& Get() {
    static Gate& gate = *new Gate;  // never destroyed, as threads may look at it to the end of the process
    return gate;
  }
};

WithoutGil::~WithoutGil() {
  Gate& gate = Gate::Get();
  ++gate.returning;
  std::thread::id const last = gate.last;
  if (last != std::thread::id() && last != std::this_thread::get_id()) {
    --gate.returning;
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }
  PyEval_RestoreThread(state_);
  --gate.returning;
}

void WithoutGil::EndForOtherThreads() {
  Gate& gate = Gate::Get();
  gate.last = std::this_thread::get_id();
  PyThreadState* const state = PyEval_SaveThread();
  while (gate.returning > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  PyEval_RestoreThread(state);
}

void WithoutGil::StartInChild() { Gate::Get().returning = 0; }

}  // namespace xgbl

PYBIND11_MODULE(_core, module) {
  module.doc() = "The C++ engine of xgb_like.";
  module.attr("__version__") = XGBL_VERSION;
  namespace py = pybind11;
  py::module_::import("atexit").attr("register")(py::cpp_function(&xgbl::WithoutGil::EndForOtherThreads));
  py::module_ const os = py::module_::import("os");
  if (py::hasattr(os, "register_at_fork")) {
    os.attr("register_at_fork")(py::arg("after_in_child") = py::cpp_function(&xgbl::WithoutGil::StartInChild));
  }
  xgbl::BindErrors(module);
  xgbl::BindParams(module);
  xgbl::BindData(module);
  xgbl::BindBooster(module);
  xgbl::BindPredictor(module);
}
