# SPDX-License-Identifier: Apache-2.0
"""Predictors and the short way of `inplace_predict`: what they give is what a DMatrix gives, bit for bit."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

import xgb_like as xgb

ROWS = 300
ODD = np.array([np.nan, 0.0, -0.0, 1e-45, -1e-40, 3.4e38, -3.4e38], dtype=np.float32)


def table(columns: int = 4, rows: int = ROWS) -> np.ndarray:
    generator = np.random.default_rng(3)
    cells = generator.normal(size=(rows, columns)).astype(np.float32)
    odd = generator.random(cells.shape) < 0.2
    cells[odd] = generator.choice(ODD, size=int(odd.sum()))
    return cells


def model(**params: object) -> xgb.Booster:
    cells = table()
    label = (np.nan_to_num(cells[:, 0]) > 0) + (np.nan_to_num(cells[:, 1]) > 1)
    if params.get("objective", "binary:logistic") == "binary:logistic":
        label = label > 0
    return xgb.train({"objective": "binary:logistic", "nthread": 1} | params, xgb.DMatrix(cells, label=label), 8)


KINDS = [
    {},
    {"max_depth": 9, "min_child_weight": 0},
    {"objective": "multi:softprob", "num_class": 3},
    {"objective": "multi:softmax", "num_class": 3},
    {"objective": "multi:softprob", "num_class": 3, "multi_strategy": "multi_output_tree", "tree_method": "hist"},
    {"booster": "dart", "rate_drop": 0.5},
    {"booster": "gblinear"},
]


@pytest.mark.parametrize("params", KINDS, ids=str)
@pytest.mark.parametrize("rows", [0, 1, 2, 10, 64, 65, 300])
def test_every_way_gives_the_same_bits(params: dict[str, object], rows: int) -> None:
    booster, cells = model(**params), table()[:rows]
    for margin, kind in ((False, "value"), (True, "margin")):
        expected = booster.predict(xgb.DMatrix(cells), output_margin=margin)
        predictor = booster.predictor(predict_type=kind)
        np.testing.assert_array_equal(booster.inplace_predict(cells, predict_type=kind), expected)
        np.testing.assert_array_equal(predictor.predict(cells), expected)
        np.testing.assert_array_equal(predictor.predict(cells.astype(np.float64)), expected)
        np.testing.assert_array_equal(predictor.predict(np.asfortranarray(cells)), expected)


@pytest.mark.parametrize("hostile", [np.inf, -np.inf, np.nan, -0.0, 1e-45, 3.4e38])
def test_hostile_values_go_the_same_way_alone_and_in_batches(hostile: float) -> None:
    booster = model(max_depth=8)
    cells = table(rows=200)
    cells[:, 1] = hostile
    together = booster.inplace_predict(cells, predict_type="margin")
    alone = [booster.inplace_predict(cells[i : i + 1], predict_type="margin")[0] for i in range(200)]
    np.testing.assert_array_equal(together, alone)


def test_strides_and_views_are_read_as_they_are() -> None:
    booster, cells = model(), table()
    expected = booster.inplace_predict(cells)
    np.testing.assert_array_equal(booster.inplace_predict(cells[::-1]), expected[::-1])
    np.testing.assert_array_equal(booster.inplace_predict(np.repeat(cells, 2, axis=1)[:, ::2]), expected)
    shifted = np.frombuffer(b"x" + cells.tobytes(), dtype=np.uint8)[1:].view(np.float32).reshape(cells.shape)
    np.testing.assert_array_equal(booster.inplace_predict(shifted), expected)


def test_missing_stands_for_nan() -> None:
    booster, cells = model(), table()
    marked = np.where(np.isnan(cells), np.float32(-999), cells)
    expected = booster.inplace_predict(cells)
    np.testing.assert_array_equal(booster.inplace_predict(marked, missing=-999), expected)
    np.testing.assert_array_equal(booster.predictor(missing=-999).predict(marked[:1]), expected[:1])


def test_masked_cells_are_missing() -> None:
    booster, cells = model(), table()
    masked = np.ma.masked_array(cells, mask=np.random.default_rng(0).random(cells.shape) < 0.4)
    expected = booster.inplace_predict(np.where(masked.mask, np.nan, cells))
    np.testing.assert_array_equal(booster.predictor().predict(masked), expected)


def test_out_is_filled_and_returned() -> None:
    booster, cells = model(objective="multi:softprob", num_class=3), table()
    for data in (cells, cells.astype(np.float64), cells[:1]):
        out = np.full((len(data), 3), -1, dtype=np.float32)
        assert booster.predictor().predict(data, out=out) is out
        np.testing.assert_array_equal(out, booster.inplace_predict(data))


@pytest.mark.parametrize(
    "out",
    [
        np.empty(ROWS),
        np.empty(ROWS - 1, dtype=np.float32),
        np.empty((ROWS, 1), dtype=np.float32),
        np.empty(2 * ROWS, dtype=np.float32)[::2],
        np.broadcast_to(np.float32(0), ROWS),
        [0.0] * ROWS,
    ],
    ids=["float64", "short", "2-D", "strided", "read-only", "list"],
)
def test_an_out_that_does_not_fit_is_refused(out: object) -> None:
    predictor = model().predictor()
    for dtype in (np.float32, np.float64, np.longdouble):
        with pytest.raises(xgb.DataError, match="`out`"):
            predictor.predict(table().astype(dtype), out=out)  # type: ignore[arg-type]


def test_out_may_be_unaligned_or_lie_among_the_rows() -> None:
    booster, cells = model(), table()
    expected = booster.inplace_predict(cells)
    unaligned = np.frombuffer(bytearray(4 * ROWS + 1), dtype=np.float32, offset=1)
    np.testing.assert_array_equal(booster.predictor().predict(cells, out=unaligned), expected)
    for rows in (cells.copy(), cells[::-1].copy()[::-1], cells[:1].copy()):
        out = rows.base.reshape(-1)[: len(rows)] if rows.base is not None else rows.reshape(-1)[: len(rows)]
        np.testing.assert_array_equal(booster.predictor().predict(rows, out=out), expected[: len(rows)])


def test_a_predictor_stays_as_it_was_made() -> None:
    booster, cells = model(), table()
    predictor, before = booster.predictor(), booster.inplace_predict(cells)
    booster.update(xgb.DMatrix(cells, label=cells[:, 2] > 0), 8)
    np.testing.assert_array_equal(predictor.predict(cells), before)
    assert (booster.inplace_predict(cells) != before).any()


def test_changes_of_the_model_reach_the_next_prediction() -> None:
    booster, cells = model(), table()
    before = booster.inplace_predict(cells[:1])
    booster.set_param("objective", "binary:logitraw")
    assert booster.inplace_predict(cells[:1]) != before
    sliced = booster[0:2]
    np.testing.assert_array_equal(sliced.inplace_predict(cells), booster.inplace_predict(cells, iteration_range=(0, 2)))


def test_the_class_is_the_method() -> None:
    booster, cells = model(), table()
    assert np.array_equal(xgb.Predictor(booster).predict(cells), booster.predictor().predict(cells))
    margins = xgb.Predictor(booster, iteration_range=(0, 2), predict_type="margin").predict(cells)
    assert np.array_equal(margins, booster.inplace_predict(cells, iteration_range=(0, 2), predict_type="margin"))


def test_ranges_of_rounds() -> None:
    booster, cells = model(), table()
    expected = booster.predict(xgb.DMatrix(cells), iteration_range=(2, 5))
    np.testing.assert_array_equal(booster.inplace_predict(cells, iteration_range=(2, 5)), expected)
    np.testing.assert_array_equal(booster.predictor(iteration_range=(2, 5)).predict(cells[:1]), expected[:1])
    with pytest.raises(xgb.ParameterError, match="rounds"):
        booster.predictor(iteration_range=(0, 99))
    with pytest.raises(xgb.ParameterError, match="predict_type"):
        booster.predictor(predict_type="leaf")


def test_strict_shape_has_two_dimensions() -> None:
    booster = model()
    assert booster.inplace_predict(table(), strict_shape=True).shape == (ROWS, 1)
    assert booster.predictor(strict_shape=True).predict(table()[:1]).shape == (1, 1)


def test_what_does_not_fit_is_refused() -> None:
    booster = model()
    for data in (table(3), table()[0]):
        for predict in (booster.inplace_predict, booster.predictor().predict):
            with pytest.raises(xgb.DataError):
                predict(data)


def test_many_threads_get_their_own_rows() -> None:
    booster, cells = model(max_depth=8), table()
    predictor, expected = booster.predictor(), booster.predict(xgb.DMatrix(cells))

    def serve(worker: int) -> bool:
        good = True
        for i in range(400):
            first = (worker * 37 + i) % (ROWS - 70)
            count = (1, 3, 70)[i % 3]
            ask = predictor.predict if i % 2 else booster.inplace_predict
            good &= np.array_equal(ask(cells[first : first + count]), expected[first : first + count])
        return good

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(serve, range(8)))


@pytest.mark.parametrize("params", KINDS, ids=str)
@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
def test_copies_and_pickles_give_the_same_bits(
    params: dict[str, object], way: Callable[[object], xgb.Predictor]
) -> None:
    booster, cells = model(**params), table()
    options = {"iteration_range": (0, 5) if params.get("booster") != "gblinear" else (0, 0), "strict_shape": True}
    for predictor in (xgb.Predictor(booster, **options), xgb.Predictor(booster, predict_type="margin", missing=0.0)):
        other = way(predictor)
        assert (other._frozen is None) == (predictor._frozen is None)
        assert np.array_equal(other.predict(cells), predictor.predict(cells))


def test_predictors_go_to_other_processes() -> None:
    predictor, cells = model().predictor(), table()
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        assert np.array_equal(pool.submit(predictor.predict, cells).result(), predictor.predict(cells))


def test_joblib_keeps_predictors(tmp_path: Path) -> None:
    joblib = pytest.importorskip("joblib")
    predictor, cells = model().predictor(), table()
    joblib.dump(predictor, tmp_path / "predictor")
    assert np.array_equal(joblib.load(tmp_path / "predictor").predict(cells), predictor.predict(cells))


@pytest.mark.parametrize("other", [None, "model.ubj", 5])
def test_what_is_no_booster_is_refused(other: object) -> None:
    with pytest.raises(xgb.ParameterError, match=r"`booster` must be a Booster; .*Booster\(model_file=…\)"):
        xgb.Predictor(other)
