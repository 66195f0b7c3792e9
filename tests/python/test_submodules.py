# SPDX-License-Identifier: Apache-2.0
"""The names by which other programs import things from XGBoost."""

import ctypes
import gc
import inspect
import json

import numpy as np
import pytest

import xgb_like as xgb
from xgb_like import _data_utils, collective, compat, core, data


def test_one_process_is_alone(capsys):
    with collective.CommunicatorContext(dmlc_timeout=3) as args:
        assert args == {"dmlc_timeout": 3}
        assert (collective.get_rank(), collective.get_world_size(), collective.is_distributed()) == (0, 1, False)
        assert collective.broadcast({"a": 1}, 0) == {"a": 1}
    collective.communicator_print(" hello\n")
    assert capsys.readouterr().out == "hello\n"
    assert collective.get_processor_name()
    collective.signal_error()


@pytest.mark.parametrize("op", list(collective.Op))
@pytest.mark.parametrize("shape", [(0,), (1,), (2, 3)])
def test_reducing_over_one_process_copies(op, shape):
    values = np.arange(np.prod(shape)).reshape(shape)
    found = collective.allreduce(values, op)
    np.testing.assert_array_equal(found, values)
    assert not np.shares_memory(found, values)


def test_what_needs_several_processes_is_refused():
    with pytest.raises(NotImplementedError, match="`dmlc_tracker_uri`.*several processes.*Train in one process"):
        collective.init(dmlc_tracker_uri="host")
    with pytest.raises(xgb.ParameterError, match="`root` must be 0"):
        collective.broadcast(1, 1)
    with pytest.raises(TypeError, match="`data` must be a numpy array; got list"):
        collective.allreduce([1], collective.Op.SUM)
    with pytest.raises(ValueError, match="9 is not a valid Op"):
        collective.allreduce(np.ones(1), 9)


def test_settings_of_communication():
    config = collective.Config(retry=2, timeout=5, worker_port=lambda: 77)
    assert config.get_comm_config({}) == {"dmlc_retry": 2, "dmlc_timeout": 5}
    assert config.update_worker_args({}) == {"dmlc_worker_port": 77}
    assert collective.Config().update_worker_args({"a": 1}) == {"a": 1}


def test_concat_joins_what_is_of_one_kind():
    np.testing.assert_array_equal(compat.concat([np.ones((1, 2)), np.zeros((2, 2))]), [[1, 1], [0, 0], [0, 0]])
    with pytest.raises(xgb.DataError, match="at least one"):
        compat.concat([])
    with pytest.raises(xgb.UnsupportedDataError, match="Cannot join data of type str. Pass numpy arrays"):
        compat.concat(["a"])


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_concat_joins_frames(library):
    module = pytest.importorskip(library)
    frame = module.table({"a": [1, 2]}) if library == "pyarrow" else module.DataFrame({"a": [1, 2]})
    assert compat.concat([frame, frame]).shape == (4, 1)
    assert compat.is_dataframe(frame)
    assert getattr(compat, f"import_{library}")() is module


@pytest.mark.parametrize("layout", ["csr", "csc", "coo"])
def test_concat_joins_sparse_matrices(layout):
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.csr_array(np.eye(3)).asformat(layout)
    joined = compat.concat([matrix, matrix])
    assert joined.shape == (6, 3)
    assert joined.format == ("csc" if layout == "csc" else "csr")
    assert (data.is_scipy_csr(matrix), data.is_scipy_csc(matrix), data.is_scipy_coo(matrix)) == (
        layout == "csr",
        layout == "csc",
        layout == "coo",
    )


def test_classes_of_scikit_learn_have_the_names_of_xgboost():
    base = pytest.importorskip("sklearn.base")
    assert compat.SKLEARN_INSTALLED
    assert compat.XGBModelBase is base.BaseEstimator
    assert (compat.XGBClassifierBase, compat.XGBRegressorBase) == (base.ClassifierMixin, base.RegressorMixin)
    assert compat.XGBStratifiedKFold(3).get_n_splits() == 3
    with pytest.raises(AttributeError, match="no attribute 'XGBNothing'"):
        compat.XGBNothing  # noqa: B018  the name is what is tried


def test_what_needs_a_gpu_says_so():
    assert not compat._is_cupy_alike(np.ones(3))
    assert not data.is_on_cuda(np.ones(3))
    for call in (compat.import_cupy, data._lazy_load_cudf_is_cat, data._lazy_load_cudf_is_bool):
        with pytest.raises(ImportError, match="needs (cupy|cudf). Install it"):
            call()


def test_types_of_pandas():
    pd = pytest.importorskip("pandas")
    assert data.is_pd_cat_dtype(pd.Categorical(["a"]).dtype)
    assert not data.is_pd_cat_dtype(np.dtype(float))
    assert data.is_pd_sparse_dtype(pd.SparseDtype("float"))
    assert data.is_nullable_dtype(pd.Int8Dtype())
    assert not data.is_nullable_dtype(np.dtype("int8"))
    pytest.importorskip("pyarrow")
    assert data.is_pa_ext_dtype(pd.Series([1], dtype="int8[pyarrow]").dtype)


def test_frames_as_a_matrix_takes_them():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"a": pd.Categorical(["y", "x", None]), "b": [True, False, True]})
    found, names, types = data._transform_pandas_df(frame, enable_categorical=True)
    np.testing.assert_array_equal(found.columns, [[1, 0, np.nan], [1, 0, 1]])
    assert (names, types, found.shape) == (["a", "b"], ["c", "i"], (3, 2))
    assert data._transform_pandas_df(frame[["b"]], False, ["z"], ["q"])[1:] == (["z"], ["q"])
    assert data._transform_pandas_df(frame[["b"]], False, meta="label")[1:] == (None, None)
    with pytest.raises(xgb.DataError, match="enable_categorical"):
        data._transform_pandas_df(frame, enable_categorical=False)
    with pytest.raises(xgb.DataError, match="`weight` must be one column; got 2"):
        data._transform_pandas_df(frame, enable_categorical=True, meta="weight")
    with pytest.raises(xgb.DataError, match="must be a data frame; got list"):
        data._transform_pandas_df([[1]], enable_categorical=True)


@pytest.mark.peer
def test_tables_of_types_are_those_of_xgboost():
    theirs = pytest.importorskip("xgboost.data")
    assert data.pandas_pyarrow_mapper == theirs.pandas_pyarrow_mapper
    assert data.pandas_nullable_mapper == theirs.pandas_nullable_mapper


def test_scores_are_read_back(booster, dtrain):
    [(name, value)] = core._parse_eval_str(booster.eval(dtrain, "a"))
    assert name == "a-rmse"
    assert 0 < value < 9
    assert core._parse_eval_str("[0]\ta-ndcg@5:0.5\tb-x:-1e-3") == [("a-ndcg@5", 0.5), ("b-x", -1e-3)]


def test_an_iterator_of_one_batch(regression):
    matrix = xgb.QuantileDMatrix(core.SingleBatchInternalIter(data=regression[0], label=regression[1]))
    assert matrix.num_row() == 300


def test_memory_of_c():
    values = (ctypes.c_float * 3)(1, 2, 3)
    pointer = ctypes.cast(values, ctypes.POINTER(ctypes.c_float))
    assert core.ctypes2numpy(pointer, 3, np.float32).tolist() == [1, 2, 3]
    assert list(core.c_array(ctypes.c_double, [1, 2])) == [1, 2]
    assert core.c_array(ctypes.c_float, np.float32([5]))[0] == 5
    text = ctypes.cast(ctypes.create_string_buffer(b"abc"), ctypes.POINTER(ctypes.c_char))
    assert core.ctypes2buffer(text, 3) == b"abc"
    with pytest.raises(xgb.ParameterError, match="`cptr` must be a pointer to c_float; got list"):
        core.ctypes2numpy([1], 1, np.float32)
    with pytest.raises(xgb.ParameterError, match="`dtype` must be one of float32"):
        core.ctypes2numpy(pointer, 1, np.complex64)


def test_keyword_arguments_by_position():
    def function(a, *, b=0):
        return a, b

    with pytest.warns(FutureWarning, match="Pass `b` as keyword args"):
        assert core.require_keyword_args(False)(function)(1, 2) == (1, 2)
    with pytest.raises(TypeError, match="Pass `b` as keyword args"):
        core.require_keyword_args(True)(function)(1, 2)
    assert core.require_keyword_args(True)(function)(1, b=2) == (1, 2)


def test_docstrings_of_settings():
    @xgb.config.config_doc(header="One.", returns="Two.")
    def documented():
        pass

    assert documented.__doc__ == "One.\nTwo."


@pytest.mark.parametrize("part", [np.s_[:], np.s_[:, ::2], np.s_[:0]], ids=["whole", "strided", "empty"])
def test_arrays_described_by_their_interface(part):
    values = np.arange(8, dtype=np.float32).reshape(2, 4)[part]
    description = json.loads(json.dumps(values.__array_interface__))
    np.testing.assert_array_equal(_data_utils.from_array_interface(description), values)
    shared = _data_utils.from_array_interface(description, zero_copy=True)
    assert np.shares_memory(shared, values) == bool(values.size)
    gc.collect()
    for _ in range(5):
        _data_utils.from_array_interface(description)
    assert gc.collect() == 0
    with pytest.raises(xgb.UnsupportedDataError, match="memory on a GPU"):
        _data_utils.from_array_interface({**description, "stream": 1})


def test_a_value_for_missing_that_is_not_used_has_a_warning(tmp_path, dtrain):
    with pytest.warns(UserWarning, match="`missing` is not used for data of type list"):
        data._warn_unused_missing([], 4)
    data._warn_unused_missing([], None)
    data._warn_unused_missing([], np.nan)
    dtrain.save_binary(tmp_path / "data")
    with pytest.warns(UserWarning, match=r"`missing` is not used for a file of save_binary\(\)"):
        xgb.DMatrix(tmp_path / "data", missing=4)
    assert xgb.DMatrix(tmp_path / "data").num_row() == dtrain.num_row()


def test_texts_of_c():
    assert core.c_str("a\N{GREEK SMALL LETTER BETA}").value.decode() == "a\N{GREEK SMALL LETTER BETA}"
    assert core.from_pystr_to_cstr("ab") == b"ab"
    texts = core.from_pystr_to_cstr(["ab", "c"])
    assert core.from_cstr_to_pystr(texts, ctypes.c_uint64(2)) == ["ab", "c"]
    assert json.loads(core.make_jcargs(a=1, b="c")) == {"a": 1, "b": "c"}
    with pytest.raises(xgb.ParameterError, match="list of str"):
        core.from_pystr_to_cstr([1])


@pytest.mark.parametrize("name", ["dask", "spark", "tracker", "federated"])
def test_modules_that_are_not_here_say_so(name):
    for program in (f"import xgb_like.{name}", f"from xgb_like import {name}", f"from xgb_like.{name} import train"):
        with pytest.raises(ImportError, match=f"`xgb_like.{name}` is not here, unlike in XGBoost.*all its cores"):
            exec(program)  # noqa: S102
        with pytest.raises(NotImplementedError):
            exec(program)  # noqa: S102


@pytest.mark.parametrize("name", ["dask", "spark", "tracker", "federated", "RabitTracker"])
def test_names_that_are_not_here_say_so_and_are_not_there(name):
    with pytest.raises(AttributeError, match=f"`xgb_like.{name}` is not here, unlike in XGBoost"):
        getattr(xgb, name)
    with pytest.raises(NotImplementedError):
        getattr(xgb, name)
    assert not hasattr(xgb, name)
    assert name not in dir(xgb)
    assert name not in dict(inspect.getmembers(xgb))
    everything = {}
    exec("from xgb_like import *", everything)  # noqa: S102
    assert name not in everything
