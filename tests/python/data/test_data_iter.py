# SPDX-License-Identifier: Apache-2.0
import gc
import weakref

import numpy as np
import pytest

import xgb_like as xgb

HIST = {"tree_method": "hist", "max_depth": 4, "nthread": 2}
MATRICES = [xgb.DMatrix, xgb.QuantileDMatrix, xgb.ExtMemQuantileDMatrix]


class Batches(xgb.DataIter):
    """Hands over what is in a list: the keywords of each batch."""

    def __init__(self, *batches, **options):
        self.batches, self.position, self.resets = batches, 0, 0
        super().__init__(**options)

    def next(self, input_data):
        if self.position == len(self.batches):
            return False
        input_data(**self.batches[self.position])
        self.position += 1
        return True

    def reset(self):
        self.position, self.resets = 0, self.resets + 1


def pieces(features, label, count, **others):
    """The rows in so many batches."""
    columns = {"data": features, "label": label, **others}
    split = {name: np.array_split(values, count) for name, values in columns.items()}
    return Batches(*(dict(zip(split, batch, strict=True)) for batch in zip(*split.values(), strict=True)))


@pytest.mark.parametrize("count", [1, 4, 300])
@pytest.mark.parametrize("kind", MATRICES)
def test_batches_give_the_model_of_the_whole(kind, count, holes):
    weight = np.linspace(0.5, 2, 300)
    whole = xgb.train(HIST, xgb.DMatrix(*holes, weight=weight), 4)
    parts = kind(pieces(*holes, count, weight=weight))
    assert xgb.train(HIST, parts, 4).save_raw() == whole.save_raw()
    np.testing.assert_array_equal(parts.get_label(), holes[1])


@pytest.mark.parametrize("kind", MATRICES[1:])
def test_large_batches_give_the_bins_of_the_whole(kind):
    """More rows than a sample of them has, so that there are several passes for the cuts."""
    features = np.random.default_rng(0).normal(size=(150_000, 2)).astype(np.float32)
    whole = xgb.QuantileDMatrix(features, max_bin=32)
    batches = pieces(features, features[:, 0], 3)
    parts = kind(batches, max_bin=32)
    assert batches.resets > 2
    for found, expected in zip(parts.get_quantile_cut(), whole.get_quantile_cut(), strict=True):
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("kind", MATRICES)
def test_batches_of_all_sorts_can_be_mixed(kind):
    sparse = pytest.importorskip("scipy.sparse")
    pandas = pytest.importorskip("pandas")
    table = np.array([[1.0, np.nan], [0.0, 5.0]])
    rows = [table, sparse.csr_matrix([[0.0, 7.0]]), pandas.DataFrame(table), [[3, 4]], np.empty((0, 2))]
    matrix = kind(Batches(*({"data": part} for part in rows)))
    assert (matrix.num_row(), matrix.num_col(), matrix.num_nonmissing()) == (6, 2, 9)
    assert matrix.feature_names == ["0", "1"]


def test_values_of_all_batches_are_kept_by_a_dmatrix(holes):
    pytest.importorskip("scipy")
    parts = xgb.DMatrix(pieces(*holes, 7), missing=-1).get_data()
    whole = xgb.DMatrix(*holes).get_data()
    assert (parts != whole).nnz == 0
    np.testing.assert_array_equal(parts.indptr, whole.indptr)


@pytest.mark.parametrize("kind", MATRICES)
def test_a_buffer_may_be_filled_again(kind, regression):
    features, label = regression

    class Refilled(Batches):
        def next(self, input_data):
            if self.position == 3:
                return False
            buffer[:] = features[100 * self.position : 100 * (self.position + 1)]
            input_data(data=buffer, label=label[100 * self.position : 100 * (self.position + 1)])
            self.position += 1
            return True

    buffer = np.empty((100, 5), np.float32)
    found = xgb.train(HIST, kind(Refilled()), 3).save_raw()
    assert found == xgb.train(HIST, xgb.DMatrix(features, label), 3).save_raw()


@pytest.mark.parametrize("kind", MATRICES)
def test_fields_are_joined(kind):
    first = {"data": np.eye(2), "label": [[1, 2], [3, 4]], "base_margin": [0, 1], "qid": [1, 1], "weight": [2]}
    second = {"data": [[5, 6]], "label": [[5, 6]], "base_margin": [2], "qid": [7], "weight": [3]}
    bounds = {"label_lower_bound": [0], "label_upper_bound": [np.inf], "feature_weights": [1, 2]}
    twice = {name: values * 2 if name.startswith("label") else values for name, values in bounds.items()}
    matrix = kind(Batches({**first, **twice}, {**second, **bounds}))
    np.testing.assert_array_equal(matrix.get_label(), [[1, 2], [3, 4], [5, 6]])
    assert matrix.get_base_margin().tolist() == [0, 1, 2]
    assert matrix.get_group().tolist() == [2, 1]
    assert matrix.get_weight().tolist() == [2, 3]
    assert matrix.get_float_info("label_upper_bound").tolist() == [np.inf] * 3
    assert matrix.get_float_info("feature_weights").tolist() == [1, 2]


@pytest.mark.parametrize("kind", MATRICES)
def test_names_types_and_categories_come_from_batches(kind):
    pandas = pytest.importorskip("pandas")
    kinds = pandas.CategoricalDtype(["x", "y", "z"])
    frames = [pandas.DataFrame({"c": pandas.Series(list(text), dtype=kinds), "n": [1, 2]}) for text in ("xz", "yy")]
    frames[1]["n"] = [0.5, 1]
    matrix = kind(Batches(*({"data": frame} for frame in frames)))
    assert matrix.feature_names == ["c", "n"]
    assert matrix.feature_types == ["c", "float"]
    assert matrix.get_categories().values == [["x", "y", "z"], None]


DIFFERENT = [
    pytest.param({"data": np.eye(2)}, "Inconsistent number of columns between batches: 3", id="columns"),
    pytest.param({"feature_names": list("abd")}, "Inconsistent feature names between", id="names"),
    pytest.param({"feature_types": list("qqq")}, "Inconsistent feature types between batches: 'c'", id="types"),
    pytest.param({"feature_types": list("qqq")}, "number of categories between batches: give", id="levels"),
    pytest.param({"label": None}, "Inconsistent `label` between batches: batch 2 has none", id="label"),
    pytest.param({"label": np.eye(2)}, "Inconsistent shape of `label`", id="targets"),
    pytest.param({"weight": [1, 1]}, "Inconsistent `weight` between batches: batch 2 has it", id="weight"),
    pytest.param({"feature_weights": [1, 2, 3]}, "Inconsistent `feature_weights`", id="feature weights"),
    pytest.param({"data": np.full((2, 3), np.inf)}, "`inf`", id="infinity"),
]


@pytest.mark.parametrize(("change", "text"), DIFFERENT)
@pytest.mark.parametrize("kind", MATRICES)
def test_batches_that_do_not_fit_are_refused(kind, change, text):
    first = {
        "data": np.ones((2, 3)),
        "label": [1, 2],
        "feature_names": list("abc"),
        "feature_types": ["int", "float", "c"],
        "feature_weights": [1, 1, 1],
    }
    second = {**first, **change}
    if "data" in change and len(change["data"][0]) == 2:
        second = {**change, "label": [1, 2]}
    with pytest.raises(xgb.DataError, match=text):
        kind(Batches(first, second))


@pytest.mark.parametrize(
    ("labels", "text"),
    [(["x", "y"], "Inconsistent number of categories between batches: 'c' has 3"), (list("zyx"), "those of 'c' are")],
)
@pytest.mark.parametrize("kind", MATRICES)
def test_other_categories_are_refused(kind, labels, text):
    pandas = pytest.importorskip("pandas")
    frames = [pandas.DataFrame({"c": pandas.Categorical(["x"], known)}) for known in (list("xyz"), labels)]
    with pytest.raises(xgb.DataError, match=text):
        kind(Batches(*({"data": frame} for frame in frames)))


@pytest.mark.parametrize("field", ["label", "weight", "qid", "feature_names", "feature_types"])
@pytest.mark.parametrize("kind", MATRICES[:2])
def test_fields_beside_an_iterator_are_refused(kind, field):
    with pytest.raises(xgb.ParameterError, match=f"`{field}` must be specified as batch argument"):
        kind(Batches({"data": np.eye(2)}), **{field: [1, 2]})


@pytest.mark.parametrize("kind", MATRICES)
def test_no_batch_at_all_is_an_error(kind):
    with pytest.raises(xgb.DataError, match="at least 1 batch"):
        kind(Batches())


@pytest.mark.parametrize("kind", MATRICES)
def test_errors_of_next_come_through(kind):
    class Broken(Batches):
        def next(self, _):
            raise KeyError("no such part")

    with pytest.raises(KeyError, match="no such part"):
        kind(Broken())


@pytest.mark.parametrize("change", [lambda rows: rows[:-1], lambda rows: np.r_[rows, rows], lambda rows: rows * np.nan])
@pytest.mark.parametrize("kind", MATRICES[1:])
def test_other_rows_in_a_later_pass_are_an_error(kind, change):
    class Changing(Batches):
        def next(self, input_data):
            if self.position:
                return False
            input_data(data=np.ones((50, 2)) if self.resets == 1 else change(np.ones((50, 2))))
            self.position = 1
            return True

    with pytest.raises(xgb.DataError, match="same in every pass"):
        kind(Changing())


def as_they_are(rows):
    return rows


def as_sparse(rows):
    return pytest.importorskip("scipy.sparse").csr_matrix(rows)


@pytest.mark.parametrize("form", [as_they_are, np.asfortranarray, as_sparse])
@pytest.mark.parametrize("field", ["data", "weight"])
@pytest.mark.parametrize("kind", MATRICES[1:])
def test_a_batch_with_other_values_in_a_later_pass_is_named(kind, field, form):
    class Changing(Batches):
        def next(self, input_data):
            if self.position == 3:
                return False
            batch = {"data": np.ones((50, 2), np.float32), "weight": np.ones(50)}
            if self.resets > 1 and self.position == 1:
                batch[field][-1] = 2
            input_data(**{**batch, "data": form(batch["data"])})
            self.position += 1
            return True

    with pytest.raises(xgb.DataError, match=r"Batch 2 is not what it was in the first pass: .* same in every pass"):
        kind(Changing())


@pytest.mark.parametrize("field", ["label", "base_margin", "qid"])
@pytest.mark.parametrize("kind", MATRICES[1:])
def test_a_batch_with_other_labels_in_a_later_pass_is_named(kind, field):
    class Changing(Batches):
        def next(self, input_data):
            if self.position == 3:
                return False
            values = np.full(50, self.position)
            if self.resets > 1 and self.position == 1:
                values[-1] = 2
            input_data(data=np.ones((50, 2)), **{field: values})
            self.position += 1
            return True

    with pytest.raises(xgb.DataError, match="Batch 2 is not what it was in the first pass: its labels, groups"):
        kind(Changing())


@pytest.mark.parametrize(("later", "text"), [(1, "There are 1 batches"), (3, "There is a batch 3")])
@pytest.mark.parametrize("kind", MATRICES[1:])
def test_more_or_fewer_batches_in_a_later_pass_are_an_error(kind, later, text):
    class Changing(Batches):
        def next(self, input_data):
            if self.position == (2 if self.resets == 1 else later):
                return False
            input_data(data=np.ones((0 if self.position else 50, 2)))
            self.position += 1
            return True

    with pytest.raises(xgb.DataError, match=f"{text}.* first pass had 2"):
        kind(Changing())


@pytest.mark.parametrize("kind", MATRICES[1:])
def test_the_layout_of_a_batch_may_change(kind, holes):
    features, label = holes

    class Turning(Batches):
        def next(self, input_data):
            if self.position:
                return False
            input_data(data=np.array(features, order="CF"[self.resets % 2]), label=label)
            self.position = 1
            return True

    found = xgb.train(HIST, kind(Turning()), 2)
    assert found.save_raw() == xgb.train(HIST, xgb.DMatrix(features, label), 2).save_raw()


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda give: give(np.eye(2)), TypeError, "Keyword argument"),
        (lambda give: give(label=[1, 2]), TypeError, "needs `data`"),
        (lambda give: give(data=np.eye(2), labels=[1, 2]), TypeError, r"^input_data\(\).*'labels'"),
        (lambda _: None, xgb.DataError, "did 0 times for batch 1"),
        (lambda give: [give(data=np.eye(2)), give(data=np.eye(2))], xgb.DataError, "did 2 times"),
        (lambda give: give(data="no file"), xgb.DataError, "There is no file"),
    ],
)
def test_wrong_use_of_input_data_is_explained(call, error, text):
    class Wrong(Batches):
        def next(self, input_data):
            call(input_data)
            return True

    with pytest.raises(error, match=text):
        xgb.QuantileDMatrix(Wrong())


@pytest.mark.parametrize("answer", [None, "yes", 1.5])
def test_next_must_say_whether_there_was_a_batch(answer):
    class Vague(Batches):
        def next(self, _):
            return answer

    with pytest.raises(xgb.ParameterError, match=r"next\(\) must return"):
        xgb.DMatrix(Vague())


@pytest.mark.parametrize("release", [True, False])
def test_batches_are_released_unless_asked_to_stay(release):
    batches = Batches({"data": np.eye(3)}, release_data=release)
    xgb.QuantileDMatrix(batches)
    assert (batches.proxy is None) == release
    if not release:
        assert batches.proxy.num_row() == 3


def test_no_more_than_one_batch_is_held():
    alive = []

    class Counted(Batches):
        def next(self, input_data):
            gc.collect()
            assert sum(part() is not None for part in alive) <= 1
            if self.position == 5:
                return False
            part = np.random.default_rng(self.position).normal(size=(50, 2)).astype(np.float32)
            alive.append(weakref.ref(part))
            input_data(data=part)
            self.position += 1
            return True

    assert xgb.QuantileDMatrix(Counted()).num_row() == 250


def test_a_subclass_need_not_call_the_base():
    class Bare(Batches):
        def __init__(self):
            self.batches, self.position, self.resets = [{"data": np.eye(2)}], 0, 0

    assert xgb.DMatrix(Bare()).num_row() == 2


def test_programs_can_drive_an_iterator_themselves():
    reset, following = (batches := Batches({"data": np.eye(2)})).get_callbacks(enable_categorical=True)
    reset()
    assert following(lambda **_: None)
    assert not following(lambda **_: None)
    assert batches.reraise() is None
