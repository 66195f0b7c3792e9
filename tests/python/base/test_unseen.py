# SPDX-License-Identifier: Apache-2.0
import warnings

import numpy as np
import pytest

import xgb_like as xgb
from xgb_like._model import _matching

pd = pytest.importorskip("pandas")

PARAMS = {"max_depth": 3, "min_child_weight": 0}
LABEL = np.arange(6.0)
REFUSED = "Found a category not in the training set for feature 'c': 'w'"
COUNTED = "not in the training set count as missing: 'w' of 'c'"


def pandas_frame(levels):
    return pd.DataFrame({"c": pd.Categorical(levels)})


def polars_frame(levels):
    pl = pytest.importorskip("polars")
    return pl.DataFrame({"c": pl.Series(levels, dtype=pl.Categorical)})


def arrow_table(levels):
    pa = pytest.importorskip("pyarrow")
    return pa.table({"c": pa.array(levels).dictionary_encode()})


def train_matrix():
    return xgb.DMatrix(pandas_frame(list("abcabc")), LABEL)


@pytest.fixture(name="model", scope="module")
def _model():
    return xgb.train(PARAMS, train_matrix(), 3)


def warned(call):
    """What a call returns, and the one warning that it gave."""
    with pytest.warns(UserWarning, match="count as missing") as caught:
        result = call()
    assert [warning.filename for warning in caught] == [__file__]
    return result, str(caught[0].message)


@pytest.mark.parametrize("frame", [pandas_frame, polars_frame, arrow_table])
def test_unseen_levels_are_predicted_as_missing(model, frame):
    data, expected = frame(["b", "w", None, "w"]), model.inplace_predict(pandas_frame(["b", None, None, None]))
    matrix = xgb.DMatrix(data)
    for call in (lambda: model.inplace_predict(data), lambda: model.predict(matrix)):
        found, text = warned(call)
        np.testing.assert_array_equal(found, expected)
        assert COUNTED in text
        assert '`on_unseen="error"`' in text


def test_unseen_numbers_are_shown_as_they_are():
    model = xgb.train(PARAMS, xgb.DMatrix(pandas_frame([1, 2, 3, 1, 2, 3]), LABEL), 2)
    found, text = warned(lambda: model.inplace_predict(pandas_frame([2, 70])))
    np.testing.assert_array_equal(found, model.inplace_predict(pd.DataFrame({"c": pd.Categorical([2, None])})))
    assert "missing: 70 of 'c'." in text


@pytest.mark.parametrize("frame", [pandas_frame, polars_frame, arrow_table])
def test_unseen_levels_are_an_error_if_wanted(model, frame):
    data = frame(["b", "w"])
    with pytest.raises(xgb.DataError, match=REFUSED):
        model.predict(xgb.DMatrix(data), on_unseen="error")
    with pytest.raises(xgb.DataError, match=REFUSED):
        model.inplace_predict(data, on_unseen="error")


def test_the_setting_holds_for_calls_that_do_not_say_otherwise(model):
    data = pandas_frame(["w"])
    with xgb.config_context(on_unseen="error"):
        with pytest.raises(xgb.DataError, match=REFUSED):
            model.inplace_predict(data)
        with pytest.raises(xgb.DataError, match=REFUSED):
            xgb.DMatrix(data, feature_types=model.get_categories())
        warned(lambda: model.inplace_predict(data, on_unseen="missing"))


@pytest.mark.parametrize("wrong", ["Error", "", 0, True])
def test_other_wishes_are_refused(model, wrong):
    text = "`on_unseen` must be missing or error; got"
    with pytest.raises(xgb.ParameterError, match=text):
        model.inplace_predict(np.ones((1, 1)), on_unseen=wrong)
    with pytest.raises(xgb.ParameterError, match=text):
        model.predict(train_matrix(), on_unseen=wrong)


def test_levels_that_no_row_has_are_not_told_of(model):
    listed = pd.DataFrame({"c": pd.Categorical(["b", None], categories=["w", "b"])})
    np.testing.assert_array_equal(
        model.inplace_predict(listed, on_unseen="error")[:1], model.predict(train_matrix())[1:2]
    )
    assert model.predict(xgb.DMatrix(listed[:0])).shape == (0,)


def test_the_warning_names_some_of_many():
    columns = [f"f{number}" for number in range(5)]
    seen = pd.DataFrame({name: pd.Categorical(list("abcabc")) for name in columns})
    model = xgb.train(PARAMS, xgb.DMatrix(seen, LABEL), 1)
    new = pd.DataFrame({name: pd.Categorical(["z", "y", "x", "w", "v" * 90]) for name in columns})
    text = warned(lambda: model.inplace_predict(new))[1]
    assert "missing: 'z', 'y', 'x' and 2 more of 'f0'; " in text
    assert " of 'f2' and 2 more features. " in text
    new["f0"] = pd.Categorical(["v" * 90] * 5)
    assert "v" * 40 not in warned(lambda: model.inplace_predict(new))[1]


def test_verbosity_zero_silences_the_warning(model, recwarn):
    data = pandas_frame(["w"])
    quiet = model.copy()
    quiet.set_param("verbosity", 0)
    quiet.inplace_predict(data)
    with xgb.config_context(verbosity=0):
        model.inplace_predict(data)
        xgb.DMatrix(data, feature_types=model.get_categories())
    assert not recwarn.list


def test_matrices_with_the_codes_of_another_have_missing_cells(model):
    matrix, text = warned(lambda: xgb.DMatrix(pandas_frame(["w", "c"]), feature_types=model.get_categories()))
    np.testing.assert_array_equal(matrix._handle.to_dense().ravel(), [np.nan, 2])
    assert COUNTED in text
    assert matrix.get_categories().values == [["a", "b", "c"]]


@pytest.mark.parametrize("kind", [xgb.DMatrix, xgb.QuantileDMatrix])
def test_quantised_matrices_with_a_reference_have_missing_cells(kind):
    reference = kind(pandas_frame(list("abcabc")), LABEL)
    matrix, text = warned(lambda: xgb.QuantileDMatrix(pandas_frame(["w", "c", "v"]), ref=reference))
    assert (matrix.num_nonmissing(), matrix.get_data().data.tolist()) == (1, [2])
    assert "missing: 'w', 'v' of 'c'." in text
    with xgb.config_context(on_unseen="error"), pytest.raises(xgb.DataError, match=REFUSED):
        xgb.QuantileDMatrix(pandas_frame(["w"]), ref=reference)


class Batches(xgb.DataIter):
    def __init__(self, frames, **fields):
        self.frames, self.fields = frames, fields
        super().__init__()

    def next(self, input_data):
        if self.position == len(self.frames):
            return False
        input_data(data=self.frames[self.position], **self.fields)
        self.position += 1
        return True

    def reset(self):
        self.position = 0


def test_batches_warn_once_of_all():
    frames = [pandas_frame(levels) for levels in (["w", "a"], ["b"], ["v", "w"])]
    reference = train_matrix()
    codes = {"feature_types": reference.get_categories()}
    for call in (
        lambda: xgb.QuantileDMatrix(Batches(frames), ref=reference),
        lambda: xgb.ExtMemQuantileDMatrix(Batches(frames), ref=reference),
        lambda: xgb.DMatrix(Batches(frames, **codes)),
    ):
        matrix, text = warned(call)
        assert matrix.num_nonmissing() == 2
        assert "missing: 'w', 'v' of 'c'." in text


def test_training_warns_once_of_data_for_evaluation():
    frames = pandas_frame(["w", "b"]), pandas_frame([None, "b"])
    logs = {}, {}

    def run(frame, log):
        evals = [(xgb.DMatrix(frame, [1, 2]), name) for name in "xy"]
        metric = lambda predictions, _: ("sum", float(predictions.sum()))  # noqa: E731
        settings = {"verbose_eval": False, "custom_metric": metric, "evals_result": log}
        return xgb.train(PARAMS, train_matrix(), 4, evals=evals, **settings)

    assert COUNTED in warned(lambda: run(frames[0], logs[0]))[1]
    run(frames[1], logs[1])
    assert logs[0] == logs[1]
    with xgb.config_context(on_unseen="error"), pytest.raises(xgb.DataError, match=REFUSED):
        run(frames[0], {})


def test_metrics_by_hand_warn_once_a_call(model):
    matrix = xgb.DMatrix(pandas_frame(["w", "b"]), [1, 2])
    metric = lambda predictions, _: ("sum", float(predictions.sum()))  # noqa: E731
    for _ in range(2):
        assert COUNTED in warned(lambda: model.eval_set([(matrix, "e")], feval=metric))[1]


def two_columns():
    return xgb.DMatrix(pd.DataFrame({"c": pd.Categorical(["a"]), "d": pd.Categorical(["x"])}))


def test_other_types_of_categories_stay_errors(model):
    for data, text in ((pandas_frame([1, 2]), "index type must match"), (pd.DataFrame({"c": [1.0]}), "data type")):
        with pytest.raises(xgb.DataError, match=text):
            xgb.DMatrix(data.assign(d=pd.Categorical(["x"] * len(data))), feature_types=two_columns().get_categories())
    with pytest.raises(xgb.DataError, match="index type must match"):
        model.inplace_predict(pandas_frame([1, 2]), on_unseen="missing")


def test_a_warning_made_an_error_leaves_the_model_usable(model):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match=COUNTED):
            model.inplace_predict(pandas_frame(["w"]))
    assert model.inplace_predict(pandas_frame(["a"])).shape == (1,)


# Codes without labels

CODES = np.array([[0.0, 3], [2, 4], [5, 5]] * 10, np.float32)
TYPES = ["c", "q"]
STRANGE = np.array([[9, 3], [-1, 3], [1.5, 3], [1, 3], [9, 4], [2, 4], [np.nan, 4]], np.float32)
TOLD = r"Codes of categories that are not in the training set: 9, -1, 1.5 and 1 more of 'f0'\."
NO_SUCH_CODE = "Found a category not in the training set for feature 'f0': 9"


def coded(data, *label):
    return xgb.DMatrix(data, *label, feature_types=TYPES)


@pytest.fixture(name="by_code", scope="module", params=["hist", "approx", "quantised"])
def _by_code(request):
    if request.param == "quantised":
        matrix = xgb.QuantileDMatrix(CODES, CODES[:, 0] % 3, feature_types=TYPES)
        return xgb.train(PARAMS, matrix, 3)
    return xgb.train({**PARAMS, "tree_method": request.param}, coded(CODES, CODES[:, 0] % 3), 3)


def estimator_of(model):
    estimator = xgb.XGBRegressor()
    estimator.load_model(model.save_raw())
    return estimator


def code_roads(model, data):
    """All ways to have something said of codes."""
    label = np.ones(len(data))
    return {
        "matrix": lambda: model.predict(coded(data)),
        "untyped": lambda: model.predict(xgb.DMatrix(data)),
        "inplace": lambda: model.inplace_predict(data),
        "float64": lambda: model.inplace_predict(data.astype(float)),
        "sparse": lambda: model.inplace_predict(pytest.importorskip("scipy.sparse").csr_matrix(data)),
        "frame": lambda: model.inplace_predict(pd.DataFrame(data, columns=["f0", "f1"])),
        "predictor": lambda: model.predictor().predict(data),
        "one row": lambda: model.predictor().predict(data[:1]),
        "estimator": lambda: estimator_of(model).predict(data),
        "leaves": lambda: model.predict(coded(data), pred_leaf=True),
        "contributions": lambda: model.predict(coded(data), pred_contribs=True),
        "eval": lambda: model.eval(coded(data, label)),
        "refit": lambda: model.refit(coded(data, label)),
        "explain": lambda: xgb.explain.partial_dependence(model, data, 1),
    }


CODE_ROADS = tuple(code_roads(None, CODES))


@pytest.mark.parametrize("road", CODE_ROADS)
def test_unseen_codes_are_told_of_or_refused(by_code, road):
    with pytest.warns(UserWarning, match="Codes of categories") as caught:
        code_roads(by_code, STRANGE)[road]()
    assert [warning.filename for warning in caught] == [__file__]
    text = str(caught[0].message)
    assert "not in the training set: 9" in text
    assert "of 'f0'" in text
    with xgb.config_context(on_unseen="error"), pytest.raises(xgb.DataError, match=NO_SUCH_CODE):
        code_roads(by_code, STRANGE)[road]()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        code_roads(by_code, CODES)[road]()


def test_unseen_codes_are_listed(by_code):
    with pytest.warns(UserWarning, match=TOLD):
        by_code.inplace_predict(STRANGE)
    with pytest.raises(xgb.DataError, match=NO_SUCH_CODE):
        by_code.inplace_predict(STRANGE, on_unseen="error")
    with pytest.raises(xgb.DataError, match=NO_SUCH_CODE):
        by_code.predict(coded(STRANGE), on_unseen="error")
    assert by_code.inplace_predict(CODES[:0], on_unseen="error").shape == (0,)
    assert by_code.inplace_predict(np.full((2, 2), np.nan), on_unseen="error").shape == (2,)


@pytest.mark.parametrize("code", [-1, 1.5, 1, 3, 6, 2**24, 1e30, np.inf])
def test_every_other_code_is_unseen(by_code, code):
    with pytest.raises(xgb.DataError, match="for feature 'f0'"):
        by_code.inplace_predict(np.array([[code, 3.0]]), on_unseen="error")


@pytest.mark.peer
@pytest.mark.filterwarnings("ignore:Codes of categories")
def test_unseen_codes_are_predicted_as_by_xgboost(by_code):
    peer = pytest.importorskip("xgboost")
    theirs = peer.Booster(model_file=bytearray(by_code.save_raw()))
    expected = theirs.predict(peer.DMatrix(STRANGE, feature_types=TYPES))
    np.testing.assert_allclose(by_code.inplace_predict(STRANGE), expected, rtol=1e-6)


@pytest.mark.parametrize("form", ["json", "ubj"])
def test_files_tell_the_codes_of_training(by_code, form):
    other = xgb.Booster(model_file=bytes(by_code.save_raw(form)))
    with pytest.raises(xgb.DataError, match="for feature 'f0': 3"):
        other.inplace_predict(np.array([[3, 3.0]]), on_unseen="error")
    assert other.save_raw() == by_code.save_raw()
    assert other.attributes() == {}


def test_training_that_goes_on_adds_codes(by_code):
    more = xgb.train(PARAMS, coded([[3, 1], [0, 2]], [1, 2]), 1, xgb_model=by_code)
    more.inplace_predict(np.array([[3, 3.0], [5, 3]]), on_unseen="error")
    with pytest.raises(xgb.DataError, match="for feature 'f0': 4"):
        more.inplace_predict(np.array([[4, 3.0]]), on_unseen="error")
    with pytest.raises(xgb.DataError, match="for feature 'f0': 3"):
        by_code.inplace_predict(np.array([[3, 3.0]]), on_unseen="error")


@pytest.mark.peer
def test_of_models_of_xgboost_codes_up_to_the_highest_in_a_split_are_known():
    peer = pytest.importorskip("xgboost")
    theirs = peer.train(PARAMS, peer.DMatrix(CODES, CODES[:, 0], feature_types=TYPES), 3)
    model = xgb.Booster(model_file=bytes(theirs.save_raw()))
    highest = max(code for node in range(3) for code in model._handle.category_set(0, node))
    model.inplace_predict(np.array([[code, 3.0] for code in range(highest + 1)]), on_unseen="error")
    with pytest.warns(UserWarning, match=r"not in the training set: -1 and 1.5|not in the training set: -1, 1.5 of"):
        model.inplace_predict(STRANGE)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.inplace_predict(np.array([[9, 3.0]]))  # training may have had it
    for code in (9, -1, 0.5):
        with pytest.raises(xgb.DataError, match="may not be in the training set for feature 'f0'"):
            model.inplace_predict(np.array([[code, 3.0]]), on_unseen="error")
    more = xgb.train(PARAMS, coded([[9, 1], [0, 2]], [1, 2]), 1, xgb_model=model)
    assert b"category_codes" not in more.save_raw("json")


def test_codes_beyond_the_labels_are_unseen(model):
    with pytest.raises(xgb.DataError, match="for feature 'c': 3"):
        model.inplace_predict(np.array([[3.0]]), on_unseen="error")
    with pytest.warns(UserWarning, match="not in the training set: 3 of 'c'"):
        model.inplace_predict(np.array([[3.0]]))
    model.inplace_predict(np.array([[2.0], [0]]), on_unseen="error")


def test_training_warns_once_of_codes_in_data_for_evaluation():
    dtrain, other = coded(CODES, CODES[:, 0]), coded(STRANGE, np.ones(len(STRANGE)))
    evals = [(other, "x"), (dtrain, "t")]
    with pytest.warns(UserWarning, match=TOLD) as caught:
        xgb.train(PARAMS, dtrain, 4, evals=evals, verbose_eval=False)
    assert len(caught) == 1
    with xgb.config_context(on_unseen="error"), pytest.raises(xgb.DataError, match=NO_SUCH_CODE):
        xgb.train(PARAMS, dtrain, 4, evals=evals, verbose_eval=False)


def test_training_reads_the_codes_of_each_matrix_once(monkeypatch):
    looked, note = [], _matching.note_codes
    monkeypatch.setattr(_matching, "note_codes", lambda *args: (looked.append(args[1]), note(*args))[1])
    dtrain, other = coded(CODES, CODES[:, 0]), coded(STRANGE, np.ones(len(STRANGE)))
    evals = [(other, "x"), (dtrain, "t"), (other, "again")]
    with pytest.warns(UserWarning, match=TOLD):
        model = xgb.train(PARAMS, dtrain, 4, evals=evals, verbose_eval=False)
    assert looked == [other._handle, dtrain._handle]
    for _ in range(2):  # each call of the user looks anew
        with pytest.warns(UserWarning, match=TOLD):
            model.eval(other)


def test_frames_become_a_matrix_only_if_there_are_unseen_codes(by_code, monkeypatch):
    from xgb_like._data._arrays import Table  # noqa: PLC0415

    made, make = [], Table.to_core
    monkeypatch.setattr(Table, "to_core", lambda *args: (made.append(1), make(*args))[1])
    by_code.inplace_predict(pd.DataFrame(CODES, columns=["f0", "f1"]))
    assert not made
    with pytest.warns(UserWarning, match=TOLD):
        by_code.inplace_predict(pd.DataFrame(STRANGE, columns=["f0", "f1"]))
    assert len(made) == 1


@pytest.mark.parametrize("kind", [xgb.DMatrix, xgb.QuantileDMatrix])
def test_quantised_matrices_have_missing_cells_for_codes_that_the_reference_has_not(kind):
    reference = kind(CODES, feature_types=TYPES)
    data = STRANGE[3:]

    for make in (
        lambda: xgb.QuantileDMatrix(data, feature_types=TYPES, ref=reference),
        lambda: xgb.QuantileDMatrix(Batches([data[:2], data[2:]], feature_types=TYPES), ref=reference),
    ):
        matrix, text = warned(make)
        assert "missing: 9 of 'f0'." in text
        assert matrix.num_row() == len(data)
        with xgb.config_context(on_unseen="error"), pytest.raises(xgb.DataError, match=NO_SUCH_CODE):
            make()
