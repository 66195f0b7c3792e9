# SPDX-License-Identifier: Apache-2.0
"""The comparison with peers in bench/compare: its data, the translation of parameters, its tables."""

import ctypes
import math
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("pandas")
pytest.importorskip("scipy")
ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT))  # `bench` is not installed

from bench.compare import jobs, memory, recipe, report, suite  # noqa: E402
from bench.compare.data import DataMissingError, Part  # noqa: E402
from bench.compare.peers import (  # noqa: E402
    OURS,
    Settings,
    UnsupportedError,
    XgboostInterface,
    catboost,
    lightgbm,
    sklearn,
)
from bench.compare.real import RealSet  # noqa: E402
from bench.compare.runner import Run  # noqa: E402
from bench.compare.scores import loss, scores_of  # noqa: E402
from bench.compare.sets import TASKS  # noqa: E402
from bench.compare.suites import real  # noqa: E402

SUITES = sorted(path.stem for path in (ROOT / "bench/compare/suites").glob("[!_]*.py"))
DEPTH_WISE = {"objective": "binary:logistic", "eta": 0.1, "max_depth": 3, "lambda": 2.0}
BEST_FIRST = {
    "objective": "multi:softprob",
    "num_class": 3,
    "grow_policy": "lossguide",
    "max_depth": 0,
    "max_leaves": 9,
}


@pytest.fixture
def load(tmp_path, monkeypatch):
    """Make a recipe's data in a folder of its own and return one part."""
    monkeypatch.setattr(recipe, "FOLDER", tmp_path)

    def read(made, name="train"):
        made.prepare()
        return made.load(name)

    return read


def small(**options):
    return recipe.Recipe(**{"rows": 400, "columns": 12, "held_out": 50, **options})


def test_dense_data_have_the_asked_share_of_missing_cells(load):
    part = load(small(missing=0.3))
    assert part.features.shape == (400, 12)
    assert np.isnan(part.features).mean() == pytest.approx(0.3, abs=0.05)
    assert set(part.labels) == {0.0, 1.0}


@pytest.mark.parametrize(("classes", "distinct"), [(7, 7), (0, 400)])
def test_labels_are_classes_or_numbers(load, classes, distinct):
    assert len(set(load(small(classes=classes)).labels)) == distinct


def test_one_hot_data_have_one_cell_per_group(load):
    part = load(small(one_hot=3))
    assert part.features.shape == (400, 12)
    assert part.cells() == 400 * 4
    assert (part.features.indices.reshape(400, 4) // 3 == np.arange(4)).all()


def test_category_columns_have_the_asked_levels(load):
    features = load(small(columns=2, cardinalities=(3, 500))).features
    assert [len(features[name].cat.categories) for name in features] == [3, 500]


def test_data_are_written_once_and_scaled_data_apart(load):
    made = small(rows=5000)
    first = load(made).labels
    assert (load(made).labels == first).all()
    assert len(load(made.scaled(0.2)).labels) == 1000
    assert len(load(made.scaled(0.0001)).labels) == recipe.FEWEST
    assert len(load(made, "test").labels) == 50


def test_a_missing_data_set_says_where_it_was_looked_for(tmp_path, monkeypatch):
    monkeypatch.setenv("XGB_LIKE_DATA", str(tmp_path))
    with pytest.raises(DataMissingError, match=f"no adult in {tmp_path}.*XGB_LIKE_DATA"):
        RealSet("adult").prepare()


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """Write columns as the data set `toy`."""
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    monkeypatch.setenv("XGB_LIKE_DATA", str(tmp_path))
    return lambda **columns: pd.DataFrame(columns).to_parquet(tmp_path / "toy.parquet")


def test_a_real_set_is_split_into_disjoint_parts(toy):
    toy(a=np.arange(10.0), __label__=np.arange(10.0), __weight__=np.ones(10))
    train, test = RealSet("toy").load("train"), RealSet("toy").load("test")
    assert (train.features[:, 0] == train.labels).all()
    assert sorted([*train.labels, *test.labels]) == list(range(10))


def test_a_scaled_real_set_keeps_the_asked_share_of_rows_and_some_at_least(toy):
    toy(a=np.arange(2000.0), __label__=np.arange(2000.0))
    assert [len(RealSet("toy").scaled(scale).load("train").labels) for scale in (0.5, 0.05)] == [800, 400]


def test_queries_of_a_real_set_stay_whole(toy):
    query = np.repeat(np.arange(10), 3)
    toy(a=query, __label__=np.tile([0, 1, 2], 10), __qid__=query, __weight__=np.arange(30.0))
    source = RealSet("toy", relevant_from=1.0)
    train, test = source.load("train"), source.load("test")
    assert (np.bincount(train.queries, minlength=10) + np.bincount(test.queries, minlength=10) == 3).all()
    assert set(train.queries).isdisjoint(test.queries)
    assert (train.features[:, 0] == train.queries).all()
    assert (train.labels == np.tile([0, 1, 1], 8)).all()
    assert (train.weights // 3 == train.queries).all()


def test_splits_of_a_real_set_differ(toy):
    toy(a=np.arange(50.0), __lower__=np.arange(50.0), __upper__=np.full(50, np.inf))
    source = RealSet("toy")
    first, other = source.split(0).load("test"), source.split(1).load("test")
    assert (first.labels == source.load("test").labels).all()
    assert set(first.labels) != set(other.labels)
    assert np.isinf(first.ends).all()


@pytest.mark.parametrize(
    ("objective", "labels", "predictions", "expected"),
    [
        ("binary:logistic", [0, 1], [0.25, 0.5], {"logloss": (math.log(4 / 3) + math.log(2)) / 2, "auc": 1.0}),
        ("binary:hinge", [0, 1], [1, 1], {"error": 0.5}),
        ("multi:softmax", [0, 2], [0, 1], {"merror": 0.5}),
        ("multi:softprob", [0, 1], [[0.5, 0.5], [0.75, 0.25]], {"mlogloss": math.log(8) / 2, "merror": 0.5}),
        ("reg:squaredlogerror", [0, 0], [math.e - 1, 0], {"rmsle": math.sqrt(0.5)}),
        ("reg:absoluteerror", [0, 1], [1, 3], {"mae": 1.5}),
        ("reg:quantileerror", [1, 1], [[0, 0], [2, 2]], {"pinball": 0.5}),
        ("reg:expectileerror", [1, 1], [0, 2], {"expectile": 0.5}),
        ("reg:gamma", [1], [2], {"gamma deviance": 2 * (math.log(2) - 0.5)}),
        ("reg:tweedie", [0, 4], [1, 4], {"tweedie deviance": 2.0}),
        ("count:poisson", [0, 1], [1, math.e], {"poisson deviance": (2 + 2 * (math.e - 2)) / 2}),
        ("rank:ndcg", [1, 0], [1, 2], {"ndcg@10": 1 / math.log2(3), "map": 0.5}),
    ],
)
def test_scores(objective, labels, predictions, expected):
    part = Part(None, np.array(labels, dtype=np.float32))
    params = {"objective": objective, "quantile_alpha": [0.1, 0.9], "expectile_alpha": 0.5}
    given = np.array(predictions, dtype=float)
    found = {score.name: score.compute(part, given, params) for score in scores_of(objective)}
    assert found == pytest.approx(expected)


def test_scores_take_weights_and_queries():
    part = Part(None, np.array([0, 1], dtype=np.float32), weights=np.array([3, 1], dtype=np.float32))
    assert scores_of("reg:absoluteerror")[0].compute(part, np.array([1.0, 1.0]), {}) == 0.75
    part = Part(None, np.array([1, 0, 0, 1, 0], dtype=np.float32), queries=np.array([0, 0, 1, 1, 2]))
    assert scores_of("rank:map")[0].compute(part, np.array([1.0, 2, 1, 2, 0]), {}) == 0.75


@pytest.mark.parametrize(("objective", "right"), [("survival:cox", 1 + 2), ("survival:aft", 2 + 0)])
def test_concordance_compares_with_later_rows(objective, right):
    part = Part(None, np.array([1, 2, 2, 3], np.float32), ends=np.array([1, 2, np.inf, np.inf], np.float32))
    found = scores_of(objective)[0].compute(part, np.array([1.0, 4, 0, 2]), {"objective": objective})
    assert found == pytest.approx(right / (3 + 2))  # pairs of the first row and of the second


def test_an_objective_without_scores_is_told():
    with pytest.raises(ValueError, match="reg:nothing"):
        scores_of("reg:nothing")


def test_the_table_of_qualities_compares_with_xgboost():
    chosen = suite.load("quality").narrowed(["adult/binary:logistic"], ["xgb_like", "xgboost"], 1.0)
    turns = {
        ("adult/binary:logistic", 2, "xgb_like"): [{"logloss/0": 0.52, "logloss/1": 0.5, "auc/0": 0.9}],
        ("adult/binary:logistic", 2, "xgboost"): [{"logloss/0": 0.5, "logloss/1": 0.5, "auc/0": 0.8}],
    }
    assert report.markdown(chosen, turns, {}).splitlines()[2:] == [
        "| adult | binary:logistic | logloss | 0.51 | 0.5 | **-2.00 %** | 2.00 % |",
        "| adult | binary:logistic | auc | 0.9 | 0.8 | +12.50 % |  |",
    ]


def test_qualities_of_every_split_are_near_those_of_xgboost(toy):
    pytest.importorskip("xgboost")
    rng = np.random.default_rng(0)
    toy(a=rng.normal(size=60), __label__=rng.normal(size=60))
    case = suite.Case("toy", RealSet("toy"), {"objective": "reg:squarederror", "max_depth": 2}, rounds=2)
    ours, theirs = (jobs.quality(XgboostInterface(name), case, 1) for name in ("xgb_like", "xgboost"))
    assert list(ours) == [f"rmse/{split}" for split in range(jobs.SPLITS)]
    assert len(set(ours.values())) == jobs.SPLITS
    assert ours == pytest.approx(theirs, rel=0.05)


@pytest.mark.parametrize(
    ("objective", "predictions", "expected"),
    [
        ("binary:logistic", [0.25, 0.5], (math.log(4 / 3) + math.log(2)) / 2),
        ("binary:logistic", [1.0, 1.0], -math.log(1e-15) / 2),
        ("reg:squarederror", [3.0, 1.0], math.sqrt(4.5)),
        ("rank:ndcg", [2.0, 1.0], 1 - 1 / math.log2(3)),
    ],
)
def test_of_a_loss_less_is_better(objective, predictions, expected):
    part = Part(None, np.array([0.0, 1.0], dtype=np.float32))
    assert loss(part, np.array(predictions, dtype=np.float32), {"objective": objective}) == pytest.approx(expected)


def test_ties_count_half_for_the_area_under_the_curve():
    part = Part(None, np.array([0, 1, 0, 1], dtype=np.float32))
    assert scores_of("binary:logistic")[1].compute(part, np.array([0.1, 0.1, 0.2, 0.2]), {}) == (0.5 + 1 + 0.5) / 4


def test_the_public_sets_are_those_of_the_folder():
    folder = RealSet("any").folder
    if not folder.exists():
        pytest.skip(f"no {folder}")
    assert set(TASKS) == {path.stem for path in folder.iterdir() if path.suffix in {".parquet", ".npz"}}


def test_every_public_set_is_a_case_and_what_is_unusual_belongs_to_one():
    assert [case.name for case in suite.load("real").cases] == list(TASKS)
    assert set(real.UNUSUAL) <= set(TASKS)


TIMES = {"__lower__": np.arange(1.0, 61.0), "__upper__": np.where(np.arange(60) % 3, np.arange(1.0, 61.0), np.inf)}
SMALL_TASKS = {
    "binary:logistic": {"__label__": np.arange(60) % 2},
    "multi:softprob": {"__label__": np.arange(60) % 3},
    "reg:squarederror": {"__label__": np.arange(60.0)},
    "reg:gamma": {"__label__": np.arange(1.0, 61.0), "__weight__": np.ones(60)},
    "count:poisson": {"__label__": np.arange(60.0), "__weight__": np.ones(60)},
    "rank:ndcg": {"__label__": np.arange(60) % 3, "__qid__": np.arange(60) // 6},
    "survival:aft": TIMES,
    "survival:cox": TIMES,
}
LACKING = {
    "lightgbm": {"survival:aft", "survival:cox"},
    "catboost": {"rank:ndcg", "reg:gamma"},
    "sklearn": {"rank:ndcg", "survival:aft", "survival:cox"},
}


@pytest.mark.parametrize("objective", SMALL_TASKS)
@pytest.mark.parametrize("peer", suite.load("real").peers, ids=lambda peer: peer.name)
def test_every_library_has_all_figures_of_the_objectives_that_it_knows(peer, objective, toy, monkeypatch):
    pytest.importorskip(peer.name)
    monkeypatch.setattr(jobs, "_limit_cores", lambda _: None)  # other tests want theirs
    toy(a=np.random.default_rng(0).normal(size=60), **SMALL_TASKS[objective])
    params = {"objective": objective, "max_depth": 2, **({"num_class": 3} if objective == "multi:softprob" else {})}
    case = suite.Case("toy", RealSet("toy"), params, rounds=2, repeats=2)
    if objective in LACKING.get(peer.name, ()):
        with pytest.raises(UnsupportedError, match="no equal"):
            jobs.fit_and_start(peer, case, 1)
        return
    figures = jobs.fit_and_start(peer, case, 1)
    assert {measure.key for measure in suite.load("real").measures} <= figures.keys()
    assert all(math.isfinite(value) for value in figures.values())
    assert figures["first_seconds"] > 0
    assert 0 < figures["model_kb"] < 1000


def test_memory_that_was_free_before_is_counted_when_it_is_taken():
    if not memory.RESET.exists() or not hasattr(ctypes.CDLL(None), "malloc_trim"):
        pytest.skip("no glibc")
    blocks = [bytes(4000) for _ in range(20_000)]  # 80 MB
    highest = blocks.pop()  # what is free below it stays with the process
    blocks.clear()
    before = memory.start_watching()
    blocks += [bytes(4000) for _ in range(20_000)]
    assert memory.peak() - before > 60
    assert highest


def test_the_size_of_a_model_is_that_of_its_file(tmp_path):
    part = Part(np.arange(60.0).reshape(30, 2), np.arange(30, dtype=np.float32))
    model = OURS.fit(part, {"objective": "reg:squarederror"}, 2, 1).model
    model.save_model(tmp_path / "model.ubj")
    assert OURS.size(model) == (tmp_path / "model.ubj").stat().st_size


def test_a_class_that_is_missing_among_the_training_rows_has_no_chance():
    pytest.importorskip("sklearn")
    part = Part(np.arange(30.0).reshape(30, 1), (np.arange(30) // 10 * 2).astype(np.float32))
    peer = sklearn.HistGradientBoosting()
    fitted = peer.fit(part, {"objective": "multi:softprob", "num_class": 6}, 2, 1)
    assert (peer.predict(fitted.model, part.features).argmax(axis=1) == part.labels).all()
    assert peer.predict(fitted.model, part.features)[:, 1::2].sum() == 0


def test_limits_by_depth_are_translated():
    settings = Settings.of(DEPTH_WISE)
    light, cat = lightgbm.translate(settings, 2), catboost.translate(settings, False, 5, 2)
    scikit = sklearn.translate(settings, 5)
    assert (light["max_depth"], light["num_leaves"], light["lambda_l2"], light["num_threads"]) == (3, 8, 2.0, 2)
    assert (cat["grow_policy"], cat["depth"], cat["iterations"], cat["border_count"]) == ("Depthwise", 3, 5, 254)
    assert (scikit["max_depth"], scikit["max_leaf_nodes"], scikit["max_bins"]) == (3, 8, 255)


def test_limits_by_leaves_are_translated():
    settings = Settings.of(BEST_FIRST)
    light, cat = lightgbm.translate(settings, 1), catboost.translate(settings, False, 5, 1)
    scikit = sklearn.translate(settings, 5)
    assert (light["max_depth"], light["num_leaves"], light["num_class"]) == (-1, 9, 3)
    assert (cat["grow_policy"], cat["max_leaves"], cat["classes_count"]) == ("Lossguide", 9, 3)
    assert (scikit["max_depth"], scikit["max_leaf_nodes"]) == (None, 9)


def test_what_has_no_equal_is_left_out():
    for objective, alpha in (("rank:map", 0.5), ("reg:quantileerror", [0.1, 0.9])):
        with pytest.raises(UnsupportedError, match="no equal|one quantile"):
            lightgbm.translate(Settings.of({"objective": objective, "quantile_alpha": alpha}), 1)


def test_who_was_left_out_for_one_reason_is_told_in_one_line():
    left_out = {("a", "xgboost"): "cannot", ("b", "xgboost"): "cannot", ("b", "lightgbm"): "cannot"}
    text = report.markdown(suite.load("exact"), {}, left_out)
    assert text.endswith("- a, b, without xgboost: cannot\n- b, without lightgbm: cannot")


@pytest.mark.parametrize("name", SUITES)
def test_suites_have_distinct_cases_and_ours_among_the_peers(name):
    chosen = suite.load(name)
    assert len({case.name for case in chosen.cases}) == len(chosen.cases)
    assert chosen.ours in {peer.name for peer in chosen.peers}
    assert all(set(case.without) <= {peer.name for peer in chosen.peers} for case in chosen.cases)


def test_a_suite_is_narrowed_to_known_names_only():
    chosen = suite.load("hist")
    narrowed = chosen.narrowed(["dense_1k"], ["lightgbm"], 0.5)
    assert [case.data.rows for case in narrowed.cases] == [500]
    with pytest.raises(ValueError, match="No case is called dense_2k; there are dense_1m"):
        chosen.narrowed(["dense_2k"], None, 1.0)


def test_tables_mark_the_best_peer_and_compare_it_with_ours():
    chosen = suite.load("exact")
    turns = {("a", 1, "xgb_like"): [{"seconds": 2.0}, {"seconds": 1.0}], ("a", 1, "xgboost"): [{"seconds": 3.0}]}
    table = report.measure_table(chosen, chosen.measures[0], turns)
    assert table.splitlines()[2] == "| a | 1 | 1.00 | **3.00** | 3.00x |"
    alone = report.measure_table(chosen.narrowed(None, ["xgboost"], 1.0), chosen.measures[0], turns)
    assert alone.splitlines()[2] == "| a | 1 | **3.00** |"


def test_a_summary_tells_the_mean_the_worst_case_and_how_often_ours_needs_half():
    seconds, *_, size, losses = suite.load("real").measures
    turns = {
        (case, threads, peer): [{seconds.key: value, size.key: value, losses.key: 1 / value}]
        for threads in (1, 2)
        for case, peer, value in (("a", "xgb_like", 1), ("a", "xgboost", 8), ("b", "xgb_like", 2), ("b", "sklearn", 1))
    }
    tables = [report.summary(suite.load("real"), measure, turns) for measure in (seconds, size, losses)]
    text = "best peer / ours 2.00x in the geometric mean of 2, 0.50x at worst (b), 2x or more in 1"
    assert tables[0] == f"- threads 1: {text}\n- threads 2: {text}"
    assert tables[1] == f"- threads any: {text}"
    assert (
        tables[2] == "- threads any: ours above best peer +100.00 % in the geometric mean of 2, +700.00 % at worst (a)"
    )


def test_what_threads_make_no_difference_to_has_one_row_per_case():
    chosen = suite.load("real")
    size = next(measure for measure in chosen.measures if not measure.by_threads)
    turns = {("a", 1, "xgb_like"): [{size.key: 4.0}], ("a", 2, "xgb_like"): [{size.key: 2.0}]}
    table = report.measure_table(chosen, size, turns)
    assert [line.split(" |")[:3] for line in table.splitlines()[2:]] == [["| a", " any", " 2"]]


def test_cells_without_a_figure_are_empty():
    chosen = suite.load("exact")
    turns = {("a", 1, "xgb_like"): [{"seconds": 4.0}], ("a", 2, "xgb_like"): [{"seconds": 2.0}]}
    text = report.markdown(chosen, turns, {("a", "xgboost"): "not installed"})
    assert "| a | 1 | 4.00 |  |  |" in text
    assert "| a | 1 to 2 | 2.00x |  |" in text
    assert text.endswith("- a, without xgboost: not installed")


def test_a_peer_that_cannot_is_not_asked_again(monkeypatch, tmp_path):
    monkeypatch.setattr(recipe, "FOLDER", tmp_path)
    answers = {"xgb_like": {"seconds": 1.0}, "xgboost": {"left_out": "cannot"}}
    asked = []
    monkeypatch.setattr(Run, "_worker", lambda *given: asked.append(given[2]) or dict(answers[given[2]]))
    run = Run("exact", suite.load("exact").narrowed(["dense_100k"], None, 0.001), 0.001)
    run.measure(run.suite.cases[0], [1, 2], 2)
    assert asked == ["xgb_like", "xgboost", *["xgb_like"] * 3]
    assert run.left_out == {("dense_100k", "xgboost"): "cannot"}


def test_a_peer_that_is_not_installed_is_unsupported():
    with pytest.raises(UnsupportedError, match="not installed"):
        XgboostInterface("no_such_library").version()
